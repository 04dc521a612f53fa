# A result file in pandas: the variants from the fastest to the slowest, with the speedup of each.
# bench energy/openmp --size 1e5 --output run.json && python3 read_with_pandas.py run.json
import json
import sys

import pandas

with open(sys.argv[1], encoding="utf-8") as file:
    rows = pandas.json_normalize(json.load(file)["speedups"])
rows = rows[rows["workload"] == "energy"]  # copy is there too, as the bandwidth reference
rows = rows[["backend", "variant", "seconds", "over_serial.value"]].sort_values("seconds")
print(rows.to_string(index=False, float_format="{:.4g}".format))
