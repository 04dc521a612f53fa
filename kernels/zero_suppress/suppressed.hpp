// An element as both CPU ladders compute it.
#pragma once

#include "harness/workload/target.hpp"

namespace kernels::zero_suppress {
namespace {

/// A NaN is not below the threshold.
inline Real suppressed(Real x, Real threshold) { return x < threshold ? Real{0} : x; }

}  // namespace
}  // namespace kernels::zero_suppress
