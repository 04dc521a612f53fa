// What the tests of the harness share: a small registry of fakes whose variants a test brings
// along, settings that measure in milliseconds, and a folder that goes away again.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/document/crossovers.hpp"
#include "harness/document/document.hpp"
#include "harness/document/record.hpp"
#include "harness/measure/plan.hpp"
#include "harness/measure/runner.hpp"
#include "harness/workload/verify.hpp"

namespace bench::test {

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

/// The message of the exception E that f must throw.
template <class E, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "harness_test.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What a test's variants compute: out[i] = 2·in[i], in f32 whatever the dtype, so that a test
/// needs to write each variant once only.
inline void doubled(const Arrays& arrays, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) arrays.output<float>()[i] = 2 * arrays.input<float>(0)[i];
}

inline void doubled_by_threads(const Arrays& arrays, std::size_t n) {
  const float* const in = arrays.input<float>(0);
  float* const out = arrays.output<float>();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = 2 * in[i];
}

/// The variants of the fake workload `twice` for n elements. Set by each test.
using Planted = std::function<std::vector<BoundVariant>(std::size_t n)>;
inline Planted& planted() {
  static Planted rungs;
  return rungs;
}

inline std::vector<BoundVariant> honest(std::size_t n) {
  return {{"serial", "naive", "the naive loop", [n](const Arrays& a) { doubled(a, n); }},
          {"serial", "other", "the same again", [n](const Arrays& a) { doubled(a, n); }},
          {"openmp", "naive", "by threads", [n](const Arrays& a) { doubled_by_threads(a, n); }}};
}

/// out[i] = factor·in[i] for a number of bytes that grows with the dtype.
struct FakeProblem : Problem {
  std::size_t n;
  int factor;

  FakeProblem(const Shape& shape, int by) : n(shape.elements()), factor(by) {
    inputs = {array_of<float>(n)};
    output = array_of<float>(n);
    bytes = inputs[0].bytes() + output.bytes();
    flops = by == 1 ? 0 : n;
  }
  void generate(NumpyRandom random, const Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<float>(0), n, 1, 2);
  }
  Verdict check(const Arrays& arrays, const Elements& elements) const override {
    const auto* const in = arrays.input<float>(0);
    return check_reals(arrays.output<float>(), elements, exact,
                       [in, this](std::size_t i) { return static_cast<float>(factor) * in[i]; });
  }
};

struct CopyProblem final : FakeProblem {
  explicit CopyProblem(const Shape& shape) : FakeProblem(shape, 1) {}
  std::vector<BoundVariant> rungs(simd::Isa /*isa*/) const override {
    const auto copy = [n = n](const Arrays& a) {
      std::copy_n(a.input<float>(0), n, a.output<float>());
    };
    return {{"serial", "naive", "the naive loop", copy}, {"openmp", "naive", "by threads", copy}};
  }
};

struct TwiceProblem final : FakeProblem {
  explicit TwiceProblem(const Shape& shape) : FakeProblem(shape, 2) {}
  std::string unsupported() const override {
    return n == 13 ? "thirteen is an unlucky number of elements" : "";
  }
  std::vector<BoundVariant> rungs(simd::Isa /*isa*/) const override { return planted()(n); }
};

/// Counts the elements of each of `bins` kinds; its output is much smaller than its input.
struct CountProblem final : Problem {
  std::size_t n;
  std::size_t bins;

  explicit CountProblem(const Shape& shape) : n(shape.elements()), bins(shape.bins) {
    inputs = {array_of<float>(n)};
    output = array_of<std::uint32_t>(bins);
    bytes = inputs[0].bytes() + output.bytes();
    flops = n;
  }
  void generate(NumpyRandom random, const Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<float>(0), n, 0, static_cast<double>(bins));
  }
  static void count(const Arrays& arrays, std::size_t n, std::size_t bins, std::uint32_t* counts) {
    std::fill_n(counts, bins, 0U);
    for (std::size_t i = 0; i < n; ++i) {
      ++counts[std::min(static_cast<std::size_t>(arrays.input<float>(0)[i]), bins - 1)];
    }
  }
  std::optional<std::size_t> source(std::size_t /*i*/, std::size_t /*input*/) const override {
    return {};
  }
  Verdict check(const Arrays& arrays, const Elements& /*elements*/) const override {
    std::vector<std::uint32_t> expected(bins);
    count(arrays, n, bins, expected.data());
    return check_counts(arrays.output<std::uint32_t>(), expected);
  }
  std::vector<BoundVariant> rungs(simd::Isa /*isa*/) const override {
    const auto run = [n = n, bins = bins](const Arrays& a) {
      count(a, n, bins, a.output<std::uint32_t>());
    };
    return {{"serial", "naive", "the naive loop", run}, {"openmp", "naive", "by threads", run}};
  }
};

