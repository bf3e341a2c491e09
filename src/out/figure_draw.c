/* figure_draw.c -- draws one panel of a figure: grid, series, axes, legend, titles. */
#include "out/figure.h"

#include <math.h>
#include <stdio.h>

static const char GRID[] = " stroke=\"#e4e4e4\" stroke-width=\"0.8\"";
static const char FINE[] = " stroke=\"#f1f1f1\" stroke-width=\"0.6\"";
static const char TICK[] = " stroke=\"#666666\" stroke-width=\"0.8\"";
static const char FRAME[] =
    " class=\"frame\" fill=\"none\" stroke=\"#666666\" stroke-width=\"0.8\"";

static const double DOT = 2.6, CROSS = 3.2; /* half sizes of marks */

static const char *ink(int colour)
{
  return colour < 0 ? "#8a8a8a" : brink__colour(colour);
}

static double across(const brink__plot *p, double x)
{
  return p->left + p->width * brink__scale_place(&p->x, x);
}

static double up(const brink__plot *p, double y)
{
  return p->top + p->height * (1 - brink__scale_place(&p->y, y));
}

/* ----------------------------------------------------------------- axes ---- */

static int visible(double place) { return place > -1e-9 && place < 1 + 1e-9; }

static void put_label(brink__text *text, const brink__scale *s,
                      const brink__scale_tick *t, double x, double y,
                      brink__anchor anchor)
{
  if (!s->log) {
    brink__put_text(text, x, y, BRINK__SIZE_TEXT, anchor, "", 0, t->label);
    return;
  }
  brink__puts(text, anchor == BRINK__END ? "<text text-anchor=\"end\""
                                         : "<text text-anchor=\"middle\"");
  brink__put_attr(text, "x", x);
  brink__put_attr(text, "y", y);
  brink__put_attr(text, "font-size", BRINK__SIZE_TEXT);
  brink__putf(text, ">%s<tspan dy=\"-4\" font-size=\"8\">%s%d</tspan></text>\n",
              t->label, t->power < 0 ? "\xe2\x88\x92" : "",
              t->power < 0 ? -t->power : t->power);
}

static void draw_grid(brink__text *text, const brink__plot *p)
{
  brink__scale_tick t;

  for (int k = 0; brink__scale_ticks(&p->x, k, &t); k++) {
    double x = p->left + p->width * t.place;
    if (visible(t.place))
      brink__put_line(text, x, p->top, x, p->top + p->height, t.label[0] ? GRID : FINE);
  }
  for (int k = 0; brink__scale_ticks(&p->y, k, &t); k++) {
    double y = p->top + p->height * (1 - t.place);
    if (visible(t.place))
      brink__put_line(text, p->left, y, p->left + p->width, y,
                      t.label[0] ? GRID : FINE);
  }
}

static void draw_labels(brink__text *text, const brink__plot *p)
{
  double bottom = p->top + p->height;
  brink__scale_tick t;

  for (int k = 0; brink__scale_ticks(&p->x, k, &t); k++) {
    double x = p->left + p->width * t.place;
    if (!visible(t.place) || !t.label[0])
      continue;
    brink__put_line(text, x, bottom, x, bottom + 4, TICK);
    put_label(text, &p->x, &t, x, bottom + 16, BRINK__MIDDLE);
  }
  for (int k = 0; brink__scale_ticks(&p->y, k, &t); k++) {
    double y = p->top + p->height * (1 - t.place);
    if (!visible(t.place) || !t.label[0])
      continue;
    brink__put_line(text, p->left - 4, y, p->left, y, TICK);
    put_label(text, &p->y, &t, p->left - 7, y + 4, BRINK__END);
  }
  if (!p->x.log)
    brink__put_note(text, &p->x.axis, p->left + p->width, bottom + 32);
  if (!p->y.log)
    brink__put_note(text, &p->y.axis, p->left - 4, p->top - 8);
}

