// A library with cuBLAS's names that computes at once, in host memory. FAKE_CUBLAS_INCOMPLETE lacks
// a function, FAKE_CUBLAS_BROKEN does not start, and FAKE_ROCBLAS has rocBLAS's names and numbers.
#include <cstddef>

#include "harness/base/half.hpp"

namespace {

constexpr int success = 0;
constexpr int not_initialized = 1;
constexpr int invalid_value = 7;

#if defined(FAKE_ROCBLAS)
constexpr int as_it_is = 111;
constexpr int transposed = 112;
#define cublasCreate_v2 rocblas_create_handle
#define cublasDestroy_v2 rocblas_destroy_handle
#define cublasSgeam rocblas_sgeam
#define cublasDgeam rocblas_dgeam
#define cublasSgemm_v2 rocblas_sgemm
#define cublasDgemm_v2 rocblas_dgemm
#else
constexpr int as_it_is = 0;
constexpr int transposed = 1;
#endif

char the_handle;
int handles = 0;

/// c = alpha·aᵀ, column-major; only what is asked for here.
template <class Real>
int geam(const void* handle, int op_a, int op_b, int rows, int cols, const Real* alpha,
         const Real* a, int lda, const Real* beta, Real* c, int ldc) {
  if (handle != &the_handle || handles == 0) return not_initialized;
  const bool ours = op_a == transposed && op_b == as_it_is && *beta == 0 && rows > 0 && cols > 0;
  if (!ours || lda < cols || ldc < rows) return invalid_value;
  for (std::size_t j = 0; j < static_cast<std::size_t>(cols); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
      c[j * static_cast<std::size_t>(ldc) + i] = *alpha * a[i * static_cast<std::size_t>(lda) + j];
    }
  }
  return success;
}

/// c = alpha·a·b, column-major; only what is asked for here.
template <class In, class Real>
int gemm(const void* handle, int op_a, int op_b, int rows, int cols, int inner, const Real* alpha,
         const In* a, int lda, const In* b, int ldb, const Real* beta, Real* c, int ldc) {
  if (handle != &the_handle || handles == 0) return not_initialized;
  const bool ours =
      op_a == as_it_is && op_b == as_it_is && *beta == 0 && rows > 0 && cols > 0 && inner >= 0;
  if (!ours || lda < rows || ldb < inner || ldb < 1 || ldc < rows) return invalid_value;
  const auto at = [](int row, int col, int pitch) {
    return static_cast<std::size_t>(col) * static_cast<std::size_t>(pitch) +
           static_cast<std::size_t>(row);
  };
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      Real sum = 0;
      for (int p = 0; p < inner; ++p) {
        sum += static_cast<Real>(a[at(i, p, lda)]) * static_cast<Real>(b[at(p, j, ldb)]);
      }
      c[at(i, j, ldc)] = *alpha * sum;
    }
  }
  return success;
}

struct Untyped {
  const void* alpha;
  const void* a;
  const void* b;
  const void* beta;
  void* c;
};
int gemm_of_halves(const void* handle, int op_a, int op_b, int rows, int cols, int inner,
                   const Untyped& all, int lda, int ldb, int ldc) {
  return gemm(handle, op_a, op_b, rows, cols, inner, static_cast<const float*>(all.alpha),
              static_cast<const bench::Half*>(all.a), lda, static_cast<const bench::Half*>(all.b),
              ldb, static_cast<const float*>(all.beta), static_cast<float*>(all.c), ldc);
}

}  // namespace

extern "C" {

int fake_cublas_handles() { return handles; }

int cublasCreate_v2(void** handle) {
#if defined(FAKE_CUBLAS_BROKEN)
  return not_initialized;
#endif
  *handle = &the_handle;
  ++handles;
  return success;
}

int cublasDestroy_v2(void* handle) {
  if (handle != &the_handle) return not_initialized;
  --handles;
  return success;
}

int cublasSgeam(void* handle, int op_a, int op_b, int rows, int cols, const float* alpha,
                const float* a, int lda, const float* beta, const float* /*b*/, int /*ldb*/,
                float* c, int ldc) {
  return geam(handle, op_a, op_b, rows, cols, alpha, a, lda, beta, c, ldc);
}

#if !defined(FAKE_CUBLAS_INCOMPLETE)
int cublasDgeam(void* handle, int op_a, int op_b, int rows, int cols, const double* alpha,
                const double* a, int lda, const double* beta, const double* /*b*/, int /*ldb*/,
                double* c, int ldc) {
  return geam(handle, op_a, op_b, rows, cols, alpha, a, lda, beta, c, ldc);
}
#endif

int cublasSgemm_v2(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                   const float* alpha, const float* a, int lda, const float* b, int ldb,
                   const float* beta, float* c, int ldc) {
  return gemm(handle, op_a, op_b, rows, cols, inner, alpha, a, lda, b, ldb, beta, c, ldc);
}

int cublasDgemm_v2(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                   const double* alpha, const double* a, int lda, const double* b, int ldb,
                   const double* beta, double* c, int ldc) {
  return gemm(handle, op_a, op_b, rows, cols, inner, alpha, a, lda, b, ldb, beta, c, ldc);
}

#if defined(FAKE_ROCBLAS)
int rocblas_gemm_ex(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                    const void* alpha, const void* a, int type_a, int lda, const void* b,
                    int type_b, int ldb, const void* beta, const void* c, int type_c, int ldc,
                    void* d, int type_d, int ldd, int computed_in, int algorithm, int solution,
                    unsigned flags) {
  const bool halves = type_a == 150 && type_b == 150 && type_c == 151 && type_d == 151;
  const bool ours = c == d && ldc == ldd && algorithm == 0 && solution == 0 && flags == 0;
  if (!halves || !ours || computed_in != 151) return invalid_value;
  return gemm_of_halves(handle, op_a, op_b, rows, cols, inner, {alpha, a, b, beta, d}, lda, ldb,
                        ldd);
}
#else
int cublasGemmEx(void* handle, int op_a, int op_b, int rows, int cols, int inner, const void* alpha,
                 const void* a, int type_a, int lda, const void* b, int type_b, int ldb,
                 const void* beta, void* c, int type_c, int ldc, int computed_in, int algorithm) {
  const bool halves = type_a == 2 && type_b == 2 && type_c == 0;
  if (!halves || computed_in != 68 || algorithm != -1) return invalid_value;
  return gemm_of_halves(handle, op_a, op_b, rows, cols, inner, {alpha, a, b, beta, c}, lda, ldb,
                        ldc);
}
#endif

}  // extern "C"
