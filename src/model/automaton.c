/* automaton.c -- hybrid automata as callback models, see brink/automaton.h
 *
 * Each vertex becomes a mode whose guards are its invariants followed by the guards
 * of its edges.  An invariant that ends fires `leave`, which looks for an enabled
 * edge; the guard of an urgent edge fires `take`.  User callbacks are wrapped, so
 * that they see the user's own pointer.
 */
#include "brink/automaton.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/callback.h"

typedef struct edge {
  brink_edge_def def;
  int            guard; /* index among the mode's guards, -1: always enabled */
} edge;

typedef struct vertex {
  brink_rhs_fn    *rhs;
  brink_guard_def *guards; /* invariants, then guards of edges */
  brink_event_def *events; /* the same order; urgent edges and invariants act */
  edge            *edges;  /* leaving this vertex, in order */
  int              n_invariants, n_guards, n_events, n_edges;
  const char      *stuck; /* what to say when no edge is enabled */
  size_t           n;     /* states */
} vertex;

typedef struct automaton {
  vertex *vertices;
  int     n_w; /* outputs of the user */
  void   *user;
} automaton;

/* ------------------------------------------------------------ wrapping ---- */

static brink_env for_user(const brink_env *env)
{
  brink_env e = *env;
  e.user = ((const automaton *)env->user)->user;
  return e;
}

static int rhs(double t, const double *y, double *f, const brink_env *env)
{
  const automaton *a = env->user;
  brink_env        e = for_user(env);
  return a->vertices[env->mode].rhs(t, y, f, &e);
}

static double value_of(const brink_guard_def *g, double t, const double *y, int k,
                       const brink_env *env)
{
  return g->fn ? g->fn(t, y, k, env) : y[g->state - 1] - g->level;
}

static double guard(double t, const double *y, int k, const brink_env *env)
{
  const automaton *a = env->user;
  brink_env        e = for_user(env);
  return value_of(&a->vertices[env->mode].guards[k], t, y, k, &e);
}

/* --------------------------------------------------------------- edges ---- */

/* On its zero to rounding is enabled: invariants and guards often share a surface. */
static int enabled(const vertex *v, const edge *e, const brink_jump *j,
                   const brink_env *env)
{
  double size = 0;

  if (e->guard < 0)
    return 1;
  for (size_t i = 0; i < v->n; i++)
    size = fmax(size, fabs(j->y_before[i]));
  double g = value_of(&v->guards[e->guard], j->t, j->y_before, e->guard, env);
  return g >= -64 * DBL_EPSILON * (size + fabs(v->guards[e->guard].level));
}

static int follow(automaton *a, const edge *e, brink_jump *j)
{
  int rc = 0;

  j->mode = e->def.to;
  j->event = e->def.name;
  if (e->def.reset) {
    j->user = a->user;
    rc = e->def.reset(j);
    j->user = a;
    j->mode = e->def.to; /* the edge says where it goes */
  }
  return rc;
}

static int leave(brink_jump *j)
{
  automaton    *a = j->user;
  const vertex *v = &a->vertices[j->mode_before];
  const edge   *first = NULL;
  int           choices = 0;
  brink_env     env = {
    .p = j->p, .u = j->u, .w = j->w, .mode = j->mode_before, .user = a->user};

  if (j->mode != j->mode_before)
    return 0; /* another edge of this instant has left already */
  for (int i = 0; i < v->n_edges; i++)
    if (enabled(v, &v->edges[i], j, &env)) {
      first = first ? first : &v->edges[i];
      choices++;
    }
  if (!first) {
    j->why = v->stuck;
    return -1;
  }
  j->w[a->n_w] += choices > 1;
  return follow(a, first, j);
}

static int take_edge(brink_jump *j)
{
  automaton    *a = j->user;
  const vertex *v = &a->vertices[j->mode_before];

  if (j->mode != j->mode_before)
    return 0;
  for (int i = 0; i < v->n_edges; i++)
    if (v->edges[i].def.urgent && v->events[j->index].guard == v->edges[i].guard)
      return follow(a, &v->edges[i], j);
  return 0;
}

/* ------------------------------------------------------------- building ---- */

static brink_status check(const brink_automaton_def *d, brink_err *err)
{
  if (!d || d->n_vertices < 1 || !d->vertices)
    return brink__fail(err, BRINK_EARG, "an automaton needs at least one vertex");
  if (d->n_edges < 0 || (d->n_edges && !d->edges) || d->n_w < 0)
    return brink__fail(err, BRINK_EARG, "the automaton counts edges that are not there");
  for (int i = 0; i < d->n_edges; i++) {
    const brink_edge_def *e = &d->edges[i];
    if (!e->name)
      return brink__fail(err, BRINK_EARG, "edge %d has no name", i);
    if (e->from < 0 || e->from >= d->n_vertices || e->to < 0 || e->to >= d->n_vertices)
      return brink__fail(err, BRINK_EARG,
                         "edge '%s' goes from %d to %d; there are %d vertices", e->name,
                         e->from, e->to, d->n_vertices);
    if (e->urgent && !e->guard)
      return brink__fail(err, BRINK_EARG, "edge '%s' is urgent and has no guard", e->name);
  }
  return BRINK_OK;
}

