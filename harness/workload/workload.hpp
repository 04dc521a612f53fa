// What a workload gives to the harness: a table of facts (Workload) and, for one size and
// precision, a Problem: its arrays, its inputs, its reference and its variants. A Problem holds no
// data, so that the runner decides where arrays live.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/half.hpp"
#include "harness/base/names.hpp"
#include "harness/base/reason.hpp"
#include "harness/simd/isa.hpp"
#include "harness/workload/backend.hpp"
#include "harness/workload/numpy_random.hpp"
#include "harness/workload/shape.hpp"
#include "harness/workload/variant.hpp"

namespace bench {

/// `unknown`: a file of another program does not say it; no workload has it.
enum class Dtype { f32, f64, u32, i16, f16, unknown };
template <>
struct NamesOf<Dtype> {
  static constexpr std::array<std::pair<Dtype, std::string_view>, 5> all{{{Dtype::f32, "f32"},
                                                                          {Dtype::f64, "f64"},
                                                                          {Dtype::u32, "u32"},
                                                                          {Dtype::i16, "i16"},
                                                                          {Dtype::f16, "f16"}}};
};
std::size_t bytes_of(Dtype dtype);

/// What T is called, one of those.
template <class T>
constexpr Dtype dtype_of() {
  if (std::is_same_v<T, Half>) return Dtype::f16;
  if (std::is_floating_point_v<T>) return sizeof(T) == sizeof(float) ? Dtype::f32 : Dtype::f64;
  return std::is_signed_v<T> ? Dtype::i16 : Dtype::u32;
}
constexpr bool is_whole(Dtype dtype) { return dtype == Dtype::u32 || dtype == Dtype::i16; }

/// How large one array is, and what it holds.
struct ArraySpec {
  std::size_t count = 0;
  std::size_t element_bytes = 0;
  Dtype element = Dtype::f32;

  std::size_t bytes() const { return count * element_bytes; }
};
template <class T>
ArraySpec array_of(std::size_t count) {
  return {count, sizeof(T), dtype_of<T>()};
}

/// Which elements of an array are meant: all of them, or some.
class Elements {
 public:
  static Elements all(std::size_t count) { return {count, std::nullopt}; }
  static Elements some(std::vector<std::size_t> which) {
    const std::size_t count = which.size();
    return {count, std::move(which)};
  }

  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t k) const { return some_ ? (*some_)[k] : k; }
  bool are_all() const { return !some_; }

 private:
  Elements(std::size_t size, std::optional<std::vector<std::size_t>> some)
      : size_(size), some_(std::move(some)) {}

  std::size_t size_;
  std::optional<std::vector<std::size_t>> some_;
};

/// The reference result of some inputs, as kept() has it: null until it is computed.
using ReferenceResult = std::unique_ptr<std::byte[]>;

/// The arrays of one problem, wherever the backend has put them.
struct Arrays {
  std::vector<void*> inputs;
  void* result = nullptr;
  std::vector<void*> workspace{};
  /// Where check() may keep the reference result of these inputs; null: nowhere.
  ReferenceResult* kept = nullptr;
  /// Elements of the result of which check() does not take the kept reference, because only they
  /// are computed from inputs that have changed since; null: of none.
  const Elements* changed = nullptr;
  /// The result is of random numbers that the variant drew itself: only its probability is known.
  bool own_numbers = false;

