// pulse_train on a GPU: w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i].
//
// A map: 8 bytes per element in f32 (the index is known and need not be moved) and some dozens of
// instructions, which many threads do while the bytes of others are in flight: memory bound. What
// costs is moving: over the bus most of all, so that a result that the next kernel needs should
// stay on the device; then through the device's own memory, which fusion avoids.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/pulse_train/pulse_train.hpp"

namespace kernels::pulse_train {
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

/// The pulse at i. A literal 0.3 is a double, and would take the sine along to f64.
__device__ Real pulse_at(std::size_t i, Real amplitude, Real period) {
  const Real height = std::sin(static_cast<Real>(i) / period) - static_cast<Real>(0.3);
  return amplitude * (height > 0 ? height : 0);
}

__global__ void pulses_kernel(Real* pulses, std::size_t n, Real amplitude, Real period) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) pulses[i] = pulse_at(i, amplitude, period);
}

__global__ void add_noise_kernel(const Real* pulses, const Real* noise, Real* wave, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) wave[i] = pulses[i] + noise[i];
}

// Here: a kernel for each step; after the first the pulses are taken to the host, as a notebook
// does that looks at each result, and brought back for the second. Price: 16 bytes per element over
// the bus in f32, where 8 are needed.
void round_trip(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
                Real period) {
  const auto shape = bench::cuda::per_element(n, block);
  upload(noise, n);
  launch(pulses_kernel, shape, wave, n, amplitude, period);
  download(wave, n);
  upload(wave, n);
  launch(add_noise_kernel, shape, wave, noise, wave, n);
  download(wave, n);
}

// Above: the pulses cross the bus twice, though nobody on the host needs them.
// Here: they stay on the device.
// Price: they go through its memory and back.
void two_kernels(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
                 Real period) {
  const auto shape = bench::cuda::per_element(n, block);
  launch(pulses_kernel, shape, pulses, n, amplitude, period);
  launch(add_noise_kernel, shape, pulses, noise, wave, n);
}

// Above: 16 bytes per element in f32, of which 8 are needed, and two kernel launches.
// Here: one kernel: the pulse stays in a register (fusion).
// Price: the steps can no longer be called one by one.
__global__ void fused_kernel(const Real* noise, Real* wave, std::size_t n, Real amplitude,
                             Real period) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) wave[i] = pulse_at(i, amplitude, period) + noise[i];
}

void fused(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
           Real period) {
  launch(fused_kernel, bench::cuda::per_element(n, block), noise, wave, n, amplitude, period);
}

/// The pulses of indices first, first + stride, …: added to the noise there.
__device__ void add_pulses(const Real* noise, Real* wave, std::size_t offset, std::size_t first,
                           std::size_t end, std::size_t stride, Real amplitude, Real period) {
  for (std::size_t i = first; i < end; i += stride)
    wave[i] = pulse_at(offset + i, amplitude, period) + noise[i];
}

// Above: as many blocks as the arrays need, each thread gone after one element, and 4 or 8 bytes
// per access.
// Here: as many blocks as fit at once (occupancy), in strides of the grid, and 128 bits per access:
// fewer instructions for the memory, more bytes in flight at once.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
__global__ void wide_kernel(const Real* noise, Real* wave, std::size_t offset, std::size_t n,
                            Real amplitude, Real period) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    Wide values = load_wide(noise + i);
    for (std::size_t k = 0; k < Wide::lanes; ++k)
      values.lane[k] += pulse_at(offset + i + k, amplitude, period);
    store_wide(wave + i, values);
  }
  add_pulses(noise, wave, offset, vectors * Wide::lanes + first, n, stride, amplitude, period);
}

/// The n elements that begin here, whose indices begin at `offset`.
void wide_from(std::size_t offset, const Real* noise, Real* wave, std::size_t n, Real amplitude,
               Real period) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), noise, wave, offset, n,
         amplitude, period);
}

void wide(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
          Real period) {
  wide_from(0, noise, wave, n, amplitude, period);
}

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks in several streams: one arrives while another is worked on and a third leaves.
// Price: a kernel and transfers to start for each chunk; the first one's way in and the last one's
// way out are still waited for.
void overlapped(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
                Real period) {
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(noise + chunk.first, chunk.count);
    wide_from(chunk.first, noise + chunk.first, wave + chunk.first, chunk.count, amplitude, period);
    download(wave + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"round_trip", "two kernels, the pulses to the host and back between them", round_trip,
       bench::any_size, bench::with_transfers},
      {"two_kernels", "the pulses stay on the device, an array between two kernels", two_kernels},
      {"fused", "one kernel: what lies between the steps stays in registers", fused},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::pulse_train
