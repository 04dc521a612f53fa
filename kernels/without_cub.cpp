// CUB is compiled only by nvcc, if the toolkit has it. Elsewhere the ladders that call it are
// empty.

#include "kernels/counter/counter.hpp"
#include "kernels/histogram/histogram.hpp"
#include "kernels/read/read.hpp"
#include "kernels/row_norms/row_norms.hpp"
#include "kernels/scan/scan.hpp"
#include "kernels/sort/sort.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace {

using Real = BENCH_REAL;

}  // namespace

template <>
bench::Ladder<kernels::counter::Kernel<Real>> kernels::counter::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::histogram::Kernel<Real>> kernels::histogram::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::read::Kernel> kernels::read::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::sum_of_squares::Kernel<Real>> kernels::sum_of_squares::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::scan::Kernel<Real>> kernels::scan::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::sort::Kernel<Real>> kernels::sort::library<Real>() {
  return {};
}

template <>
bench::Ladder<kernels::row_norms::Kernel<Real>> kernels::row_norms::library<Real>() {
  return {};
}
