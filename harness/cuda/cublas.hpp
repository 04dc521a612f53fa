// cuBLAS, NVIDIA's matrix library. It is large and absent from many nodes: it is opened while the
// program runs and never linked. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"

namespace bench::cuda {

/// The files that cuBLAS may be, in the order in which they are tried: below CUDA_HOME and
/// CUDA_PATH, then where the loader looks. None for the stand-in, whose memory the real one cannot
/// read.
std::vector<std::string> cublas_files();

class Cublas {
 public:
  /// Opens the first of the files that works, on the current device. Never fails: see reason().
  explicit Cublas(const std::vector<std::string>& files);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// Empty where it can be called, else why not.
  const Reason& reason() const { return reason_; }

  /// Starts out[j][i] = in[i][j], rows × cols and row-major, in the default stream: geam with
  /// alpha = 1 and beta = 0. Throws Unavailable with the reason, or Error where the call fails.
  void transpose(const float* in, float* out, std::size_t rows, std::size_t cols) const;
  void transpose(const double* in, double* out, std::size_t rows, std::size_t cols) const;

  /// Starts C = A·B, m×k times k×n, row-major, as a gemm in the precision of its data: TF32 is off
  /// unless someone asks for it.
  void multiply(const float* a, const float* b, float* c, std::size_t m, std::size_t n,
                std::size_t k) const;
  void multiply(const double* a, const double* b, double* c, std::size_t m, std::size_t n,
                std::size_t k) const;

 private:
  bool open(const std::string& file);
  void close();
  template <class Real>
  void geam(const char* function, const Real* in, Real* out, std::size_t rows,
            std::size_t cols) const;
  template <class Real>
  void gemm(const char* function, const Real* a, const Real* b, Real* c, std::size_t m,
            std::size_t n, std::size_t k) const;
  void require_it(std::size_t longest) const;

  void* library_ = nullptr;
  void* handle_ = nullptr;
  Reason reason_;
};

/// The one of this process, opened at the first call.
const Cublas& cublas();

/// Makes cublas() what these files are, for tests.
void use_cublas(const std::vector<std::string>& files);

}  // namespace bench::cuda
