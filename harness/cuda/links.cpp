#include "harness/cuda/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "harness/base/clock.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/topology.hpp"

namespace bench::cuda {
namespace {

/// The CPUs near a device; empty where nobody knows.
std::vector<int> cpus_near(int device) {
  char pci[32] = "";
  check(cudaDeviceGetPCIBusId(pci, sizeof pci, device), "cudaDeviceGetPCIBusId");
  return locality_of(pci).cpus;
}

/// A device, with an array there and one of the host.
class End {
 public:
  End(int number, std::size_t bytes)
      : number_(number), near_(cpus_near(number)), host_(bytes), pinned_(host_) {
    use();
    device_ = std::make_unique<DeviceBuffer>(bytes);
    auto* const all = static_cast<std::uint8_t*>(host_.data());
    std::iota(all, all + bytes, static_cast<std::uint8_t>(number));
  }

  void use() const { check(cudaSetDevice(number_), "cudaSetDevice"); }
  int number() const { return number_; }
  std::string name() const { return fmt::format("GPU {}", number_); }
  void* host() const { return host_.data(); }
  void* device() const { return device_->data(); }
  std::size_t bytes() const { return host_.bytes(); }

 private:
  int number_;
  On near_;  ///< memory is near the thread that touches it first
  Buffer host_;
  Pinned pinned_;
  std::unique_ptr<DeviceBuffer> device_{};
};

constexpr int copies = 4;  // of a sample: waiting for them takes some time, too

struct Copy {
  void* to;
  const void* from;
};

void enqueue(const Copy& copy, std::size_t bytes) {
  check(cudaMemcpyAsync(copy.to, copy.from, bytes, cudaMemcpyDefault, nullptr), "cudaMemcpyAsync");
}

double seconds_of(const Copy& copy, std::size_t bytes) {
  const Stopwatch watch;
  for (int i = 0; i < copies; ++i) enqueue(copy, bytes);
  check(cudaDeviceSynchronize(), "while data were copied");
  return watch.seconds();
}

LinkTimes timed(Way way, const End& from, const std::string& to, const Copy& copy) {
  constexpr int samples = 9;
  LinkTimes link{way, from.name(), to, copies * from.bytes(), {}};
  from.use();
  seconds_of(copy, from.bytes());  // the first one wakes up the link
  for (int i = 0; i < samples; ++i) link.seconds.push_back(seconds_of(copy, from.bytes()));
  return link;
}

/// Whether the device of `from` may write to that of `to` by itself; else the host would do it.
bool reaches(const End& from, const End& to) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, from.number(), to.number()), "cudaDeviceCanAccessPeer");
  if (can == 0) return false;
  from.use();
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(to.number(), 0);
  if (enabled == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
  return enabled == cudaSuccess || enabled == cudaErrorPeerAccessAlreadyEnabled;
}

/// Throws Error where other bytes come back than were sent.
void require_equal(const End& end, const std::string& what) {
  const Buffer back(end.bytes());
  check(cudaMemcpy(back.data(), end.device(), end.bytes(), cudaMemcpyDefault), "cudaMemcpy");
  if (std::memcmp(back.data(), end.host(), end.bytes()) == 0) return;
  throw Error(fmt::format("{}: other data arrive than were sent", what));
}

}  // namespace

std::vector<LinkTimes> device_links(std::size_t bytes) {
  std::vector<LinkTimes> all;
  const std::size_t count = device_count();
  const auto make = [&](std::size_t number) { return End(static_cast<int>(number), bytes); };
  for (std::size_t a = 0; a < count; ++a) {
    const End one = make(a);
    all.push_back(timed(Way::to_device, one, "", {one.device(), one.host()}));
    require_equal(one, one.name());
    const Buffer back(bytes);
    const Pinned pinned(back);
    all.push_back(timed(Way::from_device, one, "", {back.data(), one.device()}));
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b) continue;
      const End other = make(b);
      if (!reaches(one, other)) continue;
      one.use();
      check(cudaMemcpy(one.device(), other.host(), bytes, cudaMemcpyDefault), "cudaMemcpy");
      all.push_back(timed(Way::between_devices, one, other.name(), {other.device(), one.device()}));
      require_equal(other, fmt::format("{} to {}", one.name(), other.name()));
    }
  }
  return all;
}

}  // namespace bench::cuda
