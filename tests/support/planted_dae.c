/* planted_dae.c -- see planted_dae.h */
#include "planted_dae.h"

#include "check.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- values --- */

double planted_value(const planted_var *v, int k, double t)
{
  static const double quarter = 1.57079632679489661923;

  return v->a * pow(v->w, k) * sin(v->w * t + v->p + k * quarter) +
         v->b * pow(-v->r, k) * exp(-v->r * t);
}

static double factor_at(const planted_term *e, double t)
{
  return e->factor * (1 + e->swing * sin(e->rate * t));
}

static double shape(const planted_term *e, double z, double other)
{
  switch (e->shape) {
  case PLANTED_LINEAR: break;
  case PLANTED_SINE: return z + 0.4 * sin(z);
  case PLANTED_CUBIC: return z + z * z * z / 10;
  case PLANTED_PRODUCT: return z * (1 + other * other / 4);
  case PLANTED_ROOT: return z / sqrt(4 + z * z);
  case PLANTED_SHAPES: break;
  }
  return z;
}

double planted_residual(const planted_dae *p, int i, double t,
                        double x[][PLANTED_ORDERS], double *size)
{
  const planted_eqn *q = &p->eqn[i];
  double sum = 0;

  *size = 0;
  for (int e = 0; e < q->n; e++) {
    const planted_term *m = &q->term[e];
    double here = shape(m, x[m->j][m->k], x[m->other][0]);
    double there = shape(m, planted_value(&p->var[m->j], m->k, t),
                         planted_value(&p->var[m->other], 0, t));
    sum += factor_at(m, t) * (here - there);
    *size += fabs(factor_at(m, t)) * (fabs(here) + fabs(there));
  }
  return sum;
}

/* ------------------------------------------------------------ construction --- */

static int chance(planted_dae *p, double share) { return rand_01(&p->seed) < share; }

static int below(planted_dae *p, int n) { return (int)(rand_01(&p->seed) * n); }

static double sign(planted_dae *p) { return chance(p, 0.5) ? 1 : -1; }

static void make_var(planted_dae *p, planted_var *v)
{
  v->a = sign(p) * rand_in(&p->seed, 0.3, 1);
  v->w = rand_in(&p->seed, 0.4, 1.6);
  v->p = rand_in(&p->seed, -3, 3);
  v->b = chance(p, 0.5) ? 0 : rand_in(&p->seed, -0.5, 0.5);
  v->r = rand_in(&p->seed, 0.2, 0.9);
  v->c = chance(p, 0.4) ? 0 : below(p, p->index);
  v->free = below(p, 3);
  v->d = v->c + v->free;
  v->named = 1 + (v->d ? below(p, v->d) : 0);
  if (p->start == PLANTED_ALL && v->d)
    v->named = v->d;
  if (p->start == PLANTED_GUESS && v->free > v->named)
    v->named = v->free;
}

static void add_term(planted_dae *p, planted_eqn *q, int j, int k, double factor)
{
  planted_term *e = &q->term[q->n++];

  *e = (planted_term){.j = j, .k = k, .other = j, .factor = factor};
  if (!p->linear && chance(p, 0.5))
    e->shape = (planted_shape)below(p, PLANTED_SHAPES);
  if (chance(p, 0.3)) {
    e->swing = rand_in(&p->seed, -0.3, 0.3);
    e->rate = rand_in(&p->seed, 0.5, 2);
  }
}

/* The part of the system that equation i and its variable belong to. */
static int part(const planted_dae *p, int i) { return p->n > 5 ? i % 2 : 0; }

static void make_eqn(planted_dae *p, int i)
{
  planted_eqn *q = &p->eqn[i];
  const planted_var *own = &p->var[i];
  double s = sign(p);

  add_term(p, q, i, own->free, s * rand_in(&p->seed, 1.5, 2.5));
  if (q->term[0].shape == PLANTED_ROOT || q->term[0].shape == PLANTED_PRODUCT)
    q->term[0].shape = PLANTED_SINE;
  for (int k = 0; k < own->free; k++) /* of the sign that damps */
    add_term(p, q, i, k, s * rand_in(&p->seed, 0.7, 1.8));
  for (int j = 0; j < p->n; j++) {
    int order = p->var[j].d - own->c;
    if (j == i || order < 0 || part(p, i) != part(p, j) || q->n >= PLANTED_TERMS ||
        !chance(p, 0.5))
      continue;
    int k = chance(p, 0.6) ? order : below(p, order + 1);
    add_term(p, q, j, k, sign(p) * rand_in(&p->seed, 0.02, 0.35) / (k + 1));
  }
  for (int e = 1; e < q->n; e++) { /* products with a variable that enters below */
    planted_term *m = &q->term[e];
    int j = below(p, p->n);
    if (m->shape == PLANTED_PRODUCT && part(p, i) == part(p, j) && p->var[j].d > own->c)
      m->other = j;
    else if (m->shape == PLANTED_PRODUCT)
      m->shape = PLANTED_SINE;
  }
}

