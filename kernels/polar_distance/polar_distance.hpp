#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::polar_distance {

/// distance[i] = √(x² + y²) for i < n, where x = ρ₁·cos θ₁ − ρ₂·cos θ₂ and y = ρ₁·sin θ₁ − ρ₂·sin
/// θ₂ of element i. It is the distance between two points in polar coordinates. Angles are in
/// radians; radii are not negative.
template <class Real>
using Kernel = void(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                    Real* distance, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::polar_distance
