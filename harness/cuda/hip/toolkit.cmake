# AMD's compiler for CUDA's language. Sets BENCH_WITH_HIP where it is there and wanted: with BENCH_HIP=ON `bench` is a program for
# AMD's GPUs; with tests and without it, only bench_for_hip is, which a test builds.
#
# By hipcc itself and not by CMake's language HIP: that of 3.25 finds ROCm only where AMD's own packages put it.

option(BENCH_HIP "bench for AMD GPUs: the files cuda.cu, compiled by hipcc" OFF)
set(BENCH_HIP_ARCHITECTURES gfx90a CACHE STRING "Architectures of AMD's GPUs, which have warps of one size: gfx9… have 64 lanes, others 32")
set(BENCH_WITH_HIP OFF)

if(BENCH_HIP OR BENCH_TESTS)
  set(rocm HINTS ENV ROCM_PATH ENV HIP_PATH PATHS /opt/rocm)
  find_program(BENCH_HIPCC hipcc ${rocm} PATH_SUFFIXES bin)
  find_library(BENCH_HIP_LIBRARY amdhip64 ${rocm} PATH_SUFFIXES lib lib64)
  find_path(BENCH_HIP_INCLUDE hip/hip_runtime_api.h ${rocm} PATH_SUFFIXES include)
  # In headers alone: without it the variants that call it are left out.
  find_path(BENCH_ROCPRIM rocprim/rocprim.hpp ${rocm} PATH_SUFFIXES include)
  mark_as_advanced(BENCH_HIPCC BENCH_HIP_LIBRARY BENCH_HIP_INCLUDE BENCH_ROCPRIM)
  if(BENCH_HIPCC AND BENCH_HIP_LIBRARY AND BENCH_HIP_INCLUDE)
    set(BENCH_WITH_HIP ON)
  elseif(BENCH_HIP)
    message(FATAL_ERROR "BENCH_HIP=ON, but hipcc or the HIP library is missing "
      "(load a module, set ROCM_PATH, or install Debian's package hipcc)")
  endif()
endif()
if(BENCH_HIP AND BENCH_WITH_CUDA)
  message(FATAL_ERROR "BENCH_HIP=ON with a CUDA compiler: a program is for GPUs of one vendor; add -DBENCH_CUDA=OFF")
endif()
if(NOT BENCH_WITH_HIP)
  return()
endif()

set(hip_lanes ${BENCH_HIP_ARCHITECTURES})
list(TRANSFORM hip_lanes REPLACE "^gfx9.*" 64)
list(TRANSFORM hip_lanes REPLACE "^gfx.*" 32)
list(REMOVE_DUPLICATES hip_lanes)
list(LENGTH hip_lanes sizes)
if(NOT sizes EQUAL 1)
  message(FATAL_ERROR "BENCH_HIP_ARCHITECTURES=${BENCH_HIP_ARCHITECTURES}: their warps differ in size; choose gfx9… or others")
endif()
set(hip_definitions BENCH_WITH_HIP BENCH_WARP_LANES=${hip_lanes} HIP_DISABLE_WARP_SYNC_BUILTINS)
message(STATUS "HIP: ${BENCH_HIPCC} for ${BENCH_HIP_ARCHITECTURES}, warps of ${hip_lanes} lanes")

add_library(bench::hip INTERFACE IMPORTED)
target_compile_definitions(bench::hip INTERFACE ${hip_definitions} __HIP_PLATFORM_AMD__)
target_include_directories(bench::hip INTERFACE ${BENCH_HIP_INCLUDE})
target_link_libraries(bench::hip INTERFACE ${BENCH_HIP_LIBRARY})
# Its functions are [[nodiscard]], CUDA's are not.
target_compile_options(bench::hip INTERFACE -Wno-unused-result)

# What result files say.
execute_process(COMMAND ${BENCH_HIPCC} --version OUTPUT_VARIABLE said ERROR_QUIET)
string(REGEX REPLACE ".*HIP version: ([0-9.]+).*" "\\1" BENCH_HIP_VERSION "${said}")
set(BENCH_HIP_FLAGS "-O3 -DNDEBUG")

set(hip_command ${CMAKE_COMMAND} -E env HIP_PLATFORM=amd ${BENCH_HIPCC} -x hip -std=c++17 -O3 -DNDEBUG -Wall -Wextra -Wno-unused-result
  $<$<BOOL:${BENCH_WERROR}>:-Werror> -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR}/phrases)
foreach(architecture IN LISTS BENCH_HIP_ARCHITECTURES)
  list(APPEND hip_command --offload-arch=${architecture})
endforeach()
foreach(definition IN LISTS hip_definitions)
  list(APPEND hip_command -D${definition})
endforeach()

# bench_hip_unit(TARGET NAME REAL FILE...): adds the files to the library as one object of hipcc.
function(bench_hip_unit target name real)
  if(NOT ARGN)
    return()
  endif()
  bench_unit(${target} ${name}.hip ${ARGN})
  set(unit ${PROJECT_BINARY_DIR}/units/${target}/${name}.hip)
  add_custom_command(OUTPUT ${unit}.o DEPENDS ${unit} DEPFILE ${unit}.d VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${hip_command} -DBENCH_REAL=${real} -c ${unit} -o ${unit}.o -MD -MF ${unit}.d
    COMMENT "Building HIP object ${target}/${name}.o")
  set_source_files_properties(${unit} PROPERTIES HEADER_FILE_ONLY ON)
  set_source_files_properties(${unit}.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${unit}.o)
endfunction()
