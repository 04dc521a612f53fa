// standardize on a GPU: z = (x − mean)/σ, with the mean and the standard deviation of all x.
//
// A reduction before a map: all blocks must finish the sums before the first result. The end of a
// kernel is the barrier between them. So the data are read twice, 12 bytes per element in f32 with
// the results: memory bound. Fusion can save only the third read. Arrays that fit in the L2 cache
// are found there the second time.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/standardize/standardize.hpp"

namespace kernels::standardize {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::fill_device;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;

/// Adds the sum of a block's threads to a sum that all blocks share: one atomic addition.
__device__ void add_block(double* sum, double total) {
  total = block_reduce(total);
  if (threadIdx.x == 0) atomicAdd(sum, total);
}
__device__ void add_block(double* sums, double first, double second) {
  add_block(&sums[0], first);
  __syncthreads();
  add_block(&sums[1], second);
}

/// Turns an element into a result, by two subtractions and a product. The mean rounded to Real
/// would alone be too inexact where σ is small compared with it.
struct Scale {
  Real mean;
  Real rest;  ///< of the mean
  Real factor;

  __device__ Scale(double exact, double variance)
      : mean(static_cast<Real>(exact)),
        rest(static_cast<Real>(exact - static_cast<double>(mean))),
        factor(static_cast<Real>(1 / std::sqrt(variance > 0 ? variance : 0))) {}

  __device__ Real of(Real x) const { return (x - mean - rest) * factor; }
};

__global__ void total_kernel(const Real* x, std::size_t n, double* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  double total = 0;
  for (std::size_t i = first; i < n; i += stride) total += x[i];
  add_block(&sums[0], total);
}

__global__ void squares_kernel(const Real* x, std::size_t n, double* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const double mean = sums[0] / static_cast<double>(n);
  double squares = 0;
  for (std::size_t i = first; i < n; i += stride) squares += (x[i] - mean) * (x[i] - mean);
  add_block(&sums[1], squares);
}

__global__ void results_kernel(const Real* x, Real* z, std::size_t n, const double* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const auto count = static_cast<double>(n);
  const Scale scale(sums[0] / count, sums[1] / count);
  for (std::size_t i = first; i < n; i += stride) z[i] = scale.of(x[i]);
}

// Change: one kernel for the mean, one for the deviations from it, one for the results. Each thread
// has a grid-stride loop, and each block adds its sum to one total.
// Cost: the data are read three times.
void three_steps(const Real* x, Real* z, std::size_t n, double* sums) {
  bench::cuda::zero(sums, 2);
  launch(total_kernel, fill_device(total_kernel, n, block), x, n, sums);
  launch(squares_kernel, fill_device(squares_kernel, n, block), x, n, sums);
  launch(results_kernel, fill_device(results_kernel, n, block), x, z, n, sums);
}

/// Makes sums[0] Σd and sums[1] Σd², of deviations d from sums[2].
__global__ void begin_kernel(const Real* x, std::size_t n, double* sums) {
  sums[0] = sums[1] = 0;
  sums[2] = n > 0 ? x[0] : 0;
}

/// The scale of such sums: Σd²/n − (Σd/n)² is the variance, whatever d is measured from. Near the
/// data it loses no digits. Σx² − (Σx)²/n loses all digits for data like 10⁶ ± 1.
__device__ Scale scale_of(const double* sums, std::size_t n) {
  const auto count = static_cast<double>(n);
  const double from_shift = sums[0] / count;
  return {sums[2] + from_shift, sums[1] / count - from_shift * from_shift};
}

__global__ void sums_kernel(const Real* x, std::size_t n, double* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const double shift = sums[2];
  double total = 0;
  double squares = 0;
  for (std::size_t i = first; i < n; i += stride) {
    const double deviation = x[i] - shift;
    total += deviation;
    squares += deviation * deviation;
  }
  add_block(sums, total, squares);
}

__global__ void scaled_kernel(const Real* x, Real* z, std::size_t n, const double* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const Scale scale = scale_of(sums, n);
  for (std::size_t i = first; i < n; i += stride) z[i] = scale.of(x[i]);
}

// Before: one read for the mean and one for the deviations from it.
// Change: one kernel for both sums, of deviations from x[0].
// Cost: loses precision if x[0] is far from the other values.
void two_steps(const Real* x, Real* z, std::size_t n, double* sums) {
  launch(begin_kernel, {1, 1}, x, n, sums);
  launch(sums_kernel, fill_device(sums_kernel, n, block), x, n, sums);
  launch(scaled_kernel, fill_device(scaled_kernel, n, block), x, z, n, sums);
}

/// What a thread adds up in Real before it becomes two doubles.
struct Few {
  Real total = 0;
  Real squares = 0;

