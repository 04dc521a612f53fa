#include "kernels/broadcast_add/broadcast_add.hpp"

#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::broadcast_add {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t rows;
  std::size_t cols;

  explicit Problem(const bench::Shape& shape) : rows(shape.rows), cols(shape.cols) {
    inputs = {bench::array_of<Real>(rows * cols), bench::array_of<Real>(cols)};
    input_shapes = {{rows, cols}, {cols}};
    output = bench::array_of<Real>(rows * cols);
    output_shape = {rows, cols};
    bytes = inputs[0].bytes() + inputs[1].bytes() + output.bytes();
    flops = shape.elements();
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), rows * cols, 0, 1);
    random.uniform(arrays.mutable_input<Real>(1), cols, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return {{"they are negative", {{-1, 0.5, -0.25}, {0.5, -2, -0.125, 3}}},
            {"they cancel", {{1, -2.5, 1e30}, {-1, 2.5, -1e30}}},
            {"one is infinite", {{inf, 1, -inf}, {1, -2, 3}}}};
  }

  auto definition(const bench::Arrays& arrays) const {
    return [in = arrays.input<Real>(0), v = arrays.input<Real>(1), cols = cols](std::size_t k) {
      return static_cast<double>(in[k]) + static_cast<double>(v[k % cols]);
    };
  }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    return bench::check_reals(arrays.output<Real>(), elements, bench::exact, definition(arrays));
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, definition(arrays));
  }

  std::optional<std::size_t> source(std::size_t k, std::size_t input) const override {
    return input == 0 ? k : k % cols;
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
    .name = "broadcast_add",
    .formula = "out[i][j] = a[i][j] + v[j]",
    .lesson = "broadcasting: data that are used again need not be moved again",
    .form = bench::SizeFormat::matrix,
    .tiny = {.rows = 4, .cols = 4},
    .default_shape = {.rows = 4'096, .cols = 4'096},
    .course = {.rows = 4, .cols = 4},
    .takes_nan = true,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::broadcast_add
