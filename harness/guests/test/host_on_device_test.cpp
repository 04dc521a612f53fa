#include "harness/guests/host_on_device.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace bench::guests {
namespace {

/// What the device was asked for, a word each.
std::string notes;

const char* copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return nullptr;
}

const BenchDevice noting = {
    .guarded = 0,
    .select = [](int) -> const char* { return nullptr; },
    .allocate = [](void** memory, std::size_t bytes) -> const char* {
      *memory = std::malloc(bytes);
      return nullptr;
    },
    .no_room = []() -> const char* { return "no room"; },
    .release = [](void* memory) -> const char* {
      std::free(memory);
      return nullptr;
    },
    .pin = [](void*, std::size_t) -> const char* { return nullptr; },
    .unpin = [](void*) -> const char* { return nullptr; },
    .upload = copy,
    .download = copy,
    .empty_cache = []() -> const char* { return nullptr; },
    .hold = [] { notes += "hold "; },
    .begin = []() -> const char* {
      notes += "begin ";
      return nullptr;
    },
    .end = [](double* seconds) -> const char* {
      notes += "end ";
      *seconds = 1;
      return nullptr;
    },
    .wait = []() -> const char* { return nullptr; },
};

class HostOnDeviceTest : public testing::Test {
 protected:
  /// What the device is asked for by two calls of a function.
  std::string asked(bool sample, std::size_t variant, const std::function<void()>& function) {
    Ready ready;
    ready.sample = sample;
    device_.get_ready(ready);
    return asked_again(variant, function);
  }
  std::string asked_again(std::size_t variant, const std::function<void()>& function) {
    notes.clear();
    RunCalls calls;
    calls.variant = variant;
    calls.calls = 2;
    EXPECT_EQ(device_.run(calls, [&](const Arrays&) { function(); }).seconds, 1);
    return notes;
  }

 private:
  float input_ = 1;
  float output_ = 0;
  HostOnDevice device_{noting, {{&input_}, &output_, {}}, {sizeof input_, sizeof output_}};
};

void launch() { notes += "launch "; }
void launch_and_wait() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

TEST_F(HostOnDeviceTest, ASampleBeginsOnceAllOfItHasBeenLaunched) {
  EXPECT_EQ(asked(true, 0, launch), "hold begin launch launch end ");
  EXPECT_EQ(asked_again(0, launch), "begin launch launch end ") << "what follows is none";
  EXPECT_EQ(asked(false, 0, launch), "begin launch launch end ");
}

TEST_F(HostOnDeviceTest, WhoWaitsForItsKernelsEachTimeIsNoLongerHeld) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(asked(true, 1, launch_and_wait), "hold begin end ");
  EXPECT_EQ(asked(true, 1, launch_and_wait), "begin end ");
  EXPECT_EQ(asked(true, 0, launch), "hold begin launch launch end ");
}

}  // namespace
}  // namespace bench::guests
