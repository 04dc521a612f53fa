#include "harness/guests/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/arrays/guard.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/translate.hpp"

namespace bench::guests {
namespace {

/// A line of the user's, as a sentence names it.
struct SourceLine {
  std::string header;  ///< that it is in; empty: the file itself
  int number = 0;

  auto operator<=>(const SourceLine&) const = default;
  Reason text() const {
    return header.empty() ? said<reasons::line_number>(number)
                          : Reason(fmt::format("{}:{}", header, number));
  }
};

/// What a frame names of the user's files, the first of which needs no name.
std::optional<SourceLine> line_in(const std::string& frame, const std::vector<std::string>& files) {
  static const std::regex number(R"(^:(\d+))");
  for (const std::string& file : files) {
    const std::size_t at = frame.rfind(file + ":");
    if (at == std::string::npos) continue;
    // Not the end of a longer name.
    if (at > 0 && frame[at - 1] != '/' && frame[at - 1] != ' ') continue;
    const std::string rest = frame.substr(at + file.size());
    std::smatch found;
    if (!std::regex_search(rest, found, number)) continue;
    return SourceLine{file == files.front() ? "" : file, std::stoi(found[1])};
  }
  return {};
}

/// The user's lines that are in the stacks of a report, the innermost of each.
std::vector<SourceLine> lines_in(const std::string& report, const std::vector<std::string>& files) {
  static const std::regex first_frame(R"(^\s*#0\s)");
  std::vector<SourceLine> lines;
  std::istringstream stream(report);
  bool wanted = false;
  for (std::string frame; std::getline(stream, frame);) {
    if (std::regex_search(frame, first_frame)) wanted = true;
    if (!wanted) continue;
    if (const auto line = line_in(frame, files)) {
      lines.push_back(*line);
      wanted = false;
    }
  }
  return lines;
}

std::optional<std::smatch> search(const std::string& text, const std::regex& what) {
  std::smatch found;
  if (!std::regex_search(text, found, what)) return {};
  return found;
}

std::uintptr_t address_in(const std::string& hexadecimal) {
  return static_cast<std::uintptr_t>(std::stoull(hexadecimal, nullptr, 16));
}

/// The array that begins there, if any of these.
const NamedArray* array_at(std::uintptr_t begin, const std::vector<NamedArray>& arrays) {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [=](const NamedArray& one) { return one.begin == begin; });
  return found == arrays.end() ? nullptr : &*found;
}

/// `element 10000 of x, which has 10000`, for an address next to an array that the kernel was
/// given.
Reason element_at(std::uintptr_t address, const NamedArray* one) {
  if (one == nullptr) return {};
  const auto bytes = static_cast<std::intptr_t>(one->element_bytes);
  const auto offset = static_cast<std::intptr_t>(address - one->begin);
  return said<reasons::element_of_array>((offset < 0 ? offset - bytes + 1 : offset) / bytes,
                                         one->name, one->count);
}

/// The nearest array, where that address is in it or in the guard bands around it.
const NamedArray* array_near(std::uintptr_t address, const std::vector<NamedArray>& arrays) {
  const NamedArray* nearest = nullptr;
  std::uintptr_t least = guard::bytes + 1;
  for (const NamedArray& one : arrays) {
    const std::uintptr_t end = one.begin + one.count * one.element_bytes;
    const std::uintptr_t distance = address < one.begin ? one.begin - address
                                    : address < end     ? 0
                                                        : address - end;
    if (distance < least) nearest = &one;
    least = std::min(least, distance);
  }
  return nearest;
}

/// The last name: tile of `kernel(float const*)::tile`.
std::string plain_name(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

Reason beside_an_array(const std::string& report, const std::vector<NamedArray>& arrays) {
  static const std::regex in_heap(
      R"((0x[0-9a-f]+) is located [^\[\n]*?(\d+)-byte region \[(0x[0-9a-f]+))");
  static const std::regex in_global(
      R"(is located (\d+) bytes ([^'\n]*)global variable '([^']+)' [^\n]*of size (\d+))");
  if (const auto heap = search(report, in_heap)) {
    Reason element = element_at(address_in((*heap)[1]), array_at(address_in((*heap)[3]), arrays));
    if (!element.empty()) return element;
    const bool shared = report.find("cuda::stand_in::run(") != std::string::npos;
    return shared ? said<reasons::past_shared_memory>((*heap)[2].str())
                  : said<reasons::past_array>((*heap)[2].str());
  }
  if (const auto global = search(report, in_global)) {
    const std::string where = (*global)[2];
    const bool before =
        where.find("before") != std::string::npos || where.find("left") != std::string::npos;
    const std::string distance = (*global)[1];
    const std::string name = plain_name((*global)[3]);
    const std::string bytes = (*global)[4];
    if (distance == "0") {
      return before ? said<reasons::before_variable>(name, bytes)
                    : said<reasons::past_variable>(name, bytes);
    }
    return before ? said<reasons::bytes_before_variable>(distance, name, bytes)
                  : said<reasons::bytes_past_variable>(distance, name, bytes);
  }
  return said<reasons::where_no_array_is>();
}

Reason at_line(const std::optional<SourceLine>& line, const Reason& what) {
  return line ? said<reasons::found_when>(line->text(), what) : what;
}
Reason at_line(const std::vector<SourceLine>& lines, const Reason& what) {
  return at_line(lines.empty() ? std::nullopt : std::optional(lines.front()), what);
}

Reason accesses(bool writes, const Reason& where) {
  return writes ? said<reasons::writes_there>(where) : said<reasons::reads_there>(where);
}

/// Where a kernel was called without a launch, as a function of the host; empty where none was.
Reason called_kernel(const std::string& report, const std::vector<std::string>& files,
                     const Texts& texts) {
  static const std::regex frame(R"(#\d+ 0x[0-9a-f]+ in (?:[^\n(]*\s)?(?:\w+::)*(\w+)[(<\s][^\n]*)");
  std::set<std::string> kernels;
  for (const auto& [name, text] : texts) kernels.merge(kernels_in(text));
  std::string kernel;
  for (std::sregex_iterator at(report.begin(), report.end(), frame), end; at != end; ++at) {
    if (!kernel.empty()) {
      return at_line(line_in(at->str(), files), said<reasons::is_a_kernel>(kernel, kernel));
    }
    if (kernels.contains((*at)[1])) kernel = (*at)[1];
  }
  return {};
}

/// Host code in the device's memory.
Reason out_of_reach(const std::string& report, const std::vector<NamedArray>& arrays) {
  static const std::regex in_heap(R"(is located [^\[\n]*? region \[(0x[0-9a-f]+))");
  const auto heap = search(report, in_heap);
  const NamedArray* const one = heap ? array_at(address_in((*heap)[1]), arrays) : nullptr;
  const Reason what = one != nullptr ? said<reasons::which_is_on_the_device>(one->name)
                                     : said<reasons::memory_of_the_device>();
  return report.find("WRITE of size") != std::string::npos ? said<reasons::host_writes>(what)
                                                           : said<reasons::host_reads>(what);
}

Reason of_address(const std::string& report, const std::vector<SourceLine>& lines,
                  const std::vector<std::string>& files, const std::vector<NamedArray>& arrays,
                  const Texts& texts) {
  const bool writes = report.find("WRITE of size") != std::string::npos ||
                      report.find("caused by a WRITE") != std::string::npos;
  // Memory that is there, but not for who used it: of arrays on the host what is around them.
  static const std::regex nobodys(
      R"(AddressSanitizer: (use-after-poison|SEGV) on [^\n]*?(0x[0-9a-f]+))");
  if (const auto found = search(report, nobodys)) {
    const std::uintptr_t address = address_in((*found)[2]);
    const NamedArray* const near = array_near(address, arrays);
    const bool poisoned = (*found)[1] == "use-after-poison";
    if (near != nullptr && (poisoned || writes)) {
      const bool beyond = address - near->begin >= near->count * near->element_bytes;
      if (beyond || !poisoned) {
        const Reason element = element_at(address, near);
        return at_line(
            lines, accesses(writes, beyond ? element : said<reasons::may_only_be_read>(element)));
      }
    }
    if (poisoned) {
      const Reason kernel = called_kernel(report, files, texts);
      return kernel.empty() ? at_line(lines, out_of_reach(report, arrays)) : kernel;
    }
  }
  static const std::regex local(R"('([^']+)'(?: \(line \d+\))? <== Memory access)");
  if (const auto found = search(report, local)) {
    return at_line(lines, accesses(writes, said<reasons::outside_of>((*found)[1].str())));
  }
  static const std::regex other(
      R"(AddressSanitizer: (?:attempting )?(stack-buffer-overflow|stack-overflow|heap-use-after-free|double-free|free))");
  if (const auto found = search(report, other)) {
    static const std::map<std::string, Reason> words{
        {"stack-buffer-overflow", said<reasons::outside_of_stack_array>()},
        {"stack-overflow", said<reasons::stack_overflow>()},
        {"heap-use-after-free", said<reasons::use_after_free>()},
        {"double-free", said<reasons::double_free>()},
        {"free", said<reasons::free_of_others>()}};
    return at_line(lines, words.at((*found)[1]));
  }
  return at_line(lines, accesses(writes, beside_an_array(report, arrays)));
}

/// `lines 3 and 5`, `line 3` where both are the same.
Reason both_lines(const SourceLine& one, const SourceLine& other) {
  const auto& [first, last] = std::minmax(one, other);
  if (first == last) return first.text();
  return first.header.empty() && last.header.empty()
             ? said<reasons::line_numbers>(first.number, last.number)
             : said<reasons::both>(first.text(), last.text());
}

/// A line of the user's without comments and heads of loops, which count up variables of their own.
std::string code_at(const SourceLine& line, const std::vector<std::string>& files,
                    const Texts& texts) {
  const auto found = texts.find(line.header.empty() ? files.front() : line.header);
  if (found == texts.end()) return "";
  std::istringstream stream(code_of(found->second));
  std::string text;
  for (int i = 0; i < line.number && std::getline(stream, text); ++i) {
  }
  static const std::regex head(R"(\bfor\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))");
  return std::regex_replace(text, head, "");
}

/// What orders threads that meet in an array: `lines` of the user's, one or two.
Reason remedy(const std::vector<std::string>& lines, const std::string& array, bool shared,
              bool reads) {
  static const std::regex update(R"(\+\+|--|[-+*/|&^]=(?!=))");
  const bool updates = std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
    return std::regex_search(line, update);
  });
  // By another name than its own it may be one element of many.
  const std::regex whole("\\b" + array + R"(\b(?!\s*\[))");
  const bool one_for_all = shared && !array.empty() &&
                           std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
                             return std::regex_search(line, whole);
                           });
  if (updates && (!shared || one_for_all)) return said<reasons::is_it_atomic>();
  if (shared && updates) return said<reasons::is_a_barrier_missing_or_atomic>();
  if (shared) return said<reasons::is_a_barrier_missing>();
  if (!reads) return said<reasons::has_each_its_index>();
  return said<reasons::is_a_launch_missing>();
}

