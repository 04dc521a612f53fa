// Result files as one typed value: what is written is read back the same, and what does not agree
// with itself is not a result file.

#include "harness/document/document.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/document/report.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

Case copies(const char* backend, double seconds) {
  Case one = measured("copy", backend, "naive", seconds);
  one.reference = true;
  return one;
}

/// Energy of the node's sockets, in three spans.
EnergyUse some_energy(double joules) {
  return {{joules, 1.1 * joules, 0.9 * joules}, 0.3, 400, "package+dram"};
}

/// A little of everything.
Document whole() {
  Case failed = measured("work", "openmp", "broken", 1);
  failed.status = Status::failed;
  failed.reason = "wrote nothing";
  failed.timing = {};
  failed.verdict->passed = false;
  Case few = measured("work", "openmp", "simd", 2e-3);
  few.threads = 1;
  few.parameters["threads"] = "1";
  Case naive = measured("work", "serial", "naive", 8e-3);
  naive.energy = some_energy(2);
  naive.counts = EventCounts{500, 1000, 25, 5, {}, true, 3};
  Case best = measured("work", "openmp", "simd", 1e-3);
  best.no_energy = "the energy counter does not move";
  Document document = document_of_groups({group_of(
      {naive, best, named(few), failed, measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
       measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3), copies("serial", 4e-3),
       copies("openmp", 0.5e-3)})});
  document.context.run.resumed = std::vector{ResumeRecord{"2026-01-31T12:00:00Z", "SIGTERM"}};
  document.context.run.input_hash = {{"work", {{"f32/10", "xxh3:1"}}}};
  document.context.run.warnings = {"one thread only"};
  return document;
}

Json json_of(const Document& document) { return written(document); }

std::string refusal(const Json& json) {
  return message_of<UsageError>([&] { parse_document(serialised(json), "x.json"); });
}

TEST(Document, WhatIsWrittenIsReadBackTheSame) {
  const Json json = json_of(whole());
  EXPECT_EQ(json_of(parse_document(serialised(json), "x.json")), json);
  EXPECT_EQ(json.at("scaling").size(), 1U);
  EXPECT_EQ(json.at("cases").at(7).at("beside"), (Json{{"workload", "work"}, {"size", "10"}}));
}

TEST(Document, HoldsWhatWasAskedForBesideTime) {
  const Json cases = json_of(whole()).at("cases");
  EXPECT_EQ(cases.at(0).at("energy"), (Json{{"joules", 2.0},
                                            {"joules_per_element", 0.2},
                                            {"samples", {2.0, 1.1 * 2, 0.9 * 2}},
                                            {"seconds", 0.3},
                                            {"runs", 400},
                                            {"of", "package+dram"}}));
  EXPECT_EQ(cases.at(0).at("counters"), (Json{{"cycles", 500.0},
                                              {"instructions", 1000.0},
                                              {"cache_misses", 25.0},
                                              {"branch_misses", 5.0},
                                              {"scaled", true},
                                              {"runs", 3}}));
  EXPECT_FALSE(cases.at(1).contains("energy"));
  EXPECT_EQ(cases.at(1).at("energy_reason"), "the energy counter does not move");
  for (const char* key : {"energy", "energy_reason", "counters"}) {
    EXPECT_FALSE(cases.at(2).contains(key)) << key;
  }
}

TEST(Document, OfMediansAreOnlyThose) {
  const std::string text = serialised(json_of(whole()));
  const Document times = parse_document(text, "x.json", Keep::times);
  const Document medians = parse_document(text, "x.json", Keep::medians);
  ASSERT_EQ(medians.cases.size(), times.cases.size());
  for (std::size_t i = 0; i < times.cases.size(); ++i) {
    const auto& seconds = medians.cases[i].seconds;
    ASSERT_EQ(seconds.has_value(), times.cases[i].seconds.has_value());
    if (!seconds) continue;
    EXPECT_DOUBLE_EQ(seconds->median, times.cases[i].seconds->median);
    EXPECT_TRUE(seconds->samples.empty());
  }
}

TEST(Document, WithoutSamplesTheFiguresStay) {
  const Document document =
      parse_document(serialised(json_of(whole())), "x.json", Keep::no_samples);
  EXPECT_TRUE(document.cases.front().seconds->samples.empty());
  EXPECT_DOUBLE_EQ(document.cases.front().seconds->median, 8e-3);
  EXPECT_EQ(document.scaling.size(), 1U);
}

