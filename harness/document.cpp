#include "harness/document.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "harness/cli.hpp"
#include "harness/printable.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t largest = std::size_t{256} << 20U;  // the largest of ours has a few megabytes
constexpr int deepest = 32;                               // ours has eight levels

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", name, why));
}

/// Levels of arrays and objects, before anything is built of them.
int depth_of(std::string_view text) {
  int depth = 0;
  int most = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size() && most <= deepest; ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return most;
}

/// The end of the text in quotes that begins at `at`, or of everything.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// The end of the list that begins at `at`, or of everything.
std::size_t end_of_list(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_text(text, at);
      continue;
    }
    ++at;
    if (c == '[') ++depth;
    if (c == ']' && --depth == 0) break;
  }
  return at;
}

/// The text with the long lists of numbers emptied.
std::string summary_of(std::string_view text) {
  std::string short_text;
  std::size_t copied = 0;
  for (std::size_t at = text.find('"'); at < text.size(); at = text.find('"', at)) {
    const std::size_t end = end_of_text(text, at);
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (word != "\"samples\"" && word != "\"benchmarks\"" && word != "\"outliers\"") continue;
    const std::size_t list = text.find_first_not_of(": \t\r\n", at);
    if (list >= text.size() || text[list] != '[') continue;
    short_text.append(text.substr(copied, list + 1 - copied)).append("]");
    at = copied = end_of_list(text, list);
  }
  return short_text.append(text.substr(std::min(copied, text.size())));
}

/// The parser keeps the last of two equal keys; we accept neither.
class DuplicateKeys {
 public:
  bool operator()(int /*depth*/, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key && found_.empty()) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open_.back().insert(key).second) found_ = key;
    }
    return true;
  }
  const std::string& found() const { return found_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string found_;
};

/// What terminals obey must not come from a file, neither in values nor in keys.
void make_printable(Json& value) {
  if (value.is_string()) value = printable(value.get_ref<const std::string&>());
  if (value.is_object()) {
    Json clean = Json::object();
    for (auto& [key, inner] : value.items()) clean[printable(key)] = std::move(inner);
    value = std::move(clean);
  }
  if (value.is_structured()) {
    for (Json& inner : value) make_printable(inner);
  }
}

/// The kinds of values that tables and comparisons expect.
enum class Kind { text, number, positive, count, flag, list, object, texts, interval, samples };

bool is_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

bool is(Kind kind, const Json& value) {
  const auto all = [&value](auto test) {
    return value.is_array() && std::all_of(value.begin(), value.end(), test);
  };
  constexpr double most = 1e18;  // what fits into whole numbers
  switch (kind) {
    case Kind::text:
      return value.is_string();
    case Kind::number:
      return is_number(value) && std::abs(value.get<double>()) < 1e300;
    case Kind::positive:
      return is_number(value) && value.get<double>() >= 0 && value.get<double>() < 1e300;
    case Kind::count:
      return value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() < most;
    case Kind::flag:
      return value.is_boolean();
    case Kind::list:
      return value.is_array();
    case Kind::object:
      return value.is_object();
    case Kind::texts:
      return all([](const Json& one) { return one.is_string(); });
    case Kind::interval:
      return value.size() == 2 &&
             all([](const Json& one) { return one.is_null() || is_number(one); });
    case Kind::samples:
      return !value.empty() && value.size() <= 1000 &&
             all([](const Json& one) { return is_number(one) && one.get<double>() > 0; });
  }
  return false;
}

struct Rule {
  const char* key;
  Kind kind;
  bool may_be_null = false;
};

/// Holds one object against its rules; `where` is its place in the document.
void check(const Json& object, const std::string& where, std::initializer_list<Rule> rules,
           const std::string& name) {
  static const std::vector<std::string> kinds{
      "text",           "a number",        "a number that is not negative",
      "a count",        "true or false",   "a list",
      "an object",      "a list of texts", "two numbers",
      "a list of times"};
  if (!object.is_object()) refuse(name, fmt::format("damaged: {} is no object", where));
  for (const Rule& rule : rules) {
    const auto found = object.find(rule.key);
    if (found == object.end())
      refuse(name, fmt::format("damaged: {}/{} is missing", where, rule.key));
    if (rule.may_be_null && found->is_null()) continue;
    if (!is(rule.kind, *found)) {
      refuse(name, fmt::format("damaged: {}/{} is not {}", where, rule.key,
                               kinds.at(static_cast<std::size_t>(rule.kind))));
    }
  }
}

