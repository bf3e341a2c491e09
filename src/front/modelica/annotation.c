/* annotation.c -- what annotations say to brink: experiment(...) and __brink(...).
 *
 * Other tools' annotations are ignored.  An unknown key of __brink is a warning (a
 * newer brink may know it), a wrong value an error.
 */
#include "front/modelica/lower.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct choice { /* a key, and the words it takes; NULL: any word */
  const char *key;
  const char *const *words;
} choice;

static const char *const sides[] = {"after", "before", "nearest", NULL};
static const char *const zenos[] = {"continue",   "stop",    "step",
                                    "regularize", "average", NULL};
static const char *const slidings[] = {"filippov", "regularize", "chatter", "stop",
                                       NULL};

static const mo_mods *part(const mo_mods *all, const char *name)
{
  for (int i = 0; all && i < all->n; i++)
    if (all->v[i].name.n == 1 && strcmp(all->v[i].name.parts[0].name->text, name) == 0)
      return all->v[i].mods;
  return NULL;
}

static const char *key_of(const mo_mod *m)
{
  return m->name.n == 1 ? m->name.parts[0].name->text : "";
}

static void unknown_key(mo_low *lo, const mo_mod *m, const char *where)
{
  brink__lo_warn(lo, m->at,
                 "'%s' is no setting of %s in annotation(__brink(...)); it is "
                 "ignored",
                 key_of(m), where);
}

/* the word a setting gives; NULL: wrong, reported */
static const char *word(mo_low *lo, const mo_mod *m, const char *const *words)
{
  char list[120] = "";
  size_t n = 0;

  if (m->value && m->value->kind == MO_STRING) {
    if (!words)
      return m->value->string;
    for (int i = 0; words[i]; i++)
      if (strcmp(words[i], m->value->string) == 0)
        return words[i];
  }
  for (int i = 0; words && words[i]; i++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s\"%s\"", i ? ", " : "",
                          words[i]);
  brink__lo_error(lo, m->value ? m->value->at : m->at,
                  words ? "'%s' takes one of %s" : "'%s' takes a name in quotes",
                  key_of(m), list);
  return NULL;
}

static const char *kept(mo_low *lo, const char *s)
{
  const char *copy = s ? brink__pool_str(&lo->flat->pool, s, strlen(s)) : "";

  if (!copy)
    brink__diag_nomem(lo->diag);
  return copy ? copy : "";
}

/* a method or locator that exists, kept; "": wrong, reported */
static const char *known(mo_low *lo, const mo_mod *m, const char *what,
                         const char *(*names)(int))
{
  const char *w = word(lo, m, NULL), *best = NULL;
  int distance = w && strlen(w) < 4 ? (int)strlen(w) : 4;

  for (int i = 0; w && strcmp(w, "auto") != 0; i++) {
    const char *name = names(i);
    if (!name) {
      brink__lo_error(lo, m->value->at, "there is no %s '%s'%s%s%s", what, w,
                      best ? "; did you mean '" : "; see 'brink ", best ? best : what,
                      best ? "'?" : "s'");
      return "";
    }
    int d = brink__distance(w, name);
    if (d == 0)
      break;
    if (d < distance) {
      distance = d;
      best = name;
    }
  }
  return kept(lo, w);
}

/* A model may name a method that this build lacks: a run that asks for it says so. */
static const char *known_method(mo_low *lo, const mo_mod *m)
{
  const char *w = m->value && m->value->kind == MO_STRING ? m->value->string : "";

  if (brink_method_missing(w))
    return kept(lo, w);
  return known(lo, m, "method", brink_method_name);
}

static const char *known_locator(mo_low *lo, const mo_mod *m)
{
  return known(lo, m, "locator", brink_locator_name);
}

/* -------------------------------------------------------------- experiment ---- */

static double number(mo_low *lo, const mo_mod *m)
{
  mo_scope scope = {lo->root, lo->root->cls, NULL};
  mo_env env = {&scope, MO_STRUCTURAL, -1};
  double v = (double)NAN;

  if (!m->value) {
    brink__lo_error(lo, m->at, "'%s' needs a number", key_of(m));
    return v;
  }
  brink__node n = brink__lo_expr_as(lo, &env, m->value, MO_V_REAL, key_of(m));
  if (n)
    brink__lo_const(lo, n, &v);
  return v;
}

static void positive(mo_low *lo, const mo_mod *m, double v)
{
  if (v <= 0)
    brink__lo_error(lo, m->value->at, "'%s' is %g; it must be positive", key_of(m), v);
}

static void tolerance(mo_low *lo, const mo_mod *m, double v)
{
  if (v < BRINK_LEAST_RTOL || v > 1)
    brink__lo_error(lo, m->value->at, "'%s' is %g; it must lie between %g and 1",
                    key_of(m), v, BRINK_LEAST_RTOL);
}

static void order(mo_low *lo, const mo_mod *m, double v)
{
  if (!isnan(v) &&
      !(v >= BRINK_LOCATE_ORDER_LEAST && v <= BRINK_LOCATE_ORDER_MOST && v == floor(v)))
    brink__lo_error(lo, m->value->at, "'%s' is %g; it must be one of %d to %d",
                    key_of(m), v, BRINK_LOCATE_ORDER_LEAST, BRINK_LOCATE_ORDER_MOST);
}