TEST(Document, KeepsWhatAnotherVersionKnowsOfTheJob) {
  Json json = json_of(whole());
  json["context"]["slurm"] = {{"job_id", "7"}, {"of_a_later_version", {1, 2}}};
  const Document read = parse_document(serialised(json), "x.json");
  EXPECT_EQ(read.context.slurm->job_id, "7");
  EXPECT_FALSE(read.context.slurm->step_id) << "a document of an earlier version";
  EXPECT_EQ(at(json_of(read), "context/slurm/of_a_later_version"), Json({1, 2}));
  json["context"]["slurm"]["job_id"] = 7;
  EXPECT_EQ(refusal(json), "x.json: damaged: /context/slurm/job_id is not text");
}

TEST(Document, KeepsWhatAnotherVersionKnowsOfTheNode) {
  Json json = json_of(whole());
  Json& machine = json["context"]["machine"];
  machine = {{"cpu_model", "X"},
             {"caches",
              {{{"level", 1},
                {"type", "Data"},
                {"bytes", 2},
                {"shared_by", 1},
                {"instances", 1},
                {"ways", 8}}}},
             {"frequency_mhz", {{"min", nullptr}, {"max", nullptr}, {"current", 1}, {"base", 2}}},
             {"gpu", {{"name", "G"}, {"limits", {{"warp", 32}, {"clusters", 16}}}, {"other", 1}}},
             {"of_a_later_version", 1}};
  const Json read = json_of(parse_document(serialised(json), "x.json"));
  for (const char* key : {"cpu_model", "caches", "frequency_mhz", "of_a_later_version"}) {
    EXPECT_EQ(at(read, "context/machine").at(key), machine.at(key)) << key;
  }
  EXPECT_FALSE(at(read, "context/machine").contains("governor")) << "nobody has looked";
  const Json& gpu = at(read, "context/machine/gpu");
  EXPECT_EQ(at(gpu, "limits/clusters"), 16);
  EXPECT_EQ(at(gpu, "other"), 1);
  EXPECT_FALSE(gpu.contains("nvml")) << "nor at this";
  machine["gpu"]["l2_bytes"] = "many";
  EXPECT_EQ(refusal(json), "x.json: damaged: /context/machine/gpu/l2_bytes is not a whole number");
  machine.erase("gpu");
  machine["caches"][0]["level"] = "first";
  EXPECT_EQ(refusal(json),
            "x.json: damaged: /context/machine/caches/0/level is not a whole number");
  machine = 1;
  EXPECT_EQ(refusal(json), "x.json: damaged: /context/machine is not an object");
}

/// One edit of a result file, and what must be said of it.
struct Edit {
  const char* pointer;
  Json value;
  const char* says;
};

