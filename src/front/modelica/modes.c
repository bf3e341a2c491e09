/* modes.c -- modes of different dimension: initialState, transition, activeState.
 *
 * A mode is a component of a model or block.  While a model is lowered, everything
 * remembers the instance in which it stands (its place); when all transitions are
 * known, places below a mode become that mode's (the innermost one).  What the modes
 * make together is in machines.c.
 */
#include "front/modelica/lower.h"

#include <string.h>

#include "front/modelica/parse.h"

/* ------------------------------------------------------------------ places ---- */

int32_t brink__lo_place(mo_low *lo, mo_inst *inst)
{
  if (!inst || inst == lo->root)
    inst = lo->root;
  if (inst->place)
    return inst->place - 1;
  if (lo->n_places == 0 && inst != lo->root && brink__lo_place(lo, lo->root) != 0)
    return 0;
  if (!brink__lo_push(lo, (void **)&lo->places, &lo->cap_places, lo->n_places,
                      sizeof *lo->places))
    return 0;
  lo->places[lo->n_places++] = inst;
  inst->place = (int32_t)lo->n_places;
  return inst->place - 1;
}

const mo_inst *brink__lo_mode_of(const mo_inst *inst)
{
  while (inst && !inst->mode)
    inst = inst->parent;
  return inst;
}

/* ------------------------------------------------------------------- modes ---- */

static int is_model(const mo_inst *inst)
{
  return inst->base == MO_V_CLASS && inst->cls &&
         (inst->cls->kind == MO_C_MODEL || inst->cls->kind == MO_C_BLOCK ||
          inst->cls->kind == MO_C_CLASS);
}

/* the element that subscripts choose; NULL: bad, reported */
static mo_inst *element(mo_low *lo, const mo_env *env, mo_inst *inst,
                        const mo_list *subs, mo_at at)
{
  int32_t offset = 0;

  if (subs->n != inst->nd) {
    brink__lo_error(lo, at, "'%s' is an array of components; a mode is one of them",
                    brink__lo_path(lo, inst, -1));
    return NULL;
  }
  for (int i = 0; i < subs->n; i++) {
    int64_t k;
    mo_env inner = *env;
    inner.end = inst->dims[i];
    if (!brink__lo_int(lo, &inner, subs->v[i], "a subscript", &k))
      return NULL;
    if (k < 1 || k > inst->dims[i]) {
      brink__lo_error(lo, at, "subscript %lld is out of range: the size of '%s' is %d",
                      (long long)k, brink__lo_path(lo, inst, -1), inst->dims[i]);
      return NULL;
    }
    offset = offset * inst->dims[i] + (int32_t)k - 1;
  }
  return subs->n ? inst->kids[offset] : inst;
}

static void no_mode(mo_low *lo, const mo_ref *ref, mo_at at)
{
  brink__lo_error(lo, at,
                  "'%s' is no mode: only a component of a model or block can be one",
                  brink__lo_ref_text(lo, ref));
}

/* the component that e names; NULL: it is none, reported */
static mo_inst *component(mo_low *lo, const mo_env *env, const mo_expr *e,
                          const char *who)
{
  if (e->kind != MO_REF) {
    brink__lo_error(lo, e->at, "'%s' needs the name of a component", who);
    return NULL;
  }
  const mo_ref *ref = &e->ref;
  mo_found f = brink__lo_find_name(lo, env->scope, ref->parts[0].name, e->at);
  if (f.kind == MO_F_NONE)
    brink__lo_unknown(lo, env->scope, ref, e->at, "component");
  if (f.kind == MO_F_NONE || f.kind == MO_F_BAD)
    return NULL;
  if (f.kind != MO_F_INST || !brink__lo_ready(lo, f.inst) || !is_model(f.inst)) {
    no_mode(lo, ref, e->at);
    return NULL;
  }
  mo_inst *inst = element(lo, env, f.inst, &ref->parts[0].subs, e->at);
  for (int i = 1; inst && i < ref->n; i++) {
    mo_inst *kid =
        brink__lo_ready(lo, inst) ? brink__lo_kid(lo, inst, ref->parts[i].name) : NULL;
    if (!kid || !brink__lo_ready(lo, kid) || !is_model(kid)) {
      no_mode(lo, ref, e->at);
      return NULL;
    }
    inst = element(lo, env, kid, &ref->parts[i].subs, e->at);
  }
  return inst;
}

