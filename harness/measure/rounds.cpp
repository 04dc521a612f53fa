#include "harness/measure/rounds.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace bench {
namespace {

/// Our report is written elsewhere; the engine has nothing to say.
class SilentReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

/// One call of every function, in our order.
bool set_options() {
  std::string arguments[] = {"bench", "--benchmark_filter=all", "--benchmark_repetitions=1",
                             "--benchmark_enable_random_interleaving=false"};
  char* argv[std::size(arguments)];
  for (std::size_t i = 0; i < std::size(arguments); ++i) argv[i] = arguments[i].data();
  int argc = std::size(arguments);
  benchmark::Initialize(&argc, argv);
  return true;
}

}  // namespace

void ignore_engine_variables(char** argv) {
  std::vector<std::string> foreign;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("BENCHMARK_")) foreign.emplace_back(text.substr(0, text.find('=')));
  }
  if (foreign.empty()) return;
  for (const std::string& name : foreign) unsetenv(name.c_str());
  std::error_code none;
  execv(std::filesystem::read_symlink("/proc/self/exe", none).c_str(), argv);
  // Where that is not possible they may count.
}

void run_round(const std::vector<Measurable>& items) {
  [[maybe_unused]] static const bool initialised = set_options();
  std::exception_ptr failure;
  std::size_t done = 0;
  for (const Measurable& item : items) {
    benchmark::RegisterBenchmark(item.name.c_str(),
                                 [&](benchmark::State& state) {
                                   for ([[maybe_unused]] auto iteration : state) {
                                     try {
                                       state.SetIterationTime(item.measure());
                                       ++done;
                                     } catch (...) {
                                       failure = std::current_exception();
                                       state.SkipWithError("threw");
                                     }
                                   }
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(1);
  }
  SilentReporter silent;
  benchmark::RunSpecifiedBenchmarks(&silent, nullptr, "all");
  benchmark::ClearRegisteredBenchmarks();
  if (failure) std::rethrow_exception(failure);
  if (done != items.size()) throw std::logic_error("the engine left out a sample");
}

}  // namespace bench
