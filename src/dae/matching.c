/* matching.c -- which equation determines which unknown.
 *
 * A when determines the variables that it assigns; the written equations are matched
 * with the unknowns that are left.  An equation between Booleans or Integers must have
 * its variable alone on one side.  If no perfect matching exists the model is refused;
 * systems of index above 1 have been rewritten before (reduce.c).
 */
#include "dae/build.h"
#include "dae/natural.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 4 }; /* how many of a kind a message lists */

typedef struct matching {
  dae_build *b;
  size_t n_rows, n_cols;
  int32_t *unknown; /* [n_cols] of each column                                   */
  int32_t *column;  /* [unknowns] or -1                                          */
  size_t *start;    /* [n_rows + 1]                                              */
  dae_list col;
  int32_t *col_of, *row_of;
  size_t size;
} matching;

/* ----------------------------------------------------------- incidence --- */

/* The unknown that stands alone on one side, or -1. */
static int32_t alone(const dae_build *b, brink__node n)
{
  if (brink__node_op(b->graph, n) != BRINK_OP_SYMBOL)
    return -1;
  return b->unknown_of[brink__node_symbol(b->graph, n)];
}

/* May the row determine the unknown?  The equations of a state determine the variables
 * of that state, and no others; but a constraint of a state, differentiated, determines
 * derivatives of whatever it constrains. */
static int may_determine(const dae_build *b, size_t row, int32_t u)
{
  return b->unknowns[u].var < 0 || b->flat->n_constraints > 0 ||
         b->rows[row].mode == b->flat->vars[b->unknowns[u].var].mode;
}

static int is_real(const dae_build *b, const dae_unknown *u)
{
  return u->var >= 0 && b->flat->vars[u->var].type == BRINK_TYPE_REAL;
}

static brink_status edges(matching *mt, size_t i)
{
  dae_build *b = mt->b;
  const brink__row *r = &b->rows[i];

  mt->start[i] = mt->col.n;
  if (r->kind == BRINK__ROW_DISCRETE) {
    for (int side = 0; side < 2; side++) {
      int32_t u = alone(b, side ? r->rhs : r->lhs);
      if (u >= 0 && mt->column[u] >= 0 && !is_real(b, &b->unknowns[u]) &&
          may_determine(b, i, u))
        BRINK_TRY(brink__dae_list_add(b->ctx, &mt->col, mt->column[u]));
    }
    return BRINK_OK;
  }
  for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++) {
    int32_t u = b->unknown_of[b->sym[e]];
    if (u >= 0 && mt->column[u] >= 0 && is_real(b, &b->unknowns[u]) &&
        may_determine(b, i, u))
      BRINK_TRY(brink__dae_list_add(b->ctx, &mt->col, mt->column[u]));
  }
  return BRINK_OK;
}

/* `x = ...` is matched with x where x is still free, so that the result follows what
 * was written as far as possible. */
static void suggest(matching *mt, size_t i)
{
  for (int side = 0; side < 2 && mt->col_of[i] < 0; side++) {
    int32_t u = alone(mt->b, side ? mt->b->rows[i].rhs : mt->b->rows[i].lhs);
    int32_t j = u < 0 ? -1 : mt->column[u];
    if (j < 0 || mt->row_of[j] >= 0)
      continue;
    for (size_t e = mt->start[i]; e < mt->start[i + 1]; e++)
      if (mt->col.v[e] == j) {
        mt->col_of[i] = j;
        mt->row_of[j] = (int32_t)i;
      }
  }
}

