// Inputs that differ from call to call, so that an answer kept from an earlier one is wrong.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "harness/arrays/place.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// Numbers that nobody can know beforehand: of the kernel, whose generator cannot be predicted
/// from what it has given before.
using Secret = std::random_device;
constexpr const char* secret_source = "/dev/urandom";
/// 64 bits of it.
std::uint64_t drawn(Secret& secret);

/// Whether each element of the output takes more of the inputs than one element of each.
bool takes_all_inputs(const Problem& problem);

/// While this lives, a few elements of a problem's inputs in host memory hold what other elements
/// of the same array hold: data like any other, at places that nobody can guess. Inputs of a few
/// elements, which all decide the result, are all new.
class Perturbation {
 public:
  /// Gives the same places and the same data for the same seed.
  Perturbation(const Problem& problem, Arrays arrays, std::uint64_t seed);
  ~Perturbation() { undo(); }
  Perturbation(const Perturbation&) = delete;
  Perturbation& operator=(const Perturbation&) = delete;

  /// The inputs are again as they were. False if somebody else wrote where they had changed.
  bool undo();

  /// What has changed.
  const std::vector<Spot>& spots() const { return spots_; }
  /// The elements of the output that are computed from it, and a few that are not, which a
  /// kernel that looks for changes would leave out; all where takes_all_inputs().
  const Elements& outputs() const { return outputs_; }

 private:
  void exchange(std::size_t input, std::size_t element, std::size_t other);
  void renew(std::uint32_t seed);
  unsigned char* address(const Spot& spot) const;

  const Problem& problem_;
  Arrays arrays_;
  std::vector<Spot> spots_;
  std::vector<unsigned char> before_;  ///< the bytes of all spots, one after the other
  std::vector<unsigned char> after_;
  Elements outputs_;
};

}  // namespace bench
