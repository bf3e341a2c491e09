/* scan.c -- changes of sign of sampled guards.
 *
 * Every guard is sampled along the step at equal interior steps no longer than a
 * bound that has nothing to do with the output mesh [Donolo02, 3.2.2]; where two
 * neighbouring samples differ in sign, the zero is placed by the locator's formula.
 * A pair of zeros between two samples, and every touch, goes unseen: the
 * certificate is always "sampled".
 *
 * The memory of signs is that of isolate.c.  A guard without a sign takes the first
 * that stands clear of the band it started in.  A guard with a sign that starts in
 * its band and comes out on the other side has its event at the restart itself; one
 * that the last step left on zero has it in this step.
 */
#include "event/scan.h"

#include <float.h>
#include <math.h>

/* Interior steps, whatever the option says: more would take seconds for one step. */
enum { MOST_CELLS = 1000000 };

/* Bands are widened by a few roundings of theta: zeros closer than this share an
 * instant. */
static const double PAD = 4 * DBL_EPSILON;

/* A guard that ends inside its band is followed so far past the end of the step, as in
 * isolate.c. */
static const double PAST_END = 0x1p-10;

/* So many samples are taken up to where the next zero is expected, if that lies later
 * than SOONEST, where theta is still resolved, and within SOON interior steps, where
 * the usual samples are too far apart to see it. */
static const double EXPECTED_SAMPLES = 8, SOONEST = 0x1p-48, SOON = 4;

typedef struct track {
  brink__line line;
  const brink__watch *w; /* of the guard                                 */
  const brink__locate *how;
  brink__hits *hits;
  brink__place_fn *place;
  int cells;
  int cached;          /* states of the samples are in g->node_y        */
  int sign;            /* carried along, 0: unknown                     */
  int inside;          /* has not yet left the band it started in       */
  double rounding;     /* of the guard's values on this step            */
  double last, g_last; /* the last sample with a sign, or the start */
} track;

static int sign_of(double v) { return (v > 0) - (v < 0); }

static double place_of(const track *s, int j)
{
  double from = s->how->from;
  return j == s->cells ? 1 : from + (1 - from) * ((double)j / s->cells);
}

/* ------------------------------------------------------------- samples --- */

/* Several callback guards share the states at the samples, if there is room. */
static void cache(track *s, const brink_step *step)
{
  brink__guards *g = s->line.g;

  s->cached = g->n > 1 && s->cells <= BRINK__NODES;
  if (!s->cached)
    return;
  g->node_step = NULL; /* its Chebyshev samples are overwritten */
  for (int j = 0; j <= s->cells; j++)
    brink_step_at(step, place_of(s, j), g->node_y + (size_t)j * step->n);
}

static brink_status sample(const track *s, int j, double *value)
{
  const brink__line *l = &s->line;
  double x = place_of(s, j);

  if (!s->cached || l->g->info[l->k].form == BRINK__GUARD_STATE)
    return brink__line_at(l, x, value);
  return brink__guard_value(l->g, l->k, l->step->t0 + x * l->step->h,
                            l->g->node_y + (size_t)j * l->step->n, value, l->err);
}

/* What a value of this guard is uncertain by: for a state, the rounding of its
 * polynomial; of a callback, what its definition says. */
static double rounding(const brink__line *l)
{
  const brink__guard *info = &l->g->info[l->k];

  if (info->form != BRINK__GUARD_STATE)
    return info->noise;
  size_t width = (size_t)l->step->degree + 1;
  double sum = fabs(info->level);
  for (size_t i = 0; i < width; i++)
    sum += fabs(l->step->coeff[info->state * width + i]);
  return info->noise + 2 * DBL_EPSILON * sum;
}

/* ---------------------------------------------------------------- hits --- */

static void add(track *s, int dir, double theta, double width, double lo, double hi)
{
  brink__hits_add(s->hits, &(brink__hit){.guard = s->line.k,
                                         .kind = BRINK_KIND_CROSSING,
                                         .dir = dir,
                                         .theta = theta,
                                         .width = width,
                                         .band_lo = lo,
                                         .band_hi = hi});
}

/* The zero lies between the last sample with a sign and x, where the sign is new. */
static brink_status crossing(track *s, double x, double g_x, int after)
{
  const brink__guards *g = s->line.g;
  brink__bracket b = {s->last, s->g_last, x, g_x, after};
  double theta = x, left = nextafter(s->last, 2);

  if (b.g_lo * after > 0) { /* the new sign is already there: rounding between steps */
    add(s, after, b.lo, 0, b.lo, b.lo);
    return BRINK_OK;
  }
  BRINK_TRY(s->place(&s->line, s->how->tol, &b, &theta));
  switch (g->model->ops->guard_side(g->model, g->live, g->mode, s->line.k)) {
  case BRINK_AFTER: theta = b.hi; break;
  case BRINK_BEFORE: theta = b.lo; break;
  case BRINK_NEAREST: break;
  }
  /* within the bracket, so that the next zero of this guard is another instant */
  add(s, after, theta, b.hi - b.lo, fmax(left, b.lo - PAD), fmin(x, b.hi + PAD));
  return BRINK_OK;
}

/* A sample with a sign. */
static brink_status take_sign(track *s, double x, double value, int sign)
{
  brink_status rc = BRINK_OK;
  double from = s->how->from;
  int at_restart = x == from || (s->inside && s->w->fresh);

  if (s->sign == 0)
    s->hits->start_sign[s->line.k] = (signed char)sign;
  else if (sign != s->sign && at_restart)
    add(s, sign, from, 0, from, from);
  else if (sign != s->sign)
    rc = crossing(s, x, value, sign);
  s->sign = sign;
  s->inside = 0;
  s->last = x;
  s->g_last = value;
  return rc;
}

