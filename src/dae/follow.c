/* follow.c -- from the simplified start to the actual one.
 *
 * The equations of the start with lambda, F(x, lambda) = 0, describe a curve that
 * begins at a solution with lambda = 0.  It is followed by its length and not by
 * lambda, so that it may turn back in lambda on its way [AG03, chapters 2, 3, 6]:
 *
 *   predict ... along the direction of the curve, the kernel of the slopes of F;
 *   correct ... by Newton's method in the plane across it.  The first correction must
 * be short beside the step and each one shorter than the last, else it could be another
 * curve that is found: the step is halved; accept .... if the direction has not turned
 * too far, with relations as they now are.
 *
 * The last step keeps lambda = 1.  Lengths count an unknown relative to its size or its
 * nominal value.  The unknowns are those of the loops that depend on lambda; all other
 * equations are evaluated on the way.  Slopes are difference quotients, n + 1
 * evaluations of the equations; what is found is only where start.c begins.
 *
 * Limits: dense, n^3 per correction.  Where relations make the equations jump the curve
 * ends.
 */
#include "dae/inner.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STEPS = 2000,    /* along one path                                        */
  CORRECTIONS = 8, /* of one step                                           */
  PASSES = 50      /* of relations, at one point                            */
};

static const double FIRST = 0.1;  /* of lambda, in the first step                  */
static const double LEAST = 1e-9; /* step at which the path is lost                 */
static const double NEAR = 0.3;   /* first correction over the step                 */
static const double SHRINK = 0.5; /* each correction over the one before            */
static const double SMALL = 1e-9; /* corrections that are enough                    */
static const double TURN = 0.8;   /* cosine between directions                      */
static const double KINK = 1e-5;  /* steps this short pass a kink as it comes       */

typedef struct path {
  brink__live *live;
  const dae_law *law;
  double t;
  size_t n, rows; /* unknowns besides lambda; equations                           */
  int given;      /* the states are: neither assigned nor searched                */
  int states;     /* free states are among the unknowns                           */
  double h;
  double most; /* largest lambda so far                                        */
} path;

/* ------------------------------------------------------------- relations -- */

static double last_root(const brink__live *live, const dae_program *p)
{
  const dae_step *s = &p->steps[p->n_steps - 1];
  return live->v[brink__tape_slot(s->tape, brink__tape_n_roots(s->tape) - 1)];
}

int brink__dae_law_literal(brink__live *live, double t)
{
  const dae_model *m = live->m;
  const dae_law *l = live->law;
  int changed = 0;

  for (size_t i = 0; i < m->n_relations; i++) {
    const dae_relation *r = &m->relations[i];
    brink__op op = m->flat->relations[i].op;
    double *v = &live->v[r->slot], now;
    if (r->timer >= 0) {
      changed |= brink__dae_time_again(live, r, t);
      continue;
    }
    if (brink__dae_run(live, &l->relation[i], t, live->y) < 0)
      continue; /* not here: as it is */
    double g = last_root(live, &l->relation[i]);
    now = g == 0 ? r->with_zero : (g > 0) == (op == BRINK_OP_GT || op == BRINK_OP_GE);
    changed |= *v != now;
    *v = now;
  }
  for (size_t i = 0; i < m->n_stairs; i++) {
    const dae_stair *s = &m->stairs[i];
    if (brink__dae_run(live, &l->stair[i], t, live->y) < 0)
      continue;
    double now = dae_stair_of(s, last_root(live, &l->stair[i]));
    changed |= live->v[s->slot] != now;
    live->v[s->slot] = now;
  }
  return changed;
}

/* ------------------------------------------------------------ evaluation -- */

/* What initial equations set directly, and the unknowns, in their places. */
static int place(path *p)
{
  brink__live *live = p->live;
  const dae_model *m = live->m;
  const dae_initial *in = &m->initial;
  brink__node culprit = BRINK__NONE;

  live->v[BRINK__TIME] = live->t = p->t;
  live->v[m->flat->lambda] = live->px[p->n];
  if (!p->given) {
    if (brink__tape_values(p->law->assign_tape, live->v, &culprit) < 0) {
      live->fault = (dae_fault){NULL, culprit, DAE_FAULT_DOMAIN, -1};
      return 0;
    }
    for (size_t i = 0; i < in->n_assigns; i++)
      live->v[in->assign_target[i]] = live->v[brink__tape_slot(p->law->assign_tape, i)];
    for (size_t i = 0; i < m->n_states; i++)
      live->y[i] = live->v[m->state_symbol[i]];
  }
  for (size_t j = 0; j < in->n_free && p->states; j++)
    live->y[in->free[j]] = live->px[p->law->n_loops + j];
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = live->y[i];
  return 1;
}