static void draw_titles(brink__text *text, const brink__plot *p)
{
  const brink_panel *panel = p->panel;
  char clipped[BRINK__CLIP];

  if (panel->title) {
    brink__clip(clipped, panel->title, 1.1 * BRINK__SIZE_TEXT, p->width + 20);
    brink__put_text(text, p->left, p->top - 10 - BRINK__LINE * p->legend,
                    BRINK__SIZE_TEXT, BRINK__START, " font-weight=\"bold\"", 0,
                    clipped);
  }
  double note = p->x.log ? 0 : brink__note_width(&p->x.axis) + 8;
  if (panel->x_title && p->width > 2 * note + 20) {
    brink__clip(clipped, panel->x_title, BRINK__SIZE_TEXT, p->width - 2 * note);
    brink__put_text(text, p->left + p->width / 2, p->top + p->height + 32,
                    BRINK__SIZE_TEXT, BRINK__MIDDLE, "", 0, clipped);
  }
  if (panel->y_title) {
    brink__clip(clipped, panel->y_title, BRINK__SIZE_TEXT, p->height);
    brink__put_text(text, p->column + 10, p->top + p->height / 2, BRINK__SIZE_TEXT,
                    BRINK__MIDDLE, "", 1, clipped);
  }
}

/* --------------------------------------------------------------- series ---- */

static void put_path(brink__text *text, const brink__plot *p, const brink_series *s)
{
  int pen_down = 0;

  brink__puts(text, "<path d=\"");
  for (size_t i = 0; i < s->n; i++) {
    double x = across(p, s->x[i]), y = up(p, s->y[i]);
    if (!isfinite(x) || !isfinite(y)) {
      pen_down = 0;
      continue;
    }
    brink__puts(text, pen_down ? " " : "M");
    brink__put_coord(text, x);
    brink__puts(text, ",");
    brink__put_coord(text, y);
    pen_down = 1;
  }
  brink__puts(text, s->pen == BRINK_PEN_AREA ? "Z\"/>\n" : "\"/>\n");
}

static void put_cross(brink__text *text, double x, double y)
{
  brink__puts(text, "<path d=\"M");
  for (int i = 0; i < 4; i++) {
    static const int dx[] = {-1, 1, -1, 1}, dy[] = {-1, 1, 1, -1};
    brink__puts(text, i == 2 ? "M" : i ? " " : "");
    brink__put_coord(text, x + CROSS * dx[i]);
    brink__puts(text, ",");
    brink__put_coord(text, y + CROSS * dy[i]);
  }
  brink__puts(text, "\"/>\n");
}

static void put_mark(brink__text *text, double x, double y, brink_pen pen)
{
  if (pen == BRINK_PEN_CROSSES) {
    put_cross(text, x, y);
    return;
  }
  brink__puts(text, "<circle");
  brink__put_attr(text, "cx", x);
  brink__put_attr(text, "cy", y);
  brink__put_attr(text, "r", DOT);
  brink__puts(text, "/>\n");
}

/* Marks inside the frame; those that lie on the one before are left out. */
static void put_marks(brink__text *text, const brink__plot *p, const brink_series *s)
{
  double last_x = -1e9, last_y = -1e9;

  for (size_t i = 0; i < s->n; i++) {
    if (!visible(brink__scale_place(&p->x, s->x[i])) ||
        !visible(brink__scale_place(&p->y, s->y[i])))
      continue;
    double x = across(p, s->x[i]), y = up(p, s->y[i]);
    if (hypot(x - last_x, y - last_y) < 0.2)
      continue;
    put_mark(text, x, y, s->pen);
    last_x = x;
    last_y = y;
  }
}

static int has_line(brink_pen pen)
{
  return pen == BRINK_PEN_LINE || pen == BRINK_PEN_DASHES || pen == BRINK_PEN_BOTH;
}

static int has_marks(brink_pen pen)
{
  return pen == BRINK_PEN_DOTS || pen == BRINK_PEN_BOTH || pen == BRINK_PEN_CROSSES;
}

