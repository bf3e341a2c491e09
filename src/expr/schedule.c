/* schedule.c -- put instructions of one kind next to each other.
 *
 * An interpreter pays for every change of operator (a hard to predict jump), and
 * little for staying with one; and least when operands lie in step, because then
 * nobody needs to look them up.  Models repeat themselves: the same expression for
 * each star, mass, cell.  So each instruction has a colour, a hash of the shape of
 * its expression, the same for all copies.  List scheduling: of the instructions
 * whose operands are done, take the colour with most of them ready, run it until
 * none is left, repeat.  An instruction may follow its operand within a run, because
 * a run is executed in order.  This is done window by window, so that operands stay
 * in cache on long tapes and the cost is linear.
 *
 * The order changes, the operations do not: results are the same to the bit.
 */
#include "expr/schedule.h"

#include <stdlib.h>
#include <string.h>

enum {
  WINDOW = 2048, /* 16 kB of results: half a first-level cache  */
  COLOURS = 128, /* queues; two colours may share one           */
  STEP_MIN = 8,  /* shorter runs in step are not worth a change */
  RUN_MAX = UINT16_MAX
};

typedef struct ready_item {
  uint64_t key; /* where its operands lie */
  int32_t i;
} ready_item;

typedef struct sched {
  size_t base, n;        /* the window: instructions base .. base + n - 1           */
  int32_t *wait;         /* [w] operands inside the window that are not done        */
  int32_t *next;         /* [w] next in the queue of its colour                     */
  int32_t *user;         /* [w] first edge to a user                                */
  int32_t *edge_to;      /* [3 w]                                                   */
  int32_t *edge_next;    /* [3 w]                                                   */
  uint32_t *colour;      /* [w]                                                     */
  int32_t *order;        /* [w] the result                                          */
  ready_item *item;      /* [w] of the queue that is being emptied                  */
  expr_instr *code;      /* [w] copies, to permute from                             */
  brink__node *node;     /* [w]                                                     */
  unsigned char *border; /* [n_code + 1] no run or window goes across           */
  uint32_t *to;          /* [n_code] new place of every instruction                 */
  int32_t head[COLOURS], tail[COLOURS], ready[COLOURS];
  brink__block block; /* all of it */
} sched;

static brink_status take(brink_ctx *ctx, size_t n_code, size_t w, sched *s)
{
  size_t size = 0;

  for (int i = 0; i < 5; i++)
    size = brink__need(size, w, sizeof(int32_t));
  size = brink__need(size, 3 * w, sizeof(int32_t));
  size = brink__need(size, 3 * w, sizeof(int32_t));
  size = brink__need(size, w, sizeof(ready_item));
  size = brink__need(size, w, sizeof(expr_instr));
  size = brink__need(size, w, sizeof(brink__node));
  size = brink__need(size, n_code, sizeof(uint32_t));
  size = brink__need(size, n_code + 1, 1);
  BRINK_TRY(brink__block_new(ctx, size, &s->block));
  s->wait = brink__carve(&s->block, w, sizeof *s->wait);
  s->next = brink__carve(&s->block, w, sizeof *s->next);
  s->user = brink__carve(&s->block, w, sizeof *s->user);
  s->colour = brink__carve(&s->block, w, sizeof *s->colour);
  s->order = brink__carve(&s->block, w, sizeof *s->order);
  s->edge_to = brink__carve(&s->block, 3 * w, sizeof *s->edge_to);
  s->edge_next = brink__carve(&s->block, 3 * w, sizeof *s->edge_next);
  s->item = brink__carve(&s->block, w, sizeof *s->item);
  s->code = brink__carve(&s->block, w, sizeof *s->code);
  s->node = brink__carve(&s->block, w, sizeof *s->node);
  s->to = brink__carve(&s->block, n_code, sizeof *s->to);
  s->border = brink__carve(&s->block, n_code + 1, 1);
  return BRINK_OK;
}

