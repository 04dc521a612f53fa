#include "harness/cuda/launch.hpp"
#include "harness/cuda/overlap.hpp"
#include "harness/cuda/test/twice.hpp"

namespace bench::test::kernels {
namespace {

using cuda::Chunk;
using cuda::download;
using cuda::in_chunks;
using cuda::launch;
using cuda::per_element;
using cuda::upload;

constexpr unsigned block = 64;

__device__ std::size_t index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__global__ void honest_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t i = index();
  if (i < n) out[i] = 2 * in[i];
}

__global__ void strided_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = index(); i < n; i += stride) out[i] = 2 * in[i];
}

__global__ void write_kernel(float* at) { *at = 1; }

__global__ void nothing_kernel() {}

__global__ void trap_kernel() { __trap(); }

__global__ void copy_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t i = index();
  if (i < n) out[i] = in[i];
}

__global__ void add_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t i = index();
  if (i < n) out[i] += 2 * in[i];
}

void adds(const float* in, float* out, std::size_t n) {
  launch(add_kernel, per_element(n, block), in, out, n);
}

/// What is asked for until the end of the scope goes to the default stream, as if nobody had to
/// wait for it.
class Beside {
 public:
  Beside() : chosen_(cuda::current_stream()) { cuda::use_stream(nullptr); }
  ~Beside() { cuda::use_stream(chosen_); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

 private:
  cudaStream_t chosen_;
};

/// The three steps of a chunk.
struct Steps {
  Twice* up;
  Twice* work;
  Twice* down;
};
void bring(const float* in, float* /*out*/, std::size_t n) { upload(in, n); }
void fetch(const float* /*in*/, float* out, std::size_t n) { download(out, n); }
void leave(const float* /*in*/, float* /*out*/, std::size_t /*n*/) {}

/// Each chunk so, the last one otherwise.
void overlap(const float* in, float* out, std::size_t n, const Steps& usual, const Steps& last) {
  in_chunks(n, sizeof(float), [=](Chunk chunk) {
    const Steps& steps = chunk.first + chunk.count < n ? usual : last;
    for (Twice* const step : {steps.up, steps.work, steps.down}) {
      step(in + chunk.first, out + chunk.first, chunk.count);
    }
  });
}

}  // namespace

void honest(const float* in, float* out, std::size_t n) {
  launch(honest_kernel, per_element(n, block), in, out, n);
}

void strided(const float* in, float* out, std::size_t n) {
  launch(strided_kernel, cuda::fill_device(strided_kernel, n, block), in, out, n);
}

void in_fixed_blocks(const float* in, float* out, std::size_t n) {
  launch(honest_kernel, {static_cast<unsigned>(n / block + 1), block}, in, out, n);
}

void one_too_many(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(write_kernel, {1, 1}, out + n);
}

void one_before(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(write_kernel, {1, 1}, out - 1);
}

void no_tail(const float* in, float* out, std::size_t n) { honest(in, out, n - 1); }

void writes_nothing(const float* /*in*/, float* /*out*/, std::size_t /*n*/) {
  launch(nothing_kernel, {1, 1});
}

void launches_nothing(const float* /*in*/, float* /*out*/, std::size_t /*n*/) {}

void into_the_input(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(write_kernel, {1, 1}, const_cast<float*>(in) + n / 2);
}

void too_many_threads(const float* in, float* out, std::size_t n) {
  constexpr unsigned four_thousand = 4096;
  launch(honest_kernel, {1, four_thousand}, in, out, n);
}

void too_much_shared(const float* in, float* out, std::size_t n) {
  constexpr std::size_t megabyte = std::size_t{1} << 20U;
  launch(honest_kernel, {1, block, megabyte}, in, out, n);
}

void takes_a_trap(const float* in, float* out, std::size_t n) {
  honest(in, out, n);
  launch(trap_kernel, {1, 1});
}

void elsewhere(const float* in, float* out, std::size_t n) {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) {
    cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  }
  const Beside beside;
  cuda::use_stream(stream);
  honest(in, out, n);
}

void copies(const float* in, float* out, std::size_t n) {
  launch(copy_kernel, per_element(n, block), in, out, n);
}

void overlapped(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {bring, honest, fetch});
}

void overlapped_copies(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, copies, fetch}, {bring, copies, fetch});
}

void adds_up(const float* in, float* out, std::size_t n) {
  cuda::zero(out, n);
  overlap(in, out, n, {bring, adds, leave}, {bring, adds, leave});
  download(out, n);
}

void adds_up_twice(const float* in, float* out, std::size_t n) {
  cuda::zero(out, n);
  overlap(in, out, n, {bring, adds, leave}, {bring, adds, adds});
  download(out, n);
}

void no_last_chunk(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {leave, leave, leave});
}

void no_last_upload(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {leave, honest, fetch});
}

void no_last_download(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {bring, honest, leave});
}

void download_first(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, fetch, honest}, {bring, fetch, honest});
}

void download_beside(const float* in, float* out, std::size_t n) {
  in_chunks(n, sizeof(float), [=](Chunk chunk) {
    upload(in + chunk.first, chunk.count);
    honest(in + chunk.first, out + chunk.first, chunk.count);
    const Beside beside;
    download(out + chunk.first, chunk.count);
  });
}

void upload_beside(const float* in, float* out, std::size_t n) {
  in_chunks(n, sizeof(float), [=](Chunk chunk) {
    {
      const Beside beside;
      upload(in + chunk.first, chunk.count);
    }
    honest(in + chunk.first, out + chunk.first, chunk.count);
    download(out + chunk.first, chunk.count);
  });
}

void zeroes_beside(const float* in, float* out, std::size_t n) {
  in_chunks(n, sizeof(float), [=](Chunk chunk) {
    {
      const Beside beside;
      cuda::zero(out + chunk.first, chunk.count);
    }
    upload(in + chunk.first, chunk.count);
    adds(in + chunk.first, out + chunk.first, chunk.count);
  });
  download(out, n);
}

void into_its_upload(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {bring, into_the_input, fetch});
}

void download_too_much(const float* in, float* out, std::size_t n) {
  overlapped(in, out, n);
  download(out, n + 1);
}

void trap_in_a_chunk(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {bring, takes_a_trap, fetch});
}

void refused_chunk(const float* in, float* out, std::size_t n) {
  overlap(in, out, n, {bring, honest, fetch}, {bring, too_many_threads, fetch});
}

}  // namespace bench::test::kernels