/* opens a group with the looks of a series: its line, or its marks and areas */
static void open_group(brink__text *text, const brink_series *s, int line)
{
  const char *c = ink(s->colour);

  if (line)
    brink__putf(text,
                "<g class=\"curve\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" "
                "stroke-linejoin=\"round\"%s>\n",
                c, s->pen == BRINK_PEN_DASHES ? " stroke-dasharray=\"5 3\"" : "");
  else if (s->pen == BRINK_PEN_CROSSES)
    brink__putf(text,
                "<g class=\"marks\" fill=\"none\" stroke=\"%s\" "
                "stroke-width=\"1.3\">\n",
                c);
  else if (s->pen == BRINK_PEN_AREA)
    brink__putf(text,
                "<g class=\"area\" fill=\"%s\" fill-opacity=\"0.22\" "
                "stroke=\"%s\" stroke-width=\"0.8\">\n",
                c, c);
  else
    brink__putf(text, "<g class=\"marks\" fill=\"%s\">\n", c);
}

static void draw_series(brink__text *text, const brink__plot *p, const brink_series *s)
{
  if (has_line(s->pen) || s->pen == BRINK_PEN_AREA) {
    open_group(text, s, has_line(s->pen));
    put_path(text, p, s);
    brink__puts(text, "</g>\n");
  }
  if (has_marks(s->pen)) {
    open_group(text, s, 0);
    put_marks(text, p, s);
    brink__puts(text, "</g>\n");
  }
}

/* --------------------------------------------------------------- legend ---- */

static void put_sample(brink__text *text, const brink_series *s, double x, double y)
{
  const double length = 20;

  if (has_line(s->pen)) {
    open_group(text, s, 1);
    brink__put_line(text, x, y, x + length, y, "");
    brink__puts(text, "</g>\n");
  }
  if (has_line(s->pen) && !has_marks(s->pen))
    return;
  open_group(text, s, 0);
  if (s->pen == BRINK_PEN_AREA)
    brink__put_rect(text, x + 3, y - 4, length - 6, 8, "");
  else
    put_mark(text, x + length / 2, y, s->pen);
  brink__puts(text, "</g>\n");
}

int brink__plot_legend(brink__text *text, const brink_panel *panel, double left,
                       double right, double y)
{
  char name[BRINK__CLIP];
  double x = left;
  int row = 0, any = 0;

  for (int i = 0; i < panel->n_series; i++) {
    const brink_series *s = &panel->series[i];
    if (!s->name)
      continue;
    brink__clip(name, s->name, BRINK__SIZE_SMALL, right - left - 40);
    double width = brink__text_width(name, BRINK__SIZE_SMALL) + 38;
    brink__flow(left, right, width, &x, &row);
    any = 1;
    if (text) {
      double at = y + BRINK__LINE * row;
      put_sample(text, s, x, at - 3.5);
      brink__put_text(text, x + 25, at, BRINK__SIZE_SMALL, BRINK__START, "", 0, name);
    }
    x += width;
  }
  return any ? row + 1 : 0;
}

/* ---------------------------------------------------------------- panel ---- */

void brink__plot_draw(brink__text *text, const brink__plot *p, int id)
{
  brink__putf(text, "<clipPath id=\"panel%d\">", id);
  brink__put_rect(text, p->left, p->top, p->width, p->height, "");
  brink__puts(text, "</clipPath>\n");
  draw_grid(text, p);
  brink__putf(text, "<g clip-path=\"url(#panel%d)\">\n", id);
  for (int i = 0; i < p->panel->n_series; i++)
    draw_series(text, p, &p->panel->series[i]);
  brink__puts(text, "</g>\n");
  brink__put_rect(text, p->left, p->top, p->width, p->height, FRAME);
  draw_labels(text, p);
  brink__plot_legend(text, p->panel, p->left, p->left + p->width,
                     p->top - 8 - BRINK__LINE * (p->legend - 1));
  draw_titles(text, p);
}
