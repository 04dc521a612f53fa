#include "harness/guests/translate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace bench::guests {
namespace {

/// Letters beyond ASCII, too.
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

}  // namespace

std::string code_of(const std::string& source) {
  std::string code = source;
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
  };
  const auto after = [&](std::string_view what, std::size_t from) {
    const std::size_t at = source.find(what, from);
    return at == std::string::npos ? source.size() : at + what.size();
  };
  for (std::size_t i = 0; i < source.size();) {
    std::size_t end = i + 1;
    if (source.compare(i, 2, "//") == 0) {
      end = after("\n", i);
      blank(i, end);
    } else if (source.compare(i, 2, "/*") == 0) {
      end = after("*/", i + 2);
      blank(i, end);
    } else if (source.compare(i, 2, "R\"") == 0 && (i == 0 || !is_word(source[i - 1]))) {
      const std::size_t open = std::min(source.find('(', i), source.size());
      end = after(")" + source.substr(i + 2, open - i - 2) + "\"", open);
      blank(i + 2, end - 1);
    } else if (source[i] == '"' || (source[i] == '\'' && (i == 0 || !is_word(source[i - 1])))) {
      while (end < source.size() && source[end] != source[i] && source[end] != '\n') {
        end += source[end] == '\\' ? 2 : 1;
      }
      blank(i + 1, end);
      ++end;
    }
    i = end;
  }
  return code;
}

namespace {

/// Where the name of the kernel begins that ends before `end`: `kernel`, `space::kernel<float, 4>`,
/// `(*pointer)`, `table[i]`.
std::size_t name_before(const std::string& code, std::size_t end) {
  const auto skip_blanks = [&] {
    while (end > 0 && std::isspace(static_cast<unsigned char>(code[end - 1])) != 0) --end;
  };
  skip_blanks();
  for (const std::string_view pair : {"<>", "[]", "()"}) {
    if (end == 0 || code[end - 1] != pair[1]) continue;
    int depth = 0;
    do {
      --end;
      depth += code[end] == pair[1] ? 1 : code[end] == pair[0] ? -1 : 0;
    } while (end > 0 && depth > 0);
    if (pair == "()") return end;
    skip_blanks();
  }
  while (end > 0 && (is_word(code[end - 1]) || code[end - 1] == ':')) --end;
  return end;
}

/// The parenthesis that closes the one at `open`.
std::size_t closing(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (depth == 0) return i;
  }
  return code.size();
}

/// All matches, the last one first: what comes before one that is replaced stays where it is.
std::vector<std::smatch> from_the_last(const std::string& code, const std::regex& wanted) {
  std::vector<std::smatch> all(std::sregex_iterator(code.begin(), code.end(), wanted), {});
  std::ranges::reverse(all);
  return all;
}

std::string with_calls(std::string text) {
  const std::string code = code_of(text);
  // Some formatters put blanks between.
  static const std::regex opening(R"(<\s*<\s*<)");
  static const std::regex closing_with_call(R"(>\s*>\s*>\s*\()");
  for (const std::smatch& launch : from_the_last(code, opening)) {
    const auto open = static_cast<std::size_t>(launch.position());
    const std::size_t begin = open + static_cast<std::size_t>(launch.length());
    std::smatch close;
    if (!std::regex_search(launch[0].second, code.end(), close, closing_with_call)) continue;
    const std::size_t length = static_cast<std::size_t>(close.position());
    const std::size_t arguments = begin + length + static_cast<std::size_t>(close.length()) - 1;
    const std::size_t name = name_before(code, open);
    const std::string kernel = text.substr(name, open - name);
    const std::string shape = text.substr(begin, length);
    // Up to the end of the call: `[=]` copies the arguments when it is launched.
    const std::size_t end = closing(code, arguments) + 1;
    // Looked at again, in one line; what is in braces alone has no type there.
    std::string given = code.substr(arguments, end - arguments);
    std::replace(given.begin(), given.end(), '\n', ' ');
    if (given.find('{') != std::string::npos) given = "()";
    text.replace(name, end - name,
                 fmt::format("::bench_guest::Launch(BENCH_HERE, {}).given{}([=] {{ {}{}; }})",
                             shape, given, kernel, text.substr(arguments, end - arguments)));
  }
  return text;
}

std::string with_dynamic_shared_memory(const std::string& source) {
  // Within a kernel; the size is that of the launch.
  static const std::regex declaration(
      R"(extern\s+(?:__align__\s*\(\s*\d+\s*\)\s*)?__shared__\s+((?:__align__\s*\(\s*\d+\s*\)\s*)?)([\w:][\w:\s]*?)\s+(\w+)\s*\[\s*\]\s*;)");
  return std::regex_replace(
      source, declaration,
      "$2* $3 = static_cast<$2*>(::bench::cuda::stand_in::dynamic_shared_bytes());");
}

/// Where a source declares shared arrays.
struct SharedArrays {
  std::vector<std::size_t> in_templates;  ///< in the order of the source
  bool outside = false;                   ///< a dynamic one outside of a kernel
};

