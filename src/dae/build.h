/* dae/build.h -- what exists only while a model is compiled, and the stages of
 * compilation that deal with equations. */
#ifndef BRINK_DAE_BUILD_H
#define BRINK_DAE_BUILD_H

#include "dae/model.h"
#include "structure/structure.h"

/* A walk over the nodes of an expression graph: a mark for each node, valid where its
 * stamp is the present epoch (so that a new walk needs no clearing), and a stack. */
typedef struct dae_walk {
  brink_ctx *ctx;
  brink__graph *graph;
  uint32_t *stamp;     /* [cap] of nodes                                           */
  unsigned char *mark; /* [cap_mark] of nodes whose stamp is current               */
  size_t cap, cap_mark;
  uint32_t epoch;
  brink__node *stack;
  size_t n_stack, cap_stack;
} dae_walk;

/* A growing list of symbols, nodes or indices. */
typedef struct dae_list {
  int32_t *v;
  size_t n, cap;
} dae_list;

typedef enum dae_unknown_kind {
  DAE_DER,
  DAE_ALGEBRAIC,
  DAE_DISCRETE,
  DAE_HELPER /* the value of a condition, or whether a branch fires */
} dae_unknown_kind;

typedef struct dae_unknown {
  int32_t symbol;
  int32_t var; /* or -1                                                   */
  int32_t row; /* that determines it, or -1                               */
  dae_unknown_kind kind;
} dae_unknown;

/* Blocks in order of evaluation. */
typedef struct dae_order {
  brink__components c;
  int32_t *of; /* [n_rows] component of each row, -1: not in this order   */
} dae_order;

/* A model while it is compiled. */
typedef struct dae_build {
  brink_ctx *ctx;
  brink__graph *graph;
  brink__flat *flat;
  dae_model *m;
  brink__fault_fn *fault;
  void *user;
  int faults;
  brink__pool tmp; /* memory until the model is compiled; m->pool: with the model  */
  dae_walk walk;

  /* -- what each symbol is: [n_symbols] -- */
  size_t n_symbols;
  int32_t *var_of;         /* variable whose value it is, or -1                    */
  int32_t *unknown_of;     /* index in unknowns, or -1                             */
  int32_t *state_of;       /* state whose value it is, or -1                       */
  int32_t *pre_of;         /* discrete variable whose pre() it is, or -1           */
  unsigned char *constant; /* parameters and constants                             */
  unsigned char *frozen;   /* changes at events only (not parameters)              */
  unsigned char *fixed;    /* constant between events: one of the two              */
  unsigned char *delayed;  /* value of a delay(): it moves, and jumps at events    */
  unsigned char *degree;   /* as a polynomial in time and the states               */

  /* -- of each variable of the flat model -- */
  int32_t *discrete_of;  /* index in m->discretes, or -1                           */
  brink__node *assigned; /* its equation, while the whens that assign it are read  */

  dae_unknown *unknowns;
  size_t n_unknowns;

  brink__row *rows;
  size_t n_rows, n_matched; /* the first n_matched, the written equations, are matched
                               with unknowns; those of whens determine their own    */
  size_t *sym_start;        /* [n_rows + 1] where in sym the symbols of a row begin */
  int32_t *sym;
  brink__node *solved;   /* [n_rows] for its unknown, or BRINK__NONE                */
  dae_loop **loops;      /* [n_rows] the loop it was last put into                  */
  size_t shift;          /* slots behind the symbols that tapes leave to others ...  */
  size_t loop_slots;     /* ... up to here: to the residuals of loops                */
  dae_order flow, event; /* blocks of the flow, and of the event system             */
  struct start_forms *forms; /* of a model with homotopy(): start/build.h             */

  /* -- scratch -- */
  brink__node *by;       /* [n_symbols] zeros: substitutions                     */
  unsigned char *sought; /* [n_symbols] zeros: the unknowns of a loop ...       */
  int32_t *place;        /* [n_symbols] ... and their places in it               */
  uint32_t *seen;        /* [n_rows] epoch in which a program took the row       */
  uint32_t *seen_state;  /* [states] the same                                    */
  uint32_t epoch;
  uint32_t *reached, reach; /* [n_symbols] the same for what is behind a condition  */
  dae_list list;            /* of brink__dae_symbols, and others                    */
  int32_t *relation_of;     /* [n_symbols] relation whose value it is, or -1: kinks.c */
  signed char *kink_use;    /* [relations] zeros between loops: kinks.c              */
  dae_list read;            /* of brink__dae_define                                */
  double *numbers;          /* [cap_numbers] the same                               */
  size_t cap_numbers;
} dae_build;

