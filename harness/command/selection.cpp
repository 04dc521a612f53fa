#include "harness/command/selection.hpp"

#include <fmt/format.h>

#include <limits>

#include "harness/command/option_kinds.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

/// FROM, 10·FROM, 100·FROM … and TO.
std::vector<std::string> sweep_sizes(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) refuse("--sweep", text, "must be FROM:TO, e.g. 1e3:1e9");
  constexpr std::size_t most = 1'000'000'000'000;
  const std::size_t from = count_of("--sweep", text.substr(0, colon), 1, most);
  const std::size_t to = count_of("--sweep", text.substr(colon + 1), 1, most);
  if (to < from) refuse("--sweep", text, "the first size is the smaller one");
  std::vector<std::string> sizes;
  for (std::size_t size = from; size < to; size *= 10) sizes.push_back(std::to_string(size));
  sizes.push_back(std::to_string(to));
  return sizes;
}

/// For another node it is planned with what is here.
Choices<simd::Isa> isas(const Abilities& node, bool elsewhere) {
  const simd::Isa widest = node.isas.back();
  Choices<simd::Isa> choices;
  for (const auto& [text, isa] : all_choices<simd::Isa>()) {
    if (elsewhere || isa <= widest) choices.emplace_back(text, std::min(isa, widest));
  }
  return choices;
}

void add_threads(CLI::App& app, Wanted& wanted, const Abilities& node) {
  const auto allowed = [&wanted, node](const std::string& text, int threads) {
    const auto cpus = static_cast<std::size_t>(node.allowed_cpus);
    if (wanted.elsewhere && threads > most_threads(cpus)) {
      refuse("--threads", text, fmt::format("a node has at most some {} cpus", most_threads(cpus)));
    }
    if (wanted.elsewhere || threads <= node.allowed_cpus) return;
    refuse("--threads", text,
           fmt::format("this process may use {} cpus only; ask for more with srun --cpus-per-task",
                       node.allowed_cpus));
  };
  add_counts(app, "--threads", wanted.settings.threads, {1, std::numeric_limits<int>::max()},
             "OpenMP threads; a list is fine", allowed);
}

void add_isa(CLI::App& app, Wanted& wanted, const Abilities& node) {
  add_text(
      app, "--isa",
      [&wanted, node](const std::string& text) {
        choose_isa(wanted.settings, chosen("--isa", text, isas(node, wanted.elsewhere)), node);
      },
      "baseline, avx2 or avx512 (default: the widest here)", "NAME");
}

void add_launch(CLI::App& app, Selection& selection) {
  constexpr Range threads{1, 1024};          // of a block, on every device
  constexpr Range blocks{1, 2'147'483'647};  // of a grid, likewise
  add_counts(
      app, "--block", selection.blocks, threads,
      "CUDA threads per block, where a variant leaves the choice; a list is of the kernel alone");
  add_counts(app, "--grid", selection.grids, blocks, "CUDA blocks per grid, likewise");
}

}  // namespace

void choose_isa(Settings& settings, simd::Isa isa, const Abilities& node) {
  settings.isa = isa;
  settings.isa_given = isa != node.isas.back();
}

void start_from(Settings& settings, const Abilities& node) {
  settings.job_threads = node.job_threads;
  choose_isa(settings, node.isas.back(), node);
}

void add_filters(CLI::App& app, Selection& selection) {
  add_words(app, "FILTER", selection.filters,
            "globs on workload/backend/variant, e.g. energy or 'transpose/openmp*'", "GLOB");
  add_choices(app, "--backend", selection.backends,
              {{"serial", "serial"}, {"openmp", "openmp"}, {"cuda", "cuda"}},
              "of these, only serial, openmp or cuda", "NAME");
}

void add_guests(CLI::App& app, Selection& selection) {
  add_list(app, "--with", selection.guests,
           "kernels of others beside the suite's own: .cpp, .c, .cu, .so, .py or programs", "FILE");
  add_flag(app, "--peers", selection.peers,
           "the same in Python, NumPy, Numba and CuPy, as far as they are installed, too");
}

void add_selection(CLI::App& app, Wanted& wanted, const Abilities& node) {
  Settings& settings = wanted.settings;
  start_from(settings, node);
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

  auto* sizes = add_list(app, "--size", settings.sizes,
                         "tiny, default, course, N (1e8 too) or RxC; a list is fine", "SIZE");
  auto* sweep = add_text(
      app, "--sweep", [&settings](const std::string& text) { settings.sizes = sweep_sizes(text); },
      "sizes FROM, 10 FROM, 100 FROM ... TO, e.g. 1e3:1e9", "FROM:TO");
  exclude(sweep, {sizes});
  auto* dtypes = add_choices(app, "--dtype", settings.dtypes, all_choices<Dtype>(),
                             "f32 or f64, both, or what a workload has beside or instead", "TYPE");
  add_counts(app, "--bins", settings.bins, {1, any}, "bins of the histogram; a list is fine");
  add_threads(app, wanted, node);
  add_count(app, "--seed", settings.seed, {0, std::numeric_limits<std::uint32_t>::max()},
            "seed of the inputs (default 42, the course's)");
  auto* input = add_list(
      app, "--input", wanted.inputs,
      "your own data, of their size and precision: FILE.npy (float32, float64 or int16), or "
      "A.npy,B.npy where a workload has two",
      "FILE");
  exclude(input, {sizes, sweep, dtypes});
  add_isa(app, wanted, node);
  add_count(app, "--most", settings.most_elements, {1, any},
            "elements up to which also that is measured which is slow on purpose");
  add_flag(app, "--graded", settings.graded,
           "trust kernels of others with nothing: our clock, and they are frozen when they answer");
  add_number(app, "--patience", settings.patience, "seconds",
             "how long one of them may take to answer (30)");
  add_flag(app, "--no-baseline", settings.no_baseline,
           "serial/naive only where a filter names it, when nothing is to be said over it");
  add_choices(app, "--scope", settings.scopes, all_choices<Scope>(),
              "on a GPU only these: kernel (alone), end_to_end (with the transfers), pageable, "
              "mapped or managed (in other memory of the host)",
              "SCOPE");
  add_count(app, "--device", settings.gpu_number, {0, 1023},
            "the GPU to use, of those that the job has (default: by the task's rank)");
  add_launch(app, settings);
}

void check(const Wanted& wanted) {
  if (wanted.inputs.empty()) return;
  const std::string& first = wanted.inputs.front();
  for (const std::string& filter : wanted.settings.filters) {
    if (!filter.ends_with(".npy")) continue;
    refuse("--input", first + " " + filter,
           fmt::format("two files are separated by a comma: --input {},{}", first, filter));
  }
  if (wanted.settings.filters.empty()) {
    throw UsageError("--input: name the workload that shall use it, e.g. bench energy --input " +
                     first);
  }
}

}  // namespace bench