static void enqueue(sched *s, int32_t i)
{
  unsigned q = s->colour[i] % COLOURS;

  s->next[i] = -1;
  if (s->head[q] < 0)
    s->head[q] = i;
  else
    s->next[s->tail[q]] = i;
  s->tail[q] = i;
  s->ready[q]++;
}

/* Operands from outside the window count as leaves. */
static uint32_t colour_of(const sched *s, size_t first_slot, uint32_t slot)
{
  enum { SYMBOL_OR_CONST = 1, EARLIER = 2 };

  if (slot >= first_slot)
    return s->colour[slot - first_slot];
  return slot < first_slot - s->base ? SYMBOL_OR_CONST : EARLIER;
}

static void colour(sched *s, const expr_instr *code, size_t first_slot)
{
  for (size_t i = 0; i < s->n; i++) {
    const uint32_t arg[3] = {code[i].a, code[i].b, code[i].c};
    uint32_t h = code[i].op;
    for (int j = 0; j < expr_instr_arity(&code[i]); j++)
      h = (h ^ colour_of(s, first_slot, arg[j])) * 0x9E3779B1u;
    s->colour[i] = h ^ (h >> 15);
  }
}

/* Who waits for whom, inside the window. */
static void connect(sched *s, const expr_instr *code, size_t first_slot)
{
  int32_t edges = 0;

  for (size_t i = 0; i < s->n; i++) {
    const uint32_t arg[3] = {code[i].a, code[i].b, code[i].c};
    s->wait[i] = 0;
    s->user[i] = -1;
    for (int j = 0; j < expr_instr_arity(&code[i]); j++)
      if (arg[j] >= first_slot && arg[j] < first_slot + i) {
        size_t from = arg[j] - first_slot;
        s->edge_to[edges] = (int32_t)i;
        s->edge_next[edges] = s->user[from];
        s->user[from] = edges++;
        s->wait[i]++;
      }
  }
}

static int busiest(const sched *s)
{
  int best = 0;

  for (int q = 1; q < COLOURS; q++)
    if (s->ready[q] > s->ready[best])
      best = q;
  return best;
}

/* Slot after reordering; known for what is scheduled, which operands are. */
static uint32_t moved(const brink__tape *t, const uint32_t *to, uint32_t slot)
{
  return slot < t->first ? slot : (uint32_t)t->first + to[slot - t->first];
}

static int by_key(const void *x, const void *y)
{
  const ready_item *a = x, *b = y;
  if (a->key != b->key)
    return a->key > b->key ? 1 : -1;
  return (a->i > b->i) - (a->i < b->i);
}

/* Empty a queue into s->item, ordered by operands so that they come in step. */
static size_t drain(sched *s, const brink__tape *t, const uint32_t *to, int q)
{
  size_t n = 0;

  for (int32_t i = s->head[q]; i >= 0; i = s->next[i]) {
    const expr_instr *ip = &t->code[s->base + (size_t)i];
    uint64_t b = moved(t, to, expr_instr_arity(ip) > 1 ? ip->b : ip->a);
    s->item[n++] = (ready_item){b << 32 | moved(t, to, ip->a), i};
  }
  s->head[q] = -1;
  s->ready[q] = 0;
  qsort(s->item, n, sizeof *s->item, by_key);
  return n;
}

/* Take the next queue after another; to[old] = new on the way. */
static void arrange(sched *s, const brink__tape *t, uint32_t *to)
{
  for (int q = 0; q < COLOURS; q++) {
    s->head[q] = -1;
    s->ready[q] = 0;
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->wait[i] == 0)
      enqueue(s, (int32_t)i);
  for (size_t done = 0; done < s->n;) {
    size_t n = drain(s, t, to, busiest(s));
    for (size_t k = 0; k < n; k++) {
      int32_t i = s->item[k].i;
      to[s->base + (size_t)i] = (uint32_t)(s->base + done);
      s->order[done++] = i;
      for (int32_t e = s->user[i]; e >= 0; e = s->edge_next[e])
        if (--s->wait[s->edge_to[e]] == 0)
          enqueue(s, s->edge_to[e]);
    }
  }
}

