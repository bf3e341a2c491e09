#!/bin/sh
# steps.sh BRINK WORK SOURCE -- how long steps are, and what a run says about steps and
# tolerances that are not to be trusted.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

value() { awk -v name="$1" '$1 == name { print $2 }' out; }
near() { awk -v x="$(value "$1")" -v y="$2" -v tol="$3" 'BEGIN { exit !(x != "" && x - y <= tol && y - x <= tol) }' ||
  wrong "$1 is $(value "$1"), not $2"; }
steps() { sed -n 's/.*"steps": \([0-9]*\).*/\1/p' "$1"; }

# a run has at least fifty steps, whatever its law, its clocks and its events are
cat >slow.mo <<'EOF2'
model Slow
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -0.01*x;
  when sample(0, 0.5) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StartTime = 3, StopTime = 8));
end Slow;
EOF2
for method in dopri5 bs23 dop853 adams rkf45; do
  ok run slow.mo --method $method -q --stats default.json
  ok run slow.mo --method $method -q --stats asked.json --h_max 0.1
  ok run slow.mo --method $method -q --stats none.json --h_max 0
  [ "$(steps default.json)" -ge 50 ] || wrong "$method: $(steps default.json) steps"
  [ "$(steps default.json)" = "$(steps asked.json)" ] || wrong "$method: h_max is not a fiftieth of the run"
  [ "$(steps none.json)" -lt 30 ] || wrong "$method: --h_max 0 takes $(steps none.json) steps"
done
ok run slow.mo --method rk4 --h0 2.5 -q --stats fixed.json
[ "$(steps fixed.json)" -eq 2 ] || wrong "rk4 with h0 = 2.5 takes $(steps fixed.json) steps for 5"
ok run slow.mo --h_min 1
ok run slow.mo --stop 3

# a pulse in time is integrated; in a state it is told, if a row of the output sees it
cat >pulse.mo <<'EOF2'
model Pulse
  Real x(start = 0, fixed = true);
equation
  der(x) = 2*exp(-((time - 5)/0.01)^2)/(0.01*sqrt(3.14159265358979));
  annotation(experiment(StopTime = 10));
end Pulse;
EOF2
sed 's/time - 5/y - 5/; s/fixed = true)/fixed = true), y(start = 0, fixed = true)/; s/^equation/&\n  der(y) = 1;/' pulse.mo >inside.mo
for method in dopri5 bs23 dop853 adams rkf45; do
  ok run pulse.mo --h_max 0 --method $method
  near x 2 1e-5
done
ok run inside.mo --h_max 0 -o inside.csv
says "warning: at t = 5 the derivative of 'x' is 112.8, but "
says "something short may have been passed over, try a smaller h_max"
ok run inside.mo --h_max 0.01 -o inside.csv
[ ! -s err ] || wrong "a warning without a reason: $(cat err)"
ok run inside.mo --h_max 0 -q -o inside.csv
[ ! -s err ] || wrong "--quiet: $(cat err)"

# a reference that is wrong says so
cat >lorenz.mo <<'EOF2'
model Lorenz
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
  annotation(experiment(StopTime = 40));
end Lorenz;
EOF2
ok compare lorenz.mo --methods dopri5
says "warning: the reference disagrees with itself at rtol 1e-8 and 1e-9: '"
says "' differs by "
ok compare lorenz.mo --methods dopri5 --stop 2
[ ! -s err ] || wrong "a reference that is right: $(cat err)"
ok compare pulse.mo --h_max 0 --methods dopri5
[ ! -s err ] || wrong "a reference that is right: $(cat err)"

# tolerances
cat >tiny.mo <<'EOF2'
model Tiny
  Real q(start = 1e-12, fixed = true, nominal = 1e-12), i(start = 0, fixed = true);
equation
  der(q) = i;
  der(i) = -q;
  annotation(experiment(StopTime = 62.83185307179586));
end Tiny;
EOF2
ok run tiny.mo
near q 1e-12 1e-17
[ ! -s err ] || wrong "a warning without a reason: $(cat err)"
sed 's/, nominal = 1e-12//' tiny.mo >unscaled.mo
ok run unscaled.mo
says "warning: state 'q' is never larger than "
says "and its absolute tolerance is 1e-09: "
ok run unscaled.mo --atol 1e-21
near q 1e-12 1e-17
[ ! -s err ] || wrong "a warning without a reason: $(cat err)"
ok run tiny.mo --atol 0.1 # times the nominal value
says "and its absolute tolerance is 1e-13: "

cat >toggle.mo <<'EOF2'
model Toggle "proteins in mol/l: a is made while b is rare"
  parameter Real k = 1e-9, d = 0.1;
  Real a(start = 0, fixed = true, nominal = 1e-9), b(start = 0, fixed = true, nominal = 1e-9);
  Boolean on(start = true, fixed = true);
equation
  on = if pre(on) then b < 2e-9 else b <= 1e-9;
  der(a) = (if on then k else 0) - d*a;
  der(b) = d*(a - b);
  annotation(experiment(StopTime = 200));
end Toggle;
EOF2
ok run toggle.mo --method dopri5
near b 1.52035921e-9 3e-15

# a conduction angle that is shorter than a step without a limit
cat >rectifier.mo <<'EOF2'
model Rectifier "half-wave, with a diode that is an exponential"
  Real vs = 10*sin(314.159265358979*time), vc(start = 0, fixed = true), vd, i;
equation
  vs = 0.5*i + vd + vc;
  i = 1e-9*(exp(vd/0.026) - 1);
  1e-3*der(vc) = i - vc/100;
  annotation(experiment(StopTime = 0.2));
end Rectifier;
EOF2
for method in dopri5 bs23 dop853 adams rkf45 auto; do
  ok run rectifier.mo --method $method
  near vc 8.0805713 2e-4
done
ok run rectifier.mo --method dopri5 --h_max 0 -o rectifier.csv
says "the derivative of 'vc' is "

# a stiff run says so before it ends
cat >stiff.mo <<'EOF2'
model Stiff
  Real x(start = 1, fixed = true);
equation
  der(x) = -1e4*(x - cos(time));
  annotation(experiment(StopTime = 1e6));
end Stiff;
EOF2
ends 0 run stiff.mo --method dopri5 --max_seconds 2 &
run=$!
n=0
until grep -q 'stiff for dopri5 at t = ' err 2>/dev/null || [ $n -ge 15 ]; do
  sleep 0.1
  n=$((n + 1))
done
kill -0 $run 2>/dev/null || wrong "the run was over before it was looked at"
says 'warning: the problem looks stiff for dopri5 at t = '
wait $run
[ "$(grep -c stiff err)" -eq 1 ] || wrong "told $(grep -c stiff err) times: $(cat err)"

exit $failed
