/* constrained.c -- IVP(f, H, K) as guards and jumps [Donolo02, 2.2].
 *
 * Mode 0, "inside": a guard x_i - k for each bound, the state itself where the bound is
 * constant; and where a bound is computed, a guard on the width k_u - k_l, which must
 * not fall below zero.  Mode 1, "boundary" (only if H lets components stay): the same
 * for the components that are free, and for those that are held a guard on f_i, which
 * releases them when it points inward, or at once if a jump moves them.
 *
 * Guards and events have the same numbers: widths, bounds, releases.  Bounds met in one
 * instant are several events and one call of H, made by the first of them.
 *
 * Nothing leaves K: a bound fires again (BRINK_AGAIN) where H has put the state on it
 * and the flow goes out.  That is an end of the run: of a Zeno sequence if the flow
 * points inward and only comes back faster than time can tell, else an error.
 */
#include "brink/constrained.h"

#include "brink/event.h"
#include "model/callback.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INSIDE, BOUNDARY };

/* a look ahead goes this part of t: the root of a rounding, so that what is seen over
 * it and what rounding does to it are equally small */
static const double ROOT = 0x1p-26;

/* a state and its bound part if the difference of their speeds is this part of them;
 * less may be curvature */
static const double TELLING = 0x1p-16;

/* calls of H follow each other closely if the gap between two is this part of the
 * longest */
static const double CLOSELY = 0x1p-10;

/* gaps that shrink so often in a row do not do so by chance */
enum { SURELY = 8 };

/* two times that differ by so many roundings are one */
static const double ONE_TIME = 16 * DBL_EPSILON;

/* What a guard watches. */
typedef enum rule {
  WIDTH,  /* upper minus lower bound          */
  LOWER,  /* the state minus its lower bound  */
  UPPER,  /* the state minus its upper bound  */
  RELEASE /* f of a state that is held        */
} rule;

typedef struct entry {
  rule what;
  size_t i; /* component */
} entry;

/* The data of the layer, by brink__layer_of. */
typedef struct layer {
  size_t n;
  brink_rhs_fn *rhs;
  brink_bounds_fn *bounds;
  brink_boundary_fn *boundary;
  const double *lower, *upper; /* [n] NaN: ask */
  const entry *entries;
  int n_inside, n_entries; /* in mode 0, in mode 1 */
} layer;

/* The calls of H so far. */
typedef struct calls {
  long n;
  double t;            /* where the last one left off      */
  double gap, longest; /* between two: the last, of all    */
  int shrinking;       /* so many gaps in a row were shorter than the one before */
} calls;

/* What a simulation keeps, by brink__layer_work. */
typedef struct work {
  calls *calls;              /* state                           */
  double *lower, *upper, *f; /* [n] scratch                     */
  signed char *held;         /* [n] -1, 0, +1: state            */
  signed char *at, *stay;    /* [n] scratch                     */
} work;

static work work_of(const layer *l, void *memory)
{
  calls *first = memory;
  double *d = (double *)(first + 1);
  signed char *c = (signed char *)(d + 3 * l->n);

  return (work){first, d, d + l->n, d + 2 * l->n, c, c + l->n, c + 2 * l->n};
}

static size_t work_size(size_t n)
{
  return sizeof(calls) + n * (3 * sizeof(double) + 3);
}

const signed char *brink_constrained_held(const brink_env *env)
{
  return work_of(brink__layer_of(env), brink__layer_work(env)).held;
}

/* -------------------------------------------------------------- bounds ---- */

static void bounds_at(const layer *l, double t, const double *x, size_t i,
                      const brink_env *env, double *lower, double *upper)
{
  double lo = -HUGE_VAL, hi = HUGE_VAL;

  if (l->bounds && (isnan(l->lower[i]) || isnan(l->upper[i])))
    l->bounds(t, x, i, &lo, &hi, env);
  *lower = isnan(l->lower[i]) ? lo : l->lower[i];
  *upper = isnan(l->upper[i]) ? hi : l->upper[i];
}