void check_case(const Json& one, const std::string& where, const std::string& name, Detail detail) {
  check(one, where,
        {{"name", Kind::text},
         {"workload", Kind::text},
         {"backend", Kind::text},
         {"variant", Kind::text},
         {"dtype", Kind::text},
         {"size", Kind::text},
         {"scope", Kind::text},
         {"cache", Kind::text},
         {"status", Kind::text},
         {"reason", Kind::text, true},
         {"reference", Kind::flag},
         {"threads", Kind::count, true},
         {"bytes", Kind::count},
         {"flops", Kind::count},
         {"share_of_copy", Kind::positive, true}},
        name);
  if (one.contains("library")) check(one, where, {{"library", Kind::flag}}, name);
  for (const char* key : {"share_of_read", "share_of_add"}) {
    if (one.contains(key)) check(one, where, {{key, Kind::positive, true}}, name);
  }
  const bool measured = one.at("status") == "measured";
  if (!measured && !one.at("reason").is_string()) {
    refuse(name, fmt::format("damaged: {}/reason is missing", where));
  }
  if (!measured) return;
  check(one, where,
        {{"seconds", Kind::object}, {"rounds", Kind::count}, {"gb_per_s", Kind::positive}}, name);
  check(one.at("seconds"), where + "/seconds",
        {{"samples", detail == Detail::whole ? Kind::samples : Kind::list},
         {"median", Kind::positive},
         {"ci95", Kind::interval}},
        name);
  for (const Json& bound : one.at("seconds").at("ci95")) {
    if (!bound.is_number())
      refuse(name, fmt::format("damaged: {}/seconds/ci95 is not two numbers", where));
  }
  const Json& seconds = one.at("seconds");
  if (seconds.contains("too_short"))
    check(seconds, where + "/seconds", {{"too_short", Kind::count}}, name);
  if (seconds.contains("drift"))
    check(seconds, where + "/seconds", {{"drift", Kind::positive, true}}, name);
}

void check_speedup(const Json& row, const Json& of, const std::string& where,
                   const std::string& name) {
  check(row, where,
        {{"name", Kind::text},
         {"seconds", Kind::positive, true},
         {"over_serial", Kind::object, true},
         {"over_best_cpu", Kind::object, true}},
        name);
  if (row.at("name") != of.at("name")) {
    refuse(name, fmt::format("damaged: {}/name is not that of the case", where));
  }
  if (of.at("status") == "measured" && !row.at("seconds").is_number()) {
    refuse(name, fmt::format("damaged: {}/seconds is missing", where));
  }
  for (const char* key : {"over_serial", "over_best_cpu"}) {
    if (row.at(key).is_null()) continue;
    check(row.at(key), fmt::format("{}/{}", where, key), {{"value", Kind::positive, true}}, name);
  }
}

void check_scaling(const Json& entry, const std::string& where, const std::string& name) {
  check(entry, where,
        {{"workload", Kind::text},
         {"backend", Kind::text},
         {"variant", Kind::text},
         {"dtype", Kind::text},
         {"size", Kind::text},
         {"cache", Kind::text},
         {"points", Kind::list},
         {"enough_threads", Kind::count}},
        name);
  const Json& points = entry.at("points");
  if (points.empty()) refuse(name, fmt::format("damaged: {}/points is empty", where));
  for (const Json& point : points) {
    check(point, where + "/points",
          {{"threads", Kind::count}, {"speedup", Kind::object}, {"efficiency", Kind::positive}},
          name);
    check(point.at("speedup"), where + "/points/speedup", {{"value", Kind::positive}}, name);
  }
}

