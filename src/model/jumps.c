/* jumps.c -- callback models: carry out one instant.
 *
 * Timers come first, then events; those that fire in one instant run in order of
 * declaration, all seeing the same left limit, each seeing what the ones before it did
 * to y.  What a jump leaves is checked: a mode that exists, finite numbers, a time that
 * is not earlier.
 */
#include "model/callback.h"

#include <math.h>
#include <string.h>

/* Which classes, by comparing with what was before the jumps. */
static unsigned changes(const brink_model *model, const cb_live *live,
                        const brink__instant *inst)
{
  const callback_model *cb = cb_of(model);
  size_t n_before = model->modes[inst->mode].n;
  unsigned classes = 0;

  if (brink__differ(live->w, live->old + cb->n_p + cb->n_u, (size_t)cb->n_w))
    classes |= BRINK_SE_O;
  if (brink__differ(live->p, live->old, (size_t)cb->n_p))
    classes |= BRINK_SE_P;
  if (brink__differ(live->u, live->old + cb->n_p, (size_t)cb->n_u))
    classes |= BRINK_SE_I;
  if (inst->mode_after != inst->mode) {
    /* the same number of states under another law, or another model */
    classes |= model->modes[inst->mode_after].n == n_before ? BRINK_SE_D : BRINK_SE_M;
  }
  if (!(classes & BRINK_SE_M) && brink__differ(inst->y, inst->y_before, n_before))
    classes |= BRINK_SE_S;
  return classes;
}

/* Keep what the jumps of an instant may change, to compare it with. */
static void remember(const callback_model *cb, cb_live *live)
{
  brink__copy(live->old, live->p, brink__n_values(cb));
}

/* A negative return: in the jump's own words, if it has any. */
static brink_status stopped(brink_err *err, const brink_jump *j, const char *name)
{
  if (err->status < 0)
    return err->status;
  return brink__fail_at(err, BRINK_EUSER, j->t,
                        "the jump of '%s' asked to stop at t = %.9g%s%s", name, j->t,
                        j->why ? ": " : "", j->why ? j->why : "");
}

static brink_status check_jump(const brink_model *model, const brink_jump *j,
                               const char *name, brink_err *err)
{
  if (j->mode < 0 || j->mode >= model->n_modes)
    return brink__fail_at(err, BRINK_EUSER, j->t,
                          "the jump of '%s' at t = %.9g goes to mode %d; the model has "
                          "modes 0 to %d",
                          name, j->t, j->mode, model->n_modes - 1);
  size_t bad = brink__first_bad(j->y, model->modes[j->mode].n);
  if (bad < model->modes[j->mode].n)
    return brink__fail_at(
        err, BRINK_ENAN, j->t,
        "the jump of '%s' at t = %.9g leaves %g in state '%s' of mode "
        "'%s'",
        name, j->t, j->y[bad], model->modes[j->mode].states[bad],
        model->modes[j->mode].name);
  if (!(j->t_after >= j->t) || isinf(j->t_after))
    return brink__fail_at(err, BRINK_EUSER, j->t,
                          "the jump of '%s' at t = %.9g goes to the time %.9g; %s",
                          name, j->t, j->t_after,
                          j->t_after < j->t ? "time does not run backward"
                                            : "nothing would follow");
  return BRINK_OK;
}

/* Has the event fired just before, and its jump has not moved the guard back? */
static int came_back(const brink_model *model, const cb_live *live,
                     const brink__instant *inst, int index)
{
  const cb_event *e = &cb_of(model)->cb_modes[inst->mode].events[index];

  return e->def.beyond == BRINK_AGAIN && !e->cond &&
         live->landed[e->def.guard] == CB_LANDED_AGAIN;
}

/* Parameters, inputs and outputs, which lie one behind the other. */
static brink_status check_values(const callback_model *cb, const cb_live *live,
                                 const brink_jump *j, const char *name, brink_err *err)
{
  size_t n_p = (size_t)cb->n_p, n_u = (size_t)cb->n_u, n = n_p + n_u + (size_t)cb->n_w;
  size_t bad = brink__first_bad(live->p, n);

  if (bad == n)
    return BRINK_OK;
  return brink__fail_at(err, BRINK_ENAN, j->t,
                        "the jump of '%s' at t = %.9g leaves %g in %s %zu", name, j->t,
                        live->p[bad],
                        bad < n_p         ? "parameter"
                        : bad < n_p + n_u ? "input"
                                          : "output",
                        bad < n_p         ? bad
                        : bad < n_p + n_u ? bad - n_p
                                          : bad - n_p - n_u);
}

