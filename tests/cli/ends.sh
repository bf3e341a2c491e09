#!/bin/sh
# ends.sh BRINK WORK ROOT -- what happens at the end of a run: terminal(), and events at
# the stop time, which do not depend on steps; what makes no events before.
BRINK=$1
WORK=$2
. "$(dirname "$0")/lib.sh"
cd "$WORK"

# last FILE NAME...: the values of the last row
last() {
  file=$1
  shift
  awk -F, -v names="$*" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    { n = split(names, name, " "); line = ""
      for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $column[name[i]] }
    END { print line }' "$file"
}
# gives FILE 'NAMES' 'VALUES'
gives() {
  # shellcheck disable=SC2086
  got=$(last "$1" $2)
  [ "$got" = "$3" ] || wrong "$4: $2 = $got, not $3"
}

# --- terminal(): in equations, conditions, algorithms, whens and what they reinit
cat >end.mo <<'EOF'
model End
  Real x(start = 0.3, fixed = true), shown, sum(start = 0), z(start = 0, fixed = true);
  Boolean last = terminal(), late;
  discrete Real at(start = -1, fixed = true), both(start = -1, fixed = true);
  Integer n(start = 4, fixed = true), after(start = 0, fixed = true);
  Real v[2] = {if terminal() then i else -i for i in 1:2};
equation
  der(x) = 1;
  der(z) = 0;
  shown = if terminal() and x > 0.5 then 2*x else if not terminal() then -x else 0;
  late = x > 0.7 and terminal();
  when terminal() then
    at = time;
    reinit(z, 7);
  end when;
  when {terminal() and x > 0.9, terminal() and x > 5} then
    both = x;
  end when;
  when last then
    n = pre(n) + 1;
  end when;
  when n > 4 then
    after = 10*n;
  end when;
algorithm
  sum := 1;
  if terminal() then
    sum := sum + 3;
  end if;
  annotation(experiment(StopTime = 0.7));
end End;
EOF
names='shown last late at both n after v[1] v[2] sum z'
for method in dopri5 bs23 dop853 adams rk4; do
  ok run end.mo --method $method -o end.csv
  x=$(last end.csv x)
  gives end.csv "$names" "$(awk -v x="$x" 'BEGIN { printf "%.17g 1 1 0.7 %s 5 50 1 2 4 7", 2*x, x }')" "end by $method"
done
ok run end.mo
prints 'terminal() (line 12)'
prints '  at     0.7'
# it is false before, and at a start that is not the end
awk -F, 'NR == 2 { exit !($3 == -0.3) }' end.csv || wrong "terminal() at the start: $(sed -n 2p end.csv)"

# without a when: two rows at the end, as at every event
cat >plain.mo <<'EOF'
model Plain
  Real c = if terminal() then 2 else 1;
  annotation(experiment(StopTime = 1.5, Interval = 0.5));
end Plain;
EOF
ok run plain.mo -o plain.csv
[ "$(awk -F, 'NR > 1 { printf "%s:%s ", $1, $2 }' plain.csv)" = '0:1 0.5:1 1:1 1.5:1 1.5:2 ' ] ||
  wrong "plain: $(cat plain.csv)"
ok run plain.mo --events ev.csv -o plain.csv
[ "$(sed -n 2p ev.csv | cut -d, -f1-4)" = '1.5,0,terminal(),time' ] || wrong "plain: $(cat ev.csv)"

# where terminate() ends the run, at the stop time or before, and at its start
cat >stop.mo <<'EOF'
model Stop
  parameter Real to = 0.4;
  Real x(start = 0, fixed = true), c = if terminal() then x else -1;
  Boolean over(start = false, fixed = true);
equation
  der(x) = 2;
  when {x >= 2*to, initial() and to <= 0} then
    terminate("there");
  end when;
  when terminal() then
    over = true;
  end when;
  annotation(experiment(StopTime = 1));
end Stop;
EOF
for to in 0.4 1 0; do
  ok run stop.mo --set to=$to -o stop.csv
  got=$(last stop.csv time over c)
  echo "$got" | awk -v to=$to '{ exit !($2 == 1 && ($1 - to)^2 < 1e-20 && ($3 - 2*to)^2 < 1e-20) }' ||
    wrong "terminate at $to: $got"
  ok run stop.mo --set to=$to
  prints 'there'
done
# a limit of the user is an end too; an error is none
ok run stop.mo --max_steps 1 -o stop.csv
[ "$(last stop.csv over)" = 1 ] || wrong "terminal() at a limit: $(tail -n 1 stop.csv)"
cat >fails.mo <<'EOF'
model Fails
  Real x(start = 1, fixed = true);
  Boolean over = terminal();
equation
  der(x) = -sqrt(x - 0.5);
  assert(x > 0.8, "too low");
end Fails;
EOF
ends 1 run fails.mo -o fails.csv
[ "$(last fails.csv over)" = 0 ] || wrong "terminal() where a run fails: $(tail -n 1 fails.csv)"

# in the mode that is active at the end, and in machines side by side
cat >modes.mo <<'EOF'
model Modes
  model A
    Real u(start = 0, fixed = true), c = if terminal() then 1 else 0;
  equation
    der(u) = 1;
  end A;
  model B
    Real w(start = 0), c = if terminal() then 2 else 0;
    Boolean b = terminal();
    discrete Real seen(start = 0, fixed = true);
  equation
    der(w) = -1;
    when terminal() then
      seen = w;
    end when;
  end B;
  A a;
  B b;
  Real all = a.c + 10*b.c;
equation
  initialState(a);
  transition(a, b, a.u > 0.25);
  when activeState(b) then
    reinit(b.w, 5);
  end when;
  annotation(experiment(StopTime = 1), __brink(modes = true));
