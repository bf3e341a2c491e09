/* homotopy_path.c -- from the simplified start to the actual one.
 *
 * The equations of the start with lambda describe a curve (curve.c) that begins at a
 * solution with lambda = 0.  Its unknowns are those of the loops that depend on lambda,
 * and the free states where initial equations do; all other equations are evaluated on
 * the way.  Derivatives are difference quotients, n + 1 evaluations of the equations:
 * start.c solves once more from the point that is found.  Relations are evaluated after
 * every step.
 *
 * Limits: where a relation makes the equations jump the curve ends.
 */
#include "start/start.h"
#include "clause/clause.h"
#include "dae/curve.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STEPS = 2000, /* along one path            */
  PASSES = 50   /* of relations, at one point */
};

typedef struct path {
  dae_curve curve; /* first */
  const start_homotopy *homotopy;
  double t;
  int with_start; /* unknowns and conditions of the start take part               */
} path;

static path *path_of(dae_curve *c) { return (path *)(void *)c; }

/* ------------------------------------------------------------- relations -- */

static double last_root(const dae_live *live, const dae_program *p)
{
  const dae_step *s = &p->steps[p->n_steps - 1];
  return live->v[brink__tape_slot(s->tape, brink__tape_n_roots(s->tape) - 1)];
}

int brink__start_evaluate_relations(dae_live *live, double t)
{
  const dae_model *m = live->m;
  const start_homotopy *l = live->homotopy;
  int changed = 0;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    brink__op op = m->flat->relations[i].op;
    double *v = &live->v[r->slot], now;
    if (r->timer >= 0) {
      changed |= brink__clause_timed_value(live, r->timer, t);
      continue;
    }
    if (brink__dae_run(live, &l->relation[i], t, live->y) < 0)
      continue; /* no value here: the relation stays as it is */
    double g = last_root(live, &l->relation[i]);
    now =
        g == 0 ? r->true_at_zero : (g > 0) == (op == BRINK_OP_GT || op == BRINK_OP_GE);
    changed |= *v != now;
    *v = now;
  }
  for (size_t i = 0; i < m->n_stairs; i++) {
    const clause_stair *s = &m->stairs[i];
    if (brink__dae_run(live, &l->stair[i], t, live->y) < 0)
      continue;
    double now = clause_stair_of(s, last_root(live, &l->stair[i]));
    changed |= live->v[s->slot] != now;
    live->v[s->slot] = now;
  }
  return changed;
}

/* ------------------------------------------------------------ evaluation -- */

/* The next unknown of the start that the path has, from number j on; NULL: none. */
static const start_unknown *next_unknown(const path *p, size_t *j)
{
  const start_system *in = p->curve.live->m->initial;

  for (; p->with_start && *j < in->n_searched; ++*j)
    if (brink__start_searched(p->curve.live, &in->unknowns[*j], START_STATES))
      return &in->unknowns[(*j)++];
  return NULL;
}

/* Give the variables the values of x, and those that conditions set. */
static int place(path *p)
{
  dae_live *live = p->curve.live;
  const dae_model *m = live->m;
  const start_unknown *u;
  size_t at = p->homotopy->n_loops, j = 0;

  live->v[BRINK__TIME] = live->t = p->t;
  live->v[m->flat->lambda] = live->path.x[p->curve.n];
  if (brink__start_assign(live, PASSES) < 0)
    return 0;
  while ((u = next_unknown(p, &j)))
    *brink__start_value(live, u) = live->path.x[at++];
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = live->y[i];
  return 1;
}

/* Residuals of a loop at the unknowns from x on. */
static int open_loop(dae_live *live, const dae_step *step, const double *x, double *r)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = x[i];
  if (brink__dae_run_tape(live, step, loop->residual) < 0)
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    r[i] = live->v[brink__tape_slot(loop->residual, i)];
  return 1;
}