void check_crossover(const Json& entry, const std::string& where, const std::string& name) {
  check(entry, where,
        {{"name", Kind::text},
         {"workload", Kind::text},
         {"dtype", Kind::text},
         {"bins", Kind::count, true},
         {"scope", Kind::text},
         {"cache", Kind::text},
         {"points", Kind::list},
         {"size", Kind::count, true},
         {"ci95", Kind::interval},
         {"verdict", Kind::text}},
        name);
  const Json& points = entry.at("points");
  if (points.empty()) refuse(name, fmt::format("damaged: {}/points is empty", where));
  for (const Json& point : points) {
    check(point, where + "/points", {{"elements", Kind::count}, {"ratio", Kind::object}}, name);
    check(point.at("ratio"), where + "/points/ratio", {{"value", Kind::positive}}, name);
  }
  for (const Json& end : entry.at("ci95")) {
    if (!end.is_null() && !is(Kind::count, end)) {
      refuse(name, fmt::format("damaged: {}/ci95 is not two counts", where));
    }
  }
  const Json& verdict = entry.at("verdict");
  if (verdict != "from" && verdict != "always" && verdict != "never") {
    refuse(name, fmt::format("damaged: {}/verdict is none of from, always, never", where));
  }
  if ((verdict == "from") != entry.at("size").is_number()) {
    refuse(name, fmt::format("damaged: {}/size does not fit the verdict", where));
  }
}

void check_context(const Json& context, const std::string& name) {
  check(context, "/context",
        {{"date", Kind::text},
         {"run", Kind::object},
         {"build", Kind::object},
         {"machine", Kind::object}},
        name);
  check(context.at("run"), "/context/run",
        {{"node", Kind::text},
         {"threads", Kind::count},
         {"isa", Kind::text},
         {"cache", Kind::text},
         {"input_hash", Kind::object},
         {"warnings", Kind::texts}},
        name);
  const Json& run = context.at("run");
  if (run.contains("resumed")) check(run, "/context/run", {{"resumed", Kind::list}}, name);
  check(context.at("machine"), "/context/machine",
        {{"cpu_model", Kind::text, true}, {"logical_cpus", Kind::count, true}}, name);
  const Json gpu = context.at("machine").value("gpu", Json());
  if (!gpu.is_null()) check(gpu, "/context/machine/gpu", {{"name", Kind::text}}, name);
}

void check_document(const Json& document, const std::string& name, Detail detail) {
  if (!document.is_object()) refuse(name, "is no result document of bench");
  const Json schema = document.value("schema", Json());
  if (!schema.is_string()) {
    refuse(name, document.contains("benchmarks") ? "is a document of Google Benchmark, not of bench"
                                                 : "is no result document of bench");
  }
  if (schema != "bench-report/1") {
    refuse(name, fmt::format("was written by another version of bench ({}); this one reads "
                             "bench-report/1",
                             schema.get<std::string>().substr(0, 40)));
  }
  check(document, "", {{"context", Kind::object}, {"cases", Kind::list}, {"speedups", Kind::list}},
        name);
  check_context(document.at("context"), name);
  const Json& cases = document.at("cases");
  const Json& speedups = document.at("speedups");
  if (cases.size() != speedups.size()) {
    refuse(name, "damaged: /cases and /speedups have different lengths");
  }
  for (const char* key : {"scaling", "crossovers", "benchmarks"}) {
    if (document.contains(key)) check(document, "", {{key, Kind::list}}, name);
  }
  const Json scaling = document.value("scaling", Json::array());
  for (std::size_t i = 0; i < scaling.size(); ++i) {
    check_scaling(scaling.at(i), fmt::format("/scaling/{}", i), name);
  }
  const Json crossovers = document.value("crossovers", Json::array());
  for (std::size_t i = 0; i < crossovers.size(); ++i) {
    check_crossover(crossovers.at(i), fmt::format("/crossovers/{}", i), name);
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    check_case(cases.at(i), fmt::format("/cases/{}", i), name, detail);
    check_speedup(speedups.at(i), cases.at(i), fmt::format("/speedups/{}", i), name);
    if (!names.insert(cases.at(i).at("name").get<std::string>()).second) {
      refuse(name, fmt::format("damaged: /cases/{}/name is there twice", i));
    }
  }
}

