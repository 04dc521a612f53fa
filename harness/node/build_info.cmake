# Writes build_info.cpp; leaves the file alone when nothing changed, so that nothing is rebuilt.
cmake_minimum_required(VERSION 3.25)

set(revision "unknown")
set(dirty "nullptr")
# git writes it into the archive of a release.
file(READ ${SOURCE_DIR}/harness/node/revision.txt released)
find_program(GIT git)
if(NOT released MATCHES "Format")
  string(STRIP "${released}" revision)
  set(dirty "false")
elseif(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} rev-parse HEAD
    OUTPUT_VARIABLE found RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(revision ${found})
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    set(dirty "false")
    if(changes)
      set(dirty "true")
    endif()
  endif()
endif()
# Between two releases a checkout is neither of them.
file(READ ${SOURCE_DIR}/CHANGELOG.md changelog)
if(released MATCHES "Format" AND changelog MATCHES "## \\[Unreleased\\]\n+(### [A-Z][a-z]+\n+)?- ")
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" matched "${VERSION}")
  math(EXPR minor "${CMAKE_MATCH_2} + 1")
  set(VERSION "${CMAKE_MATCH_1}.${minor}.0-dev")
endif()
string(STRIP "${FLAGS}" FLAGS)

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "#include \"harness/node/build_info.hpp\"

bench::Json bench::build_info() {
  return {{\"version\", \"@VERSION@\"},
          {\"revision\", \"@revision@\"},
          {\"dirty\", @dirty@},
          {\"compiler\", \"@COMPILER@\"},
          {\"build_type\", \"@BUILD_TYPE@\"},
          {\"flags\", \"@FLAGS@\"},
          {\"kernel_flags\", {@KERNEL_FLAGS@}},
          {\"cuda\", @CUDA@}};
}

const char* bench::version() { return \"@VERSION@\"; }
")
