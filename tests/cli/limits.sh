# limits.sh -- nothing runs away: rows without end, texts that expand without end, numbers
# that end, readers that leave, files that are full; and settings that do nothing.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# rows of one step are interrupted by signals and by the limit on time
cat >decay.mo <<'EOF'
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
EOF
for signal in INT TERM HUP; do
  rm -f d.json
  "$BRINK" run decay.mo --interval 1e-12 -o d.json 2>err &
  pid=$!
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s d.json ] && break
    sleep 0.2
  done
  kill -s $signal $pid
  got=0
  wait $pid || got=$?
  [ $got -eq 1 ] || wrong "SIG$signal: status $got, not 1"
  says 'interrupted at t ='
  tail -n 3 d.json | grep -q '^}$' || wrong "SIG$signal: d.json is not closed"
done
ok run decay.mo --interval 1e-12 --max_seconds 0.2 -o d.csv
says 'max_seconds = 0.2 reached'
says 'rows are written up to t = '
awk -F, 'NF != 2 { exit 1 }' d.csv || wrong "d.csv has a broken line"
ok run decay.mo --interval 1e-12 --max_seconds 0.2 --quiet -o d.json
tail -n 3 d.json | grep -q '^}$' || wrong "d.json is not closed at the limit"
# while it is read, too
awk 'BEGIN { print "model Deep"; print "  Real x;"; print "equation"
  for (i = 0; i < 60; i++) print "  for i" i " in 1:2 loop"
  print "    x = 1;"
  for (i = 0; i < 60; i++) print "  end for;"
  print "end Deep;" }' >deep.mo
ends 1 run deep.mo --max_seconds 0.01
says 'max_seconds = 0.01 reached while the model is read and started: deep.mo'

# texts that expand
ends 3 check deep.mo
says 'deep.mo:64:5: the model has more than 1100000 equations'
cat >tanks.mo <<'EOF'
model Tanks
  model Tank
    Real h(start = 1), q = h;
  equation
    der(h) = -q;
  end Tank;
  Tank t[1000000];
end Tanks;
EOF
ends 3 check tanks.mo
says 'tanks.mo:7:8: the model has more than 1000000 scalar variables'
if [ -c /dev/zero ]; then
  ends 3 check /dev/zero
  says '/dev/zero:1:1: the text is longer than 100000000 bytes'
fi
cat >turns.mo <<'EOF'
model Turns
  Real x;
equation
  for i in 1:2000 loop
    for j in 1:2000 loop
      for k in 1:0 loop
        x = 1;
      end for;
    end for;
  end for;
end Turns;
EOF
ends 3 check turns.mo
says 'turns.mo:5:5: the loops of this model take more than 2500000 turns'
awk 'BEGIN { print "model Text"; print "  parameter String s0 = \"abc\";"
  for (i = 1; i <= 60; i++) print "  parameter String s" i " = s" (i - 1) " + s" (i - 1) ";"
  print "  Real x = 1;"; print "equation"; print "  assert(x > 0, s60);"; print "end Text;" }' >text.mo
ends 3 check text.mo
says 'a String has more than 100000 characters'
awk 'BEGIN { print "function f0"; print "  input Real x;"; print "  output Real y = x;"; print "end f0;"
  for (i = 1; i <= 60; i++) print "function f" i "\n  input Real x;\n  output Real y = f" (i - 1) "(x) + f" (i - 1) "(x + 1);\nend f" i ";"
  print "model Calls"; print "  Real x = f60(time);"; print "end Calls;" }' >calls.mo
ends 3 check calls.mo
says 'reading this model takes more than 1000000 steps'

# where the numbers end the run ends, whatever is written
cat >overflow.mo <<'EOF'
model Overflow
  Real x(start = -9e307, fixed = true);
equation
  der(x) = -1e308;
end Overflow;
EOF
for method in bs23 dopri5 rkf45 rk4; do
  ends 1 run overflow.mo --method $method -o o.csv -o o.json -o o.svg --events o.ev.csv
  says 'overflow.mo:4: '
  if grep -qE 'nan|inf|null' o.csv o.json o.svg o.ev.csv; then wrong "$method: a file with no number"; fi
  tail -n 1 o.csv | awk -F, '{ exit $1 < 0.8976 }' || wrong "$method ends at $(tail -n 1 o.csv)"
done
cat >algebraic.mo <<'EOF'
model Algebraic
  Real x(start = 0, fixed = true), y, z;
equation
  der(x) = 1;
  y = exp(100*x);
  z = sqrt(8 - x);
  annotation(experiment(StopTime = 10));
end Algebraic;
EOF
for options in '' '-o a.csv' '-o a.csv --interval 0.7' '-o a.svg' '--events a.ev.csv' '--stats a.st.json'; do
  # shellcheck disable=SC2086
  ends 1 run algebraic.mo $options
  says 'algebraic.mo:5: exp(100*x) overflows'
  says 'at t = 7.09782713'
done
ends 1 run algebraic.mo -o a.csv -o a.json
tail -n 1 a.csv | awk -F, '{ exit !($1 > 7.0978 && $1 < 7.0979) }' || wrong "the last row: $(tail -n 1 a.csv)"
json a.json

# whoever reads from a pipe may have read enough
cat >"$WORK/closed.sh" <<'EOF'
got=0
"$1" run decay.mo --points 100000 -o - 2>pipe.err || got=$?
echo $got >pipe.status
EOF
sh closed.sh "$BRINK" | head -n 1 >first
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -s pipe.status ] && break
  sleep 0.2
done
[ "$(cat first)" = 'time,x' ] && [ "$(cat pipe.status)" -eq 0 ] && [ ! -s pipe.err ] ||
  wrong "head -n 1: $(cat first), status $(cat pipe.status): $(cat pipe.err)"

# a limit on the size of files is a sentence
got=0
(ulimit -f 8 && exec "$BRINK" run decay.mo --points 100000 -o big.csv) 2>err || got=$?
[ $got -eq 1 ] || wrong "a file of limited size: status $got"
says 'big.csv was not written to the end'

# links
ln -s loop1.mo loop2.mo
ln -s loop2.mo loop1.mo
ends 2 run loop1.mo
says "'loop1.mo' cannot be read: "
ln -s nowhere.mo gone.mo
ends 2 run gone.mo
says "'gone.mo' is a link to something that is not there"

# tolerances that cannot be met
ends 2 run decay.mo --rtol 1e-300
says 'rtol = 1e-300 lies below the rounding of numbers'
sed 's/^end Decay/  annotation(experiment(Tolerance = 4e9));\n&/' decay.mo >loose.mo
ends 3 check loose.mo
says "'Tolerance' is 4e+09; it must lie between 1e-16 and 1"

# settings
cat >settings.mo <<'EOF'
model Settings
  record Pair
    Real a = 1, b = 2;
  end Pair;
  parameter Integer n = 2;
  parameter Real k = 1, a[3] = {1, 2, 3};
  parameter Pair pair;
  Real x(start = 1, fixed = true), y = 2*x, z[n] = fill(x, n);
equation
  der(x) = -k;
end Settings;
EOF
ok run settings.mo --set k=5 --set k=2
prints 'x     -1'
ok run settings.mo --set x=5 --set x=2
prints 'x     1'
ok run settings.mo --set n=1 --set n=3
prints 'z[3]'
ends 2 run settings.mo --set a=1
says "'a' is an array: set its elements one by one, as 'a[1]'"
ends 2 run settings.mo --set pair=1
says "'pair' has components: set them one by one, as 'pair.a'"
ok run settings.mo --set y=3
says "warning: equations determine 'y' at every time"
exit $failed
