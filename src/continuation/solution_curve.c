/* solution_curve.c -- brink_curve: where it begins, its steps, how it ends.
 *
 * The length of steps follows the angle by which the direction turns.  A step is cut at
 * the first relation that changes; if the equations are continuous there the curve goes
 * on with the other law, into the side to which the relation has changed.
 */
#include "continuation/continuation.h"
#include "hybrid/sim.h"
#include "machine/stages.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  PASSES = 50,          /* of relations, where the curve begins                      */
  HOMOTOPY_STEPS = 2000 /* along Newton's homotopy                                   */
};

/* The direction turns by this much in a step that is just right; more than that is too
 * much. */
static const double ANGLE_GOOD = 0.08, ANGLE_MOST = 0.3;

/* Steps grow and shrink by this factor at most. */
static const double GROWTH = 2;

/* No step is shorter: the curve ends.  It may be a fold (of a curve that is followed by
 * p) if p grows by no more than VERTICAL over its length. */
static const double LEAST = 1e-10, VERTICAL = 0.05;

/* Where a relation changes, a correction above this is a jump. */
static const double JUMP = 1e-6;

/* How far along the direction a guard is looked at, to see which way it leads. */
static const double PROBE = 1e-6;

struct brink_curve {
  brink_sim *sim;
  brink__block block;
  brink_curve_opts opt;
  rest_system sys;
  path w;
  special_points found;
  double h;         /* length of the next step                                     */
  double s, h_done; /* of the curve up to the last step; and of that step          */
  double *x_end, *d_end; /* [n + 1] scratch: where a step ends                        */
  int sign_end;
  int standing;      /* steps of no length, one after the other                     */
  int shown;         /* points of the step that have been handed out                */
  int changed;       /* switch at its end, -1: none                                 */
  brink_status ends; /* BRINK_OK: it goes on behind this step                       */
  char name[BRINK_ERR_TEXT / 4];
  brink_curve_stats stats;
  double wall_start;
  brink_err err;
};

const char *brink_curve_kind_text(brink_curve_kind kind)
{
  switch (kind) {
#define X(name, text)                                                                  \
  case BRINK_CURVE_##name: return text;
    BRINK_CURVE_KIND_MAP(X)
#undef X
  }
  return "";
}

/* -------------------------------------------------------------- sentences --- */

static brink__system system_of(const brink_curve *c)
{
  return (brink__system){.flat = &c->sys.flat,
                         .rows = c->sys.rows,
                         .n_rows = c->sys.n,
                         .pre = c->sys.m->pre_symbol,
                         .fire = c->sys.m->fire_symbol,
                         .v = c->w.v};
}

static brink_status at_line(brink_curve *c, brink_err *err, int line)
{
  if (line > 0 && c->sim->model->file) {
    brink__err_file(err, c->sim->model->file);
    err->line = line;
  }
  return err->status;
}

/* The equation in which an operation has no value. */
static int32_t row_of(const brink_curve *c, brink__node culprit)
{
  for (size_t i = 0; i < c->sys.n; i++)
    if (brink__explain_contains(c->sys.flat.graph, c->sys.residual[i], culprit))
      return (int32_t)i;
  return -1;
}

/* No step leads on from x0. */
static brink_status lost(brink_curve *c)
{
  char text[BRINK_ERR_TEXT - 128];
  brink__sentence s = {text, sizeof text, 0};
  brink__system sys = system_of(c);
  path *w = &c->w;
  double p = w->x0[c->sys.n];
  brink__node culprit = w->culprit;

  if (culprit) {
    int32_t row = row_of(c, culprit);
    brink__explain_domain(&s, &sys, culprit, row);
    brink__fail(&c->err, BRINK_EDOMAIN, "the curve ends at %.60s = %.9g: %s",
                c->opt.over, p, text);
    return at_line(c, &c->err, row >= 0 ? c->sys.rows[row].at.line : 0);
  }
  if (w->natural && fabs(w->d0[c->sys.n]) <= VERTICAL * w->p_unit)
    return brink__fail(&c->err, BRINK_FOLD,
                       "the curve turns back near %.60s = %.9g, and cannot be followed "
                       "by %.60s beyond; by its length it can",
                       c->opt.over, p, c->opt.over);
  return brink__fail(&c->err, BRINK_ESTEP,
                     "no step leads on from %.60s = %.9g: the equations are singular "
                     "there, or not smooth",
                     c->opt.over, p);
}

