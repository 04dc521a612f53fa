# The regions of OpenMP on devices (backend target), which some compilers make for GPUs. Afterwards there are bench::offload and
# bench::no_offload: how files are compiled and programs linked with such regions for a GPU, and for the host only. BENCH_WITH_OFFLOAD
# is set where a compiler makes them and they are wanted: with BENCH_TARGET=ON `bench` has them; with tests and without it, only
# bench_for_offload has.
include(CheckCXXSourceCompiles)

option(BENCH_TARGET "The variants by OpenMP's target regions, for a GPU of CUDA" OFF)
set(offload_of_GNU "-foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_75 -foffload-options=-lm")
set(offload_of_Clang "-fopenmp-targets=nvptx64-nvidia-cuda")
set(offload_of_NVHPC "-mp=gpu")
set(BENCH_OFFLOAD_FLAGS "${offload_of_${CMAKE_CXX_COMPILER_ID}}" CACHE STRING "How the compiler makes target regions for a GPU")
mark_as_advanced(BENCH_OFFLOAD_FLAGS)

add_library(bench::no_offload INTERFACE IMPORTED GLOBAL)
# GNU's makes them for each device whose compiler is installed, unless it is told.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(bench::no_offload INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-foffload=disable>)
  target_link_options(bench::no_offload INTERFACE -foffload=disable)
endif()

set(BENCH_WITH_OFFLOAD OFF)
if((BENCH_TARGET OR BENCH_TESTS) AND BENCH_WITH_CUDA AND BENCH_OFFLOAD_FLAGS)
  set(CMAKE_REQUIRED_FLAGS "${OpenMP_CXX_FLAGS} ${BENCH_OFFLOAD_FLAGS}")
  check_cxx_source_compiles("#include <cmath>
    int main() {
      float x = 1;
      #pragma omp target map(tofrom : x)
      x = std::hypot(x, x);
      return x > 1 ? 0 : 1;
    }" BENCH_OFFLOAD_WORKS)
  unset(CMAKE_REQUIRED_FLAGS)
  set(BENCH_WITH_OFFLOAD ${BENCH_OFFLOAD_WORKS})
endif()
if(BENCH_TARGET AND NOT BENCH_WITH_OFFLOAD)
  message(FATAL_ERROR "BENCH_TARGET=ON: it takes CUDA, and a compiler that makes target regions for GPUs: "
    "of Debian gcc-offload-nvptx. BENCH_OFFLOAD_FLAGS are its options (now '${BENCH_OFFLOAD_FLAGS}').")
endif()
if(BENCH_WITH_OFFLOAD)
  separate_arguments(flags UNIX_COMMAND "${BENCH_OFFLOAD_FLAGS}")
  add_library(bench::offload INTERFACE IMPORTED GLOBAL)
  target_compile_options(bench::offload INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flags}>)
  # The tables of GNU's regions are not independent of their position.
  target_link_options(bench::offload INTERFACE ${OpenMP_CXX_FLAGS} ${flags} $<$<CXX_COMPILER_ID:GNU>:-no-pie>)
endif()
