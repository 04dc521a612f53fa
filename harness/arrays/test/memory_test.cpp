#include "harness/arrays/memory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/arrays/guard.hpp"
#include "harness/test/support.hpp"
#include "harness/workload/verify.hpp"

namespace bench::test {
namespace {

constexpr std::size_t large = (std::size_t{5} << 20U) + 12345;  // beyond huge pages, and odd
const std::vector<std::size_t> sizes{0, 1, 7, 64, 4096, 4097, std::size_t{2} << 20U, large};

unsigned char* bytes_of(const Buffer& buffer) { return static_cast<unsigned char*>(buffer.data()); }

TEST(Memory, BeginsAlignedPoisonedAndIntact) {
  for (const std::size_t size : sizes) {
    const Buffer buffer(size);
    EXPECT_EQ(buffer.bytes(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    EXPECT_TRUE(std::all_of(bytes_of(buffer), bytes_of(buffer) + size, [](unsigned char byte) {
      return byte == poison_byte;
    })) << size;
    EXPECT_EQ(buffer.damage(), std::nullopt) << size;
  }
}

TEST(SharedPages, AreTheSameBytesForAllThatMapThem) {
  for (const std::size_t size : sizes) {
    const Buffer buffer(size, shared_pages);
    EXPECT_EQ(buffer.damage(), std::nullopt) << size;
    const Memory other = mapped_pages(fmt::format("/proc/self/fd/{}", buffer.file()),
                                      size + 2 * guard::bytes, Access::write);
    auto* const theirs = static_cast<unsigned char*>(other.pages.get()) + guard::bytes;
    ASSERT_NE(theirs, bytes_of(buffer));
    EXPECT_TRUE(std::equal(theirs, theirs + size, bytes_of(buffer)));
    theirs[size] = 1;
    EXPECT_TRUE(buffer.damage()) << size;
  }
  EXPECT_EQ(Buffer(1).file(), Memory::no_file);
}

TEST(SharedPages, ThatAreNotThereAreSaidSo) {
  EXPECT_THROW(mapped_pages("/nowhere", 1, Access::read), std::system_error);
}

std::ptrdiff_t open_files() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

TEST(SharedPages, LeaveNoFileBehindWhereThereIsNoRoom) {
  constexpr std::size_t beyond_addresses = std::size_t{1} << 47U;
  const std::ptrdiff_t before = open_files();
  EXPECT_THROW(shared_pages(beyond_addresses), std::bad_alloc);
  EXPECT_EQ(open_files(), before);
}

TEST(Memory, WritingAllDataDamagesNothing) {
  for (const std::size_t size : sizes) {
    const Buffer buffer(size);
    std::fill_n(bytes_of(buffer), size, static_cast<unsigned char>(0));
    EXPECT_EQ(buffer.damage(), std::nullopt) << size;
  }
}

TEST(Memory, PoisonCoversEveryByteWhateverTheTeam) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    for (const std::size_t size : sizes) {
      Buffer buffer(size);
      std::fill_n(bytes_of(buffer), size, static_cast<unsigned char>(1));
      buffer.poison();
      EXPECT_TRUE(std::all_of(bytes_of(buffer), bytes_of(buffer) + size,
                              [](unsigned char byte) { return byte == poison_byte; }))
          << size << " bytes, " << threads << " threads";
      EXPECT_EQ(buffer.damage(), std::nullopt);
    }
  }
  omp_set_num_threads(before);
}

TEST(Memory, NoticesDamageInFrontAndBehindAndSaysHowFar) {
  for (const std::size_t size : sizes) {
    Buffer buffer(size);
    unsigned char* const data = bytes_of(buffer);
    for (const std::ptrdiff_t distance : {1, 2, 63, 64, 1000, 4096}) {
      data[-distance] = 0;
      EXPECT_EQ(buffer.damage(),
                fmt::format("wrote before the start of an array (byte {} before it)", distance));
      buffer.restore_guards();
      EXPECT_EQ(buffer.damage(), std::nullopt);

      data[size + static_cast<std::size_t>(distance) - 1] = 0;
      EXPECT_EQ(buffer.damage(),
                fmt::format("wrote past the end of an array (byte {} after it)", distance));
      buffer.restore_guards();
      EXPECT_EQ(buffer.damage(), std::nullopt);
    }
    data[-5] = data[-9] = 0;
    expect_contains(buffer.damage().value_or(""), "(byte 5 before it)");
  }
}

TEST(Memory, EvictingChangesNothing) {
  for (const bool team : {false, true}) {
    for (const std::size_t size : sizes) {
      const Buffer buffer(size);
      unsigned char* const data = bytes_of(buffer);
      for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<unsigned char>(i * 7 % 251);
      evict(data, size, team);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < size; ++i) {
        wrong += data[i] == static_cast<unsigned char>(i * 7 % 251) ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0U) << size;
      EXPECT_EQ(buffer.damage(), std::nullopt);
    }
  }
}

TEST(Memory, MakesBytesTheSameAndSaysWhetherTheyWere) {
  for (const std::size_t size : sizes) {
    const Buffer from(size);
    const Buffer to(size);
    std::memset(from.data(), 1, size);
    std::memset(to.data(), 1, size);
    EXPECT_FALSE(make_same(to.data(), from.data(), size)) << size;
    if (size == 0) continue;
    bytes_of(to)[size - 1] = 2;
    EXPECT_TRUE(make_same(to.data(), from.data(), size)) << size;
    EXPECT_EQ(bytes_of(to)[size - 1], 1);
  }
}

TEST(Memory, RefusesAbsurdSizesAsTheLanguageDoes) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {most, most - 4096, most / 2 + 1, most / 2, most / 4}) {
    EXPECT_THROW(Buffer buffer(size), std::bad_alloc) << size;
  }
}

TEST(Memory, CanBeMoved) {
  std::vector<Buffer> buffers;
  buffers.emplace_back(10);
  void* const data = buffers.front().data();
  for (int i = 0; i < 5; ++i) buffers.emplace_back(20);
  EXPECT_EQ(buffers.front().data(), data);
  EXPECT_EQ(buffers.front().bytes(), 10U);
  EXPECT_EQ(buffers.front().damage(), std::nullopt);
}

}  // namespace
}  // namespace bench::test
