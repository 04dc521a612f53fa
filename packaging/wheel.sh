#!/usr/bin/env bash
# Makes what pip installs: packaging/wheel.sh [--machine aarch64] SOURCE FOLDER
#   bench_hpc-VERSION-….whl     for Linux on x86-64, or that machine, with glibc 2.28 (RHEL 8, Debian 10) or newer
#   bench_hpc-VERSION.tar.gz    the sdist, from which the wheel is built
# SOURCE is the unpacked archive of a release: it has the libraries.
# The compiler is the clang of PyPI's ziglang, for any glibc, with Debian 12's libstdc++, which is static. nvcc takes both as
# its host compiler. The OpenMP runtime is LLVM's. Without nvcc the wheel has no CUDA variants. CUDAARCHS says for which GPUs.
# The wheel for aarch64 is cross-compiled. Its CUDA part takes nvcc 13. QEMU runs its program, for the manual pages.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
glibc=2.28
usage="usage: wheel.sh [--machine aarch64] SOURCE FOLDER"
machine=x86_64 gxx=g++ libstdcxx=libstdc++-12-dev
if [[ ${1:-} == --machine ]]; then
  [[ ${2:-} == aarch64 ]] || die "$usage"
  machine=$2 gxx=aarch64-linux-gnu-g++ libstdcxx=libstdc++-12-dev-arm64-cross
  shift 2
