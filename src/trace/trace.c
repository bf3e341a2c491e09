/* trace.c -- see trace/trace.h and brink/trace.h
 *
 * In a ring, every event owns a slot of numbers, so events of one instant do not
 * share states there; growing, they do.
 */
#include "trace/trace.h"

#include <string.h>

/* --------------------------------------------------------------- rings --- */

static size_t kept(const trace_ring *r)
{
  return r->limit && r->count > r->limit ? r->limit : r->count;
}

/* record number k of those kept, oldest first, as an index into the array */
static size_t where(const trace_ring *r, size_t k)
{
  return r->limit && r->count > r->limit ? (r->next + k) % r->limit : k;
}

static void written(trace_ring *r)
{
  r->count++;
  if (++r->next == r->limit) /* never without a limit */
    r->next = 0;
}

static brink_status ring_init(trace_ring *r, brink_ctx *ctx, void **records,
                              size_t record, size_t limit, size_t slot)
{
  *r = (trace_ring){.limit = limit, .slot = slot};
  if (limit == 0)
    return BRINK_OK;
  if (slot && limit > SIZE_MAX / 16 / slot)
    return brink__fail(&ctx->err, BRINK_ENOMEM, "keep_limit = %zu is too large", limit);
  BRINK_TRY(brink__grow(ctx, records, &r->cap, limit, record));
  return brink__grow(ctx, (void **)&r->numbers, &r->cap_numbers, limit * slot,
                     sizeof(double));
}

/* Room for n numbers of the record to come; its offset. */
static brink_status room(trace_ring *r, brink_ctx *ctx, size_t n, size_t *at)
{
  if (r->limit) {
    *at = r->next * r->slot;
    return BRINK_OK;
  }
  BRINK_TRY(brink__grow(ctx, (void **)&r->numbers, &r->cap_numbers, r->n_numbers + n,
                        sizeof(double)));
  *at = r->n_numbers;
  r->n_numbers += n;
  return BRINK_OK;
}

static void ring_fini(trace_ring *r, brink_ctx *ctx, void *records, size_t record)
{
  brink__free(ctx, records, r->cap * record);
  brink__free(ctx, r->numbers, r->cap_numbers * sizeof(double));
}

/* ---------------------------------------------------------- life cycle --- */

brink_status brink__trace_init(brink_trace *tr, brink_ctx *ctx,
                               const brink_sim_opts *opt, size_t max_n, int max_degree)
{
  size_t limit = (size_t)opt->keep_limit;

  *tr = (brink_trace){.ctx = ctx, .keep = opt->keep};
  if (tr->keep >= BRINK_KEEP_EVENTS)
    BRINK_TRY(ring_init(&tr->er, ctx, (void **)&tr->events, sizeof *tr->events, limit,
                        2 * max_n));
  if (tr->keep >= BRINK_KEEP_STEPS)
    BRINK_TRY(ring_init(&tr->sr, ctx, (void **)&tr->steps, sizeof *tr->steps, limit,
                        max_n * ((size_t)max_degree + 1)));
  return BRINK_OK;
}

void brink__trace_fini(brink_trace *tr)
{
  if (!tr->ctx)
    return;
  ring_fini(&tr->er, tr->ctx, tr->events, sizeof *tr->events);
  ring_fini(&tr->sr, tr->ctx, tr->steps, sizeof *tr->steps);
}

void brink__trace_clear(brink_trace *tr)
{
  tr->er.count = tr->er.next = tr->er.n_numbers = 0;
  tr->sr.count = tr->sr.next = tr->sr.n_numbers = 0;
}

/* -------------------------------------------------------------- writing -- */

brink_status brink__trace_add_step(brink_trace *tr, const brink_step *step,
                                   double theta_end, double t_end, int mode)
{
  trace_ring *r = &tr->sr;
  size_t n = step->n * ((size_t)step->degree + 1), at;

  if (tr->keep < BRINK_KEEP_STEPS)
    return BRINK_OK;
  BRINK_TRY(room(r, tr->ctx, n, &at));
  if (!r->limit)
    BRINK_TRY(brink__grow(tr->ctx, (void **)&tr->steps, &r->cap, r->count + 1,
                          sizeof *tr->steps));
  memcpy(r->numbers + at, step->coeff, n * sizeof(double));
  tr->steps[r->next] = (trace_step){step->t0, step->h, step->t1,     theta_end, t_end,
                                    step->n,  at,      step->degree, mode};
  written(r);
  return BRINK_OK;
}

brink_status brink__trace_add_states(brink_trace *tr, const brink_event *e, size_t *at)
{
  trace_ring *r = &tr->er;

  *at = 0;
  if (tr->keep < BRINK_KEEP_EVENTS || r->limit)
    return BRINK_OK;
  BRINK_TRY(room(r, tr->ctx, e->n_before + e->n_after, at));
  memcpy(r->numbers + *at, e->y_before, e->n_before * sizeof(double));
  memcpy(r->numbers + *at + e->n_before, e->y_after, e->n_after * sizeof(double));
  return BRINK_OK;
}

