#!/usr/bin/env bash
# Everything that needs a GPU, the most valuable first: scripts/gpu_round.sh OUT [FOLDER] [--within SECONDS] [--step SECONDS]
#   FOLDER           programs made by scripts/pack.sh; without it they are built here first
#   --within 3600    stop in time; called again, the round goes on where it was
#   --step N         no step may take longer than N seconds
# OUT.tar.gz holds all of OUT after each step: documents, logs, and steps.txt with the verdicts. A step that fails, hangs or is
# refused costs its own time only. The last line is 'N steps, N failed, N left'; the exit status is 0 if all is done and
# nothing failed, 1 if something did, 75 if steps are left: call it again.
# shellcheck disable=SC2317  # its functions are called in shells of their own, which can be ended
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() { die "usage: gpu_round.sh OUT [FOLDER] [--within SECONDS] [--step SECONDS]"; }
folders=() within=3600 most=1200
while (($#)); do
  case $1 in
    --within | --step)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die "$1 ${2:-}: a number of seconds is needed"
      if [[ $1 == --step ]]; then most=$2; else within=$2; fi
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
  [[ -x $programs/bench ]] || "$root/scripts/pack.sh" "$programs"
fi
export BENCH_BINARY=$programs/bench

"$programs/bench" copy/cuda/wide --size 1 --quiet --output - >"$out/first.json" 2>"$out/first.log" ||
  die "bench does not run here: $(tail -n 1 "$out/first.log")"
if grep -q '"gpu_reason":"' "$out/first.json"; then
  die "no GPU to use: $(sed -n 's/.*"gpu_reason":"\([^"]*\)".*/\1/p' "$out/first.json")"
fi

# One file, never half written: from some nodes few files come back. Without the programs, which are large.
archive() {
  local changed=1  # a file has grown meanwhile
  tar -C "$(dirname "$out")" --exclude="$(basename "$out")/programs" -czf "$out.tar.gz.new" "$(basename "$out")" ||
    (($? == changed)) || return
  mv "$out.tar.gz.new" "$out.tar.gz"
}

# step NAME LIMIT COMMAND...: at most LIMIT seconds; the output goes to OUT/NAME.log. What is done has its status in OUT/done;
# what the deadline ends, or a killed round, is left for the next call.
steps=0 failed=0 left=0
step() {
  local name=$1 limit=$2 code=0 begin=$SECONDS rest=$((deadline - SECONDS))
  shift 2
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
  timeout --kill-after=10 "$((limit < rest ? limit : rest))" "$@" >"$out/$name.log" 2>&1 </dev/null || code=$?
  local verdict=fine ended=$((code == 124 || code == 137))
  if ((ended)); then
    verdict="ended after $((SECONDS - begin)) s"
  elif ((code)); then
    verdict="FAILED ($code): $(tail -n 1 "$out/$name.log" | cut -c1-120)"
  fi
  if ((ended && rest < limit)); then
    verdict+=" by the deadline" left=$((left + 1))
  else
    failed=$((failed + (code > 0)))
    echo "$code" >"$out/done/$name"
  fi
  printf '%-16s %4d s  %s\n' "$name" $((SECONDS - begin)) "$verdict" | tee -a "$out/steps.txt" >&2
  archive
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
# The document says how it was made, without where.
measure() {
  local name=$1
  shift
  cd "$out"
  rm -f "$name.json"
  PATH=$programs:$PATH bench "$@" --no-progress --output "$name.json"
}
# Programs of one's own that pack.sh has compiled.
probes() {
  local one
  for one in "$programs"/probes/*; do
    [[ ! -x $one ]] || "$one" >"$out/$(basename "$one").txt" || return
  done
}
goals() { "$python" "$root/scripts/limits.py" --gpu --passes 1 --folder "$out/goals"; }
peers() {
  local guests=$root/scripts/peers/guest
  BENCH_PYTHON=$python measure "peers-$1" '*/numba' '*/cupy' --size "$1" --with "${guests}_numba_cuda.py,${guests}_cupy.py"
}
python=$root/.venv/bin/python
[[ -x $python ]] || python=python3
export out programs root python
# Somebody's own CUDA files, compiled here.
files() {
  local one all=()
  mkdir -p "$out/files"
  for one in copy energy sum_of_squares; do
    all+=("$out/files/$one.cu")
    [[ -e $out/files/$one.cu ]] || "$programs/bench" try --new "$one" "$out/files/$one.cu"
  done
  measure files copy energy sum_of_squares --with "$(IFS=,; echo "${all[*]}")"
}
export -f facts measure probes goals peers files
# ours NAME LIMIT FUNCTION...: a step that is a function of this script.
ours() {
  local name=$1 limit=$2
  shift 2
  step "$name" "$limit" bash -euo pipefail -c '"$@"' - "$@"
}

# tests PART...: those of gpu_tests.sh.
tests() {
  local part
  for part; do step "$part" 600 "$root/scripts/gpu_tests.sh" "$programs" "$out" "$part"; done
}

# While somebody looks, the driver stays loaded between two programs.
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=timestamp,clocks.sm,clocks.mem,power.draw,temperature.gpu --format=csv --loop=5 >>"$out/clocks.csv" 2>&1 &
  keeper=$!
  trap '{ kill "$keeper" && wait "$keeper"; } 2>/dev/null || true' EXIT
fi
export BENCH_EXPECT_DEVICE=1  # a test that finds none has failed

step doctor 60 "$programs/bench" doctor
ours facts 60 facts
# The kernels by themselves, checked and timed: a minute.
ours gpu 200 measure gpu --backend cuda --scope kernel --no-baseline
tests harness
[[ ! -d $programs/probes ]] || ours probes 300 probes
ours default 600 measure default
ours goals 900 goals
tests kernels memcheck
ours course 400 measure course --size course
ours all 600 measure all '*' --backend cuda --no-baseline --max-time 1  # those that are measured by their names only, too
ours f64 400 measure f64 --dtype f64
ours sweep 300 measure sweep --sweep 1e3:1e8 --max-time 1
ours hot 400 measure hot --cache hot
ours course-hot 240 measure course-hot --size course --cache hot
ours small 240 measure small --size 1e7  # as courses have it
ours blocks 300 measure blocks 'energy/cuda*' 'histogram/cuda*' 'sum_of_squares/cuda*' --block 32,64,128,256,512,1024
ours peers-default 240 peers default
ours peers-course 240 peers course
command -v nvcc >/dev/null && ours files 240 files
tests racecheck initcheck synccheck lost
ours everything 1200 measure everything '*' --max-time 2
tests huge

((left == 0)) || say "the time was up: the same command goes on"
printf '%d steps, %d failed, %d left\n' "$steps" "$failed" "$left"
if ((left)); then exit 75; fi
exit $((failed > 0))
