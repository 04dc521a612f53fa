// What C should be: rows and columns of it in more digits, and which rows of a result look wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "harness/workload/verify.hpp"
#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {

/// As many different numbers below n, in order, or all of them.
inline std::vector<std::size_t> some_of(std::size_t count, std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::size_t> some;
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, std::random_device());
  return some;
}

template <class Real>
struct Matrices {
  const Real* a;
  const Real* b;
  const Sum<Real>* c;
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

/// An element of C, and the sum of the magnitudes of its products.
template <class Real>
struct Element {
  bench::Wider<Real> sum = 0;
  double magnitude = 0;
};

/// One row of A times a matrix of `n` columns.
template <class Real>
void multiply_row(const Real* row, const Real* b, std::size_t n, std::size_t k,
                  Element<Real>* elements) {
  using Wide = bench::Wider<Real>;
  std::fill_n(elements, n, Element<Real>());
  for (std::size_t p = 0; p < k; ++p) {
    const auto factor = static_cast<Wide>(row[p]);
    for (std::size_t j = 0; j < n; ++j) {
      const Wide product = factor * static_cast<Wide>(b[p * n + j]);
      elements[j].sum += product;
      elements[j].magnitude += static_cast<double>(std::abs(product));
    }
  }
}

/// These rows of C, one after the other.
template <class Real>
void multiply_rows(const Matrices<Real>& of, const bench::Elements& rows, Element<Real>* elements) {
#pragma omp parallel for schedule(static) if (rows.size() * of.n * of.k > bench::worth_a_team)
  for (std::size_t r = 0; r < rows.size(); ++r) {
    multiply_row(of.a + rows[r] * of.k, of.b, of.n, of.k, elements + r * of.n);
  }
}

/// These columns of C: a matrix of its own.
template <class Real>
std::vector<Element<Real>> columns_of(const Matrices<Real>& of,
                                      const std::vector<std::size_t>& columns) {
  std::vector<Real> b;
  b.reserve(of.k * columns.size());
  for (std::size_t p = 0; p < of.k; ++p) {
    for (const std::size_t j : columns) b.push_back(of.b[p * of.n + j]);
  }
  std::vector<Element<Real>> elements(of.m * columns.size());
  multiply_rows({of.a, b.data(), of.c, of.m, columns.size(), of.k}, bench::Elements::all(of.m),
                elements.data());
  return elements;
}

/// C·r = A·(B·r) for random vectors r (Freivalds 1977): right rows differ by rounding errors only.
/// In each round every column has a random sign in one of the vectors: the fewer columns a vector
/// has, the fewer rounding errors hide that of a wrong element.
template <class Real>
class RandomProducts {
  using Wide = bench::Wider<Real>;
  static constexpr std::size_t rounds = 8;
  static constexpr std::size_t groups = 8;
  static constexpr std::size_t vectors = rounds * groups;

  struct Draw {
    std::uint8_t vector;
    std::int8_t sign;
  };

 public:
  explicit RandomProducts(const Matrices<Real>& of)
      : of_(of), draws_(of.n * rounds), products_(of.k * vectors), scales_(vectors) {
    std::mt19937_64 random(std::random_device{}());
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      const std::uint64_t bits = random();
      draws_[i] = {static_cast<std::uint8_t>(i % rounds * groups + bits % groups),
                   static_cast<std::int8_t>(bits >> 63U != 0 ? 1 : -1)};
    }
    multiply_b();
  }

  /// The rows that are furthest from what they should be, measured by |a|·|b|.
  std::vector<std::size_t> most_suspicious(std::size_t count) const {
    std::vector<double> distance(of_.m);
#pragma omp parallel for schedule(static) if (of_.m * of_.k > bench::worth_a_team)
    for (std::size_t i = 0; i < of_.m; ++i) distance[i] = distance_of(i);
    std::vector<std::size_t> rows(of_.m);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    count = std::min(count, of_.m);
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                      [&](std::size_t x, std::size_t y) { return distance[x] > distance[y]; });
    rows.resize(count);
    return rows;
  }

 private:
  /// B·r, and the length of what each r takes of B.
  void multiply_b() {
    std::vector<double> squares(of_.k * vectors);
#pragma omp parallel for schedule(static) if (of_.k * of_.n > bench::worth_a_team)
    for (std::size_t p = 0; p < of_.k; ++p) {
      for (std::size_t i = 0; i < draws_.size(); ++i) {
        const auto [vector, sign] = draws_[i];
        const auto value = static_cast<Wide>(of_.b[p * of_.n + i / rounds]);
        products_[p * vectors + vector] += sign * value;
        squares[p * vectors + vector] += static_cast<double>(value * value);
      }
    }
    for (std::size_t i = 0; i < squares.size(); ++i) scales_[i % vectors] += squares[i];
    for (double& scale : scales_) scale = std::sqrt(scale);
  }

  double distance_of(std::size_t row) const {
    Wide left[vectors] = {};
    for (std::size_t p = 0; p < of_.k; ++p) {
      const auto factor = static_cast<Wide>(of_.a[row * of_.k + p]);
      for (std::size_t v = 0; v < vectors; ++v) left[v] += factor * products_[p * vectors + v];
    }
    double square = 0;
    for (std::size_t p = 0; p < of_.k; ++p) {
      const auto factor = static_cast<double>(of_.a[row * of_.k + p]);
      square += factor * factor;
    }
    Wide right[vectors] = {};
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      right[draws_[i].vector] +=
          draws_[i].sign * static_cast<Wide>(of_.c[row * of_.n + i / rounds]);
    }
    double worst = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      if (!std::isfinite(left[v])) continue;  // the inputs are not
      const auto error = static_cast<double>(std::abs(left[v] - right[v]));
      if (error == 0) continue;
      const double relative = error / (std::sqrt(square) * scales_[v]);
      worst = std::max(worst,
                       std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative);
    }
    return worst;
  }

  Matrices<Real> of_;
  std::vector<Draw> draws_;     ///< of each column in each round
  std::vector<Wide> products_;  ///< B·r of all vectors, row by row
  std::vector<double> scales_;
};

}  // namespace kernels::matmul
