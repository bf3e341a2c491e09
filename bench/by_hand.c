/* by_hand.c -- see by_hand.h */
#include "by_hand.h"

#include <math.h>

void pleiades_by_hand(const double *s, double *f)
{
  const double *x = s, *y = s + STARS;

  for (int i = 0; i < STARS; i++) {
    double ax = 0, ay = 0;
    for (int j = 0; j < STARS; j++) {
      if (j == i)
        continue;
      double dx = x[j] - x[i], dy = y[j] - y[i];
      double r = sqrt(dx * dx + dy * dy);
      double w = (j + 1) / (r * r * r);
      ax += w * dx;
      ay += w * dy;
    }
    f[i] = s[2 * STARS + i];
    f[STARS + i] = s[3 * STARS + i];
    f[2 * STARS + i] = ax;
    f[3 * STARS + i] = ay;
  }
}

void chain_by_hand(const double *p, const double *y, double *f)
{
  const double *x = y, *v = y + MASSES;
  double left = x[0], pull = p[0] * left + p[1] * (left * left * left);

  for (int i = 0; i < MASSES; i++) {
    double right = i + 1 < MASSES ? x[i + 1] - x[i] : 0 - x[i];
    double push = p[0] * right + p[1] * (right * right * right);
    f[i] = v[i];
    f[MASSES + i] = push - pull - p[2] * v[i];
    pull = push;
  }
}

void heat_by_hand(int n, double k, const double *T, double *f)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double *c = T + i * n + j;
      int border = i == 0 || i == n - 1 || j == 0 || j == n - 1;
      f[i * n + j] = border ? -k * *c : k * (c[-n] + c[n] + c[-1] + c[1] - 4 * *c);
    }
}
