/* recorder.c -- rows of a run while it goes on, see brink/out.h
 *
 * The grid is walked by its index, so it does not drift.  Whether an event follows
 * at the end of a stretch is not known while the stretch is told, and afterwards the
 * discrete variables have changed; so the values there are taken at once and held
 * back: they become the row before an event, or the last row.  The row after an event
 * is the beginning of the next stretch, or the end.  Instants
 * and events of one time share one pair of rows.
 *
 * Where the values of a stretch end (a variable leaves the range of numbers, or has no
 * value) the place is found by bisection, the last row is written there, and the run is
 * stopped; it is stopped between two rows if the caller or the limit on time asks for
 * it.
 *
 * A run may go backward: times are kept by its clock here, which is the negative of
 * time then, and written as times.
 *
 * Pictures have rows of their own between those of the grid, so that what happens fast
 * is not drawn in corners.
 *
 * Cost: one evaluation of the variables per row and per step.
 */
#include "out/format.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  POINTS = 501,   /* 500 intervals where nobody says how many       */
  FINE = 48,      /* rows of a picture per stretch of a phase curve */
  COARSE = 12,    /* the same, and over time, if rows are costly    */
  COSTLY = 1000,  /* from so many variables on                      */
  SEEN = 4000,    /* rows of a picture over time that can be seen   */
  PLENTY = 100000 /* rows of one over another that are taken as they come */
};

typedef struct row {
  double t; /* by the clock of the run */
  double *values;
  int mode;
} row;

struct brink_recorder {
  brink_ctx *ctx;
  const brink_model *model;
  brink_sim *sim; /* from begin on; borrowed                               */
  brink__block block;
  double way; /* 1, or -1: time goes backward; by the clock of the run: ... */
  double start, stop, interval;
  long points;           /* 0: by interval                                     */
  brink__document *docs; /* [n_docs]                                           */
  int n_docs;
  int has_rows;   /* some document shows a trajectory                */
  int most_parts; /* into which a stretch is cut for pictures        */
  double finest;  /* time between rows of pictures; HUGE_VAL: none   */
  double last;    /* time of their last row                          */
  long n_fine;    /* rows of pictures alone                          */

  double index; /* of the next time of the grid                                  */
  row here;     /* where the run stands, on the left side                        */
  int written;  /* here has been written                                         */
  int due;      /* here lies on the grid                                         */
  int jumped;   /* events at here.t: the row after them is owed                  */
  row next;     /* scratch                                                       */
  int begun;    /* here has values                                               */
  int cut;      /* stopped inside a stretch: here is the last row                */

  int (*stop_asked)(void *user); /* the caller's, or NULL */
  void *user;
  brink_err err;
};

/* --------------------------------------------------------- life cycle ---- */

static brink_status check(const brink_recorder_opts *opt, brink_err *err)
{
  if (!isfinite(opt->start) || !isfinite(opt->stop))
    return brink__fail(err, BRINK_EARG, "rows from t = %g to %g cannot be written",
                       opt->start, opt->stop);
  if (opt->n_outputs < 0 || (opt->n_outputs && !opt->outputs))
    return brink__fail(err, BRINK_EARG, "%d outputs that are not there",
                       opt->n_outputs);
  for (int i = 0; i < opt->n_outputs; i++)
    if ((int)opt->outputs[i].format < BRINK_OUT_CSV ||
        (int)opt->outputs[i].format > BRINK_OUT_SVG || !opt->outputs[i].sink.write)
      return brink__fail(err, BRINK_EARG,
                         "output %d has format %d of 0 to %d, or nowhere to write", i,
                         (int)opt->outputs[i].format, BRINK_OUT_SVG);
  if (opt->points != 0 && opt->points < 2)
    return brink__fail(err, BRINK_EARG,
                       "%ld points: both ends need a row, so at least 2", opt->points);
  if (opt->points == 0 && opt->interval != 0 &&
      !(opt->interval > 8 * DBL_EPSILON * fmax(fabs(opt->start), fabs(opt->stop)) &&
        isfinite(opt->interval)))
    return brink__fail(err, BRINK_EARG,
                       "the interval %g between rows must be positive and larger than "
                       "the rounding of time",
                       opt->interval);
  return BRINK_OK;
}

