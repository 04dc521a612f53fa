#!/usr/bin/env bash
# Checks format and common mistakes, changes nothing: scripts/lint.sh [--all]
# clang-tidy, which takes longest, looks at the units of what has changed since a day before the last commit; --all: at
# every file by itself.
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

# What clang-tidy reads: how each file is compiled, and the header of gcc that clang lacks.
configure_for_lint() {
  lock_build
  configure release-tests build
  unlock_build
  mkdir -p build/lint/include
  cp "$("${CXX:-c++}" -print-file-name=include/omp.h)" build/lint/include/
}

scripts/setup.sh lint

our_files '*.hpp' '*.cpp' '*.h' '*.cu' '*.cuh'
((${#files[@]})) || die "found no source files; is this a git checkout?"
check "clang-format" clang-format --dry-run -Werror "${files[@]}"

our_files '*.sh' '*.sbatch' jobs/submit jobs/passes .ci/run
check "shellcheck" shellcheck --external-sources "${files[@]}"

our_files '*.py' '*.ipynb' scripts/new_workload
check "ruff check" .venv/bin/python -m ruff check --quiet --config scripts/ruff.toml "${files[@]}"
check "ruff format" .venv/bin/python -m ruff format --quiet --check --config scripts/ruff.toml "${files[@]}"

configure_for_lint
# What students write is not part of the build.
our_files '*.cpp' ':!course' ':!examples'
tidy_log=build/logs/clang-tidy.log
check "clang-tidy" telling "clang-tidy" "$tidy_log" \
  .venv/bin/python dev/lint_files.py "$tidy_log" "$jobs" "$@" "${files[@]}"

((${#failed[@]} == 0)) || die "failed: ${failed[*]}"
say "all clean"
