/* timers.c -- callback models: when is a timer due next?
 *
 * Timers whose times differ by rounding only are due at one time (brink__time_slack).
 */
#include "model/callback.h"

#include <math.h>

/* brink__time_slack, for a timer whose own period may be finer than that. */
static double timer_slack(const brink_timer_def *d, double t)
{
  double slack = brink__time_slack(t);
  return d->every > 0 ? brink__min(slack, d->every / 2) : slack;
}

/* The first of at, at + every, at + 2 every, ... after t, or at t as well; computed
 * anew each time, so that rounding does not add up. */
static double grid_next(const brink_timer_def *d, double t, int at_start)
{
  double at = d->at, every = d->every, k, slack = timer_slack(d, fabs(t) + fabs(at));

  if (t < at - slack || (at_start && fabs(t - at) <= slack))
    return at;
  if (!(every > 0))
    return HUGE_VAL;
  k = floor((t - at) / every);
  for (k = k < 1 ? 0 : k - 1;; k = brink__max(k + 1, nextafter(k, HUGE_VAL))) {
    double next = at + k * every;
    if (at_start ? next >= t - slack : next > t + slack)
      return next;
  }
}

/* The last of them before that, as the clock of a run shows that goes backward. */
static double grid_last(const brink_timer_def *d, double clock)
{
  double t = -clock, slack = timer_slack(d, fabs(t) + fabs(d->at));

  if (!(t > d->at + slack))
    return HUGE_VAL;
  if (!(d->every > 0))
    return -d->at;
  double k = ceil((t - slack - d->at) / d->every) - 1;
  return -(d->at + k * d->every);
}

brink_status brink__cb_backward(const brink_model *model, brink__live *l, int mode,
                                brink_err *err)
{
  cb_live *live = cb_live_of(l);

  (void)mode;
  for (int i = 0; i < model->n_timers; i++)
    if (cb_of(model)->timers[i].next)
      return brink__fail(err, BRINK_EARG,
                         "timer '%s' computes its next time, and so cannot be run "
                         "backward",
                         cb_of(model)->timers[i].name);
  live->backward = 1;
  return BRINK_OK;
}

double brink__cb_next_acting_time(const brink_model *model, brink__live *l, int mode)
{
  const cb_live *live = cb_live_of(l);
  double first = HUGE_VAL;

  (void)mode;
  for (int i = 0; i < model->n_timers; i++) {
    const brink_timer_def *d = &cb_of(model)->timers[i];
    if (d->jump || d->terminal || d->limit)
      first = brink__min(first, live->next[i]);
  }
  return first;
}

double brink__cb_next_time(const brink_model *model, brink__live *l, int mode, double t,
                           const double *y, int asked, unsigned char *due)
{
  const callback_model *cb = cb_of(model);
  cb_live *live = cb_live_of(l);
  double first = HUGE_VAL;
  int at_start = asked == BRINK__ASK_AT_START;

  live->env.mode = mode;
  if (asked == BRINK__ASK_AT_END)
    return HUGE_VAL;
  if (asked == BRINK__ASK_PASSED) {
    for (int i = 0; i < model->n_timers; i++)
      due[i] = live->next[i] <= t;
    return t;
  }
  for (int i = 0; i < model->n_timers; i++) {
    const brink_timer_def *d = &cb->timers[i];
    if (d->next && (at_start || live->fired_at[i] == t)) {
      live->next[i] = d->next(t, y, &live->env);
      double slack = brink__time_slack(t);
      if (at_start ? live->next[i] < t - slack : live->next[i] <= t + slack)
        live->next[i] = HUGE_VAL; /* a timer never runs backward */
      live->fired_at[i] = nan("");
    } else if (!d->next) {
      live->next[i] = live->backward ? grid_last(d, t) : grid_next(d, t, at_start);
    }
    if (live->next[i] < first || isnan(live->next[i]))
      first = live->next[i];
  }
  for (int i = 0; i < model->n_timers; i++) {
    double late = live->next[i] - first; /* NaN if there is no such time */
    due[i] = !(late > timer_slack(&cb->timers[i], first));
  }
  return first;
}
