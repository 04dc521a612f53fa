// hidden_layer on a GPU: a = tanh(g/255 · w), a gray value normalised, weighed and activated.
//
// A map with two inputs: 12 bytes per element in f32 and a few dozen instructions, which many
// threads do while the bytes of others are in flight (latency hiding): memory bound. So the time
// follows the bytes: three kernels with two arrays on the device between them move 28 per element,
// and one kernel that keeps its values in registers (fusion) is faster by just that ratio, where
// the arrays are larger than the L2 cache; smaller ones stay there, and two launches are what is
// saved.

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

/// The formula as it stands: ∞/∞ is NaN where e^|v| is beyond the largest number.
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

// Here: a kernel for each step, one thread per element; what a step hands to the next stays on the
// device.
// Price: two arrays go through the device's memory and back; NaN (∞/∞) for |v| > 88 in f32.
void three_kernels(const Real* gray, const Real* weight, Real* activation, Real* scaled,
                   Real* weighted, std::size_t n) {
  const auto shape = bench::cuda::per_element(n, block);
  launch(normalize_kernel, shape, gray, scaled, n);
  launch(weigh_kernel, shape, scaled, weight, weighted, n);
  launch(activate_kernel, shape, weighted, activation, n);
}

/// The first two steps.
__device__ Real weighed(Real gray, Real weight) { return gray / 255 * weight; }

// Above: 28 bytes per element in f32, of which 12 are needed, and three kernel launches.
// Here: one kernel: what a step hands to the next stays in a register (fusion).
// Price: the steps can no longer be called one by one.
__global__ void fused_kernel(const Real* gray, const Real* weight, Real* activation,
                             std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanh_by_formula(weighed(gray[i], weight[i]));
}

void fused(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
           Real* /*weighted*/, std::size_t n) {
  launch(fused_kernel, bench::cuda::per_element(n, block), gray, weight, activation, n);
}

/// The same divided by e^|v| above and below, for every v: e^(−2|v|) is never large.
__device__ Real tanh_by_one(Real v) {
  const Real e = std::exp(-2 * std::abs(v));
  return std::copysign((1 - e) / (1 + e), v);
}

// Above: four exponentials are written; a compiler that knows the two pairs for equal has two left.
// Here: e = exp(−2|v|), tanh |v| = (1 − e)/(1 + e): one, right for every v, and v's sign at the
// end.
// Price: a formula that one has to look at twice; where memory is the limit it saves no time.
__global__ void one_exponential_kernel(const Real* gray, const Real* weight, Real* activation,
                                       std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanh_by_one(weighed(gray[i], weight[i]));
}

void one_exponential(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                     Real* /*weighted*/, std::size_t n) {
  launch(one_exponential_kernel, bench::cuda::per_element(n, block), gray, weight, activation, n);
}

// Above: as many blocks as the arrays need, each gone after one element per thread.
// Here: as many blocks as fit at once (occupancy); each thread goes on in strides of the grid.
// Price: a loop in each thread.
__global__ void grid_stride_kernel(const Real* gray, const Real* weight, Real* activation,
                                   std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride)
    activation[i] = tanh_by_one(weighed(gray[i], weight[i]));
}

void grid_stride(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                 Real* /*weighted*/, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), gray, weight,
         activation, n);
}

// Above: each access of a thread moves one element, 4 or 8 bytes.
// Here: 128 bits per access: fewer instructions for the memory, more bytes in flight at once.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
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
      values.lane[k] = tanh_by_one(weighed(g.lane[k], w.lane[k]));
    store_wide(activation + i, values);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride)
    activation[i] = tanh_by_one(weighed(gray[i], weight[i]));
}

void wide(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
          Real* /*weighted*/, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), gray, weight,
         activation, n);
}

// Above: each thread asks for its next vector only once the last one has come and is stored.
// Here: four elements per thread and no loop: where a block is done, the next one begins. (Why that
// is faster is not settled; what is on its way at any time lies closer together in memory.)
// Price: many small blocks to start; with 64 threads each, an H200 could not start enough of them.
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
        values.lane[lane] = tanh_by_one(weighed(g[k].lane[lane], w[k].lane[lane]));
      store_wide(activation + first + k * step, values);
    }
  } else {
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t i = first + k / Wide::lanes * step + k % Wide::lanes;
      if (i < n) activation[i] = tanh_by_one(weighed(gray[i], weight[i]));
    }
  }
}

void no_loop(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
             Real* /*weighted*/, std::size_t n) {
  launch(no_loop_kernel, bench::cuda::per_element((n + 3) / 4, small_block), gray, weight,
         activation, n);
}

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks in several streams: one arrives while another is worked on and a third leaves.
// Price: a kernel and transfers to start for each chunk; the first one's way in and the last one's
// way out are still waited for.
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
      {"three_kernels", "a kernel for each step, two arrays on the device between them",
       three_kernels},
      {"fused", "one kernel: what lies between the steps stays in registers", fused},
      {"one_exponential", "tanh from one exponential, right for every argument", one_exponential},
      {"grid_stride", "as many blocks as the device holds, each thread in strides", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::hidden_layer
