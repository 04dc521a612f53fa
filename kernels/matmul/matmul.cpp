#include "kernels/matmul/matmul.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/matmul/reference.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::matmul {
namespace {

/// The most products of which the whole result is compared: a reference of a second on one core. An
/// element costs as much as some products.
constexpr std::size_t most_products = std::size_t{1} << 27U;
constexpr std::size_t products_of_an_element = 16;
/// Beyond it, as many rows and columns that are drawn, and rows that look wrong.
constexpr std::size_t lines = 32;

template <class Real>
struct Problem final : bench::Problem {
  static constexpr bool in_halves = std::is_same_v<Real, bench::Half>;

  std::size_t m;
  std::size_t n;
  std::size_t k;

  explicit Problem(const bench::Shape& shape) : m(shape.rows), n(shape.cols), k(shape.inner) {
    inputs = {bench::array_of<Real>(m * k), bench::array_of<Real>(k * n)};
    input_shapes = {{m, k}, {k, n}};
    output = bench::array_of<Sum<Real>>(m * n);
    output_shape = {m, n};
    const std::size_t converted = in_halves ? (m + n) * k : 0;
    workspace = {bench::array_of<Sum<Real>>((m + n + 2 * most_of_a_tile) * k + converted)};
    bytes = inputs[0].bytes() + inputs[1].bytes() + output.bytes();
    flops = 2 * m * n * k;
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      random.uniform(arrays.mutable_input<Real>(i), inputs[i].count, -1, 1);
    }
  }

  // Lengths without a common divisor: no two elements of C are equal.
  std::vector<bench::Edge> edges() const override {
    const std::vector<double> a{0.5, -1.25, 2, 0.1, -0.7};
    const std::vector<double> b{0.3, -0.2, 1.5, 0.9, -2, 0.6, -0.4};
    const std::vector<double> mostly_zero{0, 0, 0, 3, 0, 0, 0, 0, -2, 0, 0};
    return {{"most of A is zero", {mostly_zero, b}},
            {"most of B is zero", {a, mostly_zero}},
            {"all is zero", {{0}, {0}}},
            {"products differ by many orders", {{1e3, -1e-3, 20, 1e-6, -7}, b}}};
  }

  Matrices<Real> matrices(const bench::Arrays& arrays) const {
    return {arrays.input<Real>(0), arrays.input<Real>(1), arrays.output<Sum<Real>>(), m, n, k};
  }

  /// Each product and each addition has an error of at most half an eps of the sum so far; of many
  /// that are independent of each other, √k add up.
  template <class ElementOf>
  bench::Verdict compare(const bench::Arrays& arrays, bench::Elements elements,
                         ElementOf element_of) const {
    const double tolerance = 2 + std::sqrt(static_cast<double>(k));
    return bench::check_in_eps(
        arrays.output<Sum<Real>>(), elements, tolerance,
        [&](std::size_t e) { return element_of(e).sum; },
        [&](std::size_t e) { return element_of(e).magnitude; });
  }

  bench::Verdict check_all(const bench::Arrays& arrays) const {
    bench::ReferenceResult mine;
    bench::ReferenceResult& reference = arrays.kept != nullptr ? *arrays.kept : mine;
    if (!reference) {
      auto computed = std::make_unique<std::byte[]>(m * n * sizeof(Element<Real>));
      multiply_rows(matrices(arrays), bench::Elements::all(m),
                    reinterpret_cast<Element<Real>*>(computed.get()));
      reference = std::move(computed);
    }
    const auto* const elements = reinterpret_cast<const Element<Real>*>(reference.get());
    return compare(arrays, bench::Elements::all(m * n), [=](std::size_t e) { return elements[e]; });
  }

  /// The first row with an element that was not written at all.
  std::optional<std::size_t> unwritten_row(const bench::Arrays& arrays) const {
    const auto* const c = arrays.output<Sum<Real>>();
    const auto* const found =
        std::find_if(c, c + m * n, [](const auto& one) { return bench::is_poison(one); });
    if (found == c + m * n) return {};
    return static_cast<std::size_t>(found - c) / n;
  }

  /// Rows that are drawn, that look wrong or that were not written.
  bench::Verdict check_rows(const bench::Arrays& arrays) const {
    const Matrices<Real> all = matrices(arrays);
    std::vector<std::size_t> rows = some_of(lines, m);
    if (m > lines) {
      const auto suspects = RandomProducts<Real>(all).most_suspicious(lines);
      rows.insert(rows.end(), suspects.begin(), suspects.end());
      if (const auto unwritten = unwritten_row(arrays)) rows.push_back(*unwritten);
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    }
    std::vector<Element<Real>> elements(rows.size() * n);
    multiply_rows(all, bench::Elements::some(rows), elements.data());
    std::vector<std::size_t> which;
    for (const std::size_t row : rows) {
      for (std::size_t j = 0; j < n; ++j) which.push_back(row * n + j);
    }
    return compare(arrays, bench::Elements::some(std::move(which)), [&](std::size_t e) {
      const auto row = std::lower_bound(rows.begin(), rows.end(), e / n);
      return elements[static_cast<std::size_t>(row - rows.begin()) * n + e % n];
    });
  }

