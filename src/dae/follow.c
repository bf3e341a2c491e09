/* follow.c -- the solution of a nonlinear loop is a function of time and states, and of
 * the branch that is followed.
 *
 * A nonlinear loop F(z, w) = 0 may have several solutions z for given knowns w.  The
 * one that belongs to a trajectory is found by continuity: the values at the last
 * accepted point, the *anchor*, lie on the branch, and another solution counts only if
 * it is connected with them.  Anchors are written at the start, at the end of a step,
 * and at events, where z may jump with w.  They are not written by trial steps, guards,
 * locators and output, so that none of these can move the trajectory, not even by a
 * rounding.
 *
 * At other points:
 *
 *   1. Predict from the polynomial in time through the last anchors, correct by
 *      Newton's method.  The result is taken if the corrections contract fast from the
 *      beginning, which shows that there is no other solution nearby
 * [Deuflhard11, 2.1], and the determinant of the Jacobian has the sign that it has at
 * the anchor: it changes where two branches meet.
 *   2. In doubt, the same from the anchor itself.
 *   3. In doubt, along the curve F(z, w0 + s (w - w0)) = 0 from the anchor, s = 0, to
 *      s = 1, which is followed by its length (curve.c).  It passes places where the
 *      Jacobian is singular but s goes on (z abs(z) = w); where s turns back, there is
 *      a fold: the branch ends, and no solution continues it.
 *
 * Cost: mostly one or two corrections.  A loop whose knowns are those of the anchor, or
 * of the evaluation before, is not solved again.
 * Limits: 3 only for loops of at most DAE_SEARCH_MAX unknowns.
 */
#include "dae/curve.h"

#include <math.h>
#include <string.h>

/* A point of the past is used for predictions over at most this many times its own
 * distance: polynomials lose all meaning farther out. */
static const double REACH = 4;

/* What a curve ends at is exact to CURVE_SMALL units; Newton's method must not lead
 * farther away than POLISH units. */
static const double CURVE_SMALL = 1e-4, POLISH = 1e-2;

/* Length of the first step along a curve, in s: the midpoint. */
static const double CURVE_FIRST = 0.5;

/* Least unit of a curve beside the size of an unknown: with CURVE_SMALL above rounding.
 */
static const double LEAST_UNIT = 1e-11;

/* The run ends in a fold if one was met so little behind its end, relative to 1 + |t|.
 */
static const double FOLD_NEAR = 1e-6;

/* Part of the way over which the derivative in s is a difference quotient: long enough
 * to be seen above rounding where the whole way is short. */
static const double S_SPAN = 0x1p-7;

enum {
  CORRECTIONS = 60, /* of one search                                                  */
  STEPS = 400       /* along one curve                                                */
};

/* ------------------------------------------------------------- anchors --- */

/* Values at the anchor k, 0 being the newest. */
static double *anchor(const dae_live *live, int k)
{
  int row = (live->anchor_first + k) % DAE_ANCHORS;
  return live->anchor + (size_t)row * live->m->n_symbols;
}

static double time_of(const dae_live *live, int k)
{
  return live->anchor_t[(live->anchor_first + k) % DAE_ANCHORS];
}

static void forget_memo(dae_live *live)
{
  if (live->m->n_loops)
    memset(live->memo_valid, 0, live->m->n_loops);
}

void brink__dae_release(dae_live *live)
{
  const dae_program *p = &live->m->followed;

  forget_memo(live);
  if (live->released || !live->m->follows)
    return;
  live->released = 1;
  const double *z = anchor(live, 0);
  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_loop *loop = p->steps[k].loop;
    for (size_t i = 0; loop && i < loop->n; i++)
      live->v[loop->symbol[i]] = z[loop->symbol[i]];
  }
}

