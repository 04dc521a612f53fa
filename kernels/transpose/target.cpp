// transpose on a device by the directives of OpenMP: out[j][i] = in[i][j], rows × cols, any shape.
//
// `collapse(2)` makes one loop of two, so that there are as many iterations as elements. Those of
// the inner loop are neighbours, and decide how memory is accessed.

#include "harness/workload/target.hpp"

#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

// Change: the naive loops as one, in a region on the device. Its arrays move there and back.
// Cost: each call allocates memory on the device and moves both arrays over the bus.
void map(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
#pragma omp target teams distribute parallel for simd collapse(2) map(to                  \
                                                                      : in[:rows * cols]) \
    map(from                                                                              \
        : out[:rows * cols])
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
  }
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the region takes their addresses there.
// Cost: neighbours write `rows` elements apart. A tile in shared memory, as in CUDA, has no
// directive.
void resident(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
#pragma omp target teams distribute parallel for simd collapse(2) is_device_ptr(in, out)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
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

}  // namespace kernels::transpose
