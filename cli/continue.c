/* continue.c -- brink continue: a curve of solutions over a parameter.
 *
 * Wrong use is found before the model is read, a wrong model before a file is touched.
 * Whatever ends the curve, what there is is written.
 */
#include "curve_files.h"
#include "load.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 16 };

enum option_id {
  OPT_OVER = CLI_LOAD_OPTIONS,
  OPT_FROM,
  OPT_TO,
  OPT_START,
  OPT_NATURAL,
  OPT_OUT,
  OPT_EVENTS,
  OPT_SIZE,
  OPT_QUIET,
  OPT_VERBOSE,
  OPT_H0,
  OPT_H_MAX,
  OPT_POINTS,
  OPT_SECONDS
};

/* clang-format off */
static const cli_option options[] = {
  CLI_LOAD_TABLE
  {"over",    0,   "NAME", "the parameter that changes along the curve, or time", OPT_OVER},
  {"from",    0,   "A",    "its value where the curve begins", OPT_FROM},
  {"to",      0,   "B",    "its value where the curve is to end", OPT_TO},
  {"start",   0,   "T",    "time, which stands still [the experiment's StartTime, or 0]", OPT_START},
  {"natural", 0,   NULL,   "follow the curve by the parameter, not by its length: no fold is passed", OPT_NATURAL},
  {"out",     'o', "FILE", "the points: .csv, .svg, or - for CSV on standard output", OPT_OUT},
  {"events",  0,   "FILE", "folds, branch points and switches as CSV; - for standard output", OPT_EVENTS},
  {"size",    0,   "WxH",  "of a picture, in pixels; 0: what it needs [900x0]", OPT_SIZE},
  {"quiet",   'q', NULL,   "no table, no progress", OPT_QUIET},
  {"verbose", 'v', NULL,   "the table also with -o", OPT_VERBOSE},
  {"h0",      0,   "X",    "length of the first step; the way from A to B is 1 [0.01]", OPT_H0},
  {"h_max",   0,   "X",    "longest step [0.02]", OPT_H_MAX},
  {"max_points",  0, "N",  "limit on points; 0: none [10000]", OPT_POINTS},
  {"max_seconds", 0, "X",  "wall time limit; 0: none", OPT_SECONDS},
};
/* clang-format on */

typedef struct job {
  cli_load load;
  brink_curve_opts opt;
  double start; /* NaN: not given */
  const char *out[MAX_FILES];
  int n_out;
  const char *events;
  int width, height, sized, quiet, verbose;

  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  brink_curve *curve;
  cli_curve points;
  cli_file files[MAX_FILES + 1];
  int n_files;
} job;

/* ------------------------------------------------------------- options ---- */

static int is_picture(const char *name)
{
  return strcmp(cli_extension(name), ".svg") == 0;
}

static int add_output(job *j, const char *name)
{
  const char *ext = cli_extension(name);

  if (j->n_out == MAX_FILES) {
    cli_say("at most %d outputs", MAX_FILES);
    return -1;
  }
  if (strcmp(ext, ".csv") != 0 && !is_picture(name) && (*ext || !cli_is_stream(name))) {
    cli_say("what should '%s' be? a curve ends in .csv or .svg, or is - for standard "
            "output",
            name);
    return -1;
  }
  j->out[j->n_out++] = name;
  return 0;
}

static int take(job *j, const cli_args *args)
{
  switch (args->id) {
  case OPT_OVER: j->opt.over = args->value; return 0;
  case OPT_FROM: return cli_real(args, &j->opt.from);
  case OPT_TO: return cli_real(args, &j->opt.to);
  case OPT_START: return cli_real(args, &j->start);
  case OPT_NATURAL: j->opt.natural = 1; return 0;
  case OPT_OUT: return add_output(j, args->value);
  case OPT_EVENTS: j->events = args->value; return 0;
  case OPT_SIZE: j->sized = 1; return cli_size(args, &j->width, &j->height);
  case OPT_QUIET: j->quiet = 1; return 0;
  case OPT_VERBOSE: j->verbose = 1; return 0;
  case OPT_H0: return cli_real(args, &j->opt.h0);
  case OPT_H_MAX: return cli_real(args, &j->opt.h_max);
  case OPT_POINTS: return cli_count(args, &j->opt.max_points);
  case OPT_SECONDS: return cli_real(args, &j->opt.max_seconds);
  default: return cli_load_option(&j->load, args);
  }
}

