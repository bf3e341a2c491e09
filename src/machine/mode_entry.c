/* mode_entry.c -- transitions: which are taken in an instant, and what an entry does.
 *
 * The instant is first carried out in the modes that are active.  Then each machine
 * takes the first transition, by priority, whose condition holds; all machines move
 * together.  A machine inside a mode moves with the machine around it, whose
 * transitions have priority: it becomes inactive with its mode, and begins anew on
 * entry or (reset = false) where it was.  The entry, in the new combination:
 *
 *   1. variables of the modes that are left keep their values;
 *   2. whens that ask which states are active fire, on those values;
 *   3. their reinits take effect, and only then are the relations of the modes that
 *      are entered evaluated for the first time; a when of such a mode whose
 *      condition holds at once does not fire, as at the start;
 *   4. the states are put on the constraints of the new combination (dae/impulse.c),
 *      before the relations are evaluated and after event iteration.
 *
 * If a transition of the new combination is due at once, that is another instant.
 * What the new states are uncertain by is computed along with their values, so that
 * a guard that is zero by construction is known to be within its rounding bound.
 */
#include "machine/modes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- choice --- */

/* The branch and the condition of a part's i-th transition. */
static size_t branch_of(const mode_part *p, int i)
{
  return p->m->n_branches - (size_t)(p->n_leaves - i);
}

static int holds(const modes_live *live, const mode_part *p, int i)
{
  size_t cond = p->m->n_conds - (size_t)(p->n_leaves - i);
  return live->now->v[p->m->conds[cond].value] != 0;
}

int brink__modes_transition_due(const modes_live *live)
{
  const mode_part *p = live->part;

  for (int i = 0; i < p->n_leaves; i++)
    if (holds(live, p, i))
      return 1;
  return 0;
}

/* A machine inside a state, when the machine around it moves: inactive unless its state
 * is entered, else begun anew or (no reset) resumed. */
static void move_inner(modes_live *live, int k, int outer)
{
  const brink__flat *f = live->model->flat;
  const brink__flat_machine *m = &f->machines[k];

  live->by[k] = live->by[outer];
  if (live->to[outer] != m->within - 1)
    live->to[k] = -1;
  else
    live->to[k] = f->transitions[live->by[k]].reset < 0 ? live->last[k] : m->initial;
}

/* Transitions to be taken: live->to, live->branch and live->by; none if the run is
 * over. 1 if there is one. */
static int choose(modes_live *live, const mode_part *p, int over)
{
  const brink__flat *f = live->model->flat;
  int any = 0, leaf = 0;

  for (int k = 0; k < (int)f->n_machines; k++) {
    int outer = modes_around(f, k);
    live->to[k] = p->state[k];
    live->branch[k] = live->by[k] = -1;
    if (p->state[k] >= 0)
      live->last[k] = p->state[k];
    if (outer >= 0 && live->by[outer] >= 0)
      move_inner(live, k, outer);
    for (; leaf < p->n_leaves; leaf++) {
      const brink__flat_transition *t = &f->transitions[p->leaves[leaf]];
      if (f->states[t->from].machine != k)
        break;
      if (over || live->by[k] >= 0 || !holds(live, p, leaf))
        continue;
      live->branch[k] = (int)branch_of(p, leaf);
      live->by[k] = p->leaves[leaf];
      live->to[k] = t->to;
      any = 1;
    }
  }
  return any;
}

static int is_taken(const modes_live *live, int branch)
{
  for (size_t k = 0; k < live->model->flat->n_machines; k++)
    if (live->branch[k] == branch)
      return 1;
  return 0;
}

static int is_listed(const int *fired, int n, int branch, int n_timers)
{
  for (int i = 0; i < n; i++)
    if (fired[i] == branch || fired[i] == -1 - (n_timers + branch))
      return 1;
  return 0;
}

/* The branch of the transition that an entry of the record is about; -1: of none. */
static int transition_of(const mode_part *p, int id)
{
  int nb = (int)p->m->n_branches, nt = (int)p->m->n_timers;
  int b = id < 0 && -1 - id >= nt ? -1 - id - nt : id;

  return b >= nb - p->n_leaves && b < nb ? b : -1;
}

/* The record lists the transitions that are taken, and no others; whens that fire on
 * entry follow from them and are not listed.  A transition of a switch follows from a
 * relation or a when, and is listed only if those are not. */