/// The shared variable that all of these lines name; empty where there is none.
std::string shared_name_in(const std::vector<std::string>& codes, const Texts& texts) {
  static const std::regex declaration(R"(__shared__[^;]*?\b(\w+)\s*[\[;,=])");
  for (const auto& [name, text] : texts) {
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) {
      const std::regex word("\\b" + (*at)[1].str() + "\\b");
      if (std::all_of(codes.begin(), codes.end(),
                      [&](const std::string& code) { return std::regex_search(code, word); })) {
        return (*at)[1];
      }
    }
  }
  return "";
}

/// A side of a race, by the name that bench's own CUDA gives to the threads of a stream.
struct Side {
  std::string stream;  ///< empty: the host, or not known
  bool host = false;
  bool writes = false;
  std::optional<SourceLine> line;
};

std::vector<Side> sides_in(const std::string& report, const std::vector<std::string>& files) {
  static const std::regex access(
      R"((read|write) of size \d+ at \S+ by (main thread|thread (T\d+)))", std::regex::icase);
  std::vector<Side> sides;
  bool in_stack = false;
  std::istringstream stream(report);
  for (std::string line; std::getline(stream, line);) {
    std::smatch found;
    if (std::regex_search(line, found, access)) {
      Side& side = sides.emplace_back();
      side.host = !found[3].matched;
      side.writes = found[1].length() == 5;
      const auto name = search(report, std::regex("Thread " + found[3].str() + " '([^']+)'"));
      if (!side.host && name) side.stream = (*name)[1];
      in_stack = true;
    } else if (line.empty()) {
      in_stack = false;
    } else if (in_stack && !sides.back().line) {
      sides.back().line = line_in(line, files);
    }
  }
  return sides;
}

