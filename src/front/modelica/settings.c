/* settings.c -- values that the user sets from outside: name=value.
 *
 * A parameter's value replaces its binding (also where it decides sizes and
 * branches), a variable's replaces its start value.  Names are flat names.
 */
#include "front/modelica/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/lexer.h"

static int number_of(const char *s, double *out)
{
  const char *from = s + (*s == '-' || *s == '+');
  size_t n = strlen(from), digits = 0, i = 0;

  for (; i < n && ((from[i] >= '0' && from[i] <= '9') || from[i] == '.'); i++)
    digits += from[i] != '.';
  if (i < n && digits && (from[i] == 'e' || from[i] == 'E')) {
    i += from[i + 1] == '-' || from[i + 1] == '+' ? 2 : 1;
    size_t first = i;
    while (i < n && from[i] >= '0' && from[i] <= '9')
      i++;
    digits = i > first;
  }
  if (i != n || !digits || (strchr(from, '.') && strchr(strchr(from, '.') + 1, '.')))
    return 0;
  *out = brink__mo_number(from, n);
  if (*s == '-')
    *out = -*out;
  return isfinite(*out);
}

static brink__node literal(mo_low *lo, const mo_class *cls, const char *text)
{
  const char *dot = strrchr(text, '.');

  text = dot ? dot + 1 : text;
  for (int i = 0; i < cls->n_literals; i++)
    if (strcmp(cls->literals[i].name->bare, text) == 0)
      return brink__ordinal(lo->g, i + 1);
  return BRINK__NONE;
}

static void wrong(mo_low *lo, const brink_setting *s, const char *expected)
{
  if (lo->set_status == BRINK_OK)
    lo->set_status = brink__fail(&lo->set_err, BRINK_ENAME,
                                 "'%.80s' cannot be set to '%.60s': %s is expected",
                                 s->name, s->value, expected);
}

static brink__node convert(mo_low *lo, const mo_inst *inst, const brink_setting *s)
{
  double v = 0;
  brink__node n = BRINK__NONE;
  int number = number_of(s->value, &v);

  switch (inst->base) {
  case MO_V_REAL: n = number ? brink__real(lo->g, v) : n; break;
  case MO_V_INTEGER:
    n = number && v == floor(v) && fabs(v) < 0x1p53 ? brink__integer(lo->g, (int64_t)v)
                                                    : n;
    break;
  case MO_V_BOOLEAN:
    if (strcmp(s->value, "true") == 0 || strcmp(s->value, "false") == 0)
      n = brink__boolean(lo->g, s->value[0] == 't');
    break;
  case MO_V_ENUM: n = literal(lo, inst->cls, s->value); break;
  case MO_V_STRING:
  case MO_V_BAD:
  case MO_V_RECORD:
  case MO_V_CLASS: break;
  }
  if (!n)
    wrong(lo, s, brink__lo_base_text(lo, inst->base, inst->cls));
  return n;
}

int brink__lo_is_final(const mo_inst *inst)
{
  for (const mo_layer *l = inst->layers; l; l = l->inner)
    if (l->value && (l->flags & MO_FINAL))
      return 1;
  return 0;
}

brink__node brink__lo_user_value(mo_low *lo, const mo_inst *inst, int32_t k)
{
  if (!lo->opt || lo->opt->n_set == 0 || !inst->parent)
    return BRINK__NONE;
  const char *name = brink__lo_path(lo, inst, k);
  for (int i = lo->opt->n_set - 1; i >= 0; i--) { /* the last one counts */
    const brink_setting *s = &lo->opt->set[i];
    if (strcmp(s->name, name) != 0)
      continue;
    for (int b = 0; b <= i; b++) /* those before it are overruled */
      lo->set_used[b] |= strcmp(lo->opt->set[b].name, name) == 0;
    if (inst->variability == MO_CONSTANT || brink__lo_is_final(inst)) {
      if (lo->set_status == BRINK_OK)
        lo->set_status = brink__fail(
            &lo->set_err, BRINK_ENAME, "'%.80s' is %s and cannot be set", s->name,
            inst->variability == MO_CONSTANT ? "a constant" : "final");
      return BRINK__NONE;
    }
    return convert(lo, inst, s);
  }
  return BRINK__NONE;
}

/* The name of an array or of a component: what is in it can be set. */
static int is_whole(mo_low *lo, const char *name)
{
  size_t n = strlen(name);

  for (size_t v = 0; v < lo->n_vars; v++) {
    const char *part = lo->vars[v].name;
    if (lo->vars[v].hidden || strncmp(part, name, n) != 0 ||
        (part[n] != '[' && part[n] != '.'))
      continue;
    lo->set_status = brink__fail(
        &lo->set_err, BRINK_ENAME,
        part[n] == '[' ? "'%.80s' is an array: set its elements one by one, as '%.80s'"
                       : "'%.80s' has components: set them one by one, as '%.80s'",
        name, part);
    return 1;
  }
  return 0;
}

/* nobody has this name: the two nearest are offered */
static void unknown(mo_low *lo, const char *name)
{
  const char *best = "", *second = "";
  int nearest = MO_FAR, next = MO_FAR;

  if (is_whole(lo, name))
    return;

  for (size_t v = 0; v < lo->n_vars; v++) {
    int d = lo->vars[v].hidden ? MO_FAR : brink__lo_far(name, lo->vars[v].name);
    if (d < nearest) {
      second = best;
      next = nearest;
      best = lo->vars[v].name;
      nearest = d;
    } else if (d < next) {
      second = lo->vars[v].name;
      next = d;
    }
  }
  lo->set_status =
      brink__fail(&lo->set_err, BRINK_ENAME,
                  "the model has no parameter or variable '%.80s'%s%.40s%s%.40s%s",
                  name, *best ? "; did you mean '" : "", best, *second ? "' or '" : "",
                  second, *best ? "'?" : "");
}

void brink__lo_check_set(mo_low *lo)
{
  for (int i = 0; lo->opt && i < lo->opt->n_set; i++)
    if (!lo->set_used[i] && lo->set_status == BRINK_OK)
      unknown(lo, lo->opt->set[i].name);
}
