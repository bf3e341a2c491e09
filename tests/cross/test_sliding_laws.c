/* test_sliding_laws.c -- solutions that slide along one or two guards, beside closed
 * forms and plain integrations in long double: when they begin to, where they go, when
 * they leave; with all methods and several locators, from texts and from C.
 */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

static const char *const locators[] = {"isolate",     "bisection", "itp",
                                       "extrapolate", "henon",     "direct"};
enum { LOCATORS = 6 };

static brink_sim_opts options(const char *method, const char *locator, double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.rtol = rtol;
  opt.h0 = strcmp(method, "rk4") == 0 ? 1e-3 : 0;
  return opt;
}

static rig load(const char *text, const brink_sim_opts *opt, double t0)
{

  return rig_text(text, opt, t0);
}

/* The i-th event of a kind; t = NaN: there are not so many. */
static brink_event nth(const rig *r, brink_kind kind, int i)
{
  const brink_trace *trace = brink_sim_trace(r->sim);

  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.kind == kind && i-- == 0)
      return e;
  }
  return (brink_event){.t = nan("")};
}

/* ---------------------------------------------------------------- relay --- */

/* x' = -k sgn(x) + a sin(w t + p), from x0 at t0. */
static const struct {
  long double k, a, w, p, x0, t0;
} relays[] = {{1.3L, 1.9L, 0.8L, 0.3L, 0.7L, 0},
              {0.47L, 0.83L, 1.31L, -0.77L, -0.219L, 2.9L},
              {2.71L, 3.3L, 2.3L, 1.1L, 0.37L, -1.73L}};

static long double relay_at(int i, long double x0, long double t0, int side,
                            long double t)
{
  long double w = relays[i].w, p = relays[i].p;

  return x0 - side * relays[i].k * (t - t0) -
         relays[i].a / w * (cosl(w * t + p) - cosl(w * t0 + p));
}

/* When the solution that leaves t0 on a side comes to 0. */
static long double relay_arrives(int i, long double x0, long double t0, int side)
{
  long double lo = t0 + 1e-6L, hi;

  while (side * relay_at(i, x0, t0, side, lo + 1e-3L) > 0)
    lo += 1e-3L;
  hi = lo + 1e-3L;
  for (int k = 0; k < 80; k++) {
    long double mid = (lo + hi) / 2;
    *(side * relay_at(i, x0, t0, side, mid) > 0 ? &lo : &hi) = mid;
  }
  return hi;
}

/* The first time after t at which |a sin(w t + p)| = k, rising; the sign of the sine.
 */
static long double relay_leaves(int i, long double t, int *sign)
{
  long double phase = asinl(relays[i].k / relays[i].a), pi = acosl(-1.0L),
              w = relays[i].w, p = relays[i].p;
  int n = (int)ceill((w * t + p - phase) / pi);

  *sign = n % 2 ? -1 : 1;
  return (n * pi + phase - p) / w;
}

static void check_relay(int i, const char *method, const char *locator)
{
  brink_sim_opts opt = options(method, locator, 1e-9);
  char text[400];
  int side = relays[i].x0 > 0 ? 1 : -1;
  long double x0 = relays[i].x0, t0 = relays[i].t0;

  snprintf(text, sizeof text,
           "model R\n  Real x(start = %.17g, fixed = true);\nequation\n"
           "  der(x) = -%.17g*sign(x) + %.17g*sin(%.17g*time + (%.17g));\nend R;\n",
           (double)relays[i].x0, (double)relays[i].k, (double)relays[i].a,
           (double)relays[i].w, (double)relays[i].p);
  rig r = load(text, &opt, (double)relays[i].t0);
  check_status(brink_sim_run(r.sim, (double)relays[i].t0 + 9), BRINK_END);
  for (int n = 0; n < 2; n++) {
    long double in = relay_arrives(i, x0, t0, side), out = relay_leaves(i, in, &side);
    if (in > t0 + 8 || out > relays[i].t0 + 9)
      break;
    brink_event e = nth(&r, BRINK_KIND_SLIDE_IN, n),
                o = nth(&r, BRINK_KIND_SLIDE_OUT, n);
    check_near(e.t, (double)in, 2e-6);
    check_near(o.t, (double)out, 4e-15 * fmax(1, fabs((double)out)));
    check_near(o.y_before[0], 0, 1e-12);
    x0 = 0;
    t0 = out;
  }
  assert_true(brink_sim_statistics(r.sim).sliding_entries > 0);
  rig_free(&r);
}

static void a_relay_slides_until_the_force_exceeds_it(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    for (int m = 0; brink_method_name(m); m++)
      check_relay(i, brink_method_name(m), "isolate");
    for (int l = 0; l < LOCATORS; l++)
      check_relay(i, "dopri5", locators[l]);
  }
}

/* ------------------------------------------------------------- friction --- */