static brink_status open_pictures(brink_recorder *rec, const brink_recorder_opts *opt)
{
  for (int i = 0; i < rec->n_docs; i++)
    if (rec->docs[i].format == BRINK_OUT_SVG)
      BRINK_TRY(brink__picture_of(rec->ctx, rec->model, opt, &rec->docs[i].picture));
  return BRINK_OK;
}

brink_status brink_recorder_new(brink_ctx *ctx, const brink_model *model,
                                const brink_recorder_opts *given, brink_recorder **out)
{
  brink_recorder_opts own = {0};
  const brink_recorder_opts *opt = &own;
  brink__block block;

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  BRINK__NEED(&ctx->err, model);
  if (!given)
    return brink__null(&ctx->err, __func__, "opt");
  BRINK_TRY(
      brink__options_read(given, "brink_recorder_opts", &own, sizeof own, &ctx->err));
  BRINK_TRY(check(opt, &ctx->err));
  size_t n = brink_model_variables(model), n_docs = (size_t)opt->n_outputs;
  size_t need = brink__need(0, 1, sizeof(brink_recorder));
  need = brink__need(need, n_docs, sizeof(brink__document));
  need = brink__need(need, n, 2 * sizeof(double));
  BRINK_TRY(brink__block_new(ctx, need, &block));
  brink_recorder *rec = brink__carve(&block, 1, sizeof *rec);
  rec->ctx = ctx;
  rec->model = model;
  rec->way = opt->stop < opt->start ? -1 : 1;
  rec->start = rec->way * opt->start;
  rec->stop = rec->way * opt->stop;
  rec->points = opt->points ? opt->points : opt->interval > 0 ? 0 : POINTS;
  rec->interval = opt->interval;
  rec->stop_asked = opt->asks_to_stop;
  rec->user = opt->user;
  rec->docs = brink__carve(&block, n_docs, sizeof *rec->docs);
  rec->n_docs = opt->n_outputs;
  rec->here.values = brink__carve(&block, n, 2 * sizeof(double));
  rec->next.values = rec->here.values + n;
  rec->block = block;
  rec->finest = HUGE_VAL;
  rec->most_parts = n < COSTLY ? SEEN : COARSE;
  brink__err_clear(&rec->err);
  for (int i = 0; i < rec->n_docs; i++) {
    rec->docs[i].format = opt->outputs[i].format;
    rec->docs[i].model = model;
    brink__text_init(&rec->docs[i].text, &opt->outputs[i].sink);
    rec->has_rows |= opt->outputs[i].format != BRINK_OUT_EVENTS;
    if (opt->outputs[i].format == BRINK_OUT_SVG) /* one over another needs them all */
      rec->finest =
          opt->plot && strchr(opt->plot, ':') ? 0 : (rec->stop - rec->start) / SEEN;
  }
  brink_status rc = open_pictures(rec, opt);
  if (rc < 0) {
    brink_recorder_free(rec);
    return rc;
  }
  *out = rec;
  return BRINK_OK;
}

void brink_recorder_free(brink_recorder *rec)
{
  if (!rec)
    return;
  for (int i = 0; i < rec->n_docs; i++)
    brink__picture_free(rec->docs[i].picture);
  brink__block block = rec->block;
  brink__block_drop(&block);
}

const brink_err *brink_recorder_error(const brink_recorder *rec) { return &rec->err; }

const double *brink_recorder_last(const brink_recorder *rec, double *t, int *mode)
{
  if (t)
    *t = rec->way * rec->here.t;
  if (mode)
    *mode = rec->here.mode;
  return rec->begun ? rec->here.values : NULL;
}

/* ----------------------------------------------------------------- rows --- */

/* By the clock of the run. */
static double time_of(const brink_recorder *rec, const brink_step *step, double theta)
{
  return rec->way * (theta == 1 ? step->t1 : step->t0 + theta * step->h);
}

/* Time number `index` of the grid; beyond the end: HUGE_VAL. */
static double grid(const brink_recorder *rec)
{
  if (rec->points) {
    double last = (double)(rec->points - 1);
    if (rec->index > last)
      return HUGE_VAL;
    return rec->index == last
               ? rec->stop
               : rec->start + (rec->stop - rec->start) * (rec->index / last);
  }
  double t = rec->start + rec->index * rec->interval;
  return t <= rec->stop ? t : HUGE_VAL;
}

