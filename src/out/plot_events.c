/* plot_events.c -- collects the events of a run for a picture, in constant memory.
 *
 * Events are told apart by name.  Where there are many names, those that differ in
 * subscripts only become one: "p[1,2] <= R (line 34)" and "p[7,1] <= R (line 34)" are
 * "p[*] <= R (line 34)".  What does not fit even then is "other events".  Times are
 * thinned by columns like curves.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  BINS = BRINK__PLOT_BINS,
  PER_BIN = 4,                         /* names kept of a column                  */
  MANY = 8,                            /* more names than these are put together  */
  OTHERS = BRINK__PLOT_EVENT_NAMES - 1 /* the place of those that do not fit      */
};

/* ---------------------------------------------------------------- names ---- */

/* A '*' for what stands in each pair of brackets, in place. */
static void without_subscripts(char *name)
{
  char *to = name;

  for (const char *p = name; *p; p++) {
    size_t inside = *p == '[' ? strcspn(p + 1, "[]") : 0;
    *to++ = *p;
    if (inside > 0 && p[1 + inside] == ']') {
      *to++ = '*';
      p += inside;
    }
  }
  *to = 0;
}

static int find(const brink__picture *pic, int n, const char *name)
{
  int i = 0;

  while (i < n && strcmp(pic->names[i].text, name) != 0)
    i++;
  return i;
}

/* Names that differ in subscripts only become one. */
static void put_together(brink__picture *pic)
{
  int now[BRINK__PLOT_EVENT_NAMES], n = 0;

  for (int i = 0; i < pic->n_names; i++) {
    brink__event_name e = pic->names[i];
    without_subscripts(e.text);
    now[i] = find(pic, n, e.text);
    if (now[i] < n)
      pic->names[now[i]].count += e.count;
    else
      pic->names[n++] = e;
  }
  for (size_t k = 0; k < pic->n_marks; k++)
    pic->marks[k].name = now[pic->marks[k].name];
  pic->n_names = n;
  pic->families = 1;
}

void brink__picture_families(brink__picture *pic)
{
  if (pic->n_names > MANY && !pic->families)
    put_together(pic);
}

static int name_of(brink__picture *pic, const char *name)
{
  char text[BRINK__CLIP];

  brink__clip(text, name, 1, HUGE_VAL);
  if (pic->families)
    without_subscripts(text);
  int i = find(pic, pic->n_names, text);
  if (i < pic->n_names)
    return i;
  if (pic->n_names >= OTHERS && !pic->families) {
    put_together(pic);
    return name_of(pic, name);
  }
  if (pic->n_names > OTHERS)
    return OTHERS;
  i = pic->n_names++;
  snprintf(pic->names[i].text, sizeof pic->names[i].text, "%s",
           i == OTHERS ? "other events" : text);
  return i;
}

/* ---------------------------------------------------------------- times ---- */

/* Events of one column: of each name one, of few names. */
static size_t thin_marks_bin(brink__mark *m, size_t a, size_t b, size_t to)
{
  size_t from = to;

  for (size_t i = a; i < b; i++) {
    size_t k = from;
    while (k < to && m[k].name != m[i].name)
      k++;
    if (k == to && to - from < PER_BIN)
      m[to++] = m[i];
  }
  return to;
}

static void thin_marks(brink__picture *pic)
{
  double t0 = pic->marks[0].t;
  double width = (pic->marks[pic->n_marks - 1].t - t0) / BINS;
  size_t to = 0;

  for (size_t a = 0, b; a < pic->n_marks; a = b) {
    double bin = width > 0 ? floor((pic->marks[a].t - t0) / width) : 0;
    for (b = a + 1; b < pic->n_marks; b++)
      if (width > 0 && floor((pic->marks[b].t - t0) / width) > bin)
        break;
    to = thin_marks_bin(pic->marks, a, b, to);
  }
  pic->n_marks = to;
}

void brink__picture_event(brink__picture *pic, double t, const char *name)
{
  int k = name_of(pic, name);

  pic->names[k].count++;
  pic->marks[pic->n_marks++] = (brink__mark){t, k};
  if (pic->n_marks == BRINK__PLOT_MARKS)
    thin_marks(pic);
  for (int i = 0; i < pic->spec.n_picks; i++) {
    brink__curve *c = &pic->curves[i];
    if (c->phase && c->n && !c->pen_up)
      c->dots[c->n - 1].flags |= BRINK__DOT_MARK;
  }
}
