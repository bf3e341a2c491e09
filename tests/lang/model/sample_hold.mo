// expect: ok
model SampleAndHold "Tiller: speed measured by samples"
  parameter Real sample_time(unit="s")=0.125;
  Real phi(start=0.2, fixed=true), omega;
  discrete Real omega_measured(start=0, fixed=true), last(start=0.2, fixed=true);
equation
  omega = cos(time);
  der(phi) = omega;
  when sample(0,sample_time) then
    last = phi;
    omega_measured = (phi - pre(last))/sample_time;
  end when;
end SampleAndHold;
// expect flat: sample(0.0, sample_time)
// expect flat: when sample(0, sample_time): last = phi; omega_measured = (phi - pre(last))/sample_time;
// expect flat: var last: Real discrete start = 0.2 fixed
// expect omega_measured(0.3) = 0.98183380695438 +- 1e-8
