// Sources that the program compiles or runs: what goes with user kernels, and what MPI runs.
#pragma once

#include <span>

namespace bench::guests {

/// bench.py, as a program for Python: its argument is the file of the user kernel.
extern const char* const python_module;

/// team_edges.c, which goes with a kernel under ThreadSanitizer.
extern const char* const team_edges;

/// fabric.c, which bench links runs by MPI.
extern const char* const fabric_source;

struct EmbeddedFile {
  const char* path;  ///< from the project's root, as it is included
  const char* text;
};

/// What a CUDA file is compiled with: the folder device/, and the CUDA runtime on the CPU.
std::span<const EmbeddedFile> device_files();

}  // namespace bench::guests
