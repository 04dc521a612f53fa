// sin_cos on a GPU: p = sin x · cos y.
//
// A map with two inputs: 12 bytes per element in f32. Besides its cores for sums and products a
// multiprocessor has special function units (SFU). They compute sine and cosine of f32 in one
// instruction, with an absolute error of about 2^-21 within ±π and a larger one beyond. Numba's
// fastmath=True and nvcc's --use_fast_math use them. Compare the columns `error` and `time`: where
// memory bandwidth is the limit, less accuracy gains no time.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/sin_cos/sin_cos.hpp"

namespace kernels::sin_cos {
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

// Change: one thread per element, and the functions of CUDA's library.
// Cost: dozens of instructions for each; angles beyond 10^5 take a slow path in f32.
__global__ void one_per_element_kernel(const Real* x, const Real* y, Real* product, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) product[i] = std::sin(x[i]) * std::cos(y[i]);
}

void one_per_element(const Real* x, const Real* y, Real* product, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), x, y, product, n);
}

// Before: two functions of dozens of sums and products.
// Change: the special function units (__sinf, __cosf).
// Cost: an error of up to seven ulp of 1 within ±π, more with every turn. In f64 there are no such
// units, and this is the variant before.
__global__ void intrinsics_kernel(const Real* x, const Real* y, Real* product, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) product[i] = bench::cuda::fast_sin(x[i]) * bench::cuda::fast_cos(y[i]);
}

void intrinsics(const Real* x, const Real* y, Real* product, std::size_t n) {
  launch(intrinsics_kernel, bench::cuda::per_element(n, block), x, y, product, n);
}

// Before: accuracy is lost, but memory bandwidth is the limit anyway.
// Change: the library's functions again. Only as many blocks as are resident, with a grid-stride
// loop, and 128 bits per access: fewer memory instructions, more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* x, const Real* y, Real* product, std::size_t n) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = thread; v < vectors; v += stride) {
    const Wide a = load_wide(x + v * Wide::lanes);
    const Wide b = load_wide(y + v * Wide::lanes);
    Wide products;
    for (std::size_t k = 0; k < Wide::lanes; ++k)
      products.lane[k] = std::sin(a.lane[k]) * std::cos(b.lane[k]);
    store_wide(product + v * Wide::lanes, products);
  }
  for (std::size_t i = vectors * Wide::lanes + thread; i < n; i += stride)
    product[i] = std::sin(x[i]) * std::cos(y[i]);
}

void wide(const Real* x, const Real* y, Real* product, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), x, y, product, n);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* x, const Real* y, Real* product, std::size_t n) {
  in_chunks(n, 2 * sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    upload(y + chunk.first, chunk.count);
    wide(x + chunk.first, y + chunk.first, product + chunk.first, chunk.count);
    download(product + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_element", "one thread per element, the library's sine and cosine", one_per_element},
      {"intrinsics", "special function units: f32 in one instruction, fewer digits", intrinsics},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::sin_cos
