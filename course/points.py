"""Points for a class, as lines for a spreadsheet:

    bench table class.json --format json --columns naive,rank | python3 points.py

10 for a right result, and up to 10 for speed: on a logarithmic scale from the naive loop to the
fastest row of the same table. Files of one rank, which cannot be told apart, have the points of the
best of them. What could not be measured here (a CUDA file that is `checked`, a missing package) has
none yet, nor has a file without a rank, which somebody has to look at first.
"""

import csv
import json
import math
import sys


def speed(row, fastest):
    """0 for the naive loop, 1 for the fastest row."""
    naive = row["values"]["naive"]
    return math.log(naive) / math.log(fastest) if naive and naive > 1 and fastest > 1 else 0


def points(row, rows, fastest):
    if row["status"] == "failed":
        return 0
    place = (row["values"]["rank"], row["scope"])
    if place[0] is None:
        return None
    alike = [one for one in rows if (one["values"]["rank"], one["scope"]) == place]
    return round(10 + 10 * max(speed(one, fastest) for one in alike), 1)


def believable(row):
    return row["values"]["naive"] and (not row["guest"] or row["values"]["rank"])


def lines(tables):
    yield ["workload", "file", "points", "reason"]
    for table in tables:
        rows = table["rows"]
        fastest = max((row["values"]["naive"] for row in rows if believable(row)), default=1)
        for row in rows:
            if row["guest"]:
                found = points(row, rows, fastest)
                yield [row["workload"], row["guest"], found, row["reason"] or ""]


def main():
    try:
        found = list(lines(json.load(sys.stdin)["tables"]))
    except (ValueError, KeyError, TypeError):
        print(
            "points.py: stdin is no such table: bench table class.json --format json "
            "--columns naive,rank | python3 points.py",
            file=sys.stderr,
        )
        return 2
    try:
        csv.writer(sys.stdout, lineterminator="\n").writerows(found)
        sys.stdout.flush()
    except OSError as error:  # or a reader that has seen enough, as head
        sys.stdout = None
        if isinstance(error, BrokenPipeError):
            return 0
        print(f"points.py: stdout: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