/* Residuals of a loop at the unknowns from x on. */
static int open_loop(brink__live *live, const dae_step *step, const double *x,
                     double *r)
{
  const dae_loop *loop = step->loop;
  brink__node culprit = BRINK__NONE;

  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = x[i];
  if (brink__tape_values(loop->residual, live->v, &culprit) < 0) {
    live->fault = (dae_fault){step, culprit, DAE_FAULT_DOMAIN, -1};
    return 0;
  }
  for (size_t i = 0; i < loop->n; i++)
    r[i] = live->v[brink__tape_slot(loop->residual, i)];
  return 1;
}

/* r = F(px).  0: not here, live->fault says why. */
static int residuals(path *p, double *r)
{
  brink__live *live = p->live;
  const dae_program *prog = &p->law->program;
  size_t at = 0;

  if (!place(p) ||
      (live->m->n_delays && brink__dae_delay(live, p->t, live->y) != BRINK_OK))
    return 0;
  for (size_t k = 0; k < prog->n_steps; k++) {
    const dae_step *s = &prog->steps[k];
    brink__node culprit = BRINK__NONE;
    if (s->loop && p->law->open[k]) {
      if (!open_loop(live, s, live->px + at, r + at))
        return 0;
      at += s->loop->n;
    } else if (s->loop) {
      if (brink__dae_loop(live, s) < 0)
        return 0;
    } else if (brink__tape_values(s->tape, live->v, &culprit) < 0) {
      live->fault = (dae_fault){s, culprit, DAE_FAULT_DOMAIN, -1};
      return 0;
    }
  }
  const dae_step *last = &prog->steps[prog->n_steps - 1];
  for (size_t i = 0; at + i < p->rows; i++)
    r[at + i] = live->v[brink__tape_slot(last->tape, last->n_rows + i)];
  return 1;
}

/* The unknowns, from where the values are. */
static void gather(path *p)
{
  brink__live *live = p->live;
  const dae_initial *in = &live->m->initial;
  size_t at = 0;

  for (size_t k = 0; k < p->law->program.n_steps; k++) {
    const dae_loop *loop = p->law->program.steps[k].loop;
    for (size_t i = 0; p->law->open[k] && i < loop->n; i++)
      live->px[at++] = live->v[loop->symbol[i]];
  }
  for (size_t j = 0; j < in->n_free && p->states; j++)
    live->px[at++] = live->y[in->free[j]];
}

/* What counts as 1 in each unknown; lambda counts as much as all of them. */
static void measure(path *p)
{
  brink__live *live = p->live;
  const dae_initial *in = &live->m->initial;
  double share = sqrt((double)p->n);
  size_t at = 0;

  for (size_t k = 0; k < p->law->program.n_steps; k++) {
    const dae_loop *loop = p->law->program.steps[k].loop;
    for (size_t i = 0; p->law->open[k] && i < loop->n; i++, at++)
      live->pq[at] = share * fmax(fabs(live->px[at]), loop->nominal[i]);
  }
  for (size_t j = 0; j < in->n_free && p->states; j++, at++)
    live->pq[at] = share * fmax(fabs(live->px[at]), in->nominal[j]);
  live->pq[p->n] = 1;
}

/* --------------------------------------------------------------- algebra -- */

/* pj = d F / d (px / pq) by one-sided differences inside the domain; pr0 = F(px). */
static int slopes(path *p)
{
  brink__live *live = p->live;

  live->effort.jac_evals++;
  if (!residuals(p, live->pr0))
    return 0;
  for (size_t j = 0; j <= p->n; j++) {
    double *x = &live->px[j], keep = *x, share = j < p->n ? sqrt((double)p->n) : 1;
    double h = 0x1p-26 * live->pq[j] / share;
    if (j == p->n && keep > 0.5)
      h = -h; /* lambda stays between 0 and 1 */
    *x = keep + h;
    int here = residuals(p, live->pr);
    if (!here && j < p->n) {
      *x = keep - h;
      here = residuals(p, live->pr);
    }
    double step = (*x - keep) / live->pq[j];
    *x = keep;
    if (!here)
      return 0;
    for (size_t i = 0; i < p->rows; i++)
      live->pj[i * (p->n + 1) + j] = (live->pr[i] - live->pr0[i]) / step;
  }
  return 1;
}

