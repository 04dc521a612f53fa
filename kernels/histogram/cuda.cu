// histogram on a GPU: counts of equal bins over [lo, hi).
//
// It only reads its input: 4 bytes per element in f32. Thousands of threads increment few counters.
// An increment must be atomic, so two threads that update one counter wait for each other
// (contention). The variants move the counters from GPU memory to shared memory, and then give each
// block several tables (privatisation).

#include "harness/cuda/kernel.hpp"
#include "kernels/histogram/histogram.hpp"
#include "kernels/histogram/packed_counters.hpp"

namespace kernels::histogram {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::SharedCounters;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 512;
constexpr std::size_t shared_counts = bench::cuda::unasked_shared_bytes / sizeof(Count);

/// The bin of an x in [lo, hi), and an arbitrary bin for other numbers.
__device__ unsigned bin_of(Real x, unsigned bins, Real lo, Real scale) {
  const unsigned bin = bench::cuda::to_unsigned((x - lo) * scale);
  return bin < bins ? bin : bins - 1;
}

Real scale_of(std::size_t bins, Real lo, Real hi) { return static_cast<Real>(bins) / (hi - lo); }

// Change: every thread increments the counters in GPU memory, atomically.
// Cost: all threads of the GPU contend for the same few counters.
__global__ void global_atomics_kernel(const Real* x, std::size_t n, Count* counts, unsigned bins,
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

// Before: the counters are far away, and all blocks share them.
// Change: each block counts in shared memory and adds its table to the counters at the end.
// Cost: bins that do not fit in one table are divided among blocks (blockIdx.y), and each of these
// reads all elements.
__global__ void shared_atomics_kernel(const Real* x, std::size_t n, Count* counts, unsigned bins,
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

/// Vectors that a thread loads before it uses the first one.
constexpr std::size_t at_once = 4;

// Before: each load moves one element, and the next one waits until it is counted.
// Change: 128 bits per load, four independent loads in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* x, std::size_t n, Count* counts, unsigned bins, Real lo,
                            Real hi, Real scale, unsigned table_bins) {
  Count* const table = bench::cuda::dynamic_shared<Count>();
  for (unsigned b = threadIdx.x; b < table_bins; b += blockDim.x) table[b] = 0;
  __syncthreads();
  const unsigned first_bin = blockIdx.y * table_bins;
  const SharedCounters counters(table);
  const auto count = [=](Real value) {
    const unsigned bin = bin_of(value, bins, lo, scale) - first_bin;  // wraps where it is below
    if (value >= lo && value < hi && bin < table_bins) counters.add(bin, 1);
  };
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  std::size_t v = first;
  for (; v + (at_once - 1) * stride < vectors; v += at_once * stride) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k)
      loaded[k] = load_wide(x + (v + k * stride) * Wide::lanes);
    for (const Wide& wide : loaded) {
      for (const Real value : wide.lane) count(value);
    }
  }
  for (; v < vectors; v += stride) {
    const Wide wide = load_wide(x + v * Wide::lanes);
    for (const Real value : wide.lane) count(value);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) count(x[i]);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < table_bins && first_bin + b < bins; b += blockDim.x) {
    if (table[b] > 0) atomicAdd(&counts[first_bin + b], table[b]);
  }
}

void wide(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const std::size_t table_bins = bins < shared_counts ? bins : shared_counts;
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  auto shape = bench::cuda::fill_device(wide_kernel, threads, block, table_bins * sizeof(Count));
  shape.grid.y = static_cast<unsigned>((bins + table_bins - 1) / table_bins);
  bench::cuda::zero(counts, bins);
  launch(wide_kernel, shape, x, n, counts, bins, lo, hi, scale_of(bins, lo, hi), table_bins);
}

/// How many tables of how many bins fit in a block's shared memory.
struct Tables {
  explicit Tables(std::size_t all_bins) {
    while (count > 1 && all_bins * count > shared_counts) count /= 2;
    const std::size_t most = shared_counts / count;
    bins = all_bins < most ? all_bins : most;
    passes = static_cast<unsigned>((all_bins + bins - 1) / bins);
  }
  std::size_t bytes() const { return bins * count * sizeof(Count); }

