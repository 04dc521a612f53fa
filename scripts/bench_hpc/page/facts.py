"""What a result file says of itself: its context in full, how to make it again, how to cite it."""

import shlex

NOTHING = "–"  # noqa: RUF001


def _text(value):
    """A value on one line."""
    if value is None or value == [] or value == {}:
        return NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items())
    if isinstance(value, list):
        between = "; " if any(isinstance(one, dict) for one in value) else ", "
        return between.join(_text(one) for one in value)
    return str(value)


def _flat(value, prefix=""):
    for key, one in value.items():
        if isinstance(one, dict) and one:
            yield from _flat(one, f"{prefix}{key}.")
        else:
            yield prefix + key, _text(one)


def sections(context):
    """All of a context, in the order in which people ask: key and (name, text) of each fact."""
    machine = dict(context["machine"])
    gpu = machine.pop("gpu", None)
    known = ("run", "build", "slurm")
    parts = {"machine": machine, "gpu": gpu, **{key: context.get(key) for key in known}}
    parts["other"] = {k: v for k, v in context.items() if k not in ("machine", *known)}
    told = [(key, list(_flat(part))) for key, part in parts.items() if isinstance(part, dict)]
    return _known(told) if context["run"].get("imported") else told


_FOREIGN = ("imported", "argv", "warnings", "merged")  # facts of a run that another program has


def _known(told):
    """Keeps what a file of another program says: settings of bench are not among it."""
    parts = {
        key: [
            (name, text)
            for name, text in facts
            if text not in ("", NOTHING) and (key != "run" or name in _FOREIGN)
        ]
        for key, facts in told
        if key != "other"
    }
    return [(key, facts) for key, facts in parts.items() if facts]


# What Slurm gave the job and srun takes, and options of srun that have other names.
_GIVEN = (
    *("job_partition", "step_nodelist", "nnodes", "ntasks", "ntasks_per_node", "cpus_per_task"),
    *("hint", "threads_per_core", "mem_per_node", "mem_per_cpu", "mem_per_gpu"),
    *("gpus", "gpus_per_node", "gpus_per_task", "gpu_bind"),
)
_OPTIONS = {"job_partition": "partition", "step_nodelist": "nodelist", "nnodes": "nodes"}
_OPTIONS["mem_per_node"] = "mem"


def _srun(slurm):
    given = {key: slurm[key] for key in _GIVEN if slurm.get(key) not in (None, "")}
    options = {_OPTIONS.get(key, key).replace("_", "-"): value for key, value in given.items()}
    if slurm.get("gpus_on_node") and not any(key.startswith("gpus") for key in given):
        options["gres"] = f"gpu:{slurm['gpus_on_node']}"
    return ["srun", *(f"--{option}={value}" for option, value in options.items())]


def _comment(text):
    return "# " + " ".join(str(text).split())


def revision(build):
    """The revision as text, '?' where the build did not know it."""
    return str(build.get("revision") or "?")


def reproduce(context, words):
    """Lines for a shell: the program, its surroundings, the command."""
    run, build, machine = (context[key] for key in ("run", "build", "machine"))
    slurm = context.get("slurm")
    foreign = bool(run.get("imported"))
    lines = []
    if build.get("revision") or not foreign:
        lines.append(f"git checkout {shlex.quote(revision(build))}")
    if build.get("dirty"):
        lines.append(_comment(words("uncommitted")))
    for how in (build, build.get("cuda")):
        if isinstance(how, dict):
            parts = (how.get(key) for key in ("compiler", "build_type", "architectures", "flags"))
            told = " · ".join(str(part) for part in parts if part)
            if told or not foreign:
                lines.append(_comment(words("built_with") + ": " + told))
    modules = machine.get("loaded_modules")
    if isinstance(modules, list) and modules:
        lines.append(shlex.join(["module", "load", *map(str, modules)]))
    variables = machine.get("omp")
    if isinstance(variables, dict):
        lines += [f"export {shlex.quote(f'{key}={value}')}" for key, value in variables.items()]
    argv = run.get("argv")
    command = [str(word) for word in argv] if isinstance(argv, list) else []
    if isinstance(slurm, dict):
        lines.append(_comment(words("in_job", job=slurm.get("job_id") or "?")))
        command = _srun(slurm) + command
    return "\n".join([*lines, shlex.join(command)]).rstrip("\n")


def hashes(documents):
    """The hashes as sha256sum writes them."""
    lines = []
    for document in documents:
        name = document.name.replace("\\", "\\\\").replace("\n", "\\n")
        escaped = "\\" if name != document.name else ""
        lines.append(f"{escaped}{document.sha256}  {name}")
    return "\n".join(lines)


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
}


def _latex(text):
    return "".join(_LATEX.get(sign, sign) for sign in " ".join(str(text).split()))


def _shortly(names, most=4):
    names = list(dict.fromkeys(names))
    return ", ".join(names[:most]) + (f", … ({len(names)})" if len(names) > most else "")


def citations(documents):
    """A BibTeX entry for each build of bench that measured."""
    builds = {}
    for document in documents:
        if document.foreign:
            continue
        build = document.context["build"]
        key = (str(build.get("version") or "?"), revision(build), bool(build.get("dirty")))
        builds.setdefault(key, []).append(document)
    entries = []
    for (version, commit, dirty), measured in builds.items():
        dates = sorted(str(one.context["run"].get("started") or "?")[:10] for one in measured)
        when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        label = "".join(sign for sign in commit[:7] if sign.isascii() and sign.isalnum())
        note = (
            f"Revision {commit}{' with uncommitted changes' if dirty else ''};",
            f"measured {when} on {_shortly(one.node for one in measured)};",
            f"SHA-256 of the result files: {_shortly((one.sha256 for one in measured), most=3)}",
        )
        fields = {
            "author": "{The bench authors}",
            "title": "{bench}: compares implementations of the same kernel",
            "year": _latex(dates[-1][:4]),
            "version": _latex(version),
            "note": "\n    ".join(_latex(line) for line in note),
        }
        inside = ",\n".join(f"  {key:7} = {{{value}}}" for key, value in fields.items())
        entries.append(f"@misc{{bench-{label or 'unknown'}{'-dirty' * dirty},\n{inside}\n}}")
    return "\n\n".join(entries)
