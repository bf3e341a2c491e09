/* flat/flat.h -- a flat hybrid model as equations: what a text front door hands over.
 *
 * Everything is scalar and lives in one expression graph.  The front door has
 * resolved names, classes, arrays and functions; it has not sorted, matched or
 * solved anything.  machine/ turns this into an immutable brink_model.
 *
 * Symbols.  Every quantity an expression may read has a symbol id: time is 0;
 * each variable has one for its value, one for der(x) where that is used, one for
 * pre(x) where that is used; each relation, stair, sample and terminal()/initial()
 * has one.  Ids are dense; symbol i lives in slot i of every value array.
 *
 * Relations.  An event-generating relation `lhs op rhs` between continuous
 * expressions appears in expressions as its Boolean slot, frozen between events:
 * true or false as it was at the last event.  A relation inside noEvent() or
 * smooth() stays an ordinary Boolean operation of the graph.
 *
 * Homotopy.  homotopy(actual, simplified) is `if lambda < 1 then (if lambda > 0 then
 * lambda*actual + (1 - lambda)*simplified else simplified) else actual`, with one
 * symbol lambda for all of them.  It is 1, but for the search of the start.
 *
 * Modes.  A machine is a set of states of which one is active; what belongs to a
 * state (`mode` of a variable, equation, when or assertion) exists while it is.  What
 * belongs to none exists always.  A machine may itself be part of a state: while that
 * is not active, none of its states is.  Each state has a Boolean symbol that is true
 * while it is active.
 *
 * Lifetime: arrays and texts belong to `pool`, the graph to the flat model.
 */
#ifndef BRINK_FLAT_H
#define BRINK_FLAT_H

#include "brink/model.h"
#include "expr/expr.h"

enum { BRINK__TIME = 0 }; /* symbol id of time */

typedef struct brink__place { /* in the source, 0: none */
  int line, col;
} brink__place;

typedef enum brink__variability {
  BRINK__CONSTANT,
  BRINK__PARAMETER, /* fixed before the start; may depend on other parameters      */
  BRINK__DISCRETE,  /* changes at events only: Boolean, Integer, discrete Real,
                       anything assigned in a when                                 */
  BRINK__CONTINUOUS
} brink__variability;

/* An unknown, or a known.  Attributes are expressions in parameters and constants,
 * BRINK__NONE if not given. */
typedef struct brink__flat_var {
  const char *name; /* flat name as written, without quotes                 */
  brink__type type;
  brink__variability variability;
  brink__place at;
  int32_t value, der, pre; /* symbol ids; der, pre: -1 if never used    */
  brink__node binding;     /* of a constant or parameter (variables' bindings
                              are equations)                                    */
  brink__node start, min, max, nominal;
  brink__node start_found; /* the start value as written, where it depends on parameters
                              that initial equations find; start is a guess of it */
  int fixed;               /* 1, 0; -1: not given                                 */
  int input;               /* 1: a top-level input without an equation: its start
                              value holds, or what the user sets                  */
  int domain;              /* 1: f does not exist outside [min, max]             */
  int hidden;              /* 1: made by the front door, not shown               */
  int derivative_of;       /* 1 + index of the variable whose derivative this
                              hidden one stands for; 0: none                     */
  int named_by;            /* 1 + index of a variable v with the equation v = der(x)
                              where this one stands for der(x), so that the start
                              value of v is its own; 0: none                     */
  int final;               /* 1: a parameter that nobody may set                 */
  int found;               /* 1: a parameter that initial equations find, a
                              variable therefore; a setting when the model is read
                              would make it a parameter                          */
  int to_find;             /* 1: a parameter that is not fixed: a state that rests   */
  brink__place decides;    /* a parameter: where its value has decided what the
                              model is made of (sizes, branches); 0: nowhere     */
  int prefer;              /* stateSelect: -2 never ... 0 default ... 2 always   */
  int mode;                /* 1 + index of the state it belongs to; 0: none      */
  int reserved;            /* 1: stands for a derivative that is a state in some modes
                              of the switches, and inactive in the others           */
  int inactive;            /* 1: that state is not active; the value is kept.
                            Set by machine/, for one combination of states     */
  const char *unit, *text; /* "" if none                                    */
  const char *const *literals; /* names of an enumeration, 1, 2, ...            */
  int n_literals;
} brink__flat_var;

