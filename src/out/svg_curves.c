/* svg_curves.c -- the lines of a picture: curves, lanes of Booleans, one over another.
 *
 * A path is one stretch without a jump; two sides of a jump that are nearer than can be
 * seen are one.  Variables that change at events only are drawn as steps.  Of other
 * curves over time, dots that lie on the line from the last one drawn to a later one
 * are left out [SG80].
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char GRID[] = " stroke=\"#e4e4e4\" stroke-width=\"0.8\"";
static const char FAINT[] = " fill=\"#555555\"";

static const double SEEN = 0.4;      /* jumps below this many pixels are not */
static const double STRAIGHT = 0.07; /* as near to a line a dot is on it     */

/* --------------------------------------------------------------- curves ---- */

/* Draws dots in order.  Those that lie on the line from the last one drawn to a later
 * one are left out: `ahead` waits until it is known, and from the last one drawn all
 * since then are seen between the slopes low and high. */
typedef struct brush {
  brink__text *text;
  const brink__frame *f;
  int steps;
  double x, y; /* where the pen is  */
  int n;       /* dots of this path */
  int waits;   /* there is a dot ahead */
  double ahead_x, ahead_y, low, high;
} brush;

static void move(brush *b, double x, double y)
{
  if (b->n == 0) {
    brink__puts(b->text, "<path d=\"M");
  } else if (b->steps) {
    brink__puts(b->text, "H");
    brink__put_coord(b->text, x);
    if (fabs(y - b->y) > 0.005) {
      brink__puts(b->text, "V");
      brink__put_coord(b->text, y);
    }
  } else {
    brink__puts(b->text, " ");
  }
  if (b->n == 0 || !b->steps) {
    brink__put_coord(b->text, x);
    brink__puts(b->text, ",");
    brink__put_coord(b->text, y);
  }
  b->x = x;
  b->y = y;
  b->n++;
}

/* Draws the dot that waits. */
static void settle(brush *b)
{
  if (b->waits)
    move(b, b->ahead_x, b->ahead_y);
  b->waits = 0;
}

static void lift(brush *b)
{
  settle(b);
  if (b->n == 1)
    brink__puts(b->text, "h.01"); /* a dot, with round ends */
  if (b->n > 0)
    brink__puts(b->text, "\"/>\n");
  b->n = 0;
}

/* Towards the right; a dot that goes on straight takes the place of the one before. */
static void go_on(brush *b, double x, double y)
{
  double dx = x - b->x, slope = (y - b->y) / dx;

  if (b->waits && !(dx > 0 && b->low <= slope && slope <= b->high)) {
    settle(b);
    dx = x - b->x;
  }
  double low = (y - STRAIGHT - b->y) / dx, high = (y + STRAIGHT - b->y) / dx;
  b->low = b->waits ? fmax(b->low, low) : low;
  b->high = b->waits ? fmin(b->high, high) : high;
  b->ahead_x = x;
  b->ahead_y = y;
  b->waits = 1;
  if (!(dx > 0))
    settle(b);
}

static void put_dots(brush *b, const brink__curve *c)
{
  for (size_t i = 0; i < c->n; i++) {
    const brink__dot *d = &c->dots[i];
    double x = brink__x_of(b->f, d->x), y = brink__y_of(b->f, d->y);
    double last_x = b->waits ? b->ahead_x : b->x, last_y = b->waits ? b->ahead_y : b->y;
    double far = fmax(fabs(x - last_x), fabs(y - last_y));
    if (b->n > 0 && (d->flags & BRINK__DOT_BREAK) && far > SEEN)
      lift(b);
    if (b->steps && b->n > 0 && d->y == d[-1].y && i + 1 < c->n &&
        !(d[1].flags & BRINK__DOT_BREAK))
      continue; /* the next step passes here */
    if (b->n > 0 && far < 0.01)
      continue;
    if (b->n > 0 && !b->steps && !c->phase)
      go_on(b, x, y);
    else
      move(b, x, y);
  }
  lift(b);
}

/* opens the group of a curve: colour, dashes, and what it is */
static void open_curve(brink__sheet *s, const brink__curve *c, int i, double width)
{
  brink__puts(s->text, "<g class=\"curve\" fill=\"none\" stroke-linejoin=\"round\" "
                       "stroke-linecap=\"round\" stroke=\"");
  brink__puts(s->text, brink__colour(i));
  brink__puts(s->text, "\"");
  brink__put_attr(s->text, "stroke-width", width);
  if (brink__dash(i)[0])
    brink__putf(s->text, " stroke-dasharray=\"%s\"", brink__dash(i));
  brink__puts(s->text, "><title>");
  brink__put_xml(s->text, c->var.name, strlen(c->var.name));
  if (c->var.text[0]) {
    brink__puts(s->text, ": ");
    brink__put_xml(s->text, c->var.text, strlen(c->var.text));
  }
  brink__puts(s->text, "</title>\n");
}

void brink__draw_curves(brink__sheet *s, const brink__frame *f)
{
  for (int i = 0; i < f->n; i++) {
    brink__curve *c = &s->pic->curves[s->order[f->first + i]];
    int bins = 2 * (int)f->width;
    brush b = {.text = s->text, .f = f, .steps = c->var.discrete};
    if (c->n > (size_t)bins)
      brink__curve_thin(s->pic, c, bins);
    open_curve(s, c, i, 1.6);
    put_dots(&b, c);
    brink__puts(s->text, "</g>\n");
  }
}

