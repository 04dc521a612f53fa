#include "harness/node/hardware.hpp"

#include <gtest/gtest.h>

#include "harness/node/test/node.hpp"

namespace bench::test {
namespace {

Machine with_hardware(const Node& node) {
  Machine machine;
  add_hardware(machine, node.host());
  return machine;
}

TEST(Hardware, ReadsBoardModulesAndSensors) {
  Node node;
  node.allow({0, 1});
  node.put("sys/class/dmi/id/bios_version", "2.1.5\n");
  node.put("sys/class/dmi/id/bios_date", "03/14/2026\n");
  for (const int controller : {0, 1}) {
    const std::string folder = fmt::format("sys/devices/system/edac/mc/mc{}/", controller);
    node.put(folder + "ce_count", "3\n");
    node.put(folder + "ue_count", "0\n");
    for (const int module : {0, 1, 2}) {
      const std::string dimm = fmt::format("{}dimm{}/", folder, module);
      node.put(dimm + "size", module == 2 ? "0\n" : "32768\n");
      node.put(dimm + "dimm_mem_type", "Registered-DDR5\n");
    }
  }
  node.put("sys/class/hwmon/hwmon0/name", "nvme\n");
  node.put("sys/class/hwmon/hwmon0/temp1_input", "91000\n");
  node.put("sys/class/hwmon/hwmon1/name", "coretemp\n");
  node.put("sys/class/hwmon/hwmon1/temp1_input", "61000\n");
  node.put("sys/class/hwmon/hwmon1/temp2_input", "63500\n");
  node.put("sys/class/hwmon/hwmon1/temp2_crit", "100000\n");
  node.put_cpu(0, "thermal_throttle/core_throttle_count", "7\n");
  node.put_cpu(1, "thermal_throttle/core_throttle_count", "2\n");
  const Machine found = with_hardware(node);
  EXPECT_EQ(found.bios, "2.1.5 (03/14/2026)");
  EXPECT_EQ(found.dimms, "4 x 32768 MB Registered-DDR5");
  EXPECT_EQ(found.memory_errors.corrected, 6U);
  EXPECT_EQ(found.memory_errors.uncorrected, 0U);
  EXPECT_EQ(found.temperature_c, 63.5);
  EXPECT_EQ(found.throttle_events, 9U);
}

TEST(Hardware, OfAVirtualMachineNothingIsKnown) {
  const Machine found = with_hardware(Node());
  EXPECT_EQ(found.bios, Text());
  EXPECT_EQ(found.dimms, Text());
  EXPECT_FALSE(found.memory_errors.uncorrected);
  EXPECT_FALSE(found.temperature_c);
  EXPECT_FALSE(found.throttle_events);
}

}  // namespace
}  // namespace bench::test
