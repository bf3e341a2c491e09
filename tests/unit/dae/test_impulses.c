/* Constraints that an event brings: impulses keep momentum and charge, what they do is
 * in the record, and what they cannot do is an error. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig open_rig(const char *text, const char *method)
{
  rig r = {NULL, NULL, NULL};
  brink_sim_opts opt = brink_sim_defaults();

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  opt.method = method;
  opt.rtol = 1e-10;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 1e-2; /* it keeps to it */
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  if (brink_sim_start(r.sim, 0, 0, NULL) < 0)
    fail_msg("%s", brink_sim_error(r.sim)->text);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static double value(rig *r, const char *name)
{
  double x = nan("");

  check_status(brink_sim_get(r->sim, name, &x), BRINK_OK);
  return x;
}

/* To the end of the first instant. */
static rig after_event(const char *text, const char *method)
{
  rig r = open_rig(text, method);
  brink_status rc;

  while ((rc = brink_sim_advance(r.sim, 5)) == BRINK_OK)
    continue;
  if (rc < 0)
    fail_msg("%s", brink_sim_error(r.sim)->text);
  check_status(rc, BRINK_EVENT);
  return r;
}

/* Size of the impulse in a variable; NaN: the record has none. */
static double impulse(rig *r, const char *variable, const char *cause)
{
  const brink_trace *trace = brink_sim_trace(r->sim);

  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.kind != BRINK_KIND_IMPULSE || strcmp(e.variable, variable) != 0)
      continue;
    check_text(e.name, cause);
    return e.g;
  }
  return nan("");
}

static size_t impulses(rig *r)
{
  const brink_trace *trace = brink_sim_trace(r->sim);
  size_t n = 0;

  for (size_t k = 0; k < brink_trace_events(trace); k++)
    n += brink_trace_event(trace, k).kind == BRINK_KIND_IMPULSE;
  return n;
}

static void check_failure(const char *text, const char *const *parts)
{
  rig r = open_rig(text, "dopri5");

  check_status(brink_sim_run(r.sim, 5), BRINK_EDOMAIN);
  for (; *parts; parts++)
    check_text(brink_sim_error(r.sim)->text, *parts);
  end(&r);
}

/* ------------------------------------------------------ momentum, charge --- */

/* Two inertias in a clutch; w1 and w2 are slower and faster by friction until then. */
static const char clutch[] =
    "model Clutch\n"
    "  model Open Real dw, tau; equation tau = 0.3*dw; end Open;\n"
    "  model Locked Real dw, tau; equation\n"
    "    dw = 0;\n"
    "  end Locked;\n"
    "  Real w1(start = 3, fixed = true), w2(start = 0.5, fixed = true), tau;\n"
    "  Open open(dw = w1 - w2);\n"
    "  Locked locked(dw = w1 - w2);\n"
    "equation\n"
    "  1*der(w1) = -tau;\n"
    "  3*der(w2) = tau;\n"
    "  tau = if activeState(open) then open.tau else locked.tau;\n"
    "  initialState(open);\n"
    "  transition(open, locked, time > 1);\n"
    "end Clutch;\n";

static void inertias_that_lock_keep_their_momentum(void **state)
{
  double slip = 2.5 * exp(-0.4);

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(clutch, brink_method_name(i));
    check_near(value(&r, "w1"), 1.125, 1e-12);
    check_near(value(&r, "w2"), 1.125, 1e-12);
    check_near(impulse(&r, "w1", "locked.dw = w1 - w2 (line 8)"), -0.75 * slip, 1e-7);
    check_near(impulse(&r, "w2", "line 8"), 0.25 * slip, 1e-7);
    check_near(impulse(&r, "integral of tau", "line 8"), 0.75 * slip, 1e-7);
    assert_true(isnan(impulse(&r, "locked.dw", "")));
    assert_int_equal(brink_sim_statistics(r.sim).impulses, 1);
    check_status(brink_sim_run(r.sim, 2), BRINK_END);
    check_near(value(&r, "w1"), 1.125, 1e-12);
    assert_int_equal(brink_sim_statistics(r.sim).impulses, 1);
    assert_true(brink_sim_statistics(r.sim).projections > 0);
    end(&r);
  }
}

