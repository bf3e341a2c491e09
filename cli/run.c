/* run.c -- brink run: simulate a model and write down what happens.
 *
 * Order matters to the user: wrong use is found before the model is read, a wrong
 * model before a file is touched, a file that cannot be written before the run
 * starts.  Whatever ends the run, what there is is written and closed well.
 */
#include "ask.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_FILES = 16,
  STIFF_EVERY = 16 /* steps between two questions whether the problem is stiff */
};

/* ------------------------------------------------------------- options ---- */

enum option_id {
  OPT_METHOD = CLI_ASK_OPTIONS,
  OPT_LOCATE,
  OPT_INTERVAL,
  OPT_POINTS,
  OPT_OUT,
  OPT_PLOT,
  OPT_SIZE,
  OPT_EVENTS,
  OPT_STATS,
  OPT_QUIET,
  OPT_VERBOSE
};

/* clang-format off */
static const cli_option options[] = {
  CLI_TIME_TABLE
  {"method",   0,   "M",    "integration method, see 'brink methods'", OPT_METHOD},
  {"locate",   0,   "L",    "event locator, see 'brink locators'", OPT_LOCATE},
  {"interval", 0,   "DT",   "time between rows [the experiment's Interval]", OPT_INTERVAL},
  {"points",   0,   "N",    "number of rows, both ends included [501]", OPT_POINTS},
  {"out",      'o', "FILE", "trajectory: .csv, .json, .svg, or - for CSV on standard output", OPT_OUT},
  {"plot",     0,   "WHAT", "what a picture shows: \"x,v;mode\", or \"z:x\" for z over x", OPT_PLOT},
  {"size",     0,   "WxH",  "of a picture, in pixels; 0: what it needs [900x0]", OPT_SIZE},
  {"events",   0,   "FILE", "events as CSV; - for standard output", OPT_EVENTS},
  {"stats",    0,   "FILE", "the work that was done, as JSON; - for standard output", OPT_STATS},
  {"quiet",    'q', NULL,   "no table, no warnings, no progress", OPT_QUIET},
  {"verbose",  'v', NULL,   "the table also with -o; relations that change without effect", OPT_VERBOSE},
  CLI_SIM_TABLE
};
/* clang-format on */

/* What the user asked for. */
typedef struct request {
  cli_ask run;
  double interval; /* NaN: not given */
  long points;
  int width, height; /* of pictures; 0: not given */
  const char *out[MAX_FILES];
  int n_out;
  const char *events, *stats;
  char *plot; /* all that was asked for; owned */
  int sized, quiet, verbose;
} request;

/* CSV, JSON or SVG by the extension; standard output, devices and pipes are CSV. */
static int known_kind(const char *name)
{
  const char *ext = cli_extension(name);

  return strcmp(ext, ".csv") == 0 || strcmp(ext, ".json") == 0 ||
         strcmp(ext, ".svg") == 0 || (*ext == 0 && cli_is_stream(name));
}

static int add_output(request *r, const char *name)
{

  if (r->n_out == MAX_FILES) {
    cli_say("at most %d outputs", MAX_FILES);
    return -1;
  }
  if (!known_kind(name)) {
    cli_say(
        "what should '%s' be? a trajectory ends in .csv, .json or .svg, or is - for "
        "standard output",
        name);
    return -1;
  }
  r->out[r->n_out++] = name;
  return 0;
}

/* Each --plot adds its panels to those before. */
static int add_plot(request *r, const char *what)
{
  size_t before = r->plot ? strlen(r->plot) + 1 : 0, more = strlen(what) + 1;
  char *all = realloc(r->plot, before + more);

  if (!all) {
    cli_say("out of memory");
    return -1;
  }
  if (before)
    all[before - 1] = ';';
  memcpy(all + before, what, more);
  r->plot = all;
  return 0;
}

static int take(request *r, const cli_args *args)
{
  switch (args->id) {
  case OPT_METHOD: r->run.method = args->value; return 0;
  case OPT_LOCATE: r->run.locator = args->value; return 0;
  case OPT_INTERVAL: return cli_real(args, &r->interval);
  case OPT_POINTS:
    if (cli_count(args, &r->points) != 0)
      return 1;
    if (r->points >= 2)
      return 0;
    cli_say("--points %ld: both ends need a row, so at least 2", r->points);
    return 1;
  case OPT_OUT: return add_output(r, args->value);
  case OPT_PLOT: return add_plot(r, args->value);
  case OPT_SIZE: r->sized = 1; return cli_size(args, &r->width, &r->height);
  case OPT_EVENTS: r->events = args->value; return 0;
  case OPT_STATS: r->stats = args->value; return 0;
  case OPT_QUIET: r->quiet = 1; return 0;
  case OPT_VERBOSE: r->verbose = 1, r->run.sim.all_relations = 1; return 0;
  default: return cli_ask_option(&r->run, args);
  }
}

