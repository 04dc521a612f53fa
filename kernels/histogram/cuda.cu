// histogram on a GPU: counts of equal bins over [lo, hi).
//
// Only reads its input: 4 bytes per element in f32. Thousands of threads want to increment few
// counters, and an increment must be atomic: two that meet in one counter wait for each other
// (contention). The rungs move the meeting from the device's memory to the block's shared memory,
// then spread it (privatisation).

#include "harness/cuda/kernel.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::upload;

constexpr unsigned block = 512;
/// Shared memory that every device gives to a block without being asked.
constexpr std::size_t shared_counts = 48 * 1024 / sizeof(Count);

/// The bin of an x in [lo, hi).
__device__ std::size_t bin_of(Real x, std::size_t bins, Real lo, Real scale) {
  const auto bin = static_cast<unsigned>((x - lo) * scale);
  return bin < bins ? bin : bins - 1;
}

Real scale_of(std::size_t bins, Real lo, Real hi) { return static_cast<Real>(bins) / (hi - lo); }

// Here: every thread increments the counters in the device's memory, atomically.
// Price: all threads of the device meet in the same few counters.
__global__ void global_atomics_kernel(const Real* x, std::size_t n, Count* counts, std::size_t bins,
                                      Real lo, Real hi, Real scale) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) {
    if (x[i] >= lo && x[i] < hi) atomicAdd(&counts[bin_of(x[i], bins, lo, scale)], 1U);
  }
}

void global_atomics(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                    Real hi) {
  bench::cuda::zero(counts, bins);
  launch(global_atomics_kernel, bench::cuda::fill_device(global_atomics_kernel, n, block), x, n,
         counts, bins, lo, hi, scale_of(bins, lo, hi));
}

// Above: the counters are far away, and all blocks share them.
// Here: each block counts in shared memory and adds its table to the counters at the end.
// Price: bins that do not fit into one block's table are divided among blocks (blockIdx.y), each of
// which then reads all elements.
__global__ void shared_atomics_kernel(const Real* x, std::size_t n, Count* counts, std::size_t bins,
                                      Real lo, Real hi, Real scale, std::size_t table_bins) {
  Count* const table = bench::cuda::dynamic_shared<Count>();
  for (std::size_t b = threadIdx.x; b < table_bins; b += blockDim.x) table[b] = 0;
  __syncthreads();
  const std::size_t first_bin = blockIdx.y * table_bins;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) {
    if (!(x[i] >= lo && x[i] < hi)) continue;
    const std::size_t bin = bin_of(x[i], bins, lo, scale) - first_bin;  // wraps where it is below
    if (bin < table_bins) atomicAdd(&table[bin], 1U);
  }
  __syncthreads();
  for (std::size_t b = threadIdx.x; b < table_bins && first_bin + b < bins; b += blockDim.x) {
    if (table[b] > 0) atomicAdd(&counts[first_bin + b], table[b]);
  }
}

void shared_atomics(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                    Real hi) {
  const std::size_t table_bins = bins < shared_counts ? bins : shared_counts;
  auto shape =
      bench::cuda::fill_device(shared_atomics_kernel, n, block, table_bins * sizeof(Count));
  shape.grid.y = static_cast<unsigned>((bins + table_bins - 1) / table_bins);
  bench::cuda::zero(counts, bins);
  launch(shared_atomics_kernel, shape, x, n, counts, bins, lo, hi, scale_of(bins, lo, hi),
         table_bins);
}

// Above: with few bins, or equal data, the threads of a block meet in the same counter.
// Here: several tables per block, up to one for each of the 32 lanes of a warp; counters of the
// same bin lie side by side, so that different tables are different banks (no bank conflicts).
// Price: more shared memory per bin, and more to add up at the end.
__global__ void private_bins_kernel(const Real* x, std::size_t n, Count* counts, std::size_t bins,
                                    Real lo, Real hi, Real scale, std::size_t table_bins,
                                    unsigned tables) {
  Count* const table = bench::cuda::dynamic_shared<Count>();
  for (std::size_t b = threadIdx.x; b < table_bins * tables; b += blockDim.x) table[b] = 0;
  __syncthreads();
  const std::size_t first_bin = blockIdx.y * table_bins;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) {
    if (!(x[i] >= lo && x[i] < hi)) continue;
    const std::size_t bin = bin_of(x[i], bins, lo, scale) - first_bin;  // wraps where it is below
    if (bin < table_bins) atomicAdd(&table[bin * tables + threadIdx.x % tables], 1U);
  }
  __syncthreads();
  for (std::size_t b = threadIdx.x; b < table_bins && first_bin + b < bins; b += blockDim.x) {
    Count sum = 0;
    for (unsigned t = 0; t < tables; ++t) {
      sum += table[b * tables + (t + threadIdx.x) % tables];  // in turn: each lane its own bank
    }
    if (sum > 0) atomicAdd(&counts[first_bin + b], sum);
  }
}

void add_private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                      Real hi) {
  unsigned tables = 32;
  while (tables > 2 && bins * tables > shared_counts) tables /= 2;
  const std::size_t most_bins = shared_counts / tables;
  const std::size_t table_bins = bins < most_bins ? bins : most_bins;
  auto shape =
      bench::cuda::fill_device(private_bins_kernel, n, block, table_bins * tables * sizeof(Count));
  shape.grid.y = static_cast<unsigned>((bins + table_bins - 1) / table_bins);
  launch(private_bins_kernel, shape, x, n, counts, bins, lo, hi, scale_of(bins, lo, hi), table_bins,
         tables);
}

void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  bench::cuda::zero(counts, bins);
  add_private_bins(x, n, counts, bins, lo, hi);
}

// Above: with the transfers, the kernel begins when the last element has arrived.
// Here: chunks in several streams: one arrives while those before it are counted; all of them add
// to the same counters.
// Price: a kernel for each chunk, which adds up its tables; the last chunk is still waited for.
void overlapped(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  bench::cuda::zero(counts, bins);
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    add_private_bins(x + chunk.first, chunk.count, counts, bins, lo, hi);
  });
  download(counts, bins);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"global_atomics", "atomic increments in the device's memory", global_atomics},
      {"shared_atomics", "a table per block in shared memory", shared_atomics},
      {"private_bins", "several tables per block, so that fewer threads meet", private_bins},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::histogram
