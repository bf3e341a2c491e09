#!/bin/sh
# use.sh BRINK WORK SOURCE -- verbs, options, help, exit status; nothing is written on
# wrong use.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# help
ends 2
says 'brink run'
ok --help
prints 'brink check'
ok --version
prints 'brink 0.'
ok help run
for verb in run check compare continue methods locators models papers; do
  ok $verb --help
  prints "usage: brink $verb"
  awk 'length($0) > 100 { exit 1 }' out || wrong "help of $verb is wider than 100 columns"
done
ok run --help
for option in model set start stop method locate interval points events stats quiet verbose \
  $(sed -n '/define BRINK_SIM_/,/clang-format on/s/^  X(\([a-z_0-9]*\),.*/\1/p' "$SOURCE/include/brink/sim.h"); do
  prints "--$option "
done
prints '-o, --out'
# the reference knows them all, by name or through the table of options
for option in $(sed -n 's/^  *\(-o, \|-q, \|-v, \)\{0,1\}--\([a-z_0-9]*\).*/\2/p' out); do
  grep -qE -e "(--|\`)$option( |\`)" "$SOURCE/docs/reference.md" || wrong "docs/reference.md does not know --$option"
done
ok check --help
prints '--set'
for verb in compare papers; do
  ok $verb --help
  for option in $(sed -n 's/^  *\(-o, \|-q, \)\{0,1\}--\([a-z_0-9]*\).*/\2/p' out); do
    grep -qE -e "(--|\`)$option( |\`)" "$SOURCE/docs/reference.md" || wrong "docs/reference.md does not know --$option"
  done
done

# wrong use: a sentence, status 2, no files
one_sentence() { [ "$(wc -l <err)" -eq 1 ] || wrong "more than a sentence: $(cat err)"; }
ends 2 runn; says "did you mean 'run'?"; one_sentence
ends 2 xyzzy; says "brink --help"; one_sentence
ends 2 --hlep; says "no option '--hlep'; did you mean '--help'?"; one_sentence
ends 2 hepl; says "did you mean 'help'?"; one_sentence
ends 2 -x; says "no option '-x'; see 'brink --help'"; one_sentence
ends 2 help rum; says "did you mean 'run'?"; one_sentence
ends 2 run; says 'which model?'; one_sentence
ends 2 run thermostat two_tanks; says 'one model at a time'
ends 2 run thermostatt; says "did you mean 'thermostat'?"; one_sentence
ends 2 run no/such/file.mo; says 'no file or model'
ends 2 run thermostat --sto 3; says "did you mean '--stop'?"; one_sentence
ends 2 run thermostat --sotp 3; says "did you mean '--stop'?"; one_sentence
ends 2 run thermostat --foo 3; says "see 'brink run --help'"; one_sentence
mkdir -p dir.mo
for verb in run check compare; do
  ends 2 $verb dir.mo; says "'dir.mo' is a directory"; one_sentence
done
ends 2 run thermostat --frobnicate; says 'brink run --help'
ends 2 run thermostat --stop; says 'needs a value'
ends 2 run thermostat --quiet=3; says 'takes no value'
ends 2 run thermostat --quiet --verbose; says 'not both'
ends 2 methods extra; says "takes no 'extra'"
for bad in '--stop abc' '--stop 1e999' '--stop nan' '--rtol 2' '--rtol -1' '--max_steps 1.5' \
  '--points 0' '--points 1' '--points -3' '--interval 0' '--interval -1' '--interval 1e-300' '--interval 1 --points 3' \
  '--method dopri6' '--locate isolatte' '--restep perhaps' '--set T' '--set =3' '--set Tb=3' \
  '--set T=abc' '-o out.xyz' '-o noext' '-o p.svg --size 900' '-o p.svg --size 9x-1' '-o p.svg --size x9' '--size 900x600' '-o a.csv -o a.csv' '-o a.csv --events a.csv'; do
  # shellcheck disable=SC2086
  ends 2 run thermostat -o a.json --events ev.csv --stats st.json $bad
  one_sentence
done
ends 2 run thermostat --method dopri6; says "'dopri5'"
ends 2 run thermostat --method foo; says "see 'brink methods'"
ends 2 run thermostat --locate foo; says "see 'brink locators'"
ends 2 run thermostat --model Thermostot; says "there is no model 'Thermostot' in"; says "did you mean 'Thermostat'?"
ends 2 run thermostat --model Q -o a.csv; one_sentence; absent a.csv
ends 2 run thermostat --set Tb=3; says "'Ta'"
ends 2 check thermostat --set Tb=3; says "'Ta'"
for file in a.csv a.json ev.csv st.json out.xyz p.svg; do absent $file; done

# a wrong model: file:line:col, status 3, no files
cat >wrong.mo <<'EOF'
model Wrong
  Real x(start = 1);
equation
  der(x) = -y;
  der(z) = 2*;
end Wrong;
EOF
ends 3 run wrong.mo -o a.csv --events ev.csv --stats st.json
says 'wrong.mo:5:'
ends 3 check wrong.mo
says 'wrong.mo:5:'
sed 's/2\*;/2*x;/' wrong.mo >wrong2.mo
ends 3 run wrong2.mo -o a.csv
says 'wrong2.mo:4:'
says 'wrong2.mo:5:'
for noise in /dev/null "$BRINK"; do
  cp "$noise" noise.mo
  ends 3 run noise.mo -o a.csv
  says 'noise.mo:'
done
absent a.csv
absent ev.csv

# a path wins over a name; BRINK_MODELS comes first; = and _ work
mkdir -p mine
sed 's/model Thermostat "[^"]*"/model Thermostat "mine"/; s/StopTime = 2/StopTime = 10/' \
  "$SOURCE/models/thermostat.mo" >mine/thermostat.mo
