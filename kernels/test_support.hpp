// For the tests of single workloads: runs every variant on inputs that the test chooses.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/cuda/mirror.hpp"
#include "harness/cuda/test/support.hpp"
#include "harness/plan/result.hpp"
#include "harness/test/support.hpp"
#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"
#include "kernels/registry.hpp"

namespace kernels::test {

template <class Real>
constexpr bench::Dtype dtype_of = bench::dtype_of<Real>();

/// A workload of the registry in one of its precisions.
struct Precise {
  const bench::Workload* workload;
  bench::Dtype dtype;

  std::string text() const {
    return std::string(workload->name) + "_" + std::string(bench::name_of(dtype));
  }
};

inline std::vector<Precise> all_precisions() {
  std::vector<Precise> all;
  for (const bench::Workload* workload : kernels::registry()) {
    for (const bench::Dtype dtype : workload->dtypes) all.push_back({workload, dtype});
  }
  return all;
}

/// The matrices whose rows and columns are not only one number of elements.
inline std::vector<Precise> all_matrices() {
  std::vector<Precise> all = all_precisions();
  std::erase_if(all, [](const Precise& one) { return !bench::has_rows(one.workload->form); });
  return all;
}

/// The expected result of a case after `bench verify`. Nothing else may be wrong, and only
/// deliberately slow variants may be left out, and a library that is not on this node.
inline std::optional<bench::Status> expected_status(const bench::Case& result) {
  if (result.reason.is(bench::reasons::too_slow)) return bench::Status::skipped;
  if (result.reason.is(bench::reasons::no_blas)) return bench::Status::skipped;
  if (result.wrong) return bench::Status::expected_wrong;
  return {};
}

using Bytes = std::vector<unsigned char>;

template <class Real, class Out>
void run_on_host(const bench::BoundVariant& rung, std::vector<std::vector<Real>>& inputs,
                 std::vector<Out>& output, std::vector<Bytes>& workspace) {
  bench::Arrays arrays;
  for (std::vector<Real>& input : inputs) arrays.inputs.push_back(input.data());
  arrays.result = output.data();
  for (Bytes& work : workspace) arrays.workspace.push_back(work.data());
  rung.run(arrays);
}

template <class Real, class Out>
void run_on_device(const bench::cuda::Device& device, const bench::BoundVariant& rung,
                   std::vector<std::vector<Real>>& inputs, std::vector<Out>& output,
                   std::vector<Bytes>& workspace) {
  std::vector<bench::cuda::DeviceBuffer> buffers;
  std::vector<bench::cuda::Mirror> mirrors;
  bench::Arrays arrays;
  const auto add = [&](auto& values) {
    const std::size_t bytes = values.size() * sizeof(values[0]);
    void* const data = buffers.emplace_back(bytes).data();
    mirrors.push_back({data, values.data(), bytes});
    return data;
  };
  for (std::vector<Real>& input : inputs) {
    arrays.inputs.push_back(add(input));
    if (!rung.transfers) buffers.back().upload(input.data());
  }
  for (Bytes& work : workspace) arrays.workspace.push_back(add(work));
  arrays.result = add(output);
  const bench::cuda::Mirrored mirrored(std::move(mirrors));
  rung.run(arrays);
  if (!rung.transfers) buffers.back().download(output.data());
  device.wait();
}

/// Calls `expect(output)` with the result of each variant of each instruction set; the output and
/// the workspace are poisoned before. Variants that are deliberately wrong, and those not available
/// on this node, are left out. CUDA variants run on a GPU, or are executed on the CPU: see
/// harness/cuda/test/support.hpp. `expect` may take the variant as well.
template <class Real, class Out = Real, class Expect>
void for_each_variant(const bench::Workload& workload, const bench::Shape& shape,
                      std::vector<std::vector<Real>> inputs, const Expect& expect) {
  const auto device = bench::test::opened();
  if (!device->reason().empty()) GTEST_SKIP() << device->reason();
  const std::vector<bench::simd::Isa> isas = bench::simd::available();
  for (const bench::simd::Isa isa : isas) {
    const auto problem = workload.make(dtype_of<Real>, shape);
    for (const bench::BoundVariant& rung : problem->rungs(isa)) {
      const bool on_device = bench::runs_on(rung.backend, bench::RunsOn::device);
      const bool again = on_device && isa != isas.front();
      if (rung.wrong || again) continue;
      SCOPED_TRACE(std::string(workload.name) + "/" + rung.backend + "/" + rung.variant + " " +
                   std::string(bench::name_of(isa)));
      std::vector<Out> output(problem->output.count);
      std::fill_n(reinterpret_cast<unsigned char*>(output.data()), output.size() * sizeof(Out),
                  bench::poison_byte);
      std::vector<Bytes> workspace;
      for (const bench::ArraySpec& work : problem->workspace) {
        workspace.emplace_back(work.bytes(), bench::poison_byte);
      }
      try {
        if (on_device && !(rung.transfers && bench::has_regions(rung.backend))) {
          run_on_device(*device, rung, inputs, output, workspace);
        } else {
          run_on_host(rung, inputs, output, workspace);
        }
      } catch (const bench::Unavailable&) {
        continue;
      }
      if constexpr (std::is_invocable_v<Expect, const std::vector<Out>&,
                                        const bench::BoundVariant&>) {
        expect(output, rung);
      } else {
        expect(output);
      }
    }
  }
}

/// Does what for_each_variant does; each result must also pass the workload's own check.
template <class Real, class Out = Real, class Expect>
void for_each_verified(const bench::Workload& workload, const bench::Shape& shape,
                       std::vector<std::vector<Real>> inputs, const Expect& expect) {
  const auto problem = workload.make(dtype_of<Real>, shape);
  bench::Arrays arrays;
  for (std::vector<Real>& input : inputs) arrays.inputs.push_back(input.data());
  for_each_variant<Real, Out>(workload, shape, inputs, [&](std::vector<Out> output) {
    arrays.result = output.data();
    const bench::Verdict verdict = problem->check(arrays);
    EXPECT_TRUE(verdict.passed) << verdict.reason;
    expect(output);
  });
}

/// The same without a further expectation.
template <class Real, class Out = Real>
void for_each_verified(const bench::Workload& workload, const bench::Shape& shape,
                       const std::vector<std::vector<Real>>& inputs) {
  for_each_verified<Real, Out>(workload, shape, inputs, [](const auto&) {});
}

/// The inputs as the workload draws them from the course's seed.
template <class Real>
std::vector<std::vector<Real>> course_data(const bench::Workload& workload,
                                           const bench::Shape& shape) {
  const auto problem = workload.make(dtype_of<Real>, shape);
  std::vector<std::vector<Real>> inputs;
  for (const bench::ArraySpec& input : problem->inputs) inputs.emplace_back(input.count);
  bench::Arrays arrays;
  for (std::vector<Real>& input : inputs) arrays.inputs.push_back(input.data());
  problem->generate(bench::NumpyRandom(42), arrays);
  return inputs;
}

}  // namespace kernels::test
