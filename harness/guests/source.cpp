#include "harness/guests/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/base/files.hpp"
#include "harness/base/printable.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/signals.hpp"
#include "harness/base/suggest.hpp"
#include "harness/base/text.hpp"
#include "harness/guests/check.hpp"
#include "harness/guests/compilation.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/diagnose.hpp"
#include "harness/guests/embedded.hpp"
#include "harness/guests/guest_place.hpp"
#include "harness/guests/host.hpp"
#include "harness/guests/layout.hpp"
#include "harness/guests/loops.hpp"
#include "harness/guests/names.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/guests/refused_calls.hpp"
#include "harness/guests/translate.hpp"
#include "harness/node/team.hpp"
#include "harness/plan/hash.hpp"
#include "harness/workload/case_name.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

std::string in_one_line(const std::string& text) {
  static const std::regex blanks("\\s+");
  return printable(std::regex_replace(text, blanks, " "));
}

/// A line without its blanks and the signs of a comment; empty where it is none.
std::string comment_in(std::string line) {
  const auto trim = [&](const char* signs) {
    line.erase(0, std::min(line.find_first_not_of(signs), line.size()));
    line.erase(line.find_last_not_of(signs) + 1);
  };
  trim(" \t\r");
  const auto begins = [&](const char* sign) { return line.starts_with(sign); };
  const bool directive =
      begins("#include") || begins("#pragma") || begins("#define") || begins("#if") || begins("#!");
  if (directive || !(begins("//") || begins("/*") || begins("#") || begins("\"\"\""))) return "";
  trim(" \t/*#!\"");
  return line;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 200;
  return text.size() > longest ? printable(text.substr(0, longest)) + "…" : text;
}

/// The first comment of a source says what is done differently there.
std::string idea_in(const std::string& source) {
  constexpr std::size_t head = 4096;  // and no program that is not a text is searched
  std::istringstream lines(source.substr(0, head));
  for (std::string line; std::getline(lines, line);) {
    const std::string text = printable(comment_in(line));
    if (!text.empty()) return shortened(text);
  }
  return "";
}

/// The workloads that a source speaks of, for one that cannot be asked.
std::set<std::string> mentioned(const std::string& source, const Suite& suite) {
  std::set<std::string> all;
  const auto holds = [&](const std::string& text) {
    return source.find(text) != std::string::npos;
  };
  for (const Workload* const workload : suite.workloads) {
    const std::string name = workload->name;
    bool function = false;
    for (const Dtype dtype : workload->dtypes) {
      // As a word of its own: `add_f32` is in `matrix_add_f32`, too.
      for (const char* const before : {" ", "*", "\n", "\t"}) {
        function = function || holds(fmt::format("{}{}_{}", before, name, name_of(dtype)));
      }
    }
    if (function || holds("variant(\"" + name + "\"") || holds("variant('" + name + "'")) {
      all.insert(name);
    }
  }
  return all;
}

/// How a file is started, and what has to live as long as its user kernel.
struct Starting {
  std::vector<std::string> command;
  std::string shown;
  std::shared_ptr<const NamelessFile> program;  ///< that it inherits
  std::string warning{};                        ///< as in SharedObject
  std::optional<ScalarLoop> scalar_loop{};      ///< as in SharedObject
};

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string::npos;
}

/// True for zip, gzip, xz, 7-Zip and RAR.
bool is_archive(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::array all{"PK\3\4"sv, "\x1f\x8b"sv, "\xfd\x37zXZ"sv, "7z\xbc\xaf"sv, "Rar!"sv};
  return std::any_of(all.begin(), all.end(), [&](auto start) { return bytes.starts_with(start); });
}

/// The name of this very program, though it may have been built again meanwhile.
constexpr const char* this_program = "/proc/self/exe";

Starting hosted(std::shared_ptr<const NamelessFile> object, std::string shown) {
  return {{this_program, host_command, inherited_path(0)}, std::move(shown), std::move(object)};
}

/// What a Python says of itself, which all of them understand.
struct Interpreter {
  std::string program;  ///< where that is a script which looks for another (pyenv has such): it
  int version = 0;      ///< 3009 is 3.9; 0: it does not say
};

