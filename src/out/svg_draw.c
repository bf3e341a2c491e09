/* svg_draw.c -- draws a sheet that has been laid out.
 *
 * From back to front: ground, grid, events, curves, frames, text.  A path is one
 * stretch without a jump; two sides of a jump that are nearer than can be seen are
 * one.  Variables that change at events only are drawn as steps.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char GRID[] = " stroke=\"#e4e4e4\" stroke-width=\"0.8\"";
static const char ZERO[] = " stroke=\"#a0a0a0\" stroke-width=\"0.9\"";
static const char TICK[] = " stroke=\"#666666\" stroke-width=\"0.8\"";
static const char FRAME[] =
    " class=\"frame\" fill=\"none\" stroke=\"#666666\" stroke-width=\"0.8\"";
static const char FAINT[] = " fill=\"#555555\"";

static const double SEEN = 0.4;      /* jumps below this many pixels are not */
static const double STRAIGHT = 0.07; /* as near to a line a dot is on it     */

/* ----------------------------------------------------------------- axes ---- */

void brink__put_note(brink__text *text, const brink__axis *a, double x, double y)
{
  char number[BRINK__NUMBER];

  if (a->exponent == 0 && a->offset == 0)
    return;
  brink__puts(text, "<text text-anchor=\"end\"");
  brink__put_attr(text, "x", x);
  brink__put_attr(text, "y", y);
  brink__put_attr(text, "font-size", BRINK__SIZE_NOTE);
  brink__puts(text, ">");
  if (a->exponent != 0)
    brink__putf(text,
                "\xc3\x97"
                "10<tspan dy=\"-3\" font-size=\"7\">%s%d</tspan>",
                a->exponent < 0 ? "\xe2\x88\x92" : "",
                a->exponent < 0 ? -a->exponent : a->exponent);
  if (a->offset != 0) {
    brink__shortest(number, fabs(a->offset));
    brink__putf(text, "<tspan%s>%s%s%s</tspan>", a->exponent ? " dy=\"3\"" : "",
                a->exponent ? " " : "", a->offset < 0 ? "\xe2\x88\x92 " : "+ ", number);
  }
  brink__puts(text, "</text>\n");
}

static void grid_up(brink__sheet *s, const brink__frame *f)
{
  double zero = brink__y_of(f, 0);

  for (long k = f->y.first; k <= f->y.last; k++) {
    double y = brink__y_of(f, brink__axis_tick(&f->y, k));
    brink__put_line(s->text, f->left, y, f->left + f->width, y, GRID);
  }
  if (f->y.lo < 0 && f->y.hi > 0)
    brink__put_line(s->text, f->left, zero, f->left + f->width, zero, ZERO);
}

static void grid_across(brink__sheet *s, const brink__frame *f)
{
  for (long k = f->x.first; k <= f->x.last; k++) {
    double x = brink__x_of(f, brink__axis_tick(&f->x, k));
    brink__put_line(s->text, x, f->top, x, f->top + f->height, GRID);
  }
  if (f->kind == BRINK__FRAME_PHASE && f->x.lo < 0 && f->x.hi > 0) {
    double zero = brink__x_of(f, 0);
    brink__put_line(s->text, zero, f->top, zero, f->top + f->height, ZERO);
  }
}

static void labels_up(brink__sheet *s, const brink__frame *f)
{
  char label[BRINK__NUMBER];

  for (long k = f->y.first; k <= f->y.last; k++) {
    double y = brink__y_of(f, brink__axis_tick(&f->y, k));
    brink__axis_label(&f->y, k, label);
    brink__put_line(s->text, f->left - 4, y, f->left, y, TICK);
    brink__put_text(s->text, f->left - 7, y + 4, BRINK__SIZE_TEXT, BRINK__END, "", 0,
                    label);
  }
  brink__put_note(s->text, &f->y, f->left - 4, f->top - 9);
}

static void literals_up(brink__sheet *s, const brink__frame *f)
{
  const brink_variable *v = &brink__frame_curve(s, f, 0)->var;
  int every = 1 + (int)(v->n_literals * 12 / f->height);
  char label[BRINK__CLIP];

  for (int i = 0; i < v->n_literals; i += every) {
    double y = brink__y_of(f, i + 1);
    brink__put_line(s->text, f->left, y, f->left + f->width, y, GRID);
    brink__clip(label, v->literals[i], BRINK__SIZE_SMALL, 0.2 * s->width);
    brink__put_text(s->text, f->left - 6, y + 3.5, BRINK__SIZE_SMALL, BRINK__END, "", 0,
                    label);
  }
}

