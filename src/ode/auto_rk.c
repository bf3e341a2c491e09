/* auto_rk.c -- dop853, dopri5 or bs23, whichever crosses the gaps between events at
 * the least cost; the change of method that [Donolo02, 5.2] leaves to the future.
 *
 * A stretch is what lies between two restarts.  Its length is measured in units that
 * all three share: with a tolerance tol, a method whose error behaves like h^q would
 * step h = L tol^(1/q), where L is the time scale of the solution; a step of size h
 * with scaled error err therefore covers
 *
 *   h / L = (tol err)^(1/q),
 *
 * for which method m would have taken (h / L) / (safety_m tol^(1/q_m)) steps.  A step
 * within a stretch that is shorter than half of what its error allows is bounded by
 * something else (the option h_max, a guard ahead) that bounds the steps of the others
 * as well: it is one step with each of them at least.  The sum over a stretch, rounded
 * up, is what it needs of steps with stages_m - 1 evaluations (of dop853 three less
 * where nobody reads its polynomial), and one evaluation to begin.  (That the three
 * share L up to a factor between 0.85 and 1.4 was measured on four problems and
 * tolerances from 1e-3 to 1e-12.)  The rule:
 *
 *   down .... at a restart: to the method that would have been cheapest for the last
 *             four stretches together.  Once within a stretch: from dop853 to dopri5,
 *             if that would have taken the last four steps as they are, all bounded
 *             by something else, with errors of a fiftieth of the tolerance; and back
 *             with the first step that is not so.
 *   up ...... at any step: a stretch that has lasted so long will last so long again;
 *             go up if that costs a higher pair less than 4/5 of what it costs this
 *             one.
 *
 * Where f is less smooth than the order asks for, a pair takes more attempts than that;
 * each pair's cost is therefore multiplied by how often, lately, it needed more (not
 * counting one step, which a short first step explains), and this is slowly forgotten.
 *
 * A smooth run never restarts and goes on with dop853.  Near a Zeno point one step
 * crosses each gap, whatever the method, and bs23 has the cheapest.
 *
 * All three keep f at the end of a step in the same place (rk.h), so that a change
 * costs nothing; they share one piece of memory.
 */
#include "ode/rk.h"

#include <string.h>

enum {
  PAIRS = 3,
  TOP = 0,    /* where a run begins                      */
  NEXT = 1,   /* the pair below                          */
  EXTRA = 3,  /* stages of TOP that only its polynomial needs */
  WINDOW = 4, /* stretches that are remembered           */
  IDLE = 4    /* steps that NEXT could have taken as well, for a change */
};

/* from costly to cheap */
static const brink_method *const pair[PAIRS] = {&brink__dop853, &brink__dopri5,
                                                &brink__bs23};

static const double GAIN = 0.8;  /* a change upward must promise this             */
static const double KEPT = 0.98; /* of a surplus, from stretch to stretch         */

/* A step that covers at most this part of what its error allows is bounded by something
 * else. */
static const double BOUNDED = 0.5;

/* Errors of NEXT, in tolerances, that do not tell: fifty of them, as many
 * steps as h_max of the command gives a run, add up to one. */
static const double HARMLESS = 0.02;

static const double TOL_LEAST = 1e-16, TOL_MOST = 0.1;

typedef struct auto_rk {
  int active; /* index in pair                                                     */
  int fresh;  /* the last step is not counted: no attempt was made behind it       */
  int moved;  /* a step was accepted since the last restart                        */
  int reads;  /* the polynomial of the last step of TOP was read                   */
  double tol;
  double longest[PAIRS]; /* step / L with this tolerance                             */
  double harmless; /* step / L of NEXT with an error that does not tell               */
  double t0, t1; /* the stretch so far                                                */
  double t, err; /* of the last attempt                                               */
  double length; /* of the last step, in units of L                                   */
  double need[PAIRS]; /* steps for the stretch so far                                 */
  int idle;     /* last steps in a row that were bounded for NEXT, too               */
  int lowered;  /* NEXT has followed TOP within the stretch                         */
  double tries; /* attempts of the stretch so far, < 0: by more than one pair         */
  double surplus[PAIRS]; /* attempts beyond the predicted ones, as a share of them    */
  double stretch[WINDOW][PAIRS]; /* needs of the last ones                            */
  long n_stretches; /* how many there have been                                       */
  double mem[]; /* the active pair's state                                           */
} auto_rk;

/* ------------------------------------------------------------- cost ---- */

static double whole(double need) { return fmax(1, ceil(need)); }

static double cost(const auto_rk *s, int m, double need)
{
  int each = pair[m]->stages - 1 - (m == TOP && !s->reads ? EXTRA : 0);

  return whole(need) * (1 + s->surplus[m]) * each;
}

static double cost_of_stretches(const auto_rk *s, int m)
{
  long n = s->n_stretches < WINDOW ? s->n_stretches : WINDOW;
  double sum = 0;

  for (long i = 0; i < n; i++)
    sum += 1 + cost(s, m, s->stretch[i][m]);
  return sum;
}

/* Count the last step, once it is known whether the stretch goes on behind it.  The
 * step that ends a stretch is cut, which is no bound: a part of a step counts as one.
 */
static void count_step(auto_rk *s, int goes_on)
{
  int bounded = goes_on && s->length <= BOUNDED * s->longest[s->active];

  for (int m = 0; m < PAIRS; m++) {
    double part = s->length / s->longest[m];
    s->need[m] += bounded ? fmax(1, part) : part;
  }
  s->idle = bounded && s->length <= s->harmless ? s->idle + 1 : 0;
  s->fresh = 0;
}

