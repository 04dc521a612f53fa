// Results compared with the reference result, element by element, in more digits than they have.
//
// Compiled without fast-math, with which even `!(error <= tolerance)` may accept NaN.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/team.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// How far a result may be from the reference result, in units in the last place of the correct
/// result.
struct Tolerance {
  double ulps;
};
constexpr Tolerance exact{0};
constexpr Tolerance ulps(double value) { return {value}; }

/// Every output byte has this value before a variant runs, so that what it leaves out shows.
/// As float or double the pattern is a NaN that no arithmetic produces, as a count the largest.
constexpr unsigned char poison_byte = 0xFF;

/// True where an element still holds the poison.
template <class T>
bool is_poison(const T& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (bytes[i] != poison_byte) return false;
  }
  return true;
}

/// The type of the reference result of Reals: more digits than they have.
template <class Real>
using Wider = std::conditional_t<std::is_same_v<Real, double>, long double, double>;

/// The unit in the last place of a finite value: 2^e·eps, and the least number of all where that is
/// less.
template <class Real>
double unit_in_last_place(Real value) {
  using Bits =
      std::conditional_t<sizeof(Real) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  using Limits = std::numeric_limits<Real>;
  constexpr auto exponent = std::bit_cast<Bits>(Limits::infinity());
  const auto power = std::bit_cast<Real>(std::bit_cast<Bits>(value) & exponent);
  return std::max(static_cast<double>(power) * Limits::epsilon(),
                  static_cast<double>(Limits::denorm_min()));
}

/// The distance of `got` from `want` in units in the last place of Real at `want`; infinite where
/// one is NaN or infinite and the other is not the same.
template <class Real>
double ulp_error(Real got, Wider<Real> want) {
  if constexpr (std::is_integral_v<Real>) {
    return std::abs(got - want);
  } else {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (std::isnan(want)) return std::isnan(got) ? 0 : infinite;
    const auto rounded = static_cast<Real>(want);
    if (got == rounded) return 0;
    if (std::isnan(got) || std::isinf(got) || std::isinf(rounded)) return infinite;
    return static_cast<double>(std::abs(static_cast<Wider<Real>>(got) - want)) /
           unit_in_last_place(rounded);
  }
}

/// What a pass over all elements found; `merge` makes the pass parallel.
struct Findings {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  double max_error = 0;
  std::size_t unwritten = 0;
  std::size_t wrong = 0;
  std::size_t first_unwritten = nowhere;
  std::size_t first_wrong = nowhere;

  void note_unwritten(std::size_t i) {
    ++unwritten;
    first_unwritten = std::min(first_unwritten, i);
    max_error = std::numeric_limits<double>::infinity();
  }
  void note(std::size_t i, double error, double tolerance) {
    max_error = std::max(max_error, error);
    if (error <= tolerance && std::isfinite(error)) return;
    ++wrong;
    first_wrong = std::min(first_wrong, i);
  }
  void merge(const Findings& other) {
    max_error = std::max(max_error, other.max_error);
    unwritten += other.unwritten;
    wrong += other.wrong;
    first_unwritten = std::min(first_unwritten, other.first_unwritten);
    first_wrong = std::min(first_wrong, other.first_wrong);
  }
};

/// `1.5 instead of 2 (error 4.19e+06 eps, tolerance 4)`.
Reason describe_difference(double got, double want, int digits, double error, const char* metric,
                           double tolerance);
/// Turns findings among these elements into a verdict; `describe(i)` says what is at element i
/// and what should.
Verdict judge(const Findings& findings, const Elements& elements, const char* metric,
              double tolerance, const std::function<Reason(std::size_t)>& describe);

/// `1.5 instead of 2 (error 4.19e+06 ulp, tolerance 4)`, with as many digits as Real has.
template <class Real>
Reason describe_difference(Real got, Wider<Real> want, Tolerance tolerance) {
  using Limits = std::numeric_limits<Real>;
  constexpr int digits = Limits::is_integer ? Limits::digits10 + 1 : Limits::max_digits10;
  return describe_difference(got, static_cast<double>(want), digits, ulp_error(got, want), "ulp",
                             tolerance.ulps);
}

