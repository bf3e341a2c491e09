/* check.c -- brink check: what a model is, without running it. */
#include "cli.h"
#include "modes.h"
#include "structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, INDENT = 4, SHOWN = 24, NAME = 32, VALUE = 16, UNIT = 8 };

enum option_id { OPT_MODES = CLI_ASK_OPTIONS, OPT_MODE, OPT_METHOD };

/* clang-format off */
static const cli_option options[] = {
  CLI_TIME_TABLE
  {"modes",  0, NULL,         "run it, and show the structure of each mode that the run meets", OPT_MODES},
  {"mode",   0, "NAME=VALUE", "the structure with these branches; several with ',' between them", OPT_MODE},
  {"method", 0, "M",          "of --modes: integration method, see 'brink methods'", OPT_METHOD},
  {"rtol",   0, "X",          "of --modes: relative tolerance", CLI_OPT_rtol},
  {"atol",   0, "X",          "of --modes: absolute tolerance, times nominal values", CLI_OPT_atol},
};
/* clang-format on */

/* ---------------------------------------------------------------- parts ---- */

/* Where names come from. */
typedef struct source {
  const brink_model *model;
  int mode;
  const char *const *texts;
} source;

static const char *state(const void *user, size_t i)
{
  const source *from = user;
  return brink_model_state_name(from->model, from->mode, i);
}

static const char *guard(const void *user, size_t i)
{
  const source *from = user;
  return brink_model_guard_name(from->model, from->mode, (int)i);
}

static const char *listed(const void *user, size_t i)
{
  const source *from = user;
  return from->texts[i];
}

/* Of a mode that has states. */
static void jacobian(const brink_model *model, int m)
{
  brink_jacobian j = brink_model_jacobian(model, m);

  if (j.n == 0 || !*brink_model_state_name(model, m, 0))
    return;
  printf("Jacobian %zu by %zu", j.n, j.n);
  if (j.unknowns)
    printf(", %zu of them unknowns of loops", j.unknowns);
  printf(": %zu entr%s (%.3g %%), bandwidth %zu below, %zu above\n", j.nnz,
         j.nnz == 1 ? "y" : "ies", 100 * (double)j.nnz / ((double)j.n * (double)j.n),
         j.lower, j.upper);
}

static void mode(const brink_model *model, int m)
{
  size_t n = brink_model_states(model, m),
         n_guards = (size_t)brink_model_guards(model, m);

  if (n == 1 && !*brink_model_state_name(model, m, 0))
    n = 0; /* purely algebraic */
  if (brink_model_modes(model) > 1)
    printf("mode %d: %s\n", m + 1, brink_model_mode_name(model, m));
  printf("%zu state%s\n", n, n == 1 ? "" : "s");
  cli_names(n, state, &(source){model, m, NULL});
  jacobian(model, m);
  printf("%zu guard%s\n", n_guards, n_guards == 1 ? "" : "s");
  cli_names(n_guards, guard, &(source){model, m, NULL});
}

static void machine(const brink_machine *m, size_t number, size_t n)
{
  if (n > 1)
    printf("machine %zu%s%s: ", number + 1, *m->within ? ", part of " : "", m->within);
  printf("%zu mode%s, at first %s\n", m->n_states, m->n_states == 1 ? "" : "s",
         m->states[m->initial]);
  if (n > 1)
    cli_names(m->n_states, listed, &(source){NULL, 0, m->states});
  printf("%zu transition%s\n", m->n_transitions, m->n_transitions == 1 ? "" : "s");
  for (size_t i = 0; i < m->n_transitions; i++)
    printf("%*s%s\n", INDENT, "", m->transitions[i]);
}

/* Machines side by side: of many combinations of their modes only some are shown. */
static void combinations(const brink_model *model, const brink_anatomy *a)
{
  int all = brink_model_modes(model);

  for (size_t i = 0; i < a->n_machines; i++)
    machine(&a->machines[i], i, a->n_machines);
  if (a->n_machines > 1 && a->n_modes < (size_t)all)
    printf("%zu of %d combinations of modes, in which every mode occurs\n", a->n_modes,
           all);
  else if (a->n_machines > 1)
    printf("%d combination%s of modes\n", all, all == 1 ? "" : "s");
}

/* Text in that many columns, and two more. */
static void column(const char *text, int width)
{
  char cut[CLI_TEXT];

  cli_cut(text, width, cut);
  printf("%s%*s", cut, width - cli_columns(cut) + 2, "");
}