static brink_status no_other(brink_curve *c, size_t k, double p)
{
  int line;
  const char *text = brink__switch_text(&c->w, k, &line);

  brink__fail(
      &c->err, BRINK_EDOMAIN,
      "the curve ends at %.60s = %.9g, where %.120s (line %d) changes: behind it "
      "no solution is near",
      c->opt.over, p, text, line);
  return at_line(c, &c->err, line);
}

static brink_status returned(brink_curve *c)
{
  return brink__fail(&c->err, BRINK_FOLD,
                     "the curve has turned back to %.60s = %g, where it began: it does "
                     "not reach %g",
                     c->opt.over, c->opt.from, c->opt.to);
}

static brink_status unsolved(brink_curve *c, brink_err *err)
{
  char text[BRINK_ERR_TEXT - 128];
  brink__sentence s = {text, sizeof text, 0};
  brink__system sys = system_of(c);
  int32_t all[2] = {0, 1};
  int line = c->sys.rows[0].at.line;

  if (c->w.culprit)
    brink__explain_domain(&s, &sys, c->w.culprit, row_of(c, c->w.culprit));
  else
    brink__explain_loop(&s, &sys, all, c->sys.unknown, brink__zmin(c->sys.n, 2), 0);
  brink__fail(err, BRINK_ESOLVE,
              "no solution at rest was found with %.60s = %g from the start values: %s",
              c->opt.over, c->opt.from, text);
  return at_line(c, err, line);
}

/* ------------------------------------------------------- where it begins --- */

/* From x with F(x) = r along F = (1 - lambda) r to lambda = 1. */
static int along_homotopy(brink_curve *c, double sign)
{
  path *w = &c->w;
  size_t n = c->sys.n;
  double h = c->opt.h0, angle;

  w->x[n] = 0;
  brink__path_measure(w);
  if (!brink__path_direction(w, NULL))
    return 0;
  for (size_t j = 0; j <= n; j++)
    w->d[j] *= sign;
  brink__path_keep(w);
  for (int k = 0; k < HOMOTOPY_STEPS && h > LEAST; k++) {
    int good = brink__path_point(w, h, 0) && brink__path_is_near(w, h, &angle) &&
               angle <= ANGLE_MOST;
    h *= good ? GROWTH : 1 / GROWTH;
    if (good && w->x[n] >= 1)
      return 1;
    if (good)
      brink__path_keep(w);
  }
  return 0;
}

/* The same, both ways; then p takes the place of lambda again. */
static int by_homotopy(brink_curve *c, const double *from)
{
  path *w = &c->w;
  size_t n = c->sys.n;
  int found = 0;

  for (int sign = 1; sign >= -1 && !found; sign -= 2) {
    memcpy(w->x, from, n * sizeof *w->x);
    w->x[n] = c->opt.from;
    if (!brink__path_evaluate(w))
      return 0;
    memcpy(c->found.xb, w->r, n * sizeof *w->r);
    w->start = c->found.xb;
    w->p_held = c->opt.from;
    found = along_homotopy(c, sign);
    w->start = NULL;
    w->x[n] = c->opt.from;
  }
  return found && brink__path_solve(w);
}

/* Solve with the relations held, then look at them again. */
static int solve(brink_curve *c)
{
  path *w = &c->w;
  size_t size = (c->sys.n + 1) * sizeof *w->x;

  for (int pass = 0; pass < PASSES; pass++) {
    memcpy(c->found.xa, w->x, size);
    if (!brink__path_solve(w)) {
      brink__node culprit = w->culprit;
      if (!by_homotopy(c, c->found.xa)) {
        w->culprit = culprit;
        return 0;
      }
    }
    if (!brink__switches_update(w))
      return 1;
  }
  return 0;
}

