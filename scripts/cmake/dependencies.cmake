# The libraries: what is installed, else fetched from the official place at a pinned commit or release.
#
#   BENCH_FETCH=AUTO  use an installed library where there is one that is new enough, fetch the others (default)
#   BENCH_FETCH=ON    fetch all of them, whatever is installed
#   BENCH_FETCH=OFF   never fetch; stop and say what is missing
#
# A release has their sources in libraries/, and needs no network. Elsewhere, give unpacked sources:
# -DFETCHCONTENT_SOURCE_DIR_<NAME>=<folder> for BENCHMARK, FMT, NLOHMANN_JSON, CLI11, XXHASH, HWLOC and (tests) GTEST.
#
# Afterwards there are the targets benchmark::benchmark, fmt::fmt, nlohmann_json::nlohmann_json, CLI11::CLI11,
# bench::xxhash, bench::hwloc and, if BENCH_TESTS is on, GTest::gtest_main.

include(ExternalProject)
include(FetchContent)

set(BENCH_FETCH AUTO CACHE STRING "Fetch the libraries: AUTO (what is not installed), ON (all), OFF (none)")
set_property(CACHE BENCH_FETCH PROPERTY STRINGS AUTO ON OFF)

# Of a release (dev/release.sh).
file(GLOB released ${PROJECT_SOURCE_DIR}/libraries/*)
foreach(folder IN LISTS released)
  cmake_path(GET folder FILENAME name)
  string(TOUPPER ${name} name)
  set(FETCHCONTENT_SOURCE_DIR_${name} ${folder} CACHE PATH "Source of the library, from this release")
endforeach()

# bench_may_fetch(NAME VERSION FROM): says what is fetched, or stops where nothing may be.
function(bench_may_fetch name version from)
  if(BENCH_FETCH STREQUAL "OFF")
    message(FATAL_ERROR "${name} is not installed, or older than ${version}. Install it, or configure with -DBENCH_FETCH=AUTO.")
  endif()
  string(TOUPPER ${name} upper)
  if(FETCHCONTENT_SOURCE_DIR_${upper})
    message(STATUS "${name} ${version}: ${FETCHCONTENT_SOURCE_DIR_${upper}}")
  else()
    message(STATUS "${name} ${version}: fetching ${from} (no network? see scripts/cmake/dependencies.cmake)")
  endif()
endfunction()

# bench_fetch(NAME VERSION REPOSITORY COMMIT [SOURCE_SUBDIR DIR]): downloads one commit, without its history, and adds it.
function(bench_fetch name version repository commit)
  bench_may_fetch(${name} ${version} ${repository})
  FetchContent_Declare(${name} SYSTEM
    DOWNLOAD_COMMAND git init --quiet <SOURCE_DIR>
    COMMAND git -C <SOURCE_DIR> fetch --quiet --depth 1 "https://github.com/${repository}" ${commit}
    COMMAND git -C <SOURCE_DIR> checkout --quiet --force ${commit}
    ${ARGN})

  # Only the library itself. These are plain variables, so they hold inside this function only.
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
  set(BUILD_SHARED_LIBS OFF)
  set(BENCHMARK_ENABLE_GTEST_TESTS OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_WERROR OFF)
  set(BUILD_GMOCK OFF)
  set(INSTALL_GTEST OFF)
  FetchContent_MakeAvailable(${name})
  string(TOLOWER ${name} lower)
  set(${name}_SOURCE_DIR "${${lower}_SOURCE_DIR}" PARENT_SCOPE)
endfunction()

# bench_header_library(TARGET FOLDER): for libraries that are headers only, nothing of their own build is needed.
function(bench_header_library target folder)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE "${folder}")  # as SYSTEM, because it is IMPORTED
endfunction()

# Looks for an installed NAME (sets NAME_FOUND), unless all are to be fetched.
macro(bench_find name version)
  set(${name}_FOUND FALSE)
  if(NOT BENCH_FETCH STREQUAL "ON")
    find_package(${name} ${version} QUIET)
    if(${name}_FOUND)
      message(STATUS "${name} ${${name}_VERSION}: installed")
    endif()
  endif()
endmacro()

bench_find(benchmark 1.7)
if(NOT benchmark_FOUND)
  bench_fetch(benchmark 1.7.1 google/benchmark d572f4777349d43653b21d6c2fc63020ab326db2)
  # clang 22 calls __COUNTER__ an extension, and this version of the library turns that into an error.
  target_compile_options(benchmark PRIVATE -Wno-c2y-extensions)
endif()

bench_find(fmt 9)
if(NOT fmt_FOUND)
  bench_fetch(fmt 9.1.0 fmtlib/fmt a33701196adfad74917046096bf5a2aa0ab0bb50)
endif()

# SOURCE_SUBDIR names a folder without a CMakeLists.txt: the headers are all that is wanted.
bench_find(nlohmann_json 3.11)
if(NOT nlohmann_json_FOUND)
  bench_fetch(nlohmann_json 3.11.2 nlohmann/json bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d SOURCE_SUBDIR include)
  bench_header_library(nlohmann_json::nlohmann_json "${nlohmann_json_SOURCE_DIR}/include")
endif()

bench_find(CLI11 2.1)
if(NOT CLI11_FOUND)
  bench_fetch(CLI11 2.1.2 CLIUtils/CLI11 70f8072f9dd2292fd0b9f9e5f58e279f60483ed3 SOURCE_SUBDIR include)
  bench_header_library(CLI11::CLI11 "${CLI11_SOURCE_DIR}/include")
endif()

# Distributions install the header of xxHash without a CMake package. XXH3 is stable since 0.8.
find_path(BENCH_XXHASH_INCLUDE xxhash.h)
mark_as_advanced(BENCH_XXHASH_INCLUDE)
set(xxhash_installed "")
if(BENCH_XXHASH_INCLUDE AND NOT BENCH_FETCH STREQUAL "ON")
  file(STRINGS "${BENCH_XXHASH_INCLUDE}/xxhash.h" xxhash_installed REGEX "define XXH_VERSION_MINOR +[89]")
endif()
if(xxhash_installed)
  message(STATUS "xxHash: installed")
  bench_header_library(bench::xxhash "${BENCH_XXHASH_INCLUDE}")
else()
  bench_fetch(xxHash 0.8.1 Cyan4973/xxHash 35b0373c697b5f160d3db26b1cbb45a0d5ba788c SOURCE_SUBDIR doc)
  bench_header_library(bench::xxhash "${xxHash_SOURCE_DIR}")
endif()

# Distributions install hwloc without a CMake package, and it is built without CMake. Of it the program needs processors,
# caches, memory and the place of PCI devices: nothing that needs further libraries. It reads the devices from /sys where
# it does not find libpciaccess.
function(bench_fetch_hwloc)
  bench_may_fetch(hwloc 2.9.0 download.open-mpi.org)
  find_program(BENCH_MAKE NAMES gmake make REQUIRED)
  mark_as_advanced(BENCH_MAKE)
  # With the times of its files, or else make begins by making configure.
  FetchContent_Declare(hwloc
    URL https://download.open-mpi.org/release/hwloc/v2.9/hwloc-2.9.0.tar.bz2
    URL_HASH SHA256=2070e963596a2421b9af8eca43bdec113ee1107aaf7ccb475d4d3767a8856887
    DOWNLOAD_EXTRACT_TIMESTAMP TRUE SOURCE_SUBDIR doc)
  FetchContent_MakeAvailable(hwloc)
  set(build "${PROJECT_BINARY_DIR}/_deps/hwloc-build")
  set(library "${build}/hwloc/.libs/libhwloc.a")
  if(CMAKE_CROSSCOMPILING)
    set(host --host=${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  endif()
  ExternalProject_Add(hwloc_build
    SOURCE_DIR "${hwloc_SOURCE_DIR}"
    BINARY_DIR "${build}"
    CONFIGURE_COMMAND <SOURCE_DIR>/configure --quiet --enable-static --disable-shared --with-pic --disable-cairo
      --disable-libxml2 --disable-libudev --disable-opencl --disable-cuda --disable-nvml --disable-rsmi
      --disable-levelzero --disable-gl ${host} PKG_CONFIG=false ac_cv_header_pciaccess_h=no
    BUILD_COMMAND ${BENCH_MAKE} -C hwloc libhwloc.la
    INSTALL_COMMAND ""
    BUILD_BYPRODUCTS "${library}"
    LOG_CONFIGURE TRUE LOG_BUILD TRUE LOG_OUTPUT_ON_FAILURE TRUE)
  file(MAKE_DIRECTORY "${build}/include")
  add_library(bench::hwloc STATIC IMPORTED GLOBAL)
  set_target_properties(bench::hwloc PROPERTIES IMPORTED_LOCATION "${library}")
  target_include_directories(bench::hwloc INTERFACE "${hwloc_SOURCE_DIR}/include" "${build}/include")
  add_dependencies(bench::hwloc hwloc_build)
endfunction()

find_path(BENCH_HWLOC_INCLUDE hwloc.h)
find_library(BENCH_HWLOC_LIBRARY hwloc)
mark_as_advanced(BENCH_HWLOC_INCLUDE BENCH_HWLOC_LIBRARY)
set(hwloc_installed "")
if(BENCH_HWLOC_INCLUDE AND BENCH_HWLOC_LIBRARY AND NOT BENCH_FETCH STREQUAL "ON")  # 2.1 or newer
  file(STRINGS "${BENCH_HWLOC_INCLUDE}/hwloc.h" hwloc_installed REGEX "define HWLOC_API_VERSION +0x00020[1-9a-f]")
endif()
if(hwloc_installed)
  message(STATUS "hwloc: installed")
  bench_header_library(bench::hwloc "${BENCH_HWLOC_INCLUDE}")
  target_link_libraries(bench::hwloc INTERFACE "${BENCH_HWLOC_LIBRARY}")
else()
  bench_fetch_hwloc()
endif()

if(BENCH_TESTS)
  bench_find(GTest 1.11)
  if(NOT GTest_FOUND)
    bench_fetch(GTest 1.12.1 google/googletest 58d77fa8070e8cec2dc1ed015d66b454c8d78850)
  endif()
endif()
