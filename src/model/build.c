/* build.c -- check a brink_model_def and copy it into an immutable model. */
#include "model/callback.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *brink__no_reason(const brink_flow *flow)
{
  (void)flow;
  return "";
}

/* -------------------------------------------------------------- checks --- */

/* Postfix with the right number of operands, guards in range, shallow enough. */
static brink_status check_cond(const brink_mode_def *m, const brink_event_def *e,
                               brink_err *err)
{
  int depth = 0;

  for (const int *c = e->cond; *c != BRINK_COND_END; c++) {
    int needs = *c >= 0 ? 0 : *c == BRINK_NOT ? 1 : 2;
    if (*c < BRINK_COND_END || *c >= m->n_guards)
      return brink__fail(err, BRINK_EARG,
                         "event '%s' of mode '%s' names guard %d; there are %d",
                         e->name, m->name, *c, m->n_guards);
    if (depth < needs || depth - needs >= BRINK__COND_DEPTH)
      return brink__fail(
          err, BRINK_EARG,
          "the condition of event '%s' of mode '%s' is not postfix, or is "
          "deeper than %d",
          e->name, m->name, BRINK__COND_DEPTH);
    depth += 1 - needs;
  }
  if (depth != 1)
    return brink__fail(err, BRINK_EARG,
                       "the condition of event '%s' of mode '%s' leaves %d values "
                       "instead of one",
                       e->name, m->name, depth);
  return BRINK_OK;
}

/* Enumerators may be any number in C. */
static brink_status check_choices(const brink_mode_def *m, const brink_event_def *e,
                                  brink_err *err)
{
  const struct {
    const char *name;
    int value, least, most;
  } choices[] = {{"dir", (int)e->dir, BRINK_DOWN, BRINK_UP},
                 {"side", (int)e->side, BRINK_AFTER, BRINK_BEFORE},
                 {"beyond", (int)e->beyond, BRINK_REFUSE, BRINK_AGAIN}};

  for (size_t i = 0; i < BRINK__COUNT(choices); i++)
    if (choices[i].value < choices[i].least || choices[i].value > choices[i].most)
      return brink__fail(
          err, BRINK_EARG,
          "event '%s' of mode '%s' has %s = %d; it must be from %d to %d", e->name,
          m->name, choices[i].name, choices[i].value, choices[i].least,
          choices[i].most);
  return BRINK_OK;
}

static brink_status check_mode(const brink_mode_def *m, int index, brink_err *err)
{
  if (!m->name)
    return brink__fail(err, BRINK_EARG, "mode %d has no name", index);
  if (m->n == 0)
    return brink__fail(err, BRINK_EARG, "mode '%s' has no states (n = 0)", m->name);
  if (!m->rhs)
    return brink__fail(err, BRINK_EARG, "mode '%s' has no right-hand side", m->name);
  if (m->n_guards < 0 || m->n_events < 0 || (m->n_guards && !m->guards) ||
      (m->n_events && !m->events))
    return brink__fail(err, BRINK_EARG,
                       "mode '%s' counts guards or events that are not "
                       "there",
                       m->name);
  BRINK_TRY(brink__cb_check_pattern(m, err));
  for (int i = 0; i < m->n_guards; i++) {
    const brink_guard_def *g = &m->guards[i];
    if (!g->fn && (g->state < 0 || (size_t)g->state >= m->n))
      return brink__fail(
          err, BRINK_EARG,
          "guard %d ('%s') of mode '%s' has neither fn nor a state from 0 "
          "to %zu",
          i, g->name ? g->name : "", m->name, m->n - 1);
    if (!isfinite(g->level) || !(g->noise >= 0) || g->degree < 0)
      return brink__fail(
          err, BRINK_EARG,
          "guard %d of mode '%s': level must be finite, noise and degree "
          "not negative",
          i, m->name);
  }
  for (int i = 0; i < m->n_events; i++) {
    const brink_event_def *e = &m->events[i];
    if (!e->name)
      return brink__fail(err, BRINK_EARG, "event %d of mode '%s' has no name", i,
                         m->name);
    BRINK_TRY(check_choices(m, e, err));
    if (e->side == BRINK_BEFORE && e->dir == BRINK_BOTH)
      return brink__fail(
          err, BRINK_EARG,
          "event '%s' of mode '%s' has side before and no direction: say "
          "which way it must not be passed",
          e->name, m->name);
    if (e->cond)
      BRINK_TRY(check_cond(m, e, err));
    else if (e->guard < 0 || e->guard >= m->n_guards)
      return brink__fail(err, BRINK_EARG,
                         "event '%s' of mode '%s' names guard %d; there are %d",
                         e->name, m->name, e->guard, m->n_guards);
  }
  return BRINK_OK;
}