static void *take(brink__pool *pool, size_t count, size_t elem)
{
  return brink__pool_take(pool, (count + 1) * elem);
}

/* One vertex and its edges; 0: out of memory. */
static int vertex_copy(brink__pool *pool, const brink_automaton_def *d, int q, vertex *v)
{
  const brink_vertex_def *def = &d->vertices[q];
  size_t                  most = (size_t)(def->n_invariants + d->n_edges);

  v->rhs = def->rhs;
  v->n = def->n;
  v->n_invariants = def->n_invariants;
  char text[160];
  int  length = snprintf(text, sizeof text,
                         "the invariant of vertex '%s' ends and no edge is enabled",
                         def->name ? def->name : "");
  v->stuck = brink__pool_str(pool, text, brink__zmin((size_t)length, sizeof text - 1));
  v->guards = take(pool, most, sizeof *v->guards);
  v->events = take(pool, most, sizeof *v->events);
  v->edges = take(pool, (size_t)d->n_edges, sizeof *v->edges);
  if (!v->guards || !v->events || !v->edges || !v->stuck)
    return 0;
  for (int i = 0; i < def->n_invariants; i++) {
    const char *name = def->invariants[i].name;
    v->guards[v->n_guards] = def->invariants[i];
    v->events[v->n_events++] =
      (brink_event_def){.name = name ? name : "invariant", .guard = v->n_guards++,
                        .dir = BRINK_UP, .jump = leave};
  }
  for (int i = 0; i < d->n_edges; i++) {
    const brink_edge_def *e = &d->edges[i];
    if (e->from != q)
      continue;
    edge *mine = &v->edges[v->n_edges++];
    *mine = (edge){.def = *e, .guard = -1};
    mine->def.name = brink__pool_str(pool, e->name, strlen(e->name));
    if (!mine->def.name)
      return 0;
    if (!e->guard)
      continue;
    mine->guard = v->n_guards;
    v->guards[v->n_guards++] = *e->guard;
    if (e->urgent)
      v->events[v->n_events++] =
        (brink_event_def){.name = e->name, .guard = mine->guard, .dir = BRINK_UP,
                          .jump = take_edge, .beyond = BRINK_FIRE};
  }
  return 1;
}

/* The same guards, called through the wrapper. */
static brink_guard_def *wrapped(brink__pool *pool, const vertex *v)
{
  brink_guard_def *g = take(pool, (size_t)v->n_guards, sizeof *g);

  for (int i = 0; g && i < v->n_guards; i++) {
    g[i] = v->guards[i];
    if (g[i].fn)
      g[i].fn = guard;
  }
  return g;
}

static brink_status build(brink_ctx *ctx, const brink_automaton_def *d, brink__pool *pool,
                          automaton *a, brink_model **out)
{
  brink_mode_def *modes = take(pool, (size_t)d->n_vertices, sizeof *modes);
  double         *w = take(pool, (size_t)d->n_w + 1, sizeof *w);

  a->vertices = take(pool, (size_t)d->n_vertices, sizeof *a->vertices);
  if (!modes || !w || !a->vertices)
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory for an automaton");
  if (d->n_w)
    memcpy(w, d->w, (size_t)d->n_w * sizeof *w);
  for (int q = 0; q < d->n_vertices; q++) {
    vertex          *v = &a->vertices[q];
    brink_guard_def *g = vertex_copy(pool, d, q, v) ? wrapped(pool, v) : NULL;
    if (!g)
      return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory for an automaton");
    modes[q] = (brink_mode_def){
      .name = d->vertices[q].name, .n = v->n, .states = d->vertices[q].states,
      .rhs = v->rhs ? rhs : NULL, .guards = g, .n_guards = v->n_guards,
      .events = v->events, .n_events = v->n_events};
  }
  brink_model_def def = {.name = d->name, .modes = modes, .n_modes = d->n_vertices,
                         .p = d->p, .u = d->u, .w = w, .n_p = d->n_p, .n_u = d->n_u,
                         .n_w = d->n_w + 1, .user = a};
  return brink_model_new(ctx, &def, out);
}

brink_status brink_automaton_new(brink_ctx *ctx, const brink_automaton_def *def,
                                 brink_model **out)
{
  brink__pool pool = {.ctx = ctx};

  *out = NULL;
  BRINK_TRY(check(def, &ctx->err));
  automaton   *a = take(&pool, 1, sizeof *a);
  brink_status rc = a ? BRINK_OK
                      : brink__fail(&ctx->err, BRINK_ENOMEM,
                                    "out of memory for an automaton");
  if (a) {
    a->n_w = def->n_w;
    a->user = def->user;
    rc = build(ctx, def, &pool, a, out);
  }
  if (rc < 0) {
    brink__pool_drop(&pool);
    return rc;
  }
  ((callback_model *)*out)->layer = pool;
  return BRINK_OK;
}
