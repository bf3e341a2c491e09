/* donolo_runs.c -- see donolo_runs.h */
#include "papers/donolo_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -------------------------------------------------------------- bounces --- */

typedef struct watch {
  const brink_sim *sim;
  donolo_bounces *out;
  double begun;
} watch;

static double now(void)
{
  struct timespec t;

  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int on_bounce(const brink_event *e, void *user)
{
  const watch *w = user;
  donolo_bounces *out = w->out;

  if (out->all++ >= DONOLO_BOUNCES)
    return 0;
  brink_sim_stats s = brink_sim_statistics(w->sim);
  out->t[out->n] = e->t;
  out->f[out->n] = (double)s.work.f_evals;
  out->g[out->n] = (double)s.g_evals;
  out->seconds[out->n++] = now() - w->begun;
  return 0;
}

static void run_ball(brink_sim *sim, double t_end, donolo_bounces *out)
{
  static const double y0[] = {DONOLO_HEIGHT, 0};
  watch w = {.sim = sim, .out = out};

  *out = (donolo_bounces){0};
  brink_sim_observe(sim, &(brink_observer){.on_event = on_bounce, .user = &w});
  w.begun = now();
  brink_sim_start(sim, 0, 0, y0);
  out->end = brink_sim_run(sim, t_end);
  out->t_end = brink_sim_time(sim);
  out->why = *brink_sim_error(sim);
}

int donolo_bounce(brink_ctx *ctx, const brink_model *ball, const brink_sim_opts *opt,
                  double t_end, donolo_bounces *out)
{
  brink_sim *sim = NULL;

  if (!ball || brink_sim_new(ctx, ball, opt, &sim) < 0)
    return -1;
  run_ball(sim, t_end, out);
  brink_sim_free(sim);
  return 0;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int donolo_bounce_timed(brink_ctx *ctx, const brink_model *ball,
                        const brink_sim_opts *opt, int runs, donolo_bounces *out)
{
  static double seconds[DONOLO_BOUNCES][DONOLO_RUNS_MOST];
  int most = runs < DONOLO_RUNS_MOST ? runs : DONOLO_RUNS_MOST;
  brink_sim *sim = NULL;

  if (!ball || brink_sim_new(ctx, ball, opt, &sim) < 0)
    return -1;
  for (int k = 0; k < most; k++) {
    run_ball(sim, donolo_zeno_time(0.9), out);
    for (int i = 0; i < out->n; i++)
      seconds[i][k] = out->seconds[i];
  }
  for (int i = 0; i < out->n; i++) {
    qsort(seconds[i], (size_t)most, sizeof seconds[i][0], ascending);
    out->seconds[i] = seconds[i][most / 2];
  }
  brink_sim_free(sim);
  return 0;
}

/* ------------------------------------------------------------- pendulum --- */

const donolo_method donolo_methods[DONOLO_METHODS] = {
    {"rk4", 2 * 8},
    {"bs23", 2 * (1 + 1 + 3 + 4) + 8},
    {"rkf45", 2 * (1 + 2 + 3 + 4 + 5 + 4 + 5) + 8},
    {"dopri5", 2 * (1 + 2 + 3 + 4 + 5 + 5 + 6) + 8},
    {"dop853", 2 * (1 + 2 + 2 + 3 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 8 + 8 + 8) + 12},
};

const donolo_method *donolo_method_find(const char *name)
{
  for (int i = 0; i < DONOLO_METHODS; i++)
    if (strcmp(donolo_methods[i].name, name) == 0)
      return &donolo_methods[i];
  return NULL;
}

static int is_fixed(const donolo_method *m) { return strcmp(m->name, "rk4") == 0; }

/* Points of the picture, and what is measured, that lie in this step. */
static void look(const brink_step *step, int *at, donolo_swing *out)
{
  double y[2], exact[2], pi = acos(-1.0);

  for (; *at < DONOLO_SWING_POINTS && out->t[*at] <= step->t1; ++*at) {
    brink_step_at(step, (out->t[*at] - step->t0) / step->h, y);
    out->phi[*at] = y[0];
    out->speed[*at] = y[1];
  }
  if (step->t0 <= 5 && 5 < step->t1) {
    brink_step_at(step, (5 - step->t0) / step->h, y);
    donolo_pendulum_at(5, exact);
    out->error5 = fabs(y[0] - exact[0]);
  }
  brink_step_at(step, 1, y);
  if (out->fell == DONOLO_SWING_END && step->t1 > 5 && fabs(y[0] - pi) > 0.1)
    out->fell = step->t1;
}

int donolo_swing_run(brink_ctx *ctx, const donolo_method *m, double tol,
                     donolo_swing *out)
{
  brink_ivp ivp = {2, donolo_pendulum, NULL};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_integrator *it = NULL;
  brink_step step;
  brink_status rc;
  int at = 0;

  o.method = m->name;
  o.rtol = o.atol = fmin(tol, 1);
  o.h0 = is_fixed(m) ? tol : 0;
  o.h_max = 1; /* up there nothing moves: a longer step would pass over the fall */
  if (brink_integrator_new(ctx, &ivp, &o, &it) < 0)
    return 0;
  *out = (donolo_swing){.tol = tol, .fell = DONOLO_SWING_END};
  for (int i = 0; i < DONOLO_SWING_POINTS; i++)
    out->t[i] = DONOLO_SWING_END * i / (DONOLO_SWING_POINTS - 1);
  brink_integrator_start(it, 0, (const double[]){0, 2});
  while ((rc = brink_integrator_advance(it, DONOLO_SWING_END, &step)) == BRINK_OK)
    look(&step, &at, out);
  if (rc == BRINK_END && at < DONOLO_SWING_POINTS)
    look(&step, &at, out);
  brink_work w = brink_integrator_work(it);
  out->f_evals = w.f_evals;
  out->operations =
      2 * (m->per_step * (double)(w.steps + w.rejected) + (double)w.f_evals);
  brink_integrator_free(it);
  return rc == BRINK_END;
}

int donolo_swing_tune(brink_ctx *ctx, const donolo_method *m, double operations,
                      donolo_swing *best)
{
  static const double finer = 0.74989420933245583; /* 10^(-1/8) */
  static donolo_swing out;
  int fixed = is_fixed(m), found = 0;

  best->f_evals = 0;
  for (double tol = fixed ? 1 : 0.1; tol > (fixed ? 1e-4 : 2e-15); tol *= finer) {
    if (!donolo_swing_run(ctx, m, tol, &out))
      return 0;
    if (out.operations > operations && found)
      return found;
    if (out.operations <= operations) {
      *best = out;
      found = 1;
    }
  }
  best->cheap = 1;
  return found;
}

/* -------------------------------------------------------- ramp metering --- */

static void add(donolo_ramp_run *r, double t, int mode, double q_in, const double *x)
{
  if (r->n == DONOLO_RAMP_POINTS)
    return;
  r->t[r->n] = t;
  r->x1[r->n] = x[0];
  r->x2[r->n] = x[1];
  r->in[r->n] = q_in;
  r->u[r->n] = donolo_ramp_control(mode, q_in, x);
  r->out[r->n++] = donolo_ramp_out(x);
}

/* Points inside steps, as many as the picture can show.  The inputs change at ends of
 * steps: inside they are what they are in the middle. */
static int on_step(const brink_step *s, double from, double to, int mode, void *user)
{
  enum { PARTS = 12 };
  const double apart = 2 * DONOLO_RAMP_END / DONOLO_RAMP_POINTS;
  donolo_ramp_run *r = user;
  double q_in = donolo_ramp_in(s->t0 + 0.5 * (from + to) * s->h), x[2];

  for (int i = 0; i <= PARTS; i++) {
    double theta = from + (to - from) * i / PARTS, t = s->t0 + theta * s->h;
    if (r->n > 0 && t < r->t[r->n - 1] + apart && t < DONOLO_RAMP_END)
      continue;
    brink_step_at(s, theta, x);
    add(r, t, mode, q_in, x);
  }
  return 0;
}

/* The flow from upstream just before t. */
static double in_before(double t) { return donolo_ramp_in(nextafter(t, 0)); }

static int on_event(const brink_event *e, void *user)
{
  donolo_ramp_run *r = user;
  int k = r->n_events++;

  if (k >= DONOLO_RAMP_EVENTS)
    return 0;
  double before = e->instant == 0 ? in_before(e->t) : donolo_ramp_in(e->t);
  r->events[k].t = e->t;
  snprintf(r->events[k].name, sizeof r->events[k].name, "%s", e->name);
  memcpy(r->events[k].x, e->y_after, sizeof r->events[k].x);
  add(r, e->t, e->mode_before, before, e->y_before);
  add(r, e->t, e->mode_after, donolo_ramp_in(e->t), e->y_after);
  r->events[k].u_before = donolo_ramp_control(e->mode_before, before, e->y_before);
  r->events[k].u_after =
      donolo_ramp_control(e->mode_after, donolo_ramp_in(e->t), e->y_after);
  return 0;
}

int donolo_ramp_solve(brink_ctx *ctx, const brink_sim_opts *opt, donolo_ramp_run *out)
{
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  int bad = brink_model_new(ctx, &donolo_ramp, &model) < 0 ||
            brink_sim_new(ctx, model, opt, &sim) < 0;

  *out = (donolo_ramp_run){0};
  if (!bad) {
    brink_sim_observe(
        sim, &(brink_observer){.on_step = on_step, .on_event = on_event, .user = out});
    brink_sim_start(sim, 0, 0, donolo_ramp_start);
    brink_sim_run(sim, DONOLO_RAMP_END);
    memcpy(out->end, brink_sim_state(sim), sizeof out->end);
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return bad ? -1 : 0;
}
