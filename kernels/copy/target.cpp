// copy on a device by the directives of OpenMP: out[i] = in[i].
//
// `target` moves execution to the device. `teams distribute` shares the iterations out among teams,
// which become blocks, `parallel for` those of a team among its threads, and `simd` those of a
// thread. gcc makes a warp of a thread, whose lanes are for `simd`; clang needs no `simd`. The
// compiler and its library choose how many there are. Without a device the host executes the
// region.

#include "harness/workload/target.hpp"

#include "kernels/copy/copy.hpp"

namespace kernels::copy {
namespace {

// Change: the naive loop in a region on the device. Its arrays move there and back.
// Cost: each call allocates memory on the device and moves both arrays over the bus.
void map(const Real* in, Real* out, std::size_t n) {
#pragma omp target teams distribute parallel for simd map(to : in[:n]) map(from : out[:n])
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the region takes their addresses there.
// Cost: the program has to put them there, and to know which pointer is of which memory.
void resident(const Real* in, Real* out, std::size_t n) {
#pragma omp target teams distribute parallel for simd is_device_ptr(in, out)
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> target<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"map", "the naive loop on the device; arrays move with each call", map, bench::any_size,
       bench::with_transfers},
      {"resident", "arrays that stay on the device", resident},
  };
  return ladder;
}

}  // namespace kernels::copy
