#!/bin/sh
# outside.sh -- install, then build and run a program against the installed copy,
# once through find_package and once through pkg-config.
#
#   outside.sh static|shared|lto SOURCE BUILD WORK VERSION CC
#
# static installs the tree BUILD as it is; shared the tree of the preset clang, which
# ./test has built.  Both check that nothing but brink's own names is exported.  lto
# takes the tree of ./run, if there is one, and links a program that is itself optimised
# at link time: the linker must have nothing to say.
set -eu
kind=$1 source=$2 build=$3 work=$4 version=$5 cc=$6
here=$source/tests/install
SKIPPED=77 # as tests/install/CMakeLists.txt says

quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; echo "failed: $*"; exit 1; }; }
fail() { echo "$*"; exit 1; }

mkdir -p "$work"
rm -rf "$work/prefix" "$work/moved" "$work/outside"
if [ "$kind" = shared ]; then
  build=$source/build/clang
  [ -f "$build/CMakeCache.txt" ] || quiet cmake -S "$source" --preset clang
  quiet cmake --build "$build" --parallel 2
fi

if [ "$kind" = lto ]; then
  build=$source/build
  grep -qx 'CMAKE_BUILD_TYPE:STRING=Release' "$build/CMakeCache.txt" 2>/dev/null ||
    { echo "skipped: ./run has built nothing yet"; exit $SKIPPED; }
  quiet cmake --build "$build" --target brink --parallel 2
  quiet cmake --install "$build" --prefix "$work/prefix"
  PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name brink.pc)")
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046
  "$cc" -O2 -flto=auto -Wall -Wextra -o "$work/use" "$here/use.c" \
    $(pkg-config --cflags --libs brink) >"$work/log" 2>&1 || { cat "$work/log"; fail "the program does not link"; }
  [ ! -s "$work/log" ] || { cat "$work/log"; fail "linking with -flto gives warnings"; }
  said=$("$work/use") || fail "the program linked with -flto failed"
  echo "linked with -flto: $said"
  exit 0
fi

# installed in one place, used from another: nothing may remember the prefix
quiet cmake --install "$build" --prefix "$work/prefix"
mv "$work/prefix" "$work/moved"
prefix=$work/moved
library=$(find "$prefix" -name 'libbrink.a' -o -name 'libbrink.so' | head -n 1)
[ -n "$library" ] || fail "no library below $prefix"
for header in "$source"/include/brink/*.h; do
  cmp -s "$header" "$prefix/include/brink/$(basename "$header")" ||
    fail "not installed: $(basename "$header")"
done

# through find_package
mkdir -p "$work/outside"
cp "$here/use.c" "$work/outside/"
sed "s/@VERSION@/$version/" "$here/CMakeLists.txt.in" >"$work/outside/CMakeLists.txt"
quiet cmake -S "$work/outside" -B "$work/outside/build" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$cc"
quiet cmake --build "$work/outside/build"
said=$("$work/outside/build/use") || fail "the program built by find_package failed"
case $said in "brink $version"*) ;; *) fail "find_package found '$said'" ;; esac

# through pkg-config
pc=$(find "$prefix" -name brink.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
pkg-config --exact-version="$version" brink || fail "brink.pc does not say $version"
flags=$(pkg-config --cflags --libs brink)
# shellcheck disable=SC2086
quiet "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$work/outside/use_pc" \
  "$here/use.c" $flags
said=$(LD_LIBRARY_PATH=$(dirname "$library") "$work/outside/use_pc") ||
  fail "the program built by pkg-config failed"
case $said in "brink $version"*) ;; *) fail "pkg-config found '$said'" ;; esac

# the command finds its library and its models where it was moved to
said=$(cd "$work" && "$prefix/bin/brink" models | wc -l)
[ "$said" -eq "$(ls "$source"/models/*.mo | wc -l)" ] || fail "the installed command finds $said models"
quiet "$prefix/bin/brink" run two_tanks

# the manual and the completion
for file in man/man1/brink.1 bash-completion/completions/brink; do
  [ -s "$prefix/share/$file" ] || fail "not installed: share/$file"
done

# names: a static library shows internals (brink__), a shared one only the API
case $library in
*.so) foreign=$(nm -D --defined-only "$library" | awk '$3 !~ /^brink_[a-z0-9]/ { print $3 }') ;;
*) foreign=$(nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^brink_/ { print $3 }') ;;
esac
[ -z "$foreign" ] || fail "exported, but not ours: $foreign"
echo "$kind: find_package, pkg-config and names are fine ($said)"
