#include "harness/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string label(const Row& row) {
  return fmt::format("{}/{}", row.result.at("backend").get<std::string>(),
                     row.result.at("variant").get<std::string>());
}

bool measured(const Row& row) { return row.result.at("status") == "measured"; }

double seconds(const Row& row) { return row.speedup.at("seconds").get<double>(); }

constexpr double startup = 100e-6;  // starting and joining threads takes microseconds

/// What takes the time that memory does not, as far as the counts of bytes and operations tell.
const char* what_else(const Row& row) {
  if (seconds(row) < startup) return "starting up";
  return row.result.at("flops").get<double>() > 0 ? "computing" : "the order of access";
}

/// What keeps a variant from the speed of a copy, as far as its byte and operation counts tell.
std::string limit(const Row& best) {
  const Json& share_value = best.result.at("share_of_copy");
  if (share_value.is_null()) return "";
  const double share = share_value.get<double>();
  const std::string percent = fmt::format("{:.0f} %", 100 * share);
  constexpr double memory_bound = 0.9;
  if (share > 1.05) {
    return "; it takes less time than copying as many bytes would: its data are mostly read";
  }
  if (share >= memory_bound) {
    return fmt::format("; at {} of the speed of a plain copy, memory is the limit", percent);
  }
  return fmt::format(
      "; it moves its data at {} of the speed of a plain copy: the rest goes to {}, and memory "
      "would "
      "allow another {}×",
      percent, what_else(best), factor(1 / share));
}

std::string on_threads(const Row& row) {
  if (row.result.at("backend") != "openmp") return "";
  const int threads = row.result.at("threads").get<int>();
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

}  // namespace

std::string conclusion(const std::vector<Row>& rows) {
  const auto faster = [](const Row& a, const Row& b) {
    return !measured(b) || (measured(a) && seconds(a) < seconds(b));
  };
  const auto best = std::min_element(rows.begin(), rows.end(), faster);
  if (best == rows.end() || !measured(*best)) return "Nothing was measured.";
  const Json& over_serial = best->speedup.at("over_serial");
  if (over_serial.is_null() || over_serial.at("value").is_null())
    return fmt::format("{} has no baseline to compare with.", label(*best));
  if (best->result.at("backend") == "serial" && best->result.at("variant") == "naive") {
    return rows.size() == 1 ? "" : nothing_gained(*best, rows);
  }
  const double ratio = over_serial.at("value").get<double>();
  const std::string head = fmt::format("{} is {}× as fast as the plain loop{}", label(*best),
                                       factor(ratio), on_threads(*best));
  if (best->result.at("share_of_copy") == 1.0) {
    return fmt::format("{}: {:.1f} GB/s is what \"of copy\" means for {}.", head,
                       best->result.at("gb_per_s").get<double>(),
                       best->result.at("backend").get<std::string>());
  }
  return head + limit(*best) + ".";
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
