#!/usr/bin/env bash
# Builds bench if needed and runs it: scripts/run.sh [ARGUMENTS OF BENCH]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/build.sh"
exec "$root/build/bench" "$@"