const Interpreter& interpreter(const std::string& program) {
  static std::map<std::string, Interpreter> known;
  const auto [at, added] = known.try_emplace(program, Interpreter{program});
  if (added) {
    std::istringstream said(
        output_of({program, "-c",
                   "import sys; v = sys.version_info; print(v[0] * 1000 + v[1], sys.executable)"}));
    std::string real;
    if (said >> at->second.version && std::getline(said >> std::ws, real) &&
        access(real.c_str(), X_OK) == 0) {
      at->second.program = real;
    }
  }
  return at->second;
}

/// Throws Missing where the variable of another Python keeps this one from starting.
void require_start(const std::string& program, int version) {
  const char* const home = std::getenv("PYTHONHOME");
  if (version != 0 || home == nullptr) return;
  throw Missing(fmt::format("{} does not start with PYTHONHOME={}: unset it", program, home));
}

/// Throws Missing where bench.py is not for such an old one.
void require_new_enough(int version) {
  constexpr int oldest = 3009;
  if (version == 0 || version >= oldest) return;
  throw Missing(fmt::format("Python {}.{} is too old: 3.{} or newer; BENCH_PYTHON names another",
                            version / 1000, version % 1000, oldest % 1000));
}

/// What the user names, or the virtual environment of the project that a file belongs to, or the
/// shell's.
std::string python(const std::string& file) {
  const char* const named = std::getenv("BENCH_PYTHON");
  for (fs::path folder = fs::absolute(file).lexically_normal().parent_path();
       named == nullptr && folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path own = folder / ".venv" / "bin" / "python";
    if (access(own.c_str(), X_OK) == 0) return own;
  }
  std::string program = in_path(named != nullptr && *named != '\0' ? named : "python3");
  if (program.empty() && named != nullptr && access(named, X_OK) == 0) program = named;
  if (program.empty() && named != nullptr && *named != '\0') {
    throw Missing(
        fmt::format("BENCH_PYTHON names {}, which is not a program that can be started", named));
  }
  if (!program.empty()) {
    const Interpreter& one = interpreter(program);
    require_start(program, one.version);
    require_new_enough(one.version);
    // Who names one may have reasons for a script. Another would start a process, which those that
    // are graded may not.
    return named == nullptr ? one.program : program;
  }
  throw Missing("no Python found: set BENCH_PYTHON, or module load python");
}

/// `.cu`, also of FILE.CU.
std::string kind_of(const std::string& file) {
  std::string kind = fs::path(file).extension();
  for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return kind;
}

/// C too.
bool is_cpp(const std::string& kind) {
  constexpr std::array all{".c", ".cpp", ".cc", ".cxx", ".c++", ".cp"};
  return std::find(all.begin(), all.end(), kind) != all.end();
}

/// CUDA or HIP.
bool is_for_gpu(const std::string& kind) { return kind == ".cu" || kind == ".hip"; }

}  // namespace

bool ends_like_a_kernel(const std::string& file) {
  const std::string kind = kind_of(file);
  return is_cpp(kind) || is_for_gpu(kind) || kind == ".so" || kind == ".py";
}

