/* start.c -- a consistent start.
 *
 * States take their start values (or what the caller gives), pre() of discrete
 * variables theirs, relations the values of their guards; then the event system is
 * evaluated with initial() true until relations and discrete variables agree.  A
 * when takes part only if initial() is in its condition (never, in Base Modelica).
 *
 * Initial equations that are not mere assignments are solved for the free states by
 * Gauss-Newton steps of least size, weighted by nominal, so that the start found is
 * near the start values; difference quotients are good enough for the slopes, since
 * only the residuals decide when it ends.
 */
#include "start/start.h"
#include "clause/clause.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

enum { PASSES = 100 };

/* Relations whose guards need loops to be solved get their first values from the start
 * values of all variables.  Else the loops would be solved first with relations that
 * are all false, perhaps in a branch that has no solution. */
static void guess_relations(dae_live *live)
{
  const dae_model *m = live->m;

  for (size_t k = 0; k < m->n_guards; k++) {
    const clause_guard *d = &m->guards[k];
    if (d->relation < 0 || d->program.n_steps == 1 ||
        brink__tape_values(d->last, live->v, NULL) < 0)
      continue;
    const clause_relation *r = &m->relations[d->relation];
    double g = clause_guard_value(live, d);
    live->v[r->slot] = clause_truth(r, g);
  }
}

int brink__start_discretes_moved(dae_live *live)
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

static void prepare(dae_live *live, double t, const double *given)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n; i++)
    live->y[i] = i >= m->n_states ? 0 : given ? given[i] : live->v[m->state_symbol[i]];
  for (size_t i = 0; i < m->n_states; i++) {
    live->v[m->state_symbol[i]] = live->y[i];
    live->reinit[i] = -1;
  }
  for (size_t i = 0; i < m->n_lefts; i++)
    live->v[m->lefts[i].pre] = live->v[m->lefts[i].value];
  if (m->flat->initial >= 0)
    live->v[m->flat->initial] = 1;
  for (size_t k = 0; k < m->n_conds; k++)
    live->v[m->conds[k].pre] = !m->conds[k].with_initial || m->flat->base;
  live->v[BRINK__TIME] = t;
  live->stop = 0;
  memset(live->fired, 0, m->n_branches);
  brink__start_discretes_moved(live);
}

static brink_status no_start(dae_live *live, double t, brink_err *err)
{
  if (live->homotopy)
    return brink__fail_at(err, BRINK_EDOMAIN, t,
                          "homotopy (line %d) finds no start of what is simplified: %s",
                          live->m->flat->homotopy.line, brink__dae_reason(live));
  return brink__fail_at(err, BRINK_EDOMAIN, t, "at the start, %s",
                        brink__dae_reason(live));
}

/* --------------------------------------------------- initial equations --- */

static int residuals(dae_live *live, double t, double *r)
{
  const start_initial *in = live->m->initial;
  const dae_program *p = live->homotopy ? &live->homotopy->program : &in->program;
  const dae_step *last = &p->steps[p->n_steps - 1];

  if (brink__dae_run(live, p, t, live->y) < 0)
    return 0;
  for (size_t i = 0; i < in->n; i++)
    r[i] = live->v[brink__tape_slot(last->tape, last->n_rows + i)];
  return 1;
}

/* d r / d (state / nominal), by one-sided differences inside the domain. */
static int slopes(dae_live *live, double t)
{
  const start_initial *in = live->m->initial;

  for (size_t j = 0; j < in->n_free; j++) {
    double *y = &live->y[in->free[j]], keep = *y;
    double h = 0x1p-26 * fmax(fabs(keep), brink__start_nominal(live, j));
    *y = keep + h;
    int here = residuals(live, t, live->initial.r);
    if (!here) {
      *y = keep - h;
      here = residuals(live, t, live->initial.r);
    }
    double step = (*y - keep) / brink__start_nominal(live, j);
    *y = keep;
    if (!here)
      return 0;
    for (size_t i = 0; i < in->n; i++)
      live->initial.jacobian[i * in->n_free + j] =
          (live->initial.r[i] - live->initial.r0[i]) / step;
  }
  return 1;
}

