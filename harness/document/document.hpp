// The result file: what was measured and where, as one value. The only thing that leaves the
// process; everything else, tables, pictures, comparisons, is made of result files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/base/phases.hpp"
#include "harness/base/reason.hpp"
#include "harness/document/case_record.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/machine.hpp"
#include "harness/node/slurm.hpp"
#include "harness/plan/input_files.hpp"
#include "harness/plan/settings.hpp"

namespace bench {

void fields(auto& visit, Of<InputFile> auto& one) {
  visit(FIELD(path));
  visit(FIELD(shape), "length, or rows and columns");
  visit(FIELD(dtype));
  visit(FIELD(hash), "XXH3-64 of the array's bytes");
}

void fields(auto& visit, Of<ScalarLoop> auto& one) {
  visit(FIELD(line), "of the file");
  visit.maybe(FIELD(calls),
              "function of the mathematical library that it calls; absent if there is none");
}

void fields(auto& visit, Of<SlowLine> auto& one) {
  visit(FIELD(what));
  visit(FIELD(line), "of the file");
}

void fields(auto& visit, Of<GuestFile> auto& one) {
  visit(FIELD(path));
  visit(FIELD(hash), "XXH3-64 of its bytes");
  visit(FIELD(command), "command that compiled it or runs it; empty if there is none");
  visit.later(FIELD(packages),
              "names and versions of the packages that it computes with, as far as it says");
  visit.maybe(FIELD(warning),
              "the compiler's first warning of the file, with its line; absent if there is none");
  visit.maybe(FIELD(scalar_loop), "the loop that runs most, if the compiler did not vectorise it");
  visit.later(FIELD(slow_lines), "what takes long, as its text shows: the first line of each kind");
  visit.later(
      FIELD(code_hash),
      "XXH3-64 of its code without comments and white space; empty for a binary or an empty file");
}

/// When a run was continued, and what had ended it before.
struct ResumeRecord {
  std::string at;
  std::optional<std::string> after;
};

void fields(auto& visit, Of<ResumeRecord> auto& one) {
  visit(FIELD(at), "when it was continued");
  visit(FIELD(after), "what had ended it; null: killed");
}

/// A run whose cases are in a result file of several.
struct Origin {
  std::string file;
  std::string date;
  std::string revision;
  bool finished = true;
  std::optional<std::string> ended_by;
  std::vector<std::string> argv;
};

void fields(auto& visit, Of<Origin> auto& one) {
  visit(FIELD(file), "name of the merged file");
  visit(FIELD(date), "when that run began");
  visit(FIELD(revision), "revision of its program");
  visit(FIELD(finished), "as in context.run");
  visit(FIELD(ended_by), "as in context.run");
  visit(FIELD(argv), "its command line");
}

/// workload → `f32/10000000` → hash
using InputHashes = std::map<std::string, std::map<std::string, std::string>>;

void fields(auto& visit, Of<Forbidden> auto& one) {
  visit(FIELD(forbids), "what Linux denied to them");
  visit(FIELD(lacks), "what this Linux could not deny to them");
}

struct RunRecord {
  std::string node;
  std::string started;
  bool finished = false;
  std::optional<std::string> ended_by;
  std::uint32_t seed = 0;
  InputHashes input_hash;
  std::vector<InputFile> input_files;
  std::vector<GuestFile> guests;
  std::optional<Forbidden> sandbox;
  std::vector<std::string> argv;
  std::optional<Selection> selection;
  int threads = 0;
  int threads_measured = 0;
  std::vector<std::string> thread_cpus;
  std::optional<Binder> bound_by;
  std::string isa;
  CacheMode cache = CacheMode::cold;
  std::size_t last_level_cache_bytes = 0;
  std::size_t max_samples = 0;
  double min_time_s = 0;
  double max_time_s = 0;
  std::string clock;
  double clock_floor_s = 0;
  std::string allocation;
  std::vector<Reason> warnings;
  std::optional<std::vector<ResumeRecord>> resumed;
  std::optional<double> duration_s;
  std::optional<Seconds> phases_s;
  std::optional<std::size_t> executions;
  std::optional<std::size_t> executions_wanted;
  std::optional<std::string> imported;
  /// The origins of a result file made of several, see merge.hpp; what else is said of the run is
  /// of the first.
  std::optional<std::vector<Origin>> merged;
};

void fields(auto& visit, Of<RunRecord> auto& one) {
  visit(FIELD(node), "name of the node");
  visit(FIELD(started), "UTC");
  visit(FIELD(finished), "false: the run was interrupted, and bench --resume continues it");
  visit(FIELD(ended_by), "what interrupted the run, such as SIGTERM; null if nothing did");
  visit(FIELD(seed), "of the generated inputs");
  visit(FIELD(input_hash),
        "per workload, then per dtype/size: XXH3-64 of the input arrays' bytes in order");
  visit(FIELD(input_files), "the user's own data; empty if the inputs were generated");
  visit.later(FIELD(guests), "files of user kernels that were measured");
  visit.maybe(FIELD(sandbox), "of user kernels that were graded");
  visit(FIELD(argv), "the command line");
  visit.maybe(
      FIELD(selection),
      "what was asked for; --resume measures the rest of it. Absent in files of other programs");
  visit(FIELD(threads), {"OpenMP threads, the most if there are several numbers", positive});
  visit(FIELD(threads_measured), {"counted in a parallel region", positive});
  visit.later(
      FIELD(thread_cpus),
      "the CPUs that each thread of a parallel region may run on, in the kernel's notation: 0-3,8");
  visit.later(FIELD(bound_by),
              "what bound the threads, bench or the user; null where each may run on all of the "
              "process's CPUs");
  visit(FIELD(isa), "widest instruction set that was used");
  visit(FIELD(cache), "cold: caches are emptied before each sample");
  visit(FIELD(last_level_cache_bytes));
  visit(FIELD(max_samples), {"--samples: most samples of a case", positive});
  visit(FIELD(min_time_s), "--min-time");
  visit(FIELD(max_time_s), "--max-time");
  visit(FIELD(clock), "clock of CPU times; GPU kernels are timed by events");
  visit(FIELD(clock_floor_s), "shortest time that the clock can show");
  visit(FIELD(allocation), "how the arrays were allocated");
  visit(FIELD(warnings), "conditions of the node and the run that may distort times");
  visit.maybe(
      FIELD(resumed),
      "when the run was continued after an interruption, and what had ended it (null: killed)");
  visit.maybe(FIELD(duration_s), "seconds from the start to the last group, without interruptions");
  visit.maybe(
      FIELD(phases_s),
      "where that time went, by phase: device (opened), memory (allocated), inputs (generated), "
      "checks (of whole results); changes (of inputs before a sample), poison (of outputs), caches "
      "(emptied), samples, spot_checks (after a sample); in_cache (runs on data there), clock "
      "(what it sees), rounds (what else is around samples); the rest is the program's");
  visit.maybe(
      FIELD(executions),
      "how often the program was started and came to its end (--executions), if more than once");
  visit.maybe(FIELD(executions_wanted), "how many executions were asked for (--executions)");
  visit.maybe(FIELD(imported),
              "the format of another program's file that this one is made of: settings of bench "
              "say nothing then");
  visit.maybe(FIELD(merged),
              "of a file that bench merge made of several: its runs; all else in the context is of "
              "the first run");
}

struct CudaBuildRecord {
  std::string compiler;
  std::string architectures;
  std::string flags;

