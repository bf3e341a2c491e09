/* expr/expr.h -- expressions: a graph to build and think with, a tape to run.
 *
 * The graph is hash-consed: equal expressions are one node, so equality is `==`
 * on handles and common subexpressions are shared.  A tape is a list of roots
 * compiled to straight code over one array of numbers; the same tape gives
 * values, Taylor coefficients (jets), intervals and jets of intervals.
 *
 *   brink__graph *g;
 *   brink__graph_new(ctx, &g);
 *   brink__node x = brink__symbol(g, X, BRINK_TYPE_REAL);     // X, DX: your ids
 *   brink__node f = brink__op1(g, BRINK_OP_SIN, brink__mul(g, x, x));
 *   int32_t target = DX;
 *   brink__tape_spec spec = {.n_roots = 1, .roots = &f, .targets = &target,
 *                            .n_symbols = N_SYMBOLS};
 *   brink__tape *tape;
 *   brink__tape_new(g, &spec, &tape);
 *   double *v = ... brink__tape_slots(tape) doubles ...;
 *   v[X] = 0.3;
 *   if (brink__tape_values(tape, v, &culprit) == BRINK_OK) use(v[DX]);
 *
 * Symbols are what the front end makes of them: time, states, derivatives,
 * parameters, discrete and pre() values, frozen relations.  It hands out dense
 * ids 0, 1, 2, ...; symbol i lives in slot i of every value array.
 * A *frozen relation* is a Boolean symbol: between events it keeps the value that
 * the caller wrote (0 or 1) into its slot, and forcing a branch of an `if` over
 * it is writing the other value.
 *
 * "Not here": where an operation has no finite value for finite arguments (sqrt
 * of a negative number, log of 0, division by 0, overflow ...) evaluation answers
 * BRINK_EDOMAIN and names the node; no NaN or Inf leaves a tape.  What is not
 * needed cannot fail: the branch an `if` does not take, the operand that `and` or
 * `or` do not look at.
 *
 * Out of memory: a builder returns BRINK__NONE, and a builder that is given
 * BRINK__NONE returns it, so that it is enough to look at the end; the sentence
 * is in the context.
 *
 * Threads: a graph belongs to one thread.  A tape never changes: any number of
 * threads may evaluate it, each with its own value array.  A tape does not need
 * its graph after brink__tape_new (the culprit is a node number).
 */
#ifndef BRINK_EXPR_H
#define BRINK_EXPR_H

#include <stddef.h>
#include <stdint.h>

#include "core/core.h"

/* -------------------------------------------------------------- nodes ---- */

typedef int32_t brink__node; /* 1, 2, ...: a node of one graph */
enum { BRINK__NONE = 0 };    /* no node: out of memory, or ill-typed */

typedef enum brink__op {
#define OP(name, text, arity, typing, companions) BRINK_OP_##name,
#include "expr/ops.def"
} brink__op;

enum {
#define OP(name, text, arity, typing, companions) +1
  BRINK__N_OPS = 0
#include "expr/ops.def"
};

typedef enum brink__type {
  BRINK_TYPE_REAL,
  BRINK_TYPE_INTEGER,
  BRINK_TYPE_BOOLEAN,    /* 0 or 1             */
  BRINK_TYPE_ENUMERATION /* its ordinal 1, 2.. */
} brink__type;

enum { BRINK__POWI_MAX = 64 }; /* larger whole exponents are left to pow() */

typedef struct brink__graph brink__graph; /* opaque */

brink_status brink__graph_new(brink_ctx *ctx, brink__graph **out);
void brink__graph_free(brink__graph *g); /* NULL is allowed */

/* The same graph, every node with its number, for another thread to go on with. */
brink_status brink__graph_copy(brink_ctx *ctx, const brink__graph *g,
                               brink__graph **out);
brink_ctx *brink__graph_ctx(const brink__graph *g);

/* Number of nodes so far: handles are 1 .. size. */
brink__node brink__graph_size(const brink__graph *g);

