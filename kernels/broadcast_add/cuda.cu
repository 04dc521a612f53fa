// broadcast_add on a GPU: out[i][j] = in[i][j] + v[j], any shape.
//
// 8 bytes per element in f32 and one addition: memory bandwidth is the limit. v is read for every
// row but moved once, since it stays in the caches (L1, L2). The variants differ in how a thread
// finds its column.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "harness/cuda/kernel.hpp"
#include "kernels/broadcast_add/broadcast_add.hpp"

namespace kernels::broadcast_add {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;

// Change: one thread per element of the flat array; its column is the remainder of a division.
// Cost: GPUs have no instruction for a 64-bit integer division by a run-time value: it takes dozens
// of others.
__global__ void remainder_kernel(const Real* in, const Real* v, Real* out, std::size_t n,
                                 std::size_t cols) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < n) out[k] = in[k] + v[k % cols];
}

void remainder(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols;
  launch(remainder_kernel, bench::cuda::per_element(n, block), in, v, out, n, cols);
}

/// Threads of a block along the rows and across them.
constexpr unsigned across = 32;
constexpr unsigned down = 8;
/// Blocks that a grid may have in y.
constexpr std::size_t most_down = 65'535;

/// Blocks of across × down threads, `y` of them in y.
bench::cuda::Configuration in_two_dimensions(std::size_t cols, std::size_t blocks_down) {
  const auto in_x = static_cast<unsigned>((cols + across - 1) / across);
  const auto in_y = static_cast<unsigned>(std::clamp<std::size_t>(blocks_down, 1, most_down));
  return {{in_x, in_y}, {across, down}};
}

// Before: a division per element.
// Change: a two-dimensional grid, in which a thread knows its column.
// Cost: a matrix with few columns leaves most threads of a block idle. v is loaded from a cache for
// every element.
__global__ void two_d_kernel(const Real* in, const Real* v, Real* out, std::size_t rows,
                             std::size_t cols) {
  const std::size_t col = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::size_t stride = std::size_t{gridDim.y} * blockDim.y;
  if (col >= cols) return;
  for (std::size_t row = first; row < rows; row += stride) {
    out[row * cols + col] = in[row * cols + col] + v[col];
  }
}

void two_d(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  launch(two_d_kernel, in_two_dimensions(cols, (rows + down - 1) / down), in, v, out, rows, cols);
}

// Before: a thread loads its v, uses it once and exits.
// Change: launch only as many blocks as are resident at once. Each thread keeps its v in a register
// and walks down the rows.
// Cost: needs many columns; one element per access.
__global__ void column_strips_kernel(const Real* in, const Real* v, Real* out, std::size_t rows,
                                     std::size_t cols) {
  const std::size_t col = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::size_t stride = std::size_t{gridDim.y} * blockDim.y;
  if (col >= cols) return;
  const Real mine = v[col];
  for (std::size_t row = first; row < rows; row += stride) {
    out[row * cols + col] = in[row * cols + col] + mine;
  }
}

void column_strips(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned threads = across * down;
  const std::size_t held = bench::cuda::threads_held(column_strips_kernel, threads) / threads;
  const std::size_t in_x = (cols + across - 1) / across;
  const std::size_t each = in_x > 0 ? held / in_x : 0;
  const std::size_t needed = (rows + down - 1) / down;
  launch(column_strips_kernel, in_two_dimensions(cols, std::min(each, needed)), in, v, out, rows,
         cols);
}

/// Division by an invariant: a multiplication by its reciprocal, which the host computes, and at
/// most one correction. Right for all 64-bit numbers (after Granlund and Montgomery 1994).
struct Divisor {
  std::uint64_t value;
  std::uint64_t reciprocal;  ///< (2⁶⁴ − 1) / value

  explicit Divisor(std::size_t by)
      : value(by), reciprocal(std::numeric_limits<std::uint64_t>::max() / (by > 0 ? by : 1)) {}

  __device__ std::uint64_t remainder_of(std::uint64_t k) const {
    const std::uint64_t rest = k - __umul64hi(k, reciprocal) * value;
    return rest < value ? rest : rest - value;
  }
};

// Before: one element per access, and idle threads for some shapes.
// Change: the flat array, 128 bits per access. The reciprocal gives the column of a vector's first
// element, and counting gives the others.
// Cost: needs 16-byte alignment; v is loaded element by element, since a vector may start at any
// column.
__global__ void wide_kernel(const Real* in, const Real* v, Real* out, std::size_t begin,
                            std::size_t end, Divisor cols) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = end / Wide::lanes;
  for (std::size_t k = begin / Wide::lanes + thread; k < vectors; k += stride) {
    Wide all = load_wide(in + k * Wide::lanes);
    std::size_t col = cols.remainder_of(k * Wide::lanes);
    for (Real& x : all.lane) {
      x += v[col];
      if (++col == cols.value) col = 0;
    }
    store_wide(out + k * Wide::lanes, all);
  }
  for (std::size_t k = vectors * Wide::lanes + thread; k < end; k += stride) {
    out[k] = in[k] + v[cols.remainder_of(k)];
  }
}

/// The elements begin … end of the flat array; `begin` is a multiple of a vector.
void wide_part(const Real* in, const Real* v, Real* out, std::size_t begin, std::size_t end,
               std::size_t cols) {
  const std::size_t threads = (end - begin) / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), in, v, out, begin, end,
         Divisor(cols));
}

void wide(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  wide_part(in, v, out, 0, rows * cols, cols);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: v first, then chunks of the flat array in several streams: one arrives while another is
// computed and a third leaves.
// Cost: one launch and its transfers per chunk; v, the first upload and the last download are not
// overlapped.
void overlapped(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  upload(v, cols);
  in_chunks(rows * cols, sizeof(Real), [=](Chunk chunk) {
    upload(in + chunk.first, chunk.count);
    wide_part(in, v, out, chunk.first, chunk.first + chunk.count, cols);
    download(out + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"remainder", "one thread per element, its column by a division", remainder},
      {"two_d", "a 2-D grid: a thread knows its column", two_d},
      {"column_strips", "a thread keeps its v in a register and walks down the rows",
       column_strips},
      {"wide", "128 bits per access; the column by a product with a reciprocal", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::broadcast_add