namespace {

Starting starting(const std::string& file, const std::string& bytes, const Suite& suite) {
  const std::string kind = kind_of(file);
  if (is_cpp(kind)) {
    SharedObject object = compile(file, std::string(suite.declarations));
    Starting hosted_object = hosted(std::move(object.file), std::move(object.command));
    hosted_object.warning = std::move(object.warning);
    hosted_object.scalar_loop = std::move(object.scalar_loop);
    return hosted_object;
  }
  if (kind == ".so") {
    return hosted(std::make_shared<const NamelessFile>(bytes), "dlopen " + file);
  }
  if (kind == ".py") {
    const std::string program = python(file);
    auto module = std::make_shared<const NamelessFile>(python_module);
    return {{program, inherited_path(0), fs::absolute(file)}, program + " " + file, module};
  }
  if (is_for_gpu(kind)) {
    SharedObject object = compile_for_device(file, std::string(suite.declarations));
    return hosted(std::move(object.file), std::move(object.command));
  }
  if (access(file.c_str(), X_OK) == 0) return {{fs::absolute(file)}, file, {}};
  if (is_archive(bytes)) throw RunError(said<reasons::is_an_archive>());
  throw RunError(said<reasons::is_not_a_program>());
}

/// Whether this process may use a GPU of that vendor: a job that has asked for none often may not.
bool has_gpu(Dialect dialect) {
  std::vector<std::string> devices{"/dev/dxg"};  // under Windows
  constexpr int most = 16;
  for (int i = 0; i < most; ++i) devices.push_back(fmt::format("/dev/nvidia{}", i));
  if (dialect == Dialect::hip) devices = {"/dev/kfd"};
  return std::any_of(devices.begin(), devices.end(), [](const std::string& device) {
    return access(device.c_str(), R_OK | W_OK) == 0;
  });
}

bool taken(const GuestVariant& one, const Guests& all) {
  return std::any_of(all.variants.begin(), all.variants.end(), [&](const GuestVariant& other) {
    return other.workload == one.workload && other.backend == one.backend &&
           other.variant == one.variant;
  });
}

struct Invited : Guests {
  std::vector<GuestVariant> unplaced;  ///< of files that name no workload
};

/// The hash of the file alone where it includes nothing of its own folder.
std::string hash_with_headers(const std::string& path, const std::string& source) {
  std::string all = source;
  for (const auto& [name, text] : with_own_headers(path)) {
    if (name != fs::path(path).filename()) all += '\0' + name.string() + '\0' + text;
  }
  return hash_text(all.data(), all.size());
}

/// Such files are compiled for a GPU here; elsewhere they are checked on the CPU.
bool measures(Dialect dialect) { return has_gpu(dialect) && has_vendors_compiler(dialect); }

/// The variants that a file has, or that it would have if it could be used.
class Invitation {
 public:
  Invitation(std::string file, std::string name, const Suite& suite, const Means& means)
      : path_(std::move(file)), name_(std::move(name)), suite_(suite), means_(means) {}

  /// The compiler's part, which may be done by any thread. What it throws, into() throws.
  void compile() {
    const std::string kind = kind_of(path_);
    if (!is_there() || !is_source() || !(is_cpp(kind) || (is_for_gpu(kind) && measures(dialect()))))
      return;
    std::packaged_task<Starting()> task([this] { return starting(path_, source_, suite_); });
    compiled_ = task.get_future();
    task();
  }

  /// An interpreter reads its packages next to others. Where it cannot, into() says why.
  void begin() {
    if (is_there()) source_ = whole_file(path_);
    if (kind_of(path_) != ".py" || means_.graded) return;
    try {
      make_guest();
      guest_->launch();
    } catch (const std::runtime_error&) {
      guest_.reset();
    }
  }

  /// Empty of what is not text, or has no code.
  std::string code_hash() const {
    if (source_.find('\0') != std::string::npos) return "";
    const bool script = kind_of(path_) == ".py" || source_.starts_with("#!");
    const std::string code = without_layout(source_, script ? Comments::of_python : Comments::of_c);
    return code.empty() ? "" : hash_text(code.data(), code.size());
  }

  const std::string& name() const { return name_; }

  void into(Invited& all) {
    file_.path = path_;
    file_.hash = hash_with_headers(path_, source_);
    file_.code_hash = code_hash();
    if (!is_there()) return refuse(what_instead(), all);
    if (is_utf16(source_)) return refuse(said<reasons::is_in_utf16>(), all);
    if (is_blank(source_)) return refuse(said<reasons::file_is_empty>(), all);
    try {
      if (is_for_gpu(kind_of(path_)) && !measures(dialect())) return check(all);
      if (!guest_) make_guest();
      const std::size_t before = all.variants.size();
      accept(guest_, all);
      if (!is_for_gpu(kind_of(path_))) return;
      const Reason fault = unseen_on_gpu();
      for (std::size_t i = before; i < all.variants.size(); ++i) {
        if (all.variants[i].obstacle.empty()) all.variants[i].fault = fault;
      }
    } catch (const DoesNotCompile& error) {
      file_.command = error.command;
      refuse(explained(error.reason), all, fmt::format("; tried: {}", error.command));
    } catch (const CannotCheck& error) {
      skip(said<reasons::not_checked_without_gpu>(error.reason), all);
    } catch (const NodeIsBusy& error) {
      skip(error.reason, all);
    } catch (const Missing& error) {
      lacks(error.reason, all);
    } catch (const NotJudged& error) {
      lacks(error.reason, all);
    } catch (const Unavailable& error) {
      skip(error.reason, all);
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      if (what.find("'get_ipython'") != std::string::npos) {
        refuse(said<reasons::is_a_notebook>(), all);
      } else if (lacks_package(what)) {
        lacks(said<reasons::for_this_python>(reason_of(error), python(path_)), all);
      } else {
        refuse(reason_of(error), all);
      }
    }
  }

