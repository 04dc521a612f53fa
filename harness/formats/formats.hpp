// The formats of other benchmark programs that are understood, and how a file is recognised.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/json.hpp"
#include "harness/formats/foreign.hpp"

namespace bench {

/// The name of a format, and what a file in it says.
struct Imported {
  std::string format;
  ForeignRun run;
};

/// Nothing where no format is recognised. Throws Misfit where one is, but the file is damaged.
std::optional<Imported> imported(const Json& json, const std::filesystem::path& folder);
/// The same of a table.
std::optional<Imported> imported(std::string_view csv);

/// JSON with null for NaN and Infinity, which other programs write; nothing where it has neither.
std::optional<std::string> without_nan(std::string_view json);

/// The names of all formats, for messages.
std::string all_formats();

}  // namespace bench
