/* chain.c -- the cascade of pendula in angles, by Taylor series.
 *
 * With x = l sin(phi), y = l cos(phi) (y down) a pendulum whose rod has length l(t)
 * obeys
 *
 *   l phi'' = -G sin(phi) - 2 l' phi',    lambda l = G cos(phi) - l'' + l phi'^2,
 *
 * and l = L + c lambda of the pendulum before.  One after the other the series of phi'
 * =: w, sin, cos, lambda follow by the recurrences of products and quotients.  lambda
 * needs l'', so that each pendulum has two terms less than the one before.  Cost per
 * step: P N^2 with N terms.
 */
#include "chain.h"

#include <math.h>

enum {
  ORDER = 40,                        /* of the last pendulum */
  TERMS = ORDER + 2 * CHAIN_MAX + 1, /* of the first at most */
};

static const long double G = 9.8L, L = 10, C = 0.1L;

/* The terms are for steps of this length: poles of the pendula lie more than 1 away,
 * and 0.1^40 is far below rounding. */
static const long double H = 0.1L;

typedef struct pendulum {
  long double phi[TERMS], w[TERMS], sine[TERMS], cosine[TERMS], l[TERMS], lambda[TERMS];
} pendulum;

/* sum of a_j b_(k-j), j = from..k */
static long double product(const long double *a, const long double *b, int from, int k)
{
  long double sum = 0;

  for (int j = from; j <= k; j++)
    sum += a[j] * b[k - j];
  return sum;
}

/* term k of a' b */
static long double slope_product(const long double *a, const long double *b, int k)
{
  long double sum = 0;

  for (int j = 0; j <= k; j++)
    sum += (long double)(j + 1) * a[j + 1] * b[k - j];
  return sum;
}

/* phi, w, sine and cosine to order n from l to order n, phi[0] and w[0] */
static void expand_angle(pendulum *p, int n)
{
  p->sine[0] = sinl(p->phi[0]);
  p->cosine[0] = cosl(p->phi[0]);
  for (int k = 0; k < n; k++) {
    long double next = (long double)(k + 1);
    p->phi[k + 1] = p->w[k] / next;
    p->sine[k + 1] = slope_product(p->phi, p->cosine, k) / next;
    p->cosine[k + 1] = -slope_product(p->phi, p->sine, k) / next;
    /* l w' = -G sin - 2 l' w */
    long double right = -G * p->sine[k] - 2 * slope_product(p->l, p->w, k);
    for (int j = 0; j < k; j++)
      right -= (long double)(j + 1) * p->w[j + 1] * p->l[k - j];
    p->w[k + 1] = right / (next * p->l[0]);
  }
}

/* lambda to order n from all others, of which l to order n + 2 */
static void expand_force(pendulum *p, int n)
{
  long double square[TERMS];

  for (int k = 0; k <= n; k++) {
    square[k] = product(p->w, p->w, 0, k);
    long double right = G * p->cosine[k] + product(p->l, square, 0, k) -
                        (long double)((k + 1) * (k + 2)) * p->l[k + 2];
    for (int j = 0; j < k; j++)
      right -= p->lambda[j] * p->l[k - j];
    p->lambda[k] = right / p->l[0];
  }
}

static void expand(pendulum *p, int P)
{
  for (int i = 0; i < P; i++) {
    int n = ORDER + 2 * (P - i);
    for (int k = 0; k <= n; k++)
      p[i].l[k] = (k == 0 ? L : 0) + (i == 0 ? 0 : C * p[i - 1].lambda[k]);
    expand_angle(&p[i], n);
    expand_force(&p[i], n - 2);
  }
}

static long double sum_at(const long double *a, long double h)
{
  long double sum = 0;

  for (int k = ORDER; k >= 0; k--)
    sum = sum * h + a[k];
  return sum;
}

chain_end chain_solve(int P, double t)
{
  static pendulum p[CHAIN_MAX];
  int steps = (int)ceill((long double)t / H);
  chain_end end;

  for (int i = 0; i < P; i++) {
    p[i].phi[0] = 1.0L / (long double)(i + 1);
    p[i].w[0] = 0;
  }
  for (int s = 0; s < steps; s++) {
    expand(p, P);
    for (int i = 0; i < P; i++) {
      p[i].phi[0] = sum_at(p[i].phi, (long double)t / steps);
      p[i].w[0] = sum_at(p[i].w, (long double)t / steps);
    }
  }
  expand(p, P);
  for (int i = 0; i < P; i++) {
    end.x[i] = (double)(p[i].l[0] * p[i].sine[0]);
    end.y[i] = (double)(p[i].l[0] * p[i].cosine[0]);
    end.lambda[i] = (double)p[i].lambda[0];
  }
  return end;
}