/* pj pd = (r, last), where the last row of pj is the direction, or that of lambda. */
static void solve(path *p, const double *r, double last, int along_lambda)
{
  brink__live *live = p->live;
  double *row = live->pj + p->rows * (p->n + 1);

  for (size_t j = 0; j <= p->n; j++)
    row[j] = along_lambda ? j == p->n : live->pt[j] / live->pq[j];
  for (size_t i = 0; i < p->rows; i++)
    live->pr[i] = r ? r[i] : 0;
  live->pr[p->rows] = last;
  brink__least_norm(p->rows + 1, p->n + 1, live->pj, live->pr, live->pd, live->prow,
                    live->pwork);
}

static double length(const double *v, size_t n)
{
  double sum = 0;

  for (size_t j = 0; j < n; j++)
    sum += v[j] * v[j];
  return sqrt(sum);
}

/* The direction of the curve at px, going on as before; *cosine of the angle to the
 * old one. */
static int direct(path *p, int first, double *cosine)
{
  brink__live *live = p->live;

  measure(p);
  if (!slopes(p))
    return 0;
  double old = 0;
  for (size_t j = 0; j <= p->n && !first; j++)
    old += live->pt[j] / live->pq[j] * (live->pt[j] / live->pq[j]);
  solve(p, NULL, 1, first);
  double size = length(live->pd, p->n + 1);
  if (!(size > 0) || !isfinite(size))
    return 0;
  *cosine = first ? 1 : 1 / (size * sqrt(old));
  for (size_t j = 0; j <= p->n; j++)
    live->pt[j] = live->pd[j] / size * live->pq[j];
  return 1;
}

/* Newton's method across the direction, or (last) at this lambda. */
static int correct(path *p, int last, int again)
{
  brink__live *live = p->live;
  double before = HUGE_VAL;

  for (int k = 0; k < CORRECTIONS; k++) {
    if (!slopes(p))
      return 0;
    solve(p, live->pr0, 0, last);
    double size = length(live->pd, p->n + 1);
    int far = k == 0 && !again && p->h > KINK && size > NEAR * p->h;
    live->fault.what = DAE_FAULT_NONE;
    if (!isfinite(size) || far || (size > SHRINK * before && size > SMALL))
      return 0;
    for (size_t j = 0; j < p->n + !last; j++)
      live->px[j] -= live->pd[j] * live->pq[j];
    if (!(live->px[p->n] >= 0 && live->px[p->n] <= 1))
      return 0;
    if (size <= SMALL)
      return residuals(p, live->pr0);
    before = size;
  }
  return 0;
}

static int discretes_moved(brink__live *live)
{
  const dae_model *m = live->m;
  int moved = 0;

  for (size_t i = 0; i < m->n_discretes; i++) {
    double now = live->v[m->discretes[i].value];
    moved |= now != live->old[i];
    live->old[i] = now;
  }
  return moved;
}

/* Relations that agree with the point found. */
static int settle(path *p, int last, int *moved)
{
  *moved = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    int changed = brink__dae_law_literal(p->live, p->t);
    changed |= discretes_moved(p->live);
    if (!changed)
      return residuals(p, p->live->pr0);
    *moved = 1;
    if (!correct(p, last, 1))
      return 0;
  }
  return 0;
}

/* ------------------------------------------------------------------ path -- */

static void keep(path *p)
{
  brink__live *live = p->live;

  memcpy(live->px0, live->px, (p->n + 1) * sizeof *live->px);
  memcpy(live->pt0, live->pt, (p->n + 1) * sizeof *live->pt);
  memcpy(live->pv, live->v, live->m->n_symbols * sizeof *live->v);
  if (live->px[p->n] < p->most)
    return;
  p->most = live->px[p->n];
  memcpy(live->ptop, live->v, live->m->n_symbols * sizeof *live->v);
}

