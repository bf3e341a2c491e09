/* refine.c -- the classical locators: where in a bracket is the zero?
 *
 * One-shot (interpolative) [BEHK12, 3]: one formula, no iteration.  Its answer is
 * evaluated, and a second point, twice the apparent error away on the other side,
 * closes the bracket, so that the width reported is true; if the formula stays short
 * of the zero, that point is the first with the new sign.
 *
 *   linear, secant-1 .. chord through both ends [Donolo02, (3.14)]
 *   bisection-1 ....... the middle
 *   tangent-1 ......... tangent at the left end
 *   quadratic ......... second-order Taylor polynomial at the left end
 *
 * Iterated, until |dt| <= event_tol; then the bracket itself is closed to that width.
 * No step leaves the bracket (a proposal that would is a halving), and after PROPOSALS
 * proposals only halvings follow: at most PROPOSALS + HALVINGS rounds, a NaN included.
 *
 *   bisection ... [BEHK12, 3]; the printed midpoint lacks its plus sign
 *   secant ...... through the two latest points
 *   falsi ....... through the ends of the bracket; what [BEHK12, 3] calls secant
 *   illinois .... falsi, an end kept twice counts half [DJ71], [Donolo02, 3.2.2]
 *   itp ......... interpolate, truncate, project [OT20]; never worse than bisection + 1
 *   tangent ..... Newton, from the left end
 */
#include "event/scan.h"

#include <math.h>

enum {
  PROPOSALS =
      100,      /* before only halvings are made; a formula that converges takes ten */
  HALVINGS = 64 /* of [0, 1], to the last bit and ten more                          */
};

static const double LAST_BIT = 0x1p-53; /* of theta */
static const double FARTHER = 4;        /* growth of steps that look for a sign */
static const double AT_REST = 8;        /* last bits a converged proposal may move */

/* parameters of itp: k1 relative to the first width, k2, n0, as [OT20] recommends */
static const double ITP_K1 = 0.2;
static const int ITP_N0 = 1;

/* difference quotients along a step, in theta: about the cube root of the rounding
 * for the first derivative; for the second more, since a guard is small here, not its
 * terms, but no more than this part of the bracket */
static const double FIRST_STEP = 0x1p-16, SECOND_STEP = 0x1p-8, SECOND_PART = 0.25;

typedef struct hunt {
  const brink__line *line;
  brink__bracket *b;
  double floor;      /* width wanted                                     */
  double x0, g0;     /* the latest but one point                         */
  double x1, g1;     /* the latest                                       */
  double w_lo, w_hi; /* illinois: how much the ends count             */
  double width;      /* at first                                         */
  int turn;
} hunt;

/* A proposal; anything outside the bracket, or NaN, asks for a halving. */
typedef brink_status propose_fn(hunt *s, double *x);

static double chord(double a, double g_a, double b, double g_b)
{
  return a - g_a * ((b - a) / (g_b - g_a));
}

static double middle(const brink__bracket *b) { return b->lo + 0.5 * (b->hi - b->lo); }

/* ---------------------------------------------------------- derivatives -- */

/* Derivative number m of a guard that is a state. */
static double state_derivative(const brink__line *l, int m, double x)
{
  int degree = l->step->degree;
  size_t state = l->g->info[l->k].state;

  return brink__horner_derivative(degree, l->step->coeff + state * ((size_t)degree + 1),
                                  m, x);
}

/* dg/dtheta at x: of a state by its polynomial, else by a difference quotient of
 * second order that stays on the step. */
static brink_status slope(const brink__line *l, double x, double g, double *out)
{
  double a, b;

  if (l->g->info[l->k].form == BRINK__GUARD_STATE) {
    *out = state_derivative(l, 1, x);
    return BRINK_OK;
  }
  int inside = x >= FIRST_STEP && x <= 1 - FIRST_STEP;
  double d = x > 0.5 ? -FIRST_STEP : FIRST_STEP;
  BRINK_TRY(brink__line_at(l, x + d, &a));
  BRINK_TRY(brink__line_at(l, inside ? x - d : x + 2 * d, &b));
  *out = inside ? (a - b) / (2 * d) : (4 * (a - g) - (b - g)) / (2 * d);
  return BRINK_OK;
}

/* g' and g''/2 at x, from x to the right. */
static brink_status taylor(const brink__line *l, double x, double g, double part,
                           double *g1, double *g2)
{
  double a, b;

  if (l->g->info[l->k].form == BRINK__GUARD_STATE) {
    *g1 = state_derivative(l, 1, x);
    *g2 = 0.5 * state_derivative(l, 2, x);
    return BRINK_OK;
  }
  BRINK_TRY(brink__line_at(l, x + part, &a));
  BRINK_TRY(brink__line_at(l, x + 2 * part, &b));
  *g1 = (4 * (a - g) - (b - g)) / (2 * part);
  *g2 = ((b - g) - 2 * (a - g)) / (2 * part * part);
  return BRINK_OK;
}

