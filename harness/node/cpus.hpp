// The CPUs of this process, by their numbers.
#pragma once

#include <string>
#include <vector>

namespace bench {

/// More than any kernel has; bounds what rubbish can ask for.
constexpr int most_cpus = 1 << 16;

/// The CPUs that this process was given when it started, ascending; empty if unknown.
///
/// Not the mask of the calling thread: an OpenMP runtime told to bind (OMP_PROC_BIND) pins the main
/// thread to one place before main() begins.
std::vector<int> allowed_cpus();

/// The number of threads that a parallel region really gets.
int threads_in_region();

/// Gives the calling thread the CPUs that this process was given when it started.
void unbind_thread();

/// Lets a thread, 0 for the calling one, run on these CPUs only; false where the system does not.
bool bind_thread(const std::vector<int>& cpus, int thread = 0);

/// While this lives the calling thread may run on all CPUs that this process was given, and a
/// process that it starts inherits that.
class Unbound {
 public:
  Unbound();
  ~Unbound();
  Unbound(const Unbound&) = delete;
  Unbound& operator=(const Unbound&) = delete;

 private:
  std::vector<int> before_;
};

/// The CPUs that the calling thread may run on now, ascending; empty if unknown.
std::vector<int> cpus_of_thread();

/// While this lives the calling thread runs on these CPUs only; where there are none, it stays.
class On {
 public:
  explicit On(const std::vector<int>& cpus) : before_(cpus_of_thread()) {
    if (!cpus.empty()) bind_thread(cpus);
  }
  ~On() { bind_thread(before_); }
  On(const On&) = delete;
  On& operator=(const On&) = delete;

 private:
  std::vector<int> before_;
};

/// CPU numbers in the kernel's notation: {8, 0, 1, 2, 3} is "0-3,8".
std::string cpu_list(std::vector<int> cpus);

/// The numbers in such a list, ascending; empty where any part of it is rubbish.
std::vector<int> cpus_in(const std::string& list);

}  // namespace bench
