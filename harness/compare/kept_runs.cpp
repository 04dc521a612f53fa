#include "harness/compare/kept_runs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <concepts>
#include <exception>
#include <string_view>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/files.hpp"
#include "harness/base/packed.hpp"
#include "harness/node/build_info.hpp"
#include "harness/plan/hash.hpp"

namespace bench {
// All members of each, or it does not compile.
template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

auto members(Is<Reason> auto& one) {
  auto& [text, key, values] = one;
  return std::tie(text, key, values);
}
auto members(Is<Column> auto& one) {
  auto& [best, what, workload, dtype, size, parameters, pooled] = one;
  return std::tie(best, what, workload, dtype, size, parameters, pooled);
}
auto members(Is<NodeTime> auto& one) {
  auto& [column, seconds, deviation, between, variant, on_gpu, scope, passes] = one;
  return std::tie(column, seconds, deviation, between, variant, on_gpu, scope, passes);
}
auto members(Is<Absent> auto& one) {
  auto& [column, reason] = one;
  return std::tie(column, reason);
}
auto members(Is<Failed> auto& one) {
  auto& [name, reason] = one;
  return std::tie(name, reason);
}
auto members(Is<LimitTimes> auto& one) {
  auto& [on_gpu, memory, in_cache] = one;
  return std::tie(on_gpu, memory, in_cache);
}
auto members(Is<FileMark> auto& one) {
  auto& [bytes, number, modified, changed] = one;
  return std::tie(bytes, number, modified, changed);
}
auto members(Is<KeptRun> auto& one) {
  auto& [mark, runs] = one;
  return std::tie(mark, runs);
}
auto members(Is<NodeRun> auto& one) {
  auto& [host, node, file, started, job, task, cpu_model, gpu, gpu_uuid, gpu_number, part,
         given_gpu, finished, ended_by, passes, work, times, absent, doubts, failed, nodelists,
         asked, facts, figures, limits] = one;
  return std::tie(host, node, file, started, job, task, cpu_model, gpu, gpu_uuid, gpu_number, part,
                  given_gpu, finished, ended_by, passes, work, times, absent, doubts, failed,
                  nodelists, asked, facts, figures, limits);
}

namespace {

namespace fs = std::filesystem;

/// The name of what this program, as it was built, keeps.
std::string identity() {
  const FileMark program = mark_of("/proc/self/exe");
  return fmt::format("bench-runs {} {} {}\n", version(), program.bytes, program.modified);
}

/// Nobody else says what result files hold.
bool is_ours(const fs::path& file) {
  struct stat facts {};
  return lstat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && is_ours_alone(facts);
}

fs::path store_of(const fs::path& folder, Keep keep) {
  return folder / fmt::format(".bench-runs-{}", static_cast<int>(keep));
}

std::uint64_t sum_of(std::string_view text) { return hash_bytes(text.data(), text.size()); }

}  // namespace

FileMark mark_of(const fs::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return {};
  const auto nanoseconds = [](const timespec& time) {
    constexpr std::int64_t per_second = 1'000'000'000;
    return std::int64_t{time.tv_sec} * per_second + time.tv_nsec;
  };
  return {static_cast<std::uint64_t>(facts.st_size), facts.st_ino, nanoseconds(facts.st_mtim),
          nanoseconds(facts.st_ctim)};
}

bool is_known(const fs::path& file, const FileMark& before) {
  // What is being written may change again within one tick of the file system's clock.
  constexpr auto tick = std::chrono::seconds(2);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(before.changed) + tick < now && before == mark_of(file);
}

KeptRuns read_kept(const fs::path& folder, Keep keep) {
  const fs::path file = store_of(folder, keep);
  if (!is_ours(file)) return {};
  const std::string text = whole_file(file);
  std::string_view left = text;
  const std::string wanted = identity();
  if (!left.starts_with(wanted)) return {};
  left.remove_prefix(wanted.size());
  try {
    const auto sum = packed::get<std::uint64_t>(left);
    if (sum == sum_of(left)) return packed::get<KeptRuns>(left);
  } catch (const std::exception&) {
    // It is as if there were none.
  }
  return {};
}

void write_kept(const fs::path& folder, Keep keep, const KeptRuns& kept) {
  try {
    std::string all;
    packed::put(all, kept);
    std::string head = identity();
    packed::put(head, sum_of(all));
    replace_file(store_of(folder, keep), {head, all});
  } catch (const std::exception&) {
    // A folder that cannot be written is read again.
  }
}

}  // namespace bench
