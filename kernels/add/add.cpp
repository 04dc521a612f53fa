#include "kernels/add/add.hpp"

#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::add {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n), bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    bytes = inputs[0].bytes() + inputs[1].bytes() + output.bytes();
    flops = n;
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1);
    random.uniform(arrays.mutable_input<Real>(1), n, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return {{"they are negative", {{-1, 0.5, -0.25}, {0.5, -2, -0.125, 3}}},
            {"they cancel", {{1, -2.5, 1e30}, {-1, 2.5, -1e30}}},
            {"one is infinite", {{inf, 1, -inf}, {1, -2, 3}}}};
  }

  static auto definition(const bench::Arrays& arrays) {
    return [a = arrays.input<Real>(0), b = arrays.input<Real>(1)](std::size_t i) {
      return static_cast<double>(a[i]) + static_cast<double>(b[i]);
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
    .name = "add",
    .formula = "c[i] = a[i] + b[i]",
    .lesson = "bandwidth: what moving the data takes",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 100'000},
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::add
