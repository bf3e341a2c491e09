expandable connector Bus // expect error at 1:1: an expandable connector is not supported; declare its variables one by one
  Real speed;
end Bus;
connector Port
  Real p;
  flow Real m_flow;
  stream Real h; // expect error at 7:3: a 'stream' variable is not supported; write the mixing equation out
end Port;
connector Pin
  Real v;
  flow Real i;
end Pin;
model Connectors
  Bus bus;
  Port a, b;
  Pin p, n;
  Real mixed = inStream(a.h), actual = actualStream(b.h); // expect error at 17:16: 'inStream' (stream connectors) is not supported; write the mixing equation out
  Integer many = cardinality(p); // expect error at 18:18: 'cardinality' is not supported; give the number of connections as a parameter
equation
  Connections.root(p); // expect error at 20:3: an overdetermined connection (Connections.*) is not supported; flatten the model first
  Connections.branch(p, n); // expect error at 21:3: an overdetermined connection (Connections.*) is not supported; flatten the model first
  connect(p, n);
  connect(a, b);
end Connectors;
// expect error at 17:40: 'actualStream' (stream connectors) is not supported; write the mixing equation out
