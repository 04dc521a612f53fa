#include "harness/tables/doctor_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/text.hpp"
#include "harness/tables/labelled.hpp"
#include "harness/tables/numbers.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/translated.hpp"

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
    if (at(machine_, "gpu/limits").is_object()) add(phrases::limits, limits());
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
  std::string fact(const char* path) const { return shown(at(machine_, path)); }
  std::string sentence(const char* path) const { return translated(fact(path), language_); }

  std::string counted(const char* key, const Phrase& one, const Phrase& many) const {
    const Json& number = at(machine_, key);
    if (number == 1) return words(one);
    return words(many, number.is_null() ? "?" : number.dump());
  }

  std::string number(const char* format, double value) const {
    return localised(fmt::format(fmt::runtime(format), value), language_);
  }

  std::string gigabytes(const Json& value) const {
    if (!value.is_number()) return words(phrases::unknown);
    return number("{:.1f}", value.get<double>() / 1e9) + no_break_space + words(phrases::gigabyte);
  }

  std::string kilobytes(const Json& bytes) const {
    if (!bytes.is_number()) return words(phrases::unknown);
    return number("{}", bytes.get<double>() / 1024) + no_break_space + words(phrases::kilobyte);
  }
  std::string kilobytes(const char* path) const { return kilobytes(at(machine_, path)); }

  std::string caches() const {
    const Json& all = at(machine_, "caches");
    if (!all.is_array() || all.empty()) return words(phrases::unknown);
    std::string text;
    for (const Json& cache : all) {
      if (at(cache, "type") == "Instruction") continue;
      if (!text.empty()) text += ", ";
      text += fmt::format("L{} {}x {}", shown(at(cache, "level")), shown(at(cache, "instances")),
                          kilobytes(cache.value("bytes", Json(0))));
    }
    return text;
  }

  /// As the system writes it: `0.52 0.58 0.59`.
  std::string load() const {
    const Json& averages = at(machine_, "load_average");
    if (!averages.is_array()) return shown(averages);
    std::string text;
    for (const Json& one : averages) {
      text += (text.empty() ? "" : no_break_space) + localised(one.dump(), language_);
    }
    return text;
  }

  void add_node() {
    add(phrases::node, words(phrases::of_system, fact("node"), fact("os"), fact("kernel")));
    add(phrases::processor,
        words(phrases::because, fact("cpu_model"),
              fmt::format("{}, {}, {}",
                          counted("sockets", phrases::one_socket, phrases::socket_count),
                          counted("cores", phrases::one_core, phrases::core_count),
                          counted("logical_cpus", phrases::one_cpu, phrases::cpu_count))));
    add(phrases::caches, caches());
    const Json& numa = at(machine_, "numa_nodes");
    add(phrases::memory,
        words(phrases::may_take, gigabytes(at(machine_, "memory_bytes")),
              gigabytes(at(machine_, "memory_allowance_bytes")), sentence("memory_limited_by"),
              numa.is_array() ? std::to_string(numa.size()) : words(phrases::unknown)));
    add(phrases::huge_pages, fact("transparent_huge_pages/enabled"));
    add(phrases::governor,
        words(phrases::load_and_tasks, fact("governor"), load(), fact("running_tasks")));
    add(phrases::jitter, jitter());
  }

  std::string jitter() const {
    const Json& lost = at(machine_, "jitter/lost");
    if (!lost.is_number()) return words(phrases::unknown);
    return words(phrases::of_jitter, number("{:.2g}", 100 * lost.get<double>()),
                 duration(at(machine_, "jitter/longest_s").get<double>(), language_),
                 fact("jitter/threads"),
                 duration(at(machine_, "jitter/observed_s").get<double>(), language_));
  }

  void add_given() {
    const Json& quota = at(machine_, "cpu_quota");
    const std::string time =
        quota.is_number() ? words(phrases::time_of_cpus, number("{:.3g}", quota.get<double>()))
                          : "";
    add(phrases::given,
        words(phrases::given_cpus, fact("cpuset"), fact("allowed_cpus"), fact("allowed_cores"),
              time, std::to_string(run_.threads), std::to_string(run_.threads_measured), run_.isa));
    add(phrases::binding, binding());
  }

  /// Of many threads the first ones.
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
    if (!at(machine_, "gpu").is_object()) {
      return words(phrases::because, words(phrases::none), sentence("gpu_reason"));
    }
    return words(phrases::of_gpu, fact("gpu/name"), gigabytes(at(machine_, "gpu/memory_bytes")),
                 fact("gpu/multiprocessors"), fact("gpu/driver_cuda_version"), fact("gpu/uuid"));
  }

  /// What can be told beside time, or why not.
  std::string told(const char* what, const char* reason) const {
    return at(machine_, what).is_null()
               ? words(phrases::because, words(phrases::none), sentence(reason))
               : fact(what);
  }

  std::string energy() const {
    std::string sockets = told("energy", "energy_reason");
    if (!at(machine_, "gpu").is_object()) return sockets;
    return at(machine_, "gpu_energy_reason").is_null()
               ? words(phrases::energy_of_gpu, sockets)
               : words(phrases::no_energy_of_gpu, sockets, sentence("gpu_energy_reason"));
  }

  std::string counters() const {
    const Json& events = at(machine_, "counters");
    if (!events.is_array()) return told("counters", "counters_reason");
    std::string text;
    for (const Json& event : events) {
      text += (text.empty() ? "" : ", ") + translated(shown(event), language_);
    }
    return text;
  }

  /// `1024 x 1024 x 64`
  std::string dimensions(const char* path) const {
    std::string text;
    for (const Json& one : at(machine_, path)) {
      text += (text.empty() ? "" : " x ") + shown(one);
    }
    return text;
  }

  /// The device query of the lessons.
  std::string limits() const {
    return words(phrases::of_limits, fact("gpu/compute_capability"), fact("gpu/limits/warp"),
                 fact("gpu/limits/threads_per_block"), dimensions("gpu/limits/block"),
                 kilobytes("gpu/limits/shared_bytes_per_block"),
                 kilobytes("gpu/limits/shared_bytes_per_block_opt_in"),
                 fact("gpu/limits/registers_per_block"), dimensions("gpu/limits/grid"),
                 fact("gpu/limits/threads_per_multiprocessor"),
                 fact("gpu/limits/blocks_per_multiprocessor"),
                 kilobytes("gpu/limits/shared_bytes_per_multiprocessor"),
                 fact("gpu/limits/registers_per_multiprocessor"),
                 fact("gpu/limits/f32_per_clock_per_multiprocessor"),
                 fact("gpu/limits/f64_per_clock_per_multiprocessor"), kilobytes("gpu/l2_bytes"));
  }

  void add_build() {
    constexpr std::size_t short_revision = 12;
    const std::string cuda = build_.cuda ? build_.cuda->compiler : words(phrases::none);
    add(phrases::build, fmt::format("bench {} ({}), {}, {}, {}", build_.version,
                                    build_.revision.substr(0, short_revision), build_.compiler,
                                    build_.build_type, words(phrases::because, "CUDA", cuda)));
  }

  const Json& machine_;
  const RunRecord& run_;
  const BuildRecord& build_;
  Language language_;
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace

StyledText doctor_text(const Context& context, Language language) {
  StyledText text{{Facts(context, language).lines() + "\n"}};
  const std::vector<std::string>& doubts = context.run.warnings;
  for (const std::string& doubt : doubts) {
    const std::string sentence = translated(doubt, language);
    text.push_back({labelled(phrases::doubt, sentence, language) + "\n", Style::warning});
  }
  if (doubts.empty()) text.push_back({say(language, phrases::no_doubt) + "\n"});
  return with_plain_blanks(std::move(text));
}

}  // namespace bench