/* A guard that starts inside its band: which way does it leave it?  Looked at more and
 * more closely, so that a return before the first sample is seen (a bounce shorter than
 * an interior step, down to what time can tell). */
static brink_status leave_band(track *s)
{
  double from = s->how->from, first = (place_of(s, 1) - from), value;

  for (double d = first * 0x1p-48; d < first && s->inside; d *= 8) {
    BRINK_TRY(brink__line_at(&s->line, from + d, &value));
    if (fabs(value) > s->rounding + s->w->band)
      BRINK_TRY(take_sign(s, from + d, value, sign_of(value)));
  }
  return BRINK_OK;
}

/* How far before the end has the guard its old sign?  At the last sample it does. */
static double old_sign(const track *s, const brink__line *past, double band)
{
  double value;

  for (double d = 0x1p-52; d < 1 - s->last; d *= 4)
    if (brink__line_at(past, 1 - d, &value) == BRINK_OK && value * s->sign > band)
      return d;
  return 1 - s->last;
}

/* A zero is expected early, by the last gaps between events: as many samples up to
 * there as there would be on a step of that length, and from there on ever farther,
 * until they are as far apart as the others. */
static brink_status sample_expected(track *s, double soon, double *seen)
{
  double cell = place_of(s, 1), value, next;

  for (double d = soon / EXPECTED_SAMPLES; d < 1; d = next) {
    double band = s->rounding + (s->inside ? s->w->band : 0);
    next = d + fmax(soon, 2 * d) / EXPECTED_SAMPLES;
    if (next - d > cell)
      return BRINK_OK;
    if (!(d > s->last))
      continue;
    BRINK_TRY(brink__line_at(&s->line, d, &value));
    if (fabs(value) > band)
      BRINK_TRY(take_sign(s, d, value, sign_of(value)));
    *seen = d;
  }
  return BRINK_OK;
}

/* The step ends inside the band.  If nothing follows that could decide, look past
 * the end. */
static void at_end(track *s, double band)
{
  const brink__line *l = &s->line;
  brink_err ignored;
  brink__line past = {l->g, l->step, l->k, &ignored};
  double value;

  s->hits->band[l->k] = s->inside ? BRINK__NEVER_LEFT_BAND : BRINK__ENDS_IN_BAND;
  if (!s->how->decide || s->sign == 0)
    return;
  for (double d = 0x1p-50; d <= PAST_END; d *= 2) {
    if (brink__line_at(&past, 1 + d, &value) < 0)
      return;
    if (!(fabs(value) > band))
      continue;
    s->hits->band[l->k] = BRINK__OUTSIDE_BAND;
    if (sign_of(value) != s->sign)
      add(s, sign_of(value), 1, old_sign(s, &past, band), 1, 1);
    return;
  }
}

/* --------------------------------------------------------------- guard --- */

static brink_status one(track *s)
{
  brink__guards *g = s->line.g;
  int k = s->line.k;
  double value = 0, band = 0, top = 0, seen = -1;

  s->sign = s->w->sign;
  s->inside = s->sign == 0 || brink__watch_band(s->w) > 0;
  s->rounding = rounding(&s->line);
  s->last = s->how->from;
  s->hits->start_sign[k] = (signed char)s->sign;
  s->hits->band[k] = BRINK__OUTSIDE_BAND;
  for (int j = 0; j <= s->cells; j++) {
    if (j < s->cells && place_of(s, j) <= seen)
      continue;
    BRINK_TRY(sample(s, j, &value));
    top = fmax(top, fabs(value));
    band = s->rounding + (s->inside ? s->w->band : 0);
    int sign = fabs(value) > band ? sign_of(value) : 0;
    if (j == 0) {
      s->g_last = value;
      /* the guard is continuous between restarts: a sign other than the one the last
       * step ended with is rounding */
      if (!s->w->fresh && s->sign && sign != s->sign)
        continue;
    }
    if (sign)
      BRINK_TRY(take_sign(s, place_of(s, j), value, sign));
    if (j == 0 && s->inside && s->w->fresh)
      BRINK_TRY(leave_band(s));
    if (j == 0 && s->w->fresh && s->how->from == 0 && s->how->soon > SOONEST &&
        s->how->soon < SOON * place_of(s, 1))
      BRINK_TRY(sample_expected(s, s->how->soon, &seen));
  }
  if (!(fabs(value) > band))
    at_end(s, band);
  g->watch[k].scale = top;
  return BRINK_OK;
}

brink_status brink__scan(brink__guards *g, const brink_step *step,
                         const brink__locate *how, brink__hits *hits,
                         brink__place_fn *place, brink_err *err)
{
  track s = {.line = {g, step, 0, err}, .how = how, .hits = hits, .place = place};
  double cells = ceil((1 - how->from) / how->scan * (1 - PAD));

  s.cells = cells < 1 ? 1 : cells > MOST_CELLS ? MOST_CELLS : (int)cells;
  cache(&s, step);
  hits->certificate = BRINK_SAMPLED;
  hits->weakest = -1;
  for (s.line.k = 0; s.line.k < g->n; s.line.k++) {
    s.w = &g->watch[s.line.k];
    BRINK_TRY(one(&s));
  }
  return BRINK_OK;
}