/* A guard that has nothing to watch: on the right side of zero, and constant. */
static double idle(rule what) { return what == UPPER || what == RELEASE ? -1 : 1; }

/* How far x may lie beyond a bound k by rounding alone. */
static double rounding(double x, double k)
{
  return 8 * DBL_EPSILON * (fabs(x) + fabs(k));
}

/* f points inward; or a jump has moved what is held off its bound. */
static double release(const layer *l, const work *w, double t, const double *x,
                      size_t i, const brink_env *env)
{
  double bound = w->held[i] < 0 ? l->lower[i] : l->upper[i];

  if (w->held[i] && fabs(x[i] - bound) > rounding(x[i], bound))
    return -idle(RELEASE);
  if (!w->held[i] || l->rhs(t, x, w->f, env) != 0)
    return idle(RELEASE);
  return -w->held[i] * w->f[i];
}

static double guard(double t, const double *x, int k, const brink_env *env)
{
  const layer *l = brink__layer_of(env);
  work w = work_of(l, brink__layer_work(env));
  entry e = l->entries[k];
  double lower, upper;

  if (e.what == RELEASE)
    return release(l, &w, t, x, e.i, env);
  if (e.what != WIDTH && w.held[e.i])
    return idle(e.what);
  bounds_at(l, t, x, e.i, env, &lower, &upper);
  double g =
      e.what == WIDTH ? upper - lower : x[e.i] - (e.what == LOWER ? lower : upper);
  return isinf(g) ? idle(e.what) : g;
}

static int boundary_rhs(double t, const double *x, double *f, const brink_env *env)
{
  const layer *l = brink__layer_of(env);
  work w = work_of(l, brink__layer_work(env));
  int rc = l->rhs(t, x, f, env);

  for (size_t i = 0; i < l->n; i++)
    if (w.held[i])
      f[i] = 0;
  return rc;
}

/* --------------------------------------------------------------- jumps ---- */

/* Is this the first of the bounds that are met here? */
static int is_first(const layer *l, const brink_jump *j)
{
  for (int k = 0; k < j->index; k++)
    if ((l->entries[k].what == LOWER && j->hit[k] < 0) ||
        (l->entries[k].what == UPPER && j->hit[k] > 0))
      return 0;
  return 1;
}

static int no_room(brink_jump *j)
{
  const layer *l = brink__layer_of(j->env);
  size_t i = l->entries[j->index].i;
  double lower, upper;

  bounds_at(l, j->t, j->y_before, i, j->env, &lower, &upper);
  int gone = j->at_restart && lower > upper;
  return (int)brink__fail_at(j->err, BRINK_EDOMAIN, j->t,
                             "%s %s t = %.9g: its lower bound %.15g %s its upper bound "
                             "%.15g",
                             j->event, gone ? "at" : "from", j->t, lower,
                             gone ? "exceeds" : "passes", upper);
}

/* Put what is met onto its bound; note which. */
static int arrive(const layer *l, const work *w, brink_jump *j)
{
  int n = j->mode_before == INSIDE ? l->n_inside : l->n_entries;

  memset(w->at, 0, l->n);
  memset(w->stay, 0, l->n);
  for (size_t i = 0; i < l->n; i++)
    bounds_at(l, j->t, j->y_before, i, j->env, &w->lower[i], &w->upper[i]);
  for (int k = 0; k < n; k++) {
    entry e = l->entries[k];
    if (!((e.what == LOWER && j->hit[k] < 0) || (e.what == UPPER && j->hit[k] > 0)))
      continue;
    double bound = e.what == LOWER ? w->lower[e.i] : w->upper[e.i],
           x = j->y_before[e.i];
    if (j->at_restart == 1 && fabs(x - bound) > rounding(x, bound))
      return (int)brink__fail_at(j->err, BRINK_EDOMAIN, j->t,
                                 "%s: the state %.15g at t = %.9g lies outside [%.9g, "
                                 "%.9g]",
                                 j->event, x, j->t, w->lower[e.i], w->upper[e.i]);
    w->at[e.i] = e.what == LOWER ? -1 : 1;
    j->y[e.i] = bound;
    if (j->noise)
      j->noise[e.i] = 0;
  }
  return 0;
}

