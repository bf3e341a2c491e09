#!/bin/sh
# selftest.sh ROOT WORK CC [CXX] -- the lints can fail: each is shown a small tree
# that is right, then the same tree with one thing wrong.
set -eu
root=$1 work=$2 cc=$3 cxx=${4:-}
lint=$root/tests/lint
tree=$work/tree
status=0

fresh() {
  rm -rf "$tree"
  mkdir -p "$tree/include/brink" "$tree/src/core" "$tree/src/poly" "$tree/src/event" \
    "$tree/docs" "$tree/examples" "$tree/cli"
  printf 'core 0 \npoly 1 core\nevent 4 poly\n' >"$tree/rooms.txt"
  printf '/* base.h -- base */\nint brink_a(void);\n' >"$tree/include/brink/base.h"
  printf '/* core.h -- core, after [DP80, 3] */\n#include "brink/base.h"\n' >"$tree/src/core/core.h"
  printf '/* memory.c -- memory */\n#include "core/core.h"\nvoid f(void) { free(0); }\n' \
    >"$tree/src/core/memory.c"
  printf '/* poly.h -- poly */\n#include "core/core.h"\n' >"$tree/src/poly/poly.h"
  printf '/* event.c -- event */\n#include "poly/poly.h"\n#include "core/core.h"\n' \
    >"$tree/src/event/event.c"
  printf '/* ex.c -- example */\n#include "brink/base.h"\n' >"$tree/examples/ex.c"
  printf '/* run.c -- verb */\n#include "brink/base.h"\n' >"$tree/cli/run.c"
  printf '@article{DP80,\n  author = {A},\n  title = {T},\n  year = {1980},\n}\n' \
    >"$tree/docs/references.bib"
  printf '## Rooms\n| %s | x |\n| %s | x |\n| %s | x |\n| %s | x |\n' '0 | core' '1 | poly' '4 | event' '5 | hybrid (planned)' \
    >"$tree/docs/architecture.md"
}

run() {
  case $1 in
  layers | rooms) sh "$lint/$1.sh" "$tree" "$tree/rooms.txt" ;;
  headers) sh "$lint/headers.sh" "$tree" "$cc" $cxx ;;
  *) sh "$lint/$1.sh" "$tree" ;;
  esac
}

# caught LINT WORD: the lint must fail and say WORD
caught() {
  if run "$1" >"$work/out" 2>&1; then
    echo "$1 passed a tree with a planted fault ($2)"
    status=1
  elif ! grep -qF -e "$2" "$work/out"; then
    echo "$1 failed, but does not say '$2':"
    cat "$work/out"
    status=1
  fi
}

mkdir -p "$work"
fresh
for name in layers rooms citations words headers; do
  run $name >"$work/out" 2>&1 || { echo "$name fails on a tree that is right:"; cat "$work/out"; status=1; }
done

# plant FILE TEXT LINT WORD
plant() {
  fresh
  mkdir -p "$(dirname "$tree/$1")"
  [ -f "$tree/$1" ] || printf '/* %s -- planted */\n' "${1##*/}" >"$tree/$1"
  printf '%s\n' "$2" >>"$tree/$1"
  caught "$3" "$4"
}

plant src/core/core.h '#include "poly/poly.h"' layers 'src/core/core.h:3: "poly/poly.h": core does not use poly'
plant src/poly/poly.h '#  include "event/event.h"' layers 'poly does not use event'
plant src/ghost/ghost.c '#include "core/core.h"' layers "room 'ghost' is not declared"
plant src/poly/poly.h '#include "../event/event.h"' layers 'name the room'
plant include/brink/base.h '#include "core/core.h"' layers 'include does not use core'
plant examples/ex.c '#include "core/core.h"' layers 'examples does not use core'
plant cli/run.c '#include "poly/poly.h"' layers 'cli does not use poly'
plant docs/architecture.md '| 2 | model | x |' rooms "room 'model' is not built"
plant rooms.txt 'hybrid 5 event' rooms "room 'hybrid' is built: strike"
plant rooms.txt 'ghost 5 event' rooms "room 'ghost' has no row"
plant docs/architecture.md '| 3 | event | x |' rooms "room 'event' lies on layer 4, not 3"
plant src/poly/event.c 'int x;' rooms 'two files are named event.c'
plant src/poly/poly.h '/* by [Ghost77, p. 3] */' citations '[Ghost77] is not in'
plant docs/page.md 'see [DP80, 2; Ghost77]' citations '[Ghost77] is not in'
plant src/poly/poly.h 'm = { .cite = "Ghost77" };' citations '[Ghost77] is not in'
plant docs/page.md 'see [Ghost77]' citations 'docs/page.md:2: [Ghost77]'
plant docs/references.bib '@book{DP80,' citations 'DP80 is there twice'
plant docs/references.bib '@book{EK07,' citations 'EK07 lacks author'
plant src/poly/poly.h 'int a = printf("x");' words 'does not print'
plant src/poly/poly.h '  fprintf(stderr, "x");' words 'does not print'
plant src/poly/poly.h 'void g(void) { exit(1); }' words 'does not end the process'
plant src/poly/poly.h '  p = malloc (3);' words 'memory comes through'
plant src/poly/poly.h '  if (errno) {' words 'no errno'
plant src/poly/poly.h '/* TODO: more */' words 'needs an issue'
plant docs/page.md 'see /home/me/x' words 'one machine'
plant include/brink/base.h 'size_t brink_b(void);' headers 'alone as C'
[ -z "$cxx" ] || plant include/brink/base.h 'int brink_b(int class);' headers 'alone as C++'
fresh && printf 'int x;\n' >"$tree/src/poly/bare.c" && caught headers 'bare.c'
fresh
cp "$root/.clang-format" "$tree"
formatted=0
run format >"$work/out" 2>&1 || formatted=$?
if [ $formatted -ne 77 ]; then # 77: there is no clang-format to ask
  [ $formatted -eq 0 ] || { echo "format fails on a tree that is right:"; cat "$work/out"; status=1; }
  printf 'int  f( void );\n' >>"$tree/src/poly/poly.h" && caught format 'poly.h'
fi

# what only looks like a fault
fresh
cat >>"$tree/src/poly/poly.h" <<'EOF'
/* printf("x"), malloc(3) and errno in a comment; TODO(#12) */
const char *s = "exit(1) and [Ghost77]";
int k = a[N10] + m->free(1) + brink__free(2) + snprintf(b, 1, "printf(");
EOF
for name in words citations; do
  run $name >"$work/out" 2>&1 || { echo "$name sees a fault where there is none:"; cat "$work/out"; status=1; }
done
[ $status -ne 0 ] || echo "every lint fails on every planted fault, and only there"
exit $status
