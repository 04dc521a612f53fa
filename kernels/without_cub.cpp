// CUB is compiled by nvcc only, where the toolkit has it: elsewhere the ladders that call it are
// empty.

#include "kernels/histogram/histogram.hpp"
#include "kernels/read/read.hpp"

namespace {

using Real = BENCH_REAL;

}  // namespace

template <>
bench::Ladder<kernels::histogram::Kernel<Real>> kernels::histogram::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::read::Kernel> kernels::read::library<Real>() {
  return {};
}
