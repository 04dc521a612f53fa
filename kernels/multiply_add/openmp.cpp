// multiply_add on all cores of the job: 512 steps v ← a·v + b for each element.
//
// The arithmetic units of all cores together share no limited resource. So twice the cores are
// twice as fast, if the clock stays the same. Two hardware threads of one core share its units.
// Together they are no faster than one thread that keeps the units busy.

#include "harness/workload/target.hpp"
#include "kernels/multiply_add/element.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::multiply_add {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* x, Real* y, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) y[i] = stepped(x[i]);
}

// Before: each core waits for the step before, with most of its units idle.
// Change: threads over blocks of elements, twelve vectors in turn (SIMD) within each.
// Cost: whole blocks. The last one computes some elements twice, in one thread.
void simd(const Real* x, Real* y, std::size_t n) {
  const std::size_t whole = n - n % together;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < whole; i += together) step_together(x + i, y + i);
  step_rest(x, y, n);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"simd", "threads over the blocks, twelve vectors in turn inside each", simd},
  };
  return ladder;
}

}  // namespace kernels::multiply_add