/// What the host does with memory of a kernel that it has not waited for.
Reason without_wait(const Side& host, const Side& device) {
  const Reason memory =
      device.writes ? said<reasons::memory_still_written>() : said<reasons::memory_still_read>();
  const Reason what = device.line ? said<reasons::with_hint>(memory, device.line->text()) : memory;
  return at_line(host.line, host.writes ? said<reasons::host_writes_early>(what)
                                        : said<reasons::host_reads_early>(what));
}

Reason of_race(const std::string& report, const std::vector<SourceLine>& lines,
               const std::vector<std::string>& files, const std::vector<NamedArray>& arrays,
               const Texts& texts) {
  std::vector<Side> sides = sides_in(report, files);
  sides.resize(2);
  const Side& first = sides[0];
  const Side& second = sides[1];
  if (first.host && !second.stream.empty()) return without_wait(first, second);
  if (second.host && !first.stream.empty()) return without_wait(second, first);
  static const std::regex global(R"(Location is global '([^']+)')");
  static const std::regex heap(R"(Location is heap block of size \d+ at (0x[0-9a-f]+))");
  std::string array;
  bool shared = false;
  const auto declares = [&](const std::string& what) {
    const std::regex declaration(what);
    return std::any_of(texts.begin(), texts.end(),
                       [&](const auto& one) { return std::regex_search(one.second, declaration); });
  };
  if (const auto found = search(report, heap)) {
    const NamedArray* const known = array_at(address_in((*found)[1]), arrays);
    if (known != nullptr) array = known->name;
    shared = known == nullptr && declares(R"(extern\s+__shared__)");
  } else {
    const auto named = search(report, global);
    if (named && (*named)[1] != "<null>") array = plain_name((*named)[1]);
    shared = declares("__shared__[^;]*\\b" + array + "\\b");
  }
  const bool reads = report.find("Read of size") != std::string::npos ||
                     report.find("read of size") != std::string::npos;
  std::vector<std::string> codes;  // later stacks say who made the array and the threads
  for (std::size_t i = 0; i < std::min(lines.size(), std::size_t{2}); ++i) {
    codes.push_back(code_at(lines[i], files, texts));
  }
  if (array.empty() && shared) array = shared_name_in(codes, texts);
  const bool two_streams =
      !first.stream.empty() && !second.stream.empty() && first.stream != second.stream;
  const Reason element =
      array.empty() ? said<reasons::same_element>() : said<reasons::same_element_of>(array);
  const Reason question =
      two_streams ? said<reasons::does_one_stream_wait>() : remedy(codes, array, shared, reads);
  const Reason what = reads ? said<reasons::one_reads_another_writes>(element, question)
                            : said<reasons::two_write>(element, question);
  if (lines.size() < 2) return at_line(lines, what);
  return said<reasons::found_when>(both_lines(lines[0], lines[1]), what);
}

}  // namespace

