// The job, as Slurm's variables describe it.
#pragma once

#include "harness/base/fields.hpp"
#include "harness/node/text_file.hpp"

namespace bench {

/// A fact is the text that Slurm gave, even where it is a number (the same variable may hold "4" or
/// "4(x2)"), and nothing where its variable is not set. Account, user, QOS and job name are private
/// and left out.
struct Slurm {
  Text cluster_name;
  Text job_id;
  Text step_id;
  Text array_job_id;
  Text array_task_id;
  Text restart_count;
  Text job_partition;
  Text job_nodelist;
  Text step_nodelist;
  Text nodename;
  Text nnodes;
  Text nodeid;
  Text procid;
  Text localid;
  Text ntasks;
  Text ntasks_per_node;
  Text step_tasks_per_node;
  Text cpus_per_task;
  Text cpus_on_node;
  Text job_cpus_per_node;
  Text cpu_bind;
  Text cpu_bind_list;
  Text cpu_bind_type;
  Text hint;
  Text threads_per_core;
  Text cpu_freq_req;
  Text mem_per_node;
  Text mem_per_cpu;
  Text mem_per_gpu;
  Text gpus;
  Text gpus_per_node;
  Text gpus_per_task;
  Text gpus_on_node;
  Text job_gpus;
  Text step_gpus;
  Text gpu_bind;
  Text topology_addr;
  Text cuda_visible_devices;
  Json recorded;  ///< as it was read
};

void fields(auto& visit, Of<Slurm> auto& one) {
  visit.later(FIELD(cluster_name));
  visit.later(FIELD(job_id));
  visit.later(FIELD(step_id));
  visit.later(FIELD(array_job_id));
  visit.later(FIELD(array_task_id));
  visit.later(FIELD(restart_count));
  visit.later(FIELD(job_partition));
  visit.later(FIELD(job_nodelist));
  visit.later(FIELD(step_nodelist));
  visit.later(FIELD(nodename));
  visit.later(FIELD(nnodes));
  visit.later(FIELD(nodeid));
  visit.later(FIELD(procid));
  visit.later(FIELD(localid));
  visit.later(FIELD(ntasks));
  visit.later(FIELD(ntasks_per_node));
  visit.later(FIELD(step_tasks_per_node));
  visit.later(FIELD(cpus_per_task));
  visit.later(FIELD(cpus_on_node));
  visit.later(FIELD(job_cpus_per_node));
  visit.later(FIELD(cpu_bind));
  visit.later(FIELD(cpu_bind_list));
  visit.later(FIELD(cpu_bind_type));
  visit.later(FIELD(hint));
  visit.later(FIELD(threads_per_core));
  visit.later(FIELD(cpu_freq_req));
  visit.later(FIELD(mem_per_node));
  visit.later(FIELD(mem_per_cpu));
  visit.later(FIELD(mem_per_gpu));
  visit.later(FIELD(gpus));
  visit.later(FIELD(gpus_per_node));
  visit.later(FIELD(gpus_per_task));
  visit.later(FIELD(gpus_on_node));
  visit.later(FIELD(job_gpus));
  visit.later(FIELD(step_gpus));
  visit.later(FIELD(gpu_bind));
  visit.later(FIELD(topology_addr));
  visit.later(FIELD(cuda_visible_devices));
  visit.keep(one.recorded);
}

/// Whether a variable holds something.
inline bool has_text(const Text& variable) { return !variable.value_or("").empty(); }

}  // namespace bench
