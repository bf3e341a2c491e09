/* svg_layout.c -- where everything of a picture is.
 *
 * From the outside in: heights of frames, their axes and how wide what is written
 * beside them is; that gives the left and right edge all frames share, then the time
 * axis and the names of events above it, then the places from top to bottom.  Text is
 * only placed where its measured width fits.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double EDGE = 10;        /* around the picture                     */
static const double GAP = 16;         /* between frames: two halves of a label  */
static const double LABEL_SPACE = 13; /* between names at the ends of lines     */
static const double LEADER = 26;      /* from the end of a line to its name     */
static const double LABEL_MOST = 0.2; /* of the width, for names at either side */
static const double LEAST_WIDTH = 360;
static const double TIME_AXIS = 36; /* labels and title below                 */

/* --------------------------------------------------------------- places ---- */

static double place(const brink__axis *a, double value)
{
  double share = (value - a->lo) / (a->hi - a->lo);

  return share > 1 ? 1 : share < 0 ? 0 : share;
}

double brink__x_of(const brink__frame *f, double value)
{
  return f->left + f->width * place(&f->x, value);
}

double brink__y_of(const brink__frame *f, double value)
{
  return f->top + f->height * (1 - place(&f->y, value));
}

double brink__t_of(const brink__sheet *s, double t)
{
  return s->left + (s->right - s->left) * place(&s->time, t);
}

void brink__flow(double left, double right, double width, double *x, int *row)
{
  if (*x + width > right && *x > left) {
    *x = left;
    ++*row;
  }
}

void brink__curve_label(const brink__frame *f, const brink__curve *c,
                        char out[BRINK__CLIP])
{
  if (f->mixed && c->var.unit[0])
    snprintf(out, BRINK__CLIP, "%.180s [%.60s]", c->var.name, c->var.unit);
  else
    snprintf(out, BRINK__CLIP, "%.250s", c->var.name);
}

/* Bytes that a and b have in common at the front, in whole characters. */
static size_t shared(const char *a, const char *b)
{
  size_t n = 0;

  while (a[n] && a[n] == b[n])
    n++;
  while (n > 0 && ((unsigned char)a[n] & 0xc0) == 0x80)
    n--;
  return n;
}

void brink__frame_label(const brink__sheet *s, const brink__frame *f, int i,
                        double width, char out[BRINK__CLIP])
{
  char label[BRINK__CLIP], other[BRINK__CLIP], text[BRINK__CLIP];

  brink__curve_label(f, brink__frame_curve(s, f, i), label);
  brink__clip(out, label, BRINK__SIZE_TEXT, width);
  if (strcmp(out, label) == 0)
    return;
  size_t front = strlen(label), all = front;
  for (int k = 0; k < f->n; k++) {
    brink__curve_label(f, brink__frame_curve(s, f, k), other);
    brink__clip(text, other, BRINK__SIZE_TEXT, width);
    if (k != i && strcmp(text, out) == 0)
      front = brink__zmin(front, shared(label, other));
  }
  if (front == all)
    return;
  snprintf(other, sizeof other, "\xe2\x80\xa6%.250s", label + front);
  brink__clip(out, other, BRINK__SIZE_TEXT, width);
}

double brink__note_width(const brink__axis *a)
{
  char number[BRINK__NUMBER];
  double w = 0;

  if (a->exponent != 0) {
    snprintf(number, sizeof number, "%d", a->exponent);
    w += brink__text_width("\xc3\x97"
                           "10",
                           BRINK__SIZE_NOTE) +
         brink__text_width(number, BRINK__SIZE_NOTE);
  }
  if (a->offset != 0) {
    brink__shortest(number, a->offset);
    w += brink__text_width(" + ", BRINK__SIZE_NOTE) +
         brink__text_width(number, BRINK__SIZE_NOTE);
  }
  return w;
}

/* -------------------------------------------------------------- heights ---- */

static int is_big(const brink__frame *f)
{
  return f->kind == BRINK__FRAME_CURVES || f->kind == BRINK__FRAME_PHASE;
}

