// What comes before the first line of each file of the user's: calls whose line a complaint names.
#pragma once

#define BENCH_HERE \
  ::bench::cuda::stand_in::Line { __INCLUDE_LEVEL__ == 0 ? nullptr : __FILE__, __LINE__ }

#define cudaMemcpy(...) ::bench_guest::copy(BENCH_HERE, #__VA_ARGS__, __VA_ARGS__)
#define cudaFree(...) ::bench_guest::free_own(BENCH_HERE, #__VA_ARGS__, __VA_ARGS__)
#define cudaMemcpyAsync(...) ::bench_guest::copy_async(BENCH_HERE, #__VA_ARGS__, __VA_ARGS__)

#define BENCH_AT(call) (::bench::cuda::stand_in::at(BENCH_HERE), call)
#define __trap() BENCH_AT(__trap())
#define __syncthreads() BENCH_AT(__syncthreads())
#define __syncthreads_count(...) BENCH_AT(__syncthreads_count(__VA_ARGS__))
#define __syncthreads_and(...) BENCH_AT(__syncthreads_and(__VA_ARGS__))
#define __syncthreads_or(...) BENCH_AT(__syncthreads_or(__VA_ARGS__))
#define __syncwarp(...) BENCH_AT(__syncwarp(__VA_ARGS__))
#define __shfl_sync(...) BENCH_AT(__shfl_sync(__VA_ARGS__))
#define __shfl_up_sync(...) BENCH_AT(__shfl_up_sync(__VA_ARGS__))
#define __shfl_down_sync(...) BENCH_AT(__shfl_down_sync(__VA_ARGS__))
#define __shfl_xor_sync(...) BENCH_AT(__shfl_xor_sync(__VA_ARGS__))
#define __ballot_sync(...) BENCH_AT(__ballot_sync(__VA_ARGS__))
#define __any_sync(...) BENCH_AT(__any_sync(__VA_ARGS__))
#define __all_sync(...) BENCH_AT(__all_sync(__VA_ARGS__))
#define __match_any_sync(...) BENCH_AT(__match_any_sync(__VA_ARGS__))
#define __match_all_sync(...) BENCH_AT(__match_all_sync(__VA_ARGS__))
// HIP's.
#define __shfl(...) BENCH_AT(__shfl(__VA_ARGS__))
#define __shfl_up(...) BENCH_AT(__shfl_up(__VA_ARGS__))
#define __shfl_down(...) BENCH_AT(__shfl_down(__VA_ARGS__))
#define __shfl_xor(...) BENCH_AT(__shfl_xor(__VA_ARGS__))
#define __ballot(...) BENCH_AT(__ballot(__VA_ARGS__))
#define __any(...) BENCH_AT(__any(__VA_ARGS__))
#define __all(...) BENCH_AT(__all(__VA_ARGS__))
