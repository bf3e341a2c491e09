/* figure.c -- where the panels of a figure are, see brink/figure.h
 *
 * Panels stand in a grid of equal columns.  The panels of a row are equally high; a
 * square one gets more of one axis where its height and width do not fit its ranges.
 */
#include "out/figure.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, LEAST_WIDTH = 320, LEAST_HEIGHT = 80 };

static const double EDGE = 10;     /* around the figure                     */
static const double GAP = 18;      /* between panels                        */
static const double BELOW = 38;    /* labels and title of an x axis         */
static const double RIGHT = 12;    /* half a label                          */
static const double ASPECT = 0.62; /* height over width, if nobody cares    */
static const double TALLEST = 1.1; /* the same, of square ones              */

typedef struct sheet {
  const brink_figure *fig;
  brink__plot plot[BRINK_PANELS_MOST];
  int columns;
  double width, height;
} sheet;

/* --------------------------------------------------------------- ranges ---- */

static int counts(double v, int log) { return isfinite(v) && !(log && v <= 0); }

static void range(const brink_panel *p, int up, double *lo, double *hi)
{
  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (int i = 0; i < p->n_series; i++)
    for (size_t k = 0; k < p->series[i].n; k++) {
      double x = p->series[i].x[k], y = p->series[i].y[k], v = up ? y : x;
      if (!counts(x, p->x_log) || !counts(y, p->y_log))
        continue;
      *lo = fmin(*lo, v);
      *hi = fmax(*hi, v);
    }
}

static void fit(brink__plot *p, int up)
{
  const brink_panel *panel = p->panel;
  brink__scale *s = up ? &p->y : &p->x;
  double lo = up ? panel->y_lo : panel->x_lo, hi = up ? panel->y_hi : panel->x_hi;
  int given = lo < hi;

  s->log = up ? panel->y_log : panel->x_log;
  if (!given || (s->log && !(lo > 0)))
    range(panel, up, &lo, &hi);
  brink__scale_fit(s, lo, hi, given, up ? p->height : p->width, up ? 36 : 70);
}

/* An axis that shows `span`, with the same middle. */
static void stretch(brink__scale *s, double span, double pixels, double per_tick)
{
  double mid = (s->axis.lo + s->axis.hi) / 2;

  brink__scale_fit(s, mid - span / 2, mid + span / 2, 1, pixels, per_tick);
}

static void make_square(brink__plot *p)
{
  double x = p->x.axis.hi - p->x.axis.lo, y = p->y.axis.hi - p->y.axis.lo;
  double per_unit = fmin(p->width / x, p->height / y);

  stretch(&p->x, p->width / per_unit, p->width, 70);
  stretch(&p->y, p->height / per_unit, p->height, 36);
}

/* --------------------------------------------------------------- places ---- */

static double labels_width(const brink__scale *s)
{
  brink__scale_tick t;
  double w = 0;

  for (int k = 0; brink__scale_ticks(s, k, &t); k++)
    w = fmax(w, brink__text_width(t.label, BRINK__SIZE_TEXT) +
                    (s->log && t.label[0] ? 16 : 0));
  return w;
}

static void place_across(sheet *s, brink__plot *p, int column)
{
  double all = s->width - 2 * EDGE - GAP * (s->columns - 1), cell = all / s->columns;

  p->column = EDGE + column * (cell + GAP);
  p->left = p->column + (p->panel->y_title ? 18 : 0) + labels_width(&p->y) + 10;
  p->width = p->column + cell - RIGHT - p->left;
  p->legend = brink__plot_legend(NULL, p->panel, p->left, p->left + p->width, 0);
}

static double above(const brink__plot *p)
{
  return 12 + BRINK__LINE * p->legend + (p->panel->title ? 18 : 0);
}

/* How high a panel would like to be. */
static double wish(const brink__plot *p)
{
  double x = p->x.axis.hi - p->x.axis.lo, y = p->y.axis.hi - p->y.axis.lo;

  if (!p->panel->square)
    return ASPECT * p->width;
  return fmin(TALLEST * p->width, fmax(LEAST_HEIGHT, p->width * y / x));
}