/* the component of the model at hand that a machine is made of; NULL: bad, reported */
static mo_inst *part(mo_low *lo, const mo_env *env, const mo_expr *e, const char *who)
{
  if (e->kind == MO_REF && e->ref.n > 1) {
    brink__lo_error(lo, e->at,
                    "'%s' belongs to another component; a mode is named in the model "
                    "that declares it",
                    brink__lo_ref_text(lo, &e->ref));
    return NULL;
  }
  return component(lo, env, e, who);
}

/* its number, 1 ..; 0: out of memory */
static int32_t mode_of(mo_low *lo, mo_inst *inst, mo_at at)
{
  if (inst->mode)
    return inst->mode;
  if (!brink__lo_push(lo, (void **)&lo->modes, &lo->cap_modes, lo->n_modes,
                      sizeof *lo->modes))
    return 0;
  int32_t active =
      brink__lo_symbol(lo, MO_SYM_ACTIVE, (int32_t)lo->n_modes, BRINK__DISCRETE);
  if (active < 0)
    return 0;
  lo->modes[lo->n_modes] =
      (mo_mode){.inst = inst, .active = active, .at = at, .group = (int)lo->n_modes};
  lo->n_modes++;
  return inst->mode = (int32_t)lo->n_modes;
}

static mo_mode *mode_named(mo_low *lo, mo_inst *inst, mo_at at)
{
  int32_t number = inst ? mode_of(lo, inst, at) : 0;

  return number ? &lo->modes[number - 1] : NULL;
}

brink__node brink__lo_active(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  const mo_mode *m = mode_named(lo, component(lo, env, e, "activeState"), e->at);

  return m ? brink__symbol(lo->g, m->active, BRINK_TYPE_BOOLEAN) : BRINK__NONE;
}

/* -------------------------------------------------------------- statements ---- */

static int is_call(const mo_expr *e, const char *name)
{
  return e->kind == MO_CALL && e->call->fn.n == 1 &&
         strcmp(e->call->fn.parts[0].name->text, name) == 0;
}

static void initial_state(mo_low *lo, const mo_env *env, const mo_stmt *s)
{
  const mo_call *c = s->left->call;

  if (c->n != 1) {
    brink__lo_error(lo, s->at, "'initialState' takes one component");
    return;
  }
  const mo_expr *e = c->args[0].value;
  mo_mode *m = mode_named(lo, part(lo, env, e, "initialState"), e->at);
  if (!m)
    return;
  if (m->initial.line)
    brink__lo_error(lo, s->at, "'%s' is an initial state already (line %d)",
                    brink__lo_path(lo, m->inst, -1), m->initial.line);
  m->initial = s->at;
}

typedef enum formal {
  T_FROM,
  T_TO,
  T_CONDITION,
  T_PRIORITY, /* the fourth by position; Modelica's order has it last */
  T_IMMEDIATE,
  T_RESET,
  T_SYNCHRONIZE,
  T_COUNT
} formal;

static const char *const formals[T_COUNT] = {
    "from", "to", "condition", "priority", "immediate", "reset", "synchronize"};

/* 0: bad, reported */
static int arguments(mo_low *lo, const mo_stmt *s, const mo_expr *arg[T_COUNT])
{
  const mo_call *c = s->left->call;

  for (int i = 0; i < c->n; i++) {
    int k = c->args[i].name ? T_COUNT : i;
    for (int j = 0; c->args[i].name && j < T_COUNT; j++)
      if (strcmp(c->args[i].name->text, formals[j]) == 0)
        k = j;
    if (k >= T_COUNT || (!c->args[i].name && k > T_PRIORITY) || arg[k]) {
      brink__lo_error(lo, c->args[i].at,
                      "'transition' takes from, to, a condition, and by name priority, "
                      "immediate, reset, synchronize, each once");
      return 0;
    }
    arg[k] = c->args[i].value;
  }
  for (int k = T_FROM; k <= T_CONDITION; k++)
    if (!arg[k]) {
      brink__lo_error(lo, s->at, "'transition' needs '%s'", formals[k]);
      return 0;
    }
  return 1;
}

