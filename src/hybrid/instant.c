/* instant.c -- what happens at one point of time.
 *
 * Time is superdense: an instant takes a left limit to a right limit; if that
 * makes further events due, another instant follows at the same t, until nothing
 * is due or the bound is reached.  Events of one instant are handed over together.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* of its size: a guard that is no larger is near its zero */
static const double NEAR = 1e-3;

/* ------------------------------------------------------------- settle ---- */

/* What fires at the end of an endless chain; or, if nothing does, which guards change.
 */
static void name_all(const brink_sim *sim, const brink__instant *inst, char *names,
                     size_t size)
{
  const mode_run *run = brink__run(sim);
  const char *last = "";
  int n = inst->n_fired ? inst->n_fired : run->guards.n;

  names[0] = 0;
  for (int i = 0; i < n; i++) {
    if (!inst->n_fired && !sim->hit[i])
      continue;
    const char *name =
        inst->n_fired
            ? sim->model->ops->event_name(sim->model, inst->mode, inst->fired[i])
            : run->guards.info[i].name;
    size_t used = strlen(names);
    if (strcmp(name, last) != 0)
      snprintf(names + used, size - used, "%s'%s'", used ? ", " : "", name);
    last = name;
  }
}

/* The first guard that is hit, -1: none. */
static int first_hit(const due_set *due, int n)
{
  for (int k = 0; k < n; k++)
    if (due->hit[k])
      return k;
  return -1;
}

/* Does a guard that is due stand near its zero, as far as is known?  If not, nothing
 * slides along it. */
static int near_a_zero(const brink_sim *sim)
{
  const brink__guards *g = &brink__run(sim)->guards;
  int due = 0;

  for (int k = 0; k < g->n; k++) {
    due |= sim->hit[k];
    if (sim->hit[k] && (!(g->scale[k] > 0) || fabs(sim->g[k]) < NEAR * g->scale[k]))
      return 1;
  }
  return !due;
}

/* Two modes that took turns, ever faster, and now do so without time moving on. */
static int take_turns(const brink_sim *sim, const brink__instant *inst)
{
  return inst->mode_after != inst->mode && inst->n_fired > 0 &&
         brink__stays_dwindle(sim->runs[inst->mode]) &&
         brink__stays_dwindle(sim->runs[inst->mode_after]);
}

/* hit: the guard that led to this instant, -1: none. */
BRINK__COLD static brink_status unsettled(brink_sim *sim, const brink__instant *inst,
                                          int hit)
{
  const brink__mode *modes = sim->model->modes;
  char names[100], where[120] = "";

  if (take_turns(sim, inst)) {
    brink__accumulate(sim, sim->model->ops->event_name(sim->model, inst->mode,
                                                       inst->fired[inst->n_fired - 1]));
    return BRINK_EVENT;
  }
  name_all(sim, inst, names, sizeof names);
  if (!names[0] && hit >= 0)
    snprintf(names, sizeof names, "'%s'", sim->runs[inst->mode]->guards.info[hit].name);
  if (inst->mode_after != inst->mode)
    snprintf(where, sizeof where, ", %.50s -> %.50s", modes[inst->mode].name,
             modes[inst->mode_after].name);
  else if (inst->n_fired && !(inst->classes & BRINK_SE_S) && near_a_zero(sim))
    return brink__fail_at(
        &sim->err, BRINK_EITERATION, sim->t,
        "the solution slides or chatters from t = %.15g on: from either "
        "side of %s it is driven back to the other; give the switch a "
        "hysteresis, or a law for what follows",
        sim->t, names);
  return brink__fail_at(
      &sim->err, BRINK_EITERATION, sim->t,
      "%d instants at t = %.15g and still events are due (%s%s): they "
      "repeat each other, or accumulate (Zeno); see max_iterations",
      sim->number + 1, sim->t, names, where);
}

/* What a guard that the jump did not move remembers.  It keeps its sign even inside
 * the band, so that a zero just ahead is still found.  If it fired and the state was
 * handed over before the zero, it has no sign until it leaves the band between the
 * two, so that the zero is not found again. */