/* ------------------------------------------------------------------- text --- */

static void put(planted_dae *p, const char *fmt, ...) BRINK__PRINTF(2, 3);

static void put(planted_dae *p, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  p->used += (size_t)vsnprintf(p->text + p->used, sizeof p->text - p->used, fmt, args);
  va_end(args);
  assert_true(p->used < sizeof p->text);
}

void planted_name(int j, int k, char *name, size_t cap)
{
  if (k == 0)
    snprintf(name, cap, "x%d", j + 1);
  else
    snprintf(name, cap, "x%d_%d", j + 1, k);
}

/* x_j^(k) with the names that there are, or with der() from a lower one.  (Start values
 * that are guesses count only where their variables are states.) */
static void put_derivative(planted_dae *p, int j, int k)
{
  char name[32];
  int from = k < p->var[j].named ? k : p->var[j].named - 1;

  int guessed = p->start == PLANTED_GUESS || p->start == PLANTED_ALL;
  if (from && !guessed && chance(p, 0.3))
    from = below(p, from);
  planted_name(j, from, name, sizeof name);
  for (int i = from; i < k; i++)
    put(p, "der(");
  put(p, "%s", name);
  for (int i = from; i < k; i++)
    put(p, ")");
}

/* The chosen function. */
static void put_function(planted_dae *p, int j, int k)
{
  const planted_var *v = &p->var[j];
  static const char *const name[] = {"sin", "cos", "-sin", "-cos"};

  put(p, "((%.17g)*(%s(%.17g*time + (%.17g)))", v->a * pow(v->w, k), name[k % 4], v->w,
      v->p);
  if (v->b != 0)
    put(p, " + (%.17g)*exp(-%.17g*time)", v->b * pow(-v->r, k), v->r);
  put(p, ")");
}

static void put_factor(planted_dae *p, const planted_term *e)
{
  if (e->swing != 0)
    put(p, "(%.17g)*(1 + (%.17g)*sin(%.17g*time))*", e->factor, e->swing, e->rate);
  else
    put(p, "(%.17g)*", e->factor);
}

typedef void put_fn(planted_dae *p, int j, int k);

static void put_term(planted_dae *p, const planted_term *e, put_fn *z)
{
  put_factor(p, e);
  put(p, "(");
  z(p, e->j, e->k);
  switch (e->shape) {
  case PLANTED_LINEAR:
  case PLANTED_SHAPES: break;
  case PLANTED_SINE:
    put(p, " + 0.4*sin(");
    z(p, e->j, e->k);
    put(p, ")");
    break;
  case PLANTED_CUBIC:
    put(p, " + ");
    z(p, e->j, e->k);
    put(p, "^3/10");
    break;
  case PLANTED_PRODUCT:
    put(p, "*(1 + ");
    z(p, e->other, 0);
    put(p, "^2/4)");
    break;
  case PLANTED_ROOT:
    put(p, "/sqrt(4 + ");
    z(p, e->j, e->k);
    put(p, "^2)");
    break;
  }
  put(p, ")");
}

/* Terms of an equation, those from..to - 1, times a factor. */
static void put_terms(planted_dae *p, const planted_eqn *q, double by, int from, int to,
                      put_fn *z)
{
  for (int e = from; e < to; e++) {
    put(p, " + ");
    if (by != 1)
      put(p, "(%.17g)*", by);
    put_term(p, &q->term[e], z);
  }
}