/* r = F(x).  0: it has no value here, live->fault says why. */
static int residuals(path *p, double *r)
{
  dae_live *live = p->curve.live;
  const dae_program *prog = &p->homotopy->program;
  size_t at = 0;

  if (!place(p) ||
      (live->m->n_delays && brink__dae_read_delays(live, p->t, live->y) != BRINK_OK))
    return 0;
  for (size_t k = 0; k < prog->n_steps; k++) {
    const dae_step *s = &prog->steps[k];
    if (s->loop && p->homotopy->open[k]) {
      if (!open_loop(live, s, live->path.x + at, r + at))
        return 0;
      at += s->loop->n;
    } else if ((s->loop ? brink__dae_loop(live, s)
                        : brink__dae_run_tape(live, s, s->tape)) < 0) {
      return 0;
    }
  }
  const dae_step *last = &prog->steps[prog->n_steps - 1];
  const start_system *in = live->m->initial;
  for (size_t i = 0; i < in->n && p->with_start; i++)
    if (brink__start_takes_part(live, &in->conditions[i], START_STATES))
      r[at++] = live->v[brink__tape_slot(last->tape, last->n_rows + 2 * i)] -
                live->v[brink__tape_slot(last->tape, last->n_rows + 2 * i + 1)];
  return 1;
}

/* x from the values of the variables. */
static void gather(path *p)
{
  dae_live *live = p->curve.live;
  const start_unknown *u;
  size_t at = 0, j = 0;

  for (size_t k = 0; k < p->homotopy->program.n_steps; k++) {
    const dae_loop *loop = p->homotopy->program.steps[k].loop;
    for (size_t i = 0; p->homotopy->open[k] && i < loop->n; i++)
      live->path.x[at++] = live->v[loop->symbol[i]];
  }
  while ((u = next_unknown(p, &j)))
    live->path.x[at++] = *brink__start_value(live, u);
}

/* The unit of each unknown: lambda weighs as much as all others together. */
static void measure(dae_curve *c)
{
  const path *p = path_of(c);
  dae_live *live = p->curve.live;
  const start_unknown *u;
  double share = sqrt((double)p->curve.n);
  size_t at = 0, j = 0;

  for (size_t k = 0; k < p->homotopy->program.n_steps; k++) {
    const dae_loop *loop = p->homotopy->program.steps[k].loop;
    for (size_t i = 0; p->homotopy->open[k] && i < loop->n; i++, at++)
      live->path.unit[at] =
          share * fmax(fabs(live->path.x[at]), brink__dae_nominal(live, loop, i));
  }
  for (; (u = next_unknown(p, &j)); at++)
    live->path.unit[at] =
        share * fmax(fabs(live->path.x[at]), brink__start_nominal(live, u));
  live->path.unit[p->curve.n] = 1;
}

/* --------------------------------------------------------------- algebra -- */

/* The derivatives of F in x / unit, by one-sided differences inside the domain, and
 * r0 = F(x). */
static int slopes(dae_curve *c)
{
  path *p = path_of(c);
  dae_live *live = p->curve.live;

  live->effort.jac_evals++;
  if (!residuals(p, live->path.r0))
    return 0;
  for (size_t j = 0; j <= p->curve.n; j++) {
    double *x = &live->path.x[j], keep = *x,
           share = j < p->curve.n ? sqrt((double)p->curve.n) : 1;
    double h = 0x1p-26 * live->path.unit[j] / share;
    if (j == p->curve.n && keep > 0.5)
      h = -h; /* lambda stays between 0 and 1 */
    *x = keep + h;
    int here = residuals(p, live->path.r);
    if (!here && j < p->curve.n) {
      *x = keep - h;
      here = residuals(p, live->path.r);
    }
    double step = (*x - keep) / live->path.unit[j];
    *x = keep;
    if (!here)
      return 0;
    for (size_t i = 0; i < p->curve.rows; i++)
      live->path.jacobian[i * (p->curve.n + 1) + j] =
          (live->path.r[i] - live->path.r0[i]) / step;
  }
  return 1;
}