fi
(($# == 2)) || die "$usage"
source=$(realpath "$1")
folder=$(realpath -m "$2")
[[ -d $source/libraries ]] || die "$1: has no libraries/: give the unpacked archive of dev/release.sh"
[[ $(uname -sm) == "Linux x86_64" ]] || die "the wheel is made on Linux on x86-64 only, and this is $(uname -sm)"
mkdir -p "$folder" 2>/dev/null || true
[[ -w $folder ]] || die "$2: cannot write there: name another folder"

tools=$(realpath -m "$root/build/wheel")
mine=$tools/$machine # what is for this machine
needs=$root/packaging/requirements.txt
platform=manylinux_${glibc/./_}_$machine
libraries=("$(grep ^cmeel-libomp "$needs")")
nvcc=${CUDACXX:-$(PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin command -v nvcc || true)}
if [[ $machine == aarch64 && -x $nvcc ]]; then
  cuda=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
  libraries+=("nvidia-cuda-runtime==$cuda.*")
fi
install() {
  python3 -m venv "$tools" && "$tools/bin/python" -m pip install --quiet -r "$needs" &&
    "$tools/bin/python" -m pip install --quiet --upgrade --target "$mine" --no-deps --only-binary :all: \
      --platform "$platform" --platform "manylinux2014_$machine" "${libraries[@]}"
}
wanted=$(cat "$needs" - <<<"${libraries[*]}")
if [[ $(cat "$mine/complete" 2>/dev/null) != "$wanted" ]]; then
  mkdir -p "$root/build"
  install >"$tools.log" 2>&1 ||
    die "cannot install packaging/requirements.txt, which takes Python 3.10 with venv, and a network (log: $tools.log)"
  echo "$wanted" >"$mine/complete"
fi
packages=$("$tools/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
runtime=$mine/cmeel.prefix

gcc=$("$gxx" -dumpversion 2>/dev/null || true)
[[ $gcc == 12 ]] || die "the wheel takes the libstdc++ of $gxx 12 (Debian 12), and $gxx here is ${gcc:-missing}"
# -I: what zig adds by itself comes before other folders of the system.
mapfile -t headers < <("$gxx" -v -E -x c++ /dev/null 2>&1 | sed -n 's,^ \(/.*/c++/.*\),-I\1,p')
target=(-target "$machine-linux-gnu.$glibc" -isystem "$runtime/include")
"$packages/ziglang/zig" cc "${target[@]}" -O2 -c "$root/packaging/newer_glibc.c" -o "$mine/newer_glibc.o"

# Below -O2 zig would add checks of undefined behaviour and what debuggers need. WHEEL_CXXFLAGS: a test is in a hurry.
last="-g0 -fno-sanitize=all ${WHEEL_CXXFLAGS:-}"

# zig-LANGUAGE, which links LIBRARIES. zig writes the names of architectures in its own way.
compiler() {
  cat >"$mine/zig-$1" <<COMPILER
#!/usr/bin/env bash
[[ " \$* " == *" -"[cES]" "* ]] || libraries=($2)
set -- "\${@/#-march=x86-64-v/-march=x86_64_v}"
set -- "\${@/#-march=armv8.2-a+sve/-mcpu=generic+v8_2a+sve}"
exec "$packages/ziglang/zig" $1 ${target[*]} ${*:3} "\$@" $last "\${libraries[@]}"
COMPILER
  chmod +x "$mine/zig-$1"
}
compiler cc ""
compiler c++ "'$mine/newer_glibc.o' '$("$gxx" -print-file-name=libstdc++.a)' '$("$gxx" -print-libgcc-file-name)' -lunwind" \
  -nostdinc++ -nostdlib++ "${headers[@]}"
export PATH=$tools/bin:$PATH CC=$mine/zig-cc CXX=$mine/zig-c++ CUDAHOSTCXX=$mine/zig-c++ CMAKE_BUILD_PARALLEL_LEVEL=$jobs
# ccache: the compiler is the same where what it is called by is.
export CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK=content
licences="$packages/ziglang/lib/libunwind/LICENSE.TXT;/usr/share/doc/$libstdcxx/copyright"
defined=(BENCH_CUDA=AUTO
  OpenMP_CXX_FLAGS=-fopenmp OpenMP_CXX_LIB_NAMES=omp "OpenMP_omp_LIBRARY=$runtime/lib/libomp.so"
  "BENCH_BUNDLED=$runtime/lib/libomp.so;$licences" "CMAKE_INSTALL_RPATH=\$ORIGIN/../lib/bench")
if [[ $machine != x86_64 ]]; then
  emulator=$(command -v "qemu-$machine-static") || die "qemu-$machine-static is missing: the manual pages take it"
  defined+=(CMAKE_SYSTEM_NAME=Linux "CMAKE_SYSTEM_PROCESSOR=$machine" "CMAKE_STRIP=$(command -v "${gxx%g++}strip")"
    "CMAKE_CROSSCOMPILING_EMULATOR=$emulator;-L;/usr/$machine-linux-gnu")
fi
# nvcc looks for what is of this machine beside itself.
if [[ ${cuda:-} ]]; then
  toolkit=$(realpath "$nvcc")
  toolkit=${toolkit%/bin/nvcc}
  mkdir -p "$mine"/cuda/{bin,targets/sbsa-linux}
  ln -sf "$toolkit"/bin/* "$mine/cuda/bin"
  ln -sfn "$toolkit/nvvm" "$mine/cuda/nvvm"
  ln -sfn "$toolkit/include" "$mine/cuda/targets/sbsa-linux/include"
  ln -sfn "$mine/nvidia/cu${cuda%.*}/lib" "$mine/cuda/targets/sbsa-linux/lib"
  export CUDACXX=$mine/cuda/bin/nvcc CUDAFLAGS="-target-dir sbsa-linux"
fi

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
say "building for glibc $glibc on $machine"
quietly "$mine/build.log" python -m build --outdir "$made" \
  "${defined[@]/#/-Ccmake.define.}" "-Cwheel.tags=py3-none-linux_$machine" -Cinstall.strip=true -Cbuild-dir=build "$source"
# Stops where a symbol of a newer glibc is needed. It takes no platform of another machine than this one.
audit="import platform; platform.machine = lambda: '$machine'; from auditwheel.main import main; raise SystemExit(main())"
quietly "$mine/audit.log" python -c "$audit" repair --only-plat --plat "$platform" --wheel-dir "$folder" "$made"/*.whl
mv "$made"/*.tar.gz "$folder"
