/* flat.c -- the life of a flat model. */
#include "flat/flat.h"

void brink__flat_free(brink__flat *flat)
{
  if (!flat)
    return;
  brink__pool pool = flat->pool; /* the flat model itself lives in it */
  if (!flat->borrowed)
    brink__graph_free(flat->graph);
  brink__pool_drop(&pool);
}
