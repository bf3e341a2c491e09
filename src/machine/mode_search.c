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
 * A mode whose constraints make states jump is judged by the impulses that this takes
 * before the values behind it: where a switch opens in series with a coil, the voltage
 * has an impulse that a blocking diode beside it would have to bear with the wrong
 * sign; so it conducts, and the current flows on.
 */
#include "machine/modes.h"

#include <stdio.h>
#include <string.h>

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
  return !changed;
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
    if (!is_free(f, k))
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

brink_status brink__modes_settle(modes_live *live, int *number, double t,
                                 modes_attempt_fn *attempt, void *user, brink_err *err)
{
  trial x = {.live = live, .t = t, .attempt = attempt, .user = user};
  int first = *number, next = first, found = 0;

  for (int i = 0; i < FOLLOWED && next >= 0 && !found && !x.fatal; i++)
    found = enter(&x, next, &next);
  if (!found && !x.fatal)
    found = search(&x, first);
  if (!found)
    return nothing(&x, err);
  *number = live->part->number;
  return BRINK_OK;
}
