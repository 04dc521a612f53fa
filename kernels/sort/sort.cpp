#include "kernels/sort/sort.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::sort {
namespace {

/// A hash of all bit patterns (splitmix64): the same for every order of the same numbers, different
/// for −0 and +0. Other numbers have the same one only by chance.
template <class Real>
std::uint64_t sum_of_bits(const Real* values, std::size_t n) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (n > bench::worth_a_team)
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t z = std::bit_cast<Bits>(values[i]) + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    sum += z ^ (z >> 31U);
  }
  return sum;
}

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    workspace = {bench::array_of<Real>(workspace_for(n))};
    bytes = inputs[0].bytes() + output.bytes();
    flops = n * static_cast<std::size_t>(std::bit_width(n > 0 ? n - 1 : 0));  // n·⌈log₂ n⌉
  }

  /// np.arange(0, n/100, 0.01, dtype), shuffled.
  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    auto* values = arrays.mutable_input<Real>(0);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<Real>(i) * static_cast<Real>(0.01);
    random.shuffle(values, n);
  }

  std::vector<bench::Edge> edges() const override {
    // NaN has no position in an order, and zeros of both signs may come in either order.
    using Limits = std::numeric_limits<Real>;
    constexpr Real inf = Limits::infinity();
    std::vector<bench::Edge> all{
        {"many are equal", {{2, 1, 0.5, 3}}},
        {"they are equal", {{1.5}}},
        {"they are negative", {{-3, 2, -1, 0.5, -2.5, 1}}},
        {"some are infinite", {{inf, 1, -inf, -2}}},
        {"they are very large or tiny",
         {{Limits::max(), Limits::lowest(), Limits::denorm_min(), -Limits::denorm_min(), 1}}}};
    // A stack of fixed size shows; more of them take long where a pivot is the first or the last.
    constexpr std::size_t few = 2'053;
    if (n > few) return all;
    std::vector<double> rising(n);
    std::iota(rising.begin(), rising.end(), -1.0);
    all.push_back({"they are in order", {rising}});
    std::reverse(rising.begin(), rising.end());
    all.push_back({"they are in reverse order", {std::move(rising)}});
    return all;
  }

  std::vector<Real> definition(const bench::Arrays& arrays) const {
    const auto* const in = arrays.input<Real>(0);
    std::vector<Real> sorted(in, in + n);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

  /// An output with the numbers of the input, each not smaller than the one before it, is sorted.
  /// Only wrong ones are compared with the reference, which takes longer.
  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const auto* const out = arrays.output<Real>();
    const bool same = sum_of_bits(out, n) == sum_of_bits(arrays.input<Real>(0), n);
    if (same && std::is_sorted(out, out + n)) {
      return bench::check_reals(out, bench::Elements::all(n), bench::exact,
                                [=](std::size_t i) { return static_cast<double>(out[i]); });
    }
    const std::vector<Real> sorted = definition(arrays);
    bench::Verdict verdict =
        bench::check_reals(out, bench::Elements::all(n), bench::exact,
                           [&](std::size_t i) { return static_cast<double>(sorted[i]); });
    if (verdict.passed) {
      verdict.passed = false;
      verdict.max_error = std::numeric_limits<double>::infinity();
      verdict.reason = "the signs of zeros are not those of the input";
    }
    return verdict;
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const std::vector<Real> sorted = definition(arrays);
    return bench::first(count, [&](std::size_t i) { return sorted[i]; });
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), arrays.work<Real>(0), n);
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>(
          {{bench::backends::serial, serial<Isa, Real>()},
           {bench::backends::serial, serial_library<Real>(), bench::by_library},
           {bench::backends::openmp, openmp<Isa, Real>()},
           {bench::backends::openmp, openmp_library<Real>(), bench::by_library},
           {bench::backends::cuda, cuda<Real>()},
           {bench::backends::cuda, library<Real>(), bench::by_library}},
          call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "sort",
    .formula = "the elements in ascending order",
    .lesson = "algorithms: a better one beats a faster device",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 100},
    .default_shape = {.cols = 10'000},
    .course = {.cols = 1'000},
    .only_by_name = true,
    .memory_bound = false,
    .overlaps = false,
    .make = bench::make<Problem>,
};

}  // namespace kernels::sort
