// zero_suppress on a GPU: out[i] = in[i] < threshold ? 0 : in[i].
//
// 4 bytes per element in i16 and one comparison: memory bound. The narrower the elements, the fewer
// bytes an access moves. In i16 a warp loads 64 bytes at a time, half of what one transaction can
// bring. So it takes twice as many instructions to keep the same bytes in flight. The `if` causes
// no divergence: it compiles to a select.

#include "harness/cuda/kernel.hpp"
#include "kernels/zero_suppress/zero_suppress.hpp"

namespace kernels::zero_suppress {
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

/// A NaN is not below the threshold.
__device__ Real suppressed(Real x, Real threshold) { return x < threshold ? Real{0} : x; }

// Change: one thread per element; neighbouring threads access neighbouring addresses (coalescing).
// Cost: in i16 a thread moves 4 bytes in all, and a warp 64 per access.
__global__ void one_per_element_kernel(const Real* in, Real* out, std::size_t n, Real threshold) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = suppressed(in[i], threshold);
}

void one_per_element(const Real* in, Real* out, std::size_t n, Real threshold) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), in, out, n, threshold);
}

// Before: each access of a thread moves one element: 2, 4 or 8 bytes.
// Change: 128 bits per access, eight elements in i16, by one wave of resident blocks with a
// grid-stride loop.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* in, Real* out, std::size_t n, Real threshold) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    Wide all = load_wide(in + v * Wide::lanes);
    for (Real& x : all.lane) x = suppressed(x, threshold);
    store_wide(out + v * Wide::lanes, all);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) {
    out[i] = suppressed(in[i], threshold);
  }
}

void wide(const Real* in, Real* out, std::size_t n, Real threshold) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), in, out, n, threshold);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* in, Real* out, std::size_t n, Real threshold) {
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(in + chunk.first, chunk.count);
    wide(in + chunk.first, out + chunk.first, chunk.count, threshold);
    download(out + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"wide", "128 bits per access: eight elements in i16", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::zero_suppress
