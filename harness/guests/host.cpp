#include "harness/guests/host.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "harness/arrays/guard.hpp"
#include "harness/arrays/memory.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/files.hpp"
#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/host_on_device.hpp"
#include "harness/guests/protocol.hpp"
#include "harness/guests/watched.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/places.hpp"
#include "harness/node/preemption.hpp"
#include "harness/workload/suite.hpp"

namespace bench::guests {
namespace {

/// True where a shared object calls the OpenMP runtime of GCC, which is this process's own.
bool uses_openmp(const std::string& file) {
  return whole_file(file).find("GOMP_parallel") != std::string::npos;
}

/// A processor that was idle a moment ago is slow to begin with. Our own variants run where their
/// arrays have just been prepared; here that was somewhere else.
void warm_up() {
  constexpr double enough = 1e-3;
  const Stopwatch stopwatch;
  while (stopwatch.seconds() < enough) continue;
}

/// The places of the threads of bench, where it has bound them; else each processor is one.
std::vector<OmpPlace> places_here() {
  const char* const own = std::getenv(own_places_variable);
  if (own != nullptr) return places_in(own);
  std::vector<OmpPlace> all;
  for (const int cpu : cpus_of_thread()) all.push_back({cpu});
  return all;
}

/// Wakes the team: as for built-in variants, it is awake when the clock starts.
void wake_team() {
#pragma omp parallel
  {
#pragma omp barrier
  }
}

/// Where there is a place for each thread, and nobody has bound them, each has its own. The
/// scheduler may let those that wake each other share one for some milliseconds. Not before the
/// process that asked for the run has left its processor.
void place_team() {
  const std::vector<OmpPlace> places = places_here();
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const bool one_each = omp_get_proc_bind() == omp_proc_bind_false && threads == places.size();
    std::optional<On> here;
    if (one_each) here.emplace(places[static_cast<std::size_t>(omp_get_thread_num())]);
    warm_up();
#pragma omp barrier
  }
}

/// The first line of a text, as one line of a table has no room for more.
std::string first_line(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

/// The line with what a sentence in it was made of.
Json with_reasons(Json line, const Reason& sentence) {
  Explanations reasons;
  add_explanations(sentence, reasons);
  line[reasons_key] = written(reasons);
  return line;
}

Json complaint(const char* key, const Reason& what) {
  return with_reasons({{key, what.text}}, what);
}

/// Calls `f`, which may throw whatever it likes: that is told by its type.
template <class F>
void called_by_us(F f) {
  const auto type = [] {
    const char* const name = abi::__cxa_current_exception_type()->name();
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(name, nullptr, nullptr, nullptr), &std::free);
    return std::string(plain ? plain.get() : name);
  };
  try {
    f();
  } catch (const std::exception& error) {
    throw ReasonError(said<reasons::threw_type>(type(), first_line(error.what())));
  } catch (...) {
    throw ReasonError(said<reasons::threw_something>(type()));
  }
}

/// Lines from and to the process that has started this one.
class Line {
 public:
  ~Line() { here = nullptr; }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  Line() {
    const char* const number = std::getenv(control_variable);
    if (number == nullptr) throw std::runtime_error("is started by bench only");
    descriptor_ = std::atoi(number);
    from_ = fdopen(descriptor_, "r");
    if (from_ == nullptr) throw std::runtime_error("has no line to bench");
    here = this;
    on_exit([](int code, void*) { say_exit(code); }, nullptr);
  }

  /// Nothing where it has been closed.
  std::optional<Json> next() {
    char* text = nullptr;
    std::size_t room = 0;
    const ssize_t length = getline(&text, &room, from_);
    const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
    if (length <= 0) return {};
    return Json::parse(text, text + length);
  }

  void say(const Json& json) const {
    const std::string text = json.dump() + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t some = write(descriptor_, text.data() + sent, text.size() - sent);
      if (some <= 0) std::exit(EXIT_FAILURE);
      sent += static_cast<std::size_t>(some);
    }
  }

 private:
  /// While there is a line, nobody has asked this process to end.
  static void say_exit(int code) {
    const Line* const line = std::exchange(here, nullptr);
    if (line != nullptr) line->say(complaint(error_key, said<reasons::called_exit>(code)));
  }

  static inline const Line* here = nullptr;
  int descriptor_ = -1;
  FILE* from_ = nullptr;
};

/// The inputs cannot be written here. A kernel that tries learns which one it was.
struct Bytes {
  const unsigned char* begin = nullptr;
  const unsigned char* end = nullptr;
};
constexpr std::size_t most_inputs = 8;
Bytes inputs_here[most_inputs];