/* ------------------------------------------------------------ compile.c -- */

/* Zeroed memory that lives as long as the pool; n = 0 is allowed. */
void *brink__dae_take(brink__pool *pool, size_t n, size_t elem);
#define DAE_TAKE(pool, n, p)                                                           \
  (*(p) = brink__dae_take(pool, n, sizeof **(p)), *(p) ? BRINK_OK : BRINK_ENOMEM)

/* The same for indices, all -1. */
brink_status brink__dae_take_ids(brink__pool *pool, size_t n, int32_t **out);

/* Report a fault of the model; BRINK_EMODEL. */
brink_status brink__dae_fault(dae_build *b, brink__place at, const char *fmt, ...)
    BRINK__PRINTF(3, 4);

/* Warn of something that can be run, but probably is not meant. */
void brink__dae_warn(dae_build *b, brink__place at, const char *fmt, ...)
    BRINK__PRINTF(3, 4);

/* The symbols below the roots, in b->list. */
brink_status brink__dae_symbols(dae_build *b, size_t n, const brink__node *roots);

/* Is the value of the expression constant between events?  with_time: or does it move
 * with nothing but time? */
brink_status brink__dae_is_fixed(dae_build *b, brink__node n, int with_time, int *yes);

/* Does an equation behind the program read a marked symbol? */
int brink__dae_program_reads(const dae_build *b, const dae_program *p,
                             const unsigned char *mark);

/* Keep the tape with the model.  Its own slots begin b->shift behind the symbols. */
brink_status brink__dae_tape(dae_build *b, size_t n, const brink__node *roots,
                             const int32_t *targets, brink__tape **out);

/* -------------------------------------------------------------- kinks.c -- */

/* Let abs, min and max of the unknowns that are sought (b->sought) follow the iterate
 * in these residuals, in place of their frozen relations. */
brink_status brink__dae_free_kinks(dae_build *b, size_t n, brink__node *res,
                                   int *changed);

/* --------------------------------------------------------------- node_walk.c -- */

void brink__dae_walk_drop(dae_walk *w);

/* Begin a walk over all nodes that exist now; put a node on its stack. */
brink_status brink__dae_walk_begin(dae_walk *w);
brink_status brink__dae_walk_push(dae_walk *w, brink__node n);

/* The next node below those on the stack, BRINK__NONE at the end: operators before
 * their operands, or (up) operands first; then the caller sets the mark of the node. */
brink_status brink__dae_walk_next(dae_walk *w, brink__node *out);
brink_status brink__dae_walk_up(dae_walk *w, brink__node *out);

/* Append the symbols below the roots to the list, each once, in order of their
 * first appearance. */
brink_status brink__dae_walk_symbols(dae_walk *w, size_t n, const brink__node *roots,
                                     dae_list *out);

/* Mark the nodes below the root that contain the symbol; 1 in *has if the root
 * does.  brink__dae_walk_marked then answers for every node below. */
brink_status brink__dae_walk_mark(dae_walk *w, brink__node root, int32_t symbol,
                                  int *has);
int brink__dae_walk_marked(const dae_walk *w, brink__node n);

/* Degree of the root as a polynomial in the symbols, whose degrees are given; marks
 * stay readable.  DAE_NOT_POLYNOMIAL if it is none, or beyond DAE_MAX_DEGREE. */
enum { DAE_MAX_DEGREE = 16, DAE_NOT_POLYNOMIAL = 255 };
brink_status brink__dae_walk_degree(dae_walk *w, brink__node root,
                                    const unsigned char *symbol, unsigned char *out);

/* The first n of a list, in memory of the pool; NULL: no memory. */
int32_t *brink__dae_list_keep(brink__pool *pool, const dae_list *list, size_t n);

