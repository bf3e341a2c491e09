/* reflected.c -- reflected paths as guards and jumps.
 *
 * A guard on the state for each bound.  Its event pushes the state back onto the bound,
 * along the direction of the bound, and counts the push: by rounding alone, since the
 * event is where the state meets the bound; only a start, or what a timer does to the
 * state, may lie beyond.  Then a push may take other components beyond their bounds, or
 * back, and the pushes of all are the solution of a linear complementarity problem.
 * From there on the executor keeps the state on the bound, by a reaction in the
 * direction that the event shows.
 */
#include "brink/reflected.h"

#include "linear/lcp.h"
#include "model/callback.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct face {
  size_t i; /* component */
  int upper;
  double level;
} face;

/* The data of the layer, by brink__layer_of. */
typedef struct layer {
  size_t n, n_faces;
  brink_rhs_fn *rhs;
  const double *along; /* [n][n] */
  const face *faces;
} layer;

static int rhs(double t, const double *y, double *f, const brink_env *env)
{
  const layer *l = brink__layer_of(env);

  memset(f + l->n, 0, l->n_faces * sizeof *f);
  return l->rhs(t, y, f, env);
}

/* By how much does y lie beyond the bound? */
static double beyond_by(const face *e, const double *y)
{
  return e->upper ? y[e->i] - e->level : e->level - y[e->i];
}

/* A start is beyond a bound if that is by more than this part of the bound's size, or
 * of 1: more than rounding and the location of an event leave. */
static const double FAR_BEYOND = 0x1p-12;

static int is_far_beyond(const face *e, const double *y)
{
  return beyond_by(e, y) > FAR_BEYOND * (1 + fabs(e->level));
}

/* So many pushes can be found together, on the stack: as many as are looked at choice
 * by choice where Lemke's method fails; doubles of scratch for that. */
enum { MOST = BRINK__LCP_CHECKED, SCRATCH = 1 << 12 };

typedef struct pushes {
  size_t n;
  const face *at[MOST]; /* the bounds that push ... */
  double z[MOST];       /* ... by so much           */
} pushes;

/* How much the push at bound `by` gives to the room inside bound e. */
static double effect(const layer *l, const face *e, const face *by)
{
  double d = l->along[by->i * l->n + e->i];

  return e->upper == by->upper ? d : -d;
}

/* The least pushes that put y inside the bounds p->at; 0: there are none. */
static int solve(const layer *l, pushes *p, const double *y)
{
  double m[MOST * MOST], room[MOST], w[MOST], scratch[SCRATCH];

  if (brink__lcp_scratch(p->n) > sizeof scratch)
    return 0;
  for (size_t k = 0; k < p->n; k++) {
    room[k] = -beyond_by(p->at[k], y);
    for (size_t j = 0; j < p->n; j++)
      m[k * p->n + j] = effect(l, p->at[k], p->at[j]);
  }
  return brink__lcp_solve(p->n, m, room, p->z, w, scratch) == BRINK__LCP_SOLVED;
}

/* Add the bounds that y is beyond with these pushes; -1: too many; else how many. */
static int add_beyond(const layer *l, pushes *p, const double *y)
{
  size_t before = p->n;

  for (size_t k = 0; k < l->n_faces; k++) {
    const face *e = &l->faces[k];
    double beyond = beyond_by(e, y);
    int known = 0;
    for (size_t j = 0; j < before; j++) {
      beyond -= p->z[j] * effect(l, e, p->at[j]);
      known |= p->at[j] == e;
    }
    if (known || !(beyond > 0))
      continue;
    if (p->n == MOST)
      return -1;
    p->z[p->n] = 0;
    p->at[p->n++] = e;
  }
  return (int)(p->n - before);
}

/* The pushes from y back inside all bounds; 0: not found. */
static int find_pushes(const layer *l, pushes *p, const double *y)
{
  int added;

  p->n = 0;
  while ((added = add_beyond(l, p, y)) > 0)
    if (!solve(l, p, y))
      return 0;
  return added == 0;
}

/* The push of bound e by itself. */
static void alone(const layer *l, pushes *p, const face *e, const double *y)
{
  double beyond = beyond_by(e, y);

  p->n = 1;
  p->at[0] = e;
  p->z[0] = beyond > 0 ? beyond / effect(l, e, e) : 0;
}

static int push(brink_jump *j)
{
  const layer *l = brink__layer_of(j->env);
  const face *e = &l->faces[j->index];
  pushes p;

  if (j->trial || !find_pushes(l, &p, j->y)) {
    if (!j->trial && is_far_beyond(e, j->y)) {
      j->why = "the state is beyond a bound, and pushes that put all components back "
               "were not found: look at the signs in `along`, or start on the bounds";
      return -1;
    }
    alone(l, &p, e, j->y);
  }
  for (size_t k = 0; k < p.n; k++) {
    const double *d = l->along + p.at[k]->i * l->n;
    for (size_t m = 0; m < l->n; m++)
      j->y[m] += p.at[k]->upper ? -p.z[k] * d[m] : p.z[k] * d[m];
    j->y[l->n + (size_t)(p.at[k] - l->faces)] += p.z[k];
  }
  for (size_t k = 0; k < p.n; k++)
    if (p.z[k] > 0)
      j->y[p.at[k]->i] = p.at[k]->level;
  j->classes |= BRINK_SE_S; /* by rounding, or not at all */
  return 0;
}

/* --------------------------------------------------------------- build ---- */

