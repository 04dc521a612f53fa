// A node made of files in a folder of its own, with an environment and CPUs to go with it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/node/host.hpp"
#include "harness/test/support.hpp"

namespace bench::test {

/// Sets one of hwloc's variables while it lives.
class WithVariable {
 public:
  WithVariable(const char* name, const std::string& value) : name_(name) {
    setenv("HWLOC_HIDE_ERRORS", "2", 1);  // it complains about rubbish on stderr
    setenv(name, value.c_str(), 1);
  }
  ~WithVariable() { unsetenv(name_); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  const char* name_;
};

/// What hwloc finds where its variable of this name has this value: HWLOC_FSROOT a folder,
/// HWLOC_SYNTHETIC a description.
inline Topology topology_by(const char* variable, const std::string& value) {
  const WithVariable set(variable, value);
  return read_topology();
}

/// CPUs as the kernel's masks have them: "0-3,32" is "00000001,0000000f".
inline std::string mask(const std::string& list) {
  std::vector<unsigned> words(1);
  for (const int cpu : cpus_in(list)) {
    const auto word = static_cast<std::size_t>(cpu / 32);
    words.resize(std::max(words.size(), word + 1));
    words[word] |= 1U << (static_cast<unsigned>(cpu) % 32U);
  }
  std::string text;
  for (const unsigned word : words) text = fmt::format("{:08x},", word) + text;
  return text.substr(0, text.size() - 1) + "\n";
}

class Node {
 public:
  void put(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << text;
  }
  void put_cpu(int cpu, const std::string& file, const std::string& text) {
    put("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/" + file, text);
  }
  /// `socket_cpus` and `core_cpus`: those in the same socket or core.
  void put_core(int cpu, const std::string& core_cpus, int socket, const std::string& socket_cpus) {
    put_cpu(cpu, "topology/core_cpus", mask(core_cpus));
    put_cpu(cpu, "topology/package_cpus", mask(socket_cpus));
    put_cpu(cpu, "topology/physical_package_id", std::to_string(socket) + "\n");
  }
  void put_cache(int cpu, const Cache& cache, const std::string& shared) {
    const std::string folder = "cache/index" + std::to_string(caches_of_[cpu]++) + "/";
    put_cpu(cpu, folder + "level", std::to_string(cache.level) + "\n");
    put_cpu(cpu, folder + "type", cache.type + "\n");
    put_cpu(cpu, folder + "size", std::to_string(cache.bytes / 1024) + "K\n");
    put_cpu(cpu, folder + "shared_cpu_map", mask(shared));
  }
  void put_memory(int node, const std::string& cpus, std::size_t kilobytes) {
    const std::string folder = fmt::format("sys/devices/system/node/node{}/", node);
    put(folder + "cpumap", mask(cpus));
    put(folder + "meminfo", fmt::format("\nNode {} MemTotal:     {} kB\n", node, kilobytes));
  }
  void set(const std::string& name, const std::string& value) { variables_[name] = value; }
  void allow(std::vector<int> cpus) { cpus_ = std::move(cpus); }
  void limit(int resource, std::size_t bytes) { limits_[resource] = bytes; }

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] Topology topology() const { return topology_by("HWLOC_FSROOT", root_); }
  [[nodiscard]] Host host() const {
    return {root_,
            [this](const char* name) {
              const auto found = variables_.find(name);
              return found == variables_.end() ? nullptr : found->second.c_str();
            },
            [this] {
              std::vector<std::string> names;
              for (const auto& [name, value] : variables_) names.push_back(name);
              return names;
            },
            [this] { return cpus_; },
            [this] { return topology(); },
            [this](int resource) {
              const auto found = limits_.find(resource);
              return found == limits_.end() ? std::nullopt : std::optional(found->second);
            }};
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path root_ = folder_ / "";
  std::map<int, int> caches_of_;
  std::map<std::string, std::string> variables_;
  std::map<int, std::size_t> limits_;
  std::vector<int> cpus_;
};

/// Two sockets of two cores of two threads; core c has the threads c and c + 4.
inline void make_two_sockets(Node& node) {
  node.put("sys/devices/system/cpu/online", "0-7\n");
  for (int cpu = 0; cpu < 8; ++cpu) {
    const int core = cpu % 4;
    const std::string threads = std::to_string(core) + "," + std::to_string(core + 4);
    const std::string socket = core < 2 ? "0-1,4-5" : "2-3,6-7";
    node.put_core(cpu, threads, core < 2 ? 0 : 1, socket);
    node.put_cache(cpu, {1, "Data", 48 << 10, 0, 0}, threads);
    node.put_cache(cpu, {1, "Instruction", 32 << 10, 0, 0}, threads);
    node.put_cache(cpu, {2, "Unified", 2 << 20, 0, 0}, threads);
    node.put_cache(cpu, {3, "Unified", 60 << 20, 0, 0}, socket);
  }
  node.put_memory(0, "0-1,4-5", 1 << 20);
  node.put_memory(1, "2-3,6-7", 1 << 20);
  node.put_memory(2, "", 0);
}

}  // namespace bench::test
