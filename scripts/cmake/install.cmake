# cmake --install build --prefix PREFIX: the program, the job scripts, the schema, completion, the documentation,
# the Python package, and a module for all that.
include(GNUInstallDirs)

install(TARGETS bench RUNTIME)
# A wheel's own Python finds the package by a path next to its others.
if(SKBUILD)
  set(BENCH_PYTHON_SITE ${SKBUILD_PLATLIB_DIR})
endif()
set(BENCH_PYTHON_SITE "" CACHE STRING "Folder where a Python of the prefix looks for packages, such as lib/python3/dist-packages")
if(BENCH_PYTHON_SITE)
  file(WRITE ${PROJECT_BINARY_DIR}/bench_hpc.pth "../../../share/bench/python\n")
  install(FILES ${PROJECT_BINARY_DIR}/bench_hpc.pth DESTINATION ${BENCH_PYTHON_SITE})
endif()

set(share ${CMAKE_INSTALL_DATADIR}/bench)
file(GLOB job_scripts CONFIGURE_DEPENDS jobs/*.sbatch)
install(PROGRAMS ${job_scripts} jobs/submit jobs/passes DESTINATION ${share}/jobs)
install(FILES jobs/lib.sh jobs/nodes.sh jobs/alerts.yml jobs/grafana.json jobs/site.env.example jobs/README.md DESTINATION ${share}/jobs)
install(FILES results/schema.json LICENSE DESTINATION ${share})
# Of the libraries that are linked statically.
file(GLOB licences RELATIVE ${PROJECT_SOURCE_DIR}/libraries libraries/*/LICENSE libraries/*/LICENSE.* libraries/*/COPYING)
foreach(licence IN LISTS licences)
  cmake_path(GET licence PARENT_PATH library)
  install(FILES libraries/${licence} DESTINATION ${share}/licences/${library})
endforeach()
set(BENCH_BUNDLED "" CACHE STRING "What is installed into lib/bench: shared libraries that CMAKE_INSTALL_RPATH finds there, and their licences")
install(FILES ${BENCH_BUNDLED} DESTINATION lib/bench)
# Documentation: pages as they are, the site where scripts/docs.sh has made it, and manual pages of what the program says.
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "static" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/docs/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
# An emulator runs what is compiled for another machine.
set(runs $<TARGET_FILE:bench>)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  set(runs ${PROJECT_BINARY_DIR}/emulated_bench)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  file(GENERATE OUTPUT ${runs} CONTENT "#!/bin/sh\nexec ${emulator} $<TARGET_FILE:bench> \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()
install(CODE "
  find_program(python python3)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env BENCH_BINARY=${runs} PYTHONDONTWRITEBYTECODE=1
    \${python} ${PROJECT_SOURCE_DIR}/docs/manual.py \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1
    RESULT_VARIABLE failed)
  if(failed)
    message(WARNING \"without manual pages: docs/manual.py needs Python 3.9\")
  endif()")
install(FILES jobs/modulefile
  DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/bench RENAME ${PROJECT_VERSION})
# What bench plot and others run, and what bench --peers measures; with the sources that lessons show.
set(package ${share}/python/bench_hpc)
set(without_tests PATTERN "test*" EXCLUDE PATTERN "*_test*" EXCLUDE PATTERN "conftest.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY scripts/bench_hpc/ DESTINATION ${package}
  ${without_tests} PATTERN "kernels" EXCLUDE PATTERN "phrases" EXCLUDE PATTERN "README.md" EXCLUDE)
install(DIRECTORY harness/words/phrases/ DESTINATION ${package}/phrases FILES_MATCHING PATTERN "*.json")
install(DIRECTORY kernels/ DESTINATION ${package}/kernels
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.hpp" PATTERN "*.cu" PATTERN "*.cuh" ${without_tests})
# bash finds completion there by the name of the program.
install(FILES scripts/completion/bench.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME bench)
# jobs/submit needs a name that says what it submits. A wheel has no links.
if(NOT SKBUILD)
  install(CODE "file(CREATE_LINK ../${share}/jobs/submit
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/bench-submit\" SYMBOLIC)")
endif()

# cpack -G DEB makes bench-hpc_VERSION_ARCHITECTURE.deb.
set(CPACK_PACKAGE_NAME bench-hpc)
set(CPACK_PACKAGE_CONTACT "The bench authors <bench@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "speedups of serial, OpenMP and CUDA variants of the same kernels")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "It verifies every result, reports every time with a 95 % confidence\ninterval, and compares the nodes of a cluster.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian.cmake)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-jinja2, python3-matplotlib, g++")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, python3-pandas, slurm-client")
include(CPack)
