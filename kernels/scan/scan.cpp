#include "kernels/scan/scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::scan {
namespace {

/// A sum of real numbers that grows term by term, and that of their magnitudes.
template <class Real>
class Growing {
 public:
  using Wide = bench::Wider<Real>;

  void add(Real term) {
    sum_.add(term);
    magnitudes_ += std::abs(static_cast<Wide>(term));
    ++terms_;
  }
  void add(const Growing& others) {
    sum_.add(others.sum_);
    magnitudes_ += others.magnitudes_;
    terms_ += others.terms_;
  }
  Wide value() const { return sum_.template value<Wide>(); }

  static constexpr const char* metric = "eps";
  double tolerance() const { return bench::sum_tolerance<Real>(terms_); }
  double error(Real got) const {
    constexpr auto eps = static_cast<double>(std::numeric_limits<Real>::epsilon());
    return bench::scaled_error(got, value(), eps * static_cast<double>(magnitudes_));
  }

 private:
  bench::SumIn<Wide> sum_;
  Wide magnitudes_ = 0;
  std::size_t terms_ = 0;
};

/// The same of whole numbers, modulo 2³².
template <>
class Growing<Word> {
 public:
  void add(Word term) { sum_ += term; }
  void add(const Growing& others) { sum_ += others.sum_; }
  Word value() const { return sum_; }

  static constexpr const char* metric = "ulp";
  static double tolerance() { return 0; }
  double error(Word got) const { return std::abs(static_cast<double>(got) - sum_); }

 private:
  Word sum_ = 0;
};

template <class Real>
struct Problem final : bench::Problem {
  using Sum = Growing<Real>;
  static constexpr std::size_t piece = 4096;

  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Real>(n);
    workspace = {bench::array_of<double>(workspace_for(n)),
                 bench::array_of<Word>(workspace_for(n))};
    bytes = inputs[0].bytes() + output.bytes();
    flops = n;  // +
  }

  /// No number is negative: a sum that lacks some of them is too small by more than it may be.
  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    constexpr double most = std::is_integral_v<Real> ? 4'294'967'296 : 1;
    random.uniform(arrays.mutable_input<Real>(0), n, 0, most);
  }

  std::vector<bench::Edge> edges() const override {
    if (std::is_integral_v<Real>) {
      return {{"the sums pass 2^32", {{4'294'967'295, 1, 2'147'483'648, 3}}},
              {"all are zero", {{0}}}};
    }
    return {{"x is negative", {{-0.5, -3, 2, -0.125}}}, {"all are zero", {{0, -0.0}}}};
  }

  /// The sums before each piece, and after the last one.
  std::vector<Sum> sums_of_pieces(const Real* in) const {
    std::vector<Sum> before((n + piece - 1) / piece + 1);
#pragma omp parallel for schedule(static) if (n > bench::worth_a_team)
    for (std::size_t begin = 0; begin < n; begin += piece) {
      Sum mine;
      const std::size_t end = std::min(begin + piece, n);
      for (std::size_t i = begin; i < end; ++i) mine.add(in[i]);
      before[begin / piece + 1] = mine;
    }
    for (std::size_t k = 1; k < before.size(); ++k) {
      Sum all = before[k - 1];
      all.add(before[k]);
      before[k] = all;
    }
    return before;
  }

  static void look_at(Real got, std::size_t i, const Sum& want, bench::Findings& found) {
    if (got == static_cast<Real>(want.value())) return;  // a whole number may be the poison's
    if (bench::is_poison(got)) {
      found.note_unwritten(i);
    } else {
      found.note(i, want.error(got), want.tolerance());
    }
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    const auto* in = arrays.input<Real>(0);
    const auto* out = arrays.output<Real>();
    const std::vector<Sum> before = sums_of_pieces(in);
    bench::Findings all;
#pragma omp parallel if (n > bench::worth_a_team)
    {
      bench::Findings mine;
#pragma omp for schedule(static)
      for (std::size_t begin = 0; begin < n; begin += piece) {
        Sum sum = before[begin / piece];
        const std::size_t end = std::min(begin + piece, n);
        for (std::size_t i = begin; i < end; ++i) {
          sum.add(in[i]);
          look_at(out[i], i, sum, mine);
        }
      }
#pragma omp critical
      all.merge(mine);
    }
    const double most = before.back().tolerance();
    return bench::judge(all, bench::Elements::all(n), Sum::metric, most, [&](std::size_t i) {
      Sum want = before[i / piece];
      for (std::size_t k = i / piece * piece; k <= i; ++k) want.add(in[k]);
      return bench::describe_difference(
          static_cast<double>(out[i]), static_cast<double>(want.value()),
          std::is_integral_v<Real> ? 10 : std::numeric_limits<Real>::max_digits10,
          want.error(out[i]), Sum::metric, want.tolerance());
    });
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t count) const override {
    const auto* in = arrays.input<Real>(0);
    std::vector<double> sums;
    Sum sum;
    for (std::size_t i = 0; i < count; ++i) {
      sum.add(in[i]);
      sums.push_back(static_cast<double>(sum.value()));
    }
    return sums;
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = n](Kernel<Real>* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Real>(0), arrays.output<Real>(), n, arrays.work<double>(0),
             arrays.work<Word>(1));
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel<Real>>(
          {{bench::backends::serial, serial<Isa, Real>()},
           {bench::backends::openmp, openmp<Isa, Real>()},
           {bench::backends::cuda, cuda<Real>()},
           {bench::backends::cuda, library<Real>(), bench::by_library}},
          call);
    });
  }
};

constexpr bench::Dtype real_and_whole[] = {bench::Dtype::f32, bench::Dtype::f64, bench::Dtype::u32};

std::unique_ptr<bench::Problem> make(bench::Dtype dtype, const bench::Shape& shape) {
  if (dtype == bench::Dtype::u32) return std::make_unique<Problem<Word>>(shape);
  return bench::make<Problem>(dtype, shape);
}

}  // namespace

const bench::Workload workload{
    .name = "scan",
    .formula = "out[i] = x[0] + … + x[i]",
    .lesson = "order: each result needs all before it",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 1'000'000},
    .only_by_name = true,
    .dtypes = real_and_whole,
    .overlaps = false,
    .make = make,
};

}  // namespace kernels::scan
