#include "kernels/matrix_add/matrix_add.hpp"

#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/add/add.hpp"

namespace kernels::matrix_add {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t rows;
  std::size_t cols;

  explicit Problem(const bench::Shape& shape) : rows(shape.rows), cols(shape.cols) {
    inputs = {bench::array_of<Real>(shape.elements()), bench::array_of<Real>(shape.elements())};
    output = bench::array_of<Real>(shape.elements());
    output_shape = {rows, cols};
    bytes = inputs[0].bytes() + inputs[1].bytes() + output.bytes();
    flops = shape.elements();
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), rows * cols, 0, 1);
    random.uniform(arrays.mutable_input<Real>(1), rows * cols, 0, 1);
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
    const auto call = [rows = rows, cols = cols](Kernel<Real>* kernel,
                                                 const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.output<Real>(), rows, cols);
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
    .name = "matrix_add",
    .formula = "c[i][j] = a[i][j] + b[i][j]",
    .lesson = "matrices: neighbouring threads and neighbouring elements",
    .form = bench::SizeFormat::matrix,
    .tiny = {.rows = 32, .cols = 33},
    .default_shape = {.rows = 4'096, .cols = 4'096},
    .course = {.rows = 4'096, .cols = 4'096},
    .nearer_reference = &add::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::matrix_add
