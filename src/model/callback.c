/* callback.c -- models written as C callbacks: the acting half.
 *
 * Implements model/model.h for brink_model_def: guards are callbacks or states,
 * events are edges of guards or of Boolean combinations, jumps are callbacks.
 * Events that fire in one instant run in order of declaration, all seeing the
 * same left limit, each seeing what the ones before it did to y.
 */
#include "model/callback.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------- conditions ---- */

/* Postfix value of a condition over guard signs: 1, 0, or -1 while a guard that
 * matters is undecided.  Three-valued, so that one decided guard can suffice. */
static int cond_value(const int *cond, const signed char *sign)
{
  signed char stack[BRINK__COND_DEPTH];
  int         top = 0;

  for (; *cond != BRINK_COND_END; cond++) {
    if (*cond >= 0) {
      stack[top++] = (signed char)(sign[*cond] == 0 ? -1 : sign[*cond] > 0);
    } else if (*cond == BRINK_NOT) {
      if (stack[top - 1] >= 0)
        stack[top - 1] = !stack[top - 1];
    } else {
      signed char b = stack[--top], a = stack[top - 1];
      signed char decisive = *cond == BRINK_OR; /* 1 decides OR, 0 decides AND */
      if (a == decisive || b == decisive)
        stack[top - 1] = decisive;
      else
        stack[top - 1] = (signed char)(a < 0 || b < 0 ? -1 : !decisive);
    }
  }
  return stack[0];
}

static inline int value(const cb_event *e, const signed char *sign)
{
  if (e->cond)
    return cond_value(e->cond, sign);
  return sign[e->def.guard] == 0 ? -1 : sign[e->def.guard] > 0;
}

/* +1, -1: the event's condition rose or fell in the wanted direction; else 0 */
static int edge(const cb_event *e, const signed char *before, const signed char *after)
{
  int dir;

  if (e->cond) {
    int a = cond_value(e->cond, before), b = cond_value(e->cond, after);
    dir = a < 0 || b < 0 ? 0 : b - a;
  } else {
    int a = before[e->def.guard], b = after[e->def.guard];
    dir = a == 0 || b == 0 ? 0 : (b > 0) - (a > 0);
  }
  if (dir == 0)
    return 0;
  return e->def.dir == BRINK_BOTH || (int)e->def.dir == dir ? dir : 0;
}

static int acts(const cb_event *e)
{
  return e->def.jump || e->def.terminal || e->def.limit > 0 ||
         e->def.side == BRINK_BEFORE;
}

static int triggers(const brink_model *model, brink__live *live, int mode,
                    const signed char *sign_before, const signed char *sign)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];
  int            most = BRINK__SILENT;

  (void)live;
  for (int i = 0; i < m->n_events; i++)
    if (edge(&m->events[i], sign_before, sign)) {
      if (acts(&m->events[i]))
        return BRINK__ACTS;
      most = BRINK__LOGS;
    }
  return most;
}

/* -------------------------------------------------------------- values --- */

static brink_status start(const brink_model *model, brink__live *live, double t,
                          int *mode, const double *given, double *y, brink_err *err)
{
  (void)live, (void)t;
  if (given) {
    memmove(y, given, model->modes[*mode].n * sizeof *y);
    return BRINK_OK;
  }
  return brink__fail(err, BRINK_EARG,
                     "model '%s' has no start of its own: give the start values",
                     model->name);
}

static brink_status values(const brink_model *model, brink__live *live, int mode, double t,
                           const double *y, double *out, brink_err *err)
{
  (void)t, (void)err;
  for (size_t i = 0; i < model->max_n; i++)
    out[i] = i < model->modes[mode].n ? y[i] : nan("");
  memcpy(out + model->max_n, live->w, sizeof(double) * (size_t)cb_of(model)->n_w);
  return BRINK_OK;
}

/* ---------------------------------------------------------------- law ---- */

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  const brink__live *live = flow->self;
  return live->rhs(t, y, f, &live->env);
}

static int guard(const brink_model *model, brink__live *live, int mode, int k, double t,
                 const double *y, double *g)
{
  const brink__guard *gd = &model->modes[mode].guards[k];

  if (gd->form == BRINK__GUARD_STATE)
    *g = y[gd->state] - gd->level;
  else
    *g = cb_of(model)->cb_modes[mode].guard_fns[k](t, y, k, &live->env);
  return 0;
}

