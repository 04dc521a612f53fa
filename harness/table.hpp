// Tables for people, made from a document alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// One table per workload, precision and size, each followed by a sentence that says how many times
/// faster the best variant is and why not more. 80 columns unless names are longer; UTF-8.
/// `document` must have the shape of a bench report; throws nlohmann::json::exception otherwise.
std::string text_tables(const nlohmann::ordered_json& document);

/// A duration with four digits and its unit, like `163.2 ms`.
std::string duration(double seconds);

}  // namespace bench
