#include "harness/guests/watched.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace bench::guests {
namespace {

constexpr const char* report_variable = "BENCH_REPORT";

/// Calls what AddressSanitizer has for that, where it is here.
void tell_sanitizer(const char* function, const void* begin, std::size_t bytes) {
  using Call = void(const void*, std::size_t);
  if (auto* const call = reinterpret_cast<Call*>(dlsym(RTLD_DEFAULT, function)); call != nullptr) {
    call(begin, bytes);
  }
}

}  // namespace

bool is_watched() { return std::getenv(report_variable) != nullptr; }

void keep_stderr() {
  const std::string file = std::string(std::getenv(report_variable)) + ".said";
  const int said = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (said >= 0) dup2(said, STDERR_FILENO);
}

Watched::Watched(const Arrays& arrays, const std::vector<std::size_t>& bytes, std::size_t around) {
  std::vector<const void*> begins(arrays.inputs.begin(), arrays.inputs.end());
  begins.push_back(arrays.result);
  begins.insert(begins.end(), arrays.workspace.begin(), arrays.workspace.end());
  std::ofstream told(std::string(std::getenv(report_variable)) + ".arrays");
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const auto* const begin = static_cast<const unsigned char*>(begins[i]);
    told << fmt::format("{:#x}\n", reinterpret_cast<std::uintptr_t>(begin));
    all_.push_back({begin - around, bytes[i] + 2 * around});
    for (const unsigned char* const side : {begin - around, begin + bytes[i]}) {
      tell_sanitizer("__asan_poison_memory_region", side, around);
    }
  }
}

/// Others may be mapped there.
Watched::~Watched() {
  for (const Range& one : all_) {
    tell_sanitizer("__asan_unpoison_memory_region", one.begin, one.bytes);
  }
}

}  // namespace bench::guests
