#include "harness/command/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "harness/base/suggest.hpp"
#include "harness/command/examples.hpp"
#include "harness/node/build_info.hpp"

namespace bench {
namespace {

const std::vector<std::string> commands{"run",   "list",    "verify", "table",
                                        "merge", "compare", "doctor"};

/// The options as typed; numbers are read afterwards, by one set of rules and messages.
struct Typed {
  std::vector<std::string> filters;
  std::vector<std::string> backends;
  std::vector<std::string> sizes;
  std::vector<std::string> dtypes;
  std::vector<std::string> bins;
  std::vector<std::string> threads;
  std::vector<std::string> inputs;
  std::string sweep;
  std::string seed;
  std::string samples;
  std::string min_time;
  std::string max_time;
  std::string cache;
  std::string isa;
  std::string block;
  std::string grid;
  std::string format;
  std::string show;
  std::string threshold;
  std::string language;
  std::string preset;
};

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& why) {
  throw UsageError(fmt::format("{} {}: {}", option, text, why));
}

std::size_t count(const std::string& option, const std::string& text, std::size_t lowest,
                  std::size_t highest) {
  std::size_t value = 0;
  try {
    value = parse_count(text);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
  if (value < lowest || value > highest) {
    refuse(option, text, fmt::format("must be between {} and {}", lowest, highest));
  }
  return value;
}

double number(const std::string& option, const std::string& text, const char* unit) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0) {
    refuse(option, text, fmt::format("must be a number of {}, 0 or more", unit));
  }
  return value;
}

double seconds(const std::string& option, const std::string& text) {
  return number(option, text, "seconds");
}

