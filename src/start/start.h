/* start/start.h -- a consistent start: its unknowns and conditions, homotopy().
 *
 * The start is one system.  Unknown are values of variables at an order of derivative
 * (the states), pre() of discrete variables, and what delays read before
 * the start; everything else follows from them by the equations of the run.  Conditions
 * are initial equations, fixed start values, and that delays read the values of the
 * start, and the constraints on the states of a system of higher index.
 */
#ifndef BRINK_START_H
#define BRINK_START_H

#include "dae/model.h"
#include "linear/linear.h"

/* Which unknowns are searched together with which conditions.  A level is searched
 * where those below it do not meet all conditions. */
enum {
  START_GIVEN = -1, /* unknown: fixed, or assigned; condition: only checked           */
  START_CLAIMED,    /* pre(d) of `d = ...`, values before the start                   */
  START_STATES,     /* free states                                                    */
  START_DISCRETES,  /* discrete variables that are not fixed: Reals, Integers         */
  START_CHOICES,    /* the same, Booleans and enumerations: tried out                 */
  START_LEVELS = START_CHOICES
};

typedef enum start_place { START_STATE, START_PRE, START_PAST } start_place;

typedef struct start_unknown {
  start_place place;
  int32_t index;  /* of the state, discrete variable or delay                       */
  int32_t symbol; /* its value, or that of its pre()                                */
  int32_t var;    /* index in the flat model; -1: a delay                           */
  int32_t named;  /* ... of the variable whose start value it has                    */
  int follows;    /* that one is a state too: only its own start value is a guess    */
  int32_t left;   /* symbol of the left limit of a state, which is the same; or -1  */
  int order;      /* of derivative                                                  */
  int level;
  int32_t set_by; /* condition that sets it, whatever its start value is; or -1      */
  int whole; /* an Integer: rounded when it is found                                */
} start_unknown;

typedef enum start_origin {
  START_EQUATION,
  START_FIXED,
  START_DELAY,
  START_CONSTRAINT /* of the states, in a system of higher index */
} start_origin;

typedef struct start_condition {
  start_origin from;
  int32_t index; /* of the initial equation, variable or delay                      */
  int order;     /* how often it has been differentiated                            */
  int level;
  int whole;      /* between Booleans, Integers or literals: holds exactly or not     */
  int assigned;   /* 1: it sets a state, 2: it sets pre() of a discrete variable      */
  int32_t target; /* symbol that it sets                                             */
  int32_t row;    /* equation of the run that determines its first variable, or -1    */
  int32_t block;
  brink__node lhs, rhs;
} start_condition;

/* An unknown that a condition sets.  The subject is what the condition is about: the
 * target, or the variable whose pre() the target is, where a when may change it. */
typedef struct start_assign {
  int32_t target, subject;
  int state; /* the target is a state */
  brink__type type;
} start_assign;

/* Conditions and unknowns that have nothing to do with the others, see start_blocks.c.
 */
typedef struct start_block {
  size_t first_condition, n_conditions; /* in block_condition                      */
  size_t first_unknown, n_unknowns;     /* in block_unknown                        */
  size_t matrix;                        /* its first element in that of the search  */
  size_t factors;  /* ... in the factors for nearest.c                                */
  int small;       /* it has such                                                     */
  int constrained; /* it has constraints of a system of higher index               */
  int staged;      /* too large for a matrix: the constraints are met stage by stage, or
                      not at all                                                          */
} start_block;

struct start_system {
  start_unknown *unknowns; /* [n_unknowns] that conditions depend on, by level; given
                              ones last                                             */
  start_condition *conditions; /* [n]                                               */
  size_t n_unknowns, n;
  size_t n_searched;   /* unknowns of the levels that are searched: the first ones    */
  size_t n_choices;    /* ... of START_CHOICES behind them                            */
  start_block *blocks; /* [n_blocks]                                                */
  size_t n_blocks;
  int32_t *block_condition; /* [n] block by block                                    */
  int32_t *block_unknown;   /* [n_searched]                                          */
  size_t n_factored;        /* elements of the factors for nearest.c                 */
  size_t n_elements, max_elements; /* of the matrices of all blocks; of the largest   */
  size_t max_unknowns;             /* of a block                                     */
  dae_program program; /* its last roots: both sides of each condition              */
  start_assign *assigns;
  size_t n_assigns;
  brink__tape *assign_tape; /* roots: their values                                   */
  dae_stages stages;      /* constraints, and initial equations between states        */
  unsigned char *is_real; /* [n_symbols] its value is rounded: no Boolean, ...      */
};

