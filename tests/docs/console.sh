#!/bin/sh
# console.sh BRINK WORK PAGE -- the commands of a page print what the page shows.
#
# In the order of the page: a block ```modelica whose first line is `// NAME.mo` is
# written to that file; each line `$ COMMAND` of a block ```console is run where those
# files are, and the lines behind it must be what it prints, standard error included.
# A line `...` stands for any number of lines, `...` inside a line for any characters;
# how many blanks there are does not matter.  A picture that the page shows is one that
# its commands drew: what is written in both is the same.
set -eu
brink=$1 work=$2 page=$3
rm -rf "$work"
mkdir -p "$work/run" "$work/bin"
ln -s "$brink" "$work/bin/brink"
PATH=$work/bin:$PATH
export PATH

# one item after the other: 1.name + 1.file, 2.cmd + 2.want, ...
awk -v work="$work" '
  function item() { n++; return work "/" n }
  /^```/ && kind != "" { kind = ""; next }
  $0 == "```modelica" { kind = "model"; first = 1; next }
  $0 == "```console" { kind = "console"; next }
  kind == "model" && first && /^\/\/ [A-Za-z_0-9]+\.b?mo$/ {
    to = item(); print $2 > (to ".name"); printf "" > (to ".file"); kind = "file" }
  kind == "model" { first = 0 }
  kind == "file" { print > (to ".file") }
  kind == "console" && /^\$ / {
    to = item(); print substr($0, 3) > (to ".cmd"); print NR > (to ".line"); printf "" > (to ".want"); next }
  kind == "console" { if (to == "") exit 1; print > (to ".want") }' "$page"

# compare OUT WANT: line by line, with gaps
cat >"$work/compare.awk" <<'AWK'
function like(have, want,    part, n, i, at) {
  gsub(/ +/, " ", have)
  gsub(/ +/, " ", want)
  n = split(want, part, /\.\.\./)
  if (n == 1) return have == want
  if (substr(have, 1, length(part[1])) != part[1]) return 0
  have = substr(have, length(part[1]) + 1)
  for (i = 2; i < n; i++) {
    at = index(have, part[i])
    if (!at) return 0
    have = substr(have, at + length(part[i]))
  }
  return length(have) >= length(part[n]) && substr(have, length(have) - length(part[n]) + 1) == part[n]
}
NR == FNR { have[++h] = $0; next }
{ want[++w] = $0 }
END {
  i = 1; gap = 0
  for (k = 1; k <= w; k++) {
    if (want[k] ~ /^ *\.\.\.$/) { gap = 1; continue }
    while (gap && i <= h && !like(have[i], want[k])) i++
    if (i > h || !like(have[i], want[k])) {
      print "  shown:  " want[k]
      print "  prints: " (i > h ? "nothing more" : have[i])
      exit 1
    }
    i++; gap = 0
  }
  if (!gap && i <= h) { print "  not shown: " have[i]; exit 1 }
}
AWK

k=1 failed=0 commands=0
while :; do
  if [ -f "$work/$k.name" ]; then
    cp "$work/$k.file" "$work/run/$(cat "$work/$k.name")"
  elif [ -f "$work/$k.cmd" ]; then
    (cd "$work/run" && sh -c "$(cat "$work/$k.cmd")") >"$work/$k.out" 2>&1 </dev/null || :
    commands=$((commands + 1))
    awk -f "$work/compare.awk" "$work/$k.out" "$work/$k.want" || {
      echo "$(basename "$page"), line $(cat "$work/$k.line"): $(cat "$work/$k.cmd")"
      failed=1
    }
  else
    break
  fi
  k=$((k + 1))
done
for name in $(sed -n 's/^!\[.*\](pictures\/\(.*\))$/\1/p' "$page"); do
  for dir in "$(dirname "$page")/pictures" "$work/run"; do
    sed -n '/<text/s/<[^>]*>//gp' "$dir/$name" >"$work/$(basename "$dir").words"
  done
  [ -s "$work/run.words" ] && diff "$work/pictures.words" "$work/run.words" || {
    echo "$(basename "$page") shows another $name than $work/run/$name"
    failed=1
  }
done
[ "$commands" -gt 0 ] || { echo "$page shows no commands"; exit 1; }
echo "$(basename "$page"): $commands commands"
exit $failed
