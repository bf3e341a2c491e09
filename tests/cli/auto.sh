#!/bin/sh
# auto.sh BRINK WORK SOURCE -- what `auto` did, and why, is told wherever a run is.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# near FILE NAME VALUE TOLERANCE: the last row of the CSV has it
near() {
  awk -F, -v name="$2" -v want="$3" -v tol="$4" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
    { last = $at }
    END { d = last - want; exit !(d <= tol && -d <= tol) }' "$1" ||
    wrong "$2 is not $3 in $1: $(tail -n 1 "$1")"
}

# a fine tolerance and a smooth model: series
cat >orbit.mo <<'EOF'
model Orbit
  Real x(start = 0.4, fixed = true), y(start = 0, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 2, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -x/(x^2 + y^2)^1.5;
  der(vy) = -y/(x^2 + y^2)^1.5;
  annotation(experiment(StopTime = 6.283185307179586, Tolerance = 1e-12));
end Orbit;
EOF
ok run orbit.mo --stats s.json -o o.csv -v
says 'auto took taylor, since series cost less at so fine a tolerance'
grep -qF '"methods": [{"t": 0, "method": "taylor", "stiff": false}]' s.json || wrong "$(grep methods s.json)"
near o.csv x 0.4 1e-11
ok compare orbit.mo --methods taylor,auto --reference taylor
prints 'with isolate auto took taylor, since series'
ok run orbit.mo --rtol 1e-8
! grep -q 'auto took' err || wrong "nothing happened: $(cat err)"

# stiff behind one event, not behind the next, and so on
cat >clutch.mo <<'EOF'
model Clutch "a fast damper holds a driven oscillator while it is closed"
  parameter Real d = 1e5;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean closed = sin(0.2*time) < 0;
equation
  der(x) = v;
  der(v) = -25*x + 9*cos(40*time) - (if closed then d else 0.01)*(v - 0.1*sin(time));
  annotation(experiment(StopTime = 60));
end Clutch;
EOF
ok run clutch.mo --stats s.json -o o.csv -v
says 'radau from t = 15.7'
says 'since a fast part bounded its steps (stiff)'
says 'where implicit steps do not pay'
! grep -q 'something short' err || wrong "a false warning: $(cat err)"
[ "$(grep -o '"stiff": true' s.json | wc -l)" -ge 2 ] || wrong "one change only: $(grep methods s.json)"
ok run clutch.mo --method radau --rtol 1e-9 -o r.csv
near o.csv x "$(tail -n 1 r.csv | cut -d, -f2)" 1e-4
ok compare clutch.mo --methods radau,auto --reference radau
awk '{ t = t " " $0 } END { gsub(/ +/, " ", t); print t }' out >line
grep -qF 'with isolate auto took dopri5; radau from t = 15.7' line || wrong "$(cat out)"

# the same without the damper: no change
ok run clutch.mo --set d=0.02 -v -o o.csv
! grep -q 'auto took' err || wrong "a false change: $(cat err)"

# a part that is missing is told wherever it is asked for, and a model that names it runs
# with another method
cat >named.mo <<'EOF'
model Named
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(__brink(method = "cvode"));
end Named;
EOF
if "$BRINK" --version | grep -q CVODE; then
  ok run named.mo
else
  for ask in 'run named.mo' 'run orbit.mo --method cvode' 'compare named.mo' \
    'compare orbit.mo --methods cvode,radau' 'compare orbit.mo --reference cvode'; do
    ends 2 $ask
    says "method 'cvode' needs SUNDIALS, which brink was built without"
  done
fi
ok run named.mo --method radau

exit $failed
