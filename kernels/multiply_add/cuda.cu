// multiply_add on a GPU: 512 steps v ← a·v + b for each element, from v = x to the result.
//
// 1024 operations for 8 bytes in f32: clearly compute bound. A step needs the result of the one
// before it, some four cycles later. Meanwhile a multiprocessor can issue the steps of up to four
// warps per cycle. Two things hide the latency: other warps, and other elements of the same thread.
// Only large arrays fill the GPU: `--size course`.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::multiply_add {
namespace {

using bench::cuda::launch;

constexpr unsigned block = 256;
constexpr std::size_t count = 4;  // elements of a thread at a time
constexpr Real a = static_cast<Real>(factor);
constexpr Real b = static_cast<Real>(summand);

__device__ Real stepped(Real v) {
  for (unsigned step = 0; step < steps; ++step) v = std::fma(v, a, b);
  return v;
}

// Change: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Cost: one multiply-add in flight on the whole GPU: the time is the latency of each.
__global__ void one_thread_kernel(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = stepped(x[i]);
}

void one_thread(const Real* x, Real* y, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, x, y, n);
}

// Before: each step waits for the one before, with no other work in between.
// Change: one thread per element: while a warp waits, the multiprocessor issues a step of another
// warp.
// Cost: needs many warps on each multiprocessor (occupancy), hence many elements.
__global__ void one_per_element_kernel(const Real* x, Real* y, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = stepped(x[i]);
}

void one_per_element(const Real* x, Real* y, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), x, y, n);
}

// Before: a warp has one multiply-add in flight, and other warps must hide all of its latency.
// Change: four elements of each thread in turn (instruction-level parallelism): a quarter of the
// warps hides as much.
// Cost: a register per element; the remainder is processed one by one. No gain where the GPU is
// full of warps.
__global__ void several_kernel(const Real* x, Real* y, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (count - 1) * stride < n; i += count * stride) {
    Real v[count];
    for (std::size_t k = 0; k < count; ++k) v[k] = x[i + k * stride];
    for (unsigned step = 0; step < steps; ++step) {
      for (Real& one : v) one = std::fma(one, a, b);
    }
    for (std::size_t k = 0; k < count; ++k) y[i + k * stride] = v[k];
  }
  for (; i < n; i += stride) y[i] = stepped(x[i]);
}

void several(const Real* x, Real* y, std::size_t n) {
  const std::size_t threads = (n + count - 1) / count;
  launch(several_kernel, bench::cuda::fill_device(several_kernel, threads, block), x, y, n);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_thread", "the naive loop on a single GPU thread, deliberately slow", one_thread,
       100'000},
      {"one_per_element", "one thread per element: other warps hide the latency", one_per_element},
      {"several", "four elements of each thread in turn: fewer warps are enough", several},
  };
  return ladder;
}

}  // namespace kernels::multiply_add