 private:
  void make_guest() {
    const Starting start = compiled_.valid() ? compiled_.get() : starting(path_, source_, suite_);
    command_ = start.command;
    program_ = start.program;
    file_.command = start.shown;
    if (!start.warning.empty()) file_.warning = start.warning;
    file_.scalar_loop = start.scalar_loop;
    if (is_cpp(kind_of(path_))) file_.slow_lines = slow_lines(source_);
    if (means_.graded && start.command.front() == std::string_view(this_program) &&
        openmp_is_of_llvm()) {
      throw Missing(said<reasons::llvm_is_not_graded>());
    }
    Means means = means_;
    means.compiles_late = kind_of(path_) == ".py";
    guest_ = std::make_shared<Guest>(start.command, start.program, std::move(means));
  }

  /// What is not installed for one Python may be for another.
  bool lacks_package(const std::string& why) const {
    return kind_of(path_) == ".py" && (why.find("ModuleNotFoundError: ") != std::string::npos ||
                                       why.find("ImportError: ") != std::string::npos);
  }

  CheckedOnCpu checked_on_cpu() const {
    const Texts texts = with_own_headers(path_);
    for (const auto& [name, text] : texts) {
      const std::string what = beyond_the_cpu(text);
      if (!what.empty()) throw CannotCheck(said<reasons::it_has>(what));
    }
    return check_on_cpu(path_, texts, suite_, means_);
  }

  /// A GPU may be silent where a kernel reads past an end, and where threads race.
  Reason unseen_on_gpu() const {
    try {
      const CheckedOnCpu checked = checked_on_cpu();
      return checked.in_result ? Reason() : checked.fault;
    } catch (const std::runtime_error&) {
      return {};  // nvcc has compiled it, and the GPU judges
    }
  }

  /// Checks files without a GPU: it finds faults, and measures nothing.
  void check(Invited& all) {
    const CheckedOnCpu checked = checked_on_cpu();
    file_.command = checked.command;
    if (checked.offers.empty()) return refuse(nothing_offered(), all);
    for (const Offer& offer : checked.offers) {
      GuestVariant one = variant(offer.workload);
      one.dtypes = offer.dtypes;
      one.fault = checked.fault;
      if (one.fault.empty()) {
        one.checked = said<reasons::right_on_cpu>(checked.looked_at, what_timing_takes());
        one.examine = checked.launches;
      }
      all.variants.push_back(std::move(one));
    }
  }

  Dialect dialect() const { return dialect_of(path_); }

  Reason what_timing_takes() const {
    const bool lacks_compiler = has_gpu(dialect());
    if (dialect() == Dialect::hip) {
      return lacks_compiler ? said<reasons::hipcc_module>() : said<reasons::an_amd_gpu>();
    }
    return lacks_compiler ? said<reasons::nvcc_module>() : said<reasons::a_gpu>();
  }

