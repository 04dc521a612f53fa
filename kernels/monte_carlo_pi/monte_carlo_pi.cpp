#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::monte_carlo_pi {
namespace {

Word high(std::uint64_t product) { return static_cast<Word>(product >> 32U); }
Word low(std::uint64_t product) { return static_cast<Word>(product); }

/// Philox4x32-10, in the words of the paper.
std::array<Word, 4> random_words(std::uint64_t block, Word key0, Word key1) {
  std::array<Word, 4> c{low(block), high(block), 0, 0};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high(second) ^ c[1] ^ key0, low(second), high(first) ^ c[3] ^ key1, low(first)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return c;
}

bool lies_inside(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return y * y <= most - x * x;
}

struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Word>(2)};
    input_shapes = {{2}};
    output = bench::array_of<Word>(1);
    parameters = {{"n", static_cast<double>(n), static_cast<double>(n), true}};
    bytes = inputs[0].bytes() + output.bytes();
    flops = 5 * n;  // ·, ·, +, <, + of the points; drawing them is not arithmetic of the formula
  }

  bench::Reason unsupported() const override { return bench::beyond_32_bits(n); }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    auto* key = arrays.mutable_input<Word>(0);
    key[0] = random.word();
    key[1] = random.word();
  }

  Word definition(const bench::Arrays& arrays) const {
    const auto* key = arrays.input<Word>(0);
    Word inside = 0;
#pragma omp parallel for reduction(+ : inside) if (n > bench::worth_a_team)
    for (std::size_t i = 0; i < n; i += 2) {
      const std::array<Word, 4> words = random_words(i / 2, key[0], key[1]);
      if (lies_inside(words[0], words[1])) ++inside;
      if (i + 1 < n && lies_inside(words[2], words[3])) ++inside;
    }
    return inside;
  }

  /// Checks a count of other points than ours, which is binomial: n times with probability π/4.
  bench::Verdict check_of_own_points(Word got) const {
    constexpr double likely = 6;  // one right result of 5·10⁸ is further away
    constexpr double quarter = std::numbers::pi / 4;
    const double mean = static_cast<double>(n) * quarter;
    const double sigma = std::sqrt(mean * (1 - quarter));
    const double error = got > n ? std::numeric_limits<double>::infinity()
                                 : std::abs(got - mean) / std::max(sigma, 1e-9);
    bench::Findings found;
    if (bench::is_poison(got)) {
      found.note_unwritten(0);
    } else {
      found.note(0, error, likely);
    }
    return bench::judge(found, bench::Elements::all(1), "sigma", likely, [&](std::size_t) {
      return bench::describe_difference(got, mean, 10, error, "sigma", likely);
    });
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    if (arrays.own_numbers) return check_of_own_points(arrays.output<Word>()[0]);
    return bench::check_counts(arrays.output<Word>(), {definition(arrays)});
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t) const override {
    return {static_cast<double>(definition(arrays))};
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Word>(0), n, arrays.output<Word>());
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel>({{bench::backends::serial, serial<Isa, Word>()},
                                  {bench::backends::openmp, openmp<Isa, Word>()},
                                  {bench::backends::cuda, cuda<Word>()}},
                                 call);
    });
  }
};

constexpr bench::Dtype whole_numbers[] = {bench::Dtype::u32};

}  // namespace

const bench::Workload workload{
    .name = "monte_carlo_pi",
    .formula = "how many of n random points have x² + y² < 1, π/4 of them",
    .lesson = "random numbers: computed, not read",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .only_by_name = true,
    .dtypes = whole_numbers,
    .memory_bound = false,
    .overlaps = false,
    .own_inputs = "draws its own numbers: --seed chooses them",
    .make = [](bench::Dtype /*dtype*/, const bench::Shape& shape)
        -> std::unique_ptr<bench::Problem> { return std::make_unique<Problem>(shape); },
};

}  // namespace kernels::monte_carlo_pi
