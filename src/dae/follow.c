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
 *   1. Predict from polynomials in time through the last anchors, if one anchor more or
 *      less makes no difference, and correct by Newton's method.  The result counts if
 *      corrections contract fast from the beginning, which shows that there is no other
 *      solution nearby [Deuflhard11, 2.1], and the determinant of the Jacobian has the
 *      sign that it has at the anchor: it changes where two branches meet.
 *   2. In doubt, from the anchor, s = 0, to here, s = 1, with the knowns
 *      w0 + s (w - w0), by parts of the way over which the equations are nearly linear,
 *      in the unknowns and in s.
 *   3. In doubt, along the curve F(z, w0 + s (w - w0)) = 0, which is followed by its
 *      length (curve.c).  It passes places where the Jacobian is singular but s goes on
 *      (z abs(z) = w); where s turns back, there is a fold: the branch ends, and no
 *      solution continues it.
 *
 * Cost: mostly one or two corrections.  A loop whose knowns are those of the anchor, or
 * of the evaluation before, is not solved again.
 * Limits: 3 only for loops of at most DAE_SEARCH_MAX unknowns.  Solutions that are
 * nearer to each other than about 1e-3 of the unknowns may be mistaken for each other.
 */
#include "dae/curve.h"

#include <math.h>
#include <string.h>

/* A point of the past is used for predictions over at most this many times its own
 * distance: polynomials lose all meaning farther out. */
static const double REACH = 4;

/* A prediction is certain if one anchor less makes a difference of this part of the
 * unknowns at most, and another one less not much more: one small difference may be
 * chance. */
static const double CERTAIN = 1e-3, NEARLY_CERTAIN = 1e-2;

/* What a curve ends at is exact to CURVE_SMALL units; Newton's method must not lead
 * farther away than POLISH units. */
static const double CURVE_SMALL = 1e-4, POLISH = 1e-2;

/* Length of the first step along a curve, in s: the midpoint. */
static const double CURVE_FIRST = 0.5;

/* The shortest part of the way from the anchor that Newton's method is tried over. */
static const double LEAST_PART = 0x1p-4;

/* Least unit of a curve beside the size of an unknown: with CURVE_SMALL above rounding;
 * and the largest: solutions that are farther apart than a twentieth of this are told
 * apart (see STRAY in curve.c). */
static const double LEAST_UNIT = 1e-11, MOST_UNIT = 0.01;

/* A curve that is lost where s grows by no more than this over its length, all being in
 * units, has been lost at a fold. */
static const double VERTICAL = 0.2;

/* The run ends in a fold if one was met so little behind its end, relative to 1 + |t|:
 * a little more if it ends because the same loop has no solution, for the nearer the
 * fold, the less can curves tell. */
static const double FOLD_NEAR = 1e-6, FOLD_OF_LOOP = 1e-3;

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
  int unsolved = live->fault.step && f->step &&
                 live->fault.step->loop == f->step->loop &&
                 live->fault.what != DAE_FAULT_DOMAIN;
  double near = (unsolved ? FOLD_OF_LOOP : FOLD_NEAR) * (1 + fabs(t));
  if (!f->step || !(fabs(f->t - t) <= near))
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

  while (n < live->anchors && far <= REACH * fabs(time_of(live, 0) - time_of(live, n)))
    n++;
  return n;
}

/* Where polynomials through the first 1, 2, ..., n anchors lead unknown s at t:
 * Neville's scheme. */
static void predictions(const dae_live *live, int32_t s, double t, int n, double *out)
{
  double p[DAE_ANCHORS];

  for (int k = 0; k < n; k++) {
    p[k] = anchor(live, k)[s];
    for (int j = k - 1; j >= 0; j--)
      p[j] = p[j + 1] + (t - time_of(live, k)) * (p[j + 1] - p[j]) /
                            (time_of(live, k) - time_of(live, j));
    out[k] = p[0];
  }
}

/* Predict from the number of anchors that makes the least difference to one anchor
 * less, and leave that in u.  1: the difference is so small that the prediction is
 * certain. */
