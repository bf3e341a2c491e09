#!/bin/sh
# papers.sh BRINK WORK SOURCE -- the tables and figures of the papers.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

ok papers
prints 'esposito'
awk 'length($0) > 100 { exit 1 }' out || wrong "the list is wider than 100 columns"

ok papers esposito --runs 1 -o figures
awk 'length($0) > 100 { print; exit 1 }' out || wrong "wider than 100 columns"
! grep -q ' $' out || wrong "blanks at the end of a line"
# Table I: endpoint misses collisions, the others find all
awk '/^Table I:/ { t = 1 } /^$/ { t = 0 }
  t && /^(bs23|rkf45|dopri5|adams) / { n++; gsub(/\( +/, "("); m = NF - 5 + 0
    for (i = NF - 5; i <= NF; i += 2) v[i] = $i
    if ($(NF - 3) != 100 || $(NF - 1) != 100) bad = 1
    if ($(NF - 5) < 100) missed++ }
  END { exit !(n == 12 && !bad && missed >= 3) }' out || wrong "Table I: $(sed -n '/^Table I:/,/^$/p' out)"
# example 2: died without the gate, completed with it, and nobody was outside
awk '/^Example 2/ { t = 1 } /^$/ { t = 0 }
  t && / open / { n++; if ($(NF - 3) != 0 || $(NF - 2) != 100 || $(NF - 1) == 0) bad = 1 }
  t && / shut / { n++; if ($(NF - 3) != 100 || $(NF - 2) != 0 || $(NF - 1) != 0 || $NF > 1e-8) bad = 1 }
  END { exit !(n == 18 && !bad) }' out || wrong "Example 2: $(sed -n '/^Example 2/,/^$/p' out)"
# Table II: three rows for each of four races
[ "$(grep -cE '^(straight|turning) .*(interpolation|extrapolation|without gamma)' out)" -eq 12 ] ||
  wrong "Table II: $(sed -n '/^Table II/,/^$/p' out)"
prints 'medians of 1 run each'
for figure in 7 8; do
  prints "written: figures/esposito_fig$figure.svg"
  tail -n 1 figures/esposito_fig$figure.svg | grep -qx '</svg>' || wrong "figure $figure does not end"
  ! grep -qE 'nan|inf,' figures/esposito_fig$figure.svg || wrong "figure $figure has numbers that are none"
done
grep -q '>interpolation, no gate: died<' figures/esposito_fig8.svg || wrong "figure 8: interpolation did not die"
grep -q '>extrapolation, gain 0.5: completed<' figures/esposito_fig8.svg || wrong "figure 8: extrapolation did not complete"

# here, without timings, in another size
ok papers esposito --runs 0 --size 700x640
! grep -q 'Table II' out || wrong "timings were asked not to be made"
prints 'written: esposito_fig7.svg'
grep -q '<svg [^>]*width="700" height="6[34][0-9]"' esposito_fig7.svg || wrong "$(grep '<svg' esposito_fig7.svg)"

# the guard as variable: fewer evaluations than bisection that integrates anew
ok papers breitenecker -o figures
awk 'length($0) > 100 { print; exit 1 }' out || wrong "wider than 100 columns"
! grep -q ' $' out || wrong "blanks at the end of a line"
awk '/events, rk4/ { n++ } /^time, anew +bisection/ { b[n] = $(NF - 2) } /^variable g +1 step/ { h[n] = $(NF - 2); g[n] = $(NF - 5) }
  END { for (i = 1; i <= n; i++) if (!(h[i] < b[i] && g[i] < 1e-13)) bad = 1
        exit !(n == 4 && !bad) }' out || wrong "table: $(cat out)"
! grep -q ' of [0-9]* events$' out || wrong "events were lost: $(cat out)"
awk '/^rk4 / && NF == 4 { n++; if ($4 < 3.7 || $4 > 4.3) bad = 1 } END { exit !(n == 3 && !bad) }' out ||
  wrong "order: $(sed -n '/^Error of the first/,$p' out)"
for figure in 1 2 3; do
  prints "written: figures/breitenecker_fig$figure.svg"
  tail -n 1 figures/breitenecker_fig$figure.svg | grep -qx '</svg>' || wrong "figure $figure does not end"
  ! grep -qE 'nan|inf,' figures/breitenecker_fig$figure.svg || wrong "figure $figure has numbers that are none"
done

one_sentence() { [ "$(wc -l <err)" -eq 1 ] || wrong "more than a sentence: $(cat err)"; }
ends 2 papers espositto; says "did you mean 'esposito'?"; one_sentence
ends 2 papers xyzzy; says "'brink papers' lists them"; one_sentence
ends 2 papers esposito esposito; says 'one paper at a time'
ends 2 papers esposito --runs -1; one_sentence
ends 2 papers esposito --size 9; says 'WIDTHxHEIGHT'; one_sentence
: >file
ends 1 papers esposito --runs 0 -o file; says "'file'"; one_sentence
ends 1 papers esposito --runs 0 -o no/such/dir; says "'no/such/dir'"; one_sentence
exit $failed
