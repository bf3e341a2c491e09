/* reason.c -- why an evaluation failed, in words (explain/). */
#include "dae/model.h"

#include <math.h>

/* The first equation of the step that holds the culprit, or that came out without a
 * value; -1: none. */
static int32_t row_of(const dae_live *live, const dae_step *step, brink__node culprit)
{
  if (!step)
    return -1;
  for (size_t i = 0; step->loop && i < step->loop->n_rows; i++) {
    const brink__row *r = &live->m->rows[step->loop->row[i]];
    if (brink__explain_contains(live->m->flat->graph, r->lhs, culprit) ||
        brink__explain_contains(live->m->flat->graph, r->rhs, culprit))
      return step->loop->row[i];
  }
  if (step->loop)
    return step->loop->row[0];
  for (size_t i = 0; i < step->n_rows; i++)
    if (brink__explain_contains(live->m->flat->graph, step->root[i], culprit))
      return step->row[i];
  for (size_t i = 0; i < step->n_rows; i++)
    if (!isfinite(live->v[brink__tape_slot(step->tape, i)]))
      return step->row[i];
  return -1;
}

void brink__dae_explain_assertion(dae_live *live, const brink__flat_action *a,
                                  const brink__tape *tape, size_t first, double t)
{
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);
  double parts[BRINK__TEXT_PARTS];

  for (int i = 0; i < a->n_parts && i < BRINK__TEXT_PARTS; i++)
    parts[i] = live->v[brink__tape_slot(tape, first + (size_t)i)];
  brink__explain_assertion(&s, &sys, a, parts, t);
}

void brink__dae_explain_unsettled(dae_live *live, const char *what, int passes,
                                  int discrete, int relation, double t)
{
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);

  brink__explain_unsettled(&s, &sys, what, passes,
                           discrete < 0 ? -1 : live->m->discretes[discrete].value,
                           relation, t);
}

/* The equation that determines the symbol in the flow, or -1. */
static int32_t row_in_flow(const dae_model *m, int32_t symbol)
{
  int32_t row = -1;

  for (size_t i = 0; i < m->flow.n_steps && row < 0; i++) {
    const dae_step *step = &m->flow.steps[i];
    for (size_t k = 0; step->loop && k < step->loop->n && row < 0; k++)
      row = step->loop->symbol[k] == symbol ? step->loop->row[k] : -1;
    for (size_t k = 0; !step->loop && k < step->n_rows && row < 0; k++)
      row = brink__dae_target(step, k) == symbol ? step->row[k] : -1;
  }
  return row;
}

const char *brink__dae_about(dae_live *live, size_t state)
{
  const dae_model *m = live->m;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);
  int32_t row = state < m->n_states ? row_in_flow(m, m->der_symbol[state]) : -1;

  live->reason[0] = '\0';
  if (row < 0)
    return live->reason;
  brink__sentence_row(&s, &sys, row);
  brink__sentence_values(
      &s, &sys, ": ", (brink__node[]){m->rows[row].lhs, m->rows[row].rhs}, 2, NULL, 0);
  return live->reason;
}

/* There is no restart. */
static void misfit(dae_live *live, brink__sentence *s, const brink__system *sys)
{
  const dae_model *m = live->m;
  const dae_misfit *x = &live->misfit;
  const char *name = m->flat->vars[m->state_var[x->state]].name;

  if (x->set_by) {
    brink__sentence_action(s, sys, x->set_by);
    brink__sentence_add(s, " contradicts ");
  }
  if (live->fault.assert >= 0) {
    const brink__flat_constraint *c = &m->flat->constraints[live->fault.assert];
    brink__sentence_derivative(s, sys, c->eqn, c->order);
  } else {
    brink__sentence_add(s, "the constraints");
  }
  if (x->set_by)
    brink__sentence_add(s, ", which would need %s = %.9g in place of %.9g", name, x->to,
                        x->from);
  else
    brink__sentence_add(s,
                        " does not hold: '%s' would have to jump from %.9g to %.9g, "
                        "which no impulse can do, only a reinit",
                        name, x->from, x->to);
}

const char *brink__dae_reason(dae_live *live)
{
  const dae_model *m = live->m;
  const dae_fault *f = &live->fault;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);

  live->reason[0] = '\0';
  switch (f->what) {
  case DAE_FAULT_DOMAIN:
    brink__explain_domain(&s, &sys, f->culprit, row_of(live, f->step, f->culprit));
    break;
  case DAE_FAULT_SERIES:
    brink__sentence_add(&s, "no Taylor series: ");
    brink__explain_domain(&s, &sys, f->culprit, row_of(live, f->step, f->culprit));
    break;
  case DAE_FAULT_SINGULAR:
  case DAE_FAULT_NEWTON: {
    const dae_loop *l = f->step->loop;
    if (l->n < l->n_rows) /* the unknowns that follow, for the values in the sentence */
      brink__tape_values(f->step[1].tape, live->v, NULL);
    brink__explain_loop(&s, &sys, l->row, l->symbol, l->n_rows,
                        f->what == DAE_FAULT_SINGULAR);
    break;
  }
  case DAE_FAULT_FOLD: {
    const dae_loop *l = f->step->loop;
    brink__explain_fold(&s, &sys, l->row[f->assert], l->symbol[f->assert], live->t);
    return live->reason;
  }
  case DAE_FAULT_ASSERT: {
    const dae_assert *a = &m->asserts[f->assert];
    if (brink__tape_values(m->assert_tape, live->v, NULL) == BRINK_OK) {
      brink__dae_explain_assertion(live, a->flat, m->assert_tape, a->parts, live->t);
      return live->reason;
    }
    brink__sentence_action(&s, &sys, a->flat);
    brink__sentence_add(&s, " fails");
    break;
  }
  case DAE_FAULT_DELAY:
    brink__sentence_add(
        &s,
        "%.80s (line %d) looks further back than the %d steps that are remembered, or "
        "ahead: longer steps (a coarser tolerance, method=radau where it is stiff) "
        "reach farther back",
        m->flat->delays[f->assert].text, m->flat->delays[f->assert].at.line,
        DAE_PIECES);
    break;
  case DAE_FAULT_CONSTRAINT: {
    const brink__flat_constraint *c = &m->flat->constraints[f->assert];
    brink__sentence_add(&s, "the states cannot be put back on ");
    brink__sentence_derivative(&s, &sys, c->eqn, c->order);
    break;
  }
  case DAE_FAULT_RESTART: misfit(live, &s, &sys); break;
  case DAE_FAULT_MEMORY:
    brink__sentence_add(&s, "out of memory for the factors of %zu equations",
                        f->step->loop->n_rows);
    break;
  default: return live->reason;
  }
  brink__sentence_add(&s, " at t = %.9g", live->t);
  return live->reason;
}
