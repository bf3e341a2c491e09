/* The three examples of [EK07, 3]: a vehicle that clips a corner, an arm that leaves
 * its workspace, bumper cars.  Prints the rates of Table I. */
#include "check.h"
#include "plain_methods.h"

#include "papers/esposito.h"

#include <math.h>
#include <string.h>

typedef struct bench {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} bench;

static void open_sim(bench *b, const char *method, const char *locator, double rtol,
                     long gate, brink_keep keep)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.rtol = rtol;
  opt.gate = gate;
  opt.keep = keep;
  opt.max_steps = 100000;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 1e-3;
  assert_non_null(b->model);
  if (brink_sim_new(b->ctx, b->model, &opt, &b->sim) < 0)
    print_error("%s\n", brink_ctx_error(b->ctx)->text);
  assert_non_null(b->sim);
}

static bench open_ctx(void)
{
  bench b = {0};

  check_status(brink_ctx_new(NULL, &b.ctx), BRINK_OK);
  return b;
}

static void close_all(bench *b)
{
  brink_sim_free(b->sim);
  brink_model_free(b->model);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
}

static double uniform(void *seed) { return rand_01(seed); }

/* ------------------------------------------------------------- vehicle --- */

static void the_closed_form_knows_the_collisions(void **state)
{
  uint64_t seed = 0xc0111de;

  (void)state;
  for (int i = 0; i < ESPOSITO_STARTS; i++) {
    const esposito_start *s = &esposito_starts[i];
    esposito_start c = esposito_collision(s->x0, s->y0);
    check_near(c.t, s->t, 1e-14);
    check_near(c.t_exit, s->t_exit, 1e-14);
  }
  assert_true(isnan(esposito_collision(0.01, 0.08).t)); /* passes above the wall */
  for (int i = 0; i < 1000; i++) {
    esposito_start s = esposito_start_random(uniform, &seed);
    check_in(hypot(s.x0, s.y0), 0, 0.05);
    assert_true(s.t < s.t_exit);
  }
}

/* How many starts collide while the condition is true; the worst time in *worst. */
static int collisions(const char *method, const char *locator, double rtol,
                      double *worst)
{
  bench b = open_ctx();
  int found = 0;

  *worst = 0;
  b.model = esposito_vehicle_new(b.ctx);
  open_sim(&b, method, locator, rtol, 1, BRINK_KEEP_NOTHING);
  for (int i = 0; i < ESPOSITO_STARTS; i++) {
    const esposito_start *s = &esposito_starts[i];
    const double y0[] = {s->x0, s->y0, -0.2};
    check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
    brink_status rc = brink_sim_run(b.sim, 3.2);
    double t = brink_sim_time(b.sim);
    assert_true(rc == BRINK_TERMINATED || rc == BRINK_END);
    if (rc == BRINK_END)
      continue;
    found += t < s->t_exit + 1e-3;
    *worst = fmax(*worst, fabs(t - s->t));
  }
  close_all(&b);
  return found;
}

static void the_vehicle_collides_from_every_start(void **state)
{
  static const char *const locators[] = {"isolate", "extrapolate", "extra-state"};
  double worst;

  (void)state;
  EACH_PLAIN_METHOD (m) {
    if (strcmp(brink_method_name(m), "rk4") == 0)
      continue; /* knows no tolerance */
    for (int l = 0; l < 3; l++)
      for (int fine = 0; fine < 2; fine++) {
        int n =
            collisions(brink_method_name(m), locators[l], fine ? 1e-10 : 1e-4, &worst);
        if (n != ESPOSITO_STARTS || worst > (fine ? 1e-8 : 1e-3))
          print_error("%s, %s: %d of %d, off by %g\n", brink_method_name(m),
                      locators[l], n, ESPOSITO_STARTS, worst);
        assert_int_equal(n, ESPOSITO_STARTS);
        check_in(worst, 0, fine ? 1e-8 : 1e-3);
      }
  }
}

