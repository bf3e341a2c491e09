#!/bin/sh
# man.sh BRINK ROOT [--write] -- docs/brink.1 knows the verbs and options of the command.
#
# Between `.\" verbs` and `.\" end` the page is what `brink VERB --help` says, and so is
# the synopsis; --write brings them up to date.  Elsewhere the page
# may name only options that there are.  It must be without warnings of groff, and of
# mandoc where there is one.
set -eu
brink=$1 root=$2 write=${3:-}
page=${BRINK_MAN_PAGE:-$root/docs/brink.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
verbs=$("$brink" --help | sed -n 's/^  brink \([a-z]*\) .*/\1/p')

roff='
  function plain(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); gsub(/\047/, "\\(aq", s)
                      return s ~ /^\./ ? "\\&" s : s }'
for verb in $verbs; do
  "$brink" "$verb" --help
done | awk "$roff"'
  /^usage: brink / {
    sub(/^usage: /, ""); options = sub(/ \[options\]$/, "")
    n = split($0, w, " ")
    printf ".SS \"%s %s", w[1], w[2]
    for (i = 3; i <= n; i++) printf " \\fI%s\\fP", plain(w[i])
    print (options ? " [options]" : "") "\""
    fresh = 1; next }
  /^  -/ {
    if (!match($0, /^  (-[a-z], )?--[a-z0-9_]+ [A-Z][A-Za-z=]*/))
      match($0, /^  (-[a-z], )?--[a-z0-9_]+/)
    left = substr($0, 3, RLENGTH - 2); text = substr($0, RLENGTH + 1); sub(/^ +/, "", text)
    n = split(left, w, " "); out = ""
    for (i = 1; i <= n; i++)
      out = out (i > 1 ? " " : "") (w[i] ~ /^-/ ? "\\fB" plain(w[i]) "\\fP" : "\\fI" plain(w[i]) "\\fP")
    sub(/,\\fP/, "\\fP,", out)
    print ".TP\n" out "\n" plain(text); next }
  NF == 0 { next }
  fresh { $0 = toupper(substr($0, 1, 1)) substr($0, 2); fresh = 0 }
  { print plain($0) }' >"$work/verbs"
for verb in $verbs; do
  "$brink" "$verb" --help | sed -n '1s/^usage: brink //p'
done | awk "$roff"'
  { options = sub(/ \[options\]$/, "")
    print (NR > 1 ? ".br\n" : "") ".B brink " $1 ($2 == "" ? "" : "\n.I " plain(substr($0, length($1) + 2))) \
      (options ? "\n.RI [ options ]" : "") }
  ' >"$work/synopsis"

for part in synopsis verbs; do
  awk -v part="$part" -v from="$work/$part" '
    $0 == ".\\\" " part { print; while ((getline line < from) > 0) print line; skip = 1; found = 1; next }
    $0 == ".\\\" end" { skip = 0 }
    !skip
    END { exit !found }' "$page" >"$work/page" || { echo "$page has no part '.\\\" $part'"; exit 1; }
  if [ "$write" = --write ]; then
    cat "$work/page" >"$page"
  else
    diff -u "$page" "$work/page" || {
      echo "the command's help says something else; run sh tests/docs/man.sh build/dev/brink . --write"
      exit 1
    }
  fi
done

# options anywhere on the page
for verb in $verbs; do "$brink" "$verb" --help; done >"$work/help"
for option in $(sed '/^\.\\"/d; s/\\-/-/g' "$page" | grep -oE -e '--[a-z][a-z0-9_-]*' | sort -u); do
  case $option in --help | --version | --install | --prefix) continue ;; esac
  grep -qE -e "$option( |\$)" "$work/help" || { echo "brink.1 speaks of $option, which nobody knows"; exit 1; }
done
for word in 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
  grep -qx ".SH $word" "$page" || { echo "brink.1 has no section $word"; exit 1; }
done

if command -v groff >/dev/null 2>&1; then
  said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
  [ -z "$said" ] || { echo "groff: $said"; exit 1; }
fi
if command -v mandoc >/dev/null 2>&1; then
  mandoc -Tlint -Wwarning "$page" || exit 1
fi
echo "brink.1: $(printf '%s\n' "$verbs" | wc -l) verbs, $(grep -c '^\.TP' "$work/verbs") options"
