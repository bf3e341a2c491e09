/* schedule.c -- put instructions of one kind next to each other.
 *
 * An interpreter pays for every change of operator (a hard to predict jump), and
 * little for staying with one.  List scheduling: of the instructions whose operands
 * are done, take the operator with most of them ready, run it until none is left,
 * repeat.  An instruction may follow its operand within a run, because a run is
 * executed in order.  This is done window by window, so that operands stay in
 * cache on long tapes and the cost is linear.
 *
 * The order changes, the operations do not: results are the same to the bit.
 */
#include "expr/schedule.h"

#include <string.h>

enum {
  WINDOW = 2048, /* 16 kB of results: half a first-level cache */
  RUN_MAX = UINT16_MAX
};

typedef struct sched {
  size_t base, n;       /* the window: instructions base .. base + n - 1     */
  int32_t wait[WINDOW]; /* operands inside the window that are not done      */
  int32_t next[WINDOW]; /* next in the queue of its operator                 */
  int32_t user[WINDOW]; /* first edge to a user                              */
  int32_t edge_to[3 * WINDOW], edge_next[3 * WINDOW];
  int32_t head[BRINK__N_OPS], tail[BRINK__N_OPS], ready[BRINK__N_OPS];
  int32_t order[WINDOW];   /* the result                                        */
  expr_instr code[WINDOW]; /* copies, to permute from */
  brink__node node[WINDOW];
} sched;

static void enqueue(sched *s, const expr_instr *code, int32_t i)
{
  unsigned op = code[i].op;

  s->next[i] = -1;
  if (s->head[op] < 0)
    s->head[op] = i;
  else
    s->next[s->tail[op]] = i;
  s->tail[op] = i;
  s->ready[op]++;
}

/* Who waits for whom, inside the window. */
static void connect(sched *s, const expr_instr *code, size_t first_slot)
{
  int32_t edges = 0;

  for (size_t i = 0; i < s->n; i++) {
    const uint32_t arg[3] = {code[i].a, code[i].b, code[i].c};
    s->wait[i] = 0;
    s->user[i] = -1;
    for (int j = 0; j < brink__op_arity((brink__op)code[i].op); j++)
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

  for (int op = 1; op < BRINK__N_OPS; op++)
    if (s->ready[op] > s->ready[best])
      best = op;
  return best;
}

static void arrange(sched *s, const expr_instr *code)
{
  for (int op = 0; op < BRINK__N_OPS; op++) {
    s->head[op] = -1;
    s->ready[op] = 0;
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->wait[i] == 0)
      enqueue(s, code, (int32_t)i);
  for (size_t done = 0; done < s->n;) {
    int op = busiest(s);
    while (s->head[op] >= 0) {
      int32_t i = s->head[op];
      s->head[op] = s->next[i];
      s->ready[op]--;
      s->order[done++] = i;
      for (int32_t e = s->user[i]; e >= 0; e = s->edge_next[e])
        if (--s->wait[s->edge_to[e]] == 0)
          enqueue(s, code, s->edge_to[e]);
    }
  }
}

/* Permute the window; to[old] = new, for all instructions so far. */
static void permute(sched *s, brink__tape *t, uint32_t *to)
{
  expr_instr *code = t->code + s->base;
  brink__node *node = t->node + s->base;

  memcpy(s->code, code, s->n * sizeof *code);
  memcpy(s->node, node, s->n * sizeof *node);
  for (size_t i = 0; i < s->n; i++) {
    size_t old = (size_t)s->order[i];
    code[i] = s->code[old];
    node[i] = s->node[old];
    to[s->base + old] = (uint32_t)(s->base + i);
  }
}

static uint32_t moved(const brink__tape *t, const uint32_t *to, uint32_t slot)
{
  return slot < t->first ? slot : (uint32_t)t->first + to[slot - t->first];
}

static void renumber(brink__tape *t, const uint32_t *to)
{
  for (size_t i = 0; i < t->n_code; i++) {
    expr_instr *ip = &t->code[i];
    ip->a = moved(t, to, ip->a);
    ip->b = moved(t, to, ip->b);
    ip->c = moved(t, to, ip->c);
  }
  for (size_t i = 0; i < t->n_roots; i++)
    t->root[i] = moved(t, to, t->root[i]);
}

static void count_runs(brink__tape *t)
{
  for (size_t i = t->n_code; i-- > 0;) {
    expr_instr *ip = &t->code[i];
    int again = i + 1 < t->n_code && ip[1].op == ip->op && ip[1].run < RUN_MAX;
    ip->run = again ? (uint16_t)(ip[1].run + 1) : 1;
  }
}

brink_status brink__schedule(brink_ctx *ctx, brink__tape *t)
{
  size_t size = brink__need(brink__need(0, 1, sizeof(sched)), t->n_code, 4);
  brink__block b;

  BRINK_TRY(brink__block_new(ctx, size, &b));
  sched *s = brink__carve(&b, 1, sizeof *s);
  uint32_t *to = brink__carve(&b, t->n_code, sizeof *to);
  for (s->base = 0; s->base < t->n_code; s->base += s->n) {
    s->n = t->n_code - s->base < WINDOW ? t->n_code - s->base : WINDOW;
    connect(s, t->code + s->base, t->first + s->base);
    arrange(s, t->code + s->base);
    permute(s, t, to);
  }
  renumber(t, to);
  count_runs(t);
  brink__block_drop(&b);
  return BRINK_OK;
}
