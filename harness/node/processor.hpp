// The processor: which one, what it can do, and how fast its clock may go. Nothing where unknown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/node/host.hpp"
#include "harness/node/machine.hpp"
#include "harness/node/text_file.hpp"

namespace bench {

/// What /proc/cpuinfo says of the first CPU, which stands for all.
Text first_cpu(const Host& host);

// `cpu` is that text.

/// Adds `cpu_model`, `cpu_vendor` and `microcode`.
void add_cpu_model(Machine& machine, const Text& cpu);

/// The instruction sets that make a difference to the workloads, of those that the CPU has.
std::vector<std::string> isa_flags(const Text& cpu);

/// Its name if the kernel reports it; else whether there is one, which only x86 CPUs report.
Json hypervisor(const Host& host, const Text& cpu);

/// The governor of the allowed CPUs, "mixed: a,b" where they differ.
Text governor(const Host& host);

/// The limits in force over the allowed CPUs, and the present frequency of the first of them.
Frequency frequency(const Host& host, const Text& cpu);

/// Whether the clock may exceed the nominal frequency.
std::optional<bool> boost(const Host& host);

}  // namespace bench
