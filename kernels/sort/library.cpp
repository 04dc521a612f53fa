// sort by the standard library: what a user would call.

#include <algorithm>

#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

template <class Real>
void of_standard(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  std::copy(in, in + n, out);
  std::sort(out, out + n);
}

}  // namespace

template <class Real>
bench::Ladder<Kernel<Real>> serial_library() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: std::sort", of_standard<Real>},
  };
  return ladder;
}

template bench::Ladder<Kernel<float>> serial_library<float>();
template bench::Ladder<Kernel<double>> serial_library<double>();

}  // namespace kernels::sort
