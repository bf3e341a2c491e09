/* Runs that go backward: every method, smooth stretches, what passes and what ends
 * them, and what the library tells of them. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <string.h>

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig make(const char *text, const char *method, double rtol)
{
  rig r = {NULL, NULL, NULL};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = rtol;
  opt.h0 = strcmp(method, "rk4") == 0 ? 1e-3 : 0;
  opt.keep = BRINK_KEEP_STEPS;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  return r;
}

static rig run(const char *text, double from, double to, brink_status ends)
{
  rig r = make(text, "dopri5", 1e-9);

  check_status(brink_sim_start(r.sim, from, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, to), ends);
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

/* ---------------------------------------------------------------- smooth --- */

/* An oscillator that is driven, and a loop. */
static const char driven[] =
    "model M\n"
    "  parameter Real w = 2;\n"
    "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "  Real u(start = 0);\n"
    "equation\n"
    "  der(x) = v;\n"
    "  der(v) = -w^2*x + sin(3*time) + 0.1*u;\n"
    "  u + 0.2*u^3 = x + cos(time);\n"
    "end M;\n";

/* An implicit law and arrays. */
static const char implicit[] =
    "model M\n"
    "  Real z[3](start = {0.3, -0.2, 0.9}, each fixed = true);\n"
    "  Real q(start = 0.2);\n"
    "equation\n"
    "  q^3 + q = z[1] + 0.5*sin(time);\n"
    "  der(z[1]) + 0.1*der(z[2]) = -q;\n"
    "  der(z[2]) = z[3] - 0.2*der(z[1]);\n"
    "  der(z[3]) = -z[2] + 0.3*q;\n"
    "end M;\n";

/* Pulses that a step of no limit would miss. */
static const char pulse[] = "model M\n"
                            "  Real x(start = 0.7, fixed = true), y(start = 0);\n"
                            "equation\n"
                            "  der(x) = -0.1*x + exp(-((time - 3.3)/1e-2)^2);\n"
                            "  y = 2*x + time;\n"
                            "end M;\n";

/* There and back again; the way back is in another simulation, from the state that the
 * first one has come to. */
static void there_and_back(const char *text, double from, double to, const char *method,
                           double tol)
{
  rig a = make(text, method, 1e-10), b = make(text, method, 1e-10);
  double first[8], last[8];

  check_status(brink_sim_start(a.sim, from, 0, NULL), BRINK_OK);
  size_t n = brink_sim_n(a.sim);
  memcpy(first, brink_sim_state(a.sim), n * sizeof *first);
  check_status(brink_sim_run(a.sim, to), BRINK_END);
  memcpy(last, brink_sim_state(a.sim), n * sizeof *last);
  check_status(brink_sim_start(b.sim, to, 0, last), BRINK_OK);
  check_near(brink_sim_time(b.sim), to, 0);
  check_status(brink_sim_run(b.sim, from), BRINK_END);
  check_near(brink_sim_time(b.sim), from, 0);
  for (size_t i = 0; i < n; i++)
    check_near(brink_sim_state(b.sim)[i], first[i], tol);

  /* dense output: both ways give the same values in between */
  for (double part = 0.13; part < 1; part += 0.21) {
    double t = from + part * (to - from), y1[8], y2[8];
    check_status(brink_trace_at(brink_sim_trace(a.sim), t, BRINK_RIGHT, y1, NULL, NULL),
                 BRINK_OK);
    check_status(brink_trace_at(brink_sim_trace(b.sim), t, BRINK_RIGHT, y2, NULL, NULL),
                 BRINK_OK);
    for (size_t i = 0; i < n; i++)
      check_near(y2[i], y1[i], 10 * tol);
  }
  end(&a);
  end(&b);
}

static void every_method_comes_back(void **state)
{
  (void)state;
  for (int k = 0; brink_method_name(k); k++) {
    const char *method = brink_method_name(k);
    there_and_back(driven, 0.37, 3.1, method, 2e-7);
    there_and_back(implicit, -1.3, 2.9, method, 2e-7);
    if (!brink_method_fixed_step(k))
      there_and_back(pulse, 0.11, 7.9, method, 2e-7);
  }
}

