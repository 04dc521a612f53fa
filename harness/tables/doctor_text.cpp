#include "harness/tables/doctor_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/text.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

class Facts {
 public:
  Facts(const Context& context, Language language)
      : machine_(context.machine), run_(context.run), build_(context.build), language_(language) {
    add_node();
    add_given();
    add(phrases::job, job(context.slurm));
    add(phrases::gpu, gpu());
    if (machine_.gpu && machine_.gpu->limits) {
      add(phrases::limits, limits(*machine_.gpu, *machine_.gpu->limits));
    }
    add(phrases::energy, energy());
    add(phrases::counters, counters());
    add_build();
  }

  /// A line for each, its title first.
  std::string lines() const {
    std::size_t widest = 0;
    for (const auto& [title, text] : lines_) widest = std::max(widest, columns(title));
    std::string all;
    for (const auto& [title, text] : lines_) {
      const std::size_t column = widest + 1;
      all += title + std::string(column - columns(title), ' ') +
             wrapped(text, page_width, column, column) + "\n";
    }
    return all;
  }

 private:
  template <class... Texts>
  std::string words(const Phrase& phrase, const Texts&... texts) const {
    return say(language_, phrase, texts...);
  }

  void add(const Phrase& title, std::string text) {
    lines_.emplace_back(words(title), std::move(text));
  }

  std::string shown(const Json& value) const {
    if (value.is_null()) return words(phrases::unknown);
    return value.is_string() ? value.get<std::string>() : value.dump();
  }
  template <class T>
  std::string shown(const std::optional<T>& fact) const {
    return shown(written(fact));
  }
  std::string sentence(const std::optional<Reason>& reason) const {
    return reason ? translated(*reason, language_) : words(phrases::unknown);
  }

  std::string counted(const std::optional<std::size_t>& number, const Phrase& one,
                      const Phrase& many) const {
    if (number == 1U) return words(one);
    return words(many, number ? std::to_string(*number) : "?");
  }

  std::string number(std::string digits) const { return localised(std::move(digits), language_); }

  std::string gigabytes(const std::optional<double>& bytes) const {
    if (!bytes) return words(phrases::unknown);
    return number(fmt::format("{:.1f}", *bytes / 1e9)) + no_break_space + words(phrases::gigabyte);
  }

  std::string kilobytes(const std::optional<double>& bytes) const {
    if (!bytes) return words(phrases::unknown);
    return number(fmt::format("{}", *bytes / 1024)) + no_break_space + words(phrases::kilobyte);
  }

  std::string caches() const {
    if (!machine_.caches) return words(phrases::unknown);
    std::string text;
    for (const Cache& cache : *machine_.caches) {
      if (cache.type == "Instruction") continue;
      if (!text.empty()) text += ", ";
      text += fmt::format("L{} {} × {}", cache.level, cache.instances, kilobytes(cache.bytes));
    }
    return text;
  }

  /// The load as the system writes it: `0.52 0.58 0.59`.
  std::string load() const {
    if (!machine_.load_average) return words(phrases::unknown);
    std::string text;
    for (const double one : *machine_.load_average) {
      text += (text.empty() ? "" : no_break_space) + number(fmt::format("{:.2f}", one));
    }
    return text;
  }

  void add_node() {
    add(phrases::node, words(phrases::of_system, shown(machine_.node), shown(machine_.os),
                             shown(machine_.kernel)));
    add(phrases::processor,
        words(phrases::because, shown(machine_.cpu_model),
              fmt::format("{}, {}, {}",
                          counted(machine_.sockets, phrases::one_socket, phrases::socket_count),
                          counted(machine_.cores, phrases::one_core, phrases::core_count),
                          counted(machine_.logical_cpus, phrases::one_cpu, phrases::cpu_count))));
    add(phrases::caches, caches());
    const auto& numa = machine_.numa_nodes;
    add(phrases::memory,
        words(phrases::may_take, gigabytes(machine_.memory_bytes),
              gigabytes(machine_.memory_allowance_bytes), sentence(machine_.memory_limited_by),
              numa ? std::to_string(numa->size()) : words(phrases::unknown)));
    add(phrases::huge_pages, shown(machine_.transparent_huge_pages.enabled));
    add(phrases::governor, words(phrases::load_and_tasks, shown(machine_.governor), load(),
                                 shown(machine_.running_tasks)));
    add(phrases::jitter, jitter());
  }

  std::string jitter() const {
    const auto& seen = machine_.jitter;
    if (!seen) return words(phrases::unknown);
    return words(phrases::of_jitter, number(figure(100 * seen->lost, 2)),
                 duration(seen->longest_s, language_), std::to_string(seen->threads),
                 duration(seen->observed_s, language_));
  }

