/* automaton.c -- hybrid automata as callback models, see brink/automaton.h
 *
 * Each vertex becomes a mode whose guards are its invariants followed by the guards
 * of its edges.  An invariant that ends fires `leave`, which looks for an enabled
 * edge; the guard of an urgent edge fires `take_edge`.  Several of them in one instant
 * take one edge, that of the first.  An invariant fires again until it holds
 * (BRINK_AGAIN), so that no vertex is stayed in where it does not.
 */
#include "brink/automaton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "model/callback.h"

typedef struct edge {
  brink_edge_def def;
  int guard; /* index among the mode's guards, -1: always enabled */
} edge;

/* an edge whose guard misses zero by so many roundings of the state is enabled */
static const double ENABLED = 64 * DBL_EPSILON;

typedef struct vertex {
  const char *name;
  brink_guard_def *guards; /* invariants, then guards of edges */
  brink_event_def *events; /* the same order; urgent edges and invariants act */
  edge *edges;             /* leaving this vertex, in order */
  int n_guards, n_events, n_edges;
  size_t n; /* states */
} vertex;

typedef struct automaton {
  vertex *vertices;
  int n_w; /* outputs of the user */
} automaton;

/* --------------------------------------------------------------- edges ---- */

/* On its zero, or there to rounding, is enabled: invariants and guards often share a
 * surface. */
static int enabled(const vertex *v, const edge *e, const brink_jump *j)
{
  double size = 0;

  if (e->guard < 0 || j->hit[e->guard] > 0)
    return 1;
  const brink_guard_def *g = &v->guards[e->guard];
  for (size_t i = 0; i < v->n; i++)
    size = fmax(size, fabs(j->y_before[i]));
  double value = g->fn ? g->fn(j->t, j->y_before, e->guard, j->env)
                       : j->y_before[g->state] - g->level;
  return value >= -g->noise - ENABLED * (size + fabs(g->level));
}

/* Has a timer of this instant changed the vertex, or another event taken an edge?  All
 * of these are rising guards, and each that is carried out takes one. */
static int has_left(const vertex *v, brink_jump *j)
{
  int left = j->mode != j->mode_before;

  for (int i = 0; i < j->index; i++)
    left |= j->hit[v->events[i].guard] > 0;
  if (left)
    j->event = NULL;
  return left;
}

static int follow(const edge *e, brink_jump *j)
{
  int rc = 0;

  j->mode = e->def.to;
  j->event = e->def.name;
  if (e->def.reset)
    rc = e->def.reset(j);
  j->mode = e->def.to; /* the edge says where it goes */
  return rc;
}

static int stuck(const vertex *v, brink_jump *j)
{
  return (int)brink__fail_at(
      j->err, BRINK_EDOMAIN, j->t,
      "vertex '%s' at t = %.9g: the invariant '%s' %s and no edge "
      "is enabled",
      v->name ? v->name : "", j->t, j->event, j->at_restart ? "does not hold" : "ends");
}

static int leave(brink_jump *j)
{
  const automaton *a = brink__layer_of(j->env);
  const vertex *v = &a->vertices[j->mode_before];
  const edge *first = NULL;
  int choices = 0;

  if (has_left(v, j))
    return 0;
  for (int i = 0; i < v->n_edges; i++)
    if (enabled(v, &v->edges[i], j)) {
      first = first ? first : &v->edges[i];
      choices++;
    }
  if (!first)
    return stuck(v, j);
  j->w[a->n_w] += choices > 1;
  return follow(first, j);
}

static int take_edge(brink_jump *j)
{
  const automaton *a = brink__layer_of(j->env);
  const vertex *v = &a->vertices[j->mode_before];

  if (has_left(v, j))
    return 0;
  for (int i = 0; i < v->n_edges; i++)
    if (v->edges[i].def.urgent && v->events[j->index].guard == v->edges[i].guard)
      return follow(&v->edges[i], j);
  return 0;
}

/* ------------------------------------------------------------- building ---- */

static brink_status check(const brink_automaton_def *d, brink_err *err)
{
  if (!d || d->n_vertices < 1 || !d->vertices)
    return brink__fail(err, BRINK_EARG, "an automaton needs at least one vertex");
  if (d->n_edges < 0 || (d->n_edges && !d->edges))
    return brink__fail(err, BRINK_EARG,
                       "the automaton counts edges that are not there");
  if (d->n_w < 0 || (d->n_w && !d->w))
    return brink__fail(err, BRINK_EARG,
                       "the automaton counts outputs that are not there");
  for (int q = 0; q < d->n_vertices; q++)
    if (d->vertices[q].n_invariants < 0 ||
        (d->vertices[q].n_invariants && !d->vertices[q].invariants))
      return brink__fail(err, BRINK_EARG,
                         "vertex %d counts invariants that are not there", q);
  for (int i = 0; i < d->n_edges; i++) {
    const brink_edge_def *e = &d->edges[i];
    if (!e->name)
      return brink__fail(err, BRINK_EARG, "edge %d has no name", i);
    if (e->from < 0 || e->from >= d->n_vertices || e->to < 0 || e->to >= d->n_vertices)
      return brink__fail(err, BRINK_EARG,
                         "edge '%s' goes from %d to %d; there are %d vertices", e->name,
                         e->from, e->to, d->n_vertices);
    if (e->urgent && !e->guard)
      return brink__fail(err, BRINK_EARG, "edge '%s' is urgent and has no guard",
                         e->name);
  }
  return BRINK_OK;
}

