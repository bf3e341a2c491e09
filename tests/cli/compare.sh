#!/bin/sh
# compare.sh BRINK WORK SOURCE -- the same run through several methods and locators.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# value METHOD LOCATOR NAME: a cell of c.csv; the reference is row "reference"
value() {
  awk -F, -v m="$1" -v l="$2" -v name="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    m == "reference" ? $at["reference"] == 1 : $at["reference"] == 0 && $1 == m && $2 == l {
      print $at[name]; exit }' c.csv
}
# less X Y: numbers, X < Y
less() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x != "" && x + 0 < y + 0) }'; }

# all methods, one locator
ok compare two_tanks -o c.csv -o c.json
json c.json
prints 'from 0 to 200, rtol 1e-6, locator isolate'
prints 'reference: dop853, isolate, rtol 1e-9;'
awk 'length($0) > 80 { print; exit 1 }' out || wrong "the table is too wide"
! grep -q ' $' out || wrong "blanks at the end of a line"
methods=$("$BRINK" methods | awk 'NR > 1 { print $1 }')
for method in $methods; do
  grep -q "^$method  *21 " out || wrong "no row for $method"
done
[ "$(rows c.csv)" -eq $(($(echo "$methods" | wc -l) + 1)) ] || wrong "$(rows c.csv) rows"
for method in dopri5 rk4 bs23 rkf45 dop853 adams; do
  [ "$(value $method isolate events)" -eq 21 ] || wrong "$method: $(value $method isolate events) events"
  [ -z "$(value $method isolate first_difference)" ] || wrong "$method differs"
  less "$(value $method isolate event_times_off)" 1e-2 || wrong "$method: $(value $method isolate event_times_off)"
  less 0 "$(value $method isolate final_values_off)" || wrong "$method is the reference"
  [ "$(value $method isolate outside_evals)" = 0 ] || wrong "$method was outside"
done
# the counters are those of run
ok run two_tanks --method dopri5 --stats st.json --quiet
for key in steps f_evals g_evals; do
  grep -q "\"$key\": $(value dopri5 isolate $key)," st.json || wrong "$key: $(value dopri5 isolate $key), run: $(cat st.json)"
done
# a tighter tolerance is nearer
near=$(value dopri5 isolate event_times_off)
ok compare two_tanks --methods dopri5 --rtol 1e-9 --reference_rtol 1e-12 -o c.csv --quiet
[ ! -s out ] && [ ! -s err ] || wrong "--quiet speaks: $(cat out err)"
less "$(value dopri5 isolate event_times_off)" "$(awk -v x="$near" 'BEGIN { print x / 30 }')" ||
  wrong "rtol 1e-9: $(value dopri5 isolate event_times_off), 1e-6: $near"

# all locators, one method; the one that looks at ends only loses events
ok compare thermostat --methods dopri5 --locators all -o c.csv
awk 'length($0) > 80 { print; exit 1 }' out || wrong "the table of locators is too wide"
prints 'rtol 1e-6, method dopri5'
[ "$(rows c.csv)" -eq "$("$BRINK" locators | wc -l)" ] || wrong "$(rows c.csv) rows of locators"
[ "$(value dopri5 endpoint first_difference)" -gt 1 ] || wrong "endpoint: no difference"
less "$(value dopri5 isolate event_times_off)" 1e-6 || wrong "isolate: $(value dopri5 isolate event_times_off)"
less 1e-5 "$(value dopri5 linear event_times_off)" || wrong "linear: $(value dopri5 linear event_times_off)"
prints "dopri5, endpoint: event $(value dopri5 endpoint first_difference) is the first that differs"
prints 'here it: there is none'

# pairs; parameters, times and options hold for all
ok compare thermostat --methods bs23,adams --locators isolate,itp --stop 1 --set T=16.5 -o - --quiet
cp out c.csv
[ "$(rows c.csv)" -eq 5 ] || wrong "$(rows c.csv) rows of pairs"
for m in bs23 adams; do
  for l in isolate itp; do
    [ "$(value $m $l end)" = 1 ] || wrong "$m, $l ended at $(value $m $l end)"
  done
done
ok run thermostat --stop 1 --set T=16.5 --method bs23 --events ev.csv
[ "$(value bs23 isolate events)" -eq "$(rows ev.csv)" ] || wrong "compare and run differ"

