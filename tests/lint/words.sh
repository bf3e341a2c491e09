#!/bin/sh
# words.sh ROOT -- what may not stand in the sources.
#
#   src/                  no printing, no exit or abort, no errno, no longjmp, and
#                         no memory but through core/memory.c
#   everywhere            TODO only as TODO(#123); no FIXME or XXX; no path of
#                         somebody's machine
set -eu
lint=$(cd "$(dirname "$0")" && pwd)
cd "$1"

{
  find src -type f -name '*.[ch]' -exec awk -v want=code -f "$lint/comments.awk" {} + |
    awk '
      function call(names) {
        return match(code, "(^|[^A-Za-z0-9_.>])(" names ")[ \t]*\\(")
      }
      {
        split($0, at, ":")
        place = at[1] ":" at[2] ": "
        code = substr($0, length(place))
        if (call("printf|vprintf|puts|putchar|perror") || code ~ /[^A-Za-z0-9_](stdout|stderr)[^A-Za-z0-9_]/)
          print place "the library does not print; return a sentence by brink__fail"
        if (call("exit|_Exit|quick_exit|abort"))
          print place "the library does not end the process; return a status"
        if (call("setjmp|longjmp") || code ~ /(^|[^A-Za-z0-9_])errno([^A-Za-z0-9_]|$)/)
          print place "no errno and no longjmp; errors are values"
        if (at[1] != "src/core/memory.c" && call("malloc|calloc|realloc|free|strdup|aligned_alloc|alloca"))
          print place "memory comes through core/core.h"
      }'
  dirs=
  for dir in include src cli papers examples tests bench models docs scripts cmake; do
    [ ! -d "$dir" ] || dirs="$dirs $dir"
  done
  # shellcheck disable=SC2086
  find $dirs -type f ! -path 'tests/lint/*' -exec grep -nHIE \
    '(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)' {} + |
    grep -vE 'TODO\(#[0-9]+\)' | sed 's/$/  <- TODO needs an issue: TODO(#123)/' || :
  # shellcheck disable=SC2086
  find $dirs README.md CHANGELOG.md CONTRIBUTING.md run test packages -type f \
    ! -path 'tests/lint/*' -exec grep -nHIE \
    '(^|[^A-Za-z0-9_.-])/(home|root|work|Users)/|\.\./shared' {} + 2>/dev/null |
    sed 's/$/  <- a path of one machine/' || :
} | awk '{ print } END { if (NR == 0) print "no forbidden words"; exit NR > 0 }'
