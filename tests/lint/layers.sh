#!/bin/sh
# layers.sh ROOT ROOMS -- no upward arrows.
#
# ROOMS is the table the build writes, one line per room: name, layer, rooms it
# uses.  A file of src/<room>/ may include "brink/...", its own room, and the rooms
# its room uses, directly or through them.  Public headers, examples and papers see
# "brink/..." only, papers/ also itself; cli/ also itself and papers/.
set -eu
root=$1 rooms=$2
lint=$(cd "$(dirname "$0")" && pwd)
cd "$root"

dirs='include src'
[ ! -d cli ] || dirs="$dirs cli"
[ ! -d examples ] || dirs="$dirs examples"
[ ! -d papers ] || dirs="$dirs papers"

# shellcheck disable=SC2086
find $dirs -type f \( -name '*.[ch]' -o -name '*.def' \) | sort |
  xargs grep -nE '^[ \t]*#[ \t]*include[ \t]*"' /dev/null |
  awk -v rooms="$rooms" -f "$lint/layers.awk"
