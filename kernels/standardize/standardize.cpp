#include "kernels/standardize/standardize.hpp"

#include <cmath>
#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::standardize {
namespace {

/// Σ term(i) for i < n.
template <class Number, class Term>
Number sum_of(std::size_t n, Term term) {
  bench::SumIn<Number> all;
#pragma omp parallel if (n > bench::worth_a_team)
  {
    bench::SumIn<Number> mine;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < n; ++i) mine.add(term(i));
#pragma omp critical
    all.add(mine);
  }
  return all.value();
}

template <class Real>
struct Problem final : bench::Problem {
  using Wide = bench::Wider<Real>;
  struct Moments {
    Wide mean;
    Wide sigma;
  };

  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    workspace = {bench::array_of<double>(partials)};
    // Both moments need all elements before the first result: the data are read twice.
    bytes = 2 * inputs[0].bytes() + output.bytes();
    flops = 6 * n;  // +; −, ·, +; −, ·
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    // Equal elements have no deviation, and no result either.
    return {
        {"x is negative", {{-4.5, -3, -5.25, -3.75, -4}}},
        {"the mean is zero", {{-1.5, 1.5, 0.25, -0.25}}},
        {"the mean is large against the deviation", {{16777216, 16777218, 16777214, 16777220}}}};
  }

  Moments moments(const bench::Arrays& arrays) const {
    const auto* x = arrays.input<Real>(0);
    const auto count = static_cast<Wide>(n);
    const Wide mean = sum_of<Wide>(n, [=](std::size_t i) { return x[i]; }) / count;
    const Wide squares = sum_of<Wide>(n, [=](std::size_t i) {
      const Wide deviation = x[i] - mean;
      return deviation * deviation;
    });
    return {mean, std::sqrt(squares / count)};
  }

  static auto definition(const bench::Arrays& arrays, const Moments& of_all) {
    return [x = arrays.input<Real>(0), of_all](std::size_t i) {
      return (x[i] - of_all.mean) / of_all.sigma;
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    constexpr double eps = std::numeric_limits<Real>::epsilon();
    constexpr double ratio = std::numeric_limits<double>::epsilon() / eps;
    const Moments of_all = moments(arrays);
    // A sum in double, in any order, has an error of some √n roundings. In the mean they cost
    // mean/σ of a result.
    const double far = std::isfinite(of_all.mean) && of_all.sigma > 0
                           ? static_cast<double>(std::abs(of_all.mean) / of_all.sigma)
                           : 0;
    const double tolerance = 16 + 4 * std::sqrt(static_cast<double>(n)) * ratio * (1 + far);
    // Where the deviations are rounding errors only, no result is more right than another.
    const bool none =
        of_all.sigma <= std::numeric_limits<double>::epsilon() * std::abs(of_all.mean);
    const auto* const got = arrays.output<Real>();
    const auto want = [=, of = definition(arrays, of_all)](std::size_t i) {
      return none ? static_cast<Wide>(got[i]) : of(i);
    };
    return bench::check_in_eps(got, elements, tolerance, want, [=](std::size_t i) {
      return 1 + static_cast<double>(std::abs(want(i)));
    });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays, moments(arrays)));
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), n, arrays.work<double>(0));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>({{bench::backends::serial, serial<Isa, Real>()},
                                        {bench::backends::openmp, openmp<Isa, Real>()},
                                        {bench::backends::cuda, cuda<Real>()}},
                                       call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "standardize",
    .formula = "z = (x − mean)/σ",
    .lesson = "reductions: a sum of many terms",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 10'000'000},
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::standardize