SharedArrays shared_arrays(const std::string& code) {
  static const std::regex braces(R"(namespace[\s\w:]*\{|[{};]|extern\s+__shared__|__shared__)");
  static const std::regex without_section(R"(\btemplate\b|inline|\bstruct\b|\bclass\b)");
  SharedArrays all;
  int depth = 0;
  std::size_t begin = 0;  // of the declaration that is read
  bool in_template = false;
  for (std::sregex_iterator at(code.begin(), code.end(), braces), end; at != end; ++at) {
    const std::string found = at->str();
    const auto position = static_cast<std::size_t>(at->position());
    if (found.starts_with("extern") && depth == 0) all.outside = true;
    if (found == "__shared__" && in_template) all.in_templates.push_back(position);
    if (found == "{") {
      if (depth == 0) {
        const std::string head = code.substr(begin, position - begin);
        in_template = std::regex_search(head, without_section);
      }
      ++depth;
    }
    if (found == "}" && depth > 0) {
      --depth;
      in_template = in_template && depth > 0;
    }
    if (depth == 0) begin = position + found.size();
  }
  return all;
}

/// The variables of a declaration, `float a[N][N + 1], b`.
std::vector<std::string> declared(const std::string& declaration) {
  static const std::regex last_word(R"((\w+)\s*(?:\[.*)?$)");
  std::vector<std::string> names;
  int depth = 0;
  std::string one;
  for (const char c : declaration + ",") {
    depth += std::string_view("[(<{").find(c) != std::string_view::npos ? 1 : 0;
    depth -= std::string_view("])>}").find(c) != std::string_view::npos ? 1 : 0;
    if (c != ',' || depth > 0) {
      one += c == '\n' ? ' ' : c;
      continue;
    }
    if (std::smatch found; std::regex_search(one, found, last_word)) names.push_back(found[1]);
    one.clear();
  }
  return names;
}

/// g++ gives no section to a shared array of a template or an inline function: each is made known
/// when a block comes by.
std::string with_shared_arrays_in_templates(std::string text) {
  const std::string code = code_of(text);
  SharedArrays all = shared_arrays(code);
  std::ranges::reverse(all.in_templates);
  for (const std::size_t at : all.in_templates) {
    constexpr std::string_view word = "__shared__";
    const std::size_t end = std::min(code.find(';', at), code.size() - 1) + 1;
    const std::string declaration = code.substr(at + word.size(), end - 1 - at - word.size());
    std::string known;
    for (const std::string& name : declared(declaration)) {
      known += fmt::format(" ::bench::cuda::stand_in::share(&{0}, sizeof {0});", name);
    }
    text.insert(end, known);
    text.replace(at, word.size(), "static");
  }
  return text;
}

/// The arguments between a parenthesis and the one that closes it.
std::vector<std::string> arguments_of(const std::string& code, const std::string& text,
                                      std::size_t open, std::size_t close) {
  std::vector<std::string> all;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t i = begin; i <= close && i < code.size(); ++i) {
    const bool ends = depth == 0 && (code[i] == ',' || i == close);
    depth += code[i] == '(' || code[i] == '{' ? 1 : code[i] == ')' || code[i] == '}' ? -1 : 0;
    if (!ends) continue;
    all.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return all;
}

/// hipLaunchKernelGGL(kernel, grid, block, bytes, stream, arguments) as CUDA launches it.
std::string with_launches_of_cuda(std::string text) {
  const std::string code = code_of(text);
  static const std::regex macro(R"(\bhipLaunchKernelGGL\s*\()");
  static const std::regex named(R"(^\s*HIP_KERNEL_NAME\s*\(([^]*)\)\s*$)");
  constexpr std::size_t of_launch = 5;
  for (const std::smatch& launch : from_the_last(code, macro)) {
    const auto begin = static_cast<std::size_t>(launch.position());
    const std::size_t open = begin + static_cast<std::size_t>(launch.length()) - 1;
    const std::size_t close = closing(code, open);
    std::vector<std::string> all = arguments_of(code, text, open, close);
    if (all.size() < of_launch) continue;
    all[0] = std::regex_replace(all[0], named, "$1");
    const std::span given(all);
    text.replace(begin, close + 1 - begin,
                 fmt::format("{}<<<{}>>>({})", all[0], fmt::join(given.subspan(1, 4), ","),
                             fmt::join(given.subspan(of_launch), ",")));
  }
  return text;
}

/// Replaces what is code, and no comment or text.
std::string with_words(std::string text, const std::regex& word, const std::string& instead) {
  const std::string code = code_of(text);
  for (const std::smatch& one : from_the_last(code, word)) {
    text.replace(static_cast<std::size_t>(one.position()), static_cast<std::size_t>(one.length()),
                 one.format(instead));
  }
  return text;
}

}  // namespace

Dialect dialect_of(const std::string& file) {
  static const std::regex hip(R"(\.hip$)", std::regex::icase);
  return std::regex_search(file, hip) ? Dialect::hip : Dialect::cuda;
}

