#include "harness/measure/device_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/cuda/instrument.hpp"
#include "harness/measure/unseen_work.hpp"

namespace bench::cuda {
namespace {

/// Copies of a few bytes each, many in one launch.
class SmallCopies {
 public:
  /// False for one that the driver copies faster.
  bool take(const Move& move) {
    constexpr std::size_t most = 4096;
    if (move.bytes > most) return false;
    if (moves_.count == Moves::most) start();
    moves_.all[moves_.count++] = move;
    return true;
  }
  void start() {
    if (moves_.count > 0) launch_moves(moves_);
    moves_.count = 0;
  }

 private:
  Moves moves_;
};

}  // namespace

DeviceArrays::DeviceArrays(const PlannedGroup& group, HostArrays& host)
    : problem_(*group.problem),
      inputs_(group.problem->inputs.size()),
      output_(inputs_ + group.problem->workspace.size()),
      scratch_(sizeof(std::uint64_t)) {
  for (Buffer* const buffer : host.buffers()) {
    pairs_.push_back({DeviceBuffer(buffer->bytes()), buffer});
  }
  try {
    for (Buffer* const buffer : host.buffers()) {
      pinned_.emplace_back(*buffer);
    }
  } catch (const Error& refused) {
    pinned_.clear();
    unpinned_ = said<reasons::not_pinned>(refused.reason);
  }
  try {
    for (Pair& pair : pairs_) {
      if (unpinned_.empty()) pair.mapped = at(device_address(pair.host->data()), 0);
    }
  } catch (const Error& refused) {
    unmapped_ = refused.reason;
  }
}

Extents DeviceArrays::extents(const Problem* reference) const {
  const Problem& problem = reference != nullptr ? *reference : problem_;
  Extents extents;
  for (const ArraySpec& input : problem.inputs) extents.inputs.push_back(input.bytes());
  extents.output = problem.output.bytes();
  extents.reference = reference != nullptr;
  return extents;
}

Arrays DeviceArrays::arrays(const Extents& extents) const {
  Arrays arrays;
  for (std::size_t i = 0; i < extents.inputs.size(); ++i) {
    arrays.inputs.push_back(pairs_[i].device.data());
  }
  arrays.result = output(extents.reference).device.data();
  for (std::size_t i = inputs_; i < output_ && !extents.reference; ++i) {
    arrays.workspace.push_back(pairs_[i].device.data());
  }
  return arrays;
}

Arrays DeviceArrays::mapped(const Extents& extents) const {
  if (!unmapped_.empty()) throw Error(unmapped_);
  Arrays mapped = arrays(extents);
  for (std::size_t i = 0; i < mapped.inputs.size(); ++i) mapped.inputs[i] = pairs_[i].mapped;
  mapped.result = output(extents.reference).mapped;
  return mapped;
}

std::vector<Mirror> DeviceArrays::mirrors(const Extents& extents) const {
  std::vector<Mirror> all;
  const auto add = [&](const Pair& pair, std::size_t bytes) {
    all.push_back({pair.device.data(), pair.host->data(), bytes});
  };
  for (std::size_t i = 0; i < extents.inputs.size(); ++i) add(pairs_[i], extents.inputs[i]);
  add(output(extents.reference), extents.output);
  for (std::size_t i = inputs_; i < output_ && !extents.reference; ++i) {
    add(pairs_[i], pairs_[i].device.bytes());
  }
  return all;
}

void DeviceArrays::take_inputs() {
  for (std::size_t i = 0; i < inputs_; ++i) pairs_[i].device.upload(pairs_[i].host->data());
  taken_ = digests_of_inputs();
}

void DeviceArrays::upload_inputs(const Extents& extents, const Arrays& from) {
  for (std::size_t i = 0; i < extents.inputs.size(); ++i) {
    pairs_[i].device.upload(from.inputs[i], {0, extents.inputs[i]});
  }
}

void DeviceArrays::download_output(const Extents& extents, const Arrays& to) const {
  output(extents.reference).device.download(to.result, {0, extents.output});
}

bool DeviceArrays::repair_inputs() {
  if (digests_of_inputs() == taken_) return false;
  take_inputs();
  return true;
}

/// Computed where the inputs are: they would take longer to come back than the variants take.
std::vector<std::uint64_t> DeviceArrays::digests_of_inputs() const {
  std::vector<std::uint64_t> digests;
  for (std::size_t i = 0; i < inputs_; ++i) digests.push_back(pairs_[i].device.digest(scratch_));
  return digests;
}

std::optional<Reason> DeviceArrays::repair_guards() {
  std::optional<Reason> damage;
  std::vector<const DeviceBuffer*> all;
  for (const Pair& pair : pairs_) all.push_back(&pair.device);
  if (DeviceBuffer::all_whole(all, scratch_)) return damage;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (const auto found = pairs_[i].device.damage()) {
      damage = said<reasons::found_when>(*found, array_name(problem_, i));
      pairs_[i].device.restore_guards();
    }
  }
  return damage;
}

