#include "harness/cuda/overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "harness/cuda/error.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/launch_shape.hpp"
#include "harness/cuda/mirror.hpp"

namespace bench::cuda {
namespace {

// One chunk arrives, one is worked on, one leaves; a fourth is there when one of them is late.
constexpr std::size_t stream_count = 4;

// An estimate, to be confirmed on each new bus: what it could have moved while idle
// between two transfers.
constexpr double pause_bytes = 64 << 10;
// What it moves while the host asks for the next chunk.
constexpr double least_bytes = 512 << 10;
// Whole pages, tiles and vectors; and rows of a strip long enough for a strided transfer.
constexpr std::size_t multiple = 256;

struct Destroy {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};

/// A stream that does not wait for the default one, unless told to.
class Stream {
 public:
  Stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    stream_.reset(stream);
  }
  cudaStream_t get() const { return stream_.get(); }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

/// Lets one stream wait for another.
class Signal {
 public:
  Signal() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    event_.reset(event);
  }

  /// What `later` is given from now on begins when `earlier` has done what it was given until now.
  void order(cudaStream_t earlier, cudaStream_t later) const {
    check(cudaEventRecord(event_.get(), earlier), "cudaEventRecord");
    check(cudaStreamWaitEvent(later, event_.get(), 0), "cudaStreamWaitEvent");
  }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

/// Taken from the device once, when they are first needed.
struct Lanes {
  std::array<Stream, stream_count> streams;
  Signal signal;
};
Lanes& lanes() {
  static Lanes the_lanes;
  return the_lanes;
}

/// Launches and transfers go to a stream until the end of the scope.
class InStream {
 public:
  explicit InStream(cudaStream_t stream) : before_(current_stream()) { use_stream(stream); }
  ~InStream() { use_stream(before_); }
  InStream(const InStream&) = delete;
  InStream& operator=(const InStream&) = delete;

 private:
  cudaStream_t before_;
};

/// Nothing overlaps with the first chunk's way in or the last one's way out, and after each chunk
/// the bus pauses: chunks of √(all bytes · bytes of a pause) make both equally long, and their sum
/// the shortest.
std::size_t chunk_items(std::size_t n, std::size_t bytes) {
  if (overrides().chunk > 0) return overrides().chunk;
  const double all = static_cast<double>(n) * static_cast<double>(bytes);
  const double chunk = std::max(std::sqrt(all * pause_bytes), least_bytes);
  if (chunk >= all) return n;
  const double items = std::ceil(chunk / static_cast<double>(bytes));
  return (static_cast<std::size_t>(items) + multiple - 1) / multiple * multiple;
}

// As launches, there is one set of arrays per process.
std::vector<Mirror> mirrors;

/// An address of the device and its counterpart on the host.
struct Sides {
  unsigned char* device;
  unsigned char* host;
};

Sides sides(const void* data, std::size_t bytes) {
  for (const Mirror& mirror : mirrors) {
    const auto at = reinterpret_cast<std::uintptr_t>(data);
    const auto begin = reinterpret_cast<std::uintptr_t>(mirror.device);
    if (at < begin || at - begin > mirror.bytes || bytes > mirror.bytes - (at - begin)) continue;
    const std::size_t offset = at - begin;
    return {static_cast<unsigned char*>(mirror.device) + offset,
            static_cast<unsigned char*>(mirror.host) + offset};
  }
  throw Error("a transfer beyond the arrays of the problem");
}

}  // namespace

Mirrored::Mirrored(std::vector<Mirror> arrays) { mirrors = std::move(arrays); }
Mirrored::~Mirrored() { mirrors.clear(); }

void in_chunks(std::size_t n, std::size_t bytes, const std::function<void(Chunk)>& work) {
  const std::size_t items = chunk_items(n, bytes);
  if (items >= n) {
    if (n > 0) work({0, n});
    return;
  }
  const Lanes& parallel = lanes();
  auto* const outside = current_stream();
  for (const Stream& stream : parallel.streams) parallel.signal.order(outside, stream.get());
  std::size_t turn = 0;
  for (std::size_t first = 0; first < n; first += items, ++turn) {
    const InStream chosen(parallel.streams[turn % stream_count].get());
    work({first, std::min(items, n - first)});
  }
  for (const Stream& stream : parallel.streams) parallel.signal.order(stream.get(), outside);
}

void upload_bytes(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  const auto [device, host] = sides(data, bytes);
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, current_stream()),
        "copy to the device");
}

void download_bytes(const void* data, std::size_t bytes) {
  download_rows_bytes(data, bytes, data, bytes, 1);
}

void download_rows_bytes(const void* from, std::size_t width, const void* to, std::size_t pitch,
                         std::size_t rows) {
  if (width == 0 || rows == 0) return;
  if (width == pitch) {  // one piece: rows may be a few bytes long, and of any number
    width = pitch = width * rows;
    rows = 1;
  }
  const auto* row = static_cast<const unsigned char*>(from);
  unsigned char* host = sides(to, (rows - 1) * pitch + width).host;
  constexpr std::size_t most_pitch = std::numeric_limits<int>::max();
  if (rows > 1 && pitch <= most_pitch) {
    check(cudaMemcpy2DAsync(host, pitch, row, width, width, rows, cudaMemcpyDeviceToHost,
                            current_stream()),
          "copy from the device");
    return;
  }
  for (std::size_t i = 0; i < rows; ++i, row += width, host += pitch) {
    check(cudaMemcpyAsync(host, row, width, cudaMemcpyDeviceToHost, current_stream()),
          "copy from the device");
  }
}

}  // namespace bench::cuda
