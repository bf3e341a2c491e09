connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin p;
equation
  p.v = 1;
end Part;
model BadSlices
  Part a[3], b[3];
equation
  connect(a[1:2].p, b.p); // expect error at 13:3: 2 and 3 connectors cannot be connected one by one
  connect(a[4].p, b[1].p); // expect error at 14:13: subscript 4 is out of range: the size is 3
  connect(a[1, 2].p, b[1].p); // expect error at 15:11: 'a' has 1 subscripts too many
end BadSlices;
