/* surfaces.c -- switches on whose zero the state is, and the laws on their sides.
 *
 * Guards that vanish on the same surface (x > 0 and x < 0) are one switch.  Its own
 * event, carried out on a copy of the live object, gives the law of the other side.
 * What an event changes beside the law (states, time, the end of the run) is no switch
 * that can be slid along.
 */
#include "hybrid/surfaces.h"

#include <float.h>
#include <math.h>

/* Guards whose rates along any direction have the same ratio, up to this, vanish on one
 * surface; callbacks without rates are differentiated to about half of the digits. */
static const double SAME_RATIO = 1e-6;

/* Events that follow each other within this part of the run may be those of a solution
 * that has come to rest, up to rounding. */
static const double CLOSE = 0x1p-20;

/* Where an event had to be carried out beside its surface, guards are on their zeros up
 * to so many levels. */
static const double MOVED = 4;

/* A rate of 0 that is about to change is taken for one of this size beside the others:
 * far above the rounding of weights, and below anything that they decide. */
static const double TURNING = 0x1p-40;

/* --------------------------------------------------------- which surfaces --- */

void brink__some_direction(size_t n, double *d)
{
  double v = 0.5;

  for (size_t i = 0; i < n; i++) {
    v = 3.7 * v * (1 - v); /* numbers without a pattern */
    d[i] = 0.5 + v;
  }
}

int brink__same_surface(brink__extended *x, int k, int i, int j, double t,
                        const double *y, const double *f, double *ratio)
{
  enum { DIRECTIONS = 4 };
  double *d = x->side[0].y, r[2][DIRECTIONS]; /* nobody reads that of the own side */
  size_t n = x->side[0].flow.n;

  for (int c = 0; c < DIRECTIONS; c++) {
    if (c == 0)
      brink__some_direction(n, d);
    else if (c == 2)
      for (size_t m = 0; m < n; m++)
        d[m] = 0; /* what time alone does */
    else if (c == 3)
      for (size_t m = 0; m < n; m++)
        d[m] = 1; /* another direction, where f vanishes */
    if (!brink__side_rate(x, 0, k, t, y, c == 1 ? f : d, &r[0][c]) ||
        !brink__side_rate(x, i, j, t, y, c == 1 ? f : d, &r[1][c]))
      return 0;
  }
  double size = fabs(r[0][0]) + fabs(r[0][2]);
  *ratio = r[1][0] / r[0][0];
  for (int c = 1; c < DIRECTIONS; c++)
    if (fabs(r[1][c] - *ratio * r[0][c]) >
        SAME_RATIO * fabs(*ratio) * (size + fabs(r[0][c])))
      return 0;
  return isfinite(*ratio) && *ratio != 0;
}

int brink__in_surfaces(const brink__surfaces *s, int k)
{
  for (int i = 0; i < s->p.n; i++)
    if (s->p.hold[i].guard == k)
      return 1;
  return 0;
}

const brink__law *brink__sliding_law_of(const brink_sim *sim)
{
  return sim->sliding == BRINK__SLIDING_REGULARIZE ? &brink__regularized_law
                                                   : &brink__sliding_law;
}

/* How far a guard that was held may be from its zero and still be so. */
static double reach(const brink_sim *sim, const brink__hold *hold)
{
  return sim->sliding == BRINK__SLIDING_REGULARIZE ? hold->width
                                                   : 4 * fabs(hold->level);
}

const brink__hold *brink__was_held(const brink__extended *x, int k)
{
  const brink__held *h = x->before;

  if (!h || h->base != x->sim->mode || h->law != brink__sliding_law_of(x->sim) ||
      h->held_by[k] < 0)
    return NULL;
  const brink__hold *hold = &h->hold[h->held_by[k]];
  if (hold->degree)
    return NULL; /* a face */
  const brink__watch *w = &x->sim->regime->guards.watch[k];
  return brink__on_zero(w) || fabs(w->g) <= reach(x->sim, hold) ? hold : NULL;
}

