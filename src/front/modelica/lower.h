/* front/modelica/lower.h -- what the files that lower a tree to a flat model share.
 *
 * The way of a text:  instantiate.c builds the tree of instances (components of
 * classes, with their modifications); emit.c gives every scalar a flat variable;
 * lower_expr.c and its neighbours turn expressions into nodes of the graph, and
 * lower_eqn.c, when.c the sections into equations and clauses.
 *
 * Values and instances themselves are in instance.h.
 *
 * Naming: functions of lowering are brink__lo_verb.
 *
 * Poison.  What was found wrong has been reported; it yields MO_V_BAD, and whatever
 * is made of MO_V_BAD is MO_V_BAD without a further word.
 *
 * Two ways to read a parameter.  In an ordinary expression it is its symbol; in a
 * *structural* one (array sizes, conditions of components, branches chosen while
 * lowering: MO_STRUCTURAL) it is its value, found by evaluating bindings on demand.
 */
#ifndef BRINK_FRONT_MODELICA_LOWER_H
#define BRINK_FRONT_MODELICA_LOWER_H

#include "front/modelica/instance.h"

/* ------------------------------------------------------------- context ---- */

typedef struct mo_slot { /* of the hash table */
  const void *owner, *key;
  void *value;
} mo_slot;

typedef struct mo_table {
  brink_ctx *ctx;
  mo_slot *slots; /* [cap] open addressing */
  size_t n, cap;
} mo_table;

typedef enum mo_symbol_kind {
  MO_SYM_TIME,
  MO_SYM_VALUE, /* of vars[index] */
  MO_SYM_DER,
  MO_SYM_PRE,
  MO_SYM_RELATION, /* of relations[index] */
  MO_SYM_STAIR,
  MO_SYM_SAMPLE,
  MO_SYM_DELAY,
  MO_SYM_FLAG,  /* initial(), terminal(), lambda of homotopy() */
  MO_SYM_ACTIVE /* of modes[index] */
} mo_symbol_kind;

typedef struct mo_symbol {
  mo_symbol_kind kind;
  int32_t index;
  brink__variability variability;
} mo_symbol;

/* Equations in the making. */
typedef struct mo_sink {
  brink__flat_eqn *v;
  size_t n, cap;
  int initial;
  brink__node cond; /* asserts count only where this holds; BRINK__NONE: all */
} mo_sink;

/* A component that is active or sleeps. */
typedef struct mo_mode {
  mo_inst *inst;
  int32_t active;          /* its symbol                                          */
  mo_at at, initial, used; /* where it is named; line 0: nowhere (initialState,
                              transition)                                         */
  int group;               /* trees of modes that transitions join                */
} mo_mode;

struct mo_low {
  brink_ctx *ctx;
  mo_file *file;
  brink__diag *diag;
  brink__flat *flat;
  brink__graph *g;
  brink__pool pool; /* instances, layers, values                              */
  mo_table table;
  mo_inst *root;
  const brink_load_opts *opt;
  unsigned char *set_used; /* [opt->n_set]                                       */
  brink_status set_status; /* what is wrong with the user's values             */
  brink_err set_err;
  int depth;  /* of values that need other values                   */
  int calls;  /* depth of function calls                            */
  int lost;   /* they do not end: every call on the way fails       */
  mo_at here; /* the expression being read                          */
  int search; /* depth of lookups                                   */
  long n_scalars;
  long work;        /* statements executed */
  long turns;       /* of loops in equations and expressions */
  int blocks;       /* inside how many blocks that may not be executed */
  long operations;  /* operators applied   */
  int dry;          /* an algorithm is read only to see what it assigns to */
  int probe;        /* 1: in a turn that may never be made; 2: it cannot be made */
  int algorithm;    /* the equations of an algorithm are being made       */
  brink__node path; /* condition under which what is read counts; BRINK__NONE: always */
  struct mo_actions *actions; /* of the branch of a when that is read; NULL: none */
  brink__node *now; /* [n_now] values of variables inside an algorithm; BRINK__NONE:
                       the variable itself */
  size_t n_now;
  int32_t *sets;         /* [n_sets] trees of connected variables; see connect.c */
  unsigned char *in_set; /* [n_sets] flows that are connected */
  size_t n_sets;
  int32_t place;    /* where we are: in places; `mode` of what is lowered, until
                       brink__lo_modes knows the modes                            */
  mo_inst **places; /* [n_places] instances                                       */
  mo_mode *modes;
  brink__flat_transition *transitions;
  size_t n_places, cap_places, n_modes, cap_modes, n_transitions, cap_transitions;

