#!/usr/bin/env bash
# Makes what pip installs: packaging/wheel.sh SOURCE FOLDER
#   bench_hpc-VERSION-….whl     for Linux on x86-64 with glibc 2.28 (RHEL 8, Debian 10) or newer
#   bench_hpc-VERSION.tar.gz    the sdist, from which the wheel is built
# SOURCE is the unpacked archive of a release: it has the libraries.
# The compiler is the clang of PyPI's ziglang, for any glibc, with Debian 12's libstdc++, which is static. nvcc takes both as
# its host compiler. The OpenMP runtime is LLVM's. Without nvcc the wheel has no CUDA variants. CUDAARCHS says for which GPUs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
glibc=2.28
(($# == 2)) || die "usage: wheel.sh SOURCE FOLDER"
source=$(realpath "$1")
folder=$(realpath -m "$2")
[[ -d $source/libraries ]] || die "$1: has no libraries/: give the unpacked archive of scripts/release.sh"
[[ $(uname -sm) == "Linux x86_64" ]] || die "the wheel is made on Linux on x86-64 only, and this is $(uname -sm)"
mkdir -p "$folder" 2>/dev/null || true
[[ -w $folder ]] || die "$2: cannot write there: name another folder"

tools=$(realpath -m "$root/build/wheel")
needs=$root/packaging/requirements.txt
if ! cmp -s "$needs" "$tools/complete"; then
  mkdir -p "$root/build"
  { python3 -m venv "$tools" && "$tools/bin/python" -m pip install --quiet -r "$needs"; } >"$tools.log" 2>&1 ||
    die "cannot install packaging/requirements.txt, which takes Python 3.10 with venv, and a network (log: $tools.log)"
  cp "$needs" "$tools/complete"
fi
packages=$("$tools/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
runtime=$packages/cmeel.prefix

gcc=$(g++ -dumpversion 2>/dev/null || true)
[[ $gcc == 12 ]] || die "the wheel takes the libstdc++ of g++ 12 (Debian 12), and g++ here is ${gcc:-missing}"
target=(-target "x86_64-linux-gnu.$glibc" -isystem "$runtime/include")
"$packages/ziglang/zig" cc "${target[@]}" -O2 -c "$root/packaging/newer_glibc.c" -o "$tools/newer_glibc.o"

# zig-LANGUAGE, which links LIBRARIES. zig writes the names of architectures in its own way.
compiler() {
  cat >"$tools/zig-$1" <<COMPILER
#!/usr/bin/env bash
[[ " \$* " == *" -"[cES]" "* ]] || libraries=($2)
exec "$packages/ziglang/zig" $1 ${target[*]} ${*:3} "\${@/#-march=x86-64-v/-march=x86_64_v}" "\${libraries[@]}"
COMPILER
  chmod +x "$tools/zig-$1"
}
compiler cc ""
# -I: what zig adds by itself comes before other folders of the system.
compiler c++ "'$tools/newer_glibc.o' '$(g++ -print-file-name=libstdc++.a)' '$(g++ -print-libgcc-file-name)' -lunwind" \
  -nostdinc++ -nostdlib++ "-I/usr/include/c++/$gcc" "-I/usr/include/x86_64-linux-gnu/c++/$gcc"
export PATH=$tools/bin:$PATH CC=$tools/zig-cc CXX=$tools/zig-c++ CUDAHOSTCXX=$tools/zig-c++ CMAKE_BUILD_PARALLEL_LEVEL=$jobs
# ccache: the compiler is the same where what it is called by is.
export CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK=content
licences="$packages/ziglang/lib/libunwind/LICENSE.TXT;/usr/share/doc/libstdc++-$gcc-dev/copyright"
defined=(BENCH_CUDA=AUTO
  OpenMP_CXX_FLAGS=-fopenmp OpenMP_CXX_LIB_NAMES=omp "OpenMP_omp_LIBRARY=$runtime/lib/libomp.so"
  "BENCH_BUNDLED=$runtime/lib/libomp.so;$licences" "CMAKE_INSTALL_RPATH=\$ORIGIN/../lib/bench")

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
say "building for glibc $glibc"
quietly "$tools/build.log" python -m build --outdir "$made" \
  "${defined[@]/#/-Ccmake.define.}" -Cinstall.strip=true -Cbuild-dir=build "$source"
# Stops where a symbol of a newer glibc is needed.
quietly "$tools/audit.log" auditwheel repair --only-plat --plat "manylinux_${glibc/./_}_x86_64" --wheel-dir "$folder" "$made"/*.whl
mv "$made"/*.tar.gz "$folder"