  void add_given() {
    const auto& quota = machine_.cpu_quota;
    const std::string time = quota ? words(phrases::time_of_cpus, number(figure(*quota, 3))) : "";
    add(phrases::given,
        words(phrases::given_cpus, shown(machine_.cpuset), shown(machine_.allowed_cpus),
              shown(machine_.allowed_cores), time, std::to_string(run_.threads),
              std::to_string(run_.threads_measured), run_.isa));
    add(phrases::binding, binding());
  }

  /// The binding, of many threads that of the first ones.
  std::string binding() const {
    constexpr std::size_t enough = 8;
    if (!run_.bound_by) return words(phrases::not_bound);
    std::string cpus;
    const auto& threads = run_.thread_cpus;
    for (std::size_t i = 0; i < std::min(enough, threads.size()); ++i) {
      cpus += (i > 0 ? "; " : "") + threads[i];
    }
    if (threads.size() > enough) cpus += "; …";
    return words(run_.bound_by == Binder::bench ? phrases::bound_by_bench : phrases::bound_by_you,
                 cpus);
  }

  /// What is set, by the names that Slurm gives it.
  std::string job(const std::optional<Slurm>& slurm) const {
    if (!slurm) return words(phrases::no_slurm);
    std::string text;
    const Json facts = written(*slurm);
    for (const auto& [key, value] : facts.items()) {
      if (!value.is_string()) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value.get<std::string>());
    }
    return text;
  }

  std::string gpu() const {
    if (!machine_.gpu) return none(machine_.gpu_reason);
    return words(phrases::of_gpu, shown(machine_.gpu->name), gigabytes(machine_.gpu->memory_bytes),
                 shown(machine_.gpu->multiprocessors), shown(machine_.gpu->driver_cuda_version),
                 shown(machine_.gpu->uuid));
  }

  std::string none(const std::optional<Reason>& reason) const {
    return words(phrases::because, words(phrases::none), sentence(reason));
  }

  std::string energy() const {
    std::string sockets = machine_.energy.value_or(none(machine_.energy_reason));
    if (!machine_.gpu) return sockets;
    return machine_.gpu_energy_reason
               ? words(phrases::no_energy_of_gpu, sockets, sentence(machine_.gpu_energy_reason))
               : words(phrases::energy_of_gpu, sockets);
  }

  std::string counters() const {
    if (!machine_.counters) return none(machine_.counters_reason);
    std::string text;
    for (const std::string& event : *machine_.counters) {
      text += (text.empty() ? "" : ", ") + translated(event, language_);
    }
    return text;
  }

  /// `1024 x 1024 x 64`
  std::string dimensions(const std::array<std::optional<int>, 3>& most) const {
    std::string text;
    for (const auto& one : most) {
      text += (text.empty() ? "" : " x ") + shown(one);
    }
    return text;
  }

  /// The device query of courses.
  std::string limits(const GpuFacts& gpu, const GpuLimits& most) const {
    return words(
        phrases::of_limits, shown(gpu.compute_capability), shown(most.warp),
        shown(most.threads_per_block), dimensions(most.block),
        kilobytes(most.shared_bytes_per_block), kilobytes(most.shared_bytes_per_block_opt_in),
        shown(most.registers_per_block), dimensions(most.grid),
        shown(most.threads_per_multiprocessor), shown(most.blocks_per_multiprocessor),
        kilobytes(most.shared_bytes_per_multiprocessor), shown(most.registers_per_multiprocessor),
        shown(most.f32_per_clock_per_multiprocessor), shown(most.f64_per_clock_per_multiprocessor),
        kilobytes(gpu.l2_bytes));
  }

  void add_build() {
    constexpr std::size_t short_revision = 12;
    const std::string cuda = build_.cuda ? build_.cuda->compiler : words(phrases::none);
    add(phrases::build, fmt::format("bench {} ({}), {}, {}, {}", build_.version,
                                    build_.revision.substr(0, short_revision), build_.compiler,
                                    build_.build_type, words(phrases::because, "CUDA", cuda)));
  }

  const Machine& machine_;
  const RunRecord& run_;
  const BuildRecord& build_;
  Language language_;
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// The last line.
std::string verdict(std::size_t doubts, Language language) {
  if (doubts == 0) return say(language, phrases::no_doubt);
  return doubts == 1 ? say(language, phrases::one_doubt)
                     : say(language, phrases::several_doubts, std::to_string(doubts));
}

}  // namespace

StyledText doctor_text(const Context& context, Language language) {
  StyledText text{{Facts(context, language).lines() + "\n"}};
  const std::vector<Reason>& doubts = context.run.warnings;
  for (const Reason& doubt : doubts) {
    const std::string sentence = translated(doubt, language);
    text.push_back(
        {labelled(phrases::doubt.in(language), sentence, 0, language) + "\n", Style::warning});
  }
  text.push_back({verdict(doubts.size(), language) + "\n"});
  return with_plain_blanks(std::move(text));
}

}  // namespace bench