  mo_inst **structural; /* [n_structural] parameters that have decided something   */
  size_t n_structural, cap_structural;

  mo_symbol *symbols;
  size_t n_symbols, cap_symbols;
  unsigned char *vary; /* [n_vary] variability of nodes 1 ..                     */
  size_t n_vary, cap_vary;

  brink__flat_var *vars;
  mo_inst **var_inst; /* [n_vars] NULL: hidden                       */
  int32_t *in_when;   /* [n_vars] number of the when, 0: none        */
  brink__flat_relation *relations;
  brink__flat_stair *stairs;
  brink__flat_sample *samples;
  brink__flat_delay *delays;
  brink__flat_when *whens;
  brink__flat_action *asserts;
  mo_sink eqns, initial_eqns;
  size_t n_vars, cap_vars, cap_var_inst, cap_in_when, n_relations, cap_relations,
      n_stairs, cap_stairs, n_samples, cap_samples, n_delays, cap_delays, n_whens,
      cap_whens, n_asserts, cap_asserts;
};

/* How an expression is read. */
enum {
  MO_STRUCTURAL = 1 << 0, /* parameters by value                                  */
  MO_PLAIN = 1 << 1,      /* relations make no events                             */
  MO_IN_WHEN = 1 << 2,    /* pre() of a continuous variable has a meaning         */
  MO_INITIAL = 1 << 3,
  MO_FUNCTION = 1 << 4,
  MO_QUIET = 1 << 5 /* not const: give up without a word (MO_STRUCTURAL)          */
};

typedef struct mo_env {
  const mo_scope *scope;
  unsigned flags;
  int64_t end; /* value of `end`; -1: outside of a subscript              */
} mo_env;

/* --------------------------------------------------------------- faces ---- */

/* name_table.c */
#define MO_KEY(number) ((const void *)((uintptr_t)(number) + 1)) /* a number as key */
void *brink__lo_get(const mo_table *t, const void *owner, const void *key);
int brink__lo_set(mo_table *t, const void *owner, const void *key, void *value);
void brink__lo_table_drop(mo_table *t);
void *brink__lo_take(mo_low *lo, size_t size); /* pool memory; NULL: reported */
const char *brink__lo_format(mo_low *lo, const char *fmt, ...) BRINK__PRINTF(2, 3);
int brink__lo_push(mo_low *lo, void **array, size_t *cap, size_t n, size_t elem);

/* scope.c */
mo_found brink__lo_find_name(mo_low *lo, const mo_scope *scope, mo_name *name,
                             mo_at at);
mo_found brink__lo_find_class(mo_low *lo, const mo_scope *scope, const mo_ref *ref,
                              mo_at at);
/* the enumeration that a class is, perhaps under another name; NULL: it is none */
const mo_class *brink__lo_enumeration(mo_low *lo, const mo_found *f);
/* an element of a class, own or inherited; NULL: none */
typedef struct mo_member {
  const mo_element *element;
  const mo_class *cls; /* that declares it */
} mo_member;
const mo_member *brink__lo_member(mo_low *lo, const mo_class *cls, mo_name *name);
/* one step further in a dotted name */
mo_found brink__lo_descend(mo_low *lo, const mo_found *from, mo_name *name, mo_at at);
const mo_scope *brink__lo_class_scope(mo_low *lo, const mo_class *cls);
/* the class behind `extends` or a short class */
mo_found brink__lo_base_of(mo_low *lo, const mo_scope *scope, const mo_type *type);
int brink__lo_derives(mo_low *lo, const mo_class *cls, const mo_class *base);
/* report a name that is not declared; silent where a base class is missing */
void brink__lo_unknown(mo_low *lo, const mo_scope *scope, const mo_ref *ref, mo_at at,
                       const char *what);
