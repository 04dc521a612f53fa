// copy on all cores by the parallel algorithms of C++: out[i] = in[i].
//
// An algorithm says what is computed, and in which order it need not be: par_unseq allows several
// threads, and vectors within each. The library and its scheduler (TBB) decide the rest. There is
// no word for streaming stores.

#include <algorithm>
#include <execution>

#include "harness/workload/target.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/indices.hpp"

namespace kernels::copy {
namespace {

// Change: the naive loop, its body given to std::for_each with the numbers of the elements.
// Cost: TBB cuts the work as it goes: a thread may get memory that is far from it.
void naive(const Real* in, Real* out, std::size_t n) {
  std::for_each(std::execution::par_unseq, Index(0), Index(n),
                [=](std::size_t i) { out[i] = in[i]; });
}

// Before: the library sees a function that it knows nothing about.
// Change: the algorithm that says what is wanted, so that each part is one call of memmove.
// Cost: memmove streams only what is large, and parts are small.
void copy(const Real* in, Real* out, std::size_t n) {
  std::copy(std::execution::par_unseq, in, in + n, out);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop as std::for_each", naive},
      {"copy", "std::copy: each part is one memmove", copy},
  };
  return ladder;
}

}  // namespace kernels::copy
