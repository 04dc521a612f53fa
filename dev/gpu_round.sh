#!/usr/bin/env bash
# Everything that needs a GPU, the most valuable first:
# dev/gpu_round.sh OUT [FOLDER] [--within SECONDS] [--step SECONDS] [--only STEPS]
#   FOLDER           programs made by dev/pack.sh; without it they are built here first
#   --within 3600    stop in time; called again, the round continues where it was
#   --step N         no step may take longer than N seconds
#   --only STEPS     of these names, with commas, * for any letters
# OUT.tar.gz holds all of OUT after each step: result files, logs, and steps.txt with the verdicts. A step that fails, hangs or is
# refused costs its own time only; one that the deadline cuts continues next time. The last line is 'N steps, N failed, N left'; the
# exit status is 0 if all is done and nothing failed, 1 if something did, 75 if steps are left: call it again.
# shellcheck disable=SC2317  # its functions are called in shells of their own, which can be ended
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

usage() { die "usage: gpu_round.sh OUT [FOLDER] [--within SECONDS] [--step SECONDS] [--only STEPS]"; }
folders=() within=3600 most=1200 only='*'
while (($#)); do
  case $1 in
    --within | --step)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "$1 ${2:-}: a number of seconds is needed"
      if [[ $1 == --step ]]; then most=$2; else within=$2; fi
      shift
      ;;
    --only)
      [[ -n ${2:-} ]] || die "--only: names of steps are needed, such as gpu,goals-*"
      only=$2
      shift
      ;;
    -*) usage ;;
    *) folders+=("$1") ;;
  esac
  shift
