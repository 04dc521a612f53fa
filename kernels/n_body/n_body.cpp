#include "kernels/n_body/n_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::n_body {
namespace {

constexpr std::size_t coordinates = 3;
/// The most pairs of which all bodies are compared: their reference takes a second on one core.
constexpr std::size_t most_pairs = std::size_t{1} << 27U;
/// The fewest bodies that are compared of more pairs.
constexpr std::size_t least_bodies = 64;

/// As many different bodies, drawn once the result is there: no kernel knows which.
std::vector<std::size_t> some_bodies(std::size_t count, std::size_t n) {
  std::vector<std::size_t> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = i;
  std::vector<std::size_t> some;
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, std::random_device());
  return some;
}

template <class Real>
struct Problem final : bench::Problem {
  using Wide = bench::Wider<Real>;
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    for (int i = 0; i < 4; ++i) inputs.push_back(bench::array_of<Real>(n));
    output = bench::array_of<Real>(coordinates * n);
    output_shape = {coordinates, n};
    for (const bench::ArraySpec& input : inputs) bytes += input.bytes();
    bytes += output.bytes();
    flops = 20 * n * n;  // as the field counts them: −, ·, + of each coordinate, √, /, ·
  }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      random.uniform(arrays.mutable_input<Real>(i), n, 0, 1);
    }
  }

  // Lengths without a common divisor: equal terms would add up equal roundings.
  std::vector<bench::Edge> edges() const override {
    const std::vector<double> x{0.5, -1.25, 2, 0.1, -0.7};
    const std::vector<double> y{0.3, -0.2, 1.5, 0.9, -2, 0.6, -0.4};
    const std::vector<double> z{-0.1, 0.8, 1.1};
    const std::vector<double> m{1, 0.25, 2, 0.5, 3, 1.5, 0.75, 0.3, 0.1, 1.2, 0.9};
    return {{"bodies are at the same place", {{0.5, 0.25}, {0.5}, {0.125}, m}},
            {"some have no mass", {x, y, z, {0, 1, 0, 0, 2.5, 0, 0.5}}},
            {"they are far apart", {{1e3, -2e3, 5e2, 1, -1}, y, {4e2, -1e3, 7}, m}},
            {"masses are negative", {x, y, z, {1, -0.5, 2, -1.5, 0.25, -3, 0.75}}}};
  }

  /// What one body feels: the sums of the terms, and of their magnitudes.
  struct Pull {
    std::array<Wide, coordinates> sum{};
    std::array<double, coordinates> magnitude{};
  };

  Pull definition(const bench::Arrays& arrays, std::size_t i) const {
    const Real* const at[] = {arrays.input<Real>(0), arrays.input<Real>(1), arrays.input<Real>(2)};
    const auto* const m = arrays.input<Real>(3);
    Pull pull;
    for (std::size_t j = 0; j < n; ++j) {
      std::array<Wide, coordinates> d;
      Wide square = softening;
      for (std::size_t c = 0; c < coordinates; ++c) {
        d[c] = static_cast<Wide>(at[c][j]) - static_cast<Wide>(at[c][i]);
        square += d[c] * d[c];
      }
      const Wide weight = static_cast<Wide>(m[j]) / (square * std::sqrt(square));
      for (std::size_t c = 0; c < coordinates; ++c) {
        pull.sum[c] += weight * d[c];
        pull.magnitude[c] += static_cast<double>(std::abs(weight * d[c]));
      }
    }
    return pull;
  }

  /// Computes what these bodies feel, in their order.
  void compute(const bench::Arrays& arrays, const bench::Elements& bodies, Pull* pulls) const {
#pragma omp parallel for schedule(static) if (bodies.size() * n > bench::worth_a_team)
    for (std::size_t k = 0; k < bodies.size(); ++k) pulls[k] = definition(arrays, bodies[k]);
  }

  /// `pull_of(i)` has that of body i. A term has an error of some eps, and so does each addition
  /// in Real: in the worst case they add up to half an eps per term of Σ|terms|, in others to
  /// (√n)/6 eps.
  template <class PullOf>
  bench::Verdict compare(const bench::Arrays& arrays, const bench::Elements& elements,
                         PullOf pull_of) const {
    const double tolerance = 16 + 2 * std::sqrt(static_cast<double>(n));
    return bench::check_in_eps(
        arrays.output<Real>(), elements, tolerance,
        [&](std::size_t e) { return pull_of(e % n).sum[e / n]; },
        [&](std::size_t e) { return pull_of(e % n).magnitude[e / n]; });
  }

  bench::Verdict check_all(const bench::Arrays& arrays) const {
    bench::ReferenceResult mine;
    bench::ReferenceResult& reference = arrays.kept != nullptr ? *arrays.kept : mine;
    if (!reference) {
      auto computed = std::make_unique<std::byte[]>(n * sizeof(Pull));
      compute(arrays, bench::Elements::all(n), reinterpret_cast<Pull*>(computed.get()));
      reference = std::move(computed);
    }
    const auto* const pulls = reinterpret_cast<const Pull*>(reference.get());
    return compare(arrays, bench::Elements::all(output.count),
                   [=](std::size_t i) { return pulls[i]; });
  }

  /// The bodies drawn, and the first element that was not written at all.
  bench::Verdict check_some(const bench::Arrays& arrays) const {
    std::vector<std::size_t> bodies = some_bodies(std::max(most_pairs / n, least_bodies), n);
    const auto* const out = arrays.output<Real>();
    const auto* const unwritten = std::find_if(
        out, out + output.count, [](const Real& one) { return bench::is_poison(one); });
    if (unwritten != out + output.count) {
      bodies.push_back(static_cast<std::size_t>(unwritten - out) % n);
      std::sort(bodies.begin(), bodies.end());
    }
    std::vector<Pull> pulls(bodies.size());
    compute(arrays, bench::Elements::some(bodies), pulls.data());
    std::vector<std::size_t> elements;
    for (std::size_t c = 0; c < coordinates; ++c) {
      for (const std::size_t body : bodies) elements.push_back(c * n + body);
    }
    return compare(arrays, bench::Elements::some(std::move(elements)), [&](std::size_t i) {
      const auto found = std::lower_bound(bodies.begin(), bodies.end(), i);
      return pulls[static_cast<std::size_t>(found - bodies.begin())];
    });
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    return n * n <= most_pairs ? check_all(arrays) : check_some(arrays);
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    return bench::first(count, [&](std::size_t e) { return definition(arrays, e % n).sum[e / n]; });
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.input<Real>(1), arrays.input<Real>(2),
             arrays.input<Real>(3), arrays.output<Real>(), n);
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>({{bench::backends::serial, serial<Isa, Real>()},
                                        {bench::backends::openmp, openmp<Isa, Real>()},
                                        {bench::backends::cuda, cuda<Real>()}},
                                       call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "n_body",
    .formula = "a[i] = Σⱼ m[j]·d/(|d|² + ε²)^(3/2), d = r[j] − r[i]",
    .lesson = "arithmetic: what the units can do, in registers",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 100},
    .default_shape = {.cols = 8'192},
    .course = {.cols = 4'096},
    .nearer_reference = &multiply_add::workload,
    .only_by_name = true,
    .memory_bound = false,
    .quadratic = true,
    .overlaps = false,
    .make = bench::make<Problem>,
};

}  // namespace kernels::n_body
