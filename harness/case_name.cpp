#include "harness/case_name.hpp"

#include <algorithm>

namespace bench {
namespace {

struct Parameter {
  std::size_t begin = std::string::npos;  ///< of `,key=value`
  std::size_t value = 0;
  std::size_t end = 0;
};

Parameter find(const std::string& name, const std::string& key) {
  const std::string start = "," + key + "=";
  const std::size_t begin = name.find(start);
  if (begin == std::string::npos) return {};
  const std::size_t value = begin + start.size();
  return {begin, value, std::min(name.find(',', value), name.size())};
}

}  // namespace

std::string beside(const std::string& name) {
  const Parameter found = find(name, "beside");
  return found.begin == std::string::npos ? "" : name.substr(found.value, found.end - found.value);
}

std::string without_threads(const std::string& name) {
  const Parameter found = find(name, "threads");
  if (found.begin == std::string::npos) return name;
  return name.substr(0, found.begin) + name.substr(found.end);
}

bool with_threads(const std::string& name) {
  return find(name, "threads").begin != std::string::npos;
}

}  // namespace bench
