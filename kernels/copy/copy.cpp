#include "kernels/copy/copy.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::copy {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    bytes = inputs[0].bytes() + output.bytes();
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, std::is_integral_v<Real> ? 32'768 : 1);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double least = std::numeric_limits<Real>::denorm_min();
    return {{"they are not ordinary numbers", {{inf, 1, -inf, nan, -0.0, least, -2}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return [in = arrays.input<Real>(0)](std::size_t i) { return in[i]; };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    return bench::check_reals(arrays.output<Real>(), elements, bench::exact, definition(arrays));
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
                                        {bench::backends::cuda, library<Real>(), bench::by_library},
                                        {bench::backends::target, target<Real>()}},
                                       call);
    });
  }
};

/// Whole numbers are copied only next to other workloads.
std::unique_ptr<bench::Problem> make(bench::Dtype dtype, const bench::Shape& shape) {
  if (dtype == bench::Dtype::u32) return std::make_unique<Problem<std::uint32_t>>(shape);
  return bench::make_narrow<Problem>(dtype, shape);
}

}  // namespace

const bench::Workload workload{
    .name = "copy",
    .formula = "out[i] = in[i]",
    .lesson = "bandwidth: what moving the data takes",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 100'000'000},
    .takes_nan = true,
    .make = make,
};

}  // namespace kernels::copy
