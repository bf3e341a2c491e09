/* svg_events.c -- events in a picture: thin lines through all frames over time, and
 * their names.
 *
 * A few events that all find room have their names above their lines, in lanes; else
 * each name is listed once, with its number.  The more lines there are, the fainter
 * they become; of several in one column one is drawn.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 3, MOST_ROWS = 5, DASHES = 4, TONES = 3, STYLES = DASHES * TONES };

static const double COLUMN = 0.5; /* lines nearer than this are one          */
static const double LABEL_MOST = 190;
static const double CLEAR = 8;     /* between names                           */
static const double BESIDE = 4;    /* from a line to a name beside it         */
static const double STRONG = 0.55; /* opacity of few lines                    */
static const double MANY = 10;     /* from so many on they fade               */
static const double FAINTEST = 0.12;

/* names are told apart by dashes, then by tone too; the last ones look alike */
static const char *const dashes[DASHES] = {"", "5 2", "1.5 2", "7 2 1.5 2"};
static const char *const tones[TONES] = {"#444444", "#0072b2", "#b84a00"};
static const char REST[] = "#999999";

/* --------------------------------------------------------------- labels ---- */

static double lane_y(double top, int lane) { return top - 5 - BRINK__LINE * lane; }

/* Is the text of p clear of q and of its line, and the other way round? */
static int clear(const brink__event_label *p, const brink__event_label *q)
{
  double apart = fabs(p->centre - q->centre);

  if (p->lane == q->lane)
    return apart >= (p->width + q->width) / 2 + CLEAR;
  const brink__event_label *low = p->lane < q->lane ? p : q;
  const brink__event_label *high = low == p ? q : p;
  return fabs(high->x - low->centre) >= low->width / 2 + 3;
}

static int clear_of_all(const brink__sheet *s, const brink__event_label *p)
{
  for (int k = 0; k < s->n_labels; k++)
    if (!clear(p, &s->label[k]))
      return 0;
  return 1;
}

/* Above its line, else right or left of it; or (`inwards`) the other way round, first
 * on the side of the middle; as low as there is room. */
static int place_label(brink__sheet *s, const brink__mark *m, int inwards)
{
  const double EDGE = 4;
  char text[BRINK__CLIP];
  double x = brink__t_of(s, m->t);
  int in = x < (s->left + s->right) / 2 ? 1 : -1;
  int sides[] = {inwards ? in : 0, inwards ? -in : in, inwards ? 0 : -in};

  brink__clip(text, s->pic->names[m->name].text, BRINK__SIZE_SMALL, LABEL_MOST);
  double width = brink__text_width(text, BRINK__SIZE_SMALL), half = width / 2;
  for (int lane = 0; lane < LANES; lane++)
    for (size_t i = 0; i < BRINK__COUNT(sides); i++) {
      double at = x + sides[i] * (half + BESIDE);
      at = fmin(fmax(at, s->left + half), s->width - half - EDGE);
      brink__event_label p = {x, at, width, m->name, lane};
      if (!clear_of_all(s, &p))
        continue;
      s->label[s->n_labels++] = p;
      s->lanes = lane + 1 > s->lanes ? lane + 1 : s->lanes;
      return 1;
    }
  return 0;
}

/* All of them or none; what is nearer to the middle first. */
static int place_all(brink__sheet *s, int inwards)
{
  const brink__mark *by[BRINK__LABELS];
  double middle = (s->time.lo + s->time.hi) / 2;
  size_t n = s->pic->n_marks;

  for (size_t i = 0; i < n; i++) {
    const brink__mark *m = &s->pic->marks[i];
    size_t k = i;
    for (; k > 0 && fabs(by[k - 1]->t - middle) > fabs(m->t - middle); k--)
      by[k] = by[k - 1];
    by[k] = m;
  }
  s->n_labels = s->lanes = 0;
  for (size_t i = 0; i < n; i++)
    if (!place_label(s, by[i], inwards)) {
      s->n_labels = s->lanes = 0;
      return 0;
    }
  return 1;
}

static int place_labels(brink__sheet *s)
{
  s->n_labels = s->lanes = 0;
  return s->pic->n_marks <= BRINK__LABELS && (place_all(s, 0) || place_all(s, 1));
}

/* ----------------------------------------------------------------- list ---- */

static void entry(const brink__sheet *s, int name, char out[BRINK__CLIP])
{
  const brink__event_name *e = &s->pic->names[name];
  const double READABLE = 240, ROUND = 90; /* the sample, the number, the edge */
  double alone = fmin(READABLE, s->width - s->left - ROUND);
  char text[BRINK__CLIP];

  brink__clip(text, e->text, BRINK__SIZE_SMALL,
              fmax(0.4 * (s->right - s->left), alone));
  if (e->count > 1)
    snprintf(out, BRINK__CLIP, "%.200s \xc3\x97 %ld", text, e->count);
  else
    snprintf(out, BRINK__CLIP, "%.200s", text);
}

