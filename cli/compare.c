/* compare.c -- brink compare: the same run through several methods or locators.
 *
 * Every run is held against a reference: one more run, by default with the method of
 * highest order that chooses its own steps without a history, the locator that proves
 * absence, and a tolerance a thousand times tighter.  A run that fails is a row.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 64, MAX_FILES = 8 };

static const char BEST_METHOD[] = "dop853", BEST_LOCATOR[] = "isolate";
static const double TIGHTER = 1e-3, TIGHTEST = 1e-13;

/* The reference is held against itself at a tolerance so many times larger.  If it is
 * right, the two differ by less than what the rows are asked for. */
static const double LOOSER = 10;

enum {
  OPT_METHODS = CLI_ASK_OPTIONS,
  OPT_LOCATORS,
  OPT_REFERENCE,
  OPT_REFERENCE_RTOL,
  OPT_OUT,
  OPT_QUIET
};

/* clang-format off */
static const cli_option options[] = {
  CLI_TIME_TABLE
  {"methods",        0,   "LIST", "names with ',' between them, or all [all without --locators]", OPT_METHODS},
  {"locators",       0,   "LIST", "names with ',' between them, or all [the run's own]", OPT_LOCATORS},
  {"reference",      0,   "M",    "method of the run to compare with [dop853]", OPT_REFERENCE},
  {"reference_rtol", 0,   "R",    "its tolerance [rtol/1000, at least 1e-13]", OPT_REFERENCE_RTOL},
  {"out",            'o', "FILE", "the table too: .csv, .json, or - for CSV on standard output", OPT_OUT},
  {"quiet",          'q', NULL,   "no table, no progress", OPT_QUIET},
  CLI_SIM_TABLE
};
/* clang-format on */

/* -------------------------------------------------------------- request --- */

/* Some of the names of a family; n < 0: not asked. */
typedef struct choice {
  const char *name[MAX_NAMES];
  int n;
} choice;

typedef const char *name_fn(int index);

typedef struct request {
  choice methods, locators;
  const char *reference;
  double reference_rtol; /* NaN: not given */
  const char *out[MAX_FILES];
  int n_out, quiet;
} request;

static int pick(choice *c, const char *word, size_t n, const char *what, name_fn *name)
{
  const char *best = NULL;
  char text[64];
  int least = CLI_FAR;

  snprintf(text, sizeof text, "%.*s", (int)(n < 63 ? n : 63), word);
  for (int i = 0; name(i); i++) {
    int d = cli_distance(text, name(i));
    if (strcmp(text, name(i)) == 0 && c->n < MAX_NAMES) {
      c->name[c->n++] = name(i);
      return 0;
    }
    if (d < least) {
      least = d;
      best = name(i);
    }
  }
  if (name == brink_method_name && brink_method_missing(text))
    cli_say("method '%s' needs %s, which brink was built without", text,
            brink_method_missing(text));
  else if (best)
    cli_say("there is no %s '%s'; did you mean '%s'?", what, text, best);
  else
    cli_say("there is no %s '%s'; see 'brink %ss'", what, text, what);
  return -1;
}

static int pick_all(choice *c, const char *list, const char *what, name_fn *name)
{
  c->n = 0;
  if (strcmp(list, "all") == 0) {
    for (int i = 0; name(i) && i < MAX_NAMES; i++)
      c->name[c->n++] = name(i);
    return 0;
  }
  for (;;) {
    size_t n = strcspn(list, ",");
    if (pick(c, list, n, what, name) != 0)
      return -1;
    if (!list[n])
      return 0;
    list += n + 1;
  }
}

static int add_output(request *r, const char *name)
{
  const char *ext = cli_extension(name);

  for (int i = 0; i < r->n_out; i++)
    if (strcmp(r->out[i], name) == 0) {
      cli_say("'%s' is named twice as an output", name);
      return -1;
    }
  if (r->n_out == MAX_FILES) {
    cli_say("at most %d outputs", MAX_FILES);
    return -1;
  }
  if (strcmp(ext, ".csv") != 0 && strcmp(ext, ".json") != 0 &&
      !(*ext == 0 && cli_is_stream(name))) {
    cli_say("what should '%s' be? a comparison ends in .csv or .json, or is - for "
            "standard output",
            name);
    return -1;
  }
  r->out[r->n_out++] = name;
  return 0;
}

static int set_reference(request *r, const char *name)
{
  choice one = {.n = 0};

  if (pick(&one, name, strlen(name), "method", brink_method_name) != 0)
    return -1;
  r->reference = one.name[0];
  return 0;
}