void brink__lo_say_unknown(mo_low *lo, const mo_scope *scope, const mo_ref *ref,
                           mo_at at, const char *what);
/* the mo_name of a text, NULL: no memory */
mo_name *brink__lo_name(mo_low *lo, const char *text);
/* full dotted text, for messages */
/* how far a name is from the one that was meant: smaller is nearer, and MO_FAR is too
 * far to be helpful */
enum { MO_FAR = 99 };
int brink__lo_far(const char *wanted, const char *name);
const char *brink__lo_ref_text(mo_low *lo, const mo_ref *ref);

/* package.c: the class itself, or a package written out with its own constants */
const mo_class *brink__lo_whole(mo_low *lo, const mo_class *cls);

/* library.c */
int brink__lo_library_constant(const char *path, double *value, int *is_integer);
/* unit of a type of Modelica.Units.SI, "Real" ...; NULL: unknown */
const char *brink__lo_library_unit(const char *path, mo_base *base);
/* bare name of the built-in function that path means; NULL: none */
const char *brink__lo_library_function(const char *path);
const char *brink__lo_library_nearest(const char *path);

/* modify.c */
mo_layer *brink__lo_layers_of(mo_low *lo, mo_layer *outer, mo_name *name);
mo_layer *brink__lo_layers_append(mo_layer *first, mo_layer *second);
mo_layer *brink__lo_layers_indexed(mo_low *lo, mo_layer *list, const int *index, int n);
mo_layer *brink__lo_layer(mo_low *lo, const mo_scope *scope, const mo_mods *mods,
                          const mo_expr *value, mo_at at);
/* the layer that gives the value; NULL: none.  Reports a broken `final`. */
const mo_layer *brink__lo_binding(mo_low *lo, const mo_inst *inst);
/* report entries of layers that name no component of inst */
void brink__lo_check_layers(mo_low *lo, mo_inst *inst, const mo_layer *layers);

/* found.c: does the expression depend on more than parameters, those included that
 * initial equations find?  Parameters and start values that depend on such ones become
 * variables and conditions of the start. */
int brink__lo_moves(mo_low *lo, brink__node n);
void brink__lo_dependent_parameters(mo_low *lo);

/* fixed = false: a parameter that the initial equations find */
int brink__lo_is_free(mo_low *lo, const mo_inst *inst);

/* instantiate.c */
mo_inst *brink__lo_instantiate(mo_low *lo, const mo_class *cls);
int brink__lo_ready(mo_low *lo, mo_inst *inst); /* 0: bad, reported */
mo_inst *brink__lo_kid(mo_low *lo, mo_inst *inst, mo_name *name);
const char *brink__lo_path(mo_low *lo, const mo_inst *inst, int32_t k);
/* reports what is not supported in a class, once */
void brink__lo_judge(mo_low *lo, const mo_class *cls);
/* resolve a declared type */
int brink__lo_kind_of(mo_low *lo, const mo_scope *scope, const mo_type *type,
                      mo_kind *out);
/* the component of a class that is no component itself: a constant of a package */
mo_inst *brink__lo_constant(mo_low *lo, const mo_member *m);
/* sizes of a list of subscripts in a declaration; -1 stands for ':' */
int brink__lo_sizes(mo_low *lo, const mo_scope *scope, const mo_list *subs, int *nd,
                    int *dims);
/* the values of Boolean or of an enumeration, if ref names one; 0: it does not */
int brink__lo_all_values(mo_low *lo, const mo_scope *scope, const mo_ref *ref, mo_at at,
                         mo_val *out);
