// What a shared object with CUDA kernels brings along for its host, which knows nothing of CUDA.
#pragma once

#include <stddef.h>

/// How many bytes of an output are looked at behind a hold.
#define BENCH_MOST_SEEN 4096

/// Each function returns nothing, or what went wrong.
struct BenchDevice {
  /// 1: what is written behind an array has to be looked for; 0: that is stopped when it happens.
  size_t guarded;
  /// Uses the device of that number, modulo how many there are.
  const char* (*select)(int number);
  const char* (*allocate)(void** memory, size_t bytes);
  /// What allocate() and pin() return where nothing is wrong but that there is no room.
  const char* (*no_room)(void);
  const char* (*release)(void* memory);
  /// Copies from and to this memory of the host need no other on their way.
  const char* (*pin)(void* memory, size_t bytes);
  const char* (*unpin)(void* memory);
  const char* (*upload)(void* to, const void* from, size_t bytes);
  const char* (*download)(void* to, const void* from, size_t bytes);
  /// Queued: the device's cache holds something else.
  const char* (*empty_cache)(void);
  /// What is launched from here on waits for end(), but not for ever: a function may itself wait
  /// for what it has launched, and the hold lapses after 20 million cycles, 10 ms at 2 GHz. 0:
  /// nothing waits, since launches return with their kernels only, or no memory is shared.
  int (*hold)(void);
  /// Whether the last one did.
  int (*lapsed)(void);
  /// Remembers up to BENCH_MOST_SEEN bytes of the device as the default stream finds them when it
  /// gets there; brings them to the host.
  const char* (*see)(const void* memory, size_t bytes);
  const char* (*seen)(void* host, size_t bytes);
  /// Starts the device's clock, which runs until end() has waited for everything.
  const char* (*begin)(void);
  const char* (*end)(double* seconds);
  const char* (*wait)(void);
};

extern "C" const BenchDevice bench_device;