static const char *line_style(char out[BRINK__CLIP], int name, double opacity)
{
  int hundredths = (int)lround(100 * opacity);

  const char *dash = name < STYLES ? dashes[name % DASHES] : "";
  snprintf(out, BRINK__CLIP,
           " fill=\"none\" stroke=\"%s\" stroke-width=\"0.8\" "
           "stroke-opacity=\"0.%02d\"%s%s%s",
           name < STYLES ? tones[name / DASHES] : REST, hundredths,
           *dash ? " stroke-dasharray=\"" : "", dash, *dash ? "\"" : "");
  return out;
}

/* The list of names from y on; draws it if asked.  Returns its rows. */
static int list_names(brink__sheet *s, int draw, double y)
{
  char text[BRINK__CLIP], style[BRINK__CLIP];
  double x = s->left;
  int row = 0, left_out = 0;

  for (int i = 0; i < s->pic->n_names; i++) {
    entry(s, i, text);
    double width = BRINK__SAMPLE + brink__text_width(text, BRINK__SIZE_SMALL) + 14;
    brink__flow(s->left, s->width - 8, width, &x, &row);
    if (i == STYLES || row == MOST_ROWS - 1) {
      left_out = s->pic->n_names - i;
      row += x > s->left;
      break;
    }
    double at = y + BRINK__LINE * row;
    if (draw) {
      brink__put_line(s->text, x, at - 3.5, x + 22, at - 3.5,
                      line_style(style, i, STRONG));
      brink__put_text(s->text, x + BRINK__SAMPLE - 2, at, BRINK__SIZE_SMALL,
                      BRINK__START, "", 0, text);
    }
    x += width;
  }
  if (left_out && draw) {
    snprintf(text, sizeof text, "and %d more", left_out);
    brink__put_text(s->text, s->left, y + BRINK__LINE * row, BRINK__SIZE_SMALL,
                    BRINK__START, "", 0, text);
  }
  return s->pic->n_names ? row + 1 : 0;
}

void brink__sheet_events(brink__sheet *s)
{
  brink__picture_families(s->pic);
  s->event_rows = place_labels(s) ? 0 : list_names(s, 0, 0);
}

/* -------------------------------------------------------------- drawing ---- */

static long columns_of(const brink__sheet *s)
{
  double last = -1;
  long n = 0;

  for (size_t i = 0; i < s->pic->n_marks; i++) {
    double x = brink__t_of(s, s->pic->marks[i].t);
    if (x - last >= COLUMN || n == 0) {
      n++;
      last = x;
    }
  }
  return n;
}

static void draw_lines(brink__sheet *s, int name, double top, double bottom,
                       double opacity)
{
  char style[BRINK__CLIP];
  double last = -1;
  int any = 0;

  for (size_t i = 0; i < s->pic->n_marks; i++) {
    double x = brink__t_of(s, s->pic->marks[i].t);
    if (s->pic->marks[i].name != name || (any && x - last < COLUMN))
      continue;
    brink__puts(s->text, any ? "M" : "<path class=\"event\" d=\"M");
    brink__put_coord(s->text, x);
    brink__puts(s->text, ",");
    brink__put_coord(s->text, top);
    brink__puts(s->text, "V");
    brink__put_coord(s->text, bottom);
    any = 1;
    last = x;
  }
  if (!any)
    return;
  brink__puts(s->text, "\"");
  brink__puts(s->text, line_style(style, name, opacity));
  brink__puts(s->text, "><title>");
  entry(s, name, style);
  brink__put_xml(s->text, style, strlen(style));
  brink__puts(s->text, "</title></path>\n");
}

void brink__events_draw(brink__sheet *s, double top, double bottom)
{
  char text[BRINK__CLIP], style[BRINK__CLIP];
  double n = (double)columns_of(s);
  double opacity = n <= MANY ? STRONG : fmax(FAINTEST, STRONG * sqrt(MANY / n));

  for (int i = 0; i < s->pic->n_names; i++)
    draw_lines(s, i, top, bottom, opacity);
  for (int i = 0; i < s->n_labels; i++) {
    const brink__event_label *p = &s->label[i];
    double y = lane_y(top, p->lane);
    brink__clip(text, s->pic->names[p->name].text, BRINK__SIZE_SMALL, LABEL_MOST);
    brink__put_text(s->text, p->centre, y, BRINK__SIZE_SMALL, BRINK__MIDDLE, "", 0,
                    text);
    brink__put_line(s->text, p->x, y + 3, p->x, top,
                    line_style(style, p->name, opacity));
  }
  if (s->event_rows > 0)
    list_names(s, 1, lane_y(top, s->event_rows - 1));
}
