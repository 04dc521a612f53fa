#include "kernels/zero_suppress/zero_suppress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::zero_suppress {
namespace {

constexpr double amplitude = 300;
constexpr double noise_level = 3;

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    parameters = {{"threshold", 15, 7}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = n;  // <
  }

  /// 23 pulses and noise, as an instrument delivers them: integers in any type.
  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    auto* in = arrays.mutable_input<Real>(0);
    const double period = static_cast<double>(n) / 23;
    random.each_normal(n, 0, noise_level, [=](std::size_t i, double noise) {
      const double pulse = std::max(std::sin(static_cast<double>(i) / period) - 0.3, 0.0);
      in[i] = static_cast<Real>(std::trunc(amplitude * pulse + noise) + 0.0);  // no −0
    });
  }

  std::vector<bench::Edge> edges() const override {
    using Limits = std::numeric_limits<Real>;
    const double threshold = parameter(0);
    std::vector<bench::Edge> all{
        {"x is next to the threshold", {{threshold - 1, threshold, threshold + 1}}},
        {"x is negative", {{-1, 0, -threshold, threshold, -threshold - 1, -300}}},
        {"x is the least or the largest number", {{Limits::lowest(), Limits::max()}}}};
    // Not infinite: x · (x ≥ threshold), the usual way in NumPy, has no value there.
    if (Limits::has_infinity) {
      all.push_back({"x is NaN", {{std::numeric_limits<double>::quiet_NaN(), 100}}});
    }
    return all;
  }

  auto definition(const bench::Arrays& arrays) const {
    return [in = arrays.input<Real>(0), threshold = parameter(0)](std::size_t i) {
      const auto x = static_cast<double>(in[i]);
      return x < threshold ? 0 : x;
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    return bench::check_reals(arrays.output<Real>(), elements, bench::exact, definition(arrays));
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n, threshold = static_cast<Real>(parameter(0))](
                          Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), n, threshold);
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>({{bench::backends::serial, serial<Isa, Real>()},
                                        {bench::backends::openmp, openmp<Isa, Real>()},
                                        {bench::backends::cuda, cuda<Real>()}},
                                       call);
    });
  }
};

constexpr bench::Dtype as_instruments_deliver[] = {bench::Dtype::i16, bench::Dtype::f32,
                                                   bench::Dtype::f64};

}  // namespace

const bench::Workload workload{
    .name = "zero_suppress",
    .formula = "x < 15 ? 0 : x",
    .lesson = "narrow types: time follows the size of an element",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 100'000},
    .takes_nan = true,
    .only_by_name = true,
    .dtypes = as_instruments_deliver,
    .make = bench::make_narrow<Problem>,
};

}  // namespace kernels::zero_suppress