static int take(request *r, cli_ask *ask, const cli_args *args)
{
  switch (args->id) {
  case OPT_METHODS:
    return pick_all(&r->methods, args->value, "method", brink_method_name);
  case OPT_LOCATORS:
    return pick_all(&r->locators, args->value, "locator", brink_locator_name);
  case OPT_REFERENCE: return set_reference(r, args->value);
  case OPT_REFERENCE_RTOL: return cli_real(args, &r->reference_rtol);
  case OPT_OUT: return add_output(r, args->value);
  case OPT_QUIET: r->quiet = 1; return 0;
  default: return cli_ask_option(ask, args);
  }
}

/* 0: go on; 1: return *status. */
static int parse(request *r, cli_ask *ask, const cli_verb *verb, int argc, char **argv,
                 int *status)
{
  cli_args args = cli_args_of(verb, argc, argv);

  *r = (request){.methods.n = -1,
                 .locators.n = -1,
                 .reference = BEST_METHOD,
                 .reference_rtol = nan("")};
  cli_ask_init(ask);
  *status = CLI_USAGE;
  for (;;)
    switch (cli_args_next(&args)) {
    case CLI_BAD: return 1;
    case CLI_HELP:
      cli_help(verb, stdout);
      *status = CLI_DONE;
      return 1;
    case CLI_OPERAND:
      if (cli_load_operand(&ask->load, &args) != 0)
        return 1;
      break;
    case CLI_OPTION:
      if (take(r, ask, &args) != 0)
        return 1;
      break;
    case CLI_NO_MORE: return cli_load_ready(&ask->load, verb) != 0;
    }
}

/* ------------------------------------------------------------------ set --- */

/* Options that no row can run with are wrong use, not rows. */
static int usable(cmp_job *job)
{
  const double rtols[] = {job->ask.sim.rtol, job->reference.rtol};

  for (int i = 0; i < 2; i++) {
    brink_sim_opts opt = cli_ask_sim(&job->ask, job->model, job->ask.sim.method);
    brink_sim *sim = NULL;
    opt.rtol = rtols[i];
    brink_status rc = brink_sim_new(job->ctx, job->model, &opt, &sim);
    brink_sim_free(sim);
    if (rc == BRINK_EARG) {
      cli_say_error(brink_ctx_error(job->ctx));
      return -1;
    }
  }
  return 0;
}

/* The rows: methods times locators; what was not asked for is the run's own, but
 * without any wish all methods. */
static int make_rows(cmp_job *job, request *r)
{
  choice *m = &r->methods, *l = &r->locators;

  if (m->n < 0 && l->n < 0)
    pick_all(m, "all", "method", brink_method_name);
  if (m->n < 0)
    *m = (choice){.name = {job->ask.sim.method}, .n = 1};
  if (l->n < 0)
    *l = (choice){.name = {job->ask.sim.locator}, .n = 1};
  job->n_rows = m->n * l->n;
  job->rows = calloc((size_t)job->n_rows, sizeof *job->rows);
  for (int i = 0; job->rows && i < job->n_rows; i++)
    job->rows[i] = (cmp_row){.method = m->name[i / l->n],
                             .locator = l->name[i % l->n],
                             .rtol = job->ask.sim.rtol};
  job->reference = (cmp_row){
      .method = r->reference, .locator = BEST_LOCATOR, .rtol = r->reference_rtol};
  if (isnan(r->reference_rtol))
    job->reference.rtol =
        fmax(TIGHTER * job->ask.sim.rtol, fmin(TIGHTEST, job->ask.sim.rtol));
  return job->rows ? 0 : -1;
}

static int run_all(cmp_job *job, int quiet)
{
  size_t n = brink_model_variables(job->model);
  char label[64];

  if (cmp_run(job, &job->reference, 1, quiet, "reference") != 0)
    return -1;
  job->looser = (cmp_row){.method = job->reference.method,
                          .locator = job->reference.locator,
                          .rtol = fmin(LOOSER * job->reference.rtol, 1)};
  if (cmp_run(job, &job->looser, 1, quiet, "reference again") != 0)
    return -1;
  cmp_against(&job->looser, &job->reference, n);
  for (int i = 0; i < job->n_rows && !cli_signalled(); i++) {
    cmp_row *row = &job->rows[i];
    snprintf(label, sizeof label, "%d/%d %.16s", i + 1, job->n_rows, row->method);
    if (cmp_run(job, row, 0, quiet, label) != 0)
      return -1;
    cmp_against(row, &job->reference, n);
    job->n_done++;
  }
  return 0;
}

/* ------------------------------------------------------------------ out --- */