static void parameter(const brink_parameter *p, int width)
{
  char number[CLI_SHORT], text[CLI_TEXT];

  snprintf(number, sizeof number, "%.9g", p->value);
  printf("%*s", INDENT, "");
  column(p->name, width);
  if (!*p->unit && !*p->text) {
    printf("%s\n", number);
    return;
  }
  column(number, VALUE);
  if (!*p->text) {
    printf("%s\n", p->unit);
    return;
  }
  column(p->unit, UNIT);
  printf("%s\n", cli_cut(p->text, COLUMNS - INDENT - width - VALUE - UNIT - 6, text));
}

static void parameters(const brink_anatomy *a)
{
  size_t shown = a->n_parameters < SHOWN ? a->n_parameters : SHOWN;
  int width = 4;

  printf("%zu parameter%s\n", a->n_parameters, a->n_parameters == 1 ? "" : "s");
  for (size_t i = 0; i < shown; i++) {
    int w = cli_columns(a->parameters[i].name);
    width = w > NAME ? NAME : w > width ? w : width;
  }
  for (size_t i = 0; i < shown; i++)
    parameter(&a->parameters[i], width);
  if (shown < a->n_parameters)
    printf("%*s... and %zu more\n", INDENT, "", a->n_parameters - shown);
}

static void experiment(const brink_model *model)
{
  brink_experiment e = brink_model_experiment(model);
  char number[CLI_SHORT];

  printf("experiment\n%*s", INDENT, "");
  printf("from %.9g to %.9g", isnan(e.start) ? 0 : e.start,
         isnan(e.stop) ? (isnan(e.start) ? 0 : e.start) + 1 : e.stop);
  if (e.time_unit)
    printf(" %s", e.time_unit);
  if (!isnan(e.tolerance))
    printf(", tolerance %s", cli_short(e.tolerance, number));
  if (!isnan(e.interval))
    printf(", interval %s", cli_short(e.interval, number));
  if (e.method)
    printf(", method %s", e.method);
  if (e.locator)
    printf(", locator %s", e.locator);
  printf("\n");
}

/* ---------------------------------------------------------------- start ---- */

/* The value of a variable, or of a derivative that is a state, at the start. */
static double find(const brink_sim *sim, const brink_model *model, const double *values,
                   const char *name)
{
  int mode = brink_sim_mode(sim);

  for (size_t i = 0; i < brink_model_variables(model); i++)
    if (strcmp(brink_model_variable(model, i).name, name) == 0)
      return values[i];
  for (size_t i = 0; i < brink_model_states(model, mode); i++)
    if (strcmp(brink_model_state_name(model, mode, i), name) == 0)
      return brink_sim_state(sim)[i];
  return nan("");
}

/* Start values that were not kept. */
static void moves(const brink_sim *sim)
{
  cli_file out = {.name = "-", .stream = stdout};
  brink_sink sink = cli_file_sink(&out);
  brink_report report = {.n_moved = brink_sim_moved_starts(sim),
                         .moved = brink_sim_moved_start(sim, 0)};
  brink_err err = {0};

  brink_write_moves(&sink, &report, &err);
}

static int start(brink_ctx *ctx, const brink_model *model)
{
  brink_anatomy a = brink_model_anatomy(model);
  brink_experiment e = brink_model_experiment(model);
  brink_sim *sim = NULL;
  double *values = calloc(brink_model_variables(model) + 1, sizeof *values);
  char name[CLI_TEXT];
  int status = CLI_FAILED;

  if (!values || brink_sim_new(ctx, model, NULL, &sim) < 0) {
    cli_say_error(brink_ctx_error(ctx));
  } else if (brink_sim_start(sim, isnan(e.start) ? 0 : e.start, 0, NULL) < 0 ||
             brink_sim_values(sim, values) < 0) {
    cli_say_error(brink_sim_error(sim));
  } else {
    status = CLI_DONE;
    printf("start\n");
    for (size_t i = 0; i < a.n_starts && i < SHOWN; i++)
      printf("%*s%s = %.9g%s\n", INDENT, "", cli_cut(a.starts[i].name, 60, name),
             find(sim, model, values, a.starts[i].name),
             a.starts[i].fixed   ? ""
             : a.starts[i].found ? "  (found by the initial equations)"
                                 : "  (not fixed by the model)");
    if (a.n_starts > SHOWN)
      printf("%*s... and %zu more\n", INDENT, "", a.n_starts - SHOWN);
    if (a.conditions < a.free_starts)
      printf("%*s%zu condition%s for %zu free values: the start nearest to the start "
             "values is taken\n",
             INDENT, "", a.conditions, a.conditions == 1 ? "" : "s", a.free_starts);
    moves(sim);
  }
  brink_sim_free(sim);
  free(values);
  return status;
}