BRINK_MODELS=/nonexistent:$WORK/mine ok models
prints 'mine'
BRINK_MODELS=$WORK/mine ok run thermostat
prints 'at t = 10'
ok run thermostat --stop=12 --max-steps=100000 --set T=16.5
prints 'at t = 12'
cp mine/thermostat.mo thermostat
ok run ./thermostat
prints 'at t = 10'
ok run thermostat
prints 'at t = 10'

# lists
ok methods
prints 'dopri5'
ok locators
prints 'isolate'
ok models
for model in "$SOURCE"/models/*.mo; do
  line=$(grep "^$(basename "$model" .mo) " out) || wrong "no $model in the list"
  [ "$(printf '%s' "$line" | wc -w)" -gt 3 ] || wrong "no description: $line"
done
awk 'length($0) > 100 { exit 1 }' out || wrong "brink models is wider than 100 columns"

# check
printf 'model A\n  Real y;\nequation\n  y + y^3 = time;\nend A;\n' >algebraic.mo
ok check algebraic.mo
prints '0 states'
ok check two_tanks
for part in '2 states' 'h1, h2' '4 guards' '4 events' 'h1 >= 0.6' 'qPump' 'from 0 to 200' 'h2 = 0.3'; do prints "$part"; done
ok check two_tanks --set h2=0.41 --set qPump=0.003
prints 'h2 = 0.41'
prints '0.003'

# settings that the simulation makes, and one that needs the model to be read anew
cat >set.mo <<'EOF'
model Set
  parameter Integer n = 2;
  parameter Real k(max = 4) = 1, half = k/2;
  parameter Boolean fast = false;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = if fast then -k else -half;
  end for;
  when sample(0, k) then
    reinit(x[1], pre(x[1]));
  end when;
end Set;
EOF
last() { # COLUMN VALUE: the last row has it
  tail -n 1 set.csv | awk -F, -v c="$1" -v v="$2" '{ d = $c - v; exit !(d < 1e-9 && -d < 1e-9) }' ||
    wrong "column $1 is not $2: $(tail -n 1 set.csv)"
}
ok run set.mo --stop 1 --quiet -o set.csv --set k=3 --set k=0.25 --set 'x[2]=5'
last 2 0.875
last 3 4.875
ok run set.mo --stop 1 --quiet -o set.csv --set k=0.25 --set half=0.5 --set n=3 --set 'x[3]=-1'
last 2 0.5
last 4 -1.5
ok run set.mo --stop 1 --quiet -o set.csv --set fast=true
last 2 0
ends 3 run set.mo --set k=-1; says 'set.mo:10:8: the interval of sample() must be positive'
ok run set.mo --stop 1 --set k=5; says "set.mo:3: warning: the parameter 'k' is 5, above its max 4"
ends 2 run set.mo --set fast=1; says "'fast' cannot be set to '1': a Boolean is expected"

# a variable that no step needs ends where its equation has a fold, and so does the run
printf 'model M\n  Real x, y(start = 1);\nequation\n  der(x) = 1;\n  y*y = 1 - x;\nend M;\n' >fold.mo
ok run fold.mo --stop 0.75
ends 1 run fold.mo --stop 1.75
says 'y*y = 1 - x (line 5) has a fold at t = 1:'

# a method of fixed step takes the step asked for, the experiment's, or a 500th
ok run two_tanks --method rk4 --stats st.json --quiet
grep -q '"rejected": 0,' st.json || wrong "rk4 rejects: $(cat st.json)"
steps=$(sed -n 's/.*"steps": \([0-9]*\),/\1/p' st.json)
[ "$steps" -ge 500 ] && [ "$steps" -le 530 ] || wrong "rk4: $steps steps"
ok run two_tanks --method rk4 --h0 4 --stats st.json --quiet
steps=$(sed -n 's/.*"steps": \([0-9]*\),/\1/p' st.json)
[ "$steps" -ge 50 ] && [ "$steps" -le 80 ] || wrong "rk4 with h0 = 4: $steps steps"

# an event at 0+ of another is nobody's mistake; events of a locator of one guess are
ok run "$SOURCE/tests/lang/model/refilled_tank.mo" --stop 30
[ ! -s err ] || wrong "a warning without reason: $(cat err)"
ok run bouncing_ball --locate linear
says 'put beyond their zeros'
cat >stick.mo <<END
model Stick "friction that sticks; the guards stand behind equations solved together"
  parameter Real f0 = 1, peak = 1.1;
  Real v(start = 0, fixed = true), a, f, sa;
  Boolean forth(start = false, fixed = true), back(start = false, fixed = true), stuck;
  Integer mode(start = 0, fixed = true);
equation
  forth = pre(mode) == 0 and (sa > peak or pre(forth) and sa > f0);
  back = pre(mode) == 0 and (sa < -peak or pre(back) and sa < -f0);
  stuck = not (pre(mode) == 1 or pre(mode) == -1 or forth or back);
  a = if stuck then 0 else if forth or not back and pre(mode) == 1 then sa - f0 else sa + f0;
  f = if stuck then sa
      else if forth or not back and pre(mode) == 1 then f0 + 0.4*v else -f0 + 0.4*v;
  mode = if (pre(mode) == 1 or forth) and v > 0 then 1
         else if (pre(mode) == -1 or back) and v < 0 then -1 else 0;
  der(v) = a;
  2*sin(1.3*time) - f = a;
  annotation(experiment(StopTime = 10));
end Stick;
END
ok run stick.mo
prints 'sa > peak'
! grep -q 'beyond' err || wrong "isolate is blamed: $(cat err)"
exit $failed