  bool operator==(const CudaBuildRecord&) const = default;
};

void fields(auto& visit, Of<CudaBuildRecord> auto& one) {
  visit(FIELD(compiler), "CUDA compiler and version");
  visit(FIELD(architectures), "for which device code was compiled");
  visit(FIELD(flags), "flags of the CUDA compiler");
}

struct BuildRecord {
  std::string version;
  std::string revision;
  std::optional<bool> dirty;
  std::string compiler;
  std::string build_type;
  std::string flags;
  std::map<std::string, std::string> kernel_flags;
  std::optional<CudaBuildRecord> cuda;
  std::optional<std::map<std::string, std::string>> packages;
};

void fields(auto& visit, Of<BuildRecord> auto& one) {
  visit(FIELD(version), "version of bench");
  visit(FIELD(revision), "git revision of the sources");
  visit(FIELD(dirty), "true: the sources had changes that are not in that revision; null: unknown");
  visit(FIELD(compiler), "C++ compiler and version");
  visit(FIELD(build_type), "of CMake");
  visit(FIELD(flags), "compiler flags of all sources");
  visit(FIELD(kernel_flags), "compiler flags of kernels in addition, by instruction set");
  visit(FIELD(cuda), "null where built without CUDA");
  visit.maybe(
      FIELD(packages),
      "of earlier files and other programs: versions of Python and of the measured packages");
}

struct Context {
  Json engine = Json::object();  ///< Google Benchmark's own keys, as its tools want them
  RunRecord run;
  BuildRecord build;
  Machine machine;
  std::optional<Slurm> slurm;  ///< of the job; nothing outside of Slurm