  unsigned count = 32;
  std::size_t bins = 0;  ///< of one table
  unsigned passes = 0;   ///< over the input, so that all bins are counted
};

// Before: with few bins, or equal data, the threads of a block contend for the same counter.
// Change: several tables per block, up to one per lane of a warp. Counters of the same bin are
// adjacent, so different tables use different banks (no bank conflicts).
// Cost: more shared memory per bin, and more to add at the end.
__global__ void private_bins_kernel(const Real* x, std::size_t n, Count* counts, unsigned bins,
                                    Real lo, Real hi, Real scale, unsigned table_bins,
                                    unsigned tables) {
  Count* const table = bench::cuda::dynamic_shared<Count>();
  for (unsigned b = threadIdx.x; b < table_bins * tables; b += blockDim.x) table[b] = 0;
  __syncthreads();
  const unsigned first_bin = blockIdx.y * table_bins;
  const SharedCounters own_table(table + threadIdx.x % tables);
  const auto count = [=](Real value) {
    const unsigned bin = bin_of(value, bins, lo, scale) - first_bin;  // wraps where it is below
    if (value >= lo && value < hi && bin < table_bins) own_table.add(bin * tables, 1);
  };
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  std::size_t v = first;
  for (; v + (at_once - 1) * stride < vectors; v += at_once * stride) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k)
      loaded[k] = load_wide(x + (v + k * stride) * Wide::lanes);
    for (const Wide& wide : loaded) {
      for (const Real value : wide.lane) count(value);
    }
  }
  for (; v < vectors; v += stride) {
    const Wide wide = load_wide(x + v * Wide::lanes);
    for (const Real value : wide.lane) count(value);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) count(x[i]);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < table_bins && first_bin + b < bins; b += blockDim.x) {
    Count sum = 0;
    for (unsigned t = 0; t < tables; ++t) {
      sum += table[b * tables + (t + threadIdx.x) % tables];  // in turn: each lane its own bank
    }
    if (sum > 0) atomicAdd(&counts[first_bin + b], sum);
  }
}

void add_private(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Tables tables(bins);
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  auto shape = bench::cuda::fill_device(private_bins_kernel, threads, block, tables.bytes());
  shape.grid.y = tables.passes;
  launch(private_bins_kernel, shape, x, n, counts, bins, lo, hi, scale_of(bins, lo, hi),
         tables.bins, tables.count);
}

void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  bench::cuda::zero(counts, bins);
  add_private(x, n, counts, bins, lo, hi);
}

using Packed = PackedCounters<16>;

/// Threads of a block that packs its counters: between two barriers each thread adds `at_once`
/// vectors.
constexpr unsigned packed_block = 1024;
static_assert(packed_block * at_once * Wide::lanes <= Packed::half);

/// What a thread loads at once; past the end of x it is NaN, which no bin counts.
struct Round {
  Wide vector[at_once];
};

__device__ Round load_round(const Real* x, std::size_t vectors, std::size_t first,
                            std::size_t stride) {
  Round round;
  if (first + (at_once - 1) * stride < vectors) {
    BENCH_UNROLL for (std::size_t k = 0; k < at_once; ++k) {
      round.vector[k] = load_wide(x + (first + k * stride) * Wide::lanes);
    }
  } else {
    BENCH_UNROLL for (std::size_t k = 0; k < at_once; ++k) {
      const std::size_t v = first + k * stride;
      BENCH_UNROLL for (Real& value : round.vector[k].lane) value = NAN;
      if (v < vectors) round.vector[k] = load_wide(x + v * Wide::lanes);
    }
  }
  return round;
}