/* Remember how well the prediction held for the pair at work. */
static void learn(auto_rk *s)
{
  for (int m = 0; m < PAIRS; m++)
    s->surplus[m] *= KEPT;
  if (s->tries < 0)
    return;
  double more = s->tries / (whole(s->need[s->active]) + 1) - 1;
  s->surplus[s->active] = (s->surplus[s->active] + fmax(more, 0)) / 2;
}

/* The stretch ended at t, or inside its last step if t lies elsewhere (the integrator
 * rests while another mode runs). */
static void ended(void *state, double t)
{
  auto_rk *s = state;

  if (s->fresh)
    count_step(s, 0);
  if (s->moved) {
    learn(s);
    double all = fabs(s->t1 - s->t0), part = fmin(fabs(t - s->t0), all);
    double *stretch = s->stretch[s->n_stretches++ % WINDOW];
    for (int m = 0; m < PAIRS; m++)
      stretch[m] = all > 0 ? s->need[m] * part / all : 0;
    int best = s->active;
    for (int m = 0; m < PAIRS; m++)
      if (cost_of_stretches(s, m) < cost_of_stretches(s, best))
        best = m;
    s->active = best;
  }
  s->moved = s->lowered = s->idle = 0;
  s->tries = 0;
  s->t0 = t;
  memset(s->need, 0, sizeof s->need);
}

static void go_on_with(auto_rk *s, int m)
{
  if (m != s->active)
    s->tries = -HUGE_VAL;
  s->active = m;
}

static void climb(auto_rk *s)
{
  int best = s->active;

  for (int m = s->active - 1; m >= 0; m--)
    if (cost(s, m, s->need[m]) < GAIN * cost(s, best, s->need[best]))
      best = m;
  go_on_with(s, best);
}

/* The stretch goes on behind the last step. */
static void go_on(auto_rk *s)
{
  count_step(s, 1);
  if (s->active != TOP)
    climb(s);
  if (s->active == TOP && !s->lowered && s->idle >= IDLE) {
    go_on_with(s, NEXT);
    s->lowered = 1;
  } else if (s->active == NEXT && s->lowered && s->idle == 0) {
    go_on_with(s, TOP);
  }
}

/* What a step covers, in units of L: at most, and with an error that does not tell. */
static void set_tolerance(auto_rk *s, double tol)
{
  if (tol == s->tol)
    return;
  s->tol = tol;
  for (int m = 0; m < PAIRS; m++)
    s->longest[m] = pair[m]->safety * pow(tol, 1.0 / (pair[m]->error_order + 1));
  s->harmless = pow(HARMLESS * tol, 1.0 / (pair[NEXT]->error_order + 1));
}

/* ------------------------------------------------------ the pairs' own ---- */

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  size_t most = 0;

  for (int m = 0; m < PAIRS; m++)
    most = brink__zmax(most, pair[m]->state_size(flow, opt));
  return sizeof(auto_rk) + most;
}

static void start(void *state, size_t n)
{
  auto_rk *s = state;

  pair[s->active]->start(s->mem, n);
  s->fresh = 0;
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  auto_rk *s = state;

  if (s->fresh)
    go_on(s);
  s->tries++;
  double wanted = tol->rtol > 0 ? tol->rtol : tol->atol;
  brink_status rc = pair[s->active]->attempt(s->mem, gate, tol, t, h, y, out);
  set_tolerance(s, fmin(fmax(wanted, TOL_LEAST), TOL_MOST));
  s->t = t;
  s->err = out->err;
  return rc;
}

static brink_status dense(void *state, brink__gate *gate, double t, double h,
                          const double *y)
{
  auto_rk *s = state;

  return pair[s->active]->dense(s->mem, gate, t, h, y);
}

static void moved(void *state, size_t n, const double *f)
{
  brink__rk_moved(((auto_rk *)state)->mem, n, f);
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  auto_rk *s = state;
  int q = pair[s->active]->error_order + 1;

  if (s->active == TOP)
    s->reads = ((brink__rk *)s->mem)->have_dense;
  s->length = pow(s->tol * s->err, 1.0 / q);
  s->t1 = s->t + h;
  s->moved = s->fresh = 1;
  return pair[s->active]->accept(s->mem, n, h, y, coeff);
}

static const double *candidate(const void *state, size_t n)
{
  const auto_rk *s = state;

  return pair[s->active]->candidate(s->mem, n);
}

static const brink_method *acting(const void *state)
{
  return pair[((const auto_rk *)state)->active];
}

const brink_method brink__auto_rk = {
    .name = "auto-rk",
    .about =
        "dop853, dopri5 or bs23, whichever crosses the gaps between events cheapest",
    .cite = "Donolo02",
    .order = 8,
    .error_order = 7,
    .dense_order = 7,
    .max_degree = 7,
    .stages = 0,
    .beta = 0,
    .safety = 0.75,
    .stability = 6.1,
    .flags = BRINK__C1,
    .state_size = state_size,
    .open = brink__open_nothing,
    .close = brink__close_nothing,
    .copy = brink__copy_state,
    .start = start,
    .moved = moved,
    .begin = brink__begin_nothing,
    .ended = ended,
    .attempt = attempt,
    .predict = brink__predict_nothing,
    .dense = dense,
    .accept = accept,
    .candidate = candidate,
    .acting = acting,
    .next_step = brink__next_by_controller,
};
