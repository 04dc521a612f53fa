#!/bin/sh
# Builds bench from its archive in /tmp and installs it, inside a container of Debian or Ubuntu. CUDA is used where nvcc is.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends cmake g++ make python3
mkdir /tmp/bench
tar -C /tmp/bench --strip-components=1 -xf /tmp/bench-*.tar.gz
cmake -S /tmp/bench -B /tmp/bench/build -DBENCH_FETCH=ON
cmake --build /tmp/bench/build --parallel "$(nproc)" --target bench
cmake --install /tmp/bench/build --prefix "${1:-/usr/local}"
rm -rf /tmp/bench /tmp/bench-*.tar.gz /var/lib/apt/lists/*