void DeviceArrays::upload(const std::vector<Spot>& spots) {
  SmallCopies small;
  for (const Spot& spot : spots) {
    Pair& pair = pairs_[spot.input];
    const auto& [offset, bytes] = spot.piece;
    const bool taken = pair.mapped != nullptr &&
                       small.take({at(pair.device.data(), offset), pair.mapped + offset, bytes});
    if (!taken) pair.device.upload(pair.host->data(), spot.piece);
  }
  small.start();
}

void DeviceArrays::poison_output(bool reference) {
  output(reference).device.poison();
  for (std::size_t i = inputs_; i < output_ && !reference; ++i) pairs_[i].device.poison();
}

void DeviceArrays::poison_output(bool reference, const std::vector<Piece>& some) {
  for (const Piece& one : some) output(reference).device.poison(one);
}

void DeviceArrays::poison_inputs(const Extents& extents) {
  for (std::size_t i = 0; i < extents.inputs.size(); ++i) {
    pairs_[i].device.poison({0, extents.inputs[i]});
  }
}

void DeviceArrays::download_output(bool reference, const std::vector<Piece>& some) const {
  const Pair& pair = output(reference);
  SmallCopies small;
  for (const Piece& one : some) {
    const auto& [offset, bytes] = one;
    const bool taken = pair.mapped != nullptr &&
                       small.take({pair.mapped + offset, at(pair.device.data(), offset), bytes});
    if (!taken) pair.device.download(pair.host->data(), one);
  }
  small.start();
}

KernelPlace::KernelPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
                         const Problem* reference)
    : device_(device),
      on_device_(on_device),
      host_(host),
      extents_(on_device.extents(reference)),
      arrays_(on_device.arrays(extents_)),
      on_host_(reference != nullptr ? host.reference_arrays(reference->inputs.size())
                                    : host.arrays()) {}

double KernelPlace::seconds(const Run& run, std::size_t calls) {
  const auto work = [&] {
    for (std::size_t i = 0; i < calls; ++i) run(arrays_);
  };
  return std::exchange(queued_, false) ? device_.seconds_queued(work) : device_.seconds(work);
}

bool KernelPlace::beyond_caches() const {
  double bytes = 0;
  for (const Mirror& one : on_device_.mirrors(extents_)) {
    bytes += static_cast<double>(one.bytes);
  }
  return bytes >= beyond_l2 * static_cast<double>(device_.l2_bytes());
}

double KernelPlace::batch_seconds() const {
  constexpr double negligible = 100;
  return std::max(500e-6, negligible * device_.event_floor());
}

std::optional<Reason> KernelPlace::off_the_clock(const Run& run) {
  constexpr double launching = 100e-6;
  device_.wait();
  const auto unseen = unseen_work(
      [&](std::size_t calls) {
        const double events = seconds(run, calls);
        device_.wait();
        return events;
      },
      launching);
  return unseen ? unseen : overtakes(run);
}