/* lhs = rhs; Boolean and Integer equations too.  Holds always, or (initial) at the
 * start only. */
typedef struct brink__flat_eqn {
  brink__node lhs, rhs;
  brink__place at;
  int mode; /* 1 + index of the state it belongs to; 0: none              */
} brink__flat_eqn;

/* The written equation that was differentiated so often; of = 0: none. */
typedef struct brink__flat_origin {
  int of; /* 1 + index */
  int order;
} brink__flat_origin;

/* What an equation of a system of higher index, differentiated less often than it is to
 * determine the highest derivatives, says about the states (dae/reduce.c). */
typedef struct brink__flat_constraint {
  brink__node lhs, rhs;
  brink__place at;
  int eqn;   /* index of the equation as written                                     */
  int order; /* how often it has been differentiated; divided by order!              */
  int stage; /* -1: once less than what determines the derivatives, -2: twice ...     */
  int block; /* of the system Jacobian, in order of solution                          */
  size_t first_slope, n_slopes; /* its equation's in the flat model                  */
} brink__flat_constraint;

/* The derivative of a written equation, lhs - rhs, with respect to the highest
 * derivative of a variable in it that its constraints are solved for. */
typedef struct brink__flat_slope {
  int var;
  int order; /* of that derivative; a constraint that is differentiated k times is
                solved for the one of order k + order */
  int block; /* in which the variable is solved for                                   */
  brink__node value;
} brink__flat_slope;

/* The system Jacobian of a system of higher index, by the offsets that the equations
 * alone have: those of the reduction are larger where events read derivatives of higher
 * order.  Equation i as written, and column j, one for each variable. */
typedef struct brink__flat_leading_row {
  int eqn;                 /* index of the equation as written                    */
  int offset;              /* c_i                                                 */
  int block;               /* in order of solution                                */
  int32_t col;             /* column of the transversal                           */
  size_t first_constraint; /* its constraints, by order; at least c_i of them     */
  size_t first_slope, n_slopes; /* its row of the Jacobian */
} brink__flat_leading_row;

typedef struct brink__flat_leading_col {
  int var;
  int offset; /* d_j                                                                  */
  int32_t top; /* symbol of the derivative of order d_j, or of the variable */
} brink__flat_leading_col;

typedef struct brink__flat_leading_slope {
  int32_t col;
  brink__node
      value; /* of lhs - rhs with respect to the derivative of order d_j - c_i */
} brink__flat_leading_slope;

/* left op right, op one of LT LE GT GE.  The guard is left - right. */
typedef struct brink__flat_relation {
  brink__op op;
  brink__node left, right;
  int32_t slot; /* Boolean symbol                                             */
  brink__place at;
  const char *text; /* as written, for people: "h <= 0"                           */
  brink_side side;  /* strictest wish of the clauses it is used in                */
} brink__flat_relation;

/* A value that jumps with a continuous argument and is frozen between events:
 * floor, ceil, integer, div, mod, rem, sign and abs, min, max are written by the
 * front door in terms of these and of relations. */
typedef enum brink__stair {
  BRINK__STAIR_DOWN, /* floor(arg)                                                 */
  BRINK__STAIR_UP,   /* ceil(arg)                                                  */
  BRINK__STAIR_IN    /* div(arg, 1): towards zero, where its step is twice as wide */
} brink__stair;

typedef struct brink__flat_stair {
  brink__stair kind;
  brink__node arg;
  int32_t slot; /* Integer symbol                                             */
  brink__place at;
  const char *text;
} brink__flat_stair;