/* The same gear with another ratio: n w1 J1 + w2 J2 is kept. */
static void a_ratio_that_changes_keeps_the_momentum_that_belongs_to_it(void **state)
{
  static const char text[] = "model Gear\n"
                             "  Real w1(start = 3, fixed = true), w2, t1, t2;\n"
                             "  discrete Real n(start = 2, fixed = true);\n"
                             "equation\n"
                             "  1.3*der(w1) = -t1; 3.1*der(w2) = t2;\n"
                             "  t2 = n*t1;\n"
                             "  w1 = n*w2;\n"
                             "  when time > 0.7 then n = 3.5; end when;\n"
                             "end Gear;\n";
  double w2 = (3.5 * 1.3 * 3 + 3.1 * 1.5) / (3.5 * 3.5 * 1.3 + 3.1);

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    check_near(value(&r, "w2"), w2, 1e-12);
    check_near(value(&r, "w1"), 3.5 * w2, 1e-12);
    check_near(impulse(&r, "w2", "w1 = n*w2 (line 7)"), w2 - 1.5, 1e-12);
    check_near(impulse(&r, "integral of t2", "line 7"), 3.1 * (w2 - 1.5), 1e-11);
    end(&r);
  }
}

static void capacitors_that_are_joined_keep_their_charge(void **state)
{
  static const char text[] =
      "model Caps\n"
      "  model Open Real du, i = 0; end Open;\n"
      "  model Joined Real du, i; equation du = 0; end Joined;\n"
      "  Real u1(start = 5, fixed = true), u2(start = 1, fixed = true), i;\n"
      "  Open open(du = u1 - u2);\n"
      "  Joined joined(du = u1 - u2);\n"
      "equation\n"
      "  1*der(u1) = -i;\n"
      "  3*der(u2) = i;\n"
      "  i = if activeState(open) then open.i else joined.i;\n"
      "  initialState(open);\n"
      "  transition(open, joined, time > 0.37);\n"
      "end Caps;\n";

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    check_near(value(&r, "u1"), 2, 1e-12);
    check_near(value(&r, "u2"), 2, 1e-12);
    check_near(impulse(&r, "integral of i", "joined.du = u1 - u2 (line 6)"), 3, 1e-12);
    end(&r);
  }
}

/* Charges that are no multiples of the voltages: q1 as a derivative, q2 as a variable.
 */
static void a_charge_that_is_nonlinear_is_kept(void **state)
{
  static const char text[] = "model M\n"
                             "  Real u1(start = 5, fixed = true), u2, q2, i;\n"
                             "  discrete Real k(start = 1, fixed = true);\n"
                             "equation\n"
                             "  der((1 + 0.2*u1^2)*u1) = -i;\n"
                             "  der(q2) = i;\n"
                             "  q2 = 3*u2 + 0.5*u2^3;\n"
                             "  u1 = k*u2;\n"
                             "  when time > 0.37 then k = 2; end when;\n"
                             "end M;\n";

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    double u1 = value(&r, "u1"), u2 = value(&r, "u2");
    check_near(u1, 2 * u2, 1e-13);
    check_near((1 + 0.2 * u1 * u1) * u1 + 3 * u2 + 0.5 * u2 * u2 * u2, 30 + 15 + 62.5,
               1e-11);
    end(&r);
  }
}

/* ----------------------------------------------------------- mechanisms --- */

static const char string_pendulum[] =
    "model P\n"
    "  model Slack Real F = 0; end Slack;\n"
    "  model Taut Real r2, F, a = der(der(r2)); equation r2 = 1; end Taut;\n"
    "  Real x(start = 0.3, fixed = true), y(start = -0.4, fixed = true), F;\n"
    "  Real u = der(x), w = der(y);\n"
    "  Slack slack;\n"
    "  Taut taut(r2 = x^2 + y^2);\n"
    "initial equation\n"
    "  der(x) = 1.1; der(y) = 0.2;\n"
    "equation\n"
    "  der(der(x)) = -F*x;\n"
    "  der(der(y)) = -F*y - 9.81;\n"
    "  F = if activeState(slack) then slack.F else taut.F;\n"
    "  initialState(slack);\n"
    "  transition(slack, taut, x^2 + y^2 > 1);\n"
    "end P;\n";

