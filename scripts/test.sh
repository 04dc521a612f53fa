#!/usr/bin/env bash
# Builds and runs tests: scripts/test.sh [--all|--only WORKLOAD|--gpu] [-- ARGUMENTS OF CTEST]
#   (none)   the release build: every variant of every workload for this processor, the harness, the program and its
#            scripts. It installs a compiler, the libraries and a small Python only. What needs more is skipped, and counted.
#   --all    everything, as continuous integration does: also the sanitizers, Slurm, TeX, a browser, Numba, the notebook
#   --only   only what checks the variants of a workload, and only that is built: seconds after a change
#   --gpu    only the tests that need a GPU, also under compute-sanitizer where it is installed
# BENCH_TEST_MINUTES: a build with a sanitizer that would take longer is not begun; it is counted as skipped.
# The last line of stdout is 'N passed, N failed, N skipped'; the exit status is 0 if nothing failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The sanitizers cannot place their tables under the strong address randomisation of some kernels.
if [[ -z ${BENCH_FIXED_ADDRESSES:-} ]] && setarch "$(uname -m)" -R true 2>/dev/null; then
  BENCH_FIXED_ADDRESSES=1 exec setarch "$(uname -m)" -R bash "$0" "$@"
fi

passed=0 failed=0 skipped=0
# What each stage took, for who wants the whole to take less.
took=()
finish() {
  local code=$?
  if ((${#took[@]})); then
    say "minutes: $(printf '%s, ' "${took[@]}" | sed 's/, $//')"
    "$root/.venv/bin/python" "$root/dev/junit.py" --slowest 10 "$root"/build/logs/{release-tests,asan,tsan}-ctest.xml >&2 || true
  fi
  # Whatever ended the script early is a failure too, and so is a run that tested nothing.
  if ((failed == 0 && (code != 0 || passed + skipped == 0))); then failed=1; fi
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  exit $((failed > 0))
}
trap finish EXIT
trap 'exit 1' INT TERM

stages=(release-tests)
purpose="test"
gpu_only=0
targets=()
ctest_arguments=()
# Two thousand tests are started as some thirty programs, unless a filter chooses among them.
together=ON

# only WORKLOAD: the programs that check every variant of it, and its own tests in them.
only() {
  local folder=$root/kernels/$1 suites
  if [[ -z $1 || ! -f $folder/serial.cpp ]]; then
    die "--only ${1:-}: unknown workload; there are $(cd "$root/kernels" && printf '%s\n' */serial.cpp | xargs dirname | paste -sd ' ')"
  fi
  suites=$(sed -n 's/^TEST[A-Z_]*(\([A-Za-z]*\),.*/\1/p' "$folder"/*_test.cpp | sort -u | paste -sd '|')
  together=OFF
  targets=(--target bench kernels_test kernels_cuda_on_cpu_test)
  ctest_arguments=(--no-tests=error
    --tests-regex "^kernels\\.((on_cpu\\.)?Registry/.*/$1_f|(${suites:-none})\\.|isolated_objects$)")
}

while (($#)); do
  case $1 in
    --only)
      only "${2:-}"
      shift
      ;;
    --all)
      stages=(release-tests asan tsan)
      purpose=all
      ;;
    --gpu) gpu_only=1 ;;
    --)
      shift
      together=OFF
      ctest_arguments=("$@")
      break
      ;;
    *) die "usage: test.sh [--all|--only WORKLOAD|--gpu] [-- ARGUMENTS OF CTEST]" ;;
  esac
  shift