/* ---------------------------------------------------------------- check ---- */

/* A model that was refused: what its equations are like. */
static void refused(const brink_structures *all)
{
  for (size_t i = 0; i < all->n; i++)
    cli_structure(&all->v[i]);
}

static int describe(brink_ctx *ctx, const brink_model *model,
                    const brink_structures *structures)
{
  brink_anatomy a = brink_model_anatomy(model);

  char about[CLI_TEXT];
  const char *name = brink_model_name(model), *text = brink_model_text(model);
  cli_cut(text, COLUMNS - (int)strlen("model : ") - cli_columns(name), about);
  printf("model %s%s%s\n", name, *text ? ": " : "", about);
  printf("%zu equation%s, ", a.equations, a.equations == 1 ? "" : "s");
  if (a.loops > 0)
    printf("%zu loop%s of at most %zu solved together\n", a.loops,
           a.loops == 1 ? "" : "s", a.largest_loop);
  else
    printf("none solved together\n");
  combinations(model, &a);
  for (size_t i = 0; i < a.n_modes; i++)
    mode(model, a.modes[i]);
  printf("%zu event%s\n", a.n_clauses, a.n_clauses == 1 ? "" : "s");
  cli_names(a.n_clauses, listed, &(source){model, 0, a.clauses});
  if (a.timed > 0)
    printf("%zu at known times\n", a.timed);
  for (size_t i = 0; i < a.n_notes; i++)
    printf("note: %s\n", a.notes[i]);
  parameters(&a);
  experiment(model);
  int status = start(ctx, model);
  for (size_t i = 0; structures && i < structures->n; i++)
    cli_structure(&structures->v[i]);
  return status;
}

/* What the user asked for. */
typedef struct request {
  cli_ask run;
  const char *mode; /* NULL: none */
  int modes;
} request;

static int take(request *r, const cli_args *args)
{
  switch (args->id) {
  case OPT_MODES: r->modes = 1; return 0;
  case OPT_MODE: r->mode = args->value; return 0;
  case OPT_METHOD: r->run.method = args->value; return 0;
  default: return cli_ask_option(&r->run, args);
  }
}

/* -1: go on, else the exit status. */
static int parse(request *r, const cli_verb *verb, int argc, char **argv)
{
  cli_args args = cli_args_of(verb, argc, argv);

  cli_ask_init(&r->run);
  for (cli_met met; (met = cli_args_next(&args)) != CLI_NO_MORE;) {
    if (met == CLI_HELP) {
      cli_help(verb, stdout);
      return CLI_DONE;
    }
    if (met == CLI_BAD ||
        (met == CLI_OPERAND ? cli_load_operand(&r->run.load, &args) : take(r, &args)))
      return CLI_USAGE;
  }
  return cli_load_ready(&r->run.load, verb) != 0 ? CLI_USAGE : -1;
}

static int answer(brink_ctx *ctx, const brink_model *model, request *r)
{
  if (r->mode)
    return cli_one_mode(ctx, model, r->mode);
  if (r->modes)
    return cli_modes_met(ctx, model, &r->run);
  return describe(ctx, model, r->run.load.structures);
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  request *r = calloc(1, sizeof *r);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;

  if (!r || brink_ctx_new(NULL, &ctx) < 0) {
    cli_say("out of memory");
    free(r);
    return CLI_FAILED;
  }
  int status = parse(r, verb, argc, argv);
  cli_load *load = &r->run.load;
  load->analyse = 1;
  if (status < 0)
    status = cli_load_model(load, ctx, 0, &model);
  if (model)
    status = answer(ctx, model, r);
  else if (load->structures)
    refused(load->structures);
  brink_model_free(model);
  cli_load_drop(load);
  brink_ctx_free(ctx);
  free(r);
  return status;
}

const cli_verb cli_check = {
    .name = "check",
    .usage = "MODEL",
    .text = "say what a model is, without running it",
    .more =
        "Its states, guards, events, parameters and experiment, how many equations "
        "must be\n"
        "solved together, and the start it finds. The structure of its equations: "
        "signature\n"
        "matrix, offsets, index, degrees of freedom, blocks; also of a model whose "
        "index is\n"
        "too high to be run.\n"
        "With --modes the model is run, and the structure of each mode that it meets "
        "is shown:\n"
        "of each combination of values of the relations and discrete variables that "
        "choose\n"
        "branches of its equations.\n",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run,
};
