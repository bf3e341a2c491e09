/* flat.c -- see flat.h */
#include "flat.h"
#include "machine/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void *list(fb *b, size_t elem)
{
  void *p = brink__pool_take(&b->f->pool, (size_t)b->cap * elem);
  assert_non_null(p);
  return p;
}

fb fb_new(brink_ctx *ctx, int cap)
{
  fb b = {.ctx = ctx, .cap = cap};

  if (!ctx)
    check_status(brink_ctx_new(NULL, &b.ctx), BRINK_OK);
  brink__pool pool = {.ctx = b.ctx};
  b.f = brink__pool_take(&pool, sizeof *b.f);
  assert_non_null(b.f);
  b.f->pool = pool;
  check_status(brink__graph_new(b.ctx, &b.f->graph), BRINK_OK);
  b.f->name = "M";
  b.f->file = "m.mo";
  b.f->n_symbols = 1;
  b.f->initial = b.f->terminal = -1;
  b.f->settings = (brink__flat_settings){nan(""), nan(""), nan(""), nan(""), "",
                                         "",      "",      "",      "",      nan(""),
                                         nan(""), nan(""), nan(""), nan(""), nan("")};
  b.f->vars = list(&b, sizeof *b.f->vars);
  b.f->eqns = list(&b, sizeof *b.f->eqns);
  b.f->initial_eqns = list(&b, sizeof *b.f->initial_eqns);
  b.f->relations = list(&b, sizeof *b.f->relations);
  b.f->stairs = list(&b, sizeof *b.f->stairs);
  b.f->samples = list(&b, sizeof *b.f->samples);
  b.f->whens = list(&b, sizeof *b.f->whens);
  b.f->asserts = list(&b, sizeof *b.f->asserts);
  b.acts = list(&b, sizeof *b.acts);
  b.branches = list(&b, sizeof *b.branches);
  b.conds = list(&b, sizeof *b.conds);
  return b;
}

/* ----------------------------------------------------------- variables --- */

int fb_var(fb *b, const char *name, brink__type type, brink__variability v,
           double start, int fixed)
{
  int i = (int)b->f->n_vars++;
  brink__node s = type == BRINK_TYPE_BOOLEAN   ? brink__boolean(b->f->graph, start != 0)
                  : type == BRINK_TYPE_INTEGER ? brink__integer(b->f->graph, (int)start)
                  : type == BRINK_TYPE_ENUMERATION
                      ? brink__ordinal(b->f->graph, (int)start)
                      : brink__real(b->f->graph, start);

  assert_true(i < b->cap);
  b->f->vars[i] =
      (brink__flat_var){.name = brink__pool_str(&b->f->pool, name, strlen(name)),
                        .type = type,
                        .variability = v,
                        .at = {i + 1, 1},
                        .value = b->f->n_symbols++,
                        .der = -1,
                        .pre = -1,
                        .start = s,
                        .fixed = fixed,
                        .unit = "",
                        .text = ""};
  return i;
}

int fb_real(fb *b, const char *name, double start, int fixed)
{
  return fb_var(b, name, BRINK_TYPE_REAL, BRINK__CONTINUOUS, start, fixed);
}

int fb_param(fb *b, const char *name, brink__node binding)
{
  int i = fb_var(b, name, BRINK_TYPE_REAL, BRINK__PARAMETER, 0, 1);
  b->f->vars[i].binding = binding;
  return i;
}

int fb_bool(fb *b, const char *name, int start)
{
  return fb_var(b, name, BRINK_TYPE_BOOLEAN, BRINK__DISCRETE, start, 1);
}

int fb_int(fb *b, const char *name, int start)
{
  return fb_var(b, name, BRINK_TYPE_INTEGER, BRINK__DISCRETE, start, 1);
}

/* --------------------------------------------------------- expressions --- */

brink__node fb_val(fb *b, int var)
{
  return brink__symbol(b->f->graph, b->f->vars[var].value, b->f->vars[var].type);
}

brink__node fb_der(fb *b, int var)
{
  if (b->f->vars[var].der < 0)
    b->f->vars[var].der = b->f->n_symbols++;
  return brink__symbol(b->f->graph, b->f->vars[var].der, BRINK_TYPE_REAL);
}

