#include "harness/command/examples.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/text.hpp"

namespace bench {
namespace {

/// Commands as typed, and what they are for.
using Examples = std::vector<std::pair<std::string, std::string>>;

const std::map<std::string, Examples>& all() {
  static const std::map<std::string, Examples> table{
      {"",
       {{"bench", "measure everything, print tables, write a JSON document"},
        {"bench energy --size course", "one workload at the size of the course"},
        {"bench 'transpose/openmp*'", "some variants"},
        {"bench verify energy --show 10", "check without timing, print the first results"},
        {"bench energy --input x.npy", "on your own data"},
        {"bench try mine.cpp", "your own kernel among the variants of its workload"},
        {"bench doctor", "what this job was given, and what may be wrong"},
        {"bench table results/*.json", "the tables of earlier runs"},
        {"bench merge a.json b.json --output c.json", "runs of one node as one document"},
        {"bench compare a.json b.json", "which cases got slower, and how sure that is"},
        {"bench compare results/nodes/", "which of many nodes is slow, where, and what differs"},
        {"bench reproduce a.json", "measure again: do its speedups hold on this node?"},
        {"bench --resume FILE", "go on with a run that was interrupted"}}},
      {"run",
       {{"bench", "everything: tables on the terminal, a JSON document in results/"},
        {"bench energy --size course", "one workload at the size of the course"},
        {"bench 'transpose/openmp*'", "some variants; their baseline is measured too"},
        {"bench --dtype f32,f64", "in both precisions"},
        {"bench --sweep 1e3:1e8 hypot", "from which size on the GPU wins"},
        {"bench --threads 1,2,4 --size 1e8", "speedup over the threads"},
        {"bench energy --input x.npy", "on your own data"},
        {"bench energy --executions 5", "started five times: intervals over its executions"},
        {"bench energy --devices all", "each GPU in turn, then all at once"},
        {"bench --resume results/RUN.json", "go on with a run that was interrupted"},
        {"srun --gres=gpu:1 bench", "on a cluster: with the cores and the GPU of the job"}}},
      {"try",
       {{"bench try --new energy mine.cpp", "a file that computes energy plainly, to begin with"},
        {"bench try mine.cpp", "checked, and measured among the variants of its workload"},
        {"bench try handin/*", "a class: each file a row of one table"},
        {"bench energy --with mine.cpp,yours.py", "guests beside what else is measured"}}},
      {"list",
       {{"bench list", "workloads, their variants, what each variant adds"},
        {"bench list hypot", "of one workload"},
        {"bench list --backend cuda", "the ladders on the GPU"}}},
      {"verify",
       {{"bench verify", "every variant of every workload"},
        {"bench verify energy --show 10", "ten results, their inputs, the definition"},
        {"bench verify hypot --size course", "on as many numbers as in the course"},
        {"bench verify energy/openmp/simd --output-npy e.npy", "the result, for NumPy"}}},
      {"doctor",
       {{"bench doctor", "this node"},
        {"srun --gres=gpu:1 bench doctor", "what a job would get"},
        {"bench doctor --format json", "for a program"}}},
      {"table",
       {{"bench table results/*.json", "the tables of earlier runs"},
        {"bench table a.json --format latex --lang pt", "for a hand-out in Portuguese"},
        {"bench table ours.json theirs.json", "runs of one node in one table"}}},
      {"aa",
       {{"bench aa energy transpose", "six equal runs, each compared with each"},
        {"bench aa energy --executions 20 --size 1e6", "more and shorter ones"}}},
      {"merge",
       {{"bench merge ours.json theirs.json --output both.json",
         "runs of one node as one document"},
        {"bench merge results/ --output merged/", "a document of each group of runs"},
        {"bench merge ours.json theirs.json > both.json", "on stdout"}}},
      {"compare",
       {{"bench compare before.json after.json", "what got slower, and how sure that is"},
        {"bench compare results/nodes-7/", "which of many nodes is slow, and why"},
        {"bench compare results/nodes-7/ --nodes 'n[001-200]'", "and which are missing"},
        {"bench compare before.json after.json --lang fr", "in French"}}},
      {"reproduce",
       {{"bench reproduce results/RUN.json", "measure again: do its speedups hold on this node?"},
        {"srun --gres=gpu:1 bench reproduce RUN.json", "on a cluster"},
        {"bench reproduce RUN.json --threshold 25", "only a change of a quarter matters"}}},
  };
  return table;
}

}  // namespace

std::string examples(const std::string& command) {
  const auto found = all().find(command);
  if (found == all().end()) return "";
  std::size_t width = 0;
  for (const auto& [typed, purpose] : found->second) width = std::max(width, columns(typed));
  std::string text = "Examples:\n";
  for (const auto& [typed, purpose] : found->second) {
    text += fmt::format("  {:{}}  {}\n", typed, width, purpose);
  }
  return text + "\n";
}

}  // namespace bench