/// The value that `text` names among `choices`.
template <class T>
T choice(const std::string& option, const std::string& text,
         const std::vector<std::pair<std::string, T>>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
    names.push_back(name);
  }
  const std::string near = nearest(text, names);
  refuse(option, text,
         fmt::format("must be one of {}{}", fmt::join(names, ", "),
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

void read_isa(const Typed& typed, const Abilities& abilities, Settings& settings) {
  settings.isa = abilities.isas.back();
  if (typed.isa.empty()) return;
  std::vector<std::pair<std::string, simd::Isa>> choices;
  if (abilities.another_node) {  // it is planned with what is here
    for (const simd::Isa isa : {simd::Isa::baseline, simd::Isa::avx2, simd::Isa::avx512}) {
      choices.emplace_back(simd::name(isa), settings.isa);
    }
  } else {
    for (const simd::Isa isa : abilities.isas) choices.emplace_back(simd::name(isa), isa);
  }
  settings.isa = choice("--isa", typed.isa, choices);
  settings.isa_given = settings.isa != abilities.isas.back();
}

void read_launch(const Typed& typed, Settings& settings) {
  constexpr unsigned most_threads = 1024;          // of a block, on every device
  constexpr unsigned most_blocks = 2'147'483'647;  // of a grid, likewise
  if (!typed.block.empty()) {
    settings.cuda_launch.block =
        static_cast<unsigned>(count("--block", typed.block, 1, most_threads));
  }
  if (!typed.grid.empty()) {
    settings.cuda_launch.grid = static_cast<unsigned>(count("--grid", typed.grid, 1, most_blocks));
  }
}

void read_threads(const Typed& typed, const Abilities& abilities, Settings& settings) {
  settings.job_threads = abilities.job_threads;
  for (const std::string& text : typed.threads) {
    const std::size_t threads = count("--threads", text, 1, std::numeric_limits<int>::max());
    if (!abilities.another_node && threads > static_cast<std::size_t>(abilities.allowed_cpus)) {
      refuse(
          "--threads", text,
          fmt::format("this process may use {} cpus only; ask for more with srun --cpus-per-task",
                      abilities.allowed_cpus));
    }
    settings.threads.push_back(static_cast<int>(threads));
  }
}

/// Sorted and without repetition: a case is measured once.
template <class T>
void make_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// FROM, 10·FROM, 100·FROM … and TO.
std::vector<std::string> sweep_sizes(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) refuse("--sweep", text, "must be FROM:TO, e.g. 1e3:1e9");
  constexpr std::size_t most = 1'000'000'000'000;
  const std::size_t from = count("--sweep", text.substr(0, colon), 1, most);
  const std::size_t to = count("--sweep", text.substr(colon + 1), 1, most);
  if (to < from) refuse("--sweep", text, "the first size is the smaller one");
  std::vector<std::string> sizes;
  for (std::size_t size = from; size < to; size *= 10) sizes.push_back(std::to_string(size));
  sizes.push_back(std::to_string(to));
  return sizes;
}

void read_table(const Typed& typed, TableOptions& options) {
  if (!typed.language.empty()) {
    options.language = choice<Language>(
        "--lang", typed.language,
        {{"en", Language::en}, {"pt", Language::pt}, {"es", Language::es}, {"fr", Language::fr}});
  }
  options.course =
      !typed.preset.empty() && choice<bool>("--preset", typed.preset, {{"course", true}});
  if (options.course && !options.columns.empty()) {
    refuse("--columns", fmt::format("{}", fmt::join(options.columns, ",")),
           "the preset says the columns: leave one of the two out");
  }
}

/// A run that is resumed has all its options from the document.
void require_no_other_option(const Typed& typed, const Request& request) {
  if (request.resume.empty()) return;
  const bool other = !typed.filters.empty() || !typed.backends.empty() || !typed.sizes.empty() ||
                     !typed.dtypes.empty() || !typed.bins.empty() || !typed.threads.empty() ||
                     !typed.inputs.empty();
  for (const std::string* one :
       {&typed.sweep, &typed.seed, &typed.samples, &typed.min_time, &typed.max_time, &typed.cache,
        &typed.isa, &typed.block, &typed.grid, &request.output}) {
    if (!other && one->empty()) continue;
    throw UsageError(
        "--resume: the document says what to measure, and how; leave the other options out");
  }
}

/// What stands apart from its list is no part of it.
void require_commas(const Typed& typed, const Request& request) {
  for (const std::string& filter : typed.filters) {
    if (typed.inputs.empty() || !filter.ends_with(".npy")) continue;
    throw UsageError(fmt::format("--input {} {}: two files are separated by a comma: --input {},{}",
                                 typed.inputs.front(), filter, typed.inputs.front(), filter));
  }
  const TableOptions& table = request.table;
  for (const auto* list : {&table.filters, &table.columns, &table.sort, &table.dtypes, &table.sizes,
                           &table.scopes, &table.statuses, &table.nodes}) {
    for (const std::string& file : request.files) {
      const bool word = file.find_first_of("./") == std::string::npos;
      std::error_code none;
      if (list->empty() || !word || std::filesystem::exists(file, none)) continue;
      throw UsageError(
          fmt::format("{}: no such file; the parts of a list are separated by commas: {},{}", file,
                      list->back(), file));
    }
  }
}

/// The user's own data bring their size and precision along.
void require_no_contradiction(const Typed& typed) {
  if (typed.inputs.empty()) return;
  if (!typed.sizes.empty()) throw UsageError("--size: with --input the file says how large it is");
  if (!typed.dtypes.empty()) {
    throw UsageError("--dtype: with --input the file says which precision it has");
  }
  if (typed.filters.empty()) {
    throw UsageError("--input: name the workload that shall use it, e.g. bench energy --input " +
                     typed.inputs.front());
  }
}

Settings read_settings(const Typed& typed, const Abilities& abilities) {
  Settings settings;
  settings.filters = typed.filters;
  for (const std::string& text : typed.backends) {
    settings.backends.push_back(choice<std::string>(
        "--backend", text, {{"serial", "serial"}, {"openmp", "openmp"}, {"cuda", "cuda"}}));
  }
  if (!typed.sizes.empty()) settings.sizes = typed.sizes;
  if (!typed.sweep.empty()) {
    if (!typed.sizes.empty() || !typed.inputs.empty()) {
      refuse("--sweep", typed.sweep, "says the sizes: leave --size and --input out");
    }
    settings.sizes = sweep_sizes(typed.sweep);
  }
  if (!typed.dtypes.empty()) {
    settings.dtypes.clear();
    for (const std::string& text : typed.dtypes) {
      settings.dtypes.push_back(
          choice<Dtype>("--dtype", text, {{"f32", Dtype::f32}, {"f64", Dtype::f64}}));
    }
  }
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  for (const std::string& text : typed.bins) settings.bins.push_back(count("--bins", text, 1, any));
  read_threads(typed, abilities, settings);
  read_launch(typed, settings);
  if (!typed.seed.empty()) {
    settings.seed = static_cast<std::uint32_t>(
        count("--seed", typed.seed, 0, std::numeric_limits<std::uint32_t>::max()));
  }
  constexpr std::size_t most_samples = 100;  // what the document holds per case
  if (!typed.samples.empty()) {
    settings.max_samples = count("--samples", typed.samples, 1, most_samples);
  }
  if (!typed.max_time.empty()) settings.max_seconds = seconds("--max-time", typed.max_time);
  settings.min_seconds = std::min(settings.min_seconds, settings.max_seconds);
  if (!typed.min_time.empty()) settings.min_seconds = seconds("--min-time", typed.min_time);
  if (settings.min_seconds > settings.max_seconds) {
    refuse("--min-time", typed.min_time, "is longer than --max-time; give both");
  }
  if (!typed.cache.empty()) {
    settings.cache = choice<CacheMode>("--cache", typed.cache,
                                       {{"cold", CacheMode::cold}, {"hot", CacheMode::hot}});
  }
  read_isa(typed, abilities, settings);
  make_unique(settings.dtypes);
  make_unique(settings.bins);
  make_unique(settings.threads);
  return settings;
}

void add_launch(CLI::App& app, Typed& typed) {
  app.add_option("--block", typed.block,
                 "CUDA threads per block, where a variant leaves the choice")
      ->type_name("N");
  app.add_option("--grid", typed.grid, "CUDA blocks per grid, likewise")->type_name("N");
}

/// A list without blanks, whose parts are separated by commas. It ends with its word: what follows
/// may be a filter.
void add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
              const std::string& description, const std::string& type) {
  app.add_option(name, list, description)->delimiter(',')->allow_extra_args(false)->type_name(type);
}