/* ------------------------------------------------------------ proposals -- */

static brink_status bisection(hunt *s, double *x)
{
  *x = middle(s->b);
  return BRINK_OK;
}

static brink_status secant(hunt *s, double *x)
{
  *x = chord(s->x1, s->g1, s->x0, s->g0);
  return BRINK_OK;
}

static brink_status falsi(hunt *s, double *x)
{
  *x = chord(s->b->lo, s->b->g_lo, s->b->hi, s->b->g_hi);
  return BRINK_OK;
}

static brink_status illinois(hunt *s, double *x)
{
  *x = chord(s->b->lo, s->w_lo * s->b->g_lo, s->b->hi, s->w_hi * s->b->g_hi);
  return BRINK_OK;
}

static brink_status itp(hunt *s, double *x)
{
  double eps = 0.5 * s->floor, width = s->b->hi - s->b->lo;
  double half = middle(s->b), chord_x;
  double most = ceil(log2(s->width / s->floor)) + ITP_N0; /* n_1/2 + n_0 */

  /* interpolate, truncate towards the middle, project on what bisection would leave */
  BRINK_TRY(falsi(s, &chord_x));
  double sigma = half >= chord_x ? 1 : -1;
  double delta = ITP_K1 / s->width * width * width;
  double t = delta <= fabs(half - chord_x) ? chord_x + sigma * delta : half;
  double r = fmax(0, eps * exp2(most - s->turn) - 0.5 * width);
  *x = fabs(t - half) <= r ? t : half - sigma * r;
  return BRINK_OK;
}

static brink_status tangent(hunt *s, double *x)
{
  double d;

  BRINK_TRY(slope(s->line, s->x1, s->g1, &d));
  *x = s->x1 - s->g1 / d;
  return BRINK_OK;
}

/* the first zero to the right of the left end; none: NaN */
static brink_status quadratic(hunt *s, double *x)
{
  double c = s->b->g_lo, b, a;

  BRINK_TRY(
      taylor(s->line, s->b->lo, c, fmin(SECOND_STEP, SECOND_PART * s->width), &b, &a));
  double q = -0.5 * (b + copysign(sqrt(b * b - 4 * a * c), b));
  double one = c / q, two = q / a;
  if (!(one > 0) || (two > 0 && two < one))
    one = two;
  *x = one > 0 ? s->b->lo + one : nan("");
  return BRINK_OK;
}

/* --------------------------------------------------------------- driver -- */

static brink_status probe(hunt *s, double x)
{
  double value;

  BRINK_TRY(brink__line_at(s->line, x, &value));
  int new_side = value * s->b->after > 0;
  int same = s->turn > 0 && new_side == (s->g1 * s->b->after > 0);
  s->x0 = s->x1;
  s->g0 = s->g1;
  s->x1 = x;
  s->g1 = value;
  if (new_side) {
    s->b->hi = x;
    s->b->g_hi = value;
    s->w_hi = 1;
    s->w_lo = same ? 0.5 * s->w_lo : 1;
  } else {
    s->b->lo = x;
    s->b->g_lo = value;
    s->w_lo = 1;
    s->w_hi = same ? 0.5 * s->w_hi : 1;
  }
  s->turn++;
  return BRINK_OK;
}

/* The iteration stands still at x1: step across the zero, farther and farther. */
static brink_status straddle(hunt *s)
{
  int new_side = s->g1 * s->b->after > 0;
  double from = s->x1, way = new_side ? -1 : 1;

  for (double d = s->floor;; d *= FARTHER) {
    double x = from + way * d;
    if (!(x > s->b->lo && x < s->b->hi))
      return BRINK_OK;
    BRINK_TRY(probe(s, x));
    if ((s->g1 * s->b->after > 0) != new_side)
      return BRINK_OK;
  }
}

static hunt begin(const brink__line *line, double tol, brink__bracket *b)
{
  return (hunt){.line = line,
                .b = b,
                .floor = fmax(tol, LAST_BIT),
                .x0 = b->hi,
                .g0 = b->g_hi,
                .x1 = b->lo,
                .g1 = b->g_lo,
                .w_lo = 1,
                .w_hi = 1,
                .width = b->hi - b->lo};
}

/* Does the iteration stand still?  The stop rule |dt| <= event_tol. */
static int settled(const hunt *s, double x, double tol)
{
  return s->g1 == 0 || fabs(x - s->x1) <= fmax(tol, AT_REST * LAST_BIT);
}

