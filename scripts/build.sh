#!/usr/bin/env bash
# Builds build/bench where that is needed, setting up what is missing: scripts/build.sh
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
folder=$root/build
((!$#)) || die "takes no arguments; scripts/run.sh $* builds and runs"

# Configured, for this checkout, after the last change of the presets. (Changed CMakeLists.txt: the build notices by itself.)
is_configured() {
  [[ -f $folder/build.ninja || -f $folder/Makefile ]] &&
    [[ $folder/.configured -nt $root/CMakePresets.json ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"
}

# Another user's checkout, or a file system that is read-only.
if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder ]]; then
  [[ -x $folder/bench ]] || die "cannot write to $folder: copy the checkout to a folder of yours, and call its scripts"
  say "cannot write to $folder; using the bench in it as it is"
  exit
fi

lock_build
if "$root/scripts/setup.sh" run >&2; then
  if ! is_configured; then
    say "configuring"
    configure release "$folder"
  fi
  [[ -x $folder/bench ]] || say "takes a few minutes, once"
  build release --target bench
elif [[ -x $folder/bench ]]; then
  # Compute nodes often lack compilers.
  say "cannot build here; using $folder/bench as it is"
else
  exit 1
fi
