/* check.h -- cmocka with numbers: a failed check prints both operands and the
 * tolerance.  Include this instead of cmocka.h. */
#ifndef BRINK_CHECK_H
#define BRINK_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "brink/base.h"

/* |got - want| <= tol, absolutely */
#define check_near(got, want, tol) check_near_(got, want, tol, #got, __FILE__, __LINE__)

/* |got - want| <= tol |want| */
#define check_rel(got, want, tol) check_rel_(got, want, tol, #got, __FILE__, __LINE__)

/* lo <= got <= hi */
#define check_in(got, lo, hi) check_in_(got, lo, hi, #got, __FILE__, __LINE__)

/* text contains part */
#define check_text(text, part) check_text_(text, part, __FILE__, __LINE__)

#define check_status(got, want) check_status_(got, want, __FILE__, __LINE__)

void check_near_(double got, double want, double tol, const char *what,
                 const char *file, int line);
void check_rel_(double got, double want, double tol, const char *what, const char *file,
                int line);
void check_in_(double got, double lo, double hi, const char *what, const char *file,
               int line);
void check_text_(const char *text, const char *part, const char *file, int line);
void check_status_(brink_status got, brink_status want, const char *file, int line);

/* How many random cases a test takes: as many as the environment variable says, else
 * `normal`, and an eighth of them in sanitized trees, where each takes some five times
 * as long. */
long random_cases(const char *variable, long normal);
/* A number from the environment. */
long asked_number(const char *variable, long otherwise);

/* splitmix64: the same stream everywhere */
uint64_t rand_u64(uint64_t *seed);
double rand_01(uint64_t *seed);                       /* [0, 1)   */
double rand_in(uint64_t *seed, double lo, double hi); /* [lo, hi) */

/* An allocator that fails on call number `fail_at` (1, 2, ...; 0 = never) and
 * keeps the balance. */
typedef struct flaky {
  long calls, fail_at;
  size_t live;
} flaky;
void *flaky_fn(void *user, void *p, size_t old_size, size_t new_size);
brink_alloc flaky_alloc(flaky *f);

#endif /* BRINK_CHECK_H */
