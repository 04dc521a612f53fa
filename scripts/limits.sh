#!/usr/bin/env bash
# Holds the top of every ladder against its goal, and against Numba: scripts/limits.sh [--passes N] [--quick] [--gpu] [--only RUNS] [--folder DIR]
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$root/scripts/setup.sh" test >&2
"$root/scripts/run.sh" list >/dev/null  # builds what is not built
exec "$root/.venv/bin/python" "$root/scripts/limits.py" "$@"