TEST(Document, ThatContradictsItselfIsRefused) {
  const Json good = json_of(whole());
  Json graded = written(Selection{});
  graded["graded"] = true;
  const std::vector<Edit> edits{
      // figures and samples
      {"/cases/0/seconds/median", 8e-5, "/cases/0/seconds/median is not that of the samples"},
      {"/cases/0/seconds/q1", 1e-3, "/cases/0/seconds/q1 is not that of the samples"},
      {"/cases/0/seconds/q3", 1.0, "/cases/0/seconds/q3 is not that of the samples"},
      {"/cases/0/seconds/min", 1e-9, "/cases/0/seconds/min is not that of the samples"},
      {"/cases/0/seconds/ci95", {9e-3, 7e-3}, "/cases/0/seconds/ci95 ends before it begins"},
      {"/cases/0/seconds/samples", Json::array(), "/cases/0/seconds/samples is empty"},
      {"/cases/0/seconds/samples/0", 0, "/cases/0/seconds/samples/0 is not above zero"},
      {"/cases/0/seconds/samples/0", -1.0, "/cases/0/seconds/samples/0 is not above zero"},
      {"/cases/0/seconds/samples/0", "1", "/cases/0/seconds/samples/0 is not a number"},
      {"/cases/0/seconds/samples/0", nullptr, "/cases/0/seconds/samples/0 is not a number"},
      {"/cases/0/seconds/preempted", 10, "/cases/0/seconds/preempted counts more than there are"},
      {"/cases/0/seconds/too_short", 10, "/cases/0/seconds/too_short counts more than there are"},
      {"/cases/0/rounds", 8, "/cases/0/rounds is not the number of samples"},
      {"/cases/0/gb_per_s", 500.0, "/cases/0/gb_per_s is not bytes over the median time"},
      {"/cases/0/bound/by", "cosmic", "/cases/0/bound/by is none of memory, in_cache"},
      {"/cases/0/energy/joules", 3, "/cases/0/energy/joules is not that of the samples"},
      {"/cases/0/energy/joules_per_element", 3, "/cases/0/energy/joules_per_element is not that"},
      {"/cases/0/energy/samples", Json::array(), "/cases/0/energy/samples is empty"},
      {"/cases/0/energy/samples/1", -2, "/cases/0/energy/samples/1 is not above zero"},
      {"/cases/0/energy/seconds", 0, "/cases/0/energy/seconds is not above zero"},
      {"/cases/0/energy/runs", 0, "/cases/0/energy/runs is not above zero"},
      {"/cases/0/counters/cycles", -1, "/cases/0/counters counts less than nothing"},
      {"/cases/0/counters/runs", 0, "/cases/0/counters/runs is not above zero"},
      {"/cases/0/counters/scaled", 1, "/cases/0/counters/scaled is not true or false"},
      {"/cases/3/energy", good.at("/cases/0/energy"_json_pointer),
       "/cases/3/status says not measured, but there are times"},
      {"/cases/3/counters", good.at("/cases/0/counters"_json_pointer),
       "/cases/3/status says not measured, but there are times"},
      {"/cases/3/bound", good.at("/cases/0/bound"_json_pointer),
       "/cases/3/status says not measured, but there are times"},
      // what was measured was right
      {"/cases/0/verification/passed", false, "/cases/0/verification did not pass"},
      {"/cases/0/verification/max_error", 1e9, "/cases/0/verification did not pass"},
      {"/cases/0/verification/max_error", nullptr, "/cases/0/verification did not pass"},
      {"/cases/0/verification", nullptr, "/cases/0/verification is missing"},
      {"/cases/0/seconds", nullptr, "/cases/0/seconds is missing"},
      {"/cases/0/status", "skipped", "/cases/0/reason is missing"},
      {"/cases/3/status", "measured", "/cases/3/seconds is missing"},
      {"/cases/3/reason", nullptr, "/cases/3/reason is missing"},
      {"/cases/3/gb_per_s", 1.0, "/cases/3/status says not measured, but there are times"},
      // names and lists of values
      {"/cases/0/status", "MEASURED", "/cases/0/status is none of measured, failed, skipped"},
      {"/cases/0/dtype", "f8", "/cases/0/dtype is none of f32, f64"},
      {"/cases/0/scope", "all", "/cases/0/scope is none of kernel, end_to_end"},
      {"/cases/0/cache", "warm", "/cases/0/cache is none of cold, hot"},
      {"/cases/0/backend", "cuda", "/cases/0/name does not say what the other keys say"},
      {"/cases/0/workload", "hypot", "/cases/0/name does not say what the other keys say"},
      {"/cases/0/threads", 0, "/cases/0/threads is not above zero"},
      {"/cases/0/threads", -1, "/cases/0/threads is not above zero"},
      {"/cases/0/threads", 1e17, "/cases/0/threads is too large a number"},
      {"/cases/0/threads", 3000000000, "/cases/0/threads is too large a number"},
      {"/cases/0/bytes", -1, "/cases/0/bytes is negative"},
      {"/cases/0/bytes", 1.5, "/cases/0/bytes is not a whole number"},
      // a case and its run
      {"/cases/0/threads", 64, "/cases/0/threads is more than the run had"},
      {"/cases/2/threads", 2, "/cases/2/threads is more than the run had"},
      {"/cases/0/cache", "hot", "/cases/0/cache is not that of the run"},
      {"/cases/0/size", "11", "/cases/0/name does not say what the other keys say"},
      {"/cases/0/shape", {5, 2}, "/cases/0/size does not say what shape, bins and steps say"},
      {"/cases/0/bins", 7, "/cases/0/size does not say what shape, bins and steps say"},
      {"/cases/0/elements", 11, "/cases/0/elements is not what the shape holds"},
      {"/cases/0/guest", "x.cpp", "/cases/0/guest is not one of the files in /context/run/guests"},
      {"/cases/1/name", good.at("/cases/0/name"_json_pointer), "/cases/1/name is there twice"},
      {"/context/date", "yesterday", "/context/date is not a date and time"},
      {"/context/run/started", "2026-02-30T12:00:00Z", "/context/run/started is not a date and"},
      {"/context/run/selection", graded, "/context/run/sandbox is missing, but user kernels were"},
      {"/context/run/sandbox", written(Forbidden{}), "/context/run/sandbox is there, but nothing"}};
  for (const Edit& edit : edits) {
    Json bad = good;
    bad[Json::json_pointer(edit.pointer)] = edit.value;
    expect_contains(refusal(bad), edit.says);
    expect_contains(refusal(bad), "x.json: damaged: ");
  }
}

