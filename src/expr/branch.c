/* branch.c -- leaving out what a condition makes unnecessary.
 *
 * Poison (value.c) keeps an operand that is not needed from failing; this keeps it
 * from costing.  A *region* is what only one operand of an `if`, `and` or `or` needs.
 * Walking from users to operands, the region of an instruction is the lowest region
 * that contains all its users (regions form a tree), so what two branches share is
 * computed before both.  A region that is worth it becomes a block behind a skip;
 * small ones are computed always, which is cheaper than breaking up runs.
 *
 * Cost: O(n NEST_MAX), NEST_MAX being the deepest nesting of blocks; what lies deeper
 * belongs to the block at that depth.
 */
#include "expr/branch.h"

enum {
  NEST_MAX = 64,
  WORTH = 24 /* additions; a jump that was not foreseen costs about as much */
};

typedef struct region {
  int32_t parent, depth;
  int32_t owner;  /* the instruction it belongs to */
  int32_t value;  /* of the condition that makes it unnecessary */
  int32_t weight; /* in additions, with the regions inside */
  int32_t first;  /* instruction, then next[]; -1: none */
  int32_t kept;   /* region that takes its instructions: itself or an outer one */
} region;

typedef struct split {
  const expr_plan *p;
  region *region; /* [n_region], 0 is the whole; outer regions first */
  size_t n_region, cap_region;
  int32_t *of;    /* [n] region of an instruction, -1: not known yet */
  int32_t *next;  /* [n] in its region */
  int32_t *child; /* [n][2] region of operand 1, 2; 0: none */
} split;

static int is_lazy(brink__op op)
{
  return op == BRINK_OP_SELECT || op == BRINK_OP_AND || op == BRINK_OP_OR;
}

static int weight(brink__op op)
{
  enum { PLAIN = 1, DIVISION = 4, FUNCTION = 12 };

  if (op == BRINK_OP_DIV || op == BRINK_OP_SQRT)
    return DIVISION;
  /* ORDER ops */
  return (op >= BRINK_OP_SIN && op <= BRINK_OP_LOG10) || op == BRINK_OP_POW ? FUNCTION
                                                                            : PLAIN;
}

/* ------------------------------------------------------------- regions ---- */

/* The region of operand j of instruction i; -1: no memory. */
static int32_t inner(brink_ctx *ctx, split *s, size_t i, int j)
{
  brink__op op = (brink__op)s->p->op[i];
  int32_t here = s->of[i];

  if (!is_lazy(op) || j == 0 || s->region[here].depth >= NEST_MAX)
    return here;
  int32_t *child = &s->child[2 * i + (size_t)j - 1];
  if (*child)
    return *child;
  if (brink__grow(ctx, (void **)&s->region, &s->cap_region, s->n_region + 1,
                  sizeof *s->region) < 0)
    return -1;
  *child = (int32_t)s->n_region;
  s->region[s->n_region++] = (region){.parent = here,
                                      .depth = s->region[here].depth + 1,
                                      .owner = (int32_t)i,
                                      .value = op == BRINK_OP_OR || j == 2,
                                      .first = -1};
  return *child;
}

static int32_t common(const split *s, int32_t a, int32_t b)
{
  while (a != b)
    if (s->region[a].depth >= s->region[b].depth)
      a = s->region[a].parent;
    else
      b = s->region[b].parent;
  return a;
}

static brink_status assign(brink_ctx *ctx, split *s)
{
  const expr_plan *p = s->p;

  for (size_t i = 0; i < p->n; i++)
    s->of[i] = p->is_root[i] ? 0 : -1;
  for (size_t i = p->n; i-- > 0;)
    for (int j = 0; j < brink__op_arity((brink__op)p->op[i]); j++) {
      int32_t a = p->arg[3 * i + (size_t)j];
      if (a < 0)
        continue;
      int32_t r = inner(ctx, s, i, j);
      if (r < 0)
        return BRINK_ENOMEM;
      s->of[a] = s->of[a] < 0 ? r : common(s, s->of[a], r);
    }
  return BRINK_OK;
}

