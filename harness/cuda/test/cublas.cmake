# cuBLAS on the CPU: a stand-in for the library, opened by its name like the real one, and files that are none.
foreach(fake IN ITEMS fake_cublas fake_cublas_incomplete fake_cublas_broken fake_rocblas)
  add_library(${fake} MODULE ${CMAKE_CURRENT_LIST_DIR}/fake_cublas.cpp)
  target_link_libraries(${fake} PRIVATE bench_options)
  string(TOUPPER ${fake} name)
  target_compile_definitions(${fake} PRIVATE ${name})
  list(APPEND definitions ${name}="$<TARGET_FILE_NAME:${fake}>")
endforeach()

# What a test links whose CUDA variants call it.
add_library(with_fake_cublas INTERFACE)
target_compile_definitions(with_fake_cublas INTERFACE ${definitions})
target_link_options(with_fake_cublas INTERFACE LINKER:-rpath,$<TARGET_FILE_DIR:fake_cublas>)
add_dependencies(with_fake_cublas fake_cublas fake_cublas_incomplete fake_cublas_broken fake_rocblas)
