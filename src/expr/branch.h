/* expr/branch.h -- see branch.c.  Private to the room. */
#ifndef BRINK_EXPR_BRANCH_H
#define BRINK_EXPR_BRANCH_H

#include "expr/inner.h"

/* Leave out the next `count` entries where the first operand of instruction `owner`
 * is `value`. */
typedef struct expr_skip {
  int32_t owner;
  int32_t count;
  int32_t value; /* 0 or 1 */
} expr_skip;

/* What the compiler tells, and what it gets back. */
typedef struct expr_plan {
  size_t n;               /* instructions                                        */
  unsigned char *op;      /* [n] brink__op                                       */
  int32_t *arg;           /* [n][3] instruction that computes the operand, or -1 */
  unsigned char *is_root; /* [n] needed in any case                              */
  int32_t *entry;         /* [n_entry] instruction; < 0: skip number -1 - entry  */
  expr_skip *skip;        /* [n_skip]                                            */
  size_t n_entry, n_skip;
  brink__block in, out; /* the arrays above entry; entry and skip              */
} expr_plan;

/* Fill entry and skip.  Instructions stay in a valid order. */
brink_status brink__branches(brink_ctx *ctx, expr_plan *p);

#endif /* BRINK_EXPR_BRANCH_H */
