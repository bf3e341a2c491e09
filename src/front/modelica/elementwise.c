/* elementwise.c -- a function of scalars, given arrays [Modelica36, 12.4.6].
 *
 * f({a, b}, c) is {f(a, c), f(b, c)}: where arguments have more dimensions than the
 * function asks for, all of these the same ones, it is called for each element.  The
 * elements stand under names of their own in the scope of the call.
 */
#include "front/modelica/anatomy.h"

#include <string.h>

typedef struct spread {
  mo_low *lo;
  const mo_env *env;
  const mo_expr *e;
  const mo_class *cls;
  mo_val *v;         /* [n] arguments                                           */
  int *wide;         /* [n] 1: taken apart                                      */
  int n, nd;         /* nd: additional dimensions                               */
  const mo_val *one; /* an argument that has them                               */
} spread;

static const mo_formal *formal_of(const mo_anatomy *a, const mo_arg *arg, int position)
{
  for (int i = 0; i < a->n; i++) {
    const mo_component *c = a->formals[i].c;
    if (c->prefix.causality != MO_INPUT)
      continue;
    if (arg->name ? c->name == arg->name : position-- == 0)
      return &a->formals[i];
  }
  return NULL;
}

/* how many dimensions a variable of a function has; -1: bad, reported */
static int rank(mo_low *lo, const mo_formal *f)
{
  mo_scope scope = {NULL, f->cls, NULL};
  mo_kind kind;

  if (!brink__lo_kind_of(lo, &scope, f->c->type, &kind))
    return -1;
  return f->c->subs.n + f->c->type->subs.n + kind.nd;
}

/* which arguments are taken apart, and by which sizes; 0: bad, reported */
static int measure(spread *s, const mo_anatomy *a)
{
  const mo_arg *args = s->e->call->args;

  for (int k = 0; k < s->n; k++) {
    const mo_formal *f = formal_of(a, &args[k], k);
    s->v[k] = brink__lo_expr(s->lo, s->env, args[k].value);
    int more = f ? s->v[k].nd - rank(s->lo, f) : 0;
    if (s->v[k].base == MO_V_BAD)
      return 0;
    s->wide[k] = more > 0;
    if (more <= 0)
      continue;
    if (!s->one) {
      s->one = &s->v[k];
      s->nd = more;
    }
    int same = more == s->nd;
    for (int d = 0; same && d < more; d++)
      same = s->v[k].dims[d] == s->one->dims[d];
    if (!same) {
      brink__lo_error(s->lo, args[k].at,
                      "'%s' is called for each element, but its arguments have "
                      "different sizes: %s and %s",
                      s->cls->name->bare, brink__lo_type_text(s->lo, s->one),
                      brink__lo_type_text(s->lo, &s->v[k]));
      return 0;
    }
  }
  return s->one != NULL;
}

/* the call for the element `index` of the arguments that are taken apart */
static mo_val call_one(const spread *s, const int *index)
{
  mo_scope scope = *s->env->scope;
  mo_env env = *s->env;
  mo_expr e = *s->e;
  mo_call call = *s->e->call;
  size_t n = (size_t)s->n + 1;
  mo_local *local = brink__lo_take(s->lo, n * sizeof *local);
  mo_name *name = brink__lo_take(s->lo, n * sizeof *name);
  mo_val *value = brink__lo_take(s->lo, n * sizeof *value);
  mo_expr *ref = brink__lo_take(s->lo, n * sizeof *ref);
  int count;

  call.args = brink__lo_take(s->lo, n * sizeof *call.args);
  if (!local || !name || !value || !ref || !call.args)
    return brink__lo_bad();
  memcpy(call.args, s->e->call->args, (size_t)s->n * sizeof *call.args);
  for (int k = 0; k < s->n; k++) {
    if (!s->wide[k])
      continue;
    name[k] = (mo_name){.text = "element", .bare = "element"};
    name[k].plain.name = &name[k];
    value[k] = brink__lo_element(s->lo, &s->v[k], index, s->nd);
    ref[k] = (mo_expr){.kind = MO_REF, .at = call.args[k].value->at};
    ref[k].ref = (mo_ref){.parts = &name[k].plain, .n = 1};
    local[k] = (mo_local){scope.locals, &name[k], &value[k], 0, 0};
    scope.locals = &local[k];
    call.args[k].value = &ref[k];
  }
  env.scope = &scope;
  e.call = &call;
  mo_val *v = brink__lo_function(s->lo, &env, s->cls, &e, NULL, &count);
  return count ? v[0] : brink__lo_bad();
}

mo_val brink__lo_elementwise(mo_low *lo, const mo_env *env, const mo_class *cls,
                             const mo_expr *e)
{
  const mo_anatomy *a = brink__lo_anatomy(lo, cls);
  spread s = {.lo = lo, .env = env, .e = e, .cls = cls, .n = e->call->n};
  int index[MO_MAX_DIMS] = {0};
  size_t n = 1;

  s.v = brink__lo_take(lo, ((size_t)s.n + 1) * sizeof *s.v);
  s.wide = brink__lo_take(lo, ((size_t)s.n + 1) * sizeof *s.wide);
  if (!a || !s.v || !s.wide || !measure(&s, a))
    return brink__lo_bad();
  for (int d = 0; d < s.nd; d++)
    n *= (size_t)s.one->dims[d];
  if (n == 0) {
    brink__lo_error(lo, e->at, "'%s' is called for each element of an empty array",
                    cls->name->bare);
    return brink__lo_bad();
  }
  mo_val *v = brink__lo_take(lo, n * sizeof *v);
  for (size_t k = 0; v && k < n; k++) {
    v[k] = call_one(&s, index);
    if (v[k].base == MO_V_BAD)
      return v[k];
    for (int d = s.nd - 1; d >= 0 && ++index[d] == s.one->dims[d]; d--)
      index[d] = 0;
  }
  return v ? brink__lo_gather(lo, e->at, v, n, s.nd, s.one->dims) : brink__lo_bad();
}
