#include "harness/plan/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/plan/filters.hpp"
#include "harness/plan/input_files.hpp"

namespace bench {
namespace {

/// The numbers that a size may be.
const char* numbers(SizeFormat form) {
  if (form == SizeFormat::product) return "N, MxN or MxNxK";
  if (form == SizeFormat::stepped) return "N, RxC or RxC:STEPS";
  return "N or RxC";
}

void require_size(const Workload& workload, const std::string& size) {
  try {
    parse_size(workload, size);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--size: {} (tiny, default, course, {})", error.what(),
                                            numbers(workload.form)));
  }
}

/// Whether anybody computes it on a device.
bool on_device(const Workload& workload, const Planning& settings) {
  const auto& guests = settings.guest_variants;
  return any_selected(settings, workload, RunsOn::device) ||
         std::any_of(guests.begin(), guests.end(), [&](const GuestVariant& one) {
           return one.device && one.obstacle.empty() && one.workload == workload.name;
         });
}

/// Where CUDA variants will run, the default is beyond the device's L2 cache, as far as there is
/// room for the arrays on both sides, and on the host's in memory of other kinds, too.
Shape default_shape(const Workload& workload, const Planning& settings) {
  if (!settings.gpu || !workload.memory_bound || !on_device(workload, settings)) {
    return workload.default_shape;
  }
  constexpr std::size_t kinds = 3;
  const auto allowance = settings.memory_allowance ? settings.memory_allowance() : std::nullopt;
  const std::size_t on_device = settings.gpu->free_bytes / 2;
  const std::size_t most = allowance ? std::min(on_device, allowance->bytes / kinds) : on_device;
  return beyond_cache(workload, settings.gpu->l2_bytes, most);
}

}  // namespace

std::vector<Shape> shapes(const Workload& workload, const Planning& settings) {
  std::vector<Shape> all;
  std::vector<std::size_t> bins = settings.bins;
  if (bins.empty() || workload.form != SizeFormat::binned) bins = {0};
  if (settings.inputs) {
    for (const std::size_t count : bins) {
      all.push_back(settings.inputs->shape_for(workload, count));
    }
    return all;
  }
  for (const std::string& size : settings.sizes) {
    require_size(workload, size);
    for (const std::size_t count : bins) {
      Shape shape = parse_size(workload, size, count);
      if (size == "default") {
        const std::size_t usual = shape.bins;
        shape = default_shape(workload, settings);
        shape.bins = usual;
      }
      if (std::find(all.begin(), all.end(), shape) == all.end()) all.push_back(shape);
    }
  }
  return all;
}

void require_sizes(std::span<const Workload* const> workloads, const Planning& settings) {
  for (const std::string& size : settings.sizes) {
    const bool known = std::any_of(workloads.begin(), workloads.end(), [&](const Workload* one) {
      try {
        parse_size(*one, size);
        return true;
      } catch (const std::invalid_argument&) {
        return false;
      }
    });
    if (!known) require_size(*workloads.front(), size);
  }
}

}  // namespace bench