static brink_status begin(brink_curve *c, brink_err *err)
{
  path *w = &c->w;
  size_t n = c->sys.n;

  memcpy(w->v, c->sys.live->v, c->sys.m->n_symbols * sizeof *w->v);
  for (size_t i = 0; i < n; i++)
    w->x[i] = w->v[c->sys.unknown[i]];
  w->x[n] = c->opt.from;
  if (!solve(c))
    return unsolved(c, err);
  brink__path_measure(w);
  if (!brink__path_direction(w, NULL))
    return brink__fail(err, BRINK_ESTEP,
                       "the equations are singular at %.60s = %g, where the curve "
                       "would begin",
                       c->opt.over, c->opt.from);
  int away = w->d[n] * (c->opt.to - c->opt.from) < 0;
  for (size_t j = 0; away && j <= n; j++)
    w->d[j] = -w->d[j];
  w->sign = away ? -w->sign : w->sign;
  brink__path_keep(w);
  brink__add_special_point(w, &c->found, BRINK_CURVE_POINT, 0, w->x);
  c->changed = -1;
  return BRINK_OK;
}

/* ------------------------------------------------------------------ steps --- */

/* A good step from x0; its length. 0: there is none. */
static double attempt(brink_curve *c)
{
  path *w = &c->w;
  double angle;

  for (double h = c->h, most = GROWTH; h >= LEAST; h /= GROWTH, most = 1) {
    if (!brink__path_point(w, h, 0) || !brink__path_is_near(w, h, &angle) ||
        angle > ANGLE_MOST)
      continue;
    double factor = fmin(fmax(ANGLE_GOOD / fmax(angle, DBL_MIN), 1 / GROWTH), most);
    c->h = fmin(h * factor, c->opt.h_max);
    return h;
  }
  return 0;
}

/* The other law has no solution at x: is there another one with the same p, at which
 * the relation keeps its new value?  scale: of its guard. */
static int jump(brink_curve *c, size_t k, const double *x, double scale)
{
  path *w = &c->w;

  memcpy(w->x, x, (c->sys.n + 1) * sizeof *w->x);
  return brink__path_solve(w) && brink__switch_guard(w, k) >= -JUMP * scale;
}

/* Let d lead to where the guard of a relation that has just changed is positive. */
static void lead_away(brink_curve *c, size_t k)
{
  path *w = &c->w;
  size_t n = c->sys.n;

  memcpy(c->found.xa, w->x, (n + 1) * sizeof *w->x);
  for (size_t j = 0; j <= n; j++)
    w->x[j] += PROBE * w->d[j];
  int back = brink__switch_guard(w, k) < 0;
  memcpy(w->x, c->found.xa, (n + 1) * sizeof *w->x);
  for (size_t j = 0; back && j <= n; j++)
    w->d[j] = -w->d[j];
  w->sign = back ? -w->sign : w->sign;
}

/* The step of length h ends at x, where a relation changes: x and d become those of the
 * other law.  A jump makes two points, one for each law. */
static brink_status pass_switch(brink_curve *c, double h)
{
  path *w = &c->w;
  special_points *f = &c->found;
  size_t size = (c->sys.n + 1) * sizeof *w->x, k = (size_t)c->changed;
  double before = w->d[c->sys.n];
  special_point *at = brink__add_special_point(w, f, BRINK_CURVE_SWITCH, h, w->x);

  memcpy(f->xb, w->d, size);
  memcpy(w->x, w->x0, size);
  double scale = brink__switch_guard(w, k);
  memcpy(w->x, at->x, size);
  brink__switch_flip(w, k);
  int jumps = !brink__path_correct(w, JUMP, 0);
  if (jumps && !jump(c, k, at->x, scale))
    return no_other(c, k, at->x[c->sys.n]);
  if (!brink__path_direction(w, f->xb))
    return lost(c);
  lead_away(c, k);
  if (jumps)
    brink__add_special_point(w, f, BRINK_CURVE_POINT, h, w->x);
  else
    brink__path_show(w, w->x, at->values); /* with the discrete variables behind */
  if (!jumps && before * w->d[c->sys.n] < 0)
    at->kind = BRINK_CURVE_FOLD;
  return BRINK_OK;
}

