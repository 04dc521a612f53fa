// What the check of stencil accepts and refuses in the trials that each user kernel must pass: no
// variant is run.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/measure/trial.hpp"
#include "kernels/stencil/stencil.hpp"
#include "kernels/test_support.hpp"

namespace kernels::stencil {
namespace {

template <class Real>
struct Plate {
  std::size_t rows;
  std::size_t cols;
  std::vector<Real> u;

  Real at(std::size_t i, std::size_t j) const { return u[i * cols + j]; }
  bool has_edge(std::size_t i, std::size_t j) const {
    return i == 0 || i + 1 == rows || j == 0 || j + 1 == cols;
  }
};

/// What a user kernel makes of a plate.
template <class Real>
using Made = std::function<Plate<Real>(const Plate<Real>&, std::size_t steps)>;

/// How many of the trials it passes, and how many there are.
struct Passed {
  std::size_t passed = 0;
  std::size_t all = 0;
};

template <class Real>
Passed trials_of(const Made<Real>& made) {
  Passed count;
  for (const bench::Trial& trial : bench::trials(workload, test::dtype_of<Real>)) {
    Plate<Real> plate{trial.shape.rows, trial.shape.cols, {}};
    plate.u.resize(trial.shape.elements());
    bench::Arrays arrays{{plate.u.data()}};
    trial.fill(arrays);
    Plate<Real> out = made(plate, trial.shape.steps);
    arrays.result = out.u.data();
    ++count.all;
    if (trial.group.problem->check(arrays).passed) ++count.passed;
  }
  return count;
}

template <class Real>
bool passes(const Made<Real>& made) {
  const Passed count = trials_of<Real>(made);
  return count.passed == count.all;
}

constexpr std::size_t tile = 16;

/// Steps as students write them.
template <class Real>
struct Attempt {
  using At = std::function<Real(const Plate<Real>& u, const Plate<Real>& before, std::size_t i,
                                std::size_t j, std::size_t other_i, std::size_t other_j)>;
  /// The neighbour of element (i, j); `before` is what the plate was a step earlier.
  At neighbour = [](const auto& u, const auto&, auto, auto, auto i, auto j) { return u.at(i, j); };
  std::function<bool(const Plate<Real>& u, std::size_t i, std::size_t j)> fixed =
      [](const auto& u, auto i, auto j) { return u.has_edge(i, j); };
  std::function<Real(Real here, Real up, Real down, Real left, Real right)> formula =
      [](Real here, Real up, Real down, Real left, Real right) {
        return here + static_cast<Real>(0.2) * (up + down + left + right - 4 * here);
      };
  bool in_place = false;

