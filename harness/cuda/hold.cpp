#include "harness/cuda/hold.hpp"

#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"

namespace bench::cuda {
namespace {

// Of a clock between 1 and 2 GHz.
constexpr long long patience = 20'000'000;
constexpr long long long_for_a_launch = 2'000'000;

volatile unsigned& flag(const Buffer& go) { return *static_cast<volatile unsigned*>(go.data()); }

}  // namespace

Hold::Hold() : go_(sizeof(unsigned)) {
  try {
    pinned_.emplace(go_);
  } catch (const Error&) {
    return;
  }
  release();
  start(0);  // the first launch of a kernel loads it
  check(cudaDeviceSynchronize(), "while the kernel ran");
  // A host that is interrupted between two calls is not interrupted each time.
  for (int tries = 0; tries < 3 && !holds_; ++tries) holds_ = launches_return_at_once();
}

void Hold::start(long long cycles) {
  launch_wait(static_cast<const volatile unsigned*>(device_address(go_.data())), cycles);
}

bool Hold::launches_return_at_once() {
  flag(go_) = 0;
  start(long_for_a_launch);
  const bool waits = cudaStreamQuery(nullptr) == cudaErrorNotReady;
  cudaGetLastError();  // not ready is no error
  release();
  check(cudaDeviceSynchronize(), "while the kernel ran");
  return waits;
}

void Hold::begin() {
  if (!holds_) return;
  flag(go_) = 0;
  start(patience);
}

void Hold::release() { flag(go_) = 1; }

}  // namespace bench::cuda
