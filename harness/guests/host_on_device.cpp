#include "harness/guests/host_on_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/arrays/place.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"

namespace bench::guests {
namespace {

void check(const char* why) {
  if (why != nullptr) throw std::runtime_error(why);
}

/// What two events show with nothing between them.
double floor_of(const BenchDevice& device) {
  std::vector<double> readings(21);
  for (double& reading : readings) {
    device.hold();
    check(device.begin());
    check(device.end(&reading));
  }
  return median(readings);
}

}  // namespace

std::optional<Reason> obstacle_to(const BenchDevice& device) {
  const char* number = std::getenv("BENCH_DEVICE");
  if (number == nullptr) number = std::getenv("SLURM_LOCALID");
  const char* const why = device.select(number == nullptr ? 0 : std::atoi(number));
  if (why == nullptr) return {};
  return said<reasons::no_cuda_device>(why);
}

HostOnDevice::HostOnDevice(const BenchDevice& device, Arrays host, std::vector<std::size_t> bytes)
    : device_(device), host_(std::move(host)), bytes_(std::move(bytes)) {
  try {
    make_room();
  } catch (...) {
    release();
    throw;
  }
  const auto output = arrays_.begin() + static_cast<std::ptrdiff_t>(inputs());
  there_.inputs.assign(arrays_.begin(), output);
  there_.result = *output;
  there_.workspace.assign(output + 1, arrays_.end());
  floor_ = floor_of(device_);
}

HostOnDevice::~HostOnDevice() { release(); }

void HostOnDevice::make_room() {
  for (const std::size_t size : bytes_) {
    void* memory = nullptr;
    const std::size_t band = device_.guarded * guard::bytes;
    check_room<reasons::device_refused>(device_.allocate(&memory, band + size + band));
    memory_.push_back(memory);
    arrays_.push_back(at(memory, band));
  }
  for (std::size_t i = 0; i < memory_.size() && device_.guarded != 0; ++i) {
    const guard::Bands& bands = bands_.emplace_back(guard::next_bands());
    const std::vector<unsigned char> front(guard::bytes, bands.front);
    const std::vector<unsigned char> back(guard::bytes, bands.back);
    check(device_.upload(memory_[i], front.data(), front.size()));
    check(device_.upload(at(arrays_[i], bytes_[i]), back.data(), back.size()));
  }
  std::vector<void*> wanted(host_.inputs.begin(), host_.inputs.end());
  wanted.push_back(host_.result);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (bytes_[i] == 0) continue;
    check_room<reasons::system_refused>(device_.pin(wanted[i], bytes_[i]));
    pinned_.push_back(wanted[i]);
  }
}

void HostOnDevice::release() {
  for (void* const memory : pinned_) device_.unpin(memory);
  for (void* const memory : memory_) device_.release(memory);
}

/// Where the arrays need more than there is, the variant has no fault.
template <const ReasonText& refused>
void HostOnDevice::check_room(const char* why) const {
  if (why == nullptr || std::strcmp(why, device_.no_room()) != 0) return check(why);
  const std::size_t all = std::accumulate(bytes_.begin(), bytes_.end(), std::size_t{0});
  throw Unavailable(said<refused>(fmt::format("{:.0f} MB", static_cast<double>(all) / 1e6)));
}

void HostOnDevice::upload_inputs() {
  for (std::size_t i = 0; i < inputs(); ++i) {
    check(device_.upload(arrays_[i], host_.inputs[i], bytes_[i]));
  }
}

void HostOnDevice::get_ready(const Ready& request) {
  if (request.upload && request.scope == Scope::kernel) {
    upload_inputs();
    check(device_.upload(there_.result, host_.result, bytes_[inputs()]));
  }
  cold_ = request.cold;
  sample_ = request.sample;
}

Ran HostOnDevice::run(const RunCalls& request, const std::function<void(const Arrays&)>& call) {
  const bool sample = std::exchange(sample_, false) && request.scope == Scope::kernel;
  const bool held = sample && may_be_held(request.variant, call);
  constexpr int reads = 25;
  for (int i = 0; cold_ && i < reads; ++i) check(device_.empty_cache());
  cold_ = false;
  // Launch latency is not part of its time, as for built-in variants.
  if (held) device_.hold();
  if (request.scope == Scope::kernel) return {on_its_clock(request.calls, call), {}, floor_};
  check(device_.wait());
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < request.calls; ++i) {
    upload_inputs();
    call(there_);
    check(device_.download(host_.result, there_.result, bytes_[inputs()]));
  }
  const double seconds = stopwatch.seconds();
  check(device_.wait());
  return {seconds, {}, {}};
}

bool HostOnDevice::may_be_held(std::size_t variant,
                               const std::function<void(const Arrays&)>& call) {
  const auto known = held_.find(variant);
  if (known != held_.end()) return known->second;
  const bool held = returns_behind_hold(call);
  check(device_.upload(there_.result, host_.result, bytes_[inputs()]));
  return held_[variant] = held;
}

/// Throws where it works in a stream that the events do not see.
bool HostOnDevice::returns_behind_hold(const std::function<void(const Arrays&)>& call) {
  // An occasional interruption does not come each time.
  constexpr int tries = 3;
  constexpr auto long_for_a_kernel = std::chrono::milliseconds(5);
  constexpr std::size_t most_seen = BENCH_MOST_SEEN;
  const std::vector<unsigned char> untouched(std::min(bytes_[inputs()], most_seen), 0x5a);
  auto seen = untouched;
  for (int i = 0; i < tries; ++i) {
    double seconds = 0;
    check(device_.upload(there_.result, untouched.data(), untouched.size()));
    check(device_.wait());
    if (device_.hold() == 0) return false;
    check(device_.see(there_.result, untouched.size()));
    check(device_.begin());
    call(there_);
    if (device_.lapsed() == 0) std::this_thread::sleep_for(long_for_a_kernel);
    const bool waits = device_.lapsed() != 0;
    check(device_.end(&seconds));
    check(device_.seen(seen.data(), seen.size()));
    if (seen != untouched) throw ReasonError(said<reasons::overtakes_default_stream>());
    if (!waits) return true;
  }
  return false;
}

double HostOnDevice::on_its_clock(std::size_t calls,
                                  const std::function<void(const Arrays&)>& call) {
  double seconds = 0;
  check(device_.begin());
  for (std::size_t i = 0; i < calls; ++i) call(there_);
  check(device_.end(&seconds));
  return seconds;
}

void HostOnDevice::fetch(const Fetch& wanted) {
  if (wanted.scope == Scope::kernel) {
    check(device_.download(host_.result, there_.result, bytes_[inputs()]));
  }
  check_inputs();
  check_bands();
}

void HostOnDevice::check_inputs() const {
  for (std::size_t i = 0; i < inputs(); ++i) {
    std::vector<unsigned char> found(bytes_[i]);
    check(device_.download(found.data(), there_.inputs[i], bytes_[i]));
    if (std::memcmp(found.data(), host_.inputs[i], bytes_[i]) != 0) {
      throw ReasonError(said<reasons::in_device_memory>(said<reasons::wrote_into_input>()));
    }
  }
}

void HostOnDevice::check_bands() const {
  std::vector<unsigned char> front(guard::bytes);
  std::vector<unsigned char> back(guard::bytes);
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    check(device_.download(front.data(), memory_[i], front.size()));
    check(device_.download(back.data(), at(arrays_[i], bytes_[i]), back.size()));
    const auto damage = guard::damage(bands_[i], front.data(), back.data());
    if (damage) throw ReasonError(said<reasons::in_device_memory>(*damage));
  }
}

}  // namespace bench::guests