/* On the bound `at` side and f_i = 0: does it turn outward?  w->f is f there. */
static int turns_out(const layer *l, const work *w, const brink_jump *j, size_t i,
                     int at)
{
  double d = ROOT * fabs(j->t_after), *x = w->lower, *f = w->upper;

  for (size_t m = 0; m < l->n; m++)
    x[m] = j->y[m] + d * w->f[m];
  return l->rhs(j->t_after + d, x, f, j->env) == 0 && at * f[i] > 0;
}

/* H has spoken: is x+ in K, and will it stay there?  (Where a bound moves, f alone does
 * not tell; what is not seen here comes again, see goes_out.) */
static int check_after(const layer *l, const work *w, brink_jump *j)
{
  int pointed = 0; /* is f known? */

  for (size_t i = 0; i < l->n; i++) {
    double x = j->y[i], lower, upper;
    bounds_at(l, j->t_after, j->y, i, j->env, &lower, &upper);
    if (x < lower - rounding(x, lower) || x > upper + rounding(x, upper))
      return (int)brink__fail_at(j->err, BRINK_EDOMAIN, j->t,
                                 "%s: H leaves component %zu at %.15g at t = %.9g, "
                                 "outside [%.9g, %.9g]",
                                 j->event, i + 1, x, j->t_after, lower, upper);
    int at = x <= lower ? -1 : x >= upper ? 1 : 0;
    if (!at || !w->at[i] || w->held[i])
      continue;
    if (!pointed && l->rhs(j->t_after, j->y, w->f, j->env) != 0)
      return 0; /* where f says "not here" the step will say so */
    pointed = 1;
    if (isnan(at < 0 ? l->lower[i] : l->upper[i]))
      continue;
    if (at * w->f[i] > 0 || (w->f[i] == 0 && turns_out(l, w, j, i, at)))
      return (int)brink__fail_at(
          j->err, BRINK_EDOMAIN, j->t,
          "%s: H leaves component %zu on its bound %.9g at t = "
          "%.9g with f = %.9g, which leads out of K; let it stay, "
          "or move it",
          j->event, i + 1, x, j->t_after, w->f[i]);
  }
  return 0;
}

/* What H asked to stay is held. */
static int hold(const layer *l, const work *w, brink_jump *j)
{
  for (size_t i = 0; i < l->n; i++) {
    if (!w->stay[i])
      continue;
    double bound = w->at[i] < 0 ? l->lower[i] : l->upper[i];
    if (!w->at[i] || isnan(bound) || l->n_entries == l->n_inside)
      return (int)brink__fail_at(
          j->err, BRINK_EARG, j->t,
          "%s: component %zu cannot stay at t = %.9g: it must be "
          "at a constant bound, and the definition must say stays",
          j->event, i + 1, j->t);
    w->held[i] = w->at[i];
    j->y[i] = bound;
    j->classes |= BRINK_SE_D;
  }
  return 0;
}

static int any_held(const layer *l, const work *w)
{
  for (size_t i = 0; i < l->n; i++)
    if (w->held[i])
      return 1;
  return 0;
}

/* How fast component i moves away from its bound into K, 0 if that cannot be told.  A
 * bound that moves is followed over the root of a rounding of t, twice, so that its
 * curvature is not taken for speed. */
static double inward(const layer *l, const work *w, const brink_jump *j, rule what,
                     size_t i)
{
  double constant = what == LOWER ? l->lower[i] : l->upper[i];
  double sign = what == LOWER ? 1 : -1, d = ROOT * fabs(j->t), *x = w->lower;
  double bound[3];

  if (l->rhs(j->t, j->y_before, w->f, j->env) != 0)
    return 0;
  if (!isnan(constant))
    return sign * w->f[i];
  for (int k = 0; k < 3; k++) {
    double lower, upper;
    for (size_t m = 0; m < l->n; m++)
      x[m] = j->y_before[m] + k * d * w->f[m];
    bounds_at(l, j->t + k * d, x, i, j->env, &lower, &upper);
    bound[k] = what == LOWER ? lower : upper;
  }
  double moved = 2 * (bound[1] - bound[0]) - 0.5 * (bound[2] - bound[0]);
  double away = sign * (d * w->f[i] - moved);
  return fabs(away) > TELLING * (fabs(d * w->f[i]) + fabs(moved)) ? away / d : 0;
}

