#!/bin/sh
# Builds bench from the archive in the folder of this script and installs it, inside a container of Debian or Ubuntu. CUDA is used
# where nvcc is. Not in /tmp, which Apptainer has from the host.
set -eu
export DEBIAN_FRONTEND=noninteractive
folder=$(cd "$(dirname "$0")" && pwd)
apt-get update
apt-get install --yes --no-install-recommends cmake g++ make python3 python3-matplotlib python3-jinja2
mkdir "$folder/bench"
tar -C "$folder/bench" --strip-components=1 -xf "$folder"/bench-*.tar.gz
cmake -S "$folder/bench" -B "$folder/bench/build" -DBENCH_FETCH=ON
cmake --build "$folder/bench/build" --parallel "${BENCH_JOBS:-$(nproc)}" --target bench
cmake --install "$folder/bench/build" --prefix "${1:-/usr/local}"
rm -rf "$folder" /var/lib/apt/lists/*
