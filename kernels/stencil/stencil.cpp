#include "kernels/stencil/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::stencil {
namespace {

/// A part of a plate: rows and columns from `top` and `left` on.
struct Part {
  std::size_t top;
  std::size_t left;
  std::size_t rows;
  std::size_t cols;
};

template <class Real>
struct Problem final : bench::Problem {
  using Wide = bench::Wider<Real>;
  using Values = std::unique_ptr<std::byte[]>;

  std::size_t rows;
  std::size_t cols;
  std::size_t steps;

  explicit Problem(const bench::Shape& shape)
      : rows(shape.rows), cols(shape.cols), steps(shape.steps) {
    const std::size_t n = shape.elements();
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    output_shape = {rows, cols};
    workspace = {bench::array_of<Real>(n)};
    parameters = {{"steps", static_cast<double>(steps), static_cast<double>(steps), true}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 6 * n * steps;  // as (1 − 4c)·u + c·(up + down + left + right)
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), rows * cols, 0, 1);
  }

  // Lengths that no shape which is tried is a multiple of.
  std::vector<bench::Edge> edges() const override {
    return {{"they are negative", {{-0.5, -3, 2, -0.125, 0.7, -1.1, 0.3}}},
            {"they are equal", {{0.3}}},
            {"they are very large or tiny",
             {{1e6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}};
  }

  static Values of(std::size_t n) {
    return std::make_unique_for_overwrite<std::byte[]>(n * sizeof(Wide));
  }
  static Wide* in(const Values& values) { return reinterpret_cast<Wide*>(values.get()); }

  /// A row of a part a step later. What needs more than the part stays as it is.
  void step(const Wide* from, Wide* to, const Part& part, std::size_t i) const {
    const Wide* const here = from + i * part.cols;
    Wide* const row = to + i * part.cols;
    std::copy_n(here, part.cols, row);
    if (i == 0 || i + 1 == part.rows) return;
    const Wide* const up = here - part.cols;
    const Wide* const down = here + part.cols;
    for (std::size_t j = 1; j + 1 < part.cols; ++j) {
      const Wide all = up[j] + down[j] + here[j - 1] + here[j + 1];
      row[j] = here[j] + static_cast<Wide>(conduction) * (all - 4 * here[j]);
    }
  }

  /// A part after all steps, right where the part has all that its elements depend on; of |u| where
  /// these are the magnitudes of the terms that are wanted.
  Values definition(const Real* u, const Part& part, bool magnitudes) const {
    const std::size_t n = part.rows * part.cols;
    Values from = of(n);
    Values to = of(n);
#pragma omp parallel if (n > bench::worth_a_team)
    {
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < part.rows; ++i) {
        const Real* const row = u + (part.top + i) * cols + part.left;
        for (std::size_t j = 0; j < part.cols; ++j) {
          in(from)[i * part.cols + j] = magnitudes ? std::abs(row[j]) : row[j];
        }
      }
      for (std::size_t done = 0; done < steps; ++done) {
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < part.rows; ++i) step(in(from), in(to), part, i);
#pragma omp single
        std::swap(from, to);
      }
    }
    return from;
  }

  Part whole() const { return {0, 0, rows, cols}; }

  /// A step errs by 5.5 eps of the mean magnitude of its five terms at most: half an eps for each
  /// of three sums, the difference, the constant, the product and the last sum.
  double tolerance() const { return 6 * static_cast<double>(steps); }

  bench::Verdict check(const bench::Arrays& arrays,
                       const bench::Elements& elements) const override {
    const auto* const u = arrays.input<Real>(0);
    const std::size_t n = rows * cols;
    Values mine;
    Values& reference = arrays.kept != nullptr ? *arrays.kept : mine;
    if (!reference) reference = definition(u, whole(), false);
    const Wide* const want = in(reference);
    const bool mixed = std::any_of(u, u + n, [](Real one) { return one < 0; });
    const Values magnitudes = mixed ? definition(u, whole(), true) : Values();
    const Wide* const scale = mixed ? in(magnitudes) : want;
    return bench::check_in_eps(
        arrays.output<Real>(), elements, tolerance(), [=](std::size_t k) { return want[k]; },
        [=](std::size_t k) { return static_cast<double>(scale[k]); });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    if (count == 0) return {};
    const Part first{0, 0, std::min(rows, (count - 1) / cols + steps + 2), cols};
    const Values values = definition(arrays.input<Real>(0), first, false);
    return bench::first(count, [&](std::size_t k) { return in(values)[k]; });
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [rows = rows, cols = cols, steps = steps](Kernel<Real>* kernel,
                                                                const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), arrays.work<Real>(0), rows, cols, steps);
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
    .name = "stencil",
    .formula = "u'[i][j] = u + 0.2·(up + down + left + right − 4u), several times",
    .lesson = "neighbours: each element is wanted five times, and again in the next step",
    .form = bench::SizeFormat::stepped,
    .tiny = {.rows = 33, .cols = 34, .steps = 3},
    .default_shape = {.rows = 4'096, .cols = 4'096, .steps = 8},
    .course = {.rows = 1'024, .cols = 1'024, .steps = 100},
    .only_by_name = true,
    .overlaps = false,
    .make = bench::make<Problem>,
};

}  // namespace kernels::stencil
