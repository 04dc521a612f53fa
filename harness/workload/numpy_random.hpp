#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/team.hpp"
#include "harness/workload/mersenne_twister.hpp"

namespace bench {

/// NumPy's legacy generator, bit for bit: `np.random.seed(seed)` and what `np.random.uniform` and
/// `np.random.normal` return after it, cast to Real as `.astype` does. The lessons of the courses
/// draw their data so; arrays are drawn in the order of the calls.
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : engine_(seed) {}

  /// n values lo + (hi − lo)·d with d uniform in [0, 1), 53 random bits each.
  template <class Real>
  void uniform(Real* values, std::size_t n, double lo, double hi) {
    by_pieces(n, &NumpyRandom::draw_doubles,
              [=](std::size_t i, double d) { values[i] = static_cast<Real>(lo + (hi - lo) * d); });
  }

  /// n values of the normal distribution, by the polar method.
  template <class Real>
  void normal(Real* values, std::size_t n, double mean, double deviation) {
    each_normal(n, mean, deviation,
                [=](std::size_t i, double value) { values[i] = static_cast<Real>(value); });
  }
  /// The same by put(i, value) for each of them, in no order and by several threads.
  template <class Put>
  void each_normal(std::size_t n, double mean, double deviation, Put put) {
    by_pieces(n, &NumpyRandom::draw_gauss,
              [=](std::size_t i, double g) { put(i, mean + deviation * g); });
  }

  /// Shuffles as `np.random.shuffle` does.
  template <class T>
  void shuffle(T* values, std::size_t n) {
    for (std::size_t i = n; i-- > 1;) {
      const std::size_t other = up_to(i);
      const T value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  /// One 32-bit output of the generator, as `np.random.randint(0, 2**32, dtype=np.uint32)` gives.
  std::uint32_t word() { return engine_.next(); }

 private:
  using Doubles = std::vector<double>;

  /// Calls put(i, value) for n values, which `draw` draws in pieces that stay in a cache.
  template <class Put>
  void by_pieces(std::size_t n, void (NumpyRandom::*draw)(Doubles&), Put put) {
    constexpr std::size_t piece = std::size_t{1} << 16U;
    Doubles values;
    for (std::size_t begin = 0; begin < n; begin += piece) {
      values.resize(std::min(piece, n - begin));
      (this->*draw)(values);
#pragma omp parallel for schedule(static) if (values.size() > worth_a_team)
      for (std::size_t i = 0; i < values.size(); ++i) put(begin + i, values[i]);
    }
  }

  // Words follow from one another; what is made of them is computed by all threads.
  /// They stay there until the next call.
  const std::uint32_t* words(std::size_t count);
  void draw_doubles(Doubles& values);
  void draw_gauss(Doubles& values);
  std::size_t up_to(std::size_t most);

  MersenneTwister engine_;
  std::vector<std::uint32_t> words_;
  std::optional<double> saved_gauss_;  // the polar method yields pairs
};

}  // namespace bench
