// The user's own data instead of generated inputs: one .npy file per input array.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan/npy.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// What a result file says of a file.
struct InputFile {
  std::string path;
  std::vector<std::size_t> shape;
  Dtype dtype = Dtype::f32;
  std::string hash;

  bool operator==(const InputFile&) const = default;
};

class InputFiles {
 public:
  /// Opens the files and reads them once, for their hashes. Throws std::invalid_argument, with a
  /// sentence for the user, for a file that is not a usable array, or where the arrays differ in
  /// precision.
  explicit InputFiles(const std::vector<std::string>& paths);

  Dtype dtype() const;
  /// The shape that a problem of `workload` has on these arrays; `bins` as in parse_size. Throws
  /// std::invalid_argument where they do not fit it: wrong number of arrays, wrong shapes, or NaN.
  Shape shape_for(const Workload& workload, std::size_t bins = 0) const;
  /// Reads array i. Throws std::runtime_error where the file has changed meanwhile.
  void load(std::size_t i, void* destination) const;

  /// The files as names have them: `a.npy`, `a.npy+b.npy`.
  std::string label() const;
  std::vector<InputFile> facts() const;

 private:
  struct Array {
    std::unique_ptr<NpyFile> file;
    std::string hash;
    std::size_t first_nan;  ///< the number of elements where there is none
  };
  void refuse_other_shapes(const Workload& workload, const Shape& shape) const;
  template <class Real>
  static Array scanned(std::unique_ptr<NpyFile> file);

  std::vector<Array> arrays_;
};

}  // namespace bench
