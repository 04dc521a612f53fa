// NumPy's .npy files: the user's data on the way in, a variant's result on the way out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/workload/workload.hpp"

namespace bench {

/// `4096x512`
std::string shape_text(const std::vector<std::size_t>& shape);

/// What the header of a .npy file says, as far as we take it.
struct NpyHeader {
  Dtype dtype = Dtype::f32;
  std::vector<std::size_t> shape;  ///< one or two numbers
  std::size_t data_begin = 0;      ///< offset of the first element in the file

  std::size_t elements() const;
};

/// Reads the header from the first bytes of a file of `file_bytes`. Versions 1 to 3 of the format,
/// float32, float64 or int16, little-endian, C order, one or two dimensions. Throws
/// std::invalid_argument, saying what was found and what is wanted, for everything else.
NpyHeader parse_npy_header(std::string_view begin, std::uint64_t file_bytes);

/// An array in a file that is open for reading. Its data are read when they are asked for, with
/// pread and not through a mapping: a file that shrinks meanwhile is then an error and no signal.
class NpyFile {
 public:
  /// Throws std::invalid_argument, naming the file, for a file that is not a usable array.
  explicit NpyFile(std::filesystem::path path);
  ~NpyFile();
  NpyFile(const NpyFile&) = delete;
  NpyFile& operator=(const NpyFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  Dtype dtype() const { return header_.dtype; }
  const std::vector<std::size_t>& shape() const { return header_.shape; }
  std::size_t dimensions() const { return header_.shape.size(); }
  std::size_t rows() const { return dimensions() == 2 ? header_.shape[0] : 1; }
  std::size_t cols() const { return header_.shape.back(); }
  std::size_t elements() const { return header_.elements(); }

  /// Copies bytes [begin, begin + bytes) of the data. Throws std::runtime_error where the file has
  /// changed or cannot be read.
  void copy_to(void* destination, std::size_t begin, std::size_t bytes) const;

 private:
  std::filesystem::path path_;
  int file_ = -1;
  NpyHeader header_;
};

/// Writes an array so that the file appears complete or not at all. Throws std::runtime_error,
/// naming the file.
void write_npy(const std::filesystem::path& path, Dtype element,
               const std::vector<std::size_t>& shape, const void* data);

}  // namespace bench
