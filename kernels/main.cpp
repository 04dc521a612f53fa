#include "harness/command/program.hpp"
#include "kernels/registry.hpp"

int main(int argc, char** argv) { return bench::program(argc, argv, kernels::suite()); }
