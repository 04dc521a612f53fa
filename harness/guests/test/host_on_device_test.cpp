#include "harness/guests/host_on_device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench::guests {
namespace {

/// What the device was asked for, a word each.
std::string notes;
bool holds = true;
bool lapsed = false;
bool overtakes = false;
std::string seen;

const char* copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return nullptr;
}

const BenchDevice noting = {
    .guarded = 1,
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
    .hold =
        [] {
          notes += "hold ";
          return holds ? 1 : 0;
        },
    .lapsed = [] { return lapsed ? 1 : 0; },
    .see = [](const void* memory, std::size_t bytes) -> const char* {
      notes += "see ";
      seen.assign(static_cast<const char*>(memory), bytes);
      if (overtakes) seen[0] = 'x';
      return nullptr;
    },
    .seen = [](void* host, std::size_t bytes) -> const char* {
      std::memcpy(host, seen.data(), bytes);
      return nullptr;
    },
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
  void SetUp() override {
    holds = true;
    lapsed = overtakes = false;
  }

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

 protected:
  float input_ = 1;
  float output_ = 0;
  HostOnDevice device_{noting, {{&input_}, &output_, {}}, {sizeof input_, sizeof output_}};
};

void launch() { notes += "launch "; }

TEST_F(HostOnDeviceTest, ASampleBeginsOnceAllOfItHasBeenLaunched) {
  EXPECT_EQ(asked(true, 0, launch), "hold see begin launch end hold begin launch launch end ")
      << "looked at behind a hold, once";
  EXPECT_EQ(asked(true, 0, launch), "hold begin launch launch end ");
  EXPECT_EQ(asked_again(0, launch), "begin launch launch end ") << "what follows is no sample";
  EXPECT_EQ(asked(false, 0, launch), "begin launch launch end ");
}

TEST_F(HostOnDeviceTest, WhoWaitsForItsKernelsIsNotHeld) {
  lapsed = true;
  const std::string looked = "hold see begin launch end ";
  EXPECT_EQ(asked(true, 1, launch), looked + looked + looked + "begin launch launch end ");
  EXPECT_EQ(asked(true, 1, launch), "begin launch launch end ");
  lapsed = false;
  EXPECT_EQ(asked(true, 0, launch), looked + "hold begin launch launch end ") << "another one is";
}

TEST_F(HostOnDeviceTest, WhereNothingIsHeldNobodyIs) {
  holds = false;
  EXPECT_EQ(asked(true, 0, launch), "hold begin launch launch end ");
  EXPECT_EQ(asked(true, 0, launch), "begin launch launch end ");
}

TEST_F(HostOnDeviceTest, WhatOvertakesTheDefaultStreamGetsNoTime) {
  overtakes = true;
  EXPECT_THROW(asked(true, 0, launch), std::runtime_error);
}

class ArraysOnDevice : public HostOnDeviceTest {
 protected:
  /// One sample that does this to the arrays, looked at as every sample is.
  void sample(const std::function<void(const Arrays&)>& variant) {
    Ready ready;
    ready.upload = true;
    device_.get_ready(ready);
    RunCalls calls;
    calls.calls = 1;
    device_.run(calls, variant);
    device_.fetch({});
  }
};

void negate(const Arrays& arrays) {
  *static_cast<float*>(arrays.result) = -*static_cast<const float*>(arrays.inputs[0]);
}

TEST_F(ArraysOnDevice, HoldTheInputsBetweenTheirGuardBands) {
  sample(negate);
  EXPECT_EQ(output_, -1);
  input_ = 2;
  sample(negate);
  EXPECT_EQ(output_, -2);
}

TEST_F(ArraysOnDevice, AreLookedAtAfterEachSample) {
  EXPECT_THROW(sample([](const Arrays& arrays) { *static_cast<float*>(arrays.inputs[0]) = 3; }),
               std::runtime_error);
}

TEST_F(ArraysOnDevice, AreGuardedAtBothEnds) {
  for (const int where : {-1, 1}) {
    EXPECT_THROW(sample([where](const Arrays& arrays) {
                   negate(arrays);
                   static_cast<float*>(arrays.result)[where] = 3;
                 }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace bench::guests