/* Have the unknowns of the loops other values than at the newest anchor? */
static int jumped(const dae_live *live)
{
  const dae_program *p = &live->m->followed;
  const double *z = anchor(live, 0);

  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_loop *loop = p->steps[k].loop;
    for (size_t i = 0; loop && !loop->linear && i < loop->n; i++)
      if (live->v[loop->symbol[i]] != z[loop->symbol[i]])
        return 1;
  }
  return 0;
}

/* The values in live->v become the newest anchor, at t. */
static void push(dae_live *live, double t)
{
  const dae_model *m = live->m;

  if (live->anchors == 0 || t != time_of(live, 0)) {
    live->anchor_first = (live->anchor_first + DAE_ANCHORS - 1) % DAE_ANCHORS;
    live->anchors += live->anchors < DAE_ANCHORS;
  }
  memcpy(anchor(live, 0), live->v, m->n_symbols * sizeof *live->v);
  live->anchor_t[live->anchor_first] = t;
  memcpy(live->anchor_sign, live->sign, m->n_loops);
  forget_memo(live);
}

void brink__dae_anchor(dae_live *live, double t, const double *y, int moved)
{
  const dae_model *m = live->m;

  if (!m->follows || brink__dae_run(live, &m->followed, t, y) < 0)
    return;
  if (live->anchors && (moved || t != time_of(live, 0) || jumped(live)))
    live->anchors = 0;
  push(live, t);
  live->released = 0;
}

brink_status brink__dae_accepted(const brink_model *model, brink__live *l, int mode,
                                 double t, const double *y, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  (void)mode;
  if (!m->follows)
    return BRINK_OK;
  if (brink__dae_run(live, &m->followed, t, y) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "%s", brink__dae_reason(live));
  if (live->released)
    live->anchors = 0;
  push(live, t);
  live->released = 0;
  return BRINK_OK;
}

/* The variable behind an unknown, or whose derivative it is. */
static const char *variable_name(const dae_model *m, int32_t symbol)
{
  for (size_t i = 0; i < m->n_states; i++)
    if (m->der_symbol[i] == symbol)
      return m->flat->vars[m->state_var[i]].name;
  for (size_t i = 0; i < m->flat->n_vars; i++)
    if (m->flat->vars[i].value == symbol)
      return m->flat->vars[i].name;
  return "";
}

const char *brink__dae_fold_at(const brink_model *model, brink__live *l, int mode,
                               double t, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_fold *f = &live->fold;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);

  (void)model, (void)mode;
  if (!f->step || !(f->t >= t && f->t - t <= FOLD_NEAR * (1 + fabs(t))))
    return NULL;
  const dae_loop *loop = f->step->loop;
  int32_t row = loop->row[f->unknown], symbol = loop->symbol[f->unknown];
  brink__dae_release(live); /* the values at the last accepted point */
  brink__explain_fold(&s, &sys, row, symbol, t);
  brink__fail_at(err, BRINK_FOLD, t, "%s", live->reason);
  if (err)
    err->line = live->m->rows[row].at.line;
  return variable_name(live->m, symbol);
}

/* ----------------------------------------------------------- the same --- */

/* Are the knowns of the loop in live->v those in w, numbered as they are there? */
static int same_knowns(const dae_live *live, const dae_loop *loop, const double *w)
{
  for (size_t i = 0; i < loop->n_known; i++)
    if (live->v[loop->known[i]] != w[loop->known[i]])
      return 0;
  return 1;
}

static int from_memo(dae_live *live, const dae_loop *loop)
{
  const double *memo = live->memo + loop->memo;

  if (!live->memo_valid[loop->number])
    return 0;
  for (size_t i = 0; i < loop->n_known; i++)
    if (live->v[loop->known[i]] != memo[i])
      return 0;
  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = memo[loop->n_known + i];
  return 1;
}

static int remember(dae_live *live, const dae_loop *loop)
{
  double *memo = live->memo + loop->memo;

  for (size_t i = 0; i < loop->n_known; i++)
    memo[i] = live->v[loop->known[i]];
  for (size_t i = 0; i < loop->n; i++)
    memo[loop->n_known + i] = live->v[loop->symbol[i]];
  live->memo_valid[loop->number] = 1;
  return 1;
}

