// The document: what was measured and where, as one value. The only thing that leaves the process;
// everything else, tables, pictures, comparisons, is made of documents.
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
#include "harness/document/case_record.hpp"
#include "harness/measure/input_files.hpp"
#include "harness/measure/settings.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/machine.hpp"
#include "harness/node/slurm.hpp"

namespace bench {

template <class V>
void fields(V& visit, Of<InputFile> auto& one) {
  visit("path", one.path);
  visit("shape", one.shape);
  visit("dtype", one.dtype);
  visit("hash", one.hash);
}

template <class V>
void fields(V& visit, Of<ScalarLoop> auto& one) {
  visit("line", one.line);
  visit.maybe("calls", one.calls);
}

template <class V>
void fields(V& visit, Of<GuestFile> auto& one) {
  visit("path", one.path);
  visit("hash", one.hash);
  visit("command", one.command);
  visit.later("packages", one.packages);
  visit.maybe("warning", one.warning);
  visit.maybe("scalar_loop", one.scalar_loop);
  visit.later("code_hash", one.code_hash);
}

/// When a run was gone on with, and what had ended it before.
struct ResumeRecord {
  std::string at;
  std::optional<std::string> after;
};

template <class V>
void fields(V& visit, Of<ResumeRecord> auto& one) {
  visit("at", one.at);
  visit("after", one.after);
}

/// A run whose cases are in a document of several.
struct Origin {
  std::string file;
  std::string date;
  std::string revision;  ///< ends in -dirty where changes were not committed
  bool finished = true;
  std::optional<std::string> ended_by;
  std::vector<std::string> argv;
};

template <class V>
void fields(V& visit, Of<Origin> auto& one) {
  visit("file", one.file);
  visit("date", one.date);
  visit("revision", one.revision);
  visit("finished", one.finished);
  visit("ended_by", one.ended_by);
  visit("argv", one.argv);
}

/// workload → `f32/10000000` → hash
using InputHashes = std::map<std::string, std::map<std::string, std::string>>;

template <class V>
void fields(V& visit, Of<Forbidden> auto& one) {
  visit("forbids", one.forbids);
  visit("lacks", one.lacks);
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
  std::optional<Forbidden> sandbox;  ///< of guests that are graded
  std::vector<std::string> argv;
  std::optional<Selection> selection;  ///< null in earlier documents, and of other programs
  int threads = 0;
  int threads_measured = 0;
  std::vector<std::string> thread_cpus;  ///< that each thread may run on, in the kernel's notation
  std::optional<Binder> bound_by;        ///< null where each may run on all of the process's
  std::string isa;
  CacheMode cache = CacheMode::cold;
  std::size_t last_level_cache_bytes = 0;
  std::size_t max_samples = 0;
  double min_time_s = 0;
  double max_time_s = 0;
  std::string clock;
  double clock_floor_s = 0;
  std::string allocation;
  std::vector<std::string> warnings;
  std::optional<std::vector<ResumeRecord>> resumed;
  std::optional<double> duration_s;       ///< so far, that before interruptions too
  std::optional<std::size_t> executions;  ///< that came to their end, where several were to
  /// Of a document made of several, see merge.hpp; what else is said of the run is of the first.
  std::optional<std::vector<Origin>> merged;
};

template <class V>
void fields(V& visit, Of<RunRecord> auto& one) {
  visit("node", one.node);
  visit("started", one.started);
  visit("finished", one.finished);
  visit("ended_by", one.ended_by);
  visit("seed", one.seed);
  visit("input_hash", one.input_hash);
  visit("input_files", one.input_files);
  visit.later("guests", one.guests);
  visit.maybe("sandbox", one.sandbox);
  visit("argv", one.argv);
  visit.maybe("selection", one.selection);
  visit("threads", one.threads);
  visit("threads_measured", one.threads_measured);
  visit.later("thread_cpus", one.thread_cpus);
  visit.later("bound_by", one.bound_by);
  visit("isa", one.isa);
  visit("cache", one.cache);
  visit("last_level_cache_bytes", one.last_level_cache_bytes);
  visit("max_samples", one.max_samples);
  visit("min_time_s", one.min_time_s);
  visit("max_time_s", one.max_time_s);
  visit("clock", one.clock);
  visit("clock_floor_s", one.clock_floor_s);
  visit("allocation", one.allocation);
  visit("warnings", one.warnings);
  visit.maybe("resumed", one.resumed);
  visit.maybe("duration_s", one.duration_s);
  visit.maybe("executions", one.executions);
  visit.maybe("merged", one.merged);
}

struct CudaBuildRecord {
  std::string compiler;
  std::string architectures;
  std::string flags;

