/* exit_values.c -- the exit guards of a regime, at points where one of them was asked.
 *
 * Exit guards are weights and reactions, which one system of equations gives together.
 * A locator asks guard after guard on the same grid along a step: what the first was
 * told, the others find here.  A row of the table is t, y, and the values.
 */
#include "hybrid/extended_model.h"

/* The grid on which all guards are looked at has 17 nodes (event/guards.h); room for
 * those, and for some single points. */
enum { ROWS = 24 };

static size_t width(const brink__held *h) { return 1 + h->info.n + (size_t)h->n; }

size_t brink__exits_size(size_t n, int held)
{
  return held > 1 ? ROWS * (1 + n + (size_t)held) * sizeof(double) : 0;
}

void brink__exits_forget(brink__held *h) { h->exits_known = h->exits_next = 0; }

/* The values of all exit guards at (t, y), if they are known; NULL: they are not. */
static double *find(const brink__held *h, double t, const double *y)
{
  for (int i = 0; i < h->exits_known; i++) {
    double *row = h->exits + (size_t)i * width(h);
    if (row[0] == t && !brink__differ(row + 1, y, h->info.n))
      return row + 1 + h->info.n;
  }
  return NULL;
}

int brink__exit_value(brink__extended *x, brink__held *h, int surface, double t,
                      const double *y, double *value)
{
  if (h->n == 1)
    return h->law->exit(x, t, y, value);
  double *known = find(h, t, y);
  if (!known) {
    double *row = h->exits + (size_t)h->exits_next * width(h);
    known = row + 1 + h->info.n;
    row[0] = nan(""); /* equal to no time, should it be refused */
    int rc = h->law->exit(x, t, y, known);
    if (rc != 0)
      return rc;
    row[0] = t;
    brink__copy(row + 1, y, h->info.n);
    h->exits_next = (h->exits_next + 1) % ROWS;
    h->exits_known += h->exits_known < ROWS;
  }
  *value = known[surface];
  return 0;
}
