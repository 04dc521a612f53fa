#!/usr/bin/env bash
# Makes what pip installs: packaging/wheel.sh SOURCE FOLDER
#   bench_hpc-VERSION-….whl     for Linux on x86-64 with glibc 2.28 (RHEL 8, Debian 10) or newer
#   bench_hpc-VERSION.tar.gz    the sdist, from which the wheel is built
# SOURCE is the unpacked archive of a release: it has the libraries.
# The compiler is the clang of PyPI's ziglang, for any glibc and with a static libc++. The OpenMP runtime is LLVM's.
# Without CUDA: nvcc needs a host compiler with libstdc++.
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

# As cc and c++. zig writes the names of architectures in its own way.
for language in cc c++; do
  cat >"$tools/zig-$language" <<COMPILER
#!/usr/bin/env bash
exec "$packages/ziglang/zig" $language -target x86_64-linux-gnu.$glibc -isystem "$runtime/include" "\${@/#-march=x86-64-v/-march=x86_64_v}"
COMPILER
  chmod +x "$tools/zig-$language"
done
export PATH=$tools/bin:$PATH CC=$tools/zig-cc CXX=$tools/zig-c++ CMAKE_BUILD_PARALLEL_LEVEL=$jobs
# ccache: the compiler is the same where what it is called by is.
export CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK=content
defined=(BENCH_CUDA=OFF
  OpenMP_CXX_FLAGS=-fopenmp OpenMP_CXX_LIB_NAMES=omp "OpenMP_omp_LIBRARY=$runtime/lib/libomp.so"
  "BENCH_BUNDLED=$runtime/lib/libomp.so;$packages/ziglang/lib/libcxx/LICENSE.TXT" "CMAKE_INSTALL_RPATH=\$ORIGIN/../lib/bench")

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
say "building for glibc $glibc"
quietly "$tools/build.log" python -m build --outdir "$made" \
  "${defined[@]/#/-Ccmake.define.}" -Cinstall.strip=true -Cbuild-dir=build "$source"
# Stops where a symbol of a newer glibc is needed.
quietly "$tools/audit.log" auditwheel repair --only-plat --plat "manylinux_${glibc/./_}_x86_64" --wheel-dir "$folder" "$made"/*.whl
mv "$made"/*.tar.gz "$folder"
