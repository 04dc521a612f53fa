// What this suite calls of CUB and Thrust, by rocPRIM.
#pragma once

#include <cstddef>
#include <iterator>
#include <rocprim/rocprim.hpp>

#define CUB_VERSION 300000  // it counts in 64 bits, too

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class F, class Number>
  static hipError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, std::size_t n, F f,
                           Number first) {
    return rocprim::reduce(storage, bytes, in, out, first, n, f);
  }

  template <class In, class Number>
  static hipError_t Sum(void* storage, std::size_t& bytes, In in, Number* out, std::size_t n) {
    return Reduce(storage, bytes, in, out, n, rocprim::plus<Number>(), Number{0});
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class F, class Number>
  static hipError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, int segments,
                           Begin begin, Begin end, F f, Number first) {
    return rocprim::segmented_reduce(storage, bytes, in, out, static_cast<unsigned>(segments),
                                     begin, end, f, first);
  }
};

struct DeviceScan {
  template <class In, class Out>
  static hipError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, std::size_t n) {
    using Number = typename std::iterator_traits<In>::value_type;
    return rocprim::inclusive_scan(storage, bytes, in, out, n, rocprim::plus<Number>());
  }
};

struct DeviceRadixSort {
  template <class Key>
  static hipError_t SortKeys(void* storage, std::size_t& bytes, const Key* in, Key* out,
                             std::size_t n) {
    return rocprim::radix_sort_keys(storage, bytes, in, out, n);
  }
};

/// Counts at most 2³² elements.
struct DeviceHistogram {
  template <class Number, class Count>
  static hipError_t HistogramEven(void* storage, std::size_t& bytes, const Number* in,
                                  Count* counts, int levels, Number low, Number high, long long n) {
    if (n > most) return hipErrorInvalidValue;
    return rocprim::histogram_even(storage, bytes, in, static_cast<unsigned>(n), counts,
                                   static_cast<unsigned>(levels), low, high);
  }

  template <class Number, class Count>
  static hipError_t HistogramRange(void* storage, std::size_t& bytes, const Number* in,
                                   Count* counts, int levels, const Number* begins, long long n) {
    if (n > most) return hipErrorInvalidValue;
    return rocprim::histogram_range(storage, bytes, in, static_cast<unsigned>(n), counts,
                                    static_cast<unsigned>(levels), const_cast<Number*>(begins));
  }

  static constexpr long long most = 0xffff'ffff;
};

}  // namespace cub

namespace thrust {

using rocprim::make_counting_iterator;
using rocprim::make_transform_iterator;

/// Writes f(x) where x is assigned.
template <class Out, class F>
class TransformedOutput {
 public:
  using value_type = typename std::iterator_traits<Out>::value_type;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  using pointer = void;

  struct reference {
    Out at;
    F f;
    template <class X>
    __host__ __device__ const reference& operator=(const X& x) const {
      *at = f(x);
      return *this;
    }
  };

  __host__ __device__ TransformedOutput(Out at, F f) : at_(at), f_(f) {}
  __host__ __device__ reference operator*() const { return {at_, f_}; }
  __host__ __device__ reference operator[](std::size_t i) const { return {at_ + i, f_}; }
  __host__ __device__ TransformedOutput operator+(std::size_t i) const { return {at_ + i, f_}; }

 private:
  Out at_;
  F f_;
};

template <class Out, class F>
TransformedOutput<Out, F> make_transform_output_iterator(Out out, F f) {
  return {out, f};
}

}  // namespace thrust
