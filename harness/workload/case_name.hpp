// What identifies a case, and its name.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/names.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// What a sample holds, and for those with the way to a device and back: in which memory of the
/// host the arrays are. `end_to_end` copies from and to pinned memory, `pageable` from and to what
/// programs have that ask for no other; a `mapped` array is read and written in the host's memory,
/// a `managed` one goes where it is used, page by page.
enum class Scope { kernel, end_to_end, pageable, mapped, managed };
template <>
struct NamesOf<Scope> {
  static constexpr std::array<std::pair<Scope, std::string_view>, 5> all{
      {{Scope::kernel, "kernel"},
       {Scope::end_to_end, "end_to_end"},
       {Scope::pageable, "pageable"},
       {Scope::mapped, "mapped"},
       {Scope::managed, "managed"}}};
};

/// The three that differ from `end_to_end` in the host's memory only.
constexpr bool of_other_memory(Scope scope) {
  return scope != Scope::kernel && scope != Scope::end_to_end;
}

enum class CacheMode { cold, hot };
template <>
struct NamesOf<CacheMode> {
  static constexpr std::array<std::pair<CacheMode, std::string_view>, 2> all{
      {{CacheMode::cold, "cold"}, {CacheMode::hot, "hot"}}};
};

/// The group that a reference case is measured with, on its arrays.
struct Beside {
  std::string workload;
  std::string size;

  bool operator==(const Beside&) const = default;
};

/// What the user set away from its default, by name.
using Parameters = std::map<std::string, std::string>;
/// Where several GPUs, or sockets, are in one result file: which of them, and how many were at work
/// at the time.
constexpr const char* device_parameter = "device";
constexpr const char* socket_parameter = "socket";
constexpr const char* together_parameter = "together";

/// workload/backend/variant/dtype/size/scope[,parameter=value…]: what a case is called everywhere.
std::string case_name(const std::string& workload, const std::string& backend,
                      const std::string& variant, Dtype dtype, const std::string& size, Scope scope,
                      Parameters parameters, const std::optional<Beside>& beside);

}  // namespace bench