static void experiment(mo_low *lo, const mo_mods *mods, brink__flat_settings *s)
{
  double n_intervals = (double)NAN;

  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    const char *key = key_of(m);
    if (strcmp(key, "StartTime") == 0)
      s->start = number(lo, m);
    else if (strcmp(key, "StopTime") == 0)
      s->stop = number(lo, m);
    else if (strcmp(key, "Tolerance") == 0)
      tolerance(lo, m, s->tolerance = number(lo, m));
    else if (strcmp(key, "Interval") == 0)
      positive(lo, m, s->interval = number(lo, m));
    else if (strcmp(key, "NumberOfIntervals") == 0)
      positive(lo, m, n_intervals = number(lo, m));
  }
  double start = isnan(s->start) ? 0 : s->start;
  if (isnan(s->interval) && n_intervals > 0 && s->stop > start)
    s->interval = (s->stop - start) / n_intervals;
  if (s->stop < start)
    brink__lo_error(lo, mods->v[0].at,
                    "the experiment stops at %g, before its start at %g", s->stop,
                    start);
}

/* ------------------------------------------------------------------ __brink ---- */

static void brink_settings(mo_low *lo, const mo_mods *mods, brink__flat_settings *s)
{
  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    const char *key = key_of(m);
    if (strcmp(key, "method") == 0)
      s->method = known_method(lo, m);
    else if (strcmp(key, "locate") == 0)
      s->locate = known_locator(lo, m);
    else if (strcmp(key, "zeno") == 0)
      s->zeno = kept(lo, word(lo, m, zenos));
    else if (strcmp(key, "sliding") == 0)
      s->sliding = kept(lo, word(lo, m, slidings));
    else if (strcmp(key, "width") == 0)
      positive(lo, m, s->width = number(lo, m));
    else if (strcmp(key, "zeno_gap") == 0)
      positive(lo, m, s->zeno_gap = number(lo, m));
    else if (strcmp(key, "near_g") == 0)
      positive(lo, m, s->near_g = number(lo, m));
    else if (strcmp(key, "eta") == 0)
      positive(lo, m, s->eta = number(lo, m));
    else if (strcmp(key, "lie_min") == 0)
      positive(lo, m, s->lie_min = number(lo, m));
    else if (strcmp(key, "locate_order") == 0)
      order(lo, m, s->locate_order = number(lo, m));
    else if (strcmp(key, "timeUnit") == 0)
      s->time_unit = kept(lo, word(lo, m, NULL));
    else if (strcmp(key, "modes") == 0)
      continue; /* says that initialState ... are meant; those speak for themselves */
    else
      unknown_key(lo, m, "a model");
  }
}

void brink__lo_settings(mo_low *lo, const mo_class *cls)
{
  brink__flat_settings *s = &lo->flat->settings;
  double none = (double)NAN;
  const mo_mods *all = cls->comment.annotation;

  if (cls->comment.text)
    lo->flat->text = kept(lo, cls->comment.text);
  *s = (brink__flat_settings){none, none, none, none, "",   "",   "",  "",
                              "",   none, none, none, none, none, none};
  const mo_mods *e = part(all, "experiment");
  if (e && e->n)
    experiment(lo, e, s);
  brink_settings(lo, part(all, "__brink"), s);
}

void brink__lo_when_settings(mo_low *lo, const mo_comment *comment, brink_side *side,
                             const char **locate)
{
  const mo_mods *mods = part(comment->annotation, "__brink");

  *side = BRINK_AFTER;
  *locate = "";
  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    if (strcmp(key_of(m), "side") == 0) {
      const char *w = word(lo, m, sides);
      if (w)
        *side = w == sides[1]   ? BRINK_BEFORE
                : w == sides[2] ? BRINK_NEAREST
                                : BRINK_AFTER;
    } else if (strcmp(key_of(m), "locate") == 0)
      *locate = known_locator(lo, m);
    else
      unknown_key(lo, m, "a when");
  }
}

int brink__lo_domain(mo_low *lo, const mo_comment *comment)
{
  const mo_mods *mods = part(comment->annotation, "__brink");
  int domain = 0;

  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    if (strcmp(key_of(m), "domain") == 0) {
      if (m->value && m->value->kind == MO_BOOLEAN)
        domain = m->value->boolean;
      else
        brink__lo_error(lo, m->at, "'domain' takes true or false");
    } else if (strcmp(key_of(m), "reflect") != 0) /* reflect.c */
      unknown_key(lo, m, "a variable");
  }
  return domain;
}

const mo_expr *brink__lo_reflect_along(const mo_comment *comment)
{
  const mo_mods *mods = part(comment->annotation, "__brink");

  for (int i = 0; mods && i < mods->n; i++)
    if (strcmp(key_of(&mods->v[i]), "reflect") == 0)
      return mods->v[i].value;
  return NULL;
}
