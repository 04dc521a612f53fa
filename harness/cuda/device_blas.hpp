// The matrix library of the device's vendor: cuBLAS, or rocBLAS. It is large and absent from many
// nodes: it is opened while the program runs and never linked. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/half.hpp"
#include "harness/base/reason.hpp"

namespace bench::cuda {

/// What a library calls its functions, whose arguments are the same in both, and where it is.
struct BlasNames {
  const char* library;
  const char* create;
  const char* destroy;
  const char* geam_f32;
  const char* geam_f64;
  const char* gemm_f32;
  const char* gemm_f64;
  const char* gemm_of_halves;  ///< of arguments whose types it is told
  bool takes_result;           ///< apart from C
  int f16;                     ///< numbers of types
  int f32;
  int sums_in_f32;
  int any_algorithm;
  int as_it_is;  ///< the operation on a matrix
  int transposed;
  const ReasonText& module;  ///< what to load where it is absent
  const char* file;
  std::vector<const char*> versions;   ///< the newest first
  std::vector<const char*> variables;  ///< of the environment: folders of the toolkit
  std::vector<const char*> folders;    ///< below these
  const char* usual;                   ///< the folder where it is found without them
};
extern const BlasNames cublas;
extern const BlasNames rocblas;
/// The names of the library of this program's device.
const BlasNames& names_of_device_blas();

/// The files that it may be, in the order in which they are tried: below the folders of the
/// toolkit, then where the loader looks. None for the stand-in, whose memory a real one cannot
/// read.
std::vector<std::string> device_blas_files();

class DeviceBlas {
 public:
  /// Opens the first of the files that works, on the current device. Never fails: see reason().
  explicit DeviceBlas(const std::vector<std::string>& files,
                      const BlasNames& names = names_of_device_blas());
  ~DeviceBlas();
  DeviceBlas(const DeviceBlas&) = delete;
  DeviceBlas& operator=(const DeviceBlas&) = delete;

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
  /// Sums are in f32.
  void multiply(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
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

  const BlasNames& names_;
  void* library_ = nullptr;
  void* handle_ = nullptr;
  Reason reason_;
};

/// The one of this process, opened at the first call.
const DeviceBlas& device_blas();

/// Makes device_blas() what these files are, for tests.
void use_device_blas(const std::vector<std::string>& files);

}  // namespace bench::cuda
