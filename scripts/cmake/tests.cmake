# What the programs of GoogleTest have in common.
include(GoogleTest)

option(BENCH_TESTS_TOGETHER
  "CTest starts each test program four times, not once per test: for builds whose programs take long to start" OFF)

option(BENCH_UNIT_TESTS "Build the unit tests of the harness and of CUDA on the CPU, too: builds with sanitizers see more" ON)

# bench_tests(PROGRAM PREFIX [PROPERTY VALUE]...): CTest's entries for the tests of a program, with these properties.
function(bench_tests program prefix)
  target_link_libraries(${program} PRIVATE GTest::gtest_main)
  # A test is compiled more often than it is run long.
  target_compile_options(${program} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  if(NOT BENCH_UNIT_TESTS AND ("unit" IN_LIST ARGN OR "cuda_kernels" IN_LIST ARGN))
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  if(NOT BENCH_TESTS_TOGETHER)
    gtest_discover_tests(${program} TEST_PREFIX ${prefix} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
      PROPERTIES ${ARGN})
    return()
  endif()
  foreach(part RANGE 3)
    set(name ${prefix}${program}.${part})
    add_test(NAME ${name} COMMAND ${program})
    set_tests_properties(${name} PROPERTIES ${ARGN}
      ENVIRONMENT_MODIFICATION "GTEST_TOTAL_SHARDS=set:4;GTEST_SHARD_INDEX=set:${part};GTEST_BRIEF=set:1")
  endforeach()
endfunction()