static brink_status jump(const brink_model *model, cb_live *live, brink__instant *inst,
                         brink_jump_fn *fn, const char *name, int index, int is_timer,
                         brink_err *err)
{
  int again = !is_timer && inst->at_restart && came_back(model, live, inst, index);
  brink_jump j = {.t = inst->t,
                  .t_after = inst->t_after,
                  .event = name,
                  .index = index,
                  .is_timer = is_timer,
                  .at_restart = inst->at_restart + again,
                  .trial = inst->trial,
                  .mode_before = inst->mode,
                  .y_before = inst->y_before,
                  .hit = inst->hit,
                  .sign = inst->sign,
                  .mode = inst->mode_after,
                  .y = inst->y,
                  .noise = inst->noise,
                  .p = live->p,
                  .u = live->u,
                  .w = live->w,
                  .err = err,
                  .env = &live->env,
                  .user = live->env.user};

  err->status = BRINK_OK;
  if (fn(&j) < 0) {
    if (err->status != BRINK_ZENO)
      return stopped(err, &j, name);
    inst->zeno = 1;
    inst->n_fired--;
    return BRINK_OK;
  }
  BRINK_TRY(check_jump(model, &j, name, err));
  BRINK_TRY(check_values(cb_of(model), live, &j, name, err));
  inst->mode_after = j.mode;
  inst->t_after = j.t_after;
  inst->stop |= j.stop;
  inst->classes |= j.classes;
  if (!j.event)
    inst->n_fired--;
  else if (j.event != name && inst->names)
    inst->names[inst->n_fired - 1] = j.event;
  return BRINK_OK;
}

static brink_status fire(const brink_model *model, cb_live *live, brink__instant *inst,
                         int id, brink_jump_fn *fn, const char *name, int terminal,
                         long limit, long *count, brink_err *err)
{
  inst->fired[inst->n_fired++] = id;
  ++*count;
  if (fn)
    BRINK_TRY(jump(model, live, inst, fn, name, id < 0 ? -1 - id : id, id < 0, err));
  if (terminal || (limit > 0 && *count >= limit))
    inst->stop = 1;
  return BRINK_OK;
}

/* After a start or a jump those that brink__cb_restarted has named, else those whose
 * condition has changed. */
static int fires(cb_live *live, const cb_event *e, const brink__instant *inst)
{
  if (!live->any_at_once)
    return brink__cb_edge(e, inst->sign_before, inst->sign);
  int named = live->at_once[e->number];
  live->at_once[e->number] = 0;
  return named;
}

static int same_guard(const callback_model *cb, int a, int b, int k)
{
  const brink__guard *ga = &cb->base.modes[a].guards[k],
                     *gb = &cb->base.modes[b].guards[k];

  if (strcmp(ga->name, gb->name) != 0 || ga->form != gb->form)
    return 0;
  return ga->form == BRINK__GUARD_STATE
             ? ga->state == gb->state && ga->level == gb->level
             : cb->cb_modes[a].guard_fns[k] == cb->cb_modes[b].guard_fns[k];
}

/* Guards whose crossing has led into another mode, which has the same guard in the same
 * place, and has not moved the states: there they are on the side that they have
 * crossed to. */
static void note_crossed(const brink_model *model, cb_live *live,
                         const brink__instant *inst)
{
  const brink__mode *from = &model->modes[inst->mode],
                    *to = &model->modes[inst->mode_after];

  brink__fill_bytes(live->crossed, 0, (size_t)model->max_guards);
  if (inst->mode_after == inst->mode || inst->t_after > inst->t ||
      brink__differ(inst->y, inst->y_before, from->n < to->n ? from->n : to->n))
    return;
  for (int k = 0; k < from->n_guards && k < to->n_guards; k++)
    if (inst->hit[k] && same_guard(cb_of(model), inst->mode, inst->mode_after, k))
      live->crossed[k] = inst->hit[k];
}

brink_status brink__cb_instant(const brink_model *model, brink__live *l,
                               brink__instant *inst, brink_err *err)
{
  const callback_model *cb = cb_of(model);
  cb_live *live = cb_live_of(l);
  const cb_mode *m = &cb->cb_modes[inst->mode];
  int jumped = 0;

  remember(cb, live);
  for (int i = 0; i < model->n_timers && !inst->zeno; i++)
    if (inst->due[i]) {
      const brink_timer_def *d = &cb->timers[i];
      BRINK_TRY(fire(model, live, inst, -1 - i, d->jump, d->name, d->terminal, d->limit,
                     &live->timer_count[i], err));
      jumped |= d->jump != NULL;
      live->fired_at[i] = inst->t;
    }
  for (int i = 0; i < m->n_events && !inst->zeno; i++) {
    const cb_event *e = &m->events[i];
    if (!fires(live, e, inst))
      continue;
    if (inst->at_restart && !e->cond && live->landed[e->def.guard] &&
        e->def.beyond == BRINK_REFUSE)
      return brink__cb_refuse(model, inst->mode, e, inst->t, 0, err);
    /* where f ends and nothing is done about it, the run ends */
    int ends = e->def.terminal || (e->def.side == BRINK_BEFORE && !e->def.jump);
    BRINK_TRY(fire(model, live, inst, i, e->def.jump, e->def.name, ends, e->def.limit,
                   &live->count[e->number], err));
    jumped |= e->def.jump != NULL;
  }
  live->any_at_once = 0;
  note_crossed(model, live, inst);
  if (jumped)
    inst->classes |= changes(model, live, inst);
  /* a jump that has changed nothing that can be seen may have changed what `user`
   * points to */
  inst->flow_changed = jumped && inst->classes != BRINK_SE_O;
  return BRINK_OK;
}
