#!/usr/bin/env bash
# Builds and runs all tests: scripts/test.sh [--quick|--gpu] [-- ARGUMENTS OF CTEST]
#   --quick  only the release build, without the sanitizers
#   --gpu    only the tests that need a GPU, also under compute-sanitizer where it is installed
# The last line of stdout is 'N passed, N failed, N skipped'; the exit status is 0 if nothing failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The sanitizers cannot place their tables under the strong address randomisation of some kernels.
if [[ -z ${BENCH_FIXED_ADDRESSES:-} ]] && setarch "$(uname -m)" -R true 2>/dev/null; then
  BENCH_FIXED_ADDRESSES=1 exec setarch "$(uname -m)" -R bash "$0" "$@"
fi

passed=0 failed=0 skipped=0
finish() {
  local code=$?
  # Whatever ended the script early is a failure too, and so is a run that tested nothing.
  if ((failed == 0 && (code != 0 || passed + skipped == 0))); then failed=1; fi
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  exit $((failed > 0))
}
trap finish EXIT
trap 'exit 1' INT TERM

stages=(release asan tsan tsan-gcc)
gpu_only=0
ctest_arguments=()
while (($#)); do
  case $1 in
    --quick) stages=(release) ;;
    --gpu) gpu_only=1 ;;
    --)
      shift
      ctest_arguments=("$@")
      break
      ;;
    *) die "usage: test.sh [--quick|--gpu] [-- ARGUMENTS OF CTEST]" ;;
  esac
  shift
done
# Nobody filtered the tests, so a stage without any is a mistake.
((${#ctest_arguments[@]})) || ctest_arguments=(--no-tests=error)
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$jobs}

# add_results STAGE JUNIT_FILE: adds to the three counts; shows the failed tests, and why others were skipped.
add_results() {
  local counts
  counts=$("$root/.venv/bin/python" "$root/scripts/junit.py" "$2") || return
  local more
  read -r -a more <<<"$counts"
  passed=$((passed + more[0])) failed=$((failed + more[1])) skipped=$((skipped + more[2]))
  say "$1: ${more[0]} passed, ${more[1]} failed, ${more[2]} skipped ($SECONDS s so far)"
}

# stage PRESET: configure, build and test it. A stage that breaks down counts as one failure, and the next one is run.
stage() {
  local preset=$1 folder=$root/build/$1 results=$root/build/logs/$1-tests.xml code=0
  [[ $preset != release ]] || folder=$root/build
  say "$preset: building"
  lock_build
  configure "$preset" "$folder" && build "$preset" || code=$?
  unlock_build
  if ((code == 0)); then
    say "$preset: testing"
    rm -f "$results"
    (cd "$root" && ctest --preset "$preset" --output-junit "$results" "${ctest_arguments[@]}") \
      >"$root/build/logs/$preset-tests.log" 2>&1 </dev/null || code=$?
    local failed_before=$failed
    add_results "$preset" "$results" || code=1
    # CTest failed, yet none of the tests did: it is broken itself, or found no test.
    if ((code == 0)); then return; fi
    if ((failed > failed_before)); then
      grep -F '***' "$root/build/logs/$preset-tests.log" | grep -vF '***Skipped' >&2 || true
      return
    fi
    tail -n 20 "$root/build/logs/$preset-tests.log" >&2
  fi
  failed=$((failed + 1))
  say "$preset: broken"
}

# The tests with the label `gpu`, by the script that a GPU round uses too.
gpu_stage() {
  local code=0 counts
  lock_build
  configure release "$root/build" && build release || code=$?
  unlock_build
  if ((code)); then return "$code"; fi
  if ! grep -q '^CMAKE_CUDA_COMPILER:[A-Z]*=/' "$root/build/CMakeCache.txt" ||
    [[ ! -x $root/build/kernels/kernels_gpu_test ]]; then
    say "gpu: skipped, built without CUDA"
    skipped=1
    exit 0
  fi
  counts=$("$root/scripts/gpu_tests.sh" "$root/build" "$root/build/logs/gpu" | tail -n 1) || code=$?
  read -r passed _ failed _ skipped _ <<<"$counts"
  return "$code"
}

say "checking what is needed"
"$root/scripts/setup.sh" test >&2
if ((gpu_only)); then
  gpu_stage
  exit
fi
for name in "${stages[@]}"; do
  if [[ $name == tsan ]]; then
    # ThreadSanitizer understands OpenMP only through clang's OpenMP library and its tool, Archer.
    archer=$(clang++ -print-resource-dir 2>/dev/null || true)/../../libarcher.so
    if [[ ! -f $archer ]]; then
      say "tsan: skipped, no clang++ with OpenMP and libarcher.so"
      skipped=$((skipped + 1))
      continue
    fi
    export OMP_TOOL_LIBRARIES=$archer
  fi
  stage "$name"
done
