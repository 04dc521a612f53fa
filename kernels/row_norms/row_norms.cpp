#include "kernels/row_norms/row_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/read/read.hpp"

namespace kernels::row_norms {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t rows;
  std::size_t cols;

  explicit Problem(const bench::Shape& shape) : rows(shape.rows), cols(shape.cols) {
    inputs = {bench::array_of<Real>(shape.elements())};
    output = bench::array_of<Real>(rows);
    workspace = {bench::array_of<double>(most_parts)};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 2 * shape.elements() + rows;  // ·, + of each element; √ of each row
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), rows * cols, -1, 1);
  }

  std::vector<bench::Edge> edges() const override {
    return {{"all are zero", {{0, -0.0}}}, {"they are large", {{1e6, -3e6, 2e3}}}};
  }

  using Wide = bench::Wider<Real>;

  std::vector<Wide> definition(const bench::Arrays& arrays, std::size_t count) const {
    std::vector<Wide> norms(count);
#pragma omp parallel for schedule(static) if (count * cols > bench::worth_a_team)
    for (std::size_t i = 0; i < count; ++i) {
      const Real* const row = arrays.input<Real>(0) + i * cols;
      bench::Sum squares;
      for (std::size_t j = 0; j < cols; ++j) squares.add_product(row[j], row[j]);
      norms[i] = std::sqrt(squares.value<Wide>());
    }
    return norms;
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    // A square below the smallest double is rounded to a multiple of 2^-1074, or with FMA only
    // after it has been added. The norm of such numbers is not known more precisely than this.
    const double underflow = std::sqrt(static_cast<double>(cols)) * 0x1p-537;
    constexpr auto eps = static_cast<double>(std::numeric_limits<Real>::epsilon());
    const std::vector<Wide> norms = definition(arrays, rows);
    return bench::check_scaled(
        arrays.output<Real>(), bench::Elements::all(rows), bench::sum_tolerance<Real>(cols), "eps",
        [&](std::size_t i) { return norms[i]; },
        [&](std::size_t i) { return std::max(eps * static_cast<double>(norms[i]), underflow); });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const std::vector<Wide> norms = definition(arrays, count);
    return {norms.begin(), norms.end()};
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [rows = rows, cols = cols](Kernel<Real>* kernel,
                                                 const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), rows, cols, arrays.work<double>(0));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>(
          {{bench::backends::serial, serial<Isa, Real>()},
           {bench::backends::openmp, openmp<Isa, Real>()},
           {bench::backends::cuda, cuda<Real>()},
           {bench::backends::cuda, library<Real>(), bench::by_library}},
          call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "row_norms",
    .formula = "out[i] = √(in[i][0]² + in[i][1]² + …)",
    .lesson = "matrices: neighbouring threads and neighbouring elements",
    .form = bench::SizeFormat::matrix,
    .tiny = {.rows = 32, .cols = 33},
    .default_shape = {.rows = 4'096, .cols = 4'096},
    .course = {.rows = 10, .cols = 2},
    .nearer_reference = &read::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::row_norms