/* structural value of a parameter or constant; the parameter is noted in
 * lo->structural */
mo_val brink__lo_known(mo_low *lo, mo_inst *inst, mo_at at, unsigned flags);
/* has a value the sizes of an instance?  0: no, reported */
int brink__lo_fits(mo_low *lo, mo_at at, const mo_inst *inst, const mo_val *v);
/* value that a declaration or modification gives; *has = 0: none does */
mo_val brink__lo_bound(mo_low *lo, mo_inst *inst, unsigned flags, int *has, mo_at *at);
/* value of a binding, with the index of its layer applied */
mo_val brink__lo_layer_value(mo_low *lo, const mo_layer *layer, const mo_expr *value,
                             unsigned flags, int each);

/* emit.c */
void brink__lo_emit(mo_low *lo, mo_inst *inst);
void brink__lo_attributes(mo_low *lo, mo_inst *inst);
int32_t brink__lo_hidden(mo_low *lo, const char *name, brink__type type,
                         brink__variability variability, mo_at at);

/* typed_value.c */
mo_val brink__lo_bad(void);
mo_val brink__lo_scalar(mo_low *lo, mo_base base, brink__node n);
mo_val brink__lo_array(mo_low *lo, mo_base base, int nd, const int *dims);
mo_val brink__lo_string(const char *text);
/* a constant text as it is shown */
const char *brink__lo_plain(mo_low *lo, const char *text);
mo_val brink__lo_concatenate(mo_low *lo, const mo_val *a, const mo_val *b);
/* one of n texts, chosen by the number `which` (Integer, Boolean or enumeration) */
mo_val brink__lo_one_text(mo_low *lo, brink__node which, int first, const mo_val *v,
                          size_t n);
size_t brink__lo_count(const mo_val *v);
brink__node brink__lo_at(const mo_val *v, size_t k);

/* Element k of an array, or the value, becomes n; 0 if there is no n. */
int brink__lo_put(mo_val *v, size_t k, brink__node n);
int brink__lo_same_shape(const mo_val *a, const mo_val *b);
const char *brink__lo_type_text(mo_low *lo, const mo_val *v);
const char *brink__lo_base_text(mo_low *lo, mo_base base, const mo_class *cls);
mo_val brink__lo_arith(mo_low *lo, mo_at at, mo_op op, const mo_val *a,
                       const mo_val *b);
mo_val brink__lo_negate(mo_low *lo, mo_at at, const mo_val *a);
mo_val brink__lo_map(mo_low *lo, mo_at at, brink__op op, mo_base base, const mo_val *a,
                     const mo_val *b);
/* apply an operator and report what has no value */
brink__node brink__lo_apply(mo_low *lo, mo_at at, brink__op op, brink__node a,
                            brink__node b, brink__node c);
mo_val brink__lo_select(mo_low *lo, mo_at at, brink__node cond, const mo_val *yes,
                        const mo_val *no);
/* to the type and shape of something declared; what names it in messages */
mo_val brink__lo_coerce(mo_low *lo, mo_at at, mo_val v, mo_base base,
                        const mo_class *cls, const char *what);
/* elements chosen by leading subscripts */
mo_val brink__lo_subscript(mo_low *lo, const mo_env *env, mo_at at, const mo_val *v,
                           const mo_list *subs);
mo_val brink__lo_element(mo_low *lo, const mo_val *v, const int *index, int n);
mo_val brink__lo_copy(mo_low *lo, const mo_val *v);
brink__type brink__lo_type_of(mo_base base);

/* strings.c: String variables */
mo_inst *brink__lo_text_of(mo_low *lo, const mo_env *env, const mo_expr *e);
void brink__lo_text_note(mo_low *lo, const mo_scope *scope, const mo_stmt *s,
                         int in_when);