  template <class T>
  const T* input(std::size_t i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <class T>
  T* mutable_input(std::size_t i) const {
    return static_cast<T*>(inputs[i]);
  }
  template <class T>
  T* output() const {
    return static_cast<T*>(result);
  }
  template <class T>
  T* work(std::size_t i) const {
    return static_cast<T*>(workspace[i]);
  }
};

/// A variant bound to a problem: calling `run` computes the problem once.
struct BoundVariant {
  std::string backend;
  std::string variant;
  std::string idea;
  std::function<void(const Arrays&)> run;
  std::size_t most_elements = any_size;  ///< as in Variant
  bool transfers = false;                ///< as in Variant
  /// A library routine that a user would call instead: shown next to the variants, never best and
  /// no bandwidth reference.
  bool library = false;
  bool wrong = false;  ///< as in Variant
  /// Calls the function at an address instead of the variant's own, whose signature it has.
  std::function<void(void* kernel, const Arrays&)> call{};
};

/// How much of a result still holds the poison.
enum class Unwritten { none, some, all };

/// What the check of one result against the reference found. `max_error` is in units of `metric`
/// and infinite where a result is not a number; `reason` is empty when passed.
struct Verdict {
  bool passed = false;
  std::string metric;
  double max_error = 0;
  double tolerance = 0;
  Reason reason;
  Unwritten unwritten = Unwritten::none;
  std::size_t left_out = 0;  ///< elements that still hold the poison
};

/// What a reference takes in addition to arrays and their sizes.
struct Parameter {
  const char* name;
  double value;
  double other;        ///< another value, with which every kernel is tried, too
  bool whole = false;  ///< a number of something: an int in Python
};

/// Inputs at an edge of a formula.
struct Edge {
  const char* where;                        ///< as in `wrong where x is negative`
  std::vector<std::vector<double>> inputs;  ///< each repeated over its array
};

class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  std::vector<ArraySpec> inputs;
  ArraySpec output;
  /// Neither input nor result: what variants keep between their steps. Its content is undefined
  /// before each run.
  std::vector<ArraySpec> workspace;
  std::vector<std::size_t> output_shape;  ///< as NumPy has it; empty: the output is a vector
  /// The same where inputs differ in it; empty: all have the problem's.
  std::vector<std::vector<std::size_t>> input_shapes;
  std::vector<Parameter> parameters;  ///< in the order of the kernel's arguments
  std::size_t bytes = 0;              ///< least bytes that one run must move to and from memory
  std::size_t flops = 0;  ///< operations of the formula, a function like sin counting as one

  /// The shape of an input; `own`: the problem's shape.
  const std::vector<std::size_t>& shape_of_input(std::size_t input,
                                                 const std::vector<std::size_t>& own) const {
    return input_shapes.empty() ? own : input_shapes[input];
  }
  /// Bytes of all arrays together.
  std::size_t footprint() const;
  /// Why this size cannot be computed at all; empty where it can.
  virtual Reason unsupported() const { return {}; }
  double parameter(std::size_t i) const { return parameters[i].value; }
  /// Inputs that random numbers do not reach, for which a kernel must be right, too.
  virtual std::vector<Edge> edges() const { return {}; }
  /// Fills the inputs, in host memory, with the course's data.
  virtual void generate(NumpyRandom random, const Arrays& arrays) const = 0;
  /// Compares these elements of the output, in host memory, with the reference in float64.
  virtual Verdict check(const Arrays& arrays, const Elements& elements) const = 0;
  Verdict check(const Arrays& arrays) const { return check(arrays, Elements::all(output.count)); }
  /// The element of this input that element i of the output is computed from. Nothing where it
  /// takes more of them: then a check looks at the whole output, whatever it is asked for.
  virtual std::optional<std::size_t> source(std::size_t i, std::size_t /*input*/) const {
    return i;
  }
  /// The first elements of the output as the reference has them; empty if it does not know.
  virtual std::vector<double> wanted(const Arrays& /*arrays*/, std::size_t /*count*/) const {
    return {};
  }
  /// The first elements of the output, a line each: the result, as text that reads back to the same
  /// number, its index, the inputs that it was computed from, and the reference result.
  std::string show(const Arrays& arrays, std::size_t most) const;
  /// Every variant of every backend, in teaching order.
  virtual std::vector<BoundVariant> rungs(simd::Isa isa) const = 0;
};

/// Why a result of 32 bits cannot count n elements (Problem::unsupported); empty where it can.
Reason beyond_32_bits(std::size_t n);

/// What most workloads are computed in.
inline constexpr Dtype reals[] = {Dtype::f32, Dtype::f64};

