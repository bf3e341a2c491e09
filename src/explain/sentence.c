/* sentence.c -- equations, variables and values in words.
 *
 * Sentences are written when a run fails, perhaps for lack of memory, into buffers of
 * fixed size.  An equation is printed from the graph and shortened, a few values are
 * shown, and a sentence that does not fit is cut at a character and ends in "...".
 */
#include "explain/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  VALUES = 6,   /* shown in one sentence                              */
  SYMBOLS = 64, /* visited to find them                               */
  WORK = 20000, /* nodes visited in one search                        */
  DEPTH = 2000, /* of them below each other                           */
  LEFT = 40,    /* characters of a left-hand side ...                 */
  RIGHT = 90    /* ... and of a right-hand side                       */
};

/* ---------------------------------------------------------------- text --- */

/* The buffer is full: end it at a whole character, with "...". */
static void cut(brink__sentence *s)
{
  size_t n = s->cap > 4 ? s->cap - 4 : 0;

  while (n > 0 && ((unsigned char)s->buf[n] & 0xC0) == 0x80)
    n--;
  snprintf(s->buf + n, s->cap - n, "...");
  s->n = s->cap - 1;
}

void brink__sentence_add(brink__sentence *s, const char *fmt, ...)
{
  va_list args;

  if (s->n + 1 >= s->cap)
    return;
  va_start(args, fmt);
  int n = vsnprintf(s->buf + s->n, s->cap - s->n, fmt, args);
  va_end(args);
  if (n >= 0 && (size_t)n < s->cap - s->n)
    s->n += (size_t)n;
  else
    cut(s);
}

/* --------------------------------------------------------------- names --- */

static int of_variable(const brink__system *sys, int32_t id, char *buf, size_t cap)
{
  const brink__flat *f = sys->flat;

  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->value == id)
      return snprintf(buf, cap, "%s", v->name);
    if (v->der == id)
      return snprintf(buf, cap, "der(%s)", v->name);
    if (sys->pre[i] == id)
      return snprintf(buf, cap, "pre(%s)", v->name);
  }
  for (size_t i = 0; i < f->n_states; i++)
    if (f->states[i].active == id)
      return snprintf(buf, cap, "activeState(%s)", f->states[i].name);
  return -1;
}

/* Relations, stairs, samples and conditions of whens appear as they were written. */
static const char *of_switch(const brink__system *sys, int32_t id)
{
  const brink__flat *f = sys->flat;
  const int32_t *fire = sys->fire;

  for (size_t i = 0; i < f->n_relations; i++)
    if (f->relations[i].slot == id)
      return f->relations[i].text;
  for (size_t i = 0; i < f->n_stairs; i++)
    if (f->stairs[i].slot == id)
      return f->stairs[i].text;
  for (size_t i = 0; i < f->n_samples; i++)
    if (f->samples[i].slot == id)
      return f->samples[i].text;
  for (size_t i = 0; i < f->n_whens; i++)
    for (int k = 0; k < f->whens[i].n_branches; k++)
      if (*fire++ == id)
        return f->whens[i].branches[k].text;
  return id == f->initial        ? "initial()"
         : id == f->terminal     ? "terminal()"
         : id && id == f->lambda ? "lambda"
                                 : NULL;
}

static int name_of(void *user, int32_t id, char *buf, size_t cap)
{
  const brink__system *sys = user;

  if (id == BRINK__TIME)
    return snprintf(buf, cap, "time");
  int n = of_variable(sys, id, buf, cap);
  if (n >= 0)
    return n;
  const char *text = of_switch(sys, id);
  return snprintf(buf, cap, "%s", text ? text : "a condition");
}

void brink__sentence_symbol(brink__sentence *s, const brink__system *sys, int32_t id)
{
  char name[80];
  brink__sentence part = {name, sizeof name, 0};
  int n = name_of((void *)(uintptr_t)sys, id, name, sizeof name);

  if (n >= (int)sizeof name)
    cut(&part);
  brink__sentence_add(s, "%s", name);
}

