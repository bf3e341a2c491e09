/* report.c -- sentences about what went wrong in the equations.
 *
 * Each says what, in which equation, at which line and time, and with which values:
 *
 *   log(x - 1) has no value: x - 1 = -0.75, x = 0.25, in der(y) = log(x - 1) (line 4)
 *   at t = 1.7
 */
#include "dae/inner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOP_SHOWN = 2, BALANCE_SHOWN = 4, CULPRIT = 60 };

/* -------------------------------------------------------------- domain --- */

/* The first equation of the step that holds the culprit, or that came out without a
 * value; -1: none. */
static int32_t row_of(const brink__live *live, const dae_step *step,
                      brink__node culprit)
{
  for (size_t i = 0; i < step->n_rows; i++)
    if (brink__dae_holds(live->m, step->root[i], culprit))
      return step->row[i];
  for (size_t i = 0; i < step->n_rows; i++)
    if (!isfinite(live->v[brink__tape_slot(step->tape, i)]))
      return step->row[i];
  return -1;
}

static const brink__flat_eqn *initial_of(const dae_model *m, brink__node culprit)
{
  const brink__flat *f = m->flat;

  for (size_t i = 0; i < f->n_initial_eqns; i++)
    if (brink__dae_holds(m, f->initial_eqns[i].lhs, culprit) ||
        brink__dae_holds(m, f->initial_eqns[i].rhs, culprit))
      return &f->initial_eqns[i];
  return NULL;
}

static int in_action(const dae_model *m, const brink__flat_action *a,
                     brink__node culprit)
{
  int found =
      brink__dae_holds(m, a->value, culprit) || brink__dae_holds(m, a->cond, culprit);

  for (int i = 0; i < a->n_parts && !found; i++)
    found = brink__dae_holds(m, a->parts[i], culprit);
  return found;
}

/* The action of a when, or the assertion, that holds the culprit. */
static const brink__flat_action *action_of(const dae_model *m, brink__node culprit)
{
  for (size_t i = 0; i < m->n_acts; i++)
    if (in_action(m, m->acts[i].flat, culprit))
      return m->acts[i].flat;
  for (size_t i = 0; i < m->n_asserts; i++)
    if (in_action(m, m->asserts[i].flat, culprit))
      return m->asserts[i].flat;
  return NULL;
}

void brink__say_action(dae_say *s, const brink__live *live, const brink__flat_action *a)
{
  switch (a->kind) {
  case BRINK__REINIT:
    brink__say(s, "reinit(%.60s, ", live->m->flat->vars[a->var].name);
    brink__say_node(s, live, a->value, CULPRIT);
    brink__say(s, ")");
    break;
  case BRINK__ASSERT:
    brink__say(s, "assertion ");
    brink__say_node(s, live, a->value, CULPRIT);
    break;
  case BRINK__TERMINATE: brink__say(s, "terminate(...)"); break;
  case BRINK__ASSIGN:
    brink__say(s, "%.60s = ", live->m->flat->vars[a->var].name);
    brink__say_node(s, live, a->value, CULPRIT);
    break;
  }
  brink__say(s, " (line %d)", a->at.line);
}

/* What is wrong with an operation that has no value for finite arguments. */
static const char *trouble(const brink__live *live, brink__node culprit)
{
  const brink__graph *g = live->m->flat->graph;
  brink__op op = brink__node_op(g, culprit);

  switch ((int)op) {
  case BRINK_OP_DIV:
  case BRINK_OP_MOD:
  case BRINK_OP_REM:
  case BRINK_OP_QUOT:
    return brink__dae_value_of(live, brink__node_arg(g, culprit, 1)) == 0
               ? "divides by zero"
               : "overflows";
  case BRINK_OP_ADD:
  case BRINK_OP_SUB:
  case BRINK_OP_MUL:
  case BRINK_OP_EXP:
  case BRINK_OP_SINH:
  case BRINK_OP_COSH: return "overflows";
  case BRINK_OP_SYMBOL: return "is no longer finite";
  default: return "has no value";
  }
}

