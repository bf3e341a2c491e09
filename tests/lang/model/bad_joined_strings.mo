// Strings are joined one by one, not with an array of them
model BadJoinedStrings
  parameter String l[2] = {"a", "b"};
  parameter String s = "x" + l; // expect error at 4:24: '+' cannot join a String and a String array of size [2]
end BadJoinedStrings;
