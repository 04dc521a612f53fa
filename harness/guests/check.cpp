#include "harness/guests/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include "harness/arrays/memory.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/compilation.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/cpu_runtime.hpp"
#include "harness/guests/guest_place.hpp"
#include "harness/guests/host.hpp"
#include "harness/guests/launches.hpp"
#include "harness/guests/sanitized.hpp"
#include "harness/guests/translate.hpp"
#include "harness/measure/trial.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

/// How the kernels are executed.
struct CheckRun {
  Sanitizer sanitizer = Sanitizer::address;
  const char* shuffle = nullptr;  ///< the seed of the order of threads; null: by their index
  bool is_long = false;           ///< with many elements
  bool zeros = false;             ///< all memory is zero at first
};
constexpr CheckRun check_runs[] = {{Sanitizer::address, nullptr},
                                   {Sanitizer::address, "1"},
                                   {Sanitizer::address, "2"},
                                   {Sanitizer::thread, nullptr},
                                   {Sanitizer::address, nullptr, true}};
constexpr unsigned long_work = 10;    // seconds of processor time
constexpr double long_patience = 60;  // seconds: others may have the processors

Means means_for(const CheckRun& run, const Reports& reports, const Means& means) {
  Means own = reports.means_for(run.sanitizer, means);
  if (run.is_long) {
    own.patience = long_patience;
    own.processor_seconds = long_work;
  }
  if (run.zeros) own.variables.emplace_back("BENCH_ZEROS", "1");
  if (run.shuffle != nullptr) own.variables.emplace_back("BENCH_SHUFFLE", run.shuffle);
  return own;
}

/// What bench's own CUDA lacks, as g++ or the loader has named it: quoted, or a header. Empty where
/// no name is said.
std::string name_in(const std::string& complaint) {
  static const std::regex all[] = {
      std::regex(R"(([\w./]+): No such file)"),
      std::regex(R"(undefined symbol: (\w+))"),
      std::regex("‘(?:struct |const |class )*((?:cuda|hip)\\w+)’ has no member named"),
      std::regex("has no member named ‘(\\w+)’"),
      std::regex("no matching function for call to ‘(\\w+)"),
      std::regex("‘(?:\\w+ )?([\\w:]+)’ (?:was not|does not name|has not been|is not a member)")};
  std::smatch found;
  for (const std::regex& one : all) {
    if (std::regex_search(complaint, found, one)) return found[1];
  }
  return "";
}

/// A name that is CUDA's and nobody's else, as far as that can be seen.
bool is_cudas(const std::string& name) {
  static const std::regex cudas(
      R"(cuda\w*|cu[A-Z]\w*|__\w+|atomic[A-Z]\w*|tex[123]D\w*|surf[123]D\w*|(?:make_)?u?(?:char|short|int|long|longlong|float|double)[1-4]|half2?|nv_\w+|(?:rsqrt|rcbrt|rhypot|r?norm[34]d|normcdf(?:inv)?|erfc?inv|erfcx|(?:sin|cos|sincos)pi|exp10|fdivide|cyl_bessel_i[01])f?|\w*(?:cuda|cu|nv|sm_)\w*/?[\w.]*\.h(?:pp)?)");
  return std::regex_match(name, cudas);
}

/// The same of HIP.
bool is_hips(const std::string& name) {
  static const std::regex hips(R"(hip[A-Z]\w*|HIP_\w+|\w*hip\w*/?[\w.]*\.h(?:pp)?)");
  return std::regex_match(name, hips) || is_cudas(name);
}

/// What is wrong; an empty text: nothing.
struct Fault {
  Reason text;
  bool result_only = false;  ///< the result is wrong, nobody has seen why
};

class Check {
 public:
  Check(std::string file, const Texts& texts, const Suite& suite, const Means& means)
      : file_(std::move(file)),
        texts_(texts),
        suite_(suite),
        means_(means),
        files_(names_of_files(file_, texts)),
        // Meanwhile the first runs need the other's; what fails is tried again.
        prepared_(std::async(std::launch::async, [dialect = dialect_of(file_)] {
          CpuRuntime::of(Sanitizer::thread, dialect);
        })) {}