/* ": x - 1 = -0.75, x = 0.25" */
static void say_arguments(dae_say *s, const brink__live *live, brink__node culprit,
                          const dae_row *row)
{
  const brink__graph *g = live->m->flat->graph;
  brink__node roots[3] = {culprit, row ? row->rhs : BRINK__NONE,
                          row ? row->lhs : BRINK__NONE};
  const char *before = ": ";
  int32_t own = row && brink__node_op(g, row->lhs) == BRINK_OP_SYMBOL
                    ? brink__node_symbol(g, row->lhs)
                    : -1;

  if (brink__op_arity(brink__node_op(g, culprit)) == 1) {
    brink__node arg = brink__node_arg(g, culprit, 0);
    double value = brink__dae_value_of(live, arg);
    if (brink__node_op(g, arg) != BRINK_OP_SYMBOL && isfinite(value)) {
      brink__say(s, ": ");
      brink__say_node(s, live, arg, CULPRIT);
      brink__say(s, " = %.9g", value);
      before = ", ";
    }
  }
  if (row && row->kind > DAE_ROW_DISCRETE)
    roots[1] = roots[2] = BRINK__NONE; /* its equation is not what was written */
  brink__say_values(s, live, before, roots, 3, &own, 1);
}

static void domain(dae_say *s, const brink__live *live)
{
  const dae_model *m = live->m;
  const dae_fault *f = &live->fault;
  int32_t row = -1;

  if (!f->culprit) {
    brink__say(s, "a number has no value");
    return;
  }
  if (f->step)
    row = f->step->loop ? f->step->loop->row[0] : row_of(live, f->step, f->culprit);
  brink__say_node(s, live, f->culprit, CULPRIT);
  brink__say(s, " %s", trouble(live, f->culprit));
  say_arguments(s, live, f->culprit, row < 0 ? NULL : &dae_rows_of(live)[row]);
  const brink__flat_eqn *e = row < 0 ? initial_of(m, f->culprit) : NULL;
  const brink__flat_action *a = row < 0 && !e ? action_of(m, f->culprit) : NULL;
  if (row >= 0 || e || a)
    brink__say(s, ", in ");
  if (row >= 0)
    brink__say_row(s, live, row);
  else if (e)
    brink__say_equation(s, live, e->lhs, e->rhs, e->at.line);
  else if (a)
    brink__say_action(s, live, a);
}

/* --------------------------------------------------------------- loops --- */

static void say_unknowns(dae_say *s, const brink__live *live, const dae_loop *l,
                         int with_values)
{
  for (size_t i = 0; i < l->n && i < 4; i++) {
    brink__say(s, "%s", i ? ", " : "");
    brink__say_symbol(s, live, l->symbol[i]);
    if (with_values)
      brink__say(s, " = %.9g", live->v[l->symbol[i]]);
  }
  if (l->n > 4)
    brink__say(s, ", ...");
}

static void loop(dae_say *s, const brink__live *live)
{
  const dae_loop *l = live->fault.step->loop;
  brink__node roots[2 * LOOP_SHOWN] = {BRINK__NONE};
  int singular = live->fault.what == DAE_FAULT_SINGULAR;

  brink__say(s, singular ? "no unique solution of " : "no solution of ");
  for (size_t i = 0; i < l->n && i < LOOP_SHOWN; i++) {
    brink__say(s, "%s", i == 0 ? "" : l->n == 2 ? " and " : ", ");
    brink__say_row(s, live, l->row[i]);
    roots[2 * i] = dae_rows_of(live)[l->row[i]].lhs;
    roots[2 * i + 1] = dae_rows_of(live)[l->row[i]].rhs;
  }
  if (l->n > LOOP_SHOWN)
    brink__say(s, " and %zu more", l->n - LOOP_SHOWN);
  if (singular) {
    brink__say(s, " for ");
    say_unknowns(s, live, l, 0);
    brink__say(s, " (singular)");
  } else {
    brink__say(s, " near ");
    say_unknowns(s, live, l, 1);
  }
  brink__say_values(s, live, singular ? ": " : ", with ", roots, 2 * LOOP_SHOWN,
                    l->symbol, l->n);
}

/* ---------------------------------------------------------- assertions --- */

static void assertion(dae_say *s, brink__live *live, const brink__flat_action *a,
                      const brink__tape *tape, size_t first, double t)
{
  double parts[BRINK__DAE_PARTS];
  char text[BRINK_ERR_TEXT / 2];

  for (int i = 0; i < a->n_parts && i < BRINK__DAE_PARTS; i++)
    parts[i] = live->v[brink__tape_slot(tape, first + (size_t)i)];
  brink__dae_text(a, parts, text, sizeof text);
  brink__say_action(s, live, a);
  brink__say(s, " fails");
  brink__say_values(s, live, ": ", &a->value, 1, NULL, 0);
  brink__say(s, " at t = %.9g: %s", t, text);
}

