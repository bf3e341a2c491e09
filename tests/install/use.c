/* use.c -- a program outside the project: it sees installed headers only. */
#include <stdio.h>
#include <string.h>

#include "brink/base.h"

int main(void)
{
  brink_ctx *ctx = NULL;
  brink_status rc = brink_ctx_new(NULL, &ctx);

  if (rc != BRINK_OK || strcmp(brink_status_name(BRINK_ESTEP), "BRINK_ESTEP") != 0)
    return 1;
  brink_ctx_free(ctx);
  if (strncmp(brink_version(), BRINK_VERSION, strlen(BRINK_VERSION)) != 0)
    return 2;
  printf("brink %s\n", brink_version());
  return 0;
}
