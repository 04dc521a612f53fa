#include "harness/guests/refused_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "harness/base/files.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/translate.hpp"

namespace bench::guests {

Reason starts_a_process(const std::filesystem::path& file) {
  static const std::regex call(
      R"(\b(v?fork|clone|system|popen|exec[lv]p?e?|posix_spawnp?|subprocess\.\w+|multiprocessing\.\w+)\s*\()");
  const std::string source = whole_file(file);
  const std::string code = file.extension() == ".py" ? source : code_of(source);
  std::smatch found;
  if (!std::regex_search(code, found, call)) return {};
  const auto line = 1 + std::count(code.begin(), code.begin() + found.position(), '\n');
  return said<reasons::found_when>(said<reasons::line_number>(line),
                                   said<reasons::starts_a_process>(found[1].str()));
}

}  // namespace bench::guests
