#include "harness/plan/npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/printable.hpp"

namespace bench {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 65'536;  // NumPy itself reads no more than 10 000
constexpr const char* wanted_dtype = "wanted float16, float32, float64 or int16";

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

/// Bytes of a file for a message.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  return printable(text.substr(0, longest)) + (text.size() > longest ? "…" : "");
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

/// The dictionary of a header: the few Python literals that NumPy writes there.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  struct Entries {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::size_t> shape;
  };

  Entries parse() {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::size_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !descr) {
        descr = description();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        refuse(fmt::format("damaged header: the key '{}' is unknown or twice there", shown(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty()) damaged("after the dictionary");
    if (!descr || !fortran_order || !shape) {
      refuse("damaged header: one of descr, fortran_order and shape is missing");
    }
    return {*descr, *fortran_order, *shape};
  }

 private:
  [[noreturn]] void damaged(const char* where) const {
    refuse(fmt::format("damaged header {}, at '{}'", where, shown(text_)));
  }

  /// What Python takes for blanks between the parts of a literal.
  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \n\r\t\f"), text_.size()));
  }

  bool accept(char wanted) {
    skip_blanks();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool accept(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) damaged("in the dictionary");
  }

  std::string quoted() {
    accept('u');  // as Python 2 wrote them
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) damaged("in a text");
    std::string value(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return value;
  }

  std::string description() {
    skip_blanks();
    if (text_.starts_with('[') || text_.starts_with('(')) {
      refuse(fmt::format("holds records with fields; {} (one field: array['name'])", wanted_dtype));
    }
    return quoted();
  }

  bool boolean() {
    if (accept("True")) return true;
    if (accept("False")) return false;
    damaged("in fortran_order");
  }

  std::vector<std::size_t> tuple() {
    constexpr std::size_t most = 32;  // dimensions of any NumPy array
    std::vector<std::size_t> numbers;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      if (text_.size() > 1 && text_[0] == '0' && std::isdigit(text_[1]) != 0) {
        damaged("in the shape");  // no number of Python's
      }
      std::uint64_t number = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
      if (error == std::errc::result_out_of_range || number > longest_dimension) {
        refuse("damaged header: a dimension is too large");
      }
      if (error != std::errc() || numbers.size() == most) damaged("in the shape");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      accept('L');  // as Python 2 wrote them
      numbers.push_back(number);
      if (!accept(',')) {
        // Without a comma it would be a number in parentheses.
        if (numbers.size() == 1) damaged("in the shape");
        expect(')');
        break;
      }
    }
    return numbers;
  }

  static constexpr std::uint64_t longest_dimension = std::uint64_t{1} << 48U;

  std::string_view text_;
};