Reason explained(const std::string& report, const std::vector<std::string>& files,
                 const std::vector<NamedArray>& arrays, const Texts& texts) {
  static const std::regex misaligned(
      R"([^\n]*: runtime error: [^\n]*misaligned address \S+ for type '([^']+)', which requires (\d+) byte)");
  const std::vector<SourceLine> lines = lines_in(report, files);
  if (const auto found = search(report, misaligned)) {
    static const std::regex qualifiers("const |struct ");
    const std::optional<SourceLine> line = line_in(found->str(), files);
    const std::string type = std::regex_replace((*found)[1].str(), qualifiers, "");
    return at_line(line, said<reasons::misaligned_address>(type, (*found)[2].str()));
  }
  static const std::regex undefined(R"([^\n]*: runtime error: ([^\n]*))");
  if (const auto found = search(report, undefined)) {
    const std::optional<SourceLine> line = line_in(found->str(), files);
    return at_line(line, (*found)[1].str());
  }
  if (report.find("ThreadSanitizer: data race") != std::string::npos) {
    return of_race(report, lines, files, arrays, texts);
  }
  // The file itself says that memory runs out, and how much it has.
  static const std::regex too_much(
      "SUMMARY: AddressSanitizer: (out-of-memory|allocation-size-too-big)");
  if (report.find("AddressSanitizer") != std::string::npos && !search(report, too_much)) {
    return of_address(report, lines, files, arrays, texts);
  }
  return {};
}

