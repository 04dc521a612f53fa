// The streams of the stand-in: queues of work.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/cuda_on_cpu/control.hpp"

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
void finish_all();
void forget_all();

}  // namespace bench::cuda::stand_in
