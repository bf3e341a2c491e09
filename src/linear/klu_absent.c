/* klu_absent.c -- takes the place of klu.c where there is no KLU: all matrices are
 * dense. */
#include "linear/linear.h"

int brink__klu_here(void) { return 0; }

int brink__klu_order(const brink__symbolic *s, int32_t *rows, int32_t *cols,
                     double *products)
{
  (void)s, (void)rows, (void)cols, (void)products;
  return 0;
}

brink_status brink__klu_pivots(const brink__symbolic *s, brink_ctx *ctx,
                               const double *value, int parts, brink__lu_pattern *out,
                               size_t *column)
{
  (void)s, (void)value, (void)parts, (void)out, (void)column;
  return brink__fail(&ctx->err, BRINK_EARG, "brink was built without KLU");
}
