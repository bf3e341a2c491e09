#!/bin/sh
# bad.sh BRINK WORK SOURCE -- bad input: a message and status 3, no crash, no hang, no
# files.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# bad FILE TEXT: refused, at a place, with TEXT, and nothing is written
bad() {
  ends 3 run "$1" -o x.csv
  says "$1:"
  says "$2"
  absent x.csv
  ends 3 check "$1"
}

awk 'BEGIN {
  printf "model M\n  Real x = "
  for (i = 0; i < 10000; i++) printf "("
  printf "1"
  for (i = 0; i < 10000; i++) printf ")"
  print ";\nend M;"
}' >deep.mo
bad deep.mo 'levels deep'

# a line of a megabyte is long, not wrong
awk 'BEGIN {
  printf "model M\n  Real x = 0"
  for (i = 0; i < 500000; i++) printf "+1"
  print ";\nend M;"
}' >wide.mo
ok run wide.mo -o wide.csv
tail -n 1 wide.csv | grep -q '^1,500000$' || wrong "wide.mo: $(tail -n 1 wide.csv)"

printf 'model M\n  parameter Real a = b;\n  parameter Real b = a + 1;\n  Real x = a;\nend M;\n' >circle.mo
bad circle.mo 'depends on itself'
printf 'model M\n  parameter Integer n = 99999999999999999999;\nend M;\n' >overflow.mo
bad overflow.mo 'too large'
printf 'model M\n  Real x[1000000000];\nend M;\n' >huge.mo
bad huge.mo '1000000000'
head -c 20000 "$BRINK" >binary.mo
bad binary.mo 'binary.mo:1:'
: >empty.mo
bad empty.mo 'model'

# cut anywhere, a model is refused and never misread
size=$(wc -c <"$SOURCE/models/two_tanks.mo")
at=250
while [ $at -lt $((size - 20)) ]; do
  head -c $at "$SOURCE/models/two_tanks.mo" >cut.mo
  bad cut.mo 'cut.mo:'
  at=$((at + 97))
done
exit $failed
