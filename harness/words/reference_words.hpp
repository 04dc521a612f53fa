// How texts call the workloads that bandwidth, or arithmetic, is compared with.
#pragma once

#include <span>
#include <string>

#include "harness/words/language.hpp"

namespace bench {

struct ReferenceWords {
  const char* workload;
  const Phrase& noun;  ///< copying: in sentences and headings
  const Phrase& verb;  ///< to copy: in the legend; of an arithmetic one the whole sentence
  bool arithmetic = false;
};
std::span<const ReferenceWords> reference_words();

/// Its noun; of a workload without words its name.
std::string reference_text(const std::string& workload, Language language);

/// `of copy`, after a percentage.
std::string of_reference_text(const std::string& workload, Language language);

}  // namespace bench
