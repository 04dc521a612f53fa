// The numbers 0, 1, 2 … for the parallel algorithms of C++, which go over something.
//
// They ask for random access as C++17 knows it. The iterators of std::views::iota do not have that:
// with them an algorithm runs on one thread.
#pragma once

#include <cstddef>
#include <iterator>

namespace kernels {
namespace {

class Index {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const std::size_t*;
  using reference = std::size_t;

  Index() = default;
  explicit Index(std::size_t i) : i_(i) {}

  std::size_t operator*() const { return i_; }
  std::size_t operator[](std::ptrdiff_t n) const { return i_ + static_cast<std::size_t>(n); }
  Index& operator+=(std::ptrdiff_t n) {
    i_ += static_cast<std::size_t>(n);
    return *this;
  }
  Index& operator-=(std::ptrdiff_t n) { return *this += -n; }
  Index& operator++() { return *this += 1; }
  Index& operator--() { return *this -= 1; }
  Index operator++(int) { return Index(i_++); }
  Index operator--(int) { return Index(i_--); }
  friend Index operator+(Index a, std::ptrdiff_t n) { return a += n; }
  friend Index operator+(std::ptrdiff_t n, Index a) { return a += n; }
  friend Index operator-(Index a, std::ptrdiff_t n) { return a -= n; }
  friend std::ptrdiff_t operator-(Index a, Index b) {
    return static_cast<std::ptrdiff_t>(a.i_ - b.i_);
  }
  auto operator<=>(const Index&) const = default;

 private:
  std::size_t i_ = 0;
};

}  // namespace
}  // namespace kernels