Reason race_in(const std::string& reports, const std::vector<std::string>& files,
               const Texts& texts) {
  constexpr std::string_view begin = "WARNING: ThreadSanitizer: data race";
  const auto harmless = [&](const SourceLine& line) {
    const auto found = texts.find(line.header.empty() ? files.front() : line.header);
    if (found == texts.end()) return false;
    std::istringstream stream(found->second);
    std::string text;
    for (int i = 0; i < line.number; ++i) std::getline(stream, text);
    return text.find("omp_get_num_threads") != std::string::npos;
  };
  for (std::size_t at = reports.find(begin); at != std::string::npos;) {
    const std::size_t next = reports.find(begin, at + begin.size());
    const std::vector<SourceLine> lines = lines_in(reports.substr(at, next - at), files);
    at = next;
    if (lines.empty() || harmless(lines.front())) continue;
    return said<reasons::found_when>(both_lines(lines.front(), lines[lines.size() > 1 ? 1 : 0]),
                                     said<reasons::threads_race>());
  }
  return {};
}

std::string line_named(const std::string& place, const std::vector<std::string>& files) {
  const auto line = line_in(place, files);
  if (!line) return "";
  return fmt::format("{}:{}", line->header.empty() ? files.front() : line->header, line->number);
}

Reason asserted(const std::string& said, const std::vector<std::string>& files) {
  static const std::regex assertion(R"((\S+:\d+): .*Assertion `(.*?)(?:' failed|$))");
  const auto found = search(said, assertion);
  if (!found) return {};
  return at_line(line_in((*found)[1], files),
                 bench::said<reasons::assertion_failed>((*found)[2].str()));
}

std::vector<std::string> array_names(const std::string& parameters) {
  std::vector<std::string> read;
  std::vector<std::string> written;
  std::istringstream stream(parameters);
  for (std::string one; std::getline(stream, one, ',');) {
    const std::size_t star = one.find('*');
    if (star == std::string::npos) continue;
    const std::string name = one.substr(one.find_first_not_of(" *", star));
    (one.find("const ") != std::string::npos ? read : written).push_back(name);
  }
  read.insert(read.end(), written.begin(), written.end());
  return read;
}

}  // namespace bench::guests