static void a_string_that_becomes_taut_takes_the_radial_velocity(void **state)
{
  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(string_pendulum, brink_method_name(i));
    brink_event e = brink_trace_event(brink_sim_trace(r.sim), 0);
    double t = e.t, x = 0.3 + 1.1 * t, y = -0.4 + 0.2 * t - 9.81 / 2 * t * t;
    double u = 1.1, w = 0.2 - 9.81 * t, radial = x * u + y * w;
    check_near(value(&r, "x"), x, 1e-8);
    check_near(value(&r, "y"), y, 1e-8);
    check_near(hypot(value(&r, "x"), value(&r, "y")), 1, 1e-15);
    check_near(value(&r, "u"), u - radial * x, 1e-7);
    check_near(value(&r, "w"), w - radial * y, 1e-7);
    check_near(
        impulse(&r, "der(x)", "taut.r2 = x^2 + y^2 (line 7), differentiated once"),
        -radial * x, 1e-7);
    check_near(impulse(&r, "integral of F", "line 7"), radial, 1e-7);

    /* tangential: what the states of both sides have */
    x = value(&r, "x"), y = value(&r, "y");
    double before = x * w - y * u, after = x * value(&r, "w") - y * value(&r, "u");
    check_near(after, before, 1e-7);
    check_status(brink_sim_run(r.sim, 1), BRINK_END);
    check_near(hypot(value(&r, "x"), value(&r, "y")), 1, 1e-14);
    end(&r);
  }
}

/* The tangential velocity against the left limit of the same run, which has no error of
 * its own: to rounding. */
static void the_tangential_velocity_is_kept_to_rounding(void **state)
{
  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(string_pendulum, brink_method_name(i));
    brink_event e = brink_trace_event(brink_sim_trace(r.sim), 0);
    double x = value(&r, "x"), y = value(&r, "y");
    double before[4] = {nan(""), nan(""), nan(""), nan("")};
    for (size_t k = 0; k < e.n_before; k++) {
      static const char *const name[] = {"x", "y", "der(x)", "der(y)"};
      for (int q = 0; q < 4; q++)
        if (strcmp(brink_model_state_name(r.model, e.mode_before, k), name[q]) == 0)
          before[q] = e.y_before[k];
    }
    check_near(before[0], x, 1e-15);
    check_near(before[1], y, 1e-15);
    check_near(x * value(&r, "w") - y * value(&r, "u"), x * before[3] - y * before[2],
               1e-12);
    check_near(x * value(&r, "u") + y * value(&r, "w"), 0, 1e-15);
    end(&r);
  }
}

/* A mass on a rigid stop, where its velocity is lost. */
static void a_mass_stops_at_a_constraint(void **state)
{
  static const char text[] =
      "model Stop\n"
      "  model Free Real N = 0; end Free;\n"
      "  model Rest Real s, N, a = der(der(s)); equation s = 0.4; end Rest;\n"
      "  Real x(start = 1, fixed = true), N, v = der(x);\n"
      "  Free free;\n"
      "  Rest rest(s = x);\n"
      "initial equation\n"
      "  der(x) = -0.5;\n"
      "equation\n"
      "  2.5*der(der(x)) = N - 2.5*9.81;\n"
      "  N = if activeState(free) then free.N else rest.N;\n"
      "  initialState(free);\n"
      "  transition(free, rest, x < 0.4);\n"
      "end Stop;\n";

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    double speed = sqrt(0.25 + 2 * 9.81 * 0.6);
    check_near(value(&r, "v"), 0, 1e-14);
    check_near(value(&r, "x"), 0.4, 1e-15);
    check_near(impulse(&r, "integral of N", "rest.s = x (line 6), differentiated once"),
               2.5 * speed, 1e-6);
    check_near(impulse(&r, "der(x)", "line 6"), speed, 1e-6);
    check_status(brink_sim_run(r.sim, 1), BRINK_END);
    check_near(value(&r, "N"), 2.5 * 9.81, 1e-9);
    end(&r);
  }
}