static int predict(dae_live *live, const dae_loop *loop)
{
  double t = live->v[BRINK__TIME], apart[DAE_ANCHORS] = {0}, p[DAE_ANCHORS];
  int n = usable(live, t), best = 1;

  for (size_t i = 0; i < loop->n; i++) {
    predictions(live, loop->symbol[i], t, n, p);
    double unit = fmax(fabs(p[0]), brink__dae_nominal(live, loop, i));
    for (int k = 1; k < n; k++)
      apart[k] = fmax(apart[k], fabs(p[k] - p[k - 1]) / unit);
  }
  for (int k = 2; k < n; k++)
    if (apart[k] < apart[best])
      best = k;
  if (n == 1 || !(apart[best] <= CERTAIN) || !(apart[best - 1] <= NEARLY_CERTAIN))
    return 0;
  for (size_t i = 0; i < loop->n; i++) {
    predictions(live, loop->symbol[i], t, best + 1, p);
    live->u[i] = p[best];
  }
  return 1;
}

/* The knowns are kept where the solution will be remembered. */
static void keep_knowns(dae_live *live, const dae_loop *loop)
{
  live->memo_valid[loop->number] = 0;
  for (size_t i = 0; i < loop->n_known; i++)
    live->memo[loop->memo + i] = live->v[loop->known[i]];
}

void brink__dae_between_anchor(dae_live *live, const dae_loop *loop, double s)
{
  const double *from = anchor(live, 0), *to = live->memo + loop->memo;

  for (size_t i = 0; i < loop->n_known; i++) {
    int32_t k = loop->known[i];
    live->v[k] = s == 1 ? to[i] : from[k] + s * (to[i] - from[k]);
  }
}

/* Newton's method from the values in u; 1: it has found the continuation. */
static int correct(dae_live *live, const dae_step *step, int part)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = live->u[i];
  live->newton.by_parts = part;
  live->newton.branch = live->anchor_sign[loop->number];
  live->newton.following = 1;
  int found = brink__dae_newton(live, step, CORRECTIONS);
  live->newton.following = 0;
  return found;
}

/* The largest part of its size, or nominal value, by which the first correction moves
 * an unknown. */
static double part_moved(const dae_live *live, const dae_loop *loop)
{
  double part = 0;

  for (size_t i = 0; i < loop->n; i++) {
    double size = fmax(fabs(live->newton.from[i]), brink__dae_nominal(live, loop, i));
    double moved = fabs(live->newton.move[i]) / size;
    part = isfinite(moved) ? fmax(part, moved) : MOST_UNIT;
  }
  return part;
}

/* The unit of an unknown is its size, or nominal value, times the largest part of these
 * by which a first correction on the way from the anchor moves an unknown: where two
 * branches meet they are as near to each other as that. */
static void set_units(dae_live *live, const dae_loop *loop, double part)
{
  dae_path *w = &live->path;

  part = fmin(fmax(part, LEAST_UNIT), MOST_UNIT);
  for (size_t i = 0; i < loop->n; i++)
    w->unit[i] =
        part * fmax(fabs(live->newton.from[i]), brink__dae_nominal(live, loop, i));
  w->unit[loop->n] = 1;
}

/* From the anchor to here by parts of the way, each of which Newton's method is certain
 * of.  *s is how far it has come, with the unknowns in newton.from. */
static int by_parts(dae_live *live, const dae_step *step, double *s)
{
  const dae_loop *loop = step->loop;
  dae_newton *newton = &live->newton;
  double moved = 0; /* an unknown may return on its way to where it began */

  for (size_t i = 0; i < loop->n; i++)
    newton->from[i] = anchor(live, 0)[loop->symbol[i]];
  *s = 0;
  for (double part = 1; *s < 1 && part >= LEAST_PART;) {
    newton->s0 = *s;
    newton->s1 = fmin(*s + part, 1);
    brink__dae_between_anchor(live, loop, newton->s1);
    memcpy(live->u, newton->from, loop->n * sizeof *live->u);
    int found = correct(live, step, 1);
    moved = fmax(moved, part_moved(live, loop));
    if (found) {
      for (size_t i = 0; i < loop->n; i++)
        newton->from[i] = live->v[loop->symbol[i]];
      *s = newton->s1;
    }
    part *= found ? 2 : 0.5;
  }
  set_units(live, loop, moved);
  return *s == 1;
}

/* --------------------------------------------------------------- curve --- */

typedef struct loop_curve {
  dae_curve curve; /* first */
  const dae_step *step;
} loop_curve;

