/* expr/inner.h -- what the files of this room share: the shape of the graph and of
 * the tape.  Nobody outside includes it. */
#ifndef BRINK_EXPR_INNER_H
#define BRINK_EXPR_INNER_H

#include "expr/expr.h"

/* -------------------------------------------------------------- graph ---- */

/* Where calls of functions fit that are not inlined: one more line in ops.def whose
 * first argument is a constant (which function), the second a list node of arguments;
 * the tape then needs a table of functions beside its constants. */
typedef struct expr_node {
  union {
    double value;   /* CONST                                  */
    int32_t arg[2]; /* first two arguments, or 0; SYMBOL: id  */
  } u;
  int32_t third;  /* third argument, or 0            */
  int32_t origin; /* brink__graph_at at its making   */
  uint8_t op;     /* brink__op                       */
  uint8_t type;   /* brink__type                     */
} expr_node;

/* A map from nodes to numbers that is emptied by counting up. */
typedef struct expr_memo {
  struct expr_entry {
    uint32_t stamp; /* epoch in which `to` was written */
    int32_t to;
  } * entry; /* [cap] */
  size_t cap;
  uint32_t epoch; /* 0: never used */
} expr_memo;

struct brink__graph {
  brink_ctx *ctx;
  expr_node *node; /* [cap]; node[0] is no node              */
  size_t n, cap;
  int32_t *table; /* [table_size] open addressing; 0: empty */
  size_t table_size;
  int32_t origin;
  expr_memo walk;      /* free for every pass to use       */
  expr_memo diff;      /* derivatives with respect to ...  */
  int32_t diff_symbol; /* ... this symbol; -1: nothing     */
  int32_t *stack;      /* [stack_cap] of depth-first passes */
  size_t n_stack, stack_cap;
};

static inline brink__op expr_op(const brink__graph *g, brink__node n)
{
  return (brink__op)g->node[n].op;
}

static inline brink__node expr_arg(const brink__graph *g, brink__node n, int i)
{
  return i < 2 ? g->node[n].u.arg[i] : g->node[n].third;
}

/* Number of node arguments that a walk has to follow. */
static inline int expr_arity(const brink__graph *g, brink__node n)
{
  return brink__op_arity(expr_op(g, n));
}

static inline int expr_is_const(const brink__graph *g, brink__node n)
{
  return expr_op(g, n) == BRINK_OP_CONST;
}

/* Find or make the node as it is, without simplifying. */
brink__node brink__graph_intern(brink__graph *g, brink__op op, brink__type type,
                                brink__node a, brink__node b, brink__node c);

/* Empty a memo; put grows it as needed. */
void brink__memo_start(expr_memo *m);
brink_status brink__memo_put(brink__graph *g, expr_memo *m, brink__node n, int32_t to);

static inline int expr_memo_has(const expr_memo *m, brink__node n)
{
  return (size_t)n < m->cap && m->entry[n].stamp == m->epoch;
}

static inline int32_t expr_memo_get(const expr_memo *m, brink__node n)
{
  return m->entry[n].to;
}

brink_status brink__push(brink__graph *g, int32_t n);

static inline int32_t expr_pop(brink__graph *g) { return g->stack[--g->n_stack]; }
static inline int32_t expr_top(const brink__graph *g)
{
  return g->stack[g->n_stack - 1];
}

/* diff.c: the derivative of what n computes with respect to its operand number i. */
brink__node brink__partial(brink__graph *g, brink__node n, int i);

/* a^n by squaring and multiplying, as nodes: what POWI means. */
brink__node brink__power(brink__graph *g, brink__node a, int n);

/* --------------------------------------------------------------- tape ---- */

/* One instruction.  The result of instruction i goes to slot first + i.  `run` is
 * the number of instructions from here on that have the same op, so that evaluators
 * may decide once per run what to do.  In a run in step (of + - * / ^ sqrt only),
 * operands advance by the same distance from one instruction to the next. */
typedef struct expr_instr {
  uint8_t op;      /* brink__op, or EXPR_SKIP        */
  uint8_t in_step; /* is the run of this kind? 2: and alike in what changes with the
                    * variable of a jet                                         */
  uint16_t run;    /* >= 1; in step: >= 2            */
  uint32_t a, b, c;
} expr_instr;

enum { EXPR_ALIKE = 2 }; /* of in_step */

/* Leave out the next b instructions if operand a is exactly c (branch.c). */
enum { EXPR_SKIP = BRINK__N_OPS };

static inline int expr_instr_arity(const expr_instr *ip)
{
  return ip->op == EXPR_SKIP ? 1 : brink__op_arity((brink__op)ip->op);
}

/* activity: which operands change with the variable of a jet */
enum { EXPR_ON_A = 1, EXPR_ON_B = 2, EXPR_ON_C = 4, EXPR_ON = 7 };

/* Where Taylor coefficients stand: coefficient k of slot s is c[s * slot + k * w]. */
typedef struct expr_layout {
  size_t slot, w;
} expr_layout;

/* Roots whose slots and targets lie in step. */
typedef struct expr_span {
  uint32_t root, target, n;
} expr_span;

struct brink__tape {
  brink__block block; /* this struct and everything below    */
  size_t n_symbols;   /* slots of the caller                 */
  size_t n_consts;    /* the next slots: constants           */
  size_t first;       /* n_symbols + n_consts                */
  size_t n_code;      /* the next slots: results             */
  size_t n_aux;       /* the last slots: companions in jets  */
  size_t n_slots;
  size_t n_roots;
  double *consts;         /* [n_consts]                                        */
  expr_instr *code;       /* [n_code]                                          */
  brink__node *node;      /* [n_code] what instruction i computes               */
  unsigned char *on;      /* [n_code] EXPR_ON_*                                 */
  uint32_t *aux;          /* [n_code] first companion slot                      */
  uint32_t *root;         /* [n_roots] slot of the result                       */
  unsigned char *root_on; /* [n_roots] does it change with the jet variable?   */
  uint32_t *target;       /* [n_roots] slot to copy it to (itself, if no target) */
  brink__node *root_node; /* [n_roots] */
  expr_span *span;        /* [n_spans] the roots again, in order             */
  size_t n_spans;
};

/* brink__tape_values on numbers that stand `stride` apart: jets of order 0. */
brink_status brink__tape_values_strided(const brink__tape *tape, size_t stride,
                                        double *v, brink__node *culprit);

/* Who turned finite operands into the poison that a root holds. */
brink__node brink__blame(const brink__tape *tape, size_t stride, const double *v,
                         size_t root);

#endif /* BRINK_EXPR_INNER_H */