/* A pendulum of index 3 that is let go at t0: both ways are the same. */
static void a_system_of_high_index_goes_back(void **state)
{
  (void)state;
  static const char text[] =
      "model Pendulum\n"
      "  Real x(start = 6, fixed = true), y(start = 8), lambda;\n"
      "  Real u(start = 0, fixed = true);\n"
      "equation\n"
      "  u = der(x);\n"
      "  der(u) + lambda*x = 0;\n"
      "  der(der(y)) + lambda*y = 9.8;\n"
      "  x^2 + y^2 = 100;\n"
      "end Pendulum;\n";
  for (int k = 0; brink_method_name(k); k++) {
    rig r = make(text, brink_method_name(k), 1e-10);
    double x[2], lambda[2];
    for (int way = 0; way < 2; way++) {
      check_status(brink_sim_start(r.sim, 0.7, 0, NULL), BRINK_OK);
      check_status(brink_sim_run(r.sim, way ? -1.6 : 3), BRINK_END);
      x[way] = value(&r, "x");
      lambda[way] = value(&r, "lambda");
      check_near(x[way] * x[way] + value(&r, "y") * value(&r, "y"), 100, 1e-9);
    }
    check_near(x[1], x[0], 1e-6);
    check_near(lambda[1], lambda[0], 1e-6);
    end(&r);
  }
}

/* x' = cos(time), exactly, and the derivatives of the last step. */
static void it_is_told_in_time(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  Real x(start = 0.3, fixed = true);\n"
                             "equation\n"
                             "  der(x) = cos(time);\n"
                             "end M;\n";
  rig r = run(text, 2.3, -1.9, BRINK_END);
  const brink_trace *trace = brink_sim_trace(r.sim);
  double t = 2.3, y;

  check_near(value(&r, "x"), 0.3 + sin(-1.9) - sin(2.3), 1e-8);
  for (size_t k = 0; k < brink_trace_steps(trace); k++) {
    brink_step s = brink_trace_step(trace, k);
    check_near(s.t0, t, 0);
    assert_true(s.h < 0 && s.t1 < s.t0);
    t = s.t1;
  }
  check_near(t, -1.9, 0);
  double now = -1.9 + 1e-3;
  check_status(brink_sim_at(r.sim, now, 0, &y), BRINK_OK);
  check_near(y, 0.3 + sin(now) - sin(2.3), 1e-8);
  check_status(brink_sim_at(r.sim, now, 1, &y), BRINK_OK);
  check_near(y, cos(now), 1e-5);
  end(&r);
}

