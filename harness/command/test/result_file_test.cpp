#include "harness/command/result_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

const Abilities this_node{
    .job_threads = 2, .allowed_cpus = 2, .isas = {simd::Isa::baseline, simd::Isa::avx2}};

/// What a run is asked for that continues a result file of this context.
RunRequest restored(const Context& context) {
  const TemporaryFolder folder;
  Document document = document_of_groups({});
  document.context = context;
  RunRequest request;
  request.resume = (folder / "a.json").string();
  std::ofstream(request.resume) << serialised(written(document));
  restore(request, this_node);
  return request;
}

TEST(Begin, ARunThatIsResumedHasTheSettingsOfItsDocument) {
  Context begun = context();
  begun.run.selection = Selection{.filters = {"energy"},
                                  .backends = {"openmp"},
                                  .sizes = {"tiny", "7"},
                                  .dtypes = {Dtype::f64},
                                  .bins = {3},
                                  .threads = {1, 2},
                                  .blocks = {64, 128},
                                  .grids = {2},
                                  .scopes = {Scope::kernel, Scope::managed},
                                  .no_baseline = true,
                                  .most_elements = 70,
                                  .gpu_number = 3,
                                  .guests = {"mine.cpp"},
                                  .patience = 7,
                                  .graded = true,
                                  .peers = true};
  begun.run.sandbox = Forbidden{};
  begun.run.seed = 3;
  begun.run.max_samples = 9;
  begun.run.min_time_s = 0.25;
  begun.run.max_time_s = 1;
  begun.run.cache = CacheMode::hot;
  begun.run.isa = "baseline";
  begun.run.input_files = {{"x.npy", {3}, Dtype::f64, "xxh3:1"}};
  const auto [settings, inputs, sweep, elsewhere] = restored(begun).wanted;
  EXPECT_EQ(written(static_cast<const Selection&>(settings)), written(*begun.run.selection));
  EXPECT_EQ(settings.seed, 3U);
  EXPECT_EQ(settings.max_samples, 9U);
  EXPECT_EQ(settings.min_seconds, 0.25);
  EXPECT_EQ(settings.max_seconds, 1);
  EXPECT_EQ(settings.cache, CacheMode::hot);
  EXPECT_EQ(settings.isa, simd::Isa::baseline);
  EXPECT_TRUE(settings.isa_given);
  EXPECT_EQ(inputs, std::vector<std::string>{"x.npy"});
  EXPECT_FALSE(sweep);
  EXPECT_FALSE(elsewhere);
}

TEST(Begin, TheWidestInstructionSetWasNotAskedFor) {
  Context begun = context();
  begun.run.selection = Selection{};
  begun.run.isa = "avx2";
  EXPECT_FALSE(restored(begun).wanted.settings.isa_given);
}

TEST(Begin, ADocumentMustSayWhatWasToBeMeasured) {
  expect_contains(message_of<UsageError>([] { restored(context()); }),
                  "a.json: does not say what was to be measured");
}

}  // namespace
}  // namespace bench::test
