// sum_of_squares on a device by the directives of OpenMP: Σ x², in float64.
//
// `reduction` gives each thread a sum of its own, and adds them up: within a team, then those of
// the teams. The sum is a variable of the host, so that it comes back with each region.

#include "kernels/sum_of_squares/squares.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

// Change: the naive loop as a reduction in a region on the device. Its elements move there.
// Cost: each call allocates memory on the device and moves the elements over the bus.
void map(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp target teams distribute parallel for simd map(to : x[ : n]) map(tofrom : total) \
    reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) total += square(x[i]);
  sum[0] = total;
}

// Before: the elements travel with every call.
// Change: they are on the device already, and another region stores the sum there.
// Cost: two regions, and the sum comes to the host between them.
void resident(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp target teams distribute parallel for simd is_device_ptr(x) map(tofrom : total) \
    reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) total += square(x[i]);
#pragma omp target is_device_ptr(sum)
  sum[0] = total;
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

}  // namespace kernels::sum_of_squares
