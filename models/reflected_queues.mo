// Two queues in series as a fluid model: what cannot be served because a queue is empty
// is missing in the next one.  Levels are reflected at 0 along the columns of the
// reflection matrix; the pushes level[k].L_min are the idle times of the servers.
model ReflectedQueues "two servers in series, with idle times"
  parameter Real mu[2] = {1, 0.8} "service rates";
  parameter Real R[2, 2] = [1, -1; 0, 1] "row k: direction of the push at level k";
  Real level[2](start = {0.5, 0.2}, each fixed = true, each min = 0) annotation(__brink(reflect = R));
  Real arrivals = 0.9 + 0.6*sin(time);
equation
  der(level[1]) = arrivals - mu[1];
  der(level[2]) = mu[1] - mu[2];
  annotation(experiment(StopTime = 20));
end ReflectedQueues;
