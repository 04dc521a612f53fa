#include "harness/cuda/cublas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>

#include "harness/base/reasons.hpp"
#include "harness/cuda/error.hpp"

namespace bench::cuda {
namespace {

// ---- what cublas_v2.h declares ----

using Status = int;
constexpr Status success = 0;

constexpr int as_it_is = 0;
constexpr int transposed = 1;

template <class Real>
using Geam = Status(void* handle, int op_a, int op_b, int rows, int cols, const Real* alpha,
                    const Real* a, int lda, const Real* beta, const Real* b, int ldb, Real* c,
                    int ldc);
template <class Real>
using Gemm = Status(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                    const Real* alpha, const Real* a, int lda, const Real* b, int ldb,
                    const Real* beta, Real* c, int ldc);

// ----

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

constexpr const char* create = "cublasCreate_v2";
constexpr const char* destroy = "cublasDestroy_v2";
constexpr const char* geam_f32 = "cublasSgeam";
constexpr const char* geam_f64 = "cublasDgeam";
constexpr const char* gemm_f32 = "cublasSgemm_v2";
constexpr const char* gemm_f64 = "cublasDgemm_v2";

/// Never destroyed: when this program's own objects go, those of the library are gone.
std::unique_ptr<Cublas>& of_this_process() {
  static auto& the_one = *new std::unique_ptr<Cublas>;
  return the_one;
}

}  // namespace

std::vector<std::string> cublas_files() {
  std::vector<std::string> files;
#if defined(BENCH_WITH_CUDA)
  for (const char* version : {"13", "12", "11"}) {
    const auto name = fmt::format("libcublas.so.{}", version);
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
      const char* const home = std::getenv(variable);
      if (home == nullptr) continue;
      for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
        files.push_back(fmt::format("{}/{}/{}", home, folder, name));
      }
    }
    files.push_back(name);
    files.push_back(fmt::format("/usr/local/cuda/lib64/{}", name));
  }
#endif
  return files;
}

Cublas::Cublas(const std::vector<std::string>& files) : reason_(said<reasons::no_cublas>()) {
  const bool opened =
      std::any_of(files.begin(), files.end(), [this](const auto& file) { return open(file); });
  if (opened) reason_ = {};
}

Cublas::~Cublas() { close(); }

/// False where the file is not there, or is not a cuBLAS that works here: then the reason says so.
bool Cublas::open(const std::string& file) {
  library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    const std::string error = dlerror();
    if (!error.starts_with(file)) reason_ = said<reasons::cublas_not_opened>(error);
    return false;
  }
  for (const char* name : {create, destroy, geam_f32, geam_f64, gemm_f32, gemm_f64}) {
    if (dlsym(library_, name) != nullptr) continue;
    reason_ = said<reasons::cublas_lacks>(file, std::string(name));
    close();
    return false;
  }
  const Status status = find<Status(void**)>(library_, create)(&handle_);
  if (status == success) return true;
  reason_ = said<reasons::cublas_does_not_start>(file, status);
  handle_ = nullptr;
  close();
  return false;
}

void Cublas::close() {
  if (library_ == nullptr) return;
  if (handle_ != nullptr) find<Status(void*)>(library_, destroy)(handle_);
  dlclose(library_);
  library_ = handle_ = nullptr;
}

void Cublas::require_it(std::size_t longest) const {
  if (!reason_.empty()) throw Unavailable(reason_);
  if (longest > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Unavailable(said<reasons::cublas_in_32_bits>());
  }
}

/// A row-major matrix is the transposed column-major one, which is what cuBLAS knows: its result
/// has `rows` rows, and the input's columns are our rows.
template <class Real>
void Cublas::geam(const char* function, const Real* in, Real* out, std::size_t rows,
                  std::size_t cols) const {
  require_it(std::max(rows, cols));
  if (rows == 0 || cols == 0) return;
  const auto m = static_cast<int>(rows);
  const auto n = static_cast<int>(cols);
  const Real alpha = 1;
  const Real beta = 0;  // with which the second matrix is not read
  const Status status = find<Geam<Real>>(library_, function)(handle_, transposed, as_it_is, m, n,
                                                             &alpha, in, n, &beta, out, m, out, m);
  if (status != success) throw Error(fmt::format("{}: status {}", function, status));
}

void Cublas::transpose(const float* in, float* out, std::size_t rows, std::size_t cols) const {
  geam(geam_f32, in, out, rows, cols);
}

void Cublas::transpose(const double* in, double* out, std::size_t rows, std::size_t cols) const {
  geam(geam_f64, in, out, rows, cols);
}

/// cuBLAS takes our matrices for the transposed ones, so it computes Cᵀ = Bᵀ·Aᵀ.
template <class Real>
void Cublas::gemm(const char* function, const Real* a, const Real* b, Real* c, std::size_t m,
                  std::size_t n, std::size_t k) const {
  require_it(std::max({m, n, k}));
  if (m == 0 || n == 0) return;
  const auto rows = static_cast<int>(n);
  const auto cols = static_cast<int>(m);
  const auto inner = static_cast<int>(k);
  const Real alpha = 1;
  const Real beta = 0;  // with which C is not read
  const Status status =
      find<Gemm<Real>>(library_, function)(handle_, as_it_is, as_it_is, rows, cols, inner, &alpha,
                                           b, rows, a, std::max(inner, 1), &beta, c, rows);
  if (status != success) throw Error(fmt::format("{}: status {}", function, status));
}

void Cublas::multiply(const float* a, const float* b, float* c, std::size_t m, std::size_t n,
                      std::size_t k) const {
  gemm(gemm_f32, a, b, c, m, n, k);
}

void Cublas::multiply(const double* a, const double* b, double* c, std::size_t m, std::size_t n,
                      std::size_t k) const {
  gemm(gemm_f64, a, b, c, m, n, k);
}

const Cublas& cublas() {
  auto& the_one = of_this_process();
  if (!the_one) the_one = std::make_unique<Cublas>(cublas_files());
  return *the_one;
}

void use_cublas(const std::vector<std::string>& files) {
  of_this_process() = std::make_unique<Cublas>(files);
}

}  // namespace bench::cuda
