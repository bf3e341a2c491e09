/* modes.c -- the modes of the equations: what chooses branches in them, which choices a
 * run meets, and the structural analysis of each, as [NR09, figure 2] has it. */
#include "modes.h"
#include "structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  INDENT = 4,
  NAME = 80,   /* columns for what chooses a branch                                  */
  SHOWN = 24,  /* branches and modes that are listed                                 */
  MATRICES = 8 /* structures that are shown                                          */
};

/* -------------------------------------------------------------- branches --- */

static void branches(const brink_anatomy *a)
{
  char name[CLI_TEXT];

  printf("%zu relation%s or discrete variable%s choose%s branches of the equations\n",
         a->n_branches, a->n_branches == 1 ? "" : "s", a->n_branches == 1 ? "" : "s",
         a->n_branches == 1 ? "s" : "");
  for (size_t i = 0; i < a->n_branches && i < SHOWN; i++)
    printf("%*s%2zu  %s (line %d)\n", INDENT, "", i + 1,
           cli_cut(a->branches[i].name, NAME, name), a->branches[i].line);
  if (a->n_branches > SHOWN)
    printf("%*s... and %zu more\n", INDENT, "", a->n_branches - SHOWN);
}

/* ------------------------------------------------------------- structures --- */

/* The structures of the modes that a run has met: those that are alike are one. */
typedef struct gallery {
  brink_ctx *ctx;
  const brink_model *model;
  brink_structures **v; /* [n] */
  size_t n;
  size_t *of; /* [modes] */
} gallery;

static int alike(const brink_structure *a, const brink_structure *b)
{
  if (a->n_equations != b->n_equations || a->n_variables != b->n_variables ||
      a->quasilinear != b->quasilinear || strcmp(a->mode, b->mode) != 0)
    return 0;
  for (size_t i = 0; i < a->n_equations; i++)
    if (!cli_same_row(a, b, i))
      return 0;
  return 1;
}

static brink_status add(gallery *g, size_t mode, const brink_mode_met *met)
{
  brink_structures *one = NULL;
  size_t i = 0;
  brink_status rc =
      brink_model_structure(g->ctx, g->model, met->mode, met->branches, &one);

  if (rc < 0)
    return rc;
  while (i < g->n && !alike(&g->v[i]->v[0], &one->v[0]))
    i++;
  if (i < g->n)
    brink_structures_free(one);
  else
    g->v[g->n++] = one;
  g->of[mode] = i;
  return BRINK_OK;
}

static void drop(gallery *g)
{
  for (size_t i = 0; i < g->n; i++)
    brink_structures_free(g->v[i]);
  free(g->v);
  free(g->of);
}

/* "modes 1, 4, 5 have the same structure" */
static void whose(const gallery *g, size_t k, size_t n_modes)
{
  size_t n = 0;

  for (size_t i = 0; i < n_modes; i++)
    n += g->of[i] == k;
  printf("\nmode%s", n == 1 ? "" : "s");
  n = 0;
  for (size_t i = 0; i < n_modes; i++)
    if (g->of[i] == k)
      printf("%s %zu", n++ ? "," : "", i + 1);
  printf("\n");
}

/* ------------------------------------------------------------------ modes --- */

static void one_line(const brink_model *model, const brink_sim *sim, size_t i,
                     size_t structure)
{
  brink_mode_met met = brink_sim_mode_met(sim, i);
  size_t n = brink_model_anatomy(model).n_branches;

  printf("%*s%4zu  %-20.15g %7ld %10zu%s", INDENT, "", i + 1, met.t, met.entries,
         structure + 1, n ? " " : "");
  for (size_t k = 0; k < n && k < SHOWN; k++)
    if (isnan(met.branches[k]))
      printf("  .");
    else
      printf(" %2.6g", met.branches[k]);
  if (brink_model_modes(model) > 1 && brink_sim_mode_name(sim, met.mode))
    printf("  %s", brink_sim_mode_name(sim, met.mode));
  printf("\n");
}

static void table(const gallery *g, const brink_sim *sim, const cli_ask *ask)
{
  size_t n = (size_t)brink_sim_statistics(sim).modes_met;
  size_t columns = brink_model_anatomy(g->model).n_branches;

  printf("%zu mode%s met from t = %.9g to %.9g\n", n, n == 1 ? "" : "s", ask->start,
         brink_sim_time(sim));
  printf("%*smode  %-20s %7s %10s%s", INDENT, "", "first at", "entries", "structure",
         columns ? " " : "");
  for (size_t k = 0; k < columns && k < SHOWN; k++)
    printf(" %2zu", k + 1);
  printf("\n");
  for (size_t i = 0; i < n && i < SHOWN; i++)
    one_line(g->model, sim, i, g->of[i]);
  if (n > SHOWN)
    printf("%*s... and %zu more\n", INDENT, "", n - SHOWN);
  if (brink_sim_modes_unlisted(sim))
    printf("%*s... and others, which were entered %ld times\n", INDENT, "",
           brink_sim_modes_unlisted(sim));
}