/* No two outputs may be one file, and --size needs a picture. */
static int outputs_fit(const job *j)
{
  int pictures = 0;

  for (int i = 0; i < j->n_out; i++) {
    pictures += is_picture(j->out[i]);
    int again = j->events && strcmp(j->events, j->out[i]) == 0;
    for (int k = 0; k < i; k++)
      again |= strcmp(j->out[k], j->out[i]) == 0;
    if (again) {
      cli_say("'%s' is named twice as an output", j->out[i]);
      return 0;
    }
  }
  if (j->sized && !pictures)
    cli_say("--size needs a picture: -o FILE.svg");
  return !j->sized || pictures;
}

static int complete(const job *j, const cli_verb *verb)
{
  if (cli_load_ready(&j->load, verb) != 0)
    return 0;
  if (j->quiet && j->verbose) {
    cli_say("--quiet or --verbose, not both");
    return 0;
  }
  if (!j->opt.over || isnan(j->opt.from) || isnan(j->opt.to)) {
    cli_say("%s is missing: brink continue MODEL --over NAME --from A --to B",
            !j->opt.over         ? "--over"
            : isnan(j->opt.from) ? "--from"
                                 : "--to");
    return 0;
  }
  if (j->opt.from == j->opt.to) {
    cli_say("--from and --to are both %g: there is no way from one to the other",
            j->opt.from);
    return 0;
  }
  return outputs_fit(j);
}

/* 0: go on; 1: return *status. */
static int parse(job *j, const cli_verb *verb, int argc, char **argv, int *status)
{
  cli_args args = cli_args_of(verb, argc, argv);

  j->opt = brink_curve_defaults();
  j->opt.from = j->opt.to = j->start = nan("");
  *status = CLI_USAGE;
  for (;;)
    switch (cli_args_next(&args)) {
    case CLI_BAD: return 1;
    case CLI_HELP:
      cli_help(verb, stdout);
      *status = CLI_DONE;
      return 1;
    case CLI_OPERAND:
      if (cli_load_operand(&j->load, &args) != 0)
        return 1;
      break;
    case CLI_OPTION:
      if (take(j, &args) != 0)
        return 1;
      break;
    case CLI_NO_MORE: return !complete(j, verb);
    }
}

/* ---------------------------------------------------------------- curve --- */

static int status_of(brink_status rc)
{
  return rc == BRINK_EARG || rc == BRINK_ENAME ? CLI_USAGE
         : rc == BRINK_EMODEL                  ? CLI_MODEL
                                               : CLI_FAILED;
}

static int begin(job *j)
{
  double start = brink_model_experiment(j->model).start;
  brink_status rc = brink_sim_new(j->ctx, j->model, NULL, &j->sim);

  if (rc < 0) {
    cli_say_error(brink_ctx_error(j->ctx));
    return status_of(rc);
  }
  if (!isnan(j->start))
    start = j->start;
  rc = cli_load_set(&j->load, j->sim);
  if (rc >= 0)
    rc = brink_curve_new(j->sim, isnan(start) ? 0 : start, &j->opt, &j->curve);
  if (rc < 0)
    cli_say_error(brink_sim_error(j->sim));
  return rc < 0 ? status_of(rc) : CLI_DONE;
}

static int open_all(job *j)
{
  for (int i = 0; i < j->n_out; i++, j->n_files++)
    if (cli_file_open(&j->files[j->n_files], j->out[i]) != 0)
      return CLI_FAILED;
  if (j->events && cli_file_open(&j->files[j->n_files], j->events) != 0)
    return CLI_FAILED;
  j->n_files += j->events != NULL;
  return CLI_DONE;
}