static void looking_at_the_ends_of_steps_misses_collisions(void **state)
{
  double worst;
  int missed = 0;

  (void)state;
  EACH_PLAIN_METHOD (m) {
    if (strcmp(brink_method_name(m), "rk4") == 0)
      continue;
    int n = collisions(brink_method_name(m), "endpoint", 1e-4, &worst);
    print_message("endpoint, %s: %d of %d collisions found\n", brink_method_name(m), n,
                  ESPOSITO_STARTS);
    missed += ESPOSITO_STARTS - n;
  }
  assert_true(missed > 0);
}

/* ------------------------------------------------------- slow approach --- */

/* a turn whose distance 1.3 x - 0.7 y to a wall is read step by step */
static int turning(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = cos(0.3 * t);
  f[1] = sin(0.3 * t);
  return 0;
}

static double wall(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return 1.3 * y[0] - 0.7 * y[1] - 1.1;
}

typedef struct ladder {
  double g[256];
  int n;
} ladder;

static int rung(const brink_step *step, double from, double to, int mode, void *user)
{
  ladder *l = user;
  double y[2];

  (void)from, (void)mode;
  brink_step_at(step, to, y);
  if (l->n < 256)
    l->g[l->n++] = wall(0, y, 0, NULL);
  return 0;
}

/* [EK07, (13), (14)]: g_k = gamma^k g_0 along the prediction, whose error is the step's
 */
static void approach_with_gain(double gain, brink_side side)
{
  const brink_guard_def g = {.name = "wall", .fn = wall, .degree = 1};
  const brink_event_def e = {
      .name = "wall", .dir = BRINK_UP, .side = side, .terminal = 1};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = turning,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  const double y0[] = {0.11, 0.07};
  ladder l = {0};
  bench b = open_ctx();
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "dopri5";
  opt.locator = "extrapolate";
  opt.rtol = 1e-8;
  opt.gain = gain;
  opt.eps_g = 1e-9;
  check_status(brink_model_new(b.ctx, &def, &b.model), BRINK_OK);
  check_status(brink_sim_new(b.ctx, b.model, &opt, &b.sim), BRINK_OK);
  brink_sim_observe(b.sim, &(brink_observer){.on_step = rung, .user = &l});
  check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
  check_status(brink_sim_run(b.sim, 5), BRINK_TERMINATED);

  int rungs = 0;
  for (int i = 1; i < l.n && l.g[i] < -1e-7; i++)
    if (fabs(l.g[i] / l.g[i - 1] - gain) < 1e-3)
      rungs++;
    else
      assert_int_equal(rungs, 0); /* once it has begun, every step */
  check_in(rungs, 0.5 * log(1e-7) / log(gain), 100);
  /* 1.3 (0.11 + sin(0.3 t)/0.3) - 0.7 (0.07 + (1 - cos(0.3 t))/0.3) = 1.1 */
  double t = brink_sim_time(b.sim);
  check_near(1.3 * (0.11 + sin(0.3 * t) / 0.3) -
                 0.7 * (0.07 + (1 - cos(0.3 * t)) / 0.3),
             1.1, 1e-7);
  close_all(&b);
}

static void a_gain_makes_every_step_cover_its_part_of_the_way(void **state)
{
  (void)state;
  approach_with_gain(0.5, BRINK_BEFORE);
  approach_with_gain(0.5, BRINK_AFTER);
  approach_with_gain(0.3, BRINK_BEFORE);
}

/* ----------------------------------------------------------------- arm --- */

typedef struct outcome {
  brink_status status;
  double t, theta_error; /* the worst up to 0.99 t*                           */
  long counted;          /* outside_evals of the run                          */
  esposito_calls calls;  /* of f itself                                       */
  int event;
} outcome;

