#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::gaussian_pdf {
namespace {

/// The density of μ and σ.
struct Density {
  double mu;
  double sigma;

  template <class Wider>
  Wider z(Wider x) const {
    return (x - mu) / sigma;
  }
  template <class Wider>
  Wider at(Wider x) const {
    return std::exp(-z(x) * z(x) / 2) / (sigma * std::sqrt(2 * std::numbers::pi_v<Wider>));
  }
};

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    parameters = {{"mu", 0, 0.5}, {"sigma", 1, 2}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 6 * n;  // −, /, ·, /, exp, ·
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, -3, 3);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double most = std::numeric_limits<Real>::max();
    return {
        {"x is the mean", {{0, -0.0}}},
        {"x is far from the mean", {{9, -13, 13.3, -20, 38, -50, 1e9, most, -most, inf, -inf}}}};
  }

  Density density() const { return {parameter(0), parameter(1)}; }

  auto definition(const bench::Arrays& arrays) const {
    return [x = arrays.input<Real>(0), of = density()](std::size_t i) {
      return of.template at<bench::Wider<Real>>(x[i]);
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    // The rounding of z and −z²/2 costs up to 3z²/4 ulp of the result, that of exp and scale 3
    // more. A density below the smallest normal number may be 0, or that number.
    constexpr double tolerance = 12;
    constexpr double least = std::numeric_limits<Real>::min() / tolerance;
    const auto want = bench::kept(arrays, n, definition(arrays));
    const auto scale = [=, x = arrays.input<Real>(0), of = density()](std::size_t i) {
      const double z = of.template z<double>(x[i]);
      const double ulp = bench::unit_in_last_place(static_cast<Real>(want(i)));
      return std::isfinite(z * z) ? std::max(ulp * std::max(1.0, z * z / 16), least) : least;
    };
    return bench::check_scaled(arrays.output<Real>(), elements, tolerance, "ulp", want, scale);
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n, of = density()](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), n, static_cast<Real>(of.mu),
             static_cast<Real>(of.sigma));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>({{bench::backends::serial, serial<Isa, Real>()},
                                        {bench::backends::openmp, openmp<Isa, Real>()},
                                        {bench::backends::stdpar, stdpar<Isa, Real>()},
                                        {bench::backends::cuda, cuda<Real>()},
                                        {bench::backends::target, target<Real>()}},
                                       call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "gaussian_pdf",
    .formula = "pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π))",
    .lesson = "element-wise: each result from one element of the inputs",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .make = bench::make<Problem>,
};

}  // namespace kernels::gaussian_pdf
