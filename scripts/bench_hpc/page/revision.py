"""Are these sources those that were measured?"""

import re
import subprocess

from bench_hpc.backends import backends, is_model
from bench_hpc.program import ROOT

OTHERS = ("library.*", "*.hpp", "*.cuh")  # next to the ladders; no tests
REVISION = re.compile(r"[0-9a-f]{7,64}")


def _git(*arguments):
    """The exit code, None where there is no git."""
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode
    except (OSError, subprocess.SubprocessError):
        return None


def _changed(workload, revision):
    """What git knows: 0 as measured, 1 changed, None: unknown."""
    # Outside of a repository `git diff` would compare files of these names.
    if not REVISION.fullmatch(revision) or _git("cat-file", "-e", f"{revision}^{{commit}}") != 0:
        return None
    ladders = [f"{one}.c*" for one in backends() if not is_model(one)]
    files = [f"kernels/{workload}/{name}" for name in (*ladders, *OTHERS)]
    return _git("diff", "--quiet", "--no-ext-diff", revision, "--", *files)


def sentences(workload, documents, words):
    """One for each revision whose ladders may be others than those that are shown."""
    builds = {}
    for document in documents:
        build = document.context["build"]
        builds.setdefault((str(build.get("revision") or "?"), bool(build.get("dirty"))))
    said = []
    for revision, dirty in builds:
        changed = _changed(workload, revision)
        short = revision[:12]
        if changed not in (0, 1):
            said.append(words("sources_unknown", revision=short))
        elif dirty:
            said.append(words("sources_dirty", revision=short))
        elif changed:
            said.append(words("sources_changed", revision=short))
    return list(dict.fromkeys(said))
