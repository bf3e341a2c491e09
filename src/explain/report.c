/* report.c -- sentences about what went wrong in the equations.
 *
 * Each says what, in which equation, at which line and time, and with which values:
 *
 *   log(x - 1) has no value: x - 1 = -0.75, x = 0.25, in der(y) = log(x - 1) (line 4)
 *   at t = 1.7
 */
#include "explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOP_SHOWN = 2, CULPRIT = 60 };

/* -------------------------------------------------------------- domain --- */

static const brink__flat_eqn *initial_of(const brink__flat *f, brink__node culprit)
{
  const brink__graph *g = f->graph;

  for (size_t i = 0; i < f->n_initial_eqns; i++)
    if (brink__explain_contains(g, f->initial_eqns[i].lhs, culprit) ||
        brink__explain_contains(g, f->initial_eqns[i].rhs, culprit))
      return &f->initial_eqns[i];
  return NULL;
}

static int in_action(const brink__graph *g, const brink__flat_action *a,
                     brink__node culprit)
{
  int found = brink__explain_contains(g, a->value, culprit) ||
              brink__explain_contains(g, a->cond, culprit);

  for (int i = 0; i < a->n_parts && !found; i++)
    found = brink__explain_contains(g, a->parts[i], culprit);
  return found;
}

/* reinit of a variable of a state that is not active does nothing. */
static int is_inactive(const brink__flat *f, const brink__flat_action *a)
{
  return a->kind == BRINK__REINIT && f->vars[a->var].inactive;
}

/* The action of a when, or the assertion, that holds the culprit. */
static const brink__flat_action *action_of(const brink__flat *f, brink__node culprit)
{
  for (size_t w = 0; w < f->n_whens; w++)
    for (int k = 0; k < f->whens[w].n_branches; k++) {
      const brink__flat_branch *b = &f->whens[w].branches[k];
      for (int i = 0; i < b->n_actions; i++)
        if (b->actions[i].kind != BRINK__ASSIGN && !is_inactive(f, &b->actions[i]) &&
            in_action(f->graph, &b->actions[i], culprit))
          return &b->actions[i];
    }
  for (size_t i = 0; i < f->n_asserts; i++)
    if (in_action(f->graph, &f->asserts[i], culprit))
      return &f->asserts[i];
  return NULL;
}

void brink__sentence_action(brink__sentence *s, const brink__system *sys,
                            const brink__flat_action *a)
{
  switch (a->kind) {
  case BRINK__REINIT:
    brink__sentence_add(s, "reinit(%.60s, ", sys->flat->vars[a->var].name);
    brink__sentence_expression(s, sys, a->value, CULPRIT);
    brink__sentence_add(s, ")");
    break;
  case BRINK__PUSH:
    brink__sentence_add(s, "reflection of %.60s", sys->flat->vars[a->of].name);
    break;
  case BRINK__ASSERT:
    brink__sentence_add(s, "assertion ");
    brink__sentence_expression(s, sys, a->value, CULPRIT);
    break;
  case BRINK__TERMINATE: brink__sentence_add(s, "terminate(...)"); break;
  case BRINK__ASSIGN:
    brink__sentence_add(s, "%.60s = ", sys->flat->vars[a->var].name);
    brink__sentence_expression(s, sys, a->value, CULPRIT);
    break;
  }
  brink__sentence_add(s, " (line %d)", a->at.line);
}

