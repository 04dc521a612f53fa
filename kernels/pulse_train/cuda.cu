// pulse_train on a GPU: w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i].
//
// A map: 8 bytes per element in f32, since the index is known and need not be loaded. Its dozens of
// instructions overlap with the loads of other threads: memory bound. Moving data is the cost.
// Transfers over the bus cost most, so a result that the next kernel needs should stay on the GPU.
// Next is GPU memory traffic, which fusion avoids.

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

/// The pulse at i. A literal 0.3 is a double, and would make the sine an f64 computation.
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

// Change: one kernel per step. Between them the pulses are copied to the host and back, as in a
// notebook that looks at each result.
// Cost: 16 bytes per element over the bus in f32, where 8 are needed.
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

// Before: the pulses cross the bus twice, though the host does not need them.
// Change: they stay on the GPU.
// Cost: they are written to GPU memory and read again.
void two_kernels(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
                 Real period) {
  const auto shape = bench::cuda::per_element(n, block);
  launch(pulses_kernel, shape, pulses, n, amplitude, period);
  launch(add_noise_kernel, shape, pulses, noise, wave, n);
}

// Before: 16 bytes per element in f32, of which 8 are needed, and two kernel launches.
// Change: one kernel: the pulse stays in a register (fusion).
// Cost: the steps can no longer be called separately.
__global__ void fused_kernel(const Real* noise, Real* wave, std::size_t n, Real amplitude,
                             Real period) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) wave[i] = pulse_at(i, amplitude, period) + noise[i];
}

void fused(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
           Real period) {
  launch(fused_kernel, bench::cuda::per_element(n, block), noise, wave, n, amplitude, period);
}

/// The pulses of indices first, first + stride, …, added to the noise.
__device__ void add_pulses(const Real* noise, Real* wave, std::size_t offset, std::size_t first,
                           std::size_t end, std::size_t stride, Real amplitude, Real period) {
  for (std::size_t i = first; i < end; i += stride)
    wave[i] = pulse_at(offset + i, amplitude, period) + noise[i];
}

// Before: one thread per element, and 4 or 8 bytes per access.
// Change: one wave of resident blocks, with a grid-stride loop, and 128 bits per access:
// fewer memory instructions, more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
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

/// The n elements from here on, whose indices start at `offset`.
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

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
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
      {"round_trip", "two kernels; between them the pulses go to the host and back", round_trip,
       bench::any_size, bench::with_transfers},
      {"two_kernels", "the pulses stay on the GPU, an array between two kernels", two_kernels},
      {"fused", "one kernel: intermediate values stay in registers", fused},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::pulse_train
