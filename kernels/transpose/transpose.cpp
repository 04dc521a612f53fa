#include "kernels/transpose/transpose.hpp"

#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::transpose {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t rows;
  std::size_t cols;

  explicit Problem(const bench::Shape& shape) : rows(shape.rows), cols(shape.cols) {
    inputs = {bench::array_of<Real>(shape.elements())};
    output = bench::array_of<Real>(shape.elements());
    output_shape = {cols, rows};
    bytes = inputs[0].bytes() + output.bytes();
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), rows * cols, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double least = std::numeric_limits<Real>::denorm_min();
    return {{"they are not ordinary numbers", {{inf, 1, -inf, nan, -0.0, least, -2}}}};
  }

  auto definition(const bench::Arrays& arrays) const {
    return [in = arrays.input<Real>(0), this](std::size_t k) { return in[*source(k, 0)]; };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    return bench::check_reals(arrays.output<Real>(), elements, bench::exact, definition(arrays));
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::optional<std::size_t> source(std::size_t k, std::size_t /*input*/) const override {
    return k % rows * cols + k / rows;
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [rows = rows, cols = cols](Kernel<Real>* kernel,
                                                 const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), rows, cols);
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
    .name = "transpose",
    .formula = "out[j][i] = in[i][j]",
    .lesson = "matrices: neighbouring threads and neighbouring elements",
    .form = bench::SizeFormat::matrix,
    .tiny = {.rows = 32, .cols = 33},
    .default_shape = {.rows = 4'096, .cols = 4'096},
    .course = {.rows = 16'384, .cols = 16'384},
    .takes_nan = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::transpose