  void accept(const std::shared_ptr<Guest>& guest, Invited& all) {
    if (guest->offers().empty()) return refuse(nothing_offered(), all);
    const std::size_t before = all.variants.size();
    Reason last_complaint;
    const auto complain = [&](const Reason& why) {
      all.complaints.push_back(fmt::format("{}: {}", path_, why.text));
      last_complaint = why;
    };
    file_.packages = guest->packages();
    const auto builds = std::make_shared<Builds>();
    const std::vector<Offer>& offers = guest->offers();
    constexpr std::size_t most = 128;
    if (offers.size() > most) {
      return refuse(fmt::format("offers {} variants: {} at most", offers.size(), most), all);
    }
    for (std::size_t number = 0; number < offers.size(); ++number) {
      const Offer& offer = offers[number];
      if (workload_named(suite_.workloads, offer.workload) == nullptr) {
        std::vector<std::string> names;
        for (const Workload* const one : suite_.workloads) names.emplace_back(one->name);
        complain(fmt::format("no workload is called '{}'{}; 'bench list' shows all",
                             printable(offer.workload), did_you_mean(offer.workload, names)));
        continue;
      }
      GuestVariant one = variant(offer.workload);
      if (offer.backend) one.backend = as_name(*offer.backend);
      if (offer.name) one.variant = as_name(*offer.name);
      if (offer.idea && !offer.idea->empty()) one.idea = shortened(*offer.idea);
      one.dtypes = offer.dtypes;
      one.alone = offer.alone && !means_.graded;  // it may well use more
      one.device = offer.device;
      // A user's file could return what is probable.
      one.own_numbers = offer.own_numbers && means_.peers;
      one.most_elements = offer.most_elements;
      one.obstacle = offer.obstacle.value_or(Reason());
      one.obstacle.text = shortened(one.obstacle.text);
      if (!one.obstacle.empty() && means_.graded) {
        one.obstacle = said<reasons::says_of_itself>(one.obstacle);
      }
      if (one.obstacle.empty() && offer.device && means_.graded) {
        // Bringing the result from the device is not timed, and would be when it is computed.
        one.obstacle = said<reasons::own_clock_is_not_graded>();
      }
      one.place = [guest, number, device = offer.device](
                      const Case& planned, const Settings& settings,
                      HostArrays& arrays) -> std::unique_ptr<Place> {
        if (device) {
          return std::make_unique<GuestDevicePlace>(guest, number, planned, settings, arrays);
        }
        return std::make_unique<GuestPlace>(guest, number, planned, settings, arrays);
      };
      if (!offer.device) {
        one.examine = [examine = examiner({path_, is_cpp(kind_of(path_)), command_, program_, guest,
                                           number, builds},
                                          suite_, means_),
                       path = path_, graded = means_.graded](const Case& planned) {
          const bool ended = planned.reason.text.find("no answer within") != std::string::npos ||
                             planned.reason.text.find("ended with code") != std::string::npos;
          Examined found;
          if (graded && ended) found.fault = starts_a_process(path);
          return found.fault.empty() ? examine(planned) : found;
        };
      }
      one.shared_pages = pages_in(means_.arrays);
      if (taken(one, all)) one.variant = name_ + "-" + one.variant;
      if (Reason why = objection(one, all); !why.empty()) {
        complain(why);
      } else {
        all.variants.push_back(std::move(one));
      }
    }
    if (all.variants.size() > before) return;
    ++all.refused;
    all.unplaced.push_back(variant(""));
    all.unplaced.back().fault = std::move(last_complaint);
  }

  /// Why a variant cannot be distinguished from another.
  static Reason objection(const GuestVariant& one, const Guests& all) {
    const std::string rung = one.backend + "/" + one.variant;
    if (backend_named(one.backend) != nullptr) {
      return said<reasons::name_of_our_own>(rung, one.backend);
    }
    if (!taken(one, all)) return {};
    return said<reasons::name_is_taken>(rung, one.workload);
  }

  /// How a function is declared in the header of all of them; empty where none is called so.
  std::string declared(const std::string& function) const {
    const std::size_t at = suite_.declarations.find(fmt::format("void {}(", function));
    if (at == std::string_view::npos) return "";
    return std::string(suite_.declarations.substr(at, suite_.declarations.find(';', at) - at));
  }

  /// The functions that bench could call of a file, by name.
  std::vector<std::string> called() const {
    std::vector<std::string> names;
    for (const std::string& workload : mentioned(source_, suite_)) {
      for (const Dtype dtype : workload_named(suite_.workloads, workload)->dtypes) {
        names.push_back(fmt::format("{}_{}", workload, name_of(dtype)));
      }
    }
    return names;
  }

