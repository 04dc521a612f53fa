# cmake --install build --prefix PREFIX: the program, the job scripts, the schema, completion, the documentation,
# and a module for all that.
include(GNUInstallDirs)

install(TARGETS bench RUNTIME)

set(share ${CMAKE_INSTALL_DATADIR}/bench)
file(GLOB job_scripts CONFIGURE_DEPENDS jobs/*.sbatch)
install(PROGRAMS ${job_scripts} jobs/submit jobs/passes DESTINATION ${share}/jobs)
install(FILES jobs/lib.sh jobs/nodes.sh jobs/site.env.example jobs/README.md DESTINATION ${share}/jobs)
install(FILES results/schema.json LICENSE DESTINATION ${share})
# The manual pages and the site, where scripts/docs.sh has made them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/docs/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES jobs/modulefile
  DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/bench RENAME ${PROJECT_VERSION})
# What bench --peers measures along with its own, with the node's Python.
file(GLOB peers CONFIGURE_DEPENDS scripts/peers/*.py)
list(FILTER peers EXCLUDE REGEX test_)
install(FILES ${peers} scripts/peers/requirements.txt DESTINATION ${share}/peers)
# bash finds completion there by the name of the program.
install(FILES scripts/completion/bench.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME bench)
# jobs/submit needs a name that says what it submits.
install(CODE "file(CREATE_LINK ../${share}/jobs/submit
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/bench-submit\" SYMBOLIC)")
