// The matrix library of this node: OpenBLAS, BLIS or Intel's MKL. Not every node has one: it is
// opened while the program runs and never linked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"

namespace kernels::matmul {

/// Matrices as a kernel takes them; each row of C begins n elements after the one before.
template <class Real>
struct Product {
  const Real* a = nullptr;
  const Real* b = nullptr;
  Real* c = nullptr;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
};

/// The files that it may be, in the order in which they are tried.
std::vector<std::string> blas_files();

class Blas {
 public:
  /// Opens the first of the files that has gemm. Never fails: see reason().
  explicit Blas(const std::vector<std::string>& files);
  ~Blas();
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  /// Empty where it can be called, else why not.
  const bench::Reason& reason() const { return reason_; }

  /// C = A·B by one thread, or by all threads of OpenMP, each of which has a block of C. Throws
  /// Unavailable with the reason.
  template <class Real>
  void multiply(const Product<Real>& product) const;
  template <class Real>
  void multiply_by_all_threads(const Product<Real>& product) const;

 private:
  void require_it(std::size_t longest) const;
  template <class Real>
  void multiply_block(const Product<Real>& product, std::size_t row, std::size_t rows,
                      std::size_t col, std::size_t cols) const;

  void* library_ = nullptr;
  bench::Reason reason_;
};

/// The one of this process, opened at the first call.
const Blas& blas();

}  // namespace kernels::matmul