void add_language(CLI::App& app, Typed& typed) {
  app.add_option("--lang", typed.language, "language of tables: en (default), pt, es or fr")
      ->type_name("LANG");
}

/// Which variants.
void add_filters(CLI::App& app, Typed& typed) {
  app.add_option("FILTER", typed.filters,
                 "globs on workload/backend/variant, e.g. energy or 'transpose/openmp*'")
      ->type_name("GLOB");
  add_list(app, "--backend", typed.backends, "of these, only serial, openmp or cuda", "NAME");
}

void add_selection(CLI::App& app, Typed& typed) {
  add_filters(app, typed);
  add_list(app, "--size", typed.sizes, "tiny, default, course, N (1e8 too) or RxC; a list is fine",
           "SIZE");
  app.add_option("--sweep", typed.sweep, "sizes FROM, 10 FROM, 100 FROM ... TO, e.g. 1e3:1e9")
      ->type_name("FROM:TO");
  add_list(app, "--dtype", typed.dtypes, "f32 (default), f64 or both", "TYPE");
  add_list(app, "--bins", typed.bins, "bins of the histogram; a list is fine", "N");
  add_list(app, "--threads", typed.threads, "OpenMP threads; a list is fine", "N");
  app.add_option("--seed", typed.seed, "seed of the inputs (default 42, the course's)")
      ->type_name("N");
  add_list(app, "--input", typed.inputs,
           "your own data: FILE.npy (float32 or float64), or A.npy,B.npy where a workload has two",
           "FILE");
  app.add_option("--isa", typed.isa, "baseline, avx2 or avx512 (default: the widest here)")
      ->type_name("NAME");
  add_launch(app, typed);
}

void add_progress(CLI::App& app, Request& request) {
  app.add_flag(
      "--no-progress", [&request](std::int64_t) { request.progress = false; },
      "no progress on the terminal");
}

void add_measuring(CLI::App& app, Typed& typed, Request& request) {
  app.add_option("--samples", typed.samples, "at most so many samples per variant (default 100)")
      ->type_name("N");
  app.add_option("--min-time", typed.min_time, "seconds to measure each group at least (0.5)")
      ->type_name("SECONDS");
  app.add_option("--max-time", typed.max_time,
                 "seconds after which a group with 9 samples ends (5)")
      ->type_name("SECONDS");
  app.add_option("--cache", typed.cache,
                 "cold (default): caches emptied before each sample; or hot")
      ->type_name("MODE");
  app.add_option("--output", request.output, "result file; - for none, the document on stdout")
      ->type_name("FILE");
  app.add_option("--resume", request.resume,
                 "go on with an unfinished document, with the options it was begun with")
      ->type_name("FILE");
  app.add_option("--format", typed.format, "text (default) or json, on stdout")
      ->type_name("FORMAT");
  add_language(app, typed);
  app.add_flag("--quiet", request.quiet, "print nothing but errors");
  add_progress(app, request);
  app.add_flag("--dry-run", request.dry_run,
               "say what would be measured, on a node that has enough, and measure nothing");
}