  CheckedOnCpu all() {
    CheckedOnCpu checked;
    int orders = 0;
    SeenByNvcc seen_by_nvcc;
    Fault fault;
    CheckRun seen_in;
    std::vector<std::string> eyes;
    bool too_long = false;
    for (const CheckRun& run : check_runs) {
      // What is wrong in one order of threads may be a race.
      if (fault.result_only && run.sanitizer == Sanitizer::address) continue;
      if (library_of(run.sanitizer).empty()) continue;
      const SharedObject object = compiled(run.sanitizer);
      if (checked.command.empty()) {
        checked.command = object.command;
        seen_by_nvcc = guests::seen_by_nvcc(file_, declarations());
      }
      const char* const eye =
          run.sanitizer == Sanitizer::address ? "AddressSanitizer" : "ThreadSanitizer";
      if (std::find(eyes.begin(), eyes.end(), eye) == eyes.end()) eyes.emplace_back(eye);
      orders += run.sanitizer == Sanitizer::address && !run.is_long ? 1 : 0;
      const Reports reports;
      const auto guest = guest_in(run, reports);
      try {
        checked.offers = guest->offers();
      } catch (const RunError& error) {
        // It may not have the addresses that it needs, as in some containers.
        if (run.sanitizer == Sanitizer::address) {
          throw_what_is_lacking(error);
          throw;
        }
        eyes.pop_back();
        continue;
      }
      Fault found;
      try {
        found = fault_of(guest, run, reports);
      } catch (const NoAnswer&) {
        too_long = true;
      }
      if (run.sanitizer == Sanitizer::thread) apart_ = reports.apart(files_);
      if (!found.text.empty() && (fault.text.empty() || !found.result_only)) {
        fault = found;
        seen_in = run;
      }
      if (!fault.text.empty() && !fault.result_only) break;
    }
    if (fault.result_only && right_on_zeros(seen_in)) {
      fault.text = said<reasons::with_hint>(fault.text, said<reasons::right_on_zeros>());
    }
    checked.fault = fault.text;
    checked.in_result = fault.result_only;
    if (for_address_) checked.launches = examiner_of_launches(*for_address_, means_);
    if (eyes.empty()) throw CannotCheck(said<reasons::no_address_sanitizer>());
    std::set<std::string> coarse;
    for (const auto& [name, text] : texts_) coarse.merge(coarse_functions(text));
    checked.looked_at = said<reasons::orders_of_threads>(orders, looked_by(eyes),
                                                         nvcc_says(seen_by_nvcc, too_long));
    if (!executed_.empty()) {
      checked.looked_at = said<reasons::largest_sizes>(
          checked.looked_at, fmt::format("{}", fmt::join(executed_, ", ")));
    }
    if (const auto& [times, line] = apart_; !line.empty()) {
      checked.looked_at = said<reasons::threads_far_apart>(checked.looked_at, line, times);
    }
    if (seen_by_nvcc.line_of_double > 0 &&
        std::none_of(texts_.begin(), texts_.end(),
                     [](const auto& one) { return speaks_of_double(one.second); })) {
      checked.looked_at =
          said<reasons::computes_in_double>(checked.looked_at, seen_by_nvcc.line_of_double);
    }
    if (!coarse.empty()) {
      checked.looked_at = said<reasons::error_seen_on_gpu>(
          checked.looked_at, fmt::format("{}", fmt::join(coarse, " and ")));
    }
    return checked;
  }

 private:
  Reason looked_by(const std::vector<std::string>& eyes) const {
    const Reason all =
        eyes.size() > 1 ? said<reasons::both>(eyes.front(), eyes.back()) : Reason(eyes.front());
    const std::string word = misleading(texts_);
    return word.empty() ? all : said<reasons::may_mislead>(all, word);
  }

  Reason nvcc_says(const SeenByNvcc& nvcc, bool too_long) const {
    Reason seen = is_hip()                ? hipcc_says(nvcc)
                  : nvcc                  ? said<reasons::nvcc_compiles>()
                  : nvcc.obstacle.empty() ? said<reasons::not_seen_by_nvcc>()
                                          : said<reasons::refused_by_nvcc>(nvcc.obstacle);
    if (!too_long) return seen;
    return said<reasons::takes_long>(seen, long_work);
  }

  static Reason hipcc_says(const SeenByNvcc& hipcc) {
    return hipcc ? said<reasons::hipcc_compiles>() : said<reasons::not_seen_by_hipcc>();
  }

  bool is_hip() const { return dialect_of(file_) == Dialect::hip; }

  std::shared_ptr<Guest> guest_in(const CheckRun& run, const Reports& reports) {
    return std::make_shared<Guest>(
        std::vector<std::string>{"/proc/self/exe", host_command, inherited_path(0)},
        compiled(run.sanitizer).file, means_for(run, reports, means_));
  }

  bool right_on_zeros(CheckRun run) {
    run.zeros = true;
    const Reports reports;
    const auto guest = guest_in(run, reports);
    try {
      guest->launch();
      return fault_of(guest, run, reports).text.empty();
    } catch (const RunError&) {
      return false;
    }
  }

  SharedObject compiled(Sanitizer sanitizer) {
    std::optional<SharedObject>& object =
        sanitizer == Sanitizer::address ? for_address_ : for_thread_;
    try {
      if (!object) object = compile_for_cpu(file_, texts_, declarations(), sanitizer);
    } catch (const DoesNotCompile& error) {
      throw_what_is_lacking(error);
      throw;
    }
    return *object;
  }

  /// What nvcc compiles is CUDA, even where bench's own does not have it. Without nvcc the name of
  /// what is unknown says so.
  void throw_what_is_lacking(const RunError& error) const {
    const std::string name = name_in(error.what());
    const bool known = is_hip() ? is_hips(name) : is_cudas(name);
    try {
      if (!guests::seen_by_nvcc(file_, declarations()) && !known) return;
    } catch (const DoesNotCompile&) {
      return;
    }
    guests::seen_by_nvcc(file_, declarations(), Half::both);  // or what it says is thrown
    throw CannotCheck(name.empty() ? said<reasons::only_nvcc_compiles>(error.reason)
                                   : said<reasons::it_uses>(name));
  }

