# The instruction sets that ladder files are compiled for (tags of isa.hpp) and their flags.
set(BENCH_ISAS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND BENCH_ISAS avx2 avx512)
endif()
set(BENCH_FLAGS_baseline "")
set(BENCH_FLAGS_avx2 -march=x86-64-v3)
set(BENCH_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