  Plate<Real> operator()(const Plate<Real>& u, std::size_t steps) const {
    Plate<Real> before = u;
    Plate<Real> from = u;
    for (std::size_t step = 0; step < steps; ++step) {
      Plate<Real> to = from;
      const Plate<Real>& read = in_place ? to : from;
      for (std::size_t i = 0; i < u.rows; ++i) {
        for (std::size_t j = 0; j < u.cols; ++j) {
          if (fixed(u, i, j)) continue;
          const auto value = [&](std::size_t other_i, std::size_t other_j) {
            return neighbour(read, before, i, j, other_i, other_j);
          };
          to.u[i * u.cols + j] = formula(read.at(i, j), value(i - 1, j), value(i + 1, j),
                                         value(i, j - 1), value(i, j + 1));
        }
      }
      before = from;
      from = to;
    }
    return from;
  }
};

/// Whether an element and its neighbour belong to different tiles.
bool across(std::size_t i, std::size_t j, std::size_t other_i, std::size_t other_j) {
  return i / tile != other_i / tile || j / tile != other_j / tile;
}

template <class Real>
void expect_right_styles_to_pass() {
  constexpr auto c = static_cast<Real>(0.2);
  EXPECT_TRUE(passes<Real>(Attempt<Real>()));
  EXPECT_TRUE(passes<Real>(Attempt<Real>{.formula = [](auto u, auto a, auto b, auto l, auto r) {
    return (1 - 4 * c) * u + c * (a + b + l + r);
  }})) << "of the weights";
  EXPECT_TRUE(passes<Real>(Attempt<Real>{.formula = [](auto u, auto a, auto b, auto l, auto r) {
    return c * (u + a + b + l + r);
  }})) << "the mean of five";
  EXPECT_TRUE(passes<Real>(Attempt<Real>{.formula = [](auto u, auto a, auto b, auto l, auto r) {
    return static_cast<Real>(u + 0.2 * (a + b + l + r - 4.0 * u));
  }})) << "a double constant";
  EXPECT_TRUE(passes<Real>(Attempt<Real>{.formula = [](auto u, auto a, auto b, auto l, auto r) {
    return std::fma(c, std::fma(Real{-4}, u, l + (r + (b + a))), u);
  }})) << "fused, in another order";
  EXPECT_TRUE(passes<Real>(Attempt<Real>{.formula = [](auto u, auto a, auto b, auto l, auto r) {
    return u + c * ((a - u) + (b - u) + (l - u) + (r - u));
  }})) << "of differences";
}

TEST(StencilCheck, TakesRightStylesInSinglePrecision) { expect_right_styles_to_pass<float>(); }
TEST(StencilCheck, TakesRightStylesInDoublePrecision) { expect_right_styles_to_pass<double>(); }

template <class Real>
void expect_wrong_halos_to_be_refused() {
  const auto with = [](typename Attempt<Real>::At neighbour) {
    return passes<Real>(Attempt<Real>{.neighbour = std::move(neighbour)});
  };
  EXPECT_FALSE(with([](const auto& u, const auto&, auto i, auto j, auto k, auto l) {
    return across(i, j, k, l) ? Real{0} : u.at(k, l);
  })) << "zeros beyond a tile";
  EXPECT_FALSE(with([](const auto& u, const auto&, auto i, auto j, auto k, auto l) {
    return across(i, j, k, l) ? u.at(i, j) : u.at(k, l);
  })) << "the tile's own border beyond it";
  EXPECT_FALSE(with([](const auto& u, const auto& before, auto i, auto j, auto k, auto l) {
    return across(i, j, k, l) ? before.at(k, l) : u.at(k, l);
  })) << "a halo of the step before: no barrier between two steps";
  EXPECT_FALSE(with([](const auto& u, const auto&, auto i, auto j, auto k, auto l) {
    return i / tile != k / tile && j % tile == 0 ? u.at(i, j) : u.at(k, l);
  })) << "a halo that lacks its corner of one element";
  EXPECT_FALSE(with([](const auto& u, const auto&, auto, auto j, auto k, auto l) {
    return l > j && l % tile == 0 ? u.at(k, j) : u.at(k, l);
  })) << "no halo to the right";
}

TEST(StencilCheck, RefusesWrongHalosInSinglePrecision) {
  expect_wrong_halos_to_be_refused<float>();
}
TEST(StencilCheck, RefusesWrongHalosInDoublePrecision) {
  expect_wrong_halos_to_be_refused<double>();
}

template <class Real>
void expect_wrong_edges_to_be_refused() {
  const auto fixed = [](auto where) { return passes<Real>(Attempt<Real>{.fixed = where}); };
  EXPECT_FALSE(fixed([](const auto& u, auto i, auto j) {
    return u.has_edge(i, j) || j + 2 == u.cols;
  })) << "a column too few";
  EXPECT_FALSE(fixed([](const auto& u, auto i, auto j) {
    return u.has_edge(i, j) || i + 2 == u.rows;
  })) << "a row too few";
  EXPECT_FALSE(fixed([](const auto& u, auto i, auto j) {
    return u.has_edge(i, j) || i >= u.rows / tile * tile;
  })) << "the last tiles are left out";
  // The edges change, too: with the opposite side as their neighbour, with none, and with zeros.
  const auto update_edges = [](auto beyond) {
    return passes<Real>(
        Attempt<Real>{.neighbour =
                          [beyond](const auto& u, const auto&, auto i, auto j, auto k, auto l) {
                            return k < u.rows && l < u.cols ? u.at(k, l) : beyond(u, i, j, k, l);
                          },
                      .fixed = [](const auto&, auto, auto) { return false; }});
  };
  EXPECT_FALSE(update_edges([](const auto& u, auto, auto, auto k, auto l) {
    return u.at((k + u.rows) % u.rows, (l + u.cols) % u.cols);
  })) << "periodic";
  EXPECT_FALSE(update_edges([](const auto& u, auto i, auto j, auto, auto) { return u.at(i, j); }))
      << "insulated";
  EXPECT_FALSE(update_edges([](const auto&, auto, auto, auto, auto) { return Real{0}; }))
      << "zeros around the plate";
  EXPECT_FALSE(passes<Real>([](const Plate<Real>& u, std::size_t steps) {
    Plate<Real> out = Attempt<Real>()(u, steps);
    for (std::size_t k = 0; k < out.u.size(); ++k) {
      if (u.has_edge(k / u.cols, k % u.cols)) out.u[k] = 0;
    }
    return out;
  })) << "edges that are not copied";
}

TEST(StencilCheck, RefusesWrongEdgesInSinglePrecision) {
  expect_wrong_edges_to_be_refused<float>();
}
TEST(StencilCheck, RefusesWrongEdgesInDoublePrecision) {
  expect_wrong_edges_to_be_refused<double>();
}

template <class Real>
void expect_wrong_steps_to_be_refused() {
  const auto taking = [](auto of) {
    return passes<Real>(
        [of](const Plate<Real>& u, std::size_t steps) { return Attempt<Real>()(u, of(steps)); });
  };
  EXPECT_FALSE(taking([](std::size_t n) { return n + 1; }));
  EXPECT_FALSE(taking([](std::size_t n) { return n > 0 ? n - 1 : 0; }));
  EXPECT_FALSE(taking([](std::size_t n) { return n + n % 2; })) << "in pairs";
  EXPECT_FALSE(taking([](std::size_t n) { return n - n % 2; })) << "only those of one array";
  EXPECT_FALSE(taking([](std::size_t n) { return std::max<std::size_t>(n, 1); })) << "at least one";
  EXPECT_FALSE(taking([](std::size_t n) { return std::min<std::size_t>(n, 3); }))
      << "at most three";
  EXPECT_FALSE(passes<Real>(Attempt<Real>{.in_place = true}));
  EXPECT_FALSE(passes<Real>([](const Plate<Real>& u, std::size_t steps) {
    Plate<Real> turned{u.cols, u.rows, u.u};
    return Attempt<Real>()(turned, steps);
  })) << "rows and columns exchanged";
  EXPECT_FALSE(passes<Real>([](const Plate<Real>& u, std::size_t steps) {
    if (steps > 0) return Attempt<Real>()(u, steps);
    Plate<Real> out = u;
    std::fill_n(reinterpret_cast<unsigned char*>(out.u.data()), out.u.size() * sizeof(Real),
                bench::poison_byte);
    return out;
  })) << "nothing is written after no step";
}

TEST(StencilCheck, RefusesWrongStepsInSinglePrecision) {
  expect_wrong_steps_to_be_refused<float>();
}
TEST(StencilCheck, RefusesWrongStepsInDoublePrecision) {
  expect_wrong_steps_to_be_refused<double>();
}

/// Each tile is taken through all steps on its own, with as many elements around it as `halo` says.
template <class Real>
Made<Real> overlapped_tiles(std::function<std::size_t(std::size_t steps)> halo) {
  return [halo](const Plate<Real>& u, std::size_t steps) {
    Plate<Real> out = u;
    for (std::size_t top = 0; top < u.rows; top += tile) {
      for (std::size_t left = 0; left < u.cols; left += tile) {
        const std::size_t around = halo(steps);
        const std::size_t first = top - std::min(top, around);
        const std::size_t second = left - std::min(left, around);
        const std::size_t bottom = std::min(top + tile + around, u.rows);
        const std::size_t right = std::min(left + tile + around, u.cols);
        Plate<Real> part{bottom - first, right - second, {}};
        for (std::size_t i = first; i < bottom; ++i) {
          for (std::size_t j = second; j < right; ++j) part.u.push_back(u.at(i, j));
        }
        part = Attempt<Real>()(part, steps);
        for (std::size_t i = top; i < std::min(top + tile, u.rows); ++i) {
          for (std::size_t j = left; j < std::min(left + tile, u.cols); ++j) {
            out.u[i * u.cols + j] = part.at(i - first, j - second);
          }
        }
      }
    }
    return out;
  };
}

TEST(StencilCheck, TellsAHaloOfFewerElementsThanSteps) {
  EXPECT_TRUE(passes<float>(overlapped_tiles<float>([](std::size_t steps) { return steps; })));
  EXPECT_FALSE(passes<float>(overlapped_tiles<float>(
      [](std::size_t steps) { return std::max<std::size_t>(steps, 1) - 1; })));
  EXPECT_FALSE(passes<float>(overlapped_tiles<float>([](std::size_t) { return std::size_t{2}; })));
}

template <class Real>
void expect_wrong_formulas_to_be_refused() {
  const auto with = [](auto formula) { return passes<Real>(Attempt<Real>{.formula = formula}); };
  EXPECT_FALSE(with([](Real u, Real a, Real b, Real l, Real r) {
    return u + static_cast<Real>(0.25) * (a + b + l + r - 4 * u);
  }));
  EXPECT_FALSE(with([](Real u, Real a, Real b, Real l, Real r) {
    return static_cast<Real>(0.25) * (a + b + l + r) + 0 * u;
  })) << "Jacobi's";
  EXPECT_FALSE(with([](Real u, Real a, Real b, Real l, Real r) {
    return u + static_cast<Real>(0.2) * (a + b + l + r - u);
  }));
  EXPECT_FALSE(with([](Real u, Real a, Real b, Real l, Real) {
    return u + static_cast<Real>(0.2) * (a + b + l + l - 4 * u);
  })) << "one neighbour twice";
  EXPECT_FALSE(with([](Real u, Real a, Real b, Real l, Real r) {
    return u + static_cast<Real>(0.2001) * (a + b + l + r - 4 * u);
  }));
}

TEST(StencilCheck, RefusesWrongFormulasInSinglePrecision) {
  expect_wrong_formulas_to_be_refused<float>();
}
TEST(StencilCheck, RefusesWrongFormulasInDoublePrecision) {
  expect_wrong_formulas_to_be_refused<double>();
}

// Single precision does not pass for double.
TEST(StencilCheck, RefusesFewerDigits) {
  EXPECT_FALSE(
      passes<double>(Attempt<double>{.formula = [](auto u, auto a, auto b, auto l, auto r) {
        return static_cast<double>(static_cast<float>(u + 0.2 * (a + b + l + r - 4 * u)));
      }}));
}

// What errors add up to in many steps of the plainest kernel, and with the least favourable data:
// all alike, so that all steps round alike.
template <class Real>
void expect_small_errors(const std::vector<Real>& values, std::size_t steps) {
  Plate<Real> plate{30, 40, {}};
  for (std::size_t k = 0; k < plate.rows * plate.cols; ++k) {
    plate.u.push_back(values[k % values.size()]);
  }
  const auto problem =
      workload.make(test::dtype_of<Real>, {.rows = plate.rows, .cols = plate.cols, .steps = steps});
  Plate<Real> out = Attempt<Real>()(plate, steps);
  bench::Arrays arrays{{plate.u.data()}, out.u.data()};
  const bench::Verdict verdict = problem->check(arrays);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
  EXPECT_LT(verdict.max_error, verdict.tolerance / 2) << steps << " steps";
}

TEST(StencilCheck, ErrorsOfManySteps) {
  for (const std::size_t steps : {1U, 10U, 1000U}) {
    expect_small_errors<float>({0.3F}, steps);
    expect_small_errors<float>({1.7F, -0.2F, 12, -5.3F, 0.01F, 3, -8}, steps);
    expect_small_errors<double>({0.3}, steps);
    expect_small_errors<double>({1e3, 1e-3, 7, 0.1, 55, 0, 0.7}, steps);
  }
}

}  // namespace
}  // namespace kernels::stencil