/* x'' = -x - sgn(x') from (12, 6): half circles around -1 and 1 in turn, until a
 * turning point lies in [-1, 1]. */
static void dry_friction_stops_the_oscillator(void **state)
{
  static const char text[] = "model F\n  Real x(start = 12, fixed = true), "
                             "v(start = 6, fixed = true), force;\nequation\n"
                             "  der(x) = v;\n  der(v) = -x + force;\n"
                             "  force = -sign(v);\nend F;\n";
  brink_sim_opts opt = options("dopri5", "isolate", 1e-11);
  long double x = -1 + sqrtl(13 * 13 + 6 * 6), t = atan2l(6, 13), pi = acosl(-1.0L);

  (void)state;
  rig r = load(text, &opt, 0);
  check_status(brink_sim_run(r.sim, 40), BRINK_END);
  for (int n = 0;; n++) { /* each turn is two rows: sign(v) has two relations */
    brink_event e = nth(&r, BRINK_KIND_CROSSING, 2 * n);
    check_near(e.t, (double)t, 1e-8);
    check_near(e.y_before[0], (double)x, 1e-8);
    if (fabsl(x) <= 1)
      break;
    x = -x + (x > 0 ? 2 : -2);
    t += pi;
  }
  check_near(nth(&r, BRINK_KIND_SLIDE_IN, 0).t, (double)t, 1e-8);
  check_near(rig_value(&r, "x"), (double)x, 1e-8);
  check_near(rig_value(&r, "v"), 0, 1e-15);
  check_near(rig_value(&r, "force"), (double)x, 1e-8); /* what holds the spring */
  assert_true(isnan(nth(&r, BRINK_KIND_SLIDE_OUT, 0).t));
  rig_free(&r);
}

/* A mass on a belt of speed 1, friction 1/(1 + 3 |v - 1|): x'' = -x + F. */
static long double belt(int side, long double x, long double v)
{
  return -x - side / (1 + 3 * side * (v - 1));
}

static void belt_step(int side, long double h, long double *x, long double *v)
{
  long double a1 = belt(side, *x, *v), v2 = *v + h / 2 * a1,
              a2 = belt(side, *x + h / 2 * *v, v2), v3 = *v + h / 2 * a2,
              a3 = belt(side, *x + h / 2 * v2, v3), v4 = *v + h * a3,
              a4 = belt(side, *x + h * v3, v4), v0 = *v;

  *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  *x += h / 6 * (v0 + 2 * v2 + 2 * v3 + v4);
}

/* Slip from (x, 1), on the side of slower (-1) or faster (1), back to v = 1; the time.
 */
static long double slip(int side, long double *x)
{
  const long double h = 1e-4L;
  long double v = 1 + side * 1e-18L, t = 0, x0 = *x, v0 = v;

  for (int k = 0; k == 0 || (v - 1) * side > 0; k++) {
    x0 = *x;
    v0 = v;
    belt_step(side, h, x, &v);
    t += h;
  }
  long double lo = 0, hi = h;
  for (int k = 0; k < 80; k++) {
    long double mid = (lo + hi) / 2, xm = x0, vm = v0;
    belt_step(side, mid, &xm, &vm);
    *((vm - 1) * side > 0 ? &lo : &hi) = mid;
  }
  *x = x0;
  v = v0;
  belt_step(side, lo, x, &v);
  return t - h + lo;
}

/* The limit cycle begins where sticking ends, x = 1: slower than the belt, then, where
 * the spring is stronger than friction, faster, then sticking until x = 1 again. */
static void stick_slip_on_a_belt_has_its_limit_cycle(void **state)
{
  static const char text[] =
      "model B\n  Real x(start = 1.2, fixed = true), v(start = 0.3, fixed = true), F;\n"
      "equation\n  der(x) = v;\n  der(v) = -x + F;\n"
      "  F = (if v < 1 then 1 else -1)/(1 + 3*noEvent(abs(v - 1)));\nend B;\n";
  brink_sim_opts opt = options("dop853", "isolate", 1e-11);
  long double x = 1, t = slip(-1, &x);

  (void)state;
  if (fabsl(x) > 1)
    t += slip(1, &x);
  long double period = t + (1 - x);
  rig r = load(text, &opt, 0);
  check_status(brink_sim_run(r.sim, 60), BRINK_END);
  for (int n = 2; n < 6; n++) {
    brink_event in = nth(&r, BRINK_KIND_SLIDE_IN, n),
                out = nth(&r, BRINK_KIND_SLIDE_OUT, n),
                last = nth(&r, BRINK_KIND_SLIDE_OUT, n - 1);
    check_near(out.y_before[0], 1, 1e-8);
    check_near(in.y_before[0], (double)x, 1e-8);
    check_near(out.t - last.t, (double)period, 1e-8);
  }
  rig_free(&r);
}