/* Three bodies on a line, coupled masses: the closed form with the inverse of M. */
static void masses_that_are_coupled_share_an_impulse(void **state)
{
  static const char text[] =
      "model Line\n"
      "  Real v1(start = 1.7, fixed = true), v2(start = -0.45, fixed = true), v3, F;\n"
      "  discrete Real q(start = 0, fixed = true);\n"
      "equation\n"
      "  2.1*der(v1) + 0.4*der(v2) - 0.3*der(v3) = 1.1*F;\n"
      "  0.4*der(v1) + 1.7*der(v2) + 0.25*der(v3) = -0.6*F;\n"
      "  -0.3*der(v1) + 0.25*der(v2) + 3.3*der(v3) = 0.35*F;\n"
      "  1.1*v1 - 0.6*v2 + 0.35*v3 = q;\n"
      "  when time > 0.42 then q = 0.83; end when;\n"
      "end Line;\n";
  const double m[3][3] = {{2.1, 0.4, -0.3}, {0.4, 1.7, 0.25}, {-0.3, 0.25, 3.3}};
  const double c[3] = {1.1, -0.6, 0.35};
  double inv[3][3], det = 0, x[3], along = 0;

  (void)state;
  for (int i = 0; i < 3; i++) /* the adjugate */
    for (int j = 0; j < 3; j++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
      inv[j][i] = m[a][k] * m[b][l] - m[a][l] * m[b][k];
      det += i == 0 ? m[0][j] * inv[j][0] : 0;
    }
  for (int i = 0; i < 3; i++) {
    x[i] = 0;
    for (int j = 0; j < 3; j++)
      x[i] += inv[i][j] * c[j] / det;
    along += c[i] * x[i];
  }
  double v[3] = {1.7, -0.45, -(1.1 * 1.7 + 0.6 * 0.45) / 0.35};
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    check_near(value(&r, "v1"), v[0] + x[0] * 0.83 / along, 1e-13);
    check_near(value(&r, "v2"), v[1] + x[1] * 0.83 / along, 1e-13);
    check_near(value(&r, "v3"), v[2] + x[2] * 0.83 / along, 1e-13);
    check_near(impulse(&r, "integral of F", "line 8"), 0.83 / along, 1e-13);
    end(&r);
  }
}

/* -------------------------------------------------------- no impulse --- */

/* Drift along a constraint is none, nor is what a locator leaves. */
static void drift_is_no_impulse(void **state)
{
  static const char text[] =
      "model M\n"
      "  Real x(start = 0.6, fixed = true), y(start = -0.5), F;\n"
      "  Real vx(start = 0, fixed = true), vy;\n"
      "  discrete Real k(start = 0.1, fixed = true);\n"
      "equation\n"
      "  der(x) = vx; der(y) = vy;\n"
      "  der(vx) = -F*x - k*vx;\n"
      "  der(vy) = -F*y - 9.81 - k*vy;\n"
      "  x^2 + y^2 = 1;\n"
      "  when x < 0.2 then k = 0.9*pre(k); end when;\n"
      "end M;\n";

  (void)state;
  for (int i = 0; brink_method_name(i); i++)
    for (int j = 0; brink_locator_name(j); j++) {
      brink_sim_opts opt = brink_sim_defaults();
      rig r = open_rig(text, brink_method_name(i));
      brink_sim_free(r.sim);
      opt.method = brink_method_name(i);
      opt.locator = brink_locator_name(j);
      opt.rtol = 1e-5;
      opt.h_max = 0.2;
      if (strcmp(opt.method, "rk4") == 0)
        opt.h0 = 1e-2;
      check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
      check_status(brink_sim_start(r.sim, 0.37, 0, NULL), BRINK_OK);
      check_status(brink_sim_run(r.sim, 6), BRINK_END);
      assert_int_equal(impulses(&r), 0);
      assert_int_equal(brink_sim_statistics(r.sim).impulses, 0);
      assert_true(brink_sim_statistics(r.sim).events > 1);
      end(&r);
    }
}