/* Nodes made from now on remember this number (a place in the source, say); a
 * node that existed before keeps the number of its first appearance. */
void brink__graph_at(brink__graph *g, int32_t origin);
int32_t brink__node_origin(const brink__graph *g, brink__node n);

/* ----------------------------------------------------------- building ---- */

/* Leaves.  A real constant must be finite; -0 becomes 0 (the sign of a zero can
 * never be observed, see operators.c).  An integer constant must be exact in a
 * double.  Give a symbol the same type each time. */
brink__node brink__real(brink__graph *g, double value);
brink__node brink__integer(brink__graph *g, int64_t value);
brink__node brink__boolean(brink__graph *g, int value);
brink__node brink__ordinal(brink__graph *g, int64_t ordinal);
brink__node brink__symbol(brink__graph *g, int32_t id, brink__type type);

/* What a variable of the type is if nobody says: 0, false, the first literal. */
brink__node brink__first_value(brink__graph *g, brink__type type);

/* Apply an operator.  Simplifies, never changing a value (rules in operators.c).
 * Ill-typed arguments (`not` of a number, say) give BRINK__NONE and BRINK_EARG in
 * the context.  POW with a constant whole exponent becomes POWI by itself. */
brink__node brink__apply(brink__graph *g, brink__op op, brink__node a, brink__node b,
                         brink__node c);

static inline brink__node brink__op1(brink__graph *g, brink__op op, brink__node a)
{
  return brink__apply(g, op, a, BRINK__NONE, BRINK__NONE);
}
static inline brink__node brink__op2(brink__graph *g, brink__op op, brink__node a,
                                     brink__node b)
{
  return brink__apply(g, op, a, b, BRINK__NONE);
}
static inline brink__node brink__add(brink__graph *g, brink__node a, brink__node b)
{
  return brink__op2(g, BRINK_OP_ADD, a, b);
}
static inline brink__node brink__sub(brink__graph *g, brink__node a, brink__node b)
{
  return brink__op2(g, BRINK_OP_SUB, a, b);
}
static inline brink__node brink__mul(brink__graph *g, brink__node a, brink__node b)
{
  return brink__op2(g, BRINK_OP_MUL, a, b);
}
static inline brink__node brink__div(brink__graph *g, brink__node a, brink__node b)
{
  return brink__op2(g, BRINK_OP_DIV, a, b);
}
static inline brink__node brink__select(brink__graph *g, brink__node condition,
                                        brink__node yes, brink__node no)
{
  return brink__apply(g, BRINK_OP_SELECT, condition, yes, no);
}

/* ------------------------------------------------------------ reading ---- */

brink__op brink__node_op(const brink__graph *g, brink__node n);
brink__type brink__node_type(const brink__graph *g, brink__node n);
brink__node brink__node_arg(const brink__graph *g, brink__node n, int i); /* 0, 1, 2 */
double brink__node_value(const brink__graph *g, brink__node n);   /* of a CONST  */
int32_t brink__node_symbol(const brink__graph *g, brink__node n); /* of a SYMBOL */
int brink__node_is(const brink__graph *g, brink__node n, double value);

const char *brink__op_text(brink__op op); /* "+", "sin" */
const char *brink__op_name(brink__op op); /* "ADD"      */
int brink__op_arity(brink__op op);

/* The value of one operator; NaN stands for "not here".  Does not allocate. */
double brink__op_value(brink__op op, double a, double b, double c);

/* --------------------------------------------------- symbolic working ---- */

/* d n / d symbol.  Results for one symbol are remembered until another symbol is
 * asked for, so ask column by column.  Time linear in the nodes below n. */
brink__node brink__diff(brink__graph *g, brink__node n, int32_t symbol);

/* Derivative along a direction: dot[i] is the derivative of symbol i (BRINK__NONE
 * or i >= n_dot: zero).  The Lie derivative of roots[i] when dot holds the
 * right-hand sides, the time derivative when it holds the symbols der(x).
 * out may be roots. */
brink_status brink__diff_along(brink__graph *g, size_t n_dot, const brink__node *dot,
                               size_t n_roots, const brink__node *roots,
                               brink__node *out);

