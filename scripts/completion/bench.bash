# shellcheck shell=bash
# Completion for bench: source this file, or install bench, which puts it where bash looks for it.
# It knows no command, option or value by itself but asks the program, and so cannot go stale.

_bench_commands() {
  "$1" --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  *\([^ ]*\).*/\1/p'
}

# The options of "bench" or "bench COMMAND", with the type of the value that each takes: "--size SIZE".
_bench_options() {
  "$@" --help 2>/dev/null | sed -n '/^Options:/,$s/^  *\(-h,\)*\(--[a-z-]* [A-Z:]*\).*/\2/p'
}

# What may follow an option: the program says so when it refuses a value, some only with a document.
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
  "$1" list 2>/dev/null | awk -v variants="$2" '
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
    FILE) if [[ $previous == --input ]]; then _bench_files npy "$word"; else _bench_files json "$word"; fi ;;
    PATH) _bench_files json "$word" ;;
    SIZE)
      if [[ $command == table ]]; then
        _bench_words "$(_bench_choices "$program" "$command" "$previous" "$document")" "$word"
      else
        _bench_words "tiny default course" "$word"
      fi
      ;;
    GLOB) [[ $previous == --node ]] || _bench_words "$(_bench_filters "$program" $variants)" "$word" ;;
    N | SECONDS | PERCENT | FROM:TO | LIST) ;;
    ?*) _bench_words "$(_bench_choices "$program" "$command" "$previous" "$document")" "$word" ;;
    *)
      if [[ $word == -* ]]; then
        options=$(_bench_options "$program" "$command")
        if ((COMP_CWORD == 1)); then options+=$'\n'$(_bench_options "$program"); fi
        _bench_words "$(cut -d ' ' -f 1 <<<"$options" | sort -u)" "$word"
      elif [[ $command == table || $command == compare ]]; then
        _bench_files json "$word"
      elif [[ $command == run || $command == verify || $command == aa ]]; then
        if ((COMP_CWORD > 1)); then commands=""; fi
        _bench_words "$commands $(_bench_filters "$program" $variants)" "$word"
      fi
      ;;
  esac
}

complete -F _bench bench
