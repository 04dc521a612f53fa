// column_sums on a GPU: out[j] = Σᵢ in[i][j].
//
// One addition for the 4 bytes of an element in f32, and one store per column. It is memory bound
// if enough bytes are in flight and accesses are coalesced. Neighbouring threads must read
// neighbouring elements, and those belong to different columns. So one thread per column is
// coalesced. But most matrices have fewer columns than a GPU has threads, and then too few bytes
// are in flight.

#include "harness/cuda/kernel.hpp"
#include "kernels/column_sums/column_sums.hpp"

namespace kernels::column_sums {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::dynamic_shared;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;
constexpr unsigned most_threads = 1024;  // of any block

/// Reduces those of a block's `count` sums that are `cols` apart, and so belong to the same column,
/// by a tree. The first `cols` sums are the results.
__device__ void join(double* sums, std::size_t count, std::size_t cols) {
  __syncthreads();
  for (std::size_t left = count; left > cols;) {
    const std::size_t half = ((left + cols - 1) / cols + 1) / 2 * cols;
    for (std::size_t e = threadIdx.x; e + half < left; e += blockDim.x) sums[e] += sums[e + half];
    __syncthreads();
    left = half;
  }
}

// Change: the threads of a block walk down one column and reduce their sums, as they would for a
// row.
// Cost: uncoalesced: neighbouring threads are a row apart, and each load of 4 or 8 bytes fetches a
// sector of 32. Blocks of neighbouring columns find the rest of it in the L2 cache.
__global__ void column_per_block_kernel(const Real* in, Real* out, std::size_t rows,
                                        std::size_t cols) {
  __shared__ double sums[most_threads];
  for (std::size_t j = blockIdx.x; j < cols; j += gridDim.x) {
    double sum = 0;
    for (std::size_t i = threadIdx.x; i < rows; i += blockDim.x) sum += in[i * cols + j];
    sums[threadIdx.x] = sum;
    join(sums, blockDim.x, 1);
    if (threadIdx.x == 0) out[j] = static_cast<Real>(sums[0]);
  }
}

void column_per_block(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                      double* /*totals*/) {
  const auto shape = bench::cuda::fill_device(column_per_block_kernel, cols * block, block);
  launch(column_per_block_kernel, shape, in, out, rows, cols);
}

// Before: neighbouring threads are a row apart (uncoalesced).
// Change: thread j walks down column j: coalesced, and nothing to reduce.
// Cost: only as many threads as columns. With 8192 columns, 3 % of the threads of a large GPU, too
// few bytes are in flight, and the variant before is faster.
__global__ void column_per_thread_kernel(const Real* in, Real* out, std::size_t rows,
                                         std::size_t cols) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= cols) return;
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += in[i * cols + j];
  out[j] = static_cast<Real>(sum);
}

void column_per_thread(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                       double* /*totals*/) {
  launch(column_per_thread_kernel, bench::cuda::per_element(cols, block), in, out, rows, cols);
}

/// The most rows of which `threads` threads can take one element each, but at least one, and no
/// more than there are.
std::size_t rows_at_once(std::size_t threads, std::size_t rows, std::size_t cols) {
  const std::size_t enough = cols > 0 && cols < threads ? threads / cols : 1;
  return enough < rows ? enough : rows;
}

__global__ void round_kernel(const double* totals, Real* out, std::size_t cols) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < cols) out[j] = static_cast<Real>(totals[j]);
}

void round_totals(const double* totals, Real* out, std::size_t cols) {
  launch(round_kernel, bench::cuda::per_element(cols, block), totals, out, cols);
}

// Before: only as many threads as columns.
// Change: as many threads as are resident, with a stride of whole rows, so that each stays in its
// column. Each adds its sum to the column's total, atomically.
// Cost: one load in flight per thread, too few for a fast memory (Little's law). Totals are zeroed
// and rounded. The last digits differ between runs.
__global__ void whole_rows_kernel(const Real* in, std::size_t n, std::size_t cols,
                                  std::size_t stride, double* totals) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (first >= stride) return;
  double sum = 0;
  for (std::size_t i = first; i < n; i += stride) sum += in[i];
  atomicAdd(&totals[first % cols], sum);
}

void whole_rows(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  const std::size_t threads = bench::cuda::threads_held(whole_rows_kernel, block);
  const std::size_t stride = rows_at_once(threads, rows, cols) * cols;
  bench::cuda::zero(totals, cols);
  launch(whole_rows_kernel, bench::cuda::per_element(stride, block), in, rows * cols, cols, stride,
         totals);
  round_totals(totals, out, cols);
}

