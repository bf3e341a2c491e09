/* check.c -- see check.h */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail_line(const char *file, int line, const char *what, double got,
                      double want, double tol)
{
  print_error("%s:%d: %s = %.17g, want %.17g, difference %.3g, tolerance %.3g\n", file,
              line, what, got, want, got - want, tol);
  _fail(file, line);
}

void check_near_(double got, double want, double tol, const char *what,
                 const char *file, int line)
{
  if (!(fabs(got - want) <= tol))
    fail_line(file, line, what, got, want, tol);
}

void check_rel_(double got, double want, double tol, const char *what, const char *file,
                int line)
{
  if (!(fabs(got - want) <= tol * fabs(want)))
    fail_line(file, line, what, got, want, tol * fabs(want));
}

void check_in_(double got, double lo, double hi, const char *what, const char *file,
               int line)
{
  if (!(got >= lo && got <= hi)) {
    print_error("%s:%d: %s = %.17g is not in [%.17g, %.17g]\n", file, line, what, got,
                lo, hi);
    _fail(file, line);
  }
}

void check_text_(const char *text, const char *part, const char *file, int line)
{
  if (!strstr(text, part)) {
    print_error("%s:%d: \"%s\" does not contain \"%s\"\n", file, line, text, part);
    _fail(file, line);
  }
}

void check_status_(brink_status got, brink_status want, const char *file, int line)
{
  if (got != want) {
    print_error("%s:%d: status %s, want %s\n", file, line, brink_status_name(got),
                brink_status_name(want));
    _fail(file, line);
  }
}

uint64_t rand_u64(uint64_t *seed)
{
  uint64_t z = (*seed += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double rand_01(uint64_t *seed) { return (double)(rand_u64(seed) >> 11) * 0x1p-53; }

long asked_number(const char *variable, long otherwise)
{
  const char *text = getenv(variable);

  return text ? strtol(text, NULL, 10) : otherwise;
}

long random_cases(const char *variable, long normal)
{
#ifdef __SANITIZE_ADDRESS__
  normal = (normal + 7) / 8;
#endif
  return asked_number(variable, normal);
}

double rand_in(uint64_t *seed, double lo, double hi)
{
  return lo + (hi - lo) * rand_01(seed);
}

void *flaky_fn(void *user, void *p, size_t old_size, size_t new_size)
{
  flaky *f = user;

  if (new_size == 0) {
    free(p);
    f->live -= old_size;
    return NULL;
  }
  if (++f->calls == f->fail_at)
    return NULL;
  void *q = realloc(p, new_size);
  if (q)
    f->live += new_size - old_size;
  return q;
}

brink_alloc flaky_alloc(flaky *f) { return (brink_alloc){flaky_fn, f}; }
