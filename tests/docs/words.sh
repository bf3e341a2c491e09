#!/bin/sh
# words.sh ROOT [PAGE] -- no word of the language without an example.
#
# Every `word` of the section "What is read" of docs/language.md, and every key of the
# table of annotations, must occur in one of its blocks ```modelica, comments and
# strings aside.  And every key word of the lexer and every built-in function must be
# in that section or be named among what is refused.
set -eu
root=$1 page=${2:-$1/docs/language.md}

# the code spans of a section, one per line
spans() {
  awk -v want="## $1" '
    /^## / { on = $0 == want }
    on { while (match($0, /`[^`]+`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' "$page"
}

code=$(mktemp)
trap 'rm -f "$code" "$code".*' EXIT
awk '/^```/ { on = $0 == "```modelica"; next } on' "$page" |
  sed 's/"[^"]*"/""/g; s,//.*,,' >"$code"

failed=0
has() { # the word, as a word; operators as they are
  case $1 in
  *[!A-Za-z0-9_.]*) grep -qF -e "$1" "$code" ;;
  *) grep -qE -e "(^|[^A-Za-z0-9_.])$(printf %s "$1" | sed 's/\./\\./g')([^A-Za-z0-9_]|\$)" "$code" ;;
  esac
}
check() {
  has "$1" || { echo "no example of '$1' ($2)"; failed=1; }
}

spans 'What is read' | sort -u >"$code.read"
[ "$(wc -l <"$code.read")" -gt 120 ] || { echo "only $(wc -l <"$code.read") words in 'What is read'"; exit 1; }
while read -r word; do
  case $word in
  '{}') check '{' "What is read" ;;
  '[]') check '[' "What is read" ;;
  'a:b:c') grep -qE '[a-z0-9)]:-?[0-9]+:[0-9]' "$code" || { echo "no range with a step"; failed=1; } ;;
  *) check "$word" "What is read" ;;
  esac
done <"$code.read"

awk '/^## / { on = $0 == "## Annotations of brink" } on && /^\| `/ { split($2, key, "`"); print key[2] }' "$page" >"$code.keys"
[ -s "$code.keys" ] || { echo "no table of annotations"; exit 1; }
while read -r key; do check "$key" "Annotations of brink"; done <"$code.keys"

# the other way round
spans 'What is refused' | tr ' ' '\n' | cat - "$code.read" | sort -u >"$code.said"
{
  sed -n 's/^KEYWORD([A-Z]*, "\([a-z]*\)")$/\1/p' "$root/src/front/modelica/tokens.def"
  sed -n '/builtins\[\] = {/,/^};/p' "$root/src/front/modelica/lower_call.c" |
    awk '{ while (match($0, /\{"[A-Za-z0-9]+", /)) { print substr($0, RSTART + 2, RLENGTH - 5); $0 = substr($0, RSTART + RLENGTH) } }'
} | sort -u >"$code.known"
[ "$(wc -l <"$code.known")" -gt 100 ] || { echo "only $(wc -l <"$code.known") words in the sources"; exit 1; }
while read -r word; do
  grep -qxF -e "$word" "$code.said" || { echo "docs/language.md does not speak of '$word'"; failed=1; }
done <"$code.known"
[ $failed -ne 0 ] || echo "$(wc -l <"$code.read") words of the language have an example"
exit $failed