/// Compares these results with `definition(i)`, as Wider<Real>; each may be off by
/// `error_of(i, want)` as large as the tolerance. By blocks, of which most are right to the last
/// bit: that is seen without a branch, of simple definitions by vectors of elements at once.
template <class Real, class Definition, class ErrorOf>
Findings findings_of(const Real* output, const Elements& elements, double tolerance,
                     Definition definition, ErrorOf error_of) {
  constexpr std::size_t block = 256;
  const std::size_t size = elements.size();
  Findings all;
#pragma omp parallel if (size > worth_a_team)
  {
    Findings mine;
    std::array<Wider<Real>, block> want;
#pragma omp for schedule(static)
    for (std::size_t begin = 0; begin < size; begin += block) {
      const std::size_t count = std::min(block, size - begin);
      unsigned differing = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = elements[begin + k];
        want[k] = static_cast<Wider<Real>>(definition(i));
        differing |= output[i] == static_cast<Real>(want[k]) ? 0U : 1U;
      }
      for (std::size_t k = 0; k < count && differing != 0; ++k) {
        const std::size_t i = elements[begin + k];
        if (output[i] == static_cast<Real>(want[k])) continue;  // a count may be the poison's
        if (is_poison(output[i])) {
          mine.note_unwritten(i);
        } else {
          mine.note(i, error_of(i, want[k]), tolerance);
        }
      }
    }
#pragma omp critical
    all.merge(mine);
  }
  return all;
}

/// Compares these results with `definition(i)`, as Wider<Real>.
template <class Real, class Definition>
Verdict check_reals(const Real* output, const Elements& elements, Tolerance tolerance,
                    Definition definition) {
  const Findings all =
      findings_of(output, elements, tolerance.ulps, definition,
                  [&](std::size_t i, Wider<Real> want) { return ulp_error(output[i], want); });
  return judge(all, elements, "ulp", tolerance.ulps, [&](std::size_t i) {
    return describe_difference(output[i], static_cast<Wider<Real>>(definition(i)), tolerance);
  });
}

/// While this lives, these elements of a kept reference are those of the inputs of now.
template <class Value>
class Renewed {
 public:
  template <class Definition>
  Renewed(Value* values, const Elements& elements, Definition definition)
      : values_(values), elements_(elements) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const std::size_t i = elements[k];
      before_.push_back(std::exchange(values_[i], definition(i)));
    }
  }
  /// Backwards: an element may be there twice.
  ~Renewed() {
    for (std::size_t k = before_.size(); k-- > 0;) values_[elements_[k]] = before_[k];
  }
  Renewed(const Renewed&) = delete;
  Renewed& operator=(const Renewed&) = delete;

 private:
  Value* values_;
  const Elements& elements_;
  std::vector<Value> before_;
};

/// A reference for `count` elements whose values are computed once where the arrays keep them: for
/// one that takes longer than reading a number.
template <class Definition>
auto kept(const Arrays& arrays, std::size_t count, Definition definition) {
  using Value = std::invoke_result_t<Definition, std::size_t>;
  if (arrays.kept != nullptr && !*arrays.kept) {
    auto bytes = std::make_unique_for_overwrite<std::byte[]>(count * sizeof(Value));
    auto* const values = reinterpret_cast<Value*>(bytes.get());
#pragma omp parallel for schedule(static) if (count > worth_a_team)
    for (std::size_t i = 0; i < count; ++i) values[i] = definition(i);
    *arrays.kept = std::move(bytes);
  }
  auto* const values =
      arrays.kept != nullptr ? reinterpret_cast<Value*>(arrays.kept->get()) : nullptr;
  std::shared_ptr<const Renewed<Value>> renewed;
  if (values != nullptr && arrays.changed != nullptr) {
    renewed = std::make_shared<const Renewed<Value>>(values, *arrays.changed, definition);
  }
  return [values, definition, renewed](std::size_t i) {
    return values != nullptr ? values[i] : definition(i);
  };
}

