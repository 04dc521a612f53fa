#include "harness/words/reference_words.hpp"

#include "harness/words/phrases.hpp"

namespace bench {

std::span<const ReferenceWords> reference_words() {
  static constexpr ReferenceWords all[] = {
      {"copy", phrases::copying, phrases::to_copy},
      {"read", phrases::reading, phrases::to_read},
      {"add", phrases::adding, phrases::to_add},
      {"multiply_add", phrases::arithmetic_peak, phrases::legend_peak, true},
      {"matmul", phrases::library_peak, phrases::legend_library_peak, true}};
  return all;
}

std::string reference_text(const std::string& workload, Language language) {
  for (const ReferenceWords& one : reference_words()) {
    if (workload == one.workload) return say(language, one.noun);
  }
  return workload;
}

std::string of_reference_text(const std::string& workload, Language language) {
  return say(language, phrases::of_reference, reference_text(workload, language));
}

}  // namespace bench
