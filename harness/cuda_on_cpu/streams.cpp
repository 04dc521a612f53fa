#include "harness/cuda_on_cpu/streams.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

struct CUstream_st {
  std::deque<std::function<void()>> work;
  std::uint64_t given = 0;
  std::uint64_t done = 0;
  bool blocks = false;
};

namespace bench::cuda::stand_in {
namespace {

struct All {
  CUstream_st default_stream;
  std::vector<std::unique_ptr<CUstream_st>> others;
  Streams when = Streams::late;
};

/// Never destroyed: streams may be closed at exit.
All& all() {
  static All& the_streams = *new All;
  return the_streams;
}

CUstream_st& queue(cudaStream_t stream) {
  return stream == nullptr ? all().default_stream : *stream;
}

auto find(cudaStream_t stream) {
  auto& others = all().others;
  return std::find_if(others.begin(), others.end(),
                      [&](const auto& one) { return one.get() == stream; });
}

/// What the next work of a stream waits for, by the rules of the legacy default stream.
std::vector<Mark> before(cudaStream_t stream) {
  std::vector<Mark> marks;
  if (stream != nullptr && stream->blocks) marks.push_back(mark(nullptr));
  if (stream != nullptr) return marks;
  for (const auto& other : all().others) {
    if (other->blocks) marks.push_back(mark(other.get()));
  }
  return marks;
}

}  // namespace

void set_streams(Streams when) {
  finish_all();
  all().when = when;
}

cudaStream_t open_stream(bool blocks) {
  CUstream_st& opened = *all().others.emplace_back(std::make_unique<CUstream_st>());
  opened.blocks = blocks;
  return &opened;
}

void close_stream(cudaStream_t stream) {
  finish(mark(stream));
  all().others.erase(find(stream));
}

bool is_stream(cudaStream_t stream) {
  return stream == nullptr || find(stream) != all().others.end();
}

void give(cudaStream_t stream, std::function<void()> work) {
  CUstream_st& to = queue(stream);
  to.work.emplace_back([marks = before(stream), work = std::move(work)] {
    for (const Mark& one : marks) finish(one);
    work();
  });
  ++to.given;
  const bool now = (all().when == Streams::late) == (stream == nullptr);
  if (now) finish(mark(stream));
}

Mark mark(cudaStream_t stream) { return {stream, queue(stream).given}; }

bool is_done(const Mark& mark) { return queue(mark.stream).done >= mark.number; }

void finish(const Mark& mark) {
  if (!is_stream(mark.stream)) return;  // closed, so its work is done
  CUstream_st& stream = queue(mark.stream);
  while (stream.done < mark.number && !stream.work.empty()) {
    // Taken out first: it may wait for other streams, which may wait for what this one has done.
    const auto work = std::move(stream.work.front());
    stream.work.pop_front();
    ++stream.done;
    work();
  }
}

void finish_all() {
  // The newest first: work that does not wait for the others must come too early.
  std::for_each(all().others.rbegin(), all().others.rend(),
                [](const auto& one) { finish(mark(one.get())); });
  finish(mark(nullptr));
}

void forget_all() {
  const auto forget = [](CUstream_st& stream) {
    stream.work.clear();
    stream.done = stream.given;
  };
  for (const auto& one : all().others) forget(*one);
  forget(all().default_stream);
}

}  // namespace bench::cuda::stand_in
