// What the user's filters and backends select of the registry.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/settings.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// True where `filter`, a glob on workload/backend/variant or a prefix of one, selects `path`.
bool matches(const std::string& filter, const std::string& path);

/// True where the filters and backends select workload/backend/variant.
bool selected(const Selection& selection, const std::string& path);
bool selected(const Selection& selection, const Workload& workload, const BoundVariant& rung);

/// True where this backend is selected by its name, which the program was built without: where all
/// are selected, nobody misses it.
bool asked_for(const Selection& selection, const Workload& workload, const Backend& absent);

/// True where any variant of the workload is selected, of this backend if one is named, or the row
/// that stands for all CUDA variants where none was compiled.
bool any_selected(const Planning& settings, const Workload& workload,
                  std::optional<RunsOn> where = {});

/// A filter that selects nothing; what() says so to the user.
struct UnknownFilter : std::invalid_argument {
  UnknownFilter(const std::string& message, std::string typed, std::vector<std::string> all)
      : std::invalid_argument(message), filter(std::move(typed)), names(std::move(all)) {}

  std::string filter;
  std::vector<std::string> names;  ///< that it may have meant
};

/// Throws UnknownFilter where a filter selects neither anything of the registry nor one of
/// `guests`, nor a backend that is absent.
void require_known_filters(std::span<const Workload* const> registry, const Selection& selection,
                           const std::vector<const Backend*>& absent,
                           const std::vector<GuestVariant>& guests = {});

/// workload/backend/variant.
std::string path_of(const GuestVariant& guest);

}  // namespace bench