static void note_call(calls *c, double t, double t_after)
{
  if (c->n++ > 0) {
    c->shrinking = t - c->t < c->gap ? c->shrinking + 1 : 0;
    c->gap = t - c->t;
    c->longest = fmax(c->longest, c->gap);
  }
  c->t = t_after;
}

/* Have they come to follow each other closely?  More than by chance? */
static int accumulate(const calls *c) { return c->gap < CLOSELY * c->longest; }
static int surely(const calls *c) { return accumulate(c) && c->shrinking >= SURELY; }

/* H has left the state on this bound, or nearly, and the flow goes out of K at once. */
static int goes_out(const layer *l, const work *w, brink_jump *j)
{
  entry e = l->entries[j->index];
  double speed = inward(l, w, j, e.what, e.i);
  int fixed = !isnan(e.what == LOWER ? l->lower[e.i] : l->upper[e.i]);

  if (speed > 0 || (speed == 0 && !fixed && accumulate(w->calls)) || surely(w->calls))
    brink__fail_at(
        j->err, BRINK_ZENO, j->t,
        "events accumulate at t = %.15g (Zeno): '%s' fires again and again and "
        "time cannot move on; let H make it stay",
        j->t, j->event);
  else
    brink__fail_at(
        j->err, BRINK_EDOMAIN, j->t,
        "%s: H leaves component %zu on its bound at t = %.9g, and from there it "
        "goes out of K; let it stay, or move it",
        j->event, e.i + 1, j->t);
  return -1;
}

static int meet(brink_jump *j)
{
  const layer *l = brink__layer_of(j->env);
  work w = work_of(l, brink__layer_work(j->env));

  if (!is_first(l, j))
    return 0;
  if (j->at_restart == 2 && j->t == w.calls->t)
    return goes_out(l, &w, j);
  if (j->at_restart && w.calls->n > 0 && j->t > w.calls->t &&
      j->t - w.calls->t <= ONE_TIME * fabs(j->t)) /* time has hardly moved on since H */
    return goes_out(l, &w, j);
  if (arrive(l, &w, j) < 0)
    return -1;
  memcpy(w.f, j->y, l->n * sizeof(double));
  brink_boundary b = {.t = j->t,
                      .x_before = w.f,
                      .at = w.at,
                      .lower = w.lower,
                      .upper = w.upper,
                      .t_after = j->t,
                      .x = j->y,
                      .stay = w.stay,
                      .p = j->p,
                      .u = j->u,
                      .w = j->w,
                      .user = j->user};
  if (l->boundary(&b) < 0)
    return -1;
  note_call(w.calls, b.t, b.t_after);
  j->t_after = b.t_after;
  j->stop |= b.stop;
  size_t bad = brink__first_bad(j->y, l->n);
  if (bad < l->n || !(b.t_after >= b.t) || isinf(b.t_after))
    return 0; /* said where all jumps are checked */
  if (hold(l, &w, j) < 0 || check_after(l, &w, j) < 0)
    return -1;
  j->mode = any_held(l, &w) ? BOUNDARY : INSIDE;
  return 0;
}

static int let_go(brink_jump *j)
{
  const layer *l = brink__layer_of(j->env);
  work w = work_of(l, brink__layer_work(j->env));

  w.held[l->entries[j->index].i] = 0;
  j->classes |= BRINK_SE_D;
  if (!any_held(l, &w))
    j->mode = INSIDE;
  return 0;
}

/* --------------------------------------------------------------- build ---- */

