#include "harness/compare/differences.hpp"

#include "harness/base/reasons.hpp"

namespace bench {
namespace {

/// Facts of two runs, and which of them differ.
class Differences {
 public:
  Differences(const Context& first, const Context& second)
      : first_(first), second_(second), imported_(first.run.imported || second.run.imported) {}

  template <class Fact>
  Differences& of(const char* name, Fact fact) {
    const Json a = written(fact(first_));
    const Json b = written(fact(second_));
    const bool known = !imported_ || (has_text(a) && has_text(b));
    if (a != b && known) found_.push_back({name, shown(a), shown(b)});
    return *this;
  }
  std::vector<DifferingFact> found() const { return found_; }

 private:
  static bool has_text(const Json& value) { return !value.is_null() && value != ""; }
  static std::string shown(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  const Context& first_;
  const Context& second_;
  bool imported_;  ///< one of them: what its file does not say is not known
  std::vector<DifferingFact> found_;
};

/// Which cores those are depends on where each run happened to begin.
bool bound_alike(const Context& first, const Context& second) {
  return first.run.bound_by == Binder::bench && second.run.bound_by == Binder::bench;
}

}  // namespace

std::vector<DifferingFact> unlike_settings(const Context& first, const Context& second) {
  if (first.run.imported || second.run.imported) return {};  // their files do not say
  std::vector<DifferingFact> found =
      Differences(first, second)
          .of("seed", [](const Context& of) { return of.run.seed; })
          .of("cache", [](const Context& of) { return of.run.cache; })
          .of("threads", [](const Context& of) { return of.run.threads; })
          .of("isa", [](const Context& of) { return of.run.isa; })
          .found();
  for (const auto& [workload, hashes] : first.run.input_hash) {
    const auto others = second.run.input_hash.find(workload);
    if (others == second.run.input_hash.end()) continue;
    for (const auto& [size, hash] : hashes) {
      const auto other = others->second.find(size);
      if (other != others->second.end() && other->second != hash) {
        found.push_back({said<reasons::inputs_of>(workload + "/" + size)});
      }
    }
  }
  return found;
}

std::vector<DifferingFact> differing(const Context& first, const Context& second) {
  Differences differences(first, second);
  differences.of("node", [](const Context& of) { return of.run.node; });
  differences.of("cpu_model", [](const Context& of) { return of.machine.cpu_model; })
      .of("governor", [](const Context& of) { return of.machine.governor; })
      .of("cpuset", [](const Context& of) { return of.machine.cpuset; })
      .of("kernel", [](const Context& of) { return of.machine.kernel; })
      .of("omp", [](const Context& of) { return of.machine.omp; });
  if (!bound_alike(first, second)) {
    differences.of("cpus of the threads", [](const Context& of) { return of.run.thread_cpus; });
  }
  return differences.of("revision", [](const Context& of) { return of.build.revision; })
      .of("dirty", [](const Context& of) { return of.build.dirty; })
      .of("compiler", [](const Context& of) { return of.build.compiler; })
      .of("flags", [](const Context& of) { return of.build.flags; })
      .found();
}

}  // namespace bench
