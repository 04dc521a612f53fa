#include "kernels/hypot/hypot.hpp"

#include <cmath>
#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/add/add.hpp"

namespace kernels::hypot {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n), bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    bytes = inputs[0].bytes() + inputs[1].bytes() + output.bytes();
    flops = 4 * n;  // ·, ·, +, √ of the formula
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, -12, 12);
    random.uniform(arrays.mutable_input<Real>(1), n, -12, 12);
  }

  std::vector<bench::Edge> edges() const override {
    using Limits = std::numeric_limits<Real>;
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double big = Limits::max() / 8;
    constexpr double small = Limits::min();
    constexpr double least = Limits::denorm_min();
    return {{"both are zero", {{0, -0.0}, {0}}},
            {"one is zero", {{0, 5, -0.0, -2}, {3, 0, -7, -0.0}}},
            {"one is infinite", {{inf, 1, -inf, 0}, {-1, -inf, 0, inf}}},
            {"both are infinite", {{inf, -inf}, {inf}}},
            {"they are very large", {{4 * big, -big, 1}, {3 * big, big, -7 * big}}},
            {"they are very small", {{3 * small, -small, 0}, {4 * small, small, small}}},
            {"they are subnormal", {{3 * least, -600 * least}, {4 * least, 800 * least}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return [a = arrays.input<Real>(0), b = arrays.input<Real>(1)](std::size_t i) {
      using Wider = bench::Wider<Real>;
      return std::hypot(static_cast<Wider>(a[i]), static_cast<Wider>(b[i]));
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    return bench::check_reals(arrays.output<Real>(), elements, bench::ulps(3),
                              bench::kept(arrays, n, definition(arrays)));
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
                                        {bench::backends::stdpar, stdpar<Isa, Real>()},
                                        {bench::backends::cuda, cuda<Real>()},
                                        {bench::backends::target, target<Real>()}},
                                       call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "hypot",
    .formula = "c = √(a² + b²), without overflow or underflow",
    .lesson = "element-wise: each result from one element of the inputs",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .nearer_reference = &add::workload,
    .make = bench::make<Problem>,
};

}  // namespace kernels::hypot