/* sample(start, interval): its Boolean slot is true in the instant of the tick. */
typedef struct brink__flat_sample {
  brink__node start, interval; /* parameter expressions                           */
  int32_t slot;
  brink__place at;
  const char *text;
} brink__flat_sample;

/* delay(arg, by): arg as it was `by` ago, before the start as it was there.  Its slot
 * moves between events. */
typedef struct brink__flat_delay {
  brink__node arg, by;
  brink__node most; /* longest delay; BRINK__NONE: `by` is made of parameters      */
  int32_t slot;
  brink__place at;
  const char *text;
  int unread; /* 1: remembered, but nothing that exists reads it.  Set by
                 machine/, for one combination of states                  */
} brink__flat_delay;

typedef enum brink__action_kind {
  BRINK__ASSIGN,    /* var takes value: a discrete equation of the clause           */
  BRINK__REINIT,    /* state var restarts at value, after event iteration           */
  BRINK__ASSERT,    /* value is a Boolean that must hold; text says why             */
  BRINK__TERMINATE, /* ends the run; text says why                                 */
  BRINK__PUSH       /* the variable `of` is kept on its side of the bound `value` by a
                       push >= 0, which is added to the state var.  parts: is it beyond
                       the bound; then what a push of 1 adds to each state that the
                       clause restarts, in order.  The pushes of a clause are the
                       solution of a linear complementarity problem                */
} brink__action_kind;

/* A text has places for its parts: %0, %1, ... as numbers, %0{-8.3f} as printf would
 * write them (g f e d), %0{1?red|green} as one of several texts, the first of which
 * stands for 1.  Behind another character a per cent sign stands for itself: %% %| %{
 * %}. */
typedef struct brink__flat_action {
  brink__action_kind kind;
  int var;          /* index of the variable, ASSIGN and REINIT              */
  brink__node cond; /* REINIT, TERMINATE: carried out only if this Boolean is
                       true in the instant (`if` inside a when); BRINK__NONE:
                       always                                               */
  brink__node value;
  brink__place at;
  const char *text;
  const brink__node *parts; /* [n_parts] numbers that text shows                   */
  int n_parts;
  int warning; /* ASSERT: 1: AssertionLevel.warning                 */
  int mode;    /* outside of when: as of an equation                   */
  int of;      /* PUSH: index of the variable that is bounded          */
  int upper;   /* PUSH: the bound is above it                          */
} brink__flat_action;

/* One branch of when/elsewhen: fires when one of its conditions becomes true. */
typedef struct brink__flat_branch {
  const brink__node *conds;
  int n_conds;
  const brink__flat_action *actions;
  int n_actions;
  brink__place at;
  const char *text; /* of the condition, for people                  */
} brink__flat_branch;

typedef struct brink__flat_when {
  const brink__flat_branch *branches; /* the first that fires wins                 */
  int n_branches;
  brink__place at;
  brink_side side;
  const char *locate; /* locator wanted, "" if none                  */
  int mode;           /* as of an equation                           */
  int leaves;         /* 1 + index of the transition that it stands
                         for; 0: none.  Set by machine/              */
} brink__flat_when;

/* A state of a machine: a component that is active or not. */
typedef struct brink__flat_state {
  const char *name; /* flat name of the component                              */
  int machine;      /* index                                                   */
  int32_t active;   /* Boolean symbol                                          */
  brink__place at;
} brink__flat_state;

typedef struct brink__flat_machine {
  int initial; /* index of the state                                      */
  int within;  /* 1 + index of the state it is part of, 0: none; that state
                  is of a machine before this one                         */
  brink__place at;
} brink__flat_machine;

