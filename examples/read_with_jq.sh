#!/usr/bin/env bash
# A result file in jq: each variant with its median time and its speedup over the naive loop.
# bench energy/openmp --size 1e5 --output run.json && bash read_with_jq.sh run.json
jq -r '.speedups[] | select(.workload == "energy") | [.name, .seconds, .over_serial.value] | @tsv' "$1"
