/* echoes.c -- events that come back through delay().
 *
 * What happens at t is seen again at t + d, unless states move the delay: there a step
 * ends and another one begins, DAE_ECHOES times over, since each integration makes it
 * smoother [HNW93, II.17].
 */
#include "clause/clause.h"

#include <string.h>

/* Delay i at time t, for a delay that does not depend on states; < 0: it has no value.
 */
static double delay_at(dae_live *live, int i, double t)
{
  const dae_model *m = live->m;
  const dae_delay *d = &m->delays[i];
  double now = live->v[BRINK__TIME], most = live->constants.delay[i], by = -1;

  if (d->constant)
    return most;
  live->v[BRINK__TIME] = t;
  if (brink__tape_values(m->by_tape, live->v, NULL) == BRINK_OK) {
    by = live->v[brink__tape_slot(m->by_tape, (size_t)i)];
    by = by > most ? most : by > 0 ? by : 0;
  }
  live->v[BRINK__TIME] = now;
  return by;
}

/* When a moving delay i, now shorter than t - broke, reaches back to the time `broke`:
 * the first sample at which s - delay(s) has passed it, then bisection. */
static double reaches(dae_live *live, int i, double t, double broke)
{
  enum { SAMPLES = 32, HALVES = 60 };
  double most = live->constants.delay[i], end = broke + most, lo = t, hi = end;

  for (int k = 1; k <= SAMPLES; k++) {
    double s = t + (end - t) * k / SAMPLES, by = delay_at(live, i, s);
    if (by < 0)
      return HUGE_VAL;
    if (s - by >= broke) {
      hi = s;
      break;
    }
    lo = s;
  }
  for (int k = 0; k < HALVES && hi - lo > dae_history_slack(hi) / 8; k++) {
    double s = lo + (hi - lo) / 2;
    if (s - delay_at(live, i, s) >= broke)
      hi = s;
    else
      lo = s;
  }
  return delay_at(live, i, hi) > DAE_AT_ONCE * most ? hi : HUGE_VAL;
}

double brink__clause_next_echo(dae_live *live, int i, double t)
{
  const dae_memory *mem = live->memory;
  double d = delay_at(live, i, t), first = HUGE_VAL;

  for (size_t k = 0; k < mem->n_broken && d >= 0; k++) {
    double back = mem->broke_t[k] + d;
    if (mem->broke_by[k] >= live->echoes || !(back > t + dae_history_slack(t)))
      continue;
    if (!live->m->delays[i].constant) /* the oldest event comes back first */
      return reaches(live, i, t, mem->broke_t[k]);
    first = brink__min(first, back);
  }
  return first;
}

/* How often the event that comes back at t has come back before. */
static unsigned char echoes_at(dae_live *live, double t)
{
  const dae_memory *mem = live->memory;
  unsigned char least = DAE_ENDLESS - 1;

  for (size_t k = 0; k < mem->n_broken; k++)
    for (size_t i = 0; i < live->m->n_delays; i++)
      if ((live->m->delays[i].constant || live->m->delays[i].timed) &&
          mem->broke_by[k] < least &&
          fabs(mem->broke_t[k] + delay_at(live, (int)i, t) - t) <=
              4 * dae_history_slack(t))
        least = mem->broke_by[k];
  return least;
}

void brink__clause_note_break(dae_live *live, double t, int own)
{
  dae_memory *mem = live->memory;
  unsigned char by = own ? 0 : (unsigned char)(echoes_at(live, t) + 1);
  size_t n = mem->n_broken;

  mem->segment = t;
  if (n && mem->broke_t[n - 1] == t) {
    if (by < mem->broke_by[n - 1])
      mem->broke_by[n - 1] = by;
    return;
  }
  if (n == DAE_BREAKS) { /* the oldest is forgotten */
    memmove(mem->broke_t, mem->broke_t + 1, (n - 1) * sizeof *mem->broke_t);
    memmove(mem->broke_by, mem->broke_by + 1, n - 1);
    n--;
  }
  mem->broke_t[n] = t;
  mem->broke_by[n] = by;
  mem->n_broken = n + 1;
}