int brink__dae_unmoved(dae_live *live, const dae_loop *loop)
{
  if (live->anchors == 0 || !same_knowns(live, loop, anchor(live, 0)))
    return 0;
  const double *z = anchor(live, 0);
  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = z[loop->symbol[i]];
  live->sign[loop->number] = live->anchor_sign[loop->number];
  return 1;
}

/* ---------------------------------------------------------- prediction --- */

/* How many anchors a prediction at t may use. */
static int usable(const dae_live *live, double t)
{
  double far = fabs(t - time_of(live, 0));
  int n = 1;

  while (n < live->anchors && far <= REACH * (time_of(live, 0) - time_of(live, n)))
    n++;
  return n;
}

/* Put the unknowns where the polynomial through n anchors leads (divided differences).
 */
static void predict(dae_live *live, const dae_loop *loop, double t, int n)
{
  double t0 = time_of(live, 0), t1 = n > 1 ? time_of(live, 1) : 0;
  double t2 = n > 2 ? time_of(live, 2) : 0;

  for (size_t i = 0; i < loop->n; i++) {
    int32_t s = loop->symbol[i];
    double z = anchor(live, 0)[s];
    if (n > 1) {
      double slope = (z - anchor(live, 1)[s]) / (t0 - t1), bend = 0;
      if (n > 2)
        bend =
            (slope - (anchor(live, 1)[s] - anchor(live, 2)[s]) / (t1 - t2)) / (t0 - t2);
      z += (t - t0) * (slope + (t - t1) * bend);
    }
    live->u[i] = live->v[s] = z;
  }
}

/* Newton's method from a prediction by n anchors; 1: it is the continuation. */
static int direct(dae_live *live, const dae_step *step, int n)
{
  const dae_loop *loop = step->loop;

  predict(live, loop, live->v[BRINK__TIME], n);
  live->newton.branch = live->anchor_sign[loop->number];
  live->newton.following = 1;
  int found = brink__dae_newton(live, step, CORRECTIONS);
  live->newton.following = 0;
  return found;
}

/* --------------------------------------------------------------- curve --- */

typedef struct loop_curve {
  dae_curve curve; /* first */
  const dae_step *step;
  const double *from, *to; /* knowns: by symbol; by number                          */
} loop_curve;

/* Residuals with the knowns at s. */
static int residuals(const loop_curve *h, double s, double *r)
{
  const dae_loop *loop = h->step->loop;
  dae_live *live = h->curve.live;

  for (size_t i = 0; i < loop->n_known; i++) {
    double from = h->from[loop->known[i]];
    live->v[loop->known[i]] = from + s * (h->to[i] - from);
  }
  if (brink__dae_run_tape(live, h->step, loop->residual) < 0)
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    r[i] = live->v[brink__tape_slot(loop->residual, i)];
  return 1;
}

static int slopes(dae_curve *c)
{
  const loop_curve *h = (const loop_curve *)(const void *)c;
  const dae_loop *loop = h->step->loop;
  dae_live *live = c->live;
  dae_path *w = &live->path;
  size_t n = loop->n;
  double s = w->x[n], span = s < 0.5 ? S_SPAN : -S_SPAN;

  for (size_t i = 0; i < n; i++)
    live->v[loop->symbol[i]] = w->x[i];
  if (!residuals(h, s + span, live->du) || !residuals(h, s, w->r0))
    return 0;
  live->effort.jac_evals++;
  if (brink__dae_run_tape(live, h->step, loop->jacobian) < 0)
    return 0;
  memset(w->jacobian, 0, n * (n + 1) * sizeof *w->jacobian);
  for (size_t k = 0; k < loop->nnz; k++)
    w->jacobian[(size_t)loop->i[k] * (n + 1) + (size_t)loop->j[k]] =
        live->v[brink__tape_slot(loop->jacobian, k)] * w->unit[loop->j[k]];
  for (size_t i = 0; i < n; i++)
    w->jacobian[i * (n + 1) + n] = (live->du[i] - w->r0[i]) / span;
  return 1;
}

