"""Jobs on a Slurm that keeps them in cgroups, as clusters do."""

import json

from test_jobs import LONG, first_group, log, submit

from conftest import BENCH, TINY, documents


# With cgroups a signal reaches the step's own task only.
def test_term_reaches_the_program(limited, tmp_path):
    job, _ = submit(limited, tmp_path, "cpu", "--", *LONG)
    file = first_group(tmp_path)
    limited.check("scancel", "--signal=TERM", "--batch", job)
    assert limited.wait_for(job)["JobState"] == "FAILED"
    document = json.loads(file.read_text())
    assert document["context"]["run"]["ended_by"] == "SIGTERM"
    text = log(tmp_path, "cpu", job)
    assert f"continue with: bench --resume results/{file.name}" in text
    assert "scancel: error" not in text


def test_the_memory_of_the_job_is_the_limit(limited, tmp_path):
    limited.check("srun", "--mem=200", BENCH, "copy/serial", *TINY, cwd=tmp_path)
    ((_, document),) = documents(tmp_path / "results").items()
    machine = document["context"]["machine"]
    assert machine["memory_limit_bytes"] == 200 << 20
    assert machine["memory_limited_by"] == "the job's memory limit"
    assert machine["memory_allowance_bytes"] < 200 << 20
