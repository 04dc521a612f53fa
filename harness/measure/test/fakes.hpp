// A small registry of fakes whose variants a test brings along, and settings that measure in
// milliseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/runner.hpp"
#include "harness/plan/plan.hpp"
#include "harness/workload/verify.hpp"

namespace bench::test {

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

/// How often all of a result was compared with the reference result.
inline std::size_t& whole_checks() {
  static std::size_t count = 0;
  return count;
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
    whole_checks() += elements.are_all() ? 1 : 0;
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
  Reason unsupported() const override {
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

template <class P>
constexpr Workload of_vectors(const char* name, const char* formula) {
  return {.name = name,
          .formula = formula,
          .form = SizeFormat::vector,
          .tiny = {.cols = 10},
          .default_shape = {.cols = 1'000},
          .course = {.cols = 2'000},
          .make = make_fake<P>};
}

inline const Workload copying = of_vectors<CopyProblem>("copy", "out = in");
inline const Workload twice = of_vectors<TwiceProblem>("twice", "out = 2·in");
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

/// Settings so small that no test takes long or depends on how fast the node is.
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

}  // namespace bench::test