static void list_transitions(const modes_live *live, const mode_part *p,
                             brink__instant *inst)
{
  int nt = (int)p->m->n_timers, n = 0, others = 0, *fired = inst->fired;
  int listed = inst->n_fired;

  for (int i = 0; i < listed; i++)
    others += transition_of(p, fired[i]) < 0;
  int mentioned = live->model->flat->n_switches == 0 || others == 0;
  for (int i = 0; i < listed; i++) {
    int b = transition_of(p, fired[i]);
    if (b < 0 || (mentioned && is_taken(live, b)))
      fired[n++] = fired[i];
  }
  memmove(fired + n, fired + listed, (size_t)inst->n_silent * sizeof *fired);
  inst->n_fired = n;
  for (size_t k = 0; k < live->model->flat->n_machines && mentioned; k++) {
    int b = live->branch[k];
    if (b < 0 || is_listed(fired, inst->n_fired, b, nt))
      continue;
    memmove(fired + inst->n_fired + 1, fired + inst->n_fired,
            (size_t)inst->n_silent * sizeof *fired);
    fired[inst->n_fired++] = b;
  }
}

/* ------------------------------------------------------------------ entry --- */

typedef struct entry {
  modes_live *live;
  const mode_part *from, *to;
  brink__instant *inst;
  int n_jumps; /* in the mode that is left                                            */
  brink_err *err;
} entry;

/* Is the state (1 + index) entered by this move? */
static int entered(const entry *e, int mode)
{
  if (mode <= 0)
    return mode < 0;
  int k = e->live->model->flat->states[mode - 1].machine;
  return e->live->by[k] >= 0 && e->live->to[k] == mode - 1;
}

static int is_left(const entry *e, int mode)
{
  if (mode <= 0)
    return 0;
  int k = e->live->model->flat->states[mode - 1].machine;
  return e->live->by[k] >= 0 && e->from->state[k] == mode - 1;
}

/* Do the variables of the state (1 + index) take their start values: is it, or a state
 * around it, entered by a transition that says so? */
static int is_reset(const entry *e, int mode)
{
  const brink__flat *f = e->live->model->flat;

  while (mode > 0) {
    int k = f->states[mode - 1].machine;
    if (e->live->branch[k] >= 0)
      return e->live->to[k] == mode - 1 && f->transitions[e->live->by[k]].reset > 0;
    mode = f->machines[k].within;
  }
  return 0;
}

/* A guard that fired counts as zero: the states that it reads are uncertain by as much
 * as its value differs from 0 (side before, and the error of the locator). */
static void widen_noise(const entry *e)
{
  const dae_model *m = e->from->m;
  const brink_model *model = &m->base;
  brink__live *now = dae_live_face(e->live->now);
  const brink__instant *inst = e->inst;

  for (int k = 0; k < (int)m->n_guards; k++) {
    const dae_program *p = &m->guards[k].program;
    double g, value, bound;
    if (!inst->hit[k] ||
        model->ops->guard(model, now, 0, k, inst->t, inst->y_before, &g) != 0)
      continue;
    if (m->info[k].form == BRINK__GUARD_STATE)
      bound = inst->noise[m->info[k].state];
    else if (!model->ops->guard_noise(model, now, 0, k, inst->t, inst->y_before,
                                      inst->noise, &value, &bound))
      continue;
    for (size_t i = 0; i < p->n_states && fabs(g) > bound && bound > 0; i++)
      e->live->noise[m->state_symbol[p->states[i]]] *= 2 * fabs(g) / bound;
  }
}

/* The errors that the states of a combination may have, in live->error. */
static void allow_errors(const entry *e, const dae_model *m)
{
  static const double ERROR_OF_RUN = 64; /* in tolerances */
  modes_live *live = e->live;

  for (size_t i = 0; i < m->n_states; i++) {
    double size = fmax(live->now->constants.nominal[m->state_var[i]],
                       fabs(live->now->v[m->state_symbol[i]]));
    live->error[i] = ERROR_OF_RUN * e->inst->rtol * size;
  }
}

/* The uncertainty of the states, by symbol; 8 roundings where none is known. */
static void pack_noise(const entry *e)
{
  modes_live *live = e->live;
  const dae_model *m = e->from->m;

  for (size_t i = 0; i < (size_t)live->model->flat->n_symbols; i++)
    live->noise[i] = 8 * DBL_EPSILON * fabs(live->v[i]);
  for (size_t i = 0; i < m->n_states && e->inst->noise; i++) {
    double *noise = &live->noise[m->state_symbol[i]];
    *noise = fmax(*noise, e->inst->noise[i]);
  }
  if (e->inst->noise)
    widen_noise(e);
}

/* Variables of modes that are left keep their values, and their derivatives are 0; with
 * reset, those of modes that are entered take their start values. */
