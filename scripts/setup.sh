#!/usr/bin/env bash
# Makes sure that everything needed for a purpose is there, and installs nothing else: scripts/setup.sh [PURPOSE]
#   run    build and run bench (default)
#   test   scripts/test.sh
#   lint   scripts/lint.sh
#   peers  measure the Python implementations
#   pages  draw pictures, write pages
#   docs   scripts/docs.sh
#   all    all of these, and scripts/test.sh --all: sanitizers, a browser, TeX, Slurm
# Packages are installed only as root on a Debian-family system. Elsewhere it checks, and says what to do about what is
# missing. Python packages go into .venv.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage="usage: setup.sh [run|test|lint|peers|pages|docs|all]"
purpose=${1:-run}
(($# <= 1)) || die "$usage"

here=$root/scripts
every=("$here"/requirements/*.txt "$here"/bench_hpc/*/requirements.txt "$root/docs/requirements.txt")
compiling=(ca-certificates git g++ make ninja-build cmake
  libbenchmark-dev nlohmann-json3-dev libfmt-dev libcli11-dev libxxhash-dev libhwloc-dev)
python=(ca-certificates python3 python3-venv)
testing=("${compiling[@]}" "${python[@]}" libgtest-dev procps)
case $purpose in
  run) packages=("${compiling[@]}") tools=() ;;
  test) packages=("${testing[@]}") tools=("$here/requirements/test.txt") ;;
  lint)
    packages=("${testing[@]}" clang-format shellcheck)
    tools=("$here/requirements/test.txt" "$here/requirements/lint.txt")
    ;;
  peers) packages=("${python[@]}") tools=("$here/bench_hpc/peers/requirements.txt") ;;
  pages) packages=("${python[@]}") tools=("$here/bench_hpc/pictures/requirements.txt" "$here/bench_hpc/page/requirements.txt") ;;
  docs) packages=("${python[@]}") tools=("$root/docs/requirements.txt") ;;
  all)
    packages=("${testing[@]}" ccache clang llvm gcc-offload-nvptx hipcc librocprim-dev libomp-dev libclang-rt-dev libtbb-dev openmpi-bin libopenmpi-dev
      clang-format shellcheck
      libbenchmark-tools hyperfine jq python3-numpy python3-scipy chromium texlive-latex-recommended lintian dpkg-dev)
    tools=("${every[@]}")
    # A Slurm and a module command for the tests. A machine that has its own keeps it as it is.
    if ! command -v sbatch >/dev/null && [[ ! -e /etc/slurm ]]; then
      packages+=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge iproute2 util-linux)
    fi
    if [[ -z ${MODULESHOME:-} && ! -e /usr/share/lmod && ! -e /usr/share/modules ]]; then
      packages+=(environment-modules)
    fi
    ;;
  *) die "$usage" ;;
esac

install_packages() {
  local installed missing=() package
  installed=$'\n'$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)$'\n'
  for package in "${packages[@]}"; do
    [[ $installed == *$'\n'"$package installed"$'\n'* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  say "installing ${missing[*]} (apt)"
  local log known unknown=()
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  quietly "$log" apt-get -o DPkg::Lock::Timeout=300 update || return
  # For one that it does not know, apt-get would install nothing.
  known=$'\n'$(apt-cache pkgnames)$'\n'
  for package in "${missing[@]}"; do
    [[ $known == *$'\n'"$package"$'\n'* ]] || unknown+=("$package")
  done
  if ((${#unknown[@]})); then
    say "this system has no ${unknown[*]}; libraries that are missing are fetched when bench is built"
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | grep -vxF "$(printf '%s\n' "${unknown[@]}")")
  fi
  quietly "$log" apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" &&
    rm -f "$log"
}

# All that is missing in one line, and where it is to be had.
check_tools() {
  local cxx lacks=() names=() modules=() said
  read -r -a cxx <<<"${CXX:-c++}"
  if ! "${cxx[@]}" -std=c++20 -fsyntax-only -x c++ - >/dev/null 2>&1 <<<$'#include <concepts>\nstatic_assert(__cplusplus >= 202002L);'; then
    said=$("${cxx[@]}" --version 2>/dev/null | head -n 1) || true
    lacks+=("GCC 11 or newer, or another C++20 compiler (${CXX:+CXX=}${cxx[*]} is ${said:-missing})")
    names+=(g++) modules+=(gcc)
  fi
  said=$(cmake --version 2>/dev/null | sed -n '1s/.*version \([0-9.]*\).*/\1/p') || true
  if [[ $(printf '%s\n' 3.25 "${said:-0}" | sort -V | head -n 1) != 3.25 ]]; then
    lacks+=("CMake 3.25 or newer (found ${said:-none})")
    names+=(cmake) modules+=(cmake)
  fi
  if ! command -v ninja >/dev/null && ! command -v make >/dev/null; then
    lacks+=("make or ninja") names+=(make)
  fi
  ((${#lacks[@]})) || return 0
  printf -v said '%s; ' "${lacks[@]}"
  said+="try 'apt install ${names[*]}' as root of Debian 12, Ubuntu 24.04 or newer"
  if ((${#modules[@]})); then said+=", or 'module load ${modules[*]}'"; fi
  die "missing: $said"
}

# pins FILE...: the pinned packages of requirements files.
pins() { { grep -hv -e '^#' -e '^$' "$@" 2>/dev/null || true; } | sort -u; }

# Adds to .venv what it lacks of the tools. It is made again where its Python is gone, or where it has a version that is not
# pinned any more.
install_tools() {
  local venv=$root/.venv list=$root/.venv/requirements.txt
  if ! "$venv/bin/python" -c '' 2>/dev/null ||
    [[ -n $(comm -23 <(pins "$list") <(pins "${every[@]}")) ]]; then
    python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
      die "Python 3.9 or newer with venv is needed: try 'apt install python3-venv' as root, or 'module load python'"
    quietly "$root/build/logs/venv.log" python3 -m venv --clear "$venv"
  fi
  [[ -n $(comm -13 <(pins "$list") <(pins "${tools[@]}")) ]] || return 0

  say "installing Python packages into .venv (pip)"
  quietly "$root/build/logs/pip.log" "$venv/bin/python" -m pip install --no-input --disable-pip-version-check \
    --no-cache-dir --only-binary=:all: "${tools[@]/#/--requirement=}"
  pins "$list" "${tools[@]}" >"$list.new"
  mv "$list.new" "$list"
}

if [[ $purpose == pages ]]; then
  # Packages that were installed for another purpose, or that this node has, will do too.
  for one in "$root/.venv/bin/python" python3; do
    if "$one" -c 'import jinja2, matplotlib' 2>/dev/null; then exit; fi
  done
fi
if [[ $EUID == 0 ]] && command -v apt-get >/dev/null; then
  install_packages || say "continuing with what is installed"
fi
if [[ " ${packages[*]} " == *" g++ "* ]]; then check_tools; fi
if ((${#tools[@]})); then install_tools; fi
