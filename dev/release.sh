#!/usr/bin/env bash
# Makes the files of a release from a clean tree: dev/release.sh [--wheel | --packages] [FOLDER] [-- OPTIONS OF CMAKE]
#   bench-VERSION.tar.gz           the sources and the libraries at their pinned versions: it builds without a network
#   bench-VERSION-recipes.tar.gz   packaging/, with the version and the checksum of that archive
#   SHA256SUMS                     of all files of the release
# With --wheel, which builds bench from that archive, also (packaging/wheel.sh):
#   bench_hpc-VERSION-….whl        for pip on any Linux on x86-64, with CUDA where nvcc is
#   bench_hpc-VERSION.tar.gz       for pip where there is a compiler, with CUDA where nvcc is
# With --packages, which builds it three times, these and:
#   bench_hpc-VERSION-….whl                for pip on Linux on aarch64
#   bench-hpc_VERSION_ARCHITECTURE.deb     for this Debian or Ubuntu
# They are in FOLDER, or in build/release. Options of CMake say where sources of libraries are, if not at their
# official place. The tag is set by the person who publishes: docs/developer/releasing.md.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
usage="usage: release.sh [--wheel | --packages] [FOLDER] [-- OPTIONS OF CMAKE]"
packages=
if [[ ${1:-} == --wheel || ${1:-} == --packages ]]; then
  packages=$1
  shift
fi
folder=$root/build/release
if (($#)) && [[ $1 != -* ]]; then
  folder=$(realpath -m "$1")
  shift
fi
[[ $# == 0 || $1 == -- ]] || die "$usage"
shift $(($# > 0))
cd "$root"

version=$(sed -n 's/^project(bench VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
changes=$(git status --porcelain) || die "a release is made from a git checkout"
[[ -z $changes ]] || die "the tree is not clean: commit or remove $(head -n 1 <<<"$changes" | cut -c 4-)"
grep -q "^version: $version\$" CITATION.cff || die "CITATION.cff: its version is not $version, as in CMakeLists.txt"
grep -q "^## \[$version\]" CHANGELOG.md || die "CHANGELOG.md: has no section [$version], the version in CMakeLists.txt"

if sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | grep -q '^- '; then
  say "CHANGELOG.md: [Unreleased] has entries, and this release is $version: see docs/developer/releasing.md"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=bench-$version
say "collecting the libraries"
quietly "$folder/logs/configure.log" cmake -S . -B "$work/build" -DBENCH_FETCH=ON -DBENCH_TESTS=ON -DBENCH_CUDA=OFF "$@"
git archive --prefix="$name/" HEAD | tar -x -C "$work"
while read -r library given; do
  source=${given:-$work/build/_deps/${library,,}-src}
  # hwloc makes files in all of its folders.
  left_out=(--exclude=./{doc,docs,test,tests,examples,single_include} --exclude=./googletest/test --exclude=./googlemock/test)
  [[ $library != HWLOC ]] || left_out=()
  mkdir -p "$work/$name/libraries/${library,,}"
  tar -C "$source" -c --exclude=.git "${left_out[@]}" . | tar -x -C "$work/$name/libraries/${library,,}"
done < <(sed -n 's/^FETCHCONTENT_SOURCE_DIR_\([A-Z0-9_]*\):[A-Z]*=/\1 /p' "$work/build/CMakeCache.txt")

# The same commit gives the same bytes.
archive() {
  tar -C "$work" -c --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    --mode=go+rX,go-w "$1" | gzip -9n >"$folder/$1.tar.gz"
}
archive "$name"
recipes=$name-recipes
mkdir "$work/$recipes"
cp -r "$work/$name/packaging"/{README.md,conda,container,easybuild,reframe,spack} "$work/$recipes"
mv "$work/$recipes/easybuild/bench-hpc.eb" "$work/$recipes/easybuild/bench-hpc-$version.eb"
checksum=$(sha256sum "$folder/$name.tar.gz" | cut -d ' ' -f 1)
find "$work/$recipes" -type f -exec sed -i "s/@VERSION@/$version/g; s/@SHA256@/$checksum/g" {} +
archive "$recipes"

# From the files of the archive, as users get them.
tree=$work/$name
make_for_debian() {
  cmake -S "$tree" -B "$tree/build" -DBENCH_FETCH=ON -DBENCH_PYTHON_SITE=lib/python3/dist-packages &&
    cmake --build "$tree/build" --parallel "$jobs" --target bench &&
    (cd "$tree/build" && cpack -G DEB -B "$folder")
}
if [[ $packages ]]; then
  # First, since it takes more tools.
  [[ $packages == --wheel ]] || packaging/wheel.sh --machine aarch64 "$tree" "$folder"
  packaging/wheel.sh "$tree" "$folder"
fi
if [[ $packages == --packages ]]; then
  say "building for Debian"
  quietly "$folder/logs/debian.log" make_for_debian
  rm -rf "$folder/_CPack_Packages"
fi

(cd "$folder" && sha256sum bench*"$version"* >SHA256SUMS)
say "$folder: $(cut -d ' ' -f 3 "$folder/SHA256SUMS" | paste -sd ' ')"
