/* auto.c -- a method that is chosen for the problem, and changed with it.
 *
 * A run begins with a method for problems that are not stiff: taylor, where the model
 * has series and the tolerance is so fine that they cost less, else auto-rk, which
 * picks a Runge-Kutta pair.  Two questions are then asked after each step:
 *
 *   is it stiff? ..... stability and not accuracy bounds the steps: |h lambda| beyond
 *                      the limit of the pair in fifteen steps, [HW96, IV.2], as in
 *                      stiffness.c.  Or the solution moves much more slowly than the
 *                      fastest part of the system could, while |h lambda| is of order
 *                      one: errors of explicit steps grow with powers of h lambda, so
 *                      that a fast part which is excited all the time shortens them
 *                      before stability does.  The stiff method goes on from the same
 *                      point.
 *   still stiff? ..... |h lambda| of the implicit steps, where lambda comes from power
 *                      iteration with f: v <- (f(t, y + d v) - f(t, y)) / d, one turn
 *                      every few steps (the same tells lambda in steps of taylor, which
 *                      has no estimate).  Where it stays so small that the pair could
 *                      take these steps, the first method goes on.
 *
 * The second limit lies well below the first, and each return makes the next one
 * harder, so that a problem on the border does not go to and fro.  A stiff method whose
 * steps are hardly longer than those before it gives back as well, and must be asked
 * for twice as often the next time.  Counts go on across
 * restarts: events closer than fifteen steps do not hide stiffness.
 *
 * The stiff method is radau; or cvode, where n is large and no pattern of the Jacobian
 * is known: it then needs no matrix.  Its matrices are
 * taken where it is first wanted, so that a run that never is stiff has no memory of
 * them.
 */
#include "ode/observers.h"
#include "ode/rk.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  EVERY = 4,   /* implicit steps from one turn of the power iteration to the next */
  SETTLED = 3, /* turns after which it has found lambda                           */
  RELAXED = 4, /* answers in a row that the problem is not stiff, for a return    */
  MOST_ANSWERS = 64, /* ... at most, after many returns                               */
  TRIAL = 32,        /* implicit steps after which their length is looked at      */
  OUTRUN = 30,       /* more steps that are short for their solution than others  */
  MOST_REPORTS = 64, /* of stiffness that are waited for                          */
  NO_MATRIX = 400 /* states; with more of them, and no pattern, no matrix is wanted  */
};

/* From this tolerance on series cost less than dop853 (docs/methods.md). */
static const double FINE = 1e-12;

/* A pair could take an implicit step if |h lambda| is at most this part of its limit.
 */
static const double WELL_WITHIN = 0.4;

/* An implicit step costs about as much as one of a pair, or more: it must be so much
 * longer. */
static const double GAIN = 1.5;

/* |h lambda| on the negative real axis up to which the pairs of auto-rk are stable. */
static const double PAIRS_STABLE = 3;

/* |h lambda| from which on the fast part tells in the errors of explicit steps. */
static const double FELT = 1;

/* Steps are short for their solution if its slopes change in one by at most this part
 * of |h lambda|: a method that need not follow lambda could take ten of them at once.
 */
static const double SLOWLY = 0.1;

/* A state moves if a step changes it by this many tolerances. */
static const double NOTICED = 10;

/* The increment of the power iteration, in parts of the state or of its tolerance. */
static const double INCREMENT = 1e-6;

typedef struct choice {
  const brink_method *easy, *stiff; /* the methods that take turns                  */
  int implicit;    /* the stiff method is at work                                  */
  int change;      /* the other one takes over at the next point                   */
  int steps;       /* implicit ones since the last turn of the iteration           */
  int turns;       /* of the iteration since the last change                       */
  int calm;        /* answers in a row that it is not stiff                        */
  int answers;     /* that are needed for a return                                 */
  int trial;       /* implicit steps since their length was looked at */
  int reports;     /* of stiffness since the last change ... */
  int patience;    /* ... and how many make a change */
  double h_easy;   /* last step before the stiff method */
  double covered;  /* time of the trial */
  double h_lambda; /* of the last attempt                                          */
  double h;        /* of the last step                                             */
  double lambda;   /* 0: not known                                                 */
  double growth;   /* of the direction in the last turn of the iteration           */
  brink__tol tol;  /* of the last attempt                                          */
  int outrun;      /* steps that were short for their solution, less others        */
  brink__stiffness watch;
  brink_ctx *ctx;            /* of the memory for the stiff method                 */
  brink_integrator_opts opt; /* and its options                                    */
  brink__block room;         /* its state; nothing before it is first wanted       */
  size_t stiff_size;         /* bytes of that state                                */
  size_t easy_size;          /* doubles of the one in mem                          */
  double mem[]; /* state of the easy method; [n] direction of the power iteration, [n]
                   point, [n] f, [n] f there                                       */
} choice;

