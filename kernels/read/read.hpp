#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/variant.hpp"

namespace kernels::read {

/// 32 bits of the input, whatever its type. The kernels are separate translation units, so no
/// compiler sees the same memory with two types.
using Word = std::uint32_t;

/// out[0] = in[0] ⊕ in[1] ⊕ … ⊕ in[n − 1], bit by bit; 0 for n = 0.
using Kernel = void(const Word* in, std::size_t n, Word* out);

template <class Isa, class Real>
bench::Ladder<Kernel> serial();
template <class Isa, class Real>
bench::Ladder<Kernel> openmp();
template <class Real>
bench::Ladder<Kernel> cuda();
template <class Real>
bench::Ladder<Kernel> library();

extern const bench::Workload workload;

}  // namespace kernels::read
