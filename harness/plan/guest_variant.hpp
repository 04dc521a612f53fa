// A variant that is not in the registry: a program outside of this one computes it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/arrays/memory.hpp"
#include "harness/base/reason.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

class HostArrays;
class Place;
struct Case;
struct Settings;

/// Where a case is run that this process cannot run, on the arrays of its group.
using MakePlace =
    std::function<std::unique_ptr<Place>(const Case&, const Settings&, HostArrays& arrays)>;

/// What is found where somebody looks at a case more closely than a run does.
struct Examined {
  Reason fault;            ///< what is wrong with it, or, where it has failed, why; empty: nothing
  Reason unchecked;        ///< what could not be looked at, and why; empty: nothing
  bool undecided = false;  ///< that may be wrong: it was tried, and gave no answer
};
/// A look at a case for a price that is not to be paid while others are timed.
using Examine = std::function<Examined(const Case&)>;

/// A loop that the compiler made no vectors of.
struct ScalarLoop {
  int line = 0;
  std::optional<std::string> calls;  ///< a function of the mathematical library, which has none

  bool operator==(const ScalarLoop&) const = default;
};

/// What takes long, as the text of a kernel shows.
enum class Slows { computes_in_double, waits_in_loop, starts_threads_in_loop, allocates };
template <>
struct NamesOf<Slows> {
  static constexpr std::array<std::pair<Slows, std::string_view>, 4> all{
      {{Slows::computes_in_double, "computes_in_double"},
       {Slows::waits_in_loop, "waits_in_loop"},
       {Slows::starts_threads_in_loop, "starts_threads_in_loop"},
       {Slows::allocates, "allocates"}}};
};
struct SlowLine {
  Slows what = Slows::computes_in_double;
  int line = 0;

  bool operator==(const SlowLine&) const = default;
};

/// A user kernel's file, as result files name it.
struct GuestFile {
  std::string path;
  std::string hash;                               ///< XXH3-64 of its bytes
  std::string command;                            ///< that compiled it, or that runs it
  std::optional<std::string> warning{};           ///< the compiler's first of it
  std::optional<ScalarLoop> scalar_loop{};        ///< that runs most, as far as is known
  std::vector<SlowLine> slow_lines{};             ///< one of a kind
  std::map<std::string, std::string> packages{};  ///< what it computes with: name, version
  std::string code_hash{};  ///< XXH3-64 of its code without layout (layout.hpp); empty: it has none

  bool operator==(const GuestFile&) const = default;
};

/// What foreign code is kept from where it is graded, in words, and from what the kernel here
/// cannot keep it.
struct Forbidden {
  std::vector<std::string> forbids;
  std::vector<std::string> lacks;
};

struct GuestVariant {
  std::string workload;
  std::string backend;
  std::string variant;
  std::string idea;
  std::vector<Dtype> dtypes;             ///< empty: those of the workload
  bool alone = false;                    ///< it uses one thread, whatever the job has
  bool device = false;                   ///< it computes on a GPU, in both scopes
  bool own_numbers = false;              ///< as in Arrays; not of a user's files
  std::size_t most_elements = any_size;  ///< as in Variant
  Reason fault;                          ///< why there is nothing to run, if so: it fails
  Reason obstacle;                       ///< why it cannot run here, if so: it is skipped
  Reason checked;                        ///< how it was found right without a time, if so
  MakePlace place{};
  Examine examine{};        ///< null: nobody can
  Allocate shared_pages{};  ///< for arrays that it sees, too
  GuestFile file{};
};

}  // namespace bench
