#!/usr/bin/env bash
# Downloads the sources of the libraries from the Debian archive, in the versions that scripts/cmake/dependencies.cmake
# names, and prints the options of CMake that name their folders: scripts/test/libraries.sh
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
work=$root/build/libraries

# name that FetchContent uses = Debian's source package
libraries=(BENCHMARK=benchmark FMT=fmtlib NLOHMANN_JSON=nlohmann-json3 CLI11=cli11 XXHASH=xxhash HWLOC=hwloc GTEST=googletest)

# A configuration of apt's own, so that neither the system's nor root is needed; with the mirrors that the system uses.
download() {
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

mkdir -p "$work"
cd "$work"
[[ -f complete ]] || quietly "$work/download.log" download
for library in "${libraries[@]}"; do
  folder=$work/${library#*=}
  if [[ ! -d $folder ]]; then
    mkdir "$folder"
    (cd "$folder" && cmake -E tar xf ../"${library#*=}"_*.orig.tar.*)
  fi
  unpacked=("$folder"/*/)
  echo "-DFETCHCONTENT_SOURCE_DIR_${library%%=*}=${unpacked[0]%/}"
done
touch complete
