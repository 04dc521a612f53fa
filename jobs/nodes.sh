# shellcheck shell=bash disable=SC2154  # variables of submit
# The rest of jobs/submit nodes: a job for each node of the partition that is up, the idle ones first, and one for their table.
# All of them have one name, that of the folder of their result files. The table is a singleton: it waits for the others' end.
# (One job over all nodes would keep each of them waiting for the last, and could not outlive the first.)

# value LONG SHORT: of the last such option.
value() {
  local option found=
  for option in ${options[@]+"${options[@]}"}; do
    case $option in
      --"$1"=*) found=${option#*=} ;;
      -"$2"?*) found=${option#-?} ;;
    esac
  done
  echo "$found"
}

# Options that say who asks and where are used for the table too. Of what is asked for nodes, nothing does; mail comes with the
# table only, whose exit code is that of bench compare.
for_nodes=() for_table=()
for option in ${options[@]+"${options[@]}"}; do
  case $option in
    --nodes=* | -N* | --nodelist=* | -w* | --exclude=* | -x* | --partition=* | -p*) ;;
    --mail-*) for_table+=("$option") ;;
    --account=* | -A* | --qos=* | -q* | --reservation=* | --constraint=* | -C* | --clusters=* | -M* | --comment=* | --wckey=*)
      for_nodes+=("$option") for_table+=("$option")
      ;;
    *) for_nodes+=("$option") ;;
  esac
done

most=$(value nodes N)
[[ -z $most || $most =~ ^[1-9][0-9]*$ ]] || die "--nodes=$most: must be the number of nodes to compare"
said=$(sinfo --noheader --format=%P 2>&1 >/dev/null) || die "Slurm does not answer (${said##*$'\n'}): scontrol ping shows its controllers"
partition=$(value partition p)
[[ -n $partition ]] || partition=$(sinfo --noheader --format=%P | sed -n 's/\*$//p')
among=$(value nodelist w)
# Nodes of a reservation are up if you name it.
good='idle|mix|alloc|comp|plnd' reservation=$(value reservation _)
if [[ -n $reservation ]]; then
  good+='|resv|maint'
  among=${among:-$(scontrol --oneliner show reservation "$reservation" | sed -n 's/.* Nodes=\([^ ]*\).*/\1/p')}
fi
# A line for each node: 1 idle, 2 busy or 3 not up, its name, partition, state and reason. It may be in two of the partitions.
nodes=$(sinfo --noheader --Node --partition="$partition" ${among:+--nodes="$among"} --format='%N %P %t %E' |
  awk -v good="^($good)[~#%]?\$" '
    !seen[$1]++ { sub(/\*$/, "", $2); print ($3 !~ good ? 3 : $3 ~ /^idle/ ? 1 : 2), $0 }' |
  sort --stable --key=1,1) || nodes=
[[ $nodes || $among ]] || die "partition '$partition' has no nodes: sinfo shows the partitions; name one with --partition=… or in site.env"
unknown=$(comm -23 <(scontrol show hostnames "$among" | sort) <(cut -d ' ' -f 2 <<<"$nodes" | sort) | paste -sd,)
[[ -z $unknown ]] || die "partition '$partition' has no node $unknown"
excluded=$(value exclude x)
[[ -z $excluded ]] || nodes=$(grep -vwFf <(scontrol show hostnames "$excluded") <<<"$nodes") || true

# Of each node that is not up: its name, state and the reason that an administrator gave.
down=$(awk '$1 == 3 { name = $2; state = $4; $1 = $2 = $3 = $4 = ""; sub(/^ +/, "")
  print name, state ($0 == "none" ? "" : ": " $0) }' <<<"$nodes")
