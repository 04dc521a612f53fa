// `bench help`, --help and -h: made from the command-line library and the facts of commands, shown
// as text or as JSON.
#pragma once

#include <string>
#include <vector>

#include "harness/command/session.hpp"
#include "harness/tables/render.hpp"

namespace bench {

constexpr const char* program_text =
    "Compares implementations of the same kernel: naive, SIMD, OpenMP, CUDA.";

struct HelpRequest {
  std::string topic{};
  Format format = Format::text;
  Language language = Language::en;
  std::string text{};  ///< to be printed; known when all words are read
};

void add_options(CLI::App& app, HelpRequest& request);

int execute(const HelpRequest& request, const Session& session);

constexpr const char* help_flag_text = "print this help; -h: what most people need of it";

/// The text of -h and --help, which may be flags of a command.
std::string help_of_flag(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace bench
