/* henon.c -- the last step to an event with the guard as independent variable
 * [Henon82; BEHK12, 4].
 *
 * Where a step shows a zero of the guard g, the way there is taken again from its start
 * with g for s (change_variable.h): one step of the same method, of length -g, ends on
 * the zero.  There is no interpolation and no iteration, the error of the event's time
 * is that of a step of the method, and the state lies on the guard: exactly if the
 * guard is a state, to a tangent's correction else.
 *
 * g has to fall or rise steadily all the way.  Where it does not from the start of the
 * step on, a step in time comes first, to half of the way, 3/4, 7/8, ...  Where g comes
 * to rest close to its zero (a pendulum that turns back on its pin) the rate g' takes
 * its place up to the turning point, and from there the root of g's distance from its
 * value there.  If that fails as well (the accurate solution does not reach the zero, f
 * does not exist around it) the locator declines, and another one reads the event off
 * the polynomial of the step.
 *
 * A method with a history, of Taylor series, or an implicit one has no step in another
 * variable: the Runge-Kutta pair that is next in order stands in.
 *
 * Cost: the stages of a step and f at its end; twice that with a step in time before.
 */
#include "event/change_variable.h"
#include "event/locator.h"

#include <float.h>
#include <math.h>

/* The guard is followed from where its rates, there and at the zero, differ from the
 * average by no more than this factor: its inverse is smooth enough for a step. */
static const double STRAIGHT = 4;

/* The same for methods without an estimate of their error, which could not tell. */
static const double STRAIGHTER = 1.125;

/* Slower than this part of the average, it is taken to come to rest. */
static const double AT_REST = 0x1p-6;

/* Where the way begins to be straight is looked for at 1 - 2^-i of it, i < PARTS. */
enum { PARTS = 8 };

/* The guard is followed over so much of the way that the error of one step is below the
 * tolerance, by what the error of the last try says; NEARER where there was none. */
static const double SAFETY = 0.9, NEARER = 0.25;

/* An event is located better than the tolerance asks for: by this factor. */
static const double BETTER = 0.1;

/* For the first try that error is taken to be bent^q GUESS of the way, where `bent` is
 * how much the rate changes on it; a guess, as for t = sqrt(g) and dopri5. */
static const double GUESS = 0x1p-11, WORTH_IT = 10;

/* Tries to find that, and the most steps where their number is what varies. */
enum { TRIES = 4, MOST_STEPS = 64, MOST_ASKED = 1 << 20 };

/* States are known to this part of themselves at the end of a step. */
static const double BESIDE = 2 * DBL_EPSILON;

/* The state is put so many rounding bounds of the guard beyond its zero, and of the
 * series of the guard along the step, which is known to some roundings of its largest
 * value: the end of the step has to show the new sign.  Where it must not be beyond,
 * half a rounding bound before. */
static const double BEYOND = 8, SERIES = 64 * DBL_EPSILON, BEFORE = 0.5;

/* The steps in the guard have come to its zero if this part of it is left. */
static const double REACH = 0x1p-10;

/* Tangents and doubled distances that are tried. */
enum { SETTLE = 24 };

/* A tangent's correction is exact to rounding where it is this small a part of the way:
 * its error is the square. */
static const double TANGENT = 0x1p-28;

/* The rate has come to zero at a turning point. */
static const double TURNED = 1e-3;

/* A call: pointers into the takeover's memory, and what it is asked. */
typedef struct work {
  const brink__takeover_at *at;
  size_t n;
  const brink_method *method; /* that takes the steps: one-step                   */
  void *state;
  brink__change change;
  brink__tol tol;
  double *z, *z0;  /* [n + 1] t and the states, and where a leg began            */
  double *tols;    /* [n + 1] their tolerances                                    */
  double *f;       /* [n] right-hand side                                         */
  double size;     /* of the guard on the way                                     */
  double rate;     /* of the guard at its zero                                    */
  double bent;     /* how much it changes on the straight part, of the average    */
  int turned;      /* a turning point was on the way                              */
  brink_status rc; /* BRINK_EUSER: f has asked to stop                            */
} work;

/* ------------------------------------------------------------ memory ---- */

/* rows of a call: z, z0, tols of n + 1; f, and two of change_variable.c, of n */
static size_t rows(size_t n) { return 3 * (n + 1) + 3 * n; }

