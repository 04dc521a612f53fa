# shellcheck shell=bash
# What the job scripts share: the site's settings, where bench is, and a job step that loses nothing.
set -euo pipefail

jobs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export BENCH_JOB_SCRIPTS=$jobs  # for the copy of a job script that Slurm runs
# shellcheck disable=SC2034  # used where this is sourced
results=${BENCH_RESULTS_DIR:-results}

say() { printf 'bench: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 2
}

# --help is answered with the comment that a script begins with.
case ${1:-} in
  -h | --help)
    sed -n '2,${/^# shellcheck/q; /^# /!q; s/^# //p}' "$0"
    exit
    ;;
esac

# site.env: partition, account and modules of this cluster. Its values are taken as they are, and never executed.
read_site() {
  local file=${BENCH_SITE:-$jobs/site.env} line number=0
  local names='BENCH_GPU_PARTITION|BENCH_CPU_PARTITION|BENCH_ACCOUNT|BENCH_MODULES|BENCH_SBATCH_OPTIONS'
  local setting="^($names)=(\"([^\"]*)\"|'([^']*)'|([^\"'#]*))[[:space:]]*(#.*)?\$"
  [[ -n ${BENCH_SITE:-} || -e $file ]] || return 0
  [[ -f $file && -r $file ]] || die "$file cannot be read: correct BENCH_SITE"
  while IFS= read -r line || [[ -n $line ]]; do
    number=$((number + 1))
    line=${line%$'\r'}
    [[ $line =~ ^[[:space:]]*(#|$) ]] && continue
    [[ $line =~ $setting ]] || die "$file, line $number: '$line' is not one of its settings; see site.env.example"
    line=${BASH_REMATCH[3]}${BASH_REMATCH[4]}${BASH_REMATCH[5]}
    printf -v "${BASH_REMATCH[1]}" %s "${line%"${line##*[![:space:]]}"}"
  done <"$file"
}

# What the site needs to be loaded before a program runs. Where there is no `module` command, there is nothing to load.
load_modules() {
  [[ -n ${BENCH_MODULES:-} ]] || return 0
  local start
  for start in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /usr/share/lmod/lmod/init/bash; do
    if ! type module >/dev/null 2>&1 && [[ -r $start ]]; then
      set +eu
      # shellcheck source=/dev/null
      source "$start"
      set -eu
    fi
  done
  if ! type module >/dev/null 2>&1; then
    say "no 'module' command here: BENCH_MODULES='$BENCH_MODULES' is left out"
    return 0
  fi
  local remedy="correct BENCH_MODULES in site.env" path=${MODULEPATH:-} before
  set +eu
  module purge
  [[ ${MODULEPATH:-} || ! $path ]] || export MODULEPATH=$path  # a module of the site had set it
  before=${LOADEDMODULES:-}
  # shellcheck disable=SC2086  # a list of names
  module load $BENCH_MODULES || die "module load $BENCH_MODULES failed: $remedy"
  # Old ones return 0 whatever happens.
  [[ ${LOADEDMODULES:-} != "$before" ]] || die "module load $BENCH_MODULES has loaded nothing: $remedy"
  [[ ! ${SLURM_JOB_ID:-} || $(type -P srun) ]] ||
    die "module purge has taken Slurm's commands (srun) from PATH: add Slurm's module to BENCH_MODULES in site.env"
  set -eu
}

# The program: $BENCH, that of this checkout or installation, or the one in PATH. BENCH may be a command with arguments:
# apptainer run --nv bench.sif
find_bench() {
  local candidate
  read -r -a bench <<<"${BENCH:-}"
  if ((${#bench[@]} > 1)) && command -v "${bench[0]}" >/dev/null; then return; fi
  for candidate in "${BENCH:-}" "$jobs/../build/bench" "$jobs/../../../bin/bench" "$(command -v bench || true)"; do
    if [[ -n $candidate && -x $candidate ]]; then
      bench=("$(realpath "$candidate")")
      return
    fi
  done
  die "no bench program found: build it with 'scripts/build.sh', or set BENCH to its path"
}

# What a job needs before it measures.
prepare() {
  read_site
  [[ ${BENCH_DRY_RUN:-} ]] || load_modules
  find_bench
}

# A count, of a variable or argument that may hold anything.
count() {
  [[ $2 =~ ^[0-9]+$ ]] || die "$1 is '$2', which is not a number"
  echo "$2"
}

# CPUs of this job on this node. Slurm may count more than the node has (tests do that).
job_cpus() {
  local usable given
  usable=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
  given=$(count SLURM_CPUS_ON_NODE "${SLURM_CPUS_ON_NODE:-$usable}") || exit
  echo $((usable < given ? usable : given))
}

# given OPTION ARGUMENT...: true where the user's arguments have that option, which then counts instead of the script's.
given() {
  local option=$1 argument
  shift
  for argument; do
    if [[ $argument == "$option" || $argument == "$option="* ]]; then return 0; fi
  done
  return 1
}

# attend HANDLER COMMAND...: runs it as $attended, and HANDLER when a TERM comes, which bash would put off until its end.
attend() {
  local handler=$1 code=0 heard=no
  shift
  attended=
  trap 'heard=yes; "$handler"' TERM
  "$@" &
  attended=$!
  if [[ $heard == yes ]]; then "$handler"; fi  # it came a moment too early
  while
    heard=no code=0
    wait "$attended" || code=$?
    [[ $heard == yes ]]  # what was waited for is the TERM, then
  do :; done
  trap - TERM
  return "$code"
}

# measure PASSES [BENCH ARGUMENT...]: one job step, a task on each node of the job, which runs bench PASSES times.
# --cpus-per-task: since Slurm 22.05 srun does not inherit it, and a task might run on one core. Only where nodes differ
# ("64(x2),32") it is left out, as a step has one such number; each task then gets its node's own.
# BENCH_DRY_RUN: only says what it would measure, anywhere; submit asks for that before it queues a job.
measure() {
  local passes=$1 code=0
  shift
  if [[ ${BENCH_DRY_RUN:-} ]]; then
    case ${1:-} in
      list | verify | doctor | table | compare) return ;;
    esac
    "${bench[@]}" "$@" --dry-run
    return
  fi
  local cpus=(--cpus-per-task="$SLURM_CPUS_ON_NODE")
  if [[ $SLURM_JOB_CPUS_PER_NODE == *,* ]]; then cpus=(); fi
  say "$SLURM_JOB_NODELIST: ${bench[*]} $*; finished groups are in $results/ at once"
  attend tell_step srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 \
    ${cpus[@]+"${cpus[@]}"} --kill-on-bad-exit=0 "$jobs/passes" "$passes" "${bench[@]}" "$@" || code=$?
  ((code == 0)) || await_preemption  # Slurm may have told the step only
  return "$code"
}

# A job that is preempted with a grace time is requeued at its end, and only if it still runs then.
await_preemption() {
  scontrol --oneliner show job "$SLURM_JOB_ID" 2>/dev/null | grep -q ' PreemptTime=[0-9]' || return 0
  say "preempted: the result file is complete; waits for Slurm to end or requeue the job"
  sleep infinity
}

# TERM, which Slurm sends to a job script before the time limit, is passed to the step: bench then completes its result file.
# (To srun itself it would kill the tasks at once. Where Slurm ends the job already, the step has heard it.)
tell_step() {
  say "TERM: bench completes its result file"
  scancel --signal=TERM "$SLURM_JOB_ID" 2>/dev/null || true
}
