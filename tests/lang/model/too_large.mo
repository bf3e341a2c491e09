model Cell
  Real t[1000]; // expect error at 2:8: the model has more than 4000000 scalar variables
end Cell;
model Row
  Cell cell[1000];
end Row;
model Hall
  Row row[1000];
end Hall;
