#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

#include <cmath>
#include <numbers>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::gaussian_pdf {
namespace {

// Run-time values to the kernels, which see them as arguments only.
constexpr double mu = 0;
constexpr double sigma = 1;

double density_at(double x) {
  const double z = (x - mu) / sigma;
  return std::exp(-z * z / 2) / (sigma * std::sqrt(2 * std::numbers::pi));
}

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    parameters = {{"mu", mu}, {"sigma", sigma}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 6 * n;  // −, /, ·, /, exp, ·
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, -3, 3);
  }

  static auto definition(const bench::Arrays& arrays) {
    return [x = arrays.input<Real>(0)](std::size_t i) { return density_at(x[i]); };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    // The rounding of −z²/2 alone is worth up to z²/4 = 2 ulp of the result, that of exp and scale
    // 3 more.
    return bench::check_reals(arrays.output<Real>(), elements, bench::ulps(12), definition(arrays));
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), n, static_cast<Real>(mu),
             static_cast<Real>(sigma));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind(serial<Isa, Real>(), openmp<Isa, Real>(), cuda<Real>(), call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "gaussian_pdf",
    .formula = "pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π))",
    .lesson = "maps: each result from one place of the inputs",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .make = bench::make<Problem>,
};

}  // namespace kernels::gaussian_pdf
