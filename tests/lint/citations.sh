#!/bin/sh
# citations.sh ROOT -- every citation resolves in docs/references.bib.
#
# A citation is "[Key]" or "[Key, place]" in a comment or in docs/*.md, where Key is
# a capital letter, letters, two digits and at most one small letter: [HNW93, II.6];
# several stand in one bracket as [HNW93, II.6; DP80].
# Also every  .cite = "Key"  of a method or locator.  The bibliography itself must
# have no key twice, and author, title and year in every entry.
set -eu
lint=$(cd "$(dirname "$0")" && pwd)
cd "$1"
bib=docs/references.bib
[ -f "$bib" ] || { echo "no $bib"; exit 1; }

dirs=
for dir in include src cli papers examples tests bench models; do
  [ ! -d "$dir" ] || dirs="$dirs $dir"
done

{
  # shellcheck disable=SC2086
  find $dirs -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.mo' \) \
    -exec awk -v want=comments -f "$lint/comments.awk" {} +
  find docs -name '*.md' -exec grep -nH '\[' {} + || :
  # shellcheck disable=SC2086
  grep -rnE --include='*.[ch]' '\.cite *= *"' $dirs | sed -E 's/^([^:]*:[0-9]+:).*\.cite *= *"([^"]*)".*/\1[\2]/' || :
} | awk -v bib="$bib" '
  BEGIN {
    while ((getline line < bib) > 0) {
      if (line ~ /^@/) {
        if (key != "") check()
        key = line
        sub(/^@[A-Za-z]*\{/, "", key)
        sub(/,.*/, "", key)
        if (key in known) wrong(bib ": " key " is there twice")
        known[key] = 1
        split("", has)
      } else if (match(line, /^ *[a-z]+ *=/)) {
        field = substr(line, RSTART, RLENGTH)
        gsub(/[ =]/, "", field)
        has[field] = 1
      }
    }
    if (key != "") check()
  }
  function wrong(why) { print why; bad = 1 }
  function check() {
    if (!("author" in has) || !("title" in has) || !("year" in has))
      wrong(bib ": " key " lacks author, title or year")
  }
  {
    split($0, at, ":")
    text = $0
    while (match(text, /\[[A-Z][A-Za-z]*[0-9][0-9][a-z]?[],;][^]]*/)) {
      n = split(substr(text, RSTART + 1, RLENGTH - 1), part, "; ")
      text = substr(text, RSTART + RLENGTH)
      for (i = 1; i <= n; i++) {
        cite = part[i]
        sub(/[],].*/, "", cite)
        if (cite !~ /^[A-Z][A-Za-z]*[0-9][0-9][a-z]?$/) continue
        cited++
        if (!(cite in known)) wrong(at[1] ":" at[2] ": [" cite "] is not in " bib)
      }
    }
  }
  END {
    if (!bad) print cited + 0 " citations, all in " bib
    exit bad
  }'
