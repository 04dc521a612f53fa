#include "harness/command/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/signals.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/executions.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/result_file.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/merge.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/job.hpp"
#include "harness/node/topology.hpp"

namespace bench {
namespace {

/// Executions at the same time, and what they are called.
struct Turn {
  std::vector<std::optional<Part>> parts;
  std::string name;
};

/// Each in turn, then all at once. In a short time only the first one, with the processors, and
/// all.
std::vector<Turn> turns_of(const std::vector<Part>& parts, bool in_short) {
  std::vector<Turn> turns;
  Turn last{{}, fmt::format("{} {}s", parts.size(), parts.front().kind)};
  for (const Part& part : parts) {
    if (turns.empty() || !in_short) {
      turns.push_back({{part}, fmt::format("{} {}", part.kind, part.number)});
    }
    last.parts.emplace_back(part)->together = parts.size();
  }
  turns.push_back(std::move(last));
  return turns;
}

/// What the executions leave, and what each of their result files is of.
struct OfParts {
  Executions executions;
  std::vector<std::string> names;
  std::vector<std::string> lost;   ///< parts without a result file, a sentence each
  std::optional<Machine> machine;  ///< where each of them saw its socket only

  Document joined() const {
    Document whole = bench::joined(executions.documents, names);
    if (machine) whole.context.machine = *machine;
    std::vector<GpuFacts> gpus;
    for (const Document& one : executions.documents) {
      const auto& gpu = one.context.machine.gpu;
      if (!gpu) continue;
      const bool known = std::any_of(gpus.begin(), gpus.end(), [&](const GpuFacts& other) {
        return other.device_number == gpu->device_number;
      });
      if (!known) gpus.push_back(*gpu);
    }
    whole.context.machine.gpus = std::move(gpus);
    for (const std::string& sentence : lost) add_once(whole.context.run.warnings, sentence);
    return whole;
  }
};

/// Throws UsageError where tasks would measure the same devices at the same time.
void refuse_shared(const std::optional<Slurm>& job, std::size_t devices) {
  if (!job || !tasks_share_devices(*job, devices)) return;
  throw UsageError(
      fmt::format("--devices all: {} tasks on this node see the same {} devices, and would measure "
                  "them at the same time; start one task per node (--ntasks-per-node=1), or leave "
                  "the option out, and each takes a device of its own",
                  tasks_here(*job), devices));
}

/// The sockets of the node that this process has CPUs of, and only those CPUs.
std::vector<Topology::Socket> own_sockets() {
  const std::vector<int> allowed = allowed_cpus();
  std::vector<Topology::Socket> sockets = this_topology().sockets;
  for (Topology::Socket& socket : sockets) {
    std::erase_if(socket.cpus, [&](int cpu) {
      return !std::binary_search(allowed.begin(), allowed.end(), cpu);
    });
  }
  std::erase_if(sockets, [](const Topology::Socket& socket) { return socket.cpus.empty(); });
  return sockets;
}

std::vector<Part> parts_of_sockets() {
  std::vector<Part> parts;
  for (const Topology::Socket& one : own_sockets()) {
    parts.push_back({socket_parameter, static_cast<std::size_t>(one.number), 1, one.cpus});
  }
  return parts;
}

std::vector<Part> parts_of_devices() {
  const std::size_t devices = cuda::device_count();
  if (devices > 1) refuse_shared(slurm(), devices);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < devices; ++i) parts.push_back({device_parameter, i});
  return parts;
}

}  // namespace

std::vector<Part> parts_of(Settings& settings, bool on_device, bool quiet) {
  std::vector<Part> parts;
  if (settings.all_devices && settings.with_cuda && on_device) parts = parts_of_devices();
  if (settings.all_sockets) {
    parts = parts_of_sockets();
    settings.all_sockets = parts.size() > 1;
    if (!settings.all_sockets && !quiet) {
      tell("--sockets all: the cpus of this process are not of several sockets: an ordinary run");
    }
  }
  if (parts.size() == 1) parts.clear();
  return parts;
}

Measured measure_parts(const std::vector<Part>& parts, const RunRequest& request,
                       const Context& context, const Session& session) {
  const auto report = begin(request, context);
  const std::vector<Turn> turns = turns_of(parts, request.in_short);
  ProgressLine line(request.progress && !request.quiet && task_rank() == 0,
                    std::vector<double>(turns.size(), 1));
  OfParts all;
  if (parts.front().kind == socket_parameter) all.machine = context.machine;
  auto& [documents, signal] = all.executions;
  for (const Turn& turn : turns) {
    line.next_group();
    line.show(turn.name, 0);
    try {
      for (Execution& one : execute_again(session.argv, turn.parts)) {
        if (one.signal) signal = one.signal;
        if (!one.document) continue;
        documents.push_back(std::move(*one.document));
        all.names.push_back(turn.name);
      }
    } catch (const std::exception& error) {  // the others may be sound
      all.lost.push_back(fmt::format("{}: {}", turn.name, error.what()));
      complain(all.lost.back());
    }
    if (!documents.empty()) report->replace(all.joined());
    if (signal) break;
  }
  line.clear();
  if (signal) tell(fmt::format("ended by {}", name_of_signal(*signal)));
  Measured measured = concluded(report, all.executions);
  if (measured.exit_code == Exit::fine && !all.lost.empty()) measured.exit_code = Exit::wrong;
  return measured;
}

}  // namespace bench
