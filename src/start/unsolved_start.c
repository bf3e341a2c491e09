/* unsolved_start.c -- sentences about a start that was not found. */
#include "start/start.h"

#include <math.h>

enum { EQUATIONS_SHOWN = 2, BALANCE_SHOWN = 4 };

/* "2 conditions (lines 4, 5) for 1 free value (y = 0.5)" */
static void add_balance(brink__sentence *s, const dae_live *live)
{
  const dae_model *m = live->m;
  const start_initial *in = m->initial;

  brink__sentence_add(s, "%zu condition%s", in->n, in->n == 1 ? "" : "s");
  for (size_t i = 0; i < in->n && in->n > 1 && i <= BALANCE_SHOWN; i++)
    if (i < BALANCE_SHOWN)
      brink__sentence_add(s, "%s%d", i ? ", " : " (lines ", brink__start_line(m, i));
    else
      brink__sentence_add(s, ", ...");
  brink__sentence_add(s, "%s for %zu free value%s", in->n > 1 ? ")" : "", in->n_free,
                      in->n_free == 1 ? "" : "s");
  for (size_t j = 0; j < in->n_free && j <= BALANCE_SHOWN; j++)
    if (j < BALANCE_SHOWN)
      brink__sentence_add(s, "%s%.40s = %.9g", j ? ", " : " (",
                          m->flat->vars[m->state_var[in->free[j]]].name,
                          live->y[in->free[j]]);
    else
      brink__sentence_add(s, ", ...");
  brink__sentence_add(s, "%s", in->n_free ? ")" : "");
}

void brink__start_explain_unsolved(dae_live *live, size_t worst, double t)
{
  const dae_model *m = live->m;
  const start_initial *in = m->initial;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);
  brink__node roots[2] = {BRINK__NONE, BRINK__NONE};

  brink__sentence_add(&s, "the start is %s: ",
                      in->n > in->n_free ? "over-determined" : "contradictory");
  if (in->var[worst] >= 0) {
    const brink__flat_var *v = &m->flat->vars[in->var[worst]];
    brink__sentence_add(&s,
                        "the fixed start value of '%.60s' (line %d) is missed by %.3g",
                        v->name, v->at.line, fabs(live->initial.r0[worst]));
    brink__sentence_add(&s, ", with %.60s = %.9g", v->name, live->v[v->value]);
  } else {
    const brink__flat_eqn *e = &m->flat->initial_eqns[in->eqn[worst]];
    brink__sentence_equation(&s, &sys, e->lhs, e->rhs, e->at.line);
    brink__sentence_add(&s, " is missed by %.3g", fabs(live->initial.r0[worst]));
    roots[0] = e->lhs;
    roots[1] = e->rhs;
    brink__sentence_values(&s, &sys, ", with ", roots, 2, NULL, 0);
  }
  brink__sentence_add(&s, "; ");
  add_balance(&s, live);
  brink__sentence_add(&s, " at t = %.9g", t);
}

const char *brink__start_explain_path(dae_live *live)
{
  const dae_model *m = live->m;
  const start_initial *in = m->initial;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);
  brink__node roots[2 * EQUATIONS_SHOWN] = {BRINK__NONE};

  brink__sentence_add(&s, "no solution of ");
  for (size_t i = 0; i < in->n && i < EQUATIONS_SHOWN; i++) {
    brink__sentence_add(&s, "%s", i == 0 ? "" : in->n == 2 ? " and " : ", ");
    if (in->var[i] >= 0) {
      const brink__flat_var *v = &m->flat->vars[in->var[i]];
      brink__sentence_add(&s, "the fixed start value of '%.60s' (line %d)", v->name,
                          v->at.line);
      continue;
    }
    const brink__flat_eqn *e = &m->flat->initial_eqns[in->eqn[i]];
    brink__sentence_equation(&s, &sys, e->lhs, e->rhs, e->at.line);
    roots[2 * i] = e->lhs;
    roots[2 * i + 1] = e->rhs;
  }
  if (in->n > EQUATIONS_SHOWN)
    brink__sentence_add(&s, " and %zu more", in->n - EQUATIONS_SHOWN);
  brink__sentence_values(&s, &sys, ", with ", roots, 2 * EQUATIONS_SHOWN, NULL, 0);
  brink__sentence_add(&s, " at t = %.9g", live->t);
  return live->reason;
}
