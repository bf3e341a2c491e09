/* convert.c -- rounds of conversions: analyse, look for singular blocks, convert each
 * of them once. */
#include "dae/convert.h"

#include "explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------- texts --- */

int brink__dae_line(const dae_converting *c, size_t row)
{
  return c->f->natural[c->n->eqn[row]].at.line;
}

/* der(der(x)), or another symbol of the model. */
static int name_of(void *user, int32_t id, char *buf, size_t cap)
{
  const dae_converting *c = user;
  const brink__term *t = &c->n->system.terms[id];
  brink__sentence s = {buf, cap, 0};

  buf[0] = '\0';
  for (int32_t k = 0; t->var >= 0 && k < t->order; k++)
    brink__sentence_add(&s, "der(");
  if (t->var >= 0)
    brink__sentence_add(&s, "%s", brink__dae_natural_name(c->n, c->f, (size_t)t->var));
  for (int32_t k = 0; t->var >= 0 && k < t->order; k++)
    brink__sentence_add(&s, ")");
  for (size_t i = 0; t->var < 0 && i < c->f->n_vars; i++)
    if (c->f->vars[i].value == id)
      brink__sentence_add(&s, "%s", c->f->vars[i].name);
  if (id == BRINK__TIME)
    brink__sentence_add(&s, "time");
  else if (s.n == 0)
    brink__sentence_add(&s, "...");
  return (int)s.n;
}

void brink__dae_text(dae_converting *c, brink__node n, char *text, size_t cap)
{
  brink__print_short(c->n->system.graph, n, name_of, c, text, cap);
}

brink_status brink__dae_note(dae_converting *c, const char *text)
{
  dae_natural *n = c->n;
  const char **all;

  BRINK_TRY(DAE_TAKE(&n->pool, n->n_conversions + 1, &all));
  for (size_t i = 0; i < n->n_conversions; i++)
    all[i] = n->conversions[i];
  all[n->n_conversions] = brink__pool_str(&n->pool, text, strlen(text));
  if (!all[n->n_conversions])
    return BRINK_ENOMEM;
  n->conversions = all;
  n->n_conversions++;
  return BRINK_OK;
}

/* A block that nothing here makes regular: say so. */
static brink_status give_up(dae_converting *c, const dae_block *b)
{
  dae_natural *n = c->n;
  char text[BRINK_ERR_TEXT], name[100];
  brink__sentence s = {text, sizeof text, 0};

  brink__sentence_add(&s, "the equation%s at line%s ", b->n > 1 ? "s" : "",
                      b->n > 1 ? "s" : "");
  for (size_t i = 0; i < b->n; i++)
    brink__sentence_add(&s, "%s%d", i ? ", " : "",
                        brink__dae_line(c, (size_t)b->row[i]));
  brink__sentence_add(&s, " cannot determine ");
  for (size_t i = 0; i < b->n; i++) {
    brink__node x =
        brink__dae_derivative(c, (size_t)b->col[i], n->analysis.d[b->col[i]]);
    if (!x)
      return BRINK_ENOMEM;
    brink__dae_text(c, x, name, sizeof name);
    brink__sentence_add(&s, "%s%s", i ? ", " : "", name);
  }
  brink__sentence_add(&s,
                      ": their derivatives with respect to these depend on each "
                      "other whatever the values are; combine the equations so that "
                      "these cancel in one of them");
  n->unconverted = brink__pool_str(&n->pool, text, strlen(text));
  n->unconverted_at = c->f->natural[n->eqn[b->row[0]]].at;
  return n->unconverted ? BRINK_OK : BRINK_ENOMEM;
}

/* "lines 4, 5" */
static void add_lines(dae_converting *c, brink__sentence *s, const unsigned char *mark)
{
  size_t n = 0;

  for (size_t i = 0; i < c->n->system.n_rows; i++)
    n += mark[i];
  brink__sentence_add(s, n == 1 ? "line" : "lines");
  const char *before = " ";
  for (size_t i = 0; i < c->n->system.n_rows; i++)
    if (mark[i]) {
      brink__sentence_add(s, "%s%d", before, brink__dae_line(c, i));
      before = ", ";
    }
  brink__sentence_add(s, n == 1 ? " is" : " are");
}

static void add_names(dae_converting *c, brink__sentence *s, const unsigned char *mark)
{
  const char *before = "";

  for (size_t j = 0; j < c->n->system.n_cols; j++)
    if (mark[j]) {
      brink__sentence_add(s, "%s'%s'", before, brink__dae_natural_name(c->n, c->f, j));
      before = ", ";
    }
  if (!*before)
    brink__sentence_add(s, "no variable");
}

/* The equations as converted have no transversal: they have no solution, or more than
 * one. */
static brink_status contradiction(dae_converting *c)
{
  dae_natural *n = c->n;
  const brink__excess *x = &n->analysis.excess;
  char text[BRINK_ERR_TEXT];
  brink__sentence s = {text, sizeof text, 0};

  brink__sentence_add(&s, "the equations depend on each other: if ");
  for (size_t i = 0; i < n->n_conversions; i++)
    brink__sentence_add(&s, "%s%s", i ? ", and " : "", n->conversions[i]);
  brink__sentence_add(&s, ", then ");
  add_lines(c, &s, x->over);
  brink__sentence_add(&s, " too many for ");
  add_names(c, &s, x->bound);
  brink__sentence_add(&s, ", and nothing determines all of ");
  add_names(c, &s, x->under);
  for (size_t i = 0; i < n->system.n_rows && !n->unconverted_at.line; i++)
    if (x->over[i])
      n->unconverted_at = c->f->natural[n->eqn[i]].at;
  n->contradictory = 1;
  n->unconverted = brink__pool_str(&n->pool, text, strlen(text));
  return n->unconverted ? BRINK_OK : BRINK_ENOMEM;
}

