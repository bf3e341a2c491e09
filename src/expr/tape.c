/* tape.c -- compiling roots to a tape.
 *
 * A depth-first walk (explicit stack) lists the nodes below the roots, operands
 * first; each becomes one instruction, shared subexpressions once.  A symbol that
 * is somebody's target is followed to its definition.  x^n is multiplied out here
 * (brink__power), conversions vanish.  Then what conditions make unnecessary is put
 * behind skips (branch.c), instructions are reordered into runs (schedule.c), and
 * activity is decided: what does not depend on a symbol that moves has no higher Taylor
 * coefficients, and no companions.
 *
 * Slots: symbols | constants | results, in order | companions of jets.
 * Cost: linear in the nodes below the roots, n_roots log n_roots for targets.
 */
#include "expr/branch.h"
#include "expr/inner.h"
#include "expr/schedule.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN = -1 }; /* memo of a node whose operands are being listed */

typedef struct definition {
  int32_t target;
  brink__node root;
} definition;

typedef struct compiler {
  brink__graph *g;
  const brink__tape_spec *spec;
  definition *def; /* [n_def] sorted by target */
  size_t n_def;
  int32_t *op; /* [n_op] nodes that compute, operands first */
  size_t n_op, op_cap;
  int32_t *konst; /* [n_konst] constant nodes */
  size_t n_konst, konst_cap;
  expr_plan plan; /* entry == NULL: no skips */
} compiler;

/* --------------------------------------------------------- definitions ---- */

static int by_target(const void *x, const void *y)
{
  const definition *a = x, *b = y;
  return (a->target > b->target) - (a->target < b->target);
}

static brink_status define(compiler *c)
{
  const brink__tape_spec *s = c->spec;
  brink_ctx *ctx = c->g->ctx;

  for (size_t i = 0; i < s->n_roots; i++)
    if (s->roots[i] <= 0 || (size_t)s->roots[i] >= c->g->n)
      return brink__fail(&ctx->err, BRINK_EARG, "root %zu is no expression", i);
  if (!s->targets || s->n_roots == 0)
    return BRINK_OK;
  c->def = brink__alloc(ctx, s->n_roots * sizeof *c->def);
  if (!c->def)
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory: %zu roots", s->n_roots);
  for (size_t i = 0; i < s->n_roots; i++)
    if (s->targets[i] >= 0)
      c->def[c->n_def++] = (definition){s->targets[i], s->roots[i]};
  qsort(c->def, c->n_def, sizeof *c->def, by_target);
  for (size_t i = 0; i < c->n_def; i++) {
    if ((size_t)c->def[i].target >= s->n_symbols)
      return brink__fail(&ctx->err, BRINK_EARG, "target %d is no symbol",
                         (int)c->def[i].target);
    if (i && c->def[i].target == c->def[i - 1].target)
      return brink__fail(&ctx->err, BRINK_EARG, "symbol %d is assigned twice",
                         (int)c->def[i].target);
  }
  return BRINK_OK;
}

/* What defines the symbol, or BRINK__NONE. */
static brink__node definition_of(const compiler *c, int32_t symbol)
{
  definition key = {.target = symbol};

  if (!c->n_def)
    return BRINK__NONE;
  const definition *d = bsearch(&key, c->def, c->n_def, sizeof key, by_target);
  return d ? d->root : BRINK__NONE;
}

/* ------------------------------------------------------------- listing ---- */

/* A node that n is only another name for, or BRINK__NONE.  *bad: no memory. */
static brink__node alias(compiler *c, brink__node n, int *bad)
{
  brink__graph *g = c->g;
  brink__op op = expr_op(g, n);

  if (op == BRINK_OP_SYMBOL)
    return definition_of(c, brink__node_symbol(g, n));
  if (op == BRINK_OP_REAL || op == BRINK_OP_ORDINAL)
    return expr_arg(g, n, 0);
  if (op != BRINK_OP_POWI)
    return BRINK__NONE;
  double e = brink__node_value(g, expr_arg(g, n, 1));
  brink__node p = brink__power(g, expr_arg(g, n, 0), (int)e);
  *bad = !p;
  return p;
}

/* Follow aliases that are listed already. */
static brink__node resolve(const compiler *c, brink__node n)
{
  const brink__graph *g = c->g;
  brink__op op = expr_op(g, n);

  if (op == BRINK_OP_REAL || op == BRINK_OP_ORDINAL || op == BRINK_OP_POWI)
    return expr_memo_get(&g->walk, n);
  if (op == BRINK_OP_SYMBOL && expr_memo_get(&g->walk, n))
    return expr_memo_get(&g->walk, n);
  return n;
}