static void put_eqn(planted_dae *p, const double *mix)
{
  int left[PLANTED_VARS] = {0};

  put(p, "  0");
  for (int i = 0; i < p->n; i++) {
    const planted_eqn *q = &p->eqn[i];
    if (mix[i] == 0)
      continue;
    left[i] = chance(p, 0.7) ? q->n : below(p, q->n + 1);
    put_terms(p, q, mix[i], 0, left[i], put_derivative);
  }
  put(p, " = 0");
  for (int i = 0; i < p->n; i++) {
    const planted_eqn *q = &p->eqn[i];
    if (mix[i] == 0)
      continue;
    put_terms(p, q, -mix[i], left[i], q->n, put_derivative);
    put_terms(p, q, mix[i], 0, q->n, put_function);
  }
  put(p, ";\n");
}

/* The declaration of x_j^(k), with what is said of its start. */
static void put_var(planted_dae *p, int j, int k)
{
  const planted_var *v = &p->var[j];
  double at = planted_value(v, k, p->t0);
  int is_free = k < v->free;
  char name[32];

  planted_name(j, k, name, sizeof name);
  if (p->start == PLANTED_FIXED && is_free)
    put(p, "  Real %s(start = %.17g, fixed = true);\n", name, at);
  else if (p->start == PLANTED_WRONG && is_free)
    put(p, "  Real %s(start = %.17g, fixed = true);\n", name, at);
  else if (p->start == PLANTED_WRONG)
    put(p, "  Real %s(start = %.17g);\n", name, at + rand_in(&p->seed, -0.6, 0.6));
  else if (p->start == PLANTED_ALL || (p->start == PLANTED_GUESS && is_free))
    put(p, "  Real %s(start = %.17g);\n", name, at);
  else
    put(p, "  Real %s;\n", name);
}

static void put_all(planted_dae *p)
{
  int order[PLANTED_VARS];

  put(p, "model P\n");
  for (int j = 0; j < p->n; j++)
    for (int k = 0; k < p->var[j].named; k++)
      put_var(p, j, k);
  put(p, "initial equation\n");
  for (int j = 0; j < p->n; j++)
    for (int k = p->var[j].named; k < p->var[j].free; k++) {
      put(p, "  ");
      put_derivative(p, j, k);
      put(p, " = %.17g;\n", planted_value(&p->var[j], k, p->t0));
    }
  put(p, "equation\n");
  for (int i = 0; i < p->n; i++) {
    int at = below(p, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (int i = 0; i < p->n; i++)
    put_eqn(p, p->mix[order[i]]);
  for (int j = 0; j < p->n; j++)
    for (int k = 1; k < p->var[j].named; k++) {
      char name[32], lower[32];
      planted_name(j, k, name, sizeof name);
      planted_name(j, k - 1, lower, sizeof lower);
      put(p, chance(p, 0.7) ? "  der(%s) = %s;\n" : "  0 = der(%s) - %s;\n", lower,
          name);
    }
  put(p, "end P;\n");
}

static void make(planted_dae *p, uint64_t seed)
{
  memset(p, 0, sizeof *p);
  p->seed = 1 + seed * 7919;
  p->n = 1 + below(p, PLANTED_VARS);
  p->index = 1 + below(p, 5);
  p->linear = chance(p, 0.4);
  p->start = (planted_start)below(p, PLANTED_STARTS);
  p->t0 = chance(p, 0.3) ? 0 : rand_in(&p->seed, -2, 7);
  for (int j = 0; j < p->n; j++)
    make_var(p, &p->var[j]);
  for (int i = 0; i < p->n; i++)
    make_eqn(p, i);
}

void planted_make(planted_dae *p, uint64_t seed)
{
  make(p, seed);
  for (int i = 0; i < p->n; i++)
    p->mix[i][i] = 1;
  put_all(p);
}

void planted_make_mixed(planted_dae *p, uint64_t seed)
{
  make(p, seed);
  int whole = chance(p, 0.5);
  for (int i = 0; i < p->n; i++)
    p->mix[i][i] = 1;
  for (int k = 0; k < p->n && p->n > 1;
       k++) { /* add a multiple of one row to another */
    int to = below(p, p->n), from = (to + 1 + below(p, p->n - 1)) % p->n;
    double by = whole ? sign(p) * (1 + below(p, 3)) : rand_in(&p->seed, 0.3, 1.7);
    for (int q = 0; q < p->n; q++)
      p->mix[to][q] += by * p->mix[from][q];
  }
  put_all(p);
}
