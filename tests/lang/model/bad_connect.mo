connector Pin
  Real v;
  flow Real i;
end Pin;
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model M
  Pin p;
  Flange f;
end M;
model BadConnect
  M a, b;
  Real x;
equation
  connect(a.p, b.f); // expect error: 'a.p' and 'b.f' cannot be connected: they are not of one kind
  connect(a, b.p); // expect error at 18:11: 'a' is no connector
  connect(a.q, b.p); // expect error at 19:11: 'a' has no component 'q'
  connect(c.p, b.p); // expect error at 20:11: connector 'c' is not declared
  if x > 1 then
    connect(a.p, b.p); // expect error: 'connect' cannot stand in an initial section or in an if whose condition changes
  end if;
end BadConnect;