  std::string declarations() const { return std::string(suite_.declarations); }

  /// The trials that are asked for among the long ones, where they are small enough.
  std::vector<Trial> trials_of(const CheckRun& run, const Workload& workload, Dtype dtype) const {
    if (!run.is_long) return trials(workload, dtype, means_.bins);
    std::vector<Trial> all = long_trials(workload, dtype);
    const Examine launches = examiner_of_launches(*for_address_, means_);
    const std::vector<std::size_t> own{0};
    for (const std::string& size : means_.sizes) {
      for (const std::size_t bins : means_.bins.empty() ? own : means_.bins) {
        const Shape shape = parse_size(workload, size, bins);
        if (shape.elements() > most_tried(workload)) continue;
        Case one;
        one.workload = workload.name;
        one.dtype = dtype;
        // A launch that is refused with this size is not a fault with others.
        if (launches(of_shape(one, workload, shape)).fault.empty()) {
          all.push_back(trial_of(workload, dtype, shape));
        }
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Trial& a, const Trial& b) {
      return a.shape.elements() < b.shape.elements();
    });
    return all;
  }

  void note(const std::string& size) {
    if (std::find(executed_.begin(), executed_.end(), size) == executed_.end()) {
      executed_.push_back(size);
    }
  }

  Fault fault_of(const std::shared_ptr<Guest>& guest, const CheckRun& run, const Reports& reports) {
    for (std::size_t number = 0; number < guest->offers().size(); ++number) {
      const Offer offer = guest->offers()[number];
      const Workload& workload = *workload_named(suite_.workloads, offer.workload);
      for (const Dtype dtype : offer.dtypes) {
        for (Trial& trial : trials_of(run, workload, dtype)) {
          trial.zeroed = run.zeros;
          Fault fault = fault_of(guest, number, workload, dtype, trial, run, reports);
          if (!fault.text.empty()) return fault;
          if (run.is_long) note(label(workload.form, trial.shape));
        }
      }
    }
    return {};
  }

  Fault fault_of(const std::shared_ptr<Guest>& guest, std::size_t number, const Workload& workload,
                 Dtype dtype, const Trial& trial, const CheckRun& run,
                 const Reports& reports) const {
    const MakePlace on_device = [&](const Case& planned, const Settings& settings,
                                    HostArrays& arrays) {
      return std::make_unique<GuestDevicePlace>(guest, number, planned, settings, arrays);
    };
    Case planned;
    planned.workload = workload.name;
    planned.dtype = dtype;
    planned.guest = file_;
    reports.forget_arrays();
    try {
      // The arrays on the device, then each call with its transfers.
      for (const Scope scope : {Scope::kernel, Scope::end_to_end}) {
        planned.scope = scope;
        const Verdict verdict = judged(trial, planned, on_device, {}, pages_in(means_.arrays));
        if (!verdict.passed) return {hinted(verdict, *trial.group.problem), true};
        if (run.zeros) break;  // later the output holds what was written first
      }
    } catch (const RunError& error) {
      if (run.is_long && dynamic_cast<const NoAnswer*>(&error) != nullptr) throw;
      const std::string name = fmt::format("{}_{}", workload.name, name_of(dtype));
      const Reason found = reports.finding(*trial.group.problem,
                                           arrays_of(suite_.declarations, name), files_, texts_);
      if (!found.empty()) return {found};
      const std::string line = last_line(reports.said());
      const std::string said = is_hip() ? in_words_of_hip(line) : line;
      if (said.empty()) return {error.reason};
      // What the stand-in has said of a kernel is the reason itself.
      if (error.what() == std::string_view("unspecified launch failure")) return {said};
      return {bench::said<reasons::found_when>(error.reason, said)};
    }
    return {};
  }

  static Reason hinted(const Verdict& verdict, const Problem& problem) {
    if (verdict.unwritten != Unwritten::some) return verdict.reason;
    const auto& [count, bytes, type] = problem.output;
    const std::size_t written = count - verdict.left_out;
    const bool part = written == count / bytes || written == (count + bytes - 1) / bytes;
    return said<reasons::with_hint>(verdict.reason, part ? said<reasons::bytes_for_elements>()
                                                         : said<reasons::is_grid_rounded_up>());
  }

  std::string file_;
  const Texts& texts_;
  const Suite& suite_;
  const Means& means_;
  std::vector<std::string> files_;     ///< as names_of_files()
  std::vector<std::string> executed_;  ///< the longest of its sizes
  std::pair<int, std::string> apart_;  ///< as Reports::apart()
  std::future<void> prepared_;
  std::optional<SharedObject> for_address_;
  std::optional<SharedObject> for_thread_;
};

}  // namespace

CheckedOnCpu check_on_cpu(const std::string& file, const Texts& texts, const Suite& suite,
                          const Means& means) {
  return Check(file, texts, suite, means).all();
}

}  // namespace bench::guests
