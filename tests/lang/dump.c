/* dump.c -- a flat model as lines of text; see dump.h. */
#include "dump.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lines {
  const brink__flat *f;
  char *s;
  size_t n, cap;
} lines;

__attribute__((format(printf, 2, 3))) static void put(lines *out, const char *fmt, ...)
{
  char buf[2000];
  va_list args;

  va_start(args, fmt);
  int n = vsnprintf(buf, sizeof buf, fmt, args);
  va_end(args);
  if (n < 0)
    return;
  if (n >= (int)sizeof buf)
    n = (int)sizeof buf - 1;
  if (out->n + (size_t)n + 1 > out->cap) {
    out->cap = 2 * out->cap + (size_t)n + 1000;
    out->s = realloc(out->s, out->cap);
  }
  memcpy(out->s + out->n, buf, (size_t)n + 1);
  out->n += (size_t)n;
}

/* names of symbols: what they stand for */
static int name(void *user, int32_t id, char *buf, size_t cap)
{
  const brink__flat *f = user;

  if (id == BRINK__TIME)
    return snprintf(buf, cap, "time");
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->value == id)
      return snprintf(buf, cap, "%s", v->name);
    if (v->der == id)
      return snprintf(buf, cap, "der(%s)", v->name);
    if (v->pre == id)
      return snprintf(buf, cap, "pre(%s)", v->name);
  }
  for (size_t i = 0; i < f->n_relations; i++)
    if (f->relations[i].slot == id)
      return snprintf(buf, cap, "{%s}", f->relations[i].text);
  for (size_t i = 0; i < f->n_stairs; i++)
    if (f->stairs[i].slot == id)
      return snprintf(buf, cap, "[%s]", f->stairs[i].text);
  for (size_t i = 0; i < f->n_samples; i++)
    if (f->samples[i].slot == id)
      return snprintf(buf, cap, "%s", f->samples[i].text);
  if (id == f->initial)
    return snprintf(buf, cap, "initial()");
  if (id && id == f->lambda)
    return snprintf(buf, cap, "lambda");
  if (id == f->terminal)
    return snprintf(buf, cap, "terminal()");
  return snprintf(buf, cap, "?%d", (int)id);
}

static const char *text(lines *out, brink__node n, char *buf, size_t cap)
{
  union {
    const brink__flat *in;
    void *out;
  } user = {out->f};

  if (!n)
    return "nothing";
  brink__print(out->f->graph, n, name, user.out, buf, cap);
  return buf;
}

static void attribute(lines *out, const char *what, brink__node n)
{
  char buf[500];

  if (n)
    put(out, " %s = %s", what, text(out, n, buf, sizeof buf));
}

static void variable(lines *out, const brink__flat_var *v)
{
  static const char *const types[] = {"Real", "Integer", "Boolean", "enumeration"};
  static const char *const how[] = {"constant", "parameter", "discrete", "continuous"};
  char buf[1000];

  if (v->variability == BRINK__PARAMETER) {
    put(out, "parameter %s = %s", v->name, text(out, v->binding, buf, sizeof buf));
    if (v->fixed == 0)
      put(out, " free");
  } else
    put(out, "%s %s: %s %s", v->hidden ? "hidden" : "var", v->name, types[v->type],
        how[v->variability]);
  attribute(out, "start", v->start);
  attribute(out, "min", v->min);
  attribute(out, "max", v->max);
  attribute(out, "nominal", v->nominal);
  put(out, "%s%s%s", v->fixed == 1 ? " fixed" : "", v->input ? " input" : "",
      v->domain ? " domain" : "");
  if (v->prefer)
    put(out, " prefer %d", v->prefer);
  if (*v->unit)
    put(out, " unit \"%s\"", v->unit);
  if (*v->text)
    put(out, " text \"%s\"", v->text);
  for (int i = 0; i < v->n_literals; i++)
    put(out, "%s%s", i ? ", " : " of ", v->literals[i]);
  put(out, "\n");
}

static void equations(lines *out, const char *what, const brink__flat_eqn *e, size_t n)
{
  char l[1000], r[1000];

  for (size_t i = 0; i < n; i++)
    put(out, "%s %s = %s\n", what, text(out, e[i].lhs, l, sizeof l),
        text(out, e[i].rhs, r, sizeof r));
}