/* ---------------------------------------------------------- unilateral --- */

/* The far side of a unilateral event: rising ones are past when true. */
static int is_beyond(const cb_event *e, const signed char *sign)
{
  int v = value(e, sign);
  return v >= 0 && v == (e->def.dir == BRINK_UP);
}

static int beyond(const brink_model *model, brink__live *live, int mode,
                  const signed char *sign)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];

  (void)live;
  for (int i = 0; i < m->n_events; i++)
    if (m->events[i].def.side == BRINK_BEFORE && is_beyond(&m->events[i], sign))
      return 1;
  return 0;
}

/* On the zero is inside: a sign of 0 decides nothing against the model. */
static int outside(const brink_model *model, brink__live *live, int mode, double t,
                   const double *y)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];

  for (int k = 0; k < model->modes[mode].n_guards; k++) {
    double g = 0;
    if (m->guard_sides[k] == BRINK_BEFORE)
      guard(model, live, mode, k, t, y, &g);
    live->looked[k] = (signed char)(g > 0 ? 1 : g < 0 ? -1 : 0);
  }
  return beyond(model, live, mode, live->looked);
}

static int inside(const brink_flow *flow, double t, const double *y)
{
  brink__live *live = flow->self;
  return !outside(live->model, live, live->env.mode, t, y);
}

static void flow(const brink_model *model, brink__live *live, int mode, brink_flow *out)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];

  live->env.mode = mode;
  live->rhs = m->rhs;
  *out = (brink_flow){
    .n = model->modes[mode].n, .rhs = rhs, .reason = brink__no_reason, .self = live,
    .guarded = model->modes[mode].unilateral > 0, .inside = inside};
}

/* Callbacks have values and nothing more. */
static int no_range(const brink_model *model, brink__live *live, int mode, int k,
                    const brink_step *step, double a, double b, int order, double *lo,
                    double *hi)
{
  (void)model, (void)live, (void)mode, (void)k, (void)step, (void)a, (void)b;
  (void)order, (void)lo, (void)hi;
  return 0;
}

static int no_noise(const brink_model *model, brink__live *live, int mode, int k, double t,
                    const double *y, const double *noise, double *value, double *delta)
{
  (void)model, (void)live, (void)mode, (void)k, (void)t, (void)y, (void)noise;
  (void)value, (void)delta;
  return 0;
}

/* ------------------------------------------------------------ instant ---- */

static brink_status refuse(const brink_model *model, int mode, const cb_event *e,
                           double t, double g, brink_err *err)
{
  return brink__fail_at(
    err, BRINK_EMODE, t,
    "mode '%s' is entered at t = %.9g with its event '%s' already past (g = %.9g); "
    "start elsewhere, or set .beyond to BRINK_FIRE or BRINK_IGNORE",
    model->modes[mode].name, t, e->def.name, g);
}

/* Which classes, by comparing with what was before the jumps. */
static unsigned changes(const brink_model *model, const brink__live *live,
                        const brink__instant *inst)
{
  const callback_model *cb = cb_of(model);
  size_t                n_before = model->modes[inst->mode].n;
  unsigned              classes = 0;

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

/* What the jumps of an instant may change. */
static void remember(const callback_model *cb, brink__live *live)
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
    return brink__fail_at(err, BRINK_ENAN, j->t,
                          "the jump of '%s' at t = %.9g leaves %g in state '%s' of mode "
                          "'%s'",
                          name, j->t, j->y[bad], model->modes[j->mode].states[bad],
                          model->modes[j->mode].name);
  if (!(j->t_after >= j->t) || isinf(j->t_after))
    return brink__fail_at(err, BRINK_EUSER, j->t,
                          "the jump of '%s' at t = %.9g goes to the time %.9g; %s", name,
                          j->t, j->t_after,
                          j->t_after < j->t ? "time does not run backward"
                                            : "nothing would follow");
  return BRINK_OK;
}

/* Has the event fired just before, and its jump has not moved the guard back? */
static int came_back(const brink_model *model, const brink__live *live,
                     const brink__instant *inst, int index)
{
  const cb_event *e = &cb_of(model)->cb_modes[inst->mode].events[index];

  return e->def.beyond == BRINK_AGAIN && !e->cond && live->held[e->def.guard] == 2;
}

