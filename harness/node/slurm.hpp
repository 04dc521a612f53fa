// The job, as Slurm's variables tell of it.
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

template <class V>
void fields(V& visit, Of<Slurm> auto& one) {
  visit.later("cluster_name", one.cluster_name);
  visit.later("job_id", one.job_id);
  visit.later("step_id", one.step_id);
  visit.later("array_job_id", one.array_job_id);
  visit.later("array_task_id", one.array_task_id);
  visit.later("restart_count", one.restart_count);
  visit.later("job_partition", one.job_partition);
  visit.later("job_nodelist", one.job_nodelist);
  visit.later("step_nodelist", one.step_nodelist);
  visit.later("nodename", one.nodename);
  visit.later("nnodes", one.nnodes);
  visit.later("nodeid", one.nodeid);
  visit.later("procid", one.procid);
  visit.later("localid", one.localid);
  visit.later("ntasks", one.ntasks);
  visit.later("ntasks_per_node", one.ntasks_per_node);
  visit.later("step_tasks_per_node", one.step_tasks_per_node);
  visit.later("cpus_per_task", one.cpus_per_task);
  visit.later("cpus_on_node", one.cpus_on_node);
  visit.later("job_cpus_per_node", one.job_cpus_per_node);
  visit.later("cpu_bind", one.cpu_bind);
  visit.later("cpu_bind_list", one.cpu_bind_list);
  visit.later("cpu_bind_type", one.cpu_bind_type);
  visit.later("hint", one.hint);
  visit.later("threads_per_core", one.threads_per_core);
  visit.later("cpu_freq_req", one.cpu_freq_req);
  visit.later("mem_per_node", one.mem_per_node);
  visit.later("mem_per_cpu", one.mem_per_cpu);
  visit.later("mem_per_gpu", one.mem_per_gpu);
  visit.later("gpus", one.gpus);
  visit.later("gpus_per_node", one.gpus_per_node);
  visit.later("gpus_per_task", one.gpus_per_task);
  visit.later("gpus_on_node", one.gpus_on_node);
  visit.later("job_gpus", one.job_gpus);
  visit.later("step_gpus", one.step_gpus);
  visit.later("gpu_bind", one.gpu_bind);
  visit.later("topology_addr", one.topology_addr);
  visit.later("cuda_visible_devices", one.cuda_visible_devices);
  visit.keep(one.recorded);
}

/// Whether a variable holds something.
inline bool has_text(const Text& variable) { return !variable.value_or("").empty(); }

}  // namespace bench
