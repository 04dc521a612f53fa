"""File names: safe characters only, and unique where the file system ignores case, too."""

import re

LONGEST = 80


def slug(*parts):
    words = (re.sub(r"[^A-Za-z0-9.]+", "-", str(part)).strip("-.") for part in parts if part)
    return "-".join(word for word in words if word)[:LONGEST].rstrip("-.") or "picture"


def hot(cache):
    """Cold is usual and goes without saying."""
    return "" if cache == "cold" else cache


def unique(names):
    """The second of a name gets a 2, and so on, in the given order."""
    taken, result = set(), []
    for name in names:
        candidate, number = name, 1
        while candidate.lower() in taken:
            number += 1
            candidate = f"{name}-{number}"
        taken.add(candidate.lower())
        result.append(candidate)
    return result
