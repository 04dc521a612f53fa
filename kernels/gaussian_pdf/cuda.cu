// gaussian_pdf on a GPU: the density of the normal distribution, pdf(x) = exp(−½((x−μ)/σ)²) /
// (σ√(2π)), with μ and σ known only at run time.
//
// A map with 8 bytes per element in f32 and one exponential, which takes a GPU a few instructions.
// As soon as enough threads run, memory bandwidth is the limit.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

namespace kernels::gaussian_pdf {
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
constexpr Real sqrt_two_pi = static_cast<Real>(2.5066282746310005);

__device__ Real density(Real x, Real mu, Real sigma, Real scale) {
  const Real z = (x - mu) / sigma;
  return scale * std::exp(-z * z / 2);
}

// Change: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Cost: all other threads are idle, and one thread alone is far slower than a CPU core.
__global__ void one_thread_kernel(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  for (std::size_t i = 0; i < n; ++i) pdf[i] = density(x[i], mu, sigma, scale);
}

void one_thread(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  launch(one_thread_kernel, {1, 1}, x, pdf, n, mu, sigma);
}

// Before: one element is computed at a time.
// Change: as many threads as are resident, each with a contiguous piece, as on a CPU.
// Cost: uncoalesced: the 32 threads of a warp access 32 distant cache lines at a time. Each access
// uses one element of a line.
__global__ void uncoalesced_kernel(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t piece = (n + threads - 1) / threads;
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
  const std::size_t end = first + piece < n ? first + piece : n;
  for (std::size_t i = first; i < end; ++i) pdf[i] = density(x[i], mu, sigma, scale);
}

void uncoalesced(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  launch(uncoalesced_kernel, bench::cuda::fill_device(uncoalesced_kernel, n, block), x, pdf, n, mu,
         sigma);
}

// Before: neighbouring threads are a whole piece apart.
// Change: one thread per element. Neighbouring threads access neighbouring addresses, which the
// hardware coalesces into few wide transactions.
// Cost: one block start for only 256 elements; each thread computes the scale again.
__global__ void one_per_element_kernel(const Real* x, Real* pdf, std::size_t n, Real mu,
                                       Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) pdf[i] = density(x[i], mu, sigma, scale);
}

void one_per_element(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), x, pdf, n, mu, sigma);
}

// Before: one thread per element; each block exits after a single element per thread.
// Change: launch only as many blocks as are resident at once. Each thread loops with a grid stride
// and computes the scale once.
// Cost: blocks drift apart, so that what they access at a time is far apart, too (see no_loop).
__global__ void grid_stride_kernel(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) pdf[i] = density(x[i], mu, sigma, scale);
}

void grid_stride(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), x, pdf, n, mu,
         sigma);
}

// Before: each access of a thread moves one element, 4 or 8 bytes.
// Change: 128 bits per access: fewer memory instructions, more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    Wide values = load_wide(x + i);
    for (Real& value : values.lane) value = density(value, mu, sigma, scale);
    store_wide(pdf + i, values);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride)
    pdf[i] = density(x[i], mu, sigma, scale);
}

void wide(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), x, pdf, n, mu, sigma);
}

// Change: four elements per thread and no loop; copy's no_loop explains it.
// Cost: many small blocks.
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  constexpr unsigned vectors = 4 / Wide::lanes;
  const std::size_t first =
      (std::size_t{blockIdx.x} * blockDim.x * vectors + threadIdx.x) * Wide::lanes;
  const std::size_t step = blockDim.x * Wide::lanes;
  if (first + (vectors - 1) * step + Wide::lanes <= n) {
    Wide values[vectors];
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) values[k] = load_wide(x + first + k * step);
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) {
      for (Real& value : values[k].lane) value = density(value, mu, sigma, scale);
      store_wide(pdf + first + k * step, values[k]);
    }
  } else {
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t i = first + k / Wide::lanes * step + k % Wide::lanes;
      if (i < n) pdf[i] = density(x[i], mu, sigma, scale);
    }
  }
}

void no_loop(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  launch(no_loop_kernel, bench::cuda::per_element((n + 3) / 4, small_block), x, pdf, n, mu, sigma);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    no_loop(x + chunk.first, pdf + chunk.first, chunk.count, mu, sigma);
    download(pdf + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_thread", "the naive loop on a single GPU thread, deliberately slow", one_thread,
       1'000'000},
      {"uncoalesced", "one contiguous chunk per thread, as on a CPU: 32 lines per access",
       uncoalesced},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "one wave of resident blocks, with a grid-stride loop", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::gaussian_pdf