void explain_fault(int signal, siginfo_t* info, void* /*context*/) {
  const auto* const address = static_cast<const unsigned char*>(info->si_addr);
  for (std::size_t i = 0; i < most_inputs; ++i) {
    if (address < inputs_here[i].begin || address >= inputs_here[i].end) continue;
    char text[] = "it wrote into input 0, or far outside of an array\n";
    *std::strchr(text, '0') = static_cast<char>('0' + i);
    [[maybe_unused]] const auto told = write(STDERR_FILENO, text, sizeof text - 1);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// The bytes of each array.
std::vector<std::size_t> bytes_of(const std::vector<SharedArray>& arrays) {
  std::vector<std::size_t> bytes;
  for (const SharedArray& one : arrays) bytes.push_back(one.count * bench::bytes_of(one.dtype));
  return bytes;
}

/// A problem, its arrays, and the functions of the shared object that compute it.
struct Opened {
  std::unique_ptr<Problem> problem;
  std::vector<Memory> memory;
  Arrays arrays;
  void* kernel = nullptr;
  std::function<void(void*, const Arrays&)> call;
  std::unique_ptr<HostOnDevice> on_device;  ///< where the shared object computes on one
  std::unique_ptr<Watched> watched;         ///< where a sanitizer looks at what it does
};

class Host {
 public:
  Host(std::span<const Workload* const> registry, const std::string& file)
      : registry_(registry),
        library_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)),
        has_team_(uses_openmp(file)) {
    if (library_ == nullptr) {
      const std::string why = dlerror();  // it begins with a name that nobody knows
      throw std::runtime_error(why.starts_with(file + ": ") ? why.substr(file.size() + 2) : why);
    }
    device_ = static_cast<const BenchDevice*>(dlsym(library_, "bench_device"));
    if (device_ != nullptr) obstacle_ = obstacle_to(*device_);
  }

  Reason obstacle() const { return obstacle_.value_or(Reason()); }

  /// Its functions are called like the workload and the precision: `energy_f32`.
  Hello hello() const {
    Hello hello;
    for (const Workload* const workload : registry_) {
      Offer offer;
      offer.workload = workload->name;
      offer.device = device_ != nullptr;
      offer.obstacle = obstacle_;
      for (const Dtype dtype : workload->dtypes) {
        if (find(*workload, dtype) != nullptr) offer.dtypes.push_back(dtype);
      }
      if (!offer.dtypes.empty()) hello.variants.push_back(offer);
    }
    return hello;
  }

  bool on_device() const { return device_ != nullptr; }
  bool has_team() const { return has_team_; }

  void open(const Open& open) {
    const Workload* const workload = workload_named(registry_, open.workload);
    if (workload == nullptr) throw std::runtime_error("no workload is called " + open.workload);
    close();
    opened_.problem = workload->make(open.dtype, open.shape);
    auto& parameters = opened_.problem->parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), open.parameters.size()); ++i) {
      parameters[i].value = open.parameters[i].value;
    }
    opened_.kernel = find(*workload, open.dtype);
    opened_.call = opened_.problem->rungs(simd::Isa::baseline).front().call;
    if (device_ != nullptr && open.arrays.empty()) return call_once();
    for (const SharedArray& array : open.arrays) map(array);
    if (device_ == nullptr) {
      if (!is_watched()) return;
      opened_.watched =
          std::make_unique<Watched>(opened_.arrays, bytes_of(open.arrays), guard::bytes);
      return;
    }
    opened_.on_device =
        std::make_unique<HostOnDevice>(*device_, opened_.arrays, bytes_of(open.arrays));
  }

  void fetch(const Fetch& wanted) const {
    if (opened_.on_device) opened_.on_device->fetch(wanted);
  }

  void get_ready(const Ready& request) {
    if (opened_.on_device) return opened_.on_device->get_ready(request);
    omp_set_num_threads(request.threads);
    warm_up();
    if (has_team_) place_team();
    waits_.emplace();
  }

  Ran run(const RunCalls& request) const {
    if (opened_.kernel == nullptr) throw std::runtime_error("nothing is open");
    if (opened_.on_device) {
      return opened_.on_device->run(
          request, [&](const Arrays& arrays) { opened_.call(opened_.kernel, arrays); });
    }
    omp_set_num_threads(request.threads);
    const auto waited = [&] { return waits_ ? waits_->seconds() : std::nullopt; };
    const std::optional<double> before = waited();
    if (has_team_) wake_team();
    const Stopwatch stopwatch;
    called_by_us([&] {
      for (std::size_t i = 0; i < request.calls; ++i) opened_.call(opened_.kernel, opened_.arrays);
    });
    const double seconds = stopwatch.seconds();
    const std::optional<double> after = waited();
    return {seconds, before && after ? std::optional(*after - *before) : std::nullopt, {}};
  }

  void close() {
    for (Bytes& range : inputs_here) range = {};
    opened_.on_device.reset();  // before the arrays that it has pinned are unmapped
    opened_ = {};
  }

 private:
  /// Calls it with arrays on the device that nobody has filled, where nothing is executed.
  void call_once() {
    std::vector<void*> all;
    const auto allocated = [&](const ArraySpec& spec) {
      device_->allocate(&all.emplace_back(), spec.bytes());
      return all.back();
    };
    Arrays there;
    for (const ArraySpec& spec : opened_.problem->inputs) there.inputs.push_back(allocated(spec));
    there.result = allocated(opened_.problem->output);
    for (const ArraySpec& spec : opened_.problem->workspace) {
      there.workspace.push_back(allocated(spec));
    }
    called_by_us([&] { opened_.call(opened_.kernel, there); });
    for (void* const one : all) device_->release(one);
    close();
  }

  void* find(const Workload& workload, Dtype dtype) const {
    return dlsym(library_, fmt::format("{}_{}", workload.name, name_of(dtype)).c_str());
  }

  void map(const SharedArray& array) {
    const bool input = array.role == "input";
    // The driver pins only what may be written.
    const bool write = !input || device_ != nullptr;
    const std::size_t bytes = array.count * bytes_of(array.dtype);
    // A write just past the end must be seen, and must not crash.
    Memory memory =
        mapped_pages(array.file, bytes + 2 * array.offset, write ? Access::write : Access::read);
    auto* const begin = static_cast<unsigned char*>(memory.pages.get()) + array.offset;
    Arrays& arrays = opened_.arrays;
    if (input) {
      const std::size_t number = arrays.inputs.size();
      if (number < most_inputs) {
        inputs_here[number] = {begin, begin + bytes};
      }
      arrays.inputs.push_back(begin);
    } else if (array.role == "output") {
      arrays.result = begin;
    } else {
      arrays.workspace.push_back(begin);
    }
    opened_.memory.push_back(std::move(memory));
  }

  std::span<const Workload* const> registry_;
  void* library_;
  const BenchDevice* device_ = nullptr;  ///< where the shared object has kernels for one
  std::optional<Reason> obstacle_;       ///< why that cannot be used
  bool has_team_;  ///< else threads that were woken would spin next to the one that works
  Opened opened_;
  std::optional<ProcessorWaits> waits_;  ///< of the threads that have got ready
};

