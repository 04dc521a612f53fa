#!/usr/bin/env bash
# Makes sure that everything needed is there. `setup.sh run`: to build and run bench; `setup.sh test` (default): also to test it;
# `setup.sh pages`: to make pictures and pages of its documents.
# Installs packages only as root on a Debian-family system; elsewhere it checks, and says what to do about what is missing.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

purpose=${1:-test}
[[ $purpose == run || $purpose == test || $purpose == pages ]] || die "usage: setup.sh [run|test|pages]"

packages=(ca-certificates git g++ make ninja-build cmake
  libbenchmark-dev nlohmann-json3-dev libfmt-dev libcli11-dev libxxhash-dev libhwloc-dev)
if [[ $purpose == test ]]; then
  packages+=(libgtest-dev ccache clang llvm libomp-dev libclang-rt-dev clang-format shellcheck
    libbenchmark-tools python3 python3-numpy python3-scipy python3-venv procps chromium texlive-latex-recommended)
  # A Slurm and a module command for the tests. A machine that has its own keeps it as it is.
  if ! command -v sbatch >/dev/null && [[ ! -e /etc/slurm ]]; then
    packages+=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge iproute2 util-linux)
  fi
  if [[ -z ${MODULESHOME:-} && ! -e /usr/share/lmod && ! -e /usr/share/modules ]]; then
    packages+=(environment-modules)
  fi
fi

install_packages() {
  local installed missing=() package
  installed=$'\n'$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)$'\n'
  for package in "${packages[@]}"; do
    [[ $installed == *$'\n'"$package installed"$'\n'* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  say "installing ${missing[*]} (apt)"
  local log
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  quietly "$log" apt-get -o DPkg::Lock::Timeout=300 update &&
    quietly "$log" apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" &&
    rm -f "$log"
}

check_tools() {
  local cxx=${CXX:-c++} version
  if ! "$cxx" -std=c++20 -fsyntax-only -x c++ - >/dev/null 2>&1 <<<$'#include <concepts>\nstatic_assert(__cplusplus >= 202002L);'; then
    die "no C++20 compiler ($cxx is missing or too old); GCC 11 or newer will do: try 'module load gcc', or set CXX"
  fi
  version=$(cmake --version 2>/dev/null | sed -n '1s/.*version \([0-9.]*\).*/\1/p') || true
  if [[ $(printf '%s\n' 3.25 "${version:-0}" | sort -V | head -n 1) != 3.25 ]]; then
    die "CMake 3.25 or newer is needed, found ${version:-none}: try 'module load cmake', or 'python3 -m pip install --user cmake'"
  fi
  command -v ninja >/dev/null || command -v make >/dev/null || die "neither make nor ninja found: try 'python3 -m pip install --user ninja'"
}

# python_tools REQUIREMENTS...: .venv is made again when the requirements changed, or when its Python is gone.
python_tools() {
  local venv=$root/.venv wanted=("$@")
  if cat "${wanted[@]}" | cmp -s - "$venv/requirements.txt" && "$venv/bin/python" -c '' 2>/dev/null; then return; fi
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
    die "Python 3.9 or newer with venv is needed: try 'module load python'"
  say "installing the Python tools into .venv (pip)"
  quietly "$root/build/logs/venv.log" python3 -m venv --clear "$venv"
  quietly "$root/build/logs/pip.log" \
    "$venv/bin/python" -m pip install --no-input --disable-pip-version-check "${wanted[@]/#/--requirement=}"
  cat "${wanted[@]}" >"$venv/requirements.txt"
}

pages=("$root/scripts/pictures/requirements.txt" "$root/scripts/page/requirements.txt")
if [[ $purpose == pages ]]; then
  # What was installed for the tests will do, too, and so will what this node has.
  for python in "$root/.venv/bin/python" python3; do
    if "$python" -c 'import jinja2, matplotlib' 2>/dev/null; then exit; fi
  done
  packages=(python3 python3-venv ca-certificates)
fi
if [[ $EUID == 0 ]] && command -v apt-get >/dev/null; then
  install_packages || say "going on with what is installed"
fi
if [[ $purpose == pages ]]; then
  python_tools "${pages[@]}"
  exit
fi
check_tools
if [[ $purpose == test ]]; then
  python_tools "$root/scripts/requirements.txt" "$root/scripts/peers/requirements.txt" "${pages[@]}"
fi