down_list=$(sed 's/ / (/; s/$/)/' <<<"$down" | paste -sd, | sed 's/),/), /g')
mapfile -t up < <(awk '$1 ~ /[12]/ {print $2, $3}' <<<"$nodes")
((${#up[@]} > 0)) || die "no node of partition '$partition' is up: ${down:+$down_list}"
((${most:-0} <= ${#up[@]})) || die "--nodes=$most: ${#up[@]} nodes of partition '$partition' are up"
up=("${up[@]:0:${most:-${#up[@]}}}")
[[ -z $down ]] || say "left out, not up: $down_list"
list() { scontrol show hostlistsorted "$(IFS=, && echo "$*")"; }
if [[ ${test_only:-} ]]; then
  echo "nothing is queued; jobs would be one for each of $(list "${up[@]%% *}"), and one for their table"
  exit
fi

while
  survey=nodes-$(date -u +%Y%m%dT%H%M%SZ)
  folder=$results/$survey
  [[ -e $folder || $(squeue --noheader --states=all --name="$survey") ]]  # one a second
do sleep 0.2; done
made=$([[ -d $results ]] || echo "$results")
mkdir -p "$folder" || die "cannot make $folder: set BENCH_RESULTS_DIR to a folder where you may write"
trap 'rmdir "$folder" ${made:+"$made"}' EXIT  # as long as no job writes there
export BENCH_RESULTS_DIR=$folder

queued=() numbers=() refused=() words=
trap 'words=interrupted' INT
for one in "${up[@]}"; do
  read -r node of_partition <<<"$one"
  # The limit of jobs is reached: the others would be refused, too.
  if [[ $words == interrupted || ($words == *"accounting/QOS policy"* && ${#queued[@]} -gt 0) ]]; then
    refused+=("$node")
    continue
  fi
  turn=()  # no more than N at once: after the job that is N before it
  if ((${#numbers[@]} >= ${at_most:-${#up[@]}})); then turn=("--dependency=afterany:${numbers[-at_most]}"); fi
  if queue ${for_nodes[@]+"${for_nodes[@]}"} ${turn[@]+"${turn[@]}"} --partition="$of_partition" --nodelist="$node" \
    --job-name="$survey" --output="$folder/$node.log" "$script" ${arguments[@]+"${arguments[@]}"}; then
    ((${#queued[@]} > 0)) || look
    trap - EXIT
    queued+=("$node") numbers+=("$job")
    if [[ -t 2 ]]; then
      printf '\rbench: %d of %d jobs queued ' "${#queued[@]}" "${#up[@]}" >&2
    elif ((${#queued[@]} % 100 == 0)); then
      say "${#queued[@]} of ${#up[@]} jobs queued"
    fi
  else
    refused+=("$node")
    [[ $words == interrupted ]] || words=$job
  fi
done
trap - INT
[[ ! -t 2 ]] || printf '\r\e[K' >&2
why="Slurm refuses" whom=${refused[*]+$(list "${refused[@]}")}
if [[ $words == interrupted ]]; then
  ((${#queued[@]} > 0)) || die "interrupted: nothing is queued"
  say "interrupted: no job for $whom; to go on: $0 nodes --nodelist='$whom', with the same options"
  why="not queued"
elif [[ $whom ]]; then
  ((${#queued[@]} > 0)) || explain "$words"
  say "left out, as Slurm refuses them: $whom ($(paste -sd' ' <<<"$words"))"
fi

all=$(list "${queued[@]}")
# bench compare finds here which nodes are missing and which were left out.
echo "$all" >"$folder/nodelist"
{
  [[ -z $down ]] || echo "$down"
  for node in ${refused[@]+"${refused[@]}"}; do echo "$node $why: $(paste -sd' ' <<<"$words")"; done
} >"$folder/left_out"
if queue ${for_table[@]+"${for_table[@]}"} --partition="$of_partition" --dependency=singleton --job-name="$survey" \
  --output="$folder/table.log" "$jobs/compare.sbatch" "$folder"; then
  table="and job $job for their table"
else
  table="but none for their table, which Slurm refuses: $job"
fi
cat <<TEXT
submitted ${#queued[@]} jobs, one for each of $all, $table
watch:    squeue --name=$survey; the logs are $folder/*.log
cancel:   scancel --name=$survey    (the job for the table, too: the line below shows what is finished by then)
results:  $folder/*.json, and when all have ended the table in $folder/table/
compare:  ${bench[*]} compare $folder    (at any time)
TEXT
[[ $words != interrupted ]] || exit 130
