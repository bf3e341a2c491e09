#!/bin/sh
# docs_tables.sh PROGRAM FILE WORK -- docs_tables sees a changed word, a lost table
# and an unknown one, and --write mends what can be mended.
set -eu
program=$1 file=$2 copy=$3/reference_copy.md
fail() { echo "$*"; exit 1; }

sed 's/the step size became too small/the step size grew/' "$file" >"$copy"
! cmp -s "$file" "$copy" || fail "nothing was planted"
! "$program" "$copy" 2>/dev/null || fail "a changed word was not seen"
"$program" --write "$copy" >/dev/null || fail "--write failed"
cmp -s "$file" "$copy" || fail "--write did not mend the table"
sed 's/<!-- table statuses -->//' "$file" >"$copy"
! "$program" "$copy" 2>/dev/null || fail "a lost table was not seen"
sed 's/<!-- table statuses -->/<!-- table nonsense -->/' "$file" >"$copy"
! "$program" "$copy" 2>/dev/null || fail "an unknown table was not seen"
