#!/bin/sh
# files.sh BRINK WORK SOURCE -- what the command writes: CSV, JSON, events, statistics,
# tables; full disks, unwritable files, signals.
BRINK=$1 WORK=$2 SOURCE=$3
. "$SOURCE/tests/cli/lib.sh"
cd "$WORK"

# names that need care, Booleans, enumeration-free
cat >names.mo <<'EOF'
model Names
  Real x[2, 2](each start = 0.1, each fixed = true);
  Real 'a "b"' = 3*x[1, 2];
  Boolean late = time > 0.5;
  Integer n(start = 0, fixed = true);
equation
  for i in 1:2 loop
    for j in 1:2 loop
      der(x[i, j]) = -i*x[i, j]/j;
    end for;
  end for;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1, Interval = 0.125));
end Names;
EOF
ok run names.mo -o t.csv -o t.json --events ev.csv --stats st.json --quiet
[ ! -s out ] && [ ! -s err ] || wrong "--quiet speaks: $(cat out err)"
head -n 1 t.csv >head
grep -qF 'time,"x[1,1]","x[1,2]","x[2,1]","x[2,2]","a ""b""",late,n' head || wrong "header: $(cat head)"
json t.json
json st.json
# JSON and CSV hold the same numbers, as written
awk '/^\[/ { gsub(/[][ ]/, ""); sub(/,$/, ""); print }' t.json | grep -v '^$' >from_json
awk 'NR > 1' t.csv >from_csv
cmp -s from_json from_csv || wrong "JSON and CSV differ: $(diff from_json from_csv | head -n 4)"
# 9 grid times, of which .25 .5 .75 1 are events: two rows each (0.5: both at once)
[ "$(rows t.csv)" -eq 13 ] || wrong "$(rows t.csv) rows, not 13"
awk -F, 'NR > 1 { print $1 }' t.csv | tr '\n' ' ' >times
[ "$(cat times)" = '0 0.125 0.25 0.25 0.375 0.5 0.5 0.625 0.75 0.75 0.875 1 1 ' ] || wrong "times: $(cat times)"
awk -F, '$1 == "0.25" { print $NF }' t.csv | tr '\n' ' ' >n
[ "$(cat n)" = '0 1 ' ] || wrong "n before and after: $(cat n)"
[ "$(tail -n 1 t.csv | awk -F, '{ print $(NF - 1), $NF }')" = '1 4' ] || wrong "last row: $(tail -n 1 t.csv)"

# events
[ "$(head -n 1 ev.csv)" = 'time,instant,event,kind,class,side,mode_before,mode_after,located_by,certificate,g,rate_before,rate_after' ] ||
  wrong "events header: $(head -n 1 ev.csv)"
awk -F, 'NR > 1 { if ($1 + 0 < t) exit 1; t = $1 + 0 }' ev.csv || wrong "events are not in order"
grep -q '^0.5,0,.*,time,' ev.csv || wrong "no time event at 0.5: $(cat ev.csv)"
for key in steps rejected f_evals outside_evals jets g_evals jac_evals lu events time_events \
  event_iterations zeno_points sliding_entries restarts projections impulses \
  wall_seconds method locator certificate; do
  grep -q "\"$key\": " st.json || wrong "no $key in the statistics"
done
grep -q '"moved_starts": 0,$' st.json && grep -q '"moved": \[\]$' st.json ||
  wrong "start values moved: $(cat st.json)"
grep -q '"time_events": [1-9]' st.json || wrong "no time events were counted"

# grids: by points, by interval, by default; independent of tolerance and method
ok run bouncing_ball --stop 0.2 --points 7 -o p.csv
[ "$(rows p.csv)" -eq 7 ] || wrong "$(rows p.csv) rows, not 7"
ok run bouncing_ball --stop 0.2 --interval 0.03 -o i.csv
[ "$(rows i.csv)" -eq 8 ] || wrong "$(rows i.csv) rows, not 8"
[ "$(tail -n 1 i.csv | cut -d, -f1)" = 0.2 ] || wrong "the last row is not the stop time"
ok run bouncing_ball --stop 0.2 -o d.csv
[ "$(rows d.csv)" -eq 501 ] || wrong "$(rows d.csv) rows, not 501"
ok run bouncing_ball --stop 0.2 --rtol 1e-3 --method bs23 -o e.csv
cut -d, -f1 d.csv >d.t
cut -d, -f1 e.csv >e.t
cmp -s d.t e.t || wrong "the grid depends on the method"
ok run bouncing_ball --stop 0.2 -o -
cmp -s out d.csv || wrong "standard output is not the file"
ok run bouncing_ball --stop 0.2 -o d2.csv
cmp -s d.csv d2.csv || wrong "two runs differ"

# looking at a run does not change it
ok run c21_rlc_diode --events alone.csv --quiet
ok run c21_rlc_diode --events watched.csv -o w.csv --points 5000
cmp -s alone.csv watched.csv || wrong "the events depend on the output"

