#!/bin/sh
# headers.sh ROOT CC [CXX] -- every file says what it is, and every public header
# stands alone.
#
# The first line of a C file (after an SPDX line, if there is one) is
# "/* <name> -- <subject>"; examples may begin with their subject.  Every header of include/brink compiles alone as C11,
# and as C++ if there is a C++ compiler.
set -eu
root=$1 cc=$2 cxx=${3:-}
cd "$root"
bad=0
wrong() { echo "$*"; bad=1; }

dirs='include src'
[ ! -d cli ] || dirs="$dirs cli"
[ ! -d examples ] || dirs="$dirs examples"
[ ! -d bench ] || dirs="$dirs bench"
[ ! -d papers ] || dirs="$dirs papers"

# shellcheck disable=SC2086
headless=$(find $dirs -type f -name '*.[ch]' | sort | xargs awk '
  FNR == 1 { done = 0 }
  done { next }
  FNR == 1 && /SPDX-License-Identifier/ { next }
  {
    done = 1
    name = FILENAME
    sub(/.*\//, "", name)
    at = index($0, name " -- ")
    if (substr($0, 1, 3) != "/* " || !(at || FILENAME ~ /^examples\//)) print FILENAME
  }')
for file in $headless; do
  wrong "$file: the first line must be '/* ${file##*/} -- what it is about'"
done

warn='-Wall -Wextra -Wpedantic -Werror'
for header in include/brink/*.h; do
  name=brink/${header##*/}
  # shellcheck disable=SC2086
  printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$name" "$name" |
    "$cc" -std=c11 $warn -Iinclude -fsyntax-only -x c - ||
    wrong "$header does not compile alone as C"
  [ -n "$cxx" ] || continue
  # shellcheck disable=SC2086
  printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
    "$cxx" -std=c++11 $warn -Iinclude -fsyntax-only -x c++ - ||
    wrong "$header does not compile alone as C++"
done
[ $bad -ne 0 ] || echo "every file has its head, every public header stands alone"
exit $bad
