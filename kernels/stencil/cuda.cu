// stencil on a GPU: several steps of the heat equation on a plate, edges fixed.
//
// A step reads and writes 8 bytes per element in f32 for 7 operations: bound by memory bandwidth.
// Each element is wanted by five threads. The L1 and L2 caches serve most of that, but each request
// to them takes time as well: shared memory and registers take them off. Blocks cannot wait for
// each other within a kernel: the end of a launch is the barrier between two steps. Unless a block
// computes what its neighbours do, too: then it can take several steps at once.

#include "harness/cuda/cooperative.hpp"
#include "harness/cuda/graph.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/stencil/stencil.hpp"

namespace kernels::stencil {
namespace {

using bench::cuda::Configuration;
using bench::cuda::launch;
using bench::cuda::per_element;

constexpr Real c = static_cast<Real>(conduction);

/// First row and column of a block's tile. Blocks have one index, as a grid may have more than
/// 65 535 of them in x only.
struct Tile {
  std::size_t row;
  std::size_t col;
};

__device__ Tile tile_of_block(std::size_t cols, unsigned height, unsigned width) {
  const auto across = static_cast<unsigned>((cols + width - 1) / width);
  const unsigned down = blockIdx.x / across;
  return {std::size_t{down} * height, std::size_t{blockIdx.x - down * across} * width};
}

Configuration one_block_per_tile(std::size_t rows, std::size_t cols, dim3 block, unsigned height,
                                 unsigned width) {
  const std::size_t tiles = (rows + height - 1) / height * ((cols + width - 1) / width);
  return {static_cast<unsigned>(tiles), block};
}

__device__ bool at_edge(std::size_t i, std::size_t j, std::size_t rows, std::size_t cols) {
  return i == 0 || i + 1 == rows || j == 0 || j + 1 == cols;
}

__device__ Real next(Real here, Real up, Real down, Real left, Real right) {
  return here + c * (up + down + left + right - 4 * here);
}

__global__ void copy_kernel(const Real* from, Real* to, std::size_t n) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < n) to[k] = from[k];
}

/// Plates by turns, so that the last of these passes leads to `out`: pass(from, to, number).
template <class Pass>
void in_turn(const Real* u, Real* out, Real* spare, std::size_t n, std::size_t passes, Pass pass) {
  if (passes == 0) return launch(copy_kernel, per_element(n, 256), u, out, n);
  const Real* from = u;
  for (std::size_t done = 0; done < passes; ++done) {
    Real* const to = (passes - done) % 2 == 1 ? out : spare;
    pass(from, to, done);
    from = to;
  }
}

constexpr unsigned width = 32;
constexpr unsigned height = 8;

// Change: one thread per element, one launch per step. Neighbouring threads have neighbouring
// elements of a row.
// Cost: five loads for each result, though four of them from a cache.
__global__ void one_per_element_kernel(const Real* from, Real* to, std::size_t rows,
                                       std::size_t cols) {
  const Tile tile = tile_of_block(cols, height, width);
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + threadIdx.x;
  if (i >= rows || j >= cols) return;
  const std::size_t k = i * cols + j;
  to[k] = at_edge(i, j, rows, cols)
              ? from[k]
              : next(from[k], from[k - cols], from[k + cols], from[k - 1], from[k + 1]);
}

void one_per_element(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                     std::size_t steps) {
  const Configuration tiles = one_block_per_tile(rows, cols, {width, height}, height, width);
  in_turn(u, out, spare, rows * cols, steps, [=](const Real* from, Real* to, std::size_t) {
    launch(one_per_element_kernel, tiles, from, to, rows, cols);
  });
}

