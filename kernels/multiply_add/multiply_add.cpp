#include "kernels/multiply_add/multiply_add.hpp"

#include <algorithm>
#include <cmath>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::multiply_add {
namespace {

constexpr double fixed_point = summand / (1 - factor);

/// The share of the distance to the fixed point that is left after the last step.
double left() { return std::pow(factor, steps); }

/// The sum of errors of 1 in each step: a step also shrinks the errors of the steps before it.
double all_errors() { return (1 - left()) / (1 - factor); }

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    bytes = inputs[0].bytes() + output.bytes();
    flops = 2 * steps * n;  // ·, + of each step
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    return {{"x is negative", {{-1, -0.5, -100}}},
            {"x is zero or a fixed point", {{0, fixed_point, -0.0}}},
            {"x is large", {{1e3, -1e6, 1e9}}}};
  }

  /// The closed form, without the rounding errors of 512 steps.
  static auto definition(const bench::Arrays& arrays) {
    using Wider = bench::Wider<Real>;
    const Wider left = std::pow(static_cast<Wider>(factor), steps);
    return [x = arrays.input<Real>(0), left](std::size_t i) {
      return fixed_point + left * (static_cast<Wider>(x[i]) - fixed_point);
    };
  }

  /// v stays between x and 2, where no rounding is larger than half an eps of |x|, or of 1. A step
  /// without FMA has two of them.
  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    const auto scale = [x = arrays.input<Real>(0)](std::size_t i) {
      return std::max(std::abs(static_cast<double>(x[i])), 1.0);
    };
    return bench::check_in_eps(arrays.output<Real>(), elements, std::ceil(all_errors()),
                               bench::kept(arrays, n, definition(arrays)), scale);
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
                                        {bench::backends::cuda, cuda<Real>()}},
                                       call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "multiply_add",
    .formula = "v ← 511/512·v + 1/256, 512 times from v = x",
    .lesson = "arithmetic: what the units can do, in registers",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 100'000},
    .course = {.cols = 10'000'000},
    .only_by_name = true,
    .memory_bound = false,
    .arithmetic_reference = true,
    .overlaps = false,
    .make = bench::make<Problem>,
};

}  // namespace kernels::multiply_add