/* The equations of the start with lambda in them, and what is unknown along the path
 * from lambda = 0 to 1; see homotopy.c and homotopy_path.c. */
struct start_homotopy {
  int used;                 /* 0: there is none, or nothing that needs a path       */
  dae_program program;      /* the event system; behind it, both sides of each
                               condition of the start                                */
  brink__tape *assign_tape; /* as that of the system                                 */
  dae_program *relation;    /* [relations] ends in left - right; none: it has a timer */
  dae_program *stair;       /* [stairs] ends in its argument                        */
  unsigned char *open;      /* [program.n_steps] 1: a loop that the path solves      */
  int with_states;          /* unknowns and conditions of the start take part       */
  size_t n_loops;           /* unknowns of open loops ...                            */
  size_t n, n_rows;         /* ... of the whole path; its equations                  */
};

/* -------------------------------------------------- conditions.c -------- */

/* Line of a condition. */
int brink__start_line(const dae_model *m, size_t i);

/* ------------------------------------------------------ newton.c -------- */

typedef enum start_end {
  START_SOLVED,
  START_UNSOLVED, /* there are values, but they do not meet all conditions          */
  START_NO_VALUE  /* live->fault says why                                           */
} start_end;

/* Where the value of an unknown is. */
double *brink__start_value(dae_live *live, const start_unknown *u);

/* The size of an unknown that counts as 1. */
double brink__start_nominal(const dae_live *live, const start_unknown *u);

/* Its start value; does it count as a guess of the user? */
double brink__start_guess(const dae_live *live, const start_unknown *u);
int brink__start_is_guess(const dae_live *live, const start_unknown *u);

/* Is the unknown searched at this level?  Is the condition part of it? */
int brink__start_searched(const dae_live *live, const start_unknown *u, int level);
int brink__start_takes_part(const dae_live *live, const start_condition *c, int level);

/* Both sides of all conditions at the present values, in live->initial. */
int brink__start_evaluate(dae_live *live, double t);

/* Derivatives of the conditions, lhs - rhs, with respect to unknown u, where they have
 * just been evaluated: column [n].  again: so they have been for another unknown. */
int brink__start_column(dae_live *live, const start_unknown *u, int again,
                        double *column);

/* Units of rows and columns in which the elements of a matrix, a[i row_step + j
 * col_step], are of similar size; unit [cols] holds first ones. */
void brink__start_balance(size_t rows, size_t cols, const double *a, size_t row_step,
                          size_t col_step, double *row_unit, double *unit);

/* What is searched in one block: the conditions and unknowns of a level. */
typedef struct start_search {
  const start_block *block;
  size_t rows, cols;
  size_t rank;    /* of the matrix, where a correction was last computed             */
  int open;       /* it is not yet solved                                           */
  int held;       /* its conditions hold up to rounding, as they are                 */
  int undecided;  /* a shorter step is to be tried                                  */
  int *active;    /* [rows] conditions                                              */
  int *searched;  /* [cols] unknowns                                                */
  double *matrix; /* [rows][cols] derivatives                                       */
  double *row_unit; /* [rows]                                                        */
  double *unit;     /* [cols]                                                         */
  double *dx, *x; /* [cols] correction of the unknowns; their values before it       */
  double *best;   /* [rows] residuals before it                                     */

  /* nearest.c */
  int all_count;      /* no unknown has a start value: all count                      */
  size_t n_free;      /* unknowns that do not count: the first ones                   */
  double distance;    /* D before a step                                            */
  double slope, rest; /* size of the step of length 1, in the unknowns that count and in
                         the others                                                  */
  double length;      /* of the next step                                           */
  double *step;       /* [cols] the step of length 1                                */
  double *last_off;   /* [cols] distances from the start values before the last step */
  double *last_step;  /* [cols] ... and that step, of length 1                       */
  brink__free_columns factors; /* of its matrix in nominal values; a NULL: the block is
                                  too large for that                                 */
  int on;            /* 1: back on the conditions, -1: no way back                   */
  double correction; /* size of the last chord step                                */
} start_search;

