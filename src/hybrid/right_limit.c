/* right_limit.c -- the guards after an instant: armed anew, and what is due at once.
 *
 * What each guard may remember of what was before is said in docs/architecture.md,
 * "When does a guard fire".
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <string.h>

/* How long the regime has lasted, each time, in which the run came here: one that holds
 * guards has been dissolved. */
static const brink__dwell *dwell_here(const brink_sim *sim)
{
  const brink__extended *x = sim->extended;
  const brink__regime *held =
      x && x->before ? brink__regime_find(sim, x->before->mode) : NULL;

  return held ? &held->dwell : &sim->regime->dwell;
}

/* Has the event at the left limit due->y changed a state? */
static int resets(const brink_sim *sim, const brink__due *due)
{
  return memcmp(sim->y, due->y, sim->regime->info->n * sizeof *sim->y) != 0;
}

/* Guard k has the value g in the active mode, which was kept, and had the sign
 * `before`; fired: its direction if it has just fired.  After an event that resets a
 * state it may come back by less than can be seen, as after one that was placed off its
 * zero. */
static void keep_memory(brink_sim *sim, int k, const brink__due *due)
{
  int before = due->before[k], fired = due->hit[k];
  brink__guards *guards = &sim->regime->guards;
  brink__watch *w = &guards->watch[k];

  if (!fired) {
    brink__watch_unmoved(w, before);
    return;
  }
  if (sim->locator->rough || sim->opt.event_tol > 0 ||
      brink__dwell_shrinks(dwell_here(sim)) || resets(sim, due)) {
    brink__watch_displace(w, fired);
    guards->any_displaced = 1;
  }
  if (w->sign != -fired && sim->locator->rough && w->g * fired > 0)
    sim->stats.misplaced++;
  brink__watch_fired(w, fired);
}

static void none_displaced(brink__guards *g)
{
  for (int k = 0; k < g->n; k++)
    brink__watch_displace(&g->watch[k], 0);
  g->any_displaced = 0;
}

/* Arm the guards at sim->t, sim->y.  kept: the mode is that of the left limit, with
 * the guards due->g and the signs due->before, of which due->hit have fired.  Leaves
 * values and signs in due->g, due->after. */
static brink_status arm(brink_sim *sim, int kept, brink__due *due)
{
  brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++) {
    brink__watch *w = &g->watch[k];
    double armed_at = w->g, band = w->fresh && !due->hit[k] ? w->band : 0;
    BRINK_TRY(brink__guard_arm(g, k, sim->t, sim->y, due->noise, due->far, &sim->err));
    if (kept && w->g == due->g[k]) {
      if (w->g == armed_at)
        brink__watch_no_better(w, band);
      keep_memory(sim, k, due);
    }
    due->g[k] = w->g;
    due->after[k] = w->sign;
  }
  return BRINK_OK;
}

/* Arm the guards and ask the model what is due at once; the number of hits. */
int brink__settle(brink_sim *sim, int kept, brink__due *due)
{
  const brink_model *m = sim->model;
  brink__guards *g = &sim->regime->guards;
  brink_status rc = arm(sim, kept, due);

  if (rc < 0)
    return rc;
  int n = m->ops->restarted(m, sim->live, sim->mode, sim->t, due->g,
                            kept ? due->before : NULL, due->after, due->hit, &sim->err);
  for (int k = 0; k < g->n; k++) {
    brink__watch_hold(&g->watch[k], due->after[k]);
    if (m->ops->fired_within)
      brink__watch_widen(&g->watch[k],
                         m->ops->fired_within(m, sim->live, sim->mode, k, sim->t));
  }
  return n;
}

/* What does the new state make due?  The number of hits, or an error. */
int brink__what_follows(brink_sim *sim, brink__due *due, const brink__instant *inst)
{
  brink__guards *g = &sim->regime->guards;
  size_t ng = (size_t)g->n;
  int kept = inst->mode == sim->mode;
  long misplaced = sim->stats.misplaced;

  if (g->any_displaced)
    none_displaced(g);
  if (kept) {
    brink__copy_bytes(due->before, due->after, ng);
  } else {
    brink__fill_bytes(due->hit, 0, ng);
    for (size_t k = 0; k < ng; k++) {
      brink__watch_enter(&g->watch[k]);
      brink__watch_set_out(&g->watch[k], sim->t);
    }
    g->any_returned = 0;
  }
  int n = brink__settle(sim, kept, due);
  if (due->kind == BRINK_KIND_START && g->any_displaced) {
    sim->stats.misplaced = misplaced; /* at 0+ of a start: no locator has placed it */
    none_displaced(g);
  }
  return n;
}

/* What a start or a jump has made due, as brink__settle() says: due->hit have just
 * taken the signs due->after. */
void brink__due_at_once(brink_sim *sim, brink__due *due)
{
  const brink__mode *m = sim->regime->info;

  for (int k = 0; k < m->n_guards; k++)
    due->before[k] = (signed char)(due->hit[k] ? -due->hit[k] : due->after[k]);
  brink__copy(due->y, sim->y, m->n);
  due->timers = sim->no_timers;
  due->kind = BRINK_KIND_START;
  due->at_start = 0;
  due->width = 0;
  due->certificate = BRINK_PROVED;
}