void brink__sentence_expression(brink__sentence *s, const brink__system *sys,
                                brink__node n, size_t most)
{
  char text[RIGHT + 1];

  brink__print_short(sys->flat->graph, n, name_of, (void *)(uintptr_t)sys, text,
                     most < sizeof text ? most : sizeof text);
  brink__sentence_add(s, "%s", text);
}

/* ----------------------------------------------------------- equations --- */

/* `d = if fires then a else pre(d)` of a when, in this instant: the branch taken, and
 * the place of its assignment. */
static brink__node taken(const brink__system *sys, const brink__row *row,
                         brink__place *at)
{
  const brink__flat *f = sys->flat;
  int32_t self = brink__node_symbol(f->graph, row->lhs);
  const int32_t *fire = sys->fire;

  for (size_t w = 0; w < f->n_whens; w++)
    for (int k = 0; k < f->whens[w].n_branches; k++) {
      const brink__flat_branch *b = &f->whens[w].branches[k];
      int fires = sys->v[*fire++] != 0;
      for (int i = 0; i < b->n_actions && fires; i++) {
        const brink__flat_action *a = &b->actions[i];
        if (a->kind != BRINK__ASSIGN || f->vars[a->var].value != self)
          continue;
        *at = a->at.line ? a->at : row->at;
        return a->value;
      }
    }
  return row->rhs;
}

void brink__sentence_equation(brink__sentence *s, const brink__system *sys,
                              brink__node lhs, brink__node rhs, int line)
{
  brink__sentence_expression(s, sys, lhs, LEFT);
  brink__sentence_add(s, " = ");
  brink__sentence_expression(s, sys, rhs, RIGHT);
  if (line > 0)
    brink__sentence_add(s, " (line %d)", line);
}

void brink__sentence_derivative(brink__sentence *s, const brink__system *sys, int eqn,
                                int order)
{
  const brink__flat_eqn *e = &sys->flat->natural[eqn];

  brink__sentence_equation(s, sys, e->lhs, e->rhs, e->at.line);
  if (order == 1)
    brink__sentence_add(s, ", differentiated once");
  else if (order > 1)
    brink__sentence_add(s, ", differentiated %d times", order);
}

void brink__sentence_row(brink__sentence *s, const brink__system *sys, int32_t row)
{
  const brink__row *r = &sys->rows[row];
  brink__place at = r->at;

  if (r->kind == BRINK__ROW_COND || r->kind == BRINK__ROW_FIRE) {
    brink__sentence_add(s, "when ");
    brink__sentence_expression(s, sys, r->rhs, RIGHT);
    brink__sentence_add(s, " (line %d)", at.line);
    return;
  }
  if (r->order > 0) {
    brink__sentence_derivative(s, sys, r->of - 1, r->order);
    return;
  }
  brink__node rhs = r->kind == BRINK__ROW_ASSIGN ? taken(sys, r, &at) : r->rhs;
  brink__sentence_equation(s, sys, r->lhs, rhs, at.line);
}

/* -------------------------------------------------------------- values --- */

typedef struct finder {
  const brink__flat *flat;
  const brink__graph *g;
  int32_t id[SYMBOLS];
  int n, work;
} finder;

static void find(finder *f, brink__node n, int depth);

/* The symbols in a relation or stair, which is itself a symbol of the equation. */
static void within(finder *f, int32_t id, int depth)
{
  const brink__flat *flat = f->flat;

  for (size_t i = 0; i < flat->n_relations; i++)
    if (flat->relations[i].slot == id) {
      find(f, flat->relations[i].left, depth + 1);
      find(f, flat->relations[i].right, depth + 1);
    }
  for (size_t i = 0; i < flat->n_stairs; i++)
    if (flat->stairs[i].slot == id)
      find(f, flat->stairs[i].arg, depth + 1);
}