static void *take(brink__pool *pool, size_t count, size_t elem)
{
  return brink__pool_take(pool, (count + 1) * elem);
}

static void add_invariants(const brink_vertex_def *def, vertex *v)
{
  for (int i = 0; i < def->n_invariants; i++) {
    const char *name = def->invariants[i].name;
    v->guards[v->n_guards] = def->invariants[i];
    v->events[v->n_events++] = (brink_event_def){.name = name ? name : "invariant",
                                                 .guard = v->n_guards++,
                                                 .dir = BRINK_UP,
                                                 .jump = leave,
                                                 .beyond = BRINK_AGAIN};
  }
}

/* 0: out of memory. */
static int add_edges(brink__pool *pool, const brink_automaton_def *d, int q, vertex *v)
{
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
      v->events[v->n_events++] = (brink_event_def){.name = e->name,
                                                   .guard = mine->guard,
                                                   .dir = BRINK_UP,
                                                   .jump = take_edge,
                                                   .beyond = BRINK_FIRE};
  }
  return 1;
}

static size_t edges_from(const brink_automaton_def *d, int q)
{
  size_t n = 0;

  for (int i = 0; i < d->n_edges; i++)
    n += d->edges[i].from == q;
  return n;
}

/* One vertex and its edges; 0: out of memory. */
static int vertex_copy(brink__pool *pool, const brink_automaton_def *d, int q,
                       vertex *v)
{
  const brink_vertex_def *def = &d->vertices[q];
  const char *name = def->name ? def->name : "";
  size_t n_edges = edges_from(d, q);
  size_t most = (size_t)def->n_invariants + n_edges;

  v->n = def->n;
  v->name = brink__pool_str(pool, name, strlen(name));
  v->guards = take(pool, most, sizeof *v->guards);
  v->events = take(pool, most, sizeof *v->events);
  v->edges = take(pool, n_edges, sizeof *v->edges);
  if (!v->guards || !v->events || !v->edges || !v->name)
    return 0;
  add_invariants(def, v);
  return add_edges(pool, d, q, v);
}

static brink_status build(brink_ctx *ctx, const brink_automaton_def *d,
                          brink__pool *pool, automaton *a, brink_model **out)
{
  brink_mode_def *modes = take(pool, (size_t)d->n_vertices, sizeof *modes);
  double *w = take(pool, (size_t)d->n_w + 1, sizeof *w);

  a->n_w = d->n_w;
  a->vertices = take(pool, (size_t)d->n_vertices, sizeof *a->vertices);
  if (!modes || !w || !a->vertices)
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory for an automaton");
  if (d->n_w)
    memcpy(w, d->w, (size_t)d->n_w * sizeof *w);
  for (int q = 0; q < d->n_vertices; q++) {
    const brink_vertex_def *def = &d->vertices[q];
    vertex *v = &a->vertices[q];
    if (!vertex_copy(pool, d, q, v))
      return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory for an automaton");
    modes[q] = (brink_mode_def){.name = def->name,
                                .n = def->n,
                                .states = def->states,
                                .rhs = def->rhs,
                                .guards = v->guards,
                                .n_guards = v->n_guards,
                                .events = v->events,
                                .n_events = v->n_events};
  }
  brink_model_def def = {.name = d->name,
                         .modes = modes,
                         .n_modes = d->n_vertices,
                         .timers = d->timers,
                         .n_timers = d->n_timers,
                         .p = d->p,
                         .u = d->u,
                         .w = w,
                         .n_p = d->n_p,
                         .n_u = d->n_u,
                         .n_w = d->n_w + 1,
                         .user = d->user};
  return brink_model_new(ctx, &def, out);
}

brink_status brink_automaton_new(brink_ctx *ctx, const brink_automaton_def *def,
                                 brink_model **out)
{
  brink__pool pool = {.ctx = ctx};

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  BRINK_TRY(check(def, &ctx->err));
  automaton *a = take(&pool, 1, sizeof *a);
  brink_status rc =
      a ? build(ctx, def, &pool, a, out)
        : brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory for an automaton");
  if (rc < 0) {
    brink__pool_drop(&pool);
    return rc;
  }
  ((callback_model *)*out)->layer = pool;
  brink__model_layer(*out, a, 0);
  return BRINK_OK;
}