done
# The tests were not filtered, so a stage without any is a mistake. Some files take minutes, and are left to --all.
left_out=()
if ((${#ctest_arguments[@]} == 0)); then
  ctest_arguments=(--no-tests=error)
  if [[ $purpose == test ]]; then
    left_out=(asan tsan)
    ctest_arguments+=(--label-exclude '^full$')
    export BENCH_QUICK_TESTS=1 # one instruction set
  fi
fi
# Many tests wait for others: Slurm, a terminal, a clock.
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$((jobs + 1))}

# add_results STAGE JUNIT_FILE: adds to the three counts; shows the failed tests, and why others were skipped.
add_results() {
  local counts
  counts=$("$root/.venv/bin/python" "$root/dev/junit.py" "$2") || return
  local more
  read -r -a more <<<"$counts"
  passed=$((passed + more[0])) failed=$((failed + more[1])) skipped=$((skipped + more[2]))
  say "$1: ${more[0]} passed, ${more[1]} failed, ${more[2]} skipped ($SECONDS s so far)"
}

# unit_tests PRESET: ON in the stage that runs the harness's tests by itself, and those of CUDA on the CPU. They are logic,
# which the sanitizers see more of than an optimiser changes.
unit_tests() {
  if [[ $1 == release-tests && " ${stages[*]} " == *" asan "* && -f $archer ]]; then echo OFF; else echo ON; fi
}

# run_tests PRESET JUNIT_FILE LOG
run_tests() {
  (cd "$root" && ctest --preset "$1" --test-output-size-passed 10000 --output-junit "$2" "${ctest_arguments[@]}") >"$3" 2>&1 </dev/null
}

# stage PRESET: configure, build and test it. A stage that breaks down counts as one failure, and the next one is run.
stage() {
  local preset=$1 folder=$root/build/$1 code=0
  local log=$root/build/logs/$1-ctest.log results=$root/build/logs/$1-ctest.xml
  [[ $preset != release-tests ]] || folder=$root/build
  local begin=$SECONDS
  say "$preset: building"
  lock_build
  configure "$preset" "$folder" -DBENCH_TESTS_TOGETHER=$together -DBENCH_UNIT_TESTS="$(unit_tests "$preset")" &&
    build "$preset" ${targets[@]+"${targets[@]}"} || code=$?
  unlock_build
  took+=("$preset built $(minutes $((SECONDS - begin)))")
  rm -f "$results"
  if ((code == 0)); then
    begin=$SECONDS
    telling "$preset: testing" "$log" run_tests "$preset" "$results" "$log" || code=$?
    took+=("tested $(minutes $((SECONDS - begin)))")
    local failed_before=$failed
    add_results "$preset" "$results" || code=1
    # CTest failed, yet none of the tests did: it is broken itself, or found no test.
    if ((code == 0)); then return; fi
    if ((failed > failed_before)); then
      grep -F '***' "$log" | grep -vF '***Skipped' >&2 || true
      return
    fi
    tail -n 20 "$log" >&2
  fi
  failed=$((failed + 1))
  say "$preset: broken"
}

# The tests with the label `gpu`, by the script that a GPU round uses too.
gpu_stage() {
  local code=0 counts
  lock_build
  configure release-tests "$root/build" && build release-tests || code=$?
  unlock_build
  if ((code)); then return "$code"; fi
  if ! grep -q '^CMAKE_CUDA_COMPILER:[A-Z]*=/' "$root/build/CMakeCache.txt" ||
    [[ ! -x $root/build/kernels/kernels_gpu_test ]]; then
    say "gpu: skipped, built without CUDA"
    skipped=1
    exit 0
  fi
  counts=$("$root/dev/gpu_tests.sh" "$root/build" "$root/build/logs/gpu" | tail -n 1) || code=$?
  read -r passed _ failed _ skipped _ <<<"$counts"
  return "$code"
}

say "checking what is needed"
"$root/scripts/setup.sh" "$purpose" >&2
if ((gpu_only)); then
  gpu_stage
  exit
fi
# ThreadSanitizer understands OpenMP only through clang's OpenMP library and its tool, Archer.
archer=$(clang++ -print-resource-dir 2>/dev/null || true)/../../libarcher.so
# How long each takes, in percent of what is before it.
declare -A share=([asan]=45 [tsan]=15)
for name in "${stages[@]}"; do
  if [[ $name != release-tests && ! -f $archer ]]; then
    say "$name: skipped, no clang++ with OpenMP and libarcher.so"
    skipped=$((skipped + 1))
    continue
  fi
  if ((SECONDS * (100 + ${share[$name]:-0}) / 100 > 60 * ${BENCH_TEST_MINUTES:-1000})); then
    say "$name: skipped, it would not end within ${BENCH_TEST_MINUTES:-1000} minutes"
    skipped=$((skipped + 1))
    continue
  fi
  if [[ $name == tsan ]]; then export OMP_TOOL_LIBRARIES=$archer; fi
  stage "$name"
done
if ((${#left_out[@]})); then
  mapfile -t -O "${#left_out[@]}" left_out < <(
    cd "$root" && ctest --preset release-tests --show-only --label-regex '^full$' | sed -n 's/^ *Test *#[0-9]*: *//p'
  )
  say "skipped ${#left_out[@]} (${left_out[*]}): scripts/test.sh --all runs them"
  skipped=$((skipped + ${#left_out[@]}))
fi