static double usual_height(const brink__sheet *s)
{
  static const double heights[] = {340, 340, 230, 180, 150, 140, 130};
  size_t n = 0;

  for (int i = 0; i < s->n_frames; i++)
    n += s->frame[i].kind == BRINK__FRAME_CURVES;
  return heights[n < BRINK__COUNT(heights) ? n : BRINK__COUNT(heights) - 1];
}

static double height_of(const brink__sheet *s, const brink__frame *f, double big)
{
  enum { PER_LITERAL = 18, LEAST = 60, MOST = 240 };
  double phase = 0.55 * s->width;

  switch (f->kind) {
  case BRINK__FRAME_CURVES: return big;
  case BRINK__FRAME_PHASE: return s->pic->height > 0 ? big : phase < 480 ? phase : 480;
  case BRINK__FRAME_LITERALS: {
    double h = PER_LITERAL * brink__frame_curve(s, f, 0)->var.n_literals;
    return h < LEAST ? LEAST : h > MOST ? MOST : h;
  }
  case BRINK__FRAME_LANES: return BRINK__LANE_HEIGHT * f->n;
  case BRINK__FRAME_STRIP: return BRINK__STRIP_HEIGHT;
  }
  return big;
}

/* ----------------------------------------------------------------- axes ---- */

static void range(const brink__sheet *s, const brink__frame *f, int across, double *lo,
                  double *hi)
{
  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (int i = 0; i < f->n; i++) {
    const brink__curve *c = brink__frame_curve(s, f, i);
    *lo = fmin(*lo, across ? c->x_lo : c->lo);
    *hi = fmax(*hi, across ? c->x_hi : c->hi);
  }
  if (!(*lo <= *hi))
    *lo = *hi = 0;
}

static int tick_count(double length, double per_tick)
{
  int n = (int)(length / per_tick);

  return n < 2 ? 2 : n > 10 ? 10 : n;
}

static double label_width(const brink__axis *a)
{
  char label[BRINK__NUMBER];
  double w = 0;

  for (long k = a->first; k <= a->last; k++) {
    brink__axis_label(a, k, label);
    w = fmax(w, brink__text_width(label, BRINK__SIZE_TEXT));
  }
  return w;
}

/* A horizontal axis: as many ticks as their labels have room. */
static void fit_across(brink__axis *a, double lo, double hi, double pad, double width)
{
  for (int ticks = tick_count(width, 60);; ticks--) {
    brink__axis_fit(a, lo, hi, pad, ticks);
    double space =
        width * (brink__axis_tick(a, 1) - brink__axis_tick(a, 0)) / (a->hi - a->lo);
    if (ticks <= 1 || label_width(a) + 14 <= space)
      return;
  }
}

static void fit_up(brink__sheet *s, brink__frame *f)
{
  double lo, hi;

  range(s, f, 0, &lo, &hi);
  if (f->kind == BRINK__FRAME_LITERALS) {
    int n = brink__frame_curve(s, f, 0)->var.n_literals;
    f->y = (brink__axis){
        .lo = fmin(0.5, lo - 0.5), .hi = fmax(n + 0.5, hi + 0.5), .mantissa = 1};
  } else {
    int ticks = tick_count(f->height, 38), more = 0;
    do /* one number alone is no scale */
      brink__axis_fit(&f->y, lo, hi, 0.05, ticks + more);
    while (f->y.last - f->y.first < 1 && ++more <= 3);
  }
}

/* ---------------------------------------------------------------- sides ---- */

/* Where names go: at the ends of the lines, above in columns, or on the axis. */
static void place_names(brink__sheet *s, brink__frame *f)
{
  brink__frame_entitle(s, f); /* anew: the height may be another one */
  int titled =
      f->title[0] && brink__text_width(f->title, BRINK__SIZE_TEXT) <= f->height;

  f->direct = f->rows = 0;
  if (f->kind == BRINK__FRAME_PHASE) {
    f->rows = 1;
    return;
  }
  if (f->kind != BRINK__FRAME_CURVES && f->kind != BRINK__FRAME_LITERALS)
    return;
  if (f->n == 1 && titled)
    return;
  if (f->n == 1) { /* the name does not fit: the unit may */
    const char *unit = brink__frame_curve(s, f, 0)->var.unit;
    snprintf(f->title, sizeof f->title, unit[0] ? "[%.60s]" : "%.1s", unit);
  }
  f->direct = f->n * LABEL_SPACE <= f->height;
  f->rows = f->direct ? 0 : 1; /* counted when the width is known */
}