/// Whether it can be held as samples are, and whether the events see it then.
std::optional<Reason> KernelPlace::overtakes(const Run& run) {
  // An occasional interruption does not come each time.
  constexpr int tries = 3;
  waits_ = true;
  for (int i = 0; i < tries && waits_; ++i) {
    const BehindHold found =
        device_.behind_hold([&] { run(arrays_); }, arrays_.result, extents_.output);
    if (found.overtakes) return said<reasons::overtakes_default_stream>();
    waits_ = found.waits;
  }
  return {};
}

std::optional<double> KernelPlace::seconds_to_return(const Run& run) {
  // The median of a few; of what takes long, a single one.
  constexpr int most = 5;
  constexpr double enough = 0.1;
  std::vector<double> readings;
  const Stopwatch all;
  device_.wait();
  for (int i = 0; i < most && all.seconds() < enough; ++i) {
    const Stopwatch stopwatch;
    run(arrays_);
    readings.push_back(stopwatch.seconds());
    device_.wait();
  }
  return median(readings);
}

// A variant in a stream of its own would overtake what is not waited for.
void KernelPlace::poison_on_device() {
  on_device_.poison_output(extents_.reference);
  device_.wait();
}

void KernelPlace::poison_on_device(const std::vector<Piece>& some) {
  on_device_.poison_output(extents_.reference, some);
  device_.wait();
}

void KernelPlace::poison_output() { poison_on_device(); }

void KernelPlace::poison_output(const std::vector<Piece>& some) { poison_on_device(some); }

void KernelPlace::perturbed(const std::vector<Spot>& spots) { restored(spots); }

void KernelPlace::restored(const std::vector<Spot>& spots) {
  on_device_.upload(spots);
  device_.wait();  // before the host's change again
}

void KernelPlace::fetch(const std::vector<Piece>& some) {
  on_device_.download_output(extents_.reference, some);
  device_.wait();
}

std::optional<Reason> KernelPlace::repair_guards() {
  const auto on_host = host_.repair_guards();
  const auto on_device = on_device_.repair_guards();
  return on_device ? on_device : on_host;
}

std::optional<Reason> KernelPlace::repair_inputs() {
  if (!on_device_.repair_inputs()) return {};
  device_.wait();
  return said<reasons::wrote_into_input>();
}

double EndToEndPlace::seconds(const Run& run, std::size_t calls) {
  return seconds(run, calls, on_host_);
}

double EndToEndPlace::seconds(const Run& run, std::size_t calls, const Arrays& host) {
  device_.wait();
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < calls; ++i) {
    on_device_.upload_inputs(extents_, host);
    run(arrays_);
    on_device_.download_output(extents_, host);
  }
  device_.wait();
  return stopwatch.seconds();
}

double EndToEndPlace::clock_floor() const {
  static const double floor = bench::clock_floor();
  return floor;
}

void EndToEndPlace::poison_output() {
  host_.poison_output(on_host_, true);
  KernelPlace::poison_output();
}

void EndToEndPlace::poison_output(const std::vector<Piece>& some) {
  for (const Piece& one : some) bench::poison(on_host_, one);
  KernelPlace::poison_output(some);
}

void EndToEndPlace::empty_caches() {
  host_.evict(on_host_, true);
  device_.empty_caches();
  device_.wait();
}

double OverlappedPlace::seconds(const Run& run, std::size_t calls) {
  const Mirrored mirrored(on_device_.mirrors(extents_));
  device_.wait();
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < calls; ++i) run(arrays_);
  device_.wait();
  return stopwatch.seconds();
}

std::optional<Reason> OverlappedPlace::repair_inputs() {
  const bool on_host = host_.repair_inputs();
  const bool on_device = EndToEndPlace::repair_inputs().has_value();
  if (!on_host && !on_device) return {};
  return said<reasons::left_out_input>();
}

}  // namespace bench::cuda
