/* call_time.c -- built-in functions of time and events: der, pre, edge, sample, delay
 * ... What is special about each is in docs/language.md. */
#include "front/modelica/calls.h"

mo_val brink__call_der(call *c)
{
  mo_val a = brink__call_raw(c, 0);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  mo_val r = {.base = MO_V_REAL};
  if (a.nd)
    r = brink__lo_array(c->lo, MO_V_REAL, a.nd, a.dims);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = brink__lo_der(c->lo, c->env, c->e->at, brink__lo_at(&a, k));
    if (!brink__lo_put(&r, k, n))
      return brink__lo_bad();
  }
  return r;
}

/* pre(x[i]) with an i that changes: that of each element, chosen by i; 0: it is known
 */
static int in_turn(call *c, builtin_fn *fn, mo_val *out)
{
  const mo_expr *ref = brink__call_argument(c, 0);
  mo_low *lo = c->lo;
  mo_moving m;

  if (ref->kind != MO_REF || !brink__lo_moving(lo, c->env, ref, &m))
    return 0;
  brink__lo_watch_subscript(lo, c->e->at, m.index, m.size);
  *out = brink__lo_bad();
  for (int k = m.size; k >= 1; k--) {
    mo_arg arg = {.value = brink__lo_with_subscript(lo, ref, &m, k)};
    mo_call of_one = {.fn = c->c->fn, .args = &arg, .n = 1};
    call inner = *c;
    inner.c = &of_one;
    mo_val v = arg.value ? fn(&inner) : brink__lo_bad();
    if (v.base == MO_V_BAD) {
      *out = v;
      return 1;
    }
    brink__node is =
        brink__call_op(c, BRINK_OP_EQ, m.index, brink__integer(lo->g, (int64_t)k));
    *out = k == m.size ? v : brink__lo_select(lo, c->e->at, is, &v, out);
  }
  return 1;
}

mo_val brink__call_pre(call *c)
{
  mo_val chosen;
  if (in_turn(c, brink__call_pre, &chosen))
    return chosen;
  mo_inst *text = brink__lo_text_of(c->lo, c->env, brink__call_argument(c, 0));
  if (text)
    return brink__lo_text_value(c->lo, text, c->e->at, 1);
  mo_val a = brink__call_raw(c, 0);
  mo_val r = a.nd ? brink__lo_copy(c->lo, &a) : a;

  if (a.base == MO_V_STRING || a.base == MO_V_RECORD)
    return brink__call_not_number(c, &a);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = brink__lo_pre(c->lo, c->env, c->e->at, brink__lo_at(&a, k));
    if (!brink__lo_put(&r, k, n))
      return brink__lo_bad();
  }
  return r;
}

/* a Boolean that is not a variable gets one, so that it has a left limit */
static brink__node with_left_limit(const call *c, brink__node n, brink__type type)
{
  return brink__lo_with_left_limit(c->lo, c->e->at, n, type);
}

/* what argument 0 is now, and what it was before; 0: bad.  In an algorithm these are
 * the value so far and the left limit of the variable. */
static int now_and_before(call *c, mo_val *now, brink__node *before)
{
  mo_val own = brink__call_raw(c, 0);

  *now = brink__call_value(c, 0);
  if (now->base == MO_V_BAD || own.base == MO_V_BAD)
    return 0;
  if (now->nd || now->base == MO_V_STRING || now->base == MO_V_RECORD) {
    brink__call_not_number(c, now);
    return 0;
  }
  *before = now->one;
  if (c->lo->dry)
    return 1;
  if (now->base == MO_V_BOOLEAN && brink__lo_var_of(c->lo, own.one) < 0)
    own.one = now->one = with_left_limit(c, now->one, BRINK_TYPE_BOOLEAN);
  *before = brink__lo_pre(c->lo, c->env, c->e->at, own.one);
  return *before && now->one;
}

mo_val brink__call_edge(call *c)
{
  mo_val now;
  brink__node before;

  if (in_turn(c, brink__call_edge, &now))
    return now;
  if (!now_and_before(c, &now, &before))
    return brink__lo_bad();
  if (now.base != MO_V_BOOLEAN) {
    brink__lo_error(c->lo, c->e->at, "'edge' needs a Boolean, not %s",
                    brink__lo_type_text(c->lo, &now));
    return brink__lo_bad();
  }
  return brink__call_result(MO_V_BOOLEAN,
                            brink__call_op(c, BRINK_OP_AND, now.one,
                                           brink__call_op(c, BRINK_OP_NOT, before, 0)));
}

mo_val brink__call_change(call *c)
{
  mo_val now;
  brink__node before;

  if (in_turn(c, brink__call_change, &now))
    return now;
  if (!now_and_before(c, &now, &before))
    return brink__lo_bad();
  return brink__call_result(MO_V_BOOLEAN,
                            brink__call_op(c, BRINK_OP_NE, now.one, before));
}

static mo_val flag(call *c, int32_t *id)
{
  if (c->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(c->env->flags & MO_QUIET))
      brink__lo_error(c->lo, c->e->at, "'%s' cannot be used here", c->name);
    return brink__lo_bad();
  }
  if (*id < 0)
    *id = brink__lo_symbol(c->lo, MO_SYM_FLAG, 0, BRINK__DISCRETE);
  if (*id < 0)
    return brink__lo_bad();
  return brink__lo_scalar(c->lo, MO_V_BOOLEAN,
                          brink__symbol(c->lo->g, *id, BRINK_TYPE_BOOLEAN));
}