typedef struct watch {
  const esposito_line *line;
  esposito_law law;
  double worst;
  double t, theta[2]; /* tracking: the exact angles at the end of the last step */
} watch;

/* theta of [EK07, (25), (26)] for the point at time t */
static void angles_at(const esposito_line *line, double t, double theta[2])
{
  double p[2];

  for (int a = 0; a < 2; a++)
    p[a] = line->p0[a] + line->v[a] * t;
  esposito_ik(p, theta);
}

/* theta' = K (ik(p) - theta) from t to t + h: the exponential, and the integral of
 * K e^(-K (t + h - s)) ik(p(s)) by Gauss's formula with five points */
static void track_piece(watch *w, double h)
{
  static const double at[] = {0, 0.53846931010568309104, 0.90617984593866399280};
  static const double weight[] = {0.56888888888888888889, 0.47862867049936646804,
                                  0.23692688505618908751};
  const double gain = 5;
  double sum[2] = {0}, ik[2];

  for (int i = -2; i <= 2; i++) {
    double u = (1 + (i < 0 ? -at[-i] : at[i])) / 2 * h;
    angles_at(w->line, w->t + u, ik);
    for (int a = 0; a < 2; a++)
      sum[a] += gain * h / 2 * weight[i < 0 ? -i : i] * exp(-gain * (h - u)) * ik[a];
  }
  for (int a = 0; a < 2; a++)
    w->theta[a] = exp(-gain * h) * w->theta[a] + sum[a];
  w->t += h;
}

/* The exact angles at t <= 0.99 t*: in pieces that are short against the way to the
 * end, where ik has infinite slope, and that end where the point crosses the negative
 * x-axis, where atan2 jumps. */
static void track_to(watch *w, double t)
{
  const esposito_line *l = w->line;
  double cross = -l->p0[1] / l->v[1];

  if (!(cross > 0 && l->p0[0] + l->v[0] * cross < 0))
    cross = HUGE_VAL;
  while (w->t < t) {
    double h = fmin(0.01, 0.05 * (l->t_star - w->t)), left = t - w->t;
    if (w->t < cross)
      left = fmin(left, cross - w->t);
    track_piece(w, fmin(left, h));
  }
}

static int judge(const brink_step *step, double from, double to, int mode, void *user)
{
  watch *w = user;
  double y[4], th[2];

  (void)from, (void)mode;
  double t = step->t0 + to * step->h;
  if (t > 0.99 * w->line->t_star)
    return 0;
  brink_step_at(step, to, y);
  angles_at(w->line, t, th);
  if (w->law == ESPOSITO_TRACK) {
    track_to(w, t);
    memcpy(th, w->theta, sizeof th);
  }
  for (int a = 0; a < 2; a++) {
    double d = y[2 + a] - th[a];
    if (w->law == ESPOSITO_RATE) /* atan2 jumps, theta1 does not */
      d = remainder(d, 2 * acos(-1));
    w->worst = fmax(w->worst, fabs(d));
  }
  return 0;
}

static outcome reach(esposito_law law, const esposito_line *line, const char *method,
                     const char *locator, double rtol, long gate)
{
  bench b = open_ctx();
  outcome out = {.event = -1};
  watch w = {.line = line, .law = law};
  double y0[4] = {line->p0[0], line->p0[1]};

  b.model = esposito_arm_new(b.ctx, law, &out.calls);
  open_sim(&b, method, locator, rtol, gate, BRINK_KEEP_EVENTS);
  brink_sim_observe(b.sim, &(brink_observer){.on_step = judge, .user = &w});
  esposito_ik(line->p0, y0 + 2);
  if (law == ESPOSITO_TRACK) {
    y0[2] += 0.2;
    y0[3] -= 0.3;
    memcpy(w.theta, y0 + 2, sizeof w.theta);
  }
  check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
  check_status(brink_sim_set_p(b.sim, 0, line->v[0]), BRINK_OK);
  check_status(brink_sim_set_p(b.sim, 1, line->v[1]), BRINK_OK);
  out.status = brink_sim_run(b.sim, 10);
  if (out.status < 0 && gate)
    print_error("%s\n", brink_sim_error(b.sim)->text);
  out.t = brink_sim_time(b.sim);
  out.counted = brink_sim_statistics(b.sim).work.outside_evals;
  out.theta_error = w.worst;
  if (brink_trace_events(brink_sim_trace(b.sim)) == 1)
    out.event = brink_trace_event(brink_sim_trace(b.sim), 0).index;
  close_all(&b);
  return out;
}