// Before: many bins do not fit in a block's 48 KB, and each part of them reads all of the input.
// Change: two 16-bit counters per word, in all shared memory that a block can request: 65 536 bins
// in one pass (packed_counters.hpp). The next loads are issued before these are counted.
// Cost: one block per multiprocessor, and a barrier after each round, so that no counter overflows.
__global__ void packed_kernel(const Real* x, std::size_t n, Count* counts, unsigned bins, Real lo,
                              Real hi, Real scale, unsigned table_bins) {
  unsigned* const table = bench::cuda::dynamic_shared<unsigned>();
  for (unsigned w = threadIdx.x; w < Packed::words(table_bins); w += blockDim.x) table[w] = 0;
  __syncthreads();
  const Packed counters(table, table_bins);
  const unsigned first_bin = blockIdx.y * table_bins;
  const auto bin_here = [=](Real value) {
    const unsigned bin = bin_of(value, bins, lo, scale) - first_bin;  // wraps where it is below
    return value >= lo && value < hi ? bin : table_bins;
  };
  const auto add = [=](unsigned bin, unsigned count) {
    if (bin >= table_bins) return;
    counters.add(bin, count, [=](unsigned moved) { atomicAdd(&counts[first_bin + bin], moved); });
  };
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  // All threads of a block take part in the same number of rounds, because of the barriers.
  Round next = load_round(x, vectors, first, stride);
  for (std::size_t begin = 0; begin < vectors; begin += at_once * stride) {
    const Round round = next;
    next = load_round(x, vectors, begin + at_once * stride + first, stride);
    BENCH_UNROLL for (const Wide& wide : round.vector) {
      unsigned bin[Wide::lanes];
      bool same = true;
      BENCH_UNROLL for (std::size_t k = 0; k < Wide::lanes; ++k) {
        bin[k] = bin_here(wide.lane[k]);
        same = same && bin[k] == bin[0];
      }
      add(bin[0], same ? Wide::lanes : 1);
      BENCH_UNROLL for (std::size_t k = 1; k < Wide::lanes; ++k) {
        if (!same) add(bin[k], 1);
      }
    }
    __syncthreads();
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) add(bin_here(x[i]), 1);
  __syncthreads();
  // Each block starts at another bin: all end at the same time, and would contend for each counter.
  const unsigned begin = table_bins / gridDim.x * blockIdx.x;
  for (unsigned k = threadIdx.x; k < table_bins; k += blockDim.x) {
    const unsigned b = k < table_bins - begin ? begin + k : begin + k - table_bins;
    const Count sum = counters.value(b);
    if (sum > 0 && first_bin + b < bins) atomicAdd(&counts[first_bin + b], sum);
  }
}

void add_packed(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  // If the bins fit in private tables, whole words have less contention.
  if (Tables(bins).passes == 1) return add_private(x, n, counts, bins, lo, hi);
  const std::size_t most = bench::cuda::most_shared_bytes() / sizeof(unsigned) * 2;
  const auto table_bins = static_cast<unsigned>(bins < most ? bins : most);
  const std::size_t bytes = Packed::words(table_bins) * sizeof(unsigned);
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  auto shape = bench::cuda::fill_device(packed_kernel, threads, packed_block, bytes);
  shape.grid.y = static_cast<unsigned>((bins + table_bins - 1) / table_bins);
  launch(packed_kernel, shape, x, n, counts, bins, lo, hi, scale_of(bins, lo, hi), table_bins);
}

void packed(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  bench::cuda::zero(counts, bins);
  add_packed(x, n, counts, bins, lo, hi);
}

// Before: with transfers, the kernel starts when the last element has arrived.
// Change: chunks in several streams: one arrives while those before it are counted with the same
// counters.
// Cost: one launch per chunk, which adds its tables. The kernel of the last chunk is not
// overlapped.
void overlapped(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  bench::cuda::zero(counts, bins);
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    add_packed(x + chunk.first, chunk.count, counts, bins, lo, hi);
  });
  download(counts, bins);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"global_atomics", "atomic increments in GPU memory", global_atomics},
      {"shared_atomics", "a table per block in shared memory", shared_atomics},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"private_bins", "several tables per block: less contention", private_bins},
      {"packed", "many bins: two 16-bit counters per word, all of the block's shared memory",
       packed},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::histogram
