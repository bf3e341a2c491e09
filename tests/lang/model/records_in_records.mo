// expect: ok
record Point
  Real x, y;
end Point;
record Line
  Point ends[2];
  Real width;
end Line;
record Drawing
  Line lines[2];
  Integer n;
end Drawing;
function length
  input Line l;
  output Real d = l.ends[2].x - l.ends[1].x;
end length;
model RecordsInRecords
  parameter Drawing d = Drawing({Line({Point(1, 2), Point(3, 4)}, 5),
                                 Line({Point(6, 7), Point(8, 9)}, 10)}, 2);
  constant Line edge = Line({Point(1, 0), Point(4, 0)}, 1);
  parameter Line plain(ends(x = {11, 12}, y = {13, 14}), width = 1);
  parameter Line pair[2] = {edge, Line({Point(0, 0), Point(-1, 0)}, 2)};
  Line moving = Line({Point(time, 2), Point(3, 4*time)}, 1);
  Real a = d.lines[1].ends[2].x, b = d.lines[2].ends[1].y, c = d.lines[2].width;
  Real all[2, 2] = d.lines.ends.x;
  Real sized[d.n] = fill(edge.ends[2].x, d.n);
  Real e = plain.ends[2].y, f = length(pair[2]), g = moving.ends[2].y;
end RecordsInRecords;
// expect a(0) = 3
// expect b(0) = 7
// expect c(0) = 10
// expect all[2,1](0) = 6
// expect all[1,2](0) = 3
// expect sized[2](0) = 4
// expect e(0) = 14
// expect f(0) = -1
// expect g(1) = 4 +- 1e-12
// expect moving.ends[1].x(1) = 1 +- 1e-12
