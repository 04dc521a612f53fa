# What Debian wants otherwise than an installation has it: packed manual pages, and two files of its own.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(documents ${share}/doc/${CPACK_PACKAGE_NAME})
file(RENAME ${share}/doc/bench ${documents})
file(COPY_FILE ${share}/bench/LICENSE ${documents}/copyright)
# Of the libraries that are inside.
file(GLOB licences RELATIVE ${share}/bench/licences ${share}/bench/licences/*/*)
foreach(licence IN LISTS licences)
  file(READ ${share}/bench/licences/${licence} text)
  file(APPEND ${documents}/copyright "\n\nLibrary inside: ${licence}\n\n${text}")
endforeach()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What has changed: /usr/share/doc/${CPACK_PACKAGE_NAME}/CHANGELOG.md

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK bench.1.gz ${share}/man/man1/bench-submit.1.gz SYMBOLIC)
