#!/usr/bin/env bash
# Everything that needs a GPU, in one go: scripts/gpu_round.sh OUT [FOLDER]
# Runs the tests on the device, also under compute-sanitizer, then measures all workloads at the default and the course
# sizes, cold and hot, f32 and f64, and leaves logs and documents in OUT. With a FOLDER of programs made by
# scripts/pack.sh nothing is built; without one they are built here.
# The last line is 'N steps, N failed'; the exit status is 0 if nothing failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 1 || $# == 2)) || die "usage: gpu_round.sh OUT [FOLDER]"
mkdir -p "$1"
out=$(cd "$1" && pwd)

if (($# == 2)); then
  programs=$(cd "$2" && pwd)
  export LD_LIBRARY_PATH=$programs/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
else
  programs=$out/programs
  "$root/scripts/pack.sh" "$programs"
fi

reason=$("$programs/bench" copy/cuda/wide --size 1 --output - 2>"$out/first.log" |
  sed -n 's/.*"gpu_reason":"\([^"]*\)".*/\1/p') || die "bench does not run here: $(tail -n 1 "$out/first.log")"
[[ -z $reason ]] || die "no GPU to use: $reason"
{ nvidia-smi -q || nvidia-smi || true; } >"$out/nvidia-smi.txt" 2>&1

steps=0 failed=0
# step NAME COMMAND...: at most twenty minutes; the output goes to OUT/NAME.log.
step() {
  local name=$1 begin=$SECONDS code=0
  shift
  timeout --kill-after=10 1200 "$@" >"$out/$name.log" 2>&1 </dev/null || code=$?
  steps=$((steps + 1))
  if ((code)); then
    failed=$((failed + 1))
    tail -n 15 "$out/$name.log" >&2
  fi
  say "$name: $( ((code)) && echo "FAILED ($code)" || echo fine) ($((SECONDS - begin)) s)"
}

step tests "$root/scripts/gpu_tests.sh" "$programs" "$out"

measure() {
  local name=$1
  shift
  rm -f "$out/$name.json"
  step "$name" "$programs/bench" "$@" --no-progress --output "$out/$name.json"
}
measure default
measure default-hot --cache hot
measure default-f64 --dtype f64
measure course --size course
measure course-hot --size course --cache hot
measure large --size 1e8 copy hypot gaussian_pdf histogram

[[ $programs != "$out/programs" ]] || rm -r "$programs"
printf '%d steps, %d failed\n' "$steps" "$failed"
exit $((failed > 0))
