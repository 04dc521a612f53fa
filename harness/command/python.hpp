// Commands that are written in Python: those of the package bench_hpc, which comes with this
// program.
#pragma once

#include <filesystem>
#include <string>

namespace bench {

/// Its folder in the source tree, or where it was installed with this program; empty where it is
/// not.
std::filesystem::path python_package();

/// True for plot, report and others.
bool is_python_command(const std::string& name);

/// Whether a Python of this node has the packages of `bench report` and `bench plot`.
bool has_python_packages();

/// This process becomes `python3 PACKAGE COMMAND…`. Throws UsageError where there is no Python or
/// no package.
[[noreturn]] void run_in_python(char** argv);

}  // namespace bench
