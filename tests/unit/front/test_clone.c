/* A clone, and a simulation that was taken back to a snapshot, go on as the original
 * does, bit for bit: every method, text and callbacks, machines and delays, between
 * events and right after one. */
#include "check.h"
#include "plain_methods.h"
#include "models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"

/* ------------------------------------------------------------------ record --- */

typedef struct record {
  double v[900];
  int n;
} record;

static void put(record *r, double x)
{
  if (r->n < 890)
    r->v[r->n++] = x;
}

static int on_step(const brink_step *s, double from, double to, int mode, void *user)
{
  (void)from;
  put(user, s->t0);
  put(user, s->h * to);
  put(user, mode);
  return 0;
}

static int on_event(const brink_event *e, void *user)
{
  put(user, e->t);
  put(user, e->g);
  put(user, e->mode_after);
  return 0;
}

/* Go on to t_end: steps, events, values and counters. */
static record go_on(brink_sim *sim, const brink_model *model, double t_end)
{
  record r = {.n = 0};
  brink_observer o = {.on_step = on_step, .on_event = on_event, .user = &r};

  brink_sim_observe(sim, &o);
  brink_status rc = brink_sim_run(sim, t_end);
  if (rc < 0)
    fail_msg("%s", brink_sim_error(sim)->text);
  brink_sim_observe(sim, NULL);
  brink_sim_stats s = brink_sim_statistics(sim);
  put(&r, rc);
  put(&r, (double)s.work.steps);
  put(&r, (double)s.work.f_evals);
  put(&r, (double)s.work.restarts);
  put(&r, (double)s.g_evals);
  put(&r, (double)s.events);
  put(&r, (double)s.jets);
  check_status(brink_sim_values(sim, r.v + r.n), BRINK_OK);
  r.n += (int)brink_model_variables(model);
  return r;
}

static void same(const char *what, const record *a, const record *b)
{
  for (int i = 0; i < a->n && i < b->n; i++)
    if (memcmp(&a->v[i], &b->v[i], sizeof(double)) != 0)
      fail_msg("%s: number %d of %d: %.17g and %.17g", what, i, a->n, a->v[i], b->v[i]);
  assert_int_equal(a->n, b->n);
}

/* ------------------------------------------------------------------ models --- */

#define STEP " model S Real t(start = 0); equation der(t) = 1; end S;\n"

static const char *const texts[] = {
    "model Ball parameter Real e = 0.83;\n"
    " Real h(start = 0.7, fixed = true), v(start = 0, fixed = true);\n"
    "equation der(h) = v; der(v) = -9.81;\n"
    " when h <= 0 then reinit(v, -e*pre(v)); end when; end Ball;\n",

    "model Many parameter Real a = 0.3;\n"
    " Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0.5);\n"
    " discrete Real held(start = a, fixed = true); Integer n(start = 0, fixed = "
    "true);\n"
    "equation der(x) = y; der(y) = -4*x + 0.1*held; z^3 + z = x + a;\n"
    " when sample(a/2, 0.17) then held = x; end when;\n"
    " when x > 0.4 or z < 0.1 then n = pre(n) + 1; end when; end Many;\n",

    "model Delayed parameter Real d = 0.43; Real x(start = 1, fixed = true);\n"
    "equation der(x) = if delay(x, d) > 0.3 then -1.2*delay(x, d) else 0.8;\n"
    "end Delayed;\n",

    "model Machines\n" STEP
    " model N S p, q; equation initialState(p); transition(p, q, p.t > 0.13);\n"
    "  transition(q, p, q.t > 0.21, reset = true); end N;\n"
    " N b; S a, c, d; Real late = delay(b.p.t, 0.2); Real w(start = 1, fixed = true);\n"
    "equation initialState(a); initialState(c); der(w) = -w + 0.3*sin(9*time);\n"
    " transition(a, b, a.t > 0.37, reset = true); transition(b, a, b.q.t > 0.19);\n"
    " transition(c, d, c.t > 0.2); transition(d, c, d.t > 0.3, reset = true);\n"
    "end Machines;\n",

    /* 3^5 combinations: those that are met are compiled by the simulation */
    "model Lamps\n" STEP
    " model L parameter Real w = 1; S a, b, c; equation initialState(a);\n"
    "  transition(a, b, a.t > w, reset = true); transition(b, c, b.t > 0.11);\n"
    "  transition(c, a, c.t > 0.23, reset = true); end L;\n"
    " L l[5](w = {0.07 + 0.09*i for i in 1:5});\n"
    "equation end Lamps;\n"};

enum { TEXTS = sizeof texts / sizeof *texts };

