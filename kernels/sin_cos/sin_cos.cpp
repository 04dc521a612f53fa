#include "kernels/sin_cos/sin_cos.hpp"

#include <cmath>
#include <numbers>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/add/add.hpp"

namespace kernels::sin_cos {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs.assign(2, bench::array_of<Real>(n));
    output = bench::array_of<Real>(n);
    bytes = 2 * inputs[0].bytes() + output.bytes();
    flops = 3 * n;  // sin, cos, ·
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    for (const std::size_t input : {0U, 1U}) {
      random.uniform(arrays.mutable_input<Real>(input), n, -std::numbers::pi, std::numbers::pi);
    }
  }

  std::vector<bench::Edge> edges() const override {
    // Beyond half a turn the special function units of a GPU lose digits.
    constexpr double pi = std::numbers::pi;
    return {{"x or y is zero", {{0, -0.0, 1}, {0, 1, -0.0}}},
            {"x and y are quarters of a turn",
             {{pi / 2, -pi / 2, 3.14, -3.14, 0}, {-3.14, 0, pi / 2, 3.14, -pi / 2, 1}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return [x = arrays.input<Real>(0), y = arrays.input<Real>(1)](std::size_t i) {
      using Wider = bench::Wider<Real>;
      return std::sin(static_cast<Wider>(x[i])) * std::cos(static_cast<Wider>(y[i]));
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    // A signal of amplitude 1: the last bit of 1 counts, and not that of a value near a zero. The
    // bound is the error of a GPU's special function units within ±π.
    return bench::check_in_eps(arrays.output<Real>(), elements, 10,
                               bench::kept(arrays, n, definition(arrays)),
                               [](std::size_t) { return 1.0; });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.output<Real>(), n);
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
    .name = "sin_cos",
    .formula = "p = sin x · cos y",
    .lesson = "mathematics: accuracy and speed of functions",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .nearer_reference = &add::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::sin_cos