/* The friction force and the normal force of a loop depend on each other. */
static void a_friction_force_in_a_loop_becomes_unknown(void **state)
{
  static const char text[] =
      "model L\n  Real x(start = 0, fixed = true), v(start = 1.3, fixed = true);\n"
      "  Real N, F, a;\nequation\n  der(x) = v;\n  der(v) = a;\n"
      "  2*a = -3*x + sin(1.7*time) - F;\n  N = 5 + 0.3*F + 0.1*a;\n"
      "  F = 0.4*N*sign(v);\nend L;\n";

  (void)state;
  for (int m = 0; m < 3; m++) {
    brink_sim_opts opt = options(m == 0   ? "dopri5"
                                 : m == 1 ? "adams"
                                          : "taylor",
                                 "isolate", 1e-9);
    rig r = load(text, &opt, 0);
    double in = 0, out = 0;
    check_status(brink_sim_run(r.sim, 1.3), BRINK_END);
    in = nth(&r, BRINK_KIND_SLIDE_IN, 0).t;
    check_in(in, 0.9, 1);
    double x = rig_value(&r, "x");
    check_near(rig_value(&r, "F"), -3 * x + sin(1.7 * 1.3), 1e-12);
    check_near(rig_value(&r, "a"), 0, 1e-12);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    out = nth(&r, BRINK_KIND_SLIDE_OUT, 0).t;
    /* at the limit a = 0 and F = -0.4 N, N = 5 + 0.3 F */
    double F = -0.4 * 5 / (1 + 0.4 * 0.3);
    check_near(-3 * x + sin(1.7 * out), F, 1e-10);
    rig_free(&r);
  }
}

/* The parallel robot with a heavier load: an arm sticks, its friction is unknown, and
 * the run, of index 3, goes on to its end; the methods agree about it. */
static void a_robot_whose_arm_sticks_goes_on(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams"};
  static const double loads[] = {9.7, 10, 20.3};

  (void)state;
  for (int i = 0; i < 3; i++) {
    double x[3];
    for (int m = 0; m < 3; m++) {
      brink_sim_opts opt = options(methods[m], "isolate", 1e-9);
      brink_load_opts load = brink_load_defaults();
      rig r;
      load.model = "ParallelRobot";
      check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
      check_status(
          brink_model_load(r.ctx, MODELS_DIR "/parallel_robot.mo", &load, &r.model),
          BRINK_OK);
      check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
      check_status(brink_sim_set(r.sim, "ml", loads[i]), BRINK_OK);
      check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
      check_status(brink_sim_run(r.sim, 3), BRINK_END);
      assert_true(brink_sim_statistics(r.sim).sliding_entries > 0);
      x[m] = rig_value(&r, "x");
      check_near(x[m], x[0], 1e-5);
      rig_free(&r);
    }
  }
}

/* ---------------------------------------------------------- ramp metering --- */

/* The freeway of models/ramp_metering.mo with a traffic light that is green or red: it
 * keeps the density at its best value x1 = 0, where the flow downstream is 1/2, until
 * the queue is empty.  The mean flow from the ramp is then 1/2 - qIn. */
static void a_traffic_light_that_slides_keeps_the_density(void **state)
{
  static const char text[] =
      "model R\n  parameter Real L = 4, qRamp = 0.03;\n"
      "  Real x1(start = -0.04, fixed = true), x2(start = 0.9, fixed = true);\n"
      "  Real rho = x1 + 1, qOut = rho*(1 - rho/2), qIn = 0.37 + 0.08*sin(0.7*time), "
      "u;\n"
      "  Boolean empty(start = false, fixed = true);\nequation\n"
      "  L*der(x1) = qIn - qOut + u;\n  der(x2) = qRamp - u;\n"
      "  u = if empty then qRamp else if x1 > 0 then 0 else 0.4;\n"
      "  when x2 <= 0 then\n    empty = true;\n  end when;\nend R;\n";

  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    brink_sim_opts opt = options(brink_method_name(m), "isolate", 1e-9);
    rig r = load(text, &opt, 0);
    check_status(brink_sim_run(r.sim, 2), BRINK_END);
    double a = 2, b = 5, x2 = rig_value(&r, "x2");
    check_near(rig_value(&r, "x1"), 0, 1e-14);
    check_near(rig_value(&r, "u"), 0.5 - 0.37 - 0.08 * sin(0.7 * a), 1e-9);
    check_status(brink_sim_run(r.sim, b), BRINK_END);
    check_near(rig_value(&r, "x2") - x2,
               (0.03 - 0.13) * (b - a) + 0.08 / 0.7 * (cos(0.7 * a) - cos(0.7 * b)),
               1e-7);
    check_status(brink_sim_run(r.sim, 14), BRINK_END);
    assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 1);
    check_near(nth(&r, BRINK_KIND_SLIDE_OUT, 0).y_before[1], 0, 1e-9); /* empty */
    rig_free(&r);
  }
}