/* Which regions are worth a skip, and who is in them, in order. */
static void weigh(split *s)
{
  const expr_plan *p = s->p;

  for (size_t i = 0; i < p->n; i++)
    s->region[s->of[i]].weight += weight((brink__op)p->op[i]);
  for (size_t r = s->n_region; r-- > 1;)
    s->region[s->region[r].parent].weight += s->region[r].weight;
  for (size_t r = 1; r < s->n_region; r++) {
    region *x = &s->region[r];
    x->kept = x->weight >= WORTH ? (int32_t)r : s->region[x->parent].kept;
  }
  for (size_t i = p->n; i-- > 0;) {
    region *x = &s->region[s->region[s->of[i]].kept];
    s->next[i] = x->first;
    x->first = (int32_t)i;
  }
}

/* ------------------------------------------------------------- entries ---- */

/* a region that is being written: the next instruction, and which of its own blocks
 * have been */
typedef struct frame {
  int32_t at, blocks, skip;
} frame;

static void open_block(expr_plan *p, const region *r, frame *f)
{
  *f = (frame){.at = r->first, .blocks = 0, .skip = (int32_t)p->n_skip};
  p->skip[p->n_skip] =
      (expr_skip){.owner = r->owner, .count = (int32_t)p->n_entry, .value = r->value};
  p->entry[p->n_entry++] = -1 - (int32_t)p->n_skip++;
}

static void write_entries(const split *s, expr_plan *p)
{
  frame stack[NEST_MAX + 1];
  int top = 0;

  stack[0] = (frame){.at = s->region[0].first, .skip = -1};
  while (top >= 0) {
    frame *f = &stack[top];
    if (f->at < 0) {
      if (f->skip >= 0) { /* count holds where the skip stands */
        expr_skip *k = &p->skip[f->skip];
        k->count = (int32_t)p->n_entry - k->count - 1;
      }
      top--;
    } else if (f->blocks < 2) {
      int32_t r = s->child[2 * f->at + f->blocks++];
      if (r && s->region[r].kept == r && s->region[r].first >= 0)
        open_block(p, &s->region[r], &stack[++top]);
    } else {
      p->entry[p->n_entry++] = f->at;
      f->at = s->next[f->at];
      f->blocks = 0;
    }
  }
}

static void straight(expr_plan *p)
{
  for (size_t i = 0; i < p->n; i++)
    p->entry[p->n_entry++] = (int32_t)i;
}

static brink_status fill(brink_ctx *ctx, split *s, expr_plan *p)
{
  BRINK_TRY(brink__grow(ctx, (void **)&s->region, &s->cap_region, 1, sizeof(region)));
  s->region[0] = (region){.first = -1};
  s->n_region = 1;
  BRINK_TRY(assign(ctx, s));
  weigh(s);
  size_t n = s->n_region;
  size_t size =
      brink__need(brink__need(0, p->n + n, sizeof *p->entry), n, sizeof *p->skip);
  BRINK_TRY(brink__block_new(ctx, size, &p->out));
  p->entry = brink__carve(&p->out, p->n + n, sizeof *p->entry);
  p->skip = brink__carve(&p->out, n, sizeof *p->skip);
  if (n > 1)
    write_entries(s, p);
  else
    straight(p);
  return BRINK_OK;
}

brink_status brink__branches(brink_ctx *ctx, expr_plan *p)
{
  size_t n = p->n, size = brink__need(brink__need(0, n, 4), n, 4);
  split s = {.p = p};
  brink__block b;

  BRINK_TRY(brink__block_new(ctx, brink__need(size, 2 * n, 4), &b));
  s.of = brink__carve(&b, n, sizeof *s.of);
  s.next = brink__carve(&b, n, sizeof *s.next);
  s.child = brink__carve(&b, 2 * n, sizeof *s.child);
  brink_status rc = fill(ctx, &s, p);
  brink__free(ctx, s.region, s.cap_region * sizeof *s.region);
  brink__block_drop(&b);
  return rc;
}