static void message(lines *out, const brink__flat_action *a)
{
  char buf[500];

  put(out, " \"%s\"", a->text);
  for (int i = 0; i < a->n_parts; i++)
    put(out, " %s", text(out, a->parts[i], buf, sizeof buf));
}

static void action(lines *out, const brink__flat_action *a)
{
  char buf[1000], cond[500];

  if (a->cond)
    put(out, " if %s then", text(out, a->cond, cond, sizeof cond));
  const char *value = a->value ? text(out, a->value, buf, sizeof buf) : "";
  switch (a->kind) {
  case BRINK__ASSIGN: put(out, " %s = %s", out->f->vars[a->var].name, value); break;
  case BRINK__REINIT:
    put(out, " reinit(%s, %s)", out->f->vars[a->var].name, value);
    break;
  case BRINK__ASSERT:
    put(out, " assert(%s)%s", value, a->warning ? " warning" : "");
    message(out, a);
    break;
  case BRINK__PUSH: put(out, " push(%s, %s)", out->f->vars[a->var].name, value); break;
  case BRINK__TERMINATE:
    put(out, " terminate");
    message(out, a);
    break;
  }
  put(out, ";");
}

static const char *side(brink_side s)
{
  return s == BRINK_BEFORE ? " (before)" : s == BRINK_NEAREST ? " (nearest)" : "";
}

static void clause(lines *out, const brink__flat_when *w)
{
  char buf[1000];

  for (int i = 0; i < w->n_branches; i++) {
    const brink__flat_branch *b = &w->branches[i];
    put(out, "%s", i ? "elsewhen" : "when");
    for (int k = 0; k < b->n_conds; k++)
      put(out, "%s %s", k ? "," : "", text(out, b->conds[k], buf, sizeof buf));
    put(out, "%s%s%s:", i ? "" : side(w->side), *w->locate ? " by " : "", w->locate);
    for (int k = 0; k < b->n_actions; k++)
      action(out, &b->actions[k]);
    put(out, "\n");
  }
}

char *dump(const brink__flat *f)
{
  static const char *const stairs[] = {"floor", "ceil", "whole"};
  lines out = {.f = f};
  char l[1000], r[1000];

  put(&out, "model %s%s\n", f->name, f->base ? " (base)" : "");
  for (size_t i = 0; i < f->n_vars; i++)
    variable(&out, &f->vars[i]);
  equations(&out, "eqn", f->eqns, f->n_eqns);
  equations(&out, "initial", f->initial_eqns, f->n_initial_eqns);
  for (size_t i = 0; i < f->n_relations; i++) {
    const brink__flat_relation *x = &f->relations[i];
    put(&out, "relation %s %s %s%s\n", text(&out, x->left, l, sizeof l),
        brink__op_text(x->op), text(&out, x->right, r, sizeof r), side(x->side));
  }
  for (size_t i = 0; i < f->n_stairs; i++)
    put(&out, "stair %s(%s)\n", stairs[f->stairs[i].kind],
        text(&out, f->stairs[i].arg, l, sizeof l));
  for (size_t i = 0; i < f->n_samples; i++)
    put(&out, "sample(%s, %s)\n", text(&out, f->samples[i].start, l, sizeof l),
        text(&out, f->samples[i].interval, r, sizeof r));
  for (size_t i = 0; i < f->n_whens; i++)
    clause(&out, &f->whens[i]);
  for (size_t i = 0; i < f->n_asserts; i++) {
    put(&out, "always");
    action(&out, &f->asserts[i]);
    put(&out, "\n");
  }
  put(&out, "counts vars %zu eqns %zu initial %zu relations %zu whens %zu\n", f->n_vars,
      f->n_eqns, f->n_initial_eqns, f->n_relations, f->n_whens);
  put(&out,
      "experiment %g %g %g %g method \"%s\" locate \"%s\" zeno \"%s\" sliding \"%s\"\n",
      f->settings.start, f->settings.stop, f->settings.tolerance, f->settings.interval,
      f->settings.method, f->settings.locate, f->settings.zeno, f->settings.sliding);
  return out.s;
}