/* Taylor coefficients in time: out[start[i] + k], k = 0 .. start[i + 1] - start[i] - 1,
 * is the k-th derivative of roots[i] over k!.  next[i] is the symbol that is the
 * derivative of symbol i; or it is constant, as are symbols i >= n_next; or it is time.
 */
enum { BRINK__CONSTANT_SYMBOL = -1, BRINK__CLOCK_SYMBOL = -2 };
brink_status brink__coefficients(brink__graph *g, size_t n_next, const int32_t *next,
                                 size_t n_roots, const brink__node *roots,
                                 const size_t *start, brink__node *out);

/* Replace symbols: by[i] stands for symbol i (BRINK__NONE or i >= n_by: stays).
 * The result is simplified anew.  Replacements are not searched again.
 * out may be roots. */
brink_status brink__substitute(brink__graph *g, size_t n_by, const brink__node *by,
                               size_t n_roots, const brink__node *roots,
                               brink__node *out);

/* Replace subexpressions: to[i] stands for from[i].  The same otherwise. */
brink_status brink__replace(brink__graph *g, size_t n, const brink__node *from,
                            const brink__node *to, size_t n_roots,
                            const brink__node *roots, brink__node *out);

/* Which symbols appear below each root.  Row i is col[start[i]] ..
 * col[start[i + 1] - 1], increasing.  Only symbols with keep[id] != 0 and
 * id < n_keep are listed (keep == NULL: all).  Time: sum of the sizes below each
 * root. */
typedef struct brink__pattern {
  brink_ctx *ctx;
  size_t n_rows, nnz, cap;
  size_t *start; /* [n_rows + 1]           */
  int32_t *col;  /* [cap] the first nnz used: symbol ids */
} brink__pattern;

brink_status brink__pattern_new(brink__graph *g, size_t n_roots,
                                const brink__node *roots, size_t n_keep,
                                const unsigned char *keep, brink__pattern *out);
void brink__pattern_drop(brink__pattern *p);

/* d root / d symbol[k], k = 0 .. n - 1, for increasing symbols, backward: time linear
 * in the nodes below the root, whatever n is. */
brink_status brink__gradient(brink__graph *g, brink__node root, size_t n,
                             const int32_t *symbol, brink__node *out);

/* The derivatives that belong to a pattern: entry[k] = d roots[i] / d col[k]
 * (possibly the constant 0).  Compile the entries to have the Jacobian. */
brink_status brink__jacobian(brink__graph *g, const brink__pattern *p,
                             const brink__node *roots, brink__node *entry);

/* ----------------------------------------------------------- printing ---- */

/* Writes the name of a symbol, returns its length as snprintf does. */
typedef int brink__name_fn(void *user, int32_t id, char *buf, size_t cap);

/* Modelica text with no more parentheses than needed; numbers are the shortest
 * that read back exactly.  name == NULL prints s0, s1, ...  What does not fit into
 * cap bytes is cut and ends in "..." (BRINK_LIMIT); always terminated. */
brink_status brink__print(brink__graph *g, brink__node n, brink__name_fn *name,
                          void *user, char *buf, size_t cap);

/* The same for people, in the middle of an error: whole Reals without ".0", at most
 * 127 characters.  Does not allocate. */
brink_status brink__print_short(const brink__graph *g, brink__node n,
                                brink__name_fn *name, void *user, char *buf,
                                size_t cap);

/* Shortest decimal that reads back as x; returns its length.  cap >= 32. */
int brink__print_double(double x, char *buf, size_t cap);

/* --------------------------------------------------------------- tape ---- */

typedef struct brink__tape brink__tape; /* opaque, immutable */

/* What to compile.  Arrays are read during brink__tape_new only.
 *
 * Targets are definitions: a root whose target is symbol s makes s mean that root
 * in the whole tape, whatever the order of the roots, so a sorted system of
 * explicit equations is one tape (a cycle is refused, BRINK_EARG). */
