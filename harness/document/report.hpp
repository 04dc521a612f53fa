// A result file on its way to a file.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/atomic_file.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/phases.hpp"
#include "harness/document/document.hpp"
#include "harness/plan/result.hpp"

namespace bench {

/// `a/x-2.json` for `a/x.json`: the name for another run where that one is taken.
std::filesystem::path numbered(const std::filesystem::path& path, int number);

void add_once(std::vector<Reason>& warnings, const Reason& warning);

/// What many disturbed samples of a result file make doubtful: warnings for its end.
std::vector<Reason> sample_warnings(const Document& document);

/// What to say of a file that is not to be overwritten, and that an option names.
std::string exists_already(const std::filesystem::path& path, std::string_view option = "--output");

/// Writes a new result file and claims it. An existing file is never overwritten: with `may_rename`
/// a free name next to it is taken, which `path` becomes; otherwise, and where it cannot be
/// written, throws std::runtime_error with a sentence for the user.
WriteLock create_document(std::filesystem::path& path, const std::string& text, bool may_rename);

/// Claims a result file that is there. Throws std::runtime_error where another process writes it,
/// or it cannot be written.
WriteLock lock_document(const std::filesystem::path& path);

/// Every write leaves a complete result file: temporary file, fsync, rename. All functions may be
/// called from several threads.
class Report {
 public:
  /// A report without a path writes nothing to disk.
  Report(Context context, std::filesystem::path path);

  /// Claims the path and writes the result file without cases, as create_document() does.
  void create(bool may_rename);
  /// Continues, where create() would begin, the result file `earlier` of this path, whose `groups`
  /// groups stay, and which was read under this lock. Throws std::runtime_error where it cannot be
  /// written.
  void go_on(WriteLock of_file, const Document& earlier, std::size_t groups);
  /// The same where nothing is missing in the result file: it stays as it is.
  void keep(WriteLock of_file, const Document& whole, std::size_t groups);
  /// Adds a group and writes the result file.
  void add(const Group& group);
  /// Takes the place of add(): what was measured so far, by others. Writes the result file.
  void replace(const Document& measured);
  /// Marks the run as finished, or as ended by a signal, and writes the result file. The first call
  /// counts: a signal that comes later does not turn a finished run into an unfinished one.
  bool finish(const std::string& ended_by);
  /// Writes the result file to a new file of the same name in `folder`, which is its path from now
  /// on: where the first one cannot be written any more. Throws std::runtime_error.
  void move_to(const std::filesystem::path& folder);

  Document document() const;
  std::filesystem::path path() const;
  std::size_t groups() const;

 private:
  std::string text() const;
  void write_locked();
  void note_duration();

  mutable std::mutex mutex_;
  Document document_;
  std::filesystem::path path_;
  std::optional<WriteLock> lock_;  ///< of the file
  std::size_t groups_ = 0;
  bool concluded_ = false;
  Stopwatch since_begin_;
  double earlier_seconds_ = 0;  ///< of the parts that were interrupted
  Seconds earlier_phases_;      ///< of the same parts
};

}  // namespace bench