static double norm(const double *r, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += r[i] * r[i];
  return sqrt(sum);
}

/* Move the free states by the correction dz, halved until the residual becomes smaller;
 * the new residual is left in r0. */
static int move(dae_live *live, double t)
{
  const start_initial *in = live->m->initial;
  double before = norm(live->initial.r0, in->n), lambda = 1;

  for (size_t j = 0; j < in->n_free; j++)
    live->initial.z[j] = live->y[in->free[j]];
  for (int k = 0; k < 40; k++, lambda /= 2) {
    for (size_t j = 0; j < in->n_free; j++)
      live->y[in->free[j]] = live->initial.z[j] - lambda * live->initial.dz[j] *
                                                      brink__start_nominal(live, j);
    if (!residuals(live, t, live->initial.r) ||
        !(norm(live->initial.r, in->n) < before))
      continue;
    memcpy(live->initial.r0, live->initial.r, in->n * sizeof *live->initial.r);
    return 1;
  }
  for (size_t j = 0; j < in->n_free; j++)
    live->y[in->free[j]] = live->initial.z[j];
  return 0;
}

static brink_status unsolved(dae_live *live, double t, brink_err *err)
{
  const dae_model *m = live->m;
  const start_initial *in = m->initial;
  size_t worst = 0;

  for (size_t i = 0; i < in->n; i++)
    if (fabs(live->initial.r0[i]) > fabs(live->initial.r0[worst]))
      worst = i;
  residuals(live, t,
            live->initial.r); /* the message shows the values of the best point */
  brink__start_explain_unsolved(live, worst, t);
  brink__fail_at(err, BRINK_ESOLVE, t, "%s", live->reason);
  if (err)
    err->line = brink__start_line(m, worst);
  return BRINK_ESOLVE;
}

/* The start is solved if the residuals are below this times their derivatives with
 * respect to the states in nominal units: difference quotients do not lead further. */
static const double SOLVED = 1e-9;

static brink_status initial_equations(dae_live *live, double t, brink_err *err)
{
  const start_initial *in = live->m->initial;

  if (in->n == 0 || (live->homotopy && in->n_free == 0))
    return BRINK_OK;
  live->searching = 1;
  int here = residuals(live, t, live->initial.r0);
  live->searching = 0;
  if (!here)
    return no_start(live, t, err);
  double scale = 1;
  for (int k = 0; k < 100 && norm(live->initial.r0, in->n) > 0 && in->n_free; k++) {
    live->effort.jac_evals++;
    if (!slopes(live, t))
      return no_start(live, t, err);
    for (size_t i = 0; i < in->n * in->n_free; i++)
      scale = fmax(scale, fabs(live->initial.jacobian[i]));
    memcpy(live->initial.r, live->initial.r0, in->n * sizeof *live->initial.r);
    brink__least_norm(in->n, in->n_free, live->initial.jacobian, live->initial.r,
                      live->initial.dz, live->initial.row, live->initial.work);
    if (!move(live, t))
      break;
  }
  if (!(norm(live->initial.r0, in->n) <= SOLVED * scale))
    return unsolved(live, t, err);
  return BRINK_OK;
}

/* Evaluate the initial equations that set a variable directly. */
static brink_status assignments(dae_live *live, double t, int with_states,
                                brink_err *err)
{
  const dae_model *m = live->m;
  const start_initial *in = m->initial;
  const brink__tape *tape =
      live->homotopy ? live->homotopy->assign_tape : in->assign_tape;

  if (brink__dae_run_tape(live, NULL, tape) < 0)
    return no_start(live, t, err);
  for (size_t i = 0; i < in->n_assigns; i++)
    live->v[in->assign_target[i]] = live->v[brink__tape_slot(tape, i)];
  for (size_t i = 0; i < m->n_states && with_states; i++)
    live->y[i] = live->v[m->state_symbol[i]];
  return BRINK_OK;
}