brink_status brink__trace_add_event(brink_trace *tr, const brink_event *e, size_t at)
{
  trace_ring *r = &tr->er;

  if (tr->keep < BRINK_KEEP_EVENTS)
    return BRINK_OK;
  if (r->limit) {
    BRINK_TRY(room(r, tr->ctx, 0, &at));
    brink__copy(r->numbers + at, e->y_before, e->n_before);
    brink__copy(r->numbers + at + e->n_before, e->y_after, e->n_after);
  } else {
    BRINK_TRY(brink__grow(tr->ctx, (void **)&tr->events, &r->cap, r->count + 1,
                          sizeof *tr->events));
  }
  trace_event *rec = &tr->events[r->next];
  rec->event = *e;
  rec->at = at;
  written(r);
  return BRINK_OK;
}

/* -------------------------------------------------------------- reading -- */

size_t brink_trace_events(const brink_trace *trace) { return kept(&trace->er); }

size_t brink_trace_events_lost(const brink_trace *trace)
{
  return trace->er.count - kept(&trace->er);
}

brink_event brink_trace_event(const brink_trace *trace, size_t k)
{
  if (k >= brink_trace_events(trace))
    return (brink_event){.name = ""};
  const trace_event *rec = &trace->events[where(&trace->er, k)];
  brink_event e = rec->event;

  e.y_before = trace->er.numbers + rec->at;
  e.y_after = e.y_before + e.n_before;
  return e;
}

size_t brink_trace_steps(const brink_trace *trace) { return kept(&trace->sr); }

size_t brink_trace_steps_lost(const brink_trace *trace)
{
  return trace->sr.count - kept(&trace->sr);
}

static const trace_step *step_rec(const brink_trace *trace, size_t k)
{
  return &trace->steps[where(&trace->sr, k)];
}

brink_step brink_trace_step(const brink_trace *trace, size_t k)
{
  if (k >= brink_trace_steps(trace))
    return (brink_step){0};
  const trace_step *s = step_rec(trace, k);
  return (brink_step){s->t0, s->h, s->t1, s->n, s->degree, trace->sr.numbers + s->at};
}

int brink_trace_step_mode(const brink_trace *trace, size_t k)
{
  return k < brink_trace_steps(trace) ? step_rec(trace, k)->mode : -1;
}

/* 1, or -1: the run has gone backward. */
static double way(const brink_trace *trace)
{
  return brink_trace_steps(trace) && step_rec(trace, 0)->h < 0 ? -1 : 1;
}

/* the first step that ends at or after t, as the run goes */
static size_t lower_bound(const brink_trace *trace, double t)
{
  size_t lo = 0, hi = brink_trace_steps(trace);
  double w = way(trace);

  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (w * step_rec(trace, mid)->t_end < w * t)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* After the last step: the state after the last event, if that is where it leads. */
static int from_last_event(const brink_trace *trace, double t, double *y, size_t *n,
                           int *mode)
{
  size_t n_events = brink_trace_events(trace);

  if (n_events == 0)
    return 0;
  brink_event e = brink_trace_event(trace, n_events - 1);
  if (e.t_after != t)
    return 0;
  memcpy(y, e.y_after, e.n_after * sizeof *y);
  *n = e.n_after;
  *mode = e.mode_after;
  return 1;
}

brink_status brink_trace_at(const brink_trace *trace, double t, brink_limit_side side,
                            double *y, size_t *n, int *mode)
{
  size_t n_steps = brink_trace_steps(trace), k = lower_bound(trace, t), n_y;
  double w = way(trace);
  int m;

  BRINK__NEED(NULL, y);
  if (!n)
    n = &n_y;
  if (!mode)
    mode = &m;
  /* on the right, the last of the steps that touch t */
  if (side == BRINK_RIGHT)
    while (k + 1 < n_steps && w * step_rec(trace, k + 1)->t0 <= w * t)
      k++;
  if (side == BRINK_RIGHT && (k >= n_steps - (n_steps > 0)) &&
      (n_steps == 0 || w * step_rec(trace, n_steps - 1)->t_end <= w * t) &&
      from_last_event(trace, t, y, n, mode))
    return BRINK_OK;
  if (k >= n_steps || !(w * step_rec(trace, k)->t0 <= w * t))
    return BRINK_EARG;

  const trace_step *s = step_rec(trace, k);
  brink_step step = brink_trace_step(trace, k);
  double theta = t == s->t_end ? s->theta_end : (t - s->t0) / s->h;
  brink_step_at(&step, theta < s->theta_end ? theta : s->theta_end, y);
  *n = s->n;
  *mode = s->mode;
  return BRINK_OK;
}