# terminate: status 0, the last row is there
ok run corridor_vehicle -o v.csv
tail -n 1 v.csv | grep -q '^2.04729' || wrong "terminate: $(tail -n 1 v.csv)"
ok run corridor_vehicle
prints 'touches a wall'

# tables
for model in c21_ball_event thermostat ramp_metering; do
  ok run $model
  awk 'length($0) > 100 { print; exit 1 }' out || wrong "the table of $model is too wide"
  ! grep -q ' $' out || wrong "blanks at the end of a line of the table of $model"
done
prints 'uWanted'
ok run thermostat --verbose --all-relations 0 -o th.csv
prints '(8 more)'

# --verbose lists relations that change without effect too; the trajectory and what is
# counted stay the same
ok run thermostat --verbose -o th_all.csv --events th_all.ev.csv --stats th_all.st.json
prints '(37 more)'
cmp th.csv th_all.csv || wrong "--verbose changes the trajectory"
ok run thermostat -q -o th.csv --events th.ev.csv --stats th.st.json
[ "$(rows th.ev.csv)" -eq 28 ] || wrong "$(rows th.ev.csv) events"
[ "$(rows th_all.ev.csv)" -eq 57 ] || wrong "$(rows th_all.ev.csv) events and relations"
grep -v ',crossing,,' th_all.ev.csv | cmp - th.ev.csv || wrong "--verbose changes events"
grep -q '"events": 28,' th_all.st.json || wrong "silent relations are counted"
ok run thermostat -o th.csv
[ ! -s out ] || wrong "a table beside -o: $(cat out)"
ok run thermostat --verbose -o -
head -n 1 out | grep -q '^time,' || wrong "the table is in the trajectory"
# files on standard output are alone there
ok run thermostat --events -
[ "$(head -n 1 out)" = 'time,instant,event,kind,class,side,mode_before,mode_after,located_by,certificate,g,rate_before,rate_after' ] ||
  wrong "events on standard output: $(head -n 1 out)"
awk -F, 'NF != 13 { exit 1 }' out || wrong "something else between the events: $(tail -n 3 out)"
says 'events (0 at known times)'
ok run thermostat --stats -
json out
says 'at t = 2'

# when terminal() acts at the end: a row more; warnings of the model are told, each once
cat >terminal.mo <<'EOF'
model Terminal
  Real x(start = 1, fixed = true);
  Integer n(start = 2, fixed = true);
equation
  der(x) = -0.75*x;
  when terminal() then
    n = pre(n) + 5;
  end when;
  assert(x > 0.6, "x is small", AssertionLevel.warning);
  annotation(experiment(StopTime = 1.3, Interval = 0.1));
end Terminal;
EOF
ok run terminal.mo -o terminal.csv
says 'terminal.mo:9: warning: t = 0.681100832: x is small'
[ "$(wc -l <err)" -eq 1 ] || wrong "more than one warning: $(cat err)"
tail -n 2 terminal.csv | awk -F, '{ print $1, $3 }' | tr '\n' ' ' >last
[ "$(cat last)" = '1.3 2 1.3 7 ' ] || wrong "terminal: $(tail -n 2 terminal.csv)"
[ "$(rows terminal.csv)" -eq 15 ] || wrong "$(rows terminal.csv) rows, not 15"
ok run terminal.mo -o terminal.csv --quiet
[ ! -s err ] || wrong "--quiet warns: $(cat err)"

ok run thermostat --locate bisection
says 'only sampled by the locator'

# a guard that cannot be enclosed is named, once; one behind a loop is proved
cat >late.mo <<'EOF'
model Late
  Real x(start = 0, fixed = true), z, u(start = 0.1);
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(x) = 1;
  z = delay(x, 0.5);
  u + 0.3*sin(u) = x;
  when z > 0.7 then
    n = pre(n) + 1;
  end when;
  when {u > 0.7, z > 0.8} then
    k = pre(k) + 1;
  end when;
end Late;
EOF
ok run late.mo --stop 2 -q
[ ! -s err ] || wrong "--quiet warns: $(cat err)"
ok run late.mo --stop 2
says "late.mo:8: warning: the guard of 'z > 0.7 (line 8)' was only sampled"
[ "$(wc -l <err)" -eq 1 ] || wrong "more than one warning: $(cat err)"
sed 's/z > 0.7/u > 0.4/; s/z > 0.8/u > 0.9/' late.mo >loop.mo
ok run loop.mo --stop 2
[ ! -s err ] || wrong "a guard behind a loop is warned about: $(cat err)"
[ "$(grep -c proved out)" -eq 3 ] || wrong "$(cat out)"

# work inside the equations: a nonlinear loop, a guard that is expanded; none of it
# where there is none
cat >work.mo <<'EOF'
model Work
  Real x(start = 1, fixed = true), z(start = 1);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -z;
  z + exp(z) = 2 + x;
  when sin(3*x) < 0.1 then
    n = pre(n) + 1;
  end when;
