#include "harness/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/size_label.hpp"
#include "harness/table.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string label(const Row& row) {
  return fmt::format("{}/{}", row.result.at("backend").get<std::string>(),
                     row.result.at("variant").get<std::string>());
}

bool measured(const Row& row) { return row.result.at("status") == "measured"; }

double seconds(const Row& row) { return row.speedup.at("seconds").get<double>(); }

bool on_gpu(const Row& row) { return row.result.at("threads").is_null(); }

bool ours(const Row& row) { return !row.result.value("library", false); }

bool end_to_end(const Row& row) { return row.result.at("scope") == "end_to_end"; }

constexpr double startup = 100e-6;   // starting and joining threads takes microseconds
constexpr double launching = 20e-6;  // so does launching a kernel

/// What takes the time that memory does not, as far as the counts of bytes and operations tell.
const char* what_else(const Row& row) {
  if (seconds(row) < (on_gpu(row) ? launching : startup)) {
    return on_gpu(row) ? "launching the kernel" : "starting up";
  }
  return row.result.at("flops").get<double>() > 0 ? "computing" : "the order of access";
}

/// What keeps a variant from the speed of its yardstick, as far as its byte and operation counts
/// tell.
std::string limit(const Row& best) {
  const auto [yardstick, value] = nearest_share(best.result);
  if (value.is_null()) return "";
  const auto share = value.get<double>();
  const std::string percent = fmt::format("{:.0f} %", 100 * share);
  constexpr double memory_bound = 0.9;
  if (share > 1.05 && yardstick == "copy") {
    return "; it takes less time than copying as many bytes would: its data are mostly read";
  }
  if (share >= memory_bound) {
    return fmt::format("; at {} of the speed of a plain {}{}, memory is the limit", percent,
                       yardstick, on_gpu(best) ? " on the device" : "");
  }
  return fmt::format(
      "; it moves its data at {} of the speed of a plain {}: the rest goes to {}, and memory would "
      "allow another {}×",
      percent, yardstick, what_else(best), factor(1 / share));
}

std::string on_threads(const Row& row) {
  if (on_gpu(row)) return "";
  const int threads = row.result.at("threads").get<int>();
  if (threads == 1 && row.result.at("backend") != "openmp") return "";
  return fmt::format(" on {} thread{}", threads, threads == 1 ? "" : "s");
}

std::string nothing_gained(const Row& plain, const std::vector<Row>& rows) {
  const bool threads_lost = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return measured(row) && row.result.at("backend") == "openmp";
  });
  if (seconds(plain) < startup && threads_lost) {
    return "No variant beats the plain loop: so little work is done before threads have started.";
  }
  return "No variant beats the plain loop here.";
}

double value_of(const Json& ratio) { return ratio.at("value").get<double>(); }

bool has(const Json& ratio) { return !ratio.is_null() && !ratio.at("value").is_null(); }

/// The fastest measured row of ours among those that `counts` holds for, or none.
template <class F>
const Row* fastest(const std::vector<Row>& rows, F counts) {
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (!measured(row) || !ours(row) || !counts(row)) continue;
    if (best == nullptr || seconds(row) < seconds(*best)) best = &row;
  }
  return best;
}

/// How a GPU variant stands to the CPU at its best, where that was measured.
std::string over_cpu(const Row& row) {
  const Json& ratio = row.speedup.at("over_best_cpu");
  return has(ratio) ? fmt::format(" and {}× as the fastest CPU variant", factor(value_of(ratio)))
                    : "";
}

/// What remains of a GPU's speedup when the data have to be brought to it, and the result back.
std::string with_transfers(const std::vector<Row>& rows) {
  const Row* const best = fastest(rows, end_to_end);
  if (best == nullptr || !has(best->speedup.at("over_serial"))) return "";
  std::string text =
      fmt::format(" With the transfers the best, {}, is {}× as fast as the plain loop{}",
                  label(*best), factor(value_of(best->speedup.at("over_serial"))), over_cpu(*best));
  const Row* const kernel =
      fastest(rows, [&](const Row& row) { return !end_to_end(row) && label(row) == label(*best); });
  constexpr double bus_bound = 0.9;
  const auto [yardstick, share] = nearest_share(best->result);
  if (kernel != nullptr) {
    text += fmt::format(": they take {:.0f} % of its time",
                        100 * std::max(0.0, 1 - seconds(*kernel) / seconds(*best)));
  } else if (best->result.at("share_of_copy") == 1.0) {
    text += fmt::format(": {:.1f} GB/s, both ways together, are what the bus moves",
                        best->result.at("gb_per_s").get<double>());
  } else if (!share.is_null() && share.get<double>() >= bus_bound) {
    text += fmt::format(": at {:.0f} % of the speed of the best {} with them, the bus is the limit",
                        100 * share.get<double>(), yardstick);
  }
  const Json& over_best = best->speedup.at("over_best_cpu");
  if (has(over_best) && value_of(over_best) < 1) {
    text += ", and the CPU wins unless the data are on the device already";
  }
  return text + ".";
}

/// Pure Python is measured at a size of its own, and is carried to another one element by element.
std::string python_per_element(const std::vector<Row>& rows) {
  const Row* const python =
      fastest(rows, [](const Row& row) { return row.result.at("backend") == "python"; });
  if (python == nullptr) return "";
  const auto size = parse_label(python->result.at("size").get<std::string>());
  if (!size) return "";
  return fmt::format(" {} takes {} per element.", label(*python),
                     duration(seconds(*python) / static_cast<double>(size->elements)));
}

}  // namespace

Share nearest_share(const Json& result) {
  static const std::string key = "share_of_";
  for (const auto& [name, value] : result.items()) {
    if (name.starts_with(key) && name != "share_of_copy") return {name.substr(key.size()), value};
  }
  return {"copy", result.at("share_of_copy")};
}

std::string conclusion(const std::vector<Row>& rows) {
  const Row* const best = fastest(rows, [](const Row& row) { return !end_to_end(row); });
  if (best == nullptr) return "Nothing was measured.";
  const Json& over_serial = best->speedup.at("over_serial");
  if (!has(over_serial)) {
    return fmt::format("{} has no baseline to compare with.", label(*best)) +
           python_per_element(rows);
  }
  if (best->result.at("backend") == "serial" && best->result.at("variant") == "naive") {
    const bool others = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return &row != best && ours(row) && !(measured(row) && end_to_end(row));
    });
    return (others ? nothing_gained(*best, rows) : "") + with_transfers(rows);
  }
  std::string text = fmt::format("{} is {}× as fast as the plain loop{}{}", label(*best),
                                 factor(value_of(over_serial)), on_threads(*best),
                                 on_gpu(*best) ? over_cpu(*best) : "");
  if (best->result.at("share_of_copy") == 1.0) {
    text += fmt::format(": {:.1f} GB/s is what \"of copy\" means for {}.",
                        best->result.at("gb_per_s").get<double>(),
                        best->result.at("backend").get<std::string>());
  } else {
    text += limit(*best) + ".";
  }
  return text + with_transfers(rows) + python_per_element(rows);
}

std::string factor(double value) {
  if (value < 1.95) return fmt::format("{:.2f}", value);
  return value < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

std::size_t columns(const std::string& text) {
  // Continuation bytes of UTF-8 begin with the bits 10.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t start) {
  std::istringstream words(text);
  std::string lines;
  std::string word;
  std::size_t column = start;
  while (words >> word) {
    if (!lines.empty() && column + 1 + columns(word) > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += columns(word);
  }
  return lines;
}

}  // namespace bench
