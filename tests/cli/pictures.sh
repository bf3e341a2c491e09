#!/bin/sh
# pictures.sh BRINK WORK SOURCE -- pictures from the command: -o FILE.svg and --plot.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# curves FILE: how many there are; strokes FILE K: paths of curve K, from 1
curves() { grep -c '<g class="curve"' "$1"; }
strokes() { awk -v k="$2" '/<g class="curve"/ { n++ } n == k && /^<path d=/ { c++ } /<\/g>/ && n == k { print c; exit }' "$1"; }

ok run bouncing_ball --stop 5 -o ball.svg -o ball.csv --events ev.csv
head -n 2 ball.svg | grep -q '<svg xmlns="http://www.w3.org/2000/svg" version="1.1"' || wrong "not SVG: $(head -n 2 ball.svg)"
tail -n 1 ball.svg | grep -qx '</svg>' || wrong "the picture does not end"
[ "$(curves ball.svg)" -eq 2 ] || wrong "$(curves ball.svg) curves, not 2"
[ "$(strokes ball.svg 1)" -eq 1 ] || wrong "the height is in $(strokes ball.svg 1) pieces"
# the speed jumps at every event
events=$(rows ev.csv)
[ "$(strokes ball.svg 2)" -gt 10 ] && [ "$(strokes ball.svg 2)" -le $((events + 1)) ] ||
  wrong "the speed is in $(strokes ball.svg 2) pieces with $events events"
grep -q "× $events</text>" ball.svg || wrong "the number of events is not told"
grep -q '>auto, rtol' ball.svg || wrong "the method is not told"

# the README shows this one
words() { sed -n '/<text/s/<[^>]*>//gp' "$1"; }
words ball.svg >words && words "$SOURCE/docs/pictures/bouncing_ball.svg" | diff - words ||
  wrong "docs/pictures/bouncing_ball.svg is another picture than ball.svg"

ok run bouncing_ball -o phase.svg --plot 'v:h;h,v'
[ "$(curves phase.svg)" -eq 3 ] || wrong "$(curves phase.svg) curves, not 3"
grep -q 'class="jump"' phase.svg || wrong "no dashed jumps"

# each --plot adds its panels
ok run bouncing_ball -o two.svg --plot h --plot 'v,h;v:h'
[ "$(curves two.svg)" -eq 4 ] || wrong "$(curves two.svg) curves, not 4"

# the heading says what the model is; time is in what the model says, in seconds if it
# has units, in nothing if it has none
grep -q '>a ball that falls and bounces</text>' ball.svg || wrong "no description"
grep -q '>time \[s\]</text>' ball.svg || wrong "no seconds"
ok run thermostat -o hours.svg -o hours.json
grep -q '>time \[h\]</text>' hours.svg || wrong "no hours"
grep -q '"units": \["h", "degC"' hours.json || wrong "no hours in JSON"
ok run hires -o none.svg -o none.json --stop 1
grep -q '>time</text>' none.svg || wrong "a unit of time from nowhere"
grep -q '"units": \["", ""' none.json || wrong "a unit of time from nowhere in JSON"

# what belongs to a mode is drawn while the mode is active
ok run rotating_pendulum -o modes.svg --plot 'swing.phi;fly.x;x;fly.y:fly.x'
[ "$(strokes modes.svg 1)$(strokes modes.svg 2)$(strokes modes.svg 3)" = 211 ] ||
  wrong "strokes: $(strokes modes.svg 1) $(strokes modes.svg 2) $(strokes modes.svg 3)"
begin() { awk -v k="$2" '/<g class="curve"/ { n++ } n == k && /^<path d=/ { sub(/^<path d="M/, ""); print int($0); exit }' "$1"; }
[ "$(begin modes.svg 2)" -gt "$(begin modes.svg 3)" ] || wrong "fly.x begins before it flies"

# rows of one car and another are one kind of event
ok run bumper_cars --h_max 0 -o cars.svg
grep -q '>p\[\*\] &gt;= L - R (line 37) × [67][0-9]</text>' cars.svg || wrong "cars are not put together"

# wrong use leaves no files
rm -f ball.svg
ends 2 run bouncing_ball -o ball.svg --plot 'hh'
says "plot: there is no variable 'hh'; did you mean 'h'?"
absent ball.svg
ends 2 run bouncing_ball -o ball.svg --plot 'h;;v'
says "plot: a name is missing before ';v' in 'h;;v'"
absent ball.svg
ends 2 run bouncing_ball -o ball.csv --plot 'h'
says "--plot needs a picture: -o FILE.svg"
ends 1 run bouncing_ball -o /dev/full -o no/such/dir/ball.svg
says 'no/such/dir/ball.svg'

exit $failed