  /// Where such a function is a kernel, which only a launch may call.
  Reason kernel_called() const {
    const std::set<std::string> kernels = kernels_in(source_);
    for (const std::string& name : called()) {
      if (!kernels.contains(name)) continue;
      return said<reasons::must_launch_the_kernel>(name);
    }
    return {};
  }

  /// What a compiler says of a function that is not as bench calls it, with what it cannot know.
  Reason explained(const Reason& why) const {
    for (const std::string& name : called()) {
      if (why.text.find(name) == std::string::npos) continue;
      if (Reason kernel = kernel_called(); !kernel.empty()) return kernel;
      if (why.text.find("conflicting ") == std::string::npos) continue;
      return said<reasons::and_wanted>(why, declared(name));
    }
    return why;
  }

  bool is_there() const {
    std::error_code none;
    return fs::is_regular_file(path_, none);
  }
  bool is_source() const { return !is_utf16(source_) && !is_blank(source_); }

  /// What to name where there is no regular file.
  Reason what_instead() const {
    std::error_code why;
    const bool folder = fs::is_directory(path_, why);
    if (why) return {why.message()};
    if (!folder) return said<reasons::is_not_a_file>();
    return said<reasons::is_a_folder>((fs::path(path_) / "*.cpp").string());
  }

  /// Where a function has nearly such a name, or one with the workload in it.
  Reason called_otherwise() const {
    static const std::regex definition(R"(\bvoid\s+(\w+)\s*\()");
    std::vector<std::string> names;
    for (const Workload* const workload : suite_.workloads) {
      for (const Dtype dtype : workload->dtypes) {
        names.push_back(fmt::format("{}_{}", workload->name, name_of(dtype)));
      }
    }
    const std::sregex_iterator begin(source_.begin(), source_.end(), definition);
    for (std::sregex_iterator one = begin, end; one != end; ++one) {
      const std::string name = (*one)[1];
      const bool bare = name.find('_') == std::string::npos;
      const std::string meant = nearest(bare ? name + "_f32" : name, names);
      if (!meant.empty()) return said<reasons::exports_other_name>(name, meant);
      const auto in_it = std::find_if(names.begin(), names.end(), [&](const std::string& wanted) {
        return ("_" + name + "_").find("_" + wanted.substr(0, wanted.rfind('_')) + "_") !=
               std::string::npos;
      });
      if (in_it != names.end()) {
        return said<reasons::must_be_called>(name, *in_it);
      }
    }
    return {};
  }

  /// What is missing in a file that could be loaded.
  Reason nothing_offered() const {
    if (kind_of(path_) == ".py") {
      return said<reasons::marks_no_function>();
    }
    if (Reason kernel = kernel_called(); !kernel.empty()) return kernel;
    for (const std::string& name : called()) {
      // Other arguments make another function of it, in C++.
      const std::size_t at = source_.find("void " + name);
      const std::size_t end = source_.find(')', at);
      if (end == std::string::npos) continue;
      return said<reasons::has_other_arguments>(
          1 + std::count(source_.begin(), source_.begin() + static_cast<long>(at), '\n'),
          in_one_line(source_.substr(at, end + 1 - at)), declared(name));
    }
    if (Reason other = called_otherwise(); !other.empty()) return other;
    const std::string workload = means_.workload.empty() ? "energy" : means_.workload;
    const Dtype dtype = workload_named(suite_.workloads, workload)->dtypes.front();
    const std::string function = fmt::format("{}_{}", workload, name_of(dtype));
    return said<reasons::for_other_code>(said<reasons::exports_no_kernel>(function, workload),
                                         suite_.workloads.size());
  }

  /// Nothing can be done with the file. The user reads that at once, before others are done.
  void refuse(const Reason& why, Invited& all, const std::string& more = "") const {
    tell(why.text + more, all);
    for (GuestVariant* const one : placed(all)) one->fault = why;
  }

  /// The same, but something is missing on this node.
  void lacks(const Reason& why, Invited& all) const {
    tell(why.text, all);
    skip(why, all);
  }

