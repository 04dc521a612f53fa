// Kernels for the tests of the runner: out[i] = 2·in[i], honestly and otherwise.
#pragma once

#include <cstddef>

namespace bench::test::kernels {

using Twice = void(const float* in, float* out, std::size_t n);

Twice honest;
Twice strided;           ///< a grid that holds fewer threads than elements
Twice one_too_many;      ///< writes out[n]
Twice one_before;        ///< writes out[-1]
Twice no_tail;           ///< leaves out the last element
Twice writes_nothing;    ///< launches a kernel that does nothing
Twice launches_nothing;  ///< does not even launch
Twice into_the_input;    ///< also changes in[n / 2]
Twice too_many_threads;  ///< 4096 threads per block
Twice too_much_shared;   ///< a megabyte of shared memory per block
Twice takes_a_trap;      ///< the kernel stops with an error that the device does not survive
Twice copies;            ///< out[i] = in[i]

}  // namespace bench::test::kernels