void add_tables(CLI::App& app, Typed& typed, Request& request) {
  TableOptions& options = request.table;
  app.add_option("FILE", request.files, "documents written by bench, or folders of them")
      ->required()
      ->type_name("PATH");
  app.add_option("--format", typed.format, "text (default), markdown, latex, csv, html or json")
      ->type_name("FORMAT");
  add_language(app, typed);
  app.add_option("--preset", typed.preset, "course: its three columns, version, seconds, speedup")
      ->type_name("NAME");
  app.add_option("--baseline", options.baseline,
                 "backend/variant that speedups are over (default serial/naive)")
      ->type_name("VARIANT");
  std::vector<std::string> names;
  for (const TableColumn& one : all_columns()) names.emplace_back(one.key);
  add_list(app, "--columns", options.columns,
           fmt::format("what to show, in this order: {}", fmt::join(names, ", ")), "NAME");
  add_list(app, "--sort", options.sort, "by these columns; -NAME: the largest first", "NAME");
  add_list(app, "--filter", options.filters, "globs on workload/backend/variant", "GLOB");
  add_list(app, "--dtype", options.dtypes, "only f32 or f64", "TYPE");
  add_list(app, "--size", options.sizes, "only these sizes: as they stand in names, or 1e7",
           "SIZE");
  add_list(app, "--scope", options.scopes, "only kernel or end_to_end", "SCOPE");
  add_list(app, "--status", options.statuses, "only measured, skipped or failed", "STATUS");
  add_list(app, "--node", options.nodes, "only these nodes (globs)", "GLOB");
}

void add_merging(CLI::App& app, Typed& typed, Request& request) {
  app.add_option("FILE", request.files, "documents written by bench, or folders of them")
      ->required()
      ->type_name("PATH");
  app.add_option("--output", request.output,
                 "a new file FILE.json; or a folder, for a document of each group")
      ->type_name("PATH");
  app.add_option("--format", typed.format,
                 "with --output: what is said of the files, text (default) or json")
      ->type_name("FORMAT");
}

void add_comparing(CLI::App& app, Typed& typed, Request& request) {
  app.add_option("PATH", request.files,
                 "two documents (before, after); or a folder or more documents: one per node")
      ->required()
      ->type_name("PATH");
  app.add_option("--threshold", typed.threshold, "change in percent that matters (default 5)")
      ->type_name("PERCENT");
  app.add_flag("--force", request.force, "compare even what is not comparable");
  add_list(app, "--variant", request.variants,
           "nodes: a column for these variants too, e.g. 'transpose/openmp/naive'", "GLOB");
  add_list(app, "--expected", request.expected,
           "nodes: recorded runs (a file or folder) of the same hardware", "PATH");
  app.add_option(
         "--nodes", request.nodes,
         "nodes: those that should be there, e.g. 'n[001-200]'; two documents are nodes then")
      ->type_name("LIST");
  app.add_option("--format", typed.format, "nodes: text (default), json or csv")
      ->type_name("FORMAT");
}

/// `run` may be left out: then the first word is an option or a filter. `help` is what follows it,
/// with --help.
std::vector<std::string> with_command(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    const bool of_command = !arguments.empty() && std::find(commands.begin(), commands.end(),
                                                            arguments[0]) != commands.end();
    arguments.resize(of_command ? 1 : 0);
    arguments.emplace_back("--help");
    return arguments;
  }
  const bool help = !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h" ||
                                           arguments[0] == "--version");
  const bool named = !arguments.empty() &&
                     std::find(commands.begin(), commands.end(), arguments[0]) != commands.end();
  if (!help && !named) arguments.insert(arguments.begin(), "run");
  return arguments;
}

/// The library drops empty words and empty parts of lists; a forgotten value shall not look like
/// none.
void refuse_gaps(const CLI::App& app, const std::vector<std::string>& words) {
  std::set<std::string> lists;
  for (const CLI::App* command : app.get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_delimiter() == ',') lists.insert("--" + option->get_lnames().front());
    }
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    const std::size_t equals = words[i].find('=');
    const bool apart = equals == std::string::npos;
    if (apart && i + 1 == words.size()) break;  // the library says what is missing
    const std::string option = words[i].substr(0, equals);
    const std::string value = apart ? words[i + 1] : words[i].substr(equals + 1);
    if (value.empty()) throw UsageError(fmt::format("nothing follows {}: give a value", words[i]));
    if (!lists.contains(option)) continue;
    if (value.front() == ',' || value.back() == ',' || value.find(",,") != std::string::npos) {
      refuse(option, value, "there is nothing between two commas, or at an end");
    }
  }
}