static int close_all(job *j)
{
  int bad = 0;

  for (int i = 0; i < j->n_files; i++)
    bad |= cli_file_close(&j->files[i]);
  return bad;
}

static int write_all(job *j)
{
  int bad = 0, i = 0;

  for (; i < j->n_out; i++) {
    brink_sink sink = cli_file_sink(&j->files[i]);
    if (is_picture(j->out[i]))
      bad |= cli_curve_svg(&j->points, &sink, j->width, j->height);
    else
      cli_curve_csv(&j->points, &sink);
  }
  if (j->events) {
    brink_sink sink = cli_file_sink(&j->files[i]);
    cli_curve_events(&j->points, &sink);
  }
  return (close_all(j) | bad) != 0 ? -1 : 0;
}

/* Is standard output one of the files? */
static int takes_stdout(const job *j)
{
  for (int i = 0; i < j->n_files; i++)
    if (strcmp(j->files[i].name, "-") == 0)
      return 1;
  return 0;
}

static int verdict(const job *j, brink_status rc)
{
  if (rc == BRINK_OK) {
    cli_say("interrupted at %s = %.9g", j->opt.over, j->points.p[j->points.n - 1]);
    return CLI_FAILED;
  }
  if (rc != BRINK_END && !(rc == BRINK_LIMIT && j->quiet))
    cli_say_error(brink_curve_error(j->curve));
  return rc == BRINK_END || rc == BRINK_LIMIT ? CLI_DONE : CLI_FAILED;
}

static int follow(job *j)
{
  brink_curve_point point;
  brink_status rc = BRINK_OK;
  cli_progress progress = cli_progress_of(!j->quiet, j->opt.from, j->opt.to);

  j->points = (cli_curve){.model = j->model,
                          .over = j->opt.over,
                          .n_vars = brink_model_variables(j->model)};
  cli_catch_signals(1);
  while (!cli_signalled() && (rc = brink_curve_next(j->curve, &point)) == BRINK_OK) {
    if (cli_curve_add(&j->points, &point) != 0)
      return CLI_FAILED;
    cli_progress_show(&progress, point.p, brink_curve_statistics(j->curve).folds);
  }
  cli_progress_end(&progress);
  int status = verdict(j, rc);
  brink_curve_stats stats = brink_curve_statistics(j->curve);
  FILE *out = takes_stdout(j) ? stderr : stdout;
  if (write_all(j) != 0)
    status = CLI_FAILED;
  if (!j->quiet && (j->n_out == 0 || j->verbose))
    cli_curve_table(&j->points, &stats, out);
  cli_catch_signals(0);
  return status;
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  job *j = calloc(1, sizeof *j);
  int status = CLI_FAILED;

  if (!j || brink_ctx_new(NULL, &j->ctx) < 0)
    cli_say("out of memory");
  else if (!parse(j, verb, argc, argv, &status)) {
    cli_deadline(j->opt.max_seconds, j->load.name);
    status = cli_load_model(&j->load, j->ctx, 1, &j->model);
    if (status == CLI_DONE)
      status = begin(j);
    cli_deadline(0, NULL);
    if (status == CLI_DONE)
      status = open_all(j);
    if (status == CLI_DONE)
      status = follow(j);
  }
  if (!j)
    return status;
  close_all(j);
  cli_curve_drop(&j->points);
  brink_curve_free(j->curve);
  brink_sim_free(j->sim);
  brink_model_free(j->model);
  brink_ctx_free(j->ctx);
  cli_load_drop(&j->load);
  free(j);
  return status;
}

const cli_verb cli_continue = {
    .name = "continue",
    .usage = "MODEL",
    .text = "follow a curve of solutions over a parameter",
    .more =
        "The solutions of the equations at rest (all derivatives are 0, time stands "
        "still), as a\n"
        "parameter goes from A to B: of an algebraic model its solutions, else its "
        "equilibria.\n"
        "The curve is followed by its length, and passes places where it turns back "
        "(fold).\n"
        "Lengths count the parameter in units of B - A, an unknown in units of its "
        "size or nominal\n"
        "value.  Without -o, a short table.\n",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run,
};