static void pieces_clones_and_snapshots_go_on(void **state)
{
  (void)state;
  rig r = make(driven, "adams", 1e-9);
  brink_sim *copy;
  brink_snapshot *there;

  check_status(brink_sim_start(r.sim, 3, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_near(brink_sim_time(r.sim), 2, 0);
  check_status(brink_sim_clone(r.ctx, r.sim, &copy), BRINK_OK);
  check_status(brink_sim_save(r.sim, &there), BRINK_OK);
  check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
  check_status(brink_sim_run(copy, 0.5), BRINK_END);
  double x = value(&r, "x");
  check_near(brink_sim_state(copy)[0], x, 0);
  check_status(brink_sim_restore(r.sim, there), BRINK_OK);
  check_near(brink_sim_time(r.sim), 2, 0);
  check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
  check_near(value(&r, "x"), x, 0);

  /* it does not turn round, but a new start goes either way */
  check_status(brink_sim_run(r.sim, 0.7), BRINK_EARG);
  check_text(brink_sim_error(r.sim)->text, "does not turn round");
  check_status(brink_sim_start(r.sim, 0.37, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 3.1), BRINK_END);
  check_status(brink_sim_run(r.sim, 3), BRINK_EARG);
  brink_sim_free(copy);
  brink_snapshot_free(there);
  end(&r);
}

/* ---------------------------------------------------------------- events --- */

static void ends_at(const char *text, double from, double to, double t,
                    const char *sentence)
{
  rig r = run(text, from, to, BRINK_IRREVERSIBLE);

  check_near(brink_sim_time(r.sim), t, 1e-8);
  check_text(brink_sim_error(r.sim)->text, sentence);
  check_near(brink_sim_error(r.sim)->t, t, 1e-8);
  check_status(brink_sim_run(r.sim, to), BRINK_IRREVERSIBLE); /* and stays there */
  end(&r);
}

#define MODEL(parts, equations)                                                        \
  "model M\n  Real x(start = 1, fixed = true);\n" parts "equation\n" equations         \
  "end M;\n"

static void what_acts_ends_the_run(void **state)
{
  (void)state;
  double at = 1.3 - log(2); /* x = exp(1.3 - t) is 2 */

  /* a law, going into it; and its other side */
  ends_at(MODEL("", "  der(x) = if x > 2 then -3 else -x;\n"), 1.3, -1, at,
          "the run ends at t = 0.60685282: what 'x > 2 (line 4)' does");
  ends_at(MODEL("", "  der(x) = -x*(if time >= 0.6 then 1 else 2);\n"), 1.3, -1, 0.6,
          "time >= 0.6 (line 4)");
  ends_at(MODEL("", "  der(x) = -abs(x - 2) - 1;\n"), 1.3, -1, at,
          "abs(x - 2) (line 4)");
  /* a when fires forward there, or would fire going back; whatever it does */
  ends_at(MODEL("", "  der(x) = -x;\n  when x < 2 then reinit(x, 1.9); end when;\n"),
          1.3, -1, at, "x < 2 (line 5)");
  ends_at(MODEL("", "  der(x) = -x;\n  when x > 2 then reinit(x, 1.9); end when;\n"),
          1.3, -1, at, "x > 2 (line 5)");
  ends_at(MODEL("  discrete Integer n(start = 0);\n",
                "  der(x) = -x;\n  when x < 2 then n = pre(n) + 1; end when;\n"),
          1.3, -1, at, "x < 2 (line 6)");
  ends_at(MODEL("  discrete Integer n(start = 0);\n  Boolean b = x < 2;\n",
                "  der(x) = -x;\n  when b then n = pre(n) + 1; end when;\n"),
          1.3, -1, at, "x < 2 (line 4)");
  ends_at(MODEL("  discrete Integer n(start = 0);\n",
                "  der(x) = -x;\n  when time > 0.7 then n = pre(n) + 1; end when;\n"),
          1.3, -1, 0.7, "time > 0.7 (line 6)");
  ends_at(
      MODEL(
          "  discrete Integer n(start = 0);\n",
          "  der(x) = -x;\n  when sample(0.1, 0.23) then n = pre(n) + 1; end when;\n"),
      1.3, -1, 0.1 + 5 * 0.23, "sample(0.1, 0.23) (line 6)");
  ends_at(MODEL("", "  der(x) = floor(2*time);\n"), 1.3, -1, 1,
          "floor(2*time) (line 4)");
}

/* A ball on its floor, a relay on its switch, a reflected path on its bound: forward
 * they are held there, and several pasts lead to that. */
static void from_rest_and_sliding_there_is_no_way_back(void **state)
{
  (void)state;
  ends_at("model B\n  Real h(start = 0, fixed = true), v(start = 0, fixed = true);\n"
          "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0 then\n"
          "    reinit(v, -0.5*pre(v));\n  end when;\nend B;\n",
          3.1, 0, 3.1, "the solution rests on 'h <= 0 (line 6)' or slides along it");
  ends_at("model R\n  Real x(start = 0, fixed = true);\nequation\n"
          "  der(x) = 0.5 - 1.3*sign(x);\nend R;\n",
          3.1, 0, 3.1, "'sign(x) (line 4)' or slides along it");
  ends_at(
      "model S\n  parameter Real d[2] = {1, 0.3};\n"
      "  Real x(start = 0, min = 0, fixed = true) annotation(__brink(reflect = d));\n"
      "  Real y(start = 0, fixed = true);\n"
      "equation\n  der(x) = -1;\n  der(y) = 1;\nend S;\n",
      3.1, 0, 3.1, "the solution rests on");
}

/* Samples that have not begun, relations that nobody reads between, outputs. */
static void what_changes_outputs_only_passes(void **state)
{
  (void)state;
  rig r = run(MODEL("  Boolean b = x > 2;\n"
                    "  Real y = if time > 0.9 then 1 else 2, z = floor(3*time);\n"
                    "  discrete Real s(start = 0);\n",
                    "  der(x) = -x;\n"
                    "  when sample(2, 0.1) then s = 3; end when;\n"),
              1.3, -0.4, BRINK_END);
  const brink_trace *trace = brink_sim_trace(r.sim);
  double t = 1.3;

  check_near(value(&r, "x"), exp(1.7), 1e-7);
  check_near(value(&r, "b"), 1, 0);
  check_near(value(&r, "y"), 2, 0);
  check_near(value(&r, "z"), -2, 0);
  check_near(value(&r, "s"), 0, 0);
  size_t n = brink_trace_events(trace);
  assert_int_equal(n, 7); /* x = 2, time = 0.9, and z at 1, 2/3, 1/3, 0, -1/3 */
  for (size_t k = 0; k < n; k++) {
    brink_event e = brink_trace_event(trace, k);
    assert_true(e.t < t);
    t = e.t;
  }
  check_near(brink_trace_event(trace, 1).t, 0.9, 0);
  check_near(brink_trace_event(trace, 3).t, 1.3 - log(2), 1e-8);
  end(&r);
}

/* At the time where it starts the law before that time holds, and at the stop time
 * nothing has to be undone. */
static void both_ends_lie_on_events(void **state)
{
  (void)state;
  static const char text[] =
      MODEL("  Boolean b = time >= 1.3;\n",
            "  der(x) = if time >= 1.3 then -5 elseif time < 0.3 "
            "then 7 else -x;\n");
  rig r = run(text, 1.3, 0.3, BRINK_END);

  check_near(value(&r, "x"), exp(1), 1e-8);
  check_near(value(&r, "b"), 0, 0);
  check_near(brink_sim_time(r.sim), 0.3, 0);
  end(&r);
}

static void a_mode_is_not_left(void **state)
{
  (void)state;
  static const char text[] = "model Modes\n"
                             "  model A\n"
                             "    Real y(start = 1, fixed = true);\n"
                             "  equation\n"
                             "    der(y) = -y;\n"
                             "  end A;\n"
                             "  model B\n"
                             "    Real z(start = 1);\n"
                             "  equation\n"
                             "    der(z) = -z;\n"
                             "  end B;\n"
                             "  A a;\n"
                             "  B b;\n"
                             "equation\n"
                             "  initialState(a);\n"
                             "  transition(a, b, a.y > 3);\n"
                             "end Modes;\n";
  rig r = run(text, 0.2, -0.8, BRINK_END);

  check_near(value(&r, "a.y"), exp(1), 1e-8);
  end(&r);
  r = run(text, 0.2, -3, BRINK_IRREVERSIBLE);
  check_near(brink_sim_time(r.sim), 0.2 - log(3), 1e-8);
  check_text(brink_sim_error(r.sim)->text, "a.y > 3");
  end(&r);
}

static void what_needs_a_past_is_refused(void **state)
{
  (void)state;
  rig r = run(MODEL("", "  der(x) = -delay(x, 0.5);\n"), 1.3, 0, BRINK_EARG);

  check_text(brink_sim_error(r.sim)->text, "delay() (line 4)");
  check_near(brink_sim_time(r.sim), 1.3, 0);
  check_status(brink_sim_run(r.sim, 1.5), BRINK_END); /* forward it can */
  end(&r);
}

/* Sentences speak of time. */
static void failures_name_the_time(void **state)
{
  (void)state;
  rig r = run(MODEL("", "  der(x) = -x^2;\n"), 0.4, -3, BRINK_ESTEP);

  check_near(brink_sim_error(r.sim)->t, -0.6, 1e-3);
  check_text(brink_sim_error(r.sim)->text, "t = -0.6");
  end(&r);
  r = run("model M\n  Real y(start = 0);\nequation\n  y - y^3 = 0.2*time;\nend M;\n",
          0.3, -4, BRINK_FOLD);
  check_near(brink_sim_time(r.sim), -10 / (3 * sqrt(3)), 1e-6);
  end(&r);
}

/* -------------------------------------------------------------- callbacks --- */

static int decay(double t, const double *y, double *f, const brink_env *env)
{
  (void)env;
  f[0] = -y[0] + sin(t);
  return 0;
}

static double exact(double t, double t0, double x0)
{
  return (sin(t) - cos(t)) / 2 + (x0 - (sin(t0) - cos(t0)) / 2) * exp(t0 - t);
}

static int stays(brink_jump *jump)
{
  (void)jump;
  return 0;
}

static double never(double t, const double *y, const brink_env *env)
{
  (void)t, (void)y, (void)env;
  return HUGE_VAL;
}

/* One mode with an event at y = 2 and a timer at 0.25, 0.5, ... */
static rig callbacks(const brink_event_def *event, const brink_timer_def *timer)
{
  rig r = {NULL, NULL, NULL};
  const brink_guard_def guard = {.name = "two", .level = 2};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = decay,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = event,
                               .n_events = 1};
  const brink_model_def def = {
      .modes = &mode, .n_modes = 1, .timers = timer, .n_timers = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-9;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 1.1, 0, &(double){1}), BRINK_OK);
  return r;
}