brink__node fb_pre(fb *b, int var)
{
  if (b->f->vars[var].pre < 0)
    b->f->vars[var].pre = b->f->n_symbols++;
  return brink__symbol(b->f->graph, b->f->vars[var].pre, b->f->vars[var].type);
}

brink__node fb_time(fb *b)
{
  return brink__symbol(b->f->graph, BRINK__TIME, BRINK_TYPE_REAL);
}

brink__node fb_initial(fb *b)
{
  if (b->f->initial < 0)
    b->f->initial = b->f->n_symbols++;
  return brink__symbol(b->f->graph, b->f->initial, BRINK_TYPE_BOOLEAN);
}

brink__node fb_homotopy(fb *b, brink__node actual, brink__node simplified, int line)
{
  brink__graph *g = b->f->graph;

  if (b->f->lambda == 0) {
    b->f->lambda = b->f->n_symbols++;
    b->f->homotopy = (brink__place){line, 1};
  }
  brink__node lambda = brink__symbol(g, b->f->lambda, BRINK_TYPE_REAL);
  brink__node one = brink__real(g, 1), zero = brink__real(g, 0);
  brink__node mix = brink__add(g, brink__mul(g, lambda, actual),
                               brink__mul(g, brink__sub(g, one, lambda), simplified));
  mix = brink__select(g, brink__op2(g, BRINK_OP_GT, lambda, zero), mix, simplified);
  return brink__select(g, brink__op2(g, BRINK_OP_LT, lambda, one), mix, actual);
}

brink__node fb_terminal(fb *b)
{
  if (b->f->terminal < 0)
    b->f->terminal = b->f->n_symbols++;
  return brink__symbol(b->f->graph, b->f->terminal, BRINK_TYPE_BOOLEAN);
}

brink__node fb_num(fb *b, double x) { return brink__real(b->f->graph, x); }

brink__node fb_whole(fb *b, int x) { return brink__integer(b->f->graph, x); }

brink__node fb_op(fb *b, brink__op op, brink__node x, brink__node y)
{
  return brink__op2(b->f->graph, op, x, y);
}

brink__node fb_fn(fb *b, brink__op op, brink__node x)
{
  return brink__op1(b->f->graph, op, x);
}

brink__node fb_if(fb *b, brink__node c, brink__node x, brink__node y)
{
  return brink__select(b->f->graph, c, x, y);
}

/* -------------------------------------------------------------- frozen --- */

brink__node fb_rel(fb *b, brink__op op, brink__node l, brink__node r, const char *text,
                   int line)
{
  int32_t slot = b->f->n_symbols++;

  assert_true(b->f->n_relations < (size_t)b->cap);
  b->f->relations[b->f->n_relations++] = (brink__flat_relation){
      .op = op, .left = l, .right = r, .slot = slot, .at = {line, 1}, .text = text};
  return brink__symbol(b->f->graph, slot, BRINK_TYPE_BOOLEAN);
}

brink__node fb_stair(fb *b, int up, brink__node arg, int line)
{
  int32_t slot = b->f->n_symbols++;

  b->f->stairs[b->f->n_stairs++] =
      (brink__flat_stair){.kind = up ? BRINK__STAIR_UP : BRINK__STAIR_DOWN,
                          .arg = arg,
                          .slot = slot,
                          .at = {line, 1},
                          .text = up ? "ceil" : "floor"};
  return brink__symbol(b->f->graph, slot, BRINK_TYPE_INTEGER);
}

brink__node fb_sample(fb *b, double start, double interval, int line)
{
  int32_t slot = b->f->n_symbols++;

  b->f->samples[b->f->n_samples++] =
      (brink__flat_sample){.start = fb_num(b, start),
                           .interval = fb_num(b, interval),
                           .slot = slot,
                           .at = {line, 1},
                           .text = "sample"};
  return brink__symbol(b->f->graph, slot, BRINK_TYPE_BOOLEAN);
}

/* ----------------------------------------------------------- equations --- */

void fb_eq(fb *b, brink__node lhs, brink__node rhs, int line)
{
  assert_true(b->f->n_eqns < (size_t)b->cap);
  b->f->eqns[b->f->n_eqns++] = (brink__flat_eqn){lhs, rhs, {line, 1}, 0};
}

