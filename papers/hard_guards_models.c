/* hard_guards_models.c -- the twenty hard guards: texts and answers.
 *
 * Where nothing else is said x(t) = 0.213 + (t - 0.37) + 0.3 (sin 1.7 t - sin(1.7
 * 0.37)), which rises and is no polynomial; the event where x = a is the solution of
 * that equation, to 19 digits.
 */
#include "papers/hard_guards.h"

#include <math.h>

/* s makes each event change the flow, so that steps end there. */
#define COUNTERS                                                                       \
  "  Real s(start = 0, fixed = true);\n"                                               \
  "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"                \
  "equation\n"                                                                         \
  "  der(s) = n + k;\n"

#define X_RISES                                                                        \
  "  Real x(start = 0.213, fixed = true);\n" COUNTERS                                  \
  "  der(x) = 1 + 0.51*cos(1.7*time);\n"

#define WHEN(condition, counter)                                                       \
  "  when " condition " then\n"                                                        \
  "    " counter " = pre(" counter ") + 1;\n"                                          \
  "  end when;\n"

#define NO_SECOND "  k = 0;\n"

/* clang-format off */
const hard_guard hard_guards[HARD_GUARDS] = {
  {.name = "touch",
   .what = "(x - a)^2 (2 + sin x): touches zero; and (x - b)^2 + 1e-9: does not",
   .text = "model Touch\n" X_RISES
     WHEN("(x - 1.7391)^2*(2 + sin(x)) <= 0", "n")
     WHEN("(x - 2.3)^2 + 1e-9 < 0", "k")
     "end Touch;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {2.26972534918728415}, .n = 1, .repeats = 1,
   .touch = 1, .rate = 0.6, .counts = {0, 0}},

  {.name = "triple",
   .what = "(x - a - 0.001)^3 behind x - a: a triple zero just behind a plain one",
   .text = "model Triple\n" X_RISES
     WHEN("x > 1.3172", "n")
     WHEN("(x - 1.3182)^3 > 0", "k")
     "end Triple;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {1.471554210934616682, 1.47324775341647578}, .n = 2,
   .repeats = 1, .rate = 0.59, .counts = {1, 1}},

  {.name = "pair",
   .what = "(x - a)(x - a - 2e-7): below zero for a moment",
   .text = "model Pair\n" X_RISES
     WHEN("(x - 1.7391)*(x - 1.7391002) < 0", "n")
     WHEN("(x - 1.7391)*(x - 1.7391002) > 0", "k")
     "end Pair;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {2.26972534918728415, 2.269725674098866419}, .n = 2,
   .repeats = 1, .rate = 0.61, .counts = {1, 1}},

  {.name = "cluster",
   .what = "(x - a)(x - a - 1e-5)(x - a - 3e-5)(x - a - 6e-5): four zeros",
   .text = "model Cluster\n" X_RISES
     "  when {(x - 1.7391)*(x - 1.73911)*(x - 1.73913)*(x - 1.73916) > 0,\n"
     "        (x - 1.7391)*(x - 1.73911)*(x - 1.73913)*(x - 1.73916) < 0} then\n"
     "    n = pre(n) + 1;\n"
     "  end when;\n" NO_SECOND
     "end Cluster;\n",
   .t0 = 0.37, .t1 = 3.9,
   .times = {2.26972534918728415, 2.269741594646713062, 2.269774084832818001,
             2.269822818280142391},
   .n = 4, .repeats = 1, .rate = 0.61, .counts = {4, 0}},

  {.name = "steep",
   .what = "tanh(1e6 (x - a)) - 0.3: a step of a millionth",
   .text = "model Steep\n" X_RISES
     WHEN("tanh(1e6*(x - 1.7391)) > 0.3", "n") NO_SECOND
     "end Steep;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {2.269725852019764476}, .n = 1, .repeats = 1,
   .rate = 0.61, .counts = {1, 0}},

  {.name = "flat",
   .what = "(x - a - 0.03)^7 behind x - a, which puts x back: never reached",
   .text = "model Flat\n" X_RISES
     "  when x > 1.6173 then\n"
     "    n = pre(n) + 1;\n"
     "    reinit(x, 0.1);\n"
     "  end when;\n"
     WHEN("(x - 1.6473)^7 > 0", "k")
     "end Flat;\n",
   .t0 = 0.37, .t1 = 3.2, .times = {2.053479156155954153}, .n = 1, .repeats = 1,
   .rate = 0.52, .counts = {1, 0}},

  {.name = "rounding",
   .what = "(x - a)^3 multiplied out: its sign is noise near a",
   .text = "model Rounding\n" X_RISES
     WHEN("x^3 - 3*1.7391*x^2 + 3*1.7391^2*x - 1.7391^3 > 0", "n") NO_SECOND
     "end Rounding;\n",
   /* the sum of four terms up to 16 is known to 1e-13: |x - a| < 5e-5 */
   .t0 = 0.37, .t1 = 3.9, .times = {2.26972534918728415}, .n = 1, .repeats = 1,
   .rate = 0.61, .band = 1e-4, .counts = {1, 0}},

  {.name = "peak",
   .what = "exp(-((x - a)/0.001)^2) - 1/2: above zero for 0.0025",
   .text = "model Peak\n" X_RISES
     WHEN("exp(-((x - 1.23456)/1e-3)^2) > 0.5", "n")
     WHEN("exp(-((x - 1.23456)/1e-3)^2) < 0.5", "k")
     "end Peak;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {1.338765245312039257, 1.341255534173554281}, .n = 2,
   .repeats = 1, .rate = 0.66, .counts = {1, 1}},

  {.name = "kink",
   .what = "max(3 (x - a), 0.2 (x - a)) and 0.0043 - abs(x - b): bent at and near the zero",
   .text = "model Kink\n" X_RISES
     WHEN("noEvent(max(3*(x - 1.1093), 0.2*(x - 1.1093))) > 0", "n")
     WHEN("noEvent(abs(x - 1.8217)) < 0.0043", "k")
     "end Kink;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {1.168305022657639542, 2.389764230099319359}, .n = 2,
   .repeats = 1, .rate = 0.15, .counts = {1, 1}},

  {.name = "boolean",
   .what = "x > a and y < b or x > c and y > d: other changes of the four do nothing",
   .text = "model Boolean_\n"
     "  Real y(start = 0.93, fixed = true), z(start = 0, fixed = true);\n" X_RISES
     "  der(y) = z;\n"
     "  der(z) = -5.29*y;\n"
     WHEN("x > 1.3172 and y < 0.4 or x > 2.1 and y > 0.61", "n") NO_SECOND
     "end Boolean_;\n",
   .t0 = 0.37, .t1 = 3.9,
   .times = {1.471554210934616682, 2.732836502866052769, 3.591465110305723736}, .n = 3,
   .repeats = 1, .rate = 0.59, .counts = {3, 0}},

  {.name = "graze",
   .what = "y - a, y = 0.93 cos 2.3 t: 0.0003 beyond its turning point, falling only",
   .text = "model Graze\n"
     "  Real y(start = 0.93, fixed = true), z(start = 0, fixed = true);\n"
     COUNTERS
     "  der(y) = z;\n"
     "  der(z) = -5.29*y;\n"
     WHEN("y < -0.9297", "n") NO_SECOND
     "end Graze;\n",
   .t0 = 0.37, .t1 = 9.3, .times = {1.724866063192961242}, .n = 1,
   .period = 2.731819698773733251, .repeats = 3, .rate = 0.058, .counts = {3, 0}},

  {.name = "loop",
   .what = "u - a with u + sin(u)/2 + w = x, w = cos(u w)/5: behind an algebraic loop",
   .text = "model Loop\n"
     "  Real u(start = 0.1), w(start = 0.2);\n" X_RISES
     "  u + 0.5*sin(u) + w = x;\n"
     "  w = 0.2*cos(u*w);\n"
     WHEN("u > 1.2345", "n") NO_SECOND
     "end Loop;\n",
   .t0 = 0.37, .t1 = 3.9, .times = {2.503572795286730149}, .n = 1, .repeats = 1,
   .rate = 0.6, .counts = {1, 0}},

  {.name = "clock",
   .what = "sin(time^2) - 0.97: time alone, ever faster",
   .text = "model Clock\n" X_RISES
     WHEN("sin(time^2) > 0.97", "n") NO_SECOND
     "end Clock;\n",
   .t0 = 0.37, .t1 = 4.7,
   .times = {1.151186696100856011, 2.758335751220143086, 3.727143869458056963,
             4.491635195651842343},
   .n = 4, .repeats = 1, .rate = 0.5, .counts = {4, 0}},

  {.name = "dense",
   .what = "sin(97.3 x) - 0.1, x = t + 0.713: some zeros in every step",
   .text = "model Dense\n"
     "  Real x(start = 0, fixed = true);\n"
     COUNTERS
     "  der(x) = 1;\n"
     WHEN("sin(97.3*x) > 0.1", "n") NO_SECOND
     "end Dense;\n",
   .t0 = -0.713, .t1 = 0.5, .times = {0.001029469898885506643 - 0.713}, .n = 1,
   .period = 0.06457538856299677777, .repeats = 19, .rate = 97, .counts = {19, 0}},

  {.name = "scales",
   .what = "a relay that switches at 1.07e-9 and 2.03e-9, beside a state of 1e9",
   .text = "model Scales\n"
     "  Real a(start = 1.07e-9, fixed = true, nominal = 1e-9), b(start = 1e9, fixed = true);\n"
     "  Boolean on(start = true, fixed = true);\n"
     COUNTERS
     "  on = if pre(on) then a < 2.03e-9 else a <= 1.07e-9;\n"
     "  der(a) = (if on then 2.9e-9 else 0) - 0.731*a;\n"
     "  der(b) = -0.1*b;\n"
     WHEN("not on", "n")
     WHEN("on", "k")
     "end Scales;\n",
   .t0 = 0.37, .t1 = 6.5, .times = {0.9206245560596057142, 1.796653481613478709}, .n = 2,
   .period = 1.426653481613478709, .repeats = 4, .rate = 0.38, .counts = {4, 4}},

  {.name = "start",
   .what = "h of a ball thrown from the floor: zero at the start and after each bounce",
   .text = "model Start\n"
     "  Real h(start = 0, fixed = true), v(start = 4.321, fixed = true);\n"
     COUNTERS
     "  der(h) = v;\n"
     "  der(v) = -9.81;\n"
     "  when h <= 0 then\n"
     "    n = pre(n) + 1;\n"
     "    reinit(v, -0.8*pre(v));\n"
     "  end when;\n" NO_SECOND
     "end Start;\n",
   .t0 = 0.37, .t1 = 2.7,
   .times = {1.250937818552497452, 1.955688073394495413, 2.519488277268093782}, .n = 3,
   .repeats = 1, .rate = 1, .counts = {3, 0}},

  {.name = "together",
   .what = "x - a and y - b at one instant, which is a known time, too",
   .text = "model Together\n"
     "  Real x(start = 0.5, fixed = true), y(start = 0.75, fixed = true);\n"
     "  discrete Real at(start = 0, fixed = true);\n" COUNTERS
     "  der(x) = 1;\n"
     "  der(y) = 2;\n"
     WHEN("x >= 1.5", "n")
     WHEN("y >= 2.75", "k")
     "  when time >= 1.37 then\n"
     "    at = time;\n"
     "  end when;\n"
     "end Together;\n",
   .t0 = 0.37, .t1 = 2.9, .times = {1.37, 1.37, 1.37}, .n = 3, .repeats = 1, .rate = 1,
   .counts = {1, 1}},

  {.name = "stop",
   .what = "x - a, at the stop time",
   .text = "model Stop\n"
     "  Real x(start = 0.213, fixed = true);\n"
     COUNTERS
     "  der(x) = 1.9;\n"
     WHEN("x >= 4.279", "n") NO_SECOND
     "end Stop;\n",
   .t0 = 0.37, .t1 = 2.51, .times = {2.51}, .n = 1, .repeats = 1, .rate = 1,
   .counts = {1, 0}},

  {.name = "index3",
   .what = "x - a on a circle x^2 + y^2 = 1.69 with the force of a rod: index 3",
   .text = "model Index3\n"
     "  Real x(start = 1.197379292203750608, fixed = true), y(start = 0.5), f(start = 4);\n"
     COUNTERS
     "initial equation\n"
     "  der(y) = 2.1*x;\n"
     "equation\n"
     "  der(der(x)) = -f*x;\n"
     "  der(der(y)) = -f*y;\n"
     "  x^2 + y^2 = 1.69;\n"
     WHEN("x < 0.37", "n") NO_SECOND
     "end Index3;\n",
   .t0 = 0.37, .t1 = 5.9, .times = {0.7900910148507210543}, .n = 1,
   .period = 2.991993003418850703, .repeats = 2, .rate = 1.5, .counts = {2, 0}},

  {.name = "singular",
   .what = "x - a with x' = 1 + sqrt(a - x): no equation beyond it",
   .text = "model Singular\n"
     "  Real x(start = 0.213, fixed = true);\n"
     COUNTERS
     "  der(x) = 1 + sqrt(1.37 - x);\n"
     "  when x >= 1.37 then\n"
     "    n = pre(n) + 1;\n"
     "    reinit(x, 0.213);\n"
     "  end when;\n" NO_SECOND
     "end Singular;\n",
   /* x' = 1 there; the root that ends costs the methods an order, hence half of it */
   .t0 = 0.37, .t1 = 2.9, .times = {1.060740241160663303}, .n = 1,
   .period = 0.6907402411606633027, .repeats = 3, .rate = 0.5, .counts = {3, 0}},
};
/* clang-format on */
