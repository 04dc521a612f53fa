// What sanitizers say of a kernel, in one sentence for its author.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/guests/read_files.hpp"

namespace bench::guests {

/// An array that the kernel was given.
struct NamedArray {
  std::string name;
  std::uintptr_t begin = 0;
  std::size_t count = 0;
  std::size_t element_bytes = 0;
};

/// `report`: of AddressSanitizer, UndefinedBehaviorSanitizer or ThreadSanitizer; `files`: the
/// user's and its headers, as they are named there; `texts`: what is in them. Empty where nothing
/// was found in it.
Reason explained(const std::string& report, const std::vector<std::string>& files,
                 const std::vector<NamedArray>& arrays, const Texts& texts = {});

/// `mine.cu:9`, of the user's `files` the line that a place in code is in; empty where it is in no
/// such file.
std::string line_named(const std::string& place, const std::vector<std::string>& files);

/// The lines that race in what ThreadSanitizer has reported of threads on the host, but where each
/// writes how many they are; empty where none do.
Reason race_in(const std::string& reports, const std::vector<std::string>& files,
               const Texts& texts);

/// `line 6: assertion n > 0 failed`, of what the C library says then; empty of all else.
Reason asserted(const std::string& said, const std::vector<std::string>& files);

/// The names of the pointers among a function's parameters, the one that is written after those
/// that are only read.
std::vector<std::string> array_names(const std::string& parameters);

}  // namespace bench::guests