void fb_initial_eq(fb *b, brink__node lhs, brink__node rhs, int line)
{
  b->f->initial_eqns[b->f->n_initial_eqns++] =
      (brink__flat_eqn){lhs, rhs, {line, 1}, 0};
}

void fb_assert(fb *b, brink__node cond, const char *text, int line, int warning)
{
  b->f->asserts[b->f->n_asserts++] = (brink__flat_action){.kind = BRINK__ASSERT,
                                                          .value = cond,
                                                          .at = {line, 1},
                                                          .text = text,
                                                          .warning = warning};
}

/* --------------------------------------------------------------- whens --- */

static void branch(fb *b, brink__node cond, const char *text, int line)
{
  assert_true(b->n_branches < b->cap && b->n_conds < b->cap);
  b->branches[b->n_branches++] = (brink__flat_branch){.conds = b->conds + b->n_conds,
                                                      .n_conds = 1,
                                                      .actions = b->acts + b->n_acts,
                                                      .at = {line, 1},
                                                      .text = text};
  b->conds[b->n_conds++] = cond;
}

void fb_when(fb *b, brink__node cond, const char *text, int line)
{
  b->f->whens[b->f->n_whens++] =
      (brink__flat_when){.branches = b->branches + b->n_branches,
                         .n_branches = 1,
                         .at = {line, 1},
                         .locate = ""};
  branch(b, cond, text, line);
}

void fb_elsewhen(fb *b, brink__node cond, const char *text, int line)
{
  b->f->whens[b->f->n_whens - 1].n_branches++;
  branch(b, cond, text, line);
}

void fb_cond(fb *b, brink__node cond)
{
  b->branches[b->n_branches - 1].n_conds++;
  b->conds[b->n_conds++] = cond;
}

static void action(fb *b, brink__flat_action a)
{
  assert_true(b->n_acts < b->cap);
  b->acts[b->n_acts++] = a;
  b->branches[b->n_branches - 1].n_actions++;
}

void fb_assign(fb *b, int var, brink__node value, int line)
{
  action(b, (brink__flat_action){
                .kind = BRINK__ASSIGN, .var = var, .value = value, .at = {line, 1}});
}

void fb_reinit(fb *b, int var, brink__node value, int line)
{
  action(b, (brink__flat_action){
                .kind = BRINK__REINIT, .var = var, .value = value, .at = {line, 1}});
}

void fb_terminate(fb *b, const char *text, int line)
{
  action(b,
         (brink__flat_action){.kind = BRINK__TERMINATE, .at = {line, 1}, .text = text});
}

/* ----------------------------------------------------------------- run --- */

static void said(void *user, brink__place at, const char *text, int is_warning)
{
  fb *b = user;
  size_t used = strlen(b->said);

  b->faults += !is_warning;
  snprintf(b->said + used, sizeof b->said - used, "%d: %s\n", at.line, text);
}

brink_model *fb_compile(fb *b)
{
  brink_model *model;

  brink_status rc = brink__machine_compile(b->ctx, b->f, said, b, &model);
  if (rc < 0)
    assert_null(model);
  return model;
}

rig fb_start(fb *b, const brink_sim_opts *opt, double t0)
{
  rig r = {.ctx = b->ctx, .model = fb_compile(b)};

  if (!r.model || brink_sim_new(r.ctx, r.model, opt, &r.sim) < 0)
    print_error("%s\n%s", brink_ctx_error(r.ctx)->text, b->said);
  assert_non_null(r.sim);
  brink_status rc = brink_sim_start(r.sim, t0, 0, NULL);
  if (rc < 0)
    print_error("%s\n", brink_sim_error(r.sim)->text);
  check_status(rc, BRINK_OK);
  return r;
}

double fb_value(const rig *r, const char *name)
{
  double values[64];

  assert_true(brink_model_variables(r->model) <= 64);
  check_status(brink_sim_values(r->sim, values), BRINK_OK);
  for (size_t i = 0; i < brink_model_variables(r->model); i++)
    if (strcmp(brink_model_variable(r->model, i).name, name) == 0)
      return values[i];
  fail_msg("no variable '%s'", name);
  return 0;
}
