#include "harness/tables/conclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/reference_words.hpp"

namespace bench {
namespace {

double seconds(const CaseRecord& one) { return one.seconds->median; }

/// The fastest built-in row that `counts` holds for, or none.
template <class Counts>
const Row* fastest_of_ours(const std::vector<Row>& rows, Counts counts) {
  return fastest(rows, [&](const CaseRecord& one) { return one.ours() && counts(one); });
}

bool limited_by(Barrier barrier, const CaseRecord& one) {
  const auto limit = limit_of(one);
  return limit && limit->by == barrier;
}

std::string between(const Interval& ci95, Language language) {
  return say(language, phrases::between, factor(ci95.low, language), factor(ci95.high, language));
}

/// `4.2×`, or `between 3.1× and 9.4×` where one number would claim too much.
std::string times(const Row& row, const RatioRecord& ratio, Language language) {
  return doubtful(row, ratio) ? between(ratio.ci95, language) : factor(ratio.value, language) + "×";
}

std::string on_threads(const CaseRecord& one, Language language) {
  if (one.on_gpu() || (one.threads == 1 && !runs_on(one.backend, RunsOn::all_threads))) return "";
  if (one.threads == 1) return say(language, phrases::on_one_thread);
  return say(language, phrases::on_threads, std::to_string(*one.threads));
}

/// A sentence on samples that waited, the row's or the naive loop's, where that leaves nothing to
/// conclude.
std::string others_were_here(const Row& row, const std::vector<Row>& rows, Language language) {
  const CaseRecord* worst = row.result;
  for (const Row& other : rows) {
    const CaseRecord& one = *other.result;
    const bool plain = row.result->over_serial->baseline == one.name;
    if (plain && waited_share(one) > waited_share(*worst)) worst = &one;
  }
  if (!busy(*worst)) return "";
  return say(language, phrases::node_was_busy, std::to_string(*worst->seconds->preempted),
             std::to_string(*worst->rounds), worst->rung());
}

/// What part of its time a variant takes that has its data in the cache, where memory is not the
/// limit.
std::string without_memory(const CaseRecord& one, Language language) {
  if (!one.bound || one.bound->by != Limit::in_cache) return "";
  const Estimate& share = one.bound->share;
  std::string text = say(language, phrases::in_cache_takes, whole_percent(share.value, language));
  if (limited_by(Barrier::in_cache, one)) {
    text += say(language, phrases::memory_is_no_limit);
  }
  return text;
}

/// The share of the reference; the one that its interval reaches to where the case is faster.
ReferenceShare share_of_reference(const CaseRecord& one) {
  ReferenceShare share = nearest_share(one);
  if (share.value == 1.0 && share.ci95 && share.ci95->high > 1) {
    share.value = share.ci95->high;
    share.ci95->low = share.ci95->high;
  }
  return share;
}

/// What a variant computes relative to what the arithmetic units can do.
std::string limit_of_arithmetic(const ReferenceShare& of, Language language) {
  if (!narrow(*of.ci95)) return "";
  return say(
      language,
      of.ci95->low >= near_limit ? phrases::arithmetic_is_the_limit : phrases::it_computes_at,
      whole_percent(*of.value, language));
}

/// A variant's bandwidth relative to that of its reference; no cause beyond what that shows.
std::string limit_of_memory(const CaseRecord& one, Language language) {
  const ReferenceShare of = share_of_reference(one);
  const auto& [reference, share, ci95, arithmetic] = of;
  // The reference is not a limit of itself.
  if (!share || !ci95 || ci95->low <= 0 || reference == one.workload) return "";
  if (arithmetic) return limit_of_arithmetic(of, language);
  std::string plain = say(language, phrases::plain_reference, reference_text(reference, language));
  const bool one_core = one.threads == 1;  // as its reference, which leaves memory to the others
  if (one_core) plain += say(language, phrases::on_one_core);
  if (one.on_gpu()) plain += say(language, phrases::on_the_device);
  if (!narrow(*ci95)) {
    return say(language, phrases::share_is_uncertain, whole_percent(ci95->low, language),
               whole_percent(ci95->high, language), plain);
  }
  if (limited_by(Barrier::memory, one)) {
    return say(language, phrases::memory_is_the_limit, whole_percent(*share, language), plain);
  }
  if (one.sweeps() > 1 && ci95->low > beyond_limit) {
    return say(language, phrases::several_steps_in_cache, factor(*share, language), plain);
  }
  if (ci95->high >= near_limit) {
    return say(language, phrases::moves_its_data, whole_percent(*share, language), plain);
  }
  return say(language, phrases::more_is_possible, whole_percent(*share, language), plain,
             factor(1 / *share, language), one_core ? say(language, phrases::one_core_more) : "");
}

std::string limit(const CaseRecord& one, Language language) {
  return limit_of_memory(one, language) + without_memory(one, language);
}

std::string speed(const CaseRecord& one, Language language) {
  return localised(fmt::format("{:.1f}", *one.gb_per_s), language);
}

/// True for the fastest copy of a table of copies.
bool is_the_copy(const CaseRecord& one) {
  const auto [reference, share, ci95, arithmetic] = nearest_share(one);
  return reference == plain_reference && one.workload == plain_reference && share == 1.0 &&
         narrow(one.seconds->ci95);
}

/// A GPU variant compared with the best CPU variant, where that was measured.
std::string over_cpu(const Row& row, Language language) {
  const auto& over = row.result->over_best_cpu;
  return over ? say(language, phrases::and_over_cpu, times(row, *over, language)) : "";
}

/// The share of a time with transfers that they take. By the ends of both intervals, for which no
/// samples are needed.
std::string transfers_take(const CaseRecord& kernel, const CaseRecord& whole, Language language) {
  const Interval& part = kernel.seconds->ci95;
  const Interval& all = whole.seconds->ci95;
  constexpr double tolerable = 0.15;
  const double most = 1 - part.low / all.high;
  const double least = 1 - part.high / all.low;
  if (most - least > tolerable || least <= 0) return "";
  return say(language, phrases::transfers_take,
             whole_percent(1 - seconds(kernel) / seconds(whole), language));
}

/// What keeps a variant with transfers from being faster, as far as that was measured.
std::string with_them(const Row& best, const std::vector<Row>& rows, Language language) {
  const CaseRecord& one = *best.result;
  const Row* const kernel = fastest_of_ours(rows, [&](const CaseRecord& other) {
    return kernel_alone(other) && other.rung() == one.rung();
  });
  if (kernel != nullptr) return transfers_take(*kernel->result, one, language);
  if (is_the_copy(one)) return say(language, phrases::what_the_bus_moves, speed(one, language));
  const auto limit = limit_of(one);
  if (!limit || limit->by != Barrier::bus) return "";
  return say(language, phrases::bus_is_the_limit, whole_percent(limit->share.value, language),
             say(language, phrases::best_reference, reference_text(limit->of, language)));
}

/// True where the GPU's best is known to be faster than the CPU's without its transfers.
bool kernel_wins(const Answer& answer) {
  if (!answer.gpu || !answer.gpu->result->over_best_cpu) return false;
  return answer.gpu->result->over_best_cpu->ci95.low > 1 && !busy(*answer.gpu->result);
}

/// What remains of a GPU's speedup when the data have to be brought to it, and the result back.
std::string best_with_transfers(const std::vector<Row>& rows, const Answer& answer,
                                Language language) {
  const auto& best = answer.with_transfers;
  if (!best || !best->result->over_serial) return "";
  const CaseRecord& one = *best->result;
  std::string text = say(language, phrases::with_transfers, one.rung(),
                         times(*best, *one.over_serial, language), over_cpu(*best, language));
  text += with_them(*best, rows, language);
  const auto& over = one.over_best_cpu;
  if (over && over->ci95.high < 1 && !doubtful(*best, *over)) {
    text += say(language, phrases::cpu_wins);
    if (kernel_wins(answer)) text += say(language, phrases::unless_on_device);
  }
  return text + ".";
}

/// What it costs not to pin the host's arrays. By the ends of both intervals.
std::string pageable_costs(const std::vector<Row>& rows, Language language) {
  const Row* const pageable =
      fastest_of_ours(rows, [](const CaseRecord& one) { return one.scope == Scope::pageable; });
  if (pageable == nullptr) return "";
  const CaseRecord& one = *pageable->result;
  const Row* const pinned = fastest_of_ours(rows, [&](const CaseRecord& other) {
    return end_to_end(other) && other.rung() == one.rung();
  });
  if (pinned == nullptr) return "";
  const Interval& less = pinned->result->seconds->ci95;
  const Interval& more = one.seconds->ci95;
  const Interval ci95{more.low / less.high, more.high / less.low};
  if (ci95.low <= 1) return "";
  constexpr double tolerable = 1.1;
  const double middle = seconds(one) / seconds(*pinned->result);
  return say(
      language, phrases::pageable_costs, one.rung(),
      ci95.high < tolerable * ci95.low ? factor(middle, language) + "×" : between(ci95, language));
}

/// Pure Python is measured at a size of its own, and is carried to another one element by element.
std::string python_per_element(const std::vector<Row>& rows, Language language) {
  const Row* const best = fastest(
      rows, [](const CaseRecord& one) { return one.backend == "python" && !doubtful(one); });
  if (best == nullptr) return "";
  const CaseRecord& one = *best->result;
  return say(language, phrases::per_element, one.rung(),
             duration(seconds(one) / static_cast<double>(one.elements), language));
}

/// Where the naive loop has the least median. `others`: there is something to compare it with.
std::string nothing_gained(const std::vector<Row>& rows, Language language) {
  const bool all_lost = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || !one.ours() || !kernel_alone(one)) return true;
    return one.over_serial && one.over_serial->ci95.high <= 1 && !busy(one);
  });
  return say(language, all_lost ? phrases::nothing_gained : phrases::nothing_shown);
}

