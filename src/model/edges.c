/* edges.c -- callback models: which events do the signs of the guards make happen?
 *
 * An event is the edge of a guard or of a Boolean combination of guards.  A guard that
 * is zero to rounding has no sign, so that conditions have three values and an edge
 * needs two that are decided.  Where a mode is entered there is no sign before: what is
 * past there is refused, fires at once or waits, as the event says (brink_beyond).
 */
#include "model/callback.h"

/* --------------------------------------------------------- conditions ---- */

/* Postfix value of a condition over guard signs: 1, 0, or -1 while a guard that
 * matters is undecided.  Three-valued, so that one decided guard can suffice. */
static int cond_value(const int *cond, const signed char *sign)
{
  signed char stack[BRINK__COND_DEPTH];
  int top = 0;

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

int brink__cb_edge(const cb_event *e, const signed char *before,
                   const signed char *after)
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

int brink__cb_triggers(const brink_model *model, brink__live *live, int mode,
                       const signed char *sign_before, const signed char *sign)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];
  int most = BRINK__SILENT;

  (void)live;
  for (int i = 0; i < m->n_events; i++)
    if (brink__cb_edge(&m->events[i], sign_before, sign)) {
      if (acts(&m->events[i]))
        return BRINK__ACTS;
      most = BRINK__OUTPUTS;
    }
  return most;
}

int brink__cb_event_edge(const brink_model *model, int mode, int event,
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
  int dir = brink__cb_edge(e, before, after);
  return dir ? dir : (int)e->def.dir; /* it was past where the mode was entered */
}

/* ---------------------------------------------------------- unilateral --- */

/* Is the condition decided, and on the far side?  Rising events are past when it is
 * true. */
static int past(const cb_event *e, const signed char *sign)
{
  int v = value(e, sign);
  return v >= 0 && e->def.dir != BRINK_BOTH && v == (e->def.dir == BRINK_UP);
}

int brink__cb_beyond(const brink_model *model, brink__live *live, int mode,
                     const signed char *sign)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];

  (void)live;
  for (int i = 0; i < m->n_events; i++)
    if (m->events[i].def.side == BRINK_BEFORE && past(&m->events[i], sign))
      return 1;
  return 0;
}

/* On the zero is inside: a sign of 0 decides nothing against the model. */
int brink__cb_outside(const brink_model *model, brink__live *live, int mode, double t,
                      const double *y)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];
  signed char *sign = cb_live_of(live)->signs;

  for (int k = 0; k < model->modes[mode].n_guards; k++) {
    double g = 0;
    if (m->guard_sides[k] == BRINK_BEFORE)
      brink__cb_guard(model, live, mode, k, t, y, &g);
    sign[k] = (signed char)(g > 0 ? 1 : g < 0 ? -1 : 0);
  }
  return brink__cb_beyond(model, live, mode, sign);
}

/* -------------------------------------------------------------- entry ---- */

brink_status brink__cb_refuse(const brink_model *model, int mode, const cb_event *e,
                              double t, double g, brink_err *err)
{
  return brink__fail_at(
      err, BRINK_EMODE, t,
      "mode '%s' is entered at t = %.9g with its event '%s' already past (g = %.9g); "
      "start elsewhere, or set .beyond to BRINK_FIRE or BRINK_IGNORE",
      model->modes[mode].name, t, e->def.name, g);
}

/* Has the event just fired?  An event of the other direction of its guard, whose jump
 * has moved the guard back, has made this one due; one that is refused where it is past
 * was not meant for that and counts as fired. */
static int just_fired(const cb_event *e, const signed char *hit)
{
  if (!e->cond)
    return e->def.beyond == BRINK_REFUSE ? hit[e->def.guard] != 0
                                         : hit[e->def.guard] == (int)e->def.dir;
  for (const int *c = e->cond; *c != BRINK_COND_END; c++)
    if (*c >= 0 && hit[*c])
      return 1;
  return 0;
}

