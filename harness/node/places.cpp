#include "harness/node/places.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/node/cpus.hpp"
#include "harness/node/text_file.hpp"

namespace bench {
namespace {

/// Cores that are as good as each other: of one NUMA node, all near the GPU or all far from it.
using Block = std::vector<OmpPlace>;

OmpPlace common(const std::vector<int>& core, const std::vector<int>& cpus) {
  OmpPlace place;
  std::set_intersection(core.begin(), core.end(), cpus.begin(), cpus.end(),
                        std::back_inserter(place));
  return place;
}

bool contains(const std::vector<int>& cpus, int cpu) {
  return std::binary_search(cpus.begin(), cpus.end(), cpu);
}

/// The cores of each NUMA node; those of none, where the system does not say, are the last block.
std::vector<Block> by_node(const Topology& topology, const std::vector<int>& cpus) {
  const auto& nodes = topology.numa_nodes;
  std::vector<Block> blocks(nodes.size() + 1);
  for (const std::vector<int>& core : topology.cores) {
    OmpPlace place = common(core, cpus);
    if (place.empty()) continue;
    const auto of_core = [&](const auto& node) { return contains(node.cpus, core.front()); };
    const auto node = std::find_if(nodes.begin(), nodes.end(), of_core);
    blocks[static_cast<std::size_t>(node - nodes.begin())].push_back(std::move(place));
  }
  std::erase_if(blocks, [](const Block& block) { return block.empty(); });
  return blocks;
}

/// Where a CPU is among these cores; their number where it is on none.
std::size_t position(const Block& block, int cpu) {
  const auto here = [cpu](const OmpPlace& place) { return contains(place, cpu); };
  return static_cast<std::size_t>(std::find_if(block.begin(), block.end(), here) - block.begin());
}

template <class T>
void go_round(std::vector<T>& all, std::size_t from) {
  if (all.empty()) return;
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(from % all.size()), all.end());
}

/// The far cores go from their blocks into blocks after all near ones.
void near_first(std::vector<Block>& blocks, const std::vector<int>& near) {
  std::vector<Block> far;
  for (Block& block : blocks) {
    const auto is_near = [&](const OmpPlace& place) { return !common(place, near).empty(); };
    const auto first_far = std::stable_partition(block.begin(), block.end(), is_near);
    far.emplace_back(first_far, block.end());
    block.erase(first_far, block.end());
  }
  std::move(far.begin(), far.end(), std::back_inserter(blocks));
}

}  // namespace

std::vector<OmpPlace> places(const Topology& topology, const Reach& reach) {
  std::vector<Block> blocks = by_node(topology, reach.cpus);
  const auto current = std::find_if(blocks.begin(), blocks.end(), [&](const Block& block) {
    return position(block, reach.current) < block.size();
  });
  if (current != blocks.end()) {
    const std::size_t core = position(*current, reach.current);
    const auto node = static_cast<std::size_t>(current - blocks.begin());
    for (Block& block : blocks) go_round(block, core);
    go_round(blocks, node);
  }
  near_first(blocks, reach.near);
  std::vector<OmpPlace> all;
  for (Block& block : blocks) std::move(block.begin(), block.end(), std::back_inserter(all));
  return all;
}

std::string omp_places(const std::vector<OmpPlace>& places) {
  std::vector<std::string> texts;
  for (const OmpPlace& place : places)
    texts.push_back(fmt::format("{{{}}}", fmt::join(place, ",")));
  return fmt::format("{}", fmt::join(texts, ","));
}

std::vector<OmpPlace> places_in(const std::string& text) {
  std::vector<OmpPlace> all;
  for (const std::string& place : split(text, '}')) {
    const std::size_t open = place.find('{');
    if (open != std::string::npos) all.push_back(cpus_in(place.substr(open + 1)));
  }
  return all;
}

bool places_are_ours(const Host& host) {
  const char* const set = host.env("OMP_PLACES");
  const char* const ours = host.env(own_places_variable);
  return set != nullptr && ours != nullptr && std::string_view(set) == ours;
}

}  // namespace bench