static void find(finder *f, brink__node n, int depth)
{
  if (--f->work < 0 || depth > DEPTH || f->n == SYMBOLS)
    return;
  if (brink__node_op(f->g, n) == BRINK_OP_SYMBOL) {
    int32_t id = brink__node_symbol(f->g, n);
    for (int i = 0; i < f->n; i++)
      if (f->id[i] == id)
        return;
    f->id[f->n++] = id;
    within(f, id, depth);
    return;
  }
  for (int i = 0; i < brink__op_arity(brink__node_op(f->g, n)); i++)
    find(f, brink__node_arg(f->g, n, i), depth + 1);
}

static int is_known(const brink__flat *f, int32_t id)
{
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].value == id)
      return f->vars[i].variability <= BRINK__PARAMETER;
  return 0;
}

/* Is the value of the symbol shown?  Only variables, der() and pre() of them; the time
 * stands at the end of every sentence. */
static int shown(const brink__system *sys, int32_t id, const int32_t *skip,
                 size_t n_skip)
{
  char name[8];

  for (size_t i = 0; i < n_skip; i++)
    if (skip[i] == id)
      return 0;
  return id != BRINK__TIME && isfinite(sys->v[id]) &&
         of_variable(sys, id, name, sizeof name) >= 0;
}

/* Variables first, then parameters. */
static void order(finder *f)
{
  int32_t known[SYMBOLS];
  int n = 0, n_known = 0;

  for (int i = 0; i < f->n; i++)
    if (is_known(f->flat, f->id[i]))
      known[n_known++] = f->id[i];
    else
      f->id[n++] = f->id[i];
  memcpy(f->id + n, known, (size_t)n_known * sizeof *known);
}

int brink__sentence_values(brink__sentence *s, const brink__system *sys,
                           const char *before, const brink__node *roots, size_t n_roots,
                           const int32_t *skip, size_t n_skip)
{
  finder f = {.flat = sys->flat, .g = sys->flat->graph, .work = WORK};
  int n = 0;

  for (size_t i = 0; i < n_roots; i++)
    if (roots[i])
      find(&f, roots[i], 0);
  order(&f);
  for (int i = 0; i < f.n; i++) {
    if (!shown(sys, f.id[i], skip, n_skip))
      continue;
    brink__sentence_add(s, "%s", n ? ", " : before);
    if (n++ == VALUES) {
      brink__sentence_add(s, "...");
      return n;
    }
    brink__sentence_symbol(s, sys, f.id[i]);
    brink__sentence_add(s, " = %.9g", sys->v[f.id[i]]);
  }
  return n;
}

/* -------------------------------------------------------------- search --- */

static int below(const brink__graph *g, brink__node root, brink__node node, int *work,
                 int depth)
{
  if (root == node)
    return 1;
  if (root < node || --*work < 0 || depth > DEPTH) /* operands are older */
    return 0;
  for (int i = 0; i < brink__op_arity(brink__node_op(g, root)); i++)
    if (below(g, brink__node_arg(g, root, i), node, work, depth + 1))
      return 1;
  return 0;
}

int brink__explain_contains(const brink__graph *g, brink__node root, brink__node node)
{
  int work = WORK;

  return root && node && below(g, root, node, &work, 0);
}

/* Its value, from those of the symbols; NaN if it has none or is too deep. */
static double value_of(const brink__system *sys, brink__node n, int *work, int depth)
{
  const brink__graph *g = sys->flat->graph;
  double x[3] = {0, 0, 0};

  if (--*work < 0 || depth > DEPTH)
    return nan("");
  brink__op op = brink__node_op(g, n);
  if (op == BRINK_OP_CONST)
    return brink__node_value(g, n);
  if (op == BRINK_OP_SYMBOL)
    return sys->v[brink__node_symbol(g, n)];
  for (int i = 0; i < brink__op_arity(op); i++)
    x[i] = value_of(sys, brink__node_arg(g, n, i), work, depth + 1);
  return brink__op_value(op, x[0], x[1], x[2]);
}

double brink__explain_value(const brink__system *sys, brink__node n)
{
  int work = WORK;

  return value_of(sys, n, &work, 0);
}
