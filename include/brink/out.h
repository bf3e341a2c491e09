/* brink/out.h -- write down a run: trajectory, events, statistics, tables.
 *
 * Nothing here opens a file or prints: bytes go to a sink, a function of the caller.
 * A recorder listens to a run and writes rows while it goes on, in bounded memory:
 * one row per time of the output grid, which knows nothing of steps, and two per
 * event time, before and after.
 *
 *   brink_output         csv = {BRINK_OUT_CSV, {to_file, file, "ball.csv"}};
 *   brink_recorder_opts  opt = {.start = 0, .stop = 3, .outputs = &csv, .n_outputs =
 * 1}; brink_recorder_new(ctx, model, &opt, &rec); brink_sim_start(sim, 0, 0, NULL);
 *   brink_recorder_begin(rec, sim);              // the first row; observes the sim
 *   brink_status s = brink_sim_run(sim, 3);
 *   brink_recorder_end(rec, s);                  // the last row; files are closed well
 *   if (brink_recorder_error(rec)->status < 0) ...
 *
 * Threads: one recorder per simulation.
 */
#ifndef BRINK_OUT_H
#define BRINK_OUT_H

#include "brink/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where bytes go.  0: all were taken; anything else: they were not. */
typedef int brink_write_fn(void *user, const char *bytes, size_t n);

typedef struct brink_sink {
  brink_write_fn *write;
  void *user;
  const char *name; /* for sentences; borrowed */
} brink_sink;

/* Trajectory as CSV: header time,<names>[,mode].  Trajectory as JSON: an object with
 * "names", "units", "rows" and how the run ended.  Events as CSV: header
 * time,instant,event,kind,class,side,mode_before,mode_after,located_by,certificate,g.
 * Numbers read back exactly; Booleans are 0 and 1, enumerations and modes ordinals
 * from 1; names are quoted as RFC 4180 says.  In JSON a number that is not finite is
 * null.  A picture: SVG 1.1, drawn at the end of the run in memory that does not
 * depend on its length. */
typedef enum brink_format {
  BRINK_OUT_CSV,
  BRINK_OUT_JSON,
  BRINK_OUT_EVENTS,
  BRINK_OUT_SVG
} brink_format;

typedef struct brink_output {
  brink_format format;
  brink_sink sink;
} brink_output;

typedef struct brink_recorder_opts {
  size_t size;        /* sizeof(brink_recorder_opts), as compiled into the program   */
  double start, stop; /* of the run                                                  */
  double interval;    /* between rows; 0: by points                                  */
  long points;        /* rows with both ends, >= 2; 0 and no interval: 501           */
  const brink_output *outputs; /* copied */
  int n_outputs;

  /* pictures; strings are borrowed and outlive the recorder */
  const char *plot;    /* what to show, see brink_plot_check; NULL: all, by unit    */
  const char *caption; /* a line below, or NULL                                     */
  int width, height;   /* 0: 900, and what the panels need                          */

  /* Asked between any two rows, or NULL: nonzero stops the run there.  So does the time
   * that `max_seconds` gives the run. */
  int (*asks_to_stop)(void *user);
  void *user;
} brink_recorder_opts;

/* Can the model be plotted so?  Panels are separated by ';', variables by ','; '*'
 * stands for any characters, `mode` for the strip of modes; "z:x" draws z over x:
 * "x,v;mode", "car[*].x;v:x".  BRINK_ENAME, BRINK_EARG: see brink_ctx_error. */
BRINK_API brink_status brink_plot_check(brink_ctx *ctx, const brink_model *model,
                                        const char *plot);

typedef struct brink_recorder brink_recorder; /* opaque */

/* Create; on failure *out is NULL and the reason is in brink_ctx_error(ctx). */
BRINK_API brink_status brink_recorder_new(brink_ctx *ctx, const brink_model *model,
                                          const brink_recorder_opts *opt,
                                          brink_recorder **out);