std::string in_words_of_cuda(const std::string& source) {
  static const std::regex dynamic(R"(\bHIP_DYNAMIC_SHARED\s*\(\s*([^,()]+),\s*(\w+)\s*\))");
  std::string text =
      with_words(with_launches_of_cuda(source), dynamic, "extern __shared__ $1 $2[];");
  for (const auto& [old, now] : {std::pair{"ThreadIdx", "threadIdx."},
                                 {"BlockIdx", "blockIdx."},
                                 {"BlockDim", "blockDim."},
                                 {"GridDim", "gridDim."}}) {
    text = with_words(text, std::regex(fmt::format(R"(\bhip{}_(?=[xyz]\b))", old)), now);
  }
  return with_words(text, std::regex(R"(\bhip(?=[A-Z]))"), "cuda");
}

std::string in_words_of_hip(const std::string& text) {
  static const std::regex word(R"(\bcuda(?=[A-Z]))");
  return std::regex_replace(text, word, "hip");
}

std::string beyond_the_cpu(const std::string& source) {
  static const std::regex libraries(
      R"(#\s*include\s*<((?:cub|thrust|cuda/|hipcub|rocprim|roc(?:blas|rand|fft|sparse|solver)|hip(?:blas|rand|fft|sparse|solver)|rccl|miopen|cooperative_groups/(?!reduce\.h|memcpy_async\.h)|cublas|curand|cufft|cusolver|cusparse|cudnn|nvrtc|nvtx|nccl|cuda_fp[468]|cuda_texture|texture_|surface_)[^>]*)>)");
  std::smatch found;
  if (std::regex_search(source, found, libraries)) return found[1];
  static const std::regex assembly(R"(\b(?:asm|__asm__)\s*(?:volatile\s*|__volatile__\s*)?\()");
  static const std::regex textures(R"(\bcuda(?:Texture|Surface)Object_t\b)");
  const std::string code = code_of(source);
  if (std::regex_search(code, found, textures)) return found[0];
  if (std::regex_search(code, assembly)) return "inline PTX (asm)";
  return shared_arrays(code).outside ? "a dynamic shared array outside of a kernel" : "";
}

std::set<std::string> kernels_in(const std::string& source) {
  static const std::regex kernel(R"(__global__[^;{}]*?(\w+)\s*\()");
  static const std::regex bounds(R"(__launch_bounds__\s*\([^)]*\))");
  const std::string code = std::regex_replace(code_of(source), bounds, "");
  std::set<std::string> names;
  for (std::sregex_iterator at(code.begin(), code.end(), kernel), end; at != end; ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

std::set<std::string> coarse_functions(const std::string& source) {
  static const std::regex coarse(
      R"(\b__(?:sin|cos|tan|tanh|sincos|exp|exp10|log|log2|log10|pow|fdivide)f\b)");
  const std::string code = code_of(source);
  return {std::sregex_token_iterator(code.begin(), code.end(), coarse),
          std::sregex_token_iterator()};
}

int line_of_double(const std::string& ptx, const std::string& file) {
  static const std::regex named(R"re(\.file\s+(\d+)\s+"(?:[^"]*/)?([^"/]+)")re");
  static const std::regex place(R"(\.loc\s+(\d+)\s+(\d+))");
  std::string number;  // of the file
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), named), end; at != end; ++at) {
    if ((*at)[2] == file) number = (*at)[1];
  }
  int first = 0;
  int line = 0;
  std::istringstream instructions(ptx);
  std::smatch found;
  for (std::string one; std::getline(instructions, one);) {
    if (std::regex_search(one, found, place)) line = found[1] == number ? std::stoi(found[2]) : 0;
    const bool becomes = line > 0 && one.find("cvt.f64.f32") != std::string::npos;
    if (becomes && (first == 0 || line < first)) first = line;
  }
  return first;
}

bool speaks_of_double(const std::string& source) {
  return std::regex_search(code_of(source), std::regex(R"(\bdouble[1-4]?\b)"));
}

std::string in_plain_cpp(const std::string& source) {
  // g++ wants it in front of what __shared__ stands for.
  static const std::regex aligned(
      R"(((?:extern\s+)?__shared__\s+)(alignas\s*\((?:[^()]|\([^()]*\))*\)))");
  // language.h gives kernels the linkage that these would.
  static const std::regex linkage(
      R"((?:extern\s+"C"\s+|static\s+)(?=__global__|__shared__)|(__global__|__shared__)\s+static\b)");
  // The stand-in takes the types of the arguments from the kernel's.
  static const std::regex untyped(
      R"((\bcudaLaunch(?:Cooperative)?Kernel\s*\(\s*)(?:\(\s*(?:const\s+)?void\s*\*\s*\)|reinterpret_cast\s*<\s*(?:const\s+)?void\s*\*\s*>)\s*&?)");
  const std::string shared = with_shared_arrays_in_templates(
      with_dynamic_shared_memory(with_words(source, aligned, "$2 $1")));
  const std::string typed = std::regex_replace(with_calls(shared), untyped, "$1");
  return std::regex_replace(typed, linkage, "$1");
}

}  // namespace bench::guests
