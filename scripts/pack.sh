#!/usr/bin/env bash
# Puts the programs and the libraries they need into a folder that can be carried to a node without packages, compilers
# or internet: scripts/pack.sh FOLDER. There, scripts/gpu_round.sh OUT FOLDER uses them. Only glibc is left to that node.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 1)) || die "usage: pack.sh FOLDER"
folder=$1

"$root/scripts/setup.sh" test >&2
programs=(bench harness/cuda/test/harness_gpu_test kernels/kernels_gpu_test)
lock_build
configure release-tests "$root/build"
grep -q '^BENCH_CUDA:.*=OFF' "$root/build/CMakeCache.txt" && die "this build is without CUDA (BENCH_CUDA=OFF)"
say "building"
build release-tests --target bench harness_gpu_test kernels_gpu_test || die "is there a CUDA compiler? See the messages above"
unlock_build

mkdir -p "$folder/lib"
for program in "${programs[@]}"; do
  cp "$root/build/$program" "$folder/"
  ldd "$root/build/$program" | awk '$2 == "=>" {print $3}'
done | sort -u | while read -r library; do
  case $(basename "$library") in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux*) ;;  # the node's own
    *) cp --dereference "$library" "$folder/lib/" ;;
  esac
done
say "packed into $folder: $(du -sh "$folder" | cut -f 1)"
