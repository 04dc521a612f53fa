#include "harness/cuda/launch.hpp"
#include "harness/cuda/test/twice.hpp"

namespace bench::test::kernels {
namespace {

using cuda::launch;
using cuda::per_element;

constexpr unsigned block = 64;

__device__ std::size_t index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__global__ void honest_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t i = index();
  if (i < n) out[i] = 2 * in[i];
}

__global__ void strided_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = index(); i < n; i += stride) out[i] = 2 * in[i];
}

__global__ void write_kernel(float* at) { *at = 1; }

__global__ void nothing_kernel() {}

__global__ void trap_kernel() { __trap(); }

__global__ void copy_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t i = index();
  if (i < n) out[i] = in[i];
}

}  // namespace

void honest(const float* in, float* out, std::size_t n) {
  launch(honest_kernel, per_element(n, block), in, out, n);
}

void strided(const float* in, float* out, std::size_t n) {
  launch(strided_kernel, cuda::resident(strided_kernel, n, block), in, out, n);
}

void one_too_many(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(write_kernel, {1, 1}, out + n);
}

void one_before(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(write_kernel, {1, 1}, out - 1);
}

void no_tail(const float* in, float* out, std::size_t n) { honest(in, out, n - 1); }

void writes_nothing(const float* /*in*/, float* /*out*/, std::size_t /*n*/) {
  launch(nothing_kernel, {1, 1});
}

void launches_nothing(const float* /*in*/, float* /*out*/, std::size_t /*n*/) {}

void into_the_input(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(write_kernel, {1, 1}, const_cast<float*>(in) + n / 2);
}

void too_many_threads(const float* in, float* out, std::size_t n) {
  constexpr unsigned four_thousand = 4096;
  launch(honest_kernel, {1, four_thousand}, in, out, n);
}

void too_much_shared(const float* in, float* out, std::size_t n) {
  constexpr std::size_t megabyte = std::size_t{1} << 20U;
  launch(honest_kernel, {1, block, megabyte}, in, out, n);
}

void takes_a_trap(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(trap_kernel, {1, 1});
}

void copies(const float* in, float* out, std::size_t n) {
  launch(copy_kernel, per_element(n, block), in, out, n);
}

}  // namespace bench::test::kernels
