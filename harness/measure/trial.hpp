// Small problems on which a kernel has to be right before anybody measures it: sizes that no block
// and no vector divides, the edges of the definition, and other parameters than the default ones.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/arrays/place.hpp"
#include "harness/plan/guest_variant.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/settings.hpp"

namespace bench {

struct Trial {
  Reason when;  ///< `with 1013 elements`, `where x is negative`, `with sigma = 2`
  Shape shape;
  PlannedGroup group{};  ///< its problem and nothing else
  std::function<void(const Arrays&)> fill{};
  /// Where one parameter is not the default one: its name, and the problem where all are.
  std::string parameter{};
  std::shared_ptr<const Problem> usual{};
  bool zeroed = false;  ///< the output holds zeros at first, no poison
};

/// `bins`: numbers of them that are asked for, with which it is tried, too.
std::vector<Trial> trials(const Workload& workload, Dtype dtype,
                          const std::vector<std::size_t>& bins = {});
/// The largest one last: more elements than a grid of a fixed size, as a course has it, takes at
/// once, and than small counters hold.
std::vector<Trial> long_trials(const Workload& workload, Dtype dtype);
/// The edges and other parameters with as many elements as that one has.
std::vector<Trial> long_edges(const Workload& workload, Dtype dtype);

/// A trial with any other size.
Trial trial_of(const Workload& workload, Dtype dtype, const Shape& shape);
/// Elements of the largest of all of these but the last.
std::size_t most_tried(const Workload& workload);

/// What fills the inputs at an edge.
std::function<void(const Arrays&)> filled(std::shared_ptr<const Problem> problem, const Edge& edge);

/// The case for another size of its workload.
Case of_shape(Case one, const Workload& workload, const Shape& shape);

/// What the kernel makes of a trial, where `make` places it: a case like `like`, which `run` runs
/// where this process does. The reason says when it is wrong. Throws what the kernel throws.
Verdict judged(const Trial& trial, const Case& like, const MakePlace& make,
               const Settings& settings = {}, const Allocate& allocate = anonymous_pages,
               const Run& run = {});

}  // namespace bench
