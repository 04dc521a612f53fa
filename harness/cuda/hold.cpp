#include "harness/cuda/hold.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "harness/cuda/error.hpp"
#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"

namespace bench::cuda {
namespace {

constexpr unsigned long long patience = 20'000'000;
constexpr unsigned long long long_for_a_launch = 2'000'000;
constexpr unsigned char untouched = 0x5a;

volatile unsigned* words(const Buffer& buffer) {
  return static_cast<volatile unsigned*>(buffer.data());
}

}  // namespace

Hold::Hold() : words_(2 * sizeof(unsigned)) {
  constexpr std::size_t most_seen = 4096;
  try {
    pinned_.emplace(words_);
    there_ = static_cast<volatile unsigned*>(device_address(words_.data()));
  } catch (const Error&) {
    return;
  }
  seen_.emplace(most_seen);
  release();
  start(0);  // the first launch of a kernel loads it
  check(cudaDeviceSynchronize(), "while the kernel ran");
  // A host that is interrupted between two calls is not interrupted each time.
  for (int tries = 0; tries < 3 && !holds_; ++tries) holds_ = launches_return_at_once();
}

void Hold::start(unsigned long long cycles) { launch_wait(there_, cycles); }

bool Hold::launches_return_at_once() {
  words(words_)[0] = 0;
  start(long_for_a_launch);
  const bool waits = cudaStreamQuery(nullptr) == cudaErrorNotReady;
  cudaGetLastError();  // not ready is not an error
  release();
  check(cudaDeviceSynchronize(), "while the kernel ran");
  return waits;
}

void Hold::begin() {
  if (!holds_) return;
  words(words_)[0] = 0;
  words(words_)[1] = 0;
  start(patience);
}

void Hold::release() { words(words_)[0] = 1; }

BehindHold Hold::watch(const std::function<void()>& work, void* output, std::size_t bytes) {
  if (!holds_) return {};
  constexpr auto long_for_a_kernel = std::chrono::milliseconds(5);
  const std::size_t some = std::min(bytes, seen_->bytes());
  check(cudaMemset(output, untouched, some), "cudaMemset");
  check(cudaDeviceSynchronize(), "while the kernel ran");
  {
    const Released released(*this);
    begin();
    check(cudaMemcpyAsync(seen_->data(), output, some, cudaMemcpyDeviceToDevice, nullptr),
          "copy on the device");
    work();
    if (words(words_)[1] == 0) std::this_thread::sleep_for(long_for_a_kernel);
  }
  std::vector<unsigned char> seen(some);
  check(cudaMemcpy(seen.data(), seen_->data(), some, cudaMemcpyDeviceToHost),
        "copy from the device");
  const auto is_untouched = [](unsigned char byte) { return byte == untouched; };
  return {.overtakes = !std::all_of(seen.begin(), seen.end(), is_untouched),
          .waits = words(words_)[1] != 0};
}

}  // namespace bench::cuda