/* Does p leave [from, to] on the step?  Between folds it is monotone.  The first point
 * at which it does becomes the last of the step. */
static void find_end(brink_curve *c, double h, double p_end)
{
  path *w = &c->w;
  special_points *f = &c->found;
  size_t n = c->sys.n;
  double low = fmin(c->opt.from, c->opt.to), high = fmax(c->opt.from, c->opt.to), a = 0;

  for (int i = 0; i <= f->n; i++) {
    int last = i == f->n;
    if (!last && f->at[i].kind != BRINK_CURVE_FOLD)
      continue;
    double b = last ? h : f->at[i].h, p = last ? p_end : f->at[i].x[n];
    if (p < low || p > high) {
      double end = p < low ? low : high;
      while (f->n > 0 && f->at[f->n - 1].h > a)
        f->n--;
      if (brink__find_p(w, f, a, b, end)) {
        c->ends = end == c->opt.to ? BRINK_END : returned(c);
        return;
      }
    }
    a = b;
  }
}

/* x and d, scratch of what is looked for on the step, are those of its end again. */
static void swap_end(brink_curve *c)
{
  path *w = &c->w;
  double *x = w->x, *d = w->d;
  int sign = w->sign;

  w->x = c->x_end;
  w->d = c->d_end;
  w->sign = c->sign_end;
  c->x_end = x;
  c->d_end = d;
  c->sign_end = sign;
}

/* What lies on the step of length h to x, and whether the curve ends on it. */
static void look(brink_curve *c, double h)
{
  path *w = &c->w;
  size_t size = (c->sys.n + 1) * sizeof *w->x;
  double p = w->x[c->sys.n];

  memcpy(c->x_end, w->x, size);
  memcpy(c->d_end, w->d, size);
  c->sign_end = w->sign;
  if (h > 0)
    brink__find_special_points(w, &c->found, h);
  find_end(c, h, p);
  swap_end(c);
}

/* One step: its points go into `found`. */
static brink_status advance(brink_curve *c)
{
  path *w = &c->w;
  special_points *f = &c->found;
  double h = attempt(c);

  c->s += c->h_done;
  c->h_done = 0;
  c->shown = 0;
  f->n = 0;
  if (h == 0)
    return lost(c);
  brink__path_span(w, h);
  c->changed = brink__first_switch(w, f, &h);
  c->standing = h > 0 ? 0 : c->standing + 1;
  if (c->standing > PASSES)
    return lost(c);
  look(c, h);
  if (c->ends != BRINK_OK)
    return BRINK_OK;
  c->h_done = h;
  if (c->changed < 0)
    brink__add_special_point(w, f, BRINK_CURVE_POINT, h, w->x);
  else
    c->ends = pass_switch(c, h);
  if (c->ends == BRINK_OK)
    brink__path_keep(w);
  return BRINK_OK;
}

/* ----------------------------------------------------------------- points --- */

static brink_status limit(brink_curve *c)
{
  c->stats.wall_seconds = brink__clock() - c->wall_start;
  if (c->opt.max_points > 0 && c->stats.points >= c->opt.max_points)
    return brink__fail(&c->err, BRINK_LIMIT,
                       "the limit of %ld points (max_points) was reached at %.60s = "
                       "%.9g",
                       c->opt.max_points, c->opt.over, c->w.x0[c->sys.n]);
  if (c->opt.max_seconds > 0 && c->stats.wall_seconds >= c->opt.max_seconds)
    return brink__fail(&c->err, BRINK_LIMIT,
                       "the limit of %g s (max_seconds) was reached at %.60s = %.9g",
                       c->opt.max_seconds, c->opt.over, c->w.x0[c->sys.n]);
  return BRINK_OK;
}

