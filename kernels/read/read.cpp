#include "kernels/read/read.hpp"

#include <cstring>

#include "harness/workload/verify.hpp"
#include "harness/workload/workload.hpp"

namespace kernels::read {
namespace {

template <class Real>
struct Problem final : bench::Problem {
  std::size_t n;

  explicit Problem(const bench::Shape& shape) : n(shape.elements()) {
    inputs = {bench::array_of<Real>(n)};
    output = bench::array_of<Word>(1);
    bytes = inputs[0].bytes();
  }

  std::size_t words() const { return inputs[0].bytes() / sizeof(Word); }

  void generate(bench::NumpyRandom random, const bench::Arrays& arrays) const override {
    random.uniform(arrays.mutable_input<Real>(0), n, 0, 1);
  }

  Word definition(const bench::Arrays& arrays) const {
    const auto* data = arrays.input<unsigned char>(0);
    Word expected = 0;
#pragma omp parallel for reduction(^ : expected) if (n > bench::worth_a_team)
    for (std::size_t i = 0; i < words(); ++i) {
      Word word = 0;
      std::memcpy(&word, data + i * sizeof word, sizeof word);
      expected ^= word;
    }
    return expected;
  }

  bench::Verdict check(const bench::Arrays& arrays, const bench::Elements&) const override {
    return bench::check_counts(arrays.output<Word>(), {definition(arrays)});
  }

  std::vector<double> wanted(const bench::Arrays& arrays, std::size_t) const override {
    return {static_cast<double>(definition(arrays))};
  }

  std::optional<std::size_t> source(std::size_t, std::size_t) const override { return {}; }

  std::vector<bench::BoundVariant> rungs(bench::simd::Isa isa) const override {
    const auto call = [n = words()](Kernel* kernel, const bench::Arrays& arrays) {
      kernel(arrays.input<Word>(0), n, arrays.output<Word>());
    };
    return bench::simd::with(isa, [&]<class Isa>() {
      return bench::bind<Kernel>({{bench::backends::serial, serial<Isa, Real>()},
                                  {bench::backends::openmp, openmp<Isa, Real>()},
                                  {bench::backends::cuda, cuda<Real>()},
                                  {bench::backends::cuda, library<Real>(), bench::by_library}},
                                 call);
    });
  }
};

}  // namespace

const bench::Workload workload{
    .name = "read",
    .formula = "out = in[0] ⊕ in[1] ⊕ …, the bits of the input",
    .lesson = "bandwidth: what moving the data takes",
    .form = bench::SizeFormat::vector,
    .tiny = {.cols = 1'000},
    .default_shape = {.cols = 10'000'000},
    .course = {.cols = 100'000'000},
    .takes_nan = true,
    .only_by_name = true,
    .make = bench::make<Problem>,
};

}  // namespace kernels::read