Json answer_of(Host& host, const Json& message) {
  if (message.contains(run_key)) {
    return written(host.run(read_as<RunCalls>(message[run_key])));
  }
  if (message.contains(open_key)) {
    host.open(read_as<Open>(message[open_key]));
  } else if (message.contains(ready_key)) {
    host.get_ready(read_as<Ready>(message[ready_key]));
  } else if (message.contains(fetch_key)) {
    host.fetch(read_as<Fetch>(message[fetch_key]));
  } else if (message.contains(close_key)) {
    host.close();
  }
  return Json::object();
}

Json answer(Host& host, const Json& message) {
  try {
    return answer_of(host, message);
  } catch (const Unavailable& missing) {
    host.close();
    return complaint(unavailable_key, missing.reason);
  }
}

void catch_faults() {
  struct sigaction action {};
  action.sa_sigaction = explain_fault;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);  // the latter is unsigned
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

}  // namespace

int host(std::span<const Workload* const> registry, const std::string& file) {
  try {
    Line line;
    try {
      Host loaded(registry, file);
      // The OpenMP runtime of this program may have bound it: whatever else starts threads would
      // have all of them on that processor.
      if (!loaded.has_team()) unbind_thread();
      // Sanitizers have handlers of their own.
      if (!loaded.on_device()) is_watched() ? keep_stderr() : catch_faults();
      line.say(with_reasons(written(loaded.hello()), loaded.obstacle()));
      while (const auto message = line.next()) line.say(answer(loaded, *message));
    } catch (const std::exception& error) {
      line.say(complaint(error_key, reason_of(error)));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s %s\n", host_command, error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace bench::guests