/* its text; before: its left limit */
mo_val brink__lo_text_value(mo_low *lo, mo_inst *inst, mo_at at, int before);
/* the Strings that an algorithm assigns to get variables */
void brink__lo_text_ready(mo_low *lo, const mo_env *env, const mo_block *block);
/* a statement that assigns to a String, left: 1, and what it does (var -1: bad) */
int brink__lo_text_assign(mo_low *lo, const mo_env *env, const mo_stmt *s,
                          const mo_expr *left, brink__flat_action *out);
/* reports a String that cannot be assigned to: a parameter, an element, a field */
void brink__lo_no_text(mo_low *lo, mo_at at);
/* an equation of a when that sets a String: the same */
int brink__lo_text_set(mo_low *lo, const mo_env *env, const mo_stmt *s,
                       brink__flat_action *out);

/* compound.c: arrays of records and Strings */
int brink__lo_is_compound(const mo_val *v);
/* n >= 1 values of equal shape under new leading dimensions */
mo_val brink__lo_gather(mo_low *lo, mo_at at, const mo_val *v, size_t n, int nd,
                        const int *dims);
/* an array of elements of other arrays v, which have one type: [product of dims] */
typedef struct mo_pos {
  int source;
  size_t k;
} mo_pos;
mo_val brink__lo_rearrange(mo_low *lo, mo_at at, const mo_val *v, const mo_pos *from,
                           int nd, const int *dims);
mo_val brink__lo_compound_slice(mo_low *lo, const mo_env *env, mo_at at,
                                const mo_val *v, const mo_list *subs);
mo_val brink__lo_compound_copy(mo_low *lo, const mo_val *v);

/* subscript.c: positions chosen in one dimension */
typedef struct mo_pick {
  int nd; /* 0: one position; 1: several */
  int n;
  int *at; /* [n] from 0 */
  int one;
} mo_pick;
int brink__lo_pick(mo_low *lo, const mo_env *env, mo_at at, const mo_expr *sub,
                   int size, mo_pick *out);

/* moving.c: subscripts that are not known before the run */
typedef struct mo_moving {
  int part, sub; /* where in a reference                       */
  int size;      /* of the dimension                           */
  brink__node index;
} mo_moving;
/* the first such subscript of a reference, 0: none.  Sizes come from the declaration
 * of what is subscripted. */
int brink__lo_moving(mo_low *lo, const mo_env *env, const mo_expr *ref, mo_moving *out);
/* the Integer behind a subscript that is not known before the run; BRINK__NONE: it is
 * known, a slice, or wrong */
brink__node brink__lo_moving_index(mo_low *lo, const mo_env *env, const mo_expr *sub,
                                   int size);
/* the same reference with that subscript replaced by k */
mo_expr *brink__lo_with_subscript(mo_low *lo, const mo_expr *ref, const mo_moving *m,
                                  int k);
/* assert that an index lies in 1 .. size while the model runs; it is %0{d} in text */
void brink__lo_watch(mo_low *lo, mo_at at, brink__node index, int size,
                     const char *text);
void brink__lo_watch_subscript(mo_low *lo, mo_at at, brink__node index, int size);

/* size of dimension d of what part `part` of a reference names, which begins with a
 * local variable; -1: there is none */
int brink__lo_local_size(const mo_local *local, const mo_ref *ref, int part, int d);

/* range.c */
typedef struct mo_loop {
  const mo_iter *iters; /* [n] */
  int n;
  const mo_block *block; /* of a statement: iters[0] is the outermost loop; else NULL */
  const mo_expr *body; /* of a comprehension: iters[0] is the innermost; else NULL   */
} mo_loop;
/* the values that variable i of a loop takes; 0: bad, reported */
int brink__lo_iterate(mo_low *lo, const mo_env *env, const mo_loop *l, int i,
                      mo_val *values);

/* shape.c: sizes of an expression, whatever its value; 0: not found, mostly without a
 * word.  dims[MO_MAX_DIMS] */
int brink__lo_shape(mo_low *lo, const mo_env *env, const mo_expr *e, int *nd,
                    int *dims);

