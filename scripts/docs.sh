#!/usr/bin/env bash
# Makes the documentation of build/bench: scripts/docs.sh [man|html]
#   man    manual pages, build/docs/man: man -M build/docs/man bench
#   html   the site, build/docs/html/index.html, which needs no network
# Both without an argument. Warnings are errors.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
wanted=${1:-all}
[[ $# -le 1 && $wanted =~ ^(man|html|all)$ ]] || die "usage: docs.sh [man|html]"
output=$root/build/docs

python=$root/.venv/bin/python
[[ -x $python ]] || python=python3

if [[ $wanted != html ]]; then
  rm -rf "$output/man"
  mkdir -p "$output/man"
  "$python" "$root/docs/manual.py" "$output/man/man1"
fi
[[ $wanted != man ]] || exit 0

"$python" -c 'import furo, myst_parser, sphinx' 2>/dev/null || die "Sphinx is not installed: scripts/setup.sh docs"
# Made anew: nothing of a page that is gone is left.
rm -rf "$output/html" "$output/extra"
"$python" "$root/docs/lessons.py" "$output/extra/lessons"
BENCH_DOCS_EXTRA=$output/extra "$python" -m sphinx -E -W --keep-going --quiet -b html \
  -d "$output/doctrees" "$root/docs" "$output/html"
say "build/docs/html/index.html"
