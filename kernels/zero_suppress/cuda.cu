// zero_suppress on a GPU: out[i] = in[i] < threshold ? 0 : in[i].
//
// 4 bytes per element in i16 and one comparison: memory bound. The narrower the elements, the fewer
// bytes an access of one element each moves: a warp asks for 64 at a time in i16, for half of what
// one transaction can bring, and twice as many instructions must keep the same bytes in flight.
// Threads of a warp that take different sides of this `if` do not wait for each other (no
// divergence): it is one instruction that selects.

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

// Here: one thread per element; neighbouring threads use neighbouring addresses (coalescing).
// Price: in i16 a thread is started for 4 bytes, and a warp moves 64 per access.
__global__ void one_per_element_kernel(const Real* in, Real* out, std::size_t n, Real threshold) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = suppressed(in[i], threshold);
}

void one_per_element(const Real* in, Real* out, std::size_t n, Real threshold) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), in, out, n, threshold);
}

// Above: as many blocks as the array needs, each gone after one element per thread.
// Here: as many blocks as fit at once (occupancy); each thread goes on in strides of the grid.
// Price: a loop in each thread, and accesses that are as narrow as before.
__global__ void grid_stride_kernel(const Real* in, Real* out, std::size_t n, Real threshold) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) out[i] = suppressed(in[i], threshold);
}

void grid_stride(const Real* in, Real* out, std::size_t n, Real threshold) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), in, out, n,
         threshold);
}

// Above: each access of a thread moves one element: 2, 4 or 8 bytes.
// Here: 128 bits per access, eight elements in i16.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
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

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks in several streams: one arrives while another is worked on and a third leaves.
// Price: a kernel and transfers to start for each chunk; the first one's way in and the last one's
// way out are still waited for.
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
      {"grid_stride", "as many blocks as the device holds, each thread in strides", grid_stride},
      {"wide", "128 bits per access: eight elements in i16", wide},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::zero_suppress