/* lower_expr.c */
mo_val brink__lo_expr(mo_low *lo, const mo_env *env, const mo_expr *e);
/* scalar of the wanted base (MO_V_REAL takes Integers too); BRINK__NONE: bad */
brink__node brink__lo_expr_as(mo_low *lo, const mo_env *env, const mo_expr *e,
                              mo_base base, const char *what);
/* structural values; 0: bad, reported */
int brink__lo_int(mo_low *lo, const mo_env *env, const mo_expr *e, const char *what,
                  int64_t *out);
int brink__lo_const(mo_low *lo, brink__node n, double *out);
/* the same, parameters by their values */
int brink__lo_settled(mo_low *lo, brink__node n, double *out);

/* reference.c */
mo_val brink__lo_ref(mo_low *lo, const mo_env *env, const mo_ref *ref, mo_at at);
/* the leaf instance and its elements that a reference to variables names: positions in
 * the flat variables.  NULL: bad, reported. */
typedef struct mo_lvalue {
  mo_inst *inst;
  mo_val value;
} mo_lvalue;
mo_val brink__lo_inst_value(mo_low *lo, const mo_env *env, mo_inst *inst, mo_at at);

/* lower_call.c */
mo_val brink__lo_call(mo_low *lo, const mo_env *env, const mo_expr *e);

/* event.c */
brink__variability brink__lo_varies(mo_low *lo, brink__node n);
int32_t brink__lo_symbol(mo_low *lo, mo_symbol_kind kind, int32_t index,
                         brink__variability variability);
brink__node brink__lo_value(mo_low *lo, int32_t var);
brink__node brink__lo_der(mo_low *lo, const mo_env *env, mo_at at, brink__node n);

/* reinit makes a variable a state, if it is one already or another name of der(x); 0:
 * it is neither */
int brink__lo_make_state(mo_low *lo, mo_at at, int32_t var);
brink__node brink__lo_pre(mo_low *lo, const mo_env *env, mo_at at, brink__node n);
brink__node brink__lo_relation(mo_low *lo, const mo_env *env, mo_at at, brink__op op,
                               brink__node a, brink__node b, const mo_expr *e);
brink__node brink__lo_stair(mo_low *lo, const mo_env *env, mo_at at, brink__stair kind,
                            brink__node arg, const mo_expr *e);
brink__node brink__lo_sample(mo_low *lo, const mo_env *env, mo_at at, brink__node start,
                             brink__node interval, const mo_expr *e);
/* arg as it was `by` ago; most: BRINK__NONE, or the longest delay */
brink__node brink__lo_delay(mo_low *lo, const mo_env *env, mo_at at, brink__node arg,
                            brink__node by, brink__node most, const mo_expr *e);
/* a Boolean that is not a variable gets a hidden one, so that it has a left limit */
brink__node brink__lo_with_left_limit(mo_low *lo, mo_at at, brink__node n,
                                      brink__type type);
/* text of a condition for people: as written, or with flat names where it stands in
 * a component; never NULL */
const char *brink__lo_text(mo_low *lo, const mo_env *env, const mo_expr *e,
                           brink__node n);
/* index of the variable a node is the value of; -1: it is none */
int32_t brink__lo_var_of(const mo_low *lo, brink__node n);

/* lower_eqn.c */
void brink__lo_block(mo_low *lo, const mo_env *env, const mo_block *block,
                     mo_sink *sink);
void brink__lo_equate(mo_low *lo, mo_at at, const mo_env *env, const mo_val *left,
                      const mo_val *right, mo_sink *sink);
void brink__lo_sections(mo_low *lo, mo_inst *inst);
/* a condition by the values of parameters and constants: 1, 0; -1: it changes, or is
 * wrong.  Those parameters are noted in lo->structural. */
int brink__lo_decided(mo_low *lo, const mo_env *env, const mo_expr *e);
const char *brink__lo_message(mo_low *lo, const mo_env *env, const mo_expr *e,
                              brink__flat_action *out);
