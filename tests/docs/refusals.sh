#!/bin/sh
# refusals.sh ROOT -- every refusal has a test with its exact sentence.
#
# Every name in the first column of the table "What is refused" of docs/language.md
# must be the subject of a sentence that a file tests/lang/*/*.mo expects, and every
# sentence of src/front/modelica/refuse.c must be expected word for word.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

cat "$root"/tests/lang/*/*.mo "$root"/tests/lang/*/*.bmo |
  sed -n 's/.*\/\/ expect error[^:]*\(:[0-9]*\)\{0,1\}: *//p' | sort -u >"$work/expected"

# the page
awk '/^## / { on = $0 == "## What is refused" }
  on && /^\| / { n = split($0, col, "|"); $0 = col[2]
    while (match($0, /`[^`]+`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }
  ' "${2:-$root/docs/language.md}" >"$work/names"
[ "$(wc -l <"$work/names")" -gt 25 ] || { echo "only $(wc -l <"$work/names") refusals on the page"; exit 1; }
while read -r name; do
  case $name in
  constrainedby) name=replaceable ;;
  'model extends M') name="a class extension" ;;
  'der(f, x)') name="a partial derivative" ;;
  operator) name="operator overloading" ;;
  Connections.root) name="Connections" ;;
  ExternalObject) name="external object" ;;
  esac
  grep -E "supported|never reached" "$work/expected" | grep -qiF -e "$name" ||
    { echo "no test expects that '$name' is refused"; failed=1; }
done <"$work/names"

# the sources: {"name", "what", "instead"} and refuse(j, at, "what", "instead")
tr '\n' ' ' <"$root/src/front/modelica/refuse.c" | sed 's/"  *"//g' | awk '
  { text = $0
    while (match(text, /\{"[A-Za-z]+", *"[^"]+", *"[^"]+"\}/)) {
      split(substr(text, RSTART, RLENGTH), q, "\""); print q[4] " not supported; " q[6]
      text = substr(text, RSTART + RLENGTH) }
    text = $0
    while (match(text, /refuse\(j, [^",]+, *"[^"]+", *"[^"]+"\)/)) {
      split(substr(text, RSTART, RLENGTH), q, "\""); print q[2] " not supported; " q[4]
      text = substr(text, RSTART + RLENGTH) } }' | sort -u >"$work/sentences"
[ "$(wc -l <"$work/sentences")" -gt 25 ] || { echo "only $(wc -l <"$work/sentences") sentences in refuse.c"; exit 1; }
while read -r sentence; do
  grep -qxF -e "$sentence" "$work/expected" || { echo "no test expects: $sentence"; failed=1; }
done <"$work/sentences"
[ $failed -ne 0 ] || echo "$(wc -l <"$work/sentences") sentences and $(wc -l <"$work/names") names are refused by tests"
exit $failed
