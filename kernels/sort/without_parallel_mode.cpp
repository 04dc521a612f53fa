// libc++ has no parallel mode. With it this ladder is empty.

#include "kernels/sort/sort.hpp"

template <>
bench::Ladder<kernels::sort::Kernel<float>> kernels::sort::openmp_library<float>() {
  return {};
}

template <>
bench::Ladder<kernels::sort::Kernel<double>> kernels::sort::openmp_library<double>() {
  return {};
}
