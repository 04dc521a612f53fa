// Where threads may run, and what is to be doubted there.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

/// The CPUs that each thread of a parallel region may run on, in the kernel's notation, in the
/// order of the threads.
std::vector<std::string> thread_cpus();

/// Adds a sentence where threads are bound to too few CPUs, where those of a Slurm job are not
/// bound at all, and where tasks of one node share CPUs. Missing facts raise no doubt.
void about_binding(const nlohmann::ordered_json& context, std::vector<std::string>& doubts);

}  // namespace bench
