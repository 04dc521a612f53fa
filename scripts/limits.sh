#!/usr/bin/env bash
# Compares the fastest variant of every workload with its goal, and with Numba:
# scripts/limits.sh [--passes N] [--quick] [--gpu] [--only RUNS] [--folder DIR]    measures, then prints
# scripts/limits.sh --print DIR                                                    prints what was measured into DIR before
# To measure, it builds bench and installs Numba into .venv. To print, it needs Python and a built bench.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

python=$root/.venv/bin/python
if [[ " $* " == *" --print"* ]]; then
  [[ -x $python ]] || python=python3
else
  "$root/scripts/setup.sh" peers >&2
  "$root/scripts/build.sh"
fi
exec "$python" "$root/scripts/limits.py" "$@"
