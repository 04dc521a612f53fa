// The CUDA runtime: the real one in builds with CUDA, otherwise one that runs kernels on the CPU.
#pragma once

#if defined(BENCH_WITH_CUDA)
#include <cuda_runtime.h>
#else
#include "harness/cuda/stand_in/cuda_runtime.hpp"
#endif
