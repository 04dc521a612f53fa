#include "harness/tables/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/size_label.hpp"
#include "harness/tables/numbers.hpp"
#include "harness/tables/phrases.hpp"

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
const Phrase& what_else(const Row& row) {
  if (on_gpu(row) && seconds(row) < launching) return phrases::launching;
  const bool threaded = row.result.at("backend") == "openmp";
  if (threaded && seconds(row) < startup) return phrases::starting;
  return row.result.at("flops").get<double>() > 0 ? phrases::computing : phrases::order_of_access;
}

/// What keeps a variant from the speed of its yardstick, as far as its byte and operation counts
/// tell.
std::string limit(const Row& best, Language language) {
  const auto [yardstick, value] = nearest_share(best.result);
  if (value.is_null()) return "";
  const auto share = value.get<double>();
  const std::string plain =
      say(language, phrases::plain_yardstick, yardstick_text(yardstick, language));
  constexpr double memory_bound = 0.9;
  if (share > 1.05 && yardstick == "copy") return say(language, phrases::mostly_read);
  if (share >= memory_bound) {
    return say(language, phrases::memory_is_the_limit, whole_percent(share),
               on_gpu(best) ? plain + say(language, phrases::on_the_device) : plain);
  }
  return say(language, phrases::more_is_possible, whole_percent(share), plain,
             say(language, what_else(best)), factor(1 / share, language));
}

std::string on_threads(const Row& row, Language language) {
  if (on_gpu(row)) return "";
  const int threads = row.result.at("threads").get<int>();
  if (threads == 1 && row.result.at("backend") != "openmp") return "";
  if (threads == 1) return say(language, phrases::on_one_thread);
  return say(language, phrases::on_threads, std::to_string(threads));
}

std::string nothing_gained(const Row& plain, const std::vector<Row>& rows, Language language) {
  const bool threads_lost = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return measured(row) && row.result.at("backend") == "openmp";
  });
  return say(language, seconds(plain) < startup && threads_lost ? phrases::threads_lost
                                                                : phrases::nothing_gained);
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
std::string over_cpu(const Row& row, Language language) {
  const Json& over_best = row.speedup.at("over_best_cpu");
  if (!has(over_best)) return "";
  return say(language, phrases::and_over_cpu, factor(value_of(over_best), language));
}

std::string speed(const Row& row, Language language) {
  return localised(fmt::format("{:.1f}", row.result.at("gb_per_s").get<double>()), language);
}

/// What remains of a GPU's speedup when the data have to be brought to it, and the result back.
std::string with_transfers(const std::vector<Row>& rows, Language language) {
  const Row* const best = fastest(rows, end_to_end);
  if (best == nullptr || !has(best->speedup.at("over_serial"))) return "";
  std::string text =
      say(language, phrases::with_transfers, label(*best),
          factor(value_of(best->speedup.at("over_serial")), language), over_cpu(*best, language));
  const Row* const kernel =
      fastest(rows, [&](const Row& row) { return !end_to_end(row) && label(row) == label(*best); });
  constexpr double bus_bound = 0.9;
  const auto [yardstick, share] = nearest_share(best->result);
  if (kernel != nullptr) {
    text += say(language, phrases::transfers_take,
                whole_percent(std::max(0.0, 1 - seconds(*kernel) / seconds(*best))));
  } else if (best->result.at("share_of_copy") == 1.0) {
    text += say(language, phrases::what_the_bus_moves, speed(*best, language));
  } else if (!share.is_null() && share.get<double>() >= bus_bound) {
    text += say(language, phrases::bus_is_the_limit, whole_percent(share.get<double>()),
                say(language, phrases::best_yardstick, yardstick_text(yardstick, language)));
  }
  const Json& over_best = best->speedup.at("over_best_cpu");
  if (has(over_best) && value_of(over_best) < 1) text += say(language, phrases::cpu_wins);
  return text + ".";
}

/// Pure Python is measured at a size of its own, and is carried to another one element by element.
std::string python_per_element(const std::vector<Row>& rows, Language language) {
  const Row* const python =
      fastest(rows, [](const Row& row) { return row.result.at("backend") == "python"; });
  if (python == nullptr) return "";
  const auto size = parse_label(python->result.at("size").get<std::string>());
  if (!size) return "";
  return say(language, phrases::per_element, label(*python),
             duration(seconds(*python) / static_cast<double>(size->elements), language));
}

}  // namespace

Share nearest_share(const Json& result) {
  static const std::string key = "share_of_";
  for (const auto& [name, value] : result.items()) {
    if (name.starts_with(key) && name != "share_of_copy") return {name.substr(key.size()), value};
  }
  return {"copy", result.at("share_of_copy")};
}

std::string yardstick_text(const std::string& name, Language language) {
  if (name == "copy") return say(language, phrases::copying);
  if (name == "read") return say(language, phrases::reading);
  if (name == "add") return say(language, phrases::adding);
  return name;
}

std::string conclusion(const std::vector<Row>& rows, Language language) {
  const Row* const best = fastest(rows, [](const Row& row) { return !end_to_end(row); });
  if (best == nullptr) return say(language, phrases::nothing_measured);
  const Json& over_serial = best->speedup.at("over_serial");
  if (!has(over_serial)) {
    return say(language, phrases::no_baseline, label(*best)) + python_per_element(rows, language);
  }
  if (best->result.at("backend") == "serial" && best->result.at("variant") == "naive") {
    const bool others = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return &row != best && ours(row) && !(measured(row) && end_to_end(row));
    });
    return (others ? nothing_gained(*best, rows, language) : "") + with_transfers(rows, language);
  }
  std::string text =
      say(language, phrases::is_as_fast, label(*best), factor(value_of(over_serial), language),
          on_threads(*best, language) + (on_gpu(*best) ? over_cpu(*best, language) : ""));
  if (best->result.at("share_of_copy") == 1.0) {
    text += say(language, phrases::what_of_copy_means, speed(*best, language),
                best->result.at("backend").get<std::string>());
  } else {
    text += limit(*best, language) + ".";
  }
  return text + with_transfers(rows, language) + python_per_element(rows, language);
}

std::size_t columns(const std::string& text) {
  // Continuation bytes of UTF-8 begin with the bits 10.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

namespace {

/// Where a word that has no room at all may be cut: behind a slash or comma.
std::size_t cut(const std::string& word, std::size_t room) {
  const std::size_t found = word.find_last_of("/,", std::max<std::size_t>(room, 1) - 1);
  return columns(word) <= room || found == std::string::npos ? word.size() : found + 1;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t start) {
  std::istringstream words(text);
  std::string lines;
  std::string word;
  std::size_t column = start;
  const std::size_t room = width > indent ? width - indent : 1;
  while (words >> word) {
    if (!lines.empty() && column + 1 + columns(word) > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    for (std::size_t end = cut(word, room); end < word.size(); end = cut(word, room)) {
      lines += word.substr(0, end) + "\n" + std::string(indent, ' ');
      column = indent;
      word.erase(0, end);
    }
    lines += word;
    column += columns(word);
  }
  return lines;
}

}  // namespace bench
