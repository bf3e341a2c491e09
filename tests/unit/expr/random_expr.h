/* random_expr.h -- random expressions over N_REAL real and N_BOOL Boolean symbols. */
#ifndef BRINK_TEST_RANDOM_EXPR_H
#define BRINK_TEST_RANDOM_EXPR_H

#include "check.h"

#include "expr/expr.h"

enum { N_REAL = 4, N_BOOL = 2, N_RANDOM_SYMBOLS = N_REAL + N_BOOL };

typedef enum random_kind {
  RANDOM_SMOOTH, /* no kinks, jumps or conditions */
  RANDOM_ANY
} random_kind;

/* About `size` operators on symbols and constants; never BRINK__NONE. */
brink__node random_expr(brink__graph *g, uint64_t *seed, int size, random_kind kind);

#endif /* BRINK_TEST_RANDOM_EXPR_H */