/* -------------------------------------------------------------- parts ---- */

static void *part(const choice *s)
{
  choice *own = (choice *)(uintptr_t)s; /* its memory is the caller's to change */

  return own->implicit ? (void *)own->room.base : own->mem;
}

static const brink_method *at_work(const choice *s)
{
  return s->implicit ? s->stiff : s->easy;
}

static const brink_method *easy_for(const brink_flow *flow,
                                    const brink_integrator_opts *opt)
{
  return flow->jet && opt->rtol > 0 && opt->rtol <= FINE ? &brink__taylor
                                                         : &brink__auto_rk;
}

static const brink_method *stiff_for(const brink_flow *flow)
{
  int large = !flow->pattern && flow->n + flow->n_z > NO_MATRIX;

  return large && !brink__cvode.needs ? &brink__cvode : &brink__radau;
}

static size_t doubles(const brink_method *m, const brink_flow *flow,
                      const brink_integrator_opts *opt)
{
  return (m->state_size(flow, opt) + sizeof(double) - 1) / sizeof(double);
}

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  size_t easy = doubles(easy_for(flow, opt), flow, opt);

  return sizeof(choice) + (easy + 4 * flow->n) * sizeof(double);
}

/* Give up the stiff method's memory, and what it has opened. */
static void leave_room(choice *s)
{
  if (s->room.base)
    s->stiff->close(s->room.base);
  brink__block_drop(&s->room);
  s->room = (brink__block){0};
}

/* The stiff method is wanted for the first time. */
static brink_status make_room(choice *s, const brink_flow *flow)
{
  if (s->room.base)
    return BRINK_OK;
  s->stiff_size = s->stiff->state_size(flow, &s->opt);
  BRINK_TRY(brink__block_new(s->ctx, brink__need(0, 1, s->stiff_size), &s->room));
  brink__carve(&s->room, 1, s->stiff_size);
  brink_status rc = s->stiff->open(s->room.base, s->ctx, flow, &s->opt);
  if (rc < 0) {
    brink__block_drop(&s->room);
    s->room = (brink__block){0};
  }
  return rc;
}

static void close(void *state)
{
  choice *s = state;

  s->easy->close(s->mem);
  leave_room(s);
}

/* The beginning of a run. */
static void reset(choice *s)
{
  s->implicit = s->change = s->steps = s->turns = s->calm = s->trial = s->reports = 0;
  s->outrun = 0;
  s->answers = RELAXED;
  s->patience = 1;
  s->h_easy = s->covered = s->h_lambda = s->h = s->lambda = 0;
  s->watch = (brink__stiffness){0};
}

static brink_status open(void *state, brink_ctx *ctx, const brink_flow *flow,
                         const brink_integrator_opts *opt)
{
  choice *s = state;

  s->ctx = ctx;
  s->opt = *opt;
  s->opt.order = 0; /* the option is for methods that are named */
  s->easy = easy_for(flow, opt);
  s->stiff = stiff_for(flow);
  s->easy_size = doubles(s->easy, flow, &s->opt);
  reset(s);
  return s->easy->open(s->mem, ctx, flow, &s->opt);
}

static void forget(void *state, const brink_flow *flow,
                   const brink_integrator_opts *opt)
{
  choice *s = state;

  s->opt = *opt;
  s->opt.order = 0;
  reset(s);
  s->easy->close(s->mem); /* pairs and series take no memory of their own */
  memset(s->mem, 0, s->easy_size * sizeof(double));
  s->easy->open(s->mem, s->ctx, flow, &s->opt);
  if (s->room.base)
    s->stiff->forget(s->room.base, flow, &s->opt);
}

static brink_status copy(void *to, const void *from, const brink_flow *flow,
                         size_t size)
{
  choice *s = to;
  const choice *f = from;
  choice own = *s;

  (void)size;
  if (f->room.base)
    BRINK_TRY(make_room(s, flow));
  own.room = s->room;
  *s = *f;
  s->ctx = own.ctx;
  s->opt = own.opt;
  s->room = own.room;
  memcpy(s->mem + s->easy_size, f->mem + f->easy_size, 4 * flow->n * sizeof(double));
  BRINK_TRY(s->easy->copy(s->mem, f->mem, flow, f->easy_size * sizeof(double)));
  if (f->room.base)
    return s->stiff->copy(s->room.base, f->room.base, flow, f->stiff_size);
  if (s->room.base) /* it was at work later in the run than the original */
    s->stiff->forget(s->room.base, flow, &s->opt);
  return BRINK_OK;
}

