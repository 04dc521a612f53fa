#include "harness/cuda_on_cpu/streams.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "harness/cuda_on_cpu/fibers.hpp"

using bench::cuda::stand_in::tsan_create;
using bench::cuda::stand_in::tsan_destroy;

struct CUstream_st {
  explicit CUstream_st(unsigned kind_ = 0)
      : kind(kind_), identity(tsan_create(bench::cuda::stand_in::stream_names[kind])) {}
  ~CUstream_st() { tsan_destroy(identity); }
  CUstream_st(const CUstream_st&) = delete;
  CUstream_st& operator=(const CUstream_st&) = delete;

  std::deque<std::function<void()>> work;
  std::uint64_t given = 0;
  std::uint64_t done = 0;
  bool blocks = false;
  // For ThreadSanitizer, which knows the clock by its address:
  unsigned kind;
  void* identity;  // it knows what the host knew when this was made
  std::uint64_t clock = 0;
  std::vector<std::function<void()>> past;  // kernels have read from it
};

namespace bench::cuda::stand_in {
namespace {

struct All {
  CUstream_st default_stream;
  std::vector<std::unique_ptr<CUstream_st>> others;
  CUstream_st closed;  // all of those
  unsigned opened = 0;
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

/// The one has seen what the other has done.
void follow(CUstream_st& one, CUstream_st& other) {
  const AsStream now(&one);
  tsan_acquire(&other.clock);
}

/// The host has.
void follow(CUstream_st& stream) {
  tsan_acquire(&stream.clock);
  stream.past.clear();
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
  wait_for_all();
  all().when = when;
}

cudaStream_t open_stream(bool blocks) {
  const unsigned kind = 1 + all().opened++ % (stream_kinds - 1);
  CUstream_st& opened = *all().others.emplace_back(std::make_unique<CUstream_st>(kind));
  opened.blocks = blocks;
  return &opened;
}

void close_stream(cudaStream_t stream) {
  finish(mark(stream));
  follow(all().closed, *stream);
  std::move(stream->past.begin(), stream->past.end(), std::back_inserter(all().closed.past));
  all().others.erase(find(stream));
}

bool is_stream(cudaStream_t stream) {
  return stream == nullptr || find(stream) != all().others.end();
}

void give(cudaStream_t stream, std::function<void()> work) {
  CUstream_st& to = queue(stream);
  to.work.emplace_back([marks = before(stream), stream, work = std::move(work)] {
    for (const Mark& one : marks) finish(one, stream);
    work();
  });
  tsan_release(&to.clock);
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
    auto work = std::move(stream.work.front());
    stream.work.pop_front();
    ++stream.done;
    work();
    if (tsan) stream.past.push_back(std::move(work));
  }
}

void finish(const Mark& mark, cudaStream_t for_stream) {
  finish(mark);
  follow(queue(for_stream), is_stream(mark.stream) ? queue(mark.stream) : all().closed);
}

void wait_for(const Mark& mark) {
  finish(mark);
  follow(is_stream(mark.stream) ? queue(mark.stream) : all().closed);
}

void wait_for_all() {
  // The newest first: work that does not wait for the others must come too early.
  std::for_each(all().others.rbegin(), all().others.rend(),
                [](const auto& one) { wait_for(mark(one.get())); });
  wait_for(mark(nullptr));
  follow(all().closed);
}

void forget_all() {
  const auto forget = [](CUstream_st& stream) {
    stream.work.clear();
    stream.done = stream.given;
  };
  for (const auto& one : all().others) forget(*one);
  forget(all().default_stream);
}

unsigned kind_of(cudaStream_t stream) { return queue(stream).kind; }
void* clock_of(cudaStream_t stream) { return &queue(stream).clock; }

AsStream::AsStream(cudaStream_t stream) : host_(tsan_current()), clock_(clock_of(stream)) {
  tsan_become(queue(stream).identity);
  tsan_acquire(clock_);
}

AsStream::~AsStream() {
  tsan_release(clock_);
  tsan_become(host_);
}

}  // namespace bench::cuda::stand_in