static int show(gallery *g, const brink_sim *sim, const cli_ask *ask)
{
  brink_anatomy a = brink_model_anatomy(g->model);
  size_t n = (size_t)brink_sim_statistics(sim).modes_met;

  g->v = calloc(n + 1, sizeof *g->v);
  g->of = calloc(n + 1, sizeof *g->of);
  if (!g->v || !g->of) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  for (size_t i = 0; i < n; i++) {
    brink_mode_met met = brink_sim_mode_met(sim, i);
    if (add(g, i, &met) < 0) {
      cli_say_error(brink_ctx_error(g->ctx));
      return CLI_FAILED;
    }
  }
  branches(&a);
  table(g, sim, ask);
  for (size_t k = 0; k < g->n && k < MATRICES; k++) {
    whose(g, k, n);
    cli_structure_beside(&g->v[k]->v[0], k ? &g->v[0]->v[0] : NULL);
  }
  if (g->n > MATRICES)
    printf("... and %zu structures more\n", g->n - MATRICES);
  return CLI_DONE;
}

/* ------------------------------------------------------------- commands --- */

int cli_modes_met(brink_ctx *ctx, const brink_model *model, cli_ask *ask)
{
  gallery g = {.ctx = ctx, .model = model};
  brink_sim *sim = NULL;
  int status = cli_ask_settle(ask, model);

  if (status != CLI_DONE)
    return status;
  brink_sim_opts opt = cli_ask_sim(ask, model, ask->sim.method);
  opt.keep = BRINK_KEEP_NOTHING;
  brink_status rc = brink_sim_new(ctx, model, &opt, &sim);
  if (rc < 0) {
    cli_say_error(brink_ctx_error(ctx));
    return rc == BRINK_EARG || rc == BRINK_ENAME ? CLI_USAGE : CLI_FAILED;
  }
  if (brink_sim_start(sim, ask->start, 0, NULL) < 0) {
    cli_say_error(brink_sim_error(sim));
    status = CLI_FAILED;
  } else {
    rc = brink_sim_run(sim, ask->stop);
    int ended = rc == BRINK_END || rc == BRINK_TERMINATED;
    if (!ended)
      cli_say_error(brink_sim_error(sim));
    status = show(&g, sim, ask);
    status = status == CLI_DONE && !ended ? CLI_FAILED : status;
  }
  drop(&g);
  brink_sim_free(sim);
  return status;
}

/* Which of them has this name; n: none. */
static size_t find(const brink_anatomy *a, const char *name, size_t length)
{
  size_t i = 0;

  while (i < a->n_branches && (strlen(a->branches[i].name) != length ||
                               strncmp(a->branches[i].name, name, length) != 0))
    i++;
  return i;
}

/* true, false or a number, up to a comma or the end; NaN: something else. */
static double value_of(const char *text, size_t length)
{
  char word[CLI_SHORT], *end;

  if (length == 0 || length >= sizeof word)
    return nan("");
  memcpy(word, text, length);
  word[length] = 0;
  if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
    return word[0] == 't';
  double x = strtod(word, &end);
  return *end || !isfinite(x) ? nan("") : x;
}

/* One choice, which ends before `end`: a relation may itself contain = and commas, so
 * the value is what follows the last =. */
static int choose(const brink_anatomy *a, const char *text, const char *end,
                  double *values)
{
  const char *eq = end;

  while (eq > text && *eq != '=')
    eq--;
  size_t i = eq > text ? find(a, text, (size_t)(eq - text)) : a->n_branches;
  double x = eq > text ? value_of(eq + 1, (size_t)(end - eq - 1)) : nan("");
  if (i == a->n_branches) {
    cli_say("nothing called '%.*s' chooses a branch of the equations%s",
            (int)((eq > text ? eq : end) - text), text,
            a->n_branches ? "; these do:" : "");
    for (size_t k = 0; k < a->n_branches && k < SHOWN; k++)
      fprintf(stderr, "%*s%s (line %d)\n", INDENT, "", a->branches[k].name,
              a->branches[k].line);
    return -1;
  }
  if (isnan(x)) {
    cli_say("the value of '%s' is true, false or a number, not '%.*s'",
            a->branches[i].name, (int)(end - eq - 1), eq + 1);
    return -1;
  }
  values[i] = x;
  return 0;
}

/* The end of the first choice: a comma behind a value, or the end of the text. */
static const char *choice_end(const brink_anatomy *a, const char *text)
{
  for (const char *p = text;; p++) {
    if (*p == 0)
      return p;
    if (*p != ',')
      continue;
    const char *eq = p;
    while (eq > text && *eq != '=')
      eq--;
    if (eq > text && find(a, text, (size_t)(eq - text)) < a->n_branches)
      return p;
  }
}

int cli_one_mode(brink_ctx *ctx, const brink_model *model, const char *choices)
{
  brink_anatomy a = brink_model_anatomy(model);
  double *values = calloc(a.n_branches + 1, sizeof *values);
  brink_structures *one = NULL;
  int status = CLI_DONE;

  if (!values) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  for (size_t i = 0; i < a.n_branches; i++)
    values[i] = nan("");
  for (const char *at = choices, *end; status == CLI_DONE; at = end + 1) {
    end = choice_end(&a, at);
    if (choose(&a, at, end, values) != 0)
      status = CLI_USAGE;
    if (*end == 0)
      break;
  }
  if (status == CLI_DONE && brink_model_structure(ctx, model, 0, values, &one) < 0) {
    cli_say_error(brink_ctx_error(ctx));
    status = CLI_FAILED;
  }
  if (one)
    cli_structure_beside(&one->v[0], NULL);
  brink_structures_free(one);
  free(values);
  return status;
}
