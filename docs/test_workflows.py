"""The ready jobs of how-to/versions.md do what they say, in a repository that is made here."""

import os
import subprocess

import blocks
import pytest
import yaml
from bench_hpc import program

SOLVER = "#!/bin/sh\nexec sleep {}\n"
# `python3 -m venv FOLDER` without a network: a wheel is a program, and pip puts it in its place.
PYTHON = """#!/bin/sh
mkdir -p "$3/bin"
printf '#!/bin/sh\\ncp "$2" "%s"\\n' "$PWD/$3/bin/bench" > "$3/bin/pip"
chmod +x "$3/bin/pip"
"""
GH = """#!/bin/sh
echo "$@" > "$HOME/comment"
cat "$5" >> "$HOME/comment"
exit "${GH_CODE:-0}"
"""
STUB = """#!/bin/sh
cat "$2" "$3"
exit {}
"""


def job(language, first):
    found = blocks.of("docs/how-to/versions.md")
    return next(
        one.text for one in found if one.language == language and one.text.startswith(first)
    )


def git(folder, *words):
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder, name, text):
    (folder / name).write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", name)


def program_at(path, text):
    path.write_text(text)
    path.chmod(0o755)


class Place:
    """A repository whose branch `change` is ten times as slow, and the shell of a job."""

    def __init__(self, folder):
        self.origin, self.clone, self.home = (folder / one for one in ("origin", "clone", "home"))
        (self.home / "bin").mkdir(parents=True)
        self.origin.mkdir()
        git(self.origin, "init", "--quiet", "-b", "main")
        for key, value in (("user.email", "a@example.org"), ("user.name", "a")):
            git(self.origin, "config", key, value)
        git(self.origin, "config", "uploadpack.allowAnySHA1InWant", "true")  # as GitLab has it
        (self.origin / ".gitignore").write_text("solver\n")
        (self.origin / "Makefile").write_text("solver: solver.sh\n\tinstall -m 755 $< $@\n")
        commit(self.origin, "solver.sh", SOLVER.format(0.02))
        git(self.origin, "checkout", "--quiet", "-b", "change")
        commit(self.origin, "solver.sh", SOLVER.format(0.2))
        git(self.origin, "checkout", "--quiet", "main")
        commit(self.origin, "later", "on the main branch")
        git(self.origin, "checkout", "--quiet", "-b", "merge")
        git(self.origin, "merge", "--quiet", "--no-ff", "-m", "merge", "change")
        program_at(self.home / "bin" / "python3", PYTHON)
        program_at(self.home / "bin" / "gh", GH)
        self.measures_with(f'#!/bin/sh\nexec "{program.binary()}" "$@"\n')
        self.env = {
            **os.environ,
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "BENCH_WHEEL": str(self.home / "bin" / "bench"),
            "GITHUB_STEP_SUMMARY": str(self.home / "summary"),
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(self.origin, "merge-base", "main", "change"),
            "PULL": "7",
        }

    def measures_with(self, text):
        program_at(self.home / "bin" / "bench", text)

    def cloned(self, branch, *depth):
        git(
            self.home, "clone", "--quiet", *depth, "-b", branch, f"file://{self.origin}", self.clone
        )

    def ran(self, *scripts):
        """The exit code of the first that fails, else 0."""
        for script in scripts:
            command = ["bash", "-eo", "pipefail", "-c", script]
            done = subprocess.run(command, cwd=self.clone, env=self.env, check=False)
            if done.returncode:
                return done.returncode
        return 0


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def github(place):
    speed = yaml.safe_load(job("yaml", "on:"))["jobs"]["speed"]
    checkout = next(step["with"] for step in speed["steps"] if "uses" in step)
    if not place.clone.exists():
        place.cloned("merge", "--depth", str(checkout["fetch-depth"]))
    return place.ran(*[step["run"] for step in speed["steps"] if "run" in step])


def gitlab(place):
    speed = yaml.safe_load(job("yaml", "speed:"))["speed"]
    if not place.clone.exists():
        place.cloned("change", "--depth", "1")
    code = place.ran("\n".join(speed["script"]))
    return 0 if code in speed["allow_failure"]["exit_codes"] else code


def slurm(place):
    script = job("text", "#!/bin/bash")
    assert "#SBATCH" in script
    if not place.clone.exists():
        place.cloned("change")
    return place.ran(script)


JOBS = pytest.mark.parametrize("run", [github, gitlab, slurm], ids=lambda run: run.__name__)


@JOBS
def test_a_slower_branch_fails_the_job(place, run):
    assert run(place) == 3
    if run is github:
        assert "SLOWER" in (place.home / "summary").read_text()
        first, *table = (place.home / "comment").read_text().splitlines()
        assert first == "pr comment 7 --body-file speed.md"
        assert "SLOWER" in table[-1]


@JOBS
@pytest.mark.parametrize(("code", "result"), [(0, 0), (4, 0), (2, 2)])
def test_what_cannot_be_told_fails_no_job(place, run, code, result, capfd):
    place.measures_with(STUB.format(code))
    assert run(place) == (4 if (run, code) == (slurm, 4) else result)
    printed = capfd.readouterr().out
    said = (place.home / "summary").read_text() if run is github else printed
    assert said.endswith(SOLVER.format(0.02) + SOLVER.format(0.2))  # base, then head


@JOBS
def test_a_second_job_in_the_same_folder_works_too(place, run):
    place.measures_with(STUB.format(0))
    assert run(place) == 0
    if run is not slurm:
        git(place.clone, "clean", "-ffdxq")  # as a runner does before a job
    if run is not github:  # whose runners are new
        assert run(place) == 0


def test_a_comment_that_may_not_be_written_fails_no_job(place):
    place.measures_with(STUB.format(0))
    place.env["GH_CODE"] = "1"
    assert github(place) == 0