static void count(brink_curve *c, brink_curve_kind kind)
{
  c->stats.points++;
  c->stats.folds += kind == BRINK_CURVE_FOLD;
  c->stats.branches += kind == BRINK_CURVE_BRANCH;
  c->stats.switches += kind == BRINK_CURVE_SWITCH;
}

static brink_curve_point show(brink_curve *c, const special_point *at)
{
  int line;

  c->name[0] = 0;
  if (c->changed >= 0 && at->h == c->h_done && at->kind != BRINK_CURVE_POINT) {
    const char *text = brink__switch_text(&c->w, (size_t)c->changed, &line);
    snprintf(c->name, sizeof c->name, "%.100s (line %d)", text, line);
  }
  count(c, at->kind);
  return (brink_curve_point){at->kind, c->s + at->h, at->x[c->sys.n], at->values,
                             c->name};
}

brink_status brink_curve_next(brink_curve *c, brink_curve_point *point)
{
  BRINK__NEED(&c->err, point);
  if (c->shown == c->found.n) {
    if (c->ends != BRINK_OK)
      return c->ends;
    brink_status rc = limit(c);
    if (rc == BRINK_OK)
      rc = advance(c);
    if (rc != BRINK_OK) {
      c->ends = rc;
      c->shown = c->found.n;
      return rc;
    }
  }
  *point = show(c, &c->found.at[c->shown++]);
  return BRINK_OK;
}

brink_curve_stats brink_curve_statistics(const brink_curve *c)
{
  brink_curve_stats s = c->stats;

  s.f_evals = c->w.f_evals;
  s.lu = c->w.lu;
  s.wall_seconds = brink__clock() - c->wall_start;
  return s;
}

const brink_err *brink_curve_error(const brink_curve *c) { return &c->err; }

/* ------------------------------------------------------------------- make --- */

static int is_time(const brink_curve_opts *o) { return strcmp(o->over, "time") == 0; }

static brink_status check(brink_sim *sim, const brink_curve_opts *o, brink_err *err)
{
  if (!o->over)
    return brink__fail(err, BRINK_EARG, "over which parameter?");
  if (!isfinite(o->from) || !isfinite(o->to) || o->from == o->to)
    return brink__fail(err, BRINK_EARG,
                       "the curve must lead from one value of '%.80s' to another one, "
                       "not from %g to %g",
                       o->over, o->from, o->to);
  if (!(o->h0 > 0 && o->h_max > 0 && o->max_seconds >= 0) || o->max_points < 0)
    return brink__fail(err, BRINK_EARG,
                       "h0 and h_max must be positive, max_seconds and max_points not "
                       "negative");
  int i = brink_model_find(sim->model, o->over);
  if (is_time(o))
    return BRINK_OK;
  if (i < 0) /* with the nearest names */
    return brink_sim_set(sim, o->over, o->from);
  const brink_variable *v = &sim->model->vars[i];
  if (v->role != BRINK_PARAMETER || v->type != BRINK_REAL)
    return brink__fail(err, BRINK_EARG, "'%.80s' is not a Real parameter", o->over);
  return BRINK_OK;
}

/* Symbol of the parameter with this name, or of time. */
static int32_t symbol_of(const brink__flat *f, const char *name)
{
  for (size_t i = 0; i < f->n_vars; i++)
    if (strcmp(f->vars[i].name, name) == 0)
      return f->vars[i].value;
  return BRINK__TIME;
}

#define CURVE_ARRAYS(X)                                                                \
  X(w.v, c->sys.n_slots)                                                               \
  X(w.x, c->sys.n + 1)                                                                 \
  X(w.x0, c->sys.n + 1)                                                                \
  X(w.d, c->sys.n + 1)                                                                 \
  X(w.d0, c->sys.n + 1)                                                                \
  X(w.unit, c->sys.n + 1)                                                              \
  X(w.x1, c->sys.n + 1)                                                                \
  X(w.d1, c->sys.n + 1)                                                                \
  X(w.border, c->sys.n + 1)                                                            \
  X(w.r, c->sys.n + 1)                                                                 \
  X(x_end, c->sys.n + 1)                                                               \
  X(d_end, c->sys.n + 1)                                                               \
  X(found.xa, c->sys.n + 1)                                                            \
  X(found.xb, c->sys.n + 1)