/* ----------------------------------------------------------- two relays --- */

/* Mean signs: X = 0.6 sin t of the first, Y = 3 t/7 of the second while they slide; z'
 * = X + Y + X Y/5 by the bilinear selection. */
static void two_relays_at_once_have_bilinear_weights(void **state)
{
  static const char text[] =
      "model T\n  Real x(start = 0.3, fixed = true), y(start = 0.2, fixed = true);\n"
      "  Real z(start = 0, fixed = true);\nequation\n"
      "  der(x) = -sign(x) + 0.6*sin(time);\n  der(y) = -0.7*sign(y) + 0.3*time;\n"
      "  der(z) = sign(x) + sign(y) + 0.2*sign(x)*sign(y);\nend T;\n";

  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    brink_sim_opts opt = options(brink_method_name(m), "isolate", 1e-9);
    rig r = load(text, &opt, 0);
    check_status(brink_sim_run(r.sim, 1.1), BRINK_END);
    assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 2);
    double z = rig_value(&r, "z"), a = 1.1, b = 2.3;
    check_near(rig_value(&r, "x"), 0, 1e-14);
    check_near(rig_value(&r, "y"), 0, 1e-14);
    check_status(brink_sim_run(r.sim, b), BRINK_END);
    double want = 0.6 * (cos(a) - cos(b)) + 1.5 / 7 * (b * b - a * a) +
                  0.36 / 7 * (sin(b) - b * cos(b) - sin(a) + a * cos(a));
    check_near(rig_value(&r, "z") - z, want, 1e-7);
    check_status(brink_sim_run(r.sim, 4), BRINK_END);
    check_near(nth(&r, BRINK_KIND_SLIDE_OUT, 0).t, 7. / 3, 1e-13);
    check_near(rig_value(&r, "y"), 0.15 * (16 - 49. / 9) - 0.7 * (4 - 7. / 3), 1e-7);
    check_near(rig_value(&r, "x"), 0, 1e-14);
    rig_free(&r);
  }
}

static void three_relays_are_refused_by_name(void **state)
{
  static const char text[] =
      "model T\n  Real x[3](start = {0.3, 0.2, 0.1}, each fixed = true);\nequation\n"
      "  der(x[1]) = -sign(x[1]);\n  der(x[2]) = -sign(x[2]);\n"
      "  der(x[3]) = -sign(x[3]);\nend T;\n";
  brink_sim_opts opt = options("dopri5", "isolate", 1e-6);

  (void)state;
  rig r = load(text, &opt, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_EITERATION);
  check_near(brink_sim_time(r.sim), 0.3, 1e-9);
  for (int i = 1; i <= 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "'sign(x[%d]) (line %d)'", i, i + 3);
    check_text(brink_sim_error(r.sim)->text, name);
  }
  rig_free(&r);
}

/* ------------------------------------------------------ whens, and models in C --- */

/* A switch that whens throw, and that counts: it is thrown once, not a hundred times.
 * With hysteresis it does not slide. */
static void whens_act_once_and_hysteresis_does_not_slide(void **state)
{
  static const char text[] =
      "model W\n  parameter Real band = 0;\n  Real x(start = 0.8, fixed = true);\n"
      "  discrete Real u(start = -1.2, fixed = true);\n"
      "  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);\nequation\n"
      "  der(x) = u + 0.5*sin(2*time);\n"
      "  when x > 0.1 + band then\n    u = -1.2;\n    n = pre(n) + 1;\n"
      "  elsewhen x <= 0.1 then\n    u = 0.9;\n    n = pre(n) + 1;\n  end when;\n"
      "  when sample(0, 0.2) then\n    m = pre(m) + 1;\n  end when;\nend W;\n";
  brink_sim_opts opt = options("dopri5", "isolate", 1e-9);

  (void)state;
  rig r = load(text, &opt, 0);
  check_status(brink_sim_run(r.sim, 5.1), BRINK_END);
  check_near(rig_value(&r, "x"), 0.1, 1e-14);
  check_near(rig_value(&r, "n"), 1, 0);
  check_near(rig_value(&r, "m"), 26, 0);
  check_near(rig_value(&r, "u"), -0.5 * sin(2 * 5.1), 1e-12);
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 1);
  check_status(brink_sim_set(r.sim, "band", 0.2), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 5.1), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 0);
  check_in(rig_value(&r, "n"), 5, 40);
  rig_free(&r);
}

static int by_parameter(double t, const double *y, double *f, const brink_env *e)
{
  f[0] = e->p[0] + 0.8 * sin(1.1 * t);
  f[1] = y[0] - y[1];
  return 0;
}

static int rises(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = 0.7 + 0.8 * sin(1.1 * t);
  f[1] = y[0] - y[1];
  return 0;
}

