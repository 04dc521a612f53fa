#include "kernels/polar_distance/polar_distance.hpp"

#include <cmath>
#include <numbers>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/add/add.hpp"

namespace kernels::polar_distance {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs.assign(4, bench::array_of<Real>(n));
    output = bench::array_of<Real>(n);
    bytes = 4 * inputs[0].bytes() + output.bytes();
    flops = 14 * n;  // sin and cos twice, 4 ·, 2 −, 2 squares, +, √
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    for (const std::size_t point : {0U, 2U}) {
      random.uniform(arrays.mutable_input<Real>(point), n, 0.5, 1.5);
      random.uniform(arrays.mutable_input<Real>(point + 1), n, -std::numbers::pi, std::numbers::pi);
    }
  }

  std::vector<bench::Edge> edges() const override {
    return {{"both are the same point", {{1, 0.75}, {2, -1, 0.5}, {1, 0.75}, {2, -1, 0.5}}},
            {"they lie close", {{1, 1, 1}, {0.5, -2, 3}, {1.001, 1, 0.999}, {0.5001, -2.001, 3}}},
            {"one is the origin", {{0, 2, 0}, {1, -3}, {2, 0, 0}, {0, 3}}},
            {"they are on both sides of π", {{1, 1.25}, {3.1, -3.125}, {1.5, 1}, {-3.1, 3}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return [arrays](std::size_t i) {
      const auto value = [&](std::size_t input) {
        return static_cast<bench::Wider<Real>>(arrays.input<Real>(input)[i]);
      };
      return std::hypot(value(0) * std::cos(value(1)) - value(2) * std::cos(value(3)),
                        value(0) * std::sin(value(1)) - value(2) * std::sin(value(3)));
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    // The distance of close points is a difference of coordinates. Its rounding errors are in units
    // of the coordinates, however small the difference is.
    const auto scale = [rho_1 = arrays.input<Real>(0),
                        rho_2 = arrays.input<Real>(2)](std::size_t i) {
      return std::abs(static_cast<double>(rho_1[i])) + std::abs(static_cast<double>(rho_2[i]));
    };
    return bench::check_in_eps(arrays.output<Real>(), elements, 8,
                               bench::kept(arrays, n, definition(arrays)), scale);
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.input<Real>(2),
             arrays.input<Real>(3), arrays.output<Real>(), n);
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
    .name = "polar_distance",
    .formula = "d = |ρ₁·e^(iθ₁) − ρ₂·e^(iθ₂)|",
    .lesson = "mathematics: accuracy and speed of functions",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .nearer_reference = &add::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::polar_distance
