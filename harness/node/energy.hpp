// What the processors have taken, as far as the kernel reports it: RAPL, through powercap.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/node/host.hpp"

namespace bench {

/// The energy of the sockets that this process has for itself: all of what they and, where they
/// report it, their memory take, at work or idle.
class SocketEnergy {
 public:
  /// A zone of powercap, and what it is called there: `package-0`, `dram`.
  struct Zone {
    std::filesystem::path folder;
    std::string name;
  };

  /// Never fails: see reason().
  explicit SocketEnergy(const Host& host = {});

  /// Empty, or why there is no number, in a sentence with its remedy.
  const Reason& reason() const { return reason_; }
  /// `package` or `package+dram`; empty where there is no number.
  std::string of() const;
  /// Joules since any beginning; nothing where they cannot be read. The counters go round after
  /// some minutes at full load: two readings that are compared are less than that apart.
  std::optional<double> joules();

 private:
  struct Counter {
    std::filesystem::path file;
    std::uint64_t range = 0;  ///< microjoules; what follows it is 0
    std::optional<std::uint64_t> last;
    double microjoules = 0;

    bool read_on();
  };

  void find(const Host& host);
  std::vector<std::filesystem::path> add_packages(const std::vector<Zone>& packages,
                                                  const std::vector<Topology::Socket>& sockets);
  void add_memory(const std::vector<Zone>& parts, const std::vector<std::filesystem::path>& ours);
  bool add(const std::filesystem::path& zone);

  std::vector<Counter> counters_;
  bool with_memory_ = false;
  Reason reason_;
};

}  // namespace bench
