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
  int32_t left;   /* symbol of the left limit of a state, which is the same; or -1  */
  int order;      /* of derivative                                                  */
  int level;
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
  brink__node lhs, rhs;
} start_condition;

/* An unknown that a condition sets.  The subject is what the condition is about: the
 * target, or the variable whose pre() the target is, where a when may change it. */
typedef struct start_assign {
  int32_t target, subject;
  int state; /* the target is a state */
  brink__type type;
} start_assign;

struct start_system {
  start_unknown *unknowns; /* [n_unknowns] that conditions depend on, by level; given
                              ones last                                             */
  start_condition *conditions; /* [n]                                               */
  size_t n_unknowns, n;
  size_t n_searched;   /* unknowns of the levels that are searched: the first ones    */
  size_t n_choices;    /* ... of START_CHOICES behind them                            */
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

/* Solve the conditions of a level for its unknowns. */
start_end brink__start_newton(dae_live *live, double t, int level);

/* Evaluate the conditions that are searched, or all, with the values found at a level:
 * START_SOLVED if every one holds, else live->initial.worst is the one that is missed
 * most. */
start_end brink__start_check(dae_live *live, double t, int level, int all);

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

/* ----------------------------------------------------- start.c -------- */

brink_status brink__start_find(const brink_model *model, dae_live *live, double t,
                               int *mode, const double *given, double *y,
                               brink_err *err);

#endif /* BRINK_START_H */