end Work;
EOF
ok run work.mo --stats w.st.json --quiet
for key in jets jac_evals lu; do
  grep -q "\"$key\": [1-9]" w.st.json || wrong "no $key: $(cat w.st.json)"
done
grep -q '"zeno_points": 0' w.st.json || wrong "Zeno points in a run without"
ok run thermostat --stats w.st.json --quiet
for key in jets jac_evals lu; do
  grep -q "\"$key\": 0," w.st.json || wrong "$key in a model without: $(cat w.st.json)"
done

# a run past the point where its events accumulate
ok run bouncing_ball --stop 5 -o z.csv -o z.json --events z.ev.csv --stats z.st.json
grep -q '"zeno_points": 1,' z.st.json || wrong "no Zeno point: $(cat z.st.json)"
grep -q '"zeno": "continue",' z.st.json || wrong "another policy: $(cat z.st.json)"

# settings of the model hold, the command line overrides them, the statistics tell
ok run bouncing_ball --stop 5 --zeno stop --stats z.st.json --quiet
grep -q '"zeno": "stop",' z.st.json || wrong "another policy: $(cat z.st.json)"
ends 2 run bouncing_ball --zeno never; says 'continue, stop, step, regularize or average'
cat >settled.mo <<'EOF'
model Settled
  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(__brink(zeno = "stop", method = "bs23", locate = "itp"));
end Settled;
EOF
ok run settled.mo --stop 5 --stats z.st.json --quiet
for word in '"zeno": "stop"' '"method": "bs23"' '"locator": "itp"'; do
  grep -q "$word," z.st.json || wrong "no $word: $(cat z.st.json)"
done
ok run settled.mo --stop 5 --zeno continue --method dopri5 --locate isolate --stats z.st.json --quiet
for word in '"zeno": "continue"' '"method": "dopri5"' '"locator": "isolate"'; do
  grep -q "$word," z.st.json || wrong "no $word: $(cat z.st.json)"
done
sed 's/"itp"/"itq"/' settled.mo >unsettled.mo
ends 3 run unsettled.mo; says "there is no locator 'itq'; did you mean 'itp'?"
tail -n 1 z.csv | grep -q '^5,0,0$' || wrong "no rest: $(tail -n 1 z.csv)"
json z.json
json z.st.json
[ "$(rows z.ev.csv)" -gt 30 ] || wrong "only $(rows z.ev.csv) events"
grep -q "^3.83857966929.*,zeno,,nearest,.*,converged," z.ev.csv || wrong "no Zeno point: $(tail -n 2 z.ev.csv)"
cat >dry.mo <<'EOF'
model Dry
  Real x(start = 1, fixed = true);
equation
  der(x) = -1/sqrt(x);
  annotation(experiment(StopTime = 2));
end Dry;
EOF
ends 1 run dry.mo -o dry.csv -o dry.json
says 'line 4'
json dry.json
[ "$(rows dry.csv)" -gt 100 ] || wrong "only $(rows dry.csv) rows before the end of the model"

# a limit of the user's own: status 0
ok run thermostat --max_events 3 --events m.csv
[ "$(rows m.csv)" -eq 3 ] || wrong "$(rows m.csv) events, not 3"

# disks and files
ends 1 run thermostat -o no/such/dir/a.csv --events q.csv
says 'no/such/dir/a.csv'
if [ -c /dev/full ]; then
  for what in '-o /dev/full' '--events /dev/full' '--stats /dev/full' '-o a.csv -o /dev/full'; do
    # shellcheck disable=SC2086
    ends 1 run thermostat $what
    says 'No space left'
  done
  got=0
  "$BRINK" run thermostat >/dev/full 2>err || got=$?
  [ $got -eq 1 ] && [ -s err ] || wrong "a full standard output: status $got"
  got=0
  "$BRINK" methods >/dev/full 2>err || got=$?
  [ $got -eq 1 ] && [ -s err ] || wrong "a full standard output of methods: status $got"
fi

# signals end a run with what there is
cat >long.mo <<'EOF'
model Long
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x < 0 then
    reinit(v, v);
  end when;
  annotation(experiment(StopTime = 1e9, Interval = 1));
end Long;
EOF
for signal in INT TERM HUP; do
  rm -f l.csv l.json l.ev.csv l.st.json
  "$BRINK" run long.mo -o l.csv -o l.json --events l.ev.csv --stats l.st.json 2>err &
  pid=$!
  # wait for the run to be under way
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s l.csv ] && break
    sleep 0.3
  done
  kill -s $signal $pid
  got=0
  wait $pid || got=$?
  [ $got -eq 1 ] || wrong "SIG$signal: status $got, not 1"
  says 'interrupted at t ='
  json l.st.json
  tail -n 3 l.json | grep -q '^}$' || wrong "SIG$signal: l.json is not closed: $(tail -n 3 l.json)"
  awk -F, 'NF != 3 { exit 1 }' l.csv || wrong "SIG$signal: l.csv has a broken line"
  [ "$(rows l.csv)" -gt 10 ] || wrong "SIG$signal: $(rows l.csv) rows"
done
exit $failed
