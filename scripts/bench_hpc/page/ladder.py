"""The ladders of kernels/, cut into their variants: what is below one variant and ends with the
function that the table at the foot names is the next."""

import re
from dataclasses import dataclass, field

from bench_hpc.backends import backends
from bench_hpc.program import HERE, UsageError

KERNELS = HERE / "kernels"
LIBRARIES = ("library.cpp", "parallel_mode.cpp", "library.cu")
BEGIN, END = "\nnamespace {\n", "\n}  // namespace\n"

# The idea is a text, or one for each vendor.
ROW = re.compile(r'\{"(\w+)",\s*(?:[\w:]+\(\s*)?(?:"(?:[^"\\]|\\.)*"[\s,)]*)+(\w+)')
COMMENT = re.compile(r"(?:^//(?!/).*\n)+", re.MULTILINE)
LABELS = "Before|Change|Cost"
LABEL = re.compile(rf"^({LABELS}): ", re.MULTILINE)
PART = re.compile(rf"(?:^|(?<=[.)] ))({LABELS}): ")
INCLUDE = re.compile(r'^#include "kernels/(.*)"$', re.MULTILINE)


@dataclass(frozen=True)
class Rung:
    backend: str
    name: str
    file: str  # below the root
    first: int  # line
    last: int
    text: str  # as it is in the file
    library: bool = False

    @property
    def variant(self):
        return f"{self.backend}/{self.name}"

    def _comment(self):
        found = (one for one in COMMENT.finditer(self.text) if LABEL.search(_bare(one[0])))
        return next(found, None)

    @property
    def said(self):
        """What its comment says: (label, text) of each."""
        comment = self._comment()
        if not comment:
            return []
        _, *parts = PART.split(" ".join(_bare(comment[0]).split()))
        return [(key, text.strip()) for key, text in zip(parts[::2], parts[1::2])]

    @property
    def code(self):
        comment = self._comment()
        if not comment:
            return self.text
        return self.text[: comment.start()] + self.text[comment.end() :]


@dataclass(frozen=True)
class Ladder:
    backend: str
    file: str
    head: list  # paragraphs
    preamble: str  # names and helpers that are above the first variant
    rungs: list = field(default_factory=list)


def workloads():
    return sorted(path.parent.name for path in KERNELS.glob("*/serial.cpp"))


def files(folder):
    """backend -> the file of its ladder, in order of teaching."""
    found = ((one, next(folder.glob(f"{one}.c*"), None)) for one in backends())
    return {one: path for one, path in found if path}


def _bare(comment):
    return re.sub(r"^// ?", "", comment, flags=re.MULTILINE)


def _head(text):
    comment = COMMENT.match(text)
    paragraphs = _bare(comment[0]).split("\n\n") if comment else []
    return [" ".join(one.split()) for one in paragraphs]


def _rows(foot):
    """Backend, name and function of each row of the tables at the foot."""
    ladder = rf"^bench::Ladder<.*> (?:({'|'.join(backends())})_)?\w+(?:<.*>)?\(\) \{{"
    _, *parts = re.split(ladder, foot, flags=re.MULTILINE)
    for backend, table in zip(parts[::2], parts[1::2]):
        for name, function in ROW.findall(table):
            yield backend, name, function


def _defines(paragraph, function):
    return re.search(rf"^(?:[\w:<>*&]+ )+{function}\(", paragraph, re.MULTILINE)


def cut(text, file, backend):
    """The variants of one file and their preamble: all that is between its namespaces' braces."""
    above, _, rest = text.partition(BEGIN)
    body, found, foot = rest.partition(END)
    if not found:
        raise UsageError(f"{file}: has no unnamed namespace with variants")
    # A blank line within a definition has an indented one below it.
    paragraphs = re.split(r"\n\n(?=\S)", body.strip("\n"))
    line = above.count("\n") + 3 + len(body) - len(body.lstrip("\n"))
    starts = []
    for paragraph in paragraphs:
        starts.append(line)
        line += paragraph.count("\n") + 2
    labelled = [i for i, one in enumerate(paragraphs) if LABEL.search(_bare(one))]
    first = labelled[0] if labelled else 0  # libraries' have no comments
    ladder = Ladder(backend, file, _head(text), "\n\n".join(paragraphs[:first]))
    library = file.rpartition("/")[2] in LIBRARIES
    for of_backend, name, function in _rows(foot):
        ends = [i for i in range(first, len(paragraphs)) if _defines(paragraphs[i], function)]
        if not ends:
            raise UsageError(f"{file}: {function}, of the row {name}, is not below the row above")
        own = "\n\n".join(paragraphs[first : ends[0] + 1])
        begin, end = starts[first], starts[first] + own.count("\n")
        ladder.rungs.append(Rung(of_backend or backend, name, file, begin, end, own, library))
        first = ends[0] + 1
    if not ladder.rungs or first != len(paragraphs):
        raise UsageError(f"{file}: has code below the variant of its last row")
    return ladder


def _read(path):
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def ladders(workload, kernels=KERNELS):
    """The ladders of a workload; what only halves have, and library routines, are below."""
    folder, found = kernels / workload, {}
    ours = [(path, backend) for backend, path in files(folder).items()]
    libraries = [(folder / name, "cuda") for name in LIBRARIES if (folder / name).is_file()]
    for path, backend in ours + libraries:
        ladder = cut(_read(path), f"kernels/{workload}/{path.name}", backend)
        if path.name in LIBRARIES:
            for rung in ladder.rungs:
                found[rung.backend].rungs.append(rung)
        else:
            found[backend] = ladder
            for other in sorted(folder.glob(f"{backend}_f16.c*")):
                of_halves = cut(_read(other), f"kernels/{workload}/{other.name}", backend)
                known = {rung.name for rung in ladder.rungs}
                ladder.rungs.extend(one for one in of_halves.rungs if one.name not in known)
    return list(found.values())


def helpers(workload, shown, kernels=KERNELS):
    """What the variants of these backends include in addition to the signature: (file, text) of
    each."""
    names = {}
    for path in (path for one, path in files(kernels / workload).items() if one in shown):
        for name in INCLUDE.findall(_read(path)):
            names[name] = None
            for deeper in INCLUDE.findall(_read(kernels / name)):
                names[deeper] = None
    names.pop(f"{workload}/{workload}.hpp", None)
    return [(f"kernels/{name}", _read(kernels / name)) for name in names]