/* While `from` is active and the condition holds, `to` becomes active instead. */
typedef struct brink__flat_transition {
  int from, to; /* indices of states of one machine                       */
  brink__node cond;
  int64_t priority; /* the lowest goes first                                  */
  int reset;        /* 1: the variables of `to` take their start values, the
                       machines in it begin anew; 0: the machines only; -1: all
                       goes on as it was left                                 */
  int waits;        /* 1: until the machines in `from` have come to states that
                       nothing leads out of; the condition says so            */
  brink_side side;
  const char *locate; /* locator wanted, "" if none                               */
  brink__place at;
  const char *text; /* of the condition, for people                               */
} brink__flat_transition;

/* A Boolean that decides the structure of the equations: between events it is a
 * constant in them, and machine number `machine` (of two states, without contents of
 * their own: the first while it is false) has a mode for each of its values.  Set by
 * machine/branch_modes.c. */
typedef struct brink__flat_switch {
  int32_t value; /* Boolean symbol: of a relation, or of a discrete variable ...      */
  int32_t same;  /* ... and of the relation that it equals, -1: none                  */
} brink__flat_switch;

/* The state of the machine of switch k while it has this value. */
static inline int brink__flat_switch_state(int k, int value) { return 2 * k + value; }

/* experiment and __brink annotations; NaN or "" where nothing is said. */
typedef struct brink__flat_settings {
  double start, stop, tolerance, interval;
  const char *method, *locate, *zeno, *sliding, *time_unit;
  double near_g, eta, lie_min, locate_order, width, zeno_gap;
} brink__flat_settings;

typedef struct brink__flat {
  brink__pool pool;
  brink__graph *graph;
  const char *name, *file;
  const char *text; /* description; NULL: none                                  */
  int32_t n_symbols;
  int32_t initial, terminal; /* Boolean symbols of initial(), terminal(); -1 */
  int32_t lambda;        /* Real symbol of homotopy(), see the head; 0: none        */
  brink__place homotopy; /* the first of its calls                                */
  int base;              /* 1: Base Modelica start semantics                          */
  int borrowed;          /* 1: the graph belongs to another flat model            */

  brink__flat_var *vars;
  brink__flat_eqn *eqns, *initial_eqns;
  brink__flat_eqn *natural;    /* the equations as written: without the definitions of
                                  variables that stand for derivatives                */
  const int32_t *derivative;   /* [n_symbols] variable whose derivative the symbol is in
                                  these, -1: none                                     */
  brink__flat_origin *origins; /* [n_eqns] of a system of higher index; NULL: of none */
  brink__flat_constraint *constraints; /* of the states; see dae/reduce.c           */
  brink__flat_slope *slopes;           /* of their equations                       */
  size_t n_constraints, n_slopes;
  brink__flat_leading_row *leading_rows; /* [n_leading] of the system Jacobian       */
  brink__flat_leading_col *leading_cols; /* [n_leading]                              */
  brink__flat_leading_slope *leading_slopes;
  size_t n_leading, n_leading_slopes;
  brink__flat_relation *relations;
  brink__flat_stair *stairs;
  brink__flat_sample *samples;
  brink__flat_delay *delays;
  brink__flat_when *whens;
  brink__flat_action *asserts; /* outside of when: checked whenever evaluated    */
  size_t n_vars, n_eqns, n_initial_eqns, n_natural, n_relations, n_stairs, n_samples,
      n_delays, n_whens, n_asserts;
  brink__flat_state *states;
  brink__flat_machine *machines;
  brink__flat_transition *transitions;
  size_t n_states, n_machines, n_transitions;
  brink__flat_switch
      *switches; /* [n_switches] the machines are these; or there is none */
  size_t n_switches;
  size_t
      most_states; /* that a mode of the switches has, as far as they were analysed */
  brink__flat_settings settings;
} brink__flat;

/* Free everything; NULL is allowed. */
void brink__flat_free(brink__flat *flat);

/* Who hears of faults and warnings of a model: the place and a sentence. */
typedef void brink__fault_fn(void *user, brink__place at, const char *text,
                             int is_warning);

#endif /* BRINK_FLAT_H */
