// expect: ok
model Old
  annotation (Coordsys(extent=[-100, -100; 100, 100], grid=[2, 2], component=[20, 20]),
    Window(x=0.4, y=0.4, width=0.6, height=0.6), Icon(Rectangle(extent=[-80, 80; 80, -80],
    style(color=0, fillPattern=1)), Text(extent=[-100, 100; 100, -100], string="%name")));
  Real x annotation (extent=[-60, 20; -40, 40]);
equation
  x = time;
  annotation (Diagram);
end Old;
