#include "harness/base/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace bench {
namespace {

/// Levenshtein's distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// What users of other programs type, and what it is called here.
struct Synonym {
  std::string_view typed;
  std::string_view here;
};

constexpr Synonym synonyms[] = {
    {"float", "f32"},
    {"float32", "f32"},
    {"single", "f32"},
    {"fp32", "f32"},
    {"double", "f64"},
    {"float16", "f16"},
    {"fp16", "f16"},
    {"half", "f16"},
    {"float64", "f64"},
    {"fp64", "f64"},
    {"uint32", "u32"},
    {"unsigned", "u32"},
    {"int16", "i16"},
    {"short", "i16"},
    {"gpu", "cuda"},
    {"nvidia", "cuda"},
    {"omp", "openmp"},
    {"tbb", "stdpar"},
    {"threads", "openmp"},
    {"sequential", "serial"},
    {"--gpu", "--backend cuda, or --device N"},
    {"--gpus", "--devices all"},
    {"--cuda", "--backend cuda"},
    {"--openmp", "--backend openmp"},
    {"--omp", "--backend openmp"},
    {"--serial", "--backend serial"},
    {"--cpu", "--backend serial,openmp"},
    {"--no-gpu", "--backend serial,openmp"},
    {"--no-cuda", "--backend serial,openmp"},
    {"--repeat", "--samples N, or --executions N"},
    {"--repeats", "--samples N, or --executions N"},
    {"--repetitions", "--samples N, or --executions N"},
    {"--reps", "--samples N, or --executions N"},
    {"--runs", "--samples N, or --executions N"},
    {"--iterations", "--samples N"},
    {"-n", "--samples N"},
    {"-r", "--samples N"},
    {"--time", "--max-time SECONDS"},
    {"--duration", "--max-time SECONDS"},
    {"--jobs", "--threads N"},
    {"--cores", "--threads N"},
    {"--cpus", "--threads N"},
    {"-j", "--threads N"},
    {"-t", "--threads N"},
    {"--elements", "--size N"},
    {"-s", "--size N"},
    {"--type", "--dtype TYPE"},
    {"--precision", "--dtype TYPE"},
    {"--double", "--dtype f64"},
    {"--float", "--dtype f32"},
    {"--language", "--lang LANG"},
    {"--json", "--format json"},
    {"-o", "--output FILE"},
    {"--out", "--output FILE"},
    {"-q", "--quiet"},
    {"-v", "bench --version"},
    {"-V", "bench --version"},
    {"-f", "--format FORMAT"},
    {"--silent", "--quiet"},
};

}  // namespace

std::string called_here(std::string_view typed, const std::vector<std::string>& known) {
  const auto is_known = [&](std::string_view name) {
    return std::find(known.begin(), known.end(), name.substr(0, name.find(' '))) != known.end();
  };
  if (is_known(typed)) return std::string(typed);
  for (const Synonym& one : synonyms) {
    if (one.typed == typed && is_known(one.here)) return std::string(one.here);
  }
  return "";
}

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
  if (const std::string here = called_here(typed, known); !here.empty()) return here;
  std::string best;
  // Farther than this it would be a guess, not a correction. Long input is not a typing error.
  constexpr std::size_t farthest = 2;
  std::size_t best_distance = typed.size() > 200 ? 0 : std::min(typed.size() / 2, farthest) + 1;
  // Of few characters all are counted: f16 is not a slip of i16.
  constexpr std::size_t few = 3;
  for (const std::string& name : known) {
    if (typed.size() <= few && !name.starts_with(typed.substr(0, 1))) continue;
    const std::size_t distance = edit_distance(typed.substr(0, 200), name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  const std::string near = nearest(typed, known);
  return near.empty() ? "" : " (did you mean " + near + "?)";
}

}  // namespace bench
