#!/usr/bin/env bash
# The tests that need a GPU, and compute-sanitizer over them where it is installed: dev/gpu_tests.sh PROGRAMS LOGS [PART...]
# PROGRAMS is a folder with harness_gpu_test and kernels_gpu_test in or below it (a build, or one made by pack.sh).
# PART: harness, kernels, huge, memcheck, racecheck, initcheck, synccheck, lost; without one, all in this order.
# Tests of kernels wait for the CPU most of the time: GPU_TEST_SHARDS processes (half of the CPUs, at most 8) share them.
# The last line is 'N passed, N failed, N skipped'; the exit status is 0 if nothing failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
(($# >= 2)) || die "usage: gpu_tests.sh PROGRAMS LOGS [PART...]"
programs=$1 logs=$2
shift 2
mkdir -p "$logs"

passed=0 failed=0 skipped=0
cpus=$(nproc)
shards=${GPU_TEST_SHARDS:-$((cpus < 4 ? 1 : cpus < 16 ? cpus / 2 : 8))}

# Adds the counts in the closing lines of GoogleTest, of one program or several; shows what failed, and why tests were skipped.
add_counts() {
  local log=$1 code=$2 count kind counts=()
  for kind in '  PASSED  ' '  FAILED  ' '  SKIPPED '; do
    count=$(sed -n "s/^\[$kind\] \([0-9][0-9]*\) test.*/\1/p" "$log" | awk '{sum += $1} END {print sum + 0}')
    counts+=("$count")
  done
  # No test of that name, or an exit code that the summary does not explain: it crashed, or a checker found something.
  if ((counts[1] == 0 && (code != 0 || counts[0] + counts[2] == 0))); then counts[1]=1; fi
  passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
  if ((counts[1])); then grep -E 'FAILED|Failure|ERROR SUMMARY|=========|terminate' "$log" | head -n 40 >&2 || true; fi
  if ((counts[2])); then grep -A 1 ': Skipped$' "$log" | grep -v -e ': Skipped$' -e '^--$' | sort | uniq -c >&2 || true; fi
  say "$(basename "$log" .log): ${counts[0]} passed, ${counts[1]} failed, ${counts[2]} skipped ($SECONDS s so far)"
}

# tests NAME COMMAND...: with a limit, since a kernel that hangs hangs for ever; the end of this script ends it too.
tests() { shared 1 "$@"; }

# shared N NAME COMMAND...: by N processes, whose threads would be in each other's way.
shared() {
  local count=$1 log=$logs/$2.log code=0 running=() share i
  shift 2
  share=("GTEST_TOTAL_SHARDS=$count")
  if ((count > 1)); then share+=(OMP_NUM_THREADS=2 OMP_PROC_BIND=false); fi
  for ((i = 0; i < count; i++)); do
    env "${share[@]}" GTEST_SHARD_INDEX=$i timeout --kill-after=10 900 "$@" >"$log.$i" 2>&1 </dev/null &
    running+=($!)
  done
  # shellcheck disable=SC2064  # these
  trap "kill ${running[*]} 2>/dev/null; exit 143" INT TERM
  for i in "${running[@]}"; do wait "$i" || code=$?; done
  trap - INT TERM
  cat "$log".[0-9]* >"$log"
  rm "$log".[0-9]*
  add_counts "$log" "$code"
}

program_of() {
  local found
  found=$(find "$programs" -name "$1" -type f -perm -100 | head -n 1)
  [[ -n $found ]] || die "no $1 in $programs (dev/pack.sh makes it)"
  echo "$found"
}

# Tests after which the device is lost: each in a process of its own.
losing='*LosesTheDevice:*ALostDevice*:*AnErrorInOneChunk*'
huge='*HugeArrays*:HugeCopy*'
lost() {
  local name=$1 program one
  program=$(program_of "$name")
  for one in $("$program" --gtest_list_tests --gtest_filter="$losing" |
    awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}'); do
    tests "$name-${one##*.}" "$program" --gtest_filter="$one"
  done
}

sanitize() {
  local checker program filter='*Cuda*Conformance.S*'
  # Its variant without a barrier is a race in shared memory, shown deliberately.
  if [[ $1 == racecheck ]]; then filter+=':-*/reverse_*'; fi
  program=$(program_of kernels_gpu_test)
  if checker=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null); then
    # Asking a stream whether it is done is not an error.
    shared "$shards" "$1" "$checker" --tool "$1" --report-api-errors no --error-exitcode 99 "$program" --gtest_filter="$filter"
  else
    say "compute-sanitizer is not installed: $1 is skipped"
    skipped=$((skipped + 1))
  fi
}

(($#)) || set -- harness kernels huge memcheck racecheck initcheck synccheck lost
for part in "$@"; do
  case $part in
    harness) tests harness_gpu_test "$(program_of harness_gpu_test)" --gtest_filter="*:-$losing" ;;
    kernels) shared "$shards" kernels_gpu_test "$(program_of kernels_gpu_test)" --gtest_filter="*:-$losing:$huge" ;;
    huge) tests kernels_gpu_test-huge "$(program_of kernels_gpu_test)" --gtest_filter="$huge" ;;
    memcheck | racecheck | initcheck | synccheck) sanitize "$part" ;;
    lost)
      lost harness_gpu_test
      lost kernels_gpu_test
      ;;
    *) die "$part: no such part; there are harness, kernels, huge, memcheck, racecheck, initcheck, synccheck, lost" ;;
  esac
done

printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
exit $((failed > 0))
