#include "harness/node/energy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <system_error>

#include "harness/base/reasons.hpp"
#include "harness/node/text_file.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The zones with this number of colons: `intel-rapl:0` is a socket, `intel-rapl:0:1` a part of it.
/// AMD's are called the same. Other kinds (`intel-rapl-mmio`) are the same sockets again.
std::vector<SocketEnergy::Zone> zones(const Host& host, std::ptrdiff_t colons) {
  std::vector<SocketEnergy::Zone> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(host.root / "sys/class/powercap", error)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with("intel-rapl:")) continue;
    if (std::count(file.begin(), file.end(), ':') != colons) continue;
    found.push_back({entry.path(), text_in(entry.path() / "name").value_or("")});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.folder < b.folder; });
  return found;
}

/// The 1 of `package-1` and of `package-1-die-0`.
std::optional<int> socket_of(const SocketEnergy::Zone& zone) {
  constexpr std::string_view package = "package-";
  if (!zone.name.starts_with(package)) return {};
  const std::string rest = zone.name.substr(package.size());
  return number<int>(rest.substr(0, rest.find('-')));
}

/// The sockets that have some of these CPUs.
std::vector<Topology::Socket> sockets_with(const Topology& topology, const std::vector<int>& cpus) {
  std::vector<Topology::Socket> ours = topology.sockets;
  std::erase_if(ours, [&](const Topology::Socket& socket) {
    return std::none_of(cpus.begin(), cpus.end(), [&](int cpu) {
      return std::binary_search(socket.cpus.begin(), socket.cpus.end(), cpu);
    });
  });
  return ours;
}

/// The work of other processes on a socket is counted as well: this process must have all of its
/// cores. One thread of each is enough: schedulers give whole cores.
Reason shared_with_others(const Topology& topology, const std::vector<int>& cpus,
                          const std::vector<Topology::Socket>& sockets) {
  std::size_t all = 0;
  for (const Topology::Socket& socket : sockets) all += cores_of(topology, socket.cpus);
  const std::size_t ours = cores_of(topology, cpus);
  if (ours >= all) return {};
  return said<reasons::rapl_shared>(ours, all);
}

bool forbidden(const fs::path& file) {
  errno = 0;
  return !std::ifstream(file).is_open() && (errno == EACCES || errno == EPERM);
}

}  // namespace

SocketEnergy::SocketEnergy(const Host& host) {
  find(host);
  if (!reason_.empty()) counters_.clear();
}

std::string SocketEnergy::of() const {
  if (counters_.empty()) return {};
  return with_memory_ ? "package+dram" : "package";
}

void SocketEnergy::find(const Host& host) {
  const std::vector<Zone> packages = zones(host, 1);
  const std::vector<int> cpus = host.cpus();
  const Topology topology = host.topology();
  const auto sockets = sockets_with(topology, cpus);
  if (packages.empty()) {
    reason_ = said<reasons::no_rapl>();
  } else {
    reason_ = shared_with_others(topology, cpus, sockets);
  }
  if (!reason_.empty()) return;
  const std::vector<fs::path> ours = add_packages(packages, sockets);
  if (reason_.empty()) add_memory(zones(host, 2), ours);
}

/// The folders of this process's sockets.
std::vector<fs::path> SocketEnergy::add_packages(const std::vector<Zone>& packages,
                                                 const std::vector<Topology::Socket>& sockets) {
  std::vector<fs::path> ours;
  for (const Topology::Socket& socket : sockets) {
    const std::size_t before = ours.size();
    for (const Zone& zone : packages) {
      if (socket_of(zone) == socket.number && add(zone.folder)) ours.push_back(zone.folder);
    }
    if (ours.size() > before) continue;
    // What is there and cannot be read has said so.
    if (reason_.empty()) reason_ = said<reasons::rapl_of_others>();
  }
  if (sockets.empty()) reason_ = said<reasons::rapl_of_others>();
  return ours;
}

/// Adds the memory of all sockets; that of some only would not be a sum of anything.
void SocketEnergy::add_memory(const std::vector<Zone>& parts, const std::vector<fs::path>& ours) {
  const std::size_t packages = counters_.size();
  for (const Zone& zone : parts) {
    const bool of_ours = std::any_of(ours.begin(), ours.end(), [&](const fs::path& package) {
      return zone.folder.string().starts_with(package.string() + ":");
    });
    if (of_ours && zone.name == "dram") add(zone.folder);
  }
  with_memory_ = counters_.size() == 2 * packages;
  if (!with_memory_) counters_.resize(packages);
  reason_ = {};
}

bool SocketEnergy::add(const fs::path& zone) {
  Counter counter{zone / "energy_uj",
                  number<std::uint64_t>(text_in(zone / "max_energy_range_uj")).value_or(0),
                  {},
                  0};
  if (forbidden(counter.file)) reason_ = said<reasons::only_root_reads_rapl>();
  if (!counter.read_on()) return false;
  counters_.push_back(std::move(counter));
  return true;
}

/// Adds what has come since the last reading.
bool SocketEnergy::Counter::read_on() {
  const auto now = number<std::uint64_t>(text_in(file));
  if (!now) return false;
  const std::uint64_t before = last.value_or(*now);
  const bool round = *now < before;
  if (round && before > range) return false;  // it reports no possible range
  microjoules += static_cast<double>(round ? range - before + *now : *now - before);
  last = now;
  return true;
}

std::optional<double> SocketEnergy::joules() {
  double microjoules = 0;
  for (Counter& counter : counters_) {
    if (!counter.read_on()) return {};
    microjoules += counter.microjoules;
  }
  return counters_.empty() ? std::nullopt : std::optional(microjoules * 1e-6);
}

}  // namespace bench