static brink_status check(const brink_model_def *def, brink_err *err)
{
  if (!def || !def->modes || def->n_modes < 1)
    return brink__fail(err, BRINK_EARG, "a model needs at least one mode");
  for (int i = 0; i < def->n_modes; i++)
    BRINK_TRY(check_mode(&def->modes[i], i, err));
  if (def->n_timers < 0 || (def->n_timers && !def->timers))
    return brink__fail(err, BRINK_EARG, "the model counts %d timers that are not there",
                       def->n_timers);
  for (int i = 0; i < def->n_timers; i++) {
    const brink_timer_def *d = &def->timers[i];
    if (!d->name)
      return brink__fail(err, BRINK_EARG, "timer %d has no name", i);
    if (!d->next && (!isfinite(d->at) || !(d->every >= 0)))
      return brink__fail(err, BRINK_EARG,
                         "timer '%s': at = %g must be finite, every = %g not negative",
                         d->name, d->at, d->every);
  }
  struct {
    const double *v;
    int n;
    const char *what;
  } rows[] = {{def->p, def->n_p, "parameter"},
              {def->u, def->n_u, "input"},
              {def->w, def->n_w, "output"}};
  for (size_t k = 0; k < BRINK__COUNT(rows); k++) {
    if (rows[k].n < 0 || (rows[k].n && !rows[k].v))
      return brink__fail(err, BRINK_EARG, "the model counts %d %ss that are not there",
                         rows[k].n, rows[k].what);
    size_t bad = brink__first_bad(rows[k].v, (size_t)rows[k].n);
    if (bad < (size_t)rows[k].n)
      return brink__fail(err, BRINK_EARG, "%s %zu is %g", rows[k].what, bad,
                         rows[k].v[bad]);
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- copies --- */

/* A failing take leaves NULL behind; `ok` collects that, so copies stay flat. */
typedef struct copier {
  brink__pool *pool;
  int ok;
  int refused; /* what was to be copied is wrong: the context says why */
} copier;

static void *take(copier *c, size_t count, size_t elem)
{
  void *p =
      count > SIZE_MAX / 8 / elem ? NULL : brink__pool_take(c->pool, count * elem + 1);
  c->ok &= p != NULL;
  return p;
}

static const char *text(copier *c, const char *s)
{
  char *p = brink__pool_str(c->pool, s, strlen(s));
  c->ok &= p != NULL;
  return p;
}

static const char *numbered(copier *c, const char *stem, size_t i)
{
  char name[32];
  snprintf(name, sizeof name, "%s%zu", stem, i);
  return text(c, name);
}

static const int *cond_copy(copier *c, const int *cond)
{
  size_t n = 1;

  if (!cond)
    return NULL;
  while (cond[n - 1] != BRINK_COND_END)
    n++;
  int *p = take(c, n, sizeof *p);
  if (p)
    memcpy(p, cond, n * sizeof *p);
  return p;
}

/* the strictest side that an event asks of each of its guards */
static void sides(const cb_event *e, brink_side *guard_sides)
{
  static const int strict[] = {
      [BRINK_NEAREST] = 0, [BRINK_AFTER] = 1, [BRINK_BEFORE] = 2};
  int alone[] = {e->def.guard, BRINK_COND_END};

  for (const int *k = e->cond ? e->cond : alone; *k != BRINK_COND_END; k++)
    if (*k >= 0 && strict[e->def.side] > strict[guard_sides[*k]])
      guard_sides[*k] = e->def.side;
}

static void copy_guards(copier *c, const brink_mode_def *m, brink__mode *out,
                        cb_mode *cb)
{
  size_t ng = (size_t)m->n_guards;
  brink__guard *guards = take(c, ng, sizeof *guards);

  cb->guard_fns = take(c, ng, sizeof *cb->guard_fns);
  cb->guard_rates = take(c, ng, sizeof *cb->guard_rates);
  cb->guard_sides = take(c, ng, sizeof *cb->guard_sides);
  if (!c->ok)
    return;
  for (size_t i = 0; i < ng; i++) {
    const brink_guard_def *g = &m->guards[i];
    guards[i] =
        (brink__guard){.name = g->name ? text(c, g->name) : numbered(c, "g", i + 1),
                       .form = g->fn ? BRINK__GUARD_SAMPLED : BRINK__GUARD_STATE,
                       .state = g->fn ? 0 : (size_t)g->state,
                       .level = g->level,
                       .noise = g->noise,
                       .degree = g->degree > BRINK__MOST_DEGREE ? 0 : g->degree};
    cb->guard_fns[i] = g->fn;
    cb->guard_rates[i] = g->rate;
    cb->guard_sides[i] = BRINK_NEAREST;
  }
  out->guards = guards;
  out->n_guards = m->n_guards;
}

static void copy_mode(copier *c, const brink_mode_def *m, callback_model *cb,
                      brink__mode *out, cb_mode *out_cb)
{
  const char **states = take(c, m->n, sizeof *states);

  out_cb->rhs = m->rhs;
  out_cb->jet = m->jet;
  out_cb->n_aux = m->n_aux;
  out_cb->jacobian = m->jacobian;
  brink_status rc = brink__cb_copy_pattern(c->pool, m, out_cb);
  c->ok &= rc == BRINK_OK;
  c->refused |= rc == BRINK_EARG;
  out->pattern = out_cb->places;
  if (m->jacobian && out_cb->n_given > cb->max_given)
    cb->max_given = out_cb->n_given;
  out_cb->n_events = m->n_events;
  out_cb->events = take(c, (size_t)m->n_events, sizeof *out_cb->events);
  copy_guards(c, m, out, out_cb);
  out->name = text(c, m->name);
  out->n = m->n;
  out->states = states;
  out->smooth = m->smooth;
  if (!c->ok)
    return;
  for (size_t i = 0; i < m->n; i++)
    states[i] =
        m->states && m->states[i] ? text(c, m->states[i]) : numbered(c, "y", i + 1);
  for (int i = 0; i < m->n_events; i++) {
    cb_event *e = &out_cb->events[i];
    *e = (cb_event){.def = m->events[i], .number = cb->n_events++};
    e->def.name = text(c, m->events[i].name);
    e->cond = cond_copy(c, m->events[i].cond);
    out->unilateral += e->def.side == BRINK_BEFORE;
    if (c->ok)
      sides(e, out_cb->guard_sides);
  }
}

static void copy_values(copier *c, const brink_model_def *def, callback_model *cb)
{
  cb->n_p = def->n_p;
  cb->n_u = def->n_u;
  cb->n_w = def->n_w;
  cb->p = take(c, brink__n_values(cb), sizeof(double));
  if (!cb->p)
    return;
  if (def->n_p)
    memcpy(cb->p, def->p, sizeof(double) * (size_t)def->n_p);
  if (def->n_u)
    memcpy(cb->p + def->n_p, def->u, sizeof(double) * (size_t)def->n_u);
  if (def->n_w)
    memcpy(cb->p + def->n_p + def->n_u, def->w, sizeof(double) * (size_t)def->n_w);
}

/* Names of p, u or w: those given, else `letter` and a number. */
static void name_values(copier *c, brink_variable *vars, int n,
                        const char *const *names, const char *letter, brink_role role)
{
  for (int i = 0; c->ok && i < n; i++) {
    char own[16];
    snprintf(own, sizeof own, "%s[%d]", letter, i);
    const char *name = names && names[i]      ? text(c, names[i])
                       : role == BRINK_OUTPUT ? numbered(c, "w", (size_t)i + 1)
                                              : text(c, own);
    vars[i] = (brink_variable){.name = name,
                               .unit = "",
                               .text = "",
                               .discrete = role == BRINK_OUTPUT,
                               .role = role,
                               .settable = 1};
  }
}

/* A result shows the states of the mode with most of them, then the outputs. */
static void copy_variables(copier *c, const brink_model_def *def, brink_model *base)
{
  size_t n = base->max_n, n_w = (size_t)def->n_w, n_p = (size_t)def->n_p, wide = 0;
  brink_variable *vars = take(c, n + n_w + n_p + (size_t)def->n_u, sizeof *vars);

  for (size_t i = 0; i < (size_t)def->n_modes; i++)
    if (base->modes[i].n > base->modes[wide].n)
      wide = i;
  for (size_t i = 0; c->ok && i < n; i++)
    vars[i] = (brink_variable){.name = base->modes[wide].states[i],
                               .unit = "",
                               .text = "",
                               .role = BRINK_STATE};
  name_values(c, vars + n, def->n_w, def->w_names, "w", BRINK_OUTPUT);
  name_values(c, vars + n + n_w, def->n_p, def->p_names, "p", BRINK_PARAMETER);
  name_values(c, vars + n + n_w + n_p, def->n_u, def->u_names, "u", BRINK_INPUT);
  base->vars = vars;
  base->n_vars = n + n_w;
  base->n_names = n + n_w + n_p + (size_t)def->n_u;
  base->experiment = (brink_experiment){.start = nan(""),
                                        .stop = nan(""),
                                        .tolerance = nan(""),
                                        .interval = nan(""),
                                        .near_g = nan(""),
                                        .eta = nan(""),
                                        .lie_min = nan(""),
                                        .locate_order = nan(""),
                                        .width = nan(""),
                                        .zeno_gap = nan("")};
}

static void copy(copier *c, const brink_model_def *def, callback_model *cb)
{
  size_t nm = (size_t)def->n_modes, nt = (size_t)def->n_timers;
  brink__mode *modes = take(c, nm, sizeof *modes);
  brink_model *base = &cb->base;

  cb->cb_modes = take(c, nm, sizeof *cb->cb_modes);
  cb->timers = take(c, nt, sizeof *cb->timers);
  base->name = text(c, def->name ? def->name : "model");
  copy_values(c, def, cb);
  if (!c->ok)
    return;
  for (size_t i = 0; i < nm; i++) {
    copy_mode(c, &def->modes[i], cb, &modes[i], &cb->cb_modes[i]);
    base->max_n = brink__zmax(base->max_n, def->modes[i].n);
    if (def->modes[i].n_guards > base->max_guards)
      base->max_guards = def->modes[i].n_guards;
    if (def->modes[i].n_events + def->n_timers > base->max_fired)
      base->max_fired = def->modes[i].n_events + def->n_timers;
  }
  for (size_t i = 0; i < nt; i++) {
    cb->timers[i] = def->timers[i];
    cb->timers[i].name = text(c, def->timers[i].name);
  }
  base->modes = modes;
  base->n_modes = def->n_modes;
  base->n_timers = def->n_timers;
  cb->user = def->user;
  if (c->ok)
    copy_variables(c, def, base);
}

/* -------------------------------------------------------------- public --- */

brink_status brink_model_new(brink_ctx *ctx, const brink_model_def *def,
                             brink_model **out)
{
  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  BRINK_TRY(check(def, &ctx->err));
  brink__pool pool = {.ctx = ctx};
  copier c = {&pool, 1, 0};
  callback_model *cb = take(&c, 1, sizeof *cb);
  if (cb)
    copy(&c, def, cb);
  if (!c.ok) {
    brink__pool_drop(&pool);
    if (c.refused)
      return ctx->err.status;
    return brink__fail(&ctx->err, BRINK_ENOMEM,
                       "out of memory while copying the model");
  }
  cb->base.ctx = ctx;
  cb->base.ops = &brink__callback_ops;
  cb->pool = pool;
  *out = &cb->base;
  return BRINK_OK;
}

void *brink__model_take(brink_model *model, size_t size)
{
  return brink__pool_take(&((callback_model *)model)->pool, size + 1);
}

void brink__model_layer(brink_model *model, const void *layer, size_t n_work)
{
  callback_model *cb = (callback_model *)model;

  cb->extra = layer;
  cb->n_work = n_work;
}

void brink_model_free(brink_model *model)
{
  if (model)
    model->ops->destroy(model);
}

const char *brink_model_name(const brink_model *model) { return model->name; }

const char *brink_model_text(const brink_model *model)
{
  return model->text ? model->text : "";
}

int brink_model_modes(const brink_model *model) { return model->n_modes; }

const char *brink_model_mode_name(const brink_model *model, int mode)
{
  return mode >= 0 && mode < model->n_modes ? model->ops->mode_name(model, mode) : NULL;
}

/* What the model itself knows of a mode; NULL: nothing. */
static const brink__mode *known(const brink_model *model, int mode)
{
  return mode >= 0 && mode < model->n_modes ? model->ops->mode_info(model, NULL, mode)
                                            : NULL;
}

size_t brink_model_states(const brink_model *model, int mode)
{
  const brink__mode *m = known(model, mode);
  return m ? m->n : 0;
}

size_t brink_model_variables(const brink_model *model) { return model->n_vars; }

brink_variable brink_model_variable(const brink_model *model, size_t i)
{
  return i < model->n_names ? model->vars[i] : (brink_variable){0};
}

size_t brink_model_names(const brink_model *model) { return model->n_names; }

int brink_model_find(const brink_model *model, const char *name)
{
  for (size_t i = 0; name && i < model->n_names; i++)
    if (strcmp(model->vars[i].name, name) == 0)
      return (int)i;
  return -1;
}

brink_experiment brink_model_experiment(const brink_model *model)
{
  return model->experiment;
}

/* -------------------------------------------------------------- anatomy ---- */

brink_anatomy brink_model_anatomy(const brink_model *model) { return model->anatomy; }

const char *brink_model_state_name(const brink_model *model, int mode, size_t i)
{
  const brink__mode *m = known(model, mode);
  return m && i < m->n ? m->states[i] : "";
}

brink_jacobian brink_model_jacobian(const brink_model *model, int mode)
{
  const brink__mode *m = known(model, mode);
  const brink__places *p = m ? m->pattern : NULL;
  brink_jacobian out = {0};

  if (!p)
    return out;
  out = (brink_jacobian){.n = p->n, .unknowns = p->n - m->n, .nnz = p->nnz};
  for (size_t k = 0; k < p->nnz; k++) {
    size_t i = (size_t)p->row[k], j = (size_t)p->col[k];
    if (i > j)
      out.lower = brink__zmax(out.lower, i - j);
    else
      out.upper = brink__zmax(out.upper, j - i);
  }
  return out;
}

int brink_model_guards(const brink_model *model, int mode)
{
  const brink__mode *m = known(model, mode);
  return m ? m->n_guards : 0;
}

const char *brink_model_guard_name(const brink_model *model, int mode, int k)
{
  const brink__mode *m = known(model, mode);
  return m && k >= 0 && k < m->n_guards ? m->guards[k].name : "";
}

int brink_model_timers(const brink_model *model) { return model->n_timers; }
