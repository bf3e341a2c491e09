/* signal_steps.c -- how long steps may be where f depends on time through signals.
 *
 * A method sees f at a few points of a step.  A pulse between them is lost, and its
 * error estimate with it.  So no step is longer than what the signals allow: on it each
 * of them must be a polynomial of degree N = 11 to within
 *
 *   eps = PART rtol A,   A: by how much the signal varies in this run.
 *
 * What is so smooth does not hide from the methods, which look at 2 to 12 points, and a
 * signal that a step follows to its tolerance is smooth by far in this sense, so that
 * mostly the error control decides and not the limit.  By the error of interpolation in
 * Chebyshev points a step of length h is short enough where
 *
 *   2 (h/4)^(N+1) |u^(N+1)|/(N+1)! <= eps,
 *
 * and the Taylor coefficient is enclosed by jets of intervals, for all times of a piece
 * at once [MKC09, ch. 9].  Pieces follow each other in time and are made as long as the
 * enclosure stays useful: a piece whose limit is a small part of its length, but for a
 * bad enclosure, is halved, until it is the shortest one that is looked at.  Where a
 * signal varies by less than eps it sets no limit, so that a pulse costs steps where it
 * is, not before.  A step touches two pieces at most, and keeps the limits of both.
 * Kinks and jumps (in noEvent) have no enclosure: the piece with the kink in it is as
 * long as the shortest one, and so are the steps in it.
 *
 * A is found at the start of a run, and after events that change what a signal reads,
 * by following the larger range from the whole run down to a point.  What is found is a
 * lower bound of A: pieces are then finer than necessary.
 *
 * Cost: some tens of enclosures for each pulse, a few for a source that oscillates
 * steadily, none for models without signals.  Nothing here allocates.
 */
#include "dae/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The part of rtol times A that a signal may deviate by from a polynomial.  The limit
 * depends on its twelfth root only. */
static const double PART = 1e-3;

/* A signal must be a polynomial to this part of A at any tolerance: a pulse that a
 * polynomial of degree N follows so well shows at the points where methods look. */
static const double VISIBLE = 1e-4;

/* A piece is not halved if its limit is above this part of its length, since steps are
 * then as long as the piece, or nearly; or if a point in its middle alone would allow
 * no more than TIGHT times the limit, as in a source that oscillates steadily. */
static const double USEFUL = 1. / 8, TIGHT = 1.5;

/* Pieces shorter than this part of the run are not halved any more ... */
static const double SHORTEST = 0x1p-26;

/* ... nor those shorter than so many roundings of t. */
static const double ROUNDINGS = 0x1p8;

/* Steps of the search for A: each halves the range that is searched. */
enum { HALVINGS = 60 };

/* ------------------------------------------------------------- enclosures --- */

/* Begin an enclosure of signal s at all times of [a, b], on the clock of the run. */
static void fill(dae_live *live, const dae_signal *s, double a, double b, size_t stride)
{
  brink__itv *c = live->signal_series;

  for (size_t k = 0; k < s->n_known; k++) {
    double x = live->v[s->known[k]];
    c[(size_t)s->known[k] * stride] = (brink__itv){x, x};
  }
  c[(size_t)BRINK__TIME * stride] =
      live->backward ? (brink__itv){-b, -a} : (brink__itv){a, b};
}

/* Its range there; 0: not known, or it has no value somewhere. */
static int range(dae_live *live, const dae_signal *s, double a, double b,
                 brink__itv *out)
{
  fill(live, s, a, b, 1);
  if (brink__tape_intervals(s->tape, live->signal_series, NULL) < 0)
    return 0;
  *out = live->signal_series[brink__tape_slot(s->tape, 0)];
  return 1;
}

/* The largest Taylor coefficient of order N + 1 there; 0: not known. */
static int coefficient(dae_live *live, const dae_signal *s, double a, double b,
                       double *out)
{
  size_t stride = DAE_SIGNAL_ORDER + 1;
  brink__itv *time = live->signal_series + (size_t)BRINK__TIME * stride;
  double slope = live->backward ? -1 : 1;

  fill(live, s, a, b, stride);
  for (int k = 0; k <= DAE_SIGNAL_ORDER; k++) {
    if (k > 0)
      time[k] = k == 1 ? (brink__itv){slope, slope} : (brink__itv){0, 0};
    if (brink__tape_ijet(s->tape, k, stride, live->signal_series, NULL) < 0)
      return 0;
  }
  brink__itv c =
      live->signal_series[brink__tape_slot(s->tape, 0) * stride + DAE_SIGNAL_ORDER];
  *out = brink__max(fabs(c.lo), fabs(c.hi));
  return isfinite(*out);
}

/* -------------------------------------------------------------- variation --- */

/* What is known about the variation of the sum that s is a term of, after its value at
 * one more time. */
static void note_value(dae_live *live, size_t signal, double t)
{
  const dae_signal *s = &live->m->signals[signal];
  brink__itv u;

  if (!range(live, s, t, t, &u))
    return;
  double *a = &live->signal_scale[s->sum],
         off = fabs(u.lo - live->signal_value[signal]);
  *a = brink__max(*a, off);
}

/* By how much the signal may differ on [a, b] from what it is at the start. */
static double farthest(dae_live *live, size_t signal, double a, double b)
{
  double from = live->signal_value[signal];
  brink__itv u;

  return range(live, &live->m->signals[signal], a, b, &u)
             ? brink__max(u.hi - from, from - u.lo)
             : HUGE_VAL;
}

