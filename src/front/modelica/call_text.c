/* call_text.c -- the conversions Integer(e), Color(i) of an enumeration Color, and
 * String(x, ...) with its options [Modelica36, 4.9.5.2, 4.9.5.3].
 */
#include "front/modelica/calls.h"

#include <string.h>

mo_val brink__call_to_integer(call *c)
{
  mo_val a = brink__call_value(c, 0);

  if (a.base == MO_V_BAD)
    return a;
  if (a.base != MO_V_ENUM) {
    brink__lo_error(c->lo, c->e->at, "'Integer' needs an enumeration, not %s",
                    brink__lo_type_text(c->lo, &a));
    return brink__lo_bad();
  }
  return brink__lo_map(c->lo, c->e->at, BRINK_OP_ORDINAL, MO_V_INTEGER, &a, NULL);
}

/* if i == 1 then Color.red else if i == 2 ...: the last one stands for the rest, which
 * an assertion excludes */
static brink__node literal(mo_low *lo, const mo_class *cls, mo_at at, brink__node i)
{
  int n = cls->n_literals;
  brink__node r = brink__ordinal(lo->g, n);
  double k;

  if (brink__lo_const(lo, i, &k)) {
    if (k >= 1 && k <= n)
      return brink__ordinal(lo->g, (int)k);
    if (lo->probe) /* the turn ends here, see exec.c */
      lo->probe = 2;
    else
      brink__lo_error(lo, at, "%s(%.0f) does not exist: there are %d literals",
                      cls->name->bare, k, n);
    return BRINK__NONE;
  }
  brink__lo_watch(lo, at, i, n,
                  brink__lo_format(lo,
                                   "%s(%%0{d}) does not exist: there are %d literals",
                                   cls->name->bare, n));
  for (k = n - 1; k >= 1; k--) {
    brink__node is = brink__lo_apply(lo, at, BRINK_OP_EQ, i,
                                     brink__integer(lo->g, (int64_t)k), BRINK__NONE);
    r = brink__lo_apply(lo, at, BRINK_OP_SELECT, is, brink__ordinal(lo->g, (int)k), r);
  }
  return r;
}

mo_val brink__call_to_literal(mo_low *lo, const mo_env *env, const mo_class *cls,
                              const mo_expr *e)
{
  if (e->call->n != 1 || e->call->args[0].name) {
    brink__lo_error(lo, e->at, "'%s' takes one argument, the number of a literal",
                    cls->name->bare);
    return brink__lo_bad();
  }
  mo_val i = brink__lo_expr(lo, env, e->call->args[0].value);
  if (i.base == MO_V_BAD)
    return i;
  if (i.base != MO_V_INTEGER) {
    brink__lo_error(lo, e->at, "'%s' needs an Integer, not %s", cls->name->bare,
                    brink__lo_type_text(lo, &i));
    return brink__lo_bad();
  }
  mo_val r = {.base = MO_V_ENUM};
  if (i.nd)
    r = brink__lo_array(lo, MO_V_ENUM, i.nd, i.dims);
  r.cls = cls;
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node one = literal(lo, cls, e->at, brink__lo_at(&i, k));
    if (!one)
      return brink__lo_bad();
    *(r.nd ? &r.v[k] : &r.one) = one;
  }
  return r;
}

/* an option of String(...): a number that is known; 0: bad */
static int option(const call *c, int i, const char *what, int64_t *out)
{
  const mo_expr *e = brink__call_argument(c, i);

  return !e || brink__lo_int(c->lo, c->env, e, what, out);
}

static int left_justified(const call *c, int i, int *left)
{
  const mo_expr *e = brink__call_argument(c, i);
  mo_env known = *c->env;
  double v;

  *left = 1;
  if (!e)
    return 1;
  known.flags |= MO_STRUCTURAL;
  brink__node n = brink__lo_expr_as(c->lo, &known, e, MO_V_BOOLEAN, "leftJustified");
  if (!n || !brink__lo_const(c->lo, n, &v))
    return 0;
  *left = v != 0;
  return 1;
}

enum { O_X, O_LENGTH, O_LEFT, O_DIGITS, O_FORMAT };

