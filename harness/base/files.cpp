#include "harness/base/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace bench {

std::string whole_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_ours_alone(const struct stat& state) {
  return state.st_uid == geteuid() && (state.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace bench
