// What the tests of texts in several languages share.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <sstream>
#include <string>

#include "harness/base/text.hpp"
#include "harness/words/language.hpp"

namespace bench::test {

constexpr Language translations[] = {Language::pt, Language::es, Language::fr};

inline void expect_eighty_columns(const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) EXPECT_LE(columns(line), 80U) << line;
}

using Words = std::set<std::string>;

/// Letters, those beyond ASCII too, and underscores; signs alone are not words.
inline Words words_of(const std::string& text) {
  constexpr const char* ascii = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  Words found;
  std::string word;
  for (const char c : text + " ") {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalpha(byte) != 0 || byte >= 0x80 || c == '_';
    if (letter) {
      word += c;
      continue;
    }
    if (word.find_first_of(ascii) != std::string::npos) found.insert(word);
    word.clear();
  }
  return found;
}

/// The words of an English text that a translation has too, but for those of the data and those
/// that some other language shares: terms, units, options.
inline Words left_in_english(const std::string& english, const std::string& translation,
                             const Words& data) {
  static const Words shared{
      "CPU", "CUDA", "GB", "GPU", "GPUs", "MB", "MIG", "NUMA", "OMP_DYNAMIC", "OMP_NUM_THREADS",
      "OMP_THREAD_LIMIT", "Slurm", "a", "bench", "bytes", "cache", "caches", "cgroup", "clock",
      "code", "comparable", "compare", "doctor", "driver", "exclusive", "governor", "hyper",
      "hardware", "instance", "instances", "jitter", "job", "kB", "kernel", "machine", "No", "no",
      "ms", "pages", "quota", "resume", "sockets", "speedups", "srun", "threads", "virtual",
      // parts of options
      "as", "cpu", "cpus", "csv", "format", "freq", "gpu", "gpus", "gres", "hint", "max", "mem",
      "min", "nomultithread", "per", "task", "time"};
  Words left;
  const Words others = words_of(translation);
  for (const std::string& word : words_of(english)) {
    const bool known = shared.contains(word) || data.contains(word);
    if (others.contains(word) && !known) left.insert(word);
  }
  return left;
}

}  // namespace bench::test