void brink__lo_assert(mo_low *lo, const mo_env *env, const mo_expr *e,
                      brink__flat_action *out);
/* an assertion that holds where it stands: under lo->path, in the when of lo->actions
 */
void brink__lo_push_assert(mo_low *lo, brink__flat_action a);
/* initial() as a node; BRINK__NONE: no memory */
brink__node brink__lo_initial(mo_low *lo);

/* function.c */
/* a call of a function of the text: its outputs, one by one; n_out 0: bad.  left: who
 * takes them (NULL elements: nobody); NULL: only the first is wanted */
mo_val *brink__lo_function(mo_low *lo, const mo_env *env, const mo_class *cls,
                           const mo_expr *e, const mo_list *left, int *n_out);
/* the same for each element of arguments with more dimensions than it asks for */
mo_val brink__lo_elementwise(mo_low *lo, const mo_env *env, const mo_class *cls,
                             const mo_expr *e);
/* a value without content */
mo_val brink__lo_empty(mo_low *lo, const mo_kind *kind, int nd, const int *dims);
/* has every scalar of it been assigned to? */
int brink__lo_has_value(const mo_val *v);
mo_val brink__lo_constructor(mo_low *lo, const mo_env *env, const mo_class *cls,
                             const mo_expr *e);
/* an instance of a record class that stands for its fields */
mo_inst *brink__lo_prototype(mo_low *lo, const mo_class *cls);
/* outputs of the call on the right side of (a, b) = f(x) */
mo_val *brink__lo_outputs(mo_low *lo, const mo_env *env, const mo_list *left,
                          const mo_expr *e, int *n_out);

/* exec.c: statements, executed on expressions */
typedef struct mo_exec {
  mo_low *lo;
  brink__node **place; /* [n] what statements may change */
  size_t n, cap;
  mo_val **text; /* [n_text] Strings of a function, the same */
  size_t n_text, cap_text;
  int function;          /* else: an algorithm section */
  int dry;               /* only find out what is assigned */
  brink__node path;      /* condition of being here; BRINK__NONE: none */
  brink__node done, out; /* return, break: Booleans */
  brink__node excluded;  /* what is false here: having left, as far as that is known */
  unsigned char *seen;   /* [n_now] algorithm: variables that are places */
  int32_t *vars;         /* algorithm: the variables behind the places, from 2 on */
  size_t cap_vars;
  struct mo_actions *actions; /* inside a when */
} mo_exec;
int brink__lo_exec_open(mo_exec *x, mo_low *lo, int function);
void brink__lo_exec_close(mo_exec *x);
int brink__lo_exec_place(mo_exec *x, brink__node *place);
/* everything that v consists of becomes a place */
int brink__lo_exec_places(mo_exec *x, mo_val *v);
void brink__lo_exec(mo_exec *x, const mo_env *env, const mo_block *block);

/* assign.c */
void brink__lo_assign(mo_exec *x, const mo_env *env, const mo_stmt *s);

/* algorithm.c */
void brink__lo_algorithm(mo_low *lo, const mo_env *env, const mo_section *s);
void brink__lo_when_statement(mo_exec *x, const mo_env *env, const mo_stmt *s);

/* when.c */
/* what happens in a branch of a when, in the making */
typedef struct mo_actions {
  brink__flat_action *v;
  size_t n, cap;
  void *owner; /* of its assignments in the table, by variable; NULL: none yet */
} mo_actions;
void brink__lo_action(mo_low *lo, mo_actions *out, const brink__flat_action *a);
void brink__lo_actions_drop(mo_low *lo, mo_actions *a);
void brink__lo_when_call(mo_low *lo, const mo_env *env, const mo_stmt *s,
                         mo_actions *out);
/* one branch of a when, and the whole; *b is in the flat pool */
int brink__lo_when_branch(mo_low *lo, const mo_env *env, const mo_branch *br,
                          mo_actions *list, brink_side side, brink__flat_branch *b);