/// Adds the sums of a block to the totals, once per column.
__device__ void add_joined(double* sums, std::size_t count, std::size_t cols, double* totals) {
  join(sums, count, cols);
  const std::size_t first = blockIdx.x * count;
  for (std::size_t e = threadIdx.x; e < count && e < cols; e += blockDim.x) {
    atomicAdd(&totals[(first + e) % cols], sums[e]);
  }
}

// Before: in a narrow matrix thousands of threads contend for the total of each column.
// Change: the threads of a block that share a column reduce their sums in shared memory first.
// Cost: a tree with its barriers. No gain where a matrix has more columns than a block has threads.
// (The gain is visible with --size 4000000x4.)
__global__ void joined_kernel(const Real* in, std::size_t n, std::size_t cols, std::size_t stride,
                              double* totals) {
  __shared__ double sums[most_threads];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double sum = 0;
  if (first < stride) {
    for (std::size_t i = first; i < n; i += stride) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  add_joined(sums, blockDim.x, cols, totals);
}

void joined(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  const std::size_t threads = bench::cuda::threads_held(joined_kernel, block);
  const std::size_t stride = rows_at_once(threads, rows, cols) * cols;
  bench::cuda::zero(totals, cols);
  launch(joined_kernel, bench::cuda::per_element(stride, block), in, rows * cols, cols, stride,
         totals);
  round_totals(totals, out, cols);
}

// Before: each load moves 4 bytes, and the next one waits until it is used.
// Change: 128 bits per load, up to four loads in flight. The stride is whole rows and whole
// vectors: a vector may reach into the next row, but its columns stay the same.
// Cost: one sum per element of the vector, in registers and in shared memory.
__global__ void wide_kernel(const Real* in, std::size_t n, std::size_t cols, std::size_t stride,
                            double* totals) {
  constexpr std::size_t lanes = Wide::lanes;
  constexpr std::size_t at_once = 4;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t step = stride / lanes;
  const std::size_t vectors = n / lanes;
  double of_column[lanes] = {};
  std::size_t v = thread < step ? thread : n;
  for (; v + (at_once - 1) * step < vectors; v += at_once * step) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k) loaded[k] = load_wide(in + (v + k * step) * lanes);
    for (const Wide& wide : loaded) {
      for (std::size_t k = 0; k < lanes; ++k) of_column[k] += wide.lane[k];
    }
  }
  for (; v < vectors; v += step) {
    const Wide wide = load_wide(in + v * lanes);
    for (std::size_t k = 0; k < lanes; ++k) of_column[k] += wide.lane[k];
  }
  if (v == vectors) {  // the last one need not be whole
    for (std::size_t k = 0; k < n % lanes; ++k) of_column[k] += in[v * lanes + k];
  }
  double* const sums = dynamic_shared<double>();
  for (std::size_t k = 0; k < lanes; ++k) sums[threadIdx.x * lanes + k] = of_column[k];
  add_joined(sums, blockDim.x * lanes, cols, totals);
}

void add_wide(const Real* in, std::size_t rows, std::size_t cols, double* totals) {
  const auto bytes = [](unsigned threads) { return threads * Wide::lanes * sizeof(double); };
  const std::size_t threads = bench::cuda::threads_held(wide_kernel, block, bytes(block));
  std::size_t at_once = rows_at_once(threads * Wide::lanes, rows, cols);
  while (at_once * cols % Wide::lanes > 0) ++at_once;
  const std::size_t stride = at_once * cols;
  const std::size_t n = rows * cols;
  const std::size_t first = stride < n ? stride : n;  // elements, one for each sum
  auto shape = bench::cuda::per_element((first + Wide::lanes - 1) / Wide::lanes, block);
  shape.shared_bytes = bytes(shape.block.x);
  launch(wide_kernel, shape, in, n, cols, stride, totals);
}

void wide(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  bench::cuda::zero(totals, cols);
  add_wide(in, rows, cols, totals);
  round_totals(totals, out, cols);
}

// Before: with transfers, the kernel starts when the last element has arrived.
// Change: strips of rows in several streams: one arrives while those before it are added to the
// same totals.
// Cost: one launch per strip. The kernel of the last strip is not overlapped, and few rows are a
// single strip.
void overlapped(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  bench::cuda::zero(totals, cols);
  in_chunks(rows, cols * sizeof(Real), [=](Chunk strip) {
    upload(in + strip.first * cols, strip.count * cols);
    add_wide(in + strip.first * cols, strip.count, cols, totals);
  });
  round_totals(totals, out, cols);
  download(out, cols);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"column_per_block", "a block per column: uncoalesced, but many threads", column_per_block},
      {"column_per_thread", "one thread per column: coalesced, but only as many threads as columns",
       column_per_thread},
      {"whole_rows", "as many threads as are resident, in strides of whole rows", whole_rows},
      {"joined", "a block's sums of the same column are reduced in shared memory first", joined},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::column_sums
