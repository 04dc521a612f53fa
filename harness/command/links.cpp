#include "harness/command/links.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "harness/base/exit.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/text.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/compare/odd_links.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/links.hpp"
#include "harness/document/imported.hpp"
#include "harness/document/report.hpp"
#include "harness/guests/fabric.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"
#include "harness/node/processor.hpp"
#include "harness/words/numbers.hpp"

namespace bench {
namespace {

constexpr double giga = 1e9;

struct JobLinks {
  std::vector<LinkTimes> links;
  std::vector<std::string> missing;  ///< what was not measured, and why
};

/// Why this process times no copies of devices; empty where it does.
Reason no_devices() {
  if (!cuda::built_with_cuda()) return said<reasons::built_without_cuda>();
  const std::size_t devices = cuda::device_count();
  if (devices == 0) return cuda::Device().reason();
  const std::optional<Slurm> job = slurm();
  const bool shared = job && tasks_share_devices(*job, devices);
  return shared && local_rank() > 0 ? Reason("another task of the node times them") : Reason();
}

/// The same of messages to other processes.
std::string no_messages(const LinksRequest& request) {
  if (request.alone) return "--alone";
  if (guests::processes_of_job() < 2) {
    return "this is one process; start one for each node, e.g. srun --mpi=pmix "
           "--ntasks-per-node=1 bench links";
  }
  return guests::has_mpicc() ? "" : "no mpicc is found; module load an MPI, or set MPICC";
}

/// Nothing where another process of the job says what was found.
std::optional<JobLinks> links_of_job(const LinksRequest& request) {
  JobLinks all;
  const std::string node = node_name();
  std::vector<LinkTimes> own;
  if (const Reason why = no_devices(); why.empty()) {
    own = cuda::device_links();
  } else {
    all.missing.push_back("GPUs: " + why.text);
  }
  if (const std::string why = no_messages(request); !why.empty()) {
    guests::name_by_node(own, node);
    all.links = std::move(own);
    all.missing.push_back("between nodes: " + why);
    return all;
  }
  std::optional<guests::Fabric> fabric = guests::node_links(node, own, request.timeout);
  if (!fabric) return {};
  all.links = std::move(fabric->links);
  return all;
}

std::string speed_of(const WayTimes& way, double seconds) {
  return way.bytes > 0
             ? fmt::format("{} GB/s", four_digits(static_cast<double>(way.bytes) / seconds / giga))
             : duration(seconds, Language::en);
}

std::string text_of(const JobLinks& all, const LinkVerdicts& found) {
  std::string text;
  for (const WayTimes& way : found.ways) {
    text += fmt::format("{:17} {:>5} {:12}  median {:>12}  slowest {:>12}  fastest {:>12}\n",
                        name_of(way.way), way.links, way.links == 1 ? "link" : "links",
                        speed_of(way, way.seconds), speed_of(way, way.slowest),
                        speed_of(way, way.quickest));
  }
  for (const std::string& one : all.missing) text += "not measured: " + one + "\n";
  for (const OddLink& one : found.odd) {
    const auto [low, high] = one.speed.ci95;
    text += fmt::format("SLOW {}{}: {} at {:.2f} [{:.2f}, {:.2f}] of the speed of the others\n",
                        one.from, one.to.empty() ? "" : " to " + one.to, name_of(one.way),
                        one.speed.value, low, high);
  }
  if (exit_code(found) == Exit::fine) text += "no link is slow\n";
  if (exit_code(found) == Exit::unclear) {
    text += "nothing to compare: it takes three links of a kind to tell which is slow\n";
  }
  return text;
}

Json json_of(const JobLinks& all, const LinkVerdicts& found) {
  Json odd = Json::array();
  for (const OddLink& one : found.odd) {
    odd.push_back({{"way", written(one.way)},
                   {"from", one.from},
                   {"to", one.to},
                   {"speed", written(one.speed)}});
  }
  return {{"links", written(all.links)}, {"not_measured", written(all.missing)}, {"slow", odd}};
}

/// The name of a device as it is on all nodes.
std::string on_node(const std::string& name, const std::string& node) {
  const std::string at_home = " of " + node;
  return name.ends_with(at_home) ? name.substr(0, name.size() - at_home.size()) : name;
}

/// A result file, so that nodes can be compared by it.
void write_file(const JobLinks& all, const std::string& output) {
  ForeignRun run;
  run.started = utc_now();
  run.node = node_name();
  Machine machine;
  add_cpu_model(machine, first_cpu({}));
  run.cpu_model = machine.cpu_model.value_or("");
  if (const auto gpu = cuda::Device().facts()) run.gpus = {gpu->name.value_or("")};
  for (const LinkTimes& one : all.links) {
    ForeignCase& found =
        case_named(run, "links",
                   fmt::format("{}/{}{}", name_of(one.way), on_node(one.from, run.node),
                               one.to.empty() ? "" : "/" + on_node(one.to, run.node)));
    found.seconds = one.seconds;
    if (one.bytes == 0) continue;
    found.bytes_per_second = static_cast<double>(one.bytes) / median(one.seconds);
  }
  std::filesystem::path path = output;
  create_document(path, serialised(written(document_of({"bench_links", run}))) + "\n", false);
}

}  // namespace

void add_options(CLI::App& app, LinksRequest& request) {
  add_number(app, "--threshold", request.threshold_percent, "percent",
             "smallest difference that matters", "10");
  add_flag(app, "--alone", request.alone, "only what this process reaches, without MPI");
  add_duration(
      app, "--timeout", [&](double seconds) { request.timeout = seconds; },
      "longest time that MPI may take", "5m");
  add_format(app, request.format, "text or json");
  add_text(app, "--output", request.output, "a result file with all samples (JSON)", "FILE",
           "none");
}

int execute(const LinksRequest& request, const Session& /*session*/) {
  const std::optional<JobLinks> all = links_of_job(request);
  if (!all) return Exit::fine;
  const LinkVerdicts found = odd_links(all->links, request.threshold_percent / 100);
  if (request.output != "none" && !all->links.empty()) write_file(*all, request.output);
  if (request.format == Format::json) {
    print(serialised(json_of(*all, found)) + "\n");
  } else {
    print_text({{text_of(*all, found)}});
  }
  return exit_code(found);
}

std::vector<LinkTimes> links_of_gpus(double patience) {
  const Json all =
      Json::parse(printed_by({"bench", "links", "--alone", "--format", "json"}, patience));
  auto links = read_as<std::vector<LinkTimes>>(all.at("links"));
  for (LinkTimes& one : links) {
    one.from = on_node(one.from, node_name());
    one.to = on_node(one.to, node_name());
  }
  return links;
}

}  // namespace bench