static brink_status prepare(matching *mt)
{
  dae_build *b = mt->b;

  mt->n_rows = b->n_matched;
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_unknowns, &mt->unknown));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_unknowns, &mt->column));
  for (size_t u = 0; u < b->n_unknowns; u++) {
    mt->column[u] = b->unknowns[u].row < 0 ? (int32_t)mt->n_cols : -1;
    if (b->unknowns[u].row < 0)
      mt->unknown[mt->n_cols++] = (int32_t)u;
  }
  BRINK_TRY(DAE_TAKE(&b->tmp, mt->n_rows + 1, &mt->start));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, mt->n_rows, &mt->col_of));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, mt->n_cols, &mt->row_of));
  for (size_t i = 0; i < mt->n_rows; i++)
    BRINK_TRY(edges(mt, i));
  mt->start[mt->n_rows] = mt->col.n;
  for (size_t i = 0; i < mt->n_rows; i++)
    suggest(mt, i);
  return BRINK_OK;
}

static brink__incidence pattern(const matching *mt)
{
  return (brink__incidence){mt->n_rows, mt->n_cols, mt->start, mt->col.v};
}

/* -------------------------------------------------------------- faults --- */

typedef struct words {
  char text[120];
  size_t used;
  int n;
} words;

static void list_word(words *w, const char *fmt, ...) BRINK__PRINTF(2, 3);

static void list_word(words *w, const char *fmt, ...)
{
  va_list args;
  char word[64];

  if (w->n++ >= NAMES) {
    if (w->n == NAMES + 1)
      w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, ", ...");
    return;
  }
  va_start(args, fmt);
  vsnprintf(word, sizeof word, fmt, args);
  va_end(args);
  int put = snprintf(w->text + w->used, sizeof w->text - w->used, "%s%s",
                     w->n > 1 ? ", " : "", word);
  w->used = w->used + (size_t)put < sizeof w->text ? w->used + (size_t)put
                                                   : sizeof w->text - 1;
}

static const brink__flat_var *var_of_col(const matching *mt, size_t j)
{
  return &mt->b->flat->vars[mt->b->unknowns[mt->unknown[j]].var];
}

/* Too few equations: name the unknowns that none determines. */
static void too_few(matching *mt, const brink__excess *x, const char *counts)
{
  dae_build *b = mt->b;
  words w = {{0}, 0, 0};

  for (size_t j = 0; j < mt->n_cols; j++) {
    const brink__flat_var *v = var_of_col(mt, j);
    int der = b->unknowns[mt->unknown[j]].kind == DAE_DER;
    if (mt->row_of[j] >= 0)
      continue;
    w = (words){{0}, 0, 0};
    for (size_t k = 0; k < mt->n_cols && w.n <= NAMES; k++)
      if (x->under[k] && k != j)
        list_word(&w, "'%s'", var_of_col(mt, k)->name);
    brink__dae_fault(b, v->at, "%sno equation determines '%s%s%s' (line %d)%s%s%s",
                     counts, der ? "der(" : "", v->name, der ? ")" : "", v->at.line,
                     w.n ? "; it competes with " : "", w.text, w.n ? "" : "");
    counts = "";
  }
}

/* Too many equations: name those that compete for the same unknowns. */
static void too_many(matching *mt, const brink__excess *x, const char *counts)
{
  dae_build *b = mt->b;
  words lines = {{0}, 0, 0}, names = {{0}, 0, 0};
  size_t first = 0;

  for (size_t i = mt->n_rows; i-- > 0;)
    if (mt->col_of[i] < 0)
      first = i;
  for (size_t i = 0; i < mt->n_rows; i++)
    if (x->over[i])
      list_word(&lines, "%d", b->rows[i].at.line);
  for (size_t j = 0; j < mt->n_cols; j++)
    if (x->bound[j])
      list_word(&names, "'%s'", var_of_col(mt, j)->name);
  if (names.n == 0)
    brink__dae_fault(b, b->rows[first].at,
                     "%sthe equation at line %d contains no unknown that it could "
                     "determine",
                     counts, b->rows[first].at.line);
  else
    brink__dae_fault(b, b->rows[first].at,
                     "%sthe equations at lines %s are too many for %s", counts,
                     lines.text, names.text);
}

/* ----------------------------------------------------- higher index ---- */

/* Does the equation constrain states only?  Whether that is too much is not seen from
 * the unknowns of index 1. */