/* A clutch that locks where both turn equally fast: nothing jumps. */
static void what_fits_already_does_not_jump(void **state)
{
  char text[sizeof clutch + 100], *at;

  (void)state;
  snprintf(text, sizeof text, "%s", clutch);
  at = strstr(text, "tau = 0.3*dw;");
  memcpy(at, "tau = 2.1   ;", 13);
  at = strstr(text, "time > 1);");
  memcpy(at, "w1 < w2 );", 10);
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    assert_int_equal(impulses(&r), 0);
    check_near(value(&r, "w1"), 1.125, 1e-9);
    check_near(value(&r, "w2"), value(&r, "w1"), 1e-15);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    end(&r);
  }
}

/* -------------------------------------------------------------- reinit --- */

#define THREE                                                                          \
  "model Held\n"                                                                       \
  "  Real v1(start = 3, fixed = true), v2(start = 1, fixed = true), v3, f;\n"          \
  "equation\n"                                                                         \
  "  1.3*der(v1) = f;\n"                                                               \
  "  3.1*der(v2) = 2*f;\n"                                                             \
  "  0.7*der(v3) = -1.5*f;\n"                                                          \
  "  v1 + 2*v2 - 1.5*v3 = 0;\n"

/* One body is set, the others share what the constraint needs by their masses. */
static void what_reinit_sets_is_kept_and_impulses_move_the_rest(void **state)
{
  static const char text[] = THREE "  when time > 0.3 then reinit(v1, 1); end when;\n"
                                   "end Held;\n";
  double f = 2 / (4 / 3.1 + 2.25 / 0.7); /* v1 has become less by 2 */

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_event(text, brink_method_name(i));
    check_near(value(&r, "v1"), 1, 0);
    check_near(value(&r, "v2"), 1 + 2 * f / 3.1, 1e-13);
    check_near(value(&r, "v3"), 10 / 3. - 1.5 * f / 0.7, 1e-13);
    assert_true(isnan(impulse(&r, "v1", "")));
    check_near(impulse(&r, "v2", "v1 + 2*v2 - 1.5*v3 = 0 (line 7)"), 2 * f / 3.1,
               1e-13);
    check_near(impulse(&r, "integral of f", "line 7"), f, 1e-13);
    end(&r);
  }
}

/* Two of three: the last follows. */
static void two_that_reinit_sets_leave_the_third(void **state)
{
  static const char text[] =
      THREE "  when time > 0.3 then reinit(v1, 1); reinit(v3, -0.7); end when;\n"
            "end Held;\n";

  (void)state;
  rig r = after_event(text, "dopri5");
  check_near(value(&r, "v1"), 1, 0);
  check_near(value(&r, "v3"), -0.7, 0);
  check_near(value(&r, "v2"), (-1.5 * 0.7 - 1) / 2, 1e-15);
  end(&r);
}

static void reinits_that_contradict_a_constraint_name_both(void **state)
{
  static const char text[] = THREE "  when time > 0.3 then\n"
                                   "    reinit(v1, 1); reinit(v2, 0.2);\n"
                                   "    reinit(v3, -0.7);\n"
                                   "  end when;\n"
                                   "end Held;\n";

  (void)state;
  check_failure(text, (const char *const[]){"reinit(v", "(line ", "contradicts",
                                            "v1 + 2*v2 - 1.5*v3 = 0 (line 7)",
                                            "t = 0.3", NULL});
}

