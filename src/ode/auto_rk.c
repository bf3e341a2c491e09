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
 * and a stretch is the sum u of these.  Method m then crosses it in
 * max(1, ceil(u / (safety_m tol^(1/q_m)))) steps of stages_m - 1 evaluations (of dop853
 * three less where nobody reads its polynomial), and one evaluation to begin.  (That
 * the three share L up to a factor between 0.85 and 1.4 was measured on four problems
 * and tolerances from 1e-3 to 1e-12.)  The rule:
 *
 *   down .... only at a restart: to the method that would have been cheapest for the
 *             last four stretches together.
 *   up ...... at any step: a stretch that has lasted u will last u again; go up if that
 *             costs a higher pair less than 4/5 of what it costs this one, or, before
 *             the first restart, not more: at equal costs it leaves smaller errors.
 *
 * Where f is less smooth than the order asks for, a pair takes more attempts than that;
 * each pair's cost is therefore multiplied by how often, lately, it needed more (not
 * counting one step, which a short first step explains), and this is slowly forgotten.
 *
 * A run begins with dopri5: steps that something else bounds (h_max, a guard ahead)
 * cost dop853 twice as much and need none of its accuracy, and a smooth run has left it
 * after four to eight steps that their errors bound.  Near a Zeno point one step
 * crosses each gap, whatever the method, and bs23 has the cheapest.
 *
 * All three keep f at the end of a step in the same place (rk.h), so that a change
 * costs nothing; they share one piece of memory.
 */
#include "ode/rk.h"

enum {
  PAIRS = 3,
  TOP = 0,
  FIRST = 1, /* where a run begins                      */
  EXTRA = 3, /* stages of TOP that only its polynomial needs */
  WINDOW = 4 /* stretches that are remembered           */
};

/* from costly to cheap */
static const brink_method *const pair[PAIRS] = {&brink__dop853, &brink__dopri5,
                                                &brink__bs23};

static const double GAIN = 0.8;  /* a change upward must promise this             */
static const double KEPT = 0.98; /* of a surplus, from stretch to stretch         */
static const double TOL_LEAST = 1e-16, TOL_MOST = 0.1;

typedef struct auto_rk {
  int active; /* index in pair                                                     */
  int fresh;  /* the next attempt is the first from its point                      */
  int moved;  /* a step was accepted since the last restart                        */
  int reads;  /* the polynomial of the last step of TOP was read                   */
  double tol;
  double t0, t1; /* the stretch so far                                                */
  double t, err; /* of the last attempt                                               */
  double length; /* of the stretch so far, sum of h / L                               */
  double tries;  /* attempts of the stretch so far, < 0: by more than one pair        */
  double surplus[PAIRS]; /* attempts beyond the predicted ones, as a share of them    */
  double stretch[WINDOW]; /* lengths of the last ones */
  long n_stretches;       /* how many there have been       */
  double mem[]; /* the active pair's state                                           */
} auto_rk;

/* ------------------------------------------------------------- cost ---- */

static double steps(const auto_rk *s, int m, double length)
{
  double h = pair[m]->safety * pow(s->tol, 1.0 / (pair[m]->error_order + 1));

  return fmax(1, ceil(length / h));
}

static double cost(const auto_rk *s, int m, double length)
{
  int each = pair[m]->stages - 1 - (m == TOP && !s->reads ? EXTRA : 0);

  return steps(s, m, length) * (1 + s->surplus[m]) * each;
}

static double cost_of_stretches(const auto_rk *s, int m)
{
  long n = s->n_stretches < WINDOW ? s->n_stretches : WINDOW;
  double sum = 0;

  for (long i = 0; i < n; i++)
    sum += 1 + cost(s, m, s->stretch[i]);
  return sum;
}

/* Remember how well the prediction held for the pair at work. */
static void learn(auto_rk *s)
{
  for (int m = 0; m < PAIRS; m++)
    s->surplus[m] *= KEPT;
  if (s->tries < 0)
    return;
  double more = s->tries / (steps(s, s->active, s->length) + 1) - 1;
  s->surplus[s->active] = (s->surplus[s->active] + fmax(more, 0)) / 2;
}

/* The stretch ended at t, or inside its last step if t lies elsewhere (the integrator
 * rests while another mode runs). */
static void ended(void *state, double t)
{
  auto_rk *s = state;

  if (s->moved) {
    learn(s);
    double whole = fabs(s->t1 - s->t0), part = fmin(fabs(t - s->t0), whole);
    s->stretch[s->n_stretches++ % WINDOW] = whole > 0 ? s->length * part / whole : 0;
    int best = s->active;
    for (int m = 0; m < PAIRS; m++)
      if (cost_of_stretches(s, m) < cost_of_stretches(s, best))
        best = m;
    s->active = best;
  }
  s->moved = 0;
  s->length = s->tries = 0;
  s->t0 = t;
}

static void climb(auto_rk *s)
{
  int best = s->active;
  double gain = s->n_stretches > 0 ? GAIN : 1;

  for (int m = s->active - 1; m >= 0; m--)
    if (cost(s, m, s->length) < gain * cost(s, best, s->length))
      best = m;
  if (best != s->active)
    s->tries = -HUGE_VAL;
  s->active = best;
}

/* ------------------------------------------------------ the pairs' own ---- */

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  size_t most = 0;

  for (int m = 0; m < PAIRS; m++)
    most = brink__zmax(most, pair[m]->state_size(flow, opt));
  return sizeof(auto_rk) + most;
}

static brink_status open(void *state, brink_ctx *ctx, const brink_flow *flow,
                         const brink_integrator_opts *opt)
{
  (void)ctx, (void)flow, (void)opt;
  ((auto_rk *)state)->active = FIRST;
  return BRINK_OK;
}

void brink__auto_rk_from_top(void *state) { ((auto_rk *)state)->active = TOP; }

static void start(void *state, size_t n)
{
  auto_rk *s = state;

  pair[s->active]->start(s->mem, n);
  s->fresh = 0;
}

/* The tolerance in parts of the largest state. */
static double relative(const brink__tol *tol, size_t n, const double *y)
{
  double most = 0;

  if (tol->rtol > 0)
    return tol->rtol;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(y[i]) / brink__scale(tol, i, y[i], y[i]));
  return most > 0 ? 1 / most : tol->atol;
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  auto_rk *s = state;

  if (s->fresh && s->active != TOP)
    climb(s);
  s->fresh = 0;
  s->tries++;
  double wanted = relative(tol, gate->flow->n, y);
  brink_status rc = pair[s->active]->attempt(s->mem, gate, tol, t, h, y, out);
  s->tol = fmin(fmax(wanted, TOL_LEAST), TOL_MOST);
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
  s->length += pow(s->tol * s->err, 1.0 / q);
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
    .open = open,
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
