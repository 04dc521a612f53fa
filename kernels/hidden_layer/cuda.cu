// hidden_layer on a GPU: a = tanh(g/255 · w), a gray value normalised, weighted and activated.
//
// A map with two inputs: 12 bytes per element in f32 and a few dozen instructions, which overlap
// with the loads of other threads (latency hiding). So it is memory bound, and time is proportional
// to bytes: three kernels with two intermediate arrays move 28 bytes per element, a fused kernel
// 12. Arrays that fit in the L2 cache stay there, and fusion saves only two launches.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/hidden_layer/hidden_layer.hpp"

namespace kernels::hidden_layer {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;

/// The formula as it is written: ∞/∞ is NaN if e^|v| overflows.
__device__ Real tanh_by_formula(Real v) {
  return (std::exp(v) - std::exp(-v)) / (std::exp(v) + std::exp(-v));
}

__global__ void normalize_kernel(const Real* gray, Real* scaled, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = gray[i] / 255;
}

__global__ void weigh_kernel(const Real* scaled, const Real* weight, Real* weighted,
                             std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) weighted[i] = scaled[i] * weight[i];
}

__global__ void activate_kernel(const Real* weighted, Real* activation, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanh_by_formula(weighted[i]);
}

// Change: one kernel per step, one thread per element. Intermediate arrays stay in GPU memory.
// Cost: two arrays are written and read again; NaN (∞/∞) for |v| > 88 in f32.
void three_kernels(const Real* gray, const Real* weight, Real* activation, Real* scaled,
                   Real* weighted, std::size_t n) {
  const auto shape = bench::cuda::per_element(n, block);
  launch(normalize_kernel, shape, gray, scaled, n);
  launch(weigh_kernel, shape, scaled, weight, weighted, n);
  launch(activate_kernel, shape, weighted, activation, n);
}

// Before: 28 bytes per element in f32, of which 12 are needed, and three kernel launches.
// Change: one kernel: intermediate values stay in registers (fusion).
// Cost: the steps can no longer be called separately.
__global__ void fused_kernel(const Real* gray, const Real* weight, Real* activation,
                             std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanh_by_formula(gray[i] / 255 * weight[i]);
}

void fused(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
           Real* /*weighted*/, std::size_t n) {
  launch(fused_kernel, bench::cuda::per_element(n, block), gray, weight, activation, n);
}

// Before: the weight is loaded only after the division, whose code has a branch: two latencies.
// Change: the product first. Both loads are in flight before the division.
// Cost: other roundings, so the last digits differ.
__global__ void product_first_kernel(const Real* gray, const Real* weight, Real* activation,
                                     std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanh_by_formula(gray[i] * weight[i] / 255);
}

void product_first(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                   Real* /*weighted*/, std::size_t n) {
  launch(product_first_kernel, bench::cuda::per_element(n, block), gray, weight, activation, n);
}

/// Numerator and denominator divided by e^|v|, for every v: e^(−2|v|) does not overflow.
__device__ Real tanh_by_one(Real v) {
  const Real e = std::exp(-2 * std::abs(v));
  return std::copysign((1 - e) / (1 + e), v);
}

// Before: four exponentials in the source. A compiler that recognises the equal pairs computes two.
// Change: e = exp(−2|v|), tanh |v| = (1 − e)/(1 + e): one exponential, valid for every v, and the
// sign of v at the end.
// Cost: a less obvious formula; no gain where memory bandwidth is the limit.
__global__ void one_exponential_kernel(const Real* gray, const Real* weight, Real* activation,
                                       std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanh_by_one(gray[i] * weight[i] / 255);
}

void one_exponential(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                     Real* /*weighted*/, std::size_t n) {
  launch(one_exponential_kernel, bench::cuda::per_element(n, block), gray, weight, activation, n);
}

// Before: one thread per element; each block exits after a single element per thread.
// Change: launch only as many blocks as are resident at once; each thread loops with a grid stride.
// Cost: blocks drift apart, so that what they access at a time is far apart, too (see no_loop).
__global__ void grid_stride_kernel(const Real* gray, const Real* weight, Real* activation,
                                   std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride)
    activation[i] = tanh_by_one(gray[i] * weight[i] / 255);
}

void grid_stride(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                 Real* /*weighted*/, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), gray, weight,
         activation, n);
}

// Before: each access of a thread moves one element, 4 or 8 bytes.
// Change: 128 bits per access: fewer memory instructions, more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* gray, const Real* weight, Real* activation, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    const Wide g = load_wide(gray + i);
    const Wide w = load_wide(weight + i);
    Wide values;
    for (std::size_t k = 0; k < Wide::lanes; ++k)
      values.lane[k] = tanh_by_one(g.lane[k] * w.lane[k] / 255);
    store_wide(activation + i, values);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride)
    activation[i] = tanh_by_one(gray[i] * weight[i] / 255);
}

void wide(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
          Real* /*weighted*/, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), gray, weight,
         activation, n);
}

// Change: four elements per thread and no loop; copy's no_loop explains it.
// Cost: many small blocks.
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* gray, const Real* weight, Real* activation,
                               std::size_t n) {
  constexpr unsigned vectors = 4 / Wide::lanes;
  const std::size_t first =
      (std::size_t{blockIdx.x} * blockDim.x * vectors + threadIdx.x) * Wide::lanes;
  const std::size_t step = blockDim.x * Wide::lanes;
  if (first + (vectors - 1) * step + Wide::lanes <= n) {
    Wide g[vectors];
    Wide w[vectors];
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) {
      g[k] = load_wide(gray + first + k * step);
      w[k] = load_wide(weight + first + k * step);
    }
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) {
      Wide values;
      for (std::size_t lane = 0; lane < Wide::lanes; ++lane)
        values.lane[lane] = tanh_by_one(g[k].lane[lane] * w[k].lane[lane] / 255);
      store_wide(activation + first + k * step, values);
    }
  } else {
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t i = first + k / Wide::lanes * step + k % Wide::lanes;
      if (i < n) activation[i] = tanh_by_one(gray[i] * weight[i] / 255);
    }
  }
}

void no_loop(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
             Real* /*weighted*/, std::size_t n) {
  launch(no_loop_kernel, bench::cuda::per_element((n + 3) / 4, small_block), gray, weight,
         activation, n);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* gray, const Real* weight, Real* activation, Real* scaled,
                Real* weighted, std::size_t n) {
  in_chunks(n, 2 * sizeof(Real), [=](Chunk chunk) {
    upload(gray + chunk.first, chunk.count);
    upload(weight + chunk.first, chunk.count);
    no_loop(gray + chunk.first, weight + chunk.first, activation + chunk.first, scaled, weighted,
            chunk.count);
    download(activation + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"three_kernels", "one kernel per step, two intermediate arrays in GPU memory",
       three_kernels},
      {"fused", "one kernel: intermediate values stay in registers", fused},
      {"product_first", "the product before the division: both loads in flight", product_first},
      {"one_exponential", "tanh from one exponential, right for every argument", one_exponential},
      {"grid_stride", "one wave of resident blocks, with a grid-stride loop", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::hidden_layer