/* Units were set where the curve begins. */
static void measure(dae_curve *c) { (void)c; }

/* The unit of an unknown is how far the first correction from the anchor moves it:
 * where two branches meet they are as near to each other as that. */
static void set_units(dae_live *live, const dae_loop *loop, const double *z)
{
  dae_path *w = &live->path;

  for (size_t i = 0; i < loop->n; i++) {
    double size = fmax(fabs(z[loop->symbol[i]]), brink__dae_nominal(live, loop, i));
    double move = isfinite(live->newton.move[i]) ? fabs(live->newton.move[i]) : size;
    w->unit[i] = fmin(fmax(move, LEAST_UNIT * size), size);
  }
  w->unit[loop->n] = 1;
}

/* From the end of a curve to the solution itself. */
static int polish(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  const dae_path *w = &live->path;

  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]] = w->x[i];
  if (!brink__dae_newton(live, step, CORRECTIONS))
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    if (!(fabs(live->v[loop->symbol[i]] - w->x[i]) <= POLISH * w->unit[i]))
      return 0;
  int sign = live->anchor_sign[loop->number];
  return !sign || live->sign[loop->number] == sign;
}

/* The curve turns back: note which unknown it turns in. */
static int fold(dae_live *live, const dae_step *step, double t)
{
  const dae_loop *loop = step->loop;
  const dae_path *w = &live->path;
  int most = 0;

  for (size_t i = 1; i < loop->n; i++)
    if (fabs(w->direction[i]) / w->unit[i] > fabs(w->direction[most]) / w->unit[most])
      most = (int)i;
  live->fold = (dae_fold){step, most, t};
  live->fault = (dae_fault){step, BRINK__NONE, DAE_FAULT_FOLD, most};
  return 0;
}

static int along_curve(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  double *to = live->memo + loop->memo, *z = anchor(live, 0);
  loop_curve h = {.curve = {.live = live,
                            .n = loop->n,
                            .rows = loop->n,
                            .least = 0,
                            .first = CURVE_FIRST,
                            .small = CURVE_SMALL,
                            .one_way = 1,
                            .most_steps = STEPS,
                            .slopes = slopes,
                            .measure = measure},
                  .step = step,
                  .from = z,
                  .to = to};

  if (loop->n > DAE_SEARCH_MAX)
    return 0;
  live->memo_valid[loop->number] = 0;
  for (size_t i = 0; i < loop->n_known; i++)
    to[i] = live->v[loop->known[i]];
  set_units(live, loop, z);
  for (size_t i = 0; i < loop->n; i++)
    live->path.x[i] = z[loop->symbol[i]];
  live->path.x[loop->n] = 0;
  dae_curve_end end = brink__dae_curve(&h.curve, 1);
  for (size_t i = 0; i < loop->n_known; i++)
    live->v[loop->known[i]] = to[i];
  if (end == DAE_CURVE_DONE)
    return polish(live, step);
  if (end == DAE_CURVE_TURNED || end == DAE_CURVE_BACK)
    return fold(live, step, live->t);
  if (live->fault.what != DAE_FAULT_DOMAIN)
    live->fault = (dae_fault){step, BRINK__NONE, DAE_FAULT_NEWTON, -1};
  return 0;
}

int brink__dae_follow(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  if (from_memo(live, loop))
    return 1;
  if (brink__dae_unmoved(live, loop))
    return remember(live, loop);
  int n = usable(live, live->v[BRINK__TIME]);
  return (direct(live, step, n) || (n > 1 && direct(live, step, 1)) ||
          along_curve(live, step)) &&
         remember(live, loop);
}
