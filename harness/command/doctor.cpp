#include "harness/command/doctor.hpp"

#include "harness/command/selection.hpp"
#include "harness/command/shown.hpp"
#include "harness/document/context.hpp"
#include "harness/document/doctor.hpp"
#include "harness/node/job.hpp"

namespace bench {

void add_options(CLI::App& /*app*/, DoctorRequest& request, const Abilities& node) {
  request.settings.job_threads = node.job_threads;
  choose_isa(request.settings, node.isas.back(), node);
}

int execute(DoctorRequest request, const Session& session) {
  complete(request.settings, {});
  Json facts = machine();
  std::unique_ptr<cuda::Device> device;
  if (cuda::built_with_cuda()) device = std::make_unique<cuda::Device>(local_rank());
  add_gpu(facts, device.get());
  ColourWords words;
  words.warning = "doubt:";
  print_text(doctor_report(written(make_context(request.settings, session.argv, facts))), words);
  return Exit::fine;
}

}  // namespace bench
