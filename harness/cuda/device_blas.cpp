#include "harness/cuda/device_blas.hpp"

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

// ---- what cublas_v2.h and rocblas.h declare ----

using Status = int;
constexpr Status success = 0;

template <class Real>
using Geam = Status(void* handle, int op_a, int op_b, int rows, int cols, const Real* alpha,
                    const Real* a, int lda, const Real* beta, const Real* b, int ldb, Real* c,
                    int ldc);
template <class Real>
using Gemm = Status(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                    const Real* alpha, const Real* a, int lda, const Real* b, int ldb,
                    const Real* beta, Real* c, int ldc);

using GemmOfCublas = Status(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                            const void* alpha, const void* a, int type_a, int lda, const void* b,
                            int type_b, int ldb, const void* beta, void* c, int type_c, int ldc,
                            int computed_in, int algorithm);
using GemmOfRocblas = Status(void* handle, int op_a, int op_b, int rows, int cols, int inner,
                             const void* alpha, const void* a, int type_a, int lda, const void* b,
                             int type_b, int ldb, const void* beta, const void* c, int type_c,
                             int ldc, void* d, int type_d, int ldd, int computed_in, int algorithm,
                             int solution, unsigned flags);

// ----

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

/// Never destroyed: when this program's own objects go, those of the library are gone.
std::unique_ptr<DeviceBlas>& of_this_process() {
  static auto& the_one = *new std::unique_ptr<DeviceBlas>;
  return the_one;
}

}  // namespace

const BlasNames cublas{.library = "cuBLAS",
                       .create = "cublasCreate_v2",
                       .destroy = "cublasDestroy_v2",
                       .geam_f32 = "cublasSgeam",
                       .geam_f64 = "cublasDgeam",
                       .gemm_f32 = "cublasSgemm_v2",
                       .gemm_f64 = "cublasDgemm_v2",
                       .gemm_of_halves = "cublasGemmEx",
                       .takes_result = false,
                       .f16 = 2,
                       .f32 = 0,
                       .sums_in_f32 = 68,
                       .any_algorithm = -1,
                       .as_it_is = 0,
                       .transposed = 1,
                       .module = reasons::cuda_module,
                       .file = "libcublas",
                       .versions = {"13", "12", "11"},
                       .variables = {"CUDA_HOME", "CUDA_PATH"},
                       .folders = {"lib64", "lib", "targets/x86_64-linux/lib"},
                       .usual = "/usr/local/cuda/lib64"};
const BlasNames rocblas{.library = "rocBLAS",
                        .create = "rocblas_create_handle",
                        .destroy = "rocblas_destroy_handle",
                        .geam_f32 = "rocblas_sgeam",
                        .geam_f64 = "rocblas_dgeam",
                        .gemm_f32 = "rocblas_sgemm",
                        .gemm_f64 = "rocblas_dgemm",
                        .gemm_of_halves = "rocblas_gemm_ex",
                        .takes_result = true,
                        .f16 = 150,
                        .f32 = 151,
                        .sums_in_f32 = 151,
                        .any_algorithm = 0,
                        .as_it_is = 111,
                        .transposed = 112,
                        .module = reasons::rocm_module,
                        .file = "librocblas",
                        .versions = {"5", "4", "3", "0"},
                        .variables = {"ROCM_PATH"},
                        .folders = {"lib"},
                        .usual = "/opt/rocm/lib"};

const BlasNames& names_of_device_blas() {
#if defined(BENCH_WITH_HIP)
  return rocblas;
#else
  return cublas;
#endif
}

std::vector<std::string> device_blas_files() {
  std::vector<std::string> files;
#if defined(BENCH_WITH_CUDA) || defined(BENCH_WITH_HIP)
  const BlasNames& names = names_of_device_blas();
  for (const char* const version : names.versions) {
    const auto file = fmt::format("{}.so.{}", names.file, version);
    for (const char* const variable : names.variables) {
      const char* const home = std::getenv(variable);
      if (home == nullptr) continue;
      for (const char* const folder : names.folders) {
        files.push_back(fmt::format("{}/{}/{}", home, folder, file));
      }
    }
    files.push_back(file);
    files.push_back(fmt::format("{}/{}", names.usual, file));
  }
#endif
  return files;
}

DeviceBlas::DeviceBlas(const std::vector<std::string>& files, const BlasNames& names)
    : names_(names) {
  reason_ =
      said<reasons::device_blas_not_here>(std::string(names.library), Reason(names.module, {}));
  const bool opened =
      std::any_of(files.begin(), files.end(), [this](const auto& file) { return open(file); });
  if (opened) reason_ = {};
}

DeviceBlas::~DeviceBlas() { close(); }