/* Parameters, inputs and outputs, which lie one behind the other. */
static brink_status check_values(const callback_model *cb, const brink__live *live,
                                 const brink_jump *j, const char *name, brink_err *err)
{
  size_t n_p = (size_t)cb->n_p, n_u = (size_t)cb->n_u, n = n_p + n_u + (size_t)cb->n_w;
  size_t bad = brink__first_bad(live->p, n);

  if (bad == n)
    return BRINK_OK;
  return brink__fail_at(err, BRINK_ENAN, j->t,
                        "the jump of '%s' at t = %.9g leaves %g in %s %zu", name, j->t,
                        live->p[bad],
                        bad < n_p ? "parameter" : bad < n_p + n_u ? "input" : "output",
                        bad < n_p ? bad : bad < n_p + n_u ? bad - n_p : bad - n_p - n_u);
}

static brink_status jump(const brink_model *model, brink__live *live,
                         brink__instant *inst, brink_jump_fn *fn, const char *name,
                         int index, int is_timer, brink_err *err)
{
  int        again = !is_timer && inst->at_restart && came_back(model, live, inst, index);
  brink_jump j = {.t = inst->t, .t_after = inst->t_after, .event = name, .index = index,
                  .is_timer = is_timer, .at_restart = inst->at_restart + again,
                  .mode_before = inst->mode, .y_before = inst->y_before,
                  .hit = inst->hit, .sign = inst->sign, .mode = inst->mode_after,
                  .y = inst->y, .noise = inst->noise, .p = live->p, .u = live->u, .w = live->w, .err = err,
                  .env = &live->env, .user = live->env.user};

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

static brink_status fire(const brink_model *model, brink__live *live,
                         brink__instant *inst, int id, brink_jump_fn *fn,
                         const char *name, int terminal, long limit, long *count,
                         brink_err *err)
{
  inst->fired[inst->n_fired++] = id;
  ++*count;
  if (fn)
    BRINK_TRY(jump(model, live, inst, fn, name, id < 0 ? -1 - id : id, id < 0, err));
  if (terminal || (limit > 0 && *count >= limit))
    inst->stop = 1;
  return BRINK_OK;
}

static brink_status instant(const brink_model *model, brink__live *live,
                            brink__instant *inst, brink_err *err)
{
  const callback_model *cb = cb_of(model);
  const cb_mode        *m = &cb->cb_modes[inst->mode];
  int                   jumped = 0;

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
    if (!edge(e, inst->sign_before, inst->sign))
      continue;
    if (inst->at_restart && !e->cond && live->held[e->def.guard] &&
        e->def.beyond == BRINK_REFUSE)
      return refuse(model, inst->mode, e, inst->t, 0, err);
    /* where f ends and nothing is done about it, the run ends */
    int ends = e->def.terminal || (e->def.side == BRINK_BEFORE && !e->def.jump);
    BRINK_TRY(fire(model, live, inst, i, e->def.jump, e->def.name, ends, e->def.limit,
                   &live->count[e->number], err));
    jumped |= e->def.jump != NULL;
  }
  if (jumped)
    inst->classes |= changes(model, live, inst);
  return BRINK_OK;
}

static brink_status finish(const brink_model *model, brink__live *live, int mode, double t,
                           const double *y, brink_err *err)
{
  (void)model, (void)live, (void)mode, (void)t, (void)y, (void)err;
  return BRINK_OK;
}

static const char *warning(const brink_model *model, brink__live *live, int number)
{
  (void)model, (void)live, (void)number;
  return NULL;
}

/* -------------------------------------------------------------- entry ---- */

/* The event's own sign vector with one guard undecided is undecided; so an event
 * is "past" only if its condition is decided on the far side. */
static int past(const cb_event *e, const signed char *sign)
{
  int v = value(e, sign);
  return v >= 0 && e->def.dir != BRINK_BOTH && v == (e->def.dir == BRINK_UP);
}

static int involves_hit(const cb_event *e, const signed char *hit)
{
  if (!e->cond)
    return hit[e->def.guard] != 0;
  for (const int *c = e->cond; *c != BRINK_COND_END; c++)
    if (*c >= 0 && hit[*c])
      return 1;
  return 0;
}

/* Make the guards of a past event look hit, so that its edge is seen. */
static void mark(const cb_event *e, const signed char *sign, signed char *due)
{
  if (!e->cond) {
    due[e->def.guard] = sign[e->def.guard];
    return;
  }
  for (const int *c = e->cond; *c != BRINK_COND_END; c++)
    if (*c >= 0)
      due[*c] = sign[*c];
}