static void go_back(path *p)
{
  brink__live *live = p->live;

  memcpy(live->px, live->px0, (p->n + 1) * sizeof *live->px);
  memcpy(live->pt, live->pt0, (p->n + 1) * sizeof *live->pt);
  memcpy(live->v, live->pv, live->m->n_symbols * sizeof *live->v);
  for (size_t i = 0; i < live->m->n_states; i++)
    live->y[i] = live->v[live->m->state_symbol[i]];
  discretes_moved(live);
  measure(p);
}

/* One step of length h, or shorter to lambda = 1.  1: it is there; 2: and that is the
 * end; 0: it must be shorter. */
static int attempt(path *p)
{
  brink__live *live = p->live;
  double slope = live->pt[p->n], cosine;
  int last = live->px[p->n] + p->h * slope >= 1, moved;

  if (last)
    p->h = (1 - live->px[p->n]) / slope;
  for (size_t j = 0; j <= p->n; j++)
    live->px[j] += p->h * live->pt[j];
  if (last)
    live->px[p->n] = 1;
  live->fault.what = DAE_FAULT_NONE;
  if (live->px[p->n] < 0 || !correct(p, last, 0) || !settle(p, last, &moved))
    return 0;
  if (last)
    return 2;
  if (!direct(p, 0, &cosine))
    return 0;
  live->fault.what = DAE_FAULT_NONE;
  return p->h <= KINK || moved || cosine >= TURN;
}

/* The loop in which most moved when the path was lost; none: initial equations. */
static void blame(path *p)
{
  brink__live *live = p->live;
  size_t at = 0;
  double most = -1;

  for (size_t k = 0; k < p->law->program.n_steps; k++) {
    const dae_step *s = &p->law->program.steps[k];
    for (size_t i = 0; p->law->open[k] && i < s->loop->n; i++, at++)
      if (fabs(live->pt[at] / live->pq[at]) > most) {
        most = fabs(live->pt[at] / live->pq[at]);
        live->fault = (dae_fault){s, BRINK__NONE, DAE_FAULT_NEWTON, -1};
      }
  }
}

static brink_status lost(path *p, const char *how, brink_err *err)
{
  brink__live *live = p->live;
  int line = live->m->flat->homotopy.line;

  if (live->fault.what == DAE_FAULT_NONE)
    blame(p);
  memcpy(live->v, live->ptop, live->m->n_symbols * sizeof *live->v);
  live->v[live->m->flat->lambda] = 1; /* the actual equations are shown */
  brink__fail_at(err, BRINK_ESOLVE, p->t, "homotopy (line %d) %s lambda = %.6g: %s",
                 line, how, p->most,
                 live->fault.what == DAE_FAULT_NONE ? brink__dae_unmet(live)
                                                    : brink__dae_reason(live));
  if (err)
    err->line = line;
  return BRINK_ESOLVE;
}

static brink_status walk(path *p, brink_err *err)
{
  brink__live *live = p->live;
  double cosine;

  keep(p);
  if (!direct(p, 1, &cosine))
    return lost(p, "cannot leave", err);
  keep(p);
  p->h = fmin(1, FIRST / fabs(live->pt[p->n]));
  for (int k = 0; k < STEPS; k++) {
    int there = attempt(p);
    if (there == 2) {
      live->effort.homotopy++;
      return BRINK_OK;
    }
    if (there) {
      live->effort.homotopy++;
      keep(p);
      p->h *= 2;
      continue;
    }
    int back = live->px[p->n] < 0;
    go_back(p);
    p->h /= 2;
    if (!(p->h >= LEAST))
      return lost(p, back ? "turns back for good at" : "gets no further than", err);
  }
  return lost(p, "needs too many steps beyond", err);
}

brink_status brink__dae_follow(brink__live *live, double t, int given, brink_err *err)
{
  const dae_law *l = live->law;
  path p = {.live = live, .law = l, .t = t, .given = given};

  p.states = l->with_states && !given;
  p.n = p.states ? l->n : l->n_loops;
  p.rows = p.states ? l->n_rows : l->n_loops;
  if (p.n == 0)
    return BRINK_OK;
  gather(&p);
  live->px[p.n] = 0;
  return walk(&p, err);
}