static brink_status cycle(const compiler *c, brink__node n)
{
  return brink__fail(&c->g->ctx->err, BRINK_EARG,
                     "symbol %d is defined in terms of itself",
                     (int)brink__node_symbol(c->g, n));
}

/* Push what must be listed before n. */
static brink_status need(compiler *c, brink__node n)
{
  brink__graph *g = c->g;
  int bad = 0;
  brink__node other = alias(c, n, &bad);

  if (bad)
    return BRINK_ENOMEM;
  if (other) {
    if (expr_memo_has(&g->walk, other) && expr_memo_get(&g->walk, other) == OPEN)
      return cycle(c, expr_op(g, n) == BRINK_OP_SYMBOL ? n : other);
    return brink__push(g, other);
  }
  for (int i = expr_arity(g, n) - 1; i >= 0; i--) {
    brink__node a = expr_arg(g, n, i);
    if (!expr_memo_has(&g->walk, a))
      BRINK_TRY(brink__push(g, a));
    else if (expr_memo_get(&g->walk, a) == OPEN)
      return cycle(c, a);
  }
  return BRINK_OK;
}

/* All operands of n are listed: list n. */
static brink_status list(compiler *c, brink__node n)
{
  brink__graph *g = c->g;
  brink_ctx *ctx = g->ctx;
  brink__op op = expr_op(g, n);
  int bad = 0;
  brink__node other = alias(c, n, &bad);

  if (bad)
    return BRINK_ENOMEM;
  if (other)
    return brink__memo_put(g, &g->walk, n, resolve(c, other));
  if (op == BRINK_OP_SYMBOL) {
    if ((size_t)brink__node_symbol(g, n) >= c->spec->n_symbols)
      return brink__fail(&ctx->err, BRINK_EARG, "symbol %d is beyond n_symbols = %zu",
                         (int)brink__node_symbol(g, n), c->spec->n_symbols);
    return brink__memo_put(g, &g->walk, n, 0);
  }
  int leaf = op == BRINK_OP_CONST;
  int32_t **array = leaf ? &c->konst : &c->op;
  size_t *cap = leaf ? &c->konst_cap : &c->op_cap;
  size_t *count = leaf ? &c->n_konst : &c->n_op;
  BRINK_TRY(brink__grow(ctx, (void **)array, cap, *count + 1, sizeof **array));
  (*array)[*count] = n;
  return brink__memo_put(g, &g->walk, n, (int32_t)(*count)++);
}