struct Workload {
  const char* name;
  const char* formula;
  const char* lesson = "";  ///< what it teaches with some others, together with which it is listed
  SizeFormat form;
  Shape tiny;
  Shape default_shape;  ///< named `default`
  Shape course;
  std::size_t max_bins = 0;
  bool takes_nan = false;  ///< NaN in the input is data like any other
  /// What moves data as this workload does, where copying says too little of the limit: measured
  /// next to it too. An arithmetic_reference where arithmetic is the limit.
  const Workload* nearer_reference = nullptr;
  /// Measured only where it is asked for: a first run must end soon, and a bandwidth reference has
  /// tables of its own only then.
  bool only_by_name = false;
  std::span<const Dtype> dtypes = reals;  ///< the first one is its default
  /// Moving its arrays is what limits it: else no bandwidth is shown with it, and a rate in place
  /// of GB/s.
  bool memory_bound = true;
  /// Its operations per second are what the arithmetic units can do, as a bandwidth reference's
  /// bytes are what memory can.
  bool arithmetic_reference = false;
  /// Its work grows with the square of its size: it is tried at smaller ones than others.
  bool quadratic = false;
  bool overlaps = true;              ///< has a CUDA variant that computes while its data arrive
  const char* own_inputs = nullptr;  ///< why it takes no files of the user's; null where it does
  std::unique_ptr<Problem> (*make)(Dtype, const Shape&);
};

/// A Workload's `make` for a problem template.
template <template <class> class P>
std::unique_ptr<Problem> make(Dtype dtype, const Shape& shape) {
  if (dtype == Dtype::f32) return std::make_unique<P<float>>(shape);
  return std::make_unique<P<double>>(shape);
}
/// The same, of one that there is in i16, too.
template <template <class> class P>
std::unique_ptr<Problem> make_narrow(Dtype dtype, const Shape& shape) {
  if (dtype == Dtype::i16) return std::make_unique<P<std::int16_t>>(shape);
  return make<P>(dtype, shape);
}

/// The variants of one backend, or library routines that a user of it would call.
template <class Kernel>
struct OfBackend {
  const Backend& backend;
  Ladder<Kernel> ladder;
  bool library = false;
};
constexpr bool by_library = true;

/// The variants of all ladders; `call` runs one kernel on given arrays. Every backend has the same
/// signature: a CUDA variant launches its kernel on arrays that are on the device.
template <class Kernel, class Call>
std::vector<BoundVariant> bind(std::initializer_list<OfBackend<Kernel>> ladders, Call call) {
  std::vector<BoundVariant> rungs;
  for (const auto& [of_file, ladder, library] : ladders) {
    const Backend& backend = is_elsewhere(of_file) ? *backends::of_cuda_files : of_file;
    for (std::size_t i = 0; i < ladder.size; ++i) {
      const Variant<Kernel>& variant = ladder.rungs[i];
      rungs.push_back(
          {std::string(backend.name), variant.name, variant.idea,
           [call, kernel = variant.kernel](const Arrays& arrays) { call(kernel, arrays); },
           variant.most_elements, variant.transfers, library, variant.wrong,
           [call](void* other, const Arrays& arrays) {
             call(reinterpret_cast<Kernel*>(other), arrays);
           }});
    }
  }
  return rungs;
}

/// Arrays of this many times a GPU's L2 cache leave nothing there that shows in a time: what is
/// left of the results at the end of a sample is never written within it.
constexpr double beyond_l2 = 8;

/// The default size, or the least of its multiples (2, 3 … 9, 10, 20 … 100 times;
/// rows and columns of a matrix 2, 4 … times) whose arrays are beyond an L2 cache of `l2_bytes`.
/// None whose arrays would take more than `most_bytes`.
Shape beyond_cache(const Workload& workload, std::size_t l2_bytes, std::size_t most_bytes);

/// The shape with its longer side halved until the arrays take at most `bytes`: strides and
/// proportions change as little as can be. Nothing where that leaves too little work per element of
/// the result (bins), or none at all.
std::optional<Shape> within_cache(const Workload& workload, Dtype dtype, Shape shape,
                                  std::size_t bytes);

/// A size from the command line: a name (`tiny`, `default`, `course`), a number of elements (`1e8`
/// too), RxC, or RxC:STEPS or MxNxK of a workload whose sizes are written so. Steps that are not
/// given are the default's; K that is not given is N. `bins` > 0 replaces the workload's own number
/// of bins.
/// Throws std::invalid_argument with a sentence for the user.
Shape parse_size(const Workload& workload, std::string_view text, std::size_t bins = 0);

/// A count as people write it: `1000`, `1e8`, `2.5e6`. Throws std::invalid_argument.
std::size_t parse_count(std::string_view text);

}  // namespace bench