mo_val brink__call_initial(call *c) { return flag(c, &c->lo->flat->initial); }
mo_val brink__call_terminal(call *c) { return flag(c, &c->lo->flat->terminal); }

mo_val brink__call_sample(call *c)
{
  brink__node start = brink__call_scalar(c, 0, MO_V_REAL),
              interval = brink__call_scalar(c, 1, MO_V_REAL);

  if (!start || !interval)
    return brink__lo_bad();
  if (c->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(c->env->flags & MO_QUIET))
      brink__lo_error(c->lo, c->e->at, "'sample' cannot be used here");
    return brink__lo_bad();
  }
  return brink__call_result(
      MO_V_BOOLEAN, brink__lo_sample(c->lo, c->env, c->e->at, start, interval, c->e));
}

static mo_val without_events(const call *c, int i)
{
  mo_env inner = *c->env;

  inner.flags |= MO_PLAIN;
  return brink__lo_expr(c->lo, &inner, brink__call_argument(c, i));
}

mo_val brink__call_no_event(call *c) { return without_events(c, 0); }

mo_val brink__call_smooth(call *c)
{
  int64_t p;

  if (!brink__lo_int(c->lo, c->env, brink__call_argument(c, 0), "the order of 'smooth'",
                     &p))
    return brink__lo_bad();
  if (p < 0) {
    brink__lo_error(c->lo, c->e->at,
                    "the order of 'smooth' is %lld; it must not be "
                    "negative",
                    (long long)p);
    return brink__lo_bad();
  }
  return without_events(c, 1);
}

/* See flat/flat.h. */
static brink__node homotopy(const call *c, brink__node actual, brink__node simplified)
{
  brink__flat *f = c->lo->flat;
  brink__graph *g = c->lo->g;
  brink__node zero = brink__real(g, 0), one = brink__real(g, 1);

  if (actual == simplified)
    return actual;
  if (f->lambda == 0) {
    int32_t id = brink__lo_symbol(c->lo, MO_SYM_FLAG, 0, BRINK__PARAMETER);
    if (id < 0)
      return BRINK__NONE;
    f->lambda = id;
    f->homotopy = (brink__place){c->e->at.line, c->e->at.col};
  }
  brink__node lambda = brink__symbol(g, f->lambda, BRINK_TYPE_REAL);
  brink__node mix = brink__add(g, brink__mul(g, lambda, actual),
                               brink__mul(g, brink__sub(g, one, lambda), simplified));
  mix = brink__select(g, brink__op2(g, BRINK_OP_GT, lambda, zero), mix, simplified);
  return brink__select(g, brink__op2(g, BRINK_OP_LT, lambda, one), mix, actual);
}

/* What is simplified is there for the start only: its relations make no events. */
mo_val brink__call_homotopy(call *c)
{
  mo_val simplified = without_events(c, 1), actual = brink__call_value(c, 0);
  mo_low *lo = c->lo;

  actual = brink__lo_coerce(lo, c->e->at, actual, MO_V_REAL, NULL,
                            "the actual argument of 'homotopy'");
  simplified = brink__lo_coerce(lo, c->e->at, simplified, MO_V_REAL, NULL,
                                "the simplified argument of 'homotopy'");
  if (actual.base == MO_V_BAD || simplified.base == MO_V_BAD)
    return brink__lo_bad();
  if (!brink__lo_same_shape(&actual, &simplified)) {
    brink__lo_error(
        lo, c->e->at, "the arguments of 'homotopy' differ in size: %s and %s",
        brink__lo_type_text(lo, &actual), brink__lo_type_text(lo, &simplified));
    return brink__lo_bad();
  }
  if (c->env->flags & MO_STRUCTURAL)
    return actual;
  mo_val r = brink__lo_copy(lo, &actual);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = homotopy(c, brink__lo_at(&actual, k), brink__lo_at(&simplified, k));
    if (!brink__lo_put(&r, k, n))
      return brink__lo_bad();
  }
  return r;
}

mo_val brink__call_delay(call *c)
{
  mo_val a = brink__call_value(c, 0);
  brink__node by = brink__call_scalar(c, 1, MO_V_REAL), most = BRINK__NONE;

  if (c->c->n == 3) {
    most = brink__call_scalar(c, 2, MO_V_REAL);
    if (!most)
      return brink__lo_bad();
  }
  if (a.base == MO_V_BAD || !by)
    return brink__lo_bad();
  if (c->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(c->env->flags & MO_QUIET))
      brink__lo_error(c->lo, c->e->at, "'delay' cannot be used here");
    return brink__lo_bad();
  }
  a = brink__lo_coerce(c->lo, c->e->at, a, MO_V_REAL, NULL, "the argument of 'delay'");
  mo_val r = a.base == MO_V_BAD ? a : brink__lo_copy(c->lo, &a);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n =
        brink__lo_delay(c->lo, c->env, c->e->at, brink__lo_at(&a, k), by, most, c->e);
    if (!brink__lo_put(&r, k, n))
      return brink__lo_bad();
  }
  return r;
}

mo_val brink__call_statement(call *c)
{
  brink__lo_error(c->lo, c->e->at, "'%s' is a statement, it has no value", c->name);
  return brink__lo_bad();
}

mo_val brink__call_machine(call *c)
{
  brink__lo_error(c->lo, c->e->at,
                  "'%s' stands in an equation section, outside of when", c->name);
  return brink__lo_bad();
}

mo_val brink__call_active(call *c)
{
  return brink__call_result(
      MO_V_BOOLEAN, brink__lo_active(c->lo, c->env, brink__call_argument(c, 0)));
}
