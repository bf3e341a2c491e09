/* mode_search.c -- which mode of the switches holds, at a start and after an event.
 *
 * In a mode the switches are constants, and its solution says what they should be.  So
 *
 *   enter the mode that the switches say, find the states that are consistent in it,
 *   evaluate the switches there; if they have changed, enter the mode that they say now
 *
 * from the same left limit (or, at a start, the same guesses) each time, until they
 * agree [NR09, 3.2].  If a mode comes again, or one cannot be entered, the modes near
 * the first one are tried in the order of how many switches differ.  A switch that
 * whens assign is no unknown: it stays as they have left it.
 *
 * A mode may agree with itself only because its constraints make states jump: a coil
 * whose switch opens carries no current behind the jump.  If there is a mode in which
 * the states go on as they were, since a diode takes the current over, that one is
 * meant.  It is looked for among those in which the switches that fired have the values
 * that their events gave them.
 */
#include "machine/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A state that moves by more than this part of its size or its nominal value jumps;
 * less is the error of a run on the constraints of the mode. */
static const double JUMP = 1e-6;

enum {
  FOLLOWED = 16,    /* modes that are entered one after the other                   */
  TRIED_MOST = 1024 /* modes in all                                                 */
};

typedef struct trial {
  modes_live *live;
  double t;
  modes_attempt_fn *attempt;
  void *user;
  int tried[TRIED_MOST];
  int n;
  const mode_part *from; /* left; NULL: at a start                                    */
  int unmoved;           /* only modes in which the states do not jump                */
  int jumped;            /* the last mode agreed with itself, but the states jump     */
  unsigned char fired[64]; /* [switches] by an event of its own                      */
  int fatal;       /* memory is out, or the run is to stop                            */
  brink_err first; /* why the first that could not be entered could not           */
  char disagrees[160]; /* the first that does not agree with itself, and in what     */
} trial;

/* Is the switch the value of a relation, so that any mode may be tried? */
static int is_free(const brink__flat *f, size_t k)
{
  if (f->switches[k].same >= 0)
    return 1;
  for (size_t i = 0; i < f->n_relations; i++)
    if (f->relations[i].slot == f->switches[k].value)
      return 1;
  return 0;
}

static int was_tried(const trial *x, int number)
{
  for (int i = 0; i < x->n; i++)
    if (x->tried[i] == number)
      return 1;
  return 0;
}

/* Has a state that goes on in the mode that was entered jumped, and was not set? */
static int jumps(const trial *x)
{
  const modes_live *live = x->live;
  const dae_model *m = x->from ? x->from->m : NULL;

  for (size_t i = 0; m && i < m->n_states; i++) {
    int32_t s = m->state_symbol[i];
    if (s >= live->model->flat->n_symbols || live->hard[s])
      continue;
    double size = fmax(live->now->constants.nominal[m->state_var[i]],
                       fmax(fabs(live->v[s]), fabs(live->now->v[s])));
    if (fabs(live->now->v[s] - live->v[s]) > JUMP * size)
      return 1;
  }
  return 0;
}

/* Which switches have fired at this time, in the mode that is left? */
static void note_fired(trial *x)
{
  const dae_live *now = x->live->now;
  const brink__flat *f = x->live->model->flat;

  for (size_t i = 0; i < now->m->n_relations; i++) {
    const clause_relation *r = &now->m->relations[i];
    if (r->guard < 0 || !brink__fired_at(&now->firing[r->guard], x->t))
      continue;
    for (size_t k = 0; k < f->n_switches; k++)
      x->fired[k] |= f->switches[k].value == r->slot || f->switches[k].same == r->slot;
  }
}

/* What the solution says a switch is.  An impulse counts before the values behind it: a
 * diode that blocks must do so while the impulse acts. */
static int value_of(const modes_live *live, const brink__flat_switch *s)
{
  int value = live->now->v[s->value] != 0;

  if (!brink__dae_impulse_decides(live->now, s->value, &value) && s->same >= 0)
    brink__dae_impulse_decides(live->now, s->same, &value);
  return value;
}

/* What the present mode does not agree with itself in, for people. */
static void note_disagreement(trial *x, size_t k)
{
  const modes_live *live = x->live;
  const brink__flat *f = live->model->flat;

  if (x->disagrees[0])
    return;
  snprintf(x->disagrees, sizeof x->disagrees,
           "in %.60s the solution says %.50s (line %d)", live->part->mode.name,
           f->states[live->to[k]].name, f->machines[k].at.line);
}

