#!/bin/sh
# rooms.sh ROOT ROOMS -- docs/architecture.md knows every room that is built.
#
# Under "## Rooms" its table has a row "| layer | room | does |" for each line of ROOMS, and
# "(planned)" behind the names of rooms that are not built, and of those only.  No two
# .c files of src/ have one name: a file is then named in words, in a debugger and in a
# profile by its name alone.
set -eu
twice=$(find "$1/src" -name '*.c' | sed 's|.*/||' | sort | uniq -d)
for name in $twice; do
  find "$1/src" -name "$name" | sort | tr '\n' ' '
  echo ": two files are named $name"
done
[ -z "$twice" ]
awk -v table="$1/docs/architecture.md" '
  function wrong(why) { print "docs/architecture.md: " why; bad = 1 }
  { built[$1] = $2 }
  END {
    while ((getline line < table) > 0) {
      if (line ~ /^## /) inside = line == "## Rooms"
      if (!inside || line !~ /^\| [0-9]+ \| [a-z]+( \(planned\))? \|/) continue
      split(line, cell, / *\| */)
      room = cell[3]
      planned = sub(/ \(planned\)/, "", room)
      rows++
      has[room] = 1
      if (planned && room in built)
        wrong("room \x27" room "\x27 is built: strike (planned) from its row")
      else if (!planned && !(room in built))
        wrong("room \x27" room "\x27 is not built: write (planned) behind it")
      if (room in built && built[room] != cell[2])
        wrong("room \x27" room "\x27 lies on layer " built[room] ", not " cell[2])
    }
    for (room in built)
      if (!(room in has)) wrong("room \x27" room "\x27 has no row in the table of rooms")
    if (!bad) print NR " rooms built, " rows " in the table"
    exit bad
  }' "$2"