/* What is handed to brink_model_new, and copied by it. */
typedef struct plan {
  brink__pool pool;
  size_t n_faces;
  face *faces;
  brink_guard_def *guards;
  brink_event_def *events;
  const char **states; /* [n + n_faces] */
} plan;

static const char *named(plan *p, const char *format, const char *of, size_t number)
{
  char text[160];

  if (of)
    snprintf(text, sizeof text, format, of);
  else
    snprintf(text, sizeof text, "x%zu", number);
  return brink__pool_str(&p->pool, text, strlen(text));
}

static int add(plan *p, size_t n, size_t i, int upper, double level)
{
  size_t k = p->n_faces++;
  const char *of = p->states[i],
             *name = named(p, upper ? "%.100s at its max" : "%.100s at its min", of, 0);

  p->faces[k] = (face){i, upper, level};
  p->guards[k] = (brink_guard_def){.name = name, .state = (int)i, .level = level};
  p->events[k] = (brink_event_def){.name = name,
                                   .guard = (int)k,
                                   .jump = push,
                                   .dir = upper ? BRINK_UP : BRINK_DOWN,
                                   .beyond = BRINK_FIRE};
  p->states[n + k] = named(p, upper ? "%.100s.L_max" : "%.100s.L_min", of, 0);
  return name && p->states[n + k];
}

/* Names, faces; 0: out of memory. */
static int fill(plan *p, const brink_reflected_def *def)
{
  size_t most = 2 * def->n;
  int ok = 1;

  p->faces = brink__pool_take(&p->pool, most * sizeof *p->faces);
  p->guards = brink__pool_take(&p->pool, most * sizeof *p->guards);
  p->events = brink__pool_take(&p->pool, most * sizeof *p->events);
  p->states = brink__pool_take(&p->pool, (def->n + most) * sizeof *p->states);
  if (!p->faces || !p->guards || !p->events || !p->states)
    return 0;
  for (size_t i = 0; i < def->n; i++) {
    p->states[i] = def->states ? def->states[i] : named(p, NULL, NULL, i + 1);
    ok = ok && p->states[i];
  }
  for (size_t i = 0; ok && i < def->n; i++) {
    double lower = def->lower ? def->lower[i] : -HUGE_VAL,
           upper = def->upper ? def->upper[i] : HUGE_VAL;
    if (!isinf(lower))
      ok = add(p, def->n, i, 0, lower);
    if (ok && !isinf(upper))
      ok = add(p, def->n, i, 1, upper);
  }
  return ok;
}

static brink_status check(const brink_reflected_def *def, brink_err *err)
{
  if (!def || def->n == 0 || !def->rhs)
    return brink__fail(err, BRINK_EARG,
                       "a reflected path needs states and a right-hand side");
  for (size_t i = 0; i < def->n; i++) {
    double lower = def->lower ? def->lower[i] : -HUGE_VAL,
           upper = def->upper ? def->upper[i] : HUGE_VAL;
    if (!(lower <= upper))
      return brink__fail(
          err, BRINK_EARG,
          "component %zu has no room: its lower bound is %.15g, its upper "
          "bound %.15g",
          i + 1, lower, upper);
    for (size_t m = 0; def->along && m < def->n; m++)
      if (!isfinite(def->along[i * def->n + m]) ||
          (m == i && !(def->along[i * def->n + i] > 0)))
        return brink__fail(err, BRINK_EARG,
                           "the push at the bounds of component %zu has the element %g "
                           "along component %zu; elements must be finite, its own one "
                           "positive",
                           i + 1, def->along[i * def->n + m], m + 1);
  }
  return BRINK_OK;
}

/* What the callbacks need, copied to where the model lives. */
static brink_status seal(brink_model *model, const brink_reflected_def *def,
                         const plan *p, brink_err *err)
{
  size_t n = def->n;
  layer *l = brink__model_take(model, sizeof *l);
  double *along = brink__model_take(model, n * n * sizeof *along);
  face *faces = brink__model_take(model, (p->n_faces + 1) * sizeof *faces);

  if (!l || !along || !faces)
    return brink__fail(err, BRINK_ENOMEM, "out of memory while copying the model");
  for (size_t i = 0; i < n * n; i++)
    along[i] = def->along ? def->along[i] : i / n == i % n;
  memcpy(faces, p->faces, p->n_faces * sizeof *faces);
  *l = (layer){n, p->n_faces, def->rhs, along, faces};
  brink__model_layer(model, l, 0);
  return BRINK_OK;
}

static brink_status model_of(brink_ctx *ctx, const brink_reflected_def *def,
                             const plan *p, brink_model **out)
{
  int n_faces = (int)p->n_faces;
  const brink_mode_def mode = {.name = "inside",
                               .n = def->n + p->n_faces,
                               .states = p->states,
                               .rhs = rhs,
                               .guards = p->guards,
                               .n_guards = n_faces,
                               .events = p->events,
                               .n_events = n_faces};
  const brink_model_def m = {.name = def->name,
                             .modes = &mode,
                             .n_modes = 1,
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

brink_status brink_reflected_new(brink_ctx *ctx, const brink_reflected_def *def,
                                 brink_model **out)
{
  plan p = {.pool = {.ctx = ctx}};

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  BRINK_TRY(check(def, &ctx->err));
  brink_status rc = fill(&p, def)
                        ? model_of(ctx, def, &p, out)
                        : brink__fail(&ctx->err, BRINK_ENOMEM,
                                      "out of memory while building the model");
  if (rc >= 0)
    rc = seal(*out, def, &p, &ctx->err);
  if (rc < 0) {
    brink_model_free(*out);
    *out = NULL;
  }
  brink__pool_drop(&p.pool);
  return rc;
}
