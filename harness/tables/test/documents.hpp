// Documents of made-up measurements, as tables get them.
#pragma once

#include <string>
#include <vector>

#include "harness/test/support.hpp"

namespace bench::test {

inline Json document_of(const std::vector<Case>& cases, const std::string& node = "gpu1") {
  const Tables tables = tables_of(group_of(cases));
  return {{"schema", "bench-report/1"},
          {"context",
           {{"date", "2026-01-31T12:00:00+00:00"},
            {"run",
             {{"node", node},
              {"threads", 2},
              {"isa", "avx2"},
              {"seed", 42},
              {"cache", "cold"},
              {"input_hash", {{"work", {{"f32/10", "xxh3:1"}}}}},
              {"warnings", Json::array()}}},
            {"machine", {{"cpu_model", "Some Processor"}, {"logical_cpus", 8}}}}},
          {"cases", tables.cases},
          {"speedups", tables.speedups}};
}

inline Case not_measured(Case result, const std::string& status, const std::string& reason) {
  result.status = status;
  result.reason = reason;
  result.timing = {};
  return result;
}

}  // namespace bench::test