/* What is wrong with an operation that has no value for finite arguments. */
static const char *trouble(const brink__system *sys, brink__node culprit)
{
  const brink__graph *g = sys->flat->graph;
  brink__op op = brink__node_op(g, culprit);

  switch ((int)op) {
  case BRINK_OP_DIV:
  case BRINK_OP_MOD:
  case BRINK_OP_REM:
  case BRINK_OP_QUOT:
    return brink__explain_value(sys, brink__node_arg(g, culprit, 1)) == 0
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
static void add_arguments(brink__sentence *s, const brink__system *sys,
                          brink__node culprit, const brink__row *row)
{
  const brink__graph *g = sys->flat->graph;
  brink__node roots[3] = {culprit, row ? row->rhs : BRINK__NONE,
                          row ? row->lhs : BRINK__NONE};
  const char *before = ": ";
  int32_t own = row && brink__node_op(g, row->lhs) == BRINK_OP_SYMBOL
                    ? brink__node_symbol(g, row->lhs)
                    : -1;

  if (brink__op_arity(brink__node_op(g, culprit)) == 1) {
    brink__node arg = brink__node_arg(g, culprit, 0);
    double value = brink__explain_value(sys, arg);
    if (brink__node_op(g, arg) != BRINK_OP_SYMBOL && isfinite(value)) {
      brink__sentence_add(s, ": ");
      brink__sentence_expression(s, sys, arg, CULPRIT);
      brink__sentence_add(s, " = %.9g", value);
      before = ", ";
    }
  }
  if (row && row->kind > BRINK__ROW_DISCRETE)
    roots[1] = roots[2] = BRINK__NONE; /* that equation was not written by the user */
  brink__sentence_values(s, sys, before, roots, 3, &own, 1);
}

void brink__explain_domain(brink__sentence *s, const brink__system *sys,
                           brink__node culprit, int32_t row)
{
  if (!culprit) {
    brink__sentence_add(s, "a number has no value");
    return;
  }
  brink__sentence_expression(s, sys, culprit, CULPRIT);
  brink__sentence_add(s, " %s", trouble(sys, culprit));
  add_arguments(s, sys, culprit, row < 0 ? NULL : &sys->rows[row]);
  const brink__flat_eqn *e = row < 0 ? initial_of(sys->flat, culprit) : NULL;
  const brink__flat_action *a = row < 0 && !e ? action_of(sys->flat, culprit) : NULL;
  if (row >= 0 || e || a)
    brink__sentence_add(s, ", in ");
  if (row >= 0)
    brink__sentence_row(s, sys, row);
  else if (e)
    brink__sentence_equation(s, sys, e->lhs, e->rhs, e->at.line);
  else if (a)
    brink__sentence_action(s, sys, a);
}

/* --------------------------------------------------------------- loops --- */

static void add_unknowns(brink__sentence *s, const brink__system *sys,
                         const int32_t *symbols, size_t n, int with_values)
{
  for (size_t i = 0; i < n && i < 4; i++) {
    brink__sentence_add(s, "%s", i ? ", " : "");
    brink__sentence_symbol(s, sys, symbols[i]);
    if (with_values)
      brink__sentence_add(s, " = %.9g", sys->v[symbols[i]]);
  }
  if (n > 4)
    brink__sentence_add(s, ", ...");
}

void brink__explain_loop(brink__sentence *s, const brink__system *sys,
                         const int32_t *rows, const int32_t *symbols, size_t n,
                         int singular)
{
  brink__node roots[2 * LOOP_SHOWN] = {BRINK__NONE};

  brink__sentence_add(s, singular ? "no unique solution of " : "no solution of ");
  for (size_t i = 0; i < n && i < LOOP_SHOWN; i++) {
    brink__sentence_add(s, "%s", i == 0 ? "" : n == 2 ? " and " : ", ");
    brink__sentence_row(s, sys, rows[i]);
    roots[2 * i] = sys->rows[rows[i]].lhs;
    roots[2 * i + 1] = sys->rows[rows[i]].rhs;
  }
  if (n > LOOP_SHOWN)
    brink__sentence_add(s, " and %zu more", n - LOOP_SHOWN);
  if (singular) {
    brink__sentence_add(s, " for ");
    add_unknowns(s, sys, symbols, n, 0);
    brink__sentence_add(s, " (singular)");
    for (size_t i = 0; i < n && n > 1; i++)
      if (sys->flat->derivative && symbols[i] < sys->flat->n_symbols &&
          sys->flat->derivative[symbols[i]] >= 0) {
        brink__sentence_add(s, ", as if they depended on each other in their highest "
                               "derivatives: if so, write a combination of them from "
                               "which these cancel");
        break;
      }
  } else {
    brink__sentence_add(s, " near ");
    add_unknowns(s, sys, symbols, n, 1);
  }
  brink__sentence_values(s, sys, singular ? ": " : ", with ", roots, 2 * LOOP_SHOWN,
                         symbols, n);
}

void brink__explain_fold(brink__sentence *s, const brink__system *sys, int32_t row,
                         int32_t symbol, double t)
{
  brink__sentence_row(s, sys, row);
  brink__sentence_add(s, " has a fold at t = %.9g: the solution ", t);
  add_unknowns(s, sys, &symbol, 1, 1);
  brink__sentence_add(s, " turns back there, and none continues it");
}

/* ---------------------------------------------------------- assertions --- */

void brink__explain_assertion(brink__sentence *s, const brink__system *sys,
                              const brink__flat_action *a, const double *parts,
                              double t)
{
  char text[BRINK_ERR_TEXT / 2];

  brink__explain_message(a, parts, text, sizeof text);
  brink__sentence_action(s, sys, a);
  brink__sentence_add(s, " fails");
  brink__sentence_values(s, sys, ": ", &a->value, 1, NULL, 0);
  brink__sentence_add(s, " at t = %.9g: %s", t, text);
}

/* ----------------------------------------------------------- conflicts --- */

void brink__explain_conflict(brink__sentence *s, const brink__system *sys,
                             const brink__flat_action *a, const brink__flat_action *b,
                             double va, double vb, double t)
{
  brink__node roots[2] = {a->value, b->value};

  brink__sentence_action(s, sys, a);
  brink__sentence_add(s, " and ");
  brink__sentence_action(s, sys, b);
  brink__sentence_add(s, " disagree: %.9g and %.9g", va, vb);
  brink__sentence_values(s, sys, ", with ", roots, 2, NULL, 0);
  brink__sentence_add(s, " at t = %.9g", t);
}

/* The equation whose left-hand side, or assignment in a when, is this variable. */
static int32_t row_for(const brink__system *sys, int32_t symbol)
{
  const brink__graph *g = sys->flat->graph;

  for (size_t i = 0; i < sys->n_rows; i++)
    if (brink__node_op(g, sys->rows[i].lhs) == BRINK_OP_SYMBOL &&
        brink__node_symbol(g, sys->rows[i].lhs) == symbol)
      return (int32_t)i;
  return -1;
}

void brink__explain_unsettled(brink__sentence *s, const brink__system *sys,
                              const char *what, int passes, int32_t symbol,
                              int relation, double t)
{
  brink__sentence_add(s, "%s does not settle in %d passes", what, passes);
  if (symbol >= 0) {
    int32_t row = row_for(sys, symbol);
    brink__sentence_add(s, ": ");
    brink__sentence_symbol(s, sys, symbol);
    brink__sentence_add(s, " keeps changing");
    if (row >= 0) {
      brink__sentence_add(s, " in ");
      brink__sentence_row(s, sys, row);
      brink__sentence_values(s, sys, ": ",
                             (brink__node[]){sys->rows[row].lhs, sys->rows[row].rhs}, 2,
                             NULL, 0);
    }
  } else if (relation >= 0) {
    const brink__flat_relation *r = &sys->flat->relations[relation];
    brink__sentence_add(s, ": %.90s (line %d) keeps changing", r->text, r->at.line);
    brink__sentence_values(s, sys, ": ", (brink__node[]){r->left, r->right}, 2, NULL,
                           0);
  }
  brink__sentence_add(s, " at t = %.9g", t);
}
