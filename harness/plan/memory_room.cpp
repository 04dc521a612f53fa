#include "harness/plan/memory_room.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/reasons.hpp"

namespace bench {
namespace {

// What the process needs in addition to the arrays.
constexpr std::size_t reserve = 100'000'000;

}  // namespace

std::string bytes_text(std::size_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value < 1e6) return fmt::format("{:.0f} kB", std::ceil(value / 1e3));
  return value < 1e9 ? fmt::format("{:.0f} MB", value / 1e6)
                     : fmt::format("{:.1f} GB", value / 1e9);
}

Reason memory_reason(const PlannedGroup& group, std::size_t needed, std::size_t available,
                     const Reason& limit, bool once_more) {
  const std::string largest = group.inputs || once_more ? "" : group.largest_within(available);
  const std::string wanted = bytes_text(needed);
  const std::string room = bytes_text(available);
  return largest.empty() ? said<reasons::memory_needed>(wanted, room, limit)
                         : said<reasons::memory_with_largest>(wanted, room, limit, largest);
}

Reason reason_not_to_fit(const PlannedGroup& group, const Planning& settings, std::size_t needed,
                         bool once_more) {
  const auto allowance = settings.memory_allowance ? settings.memory_allowance() : std::nullopt;
  if (!allowance) return "";
  const std::size_t available = allowance->bytes > reserve ? allowance->bytes - reserve : 0;
  if (needed <= available) return "";
  return memory_reason(group, needed, available, allowance->limited_by, once_more);
}

}  // namespace bench