static int write_all(const cmp_job *job, const request *r, cli_file *files)
{
  int bad = 0, to_stdout = 0;

  for (int i = 0; i < r->n_out; i++) {
    if (strcmp(cli_extension(r->out[i]), ".json") == 0)
      cmp_json(job, files[i].stream);
    else
      cmp_csv(job, files[i].stream);
    to_stdout |= files[i].stream == stdout;
    bad |= cli_file_close(&files[i]);
  }
  if (!r->quiet)
    cmp_print(job, to_stdout ? stderr : stdout);
  return bad;
}

static int no_memory(void)
{
  cli_say("out of memory");
  return CLI_FAILED;
}

/* A reference that is wrong itself tells nothing about the rows. */
static void say_disagreement(const cmp_job *job)
{
  const cmp_row *ref = &job->reference, *other = &job->looser;
  char a[CLI_SHORT], b[CLI_SHORT], what[BRINK_ERR_TEXT + 64] = "";

  if (cli_signalled())
    return;
  if (!cmp_ended(other))
    snprintf(what, sizeof what, "the other did not end: %s", other->text);
  else if (other->status != ref->status)
    snprintf(what, sizeof what, "they end at t = %.9g and %.9g", other->t_end,
             ref->t_end);
  else if (other->differs)
    snprintf(what, sizeof what, "event number %zu is not the same", other->differs);
  else if (other->x_off > job->ask.sim.rtol)
    snprintf(what, sizeof what, "'%s' differs by %.1e at the end",
             brink_model_variable(job->model, other->x_worst).name, other->x_off);
  if (*what)
    cli_say(
        "warning: the reference disagrees with itself at rtol %s and %s: %s; what is "
        "held against it may be wrong by as much",
        cli_short(other->rtol, a), cli_short(ref->rtol, b), what);
}

static int run_and_write(cmp_job *job, const request *r, cli_file *files)
{
  if (run_all(job, r->quiet) != 0)
    return no_memory();
  int status = write_all(job, r, files) != 0 ? CLI_FAILED : CLI_DONE;
  if (!cmp_ended(&job->reference)) {
    cli_say("the reference run did not end: %s", job->reference.text);
    return CLI_FAILED;
  }
  say_disagreement(job);
  if (cli_signalled()) {
    cli_say("interrupted after %d of %d runs", job->n_done, job->n_rows);
    return CLI_FAILED;
  }
  return status;
}

static int compare(cmp_job *job, request *r)
{
  cli_file files[MAX_FILES] = {0};
  int status = cli_ask_settle(&job->ask, job->model);

  if (status != CLI_DONE)
    return status;
  if (job->ask.stop < job->ask.start) {
    cli_say("the stop time %g lies before the start time %g, and runs that go back are "
            "not compared",
            job->ask.stop, job->ask.start);
    return CLI_USAGE;
  }
  if (make_rows(job, r) != 0)
    return no_memory();
  if (usable(job) != 0)
    return CLI_USAGE;
  for (int i = 0; i < r->n_out && status == CLI_DONE; i++)
    if (cli_file_open(&files[i], r->out[i]) != 0)
      status = CLI_FAILED;
  if (status == CLI_DONE) {
    cli_catch_signals(1);
    status = run_and_write(job, r, files);
    cli_catch_signals(0);
  }
  for (int i = 0; i < r->n_out; i++)
    cli_file_close(&files[i]);
  return status;
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  cmp_job *job = calloc(1, sizeof *job);
  request r;
  int status = CLI_FAILED;

  if (!job || brink_ctx_new(NULL, &job->ctx) < 0) {
    cli_say("out of memory");
    free(job);
    return status;
  }
  if (!parse(&r, &job->ask, verb, argc, argv, &status)) {
    status = cli_load_model(&job->ask.load, job->ctx, 1, &job->model);
    if (status == CLI_DONE)
      status = compare(job, &r);
  }
  for (int i = 0; i < job->n_rows; i++)
    cmp_drop(&job->rows[i]);
  cmp_drop(&job->reference);
  cmp_drop(&job->looser);
  free(job->rows);
  brink_model_free(job->model);
  brink_ctx_free(job->ctx);
  cli_load_drop(&job->ask.load);
  free(job);
  return status;
}

const cli_verb cli_compare = {
    .name = "compare",
    .usage = "MODEL",
    .text = "run a model through several methods or locators, side by side",
    .more = "Each run is held against a reference: another method at a tighter "
            "tolerance.\n"
            "Without --methods and --locators: all methods with the locator of the "
            "run; with one\n"
            "of them, the other is the run's own; with both, every pair.  A run that "
            "fails is a\n"
            "row with its reason; the exit status is 0 if the reference came to its "
            "end.\n",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run,
};