static const brink_method *const pairs[] = {&brink__bs23, &brink__dopri5,
                                            &brink__dop853};

/* The method for steps in another variable, for one whose step here has this degree:
 * itself if it has a tableau, else the pair of that order.  (Of auto-rk, that is the
 * one at work.) */
static const brink_method *one_step(const brink_method *method, int degree)
{
  size_t last = BRINK__COUNT(pairs) - 1, i = 0;

  if (method->stages > 0)
    return method;
  /* of such a step; where methods take turns, the degree is that of the one at work */
  int order = method->flags & BRINK__CHOOSES
                  ? degree
                  : degree * method->order / method->max_degree;
  while (i < last && pairs[i]->max_degree < order && pairs[i]->order < order)
    i++;
  return pairs[i];
}

/* A method whose steps another one takes. */
static int is_replaced(const brink_method *method)
{
  return (method->flags & (BRINK__MULTISTEP | BRINK__NEEDS_JET | BRINK__IMPLICIT)) != 0;
}

static size_t state_size(const brink_flow *flow, const brink_method *method,
                         const brink_sim_opts *opt)
{
  brink_flow derived = {.n = flow->n + 1};
  brink_integrator_opts none = {0};
  size_t most = method->stages > 0 ? method->state_size(&derived, &none) : 0;

  (void)opt;
  for (size_t i = 0; i < BRINK__COUNT(pairs) && !(method->stages > 0); i++)
    most = brink__zmax(most, pairs[i]->state_size(&derived, &none));
  return rows(flow->n) * sizeof(double) + most;
}

static int max_degree(const brink_method *method)
{
  return method->max_degree > 3 ? method->max_degree : 3;
}

static void forget(void *state) { (void)state; }

/* The slopes of the step that shows the zero, at theta of it. */
static void slopes_ahead(const work *w, double theta, double *f)
{
  const brink_step *p = w->at->ahead;
  const double *c = p->coeff;

  for (size_t i = 0; i < w->n; i++, c += p->degree + 1)
    f[i] = brink__horner_derivative(p->degree, c, 1, theta) / p->h;
}

/* Tolerances of the states, and of t: the time in which none moves by more. */
static void set_tolerances(work *w)
{
  const brink__takeover_at *at = w->at;
  double t_tol = HUGE_VAL;

  slopes_ahead(w, at->theta, w->f);
  for (size_t i = 0; i < w->n; i++) {
    double end = brink_step_state(at->ahead, i, at->theta);
    double tol = BETTER * brink__scale(at->tol, i, at->y[i], end);
    w->tols[1 + i] = tol;
    if (w->f[i] != 0)
      t_tol = brink__min(t_tol, tol / fabs(w->f[i]));
  }
  w->tols[0] = brink__max(t_tol, BESIDE * (fabs(at->t) + at->theta * at->ahead->h));
  w->tol = (brink__tol){.atol_i = w->tols};
}

/* 0: there is nothing to begin with. */
static int set_up(work *w, void *state, const brink__takeover_at *at)
{
  size_t n = at->guards->n_states;
  double *row = state;

  if (!at->ahead || !(at->theta > 0) || !(at->ahead->h > 0))
    return 0;
  *w = (work){.at = at, .n = n, .method = one_step(at->method, at->ahead->degree)};
  w->z = row;
  w->z0 = row + (n + 1);
  w->tols = row + 2 * (n + 1);
  w->f = row + 3 * (n + 1);
  w->state = row + rows(n);
  w->change = (brink__change){.gate = at->gate,
                              .guards = at->guards,
                              .k = at->guard,
                              .span = at->ahead->h,
                              .work = w->f + n};
  set_tolerances(w);
  return 1;
}

/* -------------------------------------------------------------- legs ---- */

/* The guard at z. */
static int guard_at(work *w, const double *z, double *g)
{
  brink_err ignored;

  if (brink__guard_value(w->at->guards, w->at->guard, z[0], z + 1, g, &ignored) < 0)
    return 0;
  w->size = brink__max(w->size, fabs(*g));
  return 1;
}

static int f_at(const work *w, const double *z)
{
  return brink__f(w->at->gate, z[0], z + 1, w->f) == BRINK_OK;
}

