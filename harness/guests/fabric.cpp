#include "harness/guests/fabric.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>

#include "harness/base/clock.hpp"
#include "harness/base/files.hpp"
#include "harness/guests/compilation.hpp"
#include "harness/guests/embedded.hpp"
#include "harness/guests/folder.hpp"
#include "harness/node/spawn.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t message_bytes = 4 << 20;  // bytes: the fabric decides, and not how it begins

constexpr const char* how_to_start =
    "start the processes by its own mpirun, or by srun --mpi=… (srun --mpi=list names the ways)";

/// One process, as it describes itself to the first one.
struct Process {
  std::string node;
  std::vector<LinkTimes> own;
};
void fields(auto& visit, Of<Process> auto& one) {
  visit(FIELD(node));
  visit(FIELD(own));
}

struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
  std::vector<double> exchanges;
  std::vector<double> round_trips;
};
void fields(auto& visit, Of<Pair> auto& one) {
  visit(FIELD(a));
  visit(FIELD(b));
  visit(FIELD(exchanges), {"", positive});
  visit(FIELD(round_trips), {"", positive});
}

/// What the first process writes.
struct Told {
  std::vector<Process> ranks;
  std::vector<Pair> links;
};
void fields(auto& visit, Of<Told> auto& one) {
  visit(FIELD(ranks));
  visit(FIELD(links));
}

/// A name for each process: that of its node, with a number where it is not the only one there.
std::vector<std::string> names_of(const std::vector<Process>& all) {
  std::map<std::string, std::size_t> on;
  for (const Process& one : all) ++on[one.node];
  std::map<std::string, std::size_t> so_far;
  std::vector<std::string> names;
  for (const Process& one : all) {
    const std::size_t number = so_far[one.node]++;
    names.push_back(on[one.node] == 1 ? one.node : fmt::format("{}:{}", one.node, number));
  }
  return names;
}

Fabric fabric_of(Told told) {
  Fabric found{told.ranks.size(), {}};
  const std::vector<std::string> names = names_of(told.ranks);
  for (std::size_t i = 0; i < names.size(); ++i) {
    name_by_node(told.ranks[i].own, names[i]);
    found.links.insert(found.links.end(), told.ranks[i].own.begin(), told.ranks[i].own.end());
  }
  for (Pair& one : told.links) {
    const std::string& a = names.at(one.a);
    const std::string& b = names.at(one.b);
    found.links.push_back({Way::between_nodes, a, b, 2 * message_bytes, std::move(one.exchanges)});
    found.links.push_back({Way::round_trip, a, b, 0, std::move(one.round_trips)});
  }
  return found;
}

/// The exit status; ends the program where it takes longer.
int wait_for(pid_t child, double patience) {
  const Stopwatch watch;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (watch.seconds() > patience) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw RunError(fmt::format(
          "MPI had no answer within {:g} s: did each process of the job start, and find mpicc?",
          patience));
    }
    usleep(2000);
  }
  return status;
}

std::vector<std::string> mpicc() { return found("MPICC", {"mpicc"}); }

fs::path compiled(Compilation& by) {
  by.add({"-O2", "-std=gnu11"});
  by.add(written_to(by.folder() / "fabric.c", fabric_source).string());
  return by.finish("fabric", by.so_far());
}

}  // namespace

std::size_t processes_of_job() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const text = std::getenv(name);
    const long number = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    if (number > 0) return static_cast<std::size_t>(number);
  }
  return 1;
}

bool has_mpicc() { return !mpicc().empty(); }

void name_by_node(std::vector<LinkTimes>& own, const std::string& node) {
  for (LinkTimes& one : own) {
    one.from += " of " + node;
    if (!one.to.empty()) one.to += " of " + node;
  }
}

std::optional<Fabric> node_links(const std::string& node, const std::vector<LinkTimes>& own,
                                 double patience) {
  Compilation compilation(mpicc());
  const fs::path program = compiled(compilation);
  const fs::path answer = compilation.folder() / "answer";
  const fs::path messages = compilation.folder() / "messages";
  const pid_t child = spawn(
      program,
      {"fabric", fmt::to_string(message_bytes), serialised(written(Process{node, own})), answer},
      compilation.folder() / "output", messages);
  if (wait_for(child, patience) != 0) {
    throw RunError(
        fmt::format("MPI failed: {}; {}", first_error(whole_file(messages)), how_to_start));
  }
  const std::string text = whole_file(answer);
  if (text.empty()) return {};
  Fabric all = fabric_of(read_as<Told>(Json::parse(text)));
  if (const std::size_t started = processes_of_job(); all.processes < started) {
    throw RunError(
        fmt::format("MPI found {} of {} processes; {}", all.processes, started, how_to_start));
  }
  return all;
}

}  // namespace bench::guests
