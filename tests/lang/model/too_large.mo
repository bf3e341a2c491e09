model Cell
  Real t[1000];
end Cell;
model Row
  Cell cell[1000];
end Row;
model Hall
  Row row[1000]; // expect error at 8:7: the model has more than 1000000 scalar variables
end Hall;