  bool operator==(const CudaBuildRecord&) const = default;
};

template <class V>
void fields(V& visit, Of<CudaBuildRecord> auto& one) {
  visit("compiler", one.compiler);
  visit("architectures", one.architectures);
  visit("flags", one.flags);
}

struct BuildRecord {
  std::string version;
  std::string revision;
  std::optional<bool> dirty;
  std::string compiler;
  std::string build_type;
  std::string flags;
  std::map<std::string, std::string> kernel_flags;  ///< per instruction set
  std::optional<CudaBuildRecord> cuda;
  std::optional<std::map<std::string, std::string>> packages;  ///< of Python programs
};

template <class V>
void fields(V& visit, Of<BuildRecord> auto& one) {
  visit("version", one.version);
  visit("revision", one.revision);
  visit("dirty", one.dirty);
  visit("compiler", one.compiler);
  visit("build_type", one.build_type);
  visit("flags", one.flags);
  visit("kernel_flags", one.kernel_flags);
  visit("cuda", one.cuda);
  visit.maybe("packages", one.packages);
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

/// Strong scaling of one variant, see scaling.hpp.
struct ScalingPoint {
  int threads = 0;
  double seconds = 0;
  RatioRecord speedup;
  double efficiency = 0;
  bool doubtful = false;  ///< one of both is inconclusive(), or the interval is wide
};

template <class V>
void fields(V& visit, Of<ScalingPoint> auto& one) {
  visit("threads", one.threads);
  visit("seconds", one.seconds);
  visit("speedup", one.speedup);
  visit("efficiency", one.efficiency);
  visit.later("doubtful", one.doubtful);
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

template <class V>
void fields(V& visit, Of<ScalingRecord> auto& one) {
  visit("name", one.name);
  visit("workload", one.workload);
  visit("backend", one.backend);
  visit("variant", one.variant);
  visit("dtype", one.dtype);
  visit("size", one.size);
  visit("cache", one.cache);
  visit("points", one.points);
  visit("enough_threads", one.enough_threads);
}

/// Where the GPU begins to win, see crossovers.hpp.
struct CrossoverPoint {
  std::string size;
  std::size_t elements = 0;
  std::string cpu;
  std::string gpu;
  Estimate ratio;
};

template <class V>
void fields(V& visit, Of<CrossoverPoint> auto& one) {
  visit("size", one.size);
  visit("elements", one.elements);
  visit("cpu", one.cpu);
  visit("gpu", one.gpu);
  visit("ratio", one.ratio);
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
  Scope scope = Scope::kernel;
  CacheMode cache = CacheMode::cold;
  std::vector<CrossoverPoint> points;
  std::optional<std::size_t> size;  ///< null also where only its upper end is known
  std::array<std::optional<std::size_t>, 2> ci95;
  CrossoverVerdict verdict = CrossoverVerdict::never;
  Parameters parameters;  ///< of its cases; documents have them in the name
};

template <class V>
void fields(V& visit, Of<CrossoverRecord> auto& one) {
  visit("name", one.name);
  visit("workload", one.workload);
  visit("dtype", one.dtype);
  visit("bins", one.bins);
  visit("scope", one.scope);
  visit("cache", one.cache);
  visit("points", one.points);
  visit("size", one.size);
  visit("ci95", one.ci95);
  visit("verdict", one.verdict);
}

/// How documents are written.
constexpr const char* schema_name = "bench-report/1";

/// What is kept of a document: all of it, or all but the samples once they have been looked at, for
/// thousands of documents at once.
enum class Keep { everything, no_samples };

struct Document {
  Context context;
  std::vector<CaseRecord> cases;
  std::vector<ScalingRecord> scaling;
  std::vector<CrossoverRecord> crossovers;

  /// Cases with this status.
  std::size_t count(Status status) const;
};

/// A document as it comes back from disk, from other people and machines, perhaps cut off, or
/// worse: complete, of the right kinds, and in agreement with itself (see contradiction.hpp).
/// Throws UsageError, one line that names the file, the place and what is wrong there.
Document read_document(const std::filesystem::path& file, Keep keep = Keep::everything);

/// The same for text; `name` stands for the file in messages.
Document parse_document(std::string_view text, const std::string& name,
                        Keep keep = Keep::everything);

/// Calls `read` for each number below `count`, side by side. What each of them threw; empty: none.
std::vector<std::string> read_each(std::size_t count, const std::function<void(std::size_t)>& read);

/// The document as JSON.
Json written(const Document& document);

}  // namespace bench
