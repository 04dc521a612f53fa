// Kernels for the tests of the runner: out[i] = 2·in[i], honestly and otherwise.
#pragma once

#include <cstddef>

namespace bench::test::kernels {

using Twice = void(const float* in, float* out, std::size_t n);

Twice honest;
Twice strided;           ///< a grid that holds fewer threads than elements
Twice in_fixed_blocks;   ///< leaves the user no choice of a launch
Twice one_too_many;      ///< writes out[n]
Twice one_before;        ///< writes out[-1]
Twice no_tail;           ///< leaves out the last element
Twice writes_nothing;    ///< launches a kernel that does nothing
Twice launches_nothing;  ///< does not even launch
Twice into_the_input;    ///< also changes in[n / 2]
Twice too_many_threads;  ///< 4096 threads per block
Twice too_much_shared;   ///< a megabyte of shared memory per block
Twice takes_a_trap;      ///< the kernel stops with an error that the device does not survive
Twice elsewhere;         ///< in a stream that the default one does not wait for
Twice copies;            ///< out[i] = in[i]

// These move their data themselves.
Twice overlapped;
Twice overlapped_copies;
Twice adds_up;            ///< all chunks add to what was zeroed before them
Twice adds_up_twice;      ///< the second chunk, which is added twice
Twice no_last_chunk;      ///< leaves out the last one
Twice no_last_upload;     ///< works on what was not brought to the device
Twice no_last_download;   ///< leaves its result there
Twice download_first;     ///< brings back each result before its kernel has begun
Twice download_beside;    ///< brings them back without waiting for the kernel
Twice upload_beside;      ///< does not wait for what it works on
Twice zeroes_beside;      ///< zeroes what others may have added to already
Twice into_its_upload;    ///< also changes the input
Twice download_too_much;  ///< one element more than there is
Twice trap_in_a_chunk;    ///< the kernel of one chunk stops with an error
Twice refused_chunk;      ///< the kernel of one chunk cannot be started

}  // namespace bench::test::kernels
