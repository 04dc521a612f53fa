#include "harness/tables/answer.hpp"

#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"

namespace bench {
namespace {

bool built_in(const CaseRecord& one) { return one.ours() && backend_named(one.backend) != nullptr; }

/// True for cases of bench --peers, in a run of their own or as user kernels that name their
/// backend.
bool in_python(const CaseRecord& one) {
  if (one.library || built_in(one)) return false;
  return !one.guest || (one.guest->ends_with(".py") && one.backend != "guest" && !incredible(one));
}

bool at_the_limit(const Interval& share) {
  return share.low >= near_limit && share.high <= beyond_limit;
}

template <class Counts>
std::optional<Row> found(const std::vector<Row>& rows, Counts counts) {
  const Row* const row = fastest(rows, counts);
  return row == nullptr ? std::nullopt : std::optional(*row);
}

}  // namespace

std::optional<LimitShown> limit_of(const CaseRecord& one) {
  if (inconclusive(one) || of_other_memory(one.scope)) return {};
  const auto [reference, share, ci95, arithmetic] = nearest_share(one);
  // The reference is not a limit of itself.
  if (share && ci95 && !arithmetic && reference != one.workload && at_the_limit(*ci95)) {
    return LimitShown{end_to_end(one) ? Barrier::bus : Barrier::memory, reference, {*share, *ci95}};
  }
  const auto& bound = one.bound;
  if (!bound || bound->by != Limit::in_cache || !at_the_limit(bound->share.ci95)) return {};
  return LimitShown{Barrier::in_cache, "", bound->share};
}

Answer answer_of(const std::vector<Row>& rows) {
  Answer all;
  all.best_cpu = found(rows, [](const CaseRecord& one) { return built_in(one) && !one.on_gpu(); });
  all.gpu = found(rows, [](const CaseRecord& one) {
    return built_in(one) && one.on_gpu() && kernel_alone(one);
  });
  all.gpu_with_transfers =
      found(rows, [](const CaseRecord& one) { return built_in(one) && end_to_end(one); });
  all.python =
      found(rows, [](const CaseRecord& one) { return in_python(one) && kernel_alone(one); });
  // A user kernel has a sentence of its own, in whatever language it is.
  all.fastest = found(rows, [](const CaseRecord& one) { return one.ours() && kernel_alone(one); });
  all.with_transfers =
      found(rows, [](const CaseRecord& one) { return one.ours() && end_to_end(one); });
  if (const auto& best = all.fastest ? all.fastest : all.with_transfers) {
    all.limit = limit_of(*best->result);
  }
  return all;
}

}  // namespace bench