typedef struct brink__tape_spec {
  size_t n_roots;
  const brink__node *roots;
  const int32_t *targets;     /* [n_roots] symbol to assign, -1: none; or NULL  */
  size_t n_symbols;           /* > every symbol id that the roots contain       */
  const unsigned char *fixed; /* [n_symbols] != 0: constant in time, jets take
                               * its higher coefficients as 0; or NULL          */
} brink__tape_spec;

brink_status brink__tape_new(brink__graph *g, const brink__tape_spec *spec,
                             brink__tape **out);
void brink__tape_free(brink__tape *tape); /* NULL is allowed */

/* Length of a value array, in numbers: symbols first, then the tape's own.  Several
 * tapes with the same n_symbols may take turns on one array of the largest size:
 * a tape leaves nothing behind that it needs again, but the symbols. */
size_t brink__tape_slots(const brink__tape *tape);

/* Where root i is found after an evaluation: its target, or a slot of its own. */
size_t brink__tape_slot(const brink__tape *tape, size_t root);
size_t brink__tape_n_roots(const brink__tape *tape);
size_t brink__tape_length(const brink__tape *tape); /* number of instructions */

/* --------------------------------------------------------- evaluation ---- */
/* None of these allocates.  BRINK_EDOMAIN: not here, *culprit (may be NULL) is the
 * node that has no value; what the targets hold then is not specified. */

/* Values: reads the symbols in v, writes roots. */
brink_status brink__tape_values(const brink__tape *tape, double *v,
                                brink__node *culprit);

/* Jets.  c[slot * stride + k] is coefficient k (of s^k, in whatever variable s the
 * caller expands) of the number in that slot; stride > order.  The call with k
 * computes coefficient k of every root from coefficients 0 .. k of the symbols; it
 * needs the calls with 0 .. k - 1 before it, and may be repeated with other
 * inputs of order k.  So x' = f is: for k: jet(k); x_{k+1} = f_k / (k + 1).
 *
 * k = 0 is brink__tape_values, bit for bit.  At a kink (abs, min, max) the jet is
 * that for s > 0, decided by the first coefficient that decides; sign, floor and
 * relations are constant.  sqrt, and pow with a fixed exponent, of something that
 * starts at 0 and moves is "not here" for k >= 1, as is asin at -1 and 1.
 * Order 1 is a directional derivative. */
brink_status brink__tape_jet(const brink__tape *tape, int k, size_t stride, double *c,
                             brink__node *culprit);

/* The same where c[k * row + slot] is coefficient k, so that each row is an array as
 * brink__tape_values has it; row >= brink__tape_slots(tape).  Several times faster for
 * series of some length: instructions of one kind are computed together. */
brink_status brink__tape_jet_rows(const brink__tape *tape, int k, size_t row, double *c,
                                  brink__node *culprit);

typedef struct brink__itv {
  double lo, hi; /* finite, lo <= hi */
} brink__itv;

/* Intervals: encloses the exact value, and the value that brink__tape_values
 * computes, for all symbols in their intervals.  BRINK_EDOMAIN is "maybe not here":
 * some point may have no value. An undecided Boolean is [0, 1]. */
brink_status brink__tape_intervals(const brink__tape *tape, brink__itv *v,
                                   brink__node *culprit);

/* Jets of intervals: encloses coefficient k of the jets at all points.  A kink or a
 * jump inside the box is "maybe not here" for k >= 1. */
brink_status brink__tape_ijet(const brink__tape *tape, int k, size_t stride,
                              brink__itv *c, brink__node *culprit);

/* Rounding bounds.  v holds the symbols and is evaluated; bound[i] is such that
 * |computed - exact| <= bound[i] for root i, where the inputs are exact up to
 * delta[id] (NULL: exact).  work: brink__tape_slots(tape) intervals.
 * BRINK_EDOMAIN: not here, or within rounding of it. */
brink_status brink__tape_noise(const brink__tape *tape, double *v, const double *delta,
                               brink__itv *work, double *bound, brink__node *culprit);

#endif /* BRINK_EXPR_H */
