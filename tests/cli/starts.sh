#!/bin/sh
# starts.sh BRINK WORK SOURCE -- start values that were not kept: check and run say which,
# how far they moved and what forced them, --stats for programs.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

cat >pendulum.mo <<'EOF'
model Pendulum
  parameter Integer N = 1;
  Real x[N](each start = 0.6, each fixed = true), y[N](each start = -0.5);
  Real vx[N](each start = 0.25), vy[N], F[N];
equation
  for i in 1:N loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = -F[i]*x[i];
    der(vy[i]) = -F[i]*y[i] - 9.81;
    x[i]^2 + y[i]^2 = 1;
  end for;
end Pendulum;
EOF

# for people; vx is kept, since vy is free
for verb in check run; do
  ok "$verb" pendulum.mo
  prints 'start values that were not kept'
  prints '  y[1]: -0.5 -> -0.8, forced by x[1]^2 + y[1]^2 = 1 (line 11)'
  [ "$(grep -c ' -> ' out)" = 1 ] || wrong "another start value moved: $(cat out)"
done
ok run pendulum.mo --set 'y[1]=-0.8'
! grep -q 'not kept' out || wrong "a start value that is kept is listed: $(cat out)"
ok run pendulum.mo --quiet
[ ! -s out ] || wrong "it is not quiet: $(cat out)"

# for programs
ok run pendulum.mo --stats st.json --quiet
json st.json
grep -q '"moved_starts": 1,$' st.json || wrong "not one: $(cat st.json)"
grep -q '{"name": "y\[1\]", "from": -0.5, "to": -0.[78][09]*[0-9]*, "forced_by": "x\[1\]^2 + y\[1\]^2 = 1 (line 11)", "line": 11}' st.json ||
  wrong "the entry is another: $(cat st.json)"

# many: the list is bounded, and says how many there are
ok run pendulum.mo --set N=40 --stats st.json
[ "$(grep -c ' -> ' out)" = 16 ] || wrong "not 16 lines: $(cat out)"
prints '  ... and 24 more'
json st.json
grep -q '"moved_starts": 40,$' st.json || wrong "not 40: $(cat st.json)"
[ "$(grep -c '"forced_by"' st.json)" = 16 ] || wrong "not 16 entries: $(cat st.json)"

exit $failed
