#!/usr/bin/env bash
# Checks format and common mistakes, changes nothing: scripts/lint.sh [--all]
# clang-tidy, which takes longest, looks at what has changed since a day before the last commit; --all: at everything.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"
failed=()
[[ $# == 0 || $* == --all ]] || die "usage: lint.sh [--all]"

# our_files PATTERN...: tracked files and new ones, but no ignored ones, in $files.
our_files() {
  local file listed
  # The setting is for checkouts that belong to another user, as in containers.
  mapfile -d '' listed < <(git -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- "$@")
  files=()
  for file in "${listed[@]}"; do
    if [[ -f $file ]]; then files+=("$file"); fi
  done
}

# check NAME COMMAND...: runs it if there are $files, and notes whether it failed.
check() {
  local name=$1
  say "$name (${#files[@]} files)"
  ((${#files[@]})) || return 0
  shift
  "$@" >&2 || failed+=("$name")
}

# The ladder files are compiled for several instruction sets and precisions; once is enough here.
# Without options of gcc that clang does not know, and without what it has precompiled: files include what they need.
# Of gcc's own headers clang has all but that of OpenMP.
write_compile_commands() {
  lock_build
  configure release-tests build
  unlock_build
  mkdir -p build/lint/include
  cp "$("${CXX:-c++}" -print-file-name=include/omp.h)" build/lint/include/
  .venv/bin/python - <<'PYTHON'
import json
import pathlib
import re

first = {}
headers = pathlib.Path("build/lint/include").resolve()
for entry in json.loads(pathlib.Path("build/compile_commands.json").read_text()):
    command = re.sub(r" -include \S+cmake_pch\.hxx", "", entry["command"])
    words = [word for word in command.split(" ") if not word.startswith(("-W", "-fsanitize-"))]
    files = [entry["file"]]
    if "/Unity/" in entry["file"]:  # several ladders as one
        files = re.findall(r'#include "(.+)"', pathlib.Path(entry["file"]).read_text())
    for file in files:
        command = " ".join([*words, f"-isystem{headers}"]).replace(entry["file"], file)
        first.setdefault(file, {**entry, "file": file, "command": command})
new = json.dumps(list(first.values()), indent=1)
path = pathlib.Path("build/lint/compile_commands.json")
if not path.exists() or path.read_text() != new:
    path.write_text(new)
PYTHON
}

# A file is clean until it, a header of ours, its options or the checks change.
is_clean() {
  local stamp=build/lint/$1.clean newer
  [[ -f $stamp ]] || return
  for newer in "$1" .clang-tidy build/lint/compile_commands.json "${headers[@]}"; do
    [[ $stamp -nt $newer ]] || return
  done
}

# Shows what clang-tidy prints only for files with findings.
tidy_file() {
  local output result=0 stamp=build/lint/$1.clean
  if output=$(.venv/bin/clang-tidy --quiet -p build/lint "$1" 2>&1 </dev/null); then
    mkdir -p "$(dirname "$stamp")" && touch "$stamp"
  else
    printf '%s\n' "$output"
    result=1
  fi
  # Files are checked side by side: a number may be there twice.
  printf '[%d/%d] %s\n' $(($(wc -l <"$2") + 1)) "$3" "$1" >>"$2"
  return "$result"
}

tidy_files() {
  : >"$tidy_log"
  export -f tidy_file
  # shellcheck disable=SC2016  # expanded by the inner shell
  printf '%s\0' "${files[@]}" |
    xargs -0 -I FILE -P "$jobs" bash -c 'tidy_file "$@"' bash FILE "$tidy_log" "${#files[@]}"
}

scripts/setup.sh test

our_files '*.hpp' '*.cpp' '*.h' '*.cu' '*.cuh'
((${#files[@]})) || die "found no source files; is this a git checkout?"
check "clang-format" clang-format --dry-run -Werror "${files[@]}"

our_files '*.sh' '*.sbatch' jobs/submit jobs/passes .ci/run
check "shellcheck" shellcheck --external-sources "${files[@]}"

our_files '*.py' '*.ipynb'
check "ruff check" .venv/bin/python -m ruff check --quiet --config scripts/ruff.toml "${files[@]}"
check "ruff format" .venv/bin/python -m ruff format --quiet --check --config scripts/ruff.toml "${files[@]}"

write_compile_commands
our_files '*.hpp' '*.h'
headers=("${files[@]}")
# What students hand in is no part of the build.
our_files '*.cpp' ':!course'
if [[ $* != --all ]]; then
  changed=$(.venv/bin/python scripts/lint_files.py "${files[@]}")
  mapfile -t files < <(printf '%s' "$changed")
fi
suspects=()
for file in "${files[@]}"; do
  is_clean "$file" || suspects+=("$file")
done
files=(${suspects[@]+"${suspects[@]}"})
tidy_log=build/logs/clang-tidy.log
check "clang-tidy" telling "clang-tidy" "$tidy_log" tidy_files

((${#failed[@]} == 0)) || die "failed: ${failed[*]}"
say "all clean"
