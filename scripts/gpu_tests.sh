#!/usr/bin/env bash
# The tests that need a GPU, and compute-sanitizer over them where it is installed: scripts/gpu_tests.sh PROGRAMS LOGS
# PROGRAMS is a folder with harness_gpu_test and kernels_gpu_test in or below it (a build, or one made by pack.sh).
# The last line is 'N passed, N failed, N skipped'; the exit status is 0 if nothing failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 2)) || die "usage: gpu_tests.sh PROGRAMS LOGS"
programs=$1 logs=$2
mkdir -p "$logs"

passed=0 failed=0 skipped=0

find_program() { find "$programs" -name "$1" -type f -perm -100 | head -n 1; }

# Adds the counts in the closing lines of a GoogleTest log; shows what failed, and why tests were skipped.
add_counts() {
  local log=$1 code=$2 count kind counts=()
  for kind in '  PASSED  ' '  FAILED  ' '  SKIPPED '; do
    count=$(sed -n "s/^\[$kind\] \([0-9][0-9]*\) test.*/\1/p" "$log" | tail -n 1)
    counts+=("${count:-0}")
  done
  # No summary, or an exit code that the summary does not explain: it crashed, or a checker found something.
  if ((code != 0 && counts[1] == 0)); then counts[1]=1; fi
  passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
  if ((counts[1])); then grep -E 'FAILED|Failure|ERROR SUMMARY|=========|terminate' "$log" | head -n 40 >&2 || true; fi
  if ((counts[2])); then grep -A 1 ': Skipped$' "$log" | grep -v -e ': Skipped$' -e '^--$' | sort | uniq -c >&2 || true; fi
  say "$(basename "$log" .log): ${counts[0]} passed, ${counts[1]} failed, ${counts[2]} skipped ($SECONDS s so far)"
}

# tests NAME COMMAND...: with a limit, since a kernel that hangs hangs for ever.
tests() {
  local log=$logs/$1.log code=0
  shift
  timeout --kill-after=10 900 "$@" >"$log" 2>&1 </dev/null || code=$?
  add_counts "$log" "$code"
}

# Tests that lose the device come last, in processes of their own.
losing='*LosesTheDevice:*ALostDevice*'
for name in harness_gpu_test kernels_gpu_test; do
  program=$(find_program "$name")
  [[ -n $program ]] || die "no $name in $programs (scripts/pack.sh makes it)"
  tests "$name" "$program" --gtest_filter="*:-$losing:HugeArrays*"
  tests "$name-huge" "$program" --gtest_filter="HugeArrays*"
  for one in $("$program" --gtest_list_tests --gtest_filter="$losing" |
    awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}'); do
    tests "$name-${one##*.}" "$program" --gtest_filter="$one"
  done
done

if checker=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
  program=$(find_program kernels_gpu_test)
  for tool in memcheck racecheck initcheck synccheck; do
    tests "$tool" "$checker" --tool "$tool" --error-exitcode 99 "$program" --gtest_filter='*CudaConformance.S*'
  done
else
  say "compute-sanitizer is not installed: memcheck, racecheck, initcheck and synccheck are skipped"
  skipped=$((skipped + 4))
fi

printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
exit $((failed > 0))
