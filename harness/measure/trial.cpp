#include "harness/measure/trial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "harness/base/reason.hpp"
#include "harness/base/reasons.hpp"
#include "harness/measure/host_place.hpp"

namespace bench {
namespace {

constexpr std::uint32_t other_seed = 7;

/// Neither a multiple of a block, nor of a warp, nor of a wide access.
constexpr std::size_t odd = 1013;

/// Shapes that fill no block. The numbers of blocks of matrices differ in both directions, whatever
/// of 8 to 128 a block has.
std::vector<Shape> odd_shapes(const Workload& workload, const std::vector<std::size_t>& bins) {
  if (has_rows(workload.form)) {
    std::vector<Shape> all{{37, 131}, {131, 37}, {1, 7}, {7, 1}, {1, 1}};
    // Other numbers of steps, odd and even ones: an array that is exchanged too often shows. Ten
    // are more than most kernels take at a time.
    constexpr std::size_t steps[] = {3, 10, 4, 1, 1};
    constexpr std::size_t inner[] = {61, 17, 5, 3, 1};
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (workload.form == SizeFormat::stepped) all[i].steps = steps[i];
      if (workload.form == SizeFormat::product) all[i].inner = inner[i];
    }
    if (workload.form == SizeFormat::stepped) {
      all.push_back({37, 131, 0, 0});
      all.push_back({19, 17, 0, 1});
    }
    return all;
  }
  const std::size_t usual = workload.tiny.bins;
  std::vector<Shape> all{{.cols = odd, .bins = usual}};
  for (const std::size_t few : {7U, 1U}) all.push_back({.cols = few, .bins = usual});
  if (usual == 0) return all;
  // Few, and more than a byte counts, and more than the threads of a block.
  std::set<std::size_t> others{7, 263, 1031};
  others.insert(bins.begin(), bins.end());
  others.erase(usual);
  for (const std::size_t other : others) all.push_back({.cols = odd, .bins = other});
  return all;
}

std::vector<Shape> long_shapes(const Workload& workload) {
  if (workload.form == SizeFormat::product) {
    return {
        {3, 2'053, 0, 0, 67}, {2'053, 3, 0, 0, 67}, {3, 67, 0, 0, 2'053}, {131, 257, 0, 0, 263}};
  }
  if (has_rows(workload.form)) {
    const std::size_t steps = workload.form == SizeFormat::stepped ? 3 : 0;
    return {{3, 20'011, 0, steps}, {20'011, 3, 0, steps}, {997, 2053, 0, steps}};
  }
  const std::size_t bins = workload.default_shape.bins;
  if (workload.quadratic) return {{.cols = 1'031, .bins = bins}, {.cols = 2'053, .bins = bins}};
  return {{.cols = 20'011, .bins = bins}, {.cols = 300'007, .bins = bins}};
}

Reason size_text(const Workload& workload, const Shape& shape) {
  if (has_rows(workload.form)) {
    return said<reasons::with_this>(label(workload.form, shape));
  }
  if (shape.bins > 0) return said<reasons::with_bins>(shape.cols, shape.bins);
  return shape.cols == 1 ? said<reasons::with_element>(shape.cols)
                         : said<reasons::with_elements>(shape.cols);
}

template <class T>
void repeat(const std::vector<double>& values, void* array, std::size_t count) {
  auto* const all = static_cast<T*>(array);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(values[i % values.size()]);
}

void repeat(const std::vector<double>& values, void* array, const ArraySpec& spec) {
  switch (spec.element) {
    case Dtype::f32:
      return repeat<float>(values, array, spec.count);
    case Dtype::f64:
      return repeat<double>(values, array, spec.count);
    case Dtype::i16:
      return repeat<std::int16_t>(values, array, spec.count);
    case Dtype::u32:
      return repeat<std::uint32_t>(values, array, spec.count);
    case Dtype::f16:
      return repeat<Half>(values, array, spec.count);
    case Dtype::unknown:
      break;
  }
}

Trial trial_of(const Workload& workload, Reason when, const Shape& shape,
               std::shared_ptr<const Problem> problem) {
  Trial trial{std::move(when), shape};
  trial.group.definition = &workload;
  trial.fill = [problem](const Arrays& arrays) {
    problem->generate(NumpyRandom(other_seed), arrays);
  };
  trial.group.problem = std::move(problem);
  return trial;
}

/// The deviation of one element is none, and what is divided by it has no value.
bool has_a_result(const Trial& trial) {
  HostArrays arrays(trial.group);
  arrays.fill(trial.fill);
  const auto wanted = trial.group.problem->wanted(arrays.arrays(), 1);
  return wanted.empty() || !std::isnan(wanted[0]);
}

std::vector<Trial> of_shapes(const Workload& workload, Dtype dtype,
                             const std::vector<Shape>& shapes) {
  std::vector<Trial> all;
  for (const Shape& shape : shapes) {
    all.push_back(bench::trial_of(workload, dtype, shape));
  }
  return all;
}

/// The edges of the definition and other parameters; `size`: what is to be said of it.
std::vector<Trial> edges_at(const Workload& workload, Dtype dtype, const Shape& shape,
                            const Reason& size) {
  const auto when = [&](const Reason& edge) {
    return size.empty() ? edge : said<reasons::with_edge>(edge, size);
  };
  std::vector<Trial> all;
  const std::shared_ptr<const Problem> usual = workload.make(dtype, shape);
  for (const Edge& edge : usual->edges()) {
    all.push_back(
        trial_of(workload, when(said<reasons::where_edge>(std::string(edge.where))), shape, usual));
    all.back().fill = filled(usual, edge);
  }
  for (std::size_t i = 0; i < usual->parameters.size(); ++i) {
    const Parameter& one = usual->parameters[i];
    if (one.other == one.value) continue;
    std::unique_ptr<Problem> problem = workload.make(dtype, shape);
    problem->parameters[i].value = one.other;
    const std::string other = fmt::format("{} = {:g}", one.name, one.other);
    all.push_back(
        trial_of(workload, when(said<reasons::with_this>(other)), shape, std::move(problem)));
    all.back().parameter = one.name;
    all.back().usual = usual;
  }
  return all;
}

}  // namespace

Trial trial_of(const Workload& workload, Dtype dtype, const Shape& shape) {
  return trial_of(workload, size_text(workload, shape), shape, workload.make(dtype, shape));
}

std::size_t most_tried(const Workload& workload) { return long_shapes(workload).back().elements(); }

std::function<void(const Arrays&)> filled(std::shared_ptr<const Problem> problem,
                                          const Edge& edge) {
  return [problem = std::move(problem), edge](const Arrays& arrays) {
    for (std::size_t i = 0; i < edge.inputs.size(); ++i) {
      repeat(edge.inputs[i], arrays.inputs[i], problem->inputs[i]);
    }
  };
}

std::vector<Trial> trials(const Workload& workload, Dtype dtype,
                          const std::vector<std::size_t>& bins) {
  const std::vector<Shape> shapes = odd_shapes(workload, bins);
  std::vector<Trial> all = of_shapes(workload, dtype, shapes);
  std::erase_if(all, [](const Trial& one) { return !has_a_result(one); });
  for (Trial& one : edges_at(workload, dtype, shapes.front(), "")) all.push_back(std::move(one));
  return all;
}

std::vector<Trial> long_trials(const Workload& workload, Dtype dtype) {
  return of_shapes(workload, dtype, long_shapes(workload));
}

std::vector<Trial> long_edges(const Workload& workload, Dtype dtype) {
  const Shape shape = long_shapes(workload).back();
  return edges_at(workload, dtype, shape, size_text(workload, shape));
}

Case of_shape(Case one, const Workload& workload, const Shape& shape) {
  one.take(workload.form, shape);
  return one;
}

Verdict judged(const Trial& trial, const Case& like, const MakePlace& make,
               const Settings& settings, const Allocate& allocate, const Run& run) {
  const Problem& problem = *trial.group.problem;
  HostArrays arrays(trial.group, allocate);
  arrays.fill(trial.fill);
  const Case planned = of_shape(like, *trial.group.definition, trial.shape);
  const std::unique_ptr<Place> place = make(planned, settings, arrays);
  place->poison_inputs();
  place->poison_output();
  if (trial.zeroed) {
    std::memset(arrays.arrays().result, 0, problem.output.count * problem.output.element_bytes);
  }
  place->seconds(run, 1);
  place->fetch(pieces(problem.output, Elements::all(problem.output.count)));
  Arrays answered = arrays.arrays();
  answered.own_numbers = like.own_numbers;
  Verdict verdict = problem.check(answered);
  const bool ignored = !verdict.passed && trial.usual && trial.usual->check(arrays.arrays()).passed;
  const auto damage = place->repair_guards();
  const auto changed = place->repair_inputs();
  if (damage || changed) {
    verdict.passed = false;
    verdict.reason = damage ? *damage : *changed;
  }
  if (!verdict.passed) {
    verdict.reason = ignored ? said<reasons::ignores_parameter>(trial.parameter, trial.when)
                             : said<reasons::wrong_when>(trial.when, verdict.reason);
  }
  return verdict;
}

}  // namespace bench