/// The names that NumPy has for a type that can be read here, without a sign for the order of
/// bytes.
std::optional<Dtype> dtype_named(std::string_view name) {
  static const std::map<std::string_view, Dtype> names{
      {"f4", Dtype::f32},    {"f", Dtype::f32},  {"float32", Dtype::f32}, {"single", Dtype::f32},
      {"f8", Dtype::f64},    {"d", Dtype::f64},  {"float64", Dtype::f64}, {"double", Dtype::f64},
      {"float", Dtype::f64}, {"i2", Dtype::i16}, {"h", Dtype::i16},       {"int16", Dtype::i16},
      {"short", Dtype::i16}, {"f2", Dtype::f16}, {"e", Dtype::f16},       {"float16", Dtype::f16},
      {"half", Dtype::f16}};
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::string dtype_words(std::string_view descr) {
  const bool ordered = descr.find_first_of("<>=|") == 0;
  const std::string_view name = descr.substr(ordered ? 1 : 0);
  const auto is = [&](std::string_view kind) { return name.starts_with(kind); };
  if (name.empty()) return "an unknown type";
  if (descr.front() == '>' && dtype_named(name)) return "big-endian numbers";
  if (is("O")) return "Python objects, which cannot be read safely";
  if (is("f") || name == "g") return "floats of another size";
  if (is("i") || is("u")) return "integers";
  if (is("c")) return "complex numbers";
  if (is("b") || name == "?") return "truth values";
  return "another type";
}

/// Native order is little-endian on every machine that this is built for.
Dtype dtype_of(std::string_view descr) {
  const bool ordered = descr.starts_with('<') || descr.starts_with('=');
  if (const auto known = dtype_named(descr.substr(ordered ? 1 : 0))) return *known;
  refuse(fmt::format("holds {} ('{}'); {} (in NumPy: array.astype(np.float32))", dtype_words(descr),
                     shown(descr), wanted_dtype));
}

std::string_view header_text(std::string_view begin, std::uint64_t file_bytes,
                             std::size_t& data_begin) {
  if (file_bytes == 0) refuse("is empty; wanted an array saved with np.save");
  if (!begin.starts_with(magic)) {
    if (begin.starts_with("version https://git-lfs")) {
      refuse("is a Git LFS pointer, without the data: git lfs pull fetches them");
    }
    const bool archive = begin.starts_with("PK");
    refuse(fmt::format("is not an .npy file{}; wanted an array saved with np.save",
                       archive ? " but an archive (.npz?)" : ""));
  }
  constexpr std::size_t version_at = magic.size();
  if (begin.size() < version_at + 4) refuse("is cut off in its header");
  const auto major = static_cast<unsigned char>(begin[version_at]);
  const auto minor = static_cast<unsigned char>(begin[version_at + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(fmt::format("has version {}.{} of the format; wanted 1.0, 2.0 or 3.0", major, minor));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t text_at = version_at + 2 + length_bytes;
  if (begin.size() < text_at) refuse("is cut off in its header");
  const std::size_t length = little_endian(begin.substr(version_at + 2, length_bytes));
  if (length > longest_header)
    refuse(fmt::format("has a header of {} bytes, which no array needs", length));
  if (begin.size() < text_at + length) refuse("is cut off in its header");
  data_begin = text_at + length;
  return begin.substr(text_at, length);
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("{}", fmt::join(shape, "x"));
}

std::size_t NpyHeader::elements() const {
  std::size_t product = 1;
  for (const std::size_t n : shape) product *= n;
  return product;
}

NpyHeader parse_npy_header(std::string_view begin, std::uint64_t file_bytes) {
  NpyHeader header;
  const auto text = header_text(begin, file_bytes, header.data_begin);
  const HeaderParser::Entries entries = HeaderParser(text).parse();
  header.dtype = dtype_of(entries.descr);
  header.shape = entries.shape;
  if (header.shape.empty() || header.shape.size() > 2) {
    refuse(fmt::format("has {} dimensions{}; wanted 1 or 2", header.shape.size(),
                       header.shape.empty() ? "" : fmt::format(" ({})", shape_text(header.shape))));
  }
  const bool thin =
      std::any_of(header.shape.begin(), header.shape.end(), [](std::size_t n) { return n <= 1; });
  if (entries.fortran_order && header.shape.size() == 2 && !thin) {
    refuse("is in Fortran order; wanted C order (in NumPy: np.ascontiguousarray(array))");
  }
  std::size_t elements = 1;
  for (const std::size_t n : header.shape) {
    if (n > 0 && elements > std::numeric_limits<std::size_t>::max() / 16 / n) {
      refuse(fmt::format("promises {} elements, more than there can be", shape_text(header.shape)));
    }
    elements *= n;
  }
  const std::size_t needed = elements * bytes_of(header.dtype);
  const std::uint64_t present = file_bytes - std::min<std::uint64_t>(file_bytes, header.data_begin);
  if (present < needed) {
    refuse(fmt::format("is cut off: its header promises {} bytes of data, {} are there", needed,
                       present));
  }
  return header;
}

NpyFile::NpyFile(std::filesystem::path path) : path_(std::move(path)) {
  const auto give_up = [this](const std::string& why) {
    if (file_ >= 0) close(file_);
    throw std::invalid_argument(fmt::format("{}: {}", path_.string(), why));
  };
  // Without waiting: nobody may ever write into a pipe of that name.
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) give_up(fmt::format("cannot be read: {}", std::strerror(errno)));
  struct stat facts {};
  if (fstat(file_, &facts) != 0) give_up(std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) give_up("is not a file; wanted an array saved with np.save");
  const auto bytes = static_cast<std::uint64_t>(facts.st_size);
  std::string begin(std::min<std::uint64_t>(bytes, longest_header + 12), '\0');
  const ssize_t got = pread(file_, begin.data(), begin.size(), 0);
  if (got < 0) give_up(std::strerror(errno));
  begin.resize(static_cast<std::size_t>(got));
  try {
    header_ = parse_npy_header(begin, bytes);
  } catch (const std::invalid_argument& error) {
    give_up(error.what());
  }
}

NpyFile::~NpyFile() { close(file_); }

void NpyFile::copy_to(void* destination, std::size_t begin, std::size_t bytes) const {
  auto* to = static_cast<char*>(destination);
  std::size_t at = header_.data_begin + begin;
  while (bytes > 0) {
    const ssize_t got = pread(file_, to, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw std::runtime_error(
          fmt::format("{}: {}", path_.string(),
                      got == 0 ? "has become shorter since it was opened" : std::strerror(errno)));
    }
    to += got;
    at += static_cast<std::size_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

void write_npy(const std::filesystem::path& path, Dtype element,
               const std::vector<std::size_t>& shape, const void* data) {
  const std::size_t width = bytes_of(element);
  const char kind = !is_whole(element) ? 'f' : element == Dtype::u32 ? 'u' : 'i';
  std::size_t elements = 1;
  for (const std::size_t n : shape) elements *= n;
  std::string header =
      fmt::format("{{'descr': '<{}{}', 'fortran_order': False, 'shape': ({}{}), }}", kind, width,
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t before = magic.size() + 4;
  constexpr std::size_t unit = 64;  // the data begin at a multiple of it
  header.append(unit - (before + header.size() + 1) % unit, ' ');
  header += '\n';
  std::string begin(magic);
  begin +=
      {'\1', '\0', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  begin += header;

  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
    throw std::runtime_error(
        fmt::format("cannot write {}: it exists and is not a regular file", path.string()));
  }
  replace_file(path, {begin, {static_cast<const char*>(data), elements * width}});
}

}  // namespace bench
