// For the tests of single workloads: runs every variant on inputs of the test's own choosing.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/verify.hpp"
#include "harness/workload.hpp"

namespace kernels::test {

template <class Real>
constexpr bench::Dtype dtype_of = sizeof(Real) == sizeof(float) ? bench::Dtype::f32
                                                                : bench::Dtype::f64;

/// Calls `expect(output)` with what each variant of each instruction set makes of the inputs; the
/// output is poisoned before.
template <class Real, class Out = Real, class Expect>
void for_each_variant(const bench::Workload& workload, const bench::Shape& shape,
                      std::vector<std::vector<Real>> inputs, const Expect& expect) {
  for (const bench::simd::Isa isa : bench::simd::available()) {
    const auto problem = workload.make(dtype_of<Real>, shape);
    for (const bench::Rung& rung : problem->rungs(isa)) {
      SCOPED_TRACE(std::string(workload.name) + "/" + rung.backend + "/" + rung.variant + " " +
                   std::string(bench::simd::name(isa)));
      std::vector<Out> output(problem->output.count);
      std::fill_n(reinterpret_cast<unsigned char*>(output.data()), output.size() * sizeof(Out),
                  bench::poison_byte);
      bench::Arrays arrays;
      for (std::vector<Real>& input : inputs) arrays.inputs.push_back(input.data());
      arrays.result = output.data();
      rung.run(arrays);
      expect(output);
    }
  }
}

}  // namespace kernels::test
