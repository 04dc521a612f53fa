// The health of a node in one line, and for Prometheus.
#pragma once

#include <string>

#include "harness/compare/health.hpp"

namespace bench {

/// At most 80 characters: what does not fit is counted, `+3`.
std::string health_line(const std::string& node, const Health& health, double seconds);

/// The figures that Nagios draws: `'memory'=1.310;1.122`, of which the second one is a limit.
std::string performance_data(const Health& health, double seconds);

/// Seconds since 1970.
struct CheckTimes {
  double ended = 0;
  double verdict = 0;  ///< when the last check ended that gave one; 0: never
};

/// The answer for Prometheus, as OpenMetrics.
std::string health_metrics(const std::string& node, const Health& health, int code, double seconds,
                           const CheckTimes& times);

/// What such a text says of its last verdict.
double last_verdict(const std::string& metrics);

}  // namespace bench