/* Residuals with the knowns at s, and their derivatives in s (in live->du), the
 * unknowns held.  Exact ones: of a circuit with exponentials difference quotients are
 * wrong by powers of ten over a hundredth of the way of one step. */
static int residuals(const loop_curve *h, double s, double *r)
{
  const dae_loop *loop = h->step->loop;
  dae_live *live = h->curve.live;
  const double *from = anchor(live, 0), *to = live->memo + loop->memo;
  double *jet = live->path.jet;

  brink__dae_between_anchor(live, loop, s);
  brink__dae_tangent_begin(live, jet);
  for (size_t i = 0; i < loop->n_known; i++)
    jet[2 * loop->known[i] + 1] = to[i] - from[loop->known[i]];
  return brink__dae_residual_tangent(live, h->step, jet, r, live->du) == BRINK_OK;
}

static int slopes(dae_curve *c)
{
  const loop_curve *h = (const loop_curve *)(const void *)c;
  const dae_loop *loop = h->step->loop;
  dae_live *live = c->live;
  dae_path *w = &live->path;
  size_t n = loop->n;

  for (size_t i = 0; i < n; i++)
    live->v[loop->symbol[i]] = w->x[i];
  if (!residuals(h, w->x[n], w->r0))
    return 0;
  live->effort.jac_evals++;
  if (brink__dae_run_tape(live, h->step, loop->jacobian) < 0)
    return 0;
  memset(w->jacobian, 0, n * (n + 1) * sizeof *w->jacobian);
  for (size_t k = 0; k < loop->nnz; k++)
    w->jacobian[(size_t)loop->i[k] * (n + 1) + (size_t)loop->j[k]] =
        live->v[brink__tape_slot(loop->jacobian, k)] * w->unit[loop->j[k]];
  for (size_t i = 0; i < n; i++)
    w->jacobian[i * (n + 1) + n] = live->du[i];
  return 1;
}

/* Along a curve the determinant changes its sign only where s turns back. */
static int same_side(dae_curve *c)
{
  const loop_curve *h = (const loop_curve *)(const void *)c;
  const dae_loop *loop = h->step->loop;
  dae_live *live = c->live;
  int sign = live->anchor_sign[loop->number];

  if (!sign || !brink__dae_sign(live, h->step))
    return 1;
  return live->sign[loop->number] == (live->path.direction[loop->n] < 0 ? -sign : sign);
}

/* Units were set where the curve begins. */
static void measure(dae_curve *c) { (void)c; }

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

static int along_curve(dae_live *live, const dae_step *step, double s)
{
  const dae_loop *loop = step->loop;
  loop_curve h = {.curve = {.live = live,
                            .n = loop->n,
                            .rows = loop->n,
                            .least = 0,
                            .first = CURVE_FIRST,
                            .small = CURVE_SMALL,
                            .one_way = 1,
                            .most_steps = STEPS,
                            .slopes = slopes,
                            .same_side = same_side,
                            .measure = measure},
                  .step = step};

  if (loop->n > DAE_SEARCH_MAX)
    return 0;
  memcpy(live->path.x, live->newton.from, loop->n * sizeof *live->path.x);
  live->path.x[loop->n] = s;
  dae_curve_end end = brink__dae_curve(&h.curve, 1);
  brink__dae_between_anchor(live, loop, 1);
  if (end == DAE_CURVE_DONE)
    return polish(live, step);
  int edge = live->fault.what == DAE_FAULT_DOMAIN;
  if (end == DAE_CURVE_TURNED || end == DAE_CURVE_BACK ||
      (!edge && end != DAE_CURVE_LONG && live->path.direction0[loop->n] <= VERTICAL))
    return fold(live, step, live->t);
  if (!edge)
    live->fault = (dae_fault){step, BRINK__NONE, DAE_FAULT_NEWTON, -1};
  return 0;
}

int brink__dae_follow(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  double s;

  if (from_memo(live, loop))
    return 1;
  if (brink__dae_unmoved(live, loop))
    return remember(live, loop);
  keep_knowns(live, loop);
  return ((predict(live, loop) && correct(live, step, 0)) || by_parts(live, step, &s) ||
          along_curve(live, step, s)) &&
         remember(live, loop);
}