/* Evaluate the relations at the point found, and correct it, until they agree. */
static int settle(dae_curve *c, int last, int *moved)
{
  path *p = path_of(c);

  if (!residuals(p, c->live->path.r0))
    return 0;
  for (int pass = 0; pass < PASSES; pass++) {
    int changed = brink__start_evaluate_relations(p->curve.live, p->t);
    changed |= brink__start_discretes_moved(p->curve.live);
    if (!changed)
      return residuals(p, p->curve.live->path.r0);
    *moved = 1;
    if (!brink__dae_curve_correct(c, last, 1) || !residuals(p, c->live->path.r0))
      return 0;
  }
  return 0;
}

/* ------------------------------------------------------------------ path -- */

static void keep(dae_curve *c, int top)
{
  dae_live *live = c->live;
  size_t size = live->m->n_symbols * sizeof *live->v;

  memcpy(live->path.v, live->v, size);
  if (top)
    memcpy(live->path.v_top, live->v, size);
}

static void back(dae_curve *c)
{
  dae_live *live = c->live;

  memcpy(live->v, live->path.v, live->m->n_symbols * sizeof *live->v);
  for (size_t i = 0; i < live->m->n_states; i++)
    live->y[i] = live->v[live->m->state_symbol[i]];
  brink__start_discretes_moved(live);
}

/* For the message: the loop with the unknown that moved most when the path was lost. */
static void blame(path *p)
{
  dae_live *live = p->curve.live;
  size_t at = 0;
  double most = -1;

  for (size_t k = 0; k < p->homotopy->program.n_steps; k++) {
    const dae_step *s = &p->homotopy->program.steps[k];
    for (size_t i = 0; p->homotopy->open[k] && i < s->loop->n; i++, at++)
      if (fabs(live->path.direction[at] / live->path.unit[at]) > most) {
        most = fabs(live->path.direction[at] / live->path.unit[at]);
        live->fault = (dae_fault){s, BRINK__NONE, DAE_FAULT_NEWTON, -1};
      }
  }
}

static brink_status lost(path *p, dae_curve_end end, brink_err *err)
{
  dae_live *live = p->curve.live;
  int line = live->m->flat->homotopy.line;
  const char *how = end == DAE_CURVE_BACK    ? "turns back for good at"
                    : end == DAE_CURVE_LONG  ? "needs too many steps beyond"
                    : end == DAE_CURVE_STUCK ? "cannot leave"
                                             : "gets no further than";

  if (live->fault.what == DAE_FAULT_NONE)
    blame(p);
  memcpy(live->v, live->path.v_top, live->m->n_symbols * sizeof *live->v);
  live->v[live->m->flat->lambda] = 1; /* the message shows the equations of the run */
  brink__fail_at(err, BRINK_ESOLVE, p->t, "homotopy (line %d) %s lambda = %.6g: %s",
                 line, how, p->curve.top,
                 live->fault.what == DAE_FAULT_NONE ? brink__start_explain_path(live)
                                                    : brink__dae_reason(live));
  if (err)
    err->line = line;
  return BRINK_ESOLVE;
}

/* How many unknowns and equations the path has. */
static void count(path *p)
{
  const start_system *in = p->curve.live->m->initial;
  size_t j = 0;

  p->curve.n = p->curve.rows = p->homotopy->n_loops;
  while (next_unknown(p, &j))
    p->curve.n++;
  for (size_t i = 0; i < in->n && p->with_start; i++)
    p->curve.rows += (size_t)brink__start_takes_part(p->curve.live, &in->conditions[i],
                                                     START_STATES);
}

brink_status brink__start_homotopy_path(dae_live *live, double t, brink_err *err)
{
  const start_homotopy *l = live->homotopy;
  path p = {.curve = {.live = live,
                      .most_steps = STEPS,
                      .slopes = slopes,
                      .measure = measure,
                      .settle = settle,
                      .keep = keep,
                      .back = back},
            .homotopy = l,
            .t = t,
            .with_start = l->with_states && !live->initial.given};

  count(&p);
  if (p.curve.n == 0)
    return BRINK_OK;
  gather(&p);
  live->path.x[p.curve.n] = 0;
  dae_curve_end end = brink__dae_curve(&p.curve, 1);
  live->effort.homotopy += p.curve.steps;
  return end == DAE_CURVE_DONE ? BRINK_OK : lost(&p, end, err);
}
