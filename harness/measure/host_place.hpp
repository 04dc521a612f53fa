// The host's memory, processors and clock: where serial and OpenMP variants run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/arrays/memory.hpp"
#include "harness/arrays/place.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

/// Returns once no thread of bench spins any more after its part of some work.
void let_the_team_sleep();

/// What a person calls one of HostArrays::buffers().
std::string array_name(const Problem& problem, std::size_t number);

/// The arrays of a group in host memory, shared by all of its variants.
class HostArrays {
 public:
  explicit HostArrays(const PlannedGroup& group, const Allocate& allocate = anonymous_pages);

  Arrays arrays() const;
  /// What a reference with this number of inputs works on: the first ones, and the output or, where
  /// there is one, the scratch array.
  Arrays reference_arrays(std::size_t inputs) const;
  const Problem& problem() const { return problem_; }
  const std::vector<Buffer>& inputs() const { return inputs_; }
  const Buffer& output() const { return output_; }
  const std::vector<Buffer>& workspace() const { return workspace_; }
  /// The inputs, the workspace, the output, and the scratch array where there is one.
  std::vector<Buffer*> buffers();

  /// What fills the inputs, now and whenever they have been changed.
  void fill(std::function<void(const Arrays&)> fill);
  void generate(std::uint32_t seed);
  /// Fills the inputs with the user's data, each array turned by that many elements.
  void load(const InputFiles& files, std::size_t turned = 0);
  /// Takes the inputs of other arrays of the same group; true where some were not the same before.
  bool take_inputs(const HostArrays& from);
  /// hash_inputs() of them.
  std::string input_hash() const;

  /// Fills the inputs again if they have been changed.
  bool repair_inputs();
  /// The result of these arrays, and the workspace where they have one.
  void poison_output(const Arrays& arrays, bool team);
  std::optional<Reason> repair_guards();
  /// Drops from the caches what poison_output() of these arrays, just called, has left there; with
  /// `team`, all threads share the work.
  void evict(const Arrays& poisoned, bool team);

 private:
  std::vector<std::uint64_t> hashes_of_inputs() const;
  /// What these arrays write: their result, and the workspace where they have one.
  std::vector<Buffer*> outputs(const Arrays& arrays);

  const Problem& problem_;
  std::vector<Buffer> inputs_;
  std::vector<Buffer> workspace_;
  Buffer output_;
  std::optional<Buffer> scratch_;
  std::function<void(const Arrays&)> fill_;
  std::vector<std::uint64_t> hashes_;  ///< of the inputs that were filled last
};

/// Wall clock, a team of threads.
class HostPlace : public Place {
 public:
  /// `planned` says how many threads; `arrays` are those of `host` that it uses.
  HostPlace(const Case& planned, const Settings& settings, HostArrays& host, Arrays arrays);

  double seconds(const Run& run, std::size_t calls) override;
  double clock_floor() const override;
  double batch_seconds() const override { return 20e-6; }
  std::optional<double> waited() const override;
  std::optional<double> busiest() const override { return busiest_; }
  void poison_output() override;
  void poison_output(const std::vector<Piece>& some) override;
  void empty_caches() override;
  bool beyond_caches() const override { return !in_caches_; }
  void get_ready() override;
  std::optional<Reason> repair_guards() override { return host_.repair_guards(); }
  std::optional<Reason> repair_inputs() override;

  /// The number of threads that a parallel region really gets.
  int threads() const;

 protected:
  HostArrays& host() const { return host_; }

 private:
  /// The number of threads that prepare a sample.
  int helpers() const;
  void wake_tbb();

  bool has_team_;  ///< else no thread of OpenMP spins during a sample
  bool by_tbb_;
  bool helped_;         ///< all threads prepare its samples, and sleep during them
  bool awake_ = false;  ///< they may not sleep yet
  double waking_ = 0;   ///< seconds that the threads of TBB waited until they were awake
  int threads_;
  bool graded_;
  std::optional<double> busiest_;
  bool in_caches_;  ///< the arrays are not so large that they leave nothing of use there
  HostArrays& host_;
  Arrays arrays_;
};

}  // namespace bench
