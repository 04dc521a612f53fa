#include "harness/compare/false_alarms.hpp"

#include "harness/base/exit.hpp"
#include "harness/compare/run_comparison.hpp"

namespace bench {
namespace {

bool is_alarm(Change change) { return change == Change::slower || change == Change::faster; }

void count(const Comparison& one, FalseAlarms& alarms) {
  ++alarms.cases;
  if (one.change == Change::unclear) ++alarms.unclear;
  if (one.doubt == Doubt::busy) ++alarms.busy;
  if (one.doubt == Doubt::node) ++alarms.node_changed;
  if (!is_alarm(one.change)) return;
  ++alarms.alarms;
  ++alarms.names[one.name];
}

void count(const Comparisons& pair, FalseAlarms& alarms) {
  ++alarms.pairs;
  const std::size_t before = alarms.alarms;
  for (const Comparison& one : pair.cases) count(one, alarms);
  if (alarms.alarms > before) ++alarms.pairs_with_alarm;
}

}  // namespace

FalseAlarms false_alarms(const std::vector<Document>& documents, double threshold) {
  FalseAlarms alarms;
  alarms.threshold = threshold;
  alarms.runs = documents.size();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (std::size_t j = i + 1; j < documents.size(); ++j) {
      count(compare(documents[i], documents[j], threshold), alarms);
    }
  }
  return alarms;
}

int exit_code(const FalseAlarms& alarms) { return alarms.alarms > 0 ? Exit::slower : Exit::fine; }

}  // namespace bench
