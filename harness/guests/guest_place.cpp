#include "harness/guests/guest_place.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "harness/arrays/guard.hpp"
#include "harness/measure/unseen_work.hpp"

namespace bench::guests {
namespace {

SharedArray shared(const Guest& guest, const char* role, const Buffer& buffer,
                   const ArraySpec& spec, std::vector<std::size_t> shape) {
  const std::size_t count =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (shape.empty() || count != spec.count) shape = {spec.count};
  return {
      role, guest.path_of(buffer.file()), guard::bytes, spec.count, spec.element, std::move(shape)};
}

Open problem_of(const Guest& guest, const Case& planned, const HostArrays& arrays) {
  const Problem& problem = arrays.problem();
  Open open = without_arrays(planned);
  for (const Parameter& one : problem.parameters) {
    open.parameters.push_back({one.name, one.value, one.whole});
  }
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    const auto& shape = problem.shape_of_input(i, planned.shape);
    open.arrays.push_back(shared(guest, "input", arrays.inputs()[i], problem.inputs[i], shape));
  }
  open.arrays.push_back(
      shared(guest, "output", arrays.output(), problem.output, problem.output_shape));
  for (std::size_t i = 0; i < problem.workspace.size(); ++i) {
    open.arrays.push_back(
        shared(guest, "workspace", arrays.workspace()[i], problem.workspace[i], {}));
  }
  return open;
}

}  // namespace

Open without_arrays(const Case& planned) {
  Open open;
  open.workload = planned.workload;
  open.dtype = planned.dtype;
  open.shape = planned.shape_of_problem();
  return open;
}

GuestPlace::GuestPlace(std::shared_ptr<Guest> guest, std::size_t number, const Case& planned,
                       const Settings& settings, HostArrays& arrays)
    : HostPlace(planned, settings, arrays, arrays.arrays()),
      guest_(std::move(guest)),
      number_(number),
      threads_(planned.threads.value_or(0)),
      problem_(problem_of(*guest_, planned, arrays)) {}

double GuestPlace::clock_floor() const {
  return std::max(HostPlace::clock_floor(), guest_->floor());
}

double GuestPlace::seconds(const Run& /*run*/, std::size_t calls) {
  return ran({number_, calls, threads_}).seconds;
}

Ran GuestPlace::ran(const RunCalls& calls) {
  const Ran ran = guest_->run(problem_, calls);
  if (ran.waited) waited_ = waited_.value_or(0) + *ran.waited;
  busiest_ = ran.busiest;
  return ran;
}

double GuestDevicePlace::seconds(const Run& /*run*/, std::size_t calls) {
  if (stale_ || !guest().has(problem())) prepare(false);
  fetched_ = false;
  const Ran last = ran({number(), calls, 1, scope_});
  floor_ = last.floor.value_or(0);
  return last.seconds;
}

double GuestDevicePlace::batch_seconds() const {
  if (scope_ != Scope::kernel) return GuestPlace::batch_seconds();
  constexpr double least = 500e-6;  // as for our own there
  constexpr double floors = 100;
  return std::max(least, floors * floor_);
}

std::optional<Reason> GuestDevicePlace::off_the_clock(const Run& run) {
  if (scope_ != Scope::kernel) return {};
  // The device is idle when the user kernel answers.
  // Of Python a tenth as much; on a busy node more.
  constexpr double asking = 3e-3;
  return unseen_work([&](std::size_t calls) { return seconds(run, calls); }, asking);
}

void GuestDevicePlace::poison_output() {
  GuestPlace::poison_output();
  stale_ = true;
}

void GuestDevicePlace::poison_output(const std::vector<Piece>& some) {
  GuestPlace::poison_output(some);
  stale_ = true;
}

void GuestDevicePlace::empty_caches() {
  GuestPlace::empty_caches();
  cold_ = true;
}

void GuestDevicePlace::prepare(bool sample) {
  stale_ = stale_ || !guest().has(problem());
  guest().get_ready(problem(), {number(), 1, scope_, stale_, cold_, sample});
  stale_ = cold_ = false;
}

void GuestDevicePlace::fetch(const std::vector<Piece>& /*some*/) {
  if (fetched_) return;
  guest().fetch(problem(), {number(), scope_});
  fetched_ = true;
}

}  // namespace bench::guests
