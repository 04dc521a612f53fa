#include "harness/measure/perturbation.hpp"

#include <algorithm>
#include <utility>

namespace bench {
namespace {

// Few enough that no cache and no branch predictor notices. Enough that an answer which ignores
// them is caught in the first samples.
constexpr std::size_t most_spots = 32;
/// Results that are looked at although their inputs have not changed.
constexpr std::size_t unchanged = 8;

using Generator = std::mt19937_64;

std::size_t below(std::size_t count, Generator& random) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
}

Elements some_of(std::size_t count, Generator& random) {
  if (count <= most_spots) return Elements::all(count);
  std::vector<std::size_t> some(most_spots + unchanged);
  for (std::size_t& one : some) one = below(count, random);
  return Elements::some(std::move(some));
}

}  // namespace

bool takes_all_inputs(const Problem& problem) {
  return problem.output.count == 0 || !problem.source(0, 0);
}

std::uint64_t drawn(Secret& secret) { return std::uint64_t{secret()} << 32U | secret(); }

Perturbation::Perturbation(const Problem& problem, Arrays arrays, std::uint64_t seed)
    : problem_(problem), arrays_(std::move(arrays)), outputs_(Elements::all(problem.output.count)) {
  Generator random(seed);
  const bool local = !takes_all_inputs(problem);
  if (local) outputs_ = some_of(problem.output.count, random);
  std::size_t elements = 0;
  for (const ArraySpec& input : problem.inputs) elements += input.count;
  // A table of all exchanges would hold them.
  if (!local && elements <= most_spots) {
    renew(static_cast<std::uint32_t>(random()));
    return;
  }
  for (std::size_t input = 0; input < problem.inputs.size(); ++input) {
    const std::size_t count = problem.inputs[input].count;
    const std::size_t spots = std::min(most_spots, local ? outputs_.size() : count);
    for (std::size_t i = 0; i < spots; ++i) {
      const std::size_t element =
          local ? *problem.source(outputs_[i], input) : below(count, random);
      exchange(input, element, below(count, random));
    }
  }
}

unsigned char* Perturbation::address(const Spot& spot) const {
  return static_cast<unsigned char*>(arrays_.inputs[spot.input]) + spot.piece.offset;
}

void Perturbation::exchange(std::size_t input, std::size_t element, std::size_t other) {
  const std::size_t bytes = problem_.inputs[input].element_bytes;
  const Spot spot{input, {element * bytes, bytes}};
  const unsigned char* const value = address({input, {other * bytes, bytes}});
  spots_.push_back(spot);
  before_.insert(before_.end(), address(spot), address(spot) + bytes);
  after_.insert(after_.end(), value, value + bytes);
  std::copy(after_.end() - static_cast<std::ptrdiff_t>(bytes), after_.end(), address(spot));
}

void Perturbation::renew(std::uint32_t seed) {
  for (std::size_t input = 0; input < problem_.inputs.size(); ++input) {
    const Spot all{input, {0, problem_.inputs[input].bytes()}};
    spots_.push_back(all);
    before_.insert(before_.end(), address(all), address(all) + all.piece.bytes);
  }
  problem_.generate(NumpyRandom(seed), arrays_);
  for (const Spot& all : spots_) {
    after_.insert(after_.end(), address(all), address(all) + all.piece.bytes);
  }
}

bool Perturbation::undo() {
  bool intact = true;
  // Backwards: an element may have changed twice.
  for (auto spot = spots_.rbegin(); spot != spots_.rend() && !before_.empty(); ++spot) {
    const std::size_t rest = before_.size() - spot->piece.bytes;
    const auto at = static_cast<std::ptrdiff_t>(rest);
    intact = intact && std::equal(after_.begin() + at, after_.end(), address(*spot));
    std::copy(before_.begin() + at, before_.end(), address(*spot));
    before_.resize(rest);
    after_.resize(rest);
  }
  return intact;
}

}  // namespace bench