/* ---------------------------------------------------------------- values --- */

/* What the symbols are around: flags of the run, parameters, start values. */
static brink_status surroundings(dae_converting *c)
{
  const brink__flat *f = c->f;
  size_t n = (size_t)f->n_symbols;
  double *around, *value;
  unsigned char *exact;
  brink__block block;

  BRINK_TRY(DAE_TAKE(&c->tmp, n, &around));
  BRINK_TRY(DAE_TAKE(&c->tmp, n, &exact));
  for (size_t i = 0; i < n; i++) {
    around[i] = c->n->system.held ? c->n->system.held[i] : nan("");
    if (!isnan(around[i]))
      exact[i] = BRINK__EXACT;
  }
  BRINK_TRY(brink__dae_hold_parameters(c->ctx, f, around));
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].variability <= BRINK__PARAMETER && !f->vars[i].found &&
        !isnan(around[f->vars[i].value]))
      exact[f->vars[i].value] = f->vars[i].variability == BRINK__CONSTANT
                                    ? BRINK__EXACT
                                    : BRINK__EXACT_AT_EVEN;
  brink__natural all = {.graph = f->graph, .n_symbols = n, .held = around};
  BRINK_TRY(brink__decide(c->ctx, &all, &block, &value));
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].start && isnan(around[f->vars[i].value]))
      around[f->vars[i].value] = value[f->vars[i].start];
  brink__block_drop(&block);
  c->points = (brink__random_points){.ctx = c->ctx,
                                     .graph = f->graph,
                                     .around = around,
                                     .exact = exact,
                                     .n_symbols = n};
  return BRINK_OK;
}

/* ---------------------------------------------------------------- rounds --- */

/* Convert each singular block once; *changed: 0 if there is none. */
static brink_status one_round(dae_converting *c, int *changed)
{
  size_t n = c->n->analysis.blocks.count;

  *changed = 0;
  BRINK_TRY(brink__dae_name_derivatives(c));
  BRINK_TRY(brink__dae_system_jacobian(c));
  for (size_t k = 0; k < n && !c->n->unconverted; k++) {
    dae_block b;
    int done;
    BRINK_TRY(brink__dae_singular_block(c, k, &b));
    if (b.n == 0)
      continue;
    if (b.by_parameters) {
      c->parameters_matter = 1;
      *changed |= c->put_parameters;
      if (c->put_parameters)
        BRINK_TRY(brink__dae_put_parameters(c, &b));
      continue;
    }
    BRINK_TRY(brink__dae_combine(c, &b, &done));
    if (!done)
      BRINK_TRY(brink__dae_substitute(c, &b, &done));
    if (!done)
      BRINK_TRY(give_up(c, &b));
    *changed |= done;
  }
  return BRINK_OK;
}

static brink_status convert(dae_converting *c)
{
  brink__natural *s = &c->n->system;
  int changed = 1;

  if (c->n->analysis.singular)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&c->n->pool, s->n_rows, &c->lhs));
  BRINK_TRY(DAE_TAKE(&c->n->pool, s->n_rows, &c->rhs));
  memcpy(c->lhs, s->lhs, s->n_rows * sizeof *c->lhs);
  memcpy(c->rhs, s->rhs, s->n_rows * sizeof *c->rhs);
  s->lhs = c->lhs;
  s->rhs = c->rhs;
  BRINK_TRY(surroundings(c));
  size_t decisive = 0;
  for (int64_t value = INT64_MAX;
       changed && (c->n->analysis.dof < value || c->n->n_decisive > decisive);) {
    value = c->n->analysis.dof; /* each round lowers it, or takes parameters out */
    decisive = c->n->n_decisive;
    BRINK_TRY(one_round(c, &changed));
    if (changed)
      BRINK_TRY(brink__dae_natural_again(c->ctx, c->n));
    if (c->n->analysis.singular)
      return contradiction(c);
    changed &= !c->n->unconverted;
  }
  return BRINK_OK;
}

static brink_status convert_all(dae_converting *c)
{
  brink_status rc = convert(c);

  brink__random_points_drop(&c->points);
  brink__pool_drop(&c->tmp);
  return rc;
}

/* Once more with the values of parameters in their place.  Only if that makes the
 * equations regular is it worth that these cannot be set any more. */
static brink_status with_parameters(brink_ctx *ctx, const brink__flat *flat,
                                    const double *held, dae_natural *n)
{
  dae_natural other;

  BRINK_TRY(brink__dae_natural_new(ctx, flat, held, &other));
  dae_converting c = {
      .ctx = ctx, .f = flat, .n = &other, .tmp = {.ctx = ctx}, .put_parameters = 1};
  brink_status rc = convert_all(&c);
  int better = rc == BRINK_OK && !other.unconverted;
  brink__dae_natural_drop(better ? n : &other);
  if (better)
    *n = other;
  return rc;
}

brink_status brink__dae_convert(brink_ctx *ctx, const brink__flat *flat, dae_natural *n)
{
  dae_converting c = {.ctx = ctx, .f = flat, .n = n, .tmp = {.ctx = ctx}};
  const double *held = n->system.held;

  BRINK_TRY(convert_all(&c));
  return c.parameters_matter ? with_parameters(ctx, flat, held, n) : BRINK_OK;
}