/* What part of a step with this error would do. */
static double shorter(const work *w, double err)
{
  return brink__min(SAFETY * pow(err, -1.0 / (w->method->error_order + 1)), 0.5);
}

/* From s0 to s1 in so many steps; *err is the largest error of one. */
static int leg(work *w, brink__variable by, int steps, double s0, double s1,
               double *err)
{
  w->change.by = by;
  brink_status rc = brink__change_advance(&w->change, w->method, w->state, &w->tol,
                                          steps, s0, s1, w->z, err);
  if (rc == BRINK_EUSER)
    w->rc = rc;
  return rc == BRINK_OK;
}

/* The same in as many steps as `asked`, or (0) as it takes to have errors of `most`. */
static int long_leg(work *w, brink__variable by, double s0, double s1, long asked,
                    double most)
{
  int steps = asked > 0 ? (int)brink__min((double)asked, MOST_ASKED) : 1;
  double err;

  brink__copy(w->z0, w->z, w->n + 1);
  for (;;) {
    if (!leg(w, by, steps, s0, s1, &err))
      return 0;
    if (asked > 0 || err <= most)
      return 1;
    double more = steps / shorter(w, err / most);
    if (!(more <= MOST_STEPS))
      return 0;
    steps = (int)ceil(more);
    brink__copy(w->z, w->z0, w->n + 1);
  }
}

/* The same in variables of the guard, as the user says. */
static int guard_leg(work *w, brink__variable by, double s0, double s1)
{
  return long_leg(w, by, s0, s1, w->at->opt->henon_steps, 1);
}

/* To `part` of the way, in time: one step, which is shorter than one that was accepted,
 * so that it keeps the tolerance; a pair that stands in for another method must not add
 * to the error of that, and may need more. */
static int by_time(work *w, double part)
{
  const brink__takeover_at *at = w->at;
  double t1 = at->t + part * at->theta * at->ahead->h;
  double most = is_replaced(at->method) ? 1 : 1 / BETTER;

  w->z[0] = at->t;
  brink__copy(w->z + 1, at->y, w->n);
  if (!(part > 0))
    return 1;
  if (!long_leg(w, BRINK__BY_TIME, at->t, t1, 0, most))
    return 0;
  w->z[0] = t1;
  return 1;
}

/* The guard and its rate at theta of the step that shows the zero. */
static int read_ahead(work *w, double theta, double *g, double *rate)
{
  const brink_step *p = w->at->ahead;

  w->z[0] = p->t0 + theta * p->h;
  brink_step_at(p, theta, w->z + 1);
  slopes_ahead(w, theta, w->f);
  return guard_at(w, w->z, g) &&
         brink__change_rate(&w->change, w->z[0], w->z + 1, w->f, rate);
}

/* From this part of the way on, does the guard go to its zero at nearly one rate, up to
 * `factor`?  That sets the slowest rate which is taken for progress. */
static int is_straight(work *w, double part, double factor)
{
  const brink__takeover_at *at = w->at;
  double left = (1 - part) * at->theta * at->ahead->h, g, rate;

  if (!read_ahead(w, part * at->theta, &g, &rate) || !(g * at->sign > 0))
    return 0;
  double mean = -g / left, a = rate / mean, b = w->rate / mean;
  w->change.least_rate = AT_REST * mean;
  w->bent = fabs(b - a);
  return a >= 1 / factor && a <= factor && b >= 1 / factor && b <= factor;
}

/* The straight part of the way, or less of it if one step would clearly be too long. */
static double first_part(const work *w, double part)
{
  double left = (1 - part) * w->at->theta * w->at->ahead->h;
  double err = GUESS * pow(w->bent, w->method->error_order + 1) * left / w->tols[0];

  return err > WORTH_IT ? 1 - (1 - part) * shorter(w, err) : part;
}

/* To the zero, the guard being the variable: one step, from where that is accurate. */
static int by_guard(work *w, double part)
{
  double g, err;

  part = first_part(w, part);
  for (int i = 0; i < TRIES; i++) {
    if (!by_time(w, part) || !guard_at(w, w->z, &g) || !(g * w->at->sign > 0))
      return 0;
    int done = leg(w, BRINK__BY_GUARD, 1, g, 0, &err);
    if (done && err <= 1)
      return 1;
    part = 1 - (1 - part) * (done ? shorter(w, err) : NEARER);
  }
  return 0;
}