static brink_status walk(compiler *c)
{
  brink__graph *g = c->g;

  brink__memo_start(&g->walk);
  for (size_t i = 0; i < c->spec->n_roots; i++) {
    g->n_stack = 0;
    BRINK_TRY(brink__push(g, c->spec->roots[i]));
    while (g->n_stack) {
      brink__node n = expr_top(g);
      if (!expr_memo_has(&g->walk, n)) {
        BRINK_TRY(brink__memo_put(g, &g->walk, n, OPEN));
        BRINK_TRY(need(c, n));
        continue;
      }
      if (expr_memo_get(&g->walk, n) == OPEN)
        BRINK_TRY(list(c, n));
      g->n_stack--;
    }
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------ emitting ---- */

static int is_instruction(const compiler *c, brink__node n)
{
  brink__op op = expr_op(c->g, n);
  return op != BRINK_OP_SYMBOL && op != BRINK_OP_CONST;
}

/* Decide about skips; afterwards the memo of a node is its place in the code. */
static brink_status plan(compiler *c)
{
  expr_plan *p = &c->plan;
  size_t n = p->n = c->n_op;
  int lazy = 0;

  for (size_t i = 0; i < n; i++) {
    brink__op op = expr_op(c->g, c->op[i]);
    lazy |= op == BRINK_OP_SELECT || op == BRINK_OP_AND || op == BRINK_OP_OR;
  }
  if (!lazy)
    return BRINK_OK;
  size_t size = brink__need(brink__need(brink__need(0, n, 1), n, 1), 3 * n, 4);
  BRINK_TRY(brink__block_new(c->g->ctx, size, &p->in));
  p->op = brink__carve(&p->in, n, 1);
  p->is_root = brink__carve(&p->in, n, 1);
  p->arg = brink__carve(&p->in, 3 * n, sizeof *p->arg);
  for (size_t i = 0; i < n; i++) {
    p->op[i] = c->g->node[c->op[i]].op;
    for (int j = 0; j < expr_arity(c->g, c->op[i]); j++) {
      brink__node a = resolve(c, expr_arg(c->g, c->op[i], j));
      p->arg[3 * i + (size_t)j] =
          is_instruction(c, a) ? expr_memo_get(&c->g->walk, a) : -1;
    }
  }
  for (size_t i = 0; i < c->spec->n_roots; i++) {
    brink__node a = resolve(c, c->spec->roots[i]);
    if (is_instruction(c, a))
      p->is_root[expr_memo_get(&c->g->walk, a)] = 1;
  }
  BRINK_TRY(brink__branches(c->g->ctx, p));
  for (size_t i = 0; i < p->n_entry; i++)
    if (p->entry[i] >= 0)
      BRINK_TRY(brink__memo_put(c->g, &c->g->walk, c->op[p->entry[i]], (int32_t)i));
  return BRINK_OK;
}

static size_t code_length(const compiler *c)
{
  return c->plan.entry ? c->plan.n_entry : c->n_op;
}

static brink_status take(compiler *c, brink__tape **out)
{
  size_t n = code_length(c), m = c->spec->n_roots, size = 0;
  brink__block b;

  size = brink__need(size, 1, sizeof(brink__tape));
  size = brink__need(size, c->n_konst, sizeof(double));
  size = brink__need(size, n, sizeof(expr_instr));
  size = brink__need(size, n, sizeof(brink__node));
  size = brink__need(size, n, sizeof(uint32_t));
  size = brink__need(size, n, 1);
  size = brink__need(size, m, sizeof(uint32_t));
  size = brink__need(size, m, sizeof(uint32_t));
  size = brink__need(size, m, sizeof(brink__node));
  size = brink__need(size, m, 1);
  size = brink__need(size, m, sizeof(expr_span));
  BRINK_TRY(brink__block_new(c->g->ctx, size, &b));
  brink__tape *t = brink__carve(&b, 1, sizeof *t);
  t->n_symbols = c->spec->n_symbols;
  t->n_consts = c->n_konst;
  t->first = t->n_symbols + t->n_consts;
  t->n_code = n;
  t->n_roots = m;
  t->consts = brink__carve(&b, c->n_konst, sizeof(double));
  t->code = brink__carve(&b, n, sizeof *t->code);
  t->node = brink__carve(&b, n, sizeof *t->node);
  t->aux = brink__carve(&b, n, sizeof *t->aux);
  t->on = brink__carve(&b, n, 1);
  t->root = brink__carve(&b, m, sizeof *t->root);
  t->target = brink__carve(&b, m, sizeof *t->target);
  t->root_node = brink__carve(&b, m, sizeof *t->root_node);
  t->root_on = brink__carve(&b, m, 1);
  t->span = brink__carve(&b, m, sizeof *t->span);
  t->block = b;
  *out = t;
  return BRINK_OK;
}

static uint32_t slot(const compiler *c, const brink__tape *t, brink__node n)
{
  n = resolve(c, n);
  int32_t to = expr_memo_get(&c->g->walk, n);
  if (expr_op(c->g, n) == BRINK_OP_SYMBOL)
    return (uint32_t)brink__node_symbol(c->g, n);
  if (expr_op(c->g, n) == BRINK_OP_CONST)
    return (uint32_t)(t->n_symbols + (size_t)to);
  return (uint32_t)(t->first + (size_t)to);
}

static expr_instr instruction(const compiler *c, const brink__tape *t, brink__node n)
{
  uint32_t arg[3] = {0, 0, 0};

  for (int j = 0; j < expr_arity(c->g, n); j++)
    arg[j] = slot(c, t, expr_arg(c->g, n, j));
  return (expr_instr){
      .op = c->g->node[n].op, .run = 1, .a = arg[0], .b = arg[1], .c = arg[2]};
}

static expr_instr skip(const compiler *c, const brink__tape *t, expr_skip k)
{
  brink__node condition = expr_arg(c->g, c->op[k.owner], 0);

  return (expr_instr){.op = EXPR_SKIP,
                      .run = 1,
                      .a = slot(c, t, condition),
                      .b = (uint32_t)k.count,
                      .c = (uint32_t)k.value};
}

static void emit(const compiler *c, brink__tape *t)
{
  for (size_t i = 0; i < c->n_konst; i++)
    t->consts[i] = brink__node_value(c->g, c->konst[i]);
  for (size_t i = 0; i < t->n_code; i++) {
    int32_t e = c->plan.entry ? c->plan.entry[i] : (int32_t)i;
    t->node[i] = e < 0 ? BRINK__NONE : c->op[e];
    t->code[i] = e < 0 ? skip(c, t, c->plan.skip[-1 - e]) : instruction(c, t, c->op[e]);
  }
  for (size_t i = 0; i < t->n_roots; i++) {
    t->root_node[i] = c->spec->roots[i];
    t->root[i] = slot(c, t, c->spec->roots[i]);
  }
}

/* ------------------------------------------------------------ finishing ---- */

static int moves(const brink__tape *t, const unsigned char *fixed, size_t s)
{
  if (s < t->n_symbols)
    return !fixed || !fixed[s];
  return s >= t->first && t->on[s - t->first] != 0;
}

static size_t companions(const expr_instr *ip, unsigned on)
{
  static const unsigned char count[] = {
#define OP(name, text, arity, typing, companions) companions,
#include "expr/ops.def"
  };
  if (!on || (ip->op == BRINK_OP_POW && !(on & EXPR_ON_B)))
    return 0;
  return count[ip->op];
}

/* Runs in step that are alike in what changes. */
static void mark_alike(brink__tape *t)
{
  for (size_t i = 0, n; i < t->n_code; i += n) {
    expr_instr *ip = &t->code[i];
    size_t same = 1;
    n = ip->run;
    while (same < n && t->on[i + same] == t->on[i])
      same++;
    for (size_t j = 0; j < n && ip->in_step && same == n; j++)
      ip[j].in_step = EXPR_ALIKE;
  }
}

static void activity(brink__tape *t, const brink__tape_spec *spec)
{
  size_t next = t->first + t->n_code;

  for (size_t i = 0; i < t->n_code; i++) {
    const expr_instr *ip = &t->code[i];
    int arity = ip->op == EXPR_SKIP ? 0 : expr_instr_arity(ip);
    unsigned on = 0;
    if (arity > 0 && moves(t, spec->fixed, ip->a))
      on |= EXPR_ON_A;
    if (arity > 1 && moves(t, spec->fixed, ip->b))
      on |= EXPR_ON_B;
    if (arity > 2 && moves(t, spec->fixed, ip->c))
      on |= EXPR_ON_C;
    t->on[i] = (unsigned char)on;
    t->aux[i] = (uint32_t)next;
    next += companions(ip, on);
  }
  t->n_aux = next - t->first - t->n_code;
  t->n_slots = next;
  for (size_t i = 0; i < t->n_roots; i++) {
    int32_t target = spec->targets ? spec->targets[i] : -1;
    t->target[i] = target < 0 ? t->root[i] : (uint32_t)target;
    t->root_on[i] = (unsigned char)moves(t, spec->fixed, t->root[i]);
  }
}

static void spans(brink__tape *t)
{
  for (size_t i = 0; i < t->n_roots; i++) {
    expr_span *last = t->n_spans ? &t->span[t->n_spans - 1] : NULL;
    if (last && t->root[i] == last->root + last->n &&
        t->target[i] == last->target + last->n)
      last->n++;
    else
      t->span[t->n_spans++] = (expr_span){t->root[i], t->target[i], 1};
  }
}

static brink_status compile(compiler *c, brink__tape **out)
{
  BRINK_TRY(define(c));
  BRINK_TRY(walk(c));
  BRINK_TRY(plan(c));
  if (c->spec->n_symbols + c->n_konst + 3 * code_length(c) > UINT32_MAX)
    return brink__fail(&c->g->ctx->err, BRINK_EARG,
                       "a tape holds at most 2^32 numbers");
  BRINK_TRY(take(c, out));
  emit(c, *out);
  BRINK_TRY(brink__schedule(c->g->ctx, *out));
  activity(*out, c->spec);
  mark_alike(*out);
  spans(*out);
  return BRINK_OK;
}

/* ---------------------------------------------------------------- face ---- */

brink_status brink__tape_new(brink__graph *g, const brink__tape_spec *spec,
                             brink__tape **out)
{
  compiler c = {.g = g, .spec = spec};

  *out = NULL;
  brink_status rc = compile(&c, out);
  brink__free(g->ctx, c.def, spec->n_roots * sizeof *c.def);
  brink__free(g->ctx, c.op, c.op_cap * sizeof *c.op);
  brink__free(g->ctx, c.konst, c.konst_cap * sizeof *c.konst);
  brink__block_drop(&c.plan.in);
  brink__block_drop(&c.plan.out);
  if (rc < 0) {
    brink__tape_free(*out);
    *out = NULL;
  }
  return rc;
}

void brink__tape_free(brink__tape *tape)
{
  if (!tape)
    return;
  brink__block b = tape->block; /* the tape lies in it */
  brink__block_drop(&b);
}

size_t brink__tape_slots(const brink__tape *tape) { return tape->n_slots; }

size_t brink__tape_slot(const brink__tape *tape, size_t root)
{
  return tape->target[root];
}

size_t brink__tape_n_roots(const brink__tape *tape) { return tape->n_roots; }

size_t brink__tape_length(const brink__tape *tape) { return tape->n_code; }
