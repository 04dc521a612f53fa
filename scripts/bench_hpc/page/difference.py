"""What is new in a variant against the variant above: whole statements, and within those that are
alike the words. How long a variant's name is, and where lines end for that, is not a difference."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
DEFINES = re.compile(r"^(?:[\w:<>*&]+ )+(\w+)(?:\(|\[\]| =| \{)", re.MULTILINE)
ENDS = re.compile(r"[;{}]\s*$")
FEW = 2  # statements: a signature, and perhaps one more
ALIKE = 0.75  # of the words of two statements: below, one does not come from the other
CONTEXT = 2  # statements around a change


@dataclass(frozen=True)
class Line:
    pieces: list  # of (text, whether it is new within a line that is not)
    kind: str = ""  # or new, gone, or gap where lines are left out

    @property
    def text(self):
        return "".join(text for text, _ in self.pieces)


@dataclass(frozen=True)
class Compared:
    lines: list  # of the variant
    changes: list  # lines, as a patch has them
    alike: bool  # not all of it is new
    calls: bool = False  # the variant above, which stays as it is


def _ends(line):
    bare = line.strip()
    return bare.startswith(("//", "#")) or ENDS.search(bare.partition("//")[0])


def _statements(code):
    """Pieces of text, each up to where a statement ends; blank lines go with what follows."""
    found, lines = [], []
    for line in code.split("\n"):
        lines.append(line)
        if _ends(line):
            found.append("\n".join(lines))
            lines = []
    return found + ["\n".join(lines)] * bool(lines)


def _tokens(text, names):
    """(token, key) of each; blanks have no key, and names of variants have one in common."""
    tokens = TOKEN.findall(text)
    for i, token in enumerate(tokens):
        if token.isspace():
            key = None
        elif token in names and tokens[i + 1 : i + 2] == ["("]:
            key = "§"
        elif token.endswith("_kernel") and token.removesuffix("_kernel") in names:
            key = "§_kernel"
        else:
            key = token
        yield token, key


def _keys(text, names):
    return tuple(key for _, key in _tokens(text, names) if key)


def _brace(key):
    return set(key) <= set("{};") or key == ("}", "else", "{")


def _lines(pieces, new):
    """Pieces of text as lines of pieces."""
    lines = [[]]
    for text, marked in pieces:
        first, *others = text.split("\n")
        lines[-1].append((first, marked))
        lines += [[(one, marked)] for one in others]
    return [Line(line, "new" * (new and any(text.strip() for text, _ in line))) for line in lines]


def _marked(text, before, names):
    """A statement whose words that are new against a similar one are marked."""
    tokens = list(_tokens(text, names))
    places = [i for i, (_, key) in enumerate(tokens) if key]
    matcher = SequenceMatcher(None, before, [tokens[i][1] for i in places], autojunk=False)
    old = {places[b + i] for _, b, size in matcher.get_matching_blocks() for i in range(size)}
    pieces = []
    for i, (token, key) in enumerate(tokens):
        # Text between two new words is new.
        new = i not in old if key else bool(pieces and pieces[-1][1] and i + 1 not in old)
        if pieces and pieces[-1][1] == new:
            pieces[-1] = (pieces[-1][0] + token, new)
        else:
            pieces.append((token, new))
    return pieces


def _nearest(key, others):
    """The most similar statement, if there is one."""
    ratios = [(SequenceMatcher(None, one, key, autojunk=False).ratio(), one) for one in others]
    ratio, one = max(ratios, default=(0, None))
    return one if ratio >= ALIKE else None


def _new_lines(text, key, replaced, names):
    before = _nearest(key, replaced)
    pieces = _marked(text, before, names) if before else [(text, False)]
    return _lines(pieces, True)


def _told(kind, statement):
    return [Line([(line, False)], kind) for line in statement.split("\n") if line.strip()]


def _steps(old, new):
    """What is equal and what is not; braces that both end with are."""
    for kind, i1, i2, j1, j2 in SequenceMatcher(_brace, old, new, autojunk=False).get_opcodes():
        same = 0
        while kind == "replace" and same < min(i2 - i1, j2 - j1):
            if old[i2 - same - 1] != new[j2 - same - 1]:
                break
            same += 1
        yield kind == "equal", range(i1, i2 - same), range(j1, j2 - same)
        if same:
            yield True, range(i2 - same, i2), range(j2 - same, j2)


def _changes(steps, above, here):
    """The changes as a patch has them."""
    changes = []
    for number, (equal, of_above, of_here) in enumerate(steps):
        if not equal:
            changes += [told for i in of_above for told in _told("gone", above[i])]
            changes += [told for i in of_here for told in _told("new", here[i])]
            continue
        before = list(of_here[: CONTEXT * (number > 0)])
        after = list(of_here[len(before) :][-CONTEXT:]) if number < len(steps) - 1 else []
        changes += [told for i in before for told in _told("", here[i])]
        if len(before) + len(after) < len(of_here):
            changes.append(Line([("", False)], "gap"))
        changes += [told for i in after for told in _told("", here[i])]
    return changes


def _defined(code):
    return set(DEFINES.findall(code))


def _own(above, here, names):
    """What of the variant above could be gone: helpers that this variant uses as well are not."""
    used = set(re.findall(r"\w+", here))
    ours = names | {f"{name}_kernel" for name in names}
    kept = []
    for paragraph in re.split(r"\n\n(?=\S)", above):
        defined = _defined(paragraph)
        if defined & ours or not defined & used:
            kept.append(paragraph)
    return "\n\n".join(kept)


def plain(code):
    """A variant that is compared with none."""
    return Compared([Line([(line, False)]) for line in code.split("\n")], [], True)


def compared(above, here, names):
    """The code of a variant against that of the variant above; names are those of both."""
    old, new = _statements(_own(above, here, names)), _statements(here)
    old_keys, keys = ([_keys(one, names) for one in code] for code in (old, new))
    steps = list(_steps(old_keys, keys))
    lines = []
    for equal, of_above, of_here in steps:
        replaced = [old_keys[i] for i in of_above]
        for j in of_here:
            if equal:
                lines += _lines([(new[j], False)], False)
            else:
                lines += _new_lines(new[j], keys[j], replaced, names)
    kept = [keys[j] for equal, _, of_here in steps if equal for j in of_here if not _brace(keys[j])]
    alone = "\n\n" not in here  # without kernels or helpers of its own
    used = set(re.findall(r"\w+", here)) - _defined(here)
    if alone and len(kept) <= FEW and _defined(above) & used:
        return Compared(plain(here).lines, [], False, calls=True)
    alike = bool(kept) or any(len(line.pieces) > 1 for line in lines)
    # Where all is new, to mark it says nothing.
    return Compared(lines if alike else plain(here).lines, _changes(steps, old, new), alike)
