#include "harness/tables/answer_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/base/json.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/padded.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/reference_words.hpp"

namespace bench {
namespace {

/// What narrow terminals have no room for, the first to go first.
enum class Detail {
  nothing,
  intervals,
  size,
  variant_with_transfers,
  variant_on_gpu,
  reference,
  variant_in_python,
  share,
  python,
  limit,
  variant_on_cpu
};
constexpr auto last_detail = Detail::variant_on_cpu;

/// Everything but what is gone: that, and all before it.
struct Shown {
  Detail gone = Detail::nothing;
  bool operator()(Detail one) const { return one > gone; }
};

/// Figures of one kind under each other. All empty: nothing was measured.
struct Column {
  std::string heading;
  std::vector<std::string> cells;

  bool empty() const {
    return std::all_of(cells.begin(), cells.end(),
                       [](const std::string& cell) { return cell.empty(); });
  }
};

const Row& first_row(const Sheet& sheet) { return sheet.rows.front(); }

/// What distinguishes tables, in the title where all have it in common.
struct Subject {
  const Phrase& heading;
  std::string (*of)(const Row&, Language);
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {phrases::node, [](const Row& row, Language) { return row.document->context.run.node; }},
      {phrases::workload, [](const Row& row, Language) { return row.result->workload; }},
      {phrases::dtype,
       [](const Row& row, Language) { return std::string(name_of(row.result->dtype)); }},
      {phrases::size, [](const Row& row, Language) { return row.result->size; }},
      {phrases::cache, [](const Row& row, Language language) {
         const bool cold = row.result->cache == CacheMode::cold;
         return say(language, cold ? phrases::cold_cache : phrases::hot_cache);
       }}};
  return all;
}

/// `memory: 91 % of copy`, with less room `memory 91 %`, and `memory`.
std::string barrier_text(const LimitShown& limit, Shown shown, Language language) {
  const Phrase& name = limit.by == Barrier::memory ? phrases::memory
                       : limit.by == Barrier::bus  ? phrases::bus
                                                   : phrases::computing;
  std::string text = say(language, name);
  const std::string share = whole_percent(limit.share.value, language);
  if (!shown(Detail::share)) return text;
  if (!shown(Detail::reference)) return text + " " + share;
  return say(language, phrases::because, text, share) +
         (limit.of.empty() ? "" : " " + of_reference_text(limit.of, language));
}

bool nothing_measured(const Answer& answer) {
  return !answer.best_cpu && !answer.gpu && !answer.gpu_with_transfers && !answer.python;
}

class Lines {
 public:
  Lines(const std::vector<const Sheet*>& sheets, const TableOptions& options, Detail gone)
      : sheets_(sheets), options_(options), shown_{gone} {
    for (const Sheet* sheet : sheets) {
      compared_ = compared_ || std::any_of(sheet->rows.begin(), sheet->rows.end(),
                                           [](const Row& row) { return !!row.over_baseline; });
    }
    std::vector<std::string> common;
    for (const Subject& subject : subjects()) add(subject, common);
    if (!shown_(Detail::size)) drop_size();
    if (!distinct(columns_, sheets_.size())) add_files();
    labels_ = static_cast<std::ptrdiff_t>(columns_.size());
    add(phrases::best_cpu, &Answer::best_cpu, shown_(Detail::variant_on_cpu));
    add(phrases::gpu_kernel, &Answer::gpu, shown_(Detail::variant_on_gpu));
    add(phrases::gpu_with_transfers, &Answer::gpu_with_transfers,
        shown_(Detail::variant_with_transfers));
    if (shown_(Detail::python)) {
      add(phrases::python, &Answer::python, shown_(Detail::variant_in_python));
    }
    if (shown_(Detail::limit)) add_limits();
    const std::string about = fmt::format("{}", fmt::join(common, " · "));
    lines_.title = compared_ ? say(language(), phrases::fastest_and_speedups, about,
                                   options.baseline.empty() ? naive_rung : options.baseline)
                             : say(language(), phrases::fastest_variants, about);
  }

  AnswerLines lines() && {
    for (std::size_t i = 0; i < sheets_.size(); ++i) {
      const auto empty = [&](const Column& column) { return column.cells[i].empty(); };
      if (std::all_of(columns_.begin() + labels_, columns_.end(), empty)) continue;
      std::vector<std::string>& row = lines_.rows.emplace_back();
      for (const Column& column : columns_) {
        row.push_back(column.cells[i].empty() ? "–" : column.cells[i]);
      }
    }
    for (Column& column : columns_) lines_.headings.push_back(std::move(column.heading));
    return std::move(lines_);
  }

 private:
  Language language() const { return options_.language; }

  void add(Column column) {
    if (!column.empty()) columns_.push_back(std::move(column));
  }

  void add(const Subject& subject, std::vector<std::string>& common) {
    Column column{say(language(), subject.heading), {}};
    for (const Sheet* sheet : sheets_) {
      column.cells.push_back(subject.of(first_row(*sheet), language()));
    }
    const std::set<std::string> values(column.cells.begin(), column.cells.end());
    if (values.size() == 1) {
      common.push_back(*values.begin());
    } else {
      add(std::move(column));
    }
  }

  /// True where the columns distinguish all tables.
  static bool distinct(const std::vector<Column>& labels, std::size_t tables) {
    std::set<std::vector<std::string>> different;
    for (std::size_t i = 0; i < tables; ++i) {
      std::vector<std::string> label;
      for (const Column& column : labels) label.push_back(column.cells[i]);
      different.insert(std::move(label));
    }
    return different.size() == tables;
  }