# a run that goes on past events of the reference has missed them: with steps of 0.024
# the ball falls through the floor
cat >zeno.mo <<'EOT'
model Zeno
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.9*pre(v));
  end when;
  annotation(experiment(StopTime = 12), __brink(zeno = "step", zeno_gap = 1e-300));
end Zeno;
EOT
ok compare zeno.mo --methods rk4,bs23 -o c.csv
[ "$(value bs23 isolate first_difference)" = '' ] || wrong "bs23 differs"
[ "$(value rk4 isolate first_difference)" -gt 100 ] || wrong "rk4 misses nothing: $(cat out)"

# another event comes first: what and when is told
cat >race.mo <<'EOT'
model Race
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = cos(time);
  when x > 0.8 then
    a = pre(a) + 1;
  end when;
  when y > 0.7 then
    b = pre(b) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end Race;
EOT
ok compare race.mo --locators isolate,endpoint --methods dopri5 --h_max 0.3 -o c.csv
[ "$(value dopri5 isolate first_difference)" = '' ] || wrong "isolate differs"
[ "$(value dopri5 endpoint first_difference)" = 1 ] || wrong "endpoint does not differ at 1: $(cat out)"
prints "here it is 'x > 0.8 (line 8)' (crossing) at t = "
prints "in the reference it is 'y > 0.7 (line 11)' (crossing) at t = 0.7753974"

# the end by the model is told once; a limit ends rows and the reference alike
ok compare corridor_vehicle --methods dopri5,bs23
[ "$(grep -c 'touches a wall' out)" -eq 1 ] || wrong "$(cat out)"
[ "$(grep -c ' model$' out)" -eq 3 ] || wrong "not all were ended by the model: $(cat out)"

# without the gate f is called beyond; the reference keeps it
ok compare two_link_arm --methods dopri5 --gate 0 -o c.csv
[ "$(value reference '' ended)" = model ] || wrong "the reference: $(value reference '' ended)"
[ "$(value reference '' outside_evals)" = 0 ] || wrong "the reference was outside"
less 0 "$(value dopri5 isolate outside_evals)" || wrong "nobody was outside: $(cat out)"

# the reference fails: status 1, and still a table
cat >dry.mo <<'EOT'
model Dry
  Real x(start = 1, fixed = true);
equation
  der(x) = -1/sqrt(x);
  annotation(experiment(StopTime = 2));
end Dry;
EOT
ends 1 compare dry.mo --methods dopri5 -o c.csv
says 'the reference run did not end'
prints 'line 4'
[ "$(rows c.csv)" -eq 2 ] || wrong "no table of failures"

# a signal ends the comparison with what there is
cat >long.mo <<'EOT'
model Long
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x < 0 then
    reinit(v, v);
  end when;
  annotation(experiment(StopTime = 1e9));
end Long;
EOT
"$BRINK" compare long.mo --methods dopri5,bs23 -o long.csv >out 2>err &
pid=$!
# under way soon after the file is open
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ ! -e long.csv ] || break
  sleep 0.3
done
sleep 0.5
kill -s TERM $pid
got=0
wait $pid || got=$?
[ $got -eq 1 ] || wrong "a signal: status $got, not 1"
says 'interrupted at t ='
[ "$(rows long.csv)" -eq 1 ] || wrong "$(rows long.csv) rows after a signal"
grep -q ' stopped$' out || wrong "no row that was stopped: $(cat out)"

# wrong use: one sentence, status 2, no files
rm -f c.csv
one_sentence() { [ "$(wc -l <err)" -eq 1 ] || wrong "more than a sentence: $(cat err)"; }
ends 2 compare; says 'which model?'; one_sentence
for bad in '--methods dopri6' '--methods dopri5,' '--locators isolatte' '--reference x' '--rtol 2' '--stop -1' \
  '-o c.svg' '-o c.csv -o c.csv' '--reference_rtol abc'; do
  # shellcheck disable=SC2086
  ends 2 compare thermostat -o c.csv $bad
  one_sentence
done
ends 2 compare thermostat --methods bs32; says "did you mean 'bs23'?"
ends 2 compare thermostat --method bs23; says "did you mean '--methods'?"
ends 2 compare thermostat -o c.csv --reference_rtol 3; says 'rtol = 3'
absent c.csv
ends 1 compare thermostat -o no/such/dir/c.csv
says 'no/such/dir/c.csv'
exit $failed
