/* reflection.c -- variables that a start or a reset has put beyond their bounds, and
 * the pushes that put them back.
 *
 * Bound k is pushed by z_k >= 0, which adds z_k d_k to the states.  With room_k, by how
 * much its variable lies inside (negative: beyond), and M_kj, how much of it the push
 * at bound j gives, the pushes solve the linear complementarity problem
 *
 *   room + M z >= 0,  z >= 0,  one of both 0 at each bound
 *
 * (the jump of a reflected path; Harrison & Reiman 1981, for continuous parts of it).
 * What follows behind the jump is up to the executor (hybrid/contact_choice.c).
 */
#include "clause/clause.h"

#include "linear/lcp.h"

#include <math.h>

/* A start or a reset is beyond a bound if that is by more than this part of the size of
 * the variable: more than rounding and the location of an event lead.  Where nothing
 * can push back from farther away there is no solution; nearer, the law decides. */
static const double FAR_BEYOND = 0x1p-12;

/* M, room, z, w and the scratch of their problem, in live->push. */
typedef struct problem {
  double *m, *room, *z, *w;
  void *scratch;
} problem;

size_t brink__clause_push_memory(size_t n)
{
  size_t scratch = brink__lcp_scratch(n);

  return n ? n * n + 3 * n + (scratch + sizeof(double) - 1) / sizeof(double) : 0;
}

static problem carve(double *memory, size_t n)
{
  problem p = {.m = memory};

  p.room = p.m + n * n;
  p.z = p.room + n;
  p.w = p.z + n;
  p.scratch = p.w + n;
  return p;
}

static double part(const dae_live *live, const clause_act *a, size_t i)
{
  return live->v[brink__tape_slot(live->m->act_tape, a->parts + i)];
}

static double bound(const dae_live *live, const clause_act *a)
{
  return live->v[brink__tape_slot(live->m->act_tape, a->value)];
}

/* The restart of a state that is number `place` of those of the branch. */
static const clause_act *restart(const dae_model *m, int branch, size_t place)
{
  size_t i = 0;

  while (m->acts[i].branch != branch)
    i++;
  return &m->acts[i + place];
}

/* What the restarts of the branch have left of the variable, inside its bound. */
static double room(const dae_live *live, const clause_act *a)
{
  int state = restart(live->m, a->branch, a->place)->state;
  double x = live->reinit_value[state] - bound(live, a);

  return a->flat->upper ? -x : x;
}

/* The bounds whose event this is, in live->pushed; `alone`: those that the relations
 * say are crossed. */
static size_t collect(dae_live *live, int alone)
{
  const dae_model *m = live->m;
  size_t n = 0;

  for (size_t i = 0; i < m->n_acts; i++) {
    const clause_act *a = &m->acts[i];
    if (a->flat->kind != BRINK__PUSH ||
        live->v[brink__tape_slot(m->act_tape, a->cond)] == 0)
      continue;
    live->reinit_value[a->state] = live->v[m->state_symbol[a->state]];
    if (!alone || part(live, a, 0) != 0)
      live->pushed[n++] = i;
  }
  return n;
}

/* The bound from which nothing can push back, NULL: rounding is all there is. */
static const clause_act *far_beyond(const dae_live *live, size_t n, const double *room)
{
  const dae_model *m = live->m;

  for (size_t k = 0; k < n; k++) {
    const clause_act *a = &m->acts[live->pushed[k]];
    double size = fabs(bound(live, a)) + live->constants.nominal[a->flat->of];
    if (room[k] < -FAR_BEYOND * size)
      return a;
  }
  return NULL;
}

/* Each bound by itself. */
static void one_by_one(size_t n, problem *p)
{
  for (size_t k = 0; k < n; k++)
    p->z[k] = p->room[k] < 0 ? -p->room[k] / p->m[k * n + k] : 0;
}

/* z; 0: there is none, from farther away than rounding is. */
static int find_pushes(const dae_live *live, size_t n, problem *p)
{
  if (brink__lcp_solve(n, p->m, p->room, p->z, p->w, p->scratch) == BRINK__LCP_SOLVED)
    return 1;
  one_by_one(n, p);
  return !far_beyond(live, n, p->room);
}

static void move(dae_live *live, size_t n, const problem *p)
{
  const dae_model *m = live->m;

  for (size_t k = 0; k < n; k++) {
    const clause_act *a = &m->acts[live->pushed[k]];
    live->reinit_value[a->state] += p->z[k];
    for (size_t i = 0; p->z[k] > 0 && i + 1 < (size_t)a->flat->n_parts; i++)
      live->reinit_value[restart(m, a->branch, i)->state] +=
          p->z[k] * part(live, a, i + 1);
  }
  for (size_t k = 0; k < n; k++) { /* exactly */
    const clause_act *a = &m->acts[live->pushed[k]];
    if (p->z[k] > 0)
      live->reinit_value[restart(m, a->branch, a->place)->state] = bound(live, a);
  }
}

/* A bound that is asked for the direction of its push (hybrid/reset_reading.c) is asked
 * alone: what the others answer to it is not found here. */
brink_status brink__clause_push(dae_live *live, double t, const brink__instant *inst,
                                brink_err *err)
{
  const dae_model *m = live->m;
  int alone = inst && inst->trial;
  size_t n = collect(live, alone);
  problem p = carve(live->push, n);

  for (size_t k = 0; k < n; k++) {
    const clause_act *a = &m->acts[live->pushed[k]];
    p.room[k] = room(live, a);
    for (size_t j = 0; j < n; j++) {
      double d = part(live, &m->acts[live->pushed[j]], a->place + 1);
      p.m[k * n + j] = a->flat->upper ? -d : d;
    }
  }
  if (n && alone)
    one_by_one(n, &p);
  else if (n && !find_pushes(live, n, &p))
    return brink__fail_at(
        err, BRINK_EDOMAIN, t,
        "at t = %.15g a start or a reset has put '%s' beyond its bound, and no pushes "
        "along the vectors of 'reflect' put all variables back: look at the signs in "
        "the vectors, or start inside the bounds",
        t, m->flat->vars[far_beyond(live, n, p.room)->flat->of].name);
  move(live, n, &p);
  return BRINK_OK;
}
