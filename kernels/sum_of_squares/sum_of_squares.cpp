#include "kernels/sum_of_squares/sum_of_squares.hpp"

#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/read/read.hpp"

namespace kernels::sum_of_squares {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<double>(1);
    workspace = {bench::array_of<double>(partials)};
    bytes = inputs[0].bytes();
    flops = 2 * n;  // ·, +
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    return {{"x is negative", {{-0.5, -3, 2, -0.125}}}, {"all are zero", {{0, -0.0}}}};
  }

  using Wide = bench::Wider<double>;  // as the result

  Wide definition(const bench::Arrays& arrays) const {
    const auto* x = arrays.input<Real>(0);
    bench::Sum all;
#pragma omp parallel if (n > bench::worth_a_team)
    {
      bench::Sum mine;
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < n; ++i) mine.add_product(x[i], x[i]);
#pragma omp critical
      all.add(mine);
    }
    return all.value<Wide>();
  }

  // No term is negative, so the result is also the scale.
  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const Wide want = definition(arrays);
    const double eps = std::numeric_limits<Real>::epsilon();
    return bench::check_scaled(
        arrays.output<double>(), bench::Elements::all(1), bench::sum_tolerance<Real>(n), "eps",
        [=](std::size_t) { return want; },
        [=](std::size_t) { return eps * static_cast<double>(want); });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t) const override {
    return {static_cast<double>(definition(arrays))};
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), n, arrays.output<double>(), arrays.work<double>(0));
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

}  // namespace

const bench::Workload workload{
    .name = "sum_of_squares",
    .formula = "sum = x[0]² + x[1]² + …, in float64",
    .lesson = "reductions: a sum of many terms",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 10'000'000},
    .nearer_reference = &read::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::sum_of_squares