/// backend/variant of the case of this name.
std::string rung_of(const std::string& name, const std::vector<Row>& rows) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& row) { return row.result->name == name; });
  return found == rows.end() ? name : found->result->rung();
}

/// The speed of what is slower: not 100 %.
std::string percent_below_one(double share, Language language) {
  constexpr double whole = 0.995;
  return share < whole ? whole_percent(share, language) : "> " + whole_percent(0.99, language);
}

/// The two built-in variants that a user kernel is between, and which it cannot be distinguished
/// from.
std::string guest_stands(const Row& row, const std::vector<Row>& rows, Language language) {
  const CaseRecord& one = *row.result;
  if (busy(one) && !one.on_processor) {
    return say(language, phrases::guest_busy, one.rung(), std::to_string(*one.seconds->preempted),
               std::to_string(*one.rounds));
  }
  const auto& [rank, beaten, ahead, like] = *one.standing;
  const auto rung = [&](const std::string& name) { return rung_of(name, rows); };
  std::vector<std::string> others;
  for (const std::string& name : like) others.push_back(rung(name));
  const std::string equals = fmt::format("{}", fmt::join(others, ", "));
  const std::string where = say(language, one.on_gpu() ? phrases::of_the_gpu : phrases::of_the_cpu);
  std::string text;
  if (beaten && ahead) {
    text = say(language, phrases::guest_between, one.rung(), times(row, *beaten, language),
               rung(*beaten->baseline), percent_below_one(ahead->value, language),
               rung(*ahead->baseline));
  } else if (beaten) {
    text = say(language, like.empty() ? phrases::guest_above : phrases::guest_best, one.rung(),
               times(row, *beaten, language), rung(*beaten->baseline), where);
  } else if (ahead && like.empty()) {
    text = say(language, phrases::guest_below, one.rung(),
               percent_below_one(ahead->value, language), rung(*ahead->baseline), where);
  } else {
    return like.empty() ? "" : say(language, phrases::guest_only_like, one.rung(), equals) + ".";
  }
  if (beaten && !like.empty()) text += say(language, phrases::guest_like, equals);
  const auto share = nearest_share(one).ci95;
  if (share && narrow(*share)) {
    // What is slower is explained below, its time in the cache too.
    text += ahead ? limit_of_memory(one, language) : limit(one, language);
  }
  return text + ".";
}