done
((${#folders[@]} == 1 || ${#folders[@]} == 2)) || usage
deadline=$((SECONDS + within))
mkdir -p "${folders[0]}/done"
out=$(cd "${folders[0]}" && pwd)

if ((${#folders[@]} == 2)); then
  programs=$(cd "${folders[1]}" && pwd)
else
  programs=$out/programs
  [[ -x $programs/bin/bench ]] || "$root/dev/pack.sh" "$programs"
fi
[[ ! -d $programs/bin ]] || programs+=/bin
python=$root/.venv/bin/python
[[ -x $python ]] || python=python3
"$python" -c '' 2>/dev/null || die "Python 3 is needed"
export out programs root python BENCH_BINARY=$programs/bench BENCH_PYTHON=$python PATH=$programs:$PATH

# By what bench says of the node, without a kernel: that may be wrong, or hang.
code=0
timeout --kill-after=10 60 bench doctor --format json >"$out/first.txt" 2>"$out/first.log" || code=$?
if ! grep -q '"gpu_reason"' "$out/first.txt"; then
  echo "it ended with $code and said nothing" >>"$out/first.log"
  die "bench does not run here: $(head -n 1 "$out/first.log")"
elif ! grep -q '"gpu": *{' "$out/first.txt"; then
  reason=$(sed -n 's/.*"gpu_reason": *"\([^"]*\)".*/\1/p' "$out/first.txt")
  die "no GPU to use: ${reason:-bench says no reason}"
fi

# One file, never half written: from some nodes few files come back. Without the programs, which are large. What tar cannot read
# is left out; where the disk is full, the archive stays as it was.
archive() {
  local name said new=$out.tar.gz.new
  name=$(basename "$out")
  said=$(tar -C "$(dirname "$out")" --exclude="$name/programs" --exclude="$name/peers" -czf "$new" "$name" 2>&1 |
    grep -v 'file changed as we read it\|Exiting with failure') || true
  [[ -z $said ]] || say "$said"
  { gzip --test "$new" && mv "$new" "$out.tar.gz"; } 2>/dev/null ||
    { say "$out.tar.gz was not written again" && rm -f "$new"; }
}

# step NAME LIMIT COMMAND...: at most LIMIT seconds; the output goes to OUT/NAME.log. What is done has its status in OUT/done;
# what the deadline ends, or a killed round, is left for the next call.
steps=0 failed=0 left=0
step() {
  local name=$1 limit=$2 code=0 begin=$SECONDS rest=$((deadline - SECONDS)) verdict=fine
  shift 2
  # shellcheck disable=SC2053  # a pattern
  [[ $name == @(${only//,/|}) ]] || return 0
  steps=$((steps + 1))
  if [[ -e $out/done/$name ]]; then
    [[ $(<"$out/done/$name") == 0 ]] || failed=$((failed + 1))
    return 0
  fi
  limit=$((limit < most ? limit : most))
  # In less than a quarter of its time nothing would come of it.
  if ((rest < (limit + 3) / 4)); then
    left=$((left + 1))
    return 0
  fi
  archive
  timeout --kill-after=10 "$((limit < rest ? limit : rest))" "$@" >"$out/$name.log" 2>&1 </dev/null || code=$?
  # Killed for its memory, it shows the same status, early.
  local ended=$(((code == 124 || code == 137) && SECONDS - begin >= (limit < rest ? limit : rest) - 1))
  if ((ended)); then
    verdict="ended after $((SECONDS - begin)) s"
  elif ((code)); then
    verdict="FAILED ($code): $(tail -n 1 "$out/$name.log" | cut -c1-120)"
  fi
  if ((ended && rest < limit)); then
    verdict+=" by the deadline" left=$((left + 1))
  else
    failed=$((failed + (code > 0)))
    echo "$code" >"$out/done/$name" || true  # here and below: a full disk may have room again later
  fi
  printf '%-16s %4d s  %s\n' "$name" $((SECONDS - begin)) "$verdict" | tee -a "$out/steps.txt" >&2 || true
}

facts() {
  set +e
  nvidia-smi -q
  nvidia-smi topo -m
  lscpu
  free -m
  ulimit -a
  ls -l /usr/local/cuda*/lib64/libcublas*
  command -v nvcc ncu nsys compute-sanitizer cuobjdump
  python3 --version
  python3 -c 'import numba, cupy; print("numba", numba.__version__, "cupy", cupy.__version__)'
  true
}
# User CUDA files, compiled here.
files() {
  local one names=(copy energy sum_of_squares)
  cd "$out"
  mkdir -p files
  for one in "${names[@]}"; do
    [[ -e files/$one.cu ]] || bench try --new "$one" "files/$one.cu"
  done
  exec "$python" "$root/dev/whole.py" files "${names[@]}" --with files/copy.cu,files/energy.cu,files/sum_of_squares.cu
}
counters() {
  local one
  for one in no_loop wide; do
    ncu --clock-control none --set full --nvtx --nvtx-include "profiled/" bench --profile "copy/cuda/$one"
  done
}
export -f facts files counters
# ours NAME LIMIT FUNCTION: a step that is a function of this script, in a shell of its own, which can be ended.
ours() { step "$1" "$2" bash -euo pipefail -c "$3"; }

# measure NAME LIMIT ARGUMENTS...: the result file says how it was made, without where.
measure() {
  local name=$1 limit=$2
  shift 2
  step "$name" "$limit" env -C "$out" "$python" "$root/dev/whole.py" "$name" "$@"
}
goals() { step "$1" 100 "$python" "$root/dev/goals.py" --gpu --passes 1 --folder "$out/goals" --only "$2"; }

# tests LIMIT PART...: those of gpu_tests.sh.
tests() {
  local part limit=$1
  shift
  for part; do step "$part" "$limit" "$root/dev/gpu_tests.sh" "$programs" "$out" "$part"; done
}

# While a program asks, the driver stays loaded between two programs.
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=timestamp,clocks.sm,clocks.mem,power.draw,temperature.gpu --format=csv --loop=5 >>"$out/clocks.csv" 2>&1 &
  keeper=$!
  trap '{ kill "$keeper" && wait "$keeper"; } 2>/dev/null || true' EXIT
fi
export BENCH_EXPECT_DEVICE=1  # a test that finds none has failed

# The question of each step, the most valuable first. None but the last two takes longer than 100 s, so that a short loan answers
# several.
step doctor 60 bench doctor
ours facts 60 facts
# How much faster is the GPU than the CPU of this node, and how long does the first table take?
measure default 100
# And than Python?
measure lesson 100 course
# Are kernels of users measured, and wrong ones refused?
! command -v nvcc >/dev/null || ours files 100 files
# Each kernel alone, next to a copy.
measure gpu 100 '*' --backend cuda --scope kernel --no-baseline --min-time 0.2 --max-time 0.5
measure f64 100 '*' --dtype f64 --backend cuda --scope kernel --no-baseline --min-time 0.2 --max-time 0.5
# From which size on does the GPU win?
measure sweep 100 energy/cuda/no_loop energy/openmp/streaming gaussian_pdf/cuda/no_loop gaussian_pdf/openmp/streaming \
  hypot/cuda/no_loop hypot/openmp/streaming --sweep 1e3:1e8 --scope kernel,end_to_end --max-time 0.3
tests 100 memcheck racecheck
# What does a kernel wait for?
! command -v ncu >/dev/null || ours counters 60 counters
measure joules 60 energy --backend cuda --scope kernel --energy
tests 100 harness
goals goals-maps gpu-maps,gpu-turning
goals goals-counting 'gpu-counting*,gpu-thin'
goals goals-f64 'gpu-*-f64'
goals goals '*'
measure hot 100 --cache hot --backend cuda
measure course 100 --size course
measure blocks 100 'energy/cuda*' 'histogram/cuda*' 'sum_of_squares/cuda*' --block 32,64,128,256,512,1024 --no-baseline
tests 100 kernels initcheck synccheck lost
measure everything 1200 '*' --max-time 2
tests 600 huge
((steps)) || die "--only $only: there is no such step"
archive

((left == 0)) || say "the time was up: the same command continues it"
printf '%d steps, %d failed, %d left\n' "$steps" "$failed" "$left"
if ((left)); then exit 75; fi
exit $((failed > 0))