double brink__guard_resolution(brink_sim *sim, int k)
{
  brink__guards *g = &sim->regime->guards;
  const brink_integrator *it = sim->regime->it;
  double *noise = brink__work_row(sim, 2), delta,
         rtol = brink__max(sim->opt.rtol, DBL_EPSILON);
  brink_err ignored;

  for (size_t i = 0; i < g->n_states; i++)
    noise[i] =
        4 * DBL_EPSILON *
        brink__max(fabs(sim->y[i]), brink__integrator_tolerance(it, i, 0) / rtol);
  return brink__guard_rounding(g, k, sim->t, sim->y, noise, BRINK__FAR, &delta,
                               &ignored) < 0
             ? 0
             : delta;
}

int brink__is_zero(brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];
  const brink__occurrence *last = brink__history_last(&sim->history, 0);

  if (brink__on_zero(w))
    return 1;
  return last && sim->history.n > 1 && last->gap <= CLOSE * (sim->t - sim->t_start) &&
         w->fresh && (w->crossed || last->mode_before != last->mode_after) && w->sign &&
         fabs(w->g) <= brink__guard_resolution(sim, k);
}

/* Has its surface just been left through its exit guard? */
static int was_left(const brink__extended *x, int k)
{
  const brink__hold *hold = brink__was_held(x, k);

  return hold && (x->left >> hold->surface) & 1;
}

static int is_face(const brink__extended *x, int k)
{
  for (int i = 0; i < x->n_faces; i++)
    if (x->face[i].guard == k)
      return 1;
  return 0;
}

/* Is guard k on its zero, which is no face? */
static int on_surface(const brink__extended *x, int k)
{
  return x->side[0].on_zero[k] && !is_face(x, k);
}

int brink__is_switch(const brink__extended *x, int k)
{
  return !is_face(x, k) && !was_left(x, k);
}

int brink__may_be_slid_along(const brink__extended *x, int k)
{
  return x->side[0].on_zero[k] && brink__is_switch(x, k);
}

/* Does a crossing of the zero of guard k of side 0, on which it is, act: by the guard
 * alone, or together with others that vanish there, as x > a and x > b do in
 * `x > b or pre(on) and x > a` where a = b?  f: as brink__same_surface. */
static int crossing_acts(brink__extended *x, int k, double t, const double *y,
                         const double *f)
{
  const brink__side *own = &x->side[0];
  int others = 0;
  double ratio;

  if (brink__side_acts(x, 0, k))
    return 1;
  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  x->hit[k] = (signed char)-own->sign[k];
  for (int j = 0; j < x->sim->regime->guards.n; j++)
    if (j != k && on_surface(x, j) && own->sign[j] &&
        brink__same_surface(x, k, 0, j, t, y, f, &ratio) &&
        ratio * own->sign[k] * own->sign[j] > 0) {
      x->hit[j] = (signed char)-own->sign[j];
      others++;
    }
  return own->sign[k] && others && brink__side_hits_act(x, 0, x->hit);
}

/* Where the event of the guard has left it, or farther, on the side on which its
 * relation is what the live object has, so that rounding does not bring it to exactly
 * 0, where another value may hold. */
double brink__surface_level(brink__extended *x, int k, int sign)
{
  const brink__watch *w = &x->sim->regime->guards.watch[k];

  return sign * brink__max(w->displaced ? 0 : brink__min(fabs(w->g), w->band),
                           brink__guard_resolution(x->sim, k));
}

int brink__surface_add(brink__extended *x, brink__surfaces *s, int k, int dir,
                       int order, double t, const double *y, const double *f)
{
  const brink__side *own = &x->side[0];
  int n_guards = x->inner->ops->mode_info(x->inner, own->live, own->mode)->n_guards;
  double ratio;

  for (int j = 0; j < n_guards; j++) {
    ratio = 1;
    if (j != k && (!on_surface(x, j) || brink__in_surfaces(s, j) ||
                   !brink__same_surface(x, k, 0, j, t, y, f, &ratio)))
      continue;
    int target = ratio > 0 ? dir : -dir;
    if (own->sign[j] != -target || s->p.n == BRINK__MOST_HELD)
      return 0; /* its relations do not agree: an event comes first */
    s->target[s->p.n] = target;
    s->p.hold[s->p.n++] =
        (brink__hold){.guard = j, .surface = s->n, .order = order, .sign = -target};
  }
  s->p.n_surfaces = ++s->n;
  return 1;
}

/* Those of before, if they were held.  Where a switch of second order is held, its
 * derivative is held by it. */