static brink_status arrays(brink_curve *c)
{
  size_t need = brink__need(0, 1, brink__numeric_size(c->sys.pattern));

#define X(name, n) need = brink__need(need, n, sizeof(double));
  CURVE_ARRAYS(X)
#undef X
  for (int i = 0; i < CURVE_SPECIAL; i++) {
    need = brink__need(need, c->sys.n + 1, sizeof(double));
    need = brink__need(need, c->sim->model->n_vars, sizeof(double));
  }
  BRINK_TRY(brink__block_new(c->sim->ctx, need, &c->block));
#define X(name, n) c->name = brink__carve(&c->block, n, sizeof(double));
  CURVE_ARRAYS(X)
#undef X
  for (int i = 0; i < CURVE_SPECIAL; i++) {
    c->found.at[i].x = brink__carve(&c->block, c->sys.n + 1, sizeof(double));
    c->found.at[i].values =
        brink__carve(&c->block, c->sim->model->n_vars, sizeof(double));
  }
  c->w.factors.ctx = c->sim->ctx;
  brink__numeric_place(c->sys.pattern, &c->w.factors,
                       brink__carve(&c->block, 1, brink__numeric_size(c->sys.pattern)));
  c->w.sys = &c->sys;
  c->w.natural = c->opt.natural;
  c->w.p_unit = fabs(c->opt.to - c->opt.from);
  c->h = fmin(c->opt.h0, c->opt.h_max);
  return BRINK_OK;
}

static brink_status make(brink_curve *c, double t)
{
  brink_sim *sim = c->sim;
  brink_err *err = &sim->err;
  const dae_live *live = brink__machine_live(sim->model, sim->live);

  if (!live)
    return brink__fail(err, BRINK_EARG,
                       "a curve needs equations: the model is made of C functions");
  BRINK_TRY(check(sim, &c->opt, err));
  if (!is_time(&c->opt))
    BRINK_TRY(brink_sim_set(sim, c->opt.over, c->opt.from));
  BRINK_TRY(brink_sim_start(sim, is_time(&c->opt) ? c->opt.from : t, 0, NULL));
  live = brink__machine_live(sim->model, sim->live);
  BRINK_TRY(brink__rest_system(sim->ctx, live, symbol_of(live->m->flat, c->opt.over),
                               &c->sys, err));
  if (arrays(c) < 0)
    return brink__fail(err, BRINK_ENOMEM, "no memory for the curve");
  return begin(c, err);
}

brink_status brink_curve_new(brink_sim *sim, double t, const brink_curve_opts *opt,
                             brink_curve **out)
{
  brink_curve_opts own = brink_curve_defaults();

  BRINK__NEED(NULL, sim);
  BRINK__NEED(&sim->err, out);
  *out = NULL;
  if (opt)
    BRINK_TRY(
        brink__options_read(opt, "brink_curve_opts", &own, sizeof own, &sim->err));
  brink_curve *c = brink__alloc(sim->ctx, sizeof *c);
  if (!c)
    return brink__fail(&sim->err, BRINK_ENOMEM, "no memory for the curve");
  *c = (brink_curve){.sim = sim, .opt = own, .wall_start = brink__clock()};
  brink_status rc = make(c, t);
  if (rc < 0) {
    brink_curve_free(c);
    return rc;
  }
  *out = c;
  return BRINK_OK;
}

void brink_curve_free(brink_curve *c)
{
  if (!c)
    return;
  brink_ctx *ctx = c->sim->ctx;
  if (c->block.raw)
    brink__numeric_drop(&c->w.factors);
  brink__block_drop(&c->block);
  brink__rest_system_drop(&c->sys);
  brink__free(ctx, c, sizeof *c);
}