  /// Where the other labels distinguish the tables as well.
  void drop_size() {
    std::vector<Column> others = columns_;
    std::erase_if(others, [&](const Column& column) {
      return column.heading == say(language(), phrases::size);
    });
    if (distinct(others, sheets_.size())) columns_ = std::move(others);
  }

  void add_files() {
    Column files{say(language(), phrases::file), {}};
    for (const Sheet* sheet : sheets_) {
      files.cells.push_back(std::filesystem::path(first_row(*sheet).origin->file).stem().string());
    }
    add(std::move(files));
  }

  /// `136× [132, 139]`; what the record has instead where there is no speedup.
  std::string figure(const Row& row, bool with_share) const {
    const CaseRecord& one = *row.result;
    if (const auto& over = row.over_baseline) {
      std::string text = (doubtful(row, *over) ? "~" : "") + factor(over->value, language()) + "×";
      const bool itself = over->baseline == one.name;
      if (itself || !shown_(Detail::intervals)) return text;
      return text + " " +
             bracketed(factor(over->ci95.low, language()), factor(over->ci95.high, language()),
                       language());
    }
    const auto [reference, share, ci95, arithmetic] = nearest_share(one);
    const bool doubt = inconclusive(one) || (ci95 && !narrow(*ci95));
    if (!share || !with_share)
      return (doubtful(one) ? "~" : "") + duration(one.seconds->median, language());
    return (doubt ? "~" : "") + percent(*share, language()) + " " +
           of_reference_text(reference, language());
  }

  void add(const Phrase& heading, std::optional<Row> Answer::*which, bool with_variant) {
    const std::string blanks(compared_ ? 1 : 2, ' ');
    // The shares of Python implementations are of a copy in Python.
    const bool with_share = which != &Answer::python;
    std::size_t widest = 0;
    for (const Sheet* sheet : sheets_) {
      if (const auto& row = (*sheet->answer).*which) {
        widest = std::max(widest, columns(figure(*row, with_share)));
      }
    }
    Column column{say(language(), heading), {}};
    for (const Sheet* sheet : sheets_) {
      const auto& row = (*sheet->answer).*which;
      column.cells.push_back(!row ? ""
                                  : padded_left(figure(*row, with_share), widest) +
                                        (with_variant ? blanks + row->result->rung() : ""));
    }
    add(std::move(column));
  }

  /// What limits the fastest variant, or how near it comes to its reference.
  std::string limit(const Answer& answer) const {
    const auto& best = answer.fastest ? answer.fastest : answer.with_transfers;
    const bool with_share = best && best->over_baseline && shown_(Detail::share);
    if (answer.limit) {
      // Without a speedup the share is there already.
      return barrier_text(*answer.limit, with_share ? shown_ : Shown{Detail::share}, language());
    }
    if (!with_share || inconclusive(*best->result)) return "";
    const auto [reference, share, ci95, arithmetic] = nearest_share(*best->result);
    if (reference == best->result->workload && best->result->gb_per_s) {
      return localised(fmt::format("{:.1f}", *best->result->gb_per_s), language()) +
             no_break_space + say(language(), phrases::bandwidth);
    }
    if (!share || !ci95 || !narrow(*ci95)) return "";
    return percent(*share, language()) + " " + of_reference_text(reference, language());
  }

  void add_limits() {
    Column column{say(language(), phrases::limit), {}};
    for (const Sheet* sheet : sheets_) column.cells.push_back(limit(*sheet->answer));
    add(std::move(column));
  }

  const std::vector<const Sheet*>& sheets_;
  const TableOptions& options_;
  Shown shown_;
  bool compared_ = false;
  std::vector<Column> columns_;
  std::ptrdiff_t labels_ = 0;  ///< columns that say what a row is about: the first ones
  AnswerLines lines_;
};

}  // namespace

std::vector<std::string> aligned(const AnswerLines& lines) {
  std::vector<std::vector<std::string>> all{lines.headings};
  all.insert(all.end(), lines.rows.begin(), lines.rows.end());
  std::vector<std::string> texts(all.size());
  for (std::size_t column = 0; column < lines.headings.size(); ++column) {
    std::size_t widest = 0;
    for (const auto& row : all) widest = std::max(widest, columns(row[column]));
    for (std::size_t i = 0; i < all.size(); ++i) {
      texts[i] += (column == 0 ? "" : "  ") + padded_right(all[i][column], widest);
    }
  }
  for (std::string& text : texts) text = trimmed(std::move(text));
  return texts;
}

std::optional<AnswerLines> answer_lines(std::vector<const Sheet*> sheets,
                                        const TableOptions& options, std::size_t width) {
  std::erase_if(sheets, [](const Sheet* sheet) { return nothing_measured(*sheet->answer); });
  if (sheets.size() < 2) return {};
  for (auto gone = Detail::nothing;; gone = static_cast<Detail>(static_cast<int>(gone) + 1)) {
    AnswerLines lines = Lines(sheets, options, gone).lines();
    const std::vector<std::string> texts = aligned(lines);
    const bool fits = std::all_of(texts.begin(), texts.end(),
                                  [&](const std::string& text) { return columns(text) <= width; });
    if (fits || gone == last_detail) return lines;
  }
}

}  // namespace bench
