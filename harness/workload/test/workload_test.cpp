#include "harness/workload/workload.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

std::string refusal(const std::string& text) {
  return message_of<std::invalid_argument>([&] { parse_count(text); });
}

TEST(ParseCount, ReadsNumbersAsPeopleWriteThem) {
  const std::map<std::string, std::size_t> right{{"0", 0},
                                                 {"1", 1},
                                                 {"007", 7},
                                                 {"1000000", 1'000'000},
                                                 {"1e8", 100'000'000},
                                                 {"1E3", 1000},
                                                 {"2.5e6", 2'500'000},
                                                 {"1.0", 1},
                                                 {"1e15", 1'000'000'000'000'000},
                                                 {"-0", 0},
                                                 {"0.5e1", 5}};
  for (const auto& [text, value] : right) EXPECT_EQ(parse_count(text), value) << text;
  EXPECT_EQ(parse_count("18446744073709551615"), std::numeric_limits<std::size_t>::max());
}

TEST(ParseCount, SaysWhatIsWrong) {
  for (const char* text : {"", "abc", "1x", "x", "0x", "0x10", "1e", "1,5", " 1", "1 ", "+1", "--1",
                           "1_000", "nan", "NaN", "1e5e5", "1.2.3", "é"}) {
    EXPECT_EQ(refusal(text),
              "'" + std::string(text) + "' is not a number; write for example 1000000 or 1e6");
  }
  for (const char* text : {"1e400", "1e16", "18446744073709551616", "inf", "Infinity"}) {
    EXPECT_EQ(refusal(text), "'" + std::string(text) + "' is too large; at most 1e15");
  }
  for (const char* text : {"-1", "-1e9", "-0.5", "-inf"}) {
    EXPECT_EQ(refusal(text), "'" + std::string(text) + "' is negative; give a positive number");
  }
  for (const char* text : {"1.5", "2.55e1", "1e-3", "1e-400"}) {
    EXPECT_EQ(refusal(text), "'" + std::string(text) + "' is not a whole number");
  }
}

TEST(ParseCount, SurvivesVeryLongText) {
  expect_contains(refusal(std::string(1'000'000, '9')), "' is too large");
  expect_contains(refusal(std::string(1'000'000, 'a')), "' is not a number");
  EXPECT_EQ(parse_count(std::string(100'000, '0') + "5"), 5U);
}

// twice: 8 bytes per element, 1000 of them; turning: as many.
TEST(DefaultShape, IsBeyondTheL2CacheOfADevice) {
  constexpr std::size_t room = 1'000'000;
  EXPECT_EQ(beyond_cache(twice, 0, room), twice.default_shape);
  EXPECT_EQ(beyond_cache(twice, 1'000, room), twice.default_shape) << "exactly";
  EXPECT_EQ(beyond_cache(twice, 1'001, room), (Shape{1, 2'000, 0}));
  EXPECT_EQ(beyond_cache(twice, 2'001, room), (Shape{1, 3'000, 0}));
  EXPECT_EQ(beyond_cache(twice, 10'001, room), (Shape{1, 11'000, 0}));
  EXPECT_EQ(beyond_cache(twice, 20'001, room), (Shape{1, 30'000, 0}));
  EXPECT_EQ(beyond_cache(counting, 10'000, room).bins, counting.default_shape.bins);
  const Shape& square = turning.default_shape;
  const std::size_t bytes = turning.make(Dtype::f32, square)->footprint();
  EXPECT_EQ(beyond_cache(turning, bytes / 2, 100 * bytes),
            (Shape{2 * square.rows, 2 * square.cols, 0}));
  EXPECT_EQ(beyond_cache(turning, bytes, 100 * bytes),
            (Shape{4 * square.rows, 4 * square.cols, 0}));
}

TEST(DefaultShape, StaysWhereThereIsRoom) {
  EXPECT_EQ(beyond_cache(twice, 10'000, 23'999), (Shape{1, 2'000, 0}));
  EXPECT_EQ(beyond_cache(twice, 10'000, 0), twice.default_shape);
}

TEST(WithinCache, HalvesTheLongerSide) {
  const auto within = [](const Workload& workload, Shape shape, std::size_t bytes) {
    return within_cache(workload, Dtype::f32, shape, bytes);
  };
  EXPECT_EQ(within(twice, {1, 1000, 0}, 8'000), (Shape{1, 1000, 0})) << "fits as it is";
  EXPECT_EQ(within(twice, {1, 1000, 0}, 7'999), (Shape{1, 500, 0}));
  EXPECT_EQ(within(twice, {1, 1000, 0}, 7), std::nullopt);
  EXPECT_EQ(within(twice, {1, 1000, 0}, 0), std::nullopt) << "unknown";
  EXPECT_EQ(within(turning, {64, 16, 0}, 8 * 16 * 16), (Shape{16, 16, 0}));
  EXPECT_EQ(within(turning, {64, 16, 0}, 8 * 16 * 8), (Shape{16, 8, 0}));
}

TEST(WithinCache, LeavesWorkForEachBin) {
  const std::size_t bytes = counting.make(Dtype::f32, {1, 640, 20})->footprint();
  EXPECT_EQ(within_cache(counting, Dtype::f32, {1, 1280, 20}, bytes), (Shape{1, 640, 20}));
  EXPECT_EQ(within_cache(counting, Dtype::f32, {1, 1280, 20}, bytes - 1), std::nullopt);
}

TEST(ParseSize, KnowsTheNamedSizes) {
  EXPECT_EQ(parse_size(twice, "tiny"), twice.tiny);
  EXPECT_EQ(parse_size(twice, "default"), twice.default_shape);
  EXPECT_EQ(parse_size(twice, "course"), twice.course);
  EXPECT_EQ(parse_size(turning, "course"), turning.course);
  EXPECT_EQ(parse_size(counting, "course"), counting.course);
}

TEST(ParseSize, OfVectorsIsANumberOfElements) {
  EXPECT_EQ(parse_size(twice, "1e3"), (Shape{1, 1000, 0}));
  EXPECT_EQ(parse_size(twice, "30x40"), (Shape{1, 1200, 0}));
  EXPECT_EQ(parse_size(twice, "0"), (Shape{1, 0, 0}));
  EXPECT_EQ(parse_size(twice, "100", 7), (Shape{1, 100, 0})) << "bins mean nothing here";
}

TEST(ParseSize, OfMatricesIsTheSideOfTheLargestSquare) {
  const std::map<std::string, std::size_t> sides{{"0", 0},
                                                 {"1", 1},
                                                 {"2", 1},
                                                 {"3", 1},
                                                 {"4", 2},
                                                 {"99", 9},
                                                 {"100", 10},
                                                 {"101", 10},
                                                 {"1e8", 10'000},
                                                 {"99999999", 9'999},
                                                 {"1e15", 31'622'776}};
  for (const auto& [text, side] : sides) {
    EXPECT_EQ(parse_size(turning, text), (Shape{side, side, 0})) << text;
  }
  EXPECT_EQ(parse_size(turning, "3x5"), (Shape{3, 5, 0}));
  EXPECT_EQ(parse_size(turning, "1e3x2"), (Shape{1000, 2, 0}));
  EXPECT_EQ(parse_size(turning, "0x5"), (Shape{0, 5, 0}));
  EXPECT_EQ(parse_size(turning, "5x0"), (Shape{5, 0, 0}));
}

TEST(ParseSize, BinsAreTheWorkloadsOwnUnlessGiven) {
  EXPECT_EQ(parse_size(counting, "50").bins, 16U);
  EXPECT_EQ(parse_size(counting, "tiny").bins, 3U);
  EXPECT_EQ(parse_size(counting, "tiny", 9).bins, 9U);
  EXPECT_EQ(parse_size(counting, "50", 100).bins, 100U);
  const auto too_many = [] { parse_size(counting, "50", 101); };
  EXPECT_EQ(message_of<std::invalid_argument>(too_many),
            "--bins: 101 are too many for counting: at most 100");
}

Workload like_turning(SizeFormat form) {
  Workload one = turning;
  one.form = form;
  one.default_shape.steps = 8;
  return one;
}

TEST(ParseSize, OfSteppedWorkloadsHasTheirNumber) {
  const Workload heat = like_turning(SizeFormat::stepped);
  EXPECT_EQ(parse_size(heat, "3x5:7"), (Shape{3, 5, 0, 7}));
  EXPECT_EQ(parse_size(heat, "3x5:0"), (Shape{3, 5, 0, 0}));
  EXPECT_EQ(parse_size(heat, "3x5"), (Shape{3, 5, 0, 8})) << "the default's";
  EXPECT_EQ(parse_size(heat, "101:1e2"), (Shape{10, 10, 0, 100}));
  for (const char* text : {"3x5:", "3x5:x", ":3", "3x5:1:2", "3x5x7", "3x5:-1"}) {
    EXPECT_THROW(parse_size(heat, text), std::invalid_argument) << text;
  }
  EXPECT_EQ(message_of<std::invalid_argument>([] { parse_size(turning, "3x5:7"); }),
            "'3x5:7' has a number behind the colon; turning takes none");
}

TEST(ParseSize, OfProductsHasThreeSides) {
  const Workload product = like_turning(SizeFormat::product);
  EXPECT_EQ(parse_size(product, "3x5x4"), (Shape{3, 5, 0, 0, 4}));
  EXPECT_EQ(parse_size(product, "3x5"), (Shape{3, 5, 0, 0, 5})) << "K is N";
  EXPECT_EQ(parse_size(product, "101"), (Shape{10, 10, 0, 0, 10}));
  for (const char* text : {"3x5x", "3xx5", "3x5x7x2", "3x5x1e16", "1x1e8x1e8"}) {
    EXPECT_THROW(parse_size(product, text), std::invalid_argument) << text;
  }
  EXPECT_EQ(message_of<std::invalid_argument>([] { parse_size(turning, "3x5x4"); }),
            "'3x5x4' has 3 sides; turning takes at most 2");
}

TEST(ParseSize, RefusesWhatNoProductOfSizesMaySee) {
  for (const char* text :
       {"18446744073709551615", "1000000000000001", "1e15x2", "2x1e15", "40000000x40000000",
        "18446744073709551615x0", "4294967296x4294967296"}) {
    for (const Workload* workload : registry()) {
      const auto parse = [&] { parse_size(*workload, text); };
      EXPECT_EQ(message_of<std::invalid_argument>(parse),
                "'" + std::string(text) + "' is too large; at most 1e15");
    }
  }
  for (const char* text :
       {"", "abc", "x", "3x", "x3", "0x", "3x3x3", "-1", "1e400", "3x-1", "TINY"}) {
    EXPECT_THROW(parse_size(turning, text), std::invalid_argument) << text;
    EXPECT_THROW(parse_size(twice, text), std::invalid_argument) << text;
  }
}

TEST(Label, CarriesTheWholeShape) {
  EXPECT_EQ(label(SizeFormat::vector, {1, 1'000'000, 0}), "1000000");
  EXPECT_EQ(label(SizeFormat::binned, {1, 1'000'000, 256}), "1000000:256");
  EXPECT_EQ(label(SizeFormat::matrix, {3, 5, 0}), "3x5");
  EXPECT_EQ(label(SizeFormat::stepped, {3, 5, 0, 7}), "3x5:7");
  EXPECT_EQ(label(SizeFormat::product, {3, 5, 0, 0, 4}), "3x5x4");
}

TEST(Label, IsWhatSidesAndCountsSay) {
  for (const auto& [form, shape] : {std::pair{SizeFormat::vector, Shape{1, 7}},
                                    {SizeFormat::binned, Shape{1, 7, 3}},
                                    {SizeFormat::matrix, Shape{2, 7}},
                                    {SizeFormat::stepped, Shape{2, 7, 0, 3}},
                                    {SizeFormat::product, Shape{2, 7, 0, 0, 3}}}) {
    Case one;
    one.take(form, shape);
    EXPECT_EQ(one.size, label(form, shape));
    EXPECT_EQ(one.elements, shape.elements());
    EXPECT_EQ(one.shape_of_problem(), shape) << one.size;
  }
}

TEST(Label, ReadsBackToTheSameShape) {
  for (const char* text : {"0", "1", "7", "1000", "12345678"}) {
    for (const Workload* workload : {&twice, &turning}) {
      const Shape shape = parse_size(*workload, text);
      EXPECT_EQ(parse_size(*workload, label(workload->form, shape)), shape);
    }
  }
}

TEST(Problem, FootprintIsTheSumOfAllArrays) {
  EXPECT_EQ(TwiceProblem({.cols = 100}).footprint(), 800U);
  EXPECT_EQ(CountProblem({.cols = 100, .bins = 3}).footprint(), 412U);
  EXPECT_EQ(bytes_of(Dtype::f32), 4U);
  EXPECT_EQ(bytes_of(Dtype::f64), 8U);
  EXPECT_EQ(name_of(Dtype::f32), "f32");
  EXPECT_EQ(name_of(Dtype::f64), "f64");
}

TEST(Problem, ShowsAtLeastSevenDigitsThatReadBack) {
  const CopyProblem problem({.cols = 7});
  std::vector<float> output{
      0, 0.1F, 16777216, 1.5e-30F, -2.25F, 1.0F / 3, std::numeric_limits<float>::infinity()};
  std::vector<float> input(7, 3);
  const Arrays arrays{{input.data()}, output.data()};
  std::istringstream lines(problem.show(arrays, 100));
  std::vector<std::string> results;
  for (std::string line; std::getline(lines, line);) {
    const std::string start = "[" + std::to_string(results.size()) + "]  of 3.000000  result ";
    ASSERT_TRUE(line.starts_with(start)) << line;
    results.push_back(line.substr(start.size()));
  }
  ASSERT_EQ(results.size(), 7U);
  EXPECT_EQ(results[0], "0.000000");
  EXPECT_EQ(results[1], "0.1000000");
  EXPECT_EQ(results[4], "-2.250000");
  EXPECT_EQ(results[6], "inf");
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(std::stof(results[i]), output[i]) << results[i];
}

TEST(Bind, KeepsTheTeachingOrderOfAllLadders) {
  using Kernel = int(int);
  static constexpr Variant<Kernel> serial[] = {{"naive", "a", [](int x) { return x; }},
                                               {"better", "b", [](int x) { return 2 * x; }}};
  static constexpr Variant<Kernel> openmp[] = {{"naive", "c", [](int x) { return 3 * x; }}};
  static constexpr Variant<Kernel> cuda[] = {{"slow", "d", [](int x) { return 4 * x; }, 1000},
                                             {"wide", "e", [](int x) { return 5 * x; }}};
  int got = 0;
  const auto rungs =
      bind<Kernel>({{backends::serial, serial}, {backends::openmp, openmp}, {backends::cuda, cuda}},
                   [&got](Kernel* kernel, const Arrays&) { got = kernel(7); });
  ASSERT_EQ(rungs.size(), 5U);
  const std::vector<std::string> names{"serial/naive/a", "serial/better/b", "openmp/naive/c",
                                       "cuda/slow/d", "cuda/wide/e"};
  const std::vector<int> results{7, 14, 21, 28, 35};
  EXPECT_EQ(rungs[3].most_elements, 1000U);
  EXPECT_EQ(rungs[4].most_elements, 0U);
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    EXPECT_EQ(rungs[i].backend + "/" + rungs[i].variant + "/" + rungs[i].idea, names[i]);
    rungs[i].run({});
    EXPECT_EQ(got, results[i]);
  }
}

TEST(Bind, LibrariesAreMarkedAndEmptyLaddersAddNothing) {
  using Kernel = int(int);
  static constexpr Variant<Kernel> ours[] = {{"naive", "a", [](int x) { return x; }}};
  static constexpr Variant<Kernel> others[] = {{"library", "b", [](int x) { return -x; }, 10}};
  const Ladder<Kernel> ladder(ours);
  int got = 0;
  const auto call = [&got](Kernel* kernel, const Arrays&) { got = kernel(7); };
  const auto rungs = bind<Kernel>({{backends::serial, ladder},
                                   {backends::serial, others, by_library},
                                   {backends::openmp, ladder},
                                   {backends::cuda, ladder},
                                   {backends::cuda, {}},
                                   {backends::cuda, others, by_library}},
                                  call);
  std::vector<std::string> names;
  for (const BoundVariant& rung : rungs) {
    names.push_back(rung.backend + "/" + rung.variant);
    EXPECT_EQ(rung.library, rung.variant == "library");
  }
  EXPECT_EQ(names, (std::vector<std::string>{"serial/naive", "serial/library", "openmp/naive",
                                             "cuda/naive", "cuda/library"}));
  EXPECT_EQ(rungs.back().most_elements, 10U);
  rungs.back().run({});
  EXPECT_EQ(got, -7);
}

}  // namespace
}  // namespace bench::test
