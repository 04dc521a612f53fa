// BabelStream: what it prints with --csv. It has the least, the greatest and the mean time.
#include <cmath>

#include "harness/formats/cells.hpp"

namespace bench {
namespace {

/// The bytes of the unit in a heading such as `max_mbytes_per_sec` or `max_gibytes_per_sec`.
double unit_in(const std::string& heading) {
  const std::size_t power = std::string_view("mgt").find(heading[4]);
  if (power == std::string_view::npos) wrong_in(0, "has an unknown unit: '" + heading + "'");
  return std::pow(heading[5] == 'i' ? 1024 : 1000, power + 2);
}

/// function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime
ForeignRun read_babelstream(const Rows& rows) {
  ForeignRun run;
  const double unit = unit_in(rows.front()[4]);
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const double least = number_in(rows, row, 5);
    const double mean = number_in(rows, row, 7);
    const auto& cells = rows[row];
    ForeignCase& one =
        case_named(run, "BabelStream", cells[0] + "/" + cells[2] + "/sizeof=" + cells[3]);
    one.seconds.push_back(mean);
    // Its bandwidth is that of the least time.
    one.bytes_per_second = unit * number_in(rows, row, 4) * least / mean;
  }
  return run;
}

}  // namespace

const CsvFormat babelstream{"babelstream", "function,num_times,n_elements,sizeof,max_",
                            read_babelstream};

}  // namespace bench