/// Which user kernels claim more than their references show to be possible.
std::string guests_to_look_at(const std::vector<Row>& rows, Language language) {
  std::string text;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || !incredible(one)) continue;
    const auto [reference, share, ci95, arithmetic] = nearest_share(one);
    text += say(language, phrases::guest_incredible, one.rung(), factor(*share, language),
                reference_text(reference, language));
  }
  return text;
}

/// Which user kernels have no rank yet, where there are several.
std::string measure_again(const std::vector<Row>& rows, Language language) {
  std::ptrdiff_t guests = 0;
  std::vector<std::string> left;
  std::vector<std::string> short_ones;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.standing || !submitted(one)) continue;
    ++guests;
    if (unranked(one) && !incredible(one))
      (too_short(one) ? short_ones : left).push_back(one.rung());
  }
  if (guests < 2) return "";
  const auto said = [&](const Phrase& phrase, const std::vector<std::string>& files) {
    return files.empty() ? "" : say(language, phrase, fmt::format("{}", fmt::join(files, ", ")));
  };
  return said(phrases::measure_again, left) + said(phrases::measure_larger, short_ones);
}

/// A sentence for each user kernel, as long as they are few: a class has the column of ranks.
std::string guests_stand(const std::vector<Row>& rows, Language language) {
  constexpr std::ptrdiff_t few = 4;
  const auto stands = [](const Row& row) {
    const CaseRecord& one = *row.result;
    return one.standing && kernel_alone(one) && !incredible(one);
  };
  if (std::count_if(rows.begin(), rows.end(), stands) > few) return "";
  std::string text;
  for (const Row& row : rows) {
    if (stands(row)) text += guest_stands(row, rows, language);
  }
  return text;
}