static void remember(brink_sim *sim, int k, int old, int fired, signed char *sign)
{
  if (sim->g[k] != sim->g_before[k])
    return;
  if (fired && (sim->locator->rough || sim->opt.event_tol > 0 ||
                brink__stays_dwindle(brink__run(sim)))) { /* beside its zero */
    sim->beside[k] = (signed char)fired;
    sim->any_beside = 1;
  }
  if (fired && *sign == -fired) {
    brink__run(sim)->guards.start_delta[k] = (1 + 0x1p-40) * fabs(sim->g[k]);
    *sign = 0;
  } else if (fired && sim->locator->rough && sim->g[k] * fired > 0) {
    sim->stats.misplaced++;
  } else if (!fired && *sign == 0) {
    *sign = (signed char)old;
  }
}

/* Guard values and signs at (t, y) of the active mode; 0 inside the band.  old: the
 * signs before the jump if the mode was kept, and sim->hit what fired; else NULL. */
static brink_status look(brink_sim *sim, const signed char *old, signed char *sign)
{
  mode_run *run = brink__run(sim);

  for (int k = 0; k < run->guards.n; k++) {
    BRINK_TRY(brink__guard_sign(&run->guards, k, sim->t, sim->y, sim->noise, sim->far,
                                &sim->g[k], &sign[k], &sim->err));
    if (old)
      remember(sim, k, old[k], sim->hit[k], &sign[k]);
  }
  return BRINK_OK;
}

/* A first step for the flow that begins: just beyond its expected end, but longer
 * neither than the last step of the flow that ends (a fast start may follow) nor than
 * the last one taken in this mode. */
static double good_step(const brink_sim *sim, const mode_run *run)
{
  double stay = brink__stay_next(run), h = sim->h_last;

  if (!(stay > 0))
    stay = sim->t - sim->t_event;
  if (run->h > 0)
    h = brink__min(h, run->h);
  return stay > 0 && h > 0 ? brink__min(stay, h) : h;
}

static brink_status restart(brink_sim *sim, const signed char *sign)
{
  mode_run *run = brink__run(sim);
  size_t ng = (size_t)run->guards.n;

  brink__integrator_hint(run->it, good_step(sim, run));
  if (brink_integrator_start(run->it, sim->t, sim->y) < 0) {
    sim->err = *brink_integrator_error(run->it);
    return sim->err.status;
  }
  brink__copy_bytes(run->guards.sign, sign, ng);
  brink__fill_bytes(run->guards.banded, 0, ng);
  brink__fill_bytes(run->guards.fresh, 1, ng);
  run->guards.kept_h = 0;
  brink__copy(run->g_from, sim->g, ng);
  brink__copy(run->g_last, sim->g, ng);
  run->strict = 1;
  sim->t_event = sim->t;
  return BRINK_OK;
}

/* After a jump: switch mode, look at the guards; the number of hits due at once. */
static int settle(brink_sim *sim, const signed char *old, signed char *sign,
                  signed char *hit)
{
  const brink_model *m = sim->model;
  brink_status rc = look(sim, old, sign);

  if (rc < 0)
    return rc;
  return m->ops->enter(m, sim->live, sim->mode, sim->t, sim->g, old, sign, hit,
                       &sim->err);
}

/* ------------------------------------------------------------ instants ---- */

/* Instant 0 of the start is the start itself with the timers due there; a change at
 * t0+ comes after it. */
static void after_start(brink_sim *sim)
{
  if (!isnan(sim->t_instant))
    return;
  sim->t_instant = sim->t;
  sim->number = 0;
}

static int next_number(brink_sim *sim)
{
  sim->number = sim->t == sim->t_instant ? sim->number + 1 : 0;
  sim->t_instant = sim->t;
  return sim->number;
}

static brink_status timers(brink_sim *sim, int asked)
{
  const brink_model *m = sim->model;
  int i = 0;

  sim->t_next = HUGE_VAL;
  if (m->n_timers == 0)
    return BRINK_OK;
  double next =
      m->ops->next_time(m, sim->live, sim->mode, sim->t, sim->y, asked, sim->due);
  if (!isnan(next)) {
    sim->t_next = next;
    return BRINK_OK;
  }
  while (i + 1 < m->n_timers && !sim->due[i])
    i++;
  return brink__fail_at(&sim->err, BRINK_ENAN, sim->t,
                        "the next time of timer '%s' after t = %.9g is not a number; "
                        "for never, return INFINITY",
                        m->ops->event_name(m, sim->mode, -1 - i), sim->t);
}

