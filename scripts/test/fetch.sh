#!/usr/bin/env bash
# Tests that bench builds with fetched libraries, as it does where none are installed: scripts/test/fetch.sh
# The sources come from the Debian archive, in the versions that scripts/cmake/dependencies.cmake names.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
work=$root/build/fetch

# name that FetchContent uses = Debian's source package
libraries=(BENCHMARK=benchmark FMT=fmtlib NLOHMANN_JSON=nlohmann-json3 CLI11=cli11 XXHASH=xxhash HWLOC=hwloc GTEST=googletest)

# A configuration of apt's own, so that neither the system's nor root is needed; with the mirrors that the system uses.
download_sources() {
  mkdir -p lists/partial archives/partial
  apt-get indextargets --format "deb-src \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' | sort -u >sources.list
  cat >apt.conf <<CONF
Dir::Etc::SourceList "$PWD/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$PWD/lists";
Dir::Cache "$PWD";
APT::Sandbox::User "";
CONF
  export APT_CONFIG=$PWD/apt.conf
  apt-get update
  apt-get source --download-only "${libraries[@]#*=}"
}

mkdir -p "$work/sources"
cd "$work/sources"
options=(-DBENCH_FETCH=ON -DFETCHCONTENT_FULLY_DISCONNECTED=ON)
if [[ ! -f complete ]]; then
  say "downloading the sources of ${#libraries[@]} libraries (apt)"
  quietly "$work/download.log" download_sources
fi
for library in "${libraries[@]}"; do
  package=${library#*=}
  folder=$PWD/$package
  if [[ ! -d $folder ]]; then
    mkdir "$folder"
    (cd "$folder" && cmake -E tar xf ../"$package"_*.orig.tar.*)
  fi
  unpacked=("$folder"/*/)
  options+=("-DFETCHCONTENT_SOURCE_DIR_${library%%=*}=${unpacked[0]%/}")
done
touch complete

say "building with them"
# Not optimised: what matters here is that everything fits together.
quietly "$work/configure.log" cmake -S "$root" -B "$work/build" \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DBENCH_TESTS=ON "${options[@]}"
quietly "$work/build.log" cmake --build "$work/build" --parallel "$jobs" --target bench gtest_main
"$work/build/bench" list >"$work/list.txt"
say "works"
