/* util.c -- small helpers that belong to no other room. */
#define _POSIX_C_SOURCE 200809L
#include "core/core.h"

#include <math.h>
#include <string.h>
#include <time.h>

size_t brink__first_bad(const double *v, size_t n)
{
  if (brink__all_finite(v, n))
    return n;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(v[i]))
      return i;
  return n;
}

int brink__distance(const char *a, const char *b)
{
  enum { MAX = 64, FAR = 9 };
  int row[MAX + 1];
  size_t na = strlen(a), nb = strlen(b);

  if (na > MAX || nb > MAX)
    return FAR;
  for (size_t j = 0; j <= nb; j++)
    row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int above = row[j];
      int best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[nb] < FAR ? row[nb] : FAR;
}

brink_status brink__unknown(brink_err *err, const char *thing, const char *name,
                            const char *(*name_of)(int index))
{
  const char *best = NULL;
  size_t n = strlen(name);
  int distance = n < 4 ? (int)n : 4; /* farther away is no help */

  for (int i = 0; name_of(i); i++) {
    int d = brink__distance(name, name_of(i));
    if (d < distance) {
      distance = d;
      best = name_of(i);
    }
  }
  return best ? brink__fail(err, BRINK_ENAME, "there is no %s '%s'; did you mean '%s'?",
                            thing, name, best)
              : brink__fail(err, BRINK_ENAME, "there is no %s '%s'; see 'brink %ss'",
                            thing, name, thing);
}

void brink__options_init(void *options, size_t size, const void *own, size_t own_size)
{
  memset(options, 0, size);
  memcpy(options, own, size < own_size ? size : own_size);
}

brink_status brink__options_read(const void *given, const char *name, void *own,
                                 size_t own_size, brink_err *err)
{
  size_t size;

  memcpy(&size, given, sizeof size);
  if (size < sizeof size)
    return brink__fail(err, BRINK_EARG,
                       "%s has no size; begin with its defaults, or set .size to "
                       "sizeof(%s)",
                       name, name);
  if (size > own_size)
    return brink__fail(err, BRINK_EARG,
                       "%s has %zu bytes, but this library knows %zu: the program was "
                       "compiled for a newer one",
                       name, size, own_size);
  memcpy(own, given, size);
  memcpy(own, &own_size, sizeof own_size);
  return BRINK_OK;
}

double brink__clock(void)
{
  struct timespec ts;

  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

const char *brink_version(void) { return BRINK_VERSION BRINK_PARTS; }