static double left_of(const brink__sheet *s, const brink__frame *f)
{
  double w = 0, most = LABEL_MOST * s->width;

  switch (f->kind) {
  case BRINK__FRAME_CURVES:
  case BRINK__FRAME_PHASE: return fmax(label_width(&f->y), brink__note_width(&f->y));
  case BRINK__FRAME_LITERALS: {
    const brink_variable *v = &brink__frame_curve(s, f, 0)->var;
    for (int i = 0; i < v->n_literals; i++)
      w = fmax(w, brink__text_width(v->literals[i], BRINK__SIZE_SMALL));
    break;
  }
  case BRINK__FRAME_LANES:
    for (int i = 0; i < f->n; i++)
      w = fmax(w, brink__text_width(brink__frame_curve(s, f, i)->var.name,
                                    BRINK__SIZE_TEXT));
    break;
  case BRINK__FRAME_STRIP: w = brink__text_width("mode", BRINK__SIZE_TEXT); break;
  }
  return fmin(w, most);
}

static double names_width(const brink__sheet *s, const brink__frame *f)
{
  char label[BRINK__CLIP];
  double w = 0;

  for (int i = 0; i < f->n; i++) {
    brink__curve_label(f, brink__frame_curve(s, f, i), label);
    w = fmax(w, brink__text_width(label, BRINK__SIZE_TEXT));
  }
  return fmin(w, LABEL_MOST * s->width);
}

static void place_sides(brink__sheet *s)
{
  double left = 0, right = 0, titled = 0;

  for (int i = 0; i < s->n_frames; i++) {
    const brink__frame *f = &s->frame[i];
    left = fmax(left, left_of(s, f));
    if (f->direct)
      right = fmax(right, LEADER + names_width(s, f));
    if (f->title[0])
      titled = 18;
  }
  s->left = EDGE + titled + left + 10;
  s->right = s->width - fmax(EDGE + right, 24);
}

/* Both axes on one scale, if they have one unit and the frame stays a frame. */
static void even_scales(brink__sheet *s, brink__frame *f)
{
  const brink__curve *c = brink__frame_curve(s, f, 0);
  double rx = f->x.hi - f->x.lo, ry = f->y.hi - f->y.lo;

  if (f->mixed || !c->var.unit[0] || strcmp(c->var.unit, c->over_var.unit) != 0)
    return;
  double k = fmin(f->width / rx, f->height / ry);
  if (k * rx < 160 || k * ry < 100)
    return;
  f->width = k * rx;
  f->height = k * ry;
  double lo, hi;
  range(s, f, 1, &lo, &hi);
  fit_across(&f->x, lo, hi, 0.05, f->width);
}

static void place_across(brink__sheet *s, brink__frame *f)
{
  double lo, hi;

  f->left = s->left;
  f->width = s->right - s->left;
  f->x = s->time;
  if (f->kind == BRINK__FRAME_PHASE) {
    range(s, f, 1, &lo, &hi);
    fit_across(&f->x, lo, hi, 0.05, f->width);
    even_scales(s, f);
  }
  if (f->rows > 0) {
    f->column = BRINK__SAMPLE + names_width(s, f) + 12;
    f->columns = (int)((s->width - EDGE - s->left) / f->column);
    f->columns = f->columns < 1 ? 1 : f->columns;
    f->rows = f->n == 1 ? 0 : (f->n + f->columns - 1) / f->columns;
    f->rows += f->kind == BRINK__FRAME_PHASE; /* what the signs mean */
  }
}

/* ----------------------------------------------------------- downwards ---- */