/* ------------------------------------------------------------- change ---- */

static brink_status take_turns(choice *s, const brink_flow *flow, double t)
{
  if (!s->implicit)
    BRINK_TRY(make_room(s, flow));
  s->change = s->steps = s->turns = s->calm = s->trial = s->reports = 0;
  s->outrun = 0;
  s->covered = 0;
  s->watch = (brink__stiffness){0};
  s->lambda = 0;
  if (s->implicit && s->answers < MOST_ANSWERS)
    s->answers *= 2;
  if (!s->implicit)
    s->easy->ended(s->mem, t);
  s->implicit = !s->implicit;
  s->trial = s->implicit ? -TRIAL : 0; /* its first steps are short */
  at_work(s)->start(part(s), flow->n);
  return BRINK_OK;
}

/* One turn of the power iteration at (t, y).  Where f has no value it rests.  |lambda|
 * is the mean growth over two turns: with a pair of conjugate eigenvalues, as of an
 * oscillator x'' = -w^2 x, single turns go to and fro between 1 and w^2. */
static void estimate(choice *s, brink__gate *gate, const brink__tol *tol, double t,
                     const double *y)
{
  size_t n = gate->flow->n;
  double *v = s->mem + s->easy_size, *at = v + n, *f = at + n, *f_at = f + n;
  double unit = 0, size = 0, rise = 0;

  if (brink__f(gate, t, y, f) != BRINK_OK)
    return;
  if (s->turns == 0)
    memcpy(v, f, n * sizeof *v);
  for (size_t i = 0; i < n; i++) {
    double x = v[i] / brink__max(fabs(y[i]), brink__scale(tol, i, y[i], y[i]));
    unit = brink__max(unit, fabs(x));
    size += v[i] * v[i];
  }
  if (!(unit > 0 && isfinite(unit)))
    return;
  double d = INCREMENT / unit;
  for (size_t i = 0; i < n; i++)
    at[i] = y[i] + d * v[i];
  if (brink__f(gate, t, at, f_at) != BRINK_OK)
    return;
  for (size_t i = 0; i < n; i++) {
    v[i] = (f_at[i] - f[i]) / d;
    rise += v[i] * v[i];
  }
  double growth = sqrt(rise / size), length = sqrt(rise);
  for (size_t i = 0; i < n; i++) /* or it would overflow after some tens of turns */
    v[i] = length > 0 && isfinite(length) ? v[i] / length : f[i];
  if (!isfinite(growth))
    return;
  s->lambda = s->turns > 0 ? sqrt(growth * s->growth) : growth;
  s->growth = growth;
  s->turns++;
}

/* Are the implicit steps too short for their cost? */
static int is_in_vain(choice *s)
{
  int vain = s->covered < GAIN * TRIAL * s->h_easy;

  s->trial = 0;
  s->covered = 0;
  if (vain && s->patience < MOST_REPORTS)
    s->patience *= 2;
  return vain;
}

/* Is the problem no longer stiff? */
static int is_calm(choice *s)
{
  if (s->turns < SETTLED)
    return 0;
  int calm = s->lambda * fabs(s->h) <= WELL_WITHIN * PAIRS_STABLE;
  s->calm = calm ? s->calm + 1 : 0;
  return s->calm >= s->answers;
}

static brink_status begin(void *state, brink__gate *gate, const brink__tol *tol,
                          double t, const double *y, double *h)
{
  choice *s = state;

  if (s->steps >= EVERY) {
    s->steps = 0;
    estimate(s, gate, tol, t, y);
    s->change |= s->implicit && is_calm(s);
  }
  if (s->implicit && s->trial >= TRIAL)
    s->change |= is_in_vain(s);
  if (s->change)
    BRINK_TRY(take_turns(s, gate->flow, t));
  return at_work(s)->begin(part(s), gate, tol, t, y, h);
}

/* ----------------------------------------------------- passed through ---- */

static void start(void *state, size_t n)
{
  choice *s = state;

  at_work(s)->start(part(s), n);
}

