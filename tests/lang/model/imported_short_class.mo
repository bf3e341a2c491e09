// expect: ok
package Plants
  constant Real rate = 0.25;
  model Leaf
    parameter Real k = rate;
  end Leaf;
  model Fast = Leaf(k = 4*rate);
end Plants;
model Garden "what an imported class says is looked up where it stands"
  import Quick = Plants.Fast;
  constant Real rate = 100;
  Quick quick;
end Garden;
// expect flat: parameter quick.k = 1.0