static int falls(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -0.7 + 0.8 * sin(1.1 * t);
  f[1] = y[0] - y[1];
  return 0;
}

static double above(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] - 0.25;
}

static int throw_switch(brink_jump *j)
{
  j->p[0] = j->hit[0] > 0 ? -0.7 : 0.7;
  return 0;
}

static int other_mode(brink_jump *j)
{
  j->mode = 1 - j->mode_before;
  return 0;
}

/* Leaves at 0.8 sin(1.1 t) = -0.7: the same relay, thrown by a jump that sets a
 * parameter, and by one that chooses the mode. */
static void check_in_c(const brink_model_def *def, const char *method)
{
  const double y0[] = {0.9, 0};
  brink_sim_opts opt = options(method, "isolate", 1e-9);
  rig r;

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_new(r.ctx, def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 2.5, def->n_modes > 1 ? 1 : 0, y0), BRINK_OK);
  check_status(brink_sim_run(r.sim, 3.7), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 1);
  check_near(brink_sim_state(r.sim)[0], 0.25, 1e-12);
  check_in(brink_sim_mode(r.sim), 0, 1);
  check_status(brink_sim_run(r.sim, 7), BRINK_END);
  check_near(nth(&r, BRINK_KIND_SLIDE_OUT, 0).t, (acos(-1.) + asin(0.7 / 0.8)) / 1.1,
             1e-9);
  rig_free(&r);
}

static void relays_in_c_slide_as_those_of_texts(void **state)
{
  static const double p0[] = {-0.7};
  const brink_guard_def guard = {.name = "above", .fn = above};
  const brink_event_def events[] = {
      {.name = "switch", .guard = 0, .dir = BRINK_BOTH, .jump = throw_switch}};
  const brink_event_def up[] = {
      {.name = "up", .guard = 0, .dir = BRINK_UP, .jump = other_mode}};
  const brink_event_def down[] = {
      {.name = "down", .guard = 0, .dir = BRINK_DOWN, .jump = other_mode}};
  const brink_mode_def one = {.name = "one",
                              .n = 2,
                              .rhs = by_parameter,
                              .guards = &guard,
                              .n_guards = 1,
                              .events = events,
                              .n_events = 1};
  const brink_mode_def two[] = {{.name = "rises",
                                 .n = 2,
                                 .rhs = rises,
                                 .guards = &guard,
                                 .n_guards = 1,
                                 .events = up,
                                 .n_events = 1},
                                {.name = "falls",
                                 .n = 2,
                                 .rhs = falls,
                                 .guards = &guard,
                                 .n_guards = 1,
                                 .events = down,
                                 .n_events = 1}};
  const brink_model_def defs[] = {
      {.name = "parameter", .modes = &one, .n_modes = 1, .p = p0, .n_p = 1},
      {.name = "modes", .modes = two, .n_modes = 2}};

  (void)state;
  for (int d = 0; d < 2; d++)
    for (int m = 0; brink_method_name(m); m++)
      if (strcmp(brink_method_name(m), "taylor") != 0)
        check_in_c(&defs[d], brink_method_name(m));
}

/* Four constant laws around a corner, where a solution arrives that slides along an
 * axis from (x0, y0) at 0: it goes on with the velocity (vx, vy), whichever law the
 * live object has had and whichever switch comes first in the model. */
static const struct {
  double f[4][2]; /* x < 0, y < 0; x > 0, y < 0; x < 0, y > 0; both > 0 */
  double x0, y0, vx, vy;
  int unique;
} corners[] = {
    /* it slides on along y = 0, past the switch of x */
    {{{2.271, 3.179}, {1.046, 1.884}, {-0.764, -2.517}, {-1.788, -3.801}},
     -0.5,
     0.3,
     (3.801 * 1.046 - 1.884 * 1.788) / (3.801 + 1.884),
     0,
     1},
    {{{2.271, 3.179}, {1.046, 1.884}, {-0.764, -2.517}, {-1.788, -3.801}},
     -0.5,
     -0.3,
     (3.801 * 1.046 - 1.884 * 1.788) / (3.801 + 1.884),
     0,
     1},
    /* from x = 0, y < 0 into the quadrant beside it, and into the one across it */
    {{{1.468, -0.034}, {-1.734, 2.243}, {2.547, -0.98}, {1.797, 0.855}},
     0.337,
     -0.911,
     1.797,
     0.855,
     0},
    {{{-1.862, -1.099}, {2.453, 1.743}, {0.566, -1.219}, {-0.479, 0.179}},
     -0.04,
     0.493,
     -1.862,
     -1.099,
     0}};

