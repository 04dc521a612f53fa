#include "harness/document/legacy.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "harness/base/json.hpp"

namespace bench {
namespace {

/// The part of a name behind the scope: `,beside=energy:1000,threads=2`.
std::map<std::string, std::string> parameters_in(const std::string& name) {
  std::map<std::string, std::string> found;
  std::istringstream parts(name.substr(std::min(name.find(','), name.size())));
  std::string part;
  while (std::getline(parts, part, ',')) {
    const std::size_t equals = part.find('=');
    if (equals != std::string::npos) found[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return found;
}

void complete_size(CaseRecord& one, const Where& where) {
  const std::size_t mark = std::min(one.size.find_first_of("x:"), one.size.size());
  std::size_t first = 0;
  std::size_t second = 1;
  try {
    first = parse_count(one.size.substr(0, mark));
    if (mark < one.size.size()) second = parse_count(one.size.substr(mark + 1));
  } catch (const std::invalid_argument&) {
    throw Misfit(where, "is no size");
  }
  const bool matrix = mark < one.size.size() && one.size[mark] == 'x';
  const bool binned = mark < one.size.size() && one.size[mark] == ':';
  constexpr double most = 1e15;  // as on the command line
  if (static_cast<double>(first) * static_cast<double>(matrix ? second : 1) > most) {
    throw Misfit(where, "is too large a size");
  }
  one.elements = matrix ? first * second : first;
  one.shape = matrix ? std::vector{first, second} : std::vector{first};
  one.bins = binned ? std::optional(second) : std::nullopt;
}

void complete_parameters(CaseRecord& one) {
  one.parameters = parameters_in(one.name);
  const auto beside = one.parameters.extract("beside");
  if (beside.empty()) return;
  const std::string& group = beside.mapped();
  const std::size_t colon = std::min(group.find(':'), group.size());
  one.beside = Beside{group.substr(0, colon), colon < group.size() ? group.substr(colon + 1) : ""};
}

}  // namespace

void complete_from_names(Document& document, const Json& json) {
  const Where root;
  const Where list(root, "cases");
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    const Json& recorded = json.at("cases").at(i);
    CaseRecord& one = document.cases[i];
    if (!recorded.contains("elements")) complete_size(one, Where(Where(list, i), "size"));
    if (!recorded.contains("parameters")) complete_parameters(one);
  }
}

void complete_launches(Document& document, const Json& json) {
  auto& selection = document.context.run.selection;
  const Json& recorded = at(json, "context/run/selection/cuda_launch");
  if (!selection || !recorded.is_object()) return;
  const auto take = [&](const char* key, std::vector<unsigned>& list) {
    const Json& chosen = at(recorded, key);
    constexpr std::size_t most = std::numeric_limits<int>::max();
    if (!chosen.is_number_unsigned() || chosen == 0 || chosen > most) return;
    list = {chosen.get<unsigned>()};
  };
  take("block", selection->blocks);
  take("grid", selection->grids);
}

}  // namespace bench
