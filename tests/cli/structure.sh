#!/bin/sh
# structure.sh BRINK WORK SOURCE -- what check says about the structure of equations:
# matrices, blocks, what is over- and underdetermined; models that cannot be run yet.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# shows TEXT: the last run printed exactly these lines somewhere, one behind the other
shows() {
  printf '%s\n' "$1" >want
  awk 'NR == FNR { want[++n] = $0; next }
    { got[++m] = $0 }
    END {
      for (i = 0; i + n <= m; i++) {
        for (k = 1; k <= n && got[i + k] == want[k]; k++) continue
        if (k > n) exit 0
      }
      exit 1
    }' want out || wrong "it does not show
$1
but
$(cat out)"
}

# a model of index 3
cat >pendulum.mo <<'EOF'
model Pendulum
  parameter Real G = 9.8, L = 10;
  Real x, y, lambda;
equation
  der(der(x)) + lambda*x = 0;
  der(der(y)) + lambda*y = G;
  x^2 + y^2 = L^2;
end Pendulum;
EOF
ok check pendulum.mo
prints 'structure: 3 equations for 3 variables, 1 block'
prints '    structural index 3, 2 degrees of freedom, quasilinear'
grep -q '^    line 7 .* 2$' out || wrong "no c = 2 behind line 7: $(cat out)"
[ "$(grep -c '^    line .*[0-9]\*' out)" = 3 ] || wrong "three entries are not marked: $(cat out)"
shows '    d          2    2       0
initial values, of which 2 can be chosen
    x, der(x), y, der(y)'
awk '/ $/ { exit 1 }' out || wrong "there are blanks at the ends of lines"

# one that runs: the structure comes last
ok check two_tanks
shows 'start
    h1 = 0.4
    h2 = 0.3
structure: 3 equations for 3 variables, 3 blocks
    structural index 1, 2 degrees of freedom, quasilinear'
shows '    line 18    -    1*   0    0
    d          1    1    0
initial values
    h1, h2'

# modes, each with its own
ok check rotating_pendulum
prints 'structure of mode swing: 5 equations for 5 variables, 5 blocks'
prints 'structure of mode fly: 6 equations for 6 variables, 6 blocks'

# too many and too few equations, by line and name
cat >singular.mo <<'EOF'
model Singular
  Real x, y, z, w;
equation
  der(x) = y;
  x + y = 1;
  x - 2*y = 3;
  der(z) = w + x;
end Singular;
EOF
ends 3 check singular.mo
prints 'structure: 4 equations for 4 variables, structurally singular'
prints '    too many equations: lines 4, 5, 6 for x, y'
prints '    too few equations: line 7 for z, w'

# nonlinear in the highest derivative; high orders
cat >implicit.mo <<'EOF'
model Implicit
  Real x(start = 1), u;
equation
  der(der(der(der(u)))) = x;
  der(x)^3 + der(x) = u;
end Implicit;
EOF
ends 0 check implicit.mo
prints 'structural index 0, 5 degrees of freedom, not quasilinear'
shows 'initial values
    x, u to order 3
guesses, since the highest derivatives do not occur linearly
    der(x), derivative 4 of u'

# many equations: blocks
cat >many.mo <<'EOF'
model Many
  parameter Integer N = 334;
  Real x[N], y[N], lambda[N], e[N];
equation
  for i in 1:N loop
    der(der(x[i])) + lambda[i]*x[i] = 0;
    der(der(y[i])) + lambda[i]*y[i] = 9.8;
    x[i]^2 + y[i]^2 = 100;
    e[i] = der(x[i])^2 + der(y[i])^2;
  end for;
end Many;
EOF
ok check many.mo
prints 'structure: 1336 equations for 1336 variables, 668 blocks of at most 3'
grep -A 1 '^block 1: 3 equations$' out | grep -q '    line 6 (c 0) for .*, line 7 (c 0) .*, line 8 (c 2) ' ||
  wrong "no block of lines 6, 7, 8: $(head -n 5 out)"
prints '... and 322 blocks more of several equations, or differentiated'
prints '334 blocks of one equation that is not differentiated'
prints '    x[*] x 334, der(x[*]) x 334, y[*] x 334, der(y[*]) x 334'

# an index that a parameter decides
cat >open.mo <<'EOF'
model Open
  parameter Boolean closed = true;
  Real x(start = 1), y(start = 2), f;
equation
  der(x) = f;
  der(y) = 1 - f;
  if closed then
    x = y;
  else
    f = 0;
  end if;
end Open;
EOF
"$BRINK" check open.mo >out 2>err || true
prints 'structural index 2, 1 degree of freedom'
ok check open.mo --set closed=false
prints 'structural index 1, 2 degrees of freedom'

# equations that have to be combined, with a factor that depends on parameters: it is
# right for other values, too
cp "$SOURCE/tests/lang/model/convert_with_parameters.mo" .
ok check convert_with_parameters.mo
shows '    the system Jacobian of the equations as written is singular:
        line 7 is replaced by line 7 + ((-a)/b)*line 8'
ok run convert_with_parameters.mo --set a=-0.7 --set b=5 --stop 1.7
prints '  y     1.8711555'