/// False where the file is not there, or is not a library that works here: then the reason says so.
bool DeviceBlas::open(const std::string& file) {
  library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    const std::string error = dlerror();
    if (!error.starts_with(file))
      reason_ = said<reasons::device_blas_not_opened>(std::string(names_.library), error);
    return false;
  }
  for (const char* const name : {names_.create, names_.destroy, names_.geam_f32, names_.geam_f64,
                                 names_.gemm_f32, names_.gemm_f64, names_.gemm_of_halves}) {
    if (dlsym(library_, name) != nullptr) continue;
    reason_ =
        said<reasons::device_blas_lacks>(std::string(names_.library), file, std::string(name));
    close();
    return false;
  }
  const Status status = find<Status(void**)>(library_, names_.create)(&handle_);
  if (status == success) return true;
  reason_ = said<reasons::device_blas_does_not_start>(std::string(names_.library), file, status);
  handle_ = nullptr;
  close();
  return false;
}

void DeviceBlas::close() {
  if (library_ == nullptr) return;
  if (handle_ != nullptr) find<Status(void*)>(library_, names_.destroy)(handle_);
  dlclose(library_);
  library_ = handle_ = nullptr;
}

void DeviceBlas::require_it(std::size_t longest) const {
  if (!reason_.empty()) throw Unavailable(reason_);
  if (longest > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Unavailable(said<reasons::device_blas_in_32_bits>(std::string(names_.library)));
  }
}

/// A row-major matrix is the transposed column-major one, which is what a BLAS knows: its result
/// has `rows` rows, and the input's columns are our rows.
template <class Real>
void DeviceBlas::geam(const char* function, const Real* in, Real* out, std::size_t rows,
                      std::size_t cols) const {
  require_it(std::max(rows, cols));
  if (rows == 0 || cols == 0) return;
  const auto m = static_cast<int>(rows);
  const auto n = static_cast<int>(cols);
  const Real alpha = 1;
  const Real beta = 0;  // with which the second matrix is not read
  const Status status = find<Geam<Real>>(library_, function)(
      handle_, names_.transposed, names_.as_it_is, m, n, &alpha, in, n, &beta, out, m, out, m);
  if (status != success) throw Error(fmt::format("{}: status {}", function, status));
}

void DeviceBlas::transpose(const float* in, float* out, std::size_t rows, std::size_t cols) const {
  geam(names_.geam_f32, in, out, rows, cols);
}

void DeviceBlas::transpose(const double* in, double* out, std::size_t rows,
                           std::size_t cols) const {
  geam(names_.geam_f64, in, out, rows, cols);
}

/// A BLAS takes our matrices for the transposed ones, so it computes Cᵀ = Bᵀ·Aᵀ.
template <class Real>
void DeviceBlas::gemm(const char* function, const Real* a, const Real* b, Real* c, std::size_t m,
                      std::size_t n, std::size_t k) const {
  require_it(std::max({m, n, k}));
  if (m == 0 || n == 0) return;
  const auto rows = static_cast<int>(n);
  const auto cols = static_cast<int>(m);
  const auto inner = static_cast<int>(k);
  const Real alpha = 1;
  const Real beta = 0;  // with which C is not read
  const Status status = find<Gemm<Real>>(library_, function)(
      handle_, names_.as_it_is, names_.as_it_is, rows, cols, inner, &alpha, b, rows, a,
      std::max(inner, 1), &beta, c, rows);
  if (status != success) throw Error(fmt::format("{}: status {}", function, status));
}

void DeviceBlas::multiply(const float* a, const float* b, float* c, std::size_t m, std::size_t n,
                          std::size_t k) const {
  gemm(names_.gemm_f32, a, b, c, m, n, k);
}

void DeviceBlas::multiply(const double* a, const double* b, double* c, std::size_t m, std::size_t n,
                          std::size_t k) const {
  gemm(names_.gemm_f64, a, b, c, m, n, k);
}

void DeviceBlas::multiply(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
                          std::size_t k) const {
  require_it(std::max({m, n, k}));
  if (m == 0 || n == 0) return;
  const auto rows = static_cast<int>(n);
  const auto cols = static_cast<int>(m);
  const auto inner = static_cast<int>(k);
  const float alpha = 1;
  const float beta = 0;  // with which C is not read
  const int of_a = std::max(inner, 1);
  const int as_it_is = names_.as_it_is;
  const int f16 = names_.f16;
  const int f32 = names_.f32;
  const Status status =
      names_.takes_result
          ? find<GemmOfRocblas>(library_, names_.gemm_of_halves)(
                handle_, as_it_is, as_it_is, rows, cols, inner, &alpha, b, f16, rows, a, f16, of_a,
                &beta, c, f32, rows, c, f32, rows, names_.sums_in_f32, names_.any_algorithm, 0, 0)
          : find<GemmOfCublas>(library_, names_.gemm_of_halves)(
                handle_, as_it_is, as_it_is, rows, cols, inner, &alpha, b, f16, rows, a, f16, of_a,
                &beta, c, f32, rows, names_.sums_in_f32, names_.any_algorithm);
  if (status != success) throw Error(fmt::format("{}: status {}", names_.gemm_of_halves, status));
}

const DeviceBlas& device_blas() {
  auto& the_one = of_this_process();
  if (!the_one) the_one = std::make_unique<DeviceBlas>(device_blas_files());
  return *the_one;
}

void use_device_blas(const std::vector<std::string>& files) {
  of_this_process() = std::make_unique<DeviceBlas>(files);
}

}  // namespace bench::cuda