/* Enter a mode.  1: it agrees with itself; else *next is the mode that it says, or -1.
 */
static int enter(trial *x, int number, int *next)
{
  modes_live *live = x->live;
  const brink__flat *f = live->model->flat;
  brink_err err = {0};

  *next = -1;
  if (x->n == TRIED_MOST || was_tried(x, number))
    return 0;
  x->tried[x->n++] = number;
  brink_status rc = x->attempt(live, number, x->user, &err);
  if (rc < 0) {
    x->fatal = rc != BRINK_EDOMAIN && rc != BRINK_EMODEL && rc != BRINK_EITERATION &&
               rc != BRINK_ESOLVE;
    if (!x->first.text[0] || x->fatal)
      x->first = err;
    return 0;
  }
  int changed = 0;
  for (size_t k = 0; k < f->n_switches; k++) {
    int value = value_of(live, &f->switches[k]);
    live->to[k] = brink__flat_switch_state((int)k, value);
    if (live->to[k] == live->part->state[k])
      continue;
    note_disagreement(x, k);
    changed = 1;
  }
  *next = changed ? brink__modes_number(live->model, live->to) : -1;
  x->jumped = !changed && jumps(x);
  return !changed && !(x->unmoved && x->jumped);
}

/* Try all modes in which `left` of the switches from k on differ from those of `of`. */
static int flip(trial *x, const int *of, int *state, size_t k, int left)
{
  const brink__flat *f = x->live->model->flat;
  int next;

  if (x->fatal || x->n == TRIED_MOST)
    return 0;
  if (left == 0)
    return enter(x, brink__modes_number(x->live->model, state), &next);
  for (; k < f->n_switches; k++) {
    if (!is_free(f, k) || (x->unmoved && x->fired[k]))
      continue;
    state[k] = of[k] ^ 1; /* the two states of a switch are 2 k and 2 k + 1 */
    if (flip(x, of, state, k + 1, left - 1))
      return 1;
    state[k] = of[k];
  }
  return 0;
}

static int search(trial *x, int first)
{
  const modes_model *m = x->live->model;
  int of[64], state[64];

  brink__modes_states(m, first, of);
  memcpy(state, of, sizeof of);
  for (size_t left = 1; left <= m->flat->n_switches; left++)
    if (flip(x, of, state, 0, (int)left))
      return 1;
  return 0;
}

/* The mode that was entered last. */
static int live_number(const trial *x) { return x->live->part->number; }

static brink_status nothing(const trial *x, brink_err *err)
{
  char text[200];

  if (x->fatal || (x->n == 1 && !x->disagrees[0])) {
    *err = x->first;
    return err->status;
  }
  snprintf(text, sizeof text, "%.190s", x->first.text);
  if (!x->disagrees[0])
    return brink__fail_at(err, BRINK_EDOMAIN, x->t,
                          "none of the %d modes that were tried can be entered: %s",
                          x->n, text);
  return brink__fail_at(
      err, BRINK_EDOMAIN, x->t,
      "none of the %d modes that were tried agrees with its own solution: %s%s%s", x->n,
      x->disagrees, text[0] ? "; another cannot be: " : "", text);
}

/* The states jump in the mode that was found: is there one in which they do not?  Else
 * back to the one. */
static brink_status without_jump(trial *x, int *number, int first, brink_err *err)
{
  int next, found = live_number(x);

  x->unmoved = 1;
  *number = search(x, first) ? live_number(x) : found;
  if (x->fatal)
    return nothing(x, err);
  if (*number != found)
    return BRINK_OK;
  x->unmoved = x->n = 0;
  return enter(x, found, &next) ? BRINK_OK : nothing(x, err);
}

brink_status brink__modes_settle(modes_live *live, int *number, double t,
                                 const mode_part *from, modes_attempt_fn *attempt,
                                 void *user, brink_err *err)
{
  trial x = {.live = live, .t = t, .from = from, .attempt = attempt, .user = user};
  int first = *number, next = first;

  if (from)
    note_fired(&x);
  for (int i = 0; i < FOLLOWED && next >= 0; i++)
    if (enter(&x, next, &next)) {
      *number = live_number(&x);
      return x.jumped ? without_jump(&x, number, first, err) : BRINK_OK;
    } else if (x.fatal)
      break;
  if (!x.fatal && search(&x, first)) {
    *number = live_number(&x);
    return BRINK_OK;
  }
  return nothing(&x, err);
}
