#include "kernels/column_sums/column_sums.hpp"

#include <algorithm>
#include <cmath>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/read/read.hpp"

namespace kernels::column_sums {
namespace {

/// The definition of one column: the sum of its elements and the sum of their magnitudes.
struct Column {
  bench::Sum sum;
  bench::Sum size;
};

template <class Real>
struct Problem final : bench::Problem {
  std::size_t rows;
  std::size_t cols;

  explicit Problem(const bench::Shape& shape) : rows(shape.rows), cols(shape.cols) {
    inputs = {bench::array_of<Real>(shape.elements())};
    output = bench::array_of<Real>(cols);
    workspace = {bench::array_of<double>(std::max(cols, most_side_by_side))};
    bytes = inputs[0].bytes() + output.bytes();
    flops = shape.elements();
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), rows * cols, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    return {{"they are negative", {{-0.5, -3, -0.125}}},
            {"they cancel", {{1e3, -1e3, 0.5, -0.25}}},
            {"all are zero", {{0, -0.0}}}};
  }

  /// Sums in tiles, so that the reference check also reads neighbours and can be divided for any
  /// shape.
  std::vector<Column> definition(const bench::Arrays& arrays, std::size_t count) const {
    constexpr std::size_t tall = 16'384;
    constexpr std::size_t broad = 256;
    std::vector<Column> columns(count);
#pragma omp parallel for collapse(2) schedule(static) if (rows * count > bench::worth_a_team)
    for (std::size_t left = 0; left < count; left += broad) {
      for (std::size_t top = 0; top < rows; top += tall) {
        const std::size_t right = std::min(left + broad, count);
        std::vector<Column> part(right - left);
        for (std::size_t i = top; i < std::min(top + tall, rows); ++i) {
          for (std::size_t j = left; j < right; ++j) {
            const auto value = static_cast<double>(arrays.input<Real>(0)[i * cols + j]);
            part[j - left].sum.add(value);
            part[j - left].size.add(std::abs(value));
          }
        }
#pragma omp critical
        for (std::size_t j = left; j < right; ++j) {
          columns[j].sum.add(part[j - left].sum);
          columns[j].size.add(part[j - left].size);
        }
      }
    }
    return columns;
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const std::vector<Column> columns = definition(arrays, cols);
    return bench::check_in_eps(
        arrays.output<Real>(), bench::Elements::all(cols), bench::sum_tolerance<Real>(rows),
        [&](std::size_t j) { return columns[j].sum.value<bench::Wider<Real>>(); },
        [&](std::size_t j) { return columns[j].size.value(); });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const std::vector<Column> columns = definition(arrays, count);
    return bench::first(count, [&](std::size_t j) { return columns[j].sum.value(); });
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [rows = rows, cols = cols](Kernel<Real>* kernel,
                                                 const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), rows, cols, arrays.work<double>(0));
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
    .name = "column_sums",
    .formula = "out[j] = in[0][j] + in[1][j] + …",
    .lesson = "matrices: neighbouring threads and neighbouring elements",
    .form = bench::SizeFormat::matrix,
    .tiny = {.rows = 33, .cols = 32},
    .default_shape = {.rows = 4'096, .cols = 4'096},
    .course = {.rows = 16'384, .cols = 16'384},
    .nearer_reference = &read::workload,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::column_sums