/* Was anything refused?  Flushes nothing. */
static int sound(brink_recorder *rec)
{
  for (int i = 0; i < rec->n_docs; i++)
    if (rec->docs[i].text.failed)
      brink__text_flush(&rec->docs[i].text, &rec->err);
  return rec->err.status >= 0;
}

static void write_row(brink_recorder *rec, const row *r)
{
  for (int i = 0; i < rec->n_docs; i++)
    brink__document_row(&rec->docs[i], rec->way * r->t, r->values, r->mode);
  rec->last = r->t;
}

static void write_fine(brink_recorder *rec, const row *r)
{
  for (int i = 0; i < rec->n_docs; i++)
    if (rec->docs[i].format == BRINK_OUT_SVG)
      brink__document_row(&rec->docs[i], rec->way * r->t, r->values, r->mode);
  rec->last = r->t;
  if (++rec->n_fine == PLENTY)
    rec->finest = (rec->stop - rec->start) / SEEN;
}

static void write_here(brink_recorder *rec)
{
  if (!rec->written)
    write_row(rec, &rec->here);
  rec->written = 1;
}

/* Values somewhere in the stretch, or (step NULL) where the simulation stands. */
static int values(brink_recorder *rec, const brink_step *step, double theta, row *out)
{
  brink_status rc = step ? brink_sim_values_at(rec->sim, step, theta, out->values)
                         : brink_sim_values(rec->sim, out->values);
  if (rc >= 0)
    return 0;
  rec->err = *brink_sim_error(rec->sim);
  if (rec->err.status >= 0)
    brink__fail(&rec->err, rc, "the values of a row could not be computed");
  return -1;
}

/* The stretch cannot be told to its end: the row at r is the last. */
static int end_here(brink_recorder *rec, const row *r)
{
  rec->here.t = r->t;
  rec->here.mode = r->mode;
  memcpy(rec->here.values, r->values,
         brink_model_variables(rec->model) * sizeof *r->values);
  rec->written = 1;
  rec->jumped = 0;
  rec->cut = 1;
  return -1;
}

/* There are values at `good` of a stretch and none at `bad`: the last row is where they
 * end, and the error is that just behind it. */
static int end_of_values(brink_recorder *rec, const brink_step *step, double good,
                         double bad, int mode)
{
  row r = {.values = rec->next.values, .mode = mode};

  for (;;) {
    double middle = good + (bad - good) / 2;
    if (!(middle > good && middle < bad))
      break;
    if (brink_sim_values_at(rec->sim, step, middle, r.values) >= 0)
      good = middle;
    else
      bad = middle;
  }
  values(rec, step, bad, &r);
  if (brink_sim_values_at(rec->sim, step, good, r.values) < 0)
    return -1;
  r.t = time_of(rec, step, good);
  if (r.t > rec->last)
    write_row(rec, &r);
  return end_here(rec, &r);
}

/* Is the run to stop between two rows? */
static int stopped(const brink_recorder *rec)
{
  return (rec->stop_asked && rec->stop_asked(rec->user)) || brink_sim_expired(rec->sim);
}

brink_status brink_recorder_begin(brink_recorder *rec, brink_sim *sim)
{
  BRINK__NEED(&rec->err, sim);
  if (brink_sim_model(sim) != rec->model)
    return brink__fail(&rec->err, BRINK_EARG,
                       "a recorder writes runs of the model that it was made for");
  rec->sim = sim;
  rec->index = 0;
  rec->n_fine = 0;
  rec->written = rec->jumped = rec->cut = 0;
  brink__err_clear(&rec->err);
  for (int i = 0; i < rec->n_docs; i++)
    brink__document_head(&rec->docs[i]);
  rec->here.t = rec->way * brink_sim_time(sim);
  rec->here.mode = brink_sim_mode(sim);
  if (values(rec, NULL, 0, &rec->here) != 0)
    return rec->err.status;
  rec->begun = 1;
  if (rec->has_rows) {
    write_here(rec);
    while (grid(rec) <= rec->here.t)
      rec->index++;
  }
  brink_sim_observe(sim, &(brink_observer){.on_step = brink_recorder_on_step,
                                           .on_event = brink_recorder_on_event,
                                           .user = rec});
  return sound(rec) ? BRINK_OK : rec->err.status;
}

/* A stretch begins: the row after the events before it, or the end of the one before
 * for pictures. */