/* On the zero of the event, by a start or by a jump from the side that counts. */
static int lands(const cb_event *e, const signed char *old_sign, const signed char *sign,
                 const signed char *hit)
{
  int k = e->def.guard;

  if (e->cond || e->def.dir == BRINK_BOTH || sign[k] != 0)
    return 0;
  if (old_sign && hit[k])
    return e->def.beyond == BRINK_AGAIN;
  return !old_sign || old_sign[k] == -(int)e->def.dir;
}

static int enter(const brink_model *model, brink__live *live, int mode, double t,
                 const double *g, const signed char *old_sign, signed char *sign,
                 signed char *hit, brink_err *err)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];
  int            n = 0, n_guards = model->modes[mode].n_guards;
  signed char   *due = live->due;

  brink__fill_bytes(due, 0, (size_t)n_guards);
  brink__fill_bytes(live->held, 0, (size_t)n_guards);
  for (int i = 0; i < m->n_events; i++) {
    const cb_event *e = &m->events[i];
    if (!acts(e) || e->def.beyond == BRINK_IGNORE)
      continue;
    int just_fired = old_sign && involves_hit(e, hit);
    if (lands(e, old_sign, sign, hit)) { /* what the guard does next decides */
      live->held[e->def.guard] = just_fired ? 2 : 1;
      sign[e->def.guard] = (signed char)-e->def.dir;
    }
    if (!past(e, sign))
      continue;
    /* it was past before, or it is the one that just fired here */
    if (old_sign && (past(e, old_sign) || just_fired) &&
        !(just_fired && e->def.beyond == BRINK_AGAIN))
      continue;
    if (just_fired && !e->cond)
      live->held[e->def.guard] = 2;
    if (e->def.beyond == BRINK_REFUSE)
      return (int)refuse(model, mode, e, t, e->cond ? 0 : g[e->def.guard], err);
    mark(e, sign, due);
    n++;
  }
  brink__copy_bytes(hit, due, (size_t)n_guards);
  return n;
}

/* ------------------------------------------------------------- timers ---- */

/* brink__time_slack, for a timer whose own period may be finer than that. */
static double timer_slack(const brink_timer_def *d, double t)
{
  double slack = brink__time_slack(t);
  return d->every > 0 ? brink__min(slack, d->every / 2) : slack;
}

/* k-th time without drift */
static double grid_next(const brink_timer_def *d, double t, int at_start)
{
  double at = d->at, every = d->every, k, slack = timer_slack(d, fabs(t) + fabs(at));

  if (t < at - slack || (at_start && fabs(t - at) <= slack))
    return at;
  if (!(every > 0))
    return HUGE_VAL;
  k = floor((t - at) / every);
  for (k = k < 1 ? 0 : k - 1;; k = brink__max(k + 1, nextafter(k, HUGE_VAL))) {
    double next = at + k * every;
    if (at_start ? next >= t - slack : next > t + slack)
      return next;
  }
}

static double next_time(const brink_model *model, brink__live *live, int mode, double t,
                        const double *y, int asked, unsigned char *due)
{
  const callback_model *cb = cb_of(model);
  double                first = HUGE_VAL;
  int                   at_start = asked == BRINK__ASK_AT_START;

  live->env.mode = mode;
  if (asked == BRINK__ASK_PASSED) {
    for (int i = 0; i < model->n_timers; i++)
      due[i] = live->next[i] <= t;
    return t;
  }
  for (int i = 0; i < model->n_timers; i++) {
    const brink_timer_def *d = &cb->timers[i];
    if (d->next && (at_start || live->fired_at[i] == t)) {
      live->next[i] = d->next(t, y, &live->env);
      double slack = brink__time_slack(t);
      if (at_start ? live->next[i] < t - slack : live->next[i] <= t + slack)
        live->next[i] = HUGE_VAL; /* a timer never runs backward */
      live->fired_at[i] = nan("");
    } else if (!d->next) {
      live->next[i] = grid_next(d, t, at_start);
    }
    if (live->next[i] < first || isnan(live->next[i]))
      first = live->next[i];
  }
  for (int i = 0; i < model->n_timers; i++) {
    double late = live->next[i] - first; /* NaN if there is no such time */
    due[i] = !(late > timer_slack(&cb->timers[i], first));
  }
  return first;
}

/* --------------------------------------------------------------- names --- */

