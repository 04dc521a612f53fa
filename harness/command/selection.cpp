#include "harness/command/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// The choices of --isa; a run for another node is planned with what is here.
Choices<simd::Isa> isas(const Abilities& node, bool elsewhere) {
  Choices<simd::Isa> choices;
  for (const auto& [text, isa] : all_choices<simd::Isa>()) {
    const bool here = node.has(isa);
    if (elsewhere || here) choices.emplace_back(text, here ? isa : node.isas.back());
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
           fmt::format("this process may use {} cpus only{}", node.allowed_cpus,
                       node.in_job ? "; ask for more with srun --cpus-per-task" : ""));
  };
  add_counts(app, "--threads", wanted.settings.threads, {1, std::numeric_limits<int>::max()},
             "OpenMP threads; comma-separated list", "one per core of the job", allowed);
}

void add_isa(CLI::App& app, Wanted& wanted, const Abilities& node) {
  add_text(
      app, "--isa",
      [&wanted, node](const std::string& text) {
        choose_isa(wanted.settings, chosen("--isa", text, isas(node, wanted.elsewhere)), node);
      },
      "instruction set: baseline, avx2, avx512 or sve", "NAME", "the widest of this processor");
}

void add_gpu_options(CLI::App& app, Selection& selection) {
  constexpr Bounds threads{1, 1024};          // of a block, on every device
  constexpr Bounds blocks{1, 2'147'483'647};  // of a grid, on every device
  add_count(app, "--device", selection.gpu_number, {0, 1023},
            "number of the GPU to use, among those of the job", "by the rank of the task");
  add_choices(app, "--scope", selection.scopes, all_choices<Scope>(),
              "what GPU times include: kernel (kernel only), end_to_end (with transfers, pinned "
              "memory), pageable, mapped, managed",
              "SCOPE", "all of these");
  add_counts(app, "--block", selection.blocks, threads,
             "CUDA threads per block, for variants that allow it; with a list, only kernel time is "
             "measured",
             "chosen by each variant");
  add_counts(
      app, "--grid", selection.grids, blocks,
      "CUDA blocks per grid, for variants that allow it; with a list, only kernel time is measured",
      "chosen by each variant");
}

/// Adds the options of user kernels, whatever starts them.
void add_trust(CLI::App& app, Selection& selection) {
  add_flag(app, "--graded", selection.graded,
           "treat submitted kernels as untrusted: bench times them, and they are suspended between "
           "requests");
  add_number(app, "--timeout,--patience", selection.patience, "seconds",
             "time that a user kernel may take to answer", "30");
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
            "workload, workload/backend or workload/backend/variant; * and ? are wildcards, as in "
            "'transpose/openmp*'",
            "GLOB");
  Choices<std::string> names;
  std::vector<std::string_view> words;
  for (const Backend& one : backends::all) {
    if (is_elsewhere(one)) continue;
    names.emplace_back(one.name, one.name);
    words.push_back(one.name);
  }
  add_choices(app, "--backend", selection.backends, names,
              fmt::format("only these backends: {}", fmt::join(words, ", ")), "NAME");
}

void add_guests(CLI::App& app, Selection& selection) {
  begin_group(app, option_group::user_kernels);
  add_list(app, "--kernel,--with", selection.guests,
           "also measure these user kernels: .cpp, .c, .cu, .hip, .so, .py or executables", "FILE");
  add_flag(app, "--peers", selection.peers,
           "also measure the Python, NumPy, Numba and CuPy implementations that are installed");
}

void add_selection(CLI::App& app, Wanted& wanted, const Abilities& node, const char* group) {
  Settings& settings = wanted.settings;
  start_from(settings, node);
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

  begin_group(app, group);
  auto* sizes = add_list(app, "--size", settings.sizes,
                         "tiny, default, course, N elements (1e8), or ROWSxCOLS; for matrix "
                         "workloads N means ⌊√N⌋ × ⌊√N⌋; comma-separated list (bench help sizes)",
                         "SIZE", "the workload's own, see bench list");
  auto* sweep = add_text(
      app, "--sweep",
      [&wanted](const std::string& text) {
        wanted.settings.sizes = sweep_sizes(text);
        wanted.sweep = true;
      },
      "sizes FROM, 10 FROM, 100 FROM, and so on to TO, e.g. 1e3:1e9", "FROM:TO");
  exclude(sweep, {sizes});
  auto* dtypes = add_choices(app, "--dtype", settings.dtypes, all_choices<Dtype>(),
                             "element types: f32, f64 (some workloads: f16, i16, u32)", "TYPE",
                             "f32, or the only one of the workload");
  add_counts(app, "--bins", settings.bins, {1, any}, "bins of the histogram; comma-separated list",
             "the workload's own, see bench list");
  add_threads(app, wanted, node);
  auto* input =
      add_list(app, "--input", wanted.inputs,
               "read inputs from FILE.npy (float16, float32, float64 or int16), or A.npy,B.npy "
               "for workloads with two inputs",
               "FILE");
  exclude(input, {sizes, sweep, dtypes});
  add_flag(app, "--no-baseline", settings.no_baseline,
           "skip serial/naive unless selected (no speedups are then computed)");

  begin_group(app, option_group::gpu);
  add_gpu_options(app, settings);

  begin_group(app, option_group::user_kernels);
  add_trust(app, settings);

  begin_group(app, option_group::advanced);
  add_count(app, "--seed", settings.seed, {0, std::numeric_limits<std::uint32_t>::max()},
            "seed of the inputs", "42");
  add_isa(app, wanted, node);
  add_count(app, "--max-slow-elements,--most", settings.most_elements, {1, any},
            "also measure deliberately slow variants up to N elements");
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
    throw UsageError("--input: name the workload that uses it, e.g. bench energy --input " + first);
  }
}

}  // namespace bench