/* The same from here, in as many steps as it takes. */
static int by_guard_steps(work *w)
{
  double g;

  return guard_at(w, w->z, &g) && g * w->at->sign > 0 &&
         guard_leg(w, BRINK__BY_GUARD, g, 0);
}

/* The guard turns on the way, or just behind its zero: to the turning point, the rate
 * being the variable, and on or back from there to the zero, the root. */
static int by_turn(work *w)
{
  double rate, rate_there, g, c;
  int dir = -w->at->sign;

  if (!f_at(w, w->z) ||
      !brink__change_rate(&w->change, w->z[0], w->z + 1, w->f, &rate) ||
      !brink__change_curvature(&w->change, w->z[0], w->z + 1, w->f, &c) ||
      !(rate * c < 0) || !guard_leg(w, BRINK__BY_RATE, rate, 0))
    return 0;
  if (!f_at(w, w->z) ||
      !brink__change_rate(&w->change, w->z[0], w->z + 1, w->f, &rate_there) ||
      !brink__change_curvature(&w->change, w->z[0], w->z + 1, w->f,
                               &w->change.curvature) ||
      !(fabs(rate_there) <= TURNED * fabs(rate)) || !guard_at(w, w->z, &g) ||
      !(g * w->change.curvature <= 0) || w->change.curvature == 0)
    return 0;
  double s = sqrt(2 * fabs(g));
  w->turned = guard_leg(w, BRINK__BY_ROOT, 0, dir * w->change.curvature > 0 ? s : -s);
  return w->turned;
}

/* ---------------------------------------------------------- the end ---- */

/* What the guard is uncertain by at the end, by the rounding of a step's polynomial. */
static int rounding(work *w, double *delta)
{
  const brink__takeover_at *at = w->at;
  double *noise = w->tols + 1; /* not needed any more */
  brink_err ignored;

  for (size_t i = 0; i < w->n; i++)
    noise[i] = BESIDE * (2 * fabs(at->y[i]) + fabs(w->z[1 + i] - at->y[i]));
  return brink__guard_rounding(at->guards, at->guard, w->z[0], w->z + 1, noise,
                               BRINK__FAR, delta, &ignored) == BRINK_OK;
}

/* How far from the zero the state is put. */
static double distance(const work *w, double delta)
{
  const brink__watch *watch = &w->at->guards->watch[w->at->guard];

  return w->at->stay ? BEFORE * delta
                     : BEYOND * delta + SERIES * w->size + 2 * brink__watch_band(watch);
}

/* Is a guard that is g as far from its zero as `beside`, more or less: on the side
 * where it must stay no farther, and not beyond; else beyond, and no nearer than half.
 */
static int is_there(const work *w, double g, double beside)
{
  double past = -g * w->at->sign;

  return fabs(g) <= 2 * beside && (w->at->stay ? past <= 0 : past >= beside / 2);
}

/* Put the state `beside` the zero, on the side that is asked for.  A guard that is a
 * state can be put onto it; others take tangents, farther if they are noisy. */
static int settle(work *w, double beside)
{
  const brink__guard *info = &w->at->guards->info[w->at->guard];
  int side = w->at->stay ? w->at->sign : -w->at->sign;
  double g, rate = 0, moved = HUGE_VAL;

  for (int i = 0; i < SETTLE; i++) {
    if (!guard_at(w, w->z, &g) || !(fabs(g) <= REACH * w->size + beside))
      return 0;
    if (info->form == BRINK__GUARD_STATE) {
      w->z[1 + info->state] = info->level + (w->at->stay ? 0 : side * beside);
      return 1;
    }
    if (is_there(w, g, beside))
      return 1;
    if (!(fabs(moved) <= TANGENT * w->change.span) &&
        (!f_at(w, w->z) ||
         !brink__change_rate(&w->change, w->z[0], w->z + 1, w->f, &rate) ||
         !(rate * w->at->sign < 0)))
      return 0;
    if (i > 1)
      beside *= 2;
    moved = (side * beside - g) / rate;
    w->z[0] += moved;
    for (size_t k = 0; k < w->n; k++)
      w->z[1 + k] += moved * w->f[k];
  }
  return 0;
}

