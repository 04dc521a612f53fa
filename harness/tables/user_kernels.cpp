#include "harness/tables/user_kernels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/document/doubt.hpp"
#include "harness/tables/answer.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

/// Its threads, where at least half of one was idle.
std::string of_threads(const CaseRecord& one, Language language) {
  constexpr double idle = 0.5;
  if (!one.threads_used || !one.threads || *one.threads - *one.threads_used < idle) return "";
  return say(language, phrases::why_threads, fmt::format("{:.0f}", *one.threads_used),
             std::to_string(*one.threads));
}

std::string of_loop(const GuestFile& file, Language language) {
  if (!file.scalar_loop) return "";
  const auto& [line, calls] = *file.scalar_loop;
  const std::string number = std::to_string(line);
  return calls ? say(language, phrases::why_loop_calls, number, *calls)
               : say(language, phrases::why_loop, number);
}

const Phrase& phrase_of(Slows what) {
  switch (what) {
    case Slows::computes_in_double:
      return phrases::why_double;
    case Slows::waits_in_loop:
      return phrases::why_waits;
    case Slows::starts_threads_in_loop:
      return phrases::why_starts_threads;
    case Slows::allocates:
      break;
  }
  return phrases::why_allocates;
}

/// What needs no clock.
std::vector<std::string> of_text(const GuestFile& file, Language language) {
  std::vector<std::string> all{of_loop(file, language)};
  for (const auto& [what, line] : file.slow_lines) {
    all.push_back(say(language, phrase_of(what), std::to_string(line)));
  }
  return all;
}

/// Whether its data come from memory or from the nearest cache makes no difference, or how much.
std::string of_memory(const CaseRecord& one, Language language) {
  if (!one.bound || one.bound->by != Limit::in_cache) return "";
  const Estimate& share = one.bound->share;
  if (share.ci95.low >= near_limit) return say(language, phrases::why_computing);
  return say(language, phrases::why_in_cache, whole_percent(share.value, language));
}

/// The slowest variant that is faster, and what it does.
std::string of_next(const Row& row, const std::vector<Row>& rows, Language language) {
  const auto& next = row.result->standing->slower_than;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
    return other.result->name == *next->baseline;
  });
  if (found == rows.end() || found->result->idea.empty()) return "";
  const CaseRecord& one = *found->result;
  return say(language, phrases::why_next, one.rung(), translated(one.idea, language),
             one.on_gpu() ? fmt::format("kernels/{}/cuda.cu", one.workload)
                          : fmt::format("kernels/{}/{}.cpp", one.workload, one.backend));
}

struct Slow {
  std::vector<std::string> reasons;
  std::string next;  ///< faster one, and what it does
};

Slow why_and_next(const Row& row, const std::vector<Row>& rows, Language language) {
  const CaseRecord& one = *row.result;
  const GuestFile* const file = file_of(row);
  if (file == nullptr || !one.measured()) return {};
  Slow all{of_text(*file, language), ""};
  if (!busy(one)) {
    if (!one.standing || !one.standing->slower_than) return {};
    all.reasons.insert(all.reasons.begin(), of_threads(one, language));
    all.reasons.push_back(of_memory(one, language));
    all.next = of_next(row, rows, language);
  }
  std::erase(all.reasons, "");
  return all;
}

}  // namespace

std::string compiler_text(const std::vector<Row>& rows, Language language) {
  std::set<std::string> sentences;
  for (const Row& row : rows) {
    const GuestFile* const file = file_of(row);
    if (file == nullptr || !file->warning) continue;
    sentences.insert(say(language, phrases::compiler_warns, row.result->rung(), *file->warning));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string unchecked_text(const std::vector<Row>& rows, Language language) {
  std::set<std::string> sentences;
  for (const Row& row : rows) {
    const auto& what = row.result->unchecked;
    if (!what) continue;
    sentences.insert(
        say(language, phrases::unchecked, row.result->rung(), translated(*what, language)));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::vector<std::string> why_slow(const Row& row, const std::vector<Row>& rows, Language language) {
  auto [reasons, next] = why_and_next(row, rows, language);
  if (!next.empty()) reasons.push_back(std::move(next));
  return reasons;
}

std::string why_slow_text(const std::vector<Row>& rows, Language language) {
  constexpr std::size_t few = 4;
  std::vector<std::string> sentences;
  for (const Row& row : rows) {
    const auto [reasons, next] = why_and_next(row, rows, language);
    const std::string rung = row.result->rung();
    std::string why = fmt::format("{}", fmt::join(reasons, " "));
    if (!why.empty()) {
      const Phrase& heading = busy(*row.result) ? phrases::may_be_slow : phrases::why_slow;
      why = say(language, heading, rung, why) + (next.empty() ? "" : " " + next);
    } else if (!next.empty()) {
      why = fmt::format("{}: {}", rung, next);
    }
    if (!why.empty()) sentences.push_back(std::move(why));
  }
  if (sentences.empty() || sentences.size() > few) return "";
  sentences.push_back(say(language, phrases::why_more));
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace bench
