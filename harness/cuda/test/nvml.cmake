# NVML without a driver: stand-ins for the library, opened by their names like the real one.
add_executable(nvml_test ${CMAKE_CURRENT_LIST_DIR}/nvml_test.cpp)
target_link_libraries(nvml_test PRIVATE harness_command ${CMAKE_DL_LIBS})

foreach(fake IN ITEMS fake_nvml fake_nvml_old fake_nvml_init_only)
  add_library(${fake} MODULE ${CMAKE_CURRENT_LIST_DIR}/fake_nvml.cpp)
  target_link_libraries(${fake} PRIVATE bench_options)
  string(TOUPPER ${fake} name)
  target_compile_definitions(${fake} PRIVATE ${name})
  target_compile_definitions(nvml_test PRIVATE ${name}="$<TARGET_FILE_NAME:${fake}>")
  add_dependencies(nvml_test ${fake})
endforeach()
target_link_options(nvml_test PRIVATE LINKER:-rpath,$<TARGET_FILE_DIR:fake_nvml>)

bench_tests(nvml_test harness. LABELS unit)
