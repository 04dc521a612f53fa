// polar_distance on a GPU: the distance between two points (ρ₁, θ₁) and (ρ₂, θ₂).
//
// A map with four inputs: 20 bytes per element in f32. Device functions are inlined and cost
// nothing. Sine and cosine take dozens of instructions each, which overlap with the loads of other
// threads (latency hiding). So it is memory bound in f32 on a GPU for data centres. In f64, or with
// few f64 units, the arithmetic is the limit, and the better formula is faster.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/polar_distance/polar_distance.hpp"

namespace kernels::polar_distance {
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

struct Point {
  Real x;
  Real y;
};

__device__ Real between(const Point& a, const Point& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

__device__ Point cartesian(Real rho, Real theta) {
  return {rho * std::cos(theta), rho * std::sin(theta)};
}

// Change: one thread per element; a device function, called twice, converts a point to Cartesian
// coordinates.
// Cost: each of the four functions reduces its argument separately.
__global__ void one_per_element_kernel(const Real* rho_1, const Real* theta_1, const Real* rho_2,
                                       const Real* theta_2, Real* distance, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n)
    distance[i] = between(cartesian(rho_1[i], theta_1[i]), cartesian(rho_2[i], theta_2[i]));
}

void one_per_element(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                     Real* distance, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), rho_1, theta_1, rho_2, theta_2,
         distance, n);
}

__device__ Point cartesian_at_once(Real rho, Real theta) {
  Real sine;
  Real cosine;
  bench::cuda::sine_and_cosine(theta, &sine, &cosine);
  return {rho * cosine, rho * sine};
}

// Before: an angle is reduced twice, once for its sine and once for its cosine.
// Change: one call for both (sincos), which share the reduction.
// Cost: none. Where memory bandwidth is the limit, nothing is gained either.
__global__ void sincos_kernel(const Real* rho_1, const Real* theta_1, const Real* rho_2,
                              const Real* theta_2, Real* distance, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  distance[i] =
      between(cartesian_at_once(rho_1[i], theta_1[i]), cartesian_at_once(rho_2[i], theta_2[i]));
}

void sincos(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
            Real* distance, std::size_t n) {
  launch(sincos_kernel, bench::cuda::per_element(n, block), rho_1, theta_1, rho_2, theta_2,
         distance, n);
}

/// √((ρ₁ − ρ₂)² + 4·ρ₁·ρ₂·sin²((θ₁ − θ₂)/2))
__device__ Real by_half_angle(Real rho_1, Real theta_1, Real rho_2, Real theta_2) {
  const Real sine = std::sin((theta_1 - theta_2) / 2);
  const Real difference = rho_1 - rho_2;
  return std::sqrt(difference * difference + 4 * rho_1 * rho_2 * (sine * sine));
}

// Before: sine and cosine of two angles.
// Change: one sine, of half the angle between the points, without cancellation.
// Cost: a less familiar formula.
__global__ void half_angle_kernel(const Real* rho_1, const Real* theta_1, const Real* rho_2,
                                  const Real* theta_2, Real* distance, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) distance[i] = by_half_angle(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

void half_angle(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                Real* distance, std::size_t n) {
  launch(half_angle_kernel, bench::cuda::per_element(n, block), rho_1, theta_1, rho_2, theta_2,
         distance, n);
}

// Before: one thread per element, and 4 or 8 bytes per access.
// Change: one wave of resident blocks, with a grid-stride loop, and 128 bits per access:
// fewer memory instructions, more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* rho_1, const Real* theta_1, const Real* rho_2,
                            const Real* theta_2, Real* distance, std::size_t n) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = thread; v < vectors; v += stride) {
    const std::size_t first = v * Wide::lanes;
    const Wide r_1 = load_wide(rho_1 + first);
    const Wide t_1 = load_wide(theta_1 + first);
    const Wide r_2 = load_wide(rho_2 + first);
    const Wide t_2 = load_wide(theta_2 + first);
    Wide d;
    for (std::size_t k = 0; k < Wide::lanes; ++k)
      d.lane[k] = by_half_angle(r_1.lane[k], t_1.lane[k], r_2.lane[k], t_2.lane[k]);
    store_wide(distance + first, d);
  }
  for (std::size_t i = vectors * Wide::lanes + thread; i < n; i += stride)
    distance[i] = by_half_angle(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

void wide(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
          Real* distance, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), rho_1, theta_1, rho_2,
         theta_2, distance, n);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                Real* distance, std::size_t n) {
  in_chunks(n, 4 * sizeof(Real), [=](Chunk chunk) {
    for (const Real* const input : {rho_1, theta_1, rho_2, theta_2})
      upload(input + chunk.first, chunk.count);
    wide(rho_1 + chunk.first, theta_1 + chunk.first, rho_2 + chunk.first, theta_2 + chunk.first,
         distance + chunk.first, chunk.count);
    download(distance + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_element", "a device function called twice: inlined, it costs nothing",
       one_per_element},
      {"sincos", "sine and cosine of an angle by one call", sincos},
      {"half_angle", "one sine, of half the angle: no cancellation", half_angle},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::polar_distance