/// One line for an error of the command-line library, with the nearest option where there is one.
std::string explain(const CLI::ParseError& error, const CLI::App& app,
                    const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands()) {
    for (const CLI::Option* option : sub->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("-") || name == "-") continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    return fmt::format("unknown option '{}'{}; 'bench {} --help' shows all", name,
                       near.empty() ? "" : fmt::format(" (did you mean {}?)", near),
                       arguments.front());
  }
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string& command = arguments.front();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return fmt::format("unexpected word '{}'; 'bench {} --help' shows all",
                       text.substr(text.find(": ") + 2), command);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return command == "compare"
               ? "compare: name two documents or a folder, e.g. bench compare before.json "
                 "after.json"
               : fmt::format("{0}: name documents or folders, e.g. bench {0} results/", command);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = text.substr(0, text.find(':'));
    return text.ends_with("missing") ? fmt::format("nothing follows {}: give a value", option)
                                     : fmt::format("{}: is there twice; give it once", option);
  }
  return text;
}

}  // namespace

Request parse(const std::vector<std::string>& arguments, const Abilities& abilities) {
  Request request;
  Typed typed;

  CLI::App app{"How much faster is each way of writing a kernel, on this node?", "bench"};
  app.set_version_flag("--version", std::string("bench ") + version());
  app.require_subcommand(1);

  auto* run = app.add_subcommand("run", "measure (the default: the word may be left out)");
  add_selection(*run, typed);
  add_measuring(*run, typed, request);
  auto* list = app.add_subcommand("list", "workloads, variants and their ideas, sizes");
  add_filters(*list, typed);
  auto* verify =
      app.add_subcommand("verify", "check every variant against the definition, no timing");
  add_selection(*verify, typed);
  verify->add_option("--show", typed.show, "print the first N results of each variant")
      ->type_name("N");
  verify
      ->add_option("--output-npy", request.output_npy,
                   "write the result of the one variant selected, to load it in NumPy")
      ->type_name("FILE");
  add_progress(*verify, request);
  app.add_subcommand("doctor", "what this node and job offer, and what may be wrong with it");
  auto* table = app.add_subcommand("table", "print the tables of result files, in any format");
  add_tables(*table, typed, request);
  auto* merge = app.add_subcommand("merge", "one document of several runs of a node");
  add_merging(*merge, typed, request);

  auto* compare = app.add_subcommand(
      "compare", "compare two runs, or many nodes; exit code 0, 3 (slower), 4 or 5");
  add_comparing(*compare, typed, request);
  const std::vector<std::string> words = with_command(arguments);
  refuse_gaps(app, words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as the library wants it
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    request.command = Command::help;
    const bool whole = words.front().starts_with("-");
    request.help = examples(whole ? "" : words.front()) + app.help();
    return request;
  } catch (const CLI::CallForVersion& error) {
    request.command = Command::help;
    request.help = std::string(error.what()) + "\n";
    return request;
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(error, app, words));
  }

  if (list->parsed()) request.command = Command::list;
  if (verify->parsed()) request.command = Command::verify;
  if (table->parsed()) request.command = Command::table;
  if (merge->parsed()) request.command = Command::merge;
  if (compare->parsed()) request.command = Command::compare;
  if (app.got_subcommand("doctor")) request.command = Command::doctor;
  request.inputs = typed.inputs;
  require_commas(typed, request);
  require_no_contradiction(typed);
  require_no_other_option(typed, request);
  Abilities of_node = abilities;
  of_node.another_node |= request.dry_run;
  request.settings = read_settings(typed, of_node);
  if (!typed.format.empty()) {
    std::vector<std::pair<std::string, Format>> formats{{"text", Format::text},
                                                        {"json", Format::json}};
    if (compare->parsed() || table->parsed()) formats.emplace_back("csv", Format::csv);
    if (table->parsed()) {
      formats.insert(
          formats.end(),
          {{"markdown", Format::markdown}, {"latex", Format::latex}, {"html", Format::html}});
    }
    request.format = choice<Format>("--format", typed.format, formats);
  }
  if (request.output == "-") request.format = Format::json;
  read_table(typed, request.table);
  if (!typed.threshold.empty()) {
    request.threshold = number("--threshold", typed.threshold, "percent") / 100;
  }
  if (!typed.show.empty()) request.show = count("--show", typed.show, 0, 1'000'000'000);
  return request;
}

}  // namespace bench
