#!/bin/sh
# readme.sh README SOURCE LIBRARY WORK MAIN CC [LINK...] -- the README is true.
#
# Its program, the first block ```c that has a main, compiles without warnings and
# prints the next block ```text.  The block ```console that begins with "$ ./run"
# shows lines that MAIN, the command behind ./run, prints; a line "..." leaves some
# out.  Every "brink VERB ... --option" in a block ```sh names a verb and options that
# its help knows.
set -eu
readme=$1 source=$2 library=$3 work=$4 main=$5 cc=$6
shift 6
mkdir -p "$work"

# block KIND AFTER NEED: the first block of KIND after line AFTER that has NEED in it;
# the line where it ends goes to "$work/line"
block() {
  awk -v kind="$1" -v after="$2" -v need="$3" -v end="$work/line" '
    $0 == "```" && inside { if (need == "" || index(text, need)) { printf "%s", text; print NR > end; exit }
                            inside = 0; next }
    $0 == "```" kind && NR > after { inside = 1; text = ""; next }
    inside { text = text $0 "\n" }' "$readme"
}

rm -f "$work/line"
block c 0 'int main' >"$work/readme.c"
[ -s "$work/readme.c" ] || { echo "no program in $readme"; exit 1; }
block text "$(cat "$work/line")" '' >"$work/want"
[ -s "$work/want" ] || { echo "no \`\`\`text block after the program in $readme"; exit 1; }

"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$source/include" -o "$work/readme" \
  "$work/readme.c" "$library" "$@"
"$work/readme" >"$work/have" || { echo "the program returned $?"; cat "$work/have"; exit 1; }
diff -u "$work/want" "$work/have" || { echo "the README does not print this"; exit 1; }

# what ./run shows
block console 0 '$ ./run' | sed '1d; /^ *\.\.\.$/d' >"$work/shown"
[ -s "$work/shown" ] || { echo "the README shows nothing of ./run"; exit 1; }
args=$(sed -n 's/^exec build\/brink \(.*\) "\$@"$/\1/p' "$source/run")
[ -n "$args" ] || { echo "./run does not call the command"; exit 1; }
cp -R "$source/models" "$work/"
# shellcheck disable=SC2086
(cd "$work" && "$main" $args) >"$work/ran"
[ -s "$work/ball.csv" ] || { echo "./run writes no ball.csv"; exit 1; }
awk 'NR == FNR { ran[$0] = 1; next }
     !($0 in ran) { print "./run does not print: " $0; bad = 1 }
     END { exit bad }' "$work/ran" "$work/shown"

# the options it shows
awk '$0 == "```sh" { inside = 1; next } $0 == "```" { inside = 0 } inside && /^brink [a-z]/' "$readme" |
  while read -r _ verb rest; do
    "$main" "$verb" --help >"$work/help" || { echo "README: brink $verb"; exit 1; }
    for word in $rest; do
      case $word in
      --*) grep -qe "$word " "$work/help" || { echo "README: brink $verb has no $word"; exit 1; } ;;
      esac
    done
  done

lines=$(grep -c . "$work/readme.c")
echo "the README's program ($lines lines) prints what it says"