static void keep_or_reset(const entry *e)
{
  modes_live *live = e->live;
  const brink__flat *f = live->model->flat;

  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *x = &f->vars[i];
    if (x->der >= 0 && is_left(e, x->mode))
      live->v[x->der] = 0;
    if (x->variability <= BRINK__PARAMETER)
      continue;
    if (is_reset(e, x->mode))
      live->v[x->value] = live->now->constants.v0[x->value];
    if (x->pre >= 0 && x->mode > 0 && entered(e, x->mode))
      live->v[x->pre] = live->v[x->value];
  }
}

static void set_active(const entry *e, int after)
{
  const brink__flat *f = e->live->model->flat;

  for (size_t i = 0; i < f->n_states; i++) {
    double *v = &e->live->now->v[f->states[i].active];
    if (is_left(e, (int)i + 1))
      *v = !after;
    if (entered(e, (int)i + 1))
      *v = after;
  }
}

/* pre() of the conditions: their values with the old states active.  In a mode that is
 * entered it is true: a condition that holds at once does not fire. */
static void conditions_before(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;
  size_t k = 0;

  set_active(e, 0);
  int known = brink__tape_values(m->cond_tape, now->v, NULL) == BRINK_OK;
  for (size_t w = 0; w < m->flat->n_whens; w++)
    for (int b = 0; b < m->flat->whens[w].n_branches; b++)
      for (int c = 0; c < m->flat->whens[w].branches[b].n_conds; c++, k++)
        now->v[m->conds[k].value] = now->v[m->conds[k].pre] =
            entered(e, m->flat->whens[w].mode) || !known ||
            now->v[brink__tape_slot(m->cond_tape, k)] != 0;
  set_active(e, 1);
}

/* The state vector of the new combination, from the values of its variables. */
static void gather(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;

  now->y[0] = 0;
  for (size_t i = 0; i < m->n_states; i++) {
    now->y[i] = now->v[m->state_symbol[i]];
    if (e->inst->noise)
      e->inst->noise[i] = e->live->noise[m->state_symbol[i]];
  }
  if (m->n_states == 0 && e->inst->noise)
    e->inst->noise[0] = 0;
}

/* The uncertainty of the values that reinit sets. */
static void reinit_noise(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;

  if (!e->inst->noise || m->n_acts == 0)
    return;
  memcpy(now->delta, e->live->noise,
         (size_t)e->live->model->flat->n_symbols * sizeof *now->delta);
  int known = brink__tape_noise(m->act_tape, now->v, now->delta, now->work, now->bound,
                                NULL) == BRINK_OK;
  for (size_t i = 0; i < m->n_states; i++)
    if (now->reinit[i] >= 0) {
      double bound = known ? now->bound[m->acts[now->reinit[i]].value] : 0;
      e->inst->noise[i] = fmax(bound, 8 * DBL_EPSILON * fabs(now->reinit_value[i]));
    }
  memset(now->delta, 0, m->n_symbols * sizeof *now->delta);
}

/* States without left limits: those of modes that are entered, and derivatives that the
 * mode before did not have; unless reinit sets them. */
static void mark_fresh(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;

  for (size_t i = 0; i < m->n_states; i++) {
    const brink__flat_var *x = &m->flat->vars[m->state_var[i]];
    now->fresh[i] = !now->set_by[i] &&
                    (entered(e, x->mode) || e->live->unknown[m->state_symbol[i]]);
  }
}

/* reinit takes effect, and the other states follow the constraints of the new mode. */
static brink_status take_reinits(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;

  brink__clause_note_set(now);
  for (size_t i = 0; i < m->n_states; i++) {
    const brink__flat_action **hard = &e->live->hard[m->state_symbol[i]];
    if (now->reinit[i] >= 0)
      now->y[i] = now->reinit_value[i];
    else
      now->set_by[i] = *hard;
    *hard = now->set_by[i];
    now->reinit[i] = -1;
  }
  mark_fresh(e);
  dae_restart given = {e->inst->t, now->set_by, now->fresh, e->inst->rtol, e->inst};
  if (brink__dae_restart(now, &given, now->y) < 0)
    return brink__fail_at(e->err, BRINK_EDOMAIN, e->inst->t,
                          "on entering mode '%s', %s", e->live->part->mode.name,
                          brink__dae_reason(now));
  for (size_t i = 0; i < m->n_states; i++)
    now->v[m->state_symbol[i]] = now->y[i];
  return BRINK_OK;
}

/* States that reinit has set in the mode that is left. */
static void note_hard(const entry *e)
{
  const modes_live *live = e->live;
  const dae_model *m = e->from->m;

  memset(live->hard, 0, (size_t)live->model->flat->n_symbols * sizeof *live->hard);
  for (size_t i = 0; i < m->n_states; i++)
    if (m->state_symbol[i] < live->model->flat->n_symbols)
      live->hard[m->state_symbol[i]] = live->now->set_by[i];
}