  void tell(const std::string& why, Invited& all) const {
    ++all.refused;
    all.complaints.push_back(fmt::format("{}: {}", path_, why));
  }

  /// Nothing can be done with it here; elsewhere it may well be right.
  void skip(const Reason& why, Invited& all) const {
    for (GuestVariant* const one : placed(all)) one->obstacle = why;
  }

  /// A variant of each workload that the file speaks of, or one that has no place yet.
  std::vector<GuestVariant*> placed(Invited& all) const {
    std::set<std::string> workloads = mentioned(source_, suite_);
    std::vector<GuestVariant>& into = workloads.empty() ? all.unplaced : all.variants;
    if (workloads.empty()) workloads.insert("");
    const std::size_t before = into.size();
    for (const std::string& workload : workloads) into.push_back(variant(workload));
    std::vector<GuestVariant*> added;
    for (std::size_t i = before; i < into.size(); ++i) added.push_back(&into[i]);
    return added;
  }

  GuestVariant variant(const std::string& workload) const {
    GuestVariant one;
    one.workload = workload;
    one.backend = "guest";
    one.variant = name_;
    one.idea = idea_in(source_);
    if (one.idea.empty()) one.idea = path_;
    one.file = file_;
    return one;
  }

  std::string path_;
  std::string name_;
  const Suite& suite_;
  const Means& means_;
  std::string source_;
  std::future<Starting> compiled_;  ///< not valid: nobody has tried yet
  GuestFile file_;
  std::vector<std::string> command_;  ///< of the user kernel
  std::shared_ptr<const NamelessFile> program_;
  std::shared_ptr<Guest> guest_;
};

/// Compiles side by side: a class has forty files, and nvcc takes seconds for each.
void compile_all(std::vector<Invitation>& all, std::size_t processors) {
  constexpr std::size_t most = 16;  // a compiler may take 4 GB
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < all.size() && !HeldSignals::waiting(); i = next++) {
      all[i].compile();
    }
  };
  std::vector<std::jthread> others;
  const std::size_t threads = std::min({most, processors, all.size()});
  while (others.size() + 1 < threads) others.emplace_back(work);
  work();
}

/// What speaks of no workload belongs to that of all others, as in a class that has one task, to
/// the one that is wanted, or to the one that its file is named by.
void place_the_rest(Invited& all, const std::string& wanted, const Suite& suite) {
  std::set<std::string> workloads;
  if (!wanted.empty()) workloads.insert(wanted);
  for (const GuestVariant& one : all.variants) workloads.insert(one.workload);
  for (GuestVariant& one : all.unplaced) {
    const std::string stem = fs::path(one.file.path).stem();
    if (workloads.size() == 1 || workload_named(suite.workloads, stem) != nullptr) {
      one.workload = workloads.size() == 1 ? *workloads.begin() : stem;
      if (taken(one, all)) one.variant = as_name(one.file.path);
      all.variants.push_back(std::move(one));
    } else if (!one.obstacle.empty()) {
      std::string line = fmt::format("{}: {}", one.file.path, one.obstacle.text);
      auto& said = all.complaints;
      if (std::find(said.begin(), said.end(), line) == said.end()) said.push_back(std::move(line));
    }
  }
}

}  // namespace

Guests invite(const std::vector<std::string>& files, const Suite& suite, const Means& means) {
  // A file costs three descriptors.
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  Invited all;
  const std::vector<std::string> names = names_of(files);
  // A signal ends the program between two files: no compiler stays behind.
  const HeldSignals held;
  std::vector<Invitation> invitations;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (is_of_macos(files[i])) {
      ++all.refused;
    } else {
      invitations.emplace_back(files[i], names[i], suite, means).begin();
    }
  }
  compile_all(invitations, means.cpus.size());
  for (Invitation& one : invitations) {
    if (HeldSignals::waiting()) break;
    if (means.looks_at) means.looks_at(one.name());
    one.into(all);
  }
  place_the_rest(all, means.workload, suite);
  return {std::move(all.variants), std::move(all.complaints), all.refused};
}

}  // namespace bench::guests