brink_status brink__dae_list_add(brink_ctx *ctx, dae_list *list, int32_t value);
void brink__dae_list_drop(brink_ctx *ctx, dae_list *list);

/* -------------------------------------------------------------- solve.c -- */

/* lhs = rhs for the symbol, as an expression, or BRINK__NONE if that takes an
 * iteration.  by: a zeroed array for all symbols, returned as it was. */
brink_status brink__dae_solve(dae_walk *w, brink__node lhs, brink__node rhs,
                              int32_t symbol, brink__node *by, brink__node *out);

/* ------------------------------------------------------------ tearing.c -- */

/* Make a loop smaller, if that can be done safely, given the derivatives of its
 * residuals with respect to its unknowns (marked in b->sought, with their places).
 * Rewrites the loop and its residuals. */
brink_status brink__dae_tear(dae_build *b, dae_loop *loop, const brink__pattern *p,
                             const brink__node *entry, brink__node *res);

/* ------------------------------------------------- stages of compilation -- */

brink_status brink__dae_rows(dae_build *b);          /* rows.c     */
brink_status brink__dae_parameters(dae_build *b);    /* params.c   */
brink_status brink__dae_match(dae_build *b);         /* matching.c */
brink_status brink__dae_sort(dae_build *b);          /* sort.c     */
brink_status brink__dae_programs(dae_build *b);      /* program.c  */
brink_status brink__dae_flow_jacobian(dae_build *b); /* flow_jacobian.c */
brink_status brink__dae_projection(dae_build *b);    /* projection.c */
brink_status brink__dae_impulse_rows(dae_build *b);  /* impulse_rows.c */
brink_status brink__dae_signals(dae_build *b);       /* signals.c  */
brink_status brink__dae_delays(dae_build *b);        /* delay.c    */

/* A row of a projection and its derivatives, which are times `factor` those of the
 * states in its stage (projection.c). */
typedef struct dae_stage_slope {
  int32_t state;
  int outer; /* 1: the state is corrected before the row is, with another part */
  brink__node value;
} dae_stage_slope;

typedef struct dae_stage_row {
  brink__node lhs, rhs;
  int stage;
  int32_t origin; /* constraint of the flat model, or -1                             */
  int block;      /* of the system Jacobian: its parts are solved in this order      */
  double factor;
  const dae_stage_slope *slope;
  size_t n_slopes;
} dae_stage_row;

/* projection.c: the stages of a projection; and the rows that are constraints,
 * [constraints of the flat model], block by block of the system Jacobian or not. */
brink_status brink__dae_stages(dae_build *b, size_t n, const dae_stage_row *rows,
                               dae_stages *out);
brink_status brink__dae_constraint_rows(dae_build *b, int by_blocks,
                                        dae_stage_row *out);

/* params.c: define a number by an expression in parameters, and evaluate it once.
 * BRINK_EDOMAIN: that cannot be, *fault says why; must: it is a fault of the model. */
brink_status brink__dae_define(dae_build *b, dae_constant_kind kind, int index,
                               brink__node def, dae_constant_fault *fault);
brink_status brink__dae_must_define(dae_build *b, dae_constant_kind kind, int index,
                                    brink__node def);

/* nominal.c: nominal [vars of the flat model], the attribute of each variable or of one
 * that it equals or derives from, BRINK__NONE if there is none. */
brink_status brink__dae_nominals(dae_build *b, brink__node *nominal);

/* rows.c: the symbols of every row, sym_start and sym. */
brink_status brink__dae_incidence(dae_build *b);

/* program.c: explicit assignments, and degrees, for the rows that stand alone. */
brink_status brink__dae_solve_alone(dae_build *b, const dae_order *o);

/* A program of what the roots need, in the given order, that ends by computing the
 * roots themselves (roots == NULL: the symbols wanted, nothing more). */
brink_status brink__dae_program(dae_build *b, const dae_order *order, size_t n_want,
                                const int32_t *want, size_t n_roots,
                                const brink__node *roots, dae_program *out);

#endif /* BRINK_DAE_BUILD_H */
