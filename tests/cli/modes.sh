#!/bin/sh
# modes.sh BRINK WORK SOURCE -- models with modes: names in every output, what check
# says, start values.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

ok run rotating_pendulum --quiet --points 101 -o p.csv -o p.json -o p.svg --events e.csv
head -n 1 p.csv | grep -q ',mode$' || wrong "the last column is not mode"
awk -F, 'NR > 1 { print $NF }' p.csv | uniq | tr '\n' ' ' >walk
[ "$(cat walk)" = 'swing fly swing ' ] || wrong "the modes are $(cat walk)"
json p.json
grep -q '^"modes": \["swing", "fly"\],$' p.json || wrong "p.json does not list its modes"
grep -q ', "fly"\],$' p.json || wrong "no row of p.json says fly"
grep -q '>fly<' p.svg || wrong "the strip of p.svg does not name fly"
[ "$(cut -d, -f 4,5,7,8 e.csv | tail -n +2 | tr '\n' ' ')" = \
  'crossing,SE-M,swing,fly crossing,SE-M,fly,swing ' ] || wrong "the events: $(cat e.csv)"

# a before and an after row at each event, in their modes
[ "$(awk -F, '$1 == t && $NF != m { n++ } { t = $1; m = $NF } END { print n }' p.csv)" = 2 ] ||
  wrong "the rows of p.csv do not come in pairs"

ok check rotating_pendulum
prints '2 modes, at first swing'
prints 'swing -> fly: swing.F < 0 (line '
prints 'fly -> swing: fly.x^2 + fly.y^2 > l^2 (line '
prints '    fly.x, fly.y, fly.vx, fly.vy'

# the table: what moves, and the mode at the end
ok run rotating_pendulum --stop 1.25
prints 'at t = 1.25 in mode fly'
prints 'swing -> fly: swing.F < 0 (line '

# start values of a mode that sleeps, and of the one that does not
ok run rotating_pendulum --set swing.w=3 --set fly.vx=0.25 --stop 1 --quiet -o s.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
  NR == 2 && ($c["swing.w"] != 3 || $c["fly.vx"] != 0.25) { exit 1 }
  NR > 1 && $NF != "swing" { exit 1 }' s.csv || wrong "--set of start values in modes"
ends 2 run rotating_pendulum --set fly.vz=1
says "'fly.vx'"

# several machines: names joined, and those that are met on the way
cat >two.mo <<'EOF'
model Two
  model S Real t(start = 0); equation der(t) = 1; end S;
  S a, b, 'c,d', e;
equation
  initialState(a);
  initialState('c,d');
  transition(a, b, a.t > 0.3);
  transition('c,d', e, 'c,d'.t > 0.6, priority = 3);
  annotation(experiment(StopTime = 1));
end Two;
EOF
ok run two.mo --quiet --points 11 -o t.csv -o t.json -o t.svg --events te.csv
awk 'NR > 1' t.csv | grep -o '[a-z"+,]*$' | sed 's/^,//' | uniq | tr '\n' ' ' >walk
[ "$(cat walk)" = '"a+c,d" "b+c,d" b+e ' ] || wrong "the modes of two machines are $(cat walk)"
json t.json
grep -q '"modes"' t.json && wrong "t.json lists modes that are not known yet"
grep -q '>b+c,d<' t.svg || wrong "the strip of t.svg does not name b+c,d"
tail -n 1 te.csv | grep -q ',"b+c,d",b+e,' || wrong "the second event: $(tail -n 1 te.csv)"
ok run two.mo
prints 'at t = 1 in mode b+e'
prints '  a -> b: a.t > 0.3 (line 7) '
prints '  c,d -> e: '
ok check two.mo
prints 'machine 2: 2 modes, at first c,d'
prints '    c,d, e'
prints '4 combinations of modes'
prints "c,d -> e: 'c,d'.t > 0.6 (line 8), priority 3"

# warnings of modes that were left, also of whens
cat >warn.mo <<'EOF'
model Warn
  model A
    Real x(start = 0);
  equation
    der(x) = 1;
    when x > 0.4 then
      assert(x > 9, "x is " + String(x), AssertionLevel.warning);
    end when;
    assert(x < 0.5, "x was " + String(x), AssertionLevel.warning);
  end A;
  A a, b;
equation
  initialState(a);
  transition(a, b, a.x > 0.8);
  when activeState(b) then
    assert(false, "b begins", AssertionLevel.warning);
  end when;
  annotation(experiment(StopTime = 1.1));
end Warn;
EOF
ok run warn.mo
says 'warn.mo:7: warning: t = 0.4: x is 0.4'
says 'warn.mo:9: warning: t = 0.5: x was 0.5'
says 'warn.mo:16: warning: t = 0.8: b begins'

# terminate goes before a transition, which is not taken and not told
cat >over.mo <<'EOF'
model Over
  model S
    Real x(start = 0);
  equation
    der(x) = 1;
    when x > 0.5 then
      terminate("enough");
    end when;
  end S;
  S a, b;
equation
  initialState(a);
  transition(a, b, a.x > 0.5);
end Over;
EOF
ok run over.mo
prints '1 event '
prints 'at t = 0.5 in mode a'
prints "enough: 'a.x > 0.5 (line 6)' ended the run at t = 0.5"

# machines in modes: names of the innermost, the outer machine first
cat >inner.mo <<'EOF'
model Inner
  model S Real t(start = 0); equation der(t) = 1; end S;
  model Deep
    S p, q;
  equation
    initialState(p);
    transition(p, q, p.t > 0.4, reset = true);
    transition(q, p, q.t > 9);
  end Deep;
  Deep deep;
  S a, b;
equation
  initialState(deep);
  transition(deep, a, deep.q.t > 0.2 and a.t < 0.1);
  transition(a, deep, a.t > 0.1, reset = false, priority = 2);
  initialState(b);
  annotation(experiment(StopTime = 1));
end Inner;
EOF
ok run inner.mo --quiet --points 3 -o i.csv -o i.svg --events ie.csv
awk -F, 'NR > 1 { print $NF }' i.csv | uniq | tr '\n' ' ' >walk
[ "$(cut -d ' ' -f 1-4 walk)" = 'deep.p+b deep.q+b a+b deep.q+b' ] || wrong "the modes in modes are $(cat walk)"
[ "$(sed -n 3p ie.csv | cut -d, -f 7,8)" = 'deep.q+b,a+b' ] || wrong "the second event: $(sed -n 3p ie.csv)"
grep -q '>deep.p+b<' i.svg || wrong "the strip of i.svg does not name deep.p+b"
ok check inner.mo
prints 'machine 3, part of deep: 2 modes, at first deep.p'
prints '    deep.p, deep.q'
prints 'a -> deep: a.t > 0.1 (line 15), priority 2, no reset'
prints 'deep.p -> deep.q: deep.p.t > 0.4 (line 7), reset'
prints '3 combinations of modes'
exit $failed