static void labels_across(brink__sheet *s, const brink__frame *f, double y,
                          const char *title)
{
  char label[BRINK__NUMBER], clipped[BRINK__CLIP];
  double room = f->width - 2 * brink__note_width(&f->x);

  for (long k = f->x.first; k <= f->x.last; k++) {
    double x = brink__x_of(f, brink__axis_tick(&f->x, k));
    brink__axis_label(&f->x, k, label);
    brink__put_line(s->text, x, y, x, y + 4, TICK);
    brink__put_text(s->text, x, y + 15, BRINK__SIZE_TEXT, BRINK__MIDDLE, "", 0, label);
  }
  brink__clip(clipped, title, BRINK__SIZE_TEXT, fmax(room, 40));
  brink__put_text(s->text, f->left + f->width / 2, y + 31, BRINK__SIZE_TEXT,
                  BRINK__MIDDLE, "", 0, clipped);
  brink__put_note(s->text, &f->x, f->left + f->width, y + 31);
}

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

static void draw_curves(brink__sheet *s, const brink__frame *f)
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
static void draw_lanes(brink__sheet *s, const brink__frame *f)
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

static void draw_phase(brink__sheet *s, const brink__frame *f)
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
static void phase_signs(brink__sheet *s, const brink__frame *f, double y)
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

/* ---------------------------------------------------------------- names ---- */

static void sample(brink__sheet *s, double x, double y, int i)
{
  char style[BRINK__CLIP];

  snprintf(style, sizeof style, " stroke=\"%s\" stroke-width=\"1.8\"%s%s%s",
           brink__colour(i), brink__dash(i)[0] ? " stroke-dasharray=\"" : "",
           brink__dash(i), brink__dash(i)[0] ? "\"" : "");
  brink__put_line(s->text, x, y, x + 22, y, style);
}

static void names_at_ends(brink__sheet *s, const brink__frame *f)
{
  char text[BRINK__CLIP], style[BRINK__CLIP];
  double right = f->left + f->width;

  for (int i = 0; i < f->n; i++) {
    const brink__curve *c = brink__frame_curve(s, f, i);
    double y = s->label_y[f->first + i];
    double end = c->n ? brink__y_of(f, c->dots[c->n - 1].y) : y;
    brink__frame_label(s, f, i, 0.2 * s->width, text);
    snprintf(style, sizeof style,
             " class=\"leader\" fill=\"none\" stroke=\"%s\" stroke-width=\"1\"%s%s%s",
             brink__colour(i), brink__dash(i)[0] ? " stroke-dasharray=\"" : "",
             brink__dash(i), brink__dash(i)[0] ? "\"" : "");
    brink__put_line(s->text, right + 2, end, right + 14, y, style);
    brink__put_line(s->text, right + 14, y, right + 23, y, style);
    brink__put_text(s->text, right + 26, y + 4, BRINK__SIZE_TEXT, BRINK__START, "", 0,
                    text);
  }
}

static void names_above(brink__sheet *s, const brink__frame *f)
{
  char text[BRINK__CLIP];
  double y = f->top - 8 - BRINK__LINE * (f->rows - 1);

  if (f->heads)
    y -= BRINK__LINE * (s->lanes + s->event_rows) + (s->lanes + s->event_rows ? 4 : 0);
  for (int i = 0; i < f->n && f->rows > 0 && f->n > 1; i++) {
    double x = f->left + f->column * (i % f->columns);
    double at = y + BRINK__LINE * (i / f->columns);
    brink__frame_label(s, f, i, f->column - BRINK__SAMPLE - 10, text);
    sample(s, x, at - 4, i);
    brink__put_text(s->text, x + BRINK__SAMPLE - 3, at, BRINK__SIZE_TEXT, BRINK__START,
                    "", 0, text);
  }
  if (f->kind == BRINK__FRAME_PHASE)
    phase_signs(s, f, y + BRINK__LINE * (f->rows - 1));
}

/* --------------------------------------------------------------- frames ---- */

static void put_title(brink__sheet *s, const brink__frame *f)
{
  char text[BRINK__CLIP];

  if (!f->title[0])
    return;
  brink__clip(text, f->title, BRINK__SIZE_TEXT, f->height);
  brink__put_text(s->text, 18, f->top + f->height / 2, BRINK__SIZE_TEXT, BRINK__MIDDLE,
                  "", 1, text);
}

static void draw_axes(brink__sheet *s, const brink__frame *f)
{
  char title[BRINK__CLIP];
  const brink_variable *v;

  if (f->foots) {
    const char *unit = s->pic->time_unit;
    snprintf(title, sizeof title, unit[0] ? "time [%.60s]" : "time", unit);
    labels_across(s, f, f->top + f->height, title);
  }
  if (f->kind != BRINK__FRAME_PHASE)
    return;
  v = &brink__frame_curve(s, f, 0)->over_var;
  snprintf(title, sizeof title, v->unit[0] ? "%.180s [%.60s]" : "%.180s%.60s", v->name,
           v->unit);
  labels_across(s, f, f->top + f->height, title);
}

