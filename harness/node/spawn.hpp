// Another program, in a process of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// Starts a program as the user's shell would: it finds neither the CPUs to which this process has
/// bound itself, nor the variables that settle_environment() has set, nor signals that wait. It
/// reads nothing, and writes to these files. `cpus`: the ones that it may use; empty: those of this
/// process. Throws std::runtime_error.
pid_t spawn(const std::filesystem::path& program, std::vector<std::string> words,
            const std::string& output, const std::string& messages,
            const std::vector<int>& cpus = {});

}  // namespace bench
