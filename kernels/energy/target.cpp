// energy on a device by the directives of OpenMP: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: every element is an iteration, and iterations become threads of the device. The functions
// are those of the device's mathematical library, for which the compiler exchanges them.

#include "kernels/energy/element.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Change: the naive loop in a region on the device. Its arrays move there and back.
// Cost: each call allocates memory on the device and moves both arrays over the bus.
void map(const Real* x, Real* energy, std::size_t n) {
#pragma omp target teams distribute parallel for simd map(to : x[:n]) map(from : energy[:n])
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the region takes their addresses there.
// Cost: the program has to put them there, and to know which pointer is of which memory.
void resident(const Real* x, Real* energy, std::size_t n) {
#pragma omp target teams distribute parallel for simd is_device_ptr(x, energy)
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
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

}  // namespace kernels::energy
