# shellcheck shell=bash
# Shared by the scripts of this folder, which source it. Messages go to stderr: stdout is for results.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(basename "$0" .sh)

# Bash has a default PATH that it does not export, and dpkg refuses to work without the sbin folders.
export PATH="$PATH:/usr/sbin:/sbin"

say() { printf '%s: %s\n' "$program" "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# minutes SECONDS: with one decimal.
minutes() { printf '%d.%d' $(($1 / 60)) $(($1 % 60 / 6)); }

# --help is answered with the comment that a script begins with.
case ${1:-} in
  -h | --help)
    sed -n '2,${/^# shellcheck/q; /^# /!q; s/^# //p}' "$0"
    exit
    ;;
esac

# compilations CPUS MEMINFO: how many fit this machine: one on each CPU, and 1 GB of free memory for each.
compilations() {
  local gigabytes
  gigabytes=$(sed -nE 's/^MemAvailable: *([0-9]+)[0-9]{6} kB$/\1/p' "$2" 2>/dev/null || true)
  [[ -r $2 ]] || gigabytes=$1
  echo $((gigabytes < 1 ? 1 : gigabytes < $1 ? gigabytes : $1))
}

# nproc obeys OMP_NUM_THREADS, which says nothing about compiling.
jobs=${BENCH_JOBS:-$(compilations "$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)" /proc/meminfo)}
[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || die "BENCH_JOBS=$jobs: is not a number of compilations; unset it, or BENCH_JOBS=2"

# quietly LOG COMMAND...: keeps the output in LOG and shows its end only if the command fails.
quietly() {
  local log=$1 code=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || code=$?
  if ((code)); then
    tail -n 40 "$log" >&2
    say "failed: $* (whole log: $log)"
  fi
  return "$code"
}

# One that a line can be rewritten on.
on_terminal() { [[ -t 2 && ${TERM:-dumb} != dumb ]]; }

# last_step LOG: the last '[12/236]' of ninja, '[ 12%]' of make or '12/236 Test' of ctest, as '12 236'.
last_step() {
  tail -c 20000 "$1" 2>/dev/null |
    sed -nE 's,^\[([0-9]+)/([0-9]+)\].*,\1 \2,p; s,^\[ *([0-9]+)%\].*,\1 100,p; s,^ *([0-9]+)/([0-9]+) Test .*,\1 \2,p' |
    tail -n 1
}

# tell_progress WHAT LOG: says how far WHAT is, by the steps in LOG, until it is killed or this script ends: on a terminal
# in one line, elsewhere after 2 and 15 seconds and then each minute.
tell_progress() {
  local what=$1 log=$2 begin=$SECONDS next=2 passed total left line
  while sleep 1 && kill -0 "$$" 2>/dev/null; do
    read -r passed total < <(last_step "$log") || continue
    line="$what: $passed of $total steps"
    if ((passed * 20 >= total && passed < total)); then
      left=$(((SECONDS - begin) * (total - passed) / passed))
      line+=", about $( ((left < 90)) && echo "$left s" || echo "$(((left + 30) / 60)) min") left"
    fi
    if on_terminal; then
      printf '\r\033[K%s: %s' "$program" "$line" >&2
    elif ((SECONDS - begin >= next)); then
      say "$line"
      next=$((next < 15 ? 15 : SECONDS - begin + 60))
    fi
  done
}

# telling WHAT LOG COMMAND...: runs a command that writes LOG, and says how far it is.
telling() {
  local what=$1 log=$2 code=0 watcher
  shift 2
  rm -f "$log"
  tell_progress "$what" "$log" 9>&- &
  watcher=$!
  "$@" || code=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if on_terminal; then printf '\r\033[K' >&2; fi
  return "$code"
}

# Tasks of one job may start together in one checkout: one builds, the others wait for it.
# Some network file systems have no locks; there we continue without.
lock_build() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  command -v flock >/dev/null || return 0
  if ! flock -n 9; then
    say "waiting for another build in $root/build"
    flock 9 || say "no file locks here, going on"
  fi
}

unlock_build() { exec 9>&-; }

# configure PRESET FOLDER [OPTION...]: starts afresh where the folder was made for another checkout (a copied tree).
configure() {
  local preset=$1 folder=$2 fresh=()
  shift 2
  if [[ -f $folder/CMakeCache.txt ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  # The set-up may have installed it just now. CMake keeps the generator that a folder was made with.
  if [[ -z ${CMAKE_GENERATOR:-} ]] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
  quietly "$root/build/logs/$preset-configure.log" \
    cmake -S "$root" --preset "$preset" ${fresh[@]+"${fresh[@]}"} "$@" || return
  touch "$folder/.configured"
}

# build PRESET [OPTION...]
build() {
  local preset=$1 log=$root/build/logs/$1-build.log
  shift
  (cd "$root" && telling "building (${log#"$root/"})" "$log" \
    quietly "$log" nice -n 10 cmake --build --preset "$preset" --parallel "$jobs" "$@")
}