/* a choice known before the run; -1: bad, reported */
static int choice(mo_low *lo, const mo_env *env, const mo_expr *e, const char *what,
                  int none)
{
  mo_env inner = *env;
  double v = 0;

  if (!e)
    return none;
  inner.flags |= MO_STRUCTURAL;
  brink__node n = brink__lo_expr_as(lo, &inner, e, MO_V_BOOLEAN, what);
  return n && brink__lo_const(lo, n, &v) ? v != 0 : -1;
}

/* the three choices; 0: bad, or what only clocked machines can do, reported */
static int choices(mo_low *lo, const mo_env *env, const mo_expr *arg[T_COUNT],
                   brink__flat_transition *t)
{
  int now = choice(lo, env, arg[T_IMMEDIATE], "immediate", 1);
  int reset = choice(lo, env, arg[T_RESET], "reset", 0);

  t->waits = choice(lo, env, arg[T_SYNCHRONIZE], "synchronize", 0);
  t->reset = reset == 0 && arg[T_RESET] ? -1 : reset;
  if (now == 0)
    brink__lo_error(
        lo, arg[T_IMMEDIATE]->at,
        "'immediate = false' needs a clock, which is not supported; without "
        "one a transition is taken when its condition holds");
  return now == 1 && reset >= 0 && t->waits >= 0;
}

static int priority_of(mo_low *lo, const mo_env *env, const mo_expr *e, int64_t *out)
{
  *out = 1;
  if (!e)
    return 1;
  if (!brink__lo_int(lo, env, e, "priority", out))
    return 0;
  if (*out >= 1)
    return 1;
  brink__lo_error(lo, e->at,
                  "the priority of a transition is %lld; it must be 1 or more",
                  (long long)*out);
  return 0;
}

static void transition(mo_low *lo, const mo_env *env, const mo_stmt *s)
{
  const mo_expr *arg[T_COUNT] = {NULL};
  brink__flat_transition t = {.at = {s->at.line, s->at.col}};

  if (!arguments(lo, s, arg))
    return;
  mo_inst *from = part(lo, env, arg[T_FROM], "transition");
  mo_inst *to = part(lo, env, arg[T_TO], "transition");
  int chosen = choices(lo, env, arg, &t);
  t.cond = brink__lo_expr_as(lo, env, arg[T_CONDITION], MO_V_BOOLEAN,
                             "the condition of a transition");
  brink__lo_when_settings(lo, &s->comment, &t.side, &t.locate);
  if (!priority_of(lo, env, arg[T_PRIORITY], &t.priority) || !from || !to || !chosen ||
      !t.cond)
    return;
  if (brink__lo_varies(lo, t.cond) == BRINK__CONTINUOUS) {
    brink__lo_error(lo, arg[T_CONDITION]->at,
                    "the condition of a transition must make events; a relation in "
                    "noEvent() makes none");
    return;
  }
  t.text = brink__lo_text(lo, env, arg[T_CONDITION], t.cond);
  brink__lo_wish(lo, t.cond, t.side);
  t.from = mode_of(lo, from, arg[T_FROM]->at) - 1;
  t.to = mode_of(lo, to, arg[T_TO]->at) - 1;
  if (t.from < 0 || t.to < 0 ||
      !brink__lo_push(lo, (void **)&lo->transitions, &lo->cap_transitions,
                      lo->n_transitions, sizeof t))
    return;
  lo->modes[t.from].used = lo->modes[t.to].used = s->at;
  int a = brink__lo_group(lo, t.from), b = brink__lo_group(lo, t.to);
  lo->modes[a > b ? a : b].group = a > b ? b : a;
  lo->transitions[lo->n_transitions++] = t;
}

int brink__lo_mode_call(mo_low *lo, const mo_env *env, const mo_stmt *s,
                        const mo_sink *sink)
{
  int begins = is_call(s->left, "initialState");

  if (!begins && !is_call(s->left, "transition"))
    return 0;
  if (sink->initial || sink->cond)
    brink__lo_error(
        lo, s->at,
        "'%s' cannot stand in an initial section or in an if whose condition "
        "changes",
        begins ? "initialState" : "transition");
  else if (begins)
    initial_state(lo, env, s);
  else
    transition(lo, env, s);
  return 1;
}