static void run_into_corner(size_t i, int x_first, const char *method)
{
  const double(*f)[2] = corners[i].f;
  brink_sim_opts opt = options(method, "isolate", 1e-9);
  char text[1000], law[2][300];

  for (int j = 0; j < 2; j++)
    snprintf(law[j], sizeof law[j],
             "if %s > 0 then (if %s > 0 then %.17g else %.17g) else (if %s > 0 then "
             "%.17g else %.17g)",
             x_first ? "x" : "y", x_first ? "y" : "x", f[3][j], f[x_first ? 1 : 2][j],
             x_first ? "y" : "x", f[x_first ? 2 : 1][j], f[0][j]);
  snprintf(text, sizeof text,
           "model C\n  Real x(start = %.17g, fixed = true), y(start = %.17g, fixed = "
           "true);\nequation\n  der(x) = %s;\n  der(y) = %s;\nend C;\n",
           corners[i].x0, corners[i].y0, law[0], law[1]);
  rig r = load(text, &opt, 0);
  rig_run_to(&r, 1.6);
  double x = rig_value(&r, "x"), y = rig_value(&r, "y");
  rig_run_to(&r, 2.3);
  check_near(rig_value(&r, "x"), x + 0.7 * corners[i].vx, 1e-9);
  check_near(rig_value(&r, "y"), y + 0.7 * corners[i].vy, 1e-9);
  assert_int_equal(!rig_warns(&r, "meet"), corners[i].unique);
  rig_free(&r);
}

static void a_solution_that_slides_past_a_corner_goes_on(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
    for (int x_first = 0; x_first < 2; x_first++) {
      run_into_corner(i, x_first, "dopri5");
      run_into_corner(i, x_first, "adams");
    }
}

/* A timer moves x to -0.3, across the switch and the gate x = -0.2 at once: the switch
 * is thrown, and the gate puts x back onto 0, so that its event comes after the one of
 * the other direction.  From there on both laws lead to 0. */
static double away(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)e;
  return k == 0 ? y[0] : y[0] + 0.2;
}

static int thrown(brink_jump *j)
{
  j->p[0] = j->hit[0] > 0 ? -0.7 : 0.7;
  return 0;
}

static int put_back(brink_jump *j)
{
  j->y[0] = 0;
  return 0;
}

static int put_off(brink_jump *j)
{
  j->y[0] = -0.3;
  return 0;
}

static void a_reset_onto_the_switch_that_was_just_thrown_slides(void **state)
{
  static const double p0[] = {-0.7}, y0[] = {1.9, 0};
  const brink_guard_def guards[] = {{.name = "switch", .fn = away},
                                    {.name = "gate", .fn = away}};
  const brink_event_def events[] = {
      {.name = "up", .dir = BRINK_UP, .jump = thrown, .beyond = BRINK_FIRE},
      {.name = "down", .dir = BRINK_DOWN, .jump = thrown, .beyond = BRINK_FIRE},
      {.name = "gate",
       .guard = 1,
       .dir = BRINK_DOWN,
       .jump = put_back,
       .beyond = BRINK_FIRE}};
  const brink_mode_def mode = {.name = "one",
                               .n = 2,
                               .rhs = by_parameter,
                               .guards = guards,
                               .n_guards = 2,
                               .events = events,
                               .n_events = 3};
  const brink_timer_def timer = {.name = "off", .at = 1.2, .jump = put_off};
  const brink_model_def def = {.name = "reset",
                               .modes = &mode,
                               .n_modes = 1,
                               .timers = &timer,
                               .n_timers = 1,
                               .p = p0,
                               .n_p = 1};
  brink_sim_opts opt = options("dopri5", "isolate", 1e-9);

  (void)state;
  rig r = rig_new(&def, &opt, 0.7, 0, y0);
  rig_run_to(&r, 3.4); /* 0.8 sin(1.1 t) is above -0.7 up to 3.83 */
  check_near(brink_sim_state(r.sim)[0], 0, 1e-12);
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 1);
  rig_free(&r);
}

/* ------------------------------------------------------ copies and policies --- */

static const char moving[] =
    "model M\n  Real x(start = 0.8, fixed = true), y(start = 0.1, fixed = true), s;\n"
    "  discrete Real r(start = 0.1, fixed = true);\nequation\n"
    "  s = x - 0.2*time + 0.05*x^2;\n  der(x) = -1.5*sign(s) + r;\n"
    "  der(y) = x - y;\n"
    "  when sample(0, 0.25) then\n    r = 0.7*sin(time);\n  end when;\nend M;\n";

/* A clone and a snapshot taken while the run slides go on bit for bit, in regimes that
 * the copy has to make for itself. */
