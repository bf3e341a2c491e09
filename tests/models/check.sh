#!/bin/sh
# check.sh BRINK REFERENCE WORK [ARG...] -- a model of the collection meets its reference.
#
# REFERENCE is tests/models/NAME.ref for models/NAME.mo.  Its lines:
#
#   # ...                 where the numbers come from
#   run ARG...            a run with these arguments; what follows is about it
#   tol X                 tolerance of the times                         [1e-8]
#   event TIME TEXT       the next event is at TIME, and TEXT is part of its text
#   ignore TEXT           events with TEXT are passed over
#   count N TEXT          so many events have TEXT in them
#   value NAME X TOL      in the last row the variable is X
#   stat NAME N           the work that was done: the counter is N
#
# Every event that is not ignored must be named, in order; impulses belong to the event
# before them and are counted (stat impulses N).  ARG... are added to each run.
set -eu
brink=$1 reference=$2 work=$3
shift 3
name=$(basename "$reference" .ref)
rm -rf "$work"
mkdir -p "$work"

# one file per run: 1.ref, 2.ref, ...
awk -v work="$work" '
  /^#/ || NF == 0 { next }
  $1 == "run" { n++; sub(/^run */, ""); print > (work "/" n ".args"); printf "" > (work "/" n ".ref"); next }
  { print > (work "/" n ".ref") }' "$reference"

status=0 k=1
while [ -f "$work/$k.args" ]; do
  out=$work/$k
  # shellcheck disable=SC2046
  "$brink" run "$name" --rtol 1e-11 --atol 1e-14 $(cat "$out.args") "$@" --quiet \
    --events "$out.events.csv" --stats "$out.json" -o "$out.csv" || { echo "$name: run $k ends with status $?"; exit 1; }
  awk -v name="$name" -v run="$k" -v args="$(cat "$out.args")" -v events="$out.events.csv" -v rows="$out.csv" \
    -v counters="$out.json" '
    # fields of a line of CSV, quotes removed
    function fields(line, f,    n, c) {
      n = 0
      split("", f)
      while (line != "") {
        n++
        if (substr(line, 1, 1) == "\"") {
          match(line, /^"([^"]|"")*"/)
          f[n] = substr(line, 2, RLENGTH - 2)
          gsub(/""/, "\"", f[n])
          line = substr(line, RLENGTH + 2)
        } else {
          c = index(line, ",")
          f[n] = c ? substr(line, 1, c - 1) : line
          line = c ? substr(line, c + 1) : ""
        }
      }
      return n
    }
    function wrong(why) { print name " (run " run (args == "" ? "" : ": " args) "): " why; bad = 1 }
    function rest(n,    s) { s = $0; while (n-- > 0) sub(/^[^ ]+ +/, "", s); return s }
    function ignored(text,    i) {
      for (i = 1; i <= n_ignore; i++) if (index(text, ignore[i])) return 1
      return 0
    }
    BEGIN { tol = 1e-8 }
    $1 == "tol" { tol = $2; next }
    $1 == "ignore" { ignore[++n_ignore] = rest(1); next }
    $1 == "event" { want_t[++n_want] = $2; want[n_want] = rest(2); want_tol[n_want] = tol; next }
    $1 == "count" { count_n[++n_count] = $2; count[n_count] = rest(2); next }
    $1 == "value" { value[++n_value] = $2; value_x[n_value] = $3; value_tol[n_value] = $4; next }
    $1 == "stat" { stat[++n_stat] = $2; stat_n[n_stat] = $3; next }
    { wrong("what is \"" $0 "\"?") }
    END {
      getline line < events
      while ((getline line < events) > 0) {
        fields(line, f)
        for (i = 1; i <= n_count; i++) if (index(f[3], count[i])) seen[i]++
        if (ignored(f[3]) || f[4] == "impulse") continue
        n++
        if (n > n_want) { wrong("event " n " at t = " f[1] " (" f[3] ") is too many"); continue }
        d = f[1] - want_t[n]
        if (d < 0) d = -d
        if (d > worst) worst = d
        if (!(d <= want_tol[n])) wrong("event " n " is at t = " f[1] ", not " want_t[n] " (" want[n] ")")
        if (!index(f[3], want[n])) wrong("event " n " is " f[3] ", not " want[n])
      }
      if (n < n_want) wrong(n + 0 " events, not " n_want)
      for (i = 1; i <= n_count; i++)
        if (seen[i] != count_n[i]) wrong(seen[i] + 0 " times " count[i] ", not " count_n[i])
      getline line < rows
      m = fields(line, head)
      while ((getline line < rows) > 0) last = line
      fields(last, f)
      for (i = 1; i <= n_value; i++) {
        for (j = 1; j <= m && head[j] != value[i]; j++) ;
        d = f[j] - value_x[i]
        if (d < 0) d = -d
        if (j > m || !(d <= value_tol[i])) wrong(value[i] " is " f[j] ", not " value_x[i])
      }
      all = ""
      while ((getline line < counters) > 0) all = all line
      for (i = 1; i <= n_stat; i++) {
        is = match(all, "\"" stat[i] "\": *-?[0-9]+") ? substr(all, RSTART, RLENGTH) : "absent"
        sub(/.*: */, "", is)
        if (is != stat_n[i]) wrong(stat[i] " is " is ", not " stat_n[i])
      }
      printf "%s (run %d): %d events, times within %.1e, %d values\n", name, run, n, worst, n_value
      if (n_want + n_value == 0) wrong("the reference says nothing")
      exit bad
    }' "$out.ref" || status=1
  k=$((k + 1))
done
[ "$k" -gt 1 ] || { echo "$reference has no run"; exit 1; }
exit $status
