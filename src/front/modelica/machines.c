/* machines.c -- machines made of modes: what must hold, and the hand-over.
 *
 * Transitions join modes to machines; a machine has one initial state.  Machines may
 * stand side by side, in components that are no modes themselves, and in modes.
 */
#include "front/modelica/lower.h"

#include <string.h>

int brink__lo_group(mo_low *lo, int k)
{
  while (lo->modes[k].group != k)
    k = lo->modes[k].group = lo->modes[lo->modes[k].group].group;
  return k;
}

/* ------------------------------------------------------------------ checks ---- */

static const char *name_of(mo_low *lo, size_t k)
{
  return brink__lo_path(lo, lo->modes[k].inst, -1);
}

/* every machine has one initial state */
static void check_initial(mo_low *lo, size_t k)
{
  int group = brink__lo_group(lo, (int)k), first = -1;

  for (size_t i = 0; i < lo->n_modes; i++) {
    if (brink__lo_group(lo, (int)i) != group || !lo->modes[i].initial.line)
      continue;
    if (first >= 0)
      brink__lo_error(lo, lo->modes[i].initial,
                      "'%s' and '%s' are initial states of one machine, since "
                      "transitions join them; a machine has one",
                      name_of(lo, (size_t)first), name_of(lo, i));
    first = first < 0 ? (int)i : first;
  }
  if (first < 0 && (int)k == group)
    brink__lo_error(lo, lo->modes[k].used,
                    "no initialState says in which mode the machine of '%s' begins",
                    name_of(lo, k));
}

static void check_mode(mo_low *lo, size_t k)
{
  const mo_mode *m = &lo->modes[k];

  if (!m->initial.line && !m->used.line)
    brink__lo_error(
        lo, m->at, "'%s' is no mode: neither an initialState nor a transition names it",
        name_of(lo, k));
  else if (brink__lo_group(lo, (int)k) == (int)k)
    check_initial(lo, k);
}

/* a mode that no way leads to is never active */
static void check_reached(mo_low *lo)
{
  unsigned char *seen = brink__lo_take(lo, lo->n_modes + 1);
  int more = seen != NULL;

  for (size_t k = 0; seen && k < lo->n_modes; k++)
    seen[k] = lo->modes[k].initial.line > 0;
  while (more) {
    more = 0;
    for (size_t i = 0; i < lo->n_transitions; i++)
      if (seen[lo->transitions[i].from] && !seen[lo->transitions[i].to])
        more = seen[lo->transitions[i].to] = 1;
  }
  for (size_t k = 0; seen && k < lo->n_modes; k++)
    if (!seen[k])
      brink__lo_warn(lo, lo->modes[k].used,
                     "no transitions lead from the initial state to '%s'; it is never "
                     "active",
                     name_of(lo, k));
}

/* what a when assigns belongs where the when does */
static void check_whens(mo_low *lo)
{
  for (size_t w = 0; w < lo->n_whens; w++)
    for (int b = 0; b < lo->whens[w].n_branches; b++)
      for (int i = 0; i < lo->whens[w].branches[b].n_actions; i++) {
        const brink__flat_action *a = &lo->whens[w].branches[b].actions[i];
        if (a->kind != BRINK__ASSIGN || lo->vars[a->var].mode == lo->whens[w].mode)
          continue;
        int mode = lo->vars[a->var].mode ? lo->vars[a->var].mode : lo->whens[w].mode;
        brink__lo_error(
            lo, (mo_at){a->at.line, a->at.col},
            lo->vars[a->var].mode
                ? "'%s' belongs to mode '%s'; a when that sets it must stand "
                  "in that mode"
                : "'%s' belongs to no mode; a when of mode '%s' cannot set it",
            lo->vars[a->var].name, name_of(lo, (size_t)mode - 1));
      }
}

/* ----------------------------------------------------------- modes in modes ---- */

/* number of the mode around a mode, 1 ..; 0: none */
static int32_t around(const mo_low *lo, size_t k)
{
  const mo_inst *outer = brink__lo_mode_of(lo->modes[k].inst->parent);

  return outer ? outer->mode : 0;
}

static int depth(const mo_low *lo, size_t k)
{
  int n = 0;

  for (int32_t outer = around(lo, k); outer; outer = around(lo, (size_t)outer - 1))
    n++;
  return n;
}

static int is_left(const mo_low *lo, size_t k)
{
  for (size_t i = 0; i < lo->n_transitions; i++)
    if (lo->transitions[i].from == (int)k)
      return 1;
  return 0;
}

/* "the machine of the initial state has come to its end" */
static brink__node ended(mo_low *lo, size_t initial)
{
  brink__node any = BRINK__NONE;

  for (size_t k = 0; k < lo->n_modes; k++) {
    if (brink__lo_group(lo, (int)k) != brink__lo_group(lo, (int)initial) ||
        is_left(lo, k))
      continue;
    brink__node on = brink__symbol(lo->g, lo->modes[k].active, BRINK_TYPE_BOOLEAN);
    any = any ? brink__op2(lo->g, BRINK_OP_OR, any, on) : on;
  }
  return any;
}

