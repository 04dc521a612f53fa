#include "harness/test/source_folder.hpp"

const std::filesystem::path bench::test::source_folder = BENCH_SOURCE_DIR;
