#include "harness/workload/case_name.hpp"

#include <fmt/format.h>

namespace bench {

std::string case_name(const std::string& workload, const std::string& backend,
                      const std::string& variant, Dtype dtype, const std::string& size, Scope scope,
                      Parameters parameters, const std::optional<Beside>& beside) {
  if (beside) parameters["beside"] = fmt::format("{}:{}", beside->workload, beside->size);
  std::string name = fmt::format("{}/{}/{}/{}/{}/{}", workload, backend, variant, name_of(dtype),
                                 size, name_of(scope));
  for (const auto& [key, value] : parameters) name += fmt::format(",{}={}", key, value);
  return name;
}

}  // namespace bench
