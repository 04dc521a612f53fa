#include "kernels/registry.hpp"

// The list is an explicit table: the linker drops objects of a static library that register
// themselves.
#define WORKLOAD_IN(name, types) WORKLOAD(name)
#define WORKLOAD(name)                   \
  namespace kernels::name {              \
  extern const bench::Workload workload; \
  }
#include "kernels/registry.def"
#undef WORKLOAD

std::span<const bench::Workload* const> kernels::registry() {
#define WORKLOAD(name) &name::workload,
  static constexpr const bench::Workload* workloads[] = {
#include "kernels/registry.def"
  };
#undef WORKLOAD
  return workloads;
}