/* Room for the definition while it is being put together. */
typedef struct plan {
  brink__pool pool;
  const char *const *states; /* names */
  double *lower, *upper;
  entry *entries;
  brink_guard_def *guards;
  brink_event_def *events;
  int n;
} plan;

static const char *component(plan *p, size_t i, const char *what)
{
  char text[96];

  snprintf(text, sizeof text, "%.60s %s", p->states[i] ? p->states[i] : "", what);
  return brink__pool_str(&p->pool, text, strlen(text));
}

/* x1, x2, ...; 0: out of memory */
static int number(plan *p, size_t n)
{
  const char **names = brink__pool_take(&p->pool, n * sizeof *names);

  for (size_t i = 0; names && i < n; i++) {
    char text[32];
    snprintf(text, sizeof text, "x%zu", i + 1);
    names[i] = brink__pool_str(&p->pool, text, strlen(text));
    if (!names[i])
      return 0;
  }
  p->states = names;
  return names != NULL;
}

static void add(plan *p, const brink_constrained_def *def, rule what, size_t i,
                double level)
{
  static const char *const names[] = {"has no room", "at its lower bound",
                                      "at its upper bound", "leaves its bound"};
  static brink_jump_fn *const jumps[] = {no_room, meet, meet, let_go};
  const char *name = component(p, i, names[what]);
  int k = p->n++;

  p->entries[k] = (entry){what, i};
  p->guards[k] = (brink_guard_def){.name = name};
  if (isnan(level) || def->stays)
    p->guards[k].fn = guard;
  else {
    p->guards[k].state = (int)i;
    p->guards[k].level = level;
  }
  p->events[k] = (brink_event_def){.name = name,
                                   .guard = k,
                                   .jump = jumps[what],
                                   .dir = idle(what) > 0 ? BRINK_DOWN : BRINK_UP,
                                   .beyond = BRINK_AGAIN};
}

static brink_status check(const brink_constrained_def *def, const plan *p,
                          brink_err *err)
{
  for (size_t i = 0; i < def->n; i++) {
    if (p->lower[i] > p->upper[i])
      return brink__fail(err, BRINK_EARG,
                         "component %zu has no room: its lower bound %.15g exceeds its "
                         "upper bound %.15g",
                         i + 1, p->lower[i], p->upper[i]);
    if ((isnan(p->lower[i]) || isnan(p->upper[i])) && !def->bounds)
      return brink__fail(
          err, BRINK_EARG,
          "component %zu has a bound that must be asked for, and there is "
          "no function to ask",
          i + 1);
  }
  return BRINK_OK;
}

/* The bounds: given, absent, or (NaN) to be asked for. */
static void fill(plan *p, const brink_constrained_def *def)
{
  double none = def->bounds ? nan("") : HUGE_VAL;

  for (size_t i = 0; i < def->n; i++) {
    p->lower[i] = def->lower ? def->lower[i] : -none;
    p->upper[i] = def->upper ? def->upper[i] : none;
  }
}

/* What holds inside: widths that must not vanish, then bounds. */
static void rules(plan *p, const brink_constrained_def *def)
{
  for (size_t i = 0; i < def->n; i++)
    if ((isnan(p->lower[i]) || isnan(p->upper[i])) && !isinf(p->lower[i]) &&
        !isinf(p->upper[i]))
      add(p, def, WIDTH, i, nan(""));
  for (size_t i = 0; i < def->n; i++) {
    if (!isinf(p->lower[i]))
      add(p, def, LOWER, i, p->lower[i]);
    if (!isinf(p->upper[i]))
      add(p, def, UPPER, i, p->upper[i]);
  }
}