static int is_constraint(const dae_build *b, size_t i)
{
  int states = 0;

  for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++) {
    if (b->unknown_of[b->sym[e]] >= 0)
      return 0;
    states |= b->state_of[b->sym[e]] >= 0;
  }
  return states;
}

/* The parts of a singular system that have too many and too few equations, in the
 * variables of the model. */
static void tell_structure(dae_build *b, const dae_natural *n)
{
  const brink__analysis *a = &n->analysis;
  words lines = {{0}, 0, 0}, names = {{0}, 0, 0};
  char counts[80] = "";
  int32_t first = -1;

  if (a->n_rows != a->n_cols)
    snprintf(counts, sizeof counts, "%zu equation%s for %zu variable%s; ", a->n_rows,
             a->n_rows == 1 ? "" : "s", a->n_cols, a->n_cols == 1 ? "" : "s");
  for (size_t i = 0; i < a->n_rows; i++) {
    if (a->excess.over[i])
      list_word(&lines, "%d", b->flat->natural[n->eqn[i]].at.line);
    if (a->col_of[i] < 0 && first < 0)
      first = n->eqn[i];
  }
  for (size_t j = 0; j < a->n_cols; j++)
    if (a->excess.bound[j])
      list_word(&names, "'%s'", b->flat->vars[n->var[j]].name);
  if (first >= 0) {
    brink__dae_fault(b, b->flat->natural[first].at,
                     "%sthe equations at lines %s are too many for %s", counts,
                     lines.text, names.n ? names.text : "no variable");
    counts[0] = '\0';
  }
  for (size_t j = 0; j < a->n_cols; j++) {
    const brink__flat_var *v = &b->flat->vars[n->var[j]];
    if (a->row_of[j] >= 0)
      continue;
    brink__dae_fault(b, v->at, "%sno equation determines '%s' (line %d)", counts,
                     v->name, v->at.line);
    counts[0] = '\0';
  }
}

/* Tell what is wrong with a system that constrains states; *told: 0 if none does. */
static brink_status refuse_by_structure(matching *mt, int *told)
{
  dae_build *b = mt->b;
  dae_natural n;
  double *held;

  *told = 0;
  for (size_t i = 0; i < mt->n_rows && b->flat->natural; i++)
    *told |= is_constraint(b, i);
  if (!*told)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&b->tmp, (size_t)b->flat->n_symbols, &held));
  brink__dae_hold_run(b->flat, held);
  BRINK_TRY(brink__dae_natural_new(b->ctx, b->flat, held, &n));
  *told = n.analysis.singular;
  if (*told)
    tell_structure(b, &n);
  brink__dae_natural_drop(&n);
  return BRINK_OK;
}

static int foreign(matching *mt, size_t i, const brink__flat_var *v)
{
  dae_build *b = mt->b;
  int mode = v->mode ? v->mode : b->rows[i].mode;

  brink__dae_fault(b, b->rows[i].at,
                   v->mode ? "'%s' belongs to mode '%s'; the equation that determines "
                             "it must stand in that mode"
                           : "'%s' belongs to no mode; an equation of mode '%s' cannot "
                             "determine it",
                   v->name, b->flat->states[mode - 1].name);
  return 1;
}

/* An equation that could only determine what belongs to another mode, which may be
 * inactive. */
static int determines_other_mode(matching *mt, size_t i)
{
  dae_build *b = mt->b;
  const brink__flat_var *other = NULL;
  int none = 1; /* of its variables are unknown */

  for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++) {
    int32_t u = b->unknown_of[b->sym[e]], var = b->var_of[b->sym[e]];
    if (u >= 0 && mt->column[u] >= 0 && mt->row_of[mt->column[u]] < 0 &&
        !may_determine(b, i, u))
      return foreign(mt, i, &b->flat->vars[b->unknowns[u].var]);
    none &= u < 0;
    if (!other && var >= 0 && b->flat->vars[var].mode &&
        b->flat->vars[var].mode != b->rows[i].mode)
      other = &b->flat->vars[var];
  }
  return none && other ? foreign(mt, i, other) : 0;
}

