// How long data take from one place to another.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/base/names.hpp"

namespace bench {

/// The kind of a link, or what is measured of it.
enum class Way { to_device, from_device, between_devices, between_nodes, round_trip };
template <>
struct NamesOf<Way> {
  static constexpr std::array<std::pair<Way, std::string_view>, 5> all{
      {{Way::to_device, "host to device"},
       {Way::from_device, "device to host"},
       {Way::between_devices, "device to device"},
       {Way::between_nodes, "node to node"},
       {Way::round_trip, "round trip"}}};
};

struct LinkTimes {
  Way way{};
  std::string from;       ///< a device, `GPU 3`, or a node
  std::string to{};       ///< empty: the memory of the device's node
  std::size_t bytes = 0;  ///< of a sample
  std::vector<double> seconds{};
};

void fields(auto& visit, Of<LinkTimes> auto& one) {
  visit(FIELD(way));
  visit(FIELD(from));
  visit(FIELD(to));
  visit(FIELD(bytes));
  visit(FIELD(seconds), {"", positive});
}

}  // namespace bench