/* What the callbacks need of the plan, copied to where the model lives. */
static brink_status seal(brink_model *model, const brink_constrained_def *def,
                         const plan *p, int n_inside, brink_err *err)
{
  layer *l = brink__model_take(model, sizeof *l);
  double *both = brink__model_take(model, 2 * def->n * sizeof(double));
  entry *entries = brink__model_take(model, (size_t)p->n * sizeof(entry));

  if (!l || !both || !entries)
    return brink__fail(err, BRINK_ENOMEM, "out of memory while copying the model");
  memcpy(both, p->lower, def->n * sizeof(double));
  memcpy(both + def->n, p->upper, def->n * sizeof(double));
  memcpy(entries, p->entries, (size_t)p->n * sizeof(entry));
  *l = (layer){def->n,        def->rhs, def->bounds, def->boundary, both,
               both + def->n, entries,  n_inside,    p->n};
  brink__model_layer(model, l, work_size(def->n));
  return BRINK_OK;
}

/* Arrays of the plan, and names of the states; 0: out of memory. */
static int make_room(plan *p, const brink_constrained_def *def)
{
  size_t most = 4 * def->n + 1;

  p->lower = brink__pool_take(&p->pool, def->n * sizeof(double));
  p->upper = brink__pool_take(&p->pool, def->n * sizeof(double));
  p->entries = brink__pool_take(&p->pool, most * sizeof(entry));
  p->guards = brink__pool_take(&p->pool, most * sizeof *p->guards);
  p->events = brink__pool_take(&p->pool, most * sizeof *p->events);
  p->states = def->states;
  return p->lower && p->upper && p->entries && p->guards && p->events &&
         (def->states || number(p, def->n));
}

/* The model of the plan, whose first n_inside rules hold inside. */
static brink_status model_of(brink_ctx *ctx, const brink_constrained_def *def,
                             const plan *p, int n_inside, brink_model **out)
{
  const brink_mode_def modes[] = {{.name = "inside",
                                   .n = def->n,
                                   .states = p->states,
                                   .rhs = def->rhs,
                                   .guards = p->guards,
                                   .n_guards = n_inside,
                                   .events = p->events,
                                   .n_events = n_inside},
                                  {.name = "boundary",
                                   .n = def->n,
                                   .states = p->states,
                                   .rhs = boundary_rhs,
                                   .guards = p->guards,
                                   .n_guards = p->n,
                                   .events = p->events,
                                   .n_events = p->n}};
  const brink_model_def m = {.name = def->name,
                             .modes = modes,
                             .n_modes = def->stays ? 2 : 1,
                             .timers = def->timers,
                             .n_timers = def->n_timers,
                             .p = def->p,
                             .u = def->u,
                             .w = def->w,
                             .n_p = def->n_p,
                             .n_u = def->n_u,
                             .n_w = def->n_w,
                             .user = def->user};
  return brink_model_new(ctx, &m, out);
}

static brink_status build(brink_ctx *ctx, const brink_constrained_def *def, plan *p,
                          brink_model **out)
{
  if (!make_room(p, def))
    return brink__fail(&ctx->err, BRINK_ENOMEM,
                       "out of memory while building the model");
  fill(p, def);
  BRINK_TRY(check(def, p, &ctx->err));
  rules(p, def);
  int n_inside = p->n;
  for (size_t i = 0; def->stays && i < def->n; i++)
    if (!isinf(p->lower[i]) || !isinf(p->upper[i]))
      add(p, def, RELEASE, i, nan(""));
  for (int k = 0; k < p->n; k++)
    if (!p->events[k].name)
      return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory while naming events");
  BRINK_TRY(model_of(ctx, def, p, n_inside, out));
  brink_status rc = seal(*out, def, p, n_inside, &ctx->err);
  if (rc < 0) {
    brink_model_free(*out);
    *out = NULL;
  }
  return rc;
}

brink_status brink_constrained_new(brink_ctx *ctx, const brink_constrained_def *def,
                                   brink_model **out)
{
  plan p = {.pool = {.ctx = ctx}};

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  if (!def || def->n == 0 || !def->rhs || !def->boundary)
    return brink__fail(&ctx->err, BRINK_EARG,
                       "a constrained problem needs states, a right-hand side and a "
                       "boundary map");
  brink_status rc = build(ctx, def, &p, out);
  brink__pool_drop(&p.pool);
  return rc;
}