BRINK_API void brink_recorder_free(brink_recorder *rec);

/* After brink_sim_start: write headers and the first row, and observe sim. */
BRINK_API brink_status brink_recorder_begin(brink_recorder *rec, brink_sim *sim);

/* What the recorder observes with; `rec` is the recorder.  Call them from an observer
 * of your own if you set one after brink_recorder_begin.  Nonzero: the run is to stop,
 * see brink_recorder_error.
 *
 * No file holds a number that is none: where a variable has no value, or leaves the
 * range of numbers, the run is stopped, and the last row is there.  Variables are
 * looked at in each row and at the end of each step, whatever is written. */
BRINK_API int brink_recorder_on_step(const brink_step *step, double theta_begin,
                                     double theta_end, int mode, void *rec);
BRINK_API int brink_recorder_on_event(const brink_event *event, void *rec);

/* The run is over, with `status`: last rows, end of the documents, flush. */
BRINK_API brink_status brink_recorder_end(brink_recorder *rec, brink_status status);

BRINK_API const brink_err *brink_recorder_error(const brink_recorder *rec);

/* The last row, or the end of the last step: the values of all variables; time and mode
 * if those are not NULL.  NULL: there is none. */
BRINK_API const double *brink_recorder_last(const brink_recorder *rec, double *t,
                                            int *mode);

/* How a run went. */
typedef struct brink_report {
  brink_sim_stats stats;
  const char *method, *locator;
  const char *zeno;    /* what was to be done where events accumulate; NULL: continue */
  const char *sliding; /* ... and where laws lead back to a guard; NULL: filippov     */
  size_t n_moved; /* start values that were not kept (brink_sim_moved_starts), ... */
  const brink_moved_start *moved; /* ... the first BRINK_MOVED_STARTS of them, or all */
} brink_report;

/* One JSON object: steps rejected f_evals outside_evals jets g_evals jac_evals lu
 * newton_iterations events time_events event_iterations zeno_points sliding_entries
 * restarts wall_seconds method locator zeno sliding certificate, and moved_starts: how
 * many, and a list of objects with name, from, to, forced_by and line.  With method
 * `auto` also method_switches, methods: a list of objects with t, method and stiff, and
 * method_steps: how many steps each of them has taken. */
BRINK_API brink_status brink_write_stats(const brink_sink *sink,
                                         const brink_report *report, brink_err *err);

/* ---------------------------------------------------- tables for people ---- */

enum { BRINK_DIGEST_ENDS = 10 };

/* The first and the last events of a run.  Zero-initialise. */
typedef struct brink_digest {
  size_t n;    /* events seen                                               */
  int columns; /* of the table, if fewer than it would take; 0: all it takes */
  brink_event first[BRINK_DIGEST_ENDS];
  brink_event last[BRINK_DIGEST_ENDS]; /* a ring; only past the first ones */
} brink_digest;

BRINK_API void brink_digest_add(brink_digest *digest, const brink_event *event);

/* A line about each start value that was not kept; nothing if all were. */
BRINK_API brink_status brink_write_moves(const brink_sink *sink,
                                         const brink_report *report, brink_err *err);

/* Tables of at most 100 columns: the events; values of the variables (those of
 * brink_sim_values) at t, in which mode; the work. */
BRINK_API brink_status brink_write_events(const brink_sink *sink,
                                          const brink_model *model,
                                          const brink_digest *digest, brink_err *err);
BRINK_API brink_status brink_write_values(const brink_sink *sink,
                                          const brink_model *model, double t, int mode,
                                          const double *values, brink_err *err);
BRINK_API brink_status brink_write_work(const brink_sink *sink,
                                        const brink_report *report, brink_err *err);

/* A progress line of at most `width` (and 100) columns, without line end. */
BRINK_API void brink_progress_line(char *line, size_t size, int width, double done,
                                   double t, long events, double seconds);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_OUT_H */
