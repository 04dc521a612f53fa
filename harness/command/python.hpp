// Commands that are written in Python: those of the package bench_hpc, which comes with this
// program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/command/session.hpp"

namespace bench {

/// Its folder in the source tree, or where it was installed with this program; empty where it is
/// not.
std::filesystem::path python_package();

/// True for plot, report and others.
bool is_python_command(const std::string& name);

/// Whether a Python of this node has the packages of `bench report` and `bench plot`.
bool has_python_packages();

/// The words of such a command, which the package reads.
struct PythonRequest {
  std::vector<std::string> unread;
};

void add_options(CLI::App& app, PythonRequest& request);

/// This process becomes `python3 PACKAGE COMMAND…`. Throws UsageError where there is no Python or
/// no package.
[[noreturn]] int execute(const PythonRequest& request, const Session& session);

}  // namespace bench