static brink_status iterate(const brink__line *line, double tol, brink__bracket *b,
                            double *best, propose_fn *propose)
{
  hunt s = begin(line, tol, b);
  int halve = 0;

  for (int turn = 0; turn < PROPOSALS + HALVINGS && b->hi - b->lo > s.floor; turn++) {
    double x = middle(b);
    if (!halve && turn < PROPOSALS)
      BRINK_TRY(propose(&s, &x));
    if (!halve && settled(&s, x, tol)) {
      BRINK_TRY(straddle(&s));
      halve = 1;
      continue;
    }
    if (!(x > b->lo && x < b->hi))
      x = middle(b);
    if (!(x > b->lo && x < b->hi))
      break;
    BRINK_TRY(probe(&s, x));
  }
  *best = fabs(b->g_lo) < fabs(b->g_hi) ? b->lo : b->hi;
  return BRINK_OK;
}

/* ------------------------------------------------------------- one shot -- */

/* The formula fell short, at x with value g_x: go on until the sign is new. */
static brink_status push(const brink__line *line, brink__bracket *b, double x,
                         double g_x)
{
  double right = b->hi, value;
  double d = 2 * fabs(g_x) * (right - x) / (fabs(g_x) + fabs(b->g_hi));

  b->lo = x;
  b->g_lo = g_x;
  for (d = fmax(d, LAST_BIT); b->lo + d < right; d *= FARTHER) {
    BRINK_TRY(brink__line_at(line, b->lo + d, &value));
    if (value * b->after > 0) {
      b->hi = b->lo + d;
      b->g_hi = value;
      break;
    }
    b->lo += d;
    b->g_lo = value;
  }
  return BRINK_OK;
}

/* It went beyond: is the old sign twice as far back as the zero seems to be? */
static brink_status look_back(const brink__line *line, brink__bracket *b, double x,
                              double g_x)
{
  double d = 2 * fabs(g_x) * (x - b->lo) / (fabs(g_x) + fabs(b->g_lo)), value;
  double back = x - fmax(d, LAST_BIT);

  b->hi = x;
  b->g_hi = g_x;
  if (!(back > b->lo))
    return BRINK_OK;
  BRINK_TRY(brink__line_at(line, back, &value));
  if (value * b->after <= 0) {
    b->lo = back;
    b->g_lo = value;
  }
  return BRINK_OK;
}

static brink_status once(const brink__line *line, double tol, brink__bracket *b,
                         double *best, propose_fn *propose)
{
  hunt s = begin(line, tol, b);
  double x, value;

  BRINK_TRY(propose(&s, &x));
  if (!(x >= b->lo &&
        x < b->hi)) /* not in the bracket, or nowhere: its end is nearer */
    x = b->hi;
  *best = x;
  BRINK_TRY(brink__line_at(line, x, &value));
  return value * b->after > 0 ? look_back(line, b, x, value) : push(line, b, x, value);
}

/* ------------------------------------------------------------- locators -- */

/* clang-format off */
enum { ROUGH_once = 1, ROUGH_iterate = 0 };

#define FAMILY(id, text, how, formula, key, line)                                     \
  static brink_status place_##id(const brink__line *l, double tol, brink__bracket *b, \
                                 double *best)                                        \
  {                                                                                   \
    return how(l, tol, b, best, formula);                                             \
  }                                                                                   \
  static brink_status behind_##id(brink__guards *g, const brink_step *step,           \
                                  const brink__locate *l, brink__hits *hits,          \
                                  brink_err *err)                                     \
  {                                                                                   \
    return brink__scan(g, step, l, hits, place_##id, err);                            \
  }                                                                                   \
  const brink__locator brink__locator_##id = {                                        \
    .name = text, .about = line, .cite = key, .proves_absence = 0,                    \
    .rough = ROUGH_##how,                                                             \
    .behind = behind_##id};

FAMILY(linear,      "linear",      once,    falsi,     "Donolo02",
       "samples; one linear interpolation")
FAMILY(bisection_1, "bisection-1", once,    bisection, "BEHK12",
       "samples; the middle of the bracket")
FAMILY(secant_1,    "secant-1",    once,    falsi,     "BEHK12",
       "samples; one secant, the same as linear")
FAMILY(tangent_1,   "tangent-1",   once,    tangent,   "BEHK12",
       "samples; one tangent at the left end")
FAMILY(quadratic,   "quadratic",   once,    quadratic, "BEHK12",
       "samples; second-order Taylor polynomial at the left end")
FAMILY(bisection,   "bisection",   iterate, bisection, "BEHK12",
       "samples; halving to event_tol")
FAMILY(secant,      "secant",      iterate, secant,    "BEHK12",
       "samples; secant through the two latest points, bracketed")
FAMILY(tangent,     "tangent",     iterate, tangent,   "BEHK12",
       "samples; Newton along the step, bracketed")
FAMILY(falsi,       "falsi",       iterate, falsi,     "BEHK12",
       "samples; regula falsi")
FAMILY(illinois,    "illinois",    iterate, illinois,  "DJ71",
       "samples; regula falsi with halved weights")
FAMILY(itp,         "itp",         iterate, itp,       "OT20",
       "samples; interpolate, truncate, project")
/* clang-format on */