/// Not so the schema, which lies beside documents, nor the comparison of many nodes.
bool may_be_document(const std::filesystem::path& file) {
  if (file.filename() == "schema.json") return false;
  std::array<char, 64> begin{};
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t got = descriptor < 0 ? 0 : ::read(descriptor, begin.data(), begin.size());
  if (descriptor >= 0) close(descriptor);
  const std::string_view text(begin.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text.find("\"bench-nodes/") == std::string_view::npos;
}

/// The *.json files of a folder that may be documents, by name.
std::vector<std::filesystem::path> documents_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path& file = entry.path();
    const bool hidden = file.filename().string().starts_with('.');
    if (file.extension() == ".json" && !hidden && may_be_document(file)) found.push_back(file);
  }
  if (error) refuse(folder.string(), fmt::format("cannot be read: {}", error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

const Json& at(const Json& object, std::string_view path) {
  static const Json nothing;
  const Json* here = &object;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (!here->is_object()) return nothing;
    const auto found = here->find(path.substr(0, slash));
    if (found == here->end()) return nothing;
    here = &*found;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return *here;
}

std::string text_at(const Json& object, std::string_view path) {
  const Json& value = at(object, path);
  return value.is_string() ? value.get<std::string>() : "";
}

nlohmann::ordered_json parse_document(std::string_view text, const std::string& name,
                                      Detail detail) {
  if (text.empty()) refuse(name, "is empty");
  if (text.find('\0') != std::string_view::npos) {  // where the parser would end
    refuse(name, "holds zero bytes, as a crash of the file system leaves them");
  }
  std::string short_text;
  if (detail == Detail::summary) text = short_text = summary_of(text);
  if (depth_of(text) > deepest) refuse(name, "is nested too deeply for a result document");
  DuplicateKeys duplicates;
  Json document;
  try {
    document = Json::parse(text, std::ref(duplicates));
  } catch (const Json::parse_error& error) {
    const bool cut_off = error.byte >= text.size();
    refuse(name, cut_off ? "ends in the middle: was it cut off while it was copied?"
                         : fmt::format("is no JSON: byte {} does not fit", error.byte));
  } catch (const Json::out_of_range&) {
    refuse(name, "holds a number that is too large");
  }
  if (!duplicates.found().empty()) {
    refuse(name,
           fmt::format("damaged: the key '{}' is there twice", duplicates.found().substr(0, 40)));
  }
  make_printable(document);
  check_document(document, name, detail);
  return document;
}

nlohmann::ordered_json read_document(const std::filesystem::path& file, Detail detail) {
  const std::string name = printable(file.string());
  // Without waiting: nobody may ever write into a pipe of that name.
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(name, fmt::format("cannot be read: {}", std::strerror(errno)));
  struct stat facts {};
  std::string text;
  std::string why;
  if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    why = "is no file";
  } else if (static_cast<std::uintmax_t>(facts.st_size) > largest) {
    why = "is too large for a result document";
  } else {
    text.resize(static_cast<std::size_t>(facts.st_size));
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t got = ::read(descriptor, text.data() + done, text.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) why = std::strerror(errno);
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    text.resize(done);
  }
  close(descriptor);
  if (!why.empty()) refuse(name, why);
  return parse_document(text, name, detail);
}

std::vector<std::filesystem::path> find_documents(const std::vector<std::string>& paths,
                                                  Folders folders) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::set<fs::path> known;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    if (known.insert(error ? file : canonical).second) files.push_back(file);
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      // results/*.json names everything that lies there.
      if (paths.size() == 1 || may_be_document(path)) add(path);
      continue;
    }
    std::vector<fs::path> inside = documents_in(path);
    if (folders == Folders::with_surveys) {
      for (const auto& entry : fs::directory_iterator(path, error)) {
        const bool survey = entry.path().filename().string().starts_with("nodes-");
        if (!survey || !entry.is_directory(error)) continue;
        for (const fs::path& file : documents_in(entry.path())) inside.push_back(file);
      }
    }
    if (inside.empty()) refuse(path, "holds no *.json files");
    std::for_each(inside.begin(), inside.end(), add);
  }
  return files;
}

}  // namespace bench
