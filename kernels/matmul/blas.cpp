#include "kernels/matmul/blas.hpp"

#include <dlfcn.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "harness/base/reasons.hpp"

namespace kernels::matmul {
namespace {

// ---- what cblas.h declares ----

constexpr int by_rows = 101;
constexpr int as_it_is = 111;

template <class Real>
using Gemm = void(int order, int op_a, int op_b, int m, int n, int k, Real alpha, const Real* a,
                  int lda, const Real* b, int ldb, Real beta, Real* c, int ldc);

// ----

template <class Real>
constexpr const char* gemm = std::is_same_v<Real, float> ? "cblas_sgemm" : "cblas_dgemm";

/// While this lives, a library that asks OpenMP for the number of threads gets one.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace

std::vector<std::string> blas_files() {
  return {"libopenblas.so.0", "libopenblas.so", "libblis.so.4",
          "libblis.so",       "libmkl_rt.so.2", "libmkl_rt.so"};
}

/// Threads of the library's own would not be bound like ours, and would spin while another variant
/// is timed. It reads these variables when it is opened.
Blas::Blas(const std::vector<std::string>& files)
    : reason_(bench::said<bench::reasons::no_blas>()) {
  for (const char* name : {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"}) {
    setenv(name, "1", 1);
  }
  for (const std::string& file : files) {
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) continue;
    reason_ = {};
    if (dlsym(library_, gemm<float>) != nullptr && dlsym(library_, gemm<double>) != nullptr) return;
    reason_ = bench::said<bench::reasons::no_blas>();
    dlclose(library_);
    library_ = nullptr;
  }
}

Blas::~Blas() {
  if (library_ != nullptr) dlclose(library_);
}

void Blas::require_it(std::size_t longest) const {
  if (!reason_.empty()) throw bench::Unavailable(reason_);
  if (longest > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw bench::Unavailable(bench::said<bench::reasons::blas_in_32_bits>());
  }
}

template <class Real>
void Blas::multiply_block(const Product<Real>& product, std::size_t row, std::size_t rows,
                          std::size_t col, std::size_t cols) const {
  if (rows == 0 || cols == 0) return;
  const auto& [a, b, c, m, n, k] = product;
  const auto call = reinterpret_cast<Gemm<Real>*>(dlsym(library_, gemm<Real>));
  const auto as_int = [](std::size_t count) { return static_cast<int>(count); };
  const std::size_t pitch_of_a = std::max<std::size_t>(k, 1);
  call(by_rows, as_it_is, as_it_is, as_int(rows), as_int(cols), as_int(k), 1, a + row * k,
       as_int(pitch_of_a), b + col, as_int(n), 0, c + row * n + col, as_int(n));
}

template <class Real>
void Blas::multiply(const Product<Real>& product) const {
  require_it(std::max({product.m, product.n, product.k}));
  const OneThread one;
  multiply_block(product, 0, product.m, 0, product.n);
}

template <class Real>
void Blas::multiply_by_all_threads(const Product<Real>& product) const {
  require_it(std::max({product.m, product.n, product.k}));
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto mine = static_cast<std::size_t>(omp_get_thread_num());
    std::size_t across = 1;  // blocks next to each other: as many as below each other, or fewer
    for (std::size_t d = 1; d * d <= threads; ++d) across = threads % d == 0 ? d : across;
    const std::size_t down = threads / across;
    const auto begin = [](std::size_t i, std::size_t of, std::size_t n) { return n * i / of; };
    const std::size_t i = mine / across;
    const std::size_t j = mine % across;
    const std::size_t row = begin(i, down, product.m);
    const std::size_t col = begin(j, across, product.n);
    multiply_block(product, row, begin(i + 1, down, product.m) - row, col,
                   begin(j + 1, across, product.n) - col);
  }
}

template void Blas::multiply(const Product<float>& product) const;
template void Blas::multiply(const Product<double>& product) const;
template void Blas::multiply_by_all_threads(const Product<float>& product) const;
template void Blas::multiply_by_all_threads(const Product<double>& product) const;

const Blas& blas() {
  static const auto& the_one = *new Blas(blas_files());
  return the_one;
}

}  // namespace kernels::matmul
