"""Points for a class, as lines for a spreadsheet:

    bench table class.json --format json --columns naive,rank | python3 points.py

10 for a right result, and up to 10 for speed: on a logarithmic scale from the naive loop to the
fastest row of the same table. What could not be measured here (a CUDA file without a GPU) has none
yet, nor has a file without a rank, which somebody has to look at first.
"""

import csv
import json
import math
import sys


def speed(row, fastest):
    """0 for the naive loop, 1 for the fastest row."""
    naive = row["values"]["naive"]
    return math.log(naive) / math.log(fastest) if naive and naive > 1 and fastest > 1 else 0


def points(row, fastest):
    if row["status"] == "failed":
        return 0
    ranked = row["values"]["rank"] is not None
    return round(10 + 10 * speed(row, fastest), 1) if ranked else None


def believable(row):
    return row["values"]["naive"] and (not row["guest"] or row["values"]["rank"])


out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["workload", "file", "points", "reason"])
for table in json.load(sys.stdin)["tables"]:
    fastest = max((row["values"]["naive"] for row in table["rows"] if believable(row)), default=1)
    for row in table["rows"]:
        if row["guest"]:
            reason = row["reason"] or ""
            out.writerow([row["workload"], row["guest"], points(row, fastest), reason])
