#include "harness/guests/sanitized.hpp"

#include <fmt/format.h>

#include <sstream>

#include "harness/base/files.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/report.hpp"

namespace bench::guests {

namespace fs = std::filesystem;

Means Reports::means_for(Sanitizer sanitizer, const Means& session) const {
  Means own = session;
  own.writable = folder();
  own.memory = {};  // shadows take terabytes of addresses
  own.fixed_addresses = sanitizer == Sanitizer::thread;
  const std::string log = options();
  own.variables = {{"LD_PRELOAD", library_of(sanitizer)},
                   {"BENCH_REPORT", begin()},
                   {"ASAN_OPTIONS", log + ":detect_leaks=0:detect_stack_use_after_return=0"},
                   {"UBSAN_OPTIONS", log + ":print_stacktrace=1"},
                   {"TSAN_OPTIONS", log + ":halt_on_error=1:ignore_noninstrumented_modules=1:"
                                          "report_bugs=1:atexit_sleep_ms=0:exitcode=66"}};
  return own;
}

/// Quoted: options are divided by blanks, commas and colons.
std::string Reports::options() const {
  const std::string path = begin();
  const char quote = path.find('\'') == std::string::npos ? '\'' : '"';
  return fmt::format("log_path={0}{1}{0}", quote, path);
}

/// The sanitizer adds the number of the process to the name.
std::string Reports::found() const {
  std::string all;
  for (const auto& entry : fs::directory_iterator(folder_.path)) {
    const std::string extension = entry.path().extension();
    const bool number = extension.find_first_not_of("0123456789", 1) == std::string::npos;
    if (extension.size() > 1 && number) all += whole_file(entry.path());
  }
  return all;
}

Reason Reports::finding(const Problem& problem, const std::vector<std::string>& names,
                        const std::vector<std::string>& files, const Texts& texts) const {
  std::vector<ArraySpec> specs = problem.inputs;
  specs.push_back(problem.output);
  specs.insert(specs.end(), problem.workspace.begin(), problem.workspace.end());
  std::vector<NamedArray> arrays;
  // In the order of the arrays.
  std::istringstream addresses(whole_file(begin() + ".arrays"));
  for (std::string address; std::getline(addresses, address);) {
    const std::size_t i = arrays.size();
    if (i >= specs.size() || i >= names.size()) break;
    arrays.push_back({names[i], static_cast<std::uintptr_t>(std::stoull(address, nullptr, 16)),
                      specs[i].count, specs[i].element_bytes});
  }
  const Reason sentence = explained(found() + said(), files, arrays, texts);
  const std::string thread = whole_file(begin() + ".thread");
  return sentence.empty() || thread.empty() ? sentence
                                            : bench::said<reasons::with_hint>(sentence, thread);
}

std::pair<int, std::string> Reports::apart(const std::vector<std::string>& files) const {
  std::istringstream told(whole_file(begin() + ".apart"));
  int times = 0;
  std::string place;
  std::getline(told >> times, place);
  return {times, line_named(place, files)};
}

std::vector<std::string> arrays_of(std::string_view declarations, const std::string& function) {
  const std::size_t at = declarations.find(fmt::format("void {}(", function));
  if (at == std::string_view::npos) return {};
  const std::size_t open = declarations.find('(', at) + 1;
  return array_names(std::string(declarations.substr(open, declarations.find(')', open) - open)));
}

std::vector<std::string> names_of_files(const std::string& source, const Texts& texts) {
  std::vector<std::string> names{fs::path(source).filename()};
  for (const auto& [name, text] : texts) {
    if (name != names.front()) names.push_back(name);
  }
  return names;
}

std::string misleading(const Texts& texts) {
  for (const auto& [name, text] : texts) {
    for (const char* const word : {"no_sanitize", "__SANITIZE_", "_sanitizer", "__asan_", "__tsan_",
                                   "__CUDACC__", "__NVCC__"}) {
      if (text.find(word) != std::string::npos) return word;
    }
  }
  return {};
}

}  // namespace bench::guests
