// The table of commands.
#include "harness/command/aa.hpp"
#include "harness/command/ab.hpp"
#include "harness/command/check.hpp"
#include "harness/command/command.hpp"
#include "harness/command/compare.hpp"
#include "harness/command/course.hpp"
#include "harness/command/doctor.hpp"
#include "harness/command/help.hpp"
#include "harness/command/links.hpp"
#include "harness/command/list.hpp"
#include "harness/command/merge.hpp"
#include "harness/command/python.hpp"
#include "harness/command/reproduce.hpp"
#include "harness/command/run.hpp"
#include "harness/command/table.hpp"
#include "harness/command/try.hpp"
#include "harness/command/verify.hpp"

namespace bench {
namespace {

constexpr const char* measure_section = "Measure";
constexpr const char* check_section = "Check";
constexpr const char* results_section = "Results";
constexpr const char* publish_section = "Publish";

const DefinitionList& exit_codes_of_runs() {
  static const DefinitionList codes{
      {"0", "everything was measured, or skipped with a reason"},
      {"1", "a variant gave a wrong result, or an error stopped the run"},
      {"2", "the request or an input cannot be used; nothing was measured"},
      {"128+N", "ended by signal N; what was finished is in the result file"}};
  return codes;
}

constexpr bool with_team = true;
constexpr bool on_one_thread = false;

Command row(Parsed (*declare)(CLI::App&, const Abilities&), bool team, const char* name,
            const char* section, const char* summary, const char* text,
            const DefinitionList& examples, const DefinitionList& exit_codes,
            const char* alias = "",
            const char* missing = "name result files or folders, e.g. bench {} results/") {
  return {{name, section, summary, text, examples, exit_codes, alias, missing}, declare, team};
}

std::vector<Command> make_commands() {
  return {
      row(declared<RunRequest>, with_team, "run", measure_section, "measure (the default command)",
          "Measures variants, prints a table per workload and writes a result file. The word run "
          "may be left out.",
          {{"bench", "measure the six standard workloads"},
           {"bench '*'", "measure all workloads"},
           {"bench energy --size course", "one workload, at the size used in the course"},
           {"bench 'transpose/openmp*'", "some variants; their baseline is measured too"},
           {"bench --dtype f32,f64", "in both precisions"},
           {"bench --sweep 1e3:1e8 hypot", "find the size from which the GPU wins"},
           {"bench --threads 1,2 --size 1e8", "scaling with threads"},
           {"bench energy --input x.npy", "on your own data"},
           {"bench energy --executions 5", "run the program five times"},
           {"bench energy --devices all", "each GPU in turn, then all at once"},
           {"bench copy --sockets all", "each socket in turn, then all at once"},
           {"bench --resume results/RUN.json", "continue a run that was interrupted"},
           {"srun --gres=gpu:1 bench", "on a cluster: with the cores and the GPU of the job"}},
          exit_codes_of_runs()),
      row(declared<TryRequest>, with_team, "try", measure_section, "measure your own kernels",
          "Checks user kernels and measures them next to the built-in variants of their workload.",
          {{"bench try --new energy mine.cpp", "a naive energy kernel, ready to edit"},
           {"bench try mine.cpp", "check it and measure it"},
           {"bench try handin/*", "a class: one row per file in one table"},
           {"bench try mine.cpp --output none", "write no result file"},
           {"bench energy --kernel mine.cpp,yours.py", "as part of any other run"}},
          exit_codes_of_runs(), "",
          "name files with kernels, e.g. bench try mine.cpp; --new WORKLOAD writes one"),
      row(declared<CourseRequest>, with_team, "course", measure_section,
          "measure the steps of a course: from a loop in Python to a GPU",
          "Measures one workload in Python, with Numba, in C++ and on a GPU, and prints one table: "
          "the slowest first, each compared with pure Python.",
          {{"bench course", "energy, with 10⁸ elements; pure Python with 10⁵"},
           {"bench course gaussian_pdf --lang pt", "another workload, in Portuguese"},
           {"bench course --max-slow-elements 1e8 --timeout 300",
            "Python at the size of the others"},
           {"bench table RUN.json --preset steps", "the table again"},
           {"srun --gres=gpu:1 bench course", "on a cluster"}},
          exit_codes_of_runs()),
      row(declared<ReproduceRequest>, with_team, "reproduce", measure_section,
          "repeat a recorded run and check its speedups",
          "Measures a result file again and checks whether its speedups hold on this node.",
          {{"bench reproduce results/RUN.json", "do its speedups hold here?"},
           {"srun --gres=gpu:1 bench reproduce RUN.json", "on a cluster"},
           {"bench reproduce RUN.json --threshold 25", "accept changes of up to a quarter"}},
          {{"0", "every speedup is confirmed"},
           {"1", "a variant gave a wrong result"},
           {"2", "the request or the file cannot be used"},
           {"3", "a speedup is not confirmed"},
           {"4", "inconclusive"}},
          "", "name the result file, e.g. bench reproduce results/RUN.json"),
      row(declared<AaRequest>, with_team, "aa", measure_section,
          "measure the false-alarm rate of compare",
          "A/A test: measures the same thing several times and counts how often compare reports a "
          "difference.",
          {{"bench false-alarms energy transpose", "six equal runs, each compared with each"},
           {"bench aa energy --executions 20 --size 1e6", "more and shorter runs"}},
          {{"0", "no false alarm"},
           {"1", "a variant gave a wrong result"},
           {"2", "the request cannot be used"},
           {"3", "compare reported a difference between equal runs"}},
          "false-alarms"),
      row(declared<AbRequest>, with_team, "ab", measure_section,
          "compare two versions of a kernel or of a command",
          "Measures two versions in the same rounds, several processes of each, and says whether "
          "the second is slower. It needs no quiet machine: it says what it cannot tell.",
          {{"bench ab old/energy.c new/energy.c", "two versions of a user kernel"},
           {"bench ab './old 100' './new 100'", "two commands, as a shell would run them"},
           {"bench ab './old' './new' --threshold 10 --max-time 300", "for at most five minutes"},
           {"bench ab './old' './new' --format markdown", "for a comment on a merge request"}},
          {{"0", "not slower"},
           {"1", "a kernel gave a wrong result"},
           {"2", "the request cannot be used, or a command failed"},
           {"3", "slower: the whole interval is beyond the threshold"},
           {"4", "cannot be told"}},
          "", "name two versions, e.g. bench ab old/energy.c new/energy.c"),
      row(declared<ListRequest>, on_one_thread, "list", check_section,
          "list workloads, variants and sizes",
          "Lists the workloads on one screen, or the variants of those that are named.",
          {{"bench list", "all workloads"},
           {"bench list energy", "its variants and the idea of each"},
           {"bench list --all --backend cuda", "all variants that run on a GPU"},
           {"bench list --format json", "everything, for a program"}},
          {}),
      row(declared<VerifyRequest>, with_team, "verify", check_section,
          "check results only, without timing",
          "Checks the result of every variant against the reference result, without timing.",
          {{"bench verify", "every variant of the six standard workloads"},
           {"bench verify energy --show 10", "print ten results, their inputs and the reference"},
           {"bench verify hypot --size course", "on as many numbers as in the course"},
           {"bench verify energy/openmp/simd --output-npy e.npy", "write the result for NumPy"}},
          {{"0", "every result is right"},
           {"1", "a variant gave a wrong result"},
           {"2", "the request or an input cannot be used"}}),
      row(declared<DoctorRequest>, on_one_thread, "doctor", check_section,
          "check this node and job for what distorts measurements",
          "Checks this node and its Slurm allocation for conditions that distort measurements.",
          {{"bench doctor", "this node"},
           {"srun --gres=gpu:1 bench doctor", "what a job would get"},
           {"bench doctor --format json", "for a program"}},
          {}),
      row(declared<CheckRequest>, with_team, "check", check_section,
          "compare this node with equal nodes, in seconds",
          "Checks within a time limit whether this node has all parts and is as fast as equal "
          "nodes in recorded runs. It prints one line of at most 80 characters, for health checks.",
          {{"bench check --expected reference", "this node in at most 20 s"},
           {"bench check --expected reference --budget 5s", "for a program that waits no longer"},
           {"bench check --keep runs", "measure and keep the result file, on each of some nodes"},
           {"bench check --learn runs --keep reference", "make a reference of their files"},
           {"bench check --expected reference --nagios", "exit codes for Nagios and Icinga"}},
          {{"0", "success; or unclear or busy, which the line says"},
           {"1", "a variant gave a wrong result"},
           {"2", "the request or an input cannot be used"},
           {"3", "the node is slow, or hardware is missing"},
           {"4", "nothing was compared: no reference of this hardware, or another one"}}),
      row(declared<LinksRequest>, on_one_thread, "links", check_section,
          "compare links between GPUs and nodes",
          "Measures copies to and from each GPU, between GPUs and, in a job with several "
          "processes, "
          "messages between all of them by MPI. It names each link, GPU or node that is slow.",
          {{"bench links", "the GPUs of this node"},
           {"srun --mpi=pmix --ntasks-per-node=1 bench links", "and the nodes of a job"},
           {"bench links --output links/n07.json", "for bench compare links/, over many nodes"}},
          {{"0", "no link is slow; or this is not the first process of a job"},
           {"1", "an error stopped the run, or other data arrived than were sent"},
           {"2", "the request cannot be used"},
           {"3", "a link, a GPU or a node is slow"},
           {"4", "nothing to compare: fewer than three links of each kind"}}),
      row(declared<TableRequest>, on_one_thread, "table", results_section,
          "show result files as tables, in any format",
          "Prints the tables of result files, in any format.",
          {{"bench table results/*.json", "the tables of earlier runs"},
           {"bench table a.json --format csv > a.csv", "for a spreadsheet"},
           {"bench table a.json --format latex --lang pt", "for a handout in Portuguese"},
           {"bench table a.json --columns variant,time,speedup", "choose the columns"},
           {"bench table ours.json theirs.json", "runs of one node in one table"}},
          {{"0", "every file was read"}, {"2", "a file cannot be read; the others are printed"}}),
      row(declared<CompareRequest>, on_one_thread, "compare", results_section,
          "compare two runs, or many nodes",
          "Compares two runs (before and after), or the runs of many nodes.",
          {{"bench compare before.json after.json", "what became slower, and how certain that is"},
           {"bench compare results/nodes-7/", "which of many nodes is slow, and what differs"},
           {"bench compare results/nodes-7/ --nodes 'n[001-200]'", "and which nodes are missing"},
           {"bench compare results/nodes-8/ --history results/", "since when a node is slower"},
           {"bench compare results/nodes-8/ --before results/nodes-7/",
            "which node has become slower"},
           {"bench compare before.json after.json --lang fr", "in French"}},
          {{"0", "no case and no node is slower"},
           {"1", "a variant gave a wrong result in one of the runs"},
           {"2", "the request or a file cannot be used"},
           {"3", "a case or a node is slower"},
           {"4", "inconclusive, or incomplete"},
           {"5", "not comparable, or nothing to compare (see --force)"}},
          "", "name two result files or a folder, e.g. bench compare before.json after.json"),
      row(declared<MergeRequest>, on_one_thread, "merge", results_section,
          "combine several runs of one node into one file",
          "Merges several runs of one node into one result file. Files of other programs become "
          "result files: of Google Benchmark, hyperfine, pytest-benchmark, nvbench, criterion and "
          "BabelStream.",
          {{"bench merge ours.json theirs.json --output both.json", "two runs in one file"},
           {"bench merge results/ --output merged/", "one file for each group of runs"},
           {"bench merge ours.json theirs.json > both.json", "print the merged file"},
           {"bench import hyperfine.json --output run.json", "a file of another program"}},
          {}, "import"),
      row(declared<PythonRequest>, on_one_thread, "plot", publish_section,
          "draw result files as PNG, SVG or PDF",
          "Draws pictures of result files. bench plot --help has its options. It needs Python and "
          "Matplotlib.",
          {{"bench plot results/RUN.json -o pictures", "everything that the file can give"},
           {"bench plot overview RUN.json -o overview.svg", "the best of each workload"},
           {"bench plot data zero_suppress -o pulses.png",
            "the inputs of a workload and its result"}},
          {{"0", "the pictures are written"}, {"2", "the request or a file cannot be used"}}),
      row(declared<PythonRequest>, on_one_thread, "report", publish_section,
          "make one page of result files, which opens anywhere",
          "Makes one HTML page of result files. bench report --help has its options. It needs "
          "Python, Jinja2 and, for pictures, Matplotlib.",
          {{"bench report results/RUN.json", "report.html, to open in a browser"},
           {"bench report results/nodes-7 -o nodes.html", "many nodes in one page"}},
          {{"0", "the page is written"}, {"2", "the request or a file cannot be used"}}),
      row(declared<PythonRequest>, on_one_thread, "lesson", publish_section,
          "make a page per workload, with code next to times",
          "Makes a page per workload, with code next to times. bench lesson --help has its "
          "options. It needs Python and Jinja2.",
          {{"bench lesson results/RUN.json", "lessons/energy.html and others"},
           {"bench lesson RUN.json -o aula --lang pt", "in Portuguese"}},
          {{"0", "the pages are written"}, {"2", "the request or a file cannot be used"}}),
      row(declared<PythonRequest>, on_one_thread, "points", publish_section, "grade a class",
          "Turns a table of submissions into points, for a spreadsheet or a grader, and ranks. "
          "bench points --help has its options. It needs Python.",
          {{"bench points class.json", "points for a spreadsheet"},
           {"bench points class.json --moodle grades.csv", "and a file for Grades > Import"},
           {"bench points results/class/*.json --board board", "and a page with ranks"}},
          {{"0", "the points are printed"}, {"2", "the request or a file cannot be used"}}),
      row(declared<HelpRequest>, on_one_thread, "help", "", "explain a command or a topic",
          "Explains a command or a topic.",
          {{"bench help run", "the same as bench run --help"},
           {"bench help columns", "what the columns of tables mean"},
           {"bench help --format json", "all of it, for a program"}},
          {}),
  };
}

}  // namespace

std::span<const Command> all_commands() {
  static const std::vector<Command> commands = make_commands();
  return commands;
}

}  // namespace bench