/* synchronize: the condition also asks whether the machines inside have ended */
static void wait_for(mo_low *lo, brink__flat_transition *t)
{
  mo_at at = {t->at.line, t->at.col};
  int any = 0;

  for (size_t k = 0; k < lo->n_modes; k++) {
    if (!lo->modes[k].initial.line || around(lo, k) != t->from + 1)
      continue;
    brink__node end = ended(lo, k);
    if (!end)
      brink__lo_error(lo, at,
                      "'synchronize = true' would wait for ever: the machine of '%s' "
                      "has no mode that nothing leads out of",
                      name_of(lo, k));
    else
      t->cond = brink__op2(lo->g, BRINK_OP_AND, end, t->cond);
    any = 1;
  }
  if (!any)
    brink__lo_error(
        lo, at, "'synchronize = true' waits for the machines in '%s', which has none",
        name_of(lo, (size_t)t->from));
}

/* does a run begin in the mode? */
static int is_first(const mo_low *lo, int32_t mode)
{
  for (; mode; mode = around(lo, (size_t)mode - 1))
    if (!lo->modes[mode - 1].initial.line)
      return 0;
  return 1;
}

/* initial equations say how a run begins, not how a mode does */
static void check_sections(mo_low *lo)
{
  int before = 0;

  for (size_t i = 0; i < lo->initial_eqns.n; i++) {
    const brink__flat_eqn *e = &lo->initial_eqns.v[i];
    if (!is_first(lo, e->mode) && e->mode != before)
      brink__lo_warn(lo, (mo_at){e->at.line, e->at.col},
                     "initial equations of '%s' are never used, since no run begins in "
                     "it; set its states when activeState(...) begins",
                     name_of(lo, (size_t)e->mode - 1));
    before = e->mode;
  }
}

/* --------------------------------------------------------------- hand over ---- */

/* 1 + mode of a place */
static int mode_at(mo_low *lo, int32_t place)
{
  const mo_inst *m = lo->n_modes && place ? brink__lo_mode_of(lo->places[place]) : NULL;

  return m ? m->mode : 0;
}

static void settle(mo_low *lo)
{
  for (size_t i = 0; i < lo->n_vars; i++) {
    const mo_inst *inst = lo->var_inst[i], *m = inst ? brink__lo_mode_of(inst) : NULL;
    lo->vars[i].mode = inst ? (m ? m->mode : 0) : mode_at(lo, lo->vars[i].mode);
  }
  for (size_t i = 0; i < lo->eqns.n; i++)
    lo->eqns.v[i].mode = mode_at(lo, lo->eqns.v[i].mode);
  for (size_t i = 0; i < lo->initial_eqns.n; i++)
    lo->initial_eqns.v[i].mode = mode_at(lo, lo->initial_eqns.v[i].mode);
  for (size_t i = 0; i < lo->n_whens; i++)
    lo->whens[i].mode = mode_at(lo, lo->whens[i].mode);
  for (size_t i = 0; i < lo->n_asserts; i++)
    lo->asserts[i].mode = mode_at(lo, lo->asserts[i].mode);
}

static void hand_states(mo_low *lo)
{
  brink__flat *f = lo->flat;

  for (size_t k = 0; k < lo->n_modes; k++) {
    const mo_mode *m = &lo->modes[k];
    const char *name = name_of(lo, k);
    name = brink__pool_str(&f->pool, name, strlen(name));
    if (!name)
      brink__diag_nomem(lo->diag);
    f->states[k] = (brink__flat_state){
        .name = name, .active = m->active, .at = {m->at.line, m->at.col}};
  }
  f->n_states = lo->n_modes;
}

static void hand_machine(mo_low *lo, size_t initial)
{
  brink__flat *f = lo->flat;
  const mo_mode *m = &lo->modes[initial];

  for (size_t i = 0; i < lo->n_modes; i++)
    if (brink__lo_group(lo, (int)i) == brink__lo_group(lo, (int)initial))
      f->states[i].machine = (int)f->n_machines;
  f->machines[f->n_machines++] =
      (brink__flat_machine){.initial = (int)initial,
                            .within = around(lo, initial),
                            .at = {m->initial.line, m->initial.col}};
}

/* machines are numbered as their initial states are named, those in modes last */
static void hand_over(mo_low *lo)
{
  brink__flat *f = lo->flat;
  brink__pool *pool = &f->pool;

  f->states = brink__pool_take(pool, lo->n_modes * sizeof *f->states);
  f->machines = brink__pool_take(pool, lo->n_modes * sizeof *f->machines);
  f->transitions =
      brink__pool_take(pool, (lo->n_transitions + 1) * sizeof *f->transitions);
  if (!f->states || !f->machines || !f->transitions) {
    brink__diag_nomem(lo->diag);
    return;
  }
  hand_states(lo);
  for (int d = 0, more = 1; more; d++) {
    more = 0;
    for (size_t k = 0; k < lo->n_modes; k++) {
      if (lo->modes[k].initial.line && depth(lo, k) == d)
        hand_machine(lo, k);
      more |= depth(lo, k) > d;
    }
  }
  if (lo->n_transitions)
    memcpy(f->transitions, lo->transitions, lo->n_transitions * sizeof *f->transitions);
  f->n_transitions = lo->n_transitions;
}

void brink__lo_modes(mo_low *lo)
{
  settle(lo);
  if (lo->n_modes == 0)
    return;
  for (size_t k = 0; k < lo->n_modes; k++)
    check_mode(lo, k);
  if (lo->diag->status != BRINK_OK)
    return;
  check_whens(lo);
  check_reached(lo);
  check_sections(lo);
  for (size_t i = 0; i < lo->n_transitions; i++)
    if (lo->transitions[i].waits)
      wait_for(lo, &lo->transitions[i]);
  hand_over(lo);
}
