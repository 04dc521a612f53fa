#include "harness/cuda/cublas.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/cuda/error.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using cuda::Cublas;

constexpr const char* absent = "libcublas-of-nobody.so.1";

template <class Real>
void expect_transposed() {
  const Cublas cublas({FAKE_CUBLAS});
  EXPECT_EQ(cublas.reason(), "");
  const std::vector<Real> in{1, 2, 3, 4, 5, 6};
  std::vector<Real> out(in.size(), std::numeric_limits<Real>::quiet_NaN());
  cublas.transpose(in.data(), out.data(), 2, 3);
  EXPECT_EQ(out, (std::vector<Real>{1, 4, 2, 5, 3, 6}));
  cublas.transpose(in.data(), out.data(), 3, 2);
  EXPECT_EQ(out, (std::vector<Real>{1, 3, 5, 2, 4, 6}));
}

TEST(Cublas, TransposesRowMajorMatrices) {
  expect_transposed<float>();
  expect_transposed<double>();
}

TEST(Cublas, NothingIsTransposedWithoutACall) {
  const Cublas cublas({FAKE_CUBLAS});
  const float* const nothing = nullptr;
  cublas.transpose(nothing, nullptr, 0, 5);
  cublas.transpose(nothing, nullptr, 5, 0);
  cublas.multiply(nothing, nothing, nullptr, 0, 5, 5);
  cublas.multiply(nothing, nothing, nullptr, 5, 0, 5);
}

template <class Real>
void expect_multiplied() {
  const Cublas cublas({FAKE_CUBLAS});
  const std::vector<Real> a{1, 2, 3, 4, 5, 6};
  const std::vector<Real> b{7, 8, 9, 10, 11, 12};
  std::vector<Real> c(4, std::numeric_limits<Real>::quiet_NaN());
  cublas.multiply(a.data(), b.data(), c.data(), 2, 2, 3);
  EXPECT_EQ(c, (std::vector<Real>{58, 64, 139, 154}));
  c.assign(9, std::numeric_limits<Real>::quiet_NaN());
  cublas.multiply(a.data(), b.data(), c.data(), 3, 3, 2);
  EXPECT_EQ(c, (std::vector<Real>{27, 30, 33, 61, 68, 75, 95, 106, 117}));
  c.assign(4, std::numeric_limits<Real>::quiet_NaN());
  cublas.multiply(a.data(), b.data(), c.data(), 2, 2, 0);
  EXPECT_EQ(c, (std::vector<Real>{0, 0, 0, 0}));
}

TEST(Cublas, MultipliesRowMajorMatrices) {
  expect_multiplied<float>();
  expect_multiplied<double>();
}

TEST(Cublas, WhereItIsNotThereTheReasonSaysSo) {
  for (const auto& files :
       {std::vector<std::string>{}, {absent}, {"/no/such/folder/libcublas.so"}}) {
    const Cublas cublas(files);
    expect_contains(cublas.reason(), "cuBLAS is not on this node");
    float element = 0;
    const auto call = [&] { cublas.transpose(&element, &element, 1, 1); };
    EXPECT_EQ(message_of<Unavailable>(call), cublas.reason());
  }
}

TEST(Cublas, WhatIsThereAndDoesNotWorkIsNamed) {
  const Cublas incomplete({FAKE_CUBLAS_INCOMPLETE});
  expect_contains(incomplete.reason(), "has no cublasDgeam");
  expect_contains(incomplete.reason(), FAKE_CUBLAS_INCOMPLETE);
  const Cublas broken({FAKE_CUBLAS_BROKEN, absent});
  expect_contains(broken.reason(), "does not start on this device: status 1");
}

TEST(Cublas, TheFirstFileThatWorksIsTaken) {
  const Cublas cublas({absent, FAKE_CUBLAS_BROKEN, FAKE_CUBLAS_INCOMPLETE, FAKE_CUBLAS});
  EXPECT_EQ(cublas.reason(), "");
}

TEST(Cublas, GivesItsHandleBack) {
  void* const library = dlopen(FAKE_CUBLAS, RTLD_NOW | RTLD_LOCAL);
  const auto handles = reinterpret_cast<int (*)()>(dlsym(library, "fake_cublas_handles"));
  const int before = handles();
  {
    const Cublas cublas({FAKE_CUBLAS});
    EXPECT_EQ(handles(), before + 1);
  }
  EXPECT_EQ(handles(), before);
  dlclose(library);
}

TEST(Cublas, RowsThatItCannotCountAreRefused) {
  const Cublas cublas({FAKE_CUBLAS});
  const float* const nothing = nullptr;
  const auto call = [&] { cublas.transpose(nothing, nullptr, std::size_t{1} << 31U, 1); };
  expect_contains(message_of<Unavailable>(call), "32 bits");
}

// The real one would read the stand-in's memory as the device's.
TEST(Cublas, TheStandInHasNoneOfItsOwn) { EXPECT_TRUE(cuda::cublas_files().empty()); }

TEST(Cublas, OfTheProcessIsWhatATestChooses) {
  cuda::use_cublas({absent});
  EXPECT_NE(cuda::cublas().reason(), "");
  cuda::use_cublas({FAKE_CUBLAS});
  EXPECT_EQ(cuda::cublas().reason(), "");
}

}  // namespace
}  // namespace bench::test
