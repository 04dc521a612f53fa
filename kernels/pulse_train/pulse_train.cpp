#include "kernels/pulse_train/pulse_train.hpp"

#include <algorithm>
#include <cmath>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::pulse_train {
namespace {

constexpr double noise_level = 3;

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    // 23/2π pulses in all, for any number of elements.
    const auto period = [this](double pulses) {
      return static_cast<double>(static_cast<Real>(static_cast<double>(n) / pulses));
    };
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    workspace = {bench::array_of<Real>(n)};
    parameters = {{"amplitude", 100, 12.5}, {"period", period(23), period(9)}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 6 * n;  // /, sin, −, max, ·, +
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.normal(arrays.mutable_input<Real>(0), n, 0, noise_level);
  }

  std::vector<bench::Edge> edges() const override {
    return {{"there is no noise", {{0}}}, {"the noise is loud", {{-1e3, 1e3, 5e4}}}};
  }

  auto definition(const bench::Arrays& arrays) const {
    return [noise = arrays.input<Real>(0), amplitude = parameter(0),
            period = parameter(1)](std::size_t i) {
      using Wider = bench::Wider<Real>;
      const auto t = static_cast<Wider>(static_cast<Real>(i));
      const Wider pulse = std::sin(t / static_cast<Wider>(period)) - static_cast<Wider>(0.3L);
      return static_cast<Wider>(amplitude) * std::max<Wider>(pulse, 0) + noise[i];
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    // The quotient reaches 23, where the rounding of the sine's argument costs eps · 12. The pulse
    // is `amplitude` times as high. The error of the sum is at least that of the noise.
    const auto scale = [noise = arrays.input<Real>(0), amplitude = parameter(0)](std::size_t i) {
      return std::max(amplitude, std::abs(static_cast<double>(noise[i])));
    };
    return bench::check_in_eps(arrays.output<Real>(), elements, 32,
                               bench::kept(arrays, n, definition(arrays)), scale);
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n, amplitude = static_cast<Real>(parameter(0)),
                       period = static_cast<Real>(parameter(1))](Kernel<Real>* kernel,
                                                                 const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), arrays.work<Real>(0), n, amplitude,
             period);
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
    .name = "pulse_train",
    .formula = "w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i]",
    .lesson = "fusion: one pass instead of several",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 100'000},
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::pulse_train
