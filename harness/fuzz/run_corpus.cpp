// Runs a fuzz target without libFuzzer: over the files of a folder, then over as many mutations of
// them as asked for, the same ones every time. Usage: <program> FOLDER MUTATIONS

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& bytes) {
  // A copy of exactly this size, so that a sanitizer sees every byte too many.
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

/// One to four small changes: another byte, a piece removed, doubled or taken from elsewhere.
std::string mutated(const std::vector<std::string>& seeds, std::mt19937& random) {
  const auto below = [&random](std::size_t n) { return n > 0 ? random() % n : 0; };
  std::string bytes = seeds[below(seeds.size())];
  for (std::size_t change = below(4) + 1; change > 0 && !bytes.empty(); --change) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = std::min(below(16) + 1, bytes.size() - at);
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 3:
        bytes.resize(at);
        break;
      default:
        const std::string& other = seeds[below(seeds.size())];
        bytes.insert(at, other.substr(below(other.size()), length));
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry);
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    run(seeds.back());
  }
  if (seeds.empty()) return 2;
  std::mt19937 random(1);
  const int mutations = std::atoi(argv[2]);
  for (int i = 0; i < mutations; ++i) run(mutated(seeds, random));
  std::cout << seeds.size() << " files and " << mutations << " mutations of them\n";
  return 0;
}
