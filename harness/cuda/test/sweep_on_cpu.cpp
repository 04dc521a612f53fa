// A sweep over two tiny sizes with every CUDA kernel executed on the CPU: the result file of a GPU
// node, for tests that have none. The times in it mean nothing. Writes it to stdout.

#include <fmt/format.h>

#include "harness/cuda/device.hpp"
#include "harness/cuda_on_cpu/control.hpp"
#include "harness/document/context.hpp"
#include "harness/document/report.hpp"
#include "harness/measure/runner.hpp"
#include "harness/node/environment.hpp"
#include "harness/plan/plan.hpp"
#include "kernels/registry.hpp"

int main() {
  bench::cuda::stand_in::Device small;
  small.multiprocessors = 1;
  small.l2_bytes = 16 << 10;
  bench::cuda::stand_in::plug_in(small);
  bench::cuda::Device device;
  bench::Settings settings;
  settings.filters = {"hypot", "histogram", "transpose"};  // one of each form of size
  settings.sizes = {"16", "256"};
  settings.max_samples = bench::Settings::min_samples;
  settings.min_seconds = 0;
  settings.max_seconds = 0;
  settings.with_cuda = true;
  settings.device = &device;
  settings.gpu = bench::GpuSize{device.l2_bytes(), device.free_bytes()};
  bench::Machine machine = bench::machine();
  machine.gpu = device.facts();
  bench::Report report(bench::make_context(settings, {"sweep_on_cpu"}, machine), {});
  for (const bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
    report.add(bench::measure(group, settings));
  }
  report.finish("");
  fmt::print("{}\n", bench::serialised(written(report.document())));
}
