// histogram by CUB. It has two algorithms: one is fast, the other matches the reference.
//
// HistogramEven computes the bin as we do, with the same rounding, and skips NaN. But it does not
// put back elements that rounding moves out of the last bin (in f32 the last number below 4). They
// would be counted past the end of its table. HistogramRange searches each element in a list of
// levels. With the levels of the reference it is always right, at the cost of a search per
// element.

#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/histogram/histogram.hpp"
#include "kernels/histogram/levels.hpp"

namespace kernels::histogram {
namespace {

/// Whether the library multiplies by the scale of the reference: it knows only where the last bin
/// that it counts ends, and CUB 1 multiplies by 1/((hi − lo)/bins).
bool same_scale(std::size_t bins, Real lo, Real hi, Real end) {
  const auto count = static_cast<Real>(bins);
  const Real scale = count / (hi - lo);
  const bool divides = bench::cuda::current_cub || 1 / ((hi - lo) / count) == scale;
  return divides && count / (end - lo) == scale;
}

void even(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real end = first_put_back(bins, lo, hi);  // not counted at all: better than anywhere
  if (!same_scale(bins, lo, hi, end)) {
    throw bench::Unavailable(bench::said<bench::reasons::cub_rounds_otherwise>());
  }
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceHistogram", {n, bins}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, x, counts, static_cast<int>(bins) + 1,
                                               lo, end, static_cast<long long>(n));
  });
}

/// Uploaded to the GPU when their number changes.
const Real* levels_on_device(std::size_t bins, Real lo, Real hi) {
  static bench::cuda::Workspace memory;
  static std::vector<Real> known;
  const bool same = known.size() == bins + 1 && known.front() == lo && known.back() == hi;
  if (!same) {
    known.clear();
    std::vector<Real> wanted = levels(bins, lo, hi);
    const std::size_t bytes = wanted.size() * sizeof(Real);
    bench::cuda::check(cudaMemcpy(memory.of(bytes), wanted.data(), bytes, cudaMemcpyHostToDevice),
                       "cudaMemcpy");
    known = wanted;
  }
  return static_cast<const Real*>(memory.of(0));
}

void range(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real* const begins = levels_on_device(bins, lo, hi);
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceHistogram", {n, bins}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramRange(
        memory, bytes, x, counts, static_cast<int>(bins) + 1, begins, static_cast<long long>(n));
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library_even",
       bench::cuda::by_vendor(
           "library routine: HistogramEven of CUB, which loses the last number below hi",
           "library routine: histogram_even of rocPRIM, which loses the last number below hi"),
       even},
      {"library_range",
       bench::cuda::by_vendor(
           "library routine: HistogramRange of CUB, levels as exact as the definition",
           "library routine: histogram_range of rocPRIM, levels as exact as the definition"),
       range},
  };
  return ladder;
}

}  // namespace kernels::histogram
