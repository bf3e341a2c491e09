# lib.sh -- what the tests of the command share; sourced with BRINK, WORK set.
#
#   ok ARG...              the command succeeds; its output is in $WORK/out, $WORK/err
#   ends STATUS ARG...     it ends with that status and exactly one sentence, or more
#   says TEXT              the last run said so on standard error
set -eu
rm -rf "$WORK"
mkdir -p "$WORK"
failed=0
wrong() { echo "$*"; failed=1; }

ends() {
  want=$1
  shift
  got=0
  "$BRINK" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null || got=$?
  [ "$got" -eq "$want" ] || wrong "brink $*: status $got, not $want: $(cat "$WORK/err")"
}
ok() { ends 0 "$@"; }
says() { grep -qF -e "$1" "$WORK/err" || wrong "it does not say '$1' but: $(cat "$WORK/err")"; }
prints() { grep -qF -e "$1" "$WORK/out" || wrong "it does not print '$1' but: $(head -n 20 "$WORK/out")"; }
absent() { [ ! -e "$1" ] || wrong "there is a file $1"; }

# json FILE: is it one JSON value?
json() {
  awk '
    { text = text $0 "\n" }
    END {
      gsub(/"([^"\\]|\\["\\\/bfnrtu])*"/, "S", text)
      gsub(/[ \t\n]/, "", text)
      gsub(/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/, "V", text)
      gsub(/true|false|null/, "V", text)
      do {
        before = text
        gsub(/S:[SV]/, "M", text)
        gsub(/\[([SV](,[SV])*)?\]/, "V", text)
        gsub(/\{(M(,M)*)?\}/, "V", text)
      } while (text != before)
      exit text != "V" && text != "S"
    }' "$1" || wrong "$1 is not JSON"
}

# rows FILE: the lines of a CSV behind its header
rows() { awk 'NR > 1' "$1" | wc -l | tr -d ' '; }