/* A variable that no momentum belongs to. */
static void a_reinit_of_what_constraints_determine_alone_is_an_error(void **state)
{
  static const char text[] = "model M\n"
                             "  Real w(start = 1), x(start = 0, fixed = true), F;\n"
                             "equation\n"
                             "  w = 2*time;\n"
                             "  der(w) + der(x) = F;\n"
                             "  der(x) = 1;\n"
                             "  when time > 0.3 then reinit(w, 5); end when;\n"
                             "end M;\n";

  (void)state;
  check_failure(text, (const char *const[]){"reinit(w, 5) (line 7)", "contradicts",
                                            "w = 2*time (line 4)", NULL});
}

/* --------------------------------------------------------- lower orders --- */

static void a_position_cannot_jump(void **state)
{
  static const char text[] =
      "model M\n"
      "  Real x(start = 0.6, fixed = true), y(start = -0.5), F;\n"
      "  Real vx(start = 0, fixed = true), vy;\n"
      "  discrete Real L(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = vx; der(y) = vy;\n"
      "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
      "  x^2 + y^2 = L^2;\n"
      "  when time > 0.5 then L = 1.2; end when;\n"
      "end M;\n";

  (void)state;
  check_failure(text, (const char *const[]){"x^2 + y^2 = L^2 (line 8)", "'y'",
                                            "no impulse", "t = 0.5", NULL});
}

/* A mode whose positions the one before does not have. */
static void a_mode_is_not_entered_elsewhere(void **state)
{
  char text[sizeof string_pendulum + 100], *at;

  (void)state;
  snprintf(text, sizeof text, "%s", string_pendulum);
  at = strstr(text, "x^2 + y^2 > 1);");
  memcpy(at, "time > 0.1   );", 15);
  check_failure(text, (const char *const[]){"(line ", "no impulse", "t = 0.1", NULL});
}

/* ------------------------------------------------------------ nonlinear --- */

/* An impulse of t1 would be one of t1^3: there is no such thing. */
static void where_impulses_say_nothing_the_closest_point_is_taken(void **state)
{
  static const char text[] = "model M\n"
                             "  Real w1(start = 3, fixed = true), w2, t1, t2;\n"
                             "  discrete Real n(start = 2, fixed = true);\n"
                             "equation\n"
                             "  1.3*der(w1) = -t1; 3.1*der(w2) = t2;\n"
                             "  t2 = t1 + 0.1*t1^3;\n"
                             "  w1 = n*w2;\n"
                             "  when time > 0.7 then n = 3.5; end when;\n"
                             "end M;\n";
  double w2 = (3.5 * 3 + 1.5) / (3.5 * 3.5 + 1);

  (void)state;
  rig r = after_event(text, "dopri5");
  check_near(value(&r, "w2"), w2, 1e-14);
  check_near(value(&r, "w1"), 3.5 * w2, 1e-14);
  check_near(impulse(&r, "w1", "closest point"), 3.5 * w2 - 3, 1e-14);
  end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inertias_that_lock_keep_their_momentum),
      cmocka_unit_test(a_ratio_that_changes_keeps_the_momentum_that_belongs_to_it),
      cmocka_unit_test(capacitors_that_are_joined_keep_their_charge),
      cmocka_unit_test(a_charge_that_is_nonlinear_is_kept),
      cmocka_unit_test(a_string_that_becomes_taut_takes_the_radial_velocity),
      cmocka_unit_test(the_tangential_velocity_is_kept_to_rounding),
      cmocka_unit_test(a_mass_stops_at_a_constraint),
      cmocka_unit_test(masses_that_are_coupled_share_an_impulse),
      cmocka_unit_test(drift_is_no_impulse),
      cmocka_unit_test(what_fits_already_does_not_jump),
      cmocka_unit_test(what_reinit_sets_is_kept_and_impulses_move_the_rest),
      cmocka_unit_test(two_that_reinit_sets_leave_the_third),
      cmocka_unit_test(reinits_that_contradict_a_constraint_name_both),
      cmocka_unit_test(a_reinit_of_what_constraints_determine_alone_is_an_error),
      cmocka_unit_test(a_position_cannot_jump),
      cmocka_unit_test(a_mode_is_not_entered_elsewhere),
      cmocka_unit_test(where_impulses_say_nothing_the_closest_point_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