void brink__surface_levels(brink__extended *x, brink__surfaces *s)
{
  for (int i = 0; i < s->p.n; i++) {
    brink__hold *hold = &s->p.hold[i];
    const brink__hold *old = brink__was_held(x, hold->guard);
    if (s->p.law == &brink__regularized_law)
      hold->width = old ? old->width : brink__sliding_width(x->sim, hold->guard);
    if (hold->band > 0)
      continue;
    hold->level = old && old->sign == hold->sign ? old->level
                  : i > 0 && s->p.hold[0].order > 1
                      ? 0
                      : brink__surface_level(x, hold->guard, hold->sign);
  }
}

int brink__surface_next(brink__extended *x, const brink__surfaces *s, int order,
                        double t, const double *y, const double *f, int *dir)
{
  const brink__side *own = &x->side[0];

  for (int k = 0; k < x->sim->regime->guards.n; k++) {
    double r;
    const brink__hold *old = brink__was_held(x, k);
    int rises = old && old->order < order; /* its weights of first order are 0/0 */
    if (brink__in_surfaces(s, k) ||
        !(rises ? on_surface(x, k) : brink__may_be_slid_along(x, k)) ||
        !crossing_acts(x, k, t, y, f) || !brink__side_rate(x, 0, k, t, y, f, &r))
      continue;
    *dir = -own->sign[k];
    if (old && !rises ? old->order == order
        : order > 1   ? brink__leads_across_later(x, k, t, y, r)
                      : r * own->sign[k] < 0)
      return k;
  }
  return -1;
}

/* ------------------------------------------------------------------- sides --- */

/* The event through surface `surface` on side `to`, a copy of side `from`. */
static int event_across(brink__extended *x, const brink__surfaces *s, int surface,
                        int from, int to, double t, const double *y)
{
  brink_status rc = brink__side_copy(x, to, from);

  if (rc < 0)
    return rc;
  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  for (int i = 0; i < s->p.n; i++)
    if (s->p.hold[i].surface == surface)
      x->hit[s->p.hold[i].guard] = (signed char)s->target[i];
  return brink__side_event(x, to, t, y, x->hit);
}

/* The same.  Where what the event computes has no value on this side of the surface (a
 * root), it happens on the other one, by rounding. */
static int across(brink__extended *x, const brink__surfaces *s, int surface, int from,
                  int to, double t, const double *y)
{
  double *there = brink__work_row(x->sim, 4), *d = brink__work_row(x->sim, 5);

  if (s->line[surface].f) {
    brink_status rc = brink__side_copy(x, to, from);
    return rc < 0 ? rc : brink__hysteresis_across(x, s, surface, to, t, y);
  }
  int found = event_across(x, s, surface, from, to, t, y);
  if (found)
    return found;
  const brink__hold *hold = brink__leader(s->p.hold, surface);
  return hold->level != 0 &&
                 brink__move_to_level(x, hold->guard, -hold->level, t, y, d, there)
             ? event_across(x, s, surface, from, to, t, there)
             : 0;
}

int brink__switch_across(brink__extended *x, int k, double t, const double *y, int to)
{
  brink__surfaces s = {0};
  int sign = x->side[0].sign[k];

  if (!on_surface(x, k) || !sign || !crossing_acts(x, k, t, y, x->side[to].f))
    return 0;
  if (!brink__surface_add(x, &s, k, -sign, 1, t, y, x->side[to].f)) {
    s = (brink__surfaces){.n = 1, .p = {.n = 1}, .target = {-sign}}; /* k alone */
    s.p.hold[0] = (brink__hold){.guard = k, .sign = sign};
  }
  return across(x, &s, 0, 0, to, t, y);
}

int brink__same_law(const brink__extended *x, int a, int b, int other)
{
  const double *fa = x->side[a].f, *fb = x->side[b].f, *fc = x->side[other].f;

  for (size_t m = 0; m < x->side[a].flow.n; m++)
    if (fabs(fa[m] - fb[m]) > BRINK__SAME_LAW * (fabs(fa[m]) + fabs(fc[m])))
      return 0;
  return 1;
}

