# ruff: noqa: F821, RUF012
"""For ReFrame 4: BENCH_MODULE=bench reframe -C SITE.py -c bench_check.py -r
Without BENCH_MODULE, `bench` is in the PATH of the jobs. For a try: -S size=tiny."""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class BenchCheck(rfm.RunOnlyRegressionTest):
    """The fastest variant of each backend reaches its share of the bandwidth of a copy."""

    valid_prog_environs = ["*"]
    maintainers = ["the bench authors"]
    executable = "bench"
    exclusive_access = True
    workload = parameter(["add", "energy"])
    device = parameter(["cpu", "gpu"])
    size = variable(str, value="default")
    # A copy of the same arrays is the bound of what memory limits.
    least_share = variable(float, value=0.6)

    @run_after("init")
    def choose_systems(self):
        self.valid_systems = ["+gpu"] if self.device == "gpu" else ["*"]

    @run_before("run")
    def choose(self):
        self.modules = [name for name in [os.environ.get("BENCH_MODULE")] if name]
        self.executable_opts = [self.workload, "--size", self.size, "--output", "result.json"]
        if self.device == "gpu":
            self.num_gpus_per_node = 1
        else:
            self.executable_opts += ["--backend", "serial,openmp"]
        # Slurm gives a task one CPU otherwise.
        if cores := self.current_partition.processor.num_cores:
            self.num_cpus_per_task = cores

    @sanity_function
    def complete(self):
        return sn.assert_true(self.fastest(), "no variant was measured")

    def fastest(self):
        """Of each backend, without transfers: its row of `speedups`."""
        with open(os.path.join(self.stagedir, "result.json"), encoding="utf-8") as file:
            rows = json.load(file)["speedups"]
        measured = [
            one
            for one in rows
            if one["workload"] == self.workload
            and one["status"] == "measured"
            and one["scope"] == "kernel"
        ]
        return {one["backend"]: one for one in sorted(measured, key=lambda one: -one["seconds"])}

    @run_before("performance")
    def refer_to_the_bound(self):
        least = {"serial": None, "openmp": self.least_share - 1, "cuda": self.least_share - 1}
        references = {}
        for backend, row in self.fastest().items():
            for name, value, reference in (
                ("share_of_copy", row["share_of_copy"], (1, least[backend], None, "of copy")),
                ("speedup", row["over_serial"]["value"], (0, None, None, "x naive")),
            ):
                key = f"{backend}_{name}"
                self.perf_variables[key] = sn.make_performance_function(
                    sn.defer(value), reference[3]
                )
                references[key] = reference
        self.reference = {"*": references}
