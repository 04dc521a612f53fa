// hypot on a device by the directives of OpenMP: c = √(a² + b²), also where a² would overflow or
// underflow.
//
// A map of two inputs. std::hypot is that of the device's mathematical library.

#include "harness/workload/target.hpp"

#include <cmath>

#include "kernels/hypot/hypot.hpp"

namespace kernels::hypot {
namespace {

// Change: the naive loop in a region on the device. Its arrays move there and back.
// Cost: each call allocates memory on the device and moves all arrays over the bus.
void map(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp target teams distribute parallel for simd map(to : a[:n], b[:n]) map(from : c[:n])
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the region takes their addresses there.
// Cost: the program has to put them there, and to know which pointer is of which memory.
void resident(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp target teams distribute parallel for simd is_device_ptr(a, b, c)
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
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

}  // namespace kernels::hypot