/* An equation `x = ...` where x belongs to another mode, which is inactive: what else
 * it contains is not what it is meant to determine. */
static int is_meant_for(matching *mt, size_t i, const brink__flat_var **out)
{
  dae_build *b = mt->b;
  brink__node side[2] = {b->rows[i].lhs, b->rows[i].rhs};

  for (int k = 0; k < 2; k++) {
    if (brink__node_op(b->graph, side[k]) != BRINK_OP_SYMBOL)
      continue;
    int32_t var = b->var_of[brink__node_symbol(b->graph, side[k])];
    *out = var < 0 ? NULL : &b->flat->vars[var];
    if (*out && (*out)->inactive && (*out)->mode != b->rows[i].mode)
      return 1;
  }
  return 0;
}

static int foreign_among(matching *mt, const brink__excess *x)
{
  const brink__flat_var *v;
  int found = 0;

  for (size_t i = 0; i < mt->n_rows && mt->b->flat->n_states; i++)
    found |= x->over[i] && is_meant_for(mt, i, &v) && foreign(mt, i, v);
  return found;
}

static brink_status refuse(matching *mt)
{
  dae_build *b = mt->b;
  brink__incidence inc = pattern(mt);
  brink__excess x;
  char counts[80] = "";

  BRINK_TRY(DAE_TAKE(&b->tmp, mt->n_rows, &x.over));
  BRINK_TRY(DAE_TAKE(&b->tmp, mt->n_rows, &x.loose));
  BRINK_TRY(DAE_TAKE(&b->tmp, mt->n_cols, &x.bound));
  BRINK_TRY(DAE_TAKE(&b->tmp, mt->n_cols, &x.under));
  int found = 0;
  for (size_t i = 0; i < mt->n_rows && b->flat->n_states; i++)
    found |= mt->col_of[i] < 0 && determines_other_mode(mt, i);
  if (found)
    return BRINK_EMODEL;
  BRINK_TRY(brink__coarse(b->ctx, &inc, mt->col_of, mt->row_of, &x));
  if (foreign_among(mt, &x))
    return BRINK_EMODEL;
  BRINK_TRY(refuse_by_structure(mt, &found));
  if (found)
    return BRINK_EMODEL;
  size_t assigned = 0; /* each variable of a when is an equation too */
  for (size_t u = 0; u < b->n_unknowns; u++)
    assigned += b->unknowns[u].row >= 0 && b->unknowns[u].kind != DAE_HELPER;
  if (mt->n_rows != mt->n_cols)
    snprintf(counts, sizeof counts, "%zu equation%s for %zu unknown%s; ",
             mt->n_rows + assigned, mt->n_rows + assigned == 1 ? "" : "s",
             mt->n_cols + assigned, mt->n_cols + assigned == 1 ? "" : "s");
  if (mt->size < mt->n_rows) {
    too_many(mt, &x, counts);
    counts[0] = '\0';
  }
  if (mt->size < mt->n_cols)
    too_few(mt, &x, counts);
  return BRINK_EMODEL;
}

brink_status brink__dae_match(dae_build *b)
{
  matching mt = {.b = b};
  brink_status rc = prepare(&mt);

  if (rc == BRINK_OK) {
    brink__incidence inc = pattern(&mt);
    rc = brink__match(b->ctx, &inc, mt.col_of, mt.row_of, &mt.size);
  }
  if (rc == BRINK_OK && (mt.size < mt.n_rows || mt.size < mt.n_cols))
    rc = refuse(&mt);
  for (size_t i = 0; i < mt.n_rows && rc == BRINK_OK; i++) {
    int32_t u = mt.unknown[mt.col_of[i]];
    b->rows[i].unknown = u;
    b->unknowns[u].row = (int32_t)i;
  }
  brink__dae_list_drop(b->ctx, &mt.col);
  return rc;
}
