/* breitenecker_runs.c -- see breitenecker_runs.h */
#include "papers/breitenecker_runs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROPOSALS_MOST = 200 };

/* A guard that small has no sign: it has just fired. */
static const double BAND = 1e-12;

const char *const breitenecker_way_names[BREITENECKER_WAYS] = {
    [BREITENECKER_BISECTION] = "bisection",
    [BREITENECKER_SECANT] = "secant",
    [BREITENECKER_TANGENT] = "tangent",
    [BREITENECKER_SECANT_1] = "secant, once",
    [BREITENECKER_TANGENT_1] = "tangent, once",
    [BREITENECKER_QUADRATIC] = "quadratic"};

/* ------------------------------------------------- a run by hand ---- */

/* Where a run stands. */
typedef struct run {
  const breitenecker_problem *problem;
  breitenecker_calls calls;
  double p[BREITENECKER_PARAMETERS];
  brink_env env;
  const brink_mode_def *mode;
  double t, y[BREITENECKER_STATES];
} run;

static void begin(run *r, const breitenecker_problem *p)
{
  *r = (run){.problem = p, .mode = &p->def->modes[p->mode]};
  r->env = (brink_env){.p = r->p, .mode = p->mode, .user = &r->calls};
  for (int i = 0; i < p->def->n_p; i++)
    r->p[i] = p->def->p[i];
  memcpy(r->y, p->y0, r->mode->n * sizeof *r->y);
}

static void f_at(const run *r, double t, const double *y, double *f)
{
  r->mode->rhs(t, y, f, &r->env);
}

static double g_at(const run *r, double t, const double *y)
{
  return r->mode->guards->fn(t, y, 0, &r->env);
}

/* The derivative of the guard along f. */
static double rate_at(const run *r, double t, const double *y)
{
  double f[BREITENECKER_STATES];

  f_at(r, t, y, f);
  return r->mode->guards->rate(t, y, f, 0, &r->env);
}

/* One step of the classical method from where the run stands, to t + h. */
static void rk4(const run *r, double h, double *out)
{
  static const double c[] = {0, 0.5, 0.5, 1}, b[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double k[4][BREITENECKER_STATES], y[BREITENECKER_STATES];
  size_t n = r->mode->n;

  for (int i = 0; i < 4; i++) {
    for (size_t m = 0; m < n; m++)
      y[m] = r->y[m] + (i ? c[i] * h * k[i - 1][m] : 0);
    f_at(r, r->t + c[i] * h, y, k[i]);
  }
  for (size_t m = 0; m < n; m++) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
      sum += b[i] * k[i][m];
    out[m] = r->y[m] + h * sum;
  }
}

/* ------------------------------------------------------- location ---- */

/* A bracket: from where the run stands, g_lo, to t + hi. */
typedef struct bracket {
  double lo, hi, g_lo, g_hi; /* of the step so far                               */
  double rate, bend;         /* of the guard where the run stands                 */
  double s, g;               /* the last proposal and the guard there             */
} bracket;

/* The guard a time s behind where the run stands: a step. */
static double integrate(const run *r, double s, double *y)
{
  rk4(r, s, y);
  return g_at(r, r->t + s, y);
}

/* What the way needs to know of derivatives at the beginning. */
static void differentiate(const run *r, breitenecker_way way, bracket *b)
{
  double d = 0x1p-20 * b->hi, f[BREITENECKER_STATES], y[BREITENECKER_STATES];

  if (way < BREITENECKER_TANGENT || way == BREITENECKER_SECANT_1)
    return;
  b->rate = rate_at(r, r->t, r->y);
  if (way != BREITENECKER_QUADRATIC)
    return;
  f_at(r, r->t, r->y, f);
  for (size_t i = 0; i < r->mode->n; i++)
    y[i] = r->y[i] + d * f[i];
  b->bend = (rate_at(r, r->t + d, y) - b->rate) / d;
}

static double parabola(double g, double rate, double bend)
{
  double root = rate * rate - 2 * bend * g;

  /* the nearer of the two zeros ahead; none: the tangent's */
  return root >= 0 ? -2 * g / (rate + copysign(sqrt(root), rate)) : -g / rate;
}

/* The next proposal; y is the state at the last one. */
static double propose(const run *r, breitenecker_way way, const bracket *b, int turn,
                      const double *y)
{
  switch (way) {
  case BREITENECKER_BISECTION: return 0.5 * (b->lo + b->hi);
  case BREITENECKER_SECANT:
  case BREITENECKER_SECANT_1:
    return b->lo - b->g_lo * (b->hi - b->lo) / (b->g_hi - b->g_lo);
  case BREITENECKER_TANGENT:
    return turn == 0 ? -b->g_lo / b->rate : b->s - b->g / rate_at(r, r->t + b->s, y);
  case BREITENECKER_TANGENT_1: return -b->g_lo / b->rate;
  case BREITENECKER_QUADRATIC: return parabola(b->g_lo, b->rate, b->bend);
  case BREITENECKER_WAYS: break;
  }
  return b->hi;
}

