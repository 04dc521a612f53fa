#include "kernels/histogram/histogram.hpp"

#include <vector>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/read/read.hpp"

namespace kernels::histogram {
namespace {

constexpr double lo = -4;
constexpr double hi = 4;

/// The definition, in the precision of the data: the bins are exact, so every variant must agree.
template <class Real>
std::vector<Count> definition(const Real* x, std::size_t n, std::size_t bins) {
  const auto low = static_cast<Real>(lo);
  const auto high = static_cast<Real>(hi);
  const Real scale = static_cast<Real>(bins) / (high - low);
  std::vector<Count> counts(bins, 0);
  Count* const all = counts.data();
#pragma omp parallel for reduction(+ : all[:bins]) if (n > bench::worth_a_team)
  for (std::size_t i = 0; i < n; ++i) {
    if (!(x[i] >= low && x[i] < high)) continue;
    const auto bin = static_cast<std::size_t>((x[i] - low) * scale);
    ++all[bin < bins ? bin : bins - 1];
  }
  return counts;
}

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;
  std::size_t bins;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()), bins(shape.bins) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Count>(bins);
    parameters = {{"lo", lo}, {"hi", hi}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 2 * n;  // −, ·
  }

  std::string unsupported() const override { return bench::beyond_32_bits(n); }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.normal(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const std::vector<Count> expected = definition(arrays.input<Real>(0), n, bins);
    return bench::check_counts(arrays.output<Count>(), expected);
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const std::vector<Count> counts = definition(arrays.input<Real>(0), n, bins);
    return {counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n, bins = bins](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), n, arrays.output<Count>(), bins, static_cast<Real>(lo),
             static_cast<Real>(hi));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind(serial<Isa, Real>(), openmp<Isa, Real>(), cuda<Real>(),
                         {.cuda = library<Real>()}, call);
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
