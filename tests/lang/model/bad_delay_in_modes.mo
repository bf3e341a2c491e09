model Bang
  model Up
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end Up;
  model Down
    Real x;
  equation
    der(x) = -1;
  end Down;
  Up up;
  Down down;
  Real late = delay(time, 0.25); // expect error at 14:15: 'delay' in a model with modes is not supported; write the mode with if
equation
  initialState(up);
  transition(up, down, up.x > 1);
  transition(down, up, down.x < 0);
  annotation(__brink(modes = true));
end Bang;