static void copies_slide_on(void **state)
{
  brink_sim_opts opt = options("dopri5", "isolate", 1e-8);
  brink_snapshot *kept;
  brink_sim *clone;

  (void)state;
  rig r = load(moving, &opt, 0);
  check_status(brink_sim_run(r.sim, 1.3), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 1);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_save(r.sim, &kept), BRINK_OK);
  check_status(brink_sim_run(r.sim, 4.7), BRINK_END);
  check_status(brink_sim_run(clone, 4.7), BRINK_END);
  double want[2] = {brink_sim_state(r.sim)[0], brink_sim_state(r.sim)[1]}, v;
  check_near(rig_value(&r, "s"), 0, 1e-14);
  assert_memory_equal(want, brink_sim_state(clone), sizeof want);
  check_status(brink_sim_get(clone, "s", &v), BRINK_OK);
  check_near(v, 0, 1e-14);
  for (int i = 0; i < 2; i++) {
    check_status(brink_sim_restore(r.sim, kept), BRINK_OK);
    check_status(brink_sim_run(r.sim, 4.7), BRINK_END);
    assert_memory_equal(want, brink_sim_state(r.sim), sizeof want);
  }
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK); /* nothing is held */
  check_status(brink_sim_run(r.sim, 0.3), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 0);
  brink_snapshot_free(kept);
  brink_sim_free(clone);
  rig_free(&r);
}

/* A value that is set while the run slides: the surface moves away, and is met again.
 */
static void values_may_be_set_while_it_slides(void **state)
{
  static const char text[] =
      "model S\n  parameter Real level = 0.1, force = 0.3;\n"
      "  Real x(start = 0.5, fixed = true);\nequation\n"
      "  der(x) = (if x > level then -1 else 1) + force;\nend S;\n";
  brink_sim_opts opt = options("dopri5", "isolate", 1e-9);

  (void)state;
  rig r = load(text, &opt, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(rig_value(&r, "x"), 0.1, 1e-14);
  check_status(brink_sim_set(r.sim, "force", -0.4), BRINK_OK); /* slides on */
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_near(rig_value(&r, "x"), 0.1, 1e-14);
  check_status(brink_sim_set(r.sim, "level", 0.2), BRINK_OK); /* 0.6 up to there */
  check_status(brink_sim_run(r.sim, 2.1), BRINK_END);
  check_near(rig_value(&r, "x"), 0.16, 1e-9);
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  check_near(rig_value(&r, "x"), 0.2, 1e-14);
  check_status(brink_sim_set(r.sim, "force", 1.5), BRINK_OK); /* too strong to slide */
  check_status(brink_sim_run(r.sim, 3.5), BRINK_END);
  check_near(rig_value(&r, "x"), 0.2 + 0.5 * 0.5, 1e-9);
  rig_free(&r);
}

static void policies_do_what_they_say(void **state)
{
  brink_sim_opts opt = options("dopri5", "isolate", 1e-8);

  (void)state;
  rig r = load(moving, &opt, 0);
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  double t = nth(&r, BRINK_KIND_SLIDE_IN, 0).t, y = rig_value(&r, "y");
  rig_free(&r);

  opt.sliding = "stop";
  r = load(moving, &opt, 0);
  check_status(brink_sim_run(r.sim, 3), BRINK_TERMINATED);
  check_near(brink_sim_time(r.sim), t, 0);
  check_text(brink_sim_error(r.sim)->text, "would slide along 'sign(s) (line 6)'");
  rig_free(&r);

  opt.sliding = "chatter";
  r = load(moving, &opt, 0);
  check_status(brink_sim_run(r.sim, 3), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "slides or chatters");
  rig_free(&r);

  opt.sliding = "regularize";
  for (double width = 1e-2; width > 5e-4; width /= 10) {
    opt.sliding_width = width;
    r = load(moving, &opt, 0);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    check_near(rig_value(&r, "y"), y, width);
    check_in(fabs(rig_value(&r, "s")), 1e-3 * width, width);
    rig_free(&r);
  }

  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  opt.sliding = "slowly";
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "m.mo", moving, strlen(moving), NULL, &model),
               BRINK_OK);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "filippov, regularize, chatter or stop");
  brink_model_free(model);
  brink_ctx_free(ctx);
}

/* A run that slides along two guards, and a clone that goes on. */
static brink_status attempt(brink_ctx *ctx)
{
  static const char text[] =
      "model T\n  Real x(start = 0.3, fixed = true), y(start = 0.2, fixed = true);\n"
      "equation\n  der(x) = -sign(x) + 0.6*sin(time);\n"
      "  der(y) = -0.7*sign(y) + 0.3*time;\nend T;\n";
  brink_model *model;
  brink_sim *sim, *clone;
  brink_status rc = brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model);

  if (rc < 0)
    return rc;
  rc = brink_sim_new(ctx, model, NULL, &sim);
  if (rc >= 0) {
    rc = brink_sim_start(sim, 0, 0, NULL);
    if (rc >= 0)
      rc = brink_sim_run(sim, 1.1);
    if (rc >= 0)
      rc = brink_sim_clone(ctx, sim, &clone);
    if (rc >= 0) {
      rc = brink_sim_run(clone, 3);
      brink_sim_free(clone);
    }
    brink_sim_free(sim);
  }
  brink_model_free(model);
  return rc;
}

