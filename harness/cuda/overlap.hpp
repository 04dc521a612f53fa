// Transfers and kernels at the same time: the work is cut into chunks that take turns in a few
// streams, so that both directions of the bus and the kernel are busy with different chunks.
#pragma once

#include <cstddef>
#include <functional>

namespace bench::cuda {

/// The items [first, first + count) of the work.
struct Chunk {
  std::size_t first;
  std::size_t count;
};

/// Calls `work` for one chunk of n items after the other. What it asks for (launches, transfers)
/// happens in its order within a chunk and at the same time as that of other chunks; all of it
/// after what was asked for before in_chunks(), and before what is asked for after it. `bytes` is
/// what one item costs the busier direction of the bus.
void in_chunks(std::size_t n, std::size_t bytes, const std::function<void(Chunk)>& work);

// Transfers between the two places of an array. Addresses are always those of the device; to the
// host they are known as a Mirror.

void upload_bytes(const void* data, std::size_t bytes);
void download_bytes(const void* data, std::size_t bytes);
void download_rows_bytes(const void* from, std::size_t width, const void* to, std::size_t pitch,
                         std::size_t rows);

/// `count` elements from the host's array to the device's.
template <class T>
void upload(const T* data, std::size_t count) {
  upload_bytes(data, count * sizeof(T));
}

/// The same elements back.
template <class T>
void download(const T* data, std::size_t count) {
  download_bytes(data, count * sizeof(T));
}

/// Rows of `width` elements that follow each other on the device, to where `to` is on the host:
/// there each row begins `pitch` elements after the one before.
template <class T>
void download_rows(const T* from, std::size_t width, const T* to, std::size_t pitch,
                   std::size_t rows) {
  download_rows_bytes(from, width * sizeof(T), to, pitch * sizeof(T), rows);
}

}  // namespace bench::cuda
