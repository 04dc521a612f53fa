#include "kernels/registry.hpp"

// The list is an explicit table, since objects that register themselves are dropped by the linker
// when they lie in a static library.
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