/* Carry out the whens that ask which states are active. */
static brink_status entry_whens(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;
  double t = e->inst->t;

  if (brink__dae_run(now, &m->entry, t, now->y) < 0)
    return brink__fail_at(e->err, BRINK_EDOMAIN, t, "on entering mode '%s', %s",
                          e->live->part->mode.name, brink__dae_reason(now));
  BRINK_TRY(brink__clause_act(now, t, e->inst, e->err));
  reinit_noise(e);
  for (size_t k = 0; k < m->n_conds; k++)
    if (m->branches[m->conds[k].branch].entry)
      now->v[m->conds[k].pre] = now->v[m->conds[k].value];
  for (size_t i = 0; i < m->n_discretes; i++)
    now->v[m->discretes[i].pre] = now->v[m->discretes[i].value];
  for (size_t b = 0; b < m->n_branches; b++)
    now->v[m->branches[b].fire] = 0;
  return take_reinits(e);
}

/* The relations of the modes that are entered are evaluated anew. */
static void forget_relations(const entry *e)
{
  const dae_model *m = e->to->m;

  for (size_t i = 0; i < m->n_relations; i++)
    if (entered(e, m->relations[i].of))
      e->live->kept[m->relations[i].slot] = 0;
}

/* The relations, by the guards of the mode that is entered. */
static void reconsider(const entry *e)
{
  modes_live *live = e->live;

  if (live->model->flat->n_switches == 0)
    return;
  allow_errors(e, e->to->m);
  brink__clause_reconsider_relations(live->now, e->inst->t, e->inst->noise, live->error,
                                     live->slack);
}

static brink_status enter(const entry *e)
{
  dae_live *now = e->live->now;
  const dae_model *m = e->to->m;
  brink__instant *inst = e->inst;

  gather(e);
  conditions_before(e);
  forget_relations(e);
  brink__clause_begin_instant(now);
  brink__clause_evaluate_relations(now, inst->t, e->live->kept, inst->noise);
  BRINK_TRY(entry_whens(e));
  brink__clause_evaluate_relations(now, inst->t, e->live->kept, inst->noise);
  reconsider(e);
  BRINK_TRY(brink__clause_iterate(now, inst->t, inst, e->err));
  BRINK_TRY(take_reinits(e));
  reconsider(e);
  memcpy(inst->y, now->y, m->n * sizeof *inst->y);
  brink__dae_anchor(now, inst->t, inst->y, 1);
  return brink__clause_check(now, inst->t, inst->y, e->err);
}

/* ---------------------------------------------------------------- instant --- */

/* Put the simulation into the combination, from what has been packed. */
static brink_status attempt(modes_live *live, int to, void *user, brink_err *err)
{
  entry *e = user;
  brink__instant *inst = e->inst;

  e->err = err;
  BRINK_TRY(brink__modes_find(live, to, &e->to, err));
  BRINK_TRY(brink__modes_switch_to(live, e->to, err));
  brink__modes_unpack(live, inst->t);
  inst->mode_after = to;
  inst->n_jumps = e->n_jumps; /* others were those of a mode that was tried before */
  return enter(e);
}

static brink_status move(modes_live *live, brink__instant *inst, brink_err *err)
{
  entry e = {.live = live,
             .from = live->part,
             .inst = inst,
             .n_jumps = inst->n_jumps,
             .err = err};
  int to = brink__modes_number(live->model, live->to);

  note_hard(&e);
  allow_errors(&e, e.from->m);
  brink__clause_note_slack(live->now, inst->t, live->error, live->slack);
  if (live->model->flat->n_switches == 0)
    brink__modes_note_left(live, inst->t, inst->y);
  brink__modes_take_left(live);
  brink__modes_pack(live);
  pack_noise(&e);
  keep_or_reset(&e);
  inst->flow_changed = 1;
  inst->retime = inst->noise_known = 1;
  if (live->model->flat->n_switches)
    BRINK_TRY(brink__modes_settle(live, &to, inst->t, attempt, &e, err));
  else
    BRINK_TRY(attempt(live, to, &e, err));
  inst->classes |= e.to != e.from ? BRINK_SE_M : BRINK_SE_S;
  return BRINK_OK;
}

brink_status brink__modes_instant(const brink_model *model, brink__live *l,
                                  brink__instant *inst, brink_err *err)
{
  modes_live *live = modes_live_of(l);
  const mode_part *p = live->part;

  (void)model;
  if (live->model->flat->n_switches)
    brink__modes_note_left(live, inst->t, inst->y_before);
  BRINK_TRY(brink__clause_instant(&p->m->base, dae_live_face(live->now), inst, err));
  int any = choose(live, p, inst->stop);
  list_transitions(live, p, inst);
  return any ? move(live, inst, err) : BRINK_OK;
}
