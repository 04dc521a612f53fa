#include "harness/command/run_result.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "harness/base/exit.hpp"
#include "harness/base/json.hpp"
#include "harness/base/shell_quoted.hpp"
#include "harness/base/text.hpp"
#include "harness/command/effect.hpp"
#include "harness/command/next_step.hpp"
#include "harness/command/python.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/document/document.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

/// What a task says that prints no tables: how much it measured, and what is to be doubted.
std::string one_line(const Document& document, const std::string& file) {
  std::string line = fmt::format("{}: {} measured, {} failed", document.context.run.node,
                                 document.count(Status::measured), document.count(Status::failed));
  const auto& cases = document.cases;
  const auto skipped = std::find_if(cases.begin(), cases.end(), [](const CaseRecord& one) {
    return one.status == Status::skipped;
  });
  if (skipped != cases.end()) {
    line += fmt::format(", {} skipped ({})", document.count(Status::skipped),
                        skipped->reason.value_or("?").text);
  }
  if (!file.empty()) line += ", " + file;
  for (const Reason& warning : document.context.run.warnings) {
    line += "; warning: " + warning.text;
  }
  return line + "\n";
}

}  // namespace

void print_result(const RunRequest& request, const Report& report, const std::string& program) {
  const Document document = report.document();
  if (request.quiet && request.format == Format::text) return;
  const std::string file = report.path().string();
  if (request.format == Format::json) {
    print(serialised(written(document)) + "\n");
  } else if (task_rank() != 0) {
    print_text({{one_line(document, shown_name(file))}});
  } else {
    TableOptions options;
    options.language = request.language;
    options.preset = request.preset;
    options.width = text_width(STDOUT_FILENO);
    StyledText text = text_tables(document, options);
    const std::string note = request.wanted.sweep ? "" : note_on_sizes(document);
    if (!note.empty()) text.push_back({"\n" + wrapped(note, options.width, 2) + "\n"});
    if (!file.empty()) {
      text.push_back({fmt::format("\nresult file: {}\nnext: {}\n", shown_name(file),
                                  next_step(document, file, has_python_packages(), program))});
    }
    print_text(text);
  }
}

void print_instead(const std::string& text, const Report& report) {
  const std::string file = report.path().string();
  print_text({{text + (file.empty() ? "" : fmt::format("\nresult file: {}\n", shown_name(file)))}});
}

int conclude(const RunRequest& request, const Measured& measured, const Print& print) {
  std::optional<int> code;
  if (measured.anything) code = print(request, *measured.report);
  if (!measured.unwritten.empty()) throw std::runtime_error(measured.unwritten);
  if (measured.signal && request.writes_file()) {
    tell("continue with: bench --resume " + shell_quoted(measured.report->path().string()));
  }
  return code && !measured.signal ? *code : complained(measured.exit_code);
}

int conclude(const RunRequest& request, const Ended& ended, const Print& print) {
  const int code = ended.signal ? Exit::by(*ended.signal) : Exit::wrong;
  if (!ended.first) return code;
  const Report& report = *ended.report;
  std::fputs("\n", stderr);  // after a line of progress
  if (!ended.unwritten.empty()) complain(ended.unwritten);
  if (!report.document().cases.empty() || request.output == "-") print(request, report);
  const bool rest = request.writes_file() && report.groups() < ended.groups;
  tell(fmt::format(
      "ended by {}: {} of {} groups finished{}", ended.by, report.groups(), ended.groups,
      rest ? "; continue with: bench --resume " + shell_quoted(report.path().string()) : ""));
  return code;
}

int exit_code(const Document& document) {
  if (document.count(Status::failed) > 0) return Exit::wrong;
  return document.count(Status::skipped) < document.cases.size() ? Exit::fine : Exit::unclear;
}

int complained(int exit_code) {
  if (exit_code == Exit::unclear) {
    complain("nothing was measured: every case was skipped; its row in the table says why");
  }
  return exit_code;
}

}  // namespace bench
