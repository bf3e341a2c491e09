# completion.bash -- what Tab offers behind `brink`.  Installed as
# share/bash-completion/completions/brink; or source it from ~/.bashrc.
#
# Nothing is listed here twice: verbs and options, and what an option takes, are asked
# from the command's own help, names from `brink methods`, `locators`, `models` and
# `papers`, parameters from `brink check`.
# shellcheck shell=bash disable=SC2046

# _brink_verbs COMMAND: one per line
_brink_verbs() {
  "$1" --help 2>/dev/null | sed -n 's/^  brink \([a-z][a-z]*\) .*/\1/p' | grep -vx help
  echo help
}

# _brink_options COMMAND VERB: lines "--name VALUE", and "-o VALUE" for letters
_brink_options() {
  "$1" "$2" --help 2>/dev/null | sed -n \
    -e 's/^  \(-[a-z]\), \(--[a-z0-9_-]*\) \([A-Z][A-Za-z=]*\)  .*/\2 \3\n\1 \3/p;t' \
    -e 's/^  \(-[a-z]\), \(--[a-z0-9_-]*\) .*/\2\n\1/p;t' \
    -e 's/^  \(--[a-z0-9_-]*\) \([A-Z][A-Za-z=]*\)  .*/\1 \2/p;t' \
    -e 's/^  \(--[a-z0-9_-]*\) .*/\1/p'
  echo --help
}

# _brink_names COMMAND LIST: the first column of a list, without its header
_brink_names() {
  "$1" "$2" 2>/dev/null | awk '$1 != "name" && NF { print $1 }'
}

# _brink_offer WORD...: those that begin with what was typed
_brink_offer() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$*" -- "$cur")
}

_brink_files() { # PATTERN...: files of these kinds, and directories
  local pattern line
  compopt -o filenames 2>/dev/null
  for pattern in "$@"; do
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -X "!$pattern" -- "$cur")
  done
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur")
}

# a list with commas: its last name is completed
_brink_list() { # WORD...
  local before="" word all=()
  case $cur in *,*) before=${cur%,*}, ;; esac
  for word in "$@"; do
    case ,$before in *,"$word",*) ;; *) all+=("$before$word") ;; esac
  done
  compopt -o nospace 2>/dev/null
  _brink_offer "${all[@]}"
}

# _brink_words COMMAND VERB OPTION: "a closing step: auto, on or off" are three words
_brink_words() {
  "$1" "$2" --help 2>/dev/null | sed -n "s/^  $3 HOW  *[^:]*: //p" | sed 's/ or / /; s/,//g'
}

# _brink_parameters COMMAND: of the model on the line, with a '=' behind each
_brink_parameters() {
  local word
  for word in "${COMP_WORDS[@]:2}"; do
    case $word in -*) continue ;; esac
    "$1" check "$word" 2>/dev/null | awk '
      /^[a-z0-9]/ { inside = $2 ~ /^parameter/ }
      /^ / && inside && $1 !~ /[.][.][.]/ { print $1 "=" }' | grep . && return
  done
}

# _brink_value COMMAND VERB OPTION KIND
_brink_value() {
  local verb=$2
  set -- "$1" "$3" "$4"
  case $3 in
  M) _brink_offer auto $(_brink_names "$1" methods) ;;
  L) _brink_offer auto $(_brink_names "$1" locators) ;;
  LIST) _brink_list all $(_brink_names "$1" "${2#--}") ;;
  HOW) _brink_offer $(_brink_words "$1" "$verb" "$2") ;;
  NAME=VALUE)
    compopt -o nospace 2>/dev/null
    _brink_offer $(_brink_parameters "$1")
    ;;
  FILE)
    case $2 in
    --out | -o) _brink_files '*.csv' '*.json' '*.svg' ;;
    --events) _brink_files '*.csv' ;;
    --stats) _brink_files '*.json' ;;
    *) _brink_files '*' ;;
    esac
    ;;
  esac
}

# _brink_operand COMMAND VERB
_brink_operand() {
  case $("$1" "$2" --help 2>/dev/null | sed -n '1s/^usage: brink [a-z]* *\[*\([A-Z]*\).*/\1/p') in
  MODEL)
    _brink_offer $(_brink_names "$1" models)
    _brink_files '*.mo' '*.bmo'
    ;;
  NAME) _brink_offer $(_brink_names "$1" "$2") ;;
  esac
}

_brink() {
  local command=${COMP_WORDS[0]/#\~/$HOME} cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]-}
  local before=${COMP_WORDS[COMP_CWORD - 1]} name kind
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _brink_offer $(_brink_verbs "$command") --help --version
    return
  fi
  if [ "$verb" = help ]; then
    _brink_offer $(_brink_verbs "$command")
    return
  fi
  # --method=x comes as three words
  if [ "$cur" = = ]; then
    cur=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  while read -r name kind; do
    if [ "$name" = "${before//-/_}" ] || [ "$name" = "$before" ] && [ -n "$kind" ]; then
      _brink_value "$command" "$verb" "$name" "$kind"
      return
    fi
  done < <(_brink_options "$command" "$verb")
  case $cur in
  -*) _brink_offer $(_brink_options "$command" "$verb" | awk '{ print $1 }') ;;
  *) _brink_operand "$command" "$verb" ;;
  esac
}

complete -F _brink brink
