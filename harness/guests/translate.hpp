// From CUDA's own syntax to C++, and from HIP to CUDA.
#pragma once

#include <set>
#include <string>

namespace bench::guests {

/// What the kernels of a GPU are written in.
enum class Dialect { cuda, hip };
/// The end of its name says it: `.hip` is HIP.
Dialect dialect_of(const std::string& file);

/// HIP in CUDA's words, which are the same but for their beginning: hipMalloc is cudaMalloc. Each
/// line stays where it is.
std::string in_words_of_cuda(const std::string& source);
/// A name, or a source without launches by hipLaunchKernelGGL, the other way round.
std::string in_words_of_hip(const std::string& text);

/// What g++ can compile after harness/cuda_on_cpu/language.h: launches kernel<<<grid,
/// block>>>(arguments) as calls, dynamic shared memory as a pointer. Each line stays where it is.
std::string in_plain_cpp(const std::string& source);

/// What of a CUDA file bench's own CUDA has not; empty where nothing was found.
std::string beyond_the_cpu(const std::string& source);

/// The same text with blanks for comments and for what is in quotation marks, so that nothing is
/// found there.
std::string code_of(const std::string& source);

/// The names of the kernels that a source declares.
std::set<std::string> kernels_in(const std::string& source);

/// Fast functions that a source uses, of which the CPU has the exact ones: `__sinf`.
std::set<std::string> coarse_functions(const std::string& source);

/// The first line of a file where a kernel turns a float into a double, by nvcc's PTX with line
/// numbers. 0: none does.
int line_of_double(const std::string& ptx, const std::string& file);
/// Whether a source names the type: then it is meant.
bool speaks_of_double(const std::string& source);

}  // namespace bench::guests
