// The backends: what each is called, and where its variants run. Another one is a row.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace bench {

enum class RunsOn { one_thread, all_threads, device };

struct Backend {
  std::string_view name;
  RunsOn runs_on;
};

namespace backends {
inline constexpr Backend serial{"serial", RunsOn::one_thread};
inline constexpr Backend openmp{"openmp", RunsOn::all_threads};
inline constexpr Backend cuda{"cuda", RunsOn::device};
/// The order of tables.
inline constexpr std::array all{serial, openmp, cuda};
}  // namespace backends

/// Null for the backends of user kernels and peers.
constexpr const Backend* backend_named(std::string_view name) {
  const auto* const found = std::find_if(backends::all.begin(), backends::all.end(),
                                         [name](const Backend& one) { return one.name == name; });
  return found == backends::all.end() ? nullptr : found;
}

/// Whether this is one of our backends that runs there.
constexpr bool runs_on(std::string_view backend, RunsOn where) {
  const Backend* const found = backend_named(backend);
  return found != nullptr && found->runs_on == where;
}

/// The first of those that run there.
constexpr const Backend& backend_on(RunsOn where) {
  return *std::find_if(backends::all.begin(), backends::all.end(),
                       [where](const Backend& one) { return one.runs_on == where; });
}

}  // namespace bench
