# The parallel algorithms of C++, whose threads TBB makes (backend stdpar). Afterwards there are the target bench::tbb, which may
# be empty, and BENCH_WITH_TBB. What is missing stops no build.
include(CheckCXXSourceCompiles)

option(BENCH_STDPAR "Build the variants by std::execution where TBB is found" ON)
add_library(bench::tbb INTERFACE IMPORTED GLOBAL)
set(BENCH_WITH_TBB OFF)
if(BENCH_STDPAR)
  find_package(TBB QUIET CONFIG)
  if(TBB_FOUND AND TBB_VERSION VERSION_GREATER_EQUAL 2021)
    set(CMAKE_REQUIRED_LIBRARIES TBB::tbb)
    check_cxx_source_compiles("#include <algorithm>
      #include <execution>
      int main() {
        int x[9] = {};
        std::for_each(std::execution::par_unseq, x, x + 9, [](int& one) { one = 1; });
      }" BENCH_EXECUTION_WORKS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(BENCH_EXECUTION_WORKS)
      set(BENCH_WITH_TBB ON)
      target_link_libraries(bench::tbb INTERFACE TBB::tbb)
    endif()
  endif()
endif()