/* No two outputs may be one file. */
static int distinct(const request *r)
{
  const char *all[MAX_FILES + 2];
  int n = 0;

  for (int i = 0; i < r->n_out; i++)
    all[n++] = r->out[i];
  if (r->events)
    all[n++] = r->events;
  if (r->stats)
    all[n++] = r->stats;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (strcmp(all[i], all[j]) == 0) {
        cli_say("'%s' is named twice as an output", all[i]);
        return -1;
      }
  return 0;
}

static brink_format format_of(const char *name)
{
  const char *ext = cli_extension(name);

  return strcmp(ext, ".json") == 0  ? BRINK_OUT_JSON
         : strcmp(ext, ".svg") == 0 ? BRINK_OUT_SVG
                                    : BRINK_OUT_CSV;
}

static int drawable(const request *r)
{
  for (int i = 0; i < r->n_out; i++)
    if (format_of(r->out[i]) == BRINK_OUT_SVG)
      return 0;
  if (!r->plot && !r->sized)
    return 0;
  cli_say("%s needs a picture: -o FILE.svg", r->plot ? "--plot" : "--size");
  return -1;
}

/* 0: go on; 1: return *status. */
static int parse(request *r, const cli_verb *verb, int argc, char **argv, int *status)
{
  cli_args args = cli_args_of(verb, argc, argv);

  *r = (request){.interval = nan("")};
  cli_ask_init(&r->run);
  *status = CLI_USAGE;
  for (;;)
    switch (cli_args_next(&args)) {
    case CLI_BAD: return 1;
    case CLI_HELP:
      cli_help(verb, stdout);
      *status = CLI_DONE;
      return 1;
    case CLI_OPERAND:
      if (cli_load_operand(&r->run.load, &args) != 0)
        return 1;
      break;
    case CLI_OPTION:
      if (take(r, &args) != 0)
        return 1;
      break;
    case CLI_NO_MORE:
      if (r->quiet && r->verbose) {
        cli_say("--quiet or --verbose, not both");
        return 1;
      }
      if (!isnan(r->interval) && (r->points != 0 || !(r->interval > 0))) {
        cli_say(r->points ? "--interval or --points, not both"
                          : "--interval must be positive");
        return 1;
      }
      return cli_load_ready(&r->run.load, verb) != 0 || distinct(r) != 0 ||
             drawable(r) != 0;
    }
}

/* ---------------------------------------------------------- the whole run -- */

typedef struct job {
  request ask;
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  brink_recorder *rec;
  double *values; /* [variables] */
  cli_file files[MAX_FILES + 2];
  int n_files;
  cli_file stats;
  brink_digest digest;
  char caption[CLI_NAME * 2]; /* of pictures */
  char located_by[CLI_NAME];  /* the locators of the events so far, with ',' between */
  cli_progress progress;
  long steps; /* that were shown so far                                             */
  int said_stiff;
} job;

/* ------------------------------------------------------------- observer --- */

/* A stiff run may take hours, and its user should know while it does. */
static void say_stiff(job *j, double t)
{
  if (j->said_stiff || j->ask.quiet || !brink_sim_statistics(j->sim).stiff)
    return;
  j->said_stiff = 1;
  cli_progress_end(&j->progress);
  cli_say("warning: the problem looks stiff for %s at t = %.6g; most of its steps are "
          "for stability",
          j->ask.run.sim.method, t);
}

/* Has everyone who reads an output along a pipe had enough? */
static int nobody_reads(const job *j)
{
  for (int i = 0; i < j->n_files; i++)
    if (!j->files[i].closed)
      return 0;
  return j->n_files > 0;
}

/* Asked between any two rows. */
static int asked_to_stop(void *user) { return cli_signalled() || nobody_reads(user); }

static int on_step(const brink_step *step, double begin, double end, int mode,
                   void *user)
{
  job *j = user;

  if (++j->steps % STIFF_EVERY == 0)
    say_stiff(j, step->t1);
  cli_progress_show(&j->progress, step->t1, (long)j->digest.n);
  return brink_recorder_on_step(step, begin, end, mode, j->rec);
}

