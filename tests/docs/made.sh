#!/bin/sh
# made.sh BRINK WORK PAGE [--write] -- what a page says the command has made is what it
# makes.
#
# Between the lines `<!-- made by: ARGUMENTS -->` and `<!-- end -->` stands what
# `brink ARGUMENTS` prints.  --write puts it there.
set -eu
brink=$1 work=$2 page=$3 write=${4-}
rm -rf "$work"
mkdir -p "$work"

awk -v work="$work" '
  /^<!-- made by: .* -->$/ { n++; $0 = substr($0, 15); sub(/ -->$/, ""); print > (work "/" n ".args"); inside = 1
    printf "" > (work "/" n ".shown"); next }
  /^<!-- end -->$/ { inside = 0 }
  inside { print > (work "/" n ".shown") }' "$page"

k=1 failed=0
while [ -f "$work/$k.args" ]; do
  # shellcheck disable=SC2046 # the arguments are words
  (cd "$work" && "$brink" $(cat "$k.args") >"$k.made")
  diff "$work/$k.shown" "$work/$k.made" || failed=1
  k=$((k + 1))
done
if [ $k -eq 1 ]; then
  echo "$page shows nothing that is made"
  exit 1
fi
if [ "$write" = --write ]; then
  awk -v work="$work" '
    /^<!-- end -->$/ { inside = 0 }
    !inside { print }
    /^<!-- made by: .* -->$/ { n++; inside = 1; while ((getline line < (work "/" n ".made")) > 0) print line }' \
    "$page" >"$work/page"
  cat "$work/page" >"$page"
elif [ $failed -ne 0 ]; then
  echo "$page: not what the command makes (<); tests/docs/made.sh --write puts it there"
  exit 1
fi
