// Where a guest's case runs: in its process, on arrays that it shares with this one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "harness/guests/guest.hpp"
#include "harness/measure/host_place.hpp"

namespace bench::guests {

/// The arrays are prepared, emptied from the caches, and looked at by this process, as for every
/// other case; the time is the guest's.
class GuestPlace final : public HostPlace {
 public:
  /// `number`: of the variant among those that the guest offers.
  GuestPlace(std::shared_ptr<Guest> guest, std::size_t number, const Case& planned,
             const Settings& settings, HostArrays& arrays);
  ~GuestPlace() override { guest_->close(problem_); }
  GuestPlace(const GuestPlace&) = delete;
  GuestPlace& operator=(const GuestPlace&) = delete;

  /// `run` is nothing that this process has.
  double seconds(const Run& run, std::size_t calls) override;
  double clock_floor() const override;
  void get_ready() override { guest_->get_ready(problem_, {number_, 1, threads_}); }
  /// As far as the guest tells.
  std::optional<double> waited() const override { return waited_; }

 private:
  std::shared_ptr<Guest> guest_;
  std::size_t number_;
  int threads_;
  Open problem_;
  std::optional<double> waited_;
};

}  // namespace bench::guests
