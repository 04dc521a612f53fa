# With ccache nothing is compiled twice, not even in another clone: paths below this one are
# hashed relative to it, and what the compiler says that it has read is trusted. Without precompiled headers, which name
# their files by absolute paths. A launcher that the user has chosen stays.
find_program(BENCH_CCACHE ccache DOC "Compiler cache; empty: none")
mark_as_advanced(BENCH_CCACHE)
if(BENCH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(with_cache ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_DEPEND=1 ${BENCH_CCACHE})
  # It stops where it cannot write.
  set(probe ${PROJECT_BINARY_DIR}/CMakeFiles/compiler_cache.cpp)
  file(WRITE ${probe} "")
  execute_process(COMMAND ${with_cache} ${CMAKE_CXX_COMPILER} -c ${probe} -o ${probe}.o
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    message(STATUS "ccache does not work here: building without")
  else()
    set(CMAKE_CXX_COMPILER_LAUNCHER ${with_cache})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${with_cache})
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endif()