/// Every key that tables and comparisons rely on.
std::vector<Json::json_pointer> keys_in_use() {
  std::vector<Json::json_pointer> keys{Json::json_pointer("/context"),
                                       Json::json_pointer("/cases")};
  const auto below = [&keys](const char* place, std::initializer_list<const char*> names) {
    for (const char* name : names) keys.push_back(Json::json_pointer(place) / name);
  };
  below("/context", {"date", "run", "build", "machine"});
  below("/context/run", {"node", "threads", "isa", "cache", "warnings", "input_hash"});
  below("/cases/0", {"name", "workload", "backend", "variant", "dtype", "size", "scope", "cache",
                     "status", "reference", "bytes", "flops", "rounds", "seconds", "gb_per_s"});
  below("/cases/0/seconds", {"samples", "median", "ci95"});
  return keys;
}

TEST(Document, EveryKeyThatIsMissingIsNamed) {
  for (const Json::json_pointer& key : keys_in_use()) {
    Json bad = json_of(whole());
    bad.at(key.parent_pointer()).erase(key.back());
    expect_contains(refusal(bad), "/" + key.back() + " is missing");
  }
}

TEST(Document, EveryValueOfAnotherKindIsNamed) {
  const Json good = json_of(whole());
  for (const Json& wrong : {Json(), Json(-1), Json(1e300), Json(true), Json("\x1b]0;x\x07"),
                            Json::array(), Json::array({1}), Json::object(), Json{{"a", 1}}}) {
    for (const Json::json_pointer& key : keys_in_use()) {
      if (good.at(key).type() == wrong.type() || (good.at(key).is_number() && wrong.is_number()))
        continue;
      Json bad = good;
      bad[key] = wrong;
      expect_contains(refusal(bad), "/" + key.back());
    }
  }
}

TEST(Document, CutOffAnywhereItIsRefused) {
  const std::string text = serialised(json_of(whole()));
  for (std::size_t end = 0; end + 1 < text.size(); end += 97) {
    const std::string why =
        message_of<UsageError>([&] { parse_document(text.substr(0, end), "x.json"); });
    EXPECT_TRUE(why.starts_with("x.json: ")) << end << ": " << why;
  }
}

TEST(Document, WhatFollowsFromSamplesIsComputedAgain) {
  Document document = whole();
  const Json good = json_of(parse_document(serialised(json_of(document)), "x.json"));
  EXPECT_EQ(good, json_of(document));
  const std::vector<std::pair<const char*, Json>> edits{
      {"/cases/0/seconds/ci95", {-2.0, 1e200}},
      {"/cases/0/seconds/noise", 1e-9},
      {"/cases/0/seconds/drift", 3.0},
      {"/cases/0/seconds/smallest_change", 1e-9},
      {"/cases/0/seconds/outliers", Json{1000}},
      {"/cases/1/share_of_copy", 50.0},
      {"/cases/1/share_ci95", {{"copy", {50.0, 51.0}}}},
      {"/cases/0/bound/seconds", 1e-3},
      {"/cases/0/bound/by", "in_cache"},
      {"/cases/0/bound/share/value", 0.1},
      {"/cases/1/standing",
       {{"rank", 1}, {"faster_than", nullptr}, {"slower_than", nullptr}, {"like", Json::array()}}},
      {"/speedups/1/seconds", 1e-9},
      {"/speedups/1/over_serial/value", 1e6},
      {"/speedups/1/over_serial/ci95", {100.0, 200.0}},
      {"/speedups/1/over_best_cpu/baseline", "work/serial/naive/f32/10/kernel"}};
  for (const auto& [pointer, value] : edits) {
    Json edited = good;
    edited[Json::json_pointer(pointer)] = value;
    EXPECT_EQ(json_of(parse_document(serialised(edited), "x.json")), good) << pointer;
  }
}

