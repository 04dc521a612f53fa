"""Documents as the scripts read them: files of strict JSON, which the program takes too."""

import json
import os
import re
import stat
from pathlib import Path

from program import UsageError, printable

SCHEMA = "bench-report/1"
SCHEMA_FILE = "schema.json"  # results/*.json names it too
HALF = re.compile(r"\\u[dD][89a-fA-F]")  # of a character that JSON writes in two
LONGEST = 18  # digits of a whole number; beyond, it is a figure, and perhaps none


def files(paths):
    """(path, whether the user named it) of files and of those in folders, each once."""
    paths = [Path(path) for path in paths]
    found = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.glob("*.json") if one.name != SCHEMA_FILE)
            if not inside:
                raise UsageError(f"{printable(path)}: no *.json in this folder")
            for one in inside:
                found.setdefault(one.resolve(), (one, False))
        elif path.name != SCHEMA_FILE or len(paths) == 1:
            found[path.resolve()] = (path, True)
    return list(found.values())


def _bytes(path):
    """What is no file, a pipe or a device, has no end, or nobody at its other one."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise UsageError(f"{printable(path)}: is no file")
        return file.read()


def _constant(text):
    raise ValueError(f"{text} is no JSON")


def _whole(text):
    return int(text) if len(text) <= LONGEST else float(text)


def _object(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"'{next(one for one in names if names.count(one) > 1)}' is there twice")
    return members


def elements_of(size):
    """10000000 of 10000000:256, 16777216 of 4096x4096; None where a size is none of these."""
    total = 1
    for part in size.split(":")[0].split("x"):
        if not part.isdecimal() or len(part) > LONGEST:
            return None
        total *= int(part)
    return total or None


def complete(case):
    """The case with what documents of the first days say in names only, as
    harness/document/legacy.cpp has it; the only place that takes a name apart."""
    if "parameters" not in case:
        named = case["name"].partition(",")[2].split(",")
        parameters = dict(one.partition("=")[::2] for one in named if one)
        workload, _, size = parameters.pop("beside", "").partition(":")
        case["beside"] = {"workload": workload, "size": size} if workload else None
        case["parameters"] = parameters
    if "elements" not in case:
        bins = case["size"].partition(":")[2]
        case["elements"] = elements_of(case["size"])
        case["bins"] = int(bins) if bins.isdecimal() and len(bins) <= LONGEST else None
    return case


def document(path):
    """(bytes, document). Raises UsageError with one line, also where it is none of bench."""
    try:
        data = _bytes(path)
        text = data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"{printable(path)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{printable(path)}: cannot be read: not UTF-8 text") from None
    try:
        found = json.loads(
            text, parse_constant=_constant, parse_int=_whole, object_pairs_hook=_object
        )
        if HALF.search(text):
            json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{printable(path)}: is no JSON: half of a character") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{printable(path)}: is no JSON (was it cut off?): {error}") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise UsageError(f"{printable(path)}: no document of bench: 'schema' is not '{SCHEMA}'")
    return data, found