void brink__dae_broken(brink__live *live, const brink__flat_action *a,
                       const brink__tape *tape, size_t first, double t)
{
  dae_say s = {live->reason, sizeof live->reason, 0};

  assertion(&s, live, a, tape, first, t);
}

/* ----------------------------------------------------------- conflicts --- */

void brink__dae_conflict(brink__live *live, const brink__flat_action *a,
                         const brink__flat_action *b, double va, double vb, double t)
{
  dae_say s = {live->reason, sizeof live->reason, 0};
  brink__node roots[2] = {a->value, b->value};

  brink__say_action(&s, live, a);
  brink__say(&s, " and ");
  brink__say_action(&s, live, b);
  brink__say(&s, " disagree: %.9g and %.9g", va, vb);
  brink__say_values(&s, live, ", with ", roots, 2, NULL, 0);
  brink__say(&s, " at t = %.9g", t);
}

/* The equation whose left-hand side, or assignment in a when, is this variable. */
static int32_t row_for(const dae_model *m, int32_t symbol)
{
  const brink__graph *g = m->flat->graph;

  for (size_t i = 0; i < m->n_rows; i++)
    if (brink__node_op(g, m->rows[i].lhs) == BRINK_OP_SYMBOL &&
        brink__node_symbol(g, m->rows[i].lhs) == symbol)
      return (int32_t)i;
  return -1;
}

void brink__dae_unsettled(brink__live *live, const char *what, int passes, int discrete,
                          int relation, double t)
{
  dae_say s = {live->reason, sizeof live->reason, 0};
  const dae_model *m = live->m;

  brink__say(&s, "%s does not settle in %d passes", what, passes);
  if (discrete >= 0) {
    int32_t symbol = m->discretes[discrete].value, row = row_for(m, symbol);
    brink__say(&s, ": ");
    brink__say_symbol(&s, live, symbol);
    brink__say(&s, " keeps changing");
    if (row >= 0) {
      brink__say(&s, " in ");
      brink__say_row(&s, live, row);
      brink__say_values(&s, live, ": ",
                        (brink__node[]){m->rows[row].lhs, m->rows[row].rhs}, 2, NULL,
                        0);
    }
  } else if (relation >= 0) {
    const brink__flat_relation *r = &m->flat->relations[relation];
    brink__say(&s, ": %.90s (line %d) keeps changing", r->text, r->at.line);
    brink__say_values(&s, live, ": ", (brink__node[]){r->left, r->right}, 2, NULL, 0);
  }
  brink__say(&s, " at t = %.9g", t);
}

/* "2 conditions (lines 4, 5) for 1 free value (y = 0.5)" */
static void say_balance(dae_say *s, const brink__live *live)
{
  const dae_model *m = live->m;
  const dae_initial *in = &m->initial;

  brink__say(s, "%zu condition%s", in->n, in->n == 1 ? "" : "s");
  for (size_t i = 0; i < in->n && in->n > 1 && i <= BALANCE_SHOWN; i++)
    if (i < BALANCE_SHOWN)
      brink__say(s, "%s%d", i ? ", " : " (lines ", brink__dae_initial_line(m, i));
    else
      brink__say(s, ", ...");
  brink__say(s, "%s for %zu free value%s", in->n > 1 ? ")" : "", in->n_free,
             in->n_free == 1 ? "" : "s");
  for (size_t j = 0; j < in->n_free && j <= BALANCE_SHOWN; j++)
    if (j < BALANCE_SHOWN)
      brink__say(s, "%s%.40s = %.9g", j ? ", " : " (",
                 m->flat->vars[m->state_var[in->free[j]]].name, live->y[in->free[j]]);
    else
      brink__say(s, ", ...");
  brink__say(s, "%s", in->n_free ? ")" : "");
}

