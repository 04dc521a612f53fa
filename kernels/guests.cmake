# What users may write instead of the kernels: a header that declares a function per workload and precision, from the signatures
# in <workload>.hpp, and a plain file per workload and language to begin with, from <workload>/starter.*.
set(declarations "")
set(starters "")
foreach(workload IN LISTS workloads)
  set(header ${CMAKE_CURRENT_LIST_DIR}/${workload}/${workload}.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  if(NOT text MATCHES "((///[^\n]*\n)+)(template <class Real>\n)?using Kernel = void\\(([^)]*)\\);")
    message(FATAL_ERROR "${header}: no line 'using Kernel = void(…);' under its comment")
  endif()
  set(comment "${CMAKE_MATCH_1}")
  set(arguments "${CMAKE_MATCH_4}")
  string(REPLACE "///" "//" comment "${comment}")
  string(REGEX REPLACE "[ \n]+" " " arguments "${arguments}")
  string(REPLACE "std::size_t" "size_t" arguments "${arguments}")
  string(REGEX REPLACE "(Count|Word) " "uint32_t " arguments "${arguments}")
  string(REGEX REPLACE "(Count|Word)\\*" "uint32_t*" arguments "${arguments}")
  string(APPEND declarations "\n${comment}")
  foreach(name IN ITEMS i16 f32 f64 u32 f16)
    if(workload IN_LIST in_${type_${name}})
      set(type ${type_${name}})
      set(sum ${type})
      if(name STREQUAL "f16")
        set(type bench_half)
        set(sum float)
      endif()
      string(REPLACE "Sum<Real>" "${sum}" of_precision "${arguments}")
      string(REPLACE "Real" "${type}" of_precision "${of_precision}")
      string(APPEND declarations "void ${workload}_${name}(${of_precision});\n")
    endif()
  endforeach()
  foreach(extension IN ITEMS .c .cu .py)
    set(file ${CMAKE_CURRENT_LIST_DIR}/${workload}/starter${extension})
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "kernels/${workload}/starter${extension} is missing: 'bench try --new ${workload}' copies it")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND starters "    {\"${workload}\", \"${extension}\", R\"~~(${text})~~\"},\n")
  endforeach()
endforeach()

set(declarations "// The functions that bench can measure instead of its own: write any of them.
#pragma once
#ifdef __GNUC__
#pragma GCC system_header  // what is defined may be noexcept
#endif

#include <stddef.h>
#include <stdint.h>

// A number of 16 bits, as the compiler has it; CUDA and HIP have it in cuda_fp16.h and hip/hip_fp16.h.
#if defined(BENCH_STAND_IN)
namespace bench_guest {
struct Binary16;
template <class Format>
struct Small;
}
typedef bench_guest::Small<bench_guest::Binary16> bench_half;
#elif defined(__CUDACC__) || defined(__HIP__)
struct __half;
typedef struct __half bench_half;
#elif defined(__FLT16_MAX__)
typedef _Float16 bench_half;
#else
typedef uint16_t bench_half;
#endif

#ifdef __cplusplus
extern \"C\" {
#endif
${declarations}
#ifdef __cplusplus
}
#endif
")
set(guests_header ${CMAKE_CURRENT_BINARY_DIR}/bench_kernels.h)
file(CONFIGURE OUTPUT ${guests_header} CONTENT "${declarations}" @ONLY)
set(guests_source ${CMAKE_CURRENT_BINARY_DIR}/guests.cpp)
file(CONFIGURE OUTPUT ${guests_source} @ONLY CONTENT "// Made by kernels/guests.cmake.
#include \"kernels/registry.hpp\"

bench::Suite kernels::suite() {
  static constexpr const char* declarations = R\"~~(@declarations@)~~\";
  static constexpr bench::Starter starters[] = {
@starters@  };
  return {registry(), declarations, starters};
}
")
