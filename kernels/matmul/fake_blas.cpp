// A library with the names of a BLAS, for tests where none is installed; only what is asked for.
#include <cstddef>

namespace {

template <class Real>
void gemm(int m, int n, int k, Real alpha, const Real* a, int lda, const Real* b, int ldb,
          Real beta, Real* c, int ldc) {
  const auto at = [](int row, int col, int pitch) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(pitch) +
           static_cast<std::size_t>(col);
  };
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      Real sum = 0;
      for (int p = 0; p < k; ++p) sum += a[at(i, p, lda)] * b[at(p, j, ldb)];
      Real& result = c[at(i, j, ldc)];
      result = beta == 0 ? alpha * sum : alpha * sum + beta * result;
    }
  }
}

}  // namespace

extern "C" {

void cblas_sgemm(int /*order*/, int /*op_a*/, int /*op_b*/, int m, int n, int k, float alpha,
                 const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  gemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_dgemm(int /*order*/, int /*op_a*/, int /*op_b*/, int m, int n, int k, double alpha,
                 const double* a, int lda, const double* b, int ldb, double beta, double* c,
                 int ldc) {
  gemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // extern "C"