/* Booleans: each in its lane, the time it is true filled. */
void brink__draw_lanes(brink__sheet *s, const brink__frame *f)
{
  char name[BRINK__CLIP], style[BRINK__CLIP];

  for (int i = 0; i < f->n; i++) {
    brink__curve *c = &s->pic->curves[s->order[f->first + i]];
    brink__frame lane = *f;
    lane.top = f->top + BRINK__LANE_HEIGHT * i + 4;
    lane.height = BRINK__LANE_HEIGHT - 8;
    lane.y = (brink__axis){.lo = 0, .hi = 1, .mantissa = 1};
    brush b = {.text = s->text, .f = &lane, .steps = 1};
    if (i > 0)
      brink__put_line(s->text, f->left, lane.top - 4, f->left + f->width, lane.top - 4,
                      GRID);
    brink__curve_thin(s->pic, c, 2 * (int)f->width);
    snprintf(style, sizeof style, " fill=\"%s\" fill-opacity=\"0.25\"",
             brink__colour(i));
    for (size_t k = 0; k + 1 < c->n; k++)
      if (c->dots[k].y == 1 && !(c->dots[k + 1].flags & BRINK__DOT_BREAK)) {
        double x0 = brink__x_of(f, c->dots[k].x), x1 = brink__x_of(f, c->dots[k + 1].x);
        brink__put_rect(s->text, x0, lane.top, x1 - x0, lane.height, style);
      }
    open_curve(s, c, i, 1.3);
    put_dots(&b, c);
    brink__puts(s->text, "</g>\n");
    brink__clip(name, c->var.name, BRINK__SIZE_TEXT, 0.2 * s->width);
    brink__put_text(s->text, f->left - 6, lane.top + lane.height - 4, BRINK__SIZE_TEXT,
                    BRINK__END, "", 0, name);
  }
}

/* ---------------------------------------------------------------- phase ---- */

static void circle(brink__text *text, double x, double y, double r, const char *style)
{
  brink__puts(text, "<circle");
  brink__put_attr(text, "cx", x);
  brink__put_attr(text, "cy", y);
  brink__put_attr(text, "r", r);
  brink__puts(text, style);
  brink__puts(text, "/>\n");
}

static void draw_jumps(brink__sheet *s, const brink__frame *f, const brink__curve *c,
                       int i)
{
  char style[BRINK__CLIP];

  snprintf(style, sizeof style,
           " class=\"jump\" fill=\"none\" stroke=\"%s\" stroke-width=\"0.8\" "
           "stroke-opacity=\"0.4\" stroke-dasharray=\"3 3\"",
           brink__colour(i));
  for (size_t k = 1; k < c->n; k++) {
    const brink__dot *p = &c->dots[k - 1], *q = &c->dots[k];
    double x0 = brink__x_of(f, p->x), y0 = brink__y_of(f, p->y);
    double x1 = brink__x_of(f, q->x), y1 = brink__y_of(f, q->y);
    if ((q->flags & BRINK__DOT_JUMP) && hypot(x1 - x0, y1 - y0) > 3)
      brink__put_line(s->text, x0, y0, x1, y1, style);
  }
}

static void draw_marks(brink__sheet *s, const brink__frame *f, const brink__curve *c,
                       int i)
{
  char style[BRINK__CLIP];
  double last_x = -1, last_y = -1;

  snprintf(style, sizeof style,
           " class=\"event\" fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.1\"",
           brink__colour(i));
  for (size_t k = 0; k < c->n; k++) {
    double x = brink__x_of(f, c->dots[k].x), y = brink__y_of(f, c->dots[k].y);
    if (!(c->dots[k].flags & BRINK__DOT_MARK) || hypot(x - last_x, y - last_y) < 1)
      continue;
    circle(s->text, x, y, 2.4, style);
    last_x = x;
    last_y = y;
  }
}

void brink__draw_phase(brink__sheet *s, const brink__frame *f)
{
  enum { PLENTY = 2048 };
  char style[BRINK__CLIP];

  for (int i = 0; i < f->n; i++) {
    brink__curve *c = &s->pic->curves[s->order[f->first + i]];
    brink__dot start = c->dots[0];
    int any = c->n > 0;
    brush b = {.text = s->text, .f = f};
    if (c->n > PLENTY)
      brink__curve_thin(s->pic, c, BRINK__PLOT_CELLS);
    draw_jumps(s, f, c, i);
    open_curve(s, c, i, 1.4);
    put_dots(&b, c);
    brink__puts(s->text, "</g>\n");
    draw_marks(s, f, c, i);
    snprintf(style, sizeof style, " fill=\"%s\"", brink__colour(i));
    if (any)
      circle(s->text, brink__x_of(f, start.x), brink__y_of(f, start.y), 3.2, style);
  }
}

/* What the signs of a phase plot mean. */
void brink__phase_signs(brink__sheet *s, const brink__frame *f, double y)
{
  double x = f->left;
  long events = 0;
  char text[BRINK__CLIP];

  for (int i = 0; i < s->pic->n_names; i++)
    events += s->pic->names[i].count;
  circle(s->text, x + 4, y - 3.5, 3.2, " fill=\"#444444\"");
  brink__put_text(s->text, x + 12, y, BRINK__SIZE_SMALL, BRINK__START, FAINT, 0,
                  "start");
  if (events == 0)
    return;
  x += 58;
  circle(s->text, x + 4, y - 3.5, 2.4,
         " fill=\"#ffffff\" stroke=\"#444444\" stroke-width=\"1.1\"");
  if (s->pic->n_names == 1)
    snprintf(text, sizeof text, "%.90s \xc3\x97 %ld", s->pic->names[0].text, events);
  else
    snprintf(text, sizeof text, "event \xc3\x97 %ld", events);
  brink__put_text(s->text, x + 12, y, BRINK__SIZE_SMALL, BRINK__START, FAINT, 0, text);
}
