// The streams of the stand-in: queues of work.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/sanitizers.hpp"

namespace bench::cuda::stand_in {

/// How far a stream has to be: so much of its work is done.
struct Mark {
  cudaStream_t stream = nullptr;
  std::uint64_t number = 0;
};

/// One that blocks has the default stream's work before its own, and the other way round.
cudaStream_t open_stream(bool blocks);
/// Does its work first.
void close_stream(cudaStream_t stream);
/// True for the default stream too, which is null.
bool is_stream(cudaStream_t stream);

/// Queues work, and does it now where set_streams() says so.
void give(cudaStream_t stream, std::function<void()> work);
/// Where the work given until now ends.
Mark mark(cudaStream_t stream);
bool is_done(const Mark& mark);
/// Does a stream's work up to there, unless that is done.
void finish(const Mark& mark);
/// The same for work of another stream, which has then seen what this one did.
void finish(const Mark& mark, cudaStream_t for_stream);
/// The same for the host.
void wait_for(const Mark& mark);
void wait_for_all();
void forget_all();

/// The kind of a stream, one of stream_kinds.
unsigned kind_of(cudaStream_t stream);
/// What ThreadSanitizer knows a stream by: the next work there has seen whatever it has seen.
void* clock_of(cudaStream_t stream);

/// While this lives ThreadSanitizer takes what is done for a stream's work. The host may do
/// something else meanwhile, until it waits. Lives only around what the stream does to the user's
/// memory: all else here is the host's.
class AsStream {
 public:
  BENCH_UNSEEN explicit AsStream(cudaStream_t stream);
  BENCH_UNSEEN ~AsStream();
  AsStream(const AsStream&) = delete;
  AsStream& operator=(const AsStream&) = delete;

 private:
  void* host_;
  void* clock_;
};

}  // namespace bench::cuda::stand_in