  /// When the run began, with its time zone; empty where it is not known.
  std::string date() const;
};

void read(const Json& json, const Where& where, Context& context);
Json written(const Context& context);
Json schema_of(const Context*);

/// Strong scaling of one variant, see scaling.hpp.
struct ScalingPoint {
  int threads = 0;
  double seconds = 0;
  RatioRecord speedup;
  double efficiency = 0;
  bool doubtful = false;
};

void fields(auto& visit, Of<ScalingPoint> auto& one) {
  visit(FIELD(threads), {"", positive});
  visit(FIELD(seconds), "median time");
  visit(FIELD(speedup), "over the fewest threads measured");
  visit(FIELD(efficiency), "speedup over the ratio of the threads");
  visit.later(
      FIELD(doubtful),
      "one of the two cases waited for a processor, or the interval is wider than a factor of 1.5");
}

struct ScalingRecord {
  std::string name;
  std::string workload;
  std::string backend;
  std::string variant;
  Dtype dtype = Dtype::f32;
  std::string size;
  CacheMode cache = CacheMode::cold;
  std::vector<ScalingPoint> points;
  /// See scaling.hpp; null where it is not known.
  std::optional<int> enough_threads;
};

void fields(auto& visit, Of<ScalingRecord> auto& one) {
  visit(FIELD(name), {"that of its cases, without the number of threads", case_name_pattern});
  visit(FIELD(workload));
  visit(FIELD(backend));
  visit(FIELD(variant));
  visit(FIELD(dtype));
  visit(FIELD(size));
  visit(FIELD(cache));
  visit(FIELD(points), "by number of threads");
  visit(FIELD(enough_threads), {"more threads are known not to help; or the most, where they are "
                                "known to help; null where the intervals are too wide to say",
                                positive});
}

/// Where the GPU begins to win, see crossovers.hpp.
struct CrossoverPoint {
  std::string size;
  std::size_t elements = 0;
  std::string cpu;
  std::string gpu;
  Estimate ratio;
};

void fields(auto& visit, Of<CrossoverPoint> auto& one) {
  visit(FIELD(size));
  visit(FIELD(elements), {"", positive});
  visit(FIELD(cpu), {"the fastest CPU variant", "^(serial|openmp)/[a-z0-9_]+$"});
  visit(FIELD(gpu), {"the fastest variant on a GPU", "^(?!serial/|openmp/)[a-z0-9_]+/[a-z0-9_]+$"});
  visit(FIELD(ratio), "time of the CPU variant over that of the CUDA variant");
}

/// `unclear`: the intervals do not exclude a draw at the largest size.
enum class CrossoverVerdict { from, always, never, unclear };
template <>
struct NamesOf<CrossoverVerdict> {
  static constexpr std::array<std::pair<CrossoverVerdict, std::string_view>, 4> all{
      {{CrossoverVerdict::from, "from"},
       {CrossoverVerdict::always, "always"},
       {CrossoverVerdict::never, "never"},
       {CrossoverVerdict::unclear, "unclear"}}};
};

struct CrossoverRecord {
  std::string name;
  std::string workload;
  Dtype dtype = Dtype::f32;
  std::optional<std::size_t> bins;
  std::optional<std::size_t> steps;
  Scope scope = Scope::kernel;
  CacheMode cache = CacheMode::cold;
  std::vector<CrossoverPoint> points;
  std::optional<std::size_t> size;
  std::array<std::optional<std::size_t>, 2> ci95;
  CrossoverVerdict verdict = CrossoverVerdict::never;
  Parameters parameters;  ///< of its cases; result files have them in the name
};

void fields(auto& visit, Of<CrossoverRecord> auto& one) {
  visit(FIELD(name), {"workload/dtype/scope, then the number of bins or steps and the parameters "
                      "of the CUDA cases",
                      "^[a-z0-9_]+/(f32|f64|u32|i16|f16)/(kernel|end_to_end)(,[a-z]+=[^,/]+)*$"});
  visit(FIELD(workload));
  visit(FIELD(dtype));
  visit(FIELD(bins), {"", positive});
  visit.maybe(FIELD(steps), "of a stencil");
  visit(FIELD(scope));
  visit(FIELD(cache));
  visit(FIELD(points), "by size; a size at which either side was not measured is left out");
  visit(FIELD(size), {"elements from which on the ratio stays above 1; null where the verdict is "
                      "another one, or where only the upper end of its interval is known",
                      positive});
  visit(FIELD(ci95), "[low, high] of that size; null where the measured sizes do not bound it");
  visit(FIELD(verdict),
        "what the intervals show: the GPU wins from that size on; always; never, up to the largest "
        "one; or it is not known at the largest one");
}

/// How result files are written.
constexpr const char* schema_name = "bench-report/1";

/// What is kept of a file: all of it, or all but the samples, for thousands of files at once.
/// `times`: no samples, and nothing that compares cases with each other, which takes longer to
/// compute than to read. `medians`: no intervals of them either.
enum class Keep { everything, no_samples, times, medians };

struct Document {
  Context context;
  std::vector<CaseRecord> cases;
  std::vector<ScalingRecord> scaling;
  std::vector<CrossoverRecord> crossovers;

  /// Cases with this status.
  std::size_t count(Status status) const;
};

/// A result file as it comes back from disk, from other people and machines, perhaps cut off, or
/// worse: complete, of the right kinds, and in agreement with itself (see contradiction.hpp). What
/// follows from the samples is computed again, whatever the file says of it.
/// Files of other programs are understood, too (formats/). "-" is what stdin has.
/// Throws UsageError, one line that names the file, the place and what is wrong there.
Document read_document(const std::filesystem::path& file, Keep keep = Keep::everything);

/// The same for text; `name` stands for the file in messages, `folder` has what it refers to.
Document parse_document(std::string_view text, const std::string& name,
                        Keep keep = Keep::everything, const std::filesystem::path& folder = {});

/// Calls `read` for each number below `count`, side by side. What each of them threw; empty: none.
std::vector<std::string> read_each(std::size_t count, const std::function<void(std::size_t)>& read);

/// The result file as JSON.
Json written(const Document& document);

/// The JSON Schema of that: results/schema.json.
Json result_file_schema();

}  // namespace bench
