#include "kernels/histogram/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/read/read.hpp"

namespace kernels::histogram {
namespace {

/// The bin of each element. Elements so near to a bound that another rounding of the position
/// changes their bin may be counted in either. Elements equal to hi may be counted too, as NumPy
/// does.
struct Places {
  std::vector<Count> sure;   ///< of each bin
  std::vector<Count> near;   ///< of each bound: the first is lo, the last hi
  std::vector<Count> exact;  ///< of each bin, near or not
};

template <class Real>
Places places_of(const Real* x, std::size_t n, std::size_t bins, double lo, double hi) {
  constexpr double two_ulps = 2 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  Places all{std::vector<Count>(bins), std::vector<Count>(bins + 1), std::vector<Count>(bins)};
  Count* const sure = all.sure.data();
  Count* const near = all.near.data();
  Count* const exact = all.exact.data();
  const double width = (hi - lo) / static_cast<double>(bins);
#pragma omp parallel for reduction(+ : sure[:bins], near[:bins + 1], exact[:bins]) \
    if (n > bench::worth_a_team)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] == hi) ++near[bins];
    if (!(x[i] >= lo && x[i] < hi)) continue;
    const double position = (x[i] - lo) / width;
    const auto bin = std::min(static_cast<std::size_t>(position), bins - 1);
    const double bound = std::round(position);
    const double from_lo = bound * width;
    const double tolerance = two_ulps * std::max(from_lo, std::abs(lo + from_lo));
    const bool inner = bound > 0 && bound < static_cast<double>(bins);
    const bool is_near = inner && std::abs(x[i] - (lo + from_lo)) <= tolerance;
    ++(is_near ? near[static_cast<std::size_t>(bound)] : sure[bin]);
    ++exact[bin];
  }
  return all;
}

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;
  std::size_t bins;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()), bins(shape.bins) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Count>(bins);
    parameters = {{"lo", -4, -1.5}, {"hi", 4, 2.25}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 2 * n;  // −, ·
  }

  bench::Reason unsupported() const override { return bench::beyond_32_bits(n); }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.normal(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  std::vector<bench::Edge> edges() const override {
    constexpr Real inf = std::numeric_limits<Real>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto lo = static_cast<Real>(parameter(0));
    const auto hi = static_cast<Real>(parameter(1));
    std::vector<double> bounds;
    for (std::size_t b = 0; b <= bins; ++b) {
      const double bound = lo + (hi - lo) * static_cast<double>(b) / static_cast<double>(bins);
      bounds.insert(bounds.end(), {bound, bound - 1e-5, bound + 1e-5});
    }
    return {{"x is next to a bound of a bin", {bounds}},
            {"x is next to lo", {{lo, std::nextafter(lo, -inf), std::nextafter(lo, inf), 0, lo}}},
            {"x is next to hi", {{hi, std::nextafter(hi, -inf), std::nextafter(hi, inf), -0.0}}},
            {"x is outside of [lo, hi)", {{lo - 0.3, 0, hi + 0.3, -1e4, 1e4, -1e30, 1e30}}},
            {"x is infinite", {{inf, 0, -inf}}},
            {"x is NaN", {{nan, 1, 2}}},
            {"all are in one bin", {{0.1}}}};
  }

  Places places(const bench::Arrays& arrays) const {
    return places_of(arrays.input<Real>(0), n, bins, parameter(0), parameter(1));
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const auto* const counts = arrays.output<Count>();
    const Places right = places(arrays);
    bench::Findings findings;
    // Of the elements near the lower bound, how many the bin below has counted.
    double below = 0;
    for (std::size_t b = 0; b < bins; ++b) {
      const double above = counts[b] - (static_cast<double>(right.sure[b]) + right.near[b] - below);
      const double possible = std::clamp(above, 0.0, static_cast<double>(right.near[b + 1]));
      if (above != possible && bench::is_poison(counts[b])) {
        findings.note_unwritten(b);
      } else {
        findings.note(b, std::abs(above - possible), 0);
      }
      below = possible;
    }
    return bench::judge(findings, bench::Elements::all(bins), "count", 0, [&](std::size_t b) {
      return fmt::format("{} instead of {}", counts[b], right.exact[b]);
    });
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const std::vector<Count> counts = places(arrays).exact;
    return {counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n, bins = bins, lo = static_cast<Real>(parameter(0)),
                       hi = static_cast<Real>(parameter(1))](Kernel<Real>* kernel,
                                                             const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), n, arrays.output<Count>(), bins, lo, hi);
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
    .name = "histogram",
    .formula = "counts of ⌊(x−lo)/(hi−lo)·bins⌋ for lo ≤ x < hi",
    .lesson = "shared counters: races, atomics, privatisation",
    .form = bench::SizeFormat::binned,
    .tiny = {.cols = 1'000, .bins = 10},
    .default_shape = {.cols = 10'000'000, .bins = 256},
    .course = {.cols = 10'000, .bins = 10},
    .max_bins = max_bins,
    .takes_nan = true,
    .nearer_reference = &read::workload,
    .make = bench::make<Problem>,
};

}  // namespace kernels::histogram
