// n_body on a GPU: the acceleration of each of n bodies by all others, with softening.
//
// 20 operations for each pair, and n² pairs of 4n numbers: compute bound, if the bodies come fast
// enough. In f32 the special function unit has the inverse root, at a quarter of the rate of
// additions; f64 lacks this unit, and has few arithmetic units on most GPUs. All threads of a block
// want the same body at the same time: it is loaded once for all of them. 8192 bodies are too few
// threads for a large GPU.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/n_body/n_body.hpp"

namespace kernels::n_body {
namespace {

using bench::cuda::fast_rsqrt;
using bench::cuda::launch;
using bench::cuda::per_element;

constexpr unsigned block = 128;
constexpr unsigned tile = 128;   // bodies in shared memory at a time
constexpr unsigned at_once = 4;  // bodies of a thread
constexpr Real soft = static_cast<Real>(softening);

/// A body, or a sum for each coordinate of its acceleration.
struct alignas(4 * sizeof(Real)) Body {
  Real x;
  Real y;
  Real z;
  Real m;
};
struct Sum {
  Real x = 0;
  Real y = 0;
  Real z = 0;
};

// Change: one thread for the sum of one body, over all bodies in their order.
// Cost: each thread loads each body itself: four loads for 20 operations, though from a cache and
// for a whole warp at once.
__global__ void one_per_body_kernel(const Real* x, const Real* y, const Real* z, const Real* m,
                                    Real* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Sum sum;
  for (std::size_t j = 0; j < n; ++j) {
    const Real dx = x[j] - x[i];
    const Real dy = y[j] - y[i];
    const Real dz = z[j] - z[i];
    const Real square = dx * dx + dy * dy + dz * dz + soft;
    const Real pull = m[j] / (square * std::sqrt(square));
    sum.x += pull * dx;
    sum.y += pull * dy;
    sum.z += pull * dz;
  }
  a[i] = sum.x;
  a[n + i] = sum.y;
  a[2 * n + i] = sum.z;
}

void one_per_body(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                  std::size_t n) {
  launch(one_per_body_kernel, per_element(n, block), x, y, z, m, a, n);
}

/// Where bodies are; without mass behind the last one, so that tiles are full.
__device__ Body body_at(const Real* x, const Real* y, const Real* z, const Real* m, std::size_t i,
                        std::size_t n) {
  return i < n ? Body{x[i], y[i], z[i], m[i]} : Body{};
}

/// What a body feels of another.
__device__ void add_pull(Sum& sum, const Body& of, const Body& by) {
  const Real dx = by.x - of.x;
  const Real dy = by.y - of.y;
  const Real dz = by.z - of.z;
  const Real square = dx * dx + dy * dy + dz * dz + soft;
  const Real pull = by.m / (square * std::sqrt(square));
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
}

__device__ void store(Real* a, std::size_t i, std::size_t n, const Sum& sum) {
  if (i >= n) return;
  a[i] = sum.x;
  a[n + i] = sum.y;
  a[2 * n + i] = sum.z;
}

// Before: each body comes by four loads, from an L1 or L2 cache.
// Change: a tile of bodies in shared memory, loaded by all threads together, then read by all.
// Cost: two barriers per tile. All threads have to take part, those behind the last body as well.
__global__ void tiled_kernel(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                             std::size_t n) {
  __shared__ Body bodies[tile];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Body mine = body_at(x, y, z, m, i, n);
  Sum sum;
  for (std::size_t first = 0; first < n; first += tile) {
    for (unsigned k = threadIdx.x; k < tile; k += blockDim.x) {
      bodies[k] = body_at(x, y, z, m, first + k, n);
    }
    __syncthreads();
    for (unsigned k = 0; k < tile; ++k) add_pull(sum, mine, bodies[k]);
    __syncthreads();
  }
  store(a, i, n, sum);
}

void tiled(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
  launch(tiled_kernel, per_element(n, block), x, y, z, m, a, n);
}

/// v^(−3/2) from an approximate root y: the error e = 1 − v·y² of about 20 bits, one step of
/// Newton's and a second term for f64.
__device__ Real inverse_cubed_root(Real v) {
  const Real y = fast_rsqrt(v);
  const Real square = y * y;
  const Real e = std::fma(-v, square, Real{1});
  const Real cube = y * square;
  const Real series = std::fma(e, static_cast<Real>(15.0 / 8), static_cast<Real>(3.0 / 2));
  return std::fma(cube * e, sizeof(Real) == sizeof(float) ? static_cast<Real>(3.0 / 2) : series,
                  cube);
}

__device__ void add_pull_by_rsqrt(Sum& sum, const Body& of, const Body& by) {
  const Real dx = by.x - of.x;
  const Real dy = by.y - of.y;
  const Real dz = by.z - of.z;
  const Real square = std::fma(dx, dx, std::fma(dy, dy, std::fma(dz, dz, soft)));
  const Real pull = by.m * inverse_cubed_root(square);
  sum.x = std::fma(pull, dx, sum.x);
  sum.y = std::fma(pull, dy, sum.y);
  sum.z = std::fma(pull, dz, sum.z);
}

// Before: a root and a division, each some ten instructions with branches for rare arguments.
// Change: the approximate 1/√ of the special function unit, and a Newton step.
// Cost: other last digits. Zero, denormal and infinite squares would be wrong; softening leaves
// none of the first two.
__global__ void rsqrt_kernel(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                             std::size_t n) {
  __shared__ Body bodies[tile];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Body mine = body_at(x, y, z, m, i, n);
  Sum sum;
  for (std::size_t first = 0; first < n; first += tile) {
    for (unsigned k = threadIdx.x; k < tile; k += blockDim.x) {
      bodies[k] = body_at(x, y, z, m, first + k, n);
    }
    __syncthreads();
    for (unsigned k = 0; k < tile; ++k) add_pull_by_rsqrt(sum, mine, bodies[k]);
    __syncthreads();
  }
  store(a, i, n, sum);
}

void rsqrt(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
  launch(rsqrt_kernel, per_element(n, block), x, y, z, m, a, n);
}

// Before: each body read from shared memory serves one pair, and its load takes an issue slot.
// Change: four bodies per thread, a block apart: each body that is read serves four pairs, which
// also hide each other's latency.
// Cost: a quarter of the threads: only many bodies fill the GPU. Sixteen more registers.
__global__ void several_bodies_kernel(const Real* x, const Real* y, const Real* z, const Real* m,
                                      Real* a, std::size_t n) {
  __shared__ Body bodies[tile];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x * at_once + threadIdx.x;
  Body mine[at_once];
  Sum sums[at_once];
  BENCH_UNROLL for (unsigned b = 0; b < at_once; ++b) {
    mine[b] = body_at(x, y, z, m, i + b * blockDim.x, n);
  }
  for (std::size_t first = 0; first < n; first += tile) {
    for (unsigned k = threadIdx.x; k < tile; k += blockDim.x) {
      bodies[k] = body_at(x, y, z, m, first + k, n);
    }
    __syncthreads();
    for (unsigned k = 0; k < tile; ++k) {
      BENCH_UNROLL for (unsigned b = 0; b < at_once; ++b) {
        add_pull_by_rsqrt(sums[b], mine[b], bodies[k]);
      }
    }
    __syncthreads();
  }
  BENCH_UNROLL for (unsigned b = 0; b < at_once; ++b) store(a, i + b * blockDim.x, n, sums[b]);
}

void several_bodies(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                    std::size_t n) {
  const std::size_t threads = (n + at_once - 1) / at_once;
  launch(several_bodies_kernel, per_element(threads, block), x, y, z, m, a, n);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_body", "one thread per body, which loads all bodies itself", one_per_body},
      {"tiled", "tiles of bodies in shared memory, loaded once per block", tiled},
      {"rsqrt", "the approximate 1/√ of the special function unit and a Newton step", rsqrt},
      {"several_bodies", "four bodies per thread: each body that is read serves four pairs",
       several_bodies},
  };
  return ladder;
}

}  // namespace kernels::n_body
