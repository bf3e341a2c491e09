/* fill_order_absent.c -- takes the place of fill_order.c where there is no AMD: all
 * matrices are dense. */
#include "linear/linear.h"

int brink__fill_order_here(void) { return 0; }

brink_status brink__fill_order(const brink__symbolic *s, brink_ctx *ctx, int32_t *order,
                               double *products)
{
  (void)s, (void)order, (void)products;
  return brink__fail(&ctx->err, BRINK_EARG, "brink was built without AMD");
}
