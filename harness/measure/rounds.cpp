#include "harness/measure/rounds.hpp"

#include <benchmark/benchmark.h>

#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>
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
