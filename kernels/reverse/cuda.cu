// reverse on a GPU: out[i] = in[n−1−i].
//
// 8 bytes per element in f32 and no arithmetic: memory bound like copy. The threads of a block may
// exchange elements through shared memory, if a barrier (__syncthreads) makes all wait until each
// element is there. Here that gains nothing: the 32 addresses of a warp decrease instead of
// increase, and are in as few sectors (coalesced) as before.

#include "harness/cuda/kernel.hpp"
#include "kernels/reverse/reverse.hpp"

namespace kernels::reverse {
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

// Change: one thread per element. The addresses of a warp decrease, and are as coalesced as
// increasing ones.
// Cost: a thread exits after 8 bytes.
__global__ void one_per_element_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

void one_per_element(const Real* in, Real* out, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), in, out, n);
}

/// How many of the n elements a block has, and where the first of them is.
struct Part {
  std::size_t first;
  unsigned count;
};
__device__ Part own_part(std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  return {first, static_cast<unsigned>(n - first < blockDim.x ? n - first : blockDim.x)};
}

// Change: a block puts its part into shared memory, and takes it out in reverse order.
// Cost: wrong. No thread waits for the one whose element it takes: fast warps read elements that
// have not been written yet (a data race).
__global__ void no_barrier_kernel(const Real* in, Real* out, std::size_t n) {
  Real* const part = bench::cuda::dynamic_shared<Real>();
  const auto [first, count] = own_part(n);
  const unsigned t = threadIdx.x;
  if (t >= count) return;
  bench::cuda::unordered_store(part[t], in[first + t]);
  out[n - first - count + t] = bench::cuda::unordered_load(part[count - 1 - t]);
}

void no_barrier(const Real* in, Real* out, std::size_t n) {
  auto shape = bench::cuda::per_element(n, block);
  shape.shared_bytes = shape.block.x * sizeof(Real);
  launch(no_barrier_kernel, shape, in, out, n);
}

// Before: threads take elements that other threads have not written yet.
// Change: a barrier in between, at which all threads of the block wait.
// Cost: the barrier, and no gain over the first variant, whose accesses were coalesced already.
__global__ void shared_kernel(const Real* in, Real* out, std::size_t n) {
  Real* const part = bench::cuda::dynamic_shared<Real>();
  const auto [first, count] = own_part(n);
  const unsigned t = threadIdx.x;
  if (t < count) part[t] = in[first + t];
  __syncthreads();
  if (t < count) out[n - first - count + t] = part[count - 1 - t];
}

void shared(const Real* in, Real* out, std::size_t n) {
  auto shape = bench::cuda::per_element(n, block);
  shape.shared_bytes = shape.block.x * sizeof(Real);
  launch(shared_kernel, shape, in, out, n);
}

// Before: 4 or 8 bytes per access, and shared memory that is not needed.
// Change: 128 bits per access, the elements of a vector reversed in registers; only as many blocks
// as are resident, with a grid-stride loop.
// Cost: needs 16-byte alignment. If n is not a multiple of a vector, reversed vectors are not
// aligned and are stored element by element.
__global__ void wide_kernel(const Real* in, Real* out, std::size_t n, std::size_t begin,
                            std::size_t end) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const bool whole = n % Wide::lanes == 0;
  for (std::size_t v = begin / Wide::lanes + thread; v < end / Wide::lanes; v += stride) {
    const Wide there = load_wide(in + v * Wide::lanes);
    Real* const to = out + (n - (v + 1) * Wide::lanes);
    Wide turned;
    for (std::size_t k = 0; k < Wide::lanes; ++k) turned.lane[k] = there.lane[Wide::lanes - 1 - k];
    if (whole) {
      store_wide(to, turned);
    } else {
      for (std::size_t k = 0; k < Wide::lanes; ++k) to[k] = turned.lane[k];
    }
  }
  for (std::size_t i = end / Wide::lanes * Wide::lanes + thread; i < end; i += stride)
    out[n - 1 - i] = in[i];
}

/// The elements begin … end of `in`; `begin` is a multiple of a vector.
void wide_part(const Real* in, Real* out, std::size_t n, std::size_t begin, std::size_t end) {
  const std::size_t threads = (end - begin) / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), in, out, n, begin,
         end);
}

void wide(const Real* in, Real* out, std::size_t n) { wide_part(in, out, n, 0, n); }

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is reversed and a third leaves for
// its mirrored position.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* in, Real* out, std::size_t n) {
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    const std::size_t end = chunk.first + chunk.count;
    upload(in + chunk.first, chunk.count);
    wide_part(in, out, n, chunk.first, end);
    download(out + (n - end), chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_element", "one thread per element: decreasing addresses, still coalesced",
       one_per_element},
      {"no_barrier", "through shared memory without a barrier: elements are read too early",
       no_barrier, bench::any_size, bench::kernel_only, bench::wrong_on_purpose},
      {"shared", "through shared memory with a barrier: right, but not faster", shared},
      {"wide", "128 bits per access, reversed in registers", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::reverse
