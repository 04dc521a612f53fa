#include "kernels/energy/energy.hpp"

#include <cmath>
#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::energy {
namespace {

template <class Wider>
Wider energy_of(Wider x) {
  const Wider sine = std::sin(x);
  return sine * sine + std::sqrt(std::abs(x)) + std::exp(-x * x / 50);
}

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    bytes = inputs[0].bytes() + output.bytes();
    flops = 8 * n;  // sin, ·, √, +, ·, /, exp, +
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1000);
  }

  std::vector<bench::Edge> edges() const override {
    return {
        {"x is negative", {{-0.25, -1, -3.5, -40, -999}}},
        {"x is zero or tiny", {{0, -0.0, 1e-30, -1e-30, std::numeric_limits<Real>::denorm_min()}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return
        [x = arrays.input<Real>(0)](std::size_t i) { return energy_of<bench::Wider<Real>>(x[i]); };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    return bench::check_reals(arrays.output<Real>(), elements, bench::ulps(4),
                              bench::kept(arrays, n, definition(arrays)));
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), n);
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
    .name = "energy",
    .formula = "E(x) = sin²x + √|x| + exp(−x²/50)",
    .lesson = "element-wise: each result from one element of the inputs",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 100'000'000},
    .make = bench::make<Problem>,
};

}  // namespace kernels::energy