int brink__adds_up(const brink__extended *x)
{
  for (size_t m = 0; m < x->side[0].flow.n; m++) {
    double sum = 0, size = 0;
    for (int i = 0; i < 4; i++) {
      sum += (i == 0 || i == 3 ? 1 : -1) * x->side[i].f[m];
      size += fabs(x->side[i].f[m]);
    }
    if (fabs(sum) > BRINK__SAME_LAW * size)
      return 0;
  }
  return 1;
}

int brink__leads_back(brink__extended *x, int i, const brink__hold *leads, double t,
                      const double *y)
{
  const brink__side *s = &x->side[i];
  int n_guards = x->inner->ops->mode_info(x->inner, s->live, s->mode)->n_guards;
  double ratio;

  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  for (int k = 0; k < n_guards; k++)
    if (s->sign[k] && brink__same_surface(x, leads->guard, i, k, t, y, s->f, &ratio) &&
        ratio * leads->sign * s->sign[k] < 0 &&
        (s->on_zero[k] || fabs(s->g[k]) <= MOVED * fabs(ratio * leads->level))) {
      x->hit[k] = (signed char)-s->sign[k];
    }
  if (!brink__side_hits_act(x, i, x->hit))
    return 0;
  brink_status rc = brink__side_copy(x, BRINK__TRIAL_SIDE, i);
  if (rc < 0)
    return rc;
  int found = brink__side_event(x, BRINK__TRIAL_SIDE, t, y, x->hit);
  if (found <= 0)
    return found;
  if (x->side[0].edge && brink__side_rhs(x, 0, t, y) != 0)
    return 0; /* it was asked elsewhere */
  return brink__side_rhs(x, BRINK__TRIAL_SIDE, t, y) == 0 &&
         brink__same_law(x, 0, BRINK__TRIAL_SIDE, i);
}

/* Has side i a guard of the surface of guard k, which is `value` on side 0, whose value
 * agrees up to delta?  Mostly k itself; a stair (floor, mod) has another one there. */
static int vanishes_on(brink__extended *x, int i, int k, double value, double delta,
                       double t, const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];
  int n_guards = m->ops->mode_info(m, s->live, s->mode)->n_guards;
  double there, ratio;

  if (m->ops->guard(m, s->live, s->mode, k, t, y, &there) != 0 ||
      fabs(there - value) <= delta)
    return 1;
  for (int j = 0; j < n_guards; j++)
    if (j != k && brink__same_surface(x, k, i, j, t, y, x->side[0].f, &ratio) &&
        m->ops->guard(m, s->live, s->mode, j, t, y, &there) == 0 &&
        fabs(there - ratio * value) <= fabs(ratio) * delta)
      return 1;
  return 0;
}

/* The guard of a surface must be zero on all sides: one that reads what its own
 * relation switches, as s = x + u and u = -sign(s) do, jumps at its event, and no state
 * is on its zero.  Is it the same, up to the tolerances of the states? */
static int vanishes_on_all(brink__extended *x, const brink__hold *hold, int n_sides,
                           double t, const double *y)
{
  brink_sim *sim = x->sim;
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  brink__guards *g = &sim->regime->guards;
  double *tolerance = brink__work_row(sim, 2), value, delta;
  brink_err ignored;

  for (size_t i = 0; i < g->n_states; i++)
    tolerance[i] = brink__integrator_tolerance(sim->regime->it, i, sim->y[i]);
  if (brink__guard_rounding(g, hold->guard, t, y, tolerance, 1, &delta, &ignored) < 0 ||
      m->ops->guard(m, own->live, own->mode, hold->guard, t, y, &value) != 0)
    return 1;
  for (int i = 1; i < n_sides; i++)
    if (x->side[i].mode == own->mode &&
        !vanishes_on(x, i, hold->guard, value, delta, t, y))
      return 0;
  return 1;
}

/* Where a law touches a surface that others lead to or away from, it moves the guard by
 * a higher derivative: its rate, which is 0, stands for the sign of that one. */
static brink_status turn_folds(brink__extended *x, const brink__hold *const *leader,
                               int n, double t, const double *y,
                               double r[][BRINK__SLIDING_SURFACES])
{
  for (int s = 0; s < n; s++) {
    double size = 0;
    for (int i = 0; i < 1 << n; i++)
      size = brink__max(size, fabs(r[i][s]));
    if (leader[s]->order > 1 || leader[s]->band > 0 ||
        brink__is_slow(size, x->side[0].f, x->side[0].flow.n))
      continue; /* the laws of all sides touch it */
    for (int i = 0; i < 1 << n; i++) {
      int sign = 0;
      if (fabs(r[i][s]) <= BRINK__SLOW_RATE * size)
        BRINK_TRY(brink__fold_turns(x, i, leader[s]->guard, t, y, &sign));
      if (sign)
        r[i][s] = sign * TURNING * size;
    }
  }
  return BRINK_OK;
}