# ... and in the new variables that stand for what is determined
cp "$SOURCE/tests/lang/model/convert_expressions.mo" .
ok check convert_expressions.mo
shows '        in lines 7, 8 a new variable stands for der(x) + der(y)'

# every model that is compiled is regular, and each of its modes has as many degrees of
# freedom as states, although these are found in another way; but for systems of higher
# index and converted ones, whose states are redundant, and for combinations of switches
# that have no solution (both closed across a source): no run is ever in one
checked=0
for model in "$SOURCE"/models/*.mo "$SOURCE"/tests/lang/model/*.mo; do
  "$BRINK" check "$model" >out 2>err || [ $? -eq 1 ] || continue
  checked=$((checked + 1))
  awk '
    /^[0-9]+ states?$/ { states = $1; getline; sum += $1 == "(no" ? 0 : states; n++ }
    /^structure of mode/ && /singular/ { none++; next }
    /^structure/ { singular += /singular/ }
    /^    structural index/ { free += $4; m++; high += $3 + 0 > 1 }
    /^    the system Jacobian of the equations as written/ { high++ }
    END { exit singular || (!high && !none && (sum != free || (m != n && sum > 0))) }' out ||
    wrong "$model: states and degrees of freedom differ: $(grep -e state -e structur out)"
done
[ "$checked" -ge 150 ] || wrong "only $checked models were checked"

# the modes that a run meets, each with its structure; one that is asked for
cat >clutch.mo <<'EOF'
model Clutch
  Real w1(start = 2.3, fixed = true), w2(start = -0.4, fixed = true), tau;
  Boolean locked(start = false, fixed = true);
  Integer gear(start = 1, fixed = true);
equation
  der(w1) = (if gear == 1 then 0.1 else 0.2) - tau;
  3*der(w2) = tau - max(w1 - 2.2, 0);
  if locked then
    w1 = w2;
  else
    tau = 0.7*(w1 - w2);
  end if;
  when time > 0.73 then
    locked = true;
  elsewhen time > 1.9 then
    locked = false;
  end when;
  when time > 2.4 then
    gear = 3;
  end when;
  annotation(experiment(StopTime = 3));
end Clutch;
EOF
ok check clutch.mo --modes --method dop853
prints '3 relations or discrete variables choose branches of the equations'
prints 'gear (line 4)'
prints 'locked (line 3)'
prints '4 modes met from t = 0 to 3'
awk '/ mode  first/ { on = 1; next } /^$/ { on = 0 } on { print $2, $3 }' out >got
awk 'NR == 1 && ($1 != 0 || $2 != 1) { bad = 1 } NR == 2 && !($1 > 0.01 && $1 < 0.2 && $2 == 2) { bad = 1 }
  NR == 3 && $1 != 0.73 { bad = 1 } NR == 4 && $1 != 2.4 { bad = 1 }
  END { exit bad || NR != 4 }' got || wrong "modes: $(cat out)"
shows 'structure: 3 equations for 3 variables, 1 block
    structural index 2, 1 degree of freedom, quasilinear'
[ "$(grep -c '^    line 9 .*  <$' out)" = 1 ] || wrong "one row differs: $(cat out)"
awk '/ $/ { exit 1 }' out || wrong "there are blanks at the ends of lines"
ok check clutch.mo --modes --stop 0.5 --set w1=3
prints 'from t = 0 to 0.5'
! grep -q 'index 2' out || wrong "it is not locked so early: $(cat out)"
ok check clutch.mo --mode locked=true
prints '    structural index 2, 1 degree of freedom, quasilinear'
ok check clutch.mo --mode 'locked=false,gear=1'
prints '    structural index 1, 2 degrees of freedom, quasilinear'
ends 2 check clutch.mo --mode lock=true; says "nothing called 'lock'"; says 'locked (line 3)'
ends 2 check clutch.mo --mode locked=maybe; says "true, false or a number, not 'maybe'"
ends 2 check clutch.mo --mode locked; says "nothing called 'locked'"
ends 2 check clutch.mo --modes --method nobody; says 'nobody'
# relations may contain = and commas
ok check parallel_robot --model RobotEquations --mode \
  'control(qd1 - q1, E1, der(qd1) - der(q1)) > alpha=true,der(q1) >= 0=false'
grep -q '^    line 60    -    -    -    -    -    -    -    -    0\*' out || wrong "torque 1 is limited: $(cat out)"
ok check parallel_robot --modes --method taylor
prints '6 modes met from t = 0 to 5'
# machines are modes as well
ok check rotating_pendulum --modes
prints '2 modes met from t = 0 to 10'
prints 'structure of mode fly: 6 equations for 6 variables, 6 blocks'

# the matrix of implicit methods: size, unknowns of loops, entries, bandwidths
cat >chain.mo <<'EOF'
model Chain
  parameter Integer n = 30;
  Real x[n](each start = 1, each fixed = true), i(start = 0.5);
equation
  der(x[1]) = -x[1] + i;
  for k in 2:n loop
    der(x[k]) = x[k - 1] - x[k]^2;
  end for;
  i^3 + i = x[n];
end Chain;
EOF
ok check chain.mo
prints 'Jacobian 31 by 31, 1 of them unknowns of loops: 62 entries (6.45 %), bandwidth 1 below, 30 above'
exit "$failed"