static void models_of_callbacks_go_back_too(void **state)
{
  (void)state;
  brink_event_def event = {.name = "two", .dir = BRINK_BOTH};
  brink_timer_def timer = {.name = "tick", .at = 0.25, .every = 0.25};
  rig r = callbacks(&event, &timer);
  const brink_trace *trace = brink_sim_trace(r.sim);

  check_status(brink_sim_run(r.sim, -0.5), BRINK_END);
  check_near(brink_sim_state(r.sim)[0], exact(-0.5, 1.1, 1), 1e-7);
  assert_int_equal(brink_trace_events(trace), 5); /* 1, 0.75, 0.5, 0.25, and y = 2 */
  check_near(brink_trace_event(trace, 0).t, 1, 0);
  check_near(brink_trace_event(trace, 3).t, 0.25, 0);
  check_near(exact(brink_trace_event(trace, 4).t, 1.1, 1), 2, 1e-7);
  end(&r);

  /* jumps, and those that belong to the other direction */
  for (int k = 0; k < 3; k++) {
    event.jump = stays;
    event.dir = k == 0 ? BRINK_BOTH : k == 1 ? BRINK_UP : BRINK_DOWN;
    r = callbacks(&event, &timer);
    check_status(brink_sim_run(r.sim, -0.5), BRINK_IRREVERSIBLE);
    check_near(exact(brink_sim_time(r.sim), 1.1, 1), 2, 1e-7);
    check_text(brink_sim_error(r.sim)->text, "what 'two' does there");
    end(&r);
  }
  event.jump = NULL;
  timer.jump = stays;
  r = callbacks(&event, &timer);
  check_status(brink_sim_run(r.sim, -0.5), BRINK_IRREVERSIBLE);
  check_near(brink_sim_time(r.sim), 1, 0);
  check_text(brink_sim_error(r.sim)->text, "what 'tick' does there");
  end(&r);
  timer = (brink_timer_def){.name = "odd", .next = never};
  r = callbacks(&event, &timer);
  check_status(brink_sim_run(r.sim, -0.5), BRINK_EARG);
  check_text(brink_sim_error(r.sim)->text, "timer 'odd' computes its next time");
  end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_comes_back),
      cmocka_unit_test(a_system_of_high_index_goes_back),
      cmocka_unit_test(it_is_told_in_time),
      cmocka_unit_test(pieces_clones_and_snapshots_go_on),
      cmocka_unit_test(what_acts_ends_the_run),
      cmocka_unit_test(from_rest_and_sliding_there_is_no_way_back),
      cmocka_unit_test(what_changes_outputs_only_passes),
      cmocka_unit_test(both_ends_lie_on_events),
      cmocka_unit_test(a_mode_is_not_left),
      cmocka_unit_test(what_needs_a_past_is_refused),
      cmocka_unit_test(failures_name_the_time),
      cmocka_unit_test(models_of_callbacks_go_back_too),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
