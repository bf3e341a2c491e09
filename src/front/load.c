/* load.c -- models from files and texts: parse, lower, compile, and tell every fault.
 *
 * The first fault is kept in the context; all of them, and the warnings, go to the
 * caller's fault function in the order of discovery.
 */
#include "brink/load.h"

#include <stdio.h>
#include <string.h>

#include "front/diag.h"
#include "front/modelica/lower.h"
#include "front/modelica/parse.h"
#include "machine/compile.h"

/* ------------------------------------------------------------------ faults ---- */

static void structural(void *user, brink__place at, const char *text, int is_warning)
{
  if (is_warning)
    brink__diag_warn(user, at.line, at.col, "%s", text);
  else
    brink__diag_error(user, at.line, at.col, "%s", text);
}

static void tell(const brink__diag *diag, const brink_load_opts *opt)
{
  enum { LONGEST = 1400 };
  char buf[LONGEST];

  if (!opt->fault)
    return;
  for (const brink__note *n = diag->first; n; n = n->next)
    opt->fault(opt->user, brink__note_text(n, buf, sizeof buf),
               n->kind == BRINK__NOTE_WARNING);
}

/* ------------------------------------------------------------------- texts ---- */

static brink_status build(brink_ctx *ctx, const char *text, size_t n,
                          const brink_load_opts *opt, brink__diag *diag,
                          brink_model **out)
{
  mo_file *file = NULL;
  brink__flat *flat = NULL;

  brink_status rc = brink__mo_parse(ctx, text, n, diag, &file);
  if (rc == BRINK_OK)
    rc = brink__mo_lower(ctx, file, opt, diag, &flat);
  else
    rc = brink__diag_status(diag, &ctx->err);
  brink__mo_file_free(file);
  if (rc == BRINK_OK) {
    rc = brink__machine_branch_modes(ctx, flat);
    if (rc == BRINK_OK && opt->structures)
      rc = brink__machine_structures(ctx, flat, opt->structures);
    if (rc < 0)
      brink__flat_free(flat);
  }
  if (rc == BRINK_OK)
    rc = brink__machine_compile(ctx, flat, structural, diag, out);
  if (rc == BRINK_EMODEL && diag->n_errors > 0)
    brink__diag_status(diag, &ctx->err); /* with its place */
  return rc;
}

brink_status brink_model_read(brink_ctx *ctx, const char *name, const char *text,
                              size_t n, const brink_load_opts *given, brink_model **out)
{
  brink_load_opts own = brink_load_defaults();
  const brink_load_opts *opt = &own;
  brink__diag diag;

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  if (given)
    BRINK_TRY(
        brink__options_read(given, "brink_load_opts", &own, sizeof own, &ctx->err));
  if (opt->structures)
    *opt->structures = NULL;
  if (!text)
    return brink__fail(&ctx->err, BRINK_EARG, "brink_model_read needs a text");
  if (opt->n_set < 0 || (opt->n_set > 0 && !opt->set))
    return brink__fail(&ctx->err, BRINK_EARG, "%d settings that are not there",
                       opt->n_set);
  for (int i = 0; i < opt->n_set; i++)
    if (!opt->set[i].name || !opt->set[i].value)
      return brink__fail(&ctx->err, BRINK_EARG, "setting %d has no name or no value",
                         i);
  brink__diag_init(&diag, ctx, name);
  brink_status rc = build(ctx, text, n, opt, &diag, out);
  tell(&diag, opt);
  brink__diag_drop(&diag);
  return rc;
}

/* ------------------------------------------------------------------- files ---- */

typedef struct bytes {
  char *v;
  size_t n, cap;
} bytes;

/* The place is the line in which the limit lies. */
static brink_status too_long(brink_ctx *ctx, const char *path, const bytes *b,
                             size_t longest)
{
  int line = 1;

  for (size_t i = 0; i < longest; i++)
    line += b->v[i] == '\n';
  brink__fail(&ctx->err, BRINK_EMODEL,
              "the text is longer than %zu bytes; is this the file you mean?", longest);
  ctx->err.line = line;
  ctx->err.col = 1;
  brink__err_file(&ctx->err, path);
  return BRINK_EMODEL;
}

static brink_status slurp(brink_ctx *ctx, FILE *f, const char *path, bytes *b)
{
  enum {
    CHUNK = 65536,
    LONGEST = 100000000 /* bytes; the largest models that can be run have a tenth */
  };
  size_t got;

  do {
    BRINK_TRY(brink__grow(ctx, (void **)&b->v, &b->cap, b->n + CHUNK, 1));
    got = fread(b->v + b->n, 1, CHUNK, f);
    b->n += got;
    if (b->n > LONGEST)
      return too_long(ctx, path, b, LONGEST);
  } while (got == CHUNK);
  if (ferror(f))
    return brink__fail(&ctx->err, BRINK_EIO, "cannot read %.120s", path);
  return BRINK_OK;
}

brink_status brink_model_load(brink_ctx *ctx, const char *path,
                              const brink_load_opts *opt, brink_model **out)
{
  bytes b = {0};

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  if (!path)
    return brink__fail(&ctx->err, BRINK_EARG, "brink_model_load needs a path");
  FILE *f = fopen(path, "rb");
  if (!f)
    return brink__fail(&ctx->err, BRINK_EIO, "cannot open %.120s", path);
  brink_status rc = slurp(ctx, f, path, &b);
  fclose(f);
  if (rc == BRINK_OK)
    rc = brink_model_read(ctx, path, b.v, b.n, opt, out);
  if (b.cap)
    brink__free(ctx, b.v, b.cap);
  return rc;
}
