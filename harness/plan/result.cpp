#include "harness/plan/result.hpp"

#include <algorithm>

namespace bench {

void CaseIdentity::take(SizeFormat form, const Shape& of) {
  size = label(form, of);
  elements = of.elements();
  shape = sides_of(form, of);
  if (form == SizeFormat::binned) bins = of.bins;
  if (form == SizeFormat::stepped) steps = of.steps;
}

std::size_t CaseIdentity::sweeps() const {
  // There and back the data go once.
  return scope == Scope::kernel ? std::max<std::size_t>(1, steps.value_or(1)) : 1;
}

Shape CaseIdentity::shape_of_problem() const {
  const std::size_t sides = shape.size();
  return {.rows = sides > 1 ? shape[0] : 1,
          .cols = sides > 0 ? shape[sides > 1 ? 1 : 0] : 0,
          .bins = bins.value_or(0),
          .steps = steps.value_or(0),
          .inner = sides > 2 ? shape[2] : 0};
}

}  // namespace bench
