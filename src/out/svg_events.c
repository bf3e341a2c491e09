/* svg_events.c -- events in a picture: thin lines through all frames over time, and
 * their names.
 *
 * A name that occurs a few times and finds room everywhere is written above its lines,
 * in two lanes; all others are listed once, with their number.  The more lines there
 * are, the fainter they become; of several in one column one is drawn.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 2, FEW = 6, MOST_ROWS = 5, DASHES = 4, TONES = 3 };

static const double COLUMN = 0.5; /* lines nearer than this are one          */
static const double LABEL_MOST = 150;
static const double CLEAR = 8;     /* between names                           */
static const double STRONG = 0.55; /* opacity of few lines                    */
static const double MANY = 10;     /* from so many on they fade               */
static const double FAINTEST = 0.12;

/* names are told apart by dashes, then by tone too */
static const char *const dashes[DASHES] = {"", "5 2", "1.5 2", "7 2 1.5 2"};
static const char *const tones[TONES] = {"#444444", "#0072b2", "#b84a00"};

/* ---------------------------------------------------------------- names ---- */

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

static int place_label(brink__sheet *s, int name, double x)
{
  char text[BRINK__CLIP];
  double half, edge = 4;

  if (s->n_labels == BRINK__LABELS)
    return 0;
  brink__clip(text, s->pic->names[name].text, BRINK__SIZE_SMALL, LABEL_MOST);
  double width = brink__text_width(text, BRINK__SIZE_SMALL);
  half = width / 2;
  brink__event_label p = {x, fmin(fmax(x, s->left + half), s->width - half - edge),
                          width, name, 0};
  for (; p.lane < LANES; p.lane++) {
    int k = 0;
    while (k < s->n_labels && clear(&p, &s->label[k]))
      k++;
    if (k == s->n_labels) {
      s->label[s->n_labels++] = p;
      return 1;
    }
  }
  return 0;
}

/* All occurrences of the name, or none. */
static void place_name(brink__sheet *s, int name)
{
  const brink__picture *pic = s->pic;
  int before = s->n_labels, fits = pic->names[name].count <= FEW;

  for (size_t i = 0; i < pic->n_marks && fits; i++)
    if (pic->marks[i].name == name)
      fits = place_label(s, name, brink__t_of(s, pic->marks[i].t));
  if (!fits) {
    s->n_labels = before;
    s->listed[name] = 1;
  }
}

static void entry(const brink__sheet *s, int name, char out[BRINK__CLIP])
{
  const brink__event_name *e = &s->pic->names[name];
  const double READABLE = 240, BESIDE = 90; /* the sample, the number, the edge */
  double alone = fmin(READABLE, s->width - s->left - BESIDE);
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

  snprintf(out, BRINK__CLIP,
           " fill=\"none\" stroke=\"%s\" stroke-width=\"0.8\" "
           "stroke-opacity=\"0.%02d\"%s%s%s",
           tones[name / DASHES % TONES], hundredths,
           name % DASHES ? " stroke-dasharray=\"" : "", dashes[name % DASHES],
           name % DASHES ? "\"" : "");
  return out;
}

/* The list of names from y on; draws it if asked.  Returns its rows. */
static int list_names(brink__sheet *s, int draw, double y)
{
  char text[BRINK__CLIP], style[BRINK__CLIP];
  double x = s->left;
  int row = 0, any = 0, left_out = 0;

  for (int i = 0; i < s->pic->n_names; i++) {
    if (!s->listed[i])
      continue;
    entry(s, i, text);
    double width = BRINK__SAMPLE + brink__text_width(text, BRINK__SIZE_SMALL) + 14;
    brink__flow(s->left, s->width - 8, width, &x, &row);
    if (row >= MOST_ROWS - 1) {
      left_out++;
      x = s->left;
      continue;
    }
    any = 1;
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
  return any || left_out ? row + 1 : 0;
}

void brink__sheet_events(brink__sheet *s)
{
  const brink__picture *pic = s->pic;

  s->n_labels = s->lanes = 0;
  for (int i = 0; i < pic->n_names; i++)
    s->listed[i] = 0;
  for (long count = 1; count <= FEW; count++) /* rare ones first */
    for (int i = 0; i < pic->n_names; i++)
      if (pic->names[i].count == count)
        place_name(s, i);
  for (int i = 0; i < pic->n_names; i++)
    if (pic->names[i].count > FEW)
      s->listed[i] = 1;
  for (int i = 0; i < s->n_labels; i++)
    if (s->label[i].lane + 1 > s->lanes)
      s->lanes = s->label[i].lane + 1;
  s->event_rows = list_names(s, 0, 0);
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
  list_names(s, 1, lane_y(top, s->lanes + s->event_rows - 1));
}