/* The event is past and fires at once; its guards look hit. */
static void mark(cb_live *live, const cb_event *e, const signed char *sign,
                 signed char *due)
{
  live->at_once[e->number] = 1;
  live->any_at_once = 1;
  if (!e->cond) {
    due[e->def.guard] = sign[e->def.guard];
    return;
  }
  for (const int *c = e->cond; *c != BRINK_COND_END; c++)
    if (*c >= 0)
      due[*c] = sign[*c];
}

/* On the zero of the event, by a start or by a jump from the side that counts: the one
 * that the guard has just taken, too, if it was the opposite event that has fired. */
static int lands(const cb_event *e, const signed char *old_sign,
                 const signed char *sign, const signed char *hit)
{
  int k = e->def.guard;

  if (e->cond || e->def.dir == BRINK_BOTH || sign[k] != 0)
    return 0;
  if (old_sign && hit[k] == (int)e->def.dir)
    return e->def.beyond == BRINK_AGAIN;
  return !old_sign || old_sign[k] == -(int)e->def.dir;
}

static int watches(const cb_event *e, int k)
{
  if (!e->cond)
    return e->def.guard == k;
  for (const int *c = e->cond; *c != BRINK_COND_END; c++)
    if (*c == k)
      return 1;
  return 0;
}

/* Do events of guard k act, and does none of them say by its direction where the guard
 * is on its zero? */
static int has_no_side(const cb_mode *m, int k)
{
  int any = 0;

  for (int i = 0; i < m->n_events; i++) {
    const cb_event *e = &m->events[i];
    if (!acts(e) || !watches(e, k))
      continue;
    if (e->def.dir != BRINK_BOTH && (!e->cond || e->def.side == BRINK_BEFORE))
      return 0;
    any = 1;
  }
  return any;
}

/* A mode is entered by a crossing of one of its own guards, on whose zero it has no
 * sign: it is on the side that it has crossed to, so that the way back is an event. */
static void keep_crossed(const cb_mode *m, const cb_live *live, int n_guards,
                         signed char *sign)
{
  for (int k = 0; k < n_guards; k++)
    if (sign[k] == 0 && live->crossed[k] && has_no_side(m, k))
      sign[k] = live->crossed[k];
}

int brink__cb_restarted(const brink_model *model, brink__live *l, int mode, double t,
                        const double *g, const signed char *old_sign, signed char *sign,
                        signed char *hit, brink_err *err)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];
  cb_live *live = cb_live_of(l);
  int n = 0, n_guards = model->modes[mode].n_guards;
  signed char *due = live->signs;

  brink__fill_bytes(due, 0, (size_t)n_guards);
  brink__fill_bytes(live->landed, CB_NOT_LANDED, (size_t)n_guards);
  for (int i = 0; i < m->n_events; i++) {
    const cb_event *e = &m->events[i];
    if (!acts(e) || e->def.beyond == BRINK_IGNORE || live->backward)
      continue; /* going back, it is past where a run forward would have met it */
    int fired = old_sign && just_fired(e, hit);
    if (lands(e, old_sign, sign, hit)) { /* what the guard does next decides */
      live->landed[e->def.guard] = fired ? CB_LANDED_AGAIN : CB_LANDED;
      sign[e->def.guard] = (signed char)-e->def.dir;
    }
    if (!past(e, sign))
      continue;
    /* it was past before, or it is the one that just fired here */
    if (old_sign && (past(e, old_sign) || fired) &&
        !(fired && e->def.beyond == BRINK_AGAIN))
      continue;
    if (fired && !e->cond)
      live->landed[e->def.guard] = CB_LANDED_AGAIN;
    if (e->def.beyond == BRINK_REFUSE)
      return (int)brink__cb_refuse(model, mode, e, t, e->cond ? 0 : g[e->def.guard],
                                   err);
    mark(live, e, sign, due);
    n++;
  }
  if (!old_sign)
    keep_crossed(m, live, n_guards, sign);
  brink__fill_bytes(live->crossed, 0, (size_t)model->max_guards);
  brink__copy_bytes(hit, due, (size_t)n_guards);
  return n;
}
