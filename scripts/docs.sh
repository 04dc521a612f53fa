#!/usr/bin/env bash
# Makes the documentation of build/bench: scripts/docs.sh [man|html|all] [FOLDER]
#   man    manual pages in FOLDER/man: man -M build/docs/man bench
#   html   the site, FOLDER/html/index.html, which needs no network
# Without arguments all of it, in build/docs. Warnings are errors.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
wanted=${1:-all} output=${2:-$root/build/docs}
[[ $# -le 2 && $wanted =~ ^(man|html|all)$ ]] || die "usage: docs.sh [man|html|all] [FOLDER]"

python=$root/.venv/bin/python
[[ -x $python ]] || python=python3
if [[ $wanted != man ]]; then
  "$python" -c 'import furo, jinja2, myst_parser' 2>/dev/null || die "Sphinx is not installed: scripts/setup.sh docs"
fi

if [[ $wanted != html ]]; then
  rm -rf "$output/man"
  "$python" "$root/docs/manual.py" "$output/man/man1"
  say "$output/man/man1"
fi
if [[ $wanted != man ]]; then
  rm -rf "$output/html" "$output/extra"
  "$python" "$root/docs/lessons.py" "$output/extra/lessons"
  BENCH_DOCS_EXTRA=$output/extra "$python" -m sphinx -E -W --keep-going --quiet -b html \
    -d "$output/doctrees" "$root/docs" "$output/html"
  say "$output/html/index.html"
fi
