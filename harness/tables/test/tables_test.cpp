#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/base/text.hpp"
#include "harness/tables/render.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/support.hpp"
#include "harness/words/numbers.hpp"

namespace bench::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_narrow(const std::string& text) {
  for (const std::string& line : lines_of(text)) EXPECT_LE(columns(line), 80U) << line;
}

TEST(Table, ShowsEachVariantInEightyColumns) {
  Case baseline_copy = measured("copy", "serial", "naive", 0.9e-3);
  baseline_copy.reference = true;
  Case copy = measured("copy", "openmp", "naive", 0.5e-3);
  copy.reference = true;
  const std::string text = text_of(document_of(
      {measured("work", "serial", "naive", 163.2e-3), measured("work", "serial", "simd", 2e-3),
       measured("work", "openmp", "naive", 25e-3), measured("work", "openmp", "simd", 1.25e-3),
       not_measured(measured("work", "openmp", "broken", 1), Status::failed,
                    "12 of 1000 elements are wrong, the first at index 17: 1.5 instead of 2"),
       not_measured(measured("work", "cuda", "*", 1), Status::skipped, "built without CUDA"),
       baseline_copy, copy}));
  EXPECT_EQ(text, R"(gpu1 · Some Processor · 2 of 8 cpus · avx2 · 2026-01-31 12:00

work · f32 · 10 · cold cache
  variant            time    95 % interval   GB/s % of copy × naive  × best
  serial/naive   163.2 ms   [159.9, 164.8]   0.02     0.6 %    1.00   0.008
  serial/simd    2.000 ms   [1.960, 2.020]   2.00      45 %   81.60    0.62
  openmp/naive   25.00 ms   [24.50, 25.25]   0.16     2.0 %    6.53    0.05
  openmp/simd    1.250 ms   [1.225, 1.262]   3.20      40 %     131    1.00
  openmp/broken  failed: 12 of 1000 elements are wrong, the first at index 17:
                   1.5 instead of 2
  cuda/*         skipped: built without CUDA
  openmp/simd is 131× as fast as the naive loop on 2 threads; it moves its data
  at 40 % of the speed of a plain copy: memory would allow up to 2.5× this
  speed.

time: median of the samples, with its 95 % interval in the same unit. % of copy:
GB/s relative to the fastest way of copying the same arrays with the same
threads.
× naive: how many times faster than serial/naive. × best: than the fastest CPU
variant. Every result was checked against the reference result, before and
after.
)");
  expect_narrow(text);
}

/// These joules in each of three spans.
Case with_energy(Case one, double joules, const std::string& of = "package+dram") {
  one.energy = EnergyUse{{joules, joules, joules}, 0.3, 400, of};
  return one;
}

Document asked_for_energy(const std::vector<Case>& cases) {
  Document document = document_of(cases);
  document.context.run.selection.emplace().energy = true;
  document.context.machine.energy_reason = said<reasons::rapl_of_others>();
  document.context.machine.gpu_energy_reason = said<reasons::gpu_tells_no_energy>();
  return document;
}

/// The cells of the row that begins so, between runs of blanks.
std::vector<std::string> cells(const std::string& text, const std::string& row) {
  for (const std::string& line : lines_of(text)) {
    if (line.find("  " + row) != 0) continue;
    std::istringstream stream(line);
    std::vector<std::string> found;
    for (std::string cell; stream >> cell;) found.push_back(cell);
    return found;
  }
  return {};
}

TEST(Table, ShowsTheEnergyThatWasAskedFor) {
  Case uncertain = with_energy(measured("work", "openmp", "wide", 1e-3), 0.5);
  uncertain.energy->joules = {0.4, 0.5, 0.9};
  const Document document = asked_for_energy(
      {with_energy(measured("work", "serial", "naive", 8e-3), 2.5),
       with_energy(measured("work", "openmp", "simd", 1e-3), 0.25), uncertain,
       with_energy(measured_on_gpu("work", "wide", Scope::kernel, 1e-4), 0.125, "gpu")});
  const std::string text = text_of(document);
  expect_narrow(text);
  expect_contains(text, "× less J\n");
  TableOptions wide;
  wide.width = 1000;
  expect_contains(text_of(document, wide),
                  "energy: joules per run, measured over consecutive runs");
  expect_contains(text, "Not shown, for lack of space: 95 % interval.");
  using Cells = std::vector<std::string>;
  const auto last_three = [&](const std::string& row) {
    const Cells all = cells(text, row);
    return Cells(all.end() - 3, all.end());
  };
  EXPECT_EQ(last_three("serial/naive"), (Cells{"2.50", "J", "1.00"}));
  EXPECT_EQ(last_three("openmp/simd"), (Cells{"250", "mJ", "10.00"}));
  EXPECT_EQ(last_three("openmp/wide"), (Cells{"~500", "mJ", "~5.00"}));
  EXPECT_EQ(last_three("cuda/wide"), (Cells{"125", "mJ", "–"})) << "another thing was counted";
}

TEST(Table, MarksEveryFigureOfFewSamples) {
  const auto marks = [](std::size_t samples) {
    const auto few = [&](Case one, double seconds) {
      one.timing.samples = samples_around(seconds, samples);
      return one;
    };
    Case best = with_energy(few(measured("work", "openmp", "simd", 1), 1e-3), 0.25);
    best.timing.in_cache = best.timing.samples;
    TableOptions options;
    options.columns = {"variant", "time", "share", "bound", "energy", "less_energy", "naive"};
    const std::string text = text_of(
        asked_for_energy({with_energy(few(measured("work", "serial", "naive", 1), 8e-3), 2.5), best,
                          few(measured("copy", "openmp", "naive", 1), 0.5e-3)}),
        options);
    const auto row = cells(text, "openmp/simd");
    return std::count_if(row.begin(), row.end(),
                         [](const std::string& cell) { return cell.starts_with('~'); });
  };
  EXPECT_EQ(marks(5), 6);
  EXPECT_EQ(marks(6), 0);
}

TEST(Table, SaysWhyThereIsNoEnergy) {
  const Case naive = measured("work", "serial", "naive", 8e-3);
  Case standing = measured("work", "openmp", "simd", 1e-3);
  const auto note = [](const std::vector<Case>& cases, Language language = Language::en) {
    TableOptions options;
    options.language = language;
    options.width = 1000;
    return text_of(asked_for_energy(cases), options);
  };
  expect_contains(note({naive, standing}),
                  "  Energy is not available: RAPL does not cover the sockets that this process "
                  "runs on.\n");
  standing.no_energy = "the energy counter does not move";
  const std::string some = note({with_energy(naive, 1), standing});
  expect_contains(some,
                  "  Energy of openmp/simd is not available: the energy counter does not move.\n");
  expect_contains(
      note({naive, measured_on_gpu("work", "wide", Scope::kernel, 1e-4)}),
      "Energy of serial/naive is not available: RAPL does not cover the sockets that this "
      "process "
      "runs on. Energy of cuda/wide is not available: this GPU does not report its energy.");
  expect_contains(note({naive}, Language::pt),
                  "  Energia não disponível: o RAPL não abrange os sockets em que este processo "
                  "roda.\n");
  EXPECT_EQ(text_of(document_of({naive})).find("energy"), std::string::npos) << "nobody asked";
}

TEST(Table, ShowsTheEventsThatWereAskedForPerElement) {
  Case naive = measured("work", "serial", "naive", 8e-3);
  naive.counts = EventCounts{40, 100, 0.5, {}, {}, false, 3};
  Case turns = measured("work", "openmp", "simd", 1e-3);
  turns.counts = EventCounts{{}, 20, 0.25, 1, 2, true, 3};
  Document document = document_of({naive, turns});
  document.context.run.selection.emplace().counters = true;
  const std::string text = text_of(document);
  expect_narrow(text);
  using Cells = std::vector<std::string>;
  const Cells all = cells(text, "serial/naive");
  EXPECT_EQ(Cells(all.end() - 3, all.end()), (Cells{"4.00", "2.50", "0.0500"}));
  const Cells others = cells(text, "openmp/simd");
  EXPECT_EQ(Cells(others.end() - 3, others.end()), (Cells{"–", "–", "0.0250"}));
  expect_contains(text, "Events took turns on the processor");
  TableOptions options;
  options.width = 1000;
  expect_contains(text_of(document, options), "cycles, instructions, misses: per element");
  options.columns = {"variant", "instructions", "mispredictions", "tlb"};
  EXPECT_EQ(cells(text_of(document, options), "openmp/simd"),
            (Cells{"openmp/simd", "2.00", "0.100", "0.200"}));
}

TEST(Table, SaysWhyNoEventsWereCounted) {
  Document document = document_of({measured("work", "serial", "naive", 8e-3)});
  document.context.run.selection.emplace().counters = true;
  document.context.machine.counters_reason = said<reasons::perf_event_paranoid>(4, 2);
  TableOptions options;
  expect_contains(text_of(document, options),
                  "  No events were counted: kernel.perf_event_paranoid is 4: ask the");
  options.language = Language::es;
  options.width = 1000;
  expect_contains(text_of(document, options),
                  "  No se contó ningún evento: kernel.perf_event_paranoid es 4: pida 2 a los "
                  "administradores.\n");
}

TEST(Table, ShowsKernelAndEndToEnd) {
  Case kernel_copy = measured_on_gpu("copy", "wide", Scope::kernel, 0.95e-4);
  Case whole_copy = measured_on_gpu("copy", "wide", Scope::end_to_end, 2e-3);
  for (Case* const copy : {&kernel_copy, &whole_copy}) {
    copy->reference = true;
  }
  const std::string no_room = "memory: needs 9.0 GB on the device, 1.0 GB available";
  Case doubtful = measured_on_gpu("work", "one_per_element", Scope::end_to_end, 2.5e-3);
  doubtful.timing.too_short = 1;
  Document document = document_of(
      {measured("work", "serial", "naive", 18e-3), measured("work", "openmp", "simd", 1.25e-3),
       not_measured(measured_on_gpu("work", "one_thread", Scope::kernel, 1), Status::skipped,
                    no_room),
       measured_on_gpu("work", "one_per_element", Scope::kernel, 1e-4),
       not_measured(measured_on_gpu("work", "one_thread", Scope::end_to_end, 1), Status::skipped,
                    no_room),
       doubtful, kernel_copy, whole_copy});
  document.context.machine.gpu.emplace().name = "Some GPU";
  const std::string text = text_of(document);
  EXPECT_EQ(text, R"(gpu1 · Some Processor · 2 of 8 cpus · avx2 · Some GPU · 2026-01-31 12:00

work · f32 · 10 · cold cache
  variant                     time  95 % interval GB/s % of copy × naive  × best
  serial/naive            18.00 ms [17.64, 18.18] 0.22         –    1.00    0.07
  openmp/simd             1.250 ms [1.225, 1.262] 3.20         –   14.40    1.00
  cuda/one_thread         skipped: memory: needs 9.0 GB on the device, 1.0 GB
                            available
  cuda/one_per_element    100.0 µs [98.00, 101.0] 40.0      95 %     180   12.50
  cuda/one_per_element ⇄ ~2.500 ms [2.450, 2.525] 1.60      80 %    7.20    0.50
  cuda/one_per_element is 180× as fast as the naive loop and 12× as the fastest
  CPU variant; at 95 % of the speed of a plain copy on the device, memory is the
  limit. With the transfers the best, cuda/one_per_element, is 7.2× as fast as
  the naive loop and 0.50× as the fastest CPU variant: they take 96 % of its
  time, and the CPU wins unless the data are on the device already.

time: median of the samples, with its 95 % interval in the same unit. % of copy:
GB/s relative to the fastest way of copying the same arrays with the same
threads.
× naive: how many times faster than serial/naive. × best: than the fastest CPU
variant. Every result was checked against the reference result, before and
after.
⇄: end to end, with the transfers between pinned host memory and the device.
~: uncertain: the interval is wider than a factor of 1.5, or there are fewer
than 6 samples; or more than a fifth of them waited for a processor, or some are
below 10× the timer's resolution.
)");
  expect_narrow(text);
}

TEST(Table, RowsHaveAStyle) {
  const StyledText text = text_tables(document_of(
      {measured("work", "serial", "naive", 18e-3), measured("work", "openmp", "naive", 9e-3),
       measured("work", "openmp", "simd", 9e-3),
       not_measured(measured("work", "openmp", "broken", 1), Status::failed, "wrong"),
       measured_of_library("work", Scope::kernel, 1e-4),
       not_measured(measured("work", "cuda", "*", 1), Status::skipped, "built without CUDA")}));
  const auto style = [&](const std::string& begin) {
    const auto found = std::find_if(text.begin(), text.end(), [&](const StyledLines& lines) {
      return lines.text.starts_with("  " + begin);
    });
    return found == text.end() ? std::nullopt : std::optional(found->style);
  };
  EXPECT_EQ(style("serial/naive"), Style::plain);
  EXPECT_EQ(style("openmp/naive"), Style::best) << "equal ones all are";
  EXPECT_EQ(style("openmp/simd"), Style::best);
  EXPECT_EQ(style("cuda/library"), Style::plain) << "not built in";
  EXPECT_EQ(style("openmp/broken"), Style::failed);
  EXPECT_EQ(style("cuda/*"), Style::skipped);
}

TEST(Table, MarksWhatIsNotOurs) {
  const std::vector<Case> ours{measured("work", "serial", "naive", 18e-3),
                               measured_on_gpu("work", "wide", Scope::kernel, 2e-4)};
  EXPECT_EQ(text_of(document_of(ours)).find("‡"), std::string::npos);
  std::vector<Case> all = ours;
  all.push_back(measured_of_library("work", Scope::kernel, 1e-4));
  all.push_back(not_measured(measured_of_library("work", Scope::end_to_end, 1), Status::skipped,
                             "cuBLAS is absent"));
  const std::string text = text_of(document_of(all));
  expect_contains(text, "\n  cuda/library ‡    100.0 µs   [98.00, 101.0]");
  expect_contains(text, "\n  cuda/library ‡ ⇄  skipped: cuBLAS is absent");
  expect_contains(text, "\n  cuda/wide is 90× as fast");
  expect_contains(text, "\n‡: library routine, shown");
  expect_narrow(text);
}

TEST(Table, ShowsAVariantThatHasTheTransfersOnly) {
  Case whole_copy = measured_on_gpu("copy", "overlapped", Scope::end_to_end, 0.96e-3);
  whole_copy.reference = true;
  const std::string text = text_of(
      document_of({measured("work", "serial", "naive", 18e-3),
                   measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
                   measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3),
                   measured_on_gpu("work", "overlapped", Scope::end_to_end, 1e-3), whole_copy}));
  expect_contains(text, R"(
  cuda/wide          100.0 µs   [98.00, 101.0]   40.0         –     180     180
  cuda/wide ⇄        2.000 ms   [1.960, 2.020]   2.00      48 %    9.00    9.00
  cuda/overlapped ⇄  1.000 ms   [0.980, 1.010]   4.00      96 %   18.00   18.00
)");
  expect_narrow(text);
  const std::string joined = wrapped(text, 10'000, 0);  // one line
  expect_contains(joined, "With the transfers the best, cuda/overlapped, is 18× as fast as");
  expect_contains(joined, "at 96 % of the speed of the best copy with them, the bus is the limit.");

  // Alone, too; and where it was not measured, its only row says why.
  const std::string alone =
      text_of(document_of({measured("work", "serial", "naive", 18e-3),
                           measured_on_gpu("work", "overlapped", Scope::end_to_end, 1e-3)}));
  EXPECT_EQ(alone.find("No variant beats"), std::string::npos);
  expect_contains(alone, "With the transfers the best, cuda/overlapped, is 18×");
  const Reason reason = said<reasons::no_device_because>(said<reasons::no_driver>());
  TableOptions every_row;
  every_row.statuses = {"measured", "skipped"};
  const auto render = [&](const Document& document) {
    return tables(merge({document}), every_row, Format::text);
  };
  const std::string skipped = render(document_of(
      {measured("work", "serial", "naive", 18e-3),
       not_measured(measured_on_gpu("work", "wide", Scope::kernel, 1), Status::skipped, reason),
       not_measured(measured_on_gpu("work", "wide", Scope::end_to_end, 1), Status::skipped, reason),
       not_measured(measured_on_gpu("work", "overlapped", Scope::end_to_end, 1), Status::skipped,
                    reason)}));
  expect_contains(skipped, "  cuda/overlapped ⇄  skipped: no device: no NVIDIA driver");
  EXPECT_EQ(skipped.find("cuda/wide ⇄"), std::string::npos);
}

TEST(Table, NamesTheHostsMemoryWhereItIsNotPinned) {
  const auto rung = [](Scope scope, double seconds) {
    return measured_on_gpu("work", "branch_free", scope, seconds);
  };
  const std::string text = text_of(document_of(
      {measured("work", "serial", "naive", 18e-3), rung(Scope::kernel, 1e-4),
       rung(Scope::end_to_end, 2e-3), rung(Scope::pageable, 5e-3), rung(Scope::mapped, 1.9e-3),
       not_measured(rung(Scope::managed, 1), Status::skipped,
                    "this device has no managed memory")}));
  expect_contains(text, "\n  cuda/branch_free ⇄ pageable  5.000 ms");
  expect_contains(text, "\n  cuda/branch_free ⇄ mapped    1.900 ms");
  expect_contains(text, "\n  cuda/branch_free ⇄ managed   skipped: this device has no managed");
  expect_contains(text, "\n⇄ pageable: ");
  expect_narrow(text);
}

// Whatever was read before it, or next to it in the same table.
TEST(Table, AFileExplainsItsOwnSentences) {
  const auto read = [](const char* variant, const char* key) {
    Json json = written(document_of(
        {not_measured(measured("work", "openmp", variant, 1), Status::skipped, "in two ways")}));
    json["reasons"]["in two ways"] = {{"key", key}, {"values", Json::array()}};
    return parse_document(json.dump(), variant);
  };
  const auto told = [](const std::vector<Document>& documents) {
    TableOptions french;
    french.language = Language::fr;
    const Json all = Json::parse(tables(merge(documents), french, Format::json));
    std::map<std::string, std::string> reasons;
    for (const Json& table : all.at("tables")) {
      for (const Json& row : table.at("rows")) reasons[row.at("variant")] = row.at("reason_text");
    }
    return reasons;
  };
  const std::map<std::string, std::string> own{{"a", "pas de GPU"}, {"b", "compilé sans CUDA"}};
  const Document first = read("a", "no_device");
  const Document second = read("b", "built_without_cuda");
  EXPECT_EQ(told({first, second}), own);
  EXPECT_EQ(told({second, first}), own);
  EXPECT_EQ(told({read("b", "built_without_cuda"), read("a", "no_device")}), own);
}

// A node without a device: its rows say one thing, and no size helps the one that is slow.
TEST(Table, FoldsABackendOfWhichNothingWasMeasured) {
  const Reason reason = said<reasons::no_device_because>(said<reasons::no_driver>());
  std::vector<Case> cases{measured("work", "serial", "naive", 18e-3)};
  for (const char* variant : {"one_thread", "one_per_element", "wide"}) {
    cases.push_back(not_measured(
        measured_on_gpu("work", variant, Scope::kernel, 1), Status::skipped,
        variant == std::string("one_thread") ? said<reasons::too_slow>(10000000, 1000000, "1e6")
                                             : reason));
  }
  cases.push_back(not_measured(measured_on_gpu("work", "overlapped", Scope::end_to_end, 1),
                               Status::skipped, reason));
  cases.push_back(not_measured(measured_of_library("work", Scope::kernel, 1), Status::skipped,
                               "no device: " + reason.text));
  expect_contains(text_of(document_of(cases)), "  cuda/wide ");  // one has its own reason

  cases.pop_back();
  TableOptions options;
  const auto render = [&](Format format) {
    return tables(merge({document_of(cases)}), options, format);
  };
  const std::string text = render(Format::text);
  expect_contains(
      text, "\n  cuda          4 variants skipped: no device: no NVIDIA driver on this node\n");
  for (const char* absent : {"cuda/", "too slow", "⇄"}) {
    EXPECT_EQ(text.find(absent), std::string::npos) << absent;
  }
  expect_contains(render(Format::markdown), "| cuda | 4 variants skipped: no device");
  expect_contains(render(Format::csv), "cuda,one_thread,");
  const Json json = Json::parse(render(Format::json)).at("tables").at(0);
  EXPECT_EQ(json.at("rows").size(), 5U);
  EXPECT_EQ(json.at("folded").at(0).at("rows"), (Json{1, 2, 3, 4}));
  options.language = Language::pt;
  expect_contains(render(Format::text), "4 variantes omitidas: sem dispositivo: não há driver");
  options.statuses = {"skipped"};
  expect_contains(render(Format::text), "cuda/one_thread ");

  // One that was measured, and a reason of its own for each: all rows stay.
  cases.push_back(measured_on_gpu("work", "grid_stride", Scope::kernel, 1e-4));
  expect_contains(text_of(document_of(cases)), "cuda/wide ");
}

TEST(Table, AsJsonSaysWhatRatiosAndSharesAreOver) {
  TableOptions options;
  options.baseline = "openmp/naive";
  const Document document = document_of(
      {measured("work", "serial", "naive", 18e-3), measured("work", "openmp", "naive", 9e-3)});
  const Json all = Json::parse(tables(merge({document}), options, Format::json));
  const Json& table = all.at("tables").at(0);
  EXPECT_EQ(table.at("elements"), document.cases.at(0).elements);
  const Json& row = table.at("rows").at(0);
  EXPECT_EQ(row.at("share_of"), "copy");
  EXPECT_EQ(row.at("over_baseline").at("baseline"), document.cases.at(1).name);
  EXPECT_DOUBLE_EQ(row.at("over_baseline").at("value").get<double>(), 0.5);
}

// What a GPU's L2 cache keeps of the results is never written within a sample.
TEST(Table, SaysWhereTheCacheOfTheGpuMayHoldTheArrays) {
  Case gpu = measured("work", "cuda", "wide", 1e-4);
  gpu.threads.reset();
  gpu.elements = 1000;
  gpu.footprint_bytes = 80'000'000;
  Document document = document_of({measured("work", "serial", "naive", 4e-3), gpu});
  document.context.machine.gpu.emplace().l2_bytes = 60'000'000;
  expect_contains(tables(merge({document}), {}, Format::text),
                  "The GPU's L2 cache (60 MB) may hold much of the 80 MB");
  for (CaseRecord& one : document.cases) one.footprint_bytes = 12'000;
  const std::string small = wrapped(tables(merge({document}), {}, Format::text), 10'000, 0);
  expect_contains(small, "The GPU's L2 cache (60 MB) holds all of the 12 kB that");
  expect_contains(small, "From 40 million elements on little stays there.");
  for (CaseRecord& one : document.cases) one.memory_bound = false;
  EXPECT_EQ(tables(merge({document}), {}, Format::text).find("L2"), std::string::npos)
      << "no GB/s is shown";
  for (CaseRecord& one : document.cases) one.memory_bound = true;
  for (CaseRecord& one : document.cases) one.footprint_bytes = 80'000'000;
  document.context.machine.gpu->l2_bytes = 10'000'000;
  EXPECT_EQ(tables(merge({document}), {}, Format::text).find("L2"), std::string::npos);
  document.context.machine.gpu->l2_bytes.reset();
  EXPECT_EQ(tables(merge({document}), {}, Format::text).find("L2"), std::string::npos);
}

// Ten times faster a kernel may become there, and no row shows it.
TEST(Table, NamesTheKernelsWhoseLaunchIsWhatShows) {
  Document document = document_of({measured("work", "serial", "naive", 1e-4),
                                   measured_on_gpu("work", "grid_stride", Scope::kernel, 5e-6),
                                   measured_on_gpu("work", "wide", Scope::kernel, 4e-6),
                                   measured_on_gpu("work", "wide", Scope::end_to_end, 4e-6)});
  const auto text = [&] { return wrapped(tables(merge({document}), {}, Format::text), 10'000, 0); };
  document.context.machine.gpu.emplace().event_floor_s = 2.3e-6;
  document.context.machine.gpu->launch_s = 1.5e-6;
  expect_contains(text(),
                  "A run of cuda/wide takes less than twice as long as an empty kernel (2.3");
  document.context.machine.gpu->event_floor_s = 2.6e-6;
  expect_contains(text(), "A run of cuda/grid_stride, cuda/wide takes less");
  document.context.machine.gpu->event_floor_s = 1e-6;
  EXPECT_EQ(text().find("launch bound"), std::string::npos);
  // In batches launches follow each other.
  for (CaseRecord& one : document.cases) one.batch = 100;
  EXPECT_EQ(text().find("launch bound"), std::string::npos);
  document.context.machine.gpu->launch_s = 2.3e-6;
  expect_contains(text(), "launch bound");
  document.context.machine.gpu->launch_s.reset();
  EXPECT_EQ(text().find("launch bound"), std::string::npos);
}

TEST(Table, SaysWhoseFirstCallTookRemarkablyLong) {
  Case slow = measured_on_gpu("work", "wide", Scope::kernel, 1e-4);
  slow.first_use_s = 0.25;
  Case slower = measured_on_gpu("work", "wider", Scope::kernel, 1e-4);
  slower.first_use_s = 0.31;
  const Case usual = measured("work", "serial", "naive", 1e-2);
  expect_contains(wrapped(text_of(document_of({usual, slow, slower})), 10'000, 0),
                  "The first call of cuda/wider took 310.0 ms, 3 100 times as long as later ones");
  slower.cache = CacheMode::hot;
  slower.guest = "mine.cu";
  slow.guest = "mine.cu";
  EXPECT_EQ(text_of(document_of({usual, slow})).find("first call"), std::string::npos);
  slow.guest.reset();
  slow.cache = CacheMode::hot;
  EXPECT_EQ(text_of(document_of({usual, slow})).find("first call"), std::string::npos);
  slower.guest.reset();
  slower.cache = slow.cache = CacheMode::cold;
  slower.first_use_s = slow.first_use_s = 99e-4;
  EXPECT_EQ(text_of(document_of({usual, slow, slower})).find("first call"), std::string::npos);
}

TEST(Table, SaysWhatRanOutOfTime) {
  std::vector<Case> cases{measured("work", "serial", "naive", 1e-2)};
  const std::vector<std::pair<const char*, double>> half_widths{
      {"a", 0.06}, {"b", 0.2}, {"c", 0.049}, {"d", 0.08}, {"e", 0.07}};
  for (const auto& one : half_widths) {
    cases.push_back(measured("work", "openmp", one.first, 1e-3));
    cases.back().timing.stop = Stop::max_time;
  }
  Document document = document_of(cases);
  for (std::size_t i = 0; i < half_widths.size(); ++i) {
    const double half = half_widths[i].second;
    document.cases[i + 1].seconds->ci95 = {1e-3 * (1 - half), 1e-3 * (1 + half)};
  }
  const auto text = [&] { return wrapped(text_of(document), 10'000, 0); };
  expect_contains(text(),
                  "Time ran out before the median was known to 5 %: openmp/b (±20 %), openmp/d "
                  "(±8.0 %), openmp/e (±7.0 %), and 1 more. A longer --max-time");
  for (CaseRecord& one : document.cases) one.seconds->stop = Stop::max_samples;
  EXPECT_EQ(text().find("Time ran out"), std::string::npos);
}

TEST(Table, ShowsWhatChangeCouldBeTold) {
  Case quiet = measured("work", "serial", "naive", 1e-3);
  quiet.timing.samples.assign(20, 1e-3);
  Case noisy = measured("work", "openmp", "naive", 1e-3);
  for (std::size_t i = 0; i < noisy.timing.samples.size(); ++i) {
    noisy.timing.samples[i] = i % 2 == 0 ? 1e-3 : 1.2e-3;
  }
  TableOptions options;
  options.columns = {"variant", "change"};
  const std::string text = tables(merge({document_of({quiet, noisy})}), options, Format::text);
  expect_contains(text, "serial/naive        0.0 %");
  expect_contains(text, "openmp/naive         20 %");
  expect_contains(text, "least change: the smallest difference that two");
}

TEST(Table, ShowsOperationsPerSecond) {
  Case computing = measured("work", "serial", "naive", 1e-3);
  computing.flops = 118'200'000;
  Case moving = measured("work", "openmp", "naive", 1e-3);
  moving.flops = 0;
  TableOptions options;
  options.columns = {"variant", "flops"};
  const std::string text = tables(merge({document_of({computing, moving})}), options, Format::text);
  expect_contains(text, "variant      GFLOP/s");
  expect_contains(text, "serial/naive   118.2");
  expect_contains(text, "openmp/naive       –");
}

TEST(Table, ShowsTheSlowestSamples) {
  Case one = measured("work", "serial", "naive", 1e-3);
  one.timing.samples.assign(100, 1e-3);
  for (std::size_t i = 0; i < 8; ++i) one.timing.samples[i] = i < 3 ? 5e-3 : 2e-3;
  TableOptions options;
  options.columns = {"variant", "time", "p95", "p99"};
  const std::string text = tables(merge({document_of({one})}), options, Format::text);
  expect_contains(text, "1.000 ms  2.000 ms  5.000 ms");
}

Case in_blocks(const char* variant, const char* block, double seconds) {
  Case one = measured_on_gpu("work", variant, Scope::kernel, seconds);
  one.parameters["block"] = block;
  return bench::test::named(one);
}

TEST(Table, HoldsLaunchesAgainstTheFastest) {
  const Document document =
      document_of({measured("work", "serial", "naive", 1e-2), in_blocks("wide", "32", 2e-3),
                   in_blocks("wide", "128", 1e-3), in_blocks("wide", "256", 1.02e-3),
                   in_blocks("alone", "32", 1e-3)});
  const std::string text = wrapped(text_of(document), 10'000, 0);
  expect_contains(text,
                  "cuda/wide by its launch, speed against the fastest: 0.50 with block=32, 1.00 "
                  "with block=128, 0.98 with block=256; tied with the fastest (within "
                  "3 %): block=256");
  EXPECT_EQ(text.find("cuda/alone by its launch"), std::string::npos);
}

TEST(Table, ShowsWhatFitsAndWhatAClockWithoutAWaitWouldShow) {
  Case gpu = measured_on_gpu("work", "wide", Scope::kernel, 1e-3);
  gpu.launch_s = 4e-6;
  gpu.launch->registers = 40;
  gpu.launch->blocks_per_multiprocessor = 6;
  gpu.launch->occupancy = 0.75;
  TableOptions options;
  options.columns = {"variant", "time", "unsynchronised", "registers", "occupancy"};
  const std::string text =
      tables(merge({document_of({measured("work", "serial", "naive", 1e-2), gpu})}), options,
             Format::text);
  expect_contains(text, "4.000 µs");
  expect_contains(text, "40");
  expect_contains(text, "75 %");
  expect_contains(text, "unsynchronised: time without waiting");
  expect_contains(text, "occupancy: resident threads of a multiprocessor in a variant's last");
}

TEST(Table, ExplainsOnlyWhatItShows) {
  const std::string none = "no device: none";
  const Case add = measured("work", "openmp", "naive", 1e-3);
  const std::string text = wrapped(
      text_of(document_of({measured("work", "serial", "naive", 18e-3), add,
                           not_measured(measured_of_library("work", Scope::kernel, 1),
                                        Status::skipped, "cuBLAS is absent"),
                           not_measured(measured_on_gpu("work", "wide", Scope::end_to_end, 1),
                                        Status::skipped, none)})),
      10'000, 0);
  expect_contains(text, "% of copy: GB/s relative to the fastest way of copying the same arrays");
  for (const char* absent : {"⇄:", "‡:", "% of read", "% of add"}) {
    EXPECT_EQ(text.find(absent), std::string::npos) << absent;
  }
}

TEST(Table, WhereNothingWasMeasuredNothingWasChecked) {
  const std::string text = text_of(document_of(
      {not_measured(measured("work", "serial", "naive", 1), Status::skipped, "no time")}));
  expect_contains(text, "Nothing was measured.");
  EXPECT_EQ(text.find("was checked"), std::string::npos);
}

// Only what has no room goes, and it is named.
TEST(Table, FitsANarrowTerminal) {
  const Document document = document_of(
      {measured("work", "serial", "naive", 18e-3), measured("work", "openmp", "streaming", 1e-3)});
  TableOptions options;
  for (const std::size_t width : {60U, 50U}) {
    options.width = width;
    const std::string text = text_of(document, options);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), width) << line;
    expect_contains(text, "\nNot shown, for lack of space: 95 % interval");
    EXPECT_EQ(text.find('['), std::string::npos);
    expect_contains(text, "× naive");
  }
  options.columns = {"variant", "time", "interval", "naive"};
  options.width = 30;
  expect_contains(text_of(document, options), "95 % interval");
}

/// Two user kernels and the naive loop; every second sample of the last one is slow.
Document of_a_class() {
  Case fast = measured("work", "guest", "fast", 1e-3);
  Case noisy = measured("work", "guest", "noisy", 1.1e-3);
  fast.guest = "fast.cpp";
  noisy.guest = "noisy.cpp";
  for (std::size_t i = 0; i < noisy.timing.samples.size(); i += 2) noisy.timing.samples[i] *= 10;
  Document document = document_of({measured("work", "serial", "naive", 18e-3), fast, noisy,
                                   measured("copy", "serial", "naive", 1e-3)});
  document.context.run.guests = {
      {.path = "fast.cpp", .hash = "1", .command = "c++", .code_hash = "same"},
      {.path = "noisy.cpp", .hash = "2", .command = "c++", .code_hash = "same"}};
  return document;
}

TEST(Table, OfUserKernelsKeepsTheIntervalsLongest) {
  TableOptions options;
  options.width = 70;
  const std::string text = text_of(of_a_class(), options);
  expect_contains(text, "95 % interval");
  expect_contains(text, "Not shown, for lack of space: % of copy");
}

TEST(Table, SaysWhichUserKernelsToMeasureAgain) {
  const std::string text = text_of(of_a_class());
  expect_contains(wrapped(text, 10'000, 0),
                  "Not ranked, because their times vary too much: guest/noisy. Measure again.");
  EXPECT_EQ(cells(text, "guest/noisy").at(1), "–");
  EXPECT_EQ(cells(text, "guest/fast").at(1), "1");
}

TEST(Table, OfPythonImplementationsHasNoRanks) {
  Case numpy = measured("work", "numpy", "out", 1e-3);
  Case numba = measured("work", "numba", "njit", 2e-3);
  Case mine = measured("work", "guest", "mine", 3e-3);
  numpy.guest = "/opt/bench_hpc/peers/guest_numpy.py";
  numba.guest = "/opt/bench_hpc/peers/guest_numba.py";
  mine.guest = "mine.cpp";
  const Case naive = measured("work", "serial", "naive", 18e-3);
  EXPECT_EQ(text_of(document_of({naive, numpy, numba})).find("rank"), std::string::npos);
  EXPECT_EQ(text_of(document_of({naive, numpy, numba, mine})).find("rank"), std::string::npos);
  TableOptions options;
  options.columns = {"variant", "rank"};
  const std::string csv = tables(merge({document_of({naive, numpy, mine})}), options, Format::csv);
  expect_contains(csv, "numpy,out,kernel,,work/serial/naive/f32/10/kernel,\n");
  expect_contains(csv, "guest,mine,kernel,1,work/serial/naive/f32/10/kernel,\n");
}

TEST(Csv, SaysWhatAClassIsGradedBy) {
  Document document = of_a_class();
  TableOptions options;
  options.columns = {"variant", "rank", "waited", "same_as"};
  const auto csv = [&] { return tables(merge({document}), options, Format::csv); };
  expect_contains(csv(),
                  "guest,noisy,kernel,,work/serial/naive/f32/10/kernel,measure "
                  "again,0.0,false,fast.cpp,code\n");
  for (CaseRecord& one : document.cases) {
    if (one.variant == "fast") one.seconds->preempted = one.rounds;
  }
  expect_contains(
      csv(),
      "guest,noisy,kernel,,work/serial/naive/f32/10/kernel,measure again,0.0,true,fast.cpp,code\n");
  expect_contains(csv(),
                  "guest,fast,kernel,,work/serial/naive/f32/10/kernel,measure again,1.0,true,,\n");
  document.context.run.guests.at(1).hash = "1";
  expect_contains(csv(), "true,fast.cpp,text\n");
}

TEST(Table, WithoutABaselineSaysHowToGetOne) {
  Document document = document_of(
      {measured("work", "python", "naive", 18e-3), measured("work", "numba", "njit", 1e-3)});
  expect_contains(
      wrapped(text_of(document), 10'000, 0),
      "No speedup where serial/naive was not measured at the same size. --baseline compares with "
      "another variant, e.g. --baseline python/naive.");
  TableOptions options;
  options.baseline = "python/naive";
  const std::string compared = text_of(document, options);
  EXPECT_EQ(compared.find("No speedup"), std::string::npos);
  EXPECT_EQ(compared.find("no baseline"), std::string::npos);
  expect_contains(compared, "\n  python/naive takes");
}

TEST(Table, WrapsLongReasonsBesideTheirVariant) {
  const std::string reason =
      "right at first, but not while measured: 12345678 of 100000000 elements are wrong, the first "
      "at index 17: 1.5 instead of 2";
  const std::string text = text_of(document_of(
      {measured("work", "serial", "naive", 1), measured("work", "serial", "a_longer_name", 1),
       not_measured(measured("work", "openmp", "broken", 1), Status::failed, reason)}));
  expect_narrow(text);
  std::string joined;
  for (const std::string& line : lines_of(text)) {
    const auto first = line.find_first_not_of(' ');
    if (first != std::string::npos) joined += line.substr(first) + " ";
  }
  expect_contains(joined, "failed: " + reason);
}

TEST(Table, HasOnePartPerWorkloadPrecisionAndSize) {
  Case twofold = measured("work", "serial", "naive", 1e-3);
  twofold.dtype = Dtype::f64;
  Case larger = measured("work", "serial", "naive", 1e-3);
  larger.size = "20";
  const std::string text =
      text_of(document_of({measured("work", "serial", "naive", 1e-3), twofold, larger,
                           measured("other", "serial", "naive", 1e-3)}));
  for (const char* heading :
       {"\nwork · f32 · 10 · cold cache\n", "\nwork · f64 · 10 · cold cache\n",
        "\nwork · f32 · 20 · cold cache\n", "\nother · f32 · 10 · cold cache\n"}) {
    expect_contains(text, heading);
  }
}

TEST(Table, LeavesOutReferencesButTheBaseline) {
  std::vector<Case> cases{measured("work", "serial", "naive", 1e-3),
                          measured("work", "serial", "hidden", 1e-3),
                          measured("work", "serial", "shown", 1e-3)};
  cases.at(0).reference = true;
  cases.at(1).reference = true;
  const std::string text = text_of(document_of(cases));
  expect_contains(text, "serial/naive");
  expect_contains(text, "serial/shown");
  EXPECT_EQ(text.find("hidden"), std::string::npos);
}

TEST(Table, RowsOfSeveralWorkloadsSayWhatTheyAreAShareOf) {
  Case add = measured("add", "serial", "naive", 1e-3);
  add.bandwidth_reference = true;
  Case computing = measured("pi", "serial", "naive", 1e-3);
  computing.memory_bound = false;
  const Document document = document_of_groups(
      {group_of({copy_alone("serial", "naive", 1e-3)}), group_of({add}), group_of({computing})});
  TableOptions options;
  options.columns = {"workload", "bandwidth", "share"};
  const std::string text = text_of(document, options);
  expect_contains(text, "rate         share\n");
  expect_contains(text, "4.00 GB/s 100 % of copy");
  expect_contains(text, "4.00 GB/s  100 % of add");
  expect_contains(text, "10.0 k/s");
  options.columns = {"variant", "bandwidth", "share"};
  expect_contains(text_of(document, options), "GB/s % of copy");
}

TEST(Table, WhatArithmeticLimitsIsComparedWithItsPeak) {
  Case peak = measured("multiply_add", "serial", "simd", 1e-3);
  peak.beside = Beside{"work", "10"};
  peak.arithmetic_reference = true;
  peak.nearer_reference = true;
  peak.reference = true;
  peak = named(peak);
  std::vector<Case> cases{measured("work", "serial", "naive", 8e-3),
                          measured("work", "serial", "fast", 1.25e-3), peak};
  for (Case& one : cases) one.memory_bound = false;
  const std::string text = text_of(document_of(cases));
  expect_contains(text, "rate % of peak");
  expect_contains(text, "80 %");
  expect_contains(
      text, "operations of the formula per second relative to what multiply_add reaches with");
  expect_contains(text, "; it computes at 80 % of the peak\n");
  EXPECT_EQ(text.find("copy"), std::string::npos);
}

TEST(Table, ALibraryMayShowWhatADeviceComputes) {
  Case library = measured_on_gpu("matmul", "library", Scope::kernel, 1e-3);
  library.library = library.arithmetic_reference = library.nearer_reference = true;
  std::vector<Case> cases{measured("matmul", "serial", "naive", 8e-1),
                          measured_on_gpu("matmul", "tiled", Scope::kernel, 4e-3),
                          measured_on_gpu("matmul", "tensor", Scope::kernel, 2e-3), library};
  for (Case& one : cases) one.memory_bound = false;
  const std::string text = text_of(document_of(cases));
  expect_contains(text, "rate % of library");
  expect_contains(text, "25 %");
  expect_contains(text, "50 %");
  expect_contains(text, "it shows what its tensor cores can do");
  EXPECT_EQ(text.find("peak"), std::string::npos);
}

TEST(Table, ShowsParametersThatWereChosen) {
  Case two = measured("work", "openmp", "naive", 1e-3);
  two.parameters["threads"] = "2";
  two = named(two);
  Case block = measured_on_gpu("work", "wide", Scope::end_to_end, 1e-3);
  block.parameters["block"] = "64";
  block = named(block);
  const std::string text =
      text_of(document_of({measured("work", "serial", "naive", 1e-3), two, block}));
  expect_contains(text, "openmp/naive ×2 ");
  expect_contains(text, "cuda/wide block=64 ⇄ ");
  expect_contains(text, "serial/naive ");
}

TEST(Table, AnIntervalHasAUnitOrSharesThatOfTheTime) {
  const Document document = document_of(
      {measured("work", "serial", "naive", 18e-3), measured("work", "openmp", "simd", 20e-6)});
  const auto with = [&](const std::vector<std::string>& columns) {
    TableOptions options;
    options.columns = columns;
    return text_of(document, options);
  };
  for (const auto& columns : {std::vector<std::string>{"variant", "seconds", "interval"},
                              std::vector<std::string>{"variant", "interval"}}) {
    expect_contains(with(columns), "[17.64, 18.18] ms");
    expect_contains(with(columns), "[19.60, 20.20] µs");
  }
  expect_contains(with({"variant", "time", "interval"}), "[17.64, 18.18]\n");
}

TEST(Table, ShowsADashWhereThereIsNoNumberAndNoColumnOfDashes) {
  const std::string text = text_of(
      document_of({not_measured(measured("work", "serial", "naive", 1), Status::failed, "wrong"),
                   measured("work", "openmp", "naive", 1e-3)}));
  expect_contains(text, "4.00         –    1.00\n");
  EXPECT_EQ(text.find("× naive"), std::string::npos);
  expect_contains(text, "No speedup where serial/naive was not measured");
  expect_contains(text, "openmp/naive has the lowest median time.");
}

TEST(Table, WarningsComeLast) {
  Document document = document_of({measured("work", "serial", "naive", 1)});
  document.context.run.warnings = {
      "load 9.9 on 8 cpus before the run: others were working here; ask for the node alone"};
  const std::string text = text_of(document);
  expect_contains(text, "\nwarning: load 9.9 on 8 cpus");
  EXPECT_EQ(text.back(), '\n');
  expect_narrow(text);
}

TEST(Table, ARunThatWasStoppedAtOnceHasATitleOnly) {
  EXPECT_EQ(text_of(document_of({})),
            "gpu1 · Some Processor · 2 of 8 cpus · avx2 · 2026-01-31 12:00\n");
}

TEST(Table, UnknownFactsDoNotStopIt) {
  Document document = document_of({});
  document.context.engine["date"] = nullptr;
  document.context.run.started.clear();
  document.context.machine.cpu_model.reset();
  document.context.machine.logical_cpus.reset();
  EXPECT_EQ(text_of(document), "gpu1 · unknown processor · 2 of ? cpus · avx2 · ?\n");
}

}  // namespace
}  // namespace bench::test