/* One row from y on; returns its end.  height: of the plots; 0: as they wish. */
static double place_row(sheet *s, int first, double y, double height)
{
  int end =
      first + s->columns < s->fig->n_panels ? first + s->columns : s->fig->n_panels;
  double head = 0, tall = height;

  for (int i = first; i < end; i++) {
    brink__plot *p = &s->plot[i];
    p->height = height > 0 ? height : 200;
    p->width = 300;
    for (int round = 0; round < 2; round++) { /* labels need room, room makes labels */
      fit(p, 1);
      place_across(s, p, i - first);
      fit(p, 0);
      p->height = height > 0 ? height : wish(p);
    }
    head = fmax(head, above(p));
    if (!(height > 0))
      tall = fmax(tall, p->height);
  }
  for (int i = first; i < end; i++) {
    brink__plot *p = &s->plot[i];
    p->top = y + head;
    p->height = tall;
    fit(p, 1);
    if (p->panel->square)
      make_square(p);
  }
  return y + head + tall + BELOW;
}

static void layout(sheet *s, double height)
{
  double y = EDGE + (s->fig->title ? 28 : 0);

  for (int i = 0; i < s->fig->n_panels; i += s->columns)
    y = place_row(s, i, y, height) + (i + s->columns < s->fig->n_panels ? GAP / 2 : 0);
  s->height = ceil(y + (s->fig->caption ? 20 : 0) + EDGE / 2);
}

/* The heights that make the figure as high as asked for, or nearly. */
static void layout_to_fit(sheet *s)
{
  int rows = (s->fig->n_panels + s->columns - 1) / s->columns;
  double each = 0;

  layout(s, 0);
  for (int round = 0; s->fig->height > 0 && round < 3; round++) {
    each = (each > 0 ? each : s->plot[0].height) + (s->fig->height - s->height) / rows;
    each = fmax(each, LEAST_HEIGHT);
    layout(s, each);
  }
}

/* ------------------------------------------------------------- document ---- */

static void put_head(brink__text *text, const sheet *s)
{
  char title[BRINK__CLIP];

  brink__puts(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
  brink__put_attr(text, "width", s->width);
  brink__put_attr(text, "height", s->height);
  brink__puts(text, " viewBox=\"0 0 ");
  brink__put_coord(text, s->width);
  brink__puts(text, " ");
  brink__put_coord(text, s->height);
  brink__puts(text, "\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
                    "'DejaVu Sans', sans-serif\" fill=\"#222222\">\n");
  brink__put_rect(text, 0, 0, s->width, s->height, " fill=\"#ffffff\"");
  if (!s->fig->title)
    return;
  brink__puts(text, "<title>");
  brink__put_xml(text, s->fig->title, strlen(s->fig->title));
  brink__puts(text, "</title>\n");
  brink__clip(title, s->fig->title, 1.1 * BRINK__SIZE_TITLE, s->width - 2 * EDGE);
  brink__put_text(text, EDGE + 8, 26, BRINK__SIZE_TITLE, BRINK__START,
                  " font-weight=\"bold\"", 0, title);
}

static void put_caption(brink__text *text, const sheet *s)
{
  char caption[BRINK__CLIP];

  if (!s->fig->caption)
    return;
  brink__clip(caption, s->fig->caption, BRINK__SIZE_NOTE, s->width - 2 * EDGE - 8);
  brink__put_text(text, EDGE + 8, s->height - 10, BRINK__SIZE_NOTE, BRINK__START,
                  " fill=\"#555555\"", 0, caption);
}

brink_status brink_figure_write(const brink_sink *sink, const brink_figure *fig,
                                brink_err *err)
{
  sheet s = {.fig = fig};
  brink__text text;

  BRINK__NEED(err, sink);
  BRINK__NEED(err, fig);
  if (fig->n_panels < 1 || fig->n_panels > BRINK_PANELS_MOST)
    return brink__fail(err, BRINK_EARG, "a figure of %d panels; 1 to %d are drawn",
                       fig->n_panels, BRINK_PANELS_MOST);
  if (fig->width < 0 || fig->height < 0 || fig->columns < 0)
    return brink__fail(err, BRINK_EARG, "a figure of %d by %d, in %d columns",
                       fig->width, fig->height, fig->columns);
  s.width = fig->width == 0 ? WIDTH : fig->width;
  s.width = fmax(s.width, LEAST_WIDTH);
  s.columns = fig->columns > 0 ? fig->columns : fig->n_panels > 1 ? 2 : 1;
  for (int i = 0; i < fig->n_panels; i++)
    s.plot[i].panel = &fig->panels[i];
  layout_to_fit(&s);
  brink__text_init(&text, sink);
  put_head(&text, &s);
  for (int i = 0; i < fig->n_panels; i++)
    brink__plot_draw(&text, &s.plot[i], i);
  put_caption(&text, &s);
  brink__puts(&text, "</svg>\n");
  return brink__text_flush(&text, err);
}