  __device__ void add(const Wide& wide, Real shift) {
    for (const Real x : wide.lane) {
      const Real deviation = x - shift;
      total += deviation;
      squares += deviation * deviation;
    }
  }
};

// Before: each load moves one element and waits for its use. Each element costs three f64
// operations, for which some GPUs have few units.
// Change: 128 bits per load, four in flight. The deviations of 16 floats are added as floats before
// they become doubles.
// Cost: needs 16-byte alignment; in f32 squares beyond 3e38 overflow.
__global__ void wide_sums_kernel(const Real* x, std::size_t n, double* sums) {
  constexpr std::size_t at_once = 4;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  const Real shift = static_cast<Real>(sums[2]);
  double total = 0;
  double squares = 0;
  for (std::size_t v = first; v < vectors; v += at_once * stride) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k) {
      const std::size_t at = v + k * stride;
      if (at < vectors) loaded[k] = load_wide(x + at * Wide::lanes);
    }
    Few few;
    for (std::size_t k = 0; k < at_once; ++k) {
      if (v + k * stride < vectors) few.add(loaded[k], shift);
    }
    total += few.total;
    squares += few.squares;
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) {
    const double deviation = x[i] - shift;
    total += deviation;
    squares += deviation * deviation;
  }
  add_block(sums, total, squares);
}

/// The n results from here on, of `all` elements.
__global__ void wide_kernel(const Real* x, Real* z, std::size_t n, std::size_t all,
                            const double* sums) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  const Scale scale = scale_of(sums, all);
  for (std::size_t v = first; v < vectors; v += stride) {
    Wide values = load_wide(x + v * Wide::lanes);
    for (Real& value : values.lane) value = scale.of(value);
    store_wide(z + v * Wide::lanes, values);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) z[i] = scale.of(x[i]);
}

/// One thread per vector, and one for each element of the remainder.
std::size_t threads_for(std::size_t n) { return n / Wide::lanes + Wide::lanes; }

void wide(const Real* x, Real* z, std::size_t n, double* sums) {
  launch(begin_kernel, {1, 1}, x, n, sums);
  launch(wide_sums_kernel, fill_device(wide_sums_kernel, threads_for(n), block), x, n, sums);
  launch(wide_kernel, fill_device(wide_kernel, threads_for(n), block), x, z, n, n, sums);
}

// Before: with transfers, the sums start when the last element has arrived, and the results leave
// when the last one is ready.
// Change: chunks in several streams: sums while others arrive, then results while others leave.
// Cost: two launches per chunk. The bus is never busy in both directions, since all data must
// arrive before any leave.
void overlapped(const Real* x, Real* z, std::size_t n, double* sums) {
  upload(x, n > 0 ? 1 : 0);
  launch(begin_kernel, {1, 1}, x, n, sums);
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    launch(wide_sums_kernel, fill_device(wide_sums_kernel, threads_for(chunk.count), block),
           x + chunk.first, chunk.count, sums);
  });
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    launch(wide_kernel, fill_device(wide_kernel, threads_for(chunk.count), block), x + chunk.first,
           z + chunk.first, chunk.count, n, sums);
    download(z + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"three_steps", "a kernel each for the mean, the deviation and the results", three_steps},
      {"two_steps", "both sums in one kernel, of deviations from the first element", two_steps},
      {"wide", "128 bits per access, four loads in flight", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::standardize
