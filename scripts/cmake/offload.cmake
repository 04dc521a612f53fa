# The regions of OpenMP on devices (backend target), which some compilers make for GPUs. Afterwards there are BENCH_WITH_OFFLOAD, and
# bench::offload and bench::no_offload: how files are compiled and programs linked with such regions for a GPU, and for the host only.
include(CheckCXXSourceCompiles)

set(BENCH_TARGET OFF CACHE STRING "Build the variants by OpenMP's target regions: ON, OFF or AUTO (where the compiler can)")
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

add_library(bench::offload INTERFACE IMPORTED GLOBAL)
set(BENCH_WITH_OFFLOAD OFF)
if(BENCH_TARGET AND BENCH_OFFLOAD_FLAGS AND BENCH_WITH_CUDA)
  separate_arguments(flags UNIX_COMMAND "${BENCH_OFFLOAD_FLAGS}")
  # The tables of GNU's regions are not independent of their position.
  set(linked ${OpenMP_CXX_FLAGS} ${flags} $<$<CXX_COMPILER_ID:GNU>:-no-pie>)
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
  target_compile_options(bench::offload INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flags}>)
  target_link_options(bench::offload INTERFACE ${linked})
endif()
if(BENCH_TARGET STREQUAL ON AND NOT BENCH_WITH_OFFLOAD)
  message(FATAL_ERROR "BENCH_TARGET=ON: it takes CUDA, and a compiler that makes target regions for GPUs: "
    "of Debian gcc-12-offload-nvptx. BENCH_OFFLOAD_FLAGS are its options (now '${BENCH_OFFLOAD_FLAGS}').")
endif()