  bench::Verdict check_columns(const bench::Arrays& arrays) const {
    const std::vector<std::size_t> columns = some_of(lines, n);
    const std::vector<Element<Real>> elements = columns_of(matrices(arrays), columns);
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < m; ++i) {
      for (const std::size_t column : columns) which.push_back(i * n + column);
    }
    return compare(arrays, bench::Elements::some(std::move(which)), [&](std::size_t e) {
      const auto column = std::lower_bound(columns.begin(), columns.end(), e % n);
      const auto at = static_cast<std::size_t>(column - columns.begin());
      return elements[e / n * columns.size() + at];
    });
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    if (m * n * (k + products_of_an_element) <= most_products) return check_all(arrays);
    bench::Verdict of_rows = check_rows(arrays);
    if (!of_rows.passed || m <= lines) return of_rows;
    bench::Verdict of_columns = check_columns(arrays);
    of_columns.max_error = std::max(of_columns.max_error, of_rows.max_error);
    return of_columns;
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const Matrices<Real> all = matrices(arrays);
    return bench::first(count, [&](std::size_t e) {
      bench::Wider<Real> sum = 0;
      for (std::size_t p = 0; p < k; ++p) {
        sum += static_cast<bench::Wider<Real>>(all.a[e / n * k + p]) *
               static_cast<bench::Wider<Real>>(all.b[p * n + e % n]);
      }
      return sum;
    });
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [m = m, n = n, k = k](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.output<Sum<Real>>(), m, n, k);
    };
    const auto pack = [m = m, n = n, k = k](Packing<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.output<Sum<Real>>(), m, n, k,
             arrays.work<Sum<Real>>(0));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      std::vector<bench::BoundVariant> all;
      const auto add = [&](const bench::Backend& backend, bench::Ladder<Kernel<Real>> ladder,
                           bench::Ladder<Packing<Real>> packing,
                           bench::Ladder<Kernel<Real>> library) {
        for (auto&& rungs :
             {bench::bind<Kernel<Real>>({{backend, ladder}}, call),
              bench::bind<Packing<Real>>({{backend, packing}}, pack),
              bench::bind<Kernel<Real>>({{backend, library, bench::by_library}}, call)}) {
          all.insert(all.end(), rungs.begin(), rungs.end());
        }
      };
      if constexpr (in_halves) {
        add(bench::backends::serial, serial<Isa, Real>(), packing_serial<Isa, Real>(), {});
        add(bench::backends::openmp, openmp<Isa, Real>(), packing_openmp<Isa, Real>(), {});
        add(bench::backends::cuda, cuda<Real>(), {}, library<Real>());
      } else {
        add(bench::backends::serial, serial<Isa, Real>(), packing_serial<Isa, Real>(),
            serial_library<Real>());
        add(bench::backends::openmp, openmp<Isa, Real>(), packing_openmp<Isa, Real>(),
            openmp_library<Real>());
        add(bench::backends::stdpar, stdpar<Isa, Real>(), {}, {});
        add(bench::backends::cuda, cuda<Real>(), {}, library<Real>());
        add(bench::backends::target, target<Real>(), {}, {});
      }
      return all;
    });
  }
};

constexpr bench::Dtype precisions[] = {bench::Dtype::f32, bench::Dtype::f64, bench::Dtype::f16};

std::unique_ptr<bench::Problem> make(bench::Dtype dtype, const bench::Shape& shape) {
  if (dtype == bench::Dtype::f16) return std::make_unique<Problem<bench::Half>>(shape);
  return bench::make<Problem>(dtype, shape);
}

}  // namespace

const bench::Workload workload{
    .name = "matmul",
    .formula = "C[i][j] = Σₚ A[i][p]·B[p][j]",
    .lesson = "reuse: caches, shared memory and registers",
    .form = bench::SizeFormat::product,
    .tiny = {.rows = 33, .cols = 34, .inner = 35},
    .default_shape = {.rows = 1'024, .cols = 1'024, .inner = 1'024},
    .course = {.rows = 512, .cols = 512, .inner = 512},
    .nearer_reference = &multiply_add::workload,
    .only_by_name = true,
    .dtypes = precisions,
    .memory_bound = false,
    .overlaps = false,
    .make = make,
};

}  // namespace kernels::matmul
