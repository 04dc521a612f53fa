# What user kernels are run and compiled with, as text in the program: it needs no file next to it, and has always the version that it speaks to.
function(bench_text_of file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(text "R\"~~(${text})~~\"" PARENT_SCOPE)
endfunction()

bench_text_of(${CMAKE_CURRENT_LIST_DIR}/bench.py)
set(python_module "${text}")
bench_text_of(${CMAKE_CURRENT_LIST_DIR}/team_edges.c)
set(team_edges "${text}")
bench_text_of(${CMAKE_CURRENT_LIST_DIR}/fabric.c)
set(fabric_source "${text}")
set(device_files "")
foreach(file IN ITEMS guests/device/device.h guests/device/device.cu guests/device/apart.h
    guests/device/apart.cpp cuda_on_cpu/language.h
    guests/device/lines.h cuda_on_cpu/half.h cuda_on_cpu/complex.h cuda_on_cpu/groups.h cuda_on_cpu/mma.h cuda_on_cpu/pipeline.h cuda_on_cpu/hip.h cuda/hip/runtime.hpp cuda/wait_kernel.cuh
    cuda_on_cpu/control.hpp
    cuda_on_cpu/cuda_runtime.hpp cuda_on_cpu/fibers.cpp cuda_on_cpu/fibers.hpp cuda_on_cpu/runtime.cpp
    cuda_on_cpu/sanitizers.hpp cuda_on_cpu/streams.cpp cuda_on_cpu/streams.hpp)
  bench_text_of(${CMAKE_CURRENT_SOURCE_DIR}/${file})
  string(APPEND device_files "      {\"harness/${file}\", ${text}},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp @ONLY CONTENT "// Made by harness/guests/embedded.cmake.
#include \"harness/guests/embedded.hpp\"

const char* const bench::guests::python_module = @python_module@;

const char* const bench::guests::team_edges = @team_edges@;

const char* const bench::guests::fabric_source = @fabric_source@;

std::span<const bench::guests::EmbeddedFile> bench::guests::device_files() {
  static constexpr EmbeddedFile files[] = {
@device_files@  };
  return files;
}
")