end Modes;
EOF
ok run modes.mo -o modes.csv
gives modes.csv 'a.c b.c b.b all mode' '0 2 1 20 b' modes
last modes.csv b.seen | awk '{ exit !(($1 - 4.25)^2 < 1e-20) }' || wrong "modes: seen = $(last modes.csv b.seen)"
ok run modes.mo --stop 0.125 -o modes.csv
gives modes.csv 'a.c b.c b.b b.seen all mode' '1 0 0 0 1 a' modes

# --- an event at the stop time happens whatever the steps are: known times, ...
cat >clock.mo <<'EOF'
model Clock
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Real x(start = 0, fixed = true), saw = mod(time, 24), left = 12 - saw;
equation
  der(x) = saw;
  when saw < 12 then
    n = pre(n) + 1;
  end when;
  when left > 0 then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 240));
end Clock;
EOF
# ... also where rounding hides them behind an offset, at the start and at the end, ...
cat >far.mo <<'EOF'
model Far
  Real x(start = 0, fixed = true), low = 0.5*time - 7.25;
  Integer s = integer(ceil(low/0.1) + 0.5), d = integer(floor((5 - time)/0.1) + 0.5);
  Integer m(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = s;
  when change(s) then
    m = pre(m) + 1;
  end when;
  when change(d) then
    n = pre(n) + 1;
  end when;
end Far;
EOF
for method in dopri5 adams; do
  for h in 0 0.01; do
    ok run far.mo --start 0.1 --stop 0.8 --method $method --h_max $h -o far.csv --quiet
    gives far.csv 's m d n' '-68 4 41 8' "far by $method"
    ok run far.mo --start 14.3 --stop 14.5 --method $method --h_max $h -o far.csv --quiet
    gives far.csv 's m d n' '1 2 -96 3' "far by $method"
  done
done
# ... and zeros: exactly there, some roundings off, 1e-12 off; a clear miss is a miss
cat >zero.mo <<'EOF'
model Zero
  parameter Real L = 1.2, off = 0;
  Real x(start = 1e3, fixed = true), z(start = 0, fixed = true), w(start = 0, fixed = true),
    saw(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true),
    d(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = w;
  der(w) = 2;
  der(saw) = 1;
  when x - 1e3 >= L*(1 + off) then
    a = pre(a) + 1;
  end when;
  when z >= (L*(1 + off))^2 then
    b = pre(b) + 1;
  end when;
  when saw >= L*(1 + off)/7 then
    c = pre(c) + 1;
    reinit(saw, 0);
  end when;
  when sin(time - 0.1 - L*off) > sin(L) then
    d = pre(d) + 1;
  end when;
  annotation(experiment(StartTime = 0.1, StopTime = 1.3));
end Zero;
EOF
for method in dopri5 bs23 rkf45 dop853 auto-rk adams; do
  for parts in 0 3 50 777; do
    h=$(awk -v n=$parts 'BEGIN { printf "%.17g", n ? 1.2/n : 0 }')
    for off in 0 1e-16 -1e-16 4e-16 -4e-16 2e-15 1e-12 -1e-12; do
      ok run zero.mo --method $method --h_max "$h" --set off=$off -o zero.csv --quiet
      gives zero.csv 'time a b c d' '1.3 1 1 7 1' "$method, $parts parts, off by $off"
    done
    ok run zero.mo --method $method --h_max "$h" --set off=1e-7 -o zero.csv --quiet
    gives zero.csv 'time a b c d' '1.3 0 0 6 0' "$method, $parts parts, missed"
    h=$(awk -v n=$parts 'BEGIN { printf "%.17g", n ? 240/n : 0 }')
    ok run clock.mo --method $method --h_max "$h" -o clock.csv --stats clock.json --quiet
    gives clock.csv 'n m saw' '10 10 0' "clock by $method, $parts parts"
    grep -q '"g_evals": 0' clock.json || wrong "clock: guards are evaluated: $(cat clock.json)"
  done
done


# backward: rows in descending time, outputs pass, an event that acts is the end
cat >back.mo <<'EOF'
model Back
  Real x(start = 1, fixed = true);
  Boolean b = x > 2;
  Real y = if time > 0.6 then 1 else 0;
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when time > 0.1 then n = pre(n) + 1; end when;
end Back;
EOF
ok run back.mo --start 1 --stop 0.2 --points 5 -o back.csv --events back_events.csv -o back.json -o back.svg
awk -F, 'NR == 2 && $1 != 1 { bad = 1 } NR > 2 && $1 + 0 > last { bad = 1 } { last = $1 + 0 }
  END { exit bad || NR != 9 || $1 != 0.2 }' back.csv || wrong "rows: $(cat back.csv)"
awk -F, 'NR > 1 { e = $2 - exp(1 - $1); if (e*e > 1e-10) exit 1 }' back.csv || wrong "$(cat back.csv)"
[ "$(tail -n 1 back.csv | cut -d, -f3,4,5)" = 1,0,0 ] || wrong "$(tail -n 1 back.csv)"
[ "$(wc -l <back_events.csv)" -eq 3 ] || wrong "$(cat back_events.csv)"
json back.json
ends 1 run back.mo --start 1 --stop -1 -o back.csv
says "back.mo:8: going back in time the run ends at t = 0.1: what 'time > 0.1 (line 8)' does"
[ "$(tail -n 1 back.csv | cut -d, -f1)" = 0.1 ] || wrong "$(tail -n 1 back.csv)"
ends 2 compare back.mo --start 1 --stop 0
says 'not compared'
printf 'model D\n  Real x(start = 1);\nequation\n  der(x) = -delay(x, 1);\nend D;\n' >delay.mo
ends 1 run delay.mo --start 1 --stop 0
says 'delay() (line 4)'

exit $failed
