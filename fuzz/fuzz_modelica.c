/* fuzz_modelica.c -- any bytes through the Modelica reader and lowering.
 *
 * What must hold: an answer without a crash; nothing leaks; a text that parses is
 * printed to a text that parses, and whose print is the same; it is lowered to a flat
 * model, or refused with a sentence.  Linked with
 * -fsanitize=fuzzer under clang, or with driver.c under any compiler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/lower.h"
#include "front/modelica/parse.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void broken(const char *what, const char *text)
{
  fprintf(stderr, "fuzz_modelica: %s\n%s\n", what, text ? text : "");
  abort();
}

static void refuse_all(const mo_file *file, const mo_class *c, brink__diag *diag)
{
  brink__mo_refuse(file, c, diag);
  for (int i = 0; i < c->n_elements; i++)
    if (c->elements[i]->kind == MO_E_CLASS)
      refuse_all(file, c->elements[i]->cls, diag);
}

/* parse, print into *out; 0 if the text is refused */
static int printed(brink_ctx *ctx, const char *text, size_t size, mo_text *out)
{
  brink__diag diag;
  mo_file *file;

  brink__diag_init(&diag, ctx, "fuzz.mo");
  int good = brink__mo_parse(ctx, text, size, &diag, &file) == BRINK_OK;
  if (good != (diag.first == NULL))
    broken("status and notes disagree", NULL);
  for (const brink__note *n = diag.first; n; n = n->next)
    if (n->line < 1 || n->col < 1 || !n->text[0])
      broken("a note without place or text", n->text);
  if (good) {
    brink__mo_print_file(out, file);
    for (int i = 0; i < file->n_classes; i++)
      refuse_all(file, file->classes[i], &diag);
  }
  brink__mo_file_free(file);
  brink__diag_drop(&diag);
  return good;
}

static void lowered(brink_ctx *ctx, const char *text, size_t size)
{
  brink__diag diag;
  mo_file *file;
  brink__flat *flat = NULL;

  brink__diag_init(&diag, ctx, "fuzz.mo");
  if (brink__mo_parse(ctx, text, size, &diag, &file) == BRINK_OK) {
    brink_status rc = brink__mo_lower(ctx, file, NULL, &diag, &flat);
    if ((rc == BRINK_OK) != (flat != NULL) || (rc == BRINK_OK) != (diag.n_errors == 0))
      broken("status, notes and flat model disagree",
             diag.first ? diag.first->text : "");
    brink__flat_free(flat);
  }
  brink__mo_file_free(file);
  brink__diag_drop(&diag);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
  brink_ctx *ctx;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 0;
  mo_text once = {.ctx = ctx}, twice = {.ctx = ctx};
  if (printed(ctx, (const char *)data, size, &once)) {
    if (!printed(ctx, once.s, once.n, &twice))
      broken("the printed text does not parse", once.s);
    if (once.n != twice.n || memcmp(once.s, twice.s, once.n) != 0)
      broken("printed twice, two texts", once.s);
    lowered(ctx, (const char *)data, size);
  }
  brink__mo_text_drop(&once);
  brink__mo_text_drop(&twice);
  if (brink_ctx_alloc_stats(ctx).live_bytes != 0)
    broken("memory is left", NULL);
  brink_ctx_free(ctx);
  return 0;
}
