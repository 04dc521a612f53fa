// matmul on a device by the directives of OpenMP: C = A·B, m×k times k×n, row-major, any shape.
//
// `collapse(2)` makes an iteration of each element of C. Reuse decides how fast a product is. It
// would take tiles in shared memory, for which OpenMP has no directive: the caches do what they
// can.

#include "harness/workload/target.hpp"

#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {
namespace {

// Change: the naive loops in a region on the device. Its arrays move there and back.
// Cost: each call allocates memory on the device and moves all arrays over the bus.
void map(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
#pragma omp target teams distribute parallel for simd collapse(2) map(to                 \
                                                                      : a[:m * k], b     \
                                                                      [:k * n]) map(from \
                                                                                    : c[:m * n])
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the region takes their addresses there.
// Cost: each element of A is read n times, and each of B m times.
void resident(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
#pragma omp target teams distribute parallel for simd collapse(2) is_device_ptr(a, b, c)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
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

}  // namespace kernels::matmul
