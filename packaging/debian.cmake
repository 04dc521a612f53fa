# What Debian wants otherwise than an installation has it: packed manual pages, and two files of its own.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(documents ${share}/doc/${CPACK_PACKAGE_NAME})
file(MAKE_DIRECTORY ${documents})
file(COPY_FILE ${share}/bench/LICENSE ${documents}/copyright)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What has changed: /usr/share/doc/bench/CHANGELOG.md

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK bench.1.gz ${share}/man/man1/bench-submit.1.gz SYMBOLIC)