/* The iteration of the start does not end: one more pass shows what keeps changing. */
static brink_status unsettled(dae_live *live, double t, brink_err *err)
{
  const dae_model *m = live->m;
  int discrete = -1, relation = -1;

  clause_save_relations(live);
  brink__clause_evaluate_relations(live, t, NULL, NULL);
  relation = clause_changed_relation(live);
  if (brink__dae_run(live, &m->event, t, live->y) == BRINK_OK)
    for (size_t i = 0; i < m->n_discretes && discrete < 0; i++)
      if (live->v[m->discretes[i].value] != live->old[i])
        discrete = (int)i;
  brink__dae_explain_unsettled(live, "the start", PASSES, discrete, relation, t);
  return brink__fail_at(err, BRINK_EITERATION, t, "%s", live->reason);
}

/* Solve the start with the present relations, and evaluate the relations there, until
 * they and the discrete variables no longer change. */
static brink_status solve_start(dae_live *live, double t, int given, brink_err *err)
{
  const dae_program *event =
      live->homotopy ? &live->homotopy->program : &live->m->event;

  for (int pass = 0; pass < PASSES; pass++) {
    int changed = live->homotopy
                      ? brink__start_evaluate_relations(live, t)
                      : brink__clause_evaluate_relations(live, t, NULL, NULL);
    BRINK_TRY(assignments(live, t, !given, err)); /* they may read what has changed */
    if (!given)
      BRINK_TRY(initial_equations(live, t, err));
    live->searching = 1;
    brink_status rc = brink__dae_run(live, event, t, live->y);
    live->searching = 0;
    if (rc < 0)
      return no_start(live, t, err);
    changed |= brink__start_discretes_moved(live);
    if (!changed && pass > 0)
      return BRINK_OK;
  }
  return unsettled(live, t, err);
}

/* The start of the simplified model, and from there along homotopy() to the start of
 * the model, or close to it. */
static brink_status from_simplified(dae_live *live, double t, int given, brink_err *err)
{
  const dae_model *m = live->m;
  double *lambda = &live->v[m->flat->lambda];

  live->homotopy = m->homotopy;
  *lambda = 0;
  brink_status rc = assignments(live, t, !given, err);
  guess_relations(live);
  if (rc == BRINK_OK)
    rc = solve_start(live, t, given, err);
  if (rc == BRINK_OK)
    rc = brink__start_homotopy_path(live, t, given, err);
  live->homotopy = NULL;
  *lambda = 1;
  return rc;
}

brink_status brink__start_find(const brink_model *model, dae_live *live, double t,
                               int *mode, const double *given, double *y,
                               brink_err *err)
{
  const dae_model *m = dae_of(model);

  *mode = 0;
  prepare(live, t, given);
  if (m->homotopy->used)
    BRINK_TRY(from_simplified(live, t, given != NULL, err));
  BRINK_TRY(assignments(live, t, !given, err));
  if (!m->homotopy->used)
    guess_relations(live);
  BRINK_TRY(solve_start(live, t, given != NULL, err));

  BRINK_TRY(brink__clause_check_initial(live, t, live->y, err));

  /* whens at initial() act, then the model goes on as after any event */
  BRINK_TRY(brink__clause_initial_actions(live, t, err));
  if (m->flat->initial >= 0)
    live->v[m->flat->initial] = 0;
  BRINK_TRY(brink__clause_iterate(live, t, NULL, err));
  for (size_t i = 0; i < m->n_states; i++)
    if (live->reinit[i] >= 0)
      live->y[i] = live->reinit_value[i];
  memcpy(y, live->y, m->n * sizeof *y);
  return brink__clause_check(live, t, y, err);
}
