/* front/modelica/calls.h -- what the files with built-in functions share. */
#ifndef BRINK_FRONT_MODELICA_CALLS_H
#define BRINK_FRONT_MODELICA_CALLS_H

#include "front/modelica/lower.h"

typedef struct call {
  mo_low *lo;
  const mo_env *env;
  const mo_expr *e;
  const mo_call *c;
  const char *name;
  const char *formals; /* "start,interval" */
} call;

typedef mo_val builtin_fn(call *c);

/* argument i by position or by its formal name; NULL: none */
const mo_expr *brink__call_argument(const call *c, int i);
/* Is every argument that is given by name one of the function's, and given once?
 * 0: no, reported */
int brink__call_names(const call *c);
mo_val brink__call_value(const call *c, int i);
/* the variable itself, not what an algorithm has made of it so far */
mo_val brink__call_raw(const call *c, int i);
/* a scalar of this type; BRINK__NONE: bad */
brink__node brink__call_scalar(const call *c, int i, mo_base base);
mo_val brink__call_result(mo_base base, brink__node n);
int brink__call_is_number(const mo_val *v);
/* reports that a number is needed */
mo_val brink__call_not_number(const call *c, const mo_val *v);
brink__node brink__call_op(const call *c, brink__op o, brink__node a, brink__node b);
/* argument 0, or the array of f(i) for i in r */
mo_val brink__call_elements_of(const call *c);

/* call_array.c */
mo_val brink__call_size(call *c);
mo_val brink__call_ndims(call *c);
mo_val brink__call_sum(call *c);
mo_val brink__call_product(call *c);
mo_val brink__call_zeros(call *c);
mo_val brink__call_ones(call *c);
mo_val brink__call_fill(call *c);
mo_val brink__call_identity(call *c);
mo_val brink__call_diagonal(call *c);
mo_val brink__call_linspace(call *c);
mo_val brink__call_transpose(call *c);
mo_val brink__call_cross(call *c);
mo_val brink__call_vector(call *c);
mo_val brink__call_to_scalar(call *c);
mo_val brink__call_cat(call *c);
mo_val brink__call_array(call *c);
mo_val brink__call_matrix(call *c);
mo_val brink__call_symmetric(call *c);
mo_val brink__call_outer_product(call *c);
mo_val brink__call_skew(call *c);

/* call_time.c */
mo_val brink__call_der(call *c);
mo_val brink__call_pre(call *c);
mo_val brink__call_edge(call *c);
mo_val brink__call_change(call *c);
mo_val brink__call_initial(call *c);
mo_val brink__call_terminal(call *c);
mo_val brink__call_sample(call *c);
mo_val brink__call_no_event(call *c);
mo_val brink__call_smooth(call *c);
mo_val brink__call_homotopy(call *c);
mo_val brink__call_delay(call *c);
mo_val brink__call_statement(call *c);
mo_val brink__call_machine(call *c);
mo_val brink__call_active(call *c);

/* call_text.c */
mo_val brink__call_to_integer(call *c);
mo_val brink__call_to_string(call *c);
/* Color(i): the literal with this number */
mo_val brink__call_to_literal(mo_low *lo, const mo_env *env, const mo_class *cls,
                              const mo_expr *e);

#endif /* BRINK_FRONT_MODELICA_CALLS_H */