// Before: each element is loaded by up to five threads.
// Change: the block loads its tile once, with one more row or column on each side (a halo), into
// shared memory.
// Cost: a barrier. Each element of the halo is loaded by two blocks: of tiles of 8 × 32 a third
// more.
__global__ void shared_tile_kernel(const Real* from, Real* to, std::size_t rows, std::size_t cols) {
  constexpr unsigned with_halo = width + 2;
  __shared__ Real u[height + 2][with_halo];
  const Tile tile = tile_of_block(cols, height, width);
  const unsigned thread = threadIdx.y * width + threadIdx.x;
  for (unsigned k = thread; k < (height + 2) * with_halo; k += height * width) {
    const std::size_t i = tile.row + k / with_halo - 1;  // wraps above the first row
    const std::size_t j = tile.col + k % with_halo - 1;
    if (i < rows && j < cols) u[k / with_halo][k % with_halo] = from[i * cols + j];
  }
  __syncthreads();
  const unsigned y = threadIdx.y + 1;
  const unsigned x = threadIdx.x + 1;
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + threadIdx.x;
  if (i >= rows || j >= cols) return;
  to[i * cols + j] = at_edge(i, j, rows, cols)
                         ? u[y][x]
                         : next(u[y][x], u[y - 1][x], u[y + 1][x], u[y][x - 1], u[y][x + 1]);
}

void shared_tile(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                 std::size_t steps) {
  const Configuration tiles = one_block_per_tile(rows, cols, {width, height}, height, width);
  in_turn(u, out, spare, rows * cols, steps, [=](const Real* from, Real* to, std::size_t) {
    launch(shared_tile_kernel, tiles, from, to, rows, cols);
  });
}

constexpr unsigned row_width = 128;  // threads
constexpr unsigned walk = 32;        // rows of a thread

// Before: a barrier between load and use, and a halo of a third.
// Change: each thread walks down a column and keeps three elements in registers: the one below is
// the next one, then the one above. Its neighbours to the left and right come from L1.
// Cost: fewer threads, and each waits for the row below.
__global__ void rolling_kernel(const Real* from, Real* to, std::size_t rows, std::size_t cols) {
  const Tile tile = tile_of_block(cols, walk, row_width);
  const std::size_t j = tile.col + threadIdx.x;
  if (j >= cols) return;
  const std::size_t end = tile.row + walk < rows ? tile.row + walk : rows;
  Real up = tile.row > 0 ? from[(tile.row - 1) * cols + j] : 0;
  Real here = from[tile.row * cols + j];
  for (std::size_t i = tile.row; i < end; ++i) {
    const std::size_t k = i * cols + j;
    const Real down = i + 1 < rows ? from[k + cols] : 0;
    to[k] = at_edge(i, j, rows, cols) ? here : next(here, up, down, from[k - 1], from[k + 1]);
    up = here;
    here = down;
  }
}

void rolling(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
             std::size_t steps) {
  const Configuration tiles = one_block_per_tile(rows, cols, row_width, walk, row_width);
  in_turn(u, out, spare, rows * cols, steps, [=](const Real* from, Real* to, std::size_t) {
    launch(rolling_kernel, tiles, from, to, rows, cols);
  });
}

// Before: the host starts each step. Of a small plate that takes longer than the step (launch
// bound).
// Change: all launches are recorded once, as a graph, and started together.
// Cost: recording them, which has to be repeated for other arrays or another number of steps.
void graph(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
           std::size_t steps) {
  using bench::cuda::identity;
  static bench::cuda::Graph recorded;
  recorded.run({identity(u), identity(out), identity(spare), rows, cols, steps},
               [=] { rolling(u, out, spare, rows, cols, steps); });
}

// Before: between two steps the device is empty: a launch ends before the next one begins.
// Change: one launch of as many blocks as the device holds. They wait for each other after each
// step (cooperative groups). Cost: a barrier of the whole grid takes about a microsecond; blocks
// take rows in strides.
__global__ void one_launch_kernel(const Real* u, Real* out, Real* spare, std::size_t rows,
                                  std::size_t cols, std::size_t steps) {
  const auto grid = cooperative_groups::this_grid();
  const Real* from = u;
  for (std::size_t done = 0; done < steps; ++done) {
    Real* const to = (steps - done) % 2 == 1 ? out : spare;
    for (std::size_t i = blockIdx.x; i < rows; i += gridDim.x) {
      for (std::size_t j = threadIdx.x; j < cols; j += blockDim.x) {
        const std::size_t k = i * cols + j;
        to[k] = at_edge(i, j, rows, cols)
                    ? from[k]
                    : next(from[k], from[k - cols], from[k + cols], from[k - 1], from[k + 1]);
      }
    }
    grid.sync();
    from = to;
  }
}

