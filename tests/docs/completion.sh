#!/usr/bin/env bash
# completion.sh BRINK ROOT WORK -- what Tab offers behind `brink`.
set -u
brink=$1 root=$2 work=$3
. "$root/cli/completion.bash"
rm -rf "$work"
mkdir -p "$work/sub"
cd "$work" || exit 1
touch mine.mo flat.bmo other.txt out.csv
failed=0
wrong() { echo "$*"; failed=1; }

# tab WORD...: complete the last of them
tab() {
  COMP_WORDS=("$brink" "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _brink
  printf '%s\n' "${COMPREPLY[@]-}" | sort -u
}
offers() { # WANT... -- WORD...
  local want=()
  while [ "$1" != -- ]; do want+=("$1"); shift; done
  shift
  local got
  got=$(tab "$@" | tr '\n' ' ')
  [ "$got" = "$(printf '%s\n' "${want[@]-}" | sort -u | tr '\n' ' ')" ] || wrong "brink $*<Tab> offers: $got"
}

# verbs and options: those of the help, all of them and no others
verbs=$("$brink" --help | sed -n 's/^  brink \([a-z]*\) .*/\1/p')
[ "$(printf '%s\n' "$verbs" | wc -l)" -ge 5 ] || wrong "the help shows only: $verbs"
# shellcheck disable=SC2086
offers $verbs help --help --version -- ''
for verb in $verbs; do
  want=$("$brink" "$verb" --help | sed -n 's/^  \(-[a-z]\), \(--[a-z0-9_]*\) .*/\1\n\2/p; s/^  \(--[a-z0-9_]*\) .*/\1/p')
  # shellcheck disable=SC2086
  offers $want --help -- "$verb" -
done
offers --method -- run --meth
offers run -- ru
# shellcheck disable=SC2046
offers $(printf '%s\n' "$verbs" | grep '^c') -- help c

# values
methods=$("$brink" methods | awk 'NR > 1 { print $1 }')
locators=$("$brink" locators | awk 'NR > 1 { print $1 }')
# shellcheck disable=SC2086
offers auto $methods -- run bouncing_ball --method ''
# shellcheck disable=SC2086
offers auto $locators -- run bouncing_ball --locate ''
offers dopri5 dop853 -- run --method dop
offers dopri5 dop853 -- run --method = dop
offers auto auto-rk -- run --method = au
offers auto on off -- run --restep ''
offers continue stop step regularize average -- run --zeno ''
offers stop step -- run --zeno st
offers e= g= -- run bouncing_ball --set ''
offers tau= -- run --stop 3 thermostat --set ta
offers '' -- run --rtol ''
offers out.csv sub -- run -o ''
offers out.csv sub -- run --events ''
case $verbs in *compare*)
  offers dopri5 dop853 -- compare --methods dop
  offers rk4,dopri5 rk4,dop853 -- compare --methods rk4,dop
  offers dop853,dopri5 -- compare --methods dop853,dop
  offers isolate,itp -- compare --locators isolate,it
  offers dop853 dopri5 -- compare --reference dop
  ;;
esac

# models and files
# shellcheck disable=SC2046
offers $("$brink" models | awk '{ print $1 }') mine.mo flat.bmo sub -- run ''
offers mine.mo -- check mi
offers two_tanks -- run two_t
offers mine.mo -- run --verbose mi
offers '' -- methods ''
exit $failed