static void permute(sched *s, brink__tape *t)
{
  expr_instr *code = t->code + s->base;
  brink__node *node = t->node + s->base;

  memcpy(s->code, code, s->n * sizeof *code);
  memcpy(s->node, node, s->n * sizeof *node);
  for (size_t i = 0; i < s->n; i++) {
    code[i] = s->code[s->order[i]];
    node[i] = s->node[s->order[i]];
  }
}

static void renumber(brink__tape *t, const uint32_t *to)
{
  for (size_t i = 0; i < t->n_code; i++) {
    expr_instr *ip = &t->code[i];
    ip->a = moved(t, to, ip->a);
    if (ip->op == EXPR_SKIP)
      continue;
    ip->b = moved(t, to, ip->b);
    ip->c = moved(t, to, ip->c);
  }
  for (size_t i = 0; i < t->n_roots; i++)
    t->root[i] = moved(t, to, t->root[i]);
}

/* ---------------------------------------------------------------- runs ---- */

static int can_step(const expr_instr *ip)
{
  return ip->op == BRINK_OP_ADD || ip->op == BRINK_OP_SUB || ip->op == BRINK_OP_MUL ||
         ip->op == BRINK_OP_DIV || ip->op == BRINK_OP_POW || ip->op == BRINK_OP_SQRT;
}

/* Length of the run in step that starts at i. */
static size_t step_length(const brink__tape *t, const unsigned char *border, size_t i)
{
  const expr_instr *ip = &t->code[i];
  size_t left = t->n_code - i, n = 1;

  if (!can_step(ip))
    return 1;
  while (n < left && n < RUN_MAX && ip[n].op == ip->op && !border[i + n] &&
         ip[n].a - ip[n - 1].a == ip[1].a - ip->a &&
         ip[n].b - ip[n - 1].b == ip[1].b - ip->b)
    n++;
  return n;
}

static void count_runs(brink__tape *t, const unsigned char *border)
{
  for (size_t i = 0, n; i < t->n_code; i += n) {
    n = step_length(t, border, i);
    int worth = n >= STEP_MIN;
    n = worth ? n : 1;
    for (size_t j = 0; j < n; j++) {
      t->code[i + j].in_step = (uint8_t)worth;
      t->code[i + j].run = (uint16_t)(n - j);
    }
  }

  /* the others: as far as the operator goes */
  for (size_t i = t->n_code; i-- > 0;) {
    expr_instr *ip = &t->code[i];
    if (!ip->in_step && i + 1 < t->n_code && ip[1].op == ip->op && !ip[1].in_step &&
        !border[i + 1] && ip[1].run < RUN_MAX)
      ip->run = (uint16_t)(ip[1].run + 1);
  }
}

/* A skip stands alone, and its block by itself. */
static void set_borders(const brink__tape *t, unsigned char *border)
{
  for (size_t i = 0; i < t->n_code; i++)
    if (t->code[i].op == EXPR_SKIP)
      border[i] = border[i + 1] = border[i + 1 + t->code[i].b] = 1;
}

static size_t window(const brink__tape *t, const sched *s)
{
  size_t left = t->n_code - s->base, n = 1;

  while (n < left && n < WINDOW && !s->border[s->base + n])
    n++;
  return n;
}

brink_status brink__schedule(brink_ctx *ctx, brink__tape *t)
{
  size_t w = t->n_code < WINDOW ? t->n_code : WINDOW;
  sched s = {.base = 0};

  BRINK_TRY(take(ctx, t->n_code, w, &s));
  set_borders(t, s.border);
  for (s.base = 0; s.base < t->n_code; s.base += s.n) {
    s.n = window(t, &s);
    connect(&s, t->code + s.base, t->first + s.base);
    colour(&s, t->code + s.base, t->first + s.base);
    arrange(&s, t, s.to);
    permute(&s, t);
  }
  renumber(t, s.to);
  count_runs(t, s.border);
  brink__block_drop(&s.block);
  return BRINK_OK;
}