static int is_listed(const char *method)
{
  for (int m = 0; brink_method_name(m); m++)
    if (strcmp(brink_method_name(m), method) == 0)
      return 1;
  return 0;
}

static void the_arm_stops_at_the_edge(esposito_law law, const esposito_line *line,
                                      double *worst)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams"};
  static const char *const locators[] = {"isolate", "extrapolate", "extra-state"};

  for (int m = 0; m < 3; m++)
    for (int l = 0; l < 3; l++) {
      if (!is_listed(methods[m]))
        continue;
      outcome out = reach(law, line, methods[m], locators[l], 1e-10, 1);
      int good = out.status == BRINK_TERMINATED && out.event == line->inner &&
                 fabs(out.t - line->t_star) <= 1e-8 && out.counted == 0 &&
                 out.calls.outside == 0 && out.theta_error <= 1e-7;
      *worst = fmax(*worst, out.theta_error);
      if (!good)
        print_error(
            "law %d, %s, %s, p0 = (%.17g, %.17g), v = (%.17g, %.17g): status %d, "
            "event %d, t off by %g, %ld outside, theta off by %g\n",
            (int)law, methods[m], locators[l], line->p0[0], line->p0[1], line->v[0],
            line->v[1], (int)out.status, out.event, out.t - line->t_star,
            out.calls.outside, out.theta_error);
      assert_true(good);
    }
}

/* [chosen] lines with times at 28 digits */
static const esposito_line given[] = {
    {{0.6, 0.5}, {0.4, 0.2}, 1.6301651610693425, 0},
    {{1.2, 0.1}, {-0.5, 0.0}, 1.4202041028867288, 1},
};

static void the_arm_stops_at_the_edge_of_its_workspace(void **state)
{
  uint64_t seed = 0x5eed06a5;

  (void)state;
  for (int law = ESPOSITO_RATE; law <= ESPOSITO_TRACK; law++) {
    double worst = 0;
    for (int i = 0; i < 2; i++)
      the_arm_stops_at_the_edge((esposito_law)law, &given[i], &worst);
    for (int i = 0; i < 100; i++) {
      esposito_line line = esposito_line_random(i % 2, uniform, &seed);
      the_arm_stops_at_the_edge((esposito_law)law, &line, &worst);
    }
    print_message("%s: theta within %.1e until 0.99 t*\n",
                  law == ESPOSITO_RATE ? "resolved rate" : "tracking", worst);
  }
}

/* theta of the tracking law at the event, from the reference data */
static void the_tracking_arm_is_where_it_should_be(void **state)
{
  static const double at_event[2][2] = {
      {0.38098229345412236508, 0.6544099453634337497},
      {-0.15361873127549344396, 2.7133317690885851006}};

  (void)state;
  for (int i = 0; i < 2; i++) {
    esposito_calls calls = {0};
    bench b = open_ctx();
    double y0[4] = {given[i].p0[0], given[i].p0[1]};
    b.model = esposito_arm_new(b.ctx, ESPOSITO_TRACK, &calls);
    open_sim(&b, "dop853", "isolate", 1e-10, 1, BRINK_KEEP_EVENTS);
    esposito_ik(given[i].p0, y0 + 2);
    y0[2] += 0.2;
    y0[3] -= 0.3;
    check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
    check_status(brink_sim_set_p(b.sim, 0, given[i].v[0]), BRINK_OK);
    check_status(brink_sim_set_p(b.sim, 1, given[i].v[1]), BRINK_OK);
    check_status(brink_sim_run(b.sim, 10), BRINK_TERMINATED);
    for (int a = 0; a < 2; a++)
      check_near(brink_sim_state(b.sim)[2 + a], at_event[i][a], 1e-8);
    close_all(&b);
  }
}

