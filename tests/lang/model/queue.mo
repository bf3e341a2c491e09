// expect: ok
// a loop as long as a queue: turns that would leave the array cannot be made
function enter
  input Real q[:, :];
  input Integer n;
  input Real new[size(q, 1)];
  output Real r[size(q, 1), size(q, 2)];
  output Integer m;
algorithm
  r := q;
  for i in 1:n loop
    r[:, i + 1] := q[:, i];
  end for;
  r[:, 1] := new;
  m := n + 1;
end enter;
function rounds
  input Real eps;
  output Integer n = 0;
protected
  Real x = 1;
algorithm
  while x > eps loop
    x := x/2;
    n := n + 1;
  end while;
end rounds;
model Queue
  parameter Real eps = 1e-30;
  discrete Real q[2, 4](each start = 0, each fixed = true);
  Integer n(start = 0, fixed = true), k = rounds(eps);
  Real oldest[2] = q[:, max(n, 1)];
equation
  when sample(0.1, 0.1) then
    (q, n) = enter(pre(q), pre(n), {time, 10*time});
  end when;
end Queue;
// stop 0.6
// expect k(0) = 100
// expect oldest[1](0.05) = 0
// expect oldest[2](0.35) = 1 +- 1e-12
// expect q[1,2](0.35) = 0.2 +- 1e-12
// expect fails: assertion not 4 <= pre(n) (line 11) fails: pre(n) = 4 at t = 0.5: a subscript is out of range