static void every_allocation_may_fail(void **state)
{
  long at = 1;

  (void)state;
  for (int failed = 1; failed; at++) {
    flaky f = {.fail_at = at};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink_status rc = brink_ctx_new(&alloc, &ctx);
    if (rc >= 0) {
      rc = attempt(ctx);
      brink_ctx_free(ctx);
    }
    assert_int_equal(f.live, 0);
    failed = f.calls >= at;
    check_status(rc, failed ? BRINK_ENOMEM : BRINK_END);
  }
  print_message("%ld allocations, each failed once\n", at - 2);
}

/* ------------------------------------------------------------------ cost --- */

/* The law of sliding, written out, takes as many steps. */
static void sliding_takes_the_steps_of_the_smooth_law(void **state)
{
  static const char slides[] =
      "model S\n  Real x(start = 0.8, fixed = true), v(start = -0.4, fixed = true);\n"
      "  Real z(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = -x - 3*sign(v + 0.5*x) + sin(3*time);\n"
      "  der(z) = sign(v + 0.5*x);\nend S;\n";
  static const char smooth[] =
      "model S\n  Real x(start = 0.8, fixed = true), v(start = -0.4, fixed = true);\n"
      "  Real z(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = -0.5*v;\n"
      "  der(z) = (-x + sin(3*time) + 0.5*v)/3;\nend S;\n";
  double z[2];
  long steps[2];

  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    for (int i = 0; i < 2; i++) {
      brink_sim_opts opt = options(brink_method_name(m), "isolate", 1e-8);
      rig r = load(i ? smooth : slides, &opt, 0);
      check_status(brink_sim_run(r.sim, 20), BRINK_END);
      steps[i] = brink_sim_statistics(r.sim).work.steps;
      z[i] = rig_value(&r, "z");
      rig_free(&r);
    }
    print_message("%-8s %ld steps, of the smooth law %ld\n", brink_method_name(m),
                  steps[0], steps[1]);
    check_near(z[0], z[1], 1e-5);
    if (strcmp(brink_method_name(m), "taylor") != 0) /* dop853 slides in its place */
      assert_true((double)steps[0] <= 1.2 * (double)steps[1] + 2);
  }
}

/* A state that a relay holds at zero has no tolerance if that is relative: the rounding
 * of its rate is no error. */
static void a_state_held_at_zero_needs_no_absolute_tolerance(void **state)
{
  static const char text[] = "model R\n  Real x(start = 0.5, fixed = true);\n"
                             "  Real y(start = 1, fixed = true);\nequation\n"
                             "  der(x) = -2.3*sign(3.7*x) + 1.1*sin(time);\n"
                             "  der(y) = x - y;\nend R;\n";

  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    if (brink_method_fixed_step(m) || brink_method_missing(brink_method_name(m)))
      continue;
    double y[2];
    long steps[2];
    for (int i = 0; i < 2; i++) {
      brink_sim_opts opt = options(brink_method_name(m), "isolate", 1e-6);
      if (i == 0)
        opt.atol = 0;
      opt.max_steps = 10000;
      rig r = load(text, &opt, 0.37);
      check_status(brink_sim_run(r.sim, 10), BRINK_END);
      y[i] = rig_value(&r, "y");
      steps[i] = brink_sim_statistics(r.sim).work.steps;
      rig_free(&r);
    }
    check_near(y[0], y[1], 1e-6);
    assert_true(steps[0] <= 2 * steps[1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_relay_slides_until_the_force_exceeds_it),
      cmocka_unit_test(dry_friction_stops_the_oscillator),
      cmocka_unit_test(stick_slip_on_a_belt_has_its_limit_cycle),
      cmocka_unit_test(a_friction_force_in_a_loop_becomes_unknown),
      cmocka_unit_test(a_robot_whose_arm_sticks_goes_on),
      cmocka_unit_test(a_traffic_light_that_slides_keeps_the_density),
      cmocka_unit_test(two_relays_at_once_have_bilinear_weights),
      cmocka_unit_test(three_relays_are_refused_by_name),
      cmocka_unit_test(whens_act_once_and_hysteresis_does_not_slide),
      cmocka_unit_test(relays_in_c_slide_as_those_of_texts),
      cmocka_unit_test(a_solution_that_slides_past_a_corner_goes_on),
      cmocka_unit_test(a_reset_onto_the_switch_that_was_just_thrown_slides),
      cmocka_unit_test(copies_slide_on),
      cmocka_unit_test(values_may_be_set_while_it_slides),
      cmocka_unit_test(policies_do_what_they_say),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(sliding_takes_the_steps_of_the_smooth_law),
      cmocka_unit_test(a_state_held_at_zero_needs_no_absolute_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
