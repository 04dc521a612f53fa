// Result files from disk: everything is checked before it is used.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/base/statistics.hpp"
#include "harness/document/contradiction.hpp"
#include "harness/document/document.hpp"
#include "harness/document/imported.hpp"
#include "harness/document/parse_json.hpp"
#include "harness/document/record.hpp"

namespace bench {
namespace {

constexpr std::size_t largest = std::size_t{256} << 20U;  // recorded ones have a few megabytes

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", name, why));
}

void require_schema(const Json& json, const std::string& name) {
  const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
  if (!schema.is_string()) {
    refuse(name, fmt::format("is not a result file of bench, nor in a format that it imports ({})",
                             all_formats()));
  }
  if (schema != schema_name) {
    refuse(name, fmt::format("was written by another version of bench ({}); this one reads {}",
                             schema.get<std::string>().substr(0, 40), schema_name));
  }
}

bool looks_like_json(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos || text[begin] == '{' || text[begin] == '[';
}

/// What bench wrote.
Document own(const Json& json, const std::string& name) {
  require_schema(json, name);
  Document document;
  Explanations reasons;
  const Where root(&reasons);
  FieldReader reader(json, root);
  reader.later("reasons", reasons);
  reader("context", document.context);
  reader("cases", document.cases);
  return document;
}

/// Their keys that are read.
constexpr std::string_view of_result_files[] = {"schema", "context", "cases", "reasons"};

Document any_document(std::string_view text, const std::string& name,
                      const std::filesystem::path& folder) {
  if (!looks_like_json(text)) {
    if (const auto table = imported(text)) return document_of(*table);
  }
  const auto without = without_nan(text);
  const std::string_view valid = without ? std::string_view(*without) : text;
  const Json json = parse_json(valid, name, of_result_files);
  if (json.is_object() && !json.contains("schema")) {
    const auto found = imported(parse_json(valid, name), folder);
    if (found) return document_of(*found);
  }
  return own(without ? parse_json(text, name, of_result_files) : json, name);
}

}  // namespace

Document parse_document(std::string_view text, const std::string& name, Keep keep,
                        const std::filesystem::path& folder) {
  Document document;
  try {
    document = any_document(text, name, folder);
    require_sound(document);
  } catch (const Misfit& misfit) {
    refuse(name, fmt::format("damaged: {}", misfit.what()));
  }
  if (keep == Keep::medians) {
    for (CaseRecord& one : document.cases) {
      if (one.seconds) one.seconds->median = median(one.seconds->samples);
    }
  } else if (keep == Keep::times) {
    for (CaseRecord& one : document.cases) {
      if (one.seconds) put_middle(*one.seconds);
    }
  } else {
    derive(document);
  }
  if (keep != Keep::everything) {
    for (CaseRecord& one : document.cases) {
      if (one.seconds) std::vector<double>().swap(one.seconds->samples);  // = {} keeps the memory
    }
  }
  return document;
}

namespace {

void require_small(std::uintmax_t bytes) {
  if (bytes > largest) throw std::runtime_error("is too large for a result file");
}

/// All that can be read there; throws why not. `bytes`: the likely size.
std::string rest_of(int descriptor, std::size_t bytes) {
  std::string text(bytes + 1, '\0');  // its end is seen without another allocation
  for (std::size_t done = 0;;) {
    if (done == text.size()) text.resize(2 * done);
    const ssize_t got = ::read(descriptor, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::runtime_error(std::strerror(errno));
    done += static_cast<std::size_t>(got);
    require_small(done);
    if (got > 0) continue;
    text.resize(done);
    return text;
  }
}

std::string content(int descriptor) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    throw std::runtime_error("is not a file");
  }
  require_small(static_cast<std::uintmax_t>(facts.st_size));
  return rest_of(descriptor, static_cast<std::size_t>(facts.st_size));
}

}  // namespace

Document read_document(const std::filesystem::path& file, Keep keep) {
  const bool from_stdin = file == "-";
  const std::string name = from_stdin ? "stdin" : printable(file.string());
  // Without waiting: a pipe of that name may never be written.
  const int descriptor =
      from_stdin ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(name, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::string why;
  try {
    constexpr std::size_t usual = std::size_t{1} << 20U;
    if (from_stdin) {
      static const std::string kept = rest_of(descriptor, usual);  // some commands read it twice
      text = kept;
    } else {
      text = content(descriptor);
    }
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  if (!from_stdin) close(descriptor);
  if (!why.empty()) refuse(name, why);
  return parse_document(text, name, keep, file.parent_path());
}

std::vector<std::string> read_each(std::size_t count,
                                   const std::function<void(std::size_t)>& read) {
  std::vector<std::string> reasons(count);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < count; ++i) {
    try {
      read(i);
    } catch (const std::exception& error) {
      reasons[i] = error.what();
    }
  }
  return reasons;
}

}  // namespace bench
