// A compiler of this node, run once in a folder of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/guests/folder.hpp"
#include "harness/plan/guest_variant.hpp"

namespace bench::guests {

/// A program that this node lacks: the file may well be right.
struct Missing : RunError {
  using RunError::RunError;
};

/// The compiler's first error, and its name.
struct DoesNotCompile : RunError {
  DoesNotCompile(const std::string& why, std::string by)
      : RunError(said<reasons::does_not_compile>(why)), command(std::move(by)) {}
  std::string command;
};

/// The compiler had too little of the processors to say anything of the file.
struct NodeIsBusy : RunError {
  using RunError::RunError;
};

/// Seconds that all processes of this group have had of the processors so far.
double processor_seconds_of(pid_t group);

/// What becomes of a compiler that has taken some time.
enum class Patience { lasts, is_over, node_is_busy };
/// `processor_seconds`: what it had of them. One that uses none waits for something else.
Patience patience_after(double seconds, double processor_seconds);

/// What the variable names, or the first of these programs that is there; empty where none is.
std::vector<std::string> found(const char* variable, const std::vector<const char*>& programs);

/// The same; throws Missing where there is none.
std::vector<std::string> compiler(const char* variable, const std::vector<const char*>& programs);

/// The family whose options a compiler takes.
enum class Family { gnu, llvm, other };
/// The family by the name of the program, where links end.
Family family_of(const std::vector<std::string>& command);

/// The words between the blanks of a text.
std::vector<std::string> words_of(const std::string& text);

/// The last line that a command prints; empty where it fails. Throws RunError where it cannot be
/// started.
std::string output_of(const std::vector<std::string>& command);

/// A program by its name, as a shell finds it; empty where there is none.
std::string in_path(const std::string& program);

/// The first error among what a compiler, an assembler or a linker has said.
std::string first_error(const std::string& said);

/// `line 5: …`: the first warning of a source, or of a header in its folder; empty where there is
/// none.
std::string first_warning(const std::string& said, const std::filesystem::path& source);

/// The loop of `source` that runs most, where GCC (-fopt-info-vec) or clang (-Rpass) reports that
/// it made no vectors of it; `text`: that source.
std::optional<ScalarLoop> scalar_loop(const std::string& told, const std::filesystem::path& source,
                                      const std::string& text);

/// Makes the folders on the way, too; returns the file.
std::filesystem::path written_to(const std::filesystem::path& file, const std::string& text);

/// Its folder goes with it.
class Compilation {
 public:
  /// `with`: what else there is to say of the compiler.
  explicit Compilation(std::vector<std::string> compiler, const char* with = "");

  const std::filesystem::path& folder() const { return folder_.path; }
  void add(const std::string& word) { command_.push_back(word); }
  void add(std::initializer_list<const char*> words);
  std::string so_far() const;
  Family family() const { return family_of(command_); }
  /// Puts a header before what is compiled.
  void include(const std::filesystem::path& header);
  /// Puts declarations of what may be defined before it, too.
  void declare(const std::string& declarations);
  /// A user's source, which diagnostics must call by the name that the user gave.
  void add_source(const std::string& source);

  /// The file that it makes. `shown`: the command as users may repeat it. Throws DoesNotCompile.
  std::filesystem::path finish(const char* name, const std::string& shown);
  /// What it has printed by then.
  const std::string& said() const { return said_; }

 private:
  std::string as_named(std::string error) const;

  std::vector<std::string> command_;
  std::string name_;
  std::string source_;
  std::string said_;
  Folder folder_;
};

}  // namespace bench::guests