void brink__lo_when_add(mo_low *lo, const mo_stmt *s, const brink__flat_branch *b,
                        brink_side side, const char *locate);

void brink__lo_when(mo_low *lo, const mo_env *env, const mo_stmt *s);
void brink__lo_when_terminate(mo_low *lo, const mo_env *env, const mo_stmt *s,
                              brink__node cond);
/* strictest wish for the relations a condition is made of */
void brink__lo_wish(mo_low *lo, brink__node n, brink_side side);

/* assigned.c: who is set in whens and algorithms? */
void brink__lo_find_assigned(mo_low *lo, mo_inst *inst);

/* bounds.c: a when at the end of a variable's domain decides what happens there: side
 * before */
void brink__lo_bounds(mo_low *lo);

/* connect.c */
void brink__lo_connect(mo_low *lo, const mo_env *env, const mo_stmt *s);
void brink__lo_flows(mo_low *lo);

/* modes.c */
/* number of the place of an instance; 0 is the model */
int32_t brink__lo_place(mo_low *lo, mo_inst *inst);
/* the mode that an instance belongs to; NULL: none */
const mo_inst *brink__lo_mode_of(const mo_inst *inst);
/* initialState, transition; 0: the call is another one */
int brink__lo_mode_call(mo_low *lo, const mo_env *env, const mo_stmt *s,
                        const mo_sink *sink);
brink__node brink__lo_active(mo_low *lo, const mo_env *env, const mo_expr *e);

/* machines.c */
/* the mode that stands for all that transitions join with mode k */
int brink__lo_group(mo_low *lo, int k);
/* at the end: machines, and who belongs to which mode */
void brink__lo_modes(mo_low *lo);

/* annotation.c */
void brink__lo_settings(mo_low *lo, const mo_class *cls);
void brink__lo_when_settings(mo_low *lo, const mo_comment *comment, brink_side *side,
                             const char **locate);
int brink__lo_domain(mo_low *lo, const mo_comment *comment);
/* the vector along which a variable is reflected at its bounds; NULL: it is not */
const mo_expr *brink__lo_reflect_along(const mo_comment *comment);

/* reflect.c: bounds that reflect become events */
void brink__lo_reflect(mo_low *lo);

/* structural.c: parameters whose value has decided what the model is made of */
void brink__lo_decides(mo_low *lo, mo_inst *inst, mo_at at);
/* the values looked at since there were n of them have decided nothing after all */
void brink__lo_undecide(mo_low *lo, size_t n);
/* at the end: tell the flat variables, also those that the noted ones are made of */
void brink__lo_structural(mo_low *lo);

/* settings.c */
int brink__lo_is_final(const mo_inst *inst);
/* value set by the user for this flat name: its node, or BRINK__NONE */
brink__node brink__lo_user_value(mo_low *lo, const mo_inst *inst, int32_t k);
void brink__lo_check_set(mo_low *lo);

/* lower.c */
brink_status brink__mo_lower(brink_ctx *ctx, mo_file *file, const brink_load_opts *opt,
                             brink__diag *diag, brink__flat **out);

brink_status brink__lo_error(mo_low *lo, mo_at at, const char *fmt, ...)
    BRINK__PRINTF(3, 4);
/* one more step of the work of reading; 0: too many, reported */
int brink__lo_step(mo_low *lo, mo_at at);
/* one more turn of a loop that is unrolled; 0: too many, reported */
int brink__lo_turn(mo_low *lo, mo_at at);
/* an error after which nothing more is read: a limit was hit */
void brink__lo_hopeless(mo_low *lo, mo_at at, const char *fmt, ...) BRINK__PRINTF(3, 4);
void brink__lo_warn(mo_low *lo, mo_at at, const char *fmt, ...) BRINK__PRINTF(3, 4);

#endif /* BRINK_FRONT_MODELICA_LOWER_H */
