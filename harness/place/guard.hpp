// Guard bands: memory in front of and right behind an array, filled with a known pattern, that
// shows what a variant wrote outside.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace bench::guard {

constexpr std::size_t bytes = 4096;  // a page, so that the data stay aligned
constexpr unsigned char pattern = 0xA5;

/// What was overwritten in the bands in front of an array and behind it, nothing if both are whole.
std::optional<std::string> damage(const unsigned char* front, const unsigned char* back);

}  // namespace bench::guard
