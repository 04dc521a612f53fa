#!/usr/bin/env bash
# Puts the programs, the libraries they need and the Python package into a folder that can be carried to a node without
# packages, compilers or internet: dev/pack.sh FOLDER [--arch 90]. There, FOLDER/bin/bench runs, and dev/gpu_round.sh OUT
# FOLDER uses it. Only glibc is left to that node. With --arch they are built for that architecture alone, and small.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
usage="usage: pack.sh FOLDER [--arch 90]"
folder='' architecture=''
while (($#)); do
  case $1 in
    --arch)
      [[ ${2:-} =~ ^[0-9]+[af]?$ ]] || die "--arch ${2:-}: the number of an architecture is needed, such as 90"
      architecture=$2
      shift
      ;;
    *)
      [[ $1 != -* && -z $folder ]] || die "$usage"
      folder=$1
      ;;
  esac
  shift
done
[[ -n $folder ]] || die "$usage"

"$root/scripts/setup.sh" test >&2
programs=(bench harness/cuda/test/harness_gpu_test kernels/kernels_gpu_test)
# A build of its own: its programs look for their libraries next to themselves, and so do those libraries.
build=$root/build/pack
lock_build
# shellcheck disable=SC2016  # the loader's $ORIGIN
configure release-tests "$build" -B "$build" '-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib' -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags ${architecture:+"-DCMAKE_CUDA_ARCHITECTURES=$architecture-real"}
grep -q '^CMAKE_CUDA_COMPILER:[A-Z]*=/' "$build/CMakeCache.txt" ||
  die "this build is without CUDA: is there a CUDA compiler? See build/logs/release-tests-configure.log"
log=$root/build/logs/pack-build.log
telling "building (build/logs/pack-build.log)" "$log" quietly "$log" \
  cmake --build "$build" --parallel "$jobs" --target bench harness_gpu_test kernels_gpu_test
unlock_build

mkdir -p "$folder/bin" "$folder/lib" "$folder/share/bench/python"
for program in "${programs[@]}"; do
  cp "$build/$program" "$folder/bin/"
  ldd "$build/$program" | awk '$2 == "=>" {print $3}'
done | sort -u | while read -r library; do
  case $(basename "$library") in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux*) ;;  # the node's own
    *) cp --dereference "$library" "$folder/lib/" ;;
  esac
done
cp -r "$root/scripts/bench_hpc" "$folder/share/bench/python/"
say "packed into $folder: $(du -sh "$folder" | cut -f 1)"
