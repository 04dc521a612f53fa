// A variant that is not in the registry: a program outside of this one computes it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/place/memory.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

class HostArrays;
class Place;
struct Case;
struct Settings;

/// Where a case is run that this process cannot run, on the arrays of its group.
using MakePlace =
    std::function<std::unique_ptr<Place>(const Case&, const Settings&, HostArrays& arrays)>;

/// A file of somebody else's, as documents name it.
struct GuestFile {
  std::string path;
  std::string hash;                               ///< XXH3-64 of its bytes
  std::string command;                            ///< that compiled it, or that runs it
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
  std::size_t most_elements = any_size;  ///< as in Variant
  std::string fault;                     ///< why there is nothing to run, if so: it fails
  std::string obstacle;                  ///< why it cannot run here, if so: it is skipped
  std::string checked;                   ///< how it was found right without a time, if so
  MakePlace place{};
  Allocate shared_pages{};  ///< for arrays that it sees, too
  GuestFile file{};
};

}  // namespace bench