// As somebody who takes cases out of a result file leaves it.
TEST(Document, WithoutWhatARatioIsOverThereIsNone) {
  Json json = json_of(whole());
  for (const std::size_t i : {7U, 0U}) {  // a copy, and the naive loop
    for (const char* list : {"cases", "speedups"}) json[list].erase(i);
  }
  const CaseRecord one = parse_document(serialised(json), "x.json").cases.front();
  EXPECT_EQ(one.rung(), "openmp/simd");
  EXPECT_FALSE(one.over_serial);
  EXPECT_EQ(one.no_ratio, "no baseline: serial/naive was not measured");
  EXPECT_TRUE(one.over_best_cpu);
  EXPECT_EQ(one.share_of.at("copy"), std::nullopt);
}

TEST(Document, ScalingIsWhatTheCasesSayWhateverTheDocumentSays) {
  const Json good = json_of(whole());
  Json edited = good;
  edited["scaling"][0]["enough_threads"] = 1;
  edited["scaling"][0]["points"][1]["speedup"]["value"] = 100.0;
  EXPECT_EQ(json_of(parse_document(serialised(edited), "x.json")), good);
}

// A drift or a neighbour makes intervals so wide that nothing follows from them.
TEST(Document, MoreThreadsAreNotCalledUselessWithoutEvidence) {
  Case few = measured("work", "openmp", "simd", 2e-3);
  few.threads = 1;
  few.parameters["threads"] = "1";
  Case all = measured("work", "openmp", "simd", 1e-3);
  for (std::size_t i = 0; i < all.timing.samples.size(); i += 2) all.timing.samples[i] *= 100;
  const auto enough = [](const std::vector<Case>& cases) {
    const Document document = document_of_groups({group_of(cases)});
    return document.scaling.at(0).enough_threads;
  };
  EXPECT_EQ(enough({named(few), all}), std::nullopt);
  all = measured("work", "openmp", "simd", 1e-3);
  EXPECT_EQ(enough({named(few), all}), 2);
  few.timing.samples = samples_around(1e-3);
  EXPECT_EQ(enough({named(few), all}), 1);
}

TEST(Document, OfFewSamplesNoSpeedupIsKnown) {
  Case one = measured("work", "openmp", "simd", 2e-3);
  one.threads = 1;
  one.parameters["threads"] = "1";
  for (const std::size_t samples : {5U, 6U}) {
    one.timing.samples = samples_around(2e-3, samples);
    const Document document =
        document_of_groups({group_of({named(one), measured("work", "openmp", "simd", 1e-3)})});
    const ScalingRecord& scaling = document.scaling.at(0);
    EXPECT_EQ(scaling.points.at(1).doubtful, samples == 5);
    EXPECT_EQ(scaling.enough_threads.has_value(), samples == 6);
  }
}

TEST(Document, BytesBehindItsEndAreNoPartOfIt) {
  const std::string good = serialised(json_of(whole()));
  EXPECT_THROW(parse_document(good + std::string(1, '\0') + "garbage", "x.json"), UsageError);
  EXPECT_THROW(parse_document(good + std::string(512, '\0'), "x.json"), UsageError);
  EXPECT_NO_THROW(parse_document(good + "\n", "x.json"));
}

TEST(Document, NothingThatATerminalObeysComesOut) {
  Document document = whole();
  document.context.run.node = "n\x1b[31m";
  document.context.run.input_hash = {{"w\x1b]0;x\x07", {{"f32/1", "\u202e"}}}};
  const Document read = parse_document(serialised(json_of(document)), "x.json");
  EXPECT_EQ(read.context.run.node, "n?[31m");
  EXPECT_EQ(read.context.run.input_hash.begin()->first, "w?]0;x?");
  EXPECT_EQ(read.context.run.input_hash.begin()->second.at("f32/1"), "?");
}

TEST(Document, TheSchemaDescribesWhatIsWritten) {
  const Json properties = result_file_schema().at("properties");
  const Json json = json_of(whole());
  for (const auto& [key, value] : json.items()) EXPECT_TRUE(properties.contains(key)) << key;
  const Json& of_case = at(properties, "cases/items");
  for (const auto& [key, value] : json.at("cases").at(0).items()) {
    const bool known = of_case.at("properties").contains(key) || key.starts_with("share_of_");
    EXPECT_TRUE(known) << key;
  }
  EXPECT_EQ(at(of_case, "properties/energy/properties/samples/items/exclusiveMinimum"), 0);
  EXPECT_EQ(at(of_case, "properties/threads"),
            (Json{{"type", {"integer", "null"}},
                  {"minimum", 1},
                  {"description", "counted in a parallel region"}}));
}

}  // namespace
}  // namespace bench::test