static int settle(brink_recorder *rec, const brink_step *step, double theta, int mode)
{
  row after = {rec->here.t, rec->next.values, mode};

  if (!rec->jumped) {
    if (!rec->written && rec->here.t - rec->last >= rec->finest)
      write_fine(rec, &rec->here);
    return 0;
  }
  if (values(rec, step, theta, &after) != 0)
    return -1;
  write_row(rec, &after);
  rec->jumped = 0;
  return 0;
}

/* Into how many parts a stretch is cut for pictures. */
static int parts(const brink_recorder *rec, double length)
{
  double n = rec->finest > 0 ? length / rec->finest : FINE;

  return (int)fmax(1, fmin(n, rec->most_parts));
}

/* The rows inside a stretch: those of the grid, and between them those of pictures. */
static int write_inside(brink_recorder *rec, const brink_step *step, double from,
                        double to, int mode)
{
  double t_end = time_of(rec, step, to), h = rec->way * step->h,
         t0 = rec->way * step->t0, length = (to - from) * h, last = from;
  int n = parts(rec, length);

  for (int k = 1;;) {
    double t = grid(rec), fine = k < n ? t0 + from * h + length * k / n : t_end;
    int on_grid = t <= fine;
    if (!on_grid)
      t = fine;
    if (!(t < t_end))
      return 0;
    double theta = fmin(fmax((t - t0) / h, from), to);
    row r = {t, rec->next.values, mode};
    if (values(rec, step, theta, &r) != 0)
      return end_of_values(rec, step, last, theta, mode);
    last = theta;
    if (on_grid) {
      write_row(rec, &r);
      rec->index++;
    } else {
      write_fine(rec, &r);
    }
    k += t >= fine;
    if (!sound(rec))
      return -1;
    if (stopped(rec))
      return end_here(rec, &r);
  }
}

int brink_recorder_on_step(const brink_step *step, double theta_begin, double theta_end,
                           int mode, void *user)
{
  brink_recorder *rec = user;
  row end = {time_of(rec, step, theta_end), rec->next.values, mode};

  if (rec->has_rows && (settle(rec, step, theta_begin, mode) != 0 ||
                        write_inside(rec, step, theta_begin, theta_end, mode) != 0))
    return -1;
  if (values(rec, step, theta_end, &end) != 0)
    return end_of_values(rec, step, theta_begin, theta_end, mode);
  rec->next = rec->here;
  rec->here = end;
  rec->written = 0;
  return !sound(rec) || stopped(rec);
}

int brink_recorder_on_event(const brink_event *event, void *user)
{
  brink_recorder *rec = user;
  double t = rec->way * event->t;

  if (rec->has_rows && !event->silent) {
    if (rec->jumped && t != rec->here.t) /* logged in one stretch: unchanged */
      write_row(rec, &rec->here);
    if (!rec->jumped || t != rec->here.t) {
      if (t != rec->here.t) /* a rounding away from the end of its stretch */
        rec->written = 0;
      rec->here.t = t;
      write_here(rec);
    }
    rec->jumped = 1;
    while (grid(rec) <= rec->here.t)
      rec->index++;
  }
  for (int i = 0; i < rec->n_docs; i++) /* behind the row before it */
    brink__document_event(&rec->docs[i], event);
  return !sound(rec);
}

brink_status brink_recorder_end(brink_recorder *rec, brink_status status)
{
  double t = rec->cut   ? rec->way * rec->here.t
             : rec->sim ? brink_sim_time(rec->sim)
                        : rec->way * rec->start;

  if (rec->has_rows && rec->sim && rec->err.status >= 0 && !rec->cut) {
    row after = {rec->here.t, rec->next.values, brink_sim_mode(rec->sim)};
    if (!rec->jumped)
      write_here(rec);
    else if (values(rec, NULL, 0, &after) == 0)
      write_row(rec, &after);
    rec->jumped = 0;
  }
  for (int i = 0; i < rec->n_docs; i++) {
    brink_err err;
    brink__document_tail(&rec->docs[i], rec->err.status < 0 ? rec->err.status : status,
                         t);
    if (brink__text_flush(&rec->docs[i].text, &err) < 0 && rec->err.status >= 0)
      rec->err = err;
  }
  return rec->err.status < 0 ? rec->err.status : BRINK_OK;
}