/* Follow the half in which the signal may vary more, until it does so. */
static void measure(dae_live *live, size_t signal, double a, double b)
{
  const dae_signal *s = &live->m->signals[signal];
  brink__itv u;

  live->signal_value[signal] = range(live, s, a, a, &u) ? u.lo : 0;
  note_value(live, signal, b);
  for (int i = 0; i < HALVINGS; i++) {
    double middle = a + (b - a) / 2;
    note_value(live, signal, middle);
    double left = farthest(live, signal, a, middle),
           right = farthest(live, signal, middle, b);
    if (live->signal_scale[s->sum] >= brink__max(left, right) / 2)
      return;
    if (left > right)
      b = middle;
    else
      a = middle;
  }
}

/* Have the values that signals read changed since they were last looked at? */
static int inputs_changed(dae_live *live)
{
  const dae_model *m = live->m;
  double *before = live->signal_input;
  int changed = 0;

  for (size_t i = 0; i < m->n_signals; i++)
    for (size_t k = 0; k < m->signals[i].n_known; k++, before++) {
      double now = live->v[m->signals[i].known[k]];
      changed |= now != *before;
      *before = now;
    }
  return changed;
}

/* The flow begins anew at t. */
static void begin(dae_live *live, double t, double t_end)
{
  const dae_model *m = live->m;
  dae_look *look = &live->look;

  if (inputs_changed(live) || t_end > look->end) {
    memset(live->signal_scale, 0, m->n_signal_sums * sizeof *live->signal_scale);
    for (size_t i = 0; i < m->n_signals; i++)
      measure(live, i, t, t_end);
    look->end = t_end;
    look->span = t_end - t;
    look->length = t_end - t;
  }
  look->now = look->next = (dae_piece){t, HUGE_VAL};
}

/* ----------------------------------------------------------------- pieces --- */

/* What signal number i may deviate by from a polynomial where it is no larger than
 * `size`: not less than its rounding. */
static double deviation(const dae_live *live, size_t i, double size)
{
  double eps = brink__min(PART * live->look.rtol, VISIBLE) *
               live->signal_scale[live->m->signals[i].sum];

  return brink__max(brink__max(eps, 4 * DBL_EPSILON * size), DBL_MIN);
}

/* The longest step with a deviation of eps on [a, b]; 0: not known. */
static double longest_with(dae_live *live, size_t i, double a, double b, double eps)
{
  double c;

  return coefficient(live, &live->m->signals[i], a, b, &c)
             ? 4 * pow(eps / (2 * c), 1. / DAE_SIGNAL_ORDER)
             : 0;
}

/* The longest step on [a, b] that signal number i allows.  *useful: shorter pieces
 * would not allow much more. */
static double longest(dae_live *live, size_t i, double a, double b, int *useful)
{
  brink__itv u;

  *useful = 0;
  if (!range(live, &live->m->signals[i], a, b, &u))
    return 0;
  double eps = deviation(live, i, brink__max(fabs(u.lo), fabs(u.hi)));
  *useful = u.hi - u.lo <= eps;
  if (*useful)
    return HUGE_VAL;
  double h = longest_with(live, i, a, b, eps), middle = a + (b - a) / 2;
  *useful = h > USEFUL * (b - a) ||
            (h > 0 && longest_with(live, i, middle, middle, eps) < TIGHT * h);
  return h;
}

/* The same for all signals. */
static double longest_of_all(dae_live *live, double a, double b, int *useful)
{
  double h = HUGE_VAL;

  *useful = 1;
  for (size_t i = 0; i < live->m->n_signals && *useful; i++)
    h = brink__min(h, longest(live, i, a, b, useful));
  return h;
}

/* The piece that begins at a. */
static dae_piece piece(dae_live *live, double a, double t_end)
{
  dae_look *look = &live->look;
  double shortest = brink__max(SHORTEST * look->span,
                               ROUNDINGS * DBL_EPSILON * brink__max(fabs(a), DBL_MIN));
  double length = brink__min(2 * look->length, t_end - a), h;

  int useful;
  for (;; length /= 2) {
    h = longest_of_all(live, a, a + length, &useful);
    if (useful || length <= shortest)
      break;
  }
  look->length = length;
  for (size_t i = 0; i < live->m->n_signals; i++)
    note_value(live, i, a + length);
  return (dae_piece){length == t_end - a ? t_end : a + length,
                     brink__max(h, brink__min(length, shortest))};
}

double brink__dae_signal_step(dae_live *live, double t, double t_end, double wanted,
                              double rtol)
{
  dae_look *look = &live->look;

  look->rtol = rtol;
  if (wanted == 0 || t_end > look->end)
    begin(live, t, t_end);
  if (t >= look->now.until && look->next.until > look->now.until)
    look->now = look->next;
  if (t >= look->now.until)
    look->now = piece(live, t, t_end);
  double reach = look->now.until - t;
  if (look->now.longest <= reach || look->now.until >= t_end)
    return look->now.longest;
  if (wanted > 0 && reach >= wanted)
    return reach;
  if (!(look->next.until > look->now.until))
    look->next = piece(live, look->now.until, t_end);
  double both = brink__min(look->now.longest, look->next.longest);
  return both <= reach ? reach : brink__min(both, look->next.until - t);
}