void one_launch(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                std::size_t steps) {
  const std::size_t n = rows * cols;
  if (n == 0) return;
  if (steps == 0) return launch(copy_kernel, per_element(n, 256), u, out, n);
  Configuration all = bench::cuda::fill_device(one_launch_kernel, n, 256);
  all.grid = bench::cuda::blocks_held(reinterpret_cast<const void*>(one_launch_kernel), 256, 0);
  all.leaves_grid = false;
  bench::cuda::launch_together(one_launch_kernel, all, u, out, spare, rows, cols, steps);
}

constexpr unsigned most_steps = 4;               // of a launch
constexpr unsigned edge = 64;                    // of a tile with its halo
constexpr unsigned own = edge - 2 * most_steps;  // of the part that is right after the last step
constexpr unsigned parts = 4;                    // of a column, one per thread
constexpr unsigned part = edge / parts;

// Before: each step reads the plate from memory and writes it back.
// Change: four steps per launch, on a tile with a halo of four (overlapped tiles). What is wrong at
// the rim of the tile comes nearer by an element per step, and no further. Each thread keeps 16
// elements of a column in registers; rows are exchanged in shared memory.
// Cost: the halo is computed by several blocks: a third more work, and two barriers per step.
__global__ void __launch_bounds__(edge* parts)
    blocked_in_time_kernel(const Real* from, Real* to, std::size_t rows, std::size_t cols,
                           unsigned steps) {
  __shared__ Real u[edge][edge];
  const Tile tile = tile_of_block(cols, own, own);
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y * part;
  const std::size_t j = tile.col + x - most_steps;  // wraps before the first column
  const std::size_t first = tile.row + y - most_steps;
  Real column[part];
  BENCH_UNROLL
  for (unsigned r = 0; r < part; ++r) {
    column[r] = first + r < rows && j < cols ? from[(first + r) * cols + j] : 0;
  }
  for (unsigned step = 0; step < steps; ++step) {
    BENCH_UNROLL
    for (unsigned r = 0; r < part; ++r) u[y + r][x] = column[r];
    __syncthreads();
    Real up = y > 0 ? u[y - 1][x] : 0;
    BENCH_UNROLL
    for (unsigned r = 0; r < part; ++r) {
      const Real here = column[r];
      const Real down = r + 1 < part ? column[r + 1] : y + part < edge ? u[y + part][x] : 0;
      if (!at_edge(first + r, j, rows, cols) && x > 0 && x + 1 < edge) {
        column[r] = next(here, up, down, u[y + r][x - 1], u[y + r][x + 1]);
      }
      up = here;
    }
    __syncthreads();
  }
  if (x < most_steps || x >= most_steps + own || j >= cols) return;
  BENCH_UNROLL
  for (unsigned r = 0; r < part; ++r) {
    const bool mine = y + r >= most_steps && y + r < most_steps + own;
    if (mine && first + r < rows) to[(first + r) * cols + j] = column[r];
  }
}

void blocked_in_time(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                     std::size_t steps) {
  const Configuration tiles = one_block_per_tile(rows, cols, {edge, parts}, own, own);
  const std::size_t passes = (steps + most_steps - 1) / most_steps;
  in_turn(u, out, spare, rows * cols, passes, [=](const Real* from, Real* to, std::size_t pass) {
    const std::size_t now = steps * (pass + 1) / passes - steps * pass / passes;
    launch(blocked_in_time_kernel, tiles, from, to, rows, cols, static_cast<unsigned>(now));
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_element", "one thread per element, one launch per step", one_per_element},
      {"shared_tile", "a tile and its halo in shared memory: each element is loaded once",
       shared_tile},
      {"rolling", "each thread walks down a column, three elements in registers", rolling},
      {"graph", "all launches recorded once, as a graph, and started together", graph},
      {"one_launch", "one launch: after each step the grid waits for itself", one_launch},
      {"blocked_in_time", "four steps per launch, on tiles with a halo of four", blocked_in_time},
  };
  return ladder;
}

}  // namespace kernels::stencil
