# shellcheck shell=bash
# Completion for bench: source this file, or install bench, which puts it where bash looks for it.
# It knows no command, option or value by itself but asks the program, and so cannot go stale.

_bench_commands() {
  "$1" help commands 2>/dev/null | sed -n 's/^  \([^ ]\{1,\}\).*/\1/p'
}

_bench_topics() {
  "$1" help '?' 2>&1 | sed -n 's/.*topics: //p' | tr ',' ' '
}

# The options of "bench" or "bench COMMAND", with the type of the value that each takes: "--size SIZE". Help has
# "  --kernel, --with FILE,...", and two blanks before what it says of them.
_bench_options() {
  "$@" --help 2>/dev/null | awk -F '  +' '/^  -/ {
    n = split($2, word, " ")
    type = word[n] ~ /^-/ ? "" : word[n]
    sub(/,\.\.\.$/, "", type)
    for (i = 1; i <= n; ++i) {
      sub(/,$/, "", word[i])
      if (word[i] ~ /^--/) print word[i], type
    }
  }'
}

# What may follow an option: the program says so when it refuses a value, some only with a result file.
# Nothing is measured, since no variant is called 'no/such'; the doctor measures nothing, and takes no word.
_bench_choices() {
  local word=${4:-no/such}
  if [[ $2 == doctor ]]; then word=""; fi
  "$1" "$2" "$3" '?' ${word:+"$word"} 2>&1 |
    sed -nE 's/.*(must be one of|; there are|; there is) ([^(]*).*/\2/p' | tr ',' ' '
}

# Workloads, and from the first slash on workload/backend/variant; not 'cuda/*', which stands for what
# is not in the program.
_bench_filters() {
  "$1" list --all 2>/dev/null | awk -v variants="$2" '
    /^[^ ]/ { workload = $1; if (!variants) print workload }
    /^  [^ :]+\/[^ *]+ / { if (variants) print workload "/" $1 }'
}

# Files with an ending, and folders on the way to them.
_bench_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -X "!*.$1" -- "$2"; compgen -d -- "$2")
}

# Words that begin with what is typed; of a list, a,b,c, the last part is completed.
_bench_words() {
  local before=""
  if [[ $2 == *,* ]]; then before=${2%,*},; fi
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${2##*,}")
}

_bench() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local commands command=run options option value type="" variants="" document=""
  COMPREPLY=()
  # The word before an equals sign that bash has split off, as in --size=tiny.
  if [[ $word == = ]]; then word=""; fi
  if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi

  commands=$(_bench_commands "$program")
  if ((COMP_CWORD > 1)) && grep -qxF -e "${COMP_WORDS[1]}" <<<"$commands"; then command=${COMP_WORDS[1]}; fi

  while read -r option value; do
    if [[ $option == "$previous" ]]; then type=$value; fi
  done < <(_bench_options "$program" "$command")
  if [[ $word == */* ]]; then variants=1; fi
  if [[ $command == table ]]; then
    for value in "${COMP_WORDS[@]:2}"; do
      if [[ $value == *.json && -f $value ]]; then document=$value; fi
    done
  fi
  case $type in
    FILE)
      case $previous in
        --input) _bench_files npy "$word" ;;
        --kernel | --with) compopt -o default 2>/dev/null ;;
        *) _bench_files json "$word" ;;
      esac
      ;;
    PATH) _bench_files json "$word" ;;
    SIZE)
      if [[ $command == table ]]; then
        _bench_words "$(_bench_choices "$program" "$command" "$previous" "$document")" "$word"
      else
        _bench_words "tiny default course" "$word"
      fi
      ;;
    WORKLOAD) _bench_words "$(_bench_filters "$program")" "$word" ;;
    GLOB) [[ $previous == --node ]] || _bench_words "$(_bench_filters "$program" $variants)" "$word" ;;
    N | SECONDS | PERCENT | FROM:TO | LIST) ;;
    ?*) _bench_words "$(_bench_choices "$program" "$command" "$previous" "$document")" "$word" ;;
    *)
      if [[ $word == -* ]]; then
        options=$(_bench_options "$program" "$command")
        if ((COMP_CWORD == 1)); then options+=$'\n'$(_bench_options "$program"); fi
        _bench_words "$(cut -d ' ' -f 1 <<<"$options" | sort -u)" "$word"
      elif [[ $command =~ ^(table|compare|merge|reproduce|plot|report|lesson|points)$ ]]; then
        _bench_files json "$word"
      elif [[ $command == help ]]; then
        _bench_words "$commands $(_bench_topics "$program")" "$word"
      elif [[ $command =~ ^(run|list|verify|aa|false-alarms)$ ]]; then
        if ((COMP_CWORD > 1)); then commands=""; fi
        _bench_words "$commands $(_bench_filters "$program" $variants)" "$word"
      fi
      ;;
  esac
}

complete -F _bench bench
