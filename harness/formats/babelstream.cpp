// BabelStream: what it prints with --csv. It has the least, the greatest and the mean time.
#include "harness/formats/cells.hpp"

namespace bench {
namespace {

/// function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime
template <int unit>
ForeignRun read_babelstream(const Rows& rows) {
  ForeignRun run;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double least = number_in(rows, row, 5);
    const double mean = number_in(rows, row, 7);
    ForeignCase& one = case_named(run, "BabelStream", rows[row][0] + "/" + rows[row][2]);
    one.seconds.push_back(mean);
    // Its bandwidth is that of the least time.
    one.bytes_per_second = unit * number_in(rows, row, 4) * least / mean;
  }
  return run;
}

constexpr int megabyte = 1'000'000;
constexpr int mebibyte = 1 << 20;

}  // namespace

const CsvFormat babelstream{
    "babelstream",
    "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime",
    read_babelstream<megabyte>};
const CsvFormat babelstream_mebibytes{
    "babelstream",
    "function,num_times,n_elements,sizeof,max_mibytes_per_sec,min_runtime,max_runtime,avg_runtime",
    read_babelstream<mebibyte>};

}  // namespace bench