/* The event in the step to t + b->hi: y is the state there.  The time it takes. */
static double locate(const run *r, breitenecker_way way, double tol, bracket *b,
                     double *y)
{
  int once = way >= BREITENECKER_SECANT_1;
  double before = b->hi;

  differentiate(r, way, b);
  for (int i = 0; i < PROPOSALS_MOST; i++) {
    b->s = propose(r, way, b, i, y);
    if (!(b->s > 0)) /* a tangent that leads away */
      b->s = 0.5 * b->hi;
    b->g = integrate(r, b->s, y);
    if (once || b->g == 0 || fabs(b->s - before) <= tol)
      break;
    if (b->g * b->g_lo > 0) {
      b->lo = b->s;
      b->g_lo = way == BREITENECKER_TANGENT ? b->g_lo : b->g;
    } else {
      b->hi = b->s;
      b->g_hi = b->g;
    }
    before = b->s;
  }
  return b->s;
}

/* ------------------------------------------------------------ events ---- */

static const brink_event_def *event_of(const run *r, int dir)
{
  for (int i = 0; i < r->mode->n_events; i++)
    if ((int)r->mode->events[i].dir == dir)
      return &r->mode->events[i];
  return NULL;
}

/* The state is y at t: what the event does. */
static void jump(run *r, const brink_event_def *e, double t, const double *y)
{
  double after[BREITENECKER_STATES] = {0};
  brink_jump j = {.t = t,
                  .y_before = y,
                  .y = after,
                  .p = r->p,
                  .mode = r->env.mode,
                  .env = &r->env};

  memcpy(after, y, r->mode->n * sizeof *y);
  e->jump(&j);
  r->env.mode = j.mode;
  r->mode = &r->problem->def->modes[j.mode];
  r->t = t;
  memcpy(r->y, after, sizeof after);
}

static void note(breitenecker_found *out, const breitenecker_problem *p, double t,
                 const char *name, double g)
{
  int k = out->n++;

  if (k >= p->n_events || strcmp(name, p->events[k].name) != 0) {
    out->worst_t = HUGE_VAL;
    return;
  }
  double error = fabs(t - p->events[k].t);
  out->worst_t = fmax(out->worst_t, error);
  out->worst_g = fmax(out->worst_g, fabs(g));
  if (k == 0)
    out->first_t = error;
}

/* What n events have cost, each.  A first step has an evaluation more than others, so
 * that steps without an event cost a little more on the average than one should think.
 */
static void share(breitenecker_found *out)
{
  out->f = fmax(out->f, 0) / (out->n ? out->n : 1);
  out->g = fmax(out->g, 0) / (out->n ? out->n : 1);
}

/* ----------------------------------------------------------- the runs ---- */

static int sign_of(double g) { return fabs(g) <= BAND ? 0 : g > 0 ? 1 : -1; }

breitenecker_found breitenecker_classic(const breitenecker_problem *p,
                                        breitenecker_way way, double h, double tol)
{
  breitenecker_found out = {0};
  run r;

  begin(&r, p);
  double g = g_at(&r, 0, r.y), next[BREITENECKER_STATES];
  int sign = sign_of(g);
  while (p->t_end - r.t > BAND) {
    double step = fmin(h, p->t_end - r.t), g_next = integrate(&r, step, next);
    int after = sign_of(g_next);
    const brink_event_def *e = sign * after < 0 ? event_of(&r, after) : NULL;
    if (e) {
      breitenecker_calls before = r.calls;
      bracket b = {.hi = step, .g_lo = g, .g_hi = g_next};
      double t = r.t + locate(&r, way, tol, &b, next);
      out.f += (double)(r.calls.f - before.f);
      out.g += (double)(r.calls.g - before.g);
      note(&out, p, t, e->name, b.g);
      jump(&r, e, t, next);
      g = g_at(&r, r.t, r.y);
      sign = 0;
      continue;
    }
    r.t += step;
    memcpy(r.y, next, sizeof next);
    g = g_next;
    sign = after ? after : sign;
  }
  out.f_all = r.calls.f;
  out.g_all = r.calls.g;
  snprintf(out.by, sizeof out.by, "%s", breitenecker_way_names[way]);
  share(&out);
  return out;
}