/* Rounding bounds after a jump: another model's states are computed anew, and a
 * state that was set is known no better than its last bits. */
static void jump_noise(brink_sim *sim, const brink__instant *inst)
{
  size_t n = sim->model->modes[sim->mode].n;
  int other = sim->model->modes[inst->mode].n != n && !inst->noise_known;

  for (size_t i = 0; i < n; i++) {
    double least = 4 * DBL_EPSILON * fabs(sim->y[i]);
    sim->noise[i] = other ? 2 * least : brink__max(sim->noise[i], least);
  }
}

/* Time passes in a jump.  Timers that would have fired meanwhile are due when it ends;
 * retime: one of them has just fired. */
BRINK__COLD static brink_status pass(brink_sim *sim, double t_after, int retime)
{
  if (retime)
    BRINK_TRY(timers(sim, BRINK__ASK_AFTER));
  if (sim->t != sim->skipped[1]) /* else one goes on where another ended */
    sim->skipped[0] = sim->t;
  sim->t = sim->skipped[1] = t_after;
  return sim->t >= sim->t_next ? timers(sim, BRINK__ASK_PASSED) : BRINK_OK;
}

/* One instant: run it, record it, make its right limit the state. */
static brink_status one(brink_sim *sim, const due_set *due, brink__instant *inst)
{
  const brink_model *m = sim->model;

  *inst = (brink__instant){.t = sim->t,
                           .number = next_number(sim),
                           .mode = sim->mode,
                           .y_before = sim->y_before,
                           .sign_before = due->before,
                           .sign = due->after,
                           .hit = due->hit,
                           .due = due->timers,
                           .at_restart = due->kind == BRINK_KIND_START,
                           .verbose = sim->opt.all_relations != 0,
                           .y = sim->y_after,
                           .mode_after = sim->mode,
                           .t_after = sim->t,
                           .fired = sim->fired,
                           .names = sim->names,
                           .noise = sim->noise};
  brink__copy(sim->y_after, sim->y_before, m->modes[sim->mode].n);
  BRINK_TRY(m->ops->instant(m, sim->live, inst, &sim->err));
  sim->stats.instants++;
  sim->stats.event_iterations += inst->number > 0;
  BRINK_TRY(brink__record(sim, inst, due));
  if (inst->stop || inst->zeno)
    sim->over = inst->zeno ? BRINK_ZENO : BRINK_TERMINATED;
  sim->stats.zeno_points += inst->zeno;
  if (inst->mode_after != sim->mode || !m->ops->steady)
    BRINK_TRY(brink__activate(sim, inst->mode_after));
  brink__copy(sim->y, sim->y_after, m->modes[sim->mode].n);
  jump_noise(sim, inst);
  return BRINK_OK;
}

/* The run is over: who ended it? */
BRINK__COLD static void say_over(brink_sim *sim, const brink__instant *inst)
{
  const char *why = inst->message ? inst->message : "";
  const char *who = "a jump";

  if (sim->over != BRINK_TERMINATED)
    return;
  if (inst->n_fired)
    who = sim->model->ops->event_name(sim->model, inst->mode,
                                      inst->fired[inst->n_fired - 1]);
  brink__fail_at(&sim->err, BRINK_TERMINATED, sim->t,
                 "%s%s'%s' ended the run at t = %.9g", why, inst->message ? ": " : "",
                 who, sim->t);
}

/* What does the new state make due?  The number of hits, or an error. */
static int what_follows(brink_sim *sim, const due_set *due, const brink__instant *inst)
{
  size_t ng = (size_t)sim->model->modes[sim->mode].n_guards;
  int kept_mode = inst->mode == sim->mode;
  long misplaced = sim->stats.misplaced;

  if (sim->any_beside)
    brink__none_beside(sim);
  if (kept_mode) {
    brink__copy_bytes(sim->old, due->after, ng);
    if (due->hit != sim->hit)
      brink__copy_bytes(sim->hit, due->hit, ng);
  } else {
    brink__fill_bytes(sim->hit, 0, ng);
    brink__fill_bytes(sim->crossed, 0, ng);
    sim->bounced = 0;
  }
  int n = settle(sim, kept_mode ? sim->old : NULL, sim->sign_b, sim->hit);
  if (due->kind == BRINK_KIND_START && sim->any_beside) {
    sim->stats.misplaced =
        misplaced; /* at 0+ of a start: no locator has put it there */
    brink__none_beside(sim);
  }
  return n;
}

