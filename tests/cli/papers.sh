#!/bin/sh
# papers.sh BRINK WORK SOURCE -- the tables and figures of the papers.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

ok papers
for name in esposito delbuono breitenecker donolo all; do
  grep -q "^$name " out || wrong "the list lacks $name"
done
awk 'length($0) > 100 { exit 1 }' out || wrong "the list is wider than 100 columns"

ok papers esposito --runs 1 -o figures
awk 'length($0) > 100 { print; exit 1 }' out || wrong "wider than 100 columns"
! grep -q ' $' out || wrong "blanks at the end of a line"
# Table I: endpoint misses collisions, the others find all
awk '/^Table I:/ { t = 1 } /^$/ { t = 0 }
  t && /^(bs23|rkf45|dopri5|adams) / { n++; if ($3 < 100) missed++
    for (i = 5; i <= NF; i += 2) if ($i != 100 || $(i + 1) > 1e-3) bad = 1 }
  END { exit !(n == 12 && !bad && missed >= 3) }' out || wrong "Table I: $(sed -n '/^Table I:/,/^$/p' out)"
# example 2: died without the gate, completed with it, and nobody was outside
awk '/^Example 2/ { t = 1 } /^$/ { t = 0 }
  t && / open / { n++; if ($(NF - 4) != 0 || $(NF - 3) != 100 || $(NF - 1) == 0) bad = 1 }
  t && / shut / { n++; if ($(NF - 4) != 100 || $(NF - 3) != 0 || $(NF - 1) != 0 || $NF > 1e-8) bad = 1 }
  END { exit !(n == 24 && !bad) }' out || wrong "Example 2: $(sed -n '/^Example 2/,/^$/p' out)"
# Table II: four rows for each of four races
[ "$(grep -cE '^(straight|turning) .*(interpolation|extrapolation|eq[.] .3.|without gamma)' out)" -eq 16 ] ||
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

# bounces, the pendulum and the ramp, with closed forms and references beside
ok papers donolo --runs 0 -o figures
awk 'length($0) > 100 { print; exit 1 }' out || wrong "wider than 100 columns"
! grep -q ' $' out || wrong "blanks at the end of a line"
awk '/^Section 2.2.5/ { t = 1 } /^$/ { t = 0 }
  t && /^0[.]/ { n++; if (!($2 == "lost" || $2 > 0) || $3 >= 1 || $5 > 1e-15) bad = 1 }
  END { exit !(n == 5 && !bad) }' out || wrong "2.2.5: $(cat out)"
awk '/^Table 2/ { t = 1 } /^$/ { t = 0 }
  t && /^[58]e/ { n++; if ($2 > 1e-4 || $6 <= last || $6 >= 40 || $8 < 25) bad = 1; last = $6 }
  END { exit !(n == 3 && !bad) }' out || wrong "Table 2: $(cat out)"
# a tighter bound stays up longer, whichever solver had it
awk '/^Figures 5 to 7/ { t = 1 } /^$/ { t = 0 } t && $3 == "dopri5" { n++; print $1, $6 }' out |
  sort -g | awk '{ if (NR > 1 && $2 >= last) bad = 1; last = $2 } END { exit !(NR == 9 && !bad) }' ||
  wrong "figures 5 to 7: $(cat out)"
awk '/^Figures 9 and 10/ { t = 1 } /^$/ { t = 0 }
  t && /lost/ { bad = 1 } t && /^illinois, 1e-12 / { n++; if ($NF > 1e-9) bad = 1 }
  t && /illinois, 1e-14 / { n++; if ($NF > 1e-11) bad = 1 } t && /^(isolate|extrapolate)/ { n++; if ($NF > 1e-12) bad = 1 }
  END { exit !(n == 5 && !bad) }' out || wrong "figures 9 and 10: $(cat out)"
! grep -q 'Time: median' out || wrong "timings were asked not to be made"
# the run that meets the Zeno time: there, or beyond if it goes on
awk '/asked to go on to t = 5$/ { t = 1 } /^$/ { t = 0 }
  t && /^0[.]/ { n++; if (!(($6 == "BRINK_ZENO" && $4 < 1e-9) || ($6 == "BRINK_END" && $3 == 5)) || $5 < 10 || $5 > 40) bad = 1 }
  END { exit !(n == 2 && !bad) }' out || wrong "Zeno: $(cat out)"
awk '/events of the ramp metering$/ { t = 1 } /^$/ { t = 0 }
  t && $(NF - 4) ~ /^[0-9.]+e[-+]?[0-9]+$/ { n++; if ($(NF - 4) > 1e-9) bad = 1; if ($(NF) - $(NF - 1) > 0.05) jumps++ }
  END { exit !(n == 12 && jumps == 3 && !bad) }' out || wrong "ramp: $(cat out)"
for figure in 1 5 6 7 8 9 10 11 12; do
  prints "written: figures/donolo_fig$figure.svg"
  tail -n 1 figures/donolo_fig$figure.svg | grep -qx '</svg>' || wrong "figure $figure does not end"
  ! grep -qE 'nan|inf,' figures/donolo_fig$figure.svg || wrong "figure $figure has numbers that are none"
done

# all of them as Markdown: every table has a head and rows of as many cells, every
# figure is shown from where it lies, and nothing but matrices is laid out in blanks
ok papers all --runs 0 --markdown -o all
awk '/^```/ { fence = !fence } fence { next }
  /^[|]/ { n = gsub(/[|]/, "|") - gsub(/\\[|]/, "") ; if (in_table && n != cells) { print; bad = 1 }; cells = n; in_table = 1; next }
  { in_table = 0 } /^## / { papers++ } /^### / { tables++ } /^!\[.*\]\(all\/.*svg\)$/ { figures++ } /^ +[^ ]/ { bad = 1 }
  END { exit !(papers == 5 && tables >= 21 && figures == 19 && !bad) }' out || wrong "as Markdown: $(cat out)"
for figure in all/*.svg; do
  grep -q "($figure)" out || wrong "$figure is not shown"
done

# the robot: structure, events and figures
ok papers nedialkov -o figures
awk 'length($0) > 100 { print; exit 1 }' out || wrong "wider than 100 columns"
! grep -q ' $' out || wrong "blanks at the end of a line"
[ "$(grep -c '^offsets, index and quasilinearity are those of the paper$' out)" -eq 2 ] || wrong "figure 2: $(cat out)"
[ "$(grep -c '  <$' out)" -eq 2 ] || wrong "two rows of figure 2 differ: $(cat out)"
prints '22 events in (0, 5], and 1 at 0+'
grep -qE 'Largest torque 50( |$)' out || wrong "torques: $(cat out)"
awk '/^Table 1/ { t = 1; next } /^$/ { t = 0 } t && $2 + 0 > 0 { n++; if ($2 != $3) bad = 1 }
  END { exit !(n == 15 && !bad) }' out || wrong "table 1: $(cat out)"
[ "$(grep -cE '^(taylor|dop853|dopri5|adams) .* 22 ' out)" -eq 4 ] || wrong "timings: $(cat out)"
for figure in 3 4 5 6; do
  prints "written: figures/nedialkov_fig$figure.svg"
  tail -n 1 figures/nedialkov_fig$figure.svg | grep -qx '</svg>' || wrong "figure $figure does not end"
  ! grep -qE 'nan|inf,' figures/nedialkov_fig$figure.svg || wrong "figure $figure has numbers that are none"
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
