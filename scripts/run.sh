#!/usr/bin/env bash
# Builds bench if needed and runs it: scripts/run.sh [ARGUMENTS OF BENCH]
# The arguments: scripts/run.sh help
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
"$root/scripts/build.sh"
exec "$root/build/bench" "$@"
