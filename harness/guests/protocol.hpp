// What is said between this program and a user kernel's process: one line of JSON each. README.md
// has it in words.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/workload/case_name.hpp"
#include "harness/workload/shape.hpp"

namespace bench::guests {

constexpr int protocol_version = 1;
/// The descriptor of the user kernel's end is in this variable.
constexpr const char* control_variable = "BENCH_GUEST";

/// One way to compute a workload.
struct Offer {
  std::string workload;
  std::optional<std::string> name;     ///< null: that of the file
  std::optional<std::string> idea;     ///< what it does differently
  std::optional<std::string> backend;  ///< null: `guest`
  std::vector<Dtype> dtypes;           ///< empty: all that the workload has
  bool alone = false;                  ///< it uses one thread, whatever the job has
  bool device = false;                 ///< it computes on a GPU: runs have a scope
  bool own_numbers = false;            ///< it draws random numbers of its own; peers only
  std::size_t most_elements = 0;       ///< too slow for more; 0: never
  std::optional<Reason> obstacle;      ///< why it cannot run here
};

void fields(auto& visit, Of<Offer> auto& one) {
  visit(FIELD(workload));
  visit.later(FIELD(name));
  visit.later(FIELD(idea));
  visit.later(FIELD(backend));
  visit.later(FIELD(dtypes));
  visit.later(FIELD(alone));
  visit.later(FIELD(device));
  visit.later(FIELD(own_numbers));
  visit.later(FIELD(most_elements));
  visit.later(FIELD(obstacle));
}

/// The user kernel's first line.
struct Hello {
  int bench = protocol_version;
  std::vector<Offer> variants;
  std::map<std::string, std::string> packages;  ///< what computes there, and its version
};

void fields(auto& visit, Of<Hello> auto& one) {
  visit(FIELD(bench));
  visit(FIELD(variants));
  visit.later(FIELD(packages));
}

/// An array in a file that both can map.
struct SharedArray {
  std::string role;  ///< input, output or workspace
  std::string file;
  std::size_t offset = 0;  ///< of its first byte
  std::size_t count = 0;
  Dtype dtype = Dtype::f32;
  std::vector<std::size_t> shape;  ///< as NumPy has it
};

void fields(auto& visit, Of<SharedArray> auto& one) {
  visit(FIELD(role));
  visit(FIELD(file));
  visit(FIELD(offset));
  visit(FIELD(count));
  visit(FIELD(dtype));
  visit(FIELD(shape));
}

/// What the reference takes in addition to arrays.
struct Value {
  std::string name;
  double value = 0;
  bool whole = false;
};

void fields(auto& visit, Of<Value> auto& one) {
  visit(FIELD(name));
  visit(FIELD(value));
  visit(FIELD(whole));
}

/// The problem of the runs that follow.
struct Open {
  std::string workload;
  Dtype dtype = Dtype::f32;
  Shape shape;
  std::vector<Value> parameters;
  std::vector<SharedArray> arrays;  ///< the inputs, the output, the workspace
};

void fields(auto& visit, Of<Open> auto& one) {
  visit(FIELD(workload));
  visit(FIELD(dtype));
  visit(FIELD(shape));
  visit(FIELD(parameters));
  visit(FIELD(arrays));
}

/// A run is about to come; what is done now is not timed.
struct Ready {
  std::size_t variant = 0;  ///< its number among those offered
  int threads = 1;
  Scope scope = Scope::kernel;
  bool upload = false;  ///< the host's arrays have changed: they change on the device
  bool cold = false;    ///< the device's cache must hold something else
  bool sample = false;  ///< the run is one: the device begins once all of it has been launched
};

void fields(auto& visit, Of<Ready> auto& one) {
  visit(FIELD(variant));
  visit(FIELD(threads));
  visit(FIELD(scope));
  visit(FIELD(upload));
  visit(FIELD(cold));
  visit.later(FIELD(sample));
}

/// Compute `calls` times, and say how long all of it took.
struct RunCalls {
  std::size_t variant = 0;
  std::size_t calls = 1;
  int threads = 1;
  Scope scope = Scope::kernel;
};

void fields(auto& visit, Of<RunCalls> auto& one) {
  visit(FIELD(variant));
  visit(FIELD(calls));
  visit(FIELD(threads));
  visit(FIELD(scope));
}

/// The result on the device comes into the host's array, if the run has not brought it, and the
/// other memory there is looked at.
struct Fetch {
  std::size_t variant = 0;
  Scope scope = Scope::kernel;
};

void fields(auto& visit, Of<Fetch> auto& one) {
  visit(FIELD(variant));
  visit(FIELD(scope));
}

/// The answer to that, by the user kernel's own monotonic clock.
struct Ran {
  double seconds = 0;
  /// How long of the same time threads stood ready but waited for a processor.
  std::optional<double> waited;
  /// What this clock shows for nothing, where it is the device's.
  std::optional<double> floor;
  /// What its busiest thread had of a processor. bench looks itself: nobody answers with it.
  std::optional<double> busiest{};
};

void fields(auto& visit, Of<Ran> auto& one) {
  visit(FIELD(seconds));
  visit.later(FIELD(waited));
  visit.later(FIELD(floor));
}

/// The answer to anything that went wrong.
constexpr const char* error_key = "error";
/// The answer where the node lacks something: the variant is skipped, and the user kernel
/// continues.
constexpr const char* unavailable_key = "unavailable";
/// What the sentences of such a line were made of, as in result files.
constexpr const char* reasons_key = "reasons";
constexpr const char* open_key = "open";
constexpr const char* ready_key = "ready";
constexpr const char* run_key = "run";
constexpr const char* fetch_key = "fetch";
constexpr const char* close_key = "close";

}  // namespace bench::guests
