# Files that are compiled as one. Most of a file's time goes to headers and templates that its neighbours use, too. What is
# local to a file has a name that no other file of its unit uses. CMake's own units name their files by absolute paths, by
# which no compiler cache knows them again in another clone, and CUDA has none.

# bench_unit(TARGET NAME FILE...): adds the files to the target as one source, build/units/TARGET/NAME. Its extension says
# the language: CUDA in a .cpp is for the stand-in.
function(bench_unit target name)
  if(NOT ARGN)
    return()
  endif()
  set(includes "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(APPEND includes "#include \"${file}\"\n")
  endforeach()
  set(unit ${PROJECT_BINARY_DIR}/units/${target}/${name})
  file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}" @ONLY)
  target_sources(${target} PRIVATE ${unit})
endfunction()

# bench_folders_as_units(TARGET): a unit of each folder's files, but for those with definitions of their own and those that
# the build makes.
option(BENCH_UNITS "Compile folders at once: a whole build takes less time, that of one changed file more" ON)
function(bench_folders_as_units target)
  if(NOT BENCH_UNITS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(definitions OR IS_ABSOLUTE ${source} OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE folder)
    cmake_path(GET folder PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(APPEND folders ${folder})
    list(APPEND files_of_${folder} ${source})
    list(REMOVE_ITEM sources ${source})
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    bench_unit(${target} ${folder}.cpp ${files_of_${folder}})
  endforeach()
endfunction()