template <class P>
std::unique_ptr<Problem> make_fake(Dtype /*dtype*/, const Shape& shape) {
  return std::make_unique<P>(shape);
}

inline const Workload copying{.name = "copy",
                              .formula = "out = in",
                              .form = SizeFormat::vector,
                              .tiny = {.cols = 10},
                              .default_shape = {.cols = 1'000},
                              .course = {.cols = 2'000},
                              .make = make_fake<CopyProblem>};
inline const Workload twice{.name = "twice",
                            .formula = "out = 2·in",
                            .form = SizeFormat::vector,
                            .tiny = {.cols = 10},
                            .default_shape = {.cols = 1'000},
                            .course = {.cols = 2'000},
                            .make = make_fake<TwiceProblem>};
inline const Workload counting{.name = "counting",
                               .formula = "counts",
                               .form = SizeFormat::binned,
                               .tiny = {.cols = 10, .bins = 3},
                               .default_shape = {.cols = 1'000, .bins = 16},
                               .course = {.cols = 2'000, .bins = 5},
                               .max_bins = 100,
                               .make = make_fake<CountProblem>};
inline const Workload turning{.name = "turning",
                              .formula = "a matrix",
                              .form = SizeFormat::matrix,
                              .tiny = {.rows = 2, .cols = 3},
                              .default_shape = {.rows = 30, .cols = 40},
                              .course = {.rows = 50, .cols = 60},
                              .make = make_fake<CopyProblem>};

/// The first one is the bandwidth reference.
inline std::vector<const Workload*> registry() { return {&copying, &twice, &counting, &turning}; }

/// So little that no test takes long, and no test depends on how fast the node is.
inline Settings quick() {
  Settings settings;
  settings.filters = {"twice"};
  settings.job_threads = 2;
  settings.max_samples = 12;
  settings.min_seconds = 0;
  settings.max_seconds = 0.02;
  return settings;
}

/// The single group of `twice` that the settings ask for.
inline PlannedGroup planned_twice(const Settings& settings, const Planted& rungs) {
  planted() = rungs;
  const auto workloads = registry();
  auto groups = plan(workloads, settings);
  if (groups.size() != 1) throw std::logic_error("one group was expected");
  return std::move(groups.front());
}

inline Group measure_twice(const Settings& settings, const Planted& rungs) {
  return measure(planned_twice(settings, rungs), settings);
}

/// The case whose name begins with `path`, workload/backend/variant.
inline const Case& find_case(const Group& group, const std::string& path) {
  const auto found = std::find_if(group.cases.begin(), group.cases.end(), [&](const Case& one) {
    return one.name.starts_with(path + "/");
  });
  if (found == group.cases.end()) throw std::logic_error("no case " + path);
  return *found;
}

/// The object of a document's list whose name begins with `path`.
inline Json find_row(const Json& list, const std::string& path) {
  for (const Json& row : list) {
    if (row.at("name").get<std::string>().starts_with(path + "/")) return row;
  }
  ADD_FAILURE() << "no row " << path;
  return {};
}

/// Nine samples or more, a few percent apart, whose median is `seconds`.
inline std::vector<double> samples_around(double seconds, std::size_t n = 9) {
  std::vector<double> samples(n);
  for (std::size_t i = 0; i < n; ++i) {
    samples[i] = seconds * (1 + 0.01 * (static_cast<double>(i % 5) - 2));
  }
  return samples;
}

/// Names a case after its fields.
inline Case named(Case one) {
  one.name = case_name(one.workload, one.backend, one.variant, one.dtype, one.size, one.scope,
                       one.parameters, one.beside);
  return one;
}

/// A case as the runner might have measured it; copies run beside the group `work:10`.
inline Case measured(const std::string& workload, const std::string& backend,
                     const std::string& variant, double seconds) {
  Case result;
  result.workload = workload;
  result.backend = backend;
  result.variant = variant;
  result.idea = "an idea";
  result.size = "10";
  result.elements = 10;
  result.shape = {10};
  if (workload == "copy") result.beside = Beside{"work", "10"};
  result.isa = "avx2";
  result.threads = backend == "openmp" ? 2 : 1;
  result.bandwidth_reference = workload == "copy";
  result.bytes = 4'000'000;
  result.flops = 7;
  result.footprint = 8'000'000;
  result.status = "measured";
  result.verdict = Verdict{true, "ulp", 0.5, 4, ""};
  result.first_use_seconds = 50 * seconds;
  result.timing.samples = samples_around(seconds);
  result.timing.stop = "noise";
  result.timing.noise = 0.01;
  return named(std::move(result));
}

/// A copy in a group of its own.
inline Case copy_alone(const std::string& backend, const std::string& variant, double seconds) {
  Case result = measured("copy", backend, variant, seconds);
  result.beside.reset();
  return named(std::move(result));
}

/// A CUDA case with a scope and a device.
inline Case measured_on_gpu(const std::string& workload, const std::string& variant, Scope scope,
                            double seconds) {
  Case result = measured(workload, "cuda", variant, seconds);
  result.scope = scope;
  result.threads = 0;
  result.isa.clear();
  result.launch = cuda::LaunchShape{{40, 2, 1}, {256, 1, 1}, 1024, 3};
  result.gpu = GpuUse{"GPU-1", {1900, 1980, 1950}, 2};
  return named(std::move(result));
}

/// A CUDA case that is not ours.
inline Case measured_of_library(const std::string& workload, Scope scope, double seconds) {
  Case result = measured_on_gpu(workload, "library", scope, seconds);
  result.library = true;
  result.launch.reset();
  return result;
}

inline Group group_of(std::vector<Case> cases) {
  return {"work", Dtype::f32, "10", "xxh3:0123456789abcdef", std::move(cases)};
}

/// What a document says of groups, as JSON.
struct Tables {
  Json cases;
  Json speedups;
  Json benchmarks;
  Json scaling;
};

inline Tables tables_of(const std::vector<Group>& groups) {
  Document document;
  for (const Group& group : groups) record(document, group);
  const Json json = written(document);
  return {json.at("cases"), json.at("speedups"), json.at("benchmarks"), json.at("scaling")};
}
inline Tables tables_of(const Group& group) { return tables_of(std::vector<Group>{group}); }

/// What a document says of where and how it was measured.
inline Context context() {
  Context context;
  context.engine = {{"date", "2026-01-31T12:00:00+00:00"}, {"json_schema_version", 1}};
  RunRecord& run = context.run;
  run.node = "gpu1";
  run.started = "2026-01-31T12:00:00Z";
  run.seed = 42;
  run.argv = {"bench"};
  run.threads = run.threads_measured = 2;
  run.isa = "avx2";
  run.max_samples = 100;
  run.min_time_s = 0.5;
  run.max_time_s = 5;
  context.build.revision = "0123456789abcdef";
  context.build.dirty = false;
  context.build.build_type = "Release";
  context.machine = {{"cpu_model", "Some Processor"}, {"logical_cpus", 8}};
  return context;
}

/// The JSON of a context that raises no doubt.
inline Json healthy() {
  return {{"build", {{"build_type", "Release"}}},
          {"run", {{"threads", 4}}},
          {"machine",
           {{"allowed_cpus", 4},
            {"logical_cpus", 4},
            {"running_tasks", 1},
            {"governor", "performance"}}}};
}

/// A finished document of groups.
inline Document document_of_groups(const std::vector<Group>& groups) {
  Document document{context(), {}, {}, {}};
  for (const Group& group : groups) record(document, group);
  document.crossovers = crossovers(document.cases);
  document.context.run.finished = true;
  return document;
}

/// The case of a document whose name begins so.
inline const CaseRecord& row(const Document& document, const std::string& path) {
  for (const CaseRecord& one : document.cases) {
    if (one.name.starts_with(path + "/")) return one;
  }
  throw std::logic_error("no case " + path);
}

}  // namespace bench::test