static void ended(void *state, double t)
{
  choice *s = state;

  at_work(s)->ended(part(s), t);
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  choice *s = state;
  brink_status rc = at_work(s)->attempt(part(s), gate, tol, t, h, y, out);

  s->tol = *tol;
  s->h_lambda = out->h_lambda;
  if (!s->implicit)
    out->h_lambda = 0; /* nobody need be told that it is stiff */
  return rc;
}

static const brink_method *acting(const void *state)
{
  const choice *s = state;
  const brink_method *m = at_work(s)->acting(part(s));

  return m ? m : at_work(s);
}

const brink_method *brink__auto_chosen(const void *state)
{
  const choice *s = state;

  if (s->implicit)
    return s->stiff;
  return s->easy == &brink__taylor ? s->easy : acting(s); /* pairs are chosen, too */
}

/* By how much the slopes of the states that move change in a step, relative to
 * themselves: the largest. */
static double change_of_slopes(const choice *s, size_t n, int degree, const double *c)
{
  double most = 0;

  for (size_t i = 0; i < n; i++, c += degree + 1) {
    double first = c[1], last = 0, end = c[0];
    for (int k = 1; k <= degree; k++) {
      last += k * c[k];
      end += c[k];
    }
    double slope = brink__max(fabs(first), fabs(last));
    if (slope > NOTICED * brink__scale(&s->tol, i, c[0], end))
      most = brink__max(most, fabs(last - first) / slope);
  }
  return most;
}

/* Has the solution moved slowly through many steps that a fast part may have made
 * short? */
static int is_outrun(choice *s, size_t n, int degree, const double *coeff)
{
  double h_lambda = s->h_lambda > 0       ? s->h_lambda
                    : s->turns >= SETTLED ? s->lambda * fabs(s->h)
                                          : 0;

  if (h_lambda >= FELT && change_of_slopes(s, n, degree, coeff) <= SLOWLY * h_lambda)
    s->outrun++;
  else if (s->outrun > 0)
    s->outrun--; /* slopes that pass zero change fast beside themselves */
  if (s->outrun < OUTRUN)
    return 0;
  s->outrun = 0;
  return 1;
}

/* After a step of the easy method: is it time for the stiff one? */
static void look_for_stiffness(choice *s, double limit, size_t n, int degree,
                               const double *coeff)
{
  int stiff = brink__stiffness_after(&s->watch, s->h_lambda, limit);

  if (stiff)
    s->watch = (brink__stiffness){0};
  if (is_outrun(s, n, degree, coeff) || stiff)
    s->change = ++s->reports >= s->patience;
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  choice *s = state;
  double limit = acting(s)->stability;
  int degree = at_work(s)->accept(part(s), n, h, y, coeff);

  s->h = h;
  if (s->implicit) {
    s->steps++;
    s->trial++;
    s->covered += s->trial > 0 ? fabs(h) : 0;
  } else {
    s->steps += s->easy == &brink__taylor;
    s->h_easy = fabs(h);
    look_for_stiffness(s, limit, n, degree, coeff);
  }
  return degree;
}

static brink_status dense(void *state, brink__gate *gate, double t, double h,
                          const double *y)
{
  choice *s = state;

  return at_work(s)->dense(part(s), gate, t, h, y);
}

static int predict(void *state, size_t n, double t, double h, const double *y,
                   double *coeff)
{
  choice *s = state;

  return at_work(s)->predict(part(s), n, t, h, y, coeff);
}

static void moved(void *state, size_t n, const double *f)
{
  choice *s = state;

  at_work(s)->moved(part(s), n, f);
}

static const double *candidate(const void *state, size_t n)
{
  const choice *s = state;

  return at_work(s)->candidate(part(s), n);
}

static double next_step(const void *state)
{
  const choice *s = state;

  return at_work(s)->next_step(part(s));
}

const brink_method brink__auto = {
    .name = "auto",
    .about =
        "auto-rk or taylor by tolerance, radau or cvode while the problem is stiff",
    .cite = "HW96",
    .order = 8,
    .error_order = 7,
    .dense_order = 7,
    .max_degree = 30,
    .stages = 0,
    .beta = 0,
    .stability = HUGE_VAL,
    .flags = BRINK__CHOOSES,
    .state_size = state_size,
    .open = open,
    .close = close,
    .forget = forget,
    .copy = copy,
    .start = start,
    .ended = ended,
    .begin = begin,
    .attempt = attempt,
    .predict = predict,
    .dense = dense,
    .accept = accept,
    .moved = moved,
    .candidate = candidate,
    .acting = acting,
    .next_step = next_step,
};