int brink__make_sides(brink__extended *x, const brink__surfaces *s, double t,
                      const double *y, double r[][BRINK__SLIDING_SURFACES])
{
  const brink__hold *leader[BRINK__SLIDING_SURFACES];

  for (int i = s->p.n - 1; i >= 0; i--)
    leader[s->p.hold[i].surface] = &s->p.hold[i];
  for (int i = 1; i < 1 << s->n; i++) {
    int last = i >> 1; /* the highest surface that is crossed */
    int found = across(x, s, last, i & ~(1 << last), i, t, y);
    if (found <= 0)
      return found;
  }
  for (int i = 0; i < s->n; i++)
    if (!s->line[i].f && leader[i]->order == 1 &&
        !vanishes_on_all(x, leader[i], 1 << s->n, t, y))
      return 0;
  if (!brink__sliding_rates(x, leader, s->n, t, y, r))
    return 0;
  brink_status rc = turn_folds(x, leader, s->n, t, y, r);
  return rc < 0 ? (int)rc : 1;
}

void brink__surface_keep(brink__surfaces *s, int surface)
{
  int n = 0;

  for (int i = 0; i < s->p.n; i++)
    if (s->p.hold[i].surface == surface) {
      s->target[n] = s->target[i];
      s->p.hold[n] = s->p.hold[i];
      s->p.hold[n++].surface = 0;
    }
  s->p.n = n;
  s->line[0] = s->line[surface];
  s->line[1] = (brink__line){0};
  s->n = s->p.n_surfaces = 1;
}

/* --------------------------------------------------------------- directions --- */

int brink__guard_gradient(brink__extended *x, int k, double t, const double *y,
                          double *d, double *out)
{
  size_t n = x->side[0].flow.n;
  double alone;

  brink__fill_bytes(d, 0, n * sizeof *d);
  if (!brink__side_rate(x, 0, k, t, y, d, &alone))
    return 0;
  for (size_t m = 0; m < n; m++) {
    d[m] = 1;
    if (!brink__side_rate(x, 0, k, t, y, d, &out[m]))
      return 0;
    out[m] -= alone;
    d[m] = 0;
  }
  return 1;
}

int brink__move_to_level(brink__extended *x, int k, double level, double t,
                         const double *y, double *d, double *out)
{
  enum { NEWTON = 5 }; /* two at least: to the rounding of a guard that is linear */
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  size_t n = own->flow.n;
  double g, size = 0;

  if (!brink__guard_gradient(x, k, t, y, out, d))
    return 0;
  for (size_t i = 0; i < n; i++)
    size += d[i] * d[i];
  if (!(size > 0))
    return 0; /* no state moves the guard */
  brink__copy(out, y, n);
  for (int turn = 0; turn < NEWTON; turn++) {
    if (m->ops->guard(m, own->live, own->mode, k, t, out, &g) != 0)
      return 0;
    if (g == level || (turn > 1 && g / level >= 0.25 && g / level <= 4))
      return 1;
    for (size_t i = 0; i < n; i++)
      out[i] += (level - g) / size * d[i];
  }
  return level == 0;
}

int brink__put_inside(brink__extended *x)
{
  brink_sim *sim = x->sim;
  const brink__side *own = &x->side[0];
  double *y = brink__work_row(sim, 0), *d = brink__work_row(sim, 1);

  for (int k = 0; k < sim->regime->guards.n; k++) {
    if (!own->on_zero[k] || !own->sign[k] || own->g[k] * own->sign[k] > 0)
      continue;
    double level = brink__surface_level(x, k, own->sign[k]);
    if (level == 0 || !brink__move_to_level(x, k, level, sim->t, sim->y, d, y) ||
        brink__side_rhs(x, 0, sim->t, y) != 0)
      continue;
    brink__copy(sim->y, y, own->flow.n);
    return 1;
  }
  return 0;
}
