// expect: ok
model Latin1 "café" // é
  Real x "ÿþ";
end Latin1;