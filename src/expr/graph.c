/* graph.c -- the store of nodes: hash-consing, leaves, reading.
 *
 * Nodes lie in one growing array; a handle is an index.  An open-addressing table
 * of handles, at most half full, finds equal nodes [Knuth98, 6.4].  Addition,
 * multiplication, == and <> are looked up in both orders and kept in the order of
 * their first appearance, so that text prints back as it was written.
 *
 * Cost: 24 bytes a node, 8 to 16 for the table, 16 for the maps of the passes.
 * Limit: 2^31 - 1 nodes.
 */
#include "expr/inner.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------ lifetime ---- */

brink_status brink__graph_new(brink_ctx *ctx, brink__graph **out)
{
  *out = NULL;
  brink__graph *g = brink__alloc(ctx, sizeof *g);
  if (!g)
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory: no room for a graph");
  *g = (brink__graph){.ctx = ctx, .n = 1, .diff_symbol = -1};
  *out = g;
  return BRINK_OK;
}

static void memo_drop(brink_ctx *ctx, expr_memo *m)
{
  brink__free(ctx, m->entry, m->cap * sizeof *m->entry);
}

void brink__graph_free(brink__graph *g)
{
  if (!g)
    return;
  memo_drop(g->ctx, &g->walk);
  memo_drop(g->ctx, &g->diff);
  brink__free(g->ctx, g->stack, g->stack_cap * sizeof *g->stack);
  brink__free(g->ctx, g->table, g->table_size * sizeof *g->table);
  brink__free(g->ctx, g->node, g->cap * sizeof *g->node);
  brink__free(g->ctx, g, sizeof *g);
}

brink_status brink__graph_copy(brink_ctx *ctx, const brink__graph *g,
                               brink__graph **out)
{
  brink__graph *c;

  BRINK_TRY(brink__graph_new(ctx, &c));
  c->origin = g->origin;
  c->node = brink__alloc(ctx, g->cap * sizeof *g->node);
  c->cap = c->node ? g->cap : 0;
  c->table = brink__alloc(ctx, g->table_size * sizeof *g->table);
  c->table_size = c->table ? g->table_size : 0;
  if ((g->cap && !c->node) || (g->table_size && !c->table)) {
    brink__graph_free(c);
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory: no room for a graph");
  }
  memcpy(c->node, g->node, g->n * sizeof *g->node);
  memcpy(c->table, g->table, g->table_size * sizeof *g->table);
  c->n = g->n;
  *out = c;
  return BRINK_OK;
}

/* --------------------------------------------------------- hash-consing ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
  /* twice: doubles that are small numbers differ in their top bits only */
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32)) * 0xBF58476D1CE4E5B9u;
  return h ^ (h >> 29);
}

/* The two words that hold arguments, value or symbol. */
static uint64_t payload(const expr_node *e)
{
  uint64_t bits;

  memcpy(&bits, &e->u, sizeof bits);
  return bits;
}

static size_t hash(const expr_node *e)
{
  uint64_t h = mix(1, (uint64_t)e->op | (uint64_t)e->type << 8);
  h = mix(h, payload(e));
  return (size_t)mix(h, (uint32_t)e->third);
}

static int same(const expr_node *x, const expr_node *y)
{
  return x->op == y->op && x->type == y->type && x->third == y->third &&
         payload(x) == payload(y);
}

/* Where e is in the table, or the empty place where it would be. */
static size_t place(const brink__graph *g, const expr_node *e)
{
  size_t mask = g->table_size - 1;
  size_t i = hash(e) & mask;

  while (g->table[i] && !same(&g->node[g->table[i]], e))
    i = (i + 1) & mask;
  return i;
}

static brink_status rehash(brink__graph *g)
{
  enum { FIRST = 64 };
  size_t old_size = g->table_size, size = old_size ? 2 * old_size : FIRST;
  int32_t *old = g->table, *table = brink__alloc(g->ctx, size * sizeof *table);

  if (!table)
    return brink__fail(&g->ctx->err, BRINK_ENOMEM,
                       "out of memory: %zu expressions are too many", g->n);
  memset(table, 0, size * sizeof *table);
  g->table = table;
  g->table_size = size;
  for (size_t n = 1; n < g->n; n++)
    table[place(g, &g->node[n])] = (int32_t)n;
  brink__free(g->ctx, old, old_size * sizeof *old);
  return BRINK_OK;
}

static brink__node intern(brink__graph *g, const expr_node *e)
{
  if (2 * g->n >= g->table_size && rehash(g) < 0)
    return BRINK__NONE;
  size_t i = place(g, e);
  if (g->table[i])
    return g->table[i];
  if (g->n >= INT32_MAX) {
    brink__fail(&g->ctx->err, BRINK_ENOMEM,
                "a graph holds at most 2^31 - 1 expressions");
    return BRINK__NONE;
  }
  if (brink__grow(g->ctx, (void **)&g->node, &g->cap, g->n + 1, sizeof *g->node) < 0)
    return BRINK__NONE;
  g->node[g->n] = *e;
  g->node[g->n].origin = g->origin;
  g->table[i] = (int32_t)g->n;
  return (brink__node)g->n++;
}

static int commutes(brink__op op)
{
  return op == BRINK_OP_ADD || op == BRINK_OP_MUL || op == BRINK_OP_EQ ||
         op == BRINK_OP_NE;
}

