#include "harness/guests/launches.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "harness/guests/guest_place.hpp"
#include "harness/guests/host.hpp"
#include "harness/guests/sanitized.hpp"
#include "harness/plan/result.hpp"

namespace bench::guests {
namespace {

constexpr double patience_for_launches = 5;  // seconds for an answer

/// The line that bench's own CUDA has said of it, among those of the file.
std::string refused_launch(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(": the launch <<<") != std::string::npos) return last_line(line);
  }
  return "";
}

}  // namespace

Examine examiner_of_launches(const SharedObject& object, const Means& means) {
  return [file = object.file, means](const Case& one) {
    const Reports reports;
    Means own = reports.means_for(Sanitizer::address, means);
    own.patience = std::min(own.patience, patience_for_launches);
    own.variables.emplace_back("BENCH_LAUNCHES_ONLY", "1");
    Guest guest({"/proc/self/exe", host_command, inherited_path(0)}, file, own);
    try {
      guest.get_ready(without_arrays(one), {});
    } catch (const std::exception&) {
      // Without results it may go astray, but not before its first launches.
    }
    Examined found;
    found.fault = refused_launch(reports.said());
    return found;
  };
}

}  // namespace bench::guests
