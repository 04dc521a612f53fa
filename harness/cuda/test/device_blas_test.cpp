#include "harness/cuda/device_blas.hpp"

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

using cuda::DeviceBlas;

constexpr const char* absent = "libcublas-of-nobody.so.1";

template <class Real>
void expect_transposed(const DeviceBlas& cublas) {
  EXPECT_EQ(cublas.reason(), "");
  const std::vector<Real> in{1, 2, 3, 4, 5, 6};
  std::vector<Real> out(in.size(), std::numeric_limits<Real>::quiet_NaN());
  cublas.transpose(in.data(), out.data(), 2, 3);
  EXPECT_EQ(out, (std::vector<Real>{1, 4, 2, 5, 3, 6}));
  cublas.transpose(in.data(), out.data(), 3, 2);
  EXPECT_EQ(out, (std::vector<Real>{1, 3, 5, 2, 4, 6}));
}

TEST(DeviceBlas, TransposesRowMajorMatrices) {
  for (const auto& [file, names] :
       {std::pair{FAKE_CUBLAS, cuda::cublas}, std::pair{FAKE_ROCBLAS, cuda::rocblas}}) {
    expect_transposed<float>(DeviceBlas({file}, names));
    expect_transposed<double>(DeviceBlas({file}, names));
  }
}

TEST(DeviceBlas, NothingIsTransposedWithoutACall) {
  const DeviceBlas cublas({FAKE_CUBLAS});
  const float* const nothing = nullptr;
  cublas.transpose(nothing, nullptr, 0, 5);
  cublas.transpose(nothing, nullptr, 5, 0);
  cublas.multiply(nothing, nothing, nullptr, 0, 5, 5);
  cublas.multiply(nothing, nothing, nullptr, 5, 0, 5);
}

template <class In, class Real = In>
void expect_multiplied(const DeviceBlas& cublas) {
  std::vector<In> a;
  std::vector<In> b;
  for (int i = 1; i <= 6; ++i) {
    a.push_back(In(static_cast<float>(i)));
    b.push_back(In(static_cast<float>(6 + i)));
  }
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

TEST(DeviceBlas, MultipliesRowMajorMatrices) {
  for (const auto& [file, names] :
       {std::pair{FAKE_CUBLAS, cuda::cublas}, std::pair{FAKE_ROCBLAS, cuda::rocblas}}) {
    expect_multiplied<Half, float>(DeviceBlas({file}, names));
    expect_multiplied<float>(DeviceBlas({file}, names));
    expect_multiplied<double>(DeviceBlas({file}, names));
  }
}

TEST(DeviceBlas, WhereItIsNotThereTheReasonSaysSo) {
  for (const auto& files :
       {std::vector<std::string>{}, {absent}, {"/no/such/folder/libcublas.so"}}) {
    const DeviceBlas cublas(files);
    expect_contains(cublas.reason(), "cuBLAS is not on this node");
    float element = 0;
    const auto call = [&] { cublas.transpose(&element, &element, 1, 1); };
    EXPECT_EQ(message_of<Unavailable>(call), cublas.reason());
  }
}

TEST(DeviceBlas, OfAmdIsCalledByItsName) {
  const DeviceBlas blas({absent}, cuda::rocblas);
  EXPECT_EQ(blas.reason(), "rocBLAS is not on this node (load a ROCm module, or set ROCM_PATH)");
  expect_contains(DeviceBlas({FAKE_CUBLAS}, cuda::rocblas).reason(),
                  "has no rocblas_create_handle");
}

TEST(DeviceBlas, WhatIsThereAndDoesNotWorkIsNamed) {
  const DeviceBlas incomplete({FAKE_CUBLAS_INCOMPLETE});
  expect_contains(incomplete.reason(), "has no cublasDgeam");
  expect_contains(incomplete.reason(), FAKE_CUBLAS_INCOMPLETE);
  const DeviceBlas broken({FAKE_CUBLAS_BROKEN, absent});
  expect_contains(broken.reason(), "does not start on this device: status 1");
}

TEST(DeviceBlas, TheFirstFileThatWorksIsTaken) {
  const DeviceBlas cublas({absent, FAKE_CUBLAS_BROKEN, FAKE_CUBLAS_INCOMPLETE, FAKE_CUBLAS});
  EXPECT_EQ(cublas.reason(), "");
}

TEST(DeviceBlas, GivesItsHandleBack) {
  void* const library = dlopen(FAKE_CUBLAS, RTLD_NOW | RTLD_LOCAL);
  const auto handles = reinterpret_cast<int (*)()>(dlsym(library, "fake_cublas_handles"));
  const int before = handles();
  {
    const DeviceBlas cublas({FAKE_CUBLAS});
    EXPECT_EQ(handles(), before + 1);
  }
  EXPECT_EQ(handles(), before);
  dlclose(library);
}

TEST(DeviceBlas, RowsThatItCannotCountAreRefused) {
  const DeviceBlas cublas({FAKE_CUBLAS});
  const float* const nothing = nullptr;
  const auto call = [&] { cublas.transpose(nothing, nullptr, std::size_t{1} << 31U, 1); };
  expect_contains(message_of<Unavailable>(call), "32 bits");
}

// The real one would read the stand-in's memory as the device's.
TEST(DeviceBlas, TheStandInHasNoneOfItsOwn) { EXPECT_TRUE(cuda::device_blas_files().empty()); }

TEST(DeviceBlas, OfTheProcessIsWhatATestChooses) {
  cuda::use_device_blas({absent});
  EXPECT_NE(cuda::device_blas().reason(), "");
  cuda::use_device_blas({FAKE_CUBLAS});
  EXPECT_EQ(cuda::device_blas().reason(), "");
}

}  // namespace
}  // namespace bench::test
