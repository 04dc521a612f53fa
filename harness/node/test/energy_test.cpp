#include "harness/node/energy.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "harness/node/test/node.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

constexpr const char* powercap = "sys/class/powercap/";
constexpr std::uint64_t range = 262'143'328'850;  // of a real one

/// A zone as the kernel shows it.
void put_zone(Node& node, const std::string& zone, const std::string& name,
              std::uint64_t microjoules) {
  node.put(powercap + zone + "/name", name + "\n");
  node.put(powercap + zone + "/energy_uj", std::to_string(microjoules) + "\n");
  node.put(powercap + zone + "/max_energy_range_uj", std::to_string(range) + "\n");
}

void set(Node& node, const std::string& zone, const std::string& microjoules) {
  node.put(powercap + zone + "/energy_uj", microjoules + "\n");
}

/// Two sockets of two cores, their memory, and what else there is in such a folder.
void make_zones(Node& node) {
  make_two_sockets(node);
  put_zone(node, "intel-rapl:0", "package-0", 1'000'000);
  put_zone(node, "intel-rapl:0:0", "core", 600'000);
  put_zone(node, "intel-rapl:0:1", "dram", 200'000);
  put_zone(node, "intel-rapl:1", "package-1", 5'000'000);
  put_zone(node, "intel-rapl:1:0", "dram", 300'000);
  put_zone(node, "intel-rapl:2", "psys", 9'000'000);
  put_zone(node, "intel-rapl-mmio:0", "package-0", 1'000'000);
  node.put(std::string(powercap) + "intel-rapl/enabled", "1\n");
}

class Energy : public testing::Test {
 protected:
  Energy() {
    make_zones(node);
    node.allow({0, 1, 4, 5});
  }
  [[nodiscard]] std::string reason() const { return SocketEnergy(node.host()).reason().text; }

  Node node;
};

TEST_F(Energy, IsThatOfOurSocketAndItsMemory) {
  SocketEnergy energy(node.host());
  ASSERT_EQ(energy.reason(), "");
  EXPECT_EQ(energy.of(), "package+dram");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 0);
  set(node, "intel-rapl:0", "3000000");
  set(node, "intel-rapl:0:0", "2000000");  // within the package
  set(node, "intel-rapl:0:1", "700000");
  set(node, "intel-rapl:1", "99000000");  // not ours
  set(node, "intel-rapl:2", "99000000");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 2.5);
  EXPECT_DOUBLE_EQ(energy.joules().value(), 2.5);
}

TEST_F(Energy, IsTheSumOfSeveralSockets) {
  node.allow({0, 1, 2, 3});  // a thread of each core
  SocketEnergy energy(node.host());
  ASSERT_EQ(energy.reason(), "");
  set(node, "intel-rapl:0", "2000000");
  set(node, "intel-rapl:1", "8000000");
  set(node, "intel-rapl:1:0", "800000");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 1 + 3 + 0.5);
}

TEST_F(Energy, CountersGoRound) {
  set(node, "intel-rapl:0", std::to_string(range - 400'000));
  SocketEnergy energy(node.host());
  set(node, "intel-rapl:0", "600000");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 1);
  set(node, "intel-rapl:0", "700000");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 1.1);
}

TEST_F(Energy, ACounterThatSaysNoRangeHasNoNumberOnceItGoesRound) {
  node.put(std::string(powercap) + "intel-rapl:0/max_energy_range_uj", "rubbish\n");
  SocketEnergy energy(node.host());
  EXPECT_TRUE(energy.joules());
  set(node, "intel-rapl:0", "10");
  EXPECT_FALSE(energy.joules());
}

TEST_F(Energy, MemoryOfSomeSocketsOnlyIsLeftOut) {
  node.allow({0, 1, 2, 3});
  std::filesystem::remove_all(node.root() / powercap / "intel-rapl:1:0");
  SocketEnergy energy(node.host());
  EXPECT_EQ(energy.of(), "package");
  set(node, "intel-rapl:0:1", "900000");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 0);
}

TEST_F(Energy, DiesOfASocketAreAdded) {
  std::filesystem::remove_all(node.root() / "sys/class/powercap");
  put_zone(node, "intel-rapl:0", "package-0-die-0", 0);
  put_zone(node, "intel-rapl:1", "package-0-die-1", 0);
  SocketEnergy energy(node.host());
  EXPECT_EQ(energy.of(), "package");
  set(node, "intel-rapl:0", "1000000");
  set(node, "intel-rapl:1", "2000000");
  EXPECT_DOUBLE_EQ(energy.joules().value(), 3);
}

TEST_F(Energy, ASocketThatOthersShareHasNoNumber) {
  node.allow({0, 4});
  EXPECT_EQ(reason(),
            "this process has 1 of 2 cores, and RAPL counts whole sockets: ask for the node alone "
            "(--exclusive) and for all of its cpus");
  SocketEnergy energy(node.host());
  EXPECT_EQ(energy.of(), "");
  EXPECT_FALSE(energy.joules());
}

TEST_F(Energy, NothingIsKnownOfSocketsThatAreNotThere) {
  std::filesystem::remove_all(node.root() / powercap / "intel-rapl:0");
  EXPECT_EQ(reason(), "RAPL does not cover the sockets that this process runs on");
  node.allow({});
  EXPECT_EQ(reason(), "RAPL does not cover the sockets that this process runs on");
}

TEST_F(Energy, NoPowercapIsNoEnergy) {
  std::filesystem::remove_all(node.root() / "sys/class/powercap");
  expect_contains(reason(), "no RAPL energy counters");
  put_zone(node, "intel-rapl-mmio:0", "package-0", 1);
  expect_contains(reason(), "no RAPL");
}

/// Whom no file keeps out is somebody else meanwhile.
class AsNobody {
 public:
  AsNobody() : before_(geteuid()) {
    if (before_ == 0) changed_ = seteuid(65534) == 0;
  }
  ~AsNobody() {
    if (changed_) seteuid(before_);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  uid_t before_;
  bool changed_ = false;
};

TEST_F(Energy, WhatOnlyRootMayReadIsSaidWithTheRemedy) {
  const auto folder = node.root() / powercap;
  chmod(node.root().c_str(), 0755);
  chmod((folder / "intel-rapl:0/energy_uj").c_str(), 0000);
  Host host = node.host();
  host.topology = [known = node.topology()] { return known; };
  const AsNobody nobody;
  EXPECT_EQ(SocketEnergy(host).reason(),
            "only root may read RAPL here: ask the administrators to let users read energy_uj "
            "(chmod a+r)");
}

TEST_F(Energy, MemoryThatOnlyRootMayReadIsLeftOut) {
  chmod(node.root().c_str(), 0755);
  chmod((node.root() / powercap / "intel-rapl:0:1/energy_uj").c_str(), 0000);
  Host host = node.host();
  host.topology = [known = node.topology()] { return known; };
  const AsNobody nobody;
  const SocketEnergy energy(host);
  EXPECT_EQ(energy.reason(), "");
  EXPECT_EQ(energy.of(), "package");
}

TEST_F(Energy, RubbishIsNoNumber) {
  for (const char* rubbish : {"", "-1", "nan", "1e99", "99999999999999999999999999"}) {
    set(node, "intel-rapl:0", rubbish);
    EXPECT_NE(reason(), "") << rubbish;
  }
}

}  // namespace
}  // namespace bench::test
