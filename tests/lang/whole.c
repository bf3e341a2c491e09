/* whole.c -- a model text against what it expects; see whole.h. */
#include "whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/sim.h"
#include "dump.h"
#include "front/modelica/lower.h"
#include "front/modelica/parse.h"
#include "machine/compile.h"
#include "runs.h"

static int has_line(const char *all, const char *line)
{
  size_t n = strlen(line);

  for (const char *s = all; (s = strstr(s, line)); s++)
    if ((s == all || s[-1] == '\n') && s[n] == '\n')
      return 1;
  return 0;
}

static int check_flat(script *s, const brink__flat *flat, const char *name)
{
  char *all = dump(flat);
  int bad = 0;

  for (int i = 0; i < s->n; i++)
    if (s->v[i].kind == EXPECT_FLAT && !has_line(all, s->v[i].text)) {
      print_error("%s:%d: not in the flat model: %s\n", name, s->v[i].line,
                  s->v[i].text);
      bad++;
    }
  if (bad)
    print_error("%s\n", all);
  free(all);
  return bad;
}

static brink_status lower_text(brink_ctx *ctx, const char *text, size_t n,
                               const brink_load_opts *opt, brink__diag *diag,
                               brink__flat **flat)
{
  mo_file *file;

  *flat = NULL;
  brink_status rc = brink__mo_parse(ctx, text, n, diag, &file);
  if (rc == BRINK_OK)
    rc = brink__mo_lower(ctx, file, opt, diag, flat);
  brink__mo_file_free(file);
  return rc;
}

static void told(void *user, brink__place at, const char *text, int is_warning)
{
  if (is_warning)
    brink__diag_warn(user, at.line, at.col, "%s", text);
  else
    brink__diag_error(user, at.line, at.col, "%s", text);
}

/* What only the whole of the equations shows.  Takes the flat model over. */
static void compile(brink_ctx *ctx, brink__flat *flat, brink__diag *diag)
{
  brink_model *model;

  brink__machine_compile(ctx, flat, told, diag, &model);
  brink_model_free(model);
}

int check_whole(script *s, brink_ctx *ctx, const char *name, const char *text, size_t n)
{
  brink__diag diag;
  brink__flat *flat;
  brink_load_opts opt = {.size = sizeof opt, .set = s->set, .n_set = s->n_set};
  int bad = 0;

  opt.model = s->model[0] ? s->model : NULL;
  brink__diag_init(&diag, ctx, name);
  brink_status rc = lower_text(ctx, text, n, &opt, &diag, &flat);
  if (rc == BRINK_ENAME) /* a setting: said without a place */
    brink__diag_error(&diag, 0, 0, "%s", ctx->err.text);
  if (flat) {
    bad += check_flat(s, flat, name) + check_run(s, ctx, name, text, n);
    compile(ctx, flat, &diag);
  } else if (s->ok)
    bad++;
  bad += compare(s, &diag);
  brink__diag_drop(&diag);
  return bad;
}