/// The distance of `got` from `want` in units of `scale`; 0 where both are NaN or, rounded to Real,
/// the same; infinite where only one is finite, and where they differ although the scale is 0.
template <class Real>
double scaled_error(Real got, Wider<Real> want, double scale) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (std::isnan(want)) return std::isnan(got) ? 0 : infinite;
  const auto rounded = static_cast<Real>(want);
  if (got == rounded) return 0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return infinite;
  const auto error = static_cast<double>(std::abs(static_cast<Wider<Real>>(got) - want));
  return scale > 0 ? error / scale : infinite;
}

/// Checks as check_reals does, the error of element i in units of `scale(i)`, called `metric`: for
/// results whose distance in ulp says nothing, because terms cancel.
template <class Real, class Definition, class Scale>
Verdict check_scaled(const Real* output, const Elements& elements, double tolerance,
                     const char* metric, Definition definition, Scale scale) {
  const auto error_of = [&](std::size_t i, Wider<Real> want) {
    return scaled_error(output[i], want, scale(i));
  };
  const Findings all = findings_of(output, elements, tolerance, definition, error_of);
  return judge(all, elements, metric, tolerance, [&](std::size_t i) {
    const auto want = static_cast<Wider<Real>>(definition(i));
    return describe_difference(static_cast<double>(output[i]), static_cast<double>(want),
                               std::numeric_limits<Real>::max_digits10, error_of(i, want), metric,
                               tolerance);
  });
}

/// The same in units of eps(Real)·`scale(i)`: what one rounding of a number of that size may cost.
template <class Real, class Definition, class Scale>
Verdict check_in_eps(const Real* output, const Elements& elements, double tolerance,
                     Definition definition, Scale scale) {
  constexpr auto eps = static_cast<double>(std::numeric_limits<Real>::epsilon());
  return check_scaled(output, elements, tolerance, "eps", definition,
                      [=](std::size_t i) { return eps * scale(i); });
}

/// A sum whose rounding errors are kept and added at the end (Neumaier 1974): about as good as one
/// in twice the precision of Number.
template <class Number>
class SumIn {
 public:
  void add(Number term) {
    const Number sum = total_ + term;
    lost_ += std::abs(total_) >= std::abs(term) ? (total_ - sum) + term : (term - sum) + total_;
    total_ = sum;
  }
  /// x·y, with the rounding error of the product.
  void add_product(Number x, Number y) {
    const Number product = x * y;
    add(product);
    lost_ += std::fma(x, y, -product);
  }
  void add(const SumIn& other) {
    add(other.total_);
    lost_ += other.lost_;
  }
  template <class Wide = Number>
  Wide value() const {
    return std::isfinite(total_) ? static_cast<Wide>(total_) + lost_ : total_;
  }

 private:
  Number total_ = 0;
  Number lost_ = 0;
};
using Sum = SumIn<double>;

/// How far a sum of this many terms t may be from the right one, in units of eps(Real)·Σ|t|: at
/// most 64 terms may be added one after the other in Real, longer sums go on in double, in any
/// order: a plain double loop errs by eps/2 of the sum per term at most, which data that are all
/// equal come near. Blocks, lanes, trees and shuffles are within it, a float total is not.
template <class Real>
double sum_tolerance(std::size_t terms) {
  constexpr double ratio = std::numeric_limits<double>::epsilon() /
                           static_cast<double>(std::numeric_limits<Real>::epsilon());
  const auto m = static_cast<double>(terms);
  return std::min(m, 64.0) + 2 + m / 2 * ratio;
}

/// The reference results of the first elements.
template <class Definition>
std::vector<double> first(std::size_t count, Definition definition) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(definition(i)));
  return values;
}

/// Compares counts, which must be equal.
Verdict check_counts(const std::uint32_t* output, const std::vector<std::uint32_t>& expected);

}  // namespace bench
