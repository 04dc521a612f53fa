// criterion: the file raw.csv of a benchmark, or several of them in one. It keeps samples.
#include <fmt/ranges.h>

#include "harness/formats/cells.hpp"

namespace bench {
namespace {

/// group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count
ForeignRun read_criterion(const Rows& rows) {
  ForeignRun run;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    std::vector<std::string> parts(rows[row].begin(), rows[row].begin() + 3);
    std::erase(parts, "");
    if (parts.size() < 2) parts.insert(parts.begin(), "criterion");
    const std::string name = fmt::format("{}", fmt::join(parts.begin() + 1, parts.end(), "/"));
    const auto unit = seconds_of(rows[row][6]);
    if (!unit) wrong_in(row, fmt::format("is not a unit of time: '{}'", rows[row][6]));
    case_named(run, parts[0], name)
        .seconds.push_back(*unit * number_in(rows, row, 5) / number_in(rows, row, 7));
  }
  return run;
}

}  // namespace

const CsvFormat criterion{"criterion",
                          "group,function,value,throughput_num,throughput_type,"
                          "sample_measured_value,unit,iteration_count",
                          read_criterion};

}  // namespace bench
