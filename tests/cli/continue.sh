#!/bin/sh
# continue.sh BRINK WORK SOURCE -- curves over a parameter: files, tables, exit statuses.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

cat >s.mo <<'EOF'
model S
  parameter Real p = -1;
  Real x(start = -1.5), y;
equation
  x^3 - x = p;
  y = 2*x;
end S;
EOF

# a table: folds, the last point, the work
ok continue s.mo --over p --from -1 --to 1
prints 'fold          0.384900179459751     x = -0.57735026919, y = -1.15470053838'
prints 'fold          -0.384900179459751    x = 0.57735026919'
prints 'at p = 1'
prints '2 folds, 0 branch points, 0 switches'

# files: every point, the special ones, a picture
ok continue s.mo --over p --from -1 --to 1 -o c.csv -o c.svg --events e.csv
[ ! -s out ] || wrong "a table although there is -o: $(cat out)"
awk -F, '
  NR == 1 { if ($0 != "s,p,x,y") bad = 1; next }
  { r = $3*$3*$3 - $3 - $2; if (r*r > 1e-26 || $4 != 2*$3 || $1 + 0 < s) bad = 1; s = $1 + 0 }
  NR == 2 { if ($1 != 0 || $2 != -1) bad = 1 }
  END { if ($2 != 1 || NR < 100) bad = 1; exit bad }' c.csv || wrong "c.csv is not the curve"
awk -F, '
  NR == 1 { if ($0 != "kind,event,s,p,x,y") bad = 1; next }
  { x = 3*$5*$5 - 1; if ($1 != "fold" || $2 != "" || x*x > 1e-20) bad = 1 }
  END { exit bad || NR != 3 }' e.csv || wrong "e.csv: $(cat e.csv)"
grep -q '<svg' c.svg && grep -q '>x<' c.svg && grep -q '>y<' c.svg || wrong 'c.svg shows no x over p'
ok continue s.mo --over p --from -1 --to 1 -o - -v
cmp out c.csv || wrong 'standard output and the file differ'
says '2 folds'
ok continue s.mo --over p --from -1 --to 1 -q
[ ! -s out ] || wrong '--quiet prints'

# settings; time in place of a parameter; names that need quotes
ok continue s.mo --over p --from 0 --to 1 --set x=2
prints '0 folds'
cat >t.mo <<'EOF'
model T
  parameter Real q[1,2] = {{1, 2}};
  Real y(start = 0);
equation
  y - y^3 = 0.2*q[1,1]*time;
  annotation(experiment(StopTime = 4));
end T;
EOF
ends 1 run t.mo
says 'has a fold at t = 1.9245009'
ok continue t.mo --over time --from -3 --to 3
prints 'fold          1.92450089729875'
ends 1 continue t.mo --over 'q[1,1]' --from 1 --to 9 --start 1 -o q.csv
[ "$(head -n 1 q.csv)" = 's,"q[1,1]",y' ] || wrong "header: $(head -n 1 q.csv)"

# ends before the end: what there is is written
ends 1 continue s.mo --over p --from -1 --to 1 --natural -o n.csv
says 'turns back near p = 0.384900179'
[ "$(wc -l <n.csv)" -gt 50 ] || wrong 'n.csv is short'
cat >edge.mo <<'EOF'
model Edge
  parameter Real p = 1;
  Real x(start = 1);
equation
  x + sqrt(x) = 2 - p;
end Edge;
EOF
ends 1 continue edge.mo --over p --from 1 --to 3
says 'edge.mo:5: the curve ends at p = 2: sqrt(x) has no value'
ok continue s.mo --over p --from -1 --to 1 --max_points 5
says 'the limit of 5 points'

# wrong use, before anything is written
ends 2 continue s.mo --from 0 --to 1; says '--over is missing'
ends 2 continue s.mo --over p --to 1; says '--from is missing'
ends 2 continue s.mo --over p --from 1; says '--to is missing'
ends 2 continue s.mo --over p --from 1 --to 1; says 'both 1'
ends 2 continue s.mo --over q --from 0 --to 1 -o no.csv; says "no parameter or variable 'q'"
ends 2 continue s.mo --over x --from 0 --to 1 -o no.csv; says 'not a Real parameter'
ends 2 continue s.mo --over p --from 0 --to 1 -o no.json; says 'ends in .csv or .svg'
ends 2 continue s.mo --over p --from 0 --to 1 -o no.csv --events no.csv; says 'named twice'
ends 2 continue s.mo --over p --from 0 --to 1 --size 9x9; says '-o FILE.svg'
ends 2 continue s.mo --over p --from 0 --to 1 -q -v; says 'not both'
ends 2 continue s.mo --over p --from 0 --to 1 --h_max 0; says 'must be positive'
ends 2 continue --over p --from 0 --to 1
printf 'model E\n  parameter Real p = 1;\nend E;\n' >e.mo
ends 3 continue e.mo --over p --from 0 --to 1 -o no.csv; says 'no equations'
printf 'model R\n  parameter Real p = 1;\n  Real x;\nequation\n  der(x) = p;\nend R;\n' >r.mo
ends 3 continue r.mo --over p --from 0 --to 1 -o no.csv
says 'r.mo:5: the model cannot rest'
printf 'model N\n  parameter Real p = 1;\n  Real x;\nequation\n  der(x) = x^2 + p;\nend N;\n' >n.mo
ends 1 continue n.mo --over p --from 1 --to 2 -o no.csv
says 'no solution at rest was found with p = 1'
absent no.csv
absent no.json
exit "$failed"