/* "%.3f" or ".3f": what String(x, format = ...) says, for one number; NULL: bad */
static const char *own_format(const call *c)
{
  mo_env known = *c->env;
  const mo_expr *e = brink__call_argument(c, O_FORMAT);

  known.flags |= MO_STRUCTURAL;
  mo_val v = brink__lo_expr(c->lo, &known, e);
  v = brink__lo_coerce(c->lo, e->at, v, MO_V_STRING, NULL, "format");
  if (v.base == MO_V_BAD || v.n_parts || v.nd)
    return NULL;
  const char *s = brink__lo_plain(c->lo, v.text);
  s += *s == '%';
  size_t n = strlen(s), flags = strspn(s, "-"), width = strspn(s + flags, "0123456789");
  size_t at = flags + width;
  if (s[at] == '.')
    at += 1 + strspn(s + at + 1, "0123456789");
  if (flags > 1 || n != at + 1 || !strchr("gfed", s[at])) {
    brink__lo_error(c->lo, e->at,
                    "the format '%s' is not supported; use [-][width][.digits] and "
                    "one of g f e d",
                    s);
    return NULL;
  }
  return s;
}

/* how a number is written: the part of %0{...} between the braces; NULL: bad */
static const char *format_of(const call *c, mo_base base)
{
  int64_t length = 0, digits = 6;
  int left;

  if (brink__call_argument(c, O_FORMAT))
    return own_format(c);
  if (!option(c, O_LENGTH, "minimumLength", &length) ||
      !option(c, O_DIGITS, "significantDigits", &digits) ||
      !left_justified(c, O_LEFT, &left))
    return NULL;
  if (length < 0 || length > 200 || digits < 1 || digits > 40) {
    brink__lo_error(c->lo, c->e->at,
                    "'String' writes at most 200 characters and 40 digits");
    return NULL;
  }
  const char *width = "";
  if (length)
    width = brink__lo_format(c->lo, "%s%lld", left ? "-" : "", (long long)length);
  if (base == MO_V_REAL)
    return brink__lo_format(c->lo, "%s.%lldg", width, (long long)digits);
  return brink__lo_format(c->lo, "%sd", width);
}

/* words padded to minimumLength */
static mo_val word(const call *c, const char *s)
{
  int64_t length = 0;
  int left;

  if (!option(c, O_LENGTH, "minimumLength", &length) ||
      !left_justified(c, O_LEFT, &left))
    return brink__lo_bad();
  int width = length > 0 && length <= 200 ? (int)length : 0;
  return brink__lo_string(brink__lo_format(c->lo, "%*s", left ? -width : width, s));
}

mo_val brink__call_to_string(call *c)
{
  mo_val a = brink__call_value(c, 0), words[2];

  if (a.base == MO_V_BAD || (a.base == MO_V_STRING && !a.nd))
    return a;
  if (a.nd || a.base == MO_V_RECORD)
    return brink__call_not_number(c, &a);
  if (a.base == MO_V_BOOLEAN) {
    words[0] = word(c, "false");
    words[1] = word(c, "true");
    if (words[0].base == MO_V_BAD || words[1].base == MO_V_BAD)
      return brink__lo_bad();
    return brink__lo_one_text(c->lo, a.one, 0, words, 2);
  }
  if (a.base == MO_V_ENUM) {
    size_t n = (size_t)a.cls->n_literals;
    mo_val *v = brink__lo_take(c->lo, (n + 1) * sizeof *v);
    for (size_t i = 0; v && i < n; i++) {
      v[i] = word(c, a.cls->literals[i].name->bare);
      if (v[i].base == MO_V_BAD)
        return v[i];
    }
    return v ? brink__lo_one_text(c->lo, a.one, 1, v, n) : brink__lo_bad();
  }
  const char *format = format_of(c, a.base);
  if (!format)
    return brink__lo_bad();
  mo_val r = brink__lo_string(brink__lo_format(c->lo, "%%0{%s}", format));
  r.parts = brink__lo_take(c->lo, sizeof *r.parts);
  if (!r.parts)
    return brink__lo_bad();
  r.parts[0] = a.one;
  r.n_parts = 1;
  return r;
}
