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

// Change: one thread per element. What slower mappings cost is shown by copy and energy.
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

// Before: each access of a thread moves one element, 4 or 8 bytes, and each computes the scale.
// Change: 128 bits per access, by one wave of resident blocks with a grid-stride loop.
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
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::gaussian_pdf
