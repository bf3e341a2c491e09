model Hall
  Real x = sum(fill(1, 3000, 1000)*fill(1, 1000, 3000)); // expect error: an array would have more than 4000000 elements
end Hall;