/* What has been located by whom. */
static void note_by(breitenecker_found *out, const char *by)
{
  if (!out->by[0])
    snprintf(out->by, sizeof out->by, "%s", by);
  else if (strcmp(out->by, by) != 0)
    snprintf(out->by, sizeof out->by, "several");
}

/* What an observer is to compare, and where to. */
typedef struct told {
  const breitenecker_problem *p;
  breitenecker_found *out;
} told;

static int on_event(const brink_event *e, void *user)
{
  const told *to = user;

  note(to->out, to->p, e->t, e->name, e->g);
  note_by(to->out, e->located_by);
  return 0;
}

/* Advance piece by piece: a piece with an event costs more than one without. */
static brink_status advance_all(brink_sim *sim, double t_end, breitenecker_calls *calls,
                                breitenecker_found *out)
{
  long plain_f = 0, plain_g = 0, plain = 0, events = 0;
  brink_status rc;

  do {
    breitenecker_calls before = *calls;
    rc = brink_sim_advance(sim, t_end);
    long f = calls->f - before.f, g = calls->g - before.g;
    if (rc == BRINK_EVENT) {
      out->f += (double)f;
      out->g += (double)g;
      events++;
    } else if (rc == BRINK_OK) {
      plain_f += f;
      plain_g += g;
      plain++;
    }
  } while (rc == BRINK_OK || rc == BRINK_EVENT);
  if (plain > 0) {
    out->f -= (double)events * (double)plain_f / (double)plain;
    out->g -= (double)events * (double)plain_g / (double)plain;
  }
  return rc;
}

breitenecker_found breitenecker_library(brink_ctx *ctx, const breitenecker_problem *p,
                                        const brink_sim_opts *opt)
{
  breitenecker_found out = {.failed = 1};
  breitenecker_calls calls = {0};
  brink_model_def def = *p->def;
  brink_sim_opts own = *opt;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  told to = {p, &out};

  def.user = &calls;
  own.keep = BRINK_KEEP_NOTHING;
  if (brink_model_new(ctx, &def, &model) == BRINK_OK &&
      brink_sim_new(ctx, model, &own, &sim) == BRINK_OK) {
    brink_sim_observe(sim, &(brink_observer){.on_event = on_event, .user = &to});
    brink_sim_start(sim, 0, p->mode, p->y0);
    out.failed = advance_all(sim, p->t_end, &calls, &out) != BRINK_END;
    out.why = *brink_sim_error(sim);
  } else {
    out.why = *brink_ctx_error(ctx);
  }
  out.f_all = calls.f;
  out.g_all = calls.g;
  share(&out);
  brink_sim_free(sim);
  brink_model_free(model);
  return out;
}

/* ------------------------------------------------------------ figures ---- */

/* The pendulum at t, by small steps. */
static void swing_to(run *r, double t)
{
  enum { STEPS = 4000 };
  double next[BREITENECKER_STATES], h = (t - r->t) / STEPS;

  for (int i = 0; i < STEPS; i++) {
    rk4(r, h, next);
    memcpy(r->y, next, sizeof next);
    r->t += h;
  }
}

void breitenecker_step_show(double t0, double t1, breitenecker_step *out)
{
  run r;
  double y[BREITENECKER_STATES];

  begin(&r, &breitenecker_pendulum);
  swing_to(&r, t0);
  for (int i = 0; i < BREITENECKER_POINTS; i++) {
    run along = r;
    out->t[i] = t0 + (t1 - t0) * i / (BREITENECKER_POINTS - 1);
    if (i > 0)
      swing_to(&along, out->t[i]);
    out->g[i] = g_at(&along, along.t, along.y);
  }
  bracket first = {
      .hi = t1 - t0, .g_lo = out->g[0], .g_hi = out->g[BREITENECKER_POINTS - 1]};
  bracket b = first;
  differentiate(&r, BREITENECKER_QUADRATIC, &b);
  out->rate = b.rate;
  out->bend = b.bend;
  out->zero = breitenecker_pendulum.events[0].t;
  for (int way = 0; way < BREITENECKER_WAYS; way++) {
    b = first;
    differentiate(&r, (breitenecker_way)way, &b);
    for (int i = 0; i < BREITENECKER_PROPOSALS; i++) {
      run along = r;
      b.s = propose(&r, (breitenecker_way)way, &b, i, y);
      swing_to(&along, r.t + b.s);
      memcpy(y, along.y, sizeof y);
      b.g = g_at(&along, along.t, along.y);
      out->proposal[way][i] = along.t;
      out->proposal_g[way][i] = b.g;
      if (b.g * first.g_lo > 0)
        b.lo = b.s, b.g_lo = way == BREITENECKER_TANGENT ? b.g_lo : b.g;
      else
        b.hi = b.s, b.g_hi = b.g;
    }
  }
}