static const char *event_name(const brink_model *model, int mode, int event)
{
  const callback_model *cb = cb_of(model);
  return event < 0 ? cb->timers[-1 - event].name
                   : cb->cb_modes[mode].events[event].def.name;
}

static int event_edge(const brink_model *model, int mode, int event,
                      const signed char *before, const signed char *after,
                      const signed char *hit, int *guard)
{
  const cb_event *e = &cb_of(model)->cb_modes[mode].events[event];

  *guard = e->def.guard;
  if (e->cond)
    for (const int *c = e->cond; *c != BRINK_COND_END; c++)
      if (*c >= 0 && hit[*c]) {
        *guard = *c;
        break;
      }
  return edge(e, before, after);
}

static brink_side event_side(const brink_model *model, int mode, int event)
{
  return event < 0 ? BRINK_AFTER : cb_of(model)->cb_modes[mode].events[event].def.side;
}

static brink_side guard_side(const brink_model *model, int mode, int k)
{
  return cb_of(model)->cb_modes[mode].guard_sides[k];
}

/* ---------------------------------------------------------------- live --- */

static size_t live_size(const brink_model *model)
{
  const callback_model *cb = cb_of(model);
  size_t                need = brink__need(0, 1, sizeof(brink__live));

  need = brink__need(need, brink__n_values(cb), 2 * sizeof(double));
  need = brink__need(need, (size_t)cb->n_events, sizeof(long));
  need = brink__need(need, (size_t)model->n_timers, sizeof(long) + 2 * sizeof(double));
  need = brink__need(need, (size_t)model->max_guards, 3);
  return brink__need(need, cb->n_work, 1);
}

static void live_init(const brink_model *model, brink__live *live)
{
  const callback_model *cb = cb_of(model);
  size_t                n_values = brink__n_values(cb);
  size_t                nt = (size_t)model->n_timers;
  unsigned char        *base = (unsigned char *)live;

  memset(live, 0, live_size(model));
  base += brink__need(0, 1, sizeof(brink__live));
  live->p = (double *)(void *)base;
  live->u = live->p + cb->n_p;
  live->w = live->u + cb->n_u;
  live->old = live->p + n_values;
  base += brink__need(0, n_values, 2 * sizeof(double));
  live->count = (long *)(void *)base;
  base += brink__need(0, (size_t)cb->n_events, sizeof(long));
  live->timer_count = (long *)(void *)base;
  live->next = (double *)(void *)(base + nt * sizeof(long));
  live->fired_at = live->next + nt;
  base += brink__need(0, nt, sizeof(long) + 2 * sizeof(double));
  live->due = (signed char *)base;
  live->held = live->due + model->max_guards;
  live->looked = live->held + model->max_guards;
  live->model = model;
  base += brink__need(0, (size_t)model->max_guards, 3);

  memcpy(live->p, cb->p, sizeof(double) * n_values);
  for (size_t i = 0; i < nt; i++) {
    live->next[i] = HUGE_VAL;
    live->fired_at[i] = nan("");
  }
  live->env = (brink_env){.p = live->p, .u = live->u, .w = live->w, .user = cb->user,
                          .layer = cb->extra, .work = cb->n_work ? base : NULL};
}

brink__values brink__live_values(const brink_model *model, brink__live *live)
{
  const callback_model *cb = cb_of(model);

  if (model->ops != &brink__callback_ops)
    return (brink__values){0};
  return (brink__values){live->p, live->u, live->w, cb->n_p, cb->n_u, cb->n_w};
}

static void destroy(brink_model *model)
{
  callback_model *cb = (callback_model *)model;
  brink__pool     pool = cb->pool; /* the model itself lives in it */

  brink__pool_drop(&cb->layer);
  brink__pool_drop(&pool);
}

static brink__effort effort(const brink_model *model, const brink__live *live)
{
  (void)model, (void)live;
  return (brink__effort){0};
}

const brink__model_ops brink__callback_ops = {
  .live_size = live_size, .live_init = live_init, .start = start, .values = values,
  .flow = flow, .steady = 1, .guard = guard,
  .triggers = triggers, .outside = outside, .beyond = beyond, .instant = instant,
  .finish = finish, .warning = warning, .enter = enter, .next_time = next_time,
  .event_name = event_name, .event_edge = event_edge, .event_side = event_side,
  .guard_side = guard_side,
  .effort = effort, .guard_range = no_range, .guard_noise = no_noise,
  .destroy = destroy,
};