/* A when may have asked for another locator than the run's. */
static void note_locator(job *j, const char *name)
{
  size_t n = strlen(name), used = strlen(j->located_by);

  for (const char *at = j->located_by; n > 0 && (at = strstr(at, name)); at += n)
    if ((at == j->located_by || at[-1] == ' ') && (at[n] == 0 || at[n] == ','))
      return;
  if (n > 0)
    snprintf(j->located_by + used, sizeof j->located_by - used, "%s%s",
             used ? ", " : "", name);
}

static int on_event(const brink_event *event, void *user)
{
  job *j = user;

  note_locator(j, event->located_by);
  brink_digest_add(&j->digest, event);
  return brink_recorder_on_event(event, j->rec);
}

/* --------------------------------------------------------------- set up --- */

static int make_sim(job *j)
{
  brink_sim_opts *opt = &j->ask.run.sim;
  int status = cli_ask_settle(&j->ask.run, j->model);

  if (status != CLI_DONE)
    return status;
  *opt = cli_ask_sim(&j->ask.run, j->model, opt->method);
  opt->keep = BRINK_KEEP_NOTHING; /* the recorder has it all */
  brink_status rc = brink_sim_new(j->ctx, j->model, opt, &j->sim);
  if (rc < 0) {
    cli_say_error(brink_ctx_error(j->ctx));
    return rc == BRINK_EARG || rc == BRINK_ENAME ? CLI_USAGE : CLI_FAILED;
  }
  j->values = calloc(brink_model_variables(j->model) + 1, sizeof *j->values);
  if (!j->values) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  if (cli_load_set(&j->ask.run.load, j->sim) < 0 ||
      brink_sim_start(j->sim, j->ask.run.start, 0, NULL) < 0) {
    cli_say_error(brink_sim_error(j->sim));
    return brink_sim_error(j->sim)->status == BRINK_EMODEL ? CLI_MODEL : CLI_FAILED;
  }
  return CLI_DONE;
}

static int open_output(job *j, brink_output *out, const char *name, brink_format format)
{
  cli_file *file = &j->files[j->n_files];

  if (cli_file_open(file, name) != 0)
    return -1;
  j->n_files++;
  *out = (brink_output){format, cli_file_sink(file)};
  return 0;
}

/* The grid of the rows: what was asked, what the model says, or 500 intervals. */
static void grid(const job *j, brink_recorder_opts *opt)
{
  double by_model = brink_model_experiment(j->model).interval;

  opt->start = j->ask.run.start;
  opt->stop = j->ask.run.stop;
  opt->points = j->ask.points;
  opt->interval = !isnan(j->ask.interval)            ? j->ask.interval
                  : opt->points == 0 && by_model > 0 ? by_model
                                                     : 0;
}

/* The recorder for these outputs; the grid may be refused. */
static int make_recorder(job *j, const brink_output *out, int n_out)
{
  brink_recorder_opts opt = {.size = sizeof opt, .outputs = out, .n_outputs = n_out};
  char rtol[CLI_SHORT];

  grid(j, &opt);
  opt.plot = j->ask.plot;
  opt.caption = j->caption;
  opt.asks_to_stop = asked_to_stop;
  opt.user = j;
  opt.width = j->ask.width;
  opt.height = j->ask.height;
  snprintf(j->caption, sizeof j->caption, "%.60s, rtol %s, events by %.60s",
           j->ask.run.sim.method, cli_short(j->ask.run.sim.rtol, rtol),
           j->ask.run.sim.locator);
  brink_status rc = brink_recorder_new(j->ctx, j->model, &opt, &j->rec);
  if (rc >= 0)
    return CLI_DONE;
  cli_say_error(brink_ctx_error(j->ctx));
  return rc == BRINK_EARG ? CLI_USAGE : CLI_FAILED;
}

static int open_all(job *j)
{
  brink_output out[MAX_FILES + 1];
  int n_out = j->ask.n_out;

  /* a grid or plot that is refused must not leave files: try it without any */
  if (j->ask.plot && brink_plot_check(j->ctx, j->model, j->ask.plot) < 0) {
    cli_say_error(brink_ctx_error(j->ctx));
    return CLI_USAGE;
  }
  int status = make_recorder(j, NULL, 0);
  brink_recorder_free(j->rec);
  j->rec = NULL;
  if (status != CLI_DONE)
    return status;
  for (int i = 0; i < n_out; i++) {
    if (open_output(j, &out[i], j->ask.out[i], format_of(j->ask.out[i])) != 0)
      return CLI_FAILED;
  }
  if (j->ask.events &&
      open_output(j, &out[n_out++], j->ask.events, BRINK_OUT_EVENTS) != 0)
    return CLI_FAILED;
  if (j->ask.stats && cli_file_open(&j->stats, j->ask.stats) != 0)
    return CLI_FAILED;
  return make_recorder(j, out, n_out);
}

