#include "harness/rounds.hpp"

#include <benchmark/benchmark.h>

#include <exception>
#include <stdexcept>

namespace bench {
namespace {

/// Our report is written elsewhere; the engine has nothing to say.
class SilentReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

}  // namespace

void run_round(const std::vector<Measurable>& items) {
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
