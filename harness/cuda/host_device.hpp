// Before a function that ladders of the CPU and of a GPU share.
#pragma once

#if defined(__CUDACC__)
#define BENCH_HOST_DEVICE __host__ __device__
#elif defined(__HIP__)
#define BENCH_HOST_DEVICE __attribute__((host, device))
#else
#define BENCH_HOST_DEVICE
#endif