/* As [EK07, 3.2] says: interpolation needs a point on the other side, and there is
 * none. */
static void without_the_gate_interpolation_fails(void **state)
{
  uint64_t seed = 0x0edd06a5;
  int died = 0, n = 0, called = 0;

  (void)state;
  for (int law = ESPOSITO_RATE; law <= ESPOSITO_TRACK; law++)
    for (int i = 0; i < 50; i++) {
      esposito_line line = esposito_line_random(i % 2, uniform, &seed);
      outcome out = reach((esposito_law)law, &line, "dopri5", "isolate", 1e-4, 0);
      called += out.calls.outside > 0;
      assert_int_equal(out.counted, out.calls.outside);
      died += out.status < 0;
      n++;
    }
  print_message(
      "isolate without the gate: %d of %d lines died, %d with f called outside\n", died,
      n, called);
  assert_int_equal(called, n);
  assert_int_equal(died, n);
}

/* ---------------------------------------------------------------- cars --- */

static void bumps_in_order(const char *method, const char *locator,
                           const esposito_car *cars, const esposito_bump *want, int n,
                           double tol)
{
  bench b = open_ctx();
  double y0[3 * ESPOSITO_CARS], worst = 0;

  b.model = esposito_cars_new(b.ctx, cars);
  open_sim(&b, method, locator, 1e-12, 1, BRINK_KEEP_EVENTS);
  esposito_cars_start(cars, y0);
  check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
  check_status(brink_sim_run(b.sim, want[n - 1].t + 1e-6), BRINK_END);
  const brink_trace *trace = brink_sim_trace(b.sim);
  assert_int_equal(brink_trace_events(trace), n);
  for (int k = 0; k < n; k++) {
    brink_event e = brink_trace_event(trace, (size_t)k);
    esposito_bump got = esposito_bump_of(e.t, e.index);
    assert_int_equal(got.i, want[k].i);
    assert_int_equal(got.j, want[k].j);
    assert_int_equal(got.wall, want[k].wall);
    worst = fmax(worst, fabs(got.t - want[k].t));
  }
  print_message("%s, %s: %d bumps, worst %.2g\n", method, locator, n, worst);
  check_in(worst, 0, tol);
  close_all(&b);
}

static void the_cars_bump_in_order(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams"};
  static const char *const locators[] = {"isolate", "extrapolate", "extra-state"};

  (void)state;
  for (int m = 0; m < 3; m++)
    for (int l = 0; l < 3; l++) {
      if (!is_listed(methods[m]))
        continue;
      bumps_in_order(methods[m], locators[l], esposito_straight,
                     esposito_straight_bumps, ESPOSITO_STRAIGHT_BUMPS, 1e-8);
      bumps_in_order(methods[m], locators[l], esposito_turning, esposito_turning_bumps,
                     ESPOSITO_TURNING_BUMPS, 1e-9);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_closed_form_knows_the_collisions),
      cmocka_unit_test(the_vehicle_collides_from_every_start),
      cmocka_unit_test(looking_at_the_ends_of_steps_misses_collisions),
      cmocka_unit_test(a_gain_makes_every_step_cover_its_part_of_the_way),
      cmocka_unit_test(the_arm_stops_at_the_edge_of_its_workspace),
      cmocka_unit_test(the_tracking_arm_is_where_it_should_be),
      cmocka_unit_test(without_the_gate_interpolation_fails),
      cmocka_unit_test(the_cars_bump_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
