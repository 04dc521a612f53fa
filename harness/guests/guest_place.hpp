// Where a user kernel's case runs: in its process, on arrays that it shares with this one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/guests/guest.hpp"
#include "harness/measure/host_place.hpp"

namespace bench::guests {

/// The problem of a case, for which nobody has arrays yet.
Open without_arrays(const Case& planned);

/// The arrays are prepared, emptied from the caches, and looked at by this process, as for every
/// other case; the time is the user kernel's.
class GuestPlace : public HostPlace {
 public:
  /// `number`: of the variant among those that the user kernel offers.
  GuestPlace(std::shared_ptr<Guest> guest, std::size_t number, const Case& planned,
             const Settings& settings, HostArrays& arrays);
  ~GuestPlace() override { guest_->close(problem_); }
  GuestPlace(const GuestPlace&) = delete;
  GuestPlace& operator=(const GuestPlace&) = delete;

  /// `run` is nothing that this process has.
  double seconds(const Run& run, std::size_t calls) override;
  double clock_floor() const override;
  /// Its process was idle until it was asked: the first calls are slow.
  double batch_seconds() const override { return 1e-3; }
  void settle() override {
    if (guest_->graded()) guest_->get_ready(problem_, {number_, threads_});
  }
  void get_ready() override {
    if (!guest_->graded()) guest_->get_ready(problem_, {number_, threads_});
  }
  /// The wait that the user kernel reports, where that is believed.
  std::optional<double> waited() const override { return waited_; }
  std::optional<double> busiest() const override { return busiest_; }
  std::optional<double> processor_seconds() const override { return guest_->processor_seconds(); }

 protected:
  Guest& guest() const { return *guest_; }
  const Open& problem() const { return problem_; }
  std::size_t number() const { return number_; }
  Ran ran(const RunCalls& calls);

 private:
  std::shared_ptr<Guest> guest_;
  std::size_t number_;
  int threads_;
  Open problem_;
  std::optional<double> waited_;
  std::optional<double> busiest_;
};

/// A place on a GPU that only the user kernel knows. Scope kernel: the arrays are there, the clock
/// is the device's; end to end: from the first input leaving the host until all of the result is
/// there.
class GuestDevicePlace final : public GuestPlace {
 public:
  GuestDevicePlace(std::shared_ptr<Guest> guest, std::size_t number, const Case& planned,
                   const Settings& settings, HostArrays& arrays)
      : GuestPlace(std::move(guest), number, planned, settings, arrays), scope_(planned.scope) {}

  double seconds(const Run& run, std::size_t calls) override;
  double clock_floor() const override { return std::max(GuestPlace::clock_floor(), floor_); }
  double batch_seconds() const override;
  void poison_output() override;
  void poison_output(const std::vector<Piece>& some) override;
  void perturbed(const std::vector<Spot>& /*spots*/) override { stale_ = true; }
  void restored(const std::vector<Spot>& /*spots*/) override { stale_ = true; }
  void empty_caches() override;
  void get_ready() override { prepare(true); }
  void fetch(const std::vector<Piece>& some) override;
  std::optional<Reason> off_the_clock(const Run& run) override;

 private:
  void prepare(bool sample);

  Scope scope_;
  double floor_ = 0;      ///< of the device's clock
  bool stale_ = true;     ///< what is on the device is not what the host has
  bool cold_ = false;     ///< wanted for the next run
  bool fetched_ = false;  ///< the last result, and nothing else was written
};

}  // namespace bench::guests