brink__node brink__graph_intern(brink__graph *g, brink__op op, brink__type type,
                                brink__node a, brink__node b, brink__node c)
{
  expr_node e = {.u.arg = {a, b}, .third = c, .op = (uint8_t)op, .type = (uint8_t)type};

  if (commutes(op) && a != b && g->table_size) {
    expr_node swapped = e;
    swapped.u.arg[0] = b;
    swapped.u.arg[1] = a;
    brink__node n = g->table[place(g, &swapped)];
    if (n)
      return n;
  }
  return intern(g, &e);
}

/* -------------------------------------------------------------- leaves ---- */

static brink__node constant(brink__graph *g, double value, brink__type type)
{
  expr_node e = {.u.value = value + 0.0, .op = BRINK_OP_CONST, .type = (uint8_t)type};
  return intern(g, &e);
}

brink__node brink__real(brink__graph *g, double value)
{
  if (!isfinite(value)) {
    brink__fail(&g->ctx->err, BRINK_EARG, "a constant must be finite, not %g", value);
    return BRINK__NONE;
  }
  return constant(g, value, BRINK_TYPE_REAL);
}

static brink__node whole(brink__graph *g, int64_t value, brink__type type)
{
  const int64_t exact = (int64_t)1 << 53;

  if (value > exact || value < -exact) {
    brink__fail(&g->ctx->err, BRINK_EARG, "integer %lld is beyond 2^53",
                (long long)value);
    return BRINK__NONE;
  }
  return constant(g, (double)value, type);
}

brink__node brink__integer(brink__graph *g, int64_t value)
{
  return whole(g, value, BRINK_TYPE_INTEGER);
}

brink__node brink__boolean(brink__graph *g, int value)
{
  return whole(g, value != 0, BRINK_TYPE_BOOLEAN);
}

brink__node brink__ordinal(brink__graph *g, int64_t ordinal)
{
  return whole(g, ordinal, BRINK_TYPE_ENUMERATION);
}

brink__node brink__first_value(brink__graph *g, brink__type type)
{
  return constant(g, type == BRINK_TYPE_ENUMERATION, type);
}

brink__node brink__symbol(brink__graph *g, int32_t id, brink__type type)
{
  expr_node e = {.op = BRINK_OP_SYMBOL, .type = (uint8_t)type};

  if (id < 0) {
    brink__fail(&g->ctx->err, BRINK_EARG, "symbol %d: ids start at 0", (int)id);
    return BRINK__NONE;
  }
  e.u.arg[0] = id;
  return intern(g, &e);
}

/* ------------------------------------------------------------- reading ---- */

brink_ctx *brink__graph_ctx(const brink__graph *g) { return g->ctx; }

brink__node brink__graph_size(const brink__graph *g) { return (brink__node)(g->n - 1); }

void brink__graph_at(brink__graph *g, int32_t origin) { g->origin = origin; }

int32_t brink__node_origin(const brink__graph *g, brink__node n)
{
  return g->node[n].origin;
}

brink__op brink__node_op(const brink__graph *g, brink__node n) { return expr_op(g, n); }

brink__type brink__node_type(const brink__graph *g, brink__node n)
{
  return (brink__type)g->node[n].type;
}

brink__node brink__node_arg(const brink__graph *g, brink__node n, int i)
{
  return expr_arity(g, n) > i ? expr_arg(g, n, i) : BRINK__NONE;
}

double brink__node_value(const brink__graph *g, brink__node n)
{
  return g->node[n].u.value;
}

int32_t brink__node_symbol(const brink__graph *g, brink__node n)
{
  return g->node[n].u.arg[0];
}

int brink__node_is(const brink__graph *g, brink__node n, double value)
{
  return n && expr_is_const(g, n) && g->node[n].u.value == value;
}

const char *brink__op_text(brink__op op)
{
  static const char *const text[] = {
#define OP(name, text, arity, typing, companions) text,
#include "expr/ops.def"
  };
  return text[op];
}

const char *brink__op_name(brink__op op)
{
  static const char *const name[] = {
#define OP(name, text, arity, typing, companions) #name,
#include "expr/ops.def"
  };
  return name[op];
}

int brink__op_arity(brink__op op)
{
  static const unsigned char arity[] = {
#define OP(name, text, arity, typing, companions) arity,
#include "expr/ops.def"
  };
  return arity[op];
}

/* -------------------------------------------------------- maps, stacks ---- */

void brink__memo_start(expr_memo *m)
{
  if (++m->epoch == 0) {
    memset(m->entry, 0, m->cap * sizeof *m->entry);
    m->epoch = 1;
  }
}

brink_status brink__memo_put(brink__graph *g, expr_memo *m, brink__node n, int32_t to)
{
  if ((size_t)n >= m->cap) {
    size_t old = m->cap;
    BRINK_TRY(brink__grow(g->ctx, (void **)&m->entry, &m->cap,
                          brink__zmax(g->cap, g->n), sizeof *m->entry));
    memset(m->entry + old, 0, (m->cap - old) * sizeof *m->entry);
  }
  m->entry[n] = (struct expr_entry){m->epoch, to};
  return BRINK_OK;
}

brink_status brink__push(brink__graph *g, int32_t n)
{
  if (g->n_stack == g->stack_cap)
    BRINK_TRY(brink__grow(g->ctx, (void **)&g->stack, &g->stack_cap, g->n_stack + 1,
                          sizeof *g->stack));
  g->stack[g->n_stack++] = n;
  return BRINK_OK;
}
