// What was found, in words: in English, as administrators read it in all languages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/finding.hpp"

namespace bench {

/// How something that was found is said.
struct Wording {
  Found key;
  const char* list;      ///< of the JSON, whose lines follow one another in the text
  const char* label;     ///< that each line of this list begins with
  const char* sentence;  ///< with names of what is known of a finding: {nodes}, {ratio}
};

/// All of them, in the order of the text.
std::span<const Wording> wordings();

/// The findings that are in this list.
Findings of_list(const Findings& all, std::string_view list);

/// The sentence of a finding, without its label.
std::string sentence(const Finding& one);

/// A value of a fact of that name: `none`, `unknown`, or what it is.
std::string value_text(const std::string& name, const Json& value);

/// `governor powersave (others performance); threads 1 (others 2)`
std::string differences_text(const std::vector<Difference>& differs, const char* others = "others");

/// `1.37× [1.31, 1.44]`
std::string ratio_text(const Estimate& ratio);

/// `n[1-4], n7 and 4 more`
std::string names(const std::vector<std::string>& nodes, std::size_t most_ranges = 5);

/// `1 node`, `2 nodes`
std::string nodes_text(std::size_t count);

/// `EPYC 7763 · H100`
std::string hardware_text(const std::string& cpu_model, const std::string& gpu);

}  // namespace bench
