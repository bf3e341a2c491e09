#!/bin/sh
# selftest.sh BRINK ROOT WORK -- the tests of the pages can fail.
set -eu
brink=$1 root=$2 work=$3
here=$root/tests/docs
rm -rf "$work"
mkdir -p "$work"
page=$root/docs/language.md

# a word whose example is gone, and a word of the sources that the page forgets
awk '/^```/ { on = $0 == "```modelica" } !(on && /semiLinear/)' "$page" >"$work/language.md"
! sh "$here/words.sh" "$root" "$work/language.md" >"$work/out" || { echo "words.sh misses an example"; exit 1; }
grep -q "no example of 'semiLinear'" "$work/out" || { cat "$work/out"; exit 1; }
sed 's/`elsewhen`//; s/`operator`//' "$page" >"$work/language.md"
! sh "$here/words.sh" "$root" "$work/language.md" >"$work/out" || { echo "words.sh misses a word"; exit 1; }
grep -q "does not speak of 'elsewhen'" "$work/out" || { cat "$work/out"; exit 1; }
grep -q "does not speak of 'operator'" "$work/out" || { cat "$work/out"; exit 1; }

# a refusal without a test
sed 's/^| `getInstanceName` |/| `getInstanceNumber` |/' "$page" >"$work/language.md"
! sh "$here/refusals.sh" "$root" "$work/language.md" >"$work/out" || { echo "refusals.sh misses a name"; exit 1; }
grep -q "no test expects that 'getInstanceNumber'" "$work/out" || { cat "$work/out"; exit 1; }

# a number, a line too few, a line too many, a wrong end
says() {
  printf '```console\n%s\n```\n' "$2" >"$work/page.md"
  got=0
  sh "$here/console.sh" "$brink" "$work/console" "$work/page.md" >"$work/out" || got=1
  [ $got -eq "$1" ] || { echo "console.sh: $got for:"; cat "$work/page.md" "$work/out"; exit 1; }
}
says 0 '$ printf "a 1\nb 2\nc 3\n"
a 1
b ...
c 3'
says 0 '$ printf "a 1\nb 2\nc 3\n"
...
c 3'
says 1 '$ printf "a 1\nb 2\nc 3\n"
a 1
b 3
c 3'
says 1 '$ printf "a 1\nb 2\nc 3\n"
a 1
c 3'
says 1 '$ printf "a 1\nb 2\nc 3\n"
a 1
b 2'
says 1 '$ printf "a 1\nb 2\n"
a 1
...
c 3'
says 1 '$ printf "a 1 x\n"
a ... y'

# what a page says the command has made: a word changed, nothing there; and --write
made() { sh "$here/made.sh" "$brink" "$work/made" "$work/page.md" "$@" >"$work/out" 2>&1; }
printf '<!-- made by: methods -->\n%s\n<!-- end -->\n' "$("$brink" methods)" >"$work/page.md"
made || { echo "made.sh refuses what is made"; cat "$work/out"; exit 1; }
sed 's/dopri5/dopri6/' "$work/page.md" >"$work/other.md" && cp "$work/page.md" "$work/right.md" && mv "$work/other.md" "$work/page.md"
! made || { echo "made.sh takes another name"; exit 1; }
made --write && cmp "$work/page.md" "$work/right.md" || { echo "made.sh --write"; exit 1; }
echo nothing >"$work/page.md"
! made || { echo "made.sh takes a page without anything made"; exit 1; }

# the manual: an option missing, one too many
man() {
  sed "$1" "$root/docs/brink.1" >"$work/brink.1"
  ! BRINK_MAN_PAGE=$work/brink.1 sh "$here/man.sh" "$brink" "$root" >"$work/out" 2>&1 ||
    { echo "man.sh takes $1"; exit 1; }
}
sh "$here/man.sh" "$brink" "$root" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
man '/max.*steps/d'
man 's/^\.SH FILES/.SH PLACES/'
man 's/^brink check mine.mo/brink check mine.mo \\-\\-nonsense/'
echo "the tests of the pages can fail"