/* --------------------------------------------------------------- reports --- */

static void warn(job *j, const brink_sim_stats *s)
{
  const char *text;

  for (int i = 0; (text = brink_sim_warning(j->sim, i)) != NULL; i++)
    cli_load_warn(&j->ask.run.load, text);
  if (s->misplaced)
    cli_say("warning: %ld event%s put beyond %s, and what follows from there may be "
            "wrong (see 'brink locators')",
            s->misplaced, s->misplaced == 1 ? " was" : "s were",
            s->misplaced == 1 ? "its zero" : "their zeros");
  say_stiff(j, brink_sim_time(j->sim));
}

/* Is standard output one of the files? */
static int takes_stdout(const request *r)
{
  for (int i = 0; i < r->n_out; i++)
    if (strcmp(r->out[i], "-") == 0)
      return 1;
  return (r->events && strcmp(r->events, "-") == 0) ||
         (r->stats && strcmp(r->stats, "-") == 0);
}

/* The table of the values at the end: of the last row if the run was stopped inside a
 * step. */
static brink_status last_values(job *j, brink_status status, const brink_sink *sink)
{
  double t = brink_sim_time(j->sim);
  int mode = brink_sim_mode(j->sim);
  const double *values = j->values;
  brink_err err = {0};

  if (brink_recorder_error(j->rec)->status < 0 || status == BRINK_STOPPED ||
      status == BRINK_LIMIT)
    values = brink_recorder_last(j->rec, &t, &mode);
  else if (brink_sim_values(j->sim, j->values) < 0) {
    if (status < 0) /* it has been said why the run ended */
      return BRINK_OK;
    cli_say_error(brink_sim_error(j->sim));
    return BRINK_ENAN;
  }
  return values ? brink_write_values(sink, j->model, t, mode, values, &err) : BRINK_OK;
}

static int tables(job *j, brink_status status, const brink_report *report)
{
  cli_file out = {.name = "-", .stream = stdout};
  brink_sink sink = cli_file_sink(&out);
  brink_err err = {0};

  if (takes_stdout(&j->ask))
    out.stream = stderr;
  else
    j->digest.columns = cli_width();
  int bad = brink_write_events(&sink, j->model, &j->digest, &err) < 0;
  bad |= brink_write_moves(&sink, report, &err) < 0;
  bad |= last_values(j, status, &sink) < 0;
  bad |= brink_write_work(&sink, report, &err) < 0;
  if (j->ask.verbose && report->stats.homotopy_steps)
    fprintf(out.stream,
            "homotopy: %ld step%s from the simplified start to the actual one\n",
            report->stats.homotopy_steps, report->stats.homotopy_steps == 1 ? "" : "s");
  if (status == BRINK_TERMINATED)
    fprintf(out.stream, "%s\n", brink_sim_error(j->sim)->text);
  if (out.stream == stderr)
    return 0;
  return bad || cli_file_close(&out) != 0 ? -1 : 0;
}

/* Of the last row. */
static double last_time(const job *j)
{
  double t = brink_sim_time(j->sim);

  brink_recorder_last(j->rec, &t, NULL);
  return t;
}

/* Why the run ended, if that needs saying; the exit status it deserves. */
static int verdict(job *j, brink_status status)
{
  if (brink_recorder_error(j->rec)->status < 0) {
    if (brink_recorder_error(j->rec)->status !=
        BRINK_EIO) /* files speak for themselves */
      cli_say_error(brink_recorder_error(j->rec));
    return CLI_FAILED;
  }
  if (status == BRINK_STOPPED && !cli_signalled())
    return CLI_DONE; /* who reads the output has read enough */
  if (status == BRINK_STOPPED) {
    cli_say("interrupted at t = %.9g", last_time(j));
    return CLI_FAILED;
  }
  if (status < 0 || status == BRINK_FOLD || status == BRINK_IRREVERSIBLE ||
      (status == BRINK_ZENO && strcmp(j->ask.run.zeno, "stop") != 0)) {
    cli_say_error(brink_sim_error(j->sim));
    return CLI_FAILED;
  }
  if ((status == BRINK_LIMIT || status == BRINK_ZENO) && !j->ask.quiet)
    cli_say_error(brink_sim_error(j->sim));
  if (status == BRINK_LIMIT && j->ask.n_out && last_time(j) < brink_sim_time(j->sim) &&
      !j->ask.quiet)
    cli_say("rows are written up to t = %.9g", last_time(j));
  return CLI_DONE;
}

