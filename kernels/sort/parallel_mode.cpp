// sort by the parallel mode of libstdc++.

#include <algorithm>
#include <parallel/algorithm>

#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

template <class Real>
void of_parallel_mode(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  std::copy(in, in + n, out);
  __gnu_parallel::sort(out, out + n);
}

}  // namespace

template <class Real>
bench::Ladder<Kernel<Real>> openmp_library() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: the parallel sort of libstdc++", of_parallel_mode<Real>},
  };
  return ladder;
}

template bench::Ladder<Kernel<float>> openmp_library<float>();
template bench::Ladder<Kernel<double>> openmp_library<double>();

}  // namespace kernels::sort