static double above(const brink__sheet *s, const brink__frame *f)
{
  double y = 0;

  if (f->heads && s->event_rows + s->lanes > 0)
    y += BRINK__LINE * (s->event_rows + s->lanes) + 6;
  if (f->kind == BRINK__FRAME_STRIP)
    y += BRINK__LINE * brink__strip_rows(s);
  if (f->rows > 0)
    y += BRINK__LINE * f->rows + 6;
  if (is_big(f) && brink__note_width(&f->y) > 0)
    y += 10;
  return y;
}

static double below(const brink__frame *f)
{
  return f->foots || f->kind == BRINK__FRAME_PHASE ? TIME_AXIS : 0;
}

static int has_caption(const brink__sheet *s)
{
  return s->pic->caption || (!s->pic->plot && s->pic->n_variables > BRINK__PLOT_SHOWN);
}

static void place_down(brink__sheet *s)
{
  double y = EDGE + (s->pic->title && s->pic->title[0] ? 30 : 8);

  for (int i = 0; i < s->n_frames; i++) {
    brink__frame *f = &s->frame[i];
    f->top = y + above(s, f);
    y = f->top + f->height + below(f) + GAP;
  }
  if (s->n_frames == 0)
    y += 60;
  s->height = y + EDGE + (has_caption(s) ? 4 : -GAP / 2);
}

static void layout(brink__sheet *s, double big)
{
  s->width = s->pic->width;
  for (int i = 0; i < s->n_frames; i++) {
    brink__frame *f = &s->frame[i];
    f->height = height_of(s, f, big);
    fit_up(s, f);
    place_names(s, f);
  }
  place_sides(s);
  fit_across(&s->time, s->pic->t0, s->pic->t1, 0, s->right - s->left);
  double widest = 0;
  int timed = 0;
  for (int i = 0; i < s->n_frames; i++) {
    place_across(s, &s->frame[i]);
    widest = fmax(widest, s->frame[i].width);
    timed |= s->frame[i].kind != BRINK__FRAME_PHASE;
  }
  if (!timed && s->n_frames > 0) /* nothing needs the rest of the width */
    s->width = fmax(LEAST_WIDTH, s->left + widest + 24);
  brink__sheet_events(s);
  place_down(s);
}

/* Names at the ends of lines: in the order of the ends, pushed apart. */
static void spread(brink__sheet *s, brink__frame *f)
{
  enum { ROUNDS = 60 };
  double *y = &s->label_y[f->first];

  for (int i = 0; i < f->n; i++) {
    const brink__curve *c = brink__frame_curve(s, f, i);
    y[i] = brink__y_of(f, c->n ? c->dots[c->n - 1].y : 0);
  }
  int by[BRINK__PLOT_CURVES];
  for (int i = 0; i < f->n; i++) { /* insertion: few, and stable */
    int k = i;
    for (; k > 0 && y[by[k - 1]] > y[i]; k--)
      by[k] = by[k - 1];
    by[k] = i;
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int k = 1; k < f->n; k++) {
      double lack = LABEL_SPACE - (y[by[k]] - y[by[k - 1]]);
      if (lack > 0) {
        y[by[k - 1]] -= lack / 2;
        y[by[k]] += lack / 2;
      }
    }
  double least = f->top + LABEL_SPACE / 2, most = f->top + f->height - LABEL_SPACE / 2;
  for (int k = 0; k < f->n; k++) {
    y[by[k]] = fmax(y[by[k]], least);
    least = y[by[k]] + LABEL_SPACE;
  }
  for (int k = f->n - 1; k >= 0; k--) {
    y[by[k]] = fmin(y[by[k]], most);
    most = y[by[k]] - LABEL_SPACE;
  }
}

void brink__sheet_layout(brink__sheet *s)
{
  const double LEAST = 70;
  double big = usual_height(s);
  int n = 0;

  layout(s, big);
  for (int i = 0; i < s->n_frames; i++)
    n += is_big(&s->frame[i]);
  for (int round = 0; s->pic->height > 0 && n > 0 && round < 3; round++) {
    big = fmax(LEAST, big + (s->pic->height - s->height) / n);
    layout(s, big);
  }
  for (int i = 0; i < s->n_frames; i++)
    if (s->frame[i].direct)
      spread(s, &s->frame[i]);
}