/* The blocks at a level, in live->initial.search; those with conditions and unknowns
 * are open. */
void brink__start_searches(dae_live *live, int level);

/* The matrices of the open blocks where the conditions have just been evaluated. */
int brink__start_matrices(dae_live *live);

/* The smallest correction of an open block, whose matrix is known, in dx; which of its
 * conditions are no combination of others, in live->initial.independent. */
void brink__start_correction(dae_live *live, start_search *s);

/* Gauss-Newton steps of least size in the open blocks, where the conditions have just
 * been evaluated. */
start_end brink__start_steps(dae_live *live, double t);

/* Solve the conditions of a level for its unknowns. */
start_end brink__start_newton(dae_live *live, double t, int level);

/* Evaluate the conditions that are searched, or all, with the values found at a level:
 * START_SOLVED if every one holds, else live->initial.worst is the one that is missed
 * most. */
start_end brink__start_check(dae_live *live, double t, int level, int all);

/* ----------------------------------------------------- nearest.c -------- */

/* From a solution of the conditions to the one nearest to the start values. */
void brink__start_nearest(dae_live *live, double t, int level);

/* --------------------------------------------- newton_homotopy.c -------- */

enum { START_FOLLOW_MAX = 200 }; /* unknowns of a block that is searched that way */

/* Solve the conditions of a level, in the blocks where the last check has found some
 * missed, along curves from the point at which the search began. */
start_end brink__start_follow(dae_live *live, double t, int level);

/* --------------------------------------------- homotopy_path.c -------- */

/* Values of relations and stairs at (t, live->y) and the present lambda; 1 if one
 * changes. */
int brink__start_evaluate_relations(dae_live *live, double t);

/* start.c: has a discrete variable changed since the last call? */
int brink__start_discretes_moved(dae_live *live);

/* start.c: give the unknowns that conditions set their values; pass: how often that has
 * been done in this search. */
brink_status brink__start_assign(dae_live *live, int pass);

/* start.c: solve the conditions with the present relations and choices, level by level;
 * live->initial.level is the last one. */
start_end brink__start_solve(dae_live *live, double t);

/* From a solution with lambda = 0 to one with lambda = 1.  Where the caller gives the
 * states they are not searched. */
brink_status brink__start_homotopy_path(dae_live *live, double t, brink_err *err);

/* -------------------------------------------- unsolved_start.c -------- */

/* Sentences, in live->reason. */

/* The initial equations in which the path of homotopy() was lost. */
const char *brink__start_explain_path(dae_live *live);

/* Not all conditions are met, live->initial.worst by most: which of them, then in
 * worst, contradicts others. */
void brink__start_explain_unsolved(dae_live *live, double t);

/* A condition as it is written, or which start value is fixed. */
void brink__start_add_condition(brink__sentence *s, const dae_live *live, size_t i);

/* ------------------------------------------------------- moves.c -------- */

/* Keep which start values have moved, and what forced them, at the start found. */
void brink__start_note_moves(dae_live *live, double t);

/* How many have; the `most` that moved farthest in out, as brink_sim_moved_starts. */
size_t brink__start_moves(const dae_live *live, size_t most, brink_moved_start *out);

/* ----------------------------------------------------- start.c -------- */

brink_status brink__start_find(const brink_model *model, dae_live *live, double t,
                               int *mode, const double *given, double *y,
                               brink_err *err);

#endif /* BRINK_START_H */
