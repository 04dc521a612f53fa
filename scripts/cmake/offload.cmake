# The regions of OpenMP on devices (backend target), which gcc makes for GPUs where its compiler for them is installed. Afterwards
# there are bench::offload and bench::no_offload: how files are compiled and programs linked with such regions for a GPU, and for the
# host only. BENCH_WITH_OFFLOAD is set where the compiler makes them and they are wanted. With BENCH_TARGET=ON `bench` has them; with
# tests and without it, only bench_for_offload has.
#
# Not with clang: its regions run in a stream that does not wait for CUDA's default one, in which bench copies and takes the time.
include(CheckCXXSourceCompiles)

option(BENCH_TARGET "The variants by OpenMP's target regions, for a GPU of CUDA" OFF)
set(BENCH_OFFLOAD_ARCHITECTURE 75 CACHE STRING "The compute capability that target regions are compiled for; newer GPUs run them, too")
mark_as_advanced(BENCH_OFFLOAD_ARCHITECTURE)

add_library(bench::no_offload INTERFACE IMPORTED GLOBAL)
set(BENCH_WITH_OFFLOAD OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # It makes them for each device whose compiler is installed, unless it is told.
  target_compile_options(bench::no_offload INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-foffload=disable>)
  target_link_options(bench::no_offload INTERFACE -foffload=disable)
  set(flags -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_${BENCH_OFFLOAD_ARCHITECTURE} -foffload-options=-lm)
  if((BENCH_TARGET OR BENCH_TESTS) AND BENCH_WITH_CUDA)
    if(NOT BENCH_OFFLOAD_WORKS)  # it may have been installed since
      unset(BENCH_OFFLOAD_WORKS CACHE)
    endif()
    list(JOIN flags " " CMAKE_REQUIRED_FLAGS)
    string(PREPEND CMAKE_REQUIRED_FLAGS "${OpenMP_CXX_FLAGS} ")
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
endif()
if(BENCH_TARGET AND NOT BENCH_WITH_OFFLOAD)
  message(FATAL_ERROR "BENCH_TARGET=ON: it takes CUDA, and gcc with its compiler for GPUs (of Debian gcc-offload-nvptx)")
endif()
if(BENCH_WITH_OFFLOAD)
  add_library(bench::offload INTERFACE IMPORTED GLOBAL)
  target_compile_options(bench::offload INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flags}>)
  # The tables of regions are not independent of their position.
  target_link_options(bench::offload INTERFACE ${OpenMP_CXX_FLAGS} ${flags} -no-pie)
endif()
