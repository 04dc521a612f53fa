# The Python module as text in the program: it needs no file beside it, and has always the version that it speaks to.
set(module ${CMAKE_CURRENT_LIST_DIR}/bench.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${module})
file(READ ${module} text)
set(output ${CMAKE_CURRENT_BINARY_DIR}/python_module.cpp)
file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
  "// Made from harness/guests/bench.py.\n#include \"harness/guests/python_module.hpp\"\n\nconst char* const bench::guests::python_module = R\"~~(@text@)~~\";\n")