/// What each model gives up: the speed of its fastest variant as a share of the ladder's.
std::string models_reach(const std::vector<Row>& rows, Language language) {
  std::string text;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.model_share || busy(one)) continue;
    const auto& [share, ci95, baseline] = *one.model_share;
    const std::string best = rung_of(*baseline, rows);
    text += doubtful(row, *one.model_share)
                ? say(language, phrases::model_is_between, one.rung(),
                      whole_percent(ci95.low, language), whole_percent(ci95.high, language), best)
                : say(language, phrases::model_reaches, one.rung(), whole_percent(share, language),
                      best);
  }
  return text;
}

/// What can be said where the naive loop was not measured.
std::string without_baseline(const std::vector<Row>& rows, const Answer& answer,
                             Language language) {
  const auto& kernel = answer.fastest;
  const auto& whole = answer.with_transfers;
  std::string text;
  if (kernel) {
    const CaseRecord& one = *kernel->result;
    text = say(language, phrases::lowest_median, one.rung());
    if (is_the_copy(one)) {
      text += say(language, phrases::what_of_copy_means, speed(one, language), one.backend);
    } else if (!busy(one)) {
      text += limit(one, language);
    }
    text += '.';
    if (!one.on_gpu()) return text;  // what needs no transfers
  }
  if (!whole || busy(*whole->result)) return text;
  if (!text.empty()) text += ' ';
  return text + say(language, phrases::lowest_with_transfers, whole->result->rung()) +
         with_them(*whole, rows, language) + ".";
}

/// Which built-in variant is the fastest.
std::string of_ladder(const std::vector<Row>& rows, const Answer& answer, Language language,
                      bool compared) {
  const bool measured =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.result->measured(); });
  if (!measured) return say(language, phrases::nothing_measured);
  const auto& best = answer.fastest;
  if (!best || !best->result->over_serial) {
    return (compared ? "" : without_baseline(rows, answer, language)) +
           python_per_element(rows, language);
  }
  const CaseRecord& one = *best->result;
  if (one.name == one.over_serial->baseline) {
    const bool others = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      const CaseRecord& other = *row.result;
      return &other != &one && other.ours() && (!other.measured() || kernel_alone(other));
    });
    return (others ? nothing_gained(rows, language) : "") +
           best_with_transfers(rows, answer, language) + pageable_costs(rows, language);
  }
  const bool faster = one.over_serial->ci95.low > 1;
  const std::string how =
      on_threads(one, language) + (one.on_gpu() ? over_cpu(*best, language) : "");
  std::string text = faster ? say(language, phrases::is_as_fast, one.rung(),
                                  times(*best, *one.over_serial, language), how)
                            : say(language, phrases::no_difference, one.rung(),
                                  between(one.over_serial->ci95, language), how);
  const std::string busy = others_were_here(*best, rows, language);
  if (!busy.empty()) {
    text += busy;
  } else if (is_the_copy(one)) {
    text += say(language, phrases::what_of_copy_means, speed(one, language), one.backend);
  } else if (faster) {
    text += limit(one, language);
  }
  return text + "." + best_with_transfers(rows, answer, language) + pageable_costs(rows, language) +
         python_per_element(rows, language);
}

}  // namespace

std::string conclusion(const std::vector<Row>& rows, const Answer& answer, Language language,
                       bool compared) {
  const bool few = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.result->measured() && few_samples(*row.result);
  });
  if (few) return say(language, phrases::few_samples, std::to_string(least_samples));
  const std::string text = of_ladder(rows, answer, language, compared) +
                           models_reach(rows, language) + guests_stand(rows, language) +
                           guests_to_look_at(rows, language) + measure_again(rows, language);
  return text.starts_with(' ') ? text.substr(1) : text;
}

}  // namespace bench
