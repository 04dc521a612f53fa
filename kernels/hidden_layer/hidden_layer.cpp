#include "kernels/hidden_layer/hidden_layer.hpp"

#include <cmath>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/add/add.hpp"

namespace kernels::hidden_layer {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n), bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    workspace = {bench::array_of<Real>(n), bench::array_of<Real>(n)};
    bytes = inputs[0].bytes() + inputs[1].bytes() + output.bytes();
    flops = 3 * n;  // /, ·, tanh
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    auto* gray = arrays.mutable_input<Real>(0);
    random.uniform(gray, n, 0, 255);
    for (std::size_t i = 0; i < n; ++i) gray[i] = std::floor(gray[i]);
    random.normal(arrays.mutable_input<Real>(1), n, 0.5, 0.1);
  }

  std::vector<bench::Edge> edges() const override {
    // Beyond |v| = 88 the course's quotient of two exponentials has no value.
    return {{"the weight is negative", {{255, 128, 1}, {-0.5, -1, -2.25, -0.0625}}},
            {"the weight is zero", {{0, 255}, {0, -0.0, 0}}},
            {"the weight is large", {{255, 200}, {5, -9, 20, -20, 40}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return [gray = arrays.input<Real>(0), weight = arrays.input<Real>(1)](std::size_t i) {
      return std::tanh(static_cast<bench::Wider<Real>>(gray[i]) / 255 * weight[i]);
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    // Near 0 the difference of two exponentials has few digits left. But an activation is within
    // ±1, and in a sum of such values the last bit of 1 counts.
    return bench::check_in_eps(arrays.output<Real>(), elements, 8,
                               bench::kept(arrays, n, definition(arrays)),
                               [](std::size_t) { return 1.0; });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.output<Real>(),
             arrays.work<Real>(0), arrays.work<Real>(1), n);
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
    .name = "hidden_layer",
    .formula = "a = tanh(g/255 · w)",
    .lesson = "fusion: one pass instead of several",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .nearer_reference = &add::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::hidden_layer
