// nvbench: --json FILE; with --jsonbin FILE the samples are next to it, as numbers of 32 bits.
#include <cstring>

#include "harness/base/files.hpp"
#include "harness/formats/at.hpp"

namespace bench {
namespace {

/// The value of this name in the first summary whose `key` says this.
At value_of(const At& state, const char* key, std::string_view said, std::string_view name) {
  for (const At& summary : state["summaries"].list()) {
    if (summary[key].text() != said) continue;
    for (const At& value : summary["data"].list()) {
      if (value["name"].text() == name) return value["value"];
    }
  }
  return state["no such summary"];
}

/// Samples in a file. It is named as the program was told, from wherever that ran, and is stored as
/// FOLDER/NUMBER.bin next to the JSON.
std::vector<double> samples_in(const At& name, const At& size, const std::filesystem::path& next) {
  constexpr double most = 1 << 26;  // bytes
  const std::filesystem::path said = name.text();
  const std::filesystem::path file = next / said.parent_path().filename() / said.filename();
  std::error_code error;
  const auto bytes = static_cast<double>(std::filesystem::file_size(file, error));
  if (error) name.wrong("is not there: copy " + printable(file.string()) + " with the file");
  if (bytes == 0 || bytes > most || size.number() * sizeof(float) != bytes) {
    size.wrong("is not that of " + printable(file.string()));
  }
  const std::string all = whole_file(file);
  std::vector<float> values(all.size() / sizeof(float));
  std::memcpy(values.data(), all.data(), values.size() * sizeof(float));
  return {values.begin(), values.end()};
}

void take_state(ForeignCase& one, const At& state, const std::filesystem::path& next) {
  one.no_time = state["skip_reason"].text();
  if (!one.no_time.empty()) return;
  constexpr const char* samples = "file/sample_times";
  const At file = value_of(state, "hint", samples, "filename");
  if (!file.text().empty()) {
    one.seconds = samples_in(file, value_of(state, "hint", samples, "size"), next);
  }
  for (const char* const tag : {"nv/cold/time/gpu/mean", "nv/batch/time/gpu/mean",
                                "nv/cpu_only/time/cpu/mean", "nv/cold/time/cpu/mean"}) {
    const At mean = value_of(state, "tag", tag, "value");
    if (one.seconds.empty() && !mean.as_text().empty()) one.seconds.push_back(mean.number());
  }
  const At rate = value_of(state, "hint", "byte_rate", "value");
  if (!rate.as_text().empty()) one.bytes_per_second = rate.number();
}

ForeignRun read_nvbench(const Json& json, const std::filesystem::path& next) {
  const At file(json);
  ForeignRun run;
  run.argv = file["meta"]["argv"].maybe<std::vector<std::string>>().value_or(run.argv);
  for (const At& device : file["devices"].list()) run.gpus.push_back(device["name"].text());
  run.cold = true;
  const std::string program = run.argv.empty() ? "nvbench" : name_of_program(run.argv[0]);
  for (const At& benchmark : file["benchmarks"].list()) {
    for (const At& state : benchmark["states"].list()) {
      ForeignCase& one = run.cases.emplace_back();
      one.program = program;
      one.name = benchmark["name"].text();
      for (const At& axis : state["axis_values"].list()) {
        one.name += fmt::format("/{}={}", axis["name"].text(), axis["value"].as_text());
      }
      if (benchmark["devices"].list().size() > 1)
        one.name += "/device=" + state["device"].as_text();
      take_state(one, state, next);
    }
  }
  return run;
}

}  // namespace

const JsonFormat nvbench{"nvbench", {"/devices", "/benchmarks"}, read_nvbench};

}  // namespace bench
