// What `bench help TOPIC` explains: pages of docs/reference, the columns of tables, the commands.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/words/language.hpp"

namespace bench {

struct Topic {
  std::string_view name;
  std::string_view markdown;
};

/// The topics with a page of their own.
std::span<const Topic> pages();

std::vector<std::string> names_of_topics();

/// A topic as text for a terminal; empty where there is none of that name. Only the headings of
/// columns are in the language.
std::string topic_text(const std::string& name, std::size_t width, Language language);

Json topics_json();

/// Markdown as the pages of docs/reference have it, without its marks and in lines of that width.
std::string for_terminal(std::string_view markdown, std::size_t width);

}  // namespace bench
