/* a comment / * with ** stars and "quotes" */
// expect: ok — ünïcödé comment
model/* between words */M"descr"// after
  Real x;/**/
equation
  x=1;//;
end M;