typedef struct rig2 {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig2;

static rig2 open_text(int which, const char *method, double step)
{
  rig2 r = {0};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.h0 = step;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "t.mo", texts[which], strlen(texts[which]), NULL,
                       &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  if (brink_sim_new(r.ctx, r.model, &opt, &r.sim) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  return r;
}

static void close_rig(rig2 *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

/* ------------------------------------------------------------------- tests --- */

/* From where it stands: a clone in another context, a snapshot, and back to it twice,
 * once after other things were met and set. */
static void from_here(rig2 *r, const char *what, double t_end)
{
  brink_ctx *ctx = NULL;
  brink_sim *clone = NULL;
  brink_snapshot *snapshot = NULL;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_sim_clone(ctx, r->sim, &clone), BRINK_OK);
  check_status(brink_sim_save(r->sim, &snapshot), BRINK_OK);
  double at = brink_sim_time(r->sim), slope[64] = {0}, slope2[64] = {0};
  brink_status rc = brink_sim_at(r->sim, at, 1, slope); /* of the last step */
  check_status(brink_sim_at(clone, at, 1, slope2), rc);
  assert_memory_equal(slope, slope2, sizeof slope);
  record want = go_on(r->sim, r->model, t_end);
  record got = go_on(clone, r->model, t_end);
  same(what, &want, &got);
  check_status(brink_sim_restore(r->sim, snapshot), BRINK_OK);
  got = go_on(r->sim, r->model, t_end);
  same(what, &want, &got);
  go_on(r->sim, r->model, t_end + 1.3);
  check_status(brink_sim_restore(clone, snapshot), BRINK_OK);
  check_status(brink_sim_restore(r->sim, snapshot), BRINK_OK);
  brink_snapshot_free(snapshot);
  got = go_on(clone, r->model, t_end);
  same(what, &want, &got);
  brink_sim_free(clone);
  brink_ctx_free(ctx);
  got = go_on(r->sim, r->model, t_end);
  same(what, &want, &got);
}

static void every_method_and_model(void **state)
{
  int every = TEXTS / (int)random_cases("BRINK_CLONES", TEXTS);

  (void)state;
  for (int k = 0; brink_method_name(k); k++)
    for (int i = 0; i < TEXTS; i++) {
      char what[80];
      if ((k + i) % every != 0)
        continue;
      if (brink_method_needs_jet(k) && strstr(texts[i], "delay"))
        continue; /* it has no series */
      if (owns_its_steps(k))
        continue; /* what it remembers cannot be copied */
      snprintf(what, sizeof what, "%s, text %d", brink_method_name(k), i);
      rig2 r = open_text(i, brink_method_name(k),
                         strcmp(brink_method_name(k), "rk4") == 0 ? 0.0137 : 0);
      from_here(&r, what, 0.31); /* before the first step */
      check_status(brink_sim_run(r.sim, 0.567), BRINK_END);
      from_here(&r, what, 1.21); /* between events */
      while (brink_sim_advance(r.sim, 3) == BRINK_OK)
        continue;
      from_here(&r, what, 1.93); /* right after one */
      close_rig(&r);
    }
}

static void settings_and_values_set_go_along(void **state)
{
  rig2 r = open_text(0, "dopri5", 0);
  brink_snapshot *snapshot = NULL;
  double e = 0;

  (void)state;
  check_status(brink_sim_run(r.sim, 0.2), BRINK_END);
  check_status(brink_sim_save(r.sim, &snapshot), BRINK_OK);
  check_status(brink_sim_set(r.sim, "e", 0.4), BRINK_OK);
  check_status(brink_sim_set(r.sim, "h", 0.9), BRINK_OK);
  from_here(&r, "set", 1.4); /* before the advance that sees it */
  check_status(brink_sim_restore(r.sim, snapshot), BRINK_OK);
  check_status(brink_sim_get(r.sim, "e", &e), BRINK_OK);
  assert_true(e == 0.83);
  brink_snapshot_free(snapshot);
  close_rig(&r);
}

static void callbacks(void **state)
{
  static const double y0[] = {0.7, 0};
  rig2 r = {0};

  (void)state;
  EACH_PLAIN_METHOD (k) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = brink_method_name(k);
    opt.h0 = strcmp(opt.method, "rk4") == 0 ? 0.0137 : 0;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(brink_model_new(r.ctx, &ball_200_callback, &r.model), BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, y0), BRINK_OK);
    from_here(&r, opt.method, 0.31);
    check_status(brink_sim_run(r.sim, 0.567), BRINK_END);
    from_here(&r, opt.method, 1.21);
    while (brink_sim_advance(r.sim, 3) == BRINK_OK)
      continue;
    from_here(&r, opt.method, 2.1);
    close_rig(&r);
  }
}

static void every_allocation_may_fail(void **state)
{
  rig2 r = open_text(4, "dopri5", 0);
  int more = 1;

  (void)state;
  check_status(brink_sim_run(r.sim, 0.7), BRINK_END);
  for (long at = 1; more; at++) {
    flaky f = {.fail_at = 0};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink_sim *clone = NULL;

    check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
    f.fail_at = f.calls + at;
    brink_status rc = brink_sim_clone(ctx, r.sim, &clone);
    more = rc < 0;
    check_status(rc, more ? BRINK_ENOMEM : BRINK_OK);
    assert_true(more ? clone == NULL : clone != NULL);
    brink_sim_free(clone);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
  close_rig(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_and_model),
      cmocka_unit_test(settings_and_values_set_go_along),
      cmocka_unit_test(callbacks),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
