# The CUDA compiler, if there is one that works. Sets BENCH_WITH_CUDA; where it is off, the reason is printed.
#
# Architectures: those of the recent data-centre generations that the compiler knows, and the oldest it knows of V100 (70) and
# T4 (75), in machine code: a driver older than the toolkit runs that, but translates no newer PTX. Of the last one PTX, too,
# which newer devices (120, the desktop's) translate for themselves. CMAKE_CUDA_ARCHITECTURES overrides.

set(BENCH_CUDA AUTO CACHE STRING "CUDA variants: AUTO (if there is a CUDA compiler), ON (or stop), OFF")
set_property(CACHE BENCH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(BENCH_WITH_CUDA OFF)

# Many sites install the toolkit without putting it into PATH.
if(NOT BENCH_CUDA STREQUAL "OFF" AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(BENCH_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(BENCH_NVCC)
  if(BENCH_NVCC)
    set(ENV{CUDACXX} ${BENCH_NVCC})
  endif()
endif()

function(bench_choose_architectures compiler)
  execute_process(COMMAND ${compiler} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  set(chosen "")
  foreach(architecture IN ITEMS 80 90 100)
    if(known MATCHES "compute_${architecture}\n")
      list(APPEND chosen ${architecture})
    endif()
  endforeach()
  if(chosen)
    list(POP_BACK chosen newest)
    list(TRANSFORM chosen APPEND "-real")
    foreach(architecture IN ITEMS 75 70)
      if(known MATCHES "compute_${architecture}\n")
        set(oldest ${architecture}-real)
      endif()
    endforeach()
    set(CMAKE_CUDA_ARCHITECTURES ${oldest} ${chosen} ${newest} CACHE STRING "Architectures of the CUDA variants")
  endif()
endfunction()

if(BENCH_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: left out (BENCH_CUDA=OFF)")
else()
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)  # look again: a module may have been loaded meanwhile
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(CMAKE_CUDA_ARCHITECTURES MATCHES "^7[05]-virtual;")
      unset(CMAKE_CUDA_ARCHITECTURES CACHE)  # chosen here before
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      bench_choose_architectures(${CMAKE_CUDA_COMPILER})
    endif()
    enable_language(CUDA)
    # Not by CMake's FindCUDAToolkit: that of 3.25 stops where there is no nvToolsExt, as in CUDA 13.
    find_package(Threads REQUIRED)
    find_library(BENCH_CUDART cudart_static REQUIRED
      HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} ${CMAKE_CUDA_HOST_IMPLICIT_LINK_DIRECTORIES})
    mark_as_advanced(BENCH_CUDART)
    add_library(bench::cudart INTERFACE IMPORTED)
    target_include_directories(bench::cudart INTERFACE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
    target_link_libraries(bench::cudart INTERFACE ${BENCH_CUDART} Threads::Threads ${CMAKE_DL_LIBS} rt)
    set(CMAKE_CUDA_RUNTIME_LIBRARY None)  # that one
    # C++17 is what all of CUDA 11.8 to 13 compile; C++ code keeps its own standard.
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(BENCH_WITH_CUDA ON)
    message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(BENCH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "BENCH_CUDA=ON, but there is no CUDA compiler that works with ${CMAKE_CXX_COMPILER} "
      "(load a module, or set CUDACXX; its messages are in CMakeFiles/CMakeError.log)")
  elseif(DEFINED ENV{CUDACXX})
    message(STATUS "CUDA: $ENV{CUDACXX} does not work with ${CMAKE_CXX_COMPILER} (see CMakeFiles/CMakeError.log); building without")
  else()
    message(STATUS "CUDA: no compiler found; building without")
  endif()
endif()