/* The polynomial of the step: the one that shows the zero, stretched to the end that
 * was found and bent to go through it: p + d (3 x^2 - 2 x^3) for its lack d there, and
 * with the slopes f there if they are known. */
static void bend(const work *w, int have_slopes, brink__taken *out)
{
  const brink_step *p = w->at->ahead;
  int degree = p->degree > 3 ? p->degree : 3;
  double h = w->z[0] - w->at->t, *c = out->coeff;

  out->h = h;
  out->degree = degree;
  for (size_t i = 0; i < w->n; i++, c += degree + 1) {
    const double *from = p->coeff + i * ((size_t)p->degree + 1);
    double scale = 1, end = w->z[1 + i], value = w->at->y[i], slope = 0;
    for (int k = 0; k <= degree; k++, scale *= h / p->h)
      c[k] = k <= p->degree ? from[k] * scale : 0;
    c[0] = value;
    for (int k = 1; k <= degree; k++) {
      value += c[k];
      slope += k * c[k];
    }
    double lack = end - value, steeper = have_slopes ? h * w->f[i] - slope : 0;
    c[2] += 3 * lack - steeper;
    c[3] += steeper - 2 * lack;
    out->y[i] = end;
  }
}

/* ---------------------------------------------------------- the step ---- */

/* Bring z onto the zero: straight, from the part of the way where that is possible. */
static int reach_straight(work *w)
{
  int fixed = w->at->opt->henon_steps > 0;
  int blind = !fixed && (w->method->flags & BRINK__FIXED_STEP);

  for (int i = 0; i < PARTS; i++) {
    double part = 1 - ldexp(1, -i);
    if (is_straight(w, part, blind ? STRAIGHTER : STRAIGHT))
      return fixed ? by_time(w, part) && by_guard_steps(w) : by_guard(w, part);
  }
  return 0;
}

/* All of the way in variables of the guard. */
static int reach_whole(work *w)
{
  if (is_straight(w, 0, 1 / AT_REST) && by_time(w, 0) && by_guard_steps(w))
    return 1;
  return by_time(w, 0) && by_turn(w);
}

static int reach(work *w)
{
  double g;

  if (!read_ahead(w, w->at->theta, &g, &w->rate))
    return 0;
  if ((w->at->opt->henon_on && reach_whole(w)) || reach_straight(w))
    return 1;
  for (int i = 0; i < PARTS; i++)
    if (by_time(w, 1 - ldexp(1, -i)) && by_turn(w))
      return 1;
  return 0;
}

/* What the record says. */
static const char *name(const work *w)
{
  static const char *const replaced[][2] = {{"henon-bs23", "henon-turn-bs23"},
                                            {"henon-dopri5", "henon-turn-dopri5"},
                                            {"henon-dop853", "henon-turn-dop853"}};

  for (size_t i = 0; is_replaced(w->at->method) && i < BRINK__COUNT(pairs); i++)
    if (w->method == pairs[i])
      return replaced[i][w->turned];
  return w->turned ? "henon-turn" : "henon";
}

static brink_status step(void *state, const brink__takeover_at *at, brink__taken *out,
                         brink_err *err)
{
  work w;
  double delta;

  if (!set_up(&w, state, at))
    return BRINK_END;
  if (!reach(&w) || !rounding(&w, &delta) || !settle(&w, distance(&w, delta)))
    return w.rc < 0 ? brink__gate_explain(at->gate, err) : BRINK_END;
  double h = w.z[0] - at->t;
  if (!(h > BESIDE * fabs(at->t) &&
        h <= at->left)) /* it may be short: an event is near */
    return BRINK_END;
  bend(&w, at->stay && f_at(&w, w.z), out);
  out->by = name(&w);
  return BRINK_OK;
}

static brink_status behind(brink__guards *g, const brink_step *s,
                           const brink__locate *how, brink__hits *hits, brink_err *err)
{
  return brink__locator_isolate.behind(g, s, how, hits, err);
}

static const brink__takeover takeover = {
    .max_degree = max_degree, .state_size = state_size, .forget = forget, .step = step};

const brink__locator brink__locator_henon = {
    .name = "henon",
    .about = "a step of the method onto the zero, the guard its independent variable",
    .cite = "Henon82",
    .proves_absence = 1,
    .takeover = &takeover,
    .otherwise = "isolate",
    .behind = behind,
};
