// The program whose CUDA variants are executed on the CPU, for tests of whole runs.
// BENCH_STAND_IN_DEVICES is the number of devices that it sees. It dies on the one that
// BENCH_STAND_IN_DEAD names, and copies of the one that BENCH_STAND_IN_SLOW names take longer.
#include <cstdlib>
#include <string_view>

#include "harness/command/program.hpp"
#include "harness/cuda_on_cpu/control.hpp"
#include "kernels/registry.hpp"

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int main(int argc, char** argv) {
  namespace stand_in = bench::cuda::stand_in;
  const std::string_view dead = variable("BENCH_STAND_IN_DEAD");
  if (!dead.empty() && variable("BENCH_ON_PART") == dead) std::abort();
  stand_in::pose_as_cuda();
  const int count = std::atoi(variable("BENCH_STAND_IN_DEVICES").data());
  // A small cache: kernels that flush it before each sample take long on a CPU.
  const std::string_view slow = variable("BENCH_STAND_IN_SLOW");
  if (count > 0) {
    stand_in::plug_in(
        {.count = count, .slow = slow.empty() ? -1 : std::atoi(slow.data()), .l2_bytes = 64 << 10});
  }
  return bench::program(argc, argv, kernels::suite());
}