/* What a start or a jump has made due, as settle() says: sim->hit have just taken the
 * signs sim->sign_b. */
static due_set due_at_once(brink_sim *sim)
{
  const brink__mode *m = &sim->model->modes[sim->mode];

  for (int k = 0; k < m->n_guards; k++)
    sim->sign_a[k] = (signed char)(sim->hit[k] ? -sim->hit[k] : sim->sign_b[k]);
  memcpy(sim->y_before, sim->y, m->n * sizeof(double));
  return (due_set){.before = sim->sign_a,
                   .after = sim->sign_b,
                   .hit = sim->hit,
                   .timers = sim->none,
                   .kind = BRINK_KIND_START,
                   .certificate = BRINK_PROVED};
}

/* Guards that the jump has moved across zero without effect. */
static brink_status log_moved(brink_sim *sim, const brink__instant *inst)
{
  const mode_run *run = brink__run(sim);

  if (!sim->opt.all_relations || inst->mode != sim->mode)
    return BRINK_OK;
  for (int k = 0; k < run->guards.n && !sim->over; k++)
    if (run->guards.info[k].held ? sim->hit[k] : sim->old[k] * sim->sign_b[k] < 0)
      BRINK_TRY(brink__log(sim, sim->t, sim->y, -1, run->guards.info[k].name,
                           BRINK_KIND_CROSSING, sim->sign_b[k], sim->g[k], 0,
                           BRINK_PROVED));
  return BRINK_OK;
}

brink_status brink__instants(brink_sim *sim, const due_set *first)
{
  const brink_model *m = sim->model;
  brink__instant inst;
  due_set due = *first;
  double t_last = sim->t_instant;
  int timed = 0;

  brink__note_crossings(sim, first);
  brink__stay_note(brink__run(sim), sim->t - sim->t_event);
  brink__run(sim)->h = sim->h_last;
  for (int i = 0; i < m->n_timers; i++)
    timed |= due.timers[i];
  if (due.kind == BRINK_KIND_START)
    after_start(sim);
  for (;;) {
    brink__copy(sim->g_before, sim->g, (size_t)m->modes[sim->mode].n_guards);
    int last =
        sim->number + 1 >= sim->opt.max_iterations; /* and if it does not settle? */
    int hit = last ? first_hit(&due, m->modes[sim->mode].n_guards) : -1;
    BRINK_TRY(one(sim, &due, &inst));
    timed |= inst.retime;
    if (inst.t_after > sim->t) {
      BRINK_TRY(pass(sim, inst.t_after, timed));
      timed = 0;
    }
    if (sim->over || brink__stands_still(sim, &due, &inst, t_last)) {
      say_over(sim, &inst);
      return BRINK_EVENT;
    }
    int n = what_follows(sim, &due, &inst);
    if (n < 0)
      return (brink_status)n;
    if (sim->number + (n > 0) >= sim->opt.max_iterations)
      return unsettled(sim, &inst, hit);
    if (n == 0)
      break;
    due = due_at_once(sim);
  }
  BRINK_TRY(log_moved(sim, &inst));
  if (timed)
    BRINK_TRY(timers(sim, BRINK__ASK_AFTER));
  BRINK_TRY(restart(sim, sim->sign_b));
  return BRINK_EVENT;
}

brink_status brink__enter(brink_sim *sim)
{
  const brink_model *m = sim->model;
  size_t n = m->modes[sim->mode].n, ng = (size_t)m->modes[sim->mode].n_guards;

  sim->entering = 0;
  sim->far = BRINK__FAR;
  for (size_t i = 0; i < n; i++)
    sim->noise[i] = 4 * DBL_EPSILON * fabs(sim->y[i]);
  memset(sim->hit, 0, ng);
  BRINK_TRY(timers(sim, BRINK__ASK_AT_START));
  int hits = settle(sim, NULL, sim->sign_b, sim->hit);
  if (hits < 0)
    return (brink_status)hits;
  if (hits == 0)
    return restart(sim, sim->sign_b);
  due_set due = due_at_once(sim);
  return brink__instants(sim, &due);
}
