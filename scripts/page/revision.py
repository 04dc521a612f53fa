"""Are the sources that lie here those that were measured?"""

import re
import subprocess

from program import ROOT

REVISION = re.compile(r"[0-9a-f]{7,64}")


def _changed(folder, revision):
    """What git knows: 0 as measured, 1 changed, anything else: it cannot tell."""
    if not REVISION.fullmatch(revision):
        return None
    command = ["git", "-C", str(ROOT), "diff", "--quiet", "--no-ext-diff", revision, "--", folder]
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode
    except (OSError, subprocess.SubprocessError):
        return None


def sentences(workload, documents, words):
    """One for each revision whose ladders may be others than those that are shown."""
    builds = {}
    for document in documents:
        build = document.context["build"]
        builds.setdefault((str(build.get("revision") or "?"), bool(build.get("dirty"))))
    said = []
    for revision, dirty in builds:
        changed = _changed(f"kernels/{workload}", revision)
        short = revision[:12]
        if changed == 1:
            said.append(words("sources_changed", revision=short))
        elif changed != 0:
            said.append(words("sources_unknown", revision=short))
        elif dirty:
            said.append(words("sources_dirty", revision=short))
    return said