static int close_all(job *j)
{
  int bad = 0;

  for (int i = 0; i < j->n_files; i++)
    bad |= cli_file_close(&j->files[i]);
  return bad | cli_file_close(&j->stats);
}

static int finish(job *j, brink_status status)
{
  brink_report report = {.stats = brink_sim_statistics(j->sim),
                         .method = j->ask.run.sim.method,
                         .locator = j->ask.run.sim.locator,
                         .zeno = j->ask.run.zeno,
                         .sliding = j->ask.run.sim.sliding,
                         .n_moved = brink_sim_moved_starts(j->sim),
                         .moved = brink_sim_moved_start(j->sim, 0)};
  brink_err err;

  if (j->located_by[0])
    report.locator = j->located_by;

  cli_progress_end(&j->progress);
  brink_recorder_end(j->rec, status);
  int exit_status = verdict(j, status);
  if (j->ask.stats) {
    brink_sink sink = cli_file_sink(&j->stats);
    brink_write_stats(&sink, &report, &err);
  }
  if (close_all(j) != 0)
    exit_status = CLI_FAILED;
  if (!j->ask.quiet && (j->ask.n_out == 0 || j->ask.verbose) &&
      tables(j, status, &report) != 0)
    exit_status = CLI_FAILED;
  char line[CLI_LINE];
  if (!j->ask.quiet && *cli_switches(&report.stats, line))
    cli_say("%s", line);
  if (!j->ask.quiet)
    warn(j, &report.stats);
  return exit_status;
}

/* ------------------------------------------------------------------ run --- */

/* Has the run come to an end of which the model should know?  Ends with status 0 are.
 */
static int ended_well(const job *j, brink_status status)
{
  return status == BRINK_END || status == BRINK_TERMINATED || status == BRINK_LIMIT ||
         (status == BRINK_ZENO && strcmp(j->ask.run.zeno, "stop") == 0);
}

static int simulate(job *j)
{
  int exit_status = make_sim(j);

  cli_deadline(0, NULL);
  if (exit_status == CLI_DONE)
    exit_status = open_all(j);
  if (exit_status != CLI_DONE)
    return exit_status;
  j->progress = cli_progress_of(!j->ask.quiet, j->ask.run.start, j->ask.run.stop);
  cli_catch_signals(1);
  brink_status status = BRINK_STOPPED;
  if (brink_recorder_begin(j->rec, j->sim) >= 0) {
    brink_sim_observe(
        j->sim, &(brink_observer){.on_step = on_step, .on_event = on_event, .user = j});
    status = brink_sim_run(j->sim, j->ask.run.stop);
    if (ended_well(j, status)) {
      brink_status rc = brink_sim_finish(j->sim);
      status = rc < 0 ? rc : status;
    }
  }
  exit_status = finish(j, status);
  cli_catch_signals(0);
  return exit_status;
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  job *j = calloc(1, sizeof *j);
  int exit_status = CLI_FAILED;

  if (!j || brink_ctx_new(NULL, &j->ctx) < 0)
    cli_say("out of memory");
  else if (!parse(&j->ask, verb, argc, argv, &exit_status)) {
    cli_deadline(j->ask.run.sim.max_seconds, j->ask.run.load.name);
    exit_status = cli_load_model(&j->ask.run.load, j->ctx, 1, &j->model);
    if (exit_status == CLI_DONE)
      exit_status = simulate(j);
  }
  if (!j)
    return exit_status;
  close_all(j);
  brink_recorder_free(j->rec);
  brink_sim_free(j->sim);
  brink_model_free(j->model);
  brink_ctx_free(j->ctx);
  cli_load_drop(&j->ask.run.load);
  free(j->ask.plot);
  free(j->values);
  free(j);
  return exit_status;
}

const cli_verb cli_run = {
    .name = "run",
    .usage = "MODEL",
    .text = "simulate a model",
    .more = "MODEL is a file (.mo, .bmo) or a name from 'brink models'.  Without -o, a "
            "short\n"
            "table: the events, the final values, the work.  An event is two rows with "
            "the same\n"
            "time, before and after.  Ctrl-C ends a run with what there is.\n",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run,
};
