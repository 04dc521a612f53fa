#include "kernels/counter/counter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/base/reasons.hpp"
#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/read/read.hpp"

namespace kernels::counter {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Count>(1);
    parameters = {{"threshold", 0.5, 0.25}};
    bytes = inputs[0].bytes();
    flops = n;  // <
  }

  bench::Reason unsupported() const override { return bench::beyond_32_bits(n); }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr Real inf = std::numeric_limits<Real>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto at = static_cast<Real>(parameter(0));
    return {
        {"x is next to the threshold", {{at, std::nextafter(at, -inf), std::nextafter(at, inf)}}},
        {"x is negative", {{-0.25, -1, 0.75, -0.0}}},
        {"x is infinite", {{inf, 0.75, -inf}}},
        {"x is NaN", {{nan, 0, 1}}},
        {"all are below the threshold", {{0}}},
        {"none is below the threshold", {{1}}}};
  }

  Count definition(const bench::Arrays& arrays) const {
    const auto* x = arrays.input<Real>(0);
    const double threshold = parameter(0);
    Count count = 0;
#pragma omp parallel for reduction(+ : count) if (n > bench::worth_a_team)
    for (std::size_t i = 0; i < n; ++i) count += x[i] < threshold ? 1U : 0U;
    return count;
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const Count want = definition(arrays);
    const Count got = arrays.output<Count>()[0];
    bench::Verdict verdict = bench::check_counts(&got, {want});
    if (verdict.passed || bench::is_poison(got)) return verdict;
    verdict.reason = got < want
                         ? bench::said<bench::reasons::counts_lost>(want - got, want)
                         : bench::said<bench::reasons::counts_too_many>(got - want, got, want);
    return verdict;
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t) const override {
    return {static_cast<double>(definition(arrays))};
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n, threshold = static_cast<Real>(parameter(0))](
                          Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), n, threshold, arrays.output<Count>());
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>(
          {{bench::backends::serial, serial<Isa, Real>()},
           {bench::backends::openmp, openmp<Isa, Real>()},
           {bench::backends::cuda, cuda<Real>()},
           {bench::backends::cuda, library<Real>(), bench::by_library}},
          call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "counter",
    .formula = "how many x[i] < ½",
    .lesson = "shared counters: races, atomics, privatisation",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 4'096},
    .takes_nan = true,
    .nearer_reference = &read::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::counter
