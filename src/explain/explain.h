/* explain/explain.h -- sentences about a system of equations: which equation, at which
 * line, with which values.  Nothing here allocates: a sentence is written when a run
 * has failed, into a buffer of fixed size.
 */
#ifndef BRINK_EXPLAIN_H
#define BRINK_EXPLAIN_H

#include "flat/flat.h"

enum { BRINK__TEXT_PARTS = 32 }; /* numbers that one message can show */

typedef enum brink__row_kind {
  BRINK__ROW_REAL,     /* an equation between Reals                                */
  BRINK__ROW_DISCRETE, /* an equation between Booleans, Integers, enumerations     */
  BRINK__ROW_ASSIGN,   /* a variable assigned in a when                            */
  BRINK__ROW_COND,     /* the value of a condition                                 */
  BRINK__ROW_FIRE      /* whether a branch fires                                   */
} brink__row_kind;

/* One equation lhs = rhs of the system that is sorted and solved. */
typedef struct brink__row {
  brink__node lhs, rhs;
  brink__place at;
  int32_t unknown; /* that it determines                                       */
  int kind;        /* BRINK__ROW_*                                             */
  int mode;        /* of a written equation: 1 + state it belongs to, or 0     */
  int of, order;   /* as of the equation in the flat model                     */
} brink__row;

/* A system of equations as sentences show it. */
typedef struct brink__system {
  const brink__flat *flat;
  const brink__row *rows; /* [n_rows] as they are being solved                  */
  size_t n_rows;
  const int32_t *pre;  /* [flat->n_vars] symbol of pre() of a variable, -1: none */
  const int32_t *fire; /* [branches of all whens] symbol that is true while the
                          branch fires                                           */
  const double *v;     /* values of the symbols                                  */
} brink__system;

/* ----------------------------------------------------- sentence.c -------- */

/* A sentence that grows in a buffer of fixed size. */
typedef struct brink__sentence {
  char *buf;
  size_t cap, n;
} brink__sentence;

void brink__sentence_add(brink__sentence *s, const char *fmt, ...) BRINK__PRINTF(2, 3);
void brink__sentence_symbol(brink__sentence *s, const brink__system *sys, int32_t id);
void brink__sentence_expression(brink__sentence *s, const brink__system *sys,
                                brink__node n, size_t most);
void brink__sentence_equation(brink__sentence *s, const brink__system *sys,
                              brink__node lhs, brink__node rhs, int line);
void brink__sentence_row(brink__sentence *s, const brink__system *sys, int32_t row);

/* An equation as written, "x^2 + y^2 = 1 (line 4), differentiated once". */
void brink__sentence_derivative(brink__sentence *s, const brink__system *sys, int eqn,
                                int order);

/* "x = 1, y = 2" of the variables below the roots, but for those to skip; nothing if
 * there are none, else with `before` in front.  How many. */
int brink__sentence_values(brink__sentence *s, const brink__system *sys,
                           const char *before, const brink__node *roots, size_t n_roots,
                           const int32_t *skip, size_t n_skip);

/* Is the node below the root?  Bounded work: 0 may mean that it was not found. */
int brink__explain_contains(const brink__graph *g, brink__node root, brink__node node);

/* Value of an expression, from those of the symbols; NaN: none, or not found out. */
double brink__explain_value(const brink__system *sys, brink__node n);

/* ------------------------------------------------------- report.c -------- */

/* "reinit(v, -e*v) (line 7)" */
void brink__sentence_action(brink__sentence *s, const brink__system *sys,
                            const brink__flat_action *a);

/* An operation without a value; row: the equation it is in, or -1: not known. */
void brink__explain_domain(brink__sentence *s, const brink__system *sys,
                           brink__node culprit, int32_t row);

/* Beyond this point the branch of solutions on which the symbol was does not exist. */
void brink__explain_fold(brink__sentence *s, const brink__system *sys, int32_t row,
                         int32_t symbol, double t);

/* n equations that have no solution in n unknowns near their values, or (singular) no
 * unique one. */
void brink__explain_loop(brink__sentence *s, const brink__system *sys,
                         const int32_t *rows, const int32_t *symbols, size_t n,
                         int singular);

/* An assertion that fails, with the numbers of its text. */
void brink__explain_assertion(brink__sentence *s, const brink__system *sys,
                              const brink__flat_action *a, const double *parts,
                              double t);

/* Two reinits that give different values. */
void brink__explain_conflict(brink__sentence *s, const brink__system *sys,
                             const brink__flat_action *a, const brink__flat_action *b,
                             double va, double vb, double t);

/* An iteration that does not end; what changes is the variable with this symbol, or a
 * relation, or (both -1) not known. */
void brink__explain_unsettled(brink__sentence *s, const brink__system *sys,
                              const char *what, int passes, int32_t symbol,
                              int relation, double t);

/* ------------------------------------------------------ message.c -------- */

/* Fill the places of a text with numbers. */
void brink__explain_message(const brink__flat_action *a, const double *parts, char *buf,
                            size_t cap);

#endif /* BRINK_EXPLAIN_H */