void brink__dae_unsolved(brink__live *live, size_t worst, double t)
{
  const dae_model *m = live->m;
  const dae_initial *in = &m->initial;
  dae_say s = {live->reason, sizeof live->reason, 0};
  brink__node roots[2] = {BRINK__NONE, BRINK__NONE};

  brink__say(&s, "the start is %s: ",
             in->n > in->n_free ? "over-determined" : "contradictory");
  if (in->var[worst] >= 0) {
    const brink__flat_var *v = &m->flat->vars[in->var[worst]];
    brink__say(&s, "the fixed start value of '%.60s' (line %d) is missed by %.3g",
               v->name, v->at.line, fabs(live->ir0[worst]));
    brink__say(&s, ", with %.60s = %.9g", v->name, live->v[v->value]);
  } else {
    const brink__flat_eqn *e = &m->flat->initial_eqns[in->eqn[worst]];
    brink__say_equation(&s, live, e->lhs, e->rhs, e->at.line);
    brink__say(&s, " is missed by %.3g", fabs(live->ir0[worst]));
    roots[0] = e->lhs;
    roots[1] = e->rhs;
    brink__say_values(&s, live, ", with ", roots, 2, NULL, 0);
  }
  brink__say(&s, "; ");
  say_balance(&s, live);
  brink__say(&s, " at t = %.9g", t);
}

const char *brink__dae_unmet(brink__live *live)
{
  const dae_model *m = live->m;
  const dae_initial *in = &m->initial;
  dae_say s = {live->reason, sizeof live->reason, 0};
  brink__node roots[2 * LOOP_SHOWN] = {BRINK__NONE};

  brink__say(&s, "no solution of ");
  for (size_t i = 0; i < in->n && i < LOOP_SHOWN; i++) {
    brink__say(&s, "%s", i == 0 ? "" : in->n == 2 ? " and " : ", ");
    if (in->var[i] >= 0) {
      const brink__flat_var *v = &m->flat->vars[in->var[i]];
      brink__say(&s, "the fixed start value of '%.60s' (line %d)", v->name, v->at.line);
      continue;
    }
    const brink__flat_eqn *e = &m->flat->initial_eqns[in->eqn[i]];
    brink__say_equation(&s, live, e->lhs, e->rhs, e->at.line);
    roots[2 * i] = e->lhs;
    roots[2 * i + 1] = e->rhs;
  }
  if (in->n > LOOP_SHOWN)
    brink__say(&s, " and %zu more", in->n - LOOP_SHOWN);
  brink__say_values(&s, live, ", with ", roots, 2 * LOOP_SHOWN, NULL, 0);
  brink__say(&s, " at t = %.9g", live->t);
  return live->reason;
}

/* --------------------------------------------------------------- faces --- */

const char *brink__dae_about(brink__live *live, size_t state)
{
  const dae_model *m = live->m;
  dae_say s = {live->reason, sizeof live->reason, 0};
  int32_t der, row = -1;

  live->reason[0] = '\0';
  if (state >= m->n_states)
    return live->reason;
  der = m->der_symbol[state];
  for (size_t i = 0; i < m->flow.n_steps && row < 0; i++) {
    const dae_step *step = &m->flow.steps[i];
    for (size_t k = 0; step->loop && k < step->loop->n && row < 0; k++)
      row = step->loop->symbol[k] == der ? step->loop->row[k] : -1;
    for (size_t k = 0; !step->loop && k < step->n_rows && row < 0; k++)
      row = brink__tape_slot(step->tape, k) == (size_t)der ? step->row[k] : -1;
  }
  if (row < 0)
    return live->reason;
  brink__say_row(&s, live, row);
  brink__say_values(&s, live, ": ", (brink__node[]){m->rows[row].lhs, m->rows[row].rhs},
                    2, NULL, 0);
  return live->reason;
}

const char *brink__dae_reason(brink__live *live)
{
  const dae_model *m = live->m;
  dae_say s = {live->reason, sizeof live->reason, 0};

  live->reason[0] = '\0';
  switch (live->fault.what) {
  case DAE_FAULT_DOMAIN: domain(&s, live); break;
  case DAE_FAULT_SINGULAR:
  case DAE_FAULT_NEWTON: loop(&s, live); break;
  case DAE_FAULT_ASSERT: {
    const dae_assert *a = &m->asserts[live->fault.assert];
    if (brink__tape_values(m->assert_tape, live->v, NULL) == BRINK_OK) {
      assertion(&s, live, a->flat, m->assert_tape, a->parts, live->t);
      return live->reason;
    }
    brink__say_action(&s, live, a->flat);
    brink__say(&s, " fails");
    break;
  }
  case DAE_FAULT_DELAY:
    brink__say(&s, "%.80s (line %d) looks further than the last %d steps, or ahead",
               m->flat->delays[live->fault.assert].text,
               m->flat->delays[live->fault.assert].at.line, DAE_PIECES);
    break;
  default: return live->reason;
  }
  brink__say(&s, " at t = %.9g", live->t);
  return live->reason;
}
