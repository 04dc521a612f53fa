# shellcheck shell=bash
# Shared by the scripts of this folder, which source it. Messages go to stderr: stdout is for results.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(basename "$0" .sh)

# Bash has a default PATH that it does not export, and dpkg refuses to work without the sbin folders.
export PATH="$PATH:/usr/sbin:/sbin"

# Only matters for a fresh build folder: CMake keeps the generator that a folder was made with.
if [[ -z ${CMAKE_GENERATOR:-} ]] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi

# nproc obeys OMP_NUM_THREADS, which says nothing about compiling.
jobs=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)

say() { printf '%s: %s\n' "$program" "$*" >&2; }

die() {
  say "$*"
  exit 1
}

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

# Tasks of one job may start together in one checkout: one builds, the others wait for it.
# Some network file systems have no locks; there we go on without.
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
  quietly "$root/build/logs/$preset-configure.log" \
    cmake -S "$root" --preset "$preset" ${fresh[@]+"${fresh[@]}"} "$@" || return
  touch "$folder/.configured"
}

# build PRESET [OPTION...]
build() {
  local preset=$1
  shift
  (cd "$root" && quietly "$root/build/logs/$preset-build.log" \
    cmake --build --preset "$preset" --parallel "$jobs" "$@")
}
