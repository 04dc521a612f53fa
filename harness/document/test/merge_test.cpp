#include "harness/document/merge.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/command/merge.hpp"
#include "harness/document/resume.hpp"
#include "harness/tables/render.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/source_folder.hpp"

namespace bench::test {
namespace {

Case as_reference(Case one) {
  one.reference = true;
  return one;
}

Document ours() {
  Document document = document_of({measured("work", "serial", "naive", 8e-3),
                                   measured("work", "openmp", "fast", 1e-3),
                                   as_reference(measured("copy", "openmp", "naive", 0.5e-3))});
  document.context.run.warnings = {"the same"};
  return document;
}

Document theirs(double seconds = 4e-3) {
  Document document = document_of({measured("work", "numba", "njit", seconds)});
  document.context.run.warnings = {"the same"};
  return document;
}

const CaseRecord& only_row(const std::vector<Merged>& all, const std::string& path) {
  EXPECT_EQ(all.size(), 1U);
  return row(all.front().document, path);
}

TEST(Merge, AReferencesOwnLadderIsMeasuredByItsFastest) {
  const auto all = merge({document_of({copy_alone("serial", "naive", 1e-3)}),
                          document_of({copy_alone("serial", "other", 2e-3)})});
  EXPECT_DOUBLE_EQ(only_row(all, "copy/serial/other").share_of.at("copy").value(), 0.5);
}

TEST(Merge, RowsOfAnotherProgramGetOurBaselines) {
  const auto all = merge({ours(), theirs()});
  const CaseRecord& their = only_row(all, "work/numba/njit");
  EXPECT_DOUBLE_EQ(their.over_serial.value().value, 2);
  EXPECT_DOUBLE_EQ(their.over_best_cpu.value().value, 0.25);
  EXPECT_EQ(their.over_best_cpu->baseline, "work/openmp/fast/f32/10/kernel");
  EXPECT_TRUE(their.other_run);
  EXPECT_FALSE(their.no_ratio);
  EXPECT_EQ(all.front().document.context.run.warnings.size(), 1U);
  // Ours stay as they were measured, in pairs.
  EXPECT_EQ(written(only_row(all, "work/serial/naive").over_best_cpu),
            written(row(ours(), "work/serial/naive").over_best_cpu));
}

TEST(Merge, CaseAndOriginBelongTogether) {
  const auto all = merge({ours(), theirs()}, {"ours.json", "theirs.json"});
  EXPECT_EQ(all.at(0).origin_of(only_row(all, "work/serial/naive")).file, "ours.json");
  EXPECT_EQ(all.at(0).origin_of(only_row(all, "work/numba/njit")).file, "theirs.json");
}

TEST(Merge, TheFastestIsTheBestCpuVariant) {
  const auto all = merge({ours(), theirs(0.5e-3)});
  EXPECT_DOUBLE_EQ(only_row(all, "work/openmp/fast").over_best_cpu.value().value, 0.5);
  EXPECT_TRUE(only_row(all, "work/openmp/fast").other_run);
  EXPECT_DOUBLE_EQ(only_row(all, "work/numba/njit").over_best_cpu.value().value, 1);
}

TEST(Merge, ALibraryIsNoBestCpuVariant) {
  Document their = theirs(0.5e-3);
  their.cases.front().library = true;
  const auto all = merge({ours(), their});
  EXPECT_DOUBLE_EQ(only_row(all, "work/openmp/fast").over_best_cpu.value().value, 1);
  EXPECT_DOUBLE_EQ(only_row(all, "work/numba/njit").over_best_cpu.value().value, 2);
}

// Each is compared with its own backend's copy with as many threads, a user kernel with the
// built-in one.
TEST(Merge, SharesAreThoseOfTheDocumentAlone) {
  Case single = as_reference(measured("copy", "openmp", "naive", 1e-3));
  single.threads = 1;
  Case guest = measured("work", "numba", "guest", 4e-3);
  guest.guest = "guest.py";
  const Document peers = document_of({measured("work", "numba", "njit", 4e-3), guest,
                                      as_reference(measured("copy", "numba", "njit", 1e-3)),
                                      as_reference(measured("copy", "serial", "naive", 2e-3))});
  const auto all = merge({document_of({single}), peers});
  for (const auto& [path, share] :
       {std::pair{"work/numba/njit", 0.25}, {"work/numba/guest", 0.5}}) {
    EXPECT_DOUBLE_EQ(row(peers, path).share_of.at("copy").value(), share);
    EXPECT_DOUBLE_EQ(only_row(all, path).share_of.at("copy").value(), share);
  }
}

// Earlier versions held it against the fastest copy of any backend once runs were merged.
TEST(Merge, AShareOfAnEarlierVersionIsTakenAgain) {
  const Document copies = document_of({measured("work", "numba", "njit", 4e-3),
                                       as_reference(measured("copy", "numba", "njit", 1e-3))});
  const Json now = written(merge({ours(), copies}, {"a", "b"}).at(0).document);
  Json earlier = now;
  for (Json& one : earlier["cases"]) {
    if (one["backend"] == "numba" && one["workload"] == "work") one["share_of_copy"] = 0.125;
  }
  ASSERT_NE(earlier, now);
  EXPECT_EQ(written(parse_document(serialised(earlier), "x.json")), now);
}

TEST(Merge, NeverPutsTwoSizesOrPrecisionsInOneRatio) {
  const std::vector<void (*)(CaseRecord&)> changes{
      [](CaseRecord& one) { one.size = "20"; }, [](CaseRecord& one) { one.dtype = Dtype::f64; },
      [](CaseRecord& one) { one.cache = CacheMode::hot; }};
  for (const auto& change : changes) {
    Document other = theirs();
    change(other.cases.front());
    const CaseRecord their = only_row(merge({ours(), other}), "work/numba/njit");
    EXPECT_FALSE(their.over_serial);
    EXPECT_FALSE(their.other_run);
  }
}

TEST(Merge, RunsThatDifferStayApart) {
  const std::vector<void (*)(Context&)> changes{
      [](Context& context) { context.run.node = "another"; },
      [](Context& context) { context.machine.cpu_model = "another"; },
      [](Context& context) { context.run.seed = 43; },
      [](Context& context) { context.run.cache = CacheMode::hot; },
      [](Context& context) { context.run.threads = 3; },
      [](Context& context) { context.run.isa = "baseline"; },
      [](Context& context) { context.run.input_hash["work"]["f32/10"] = "another"; }};
  for (const auto& change : changes) {
    Document other = theirs();
    change(other.context);
    EXPECT_EQ(merge({ours(), other}).size(), 2U);
  }
  EXPECT_EQ(merge({ours(), ours()}).size(), 2U);  // the same cases: two runs, not one
  EXPECT_EQ(merge({ours(), ours(), theirs()}).size(), 2U);
}

TEST(Merge, WhatWasNotMeasuredHasNoRatio) {
  const auto all =
      merge({ours(), document_of({not_measured(measured("work", "cupy", "*", 1), Status::skipped,
                                               "CuPy is not installed")})});
  EXPECT_FALSE(only_row(all, "work/cupy/*").over_serial);
  EXPECT_FALSE(only_row(all, "work/cupy/*").other_run);
}

std::vector<std::string> recorded() {
  const auto folder = source_folder / "harness/test/recorded/epyc-vm-2cores";
  return {folder / "default.json", folder / "peers.json", folder / "f64.json"};
}

std::string all_tables(std::vector<Merged> sources, Format format) {
  return tables(std::move(sources), {}, format);
}

TEST(Merge, ADocumentOfSeveralReadsBackAndGivesTheTablesOfItsParts) {
  const auto files = recorded();
  const auto parts = merge(read_documents(files, Keep::everything), files);
  MergeRequest request;
  request.files = files;
  const std::string text = merged(request);
  const Document whole = parse_document(text, "whole.json");
  EXPECT_EQ(serialised(written(whole)) + "\n", text);
  ASSERT_EQ(whole.context.run.merged.value().size(), 3U);
  EXPECT_EQ(whole.context.run.merged->at(1).file, files[1]);
  const auto again = merge({whole}, {"whole.json"});
  for (const Format format : {Format::text, Format::csv, Format::latex}) {
    EXPECT_EQ(all_tables(again, format), all_tables(parts, format));
  }
}

TEST(Merge, TheOrderOfJoiningDoesNotMatter) {
  const auto files = recorded();
  auto documents = read_documents(files, Keep::everything);
  const auto one_by_one =
      merge({merge({documents[0], documents[1]}, files).at(0).document, documents[2]},
            {"both.json", files[2]});
  EXPECT_EQ(written(one_by_one.at(0).document), written(merge(documents, files).at(0).document));
}

TEST(Merge, WhatBelongsToNoOtherStaysAsItIs) {
  const auto files = recorded();
  MergeRequest request;
  request.files = {files[2]};
  const Document alone = parse_document(merged(request), "alone.json");
  EXPECT_FALSE(alone.context.run.merged);
  EXPECT_EQ(written(alone), written(read_documents({files[2]}, Keep::everything).at(0)));
}

TEST(Merge, AddsUpWhatTheRunsSayOfThemselves) {
  Document their = theirs();
  their.context.run.finished = false;
  their.context.run.ended_by = "SIGTERM";
  their.context.run.input_hash["other"]["f32/10"] = "xxh3:2";
  their.context.machine.gpu.emplace().name = "a GPU";
  Document our = ours();
  our.context.run.finished = true;
  const Document whole = merge({our, their}, {"ours.json", "theirs.json"}).at(0).document;
  EXPECT_FALSE(whole.context.run.finished);
  EXPECT_EQ(whole.context.run.ended_by, "SIGTERM");
  EXPECT_EQ(whole.context.run.input_hash.size(), 2U);
  EXPECT_EQ(whole.context.machine.gpu->name, "a GPU");
  EXPECT_NE(obstacle(whole.context, our.context), "");
}

TEST(Merge, ScalingIsOfOneRun) {
  Case few = measured("work", "openmp", "simd", 2e-3);
  few.threads = 1;
  few.parameters["threads"] = "1";
  const auto all =
      merge({document_of({named(few)}), document_of({measured("work", "openmp", "simd", 1e-3)})});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(parse_document(serialised(written(all[0].document)), "x.json").scaling.empty());
}

TEST(Merge, RunsThatDoNotAgreeWithTheListAreRefused) {
  const Json good = written(merge({ours(), theirs()}, {"a", "b"}).at(0).document);
  const std::vector<std::pair<std::string, void (*)(Json&)>> edits{
      {"/cases/0/origin", [](Json& json) { json["cases"][0]["origin"] = 2; }},
      {"/cases/0/origin", [](Json& json) { json["cases"][0].erase("origin"); }},
      {"/cases/0/origin", [](Json& json) { json["context"]["run"].erase("merged"); }}};
  EXPECT_NO_THROW(parse_document(serialised(good), "x.json"));
  for (const auto& [place, edit] : edits) {
    Json edited = good;
    edit(edited);
    try {
      parse_document(serialised(edited), "x.json");
      ADD_FAILURE() << place;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace bench::test
