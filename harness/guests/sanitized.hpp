// A user kernel under a sanitizer: what it needs for that, and what is said of it then.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/guests/cpu_runtime.hpp"
#include "harness/guests/folder.hpp"
#include "harness/guests/guest.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/workload/workload.hpp"

namespace bench::guests {

/// Where one session puts what the sanitizer, the kernel's own process, and bench's own CUDA say.
class Reports {
 public:
  const std::filesystem::path& folder() const { return folder_.path; }
  /// What `session` gives a user kernel whose sanitizer reports here.
  Means means_for(Sanitizer sanitizer, const Means& session) const;
  /// The option of any sanitizer that says where it reports.
  std::string options() const;
  /// What the sanitizer has reported.
  std::string found() const;
  void forget_arrays() const { std::filesystem::remove(begin() + ".arrays"); }
  /// What the sanitizer has found, with the line, the array of `problem` and the thread; empty
  /// where it has found nothing. `names`: of the arrays; `files`: as explained() has them.
  Reason finding(const Problem& problem, const std::vector<std::string>& names,
                 const std::vector<std::string>& files, const Texts& texts = {}) const;
  /// What tell_apart() has written: how many times too much, and the line; empty: nothing.
  std::pair<int, std::string> apart(const std::vector<std::string>& files) const;
  /// What bench's own CUDA says, and a sanitizer that does not write where it is told to.
  std::string said() const { return whole_file(begin() + ".said"); }

 private:
  std::string begin() const { return folder_.path / "report"; }

  Folder folder_{"cannot be checked"};
};

/// The names of the arrays of a function in the header of all of them.
std::vector<std::string> arrays_of(std::string_view declarations, const std::string& function);

/// The names of the source and its headers, as sanitizers have them: the source first.
std::vector<std::string> names_of_files(const std::string& source, const Texts& texts);

/// What sanitizers do not speak for: by such a word a source shows them something else than it
/// shows to others. Empty where it has none.
std::string misleading(const Texts& texts);

}  // namespace bench::guests