static void draw_frame(brink__sheet *s, const brink__frame *f)
{
  switch (f->kind) {
  case BRINK__FRAME_CURVES:
  case BRINK__FRAME_PHASE: labels_up(s, f); break;
  case BRINK__FRAME_LITERALS: literals_up(s, f); break;
  case BRINK__FRAME_LANES: break;
  case BRINK__FRAME_STRIP: brink__strip_draw(s, f); break;
  }
  if (f->kind == BRINK__FRAME_LANES)
    draw_lanes(s, f);
  else if (f->kind == BRINK__FRAME_PHASE)
    draw_phase(s, f);
  else
    draw_curves(s, f);
  brink__put_rect(s->text, f->left, f->top, f->width, f->height, FRAME);
  if (f->direct)
    names_at_ends(s, f);
  else if (f->rows > 0)
    names_above(s, f);
  put_title(s, f);
  draw_axes(s, f);
}

static void draw_grids(brink__sheet *s)
{
  for (int i = 0; i < s->n_frames; i++) {
    const brink__frame *f = &s->frame[i];
    if (f->kind == BRINK__FRAME_STRIP)
      continue;
    grid_across(s, f);
    if (f->kind == BRINK__FRAME_CURVES || f->kind == BRINK__FRAME_PHASE)
      grid_up(s, f);
  }
}

static void draw_events(brink__sheet *s)
{
  for (int i = 0; i < s->n_frames; i++) {
    int k = i;
    if (!s->frame[i].heads)
      continue;
    while (!s->frame[k].foots)
      k++;
    brink__events_draw(s, s->frame[i].top, s->frame[k].top + s->frame[k].height);
  }
}

/* ------------------------------------------------------------- document ---- */

/* The name of the model, and what it is if there is room for that. */
static void put_heading(brink__sheet *s)
{
  const double BOLD = 1.1 * BRINK__SIZE_TITLE, READABLE = 100;
  char text[BRINK__CLIP];

  brink__clip(text, s->pic->title, BOLD, s->width - s->left - 10);
  brink__put_text(s->text, s->left, 24, BRINK__SIZE_TITLE, BRINK__START,
                  " font-weight=\"bold\"", 0, text);
  double x = s->left + brink__text_width(text, BOLD) + 8, room = s->width - x - 10;
  if (!s->pic->about[0] || room < READABLE)
    return;
  brink__clip(text, s->pic->about, BRINK__SIZE_TEXT, room);
  brink__put_text(s->text, x, 24, BRINK__SIZE_TEXT, BRINK__START, FAINT, 0, text);
}

static void put_head(brink__sheet *s)
{
  brink__puts(s->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
  brink__put_attr(s->text, "width", s->width);
  brink__put_attr(s->text, "height", ceil(s->height));
  brink__puts(s->text, " viewBox=\"0 0 ");
  brink__put_coord(s->text, s->width);
  brink__puts(s->text, " ");
  brink__put_coord(s->text, ceil(s->height));
  brink__puts(s->text, "\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
                       "'DejaVu Sans', sans-serif\" fill=\"#222222\">\n");
  if (s->pic->title && s->pic->title[0]) {
    brink__puts(s->text, "<title>");
    brink__put_xml(s->text, s->pic->title, strlen(s->pic->title));
    brink__puts(s->text, "</title>\n");
  }
  brink__put_rect(s->text, 0, 0, s->width, ceil(s->height), " fill=\"#ffffff\"");
  if (s->pic->title && s->pic->title[0])
    put_heading(s);
}

static void put_caption(brink__sheet *s)
{
  const brink__picture *pic = s->pic;
  char all[2 * BRINK__CLIP] = "", text[BRINK__CLIP];
  size_t n = (size_t)pic->spec.n_picks;

  snprintf(all, sizeof all, "%.300s", pic->caption ? pic->caption : "");
  if (!pic->plot && n < pic->n_variables) {
    size_t k = strlen(all);
    snprintf(all + k, sizeof all - k, "%s%zu of %zu variables are shown", k ? "; " : "",
             n, pic->n_variables);
  }
  brink__clip(text, all, BRINK__SIZE_NOTE, s->width - s->left - 10);
  if (text[0])
    brink__put_text(s->text, s->left, s->height - 10, BRINK__SIZE_NOTE, BRINK__START,
                    FAINT, 0, text);
}

void brink__sheet_draw(brink__sheet *s)
{
  put_head(s);
  if (s->n_frames == 0 || s->pic->rows == 0)
    brink__put_text(s->text, s->width / 2, s->height / 2, BRINK__SIZE_TEXT,
                    BRINK__MIDDLE, FAINT, 0, s->n_frames ? "no rows" : "no variables");
  if (s->n_frames > 0 && s->pic->rows > 0) {
    draw_grids(s);
    draw_events(s);
    for (int i = 0; i < s->n_frames; i++)
      draw_frame(s, &s->frame[i]);
  }
  put_caption(s);
  brink__puts(s->text, "</svg>\n");
}
