/* svg_modes.c -- the strip of modes under the curves.
 *
 * A band per stay in a mode, with its name where it fits; modes whose name fits
 * nowhere are listed above.  Stays too short to be seen are drawn together, in grey.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 6 };

static const double SLIM = 0.6; /* a stay narrower than this is not seen */
static const char CROWD[] = "#9a9a9a";

typedef struct band {
  double x0, x1;
  int mode; /* -1: several */
} band;

static double span_end(const brink__sheet *s, size_t i)
{
  const brink__picture *pic = s->pic;

  return brink__t_of(s, i + 1 < pic->n_spans ? pic->spans[i + 1].t : pic->t1);
}

/* The next band from span *i on; 0 after the last.  Slim stays share one, up to a stay
 * that can be seen. */
static int next_band(const brink__sheet *s, size_t *i, band *b)
{
  const brink__picture *pic = s->pic;

  if (*i >= pic->n_spans)
    return 0;
  b->x0 = brink__t_of(s, pic->spans[*i].t);
  b->mode = pic->spans[*i].mode;
  b->x1 = span_end(s, (*i)++);
  while (b->x1 - b->x0 < SLIM && *i < pic->n_spans && span_end(s, *i) - b->x1 < SLIM) {
    b->x1 = span_end(s, (*i)++);
    b->mode = -1;
  }
  return 1;
}

static const char *colour(int mode) { return mode < 0 ? CROWD : brink__tint(mode); }

/* A run may meet modes that were not known when it began. */
static const char *label(const brink__sheet *s, int mode)
{
  const brink__picture *pic = s->pic;
  const char *name = mode < 0              ? "several"
                     : mode < pic->n_modes ? pic->modes[mode]
                     : pic->model          ? brink_model_mode_name(pic->model, mode)
                                           : NULL;
  return name ? name : "";
}

static int name_fits(const brink__sheet *s, const band *b)
{
  return b->mode >= 0 &&
         brink__text_width(label(s, b->mode), BRINK__SIZE_SMALL) + 6 <= b->x1 - b->x0;
}

/* 0: never there; 1: its name is in the strip; 2: it has to be listed */
static int presence(const brink__sheet *s, int mode)
{
  band b;
  int there = 0;
  size_t i = 0;

  while (next_band(s, &i, &b)) {
    if (b.mode != mode)
      continue;
    if (name_fits(s, &b))
      return 1;
    there = 2;
  }
  return there;
}

/* Every mode that has to be listed, from y on. */
static int list_modes(const brink__sheet *s, brink__text *draw, double y)
{
  char name[BRINK__CLIP], style[BRINK__CLIP];
  double x = s->left;
  int row = 0, any = 0, last = -1;

  for (size_t i = 0; i < s->pic->n_spans; i++)
    last = s->pic->spans[i].mode > last ? s->pic->spans[i].mode : last;
  for (int mode = -1; mode <= last; mode++) {
    if (presence(s, mode) != 2)
      continue;
    brink__clip(name, label(s, mode), BRINK__SIZE_SMALL, (s->right - s->left) / 3);
    double width = brink__text_width(name, BRINK__SIZE_SMALL) + 32;
    brink__flow(s->left, s->width - 8, width, &x, &row);
    if (row >= MOST_ROWS)
      return MOST_ROWS;
    any = 1;
    if (draw) {
      double at = y + BRINK__LINE * row;
      brink__put_rect(draw, x - 2, at - 10, width - 6, 13, " fill=\"#ffffff\"");
      snprintf(style, sizeof style,
               " fill=\"%s\" stroke=\"#666666\" stroke-width=\"0.5\"", colour(mode));
      brink__put_rect(draw, x, at - 8, 12, 8, style);
      brink__put_text(draw, x + 17, at, BRINK__SIZE_SMALL, BRINK__START, "", 0, name);
    }
    x += width;
  }
  return any ? row + 1 : 0;
}

int brink__strip_rows(const brink__sheet *s) { return list_modes(s, NULL, 0); }

void brink__strip_draw(brink__sheet *s, const brink__frame *f)
{
  char style[BRINK__CLIP];
  band b;
  size_t i = 0;

  while (next_band(s, &i, &b)) {
    snprintf(style, sizeof style, " fill=\"%s\"", colour(b.mode));
    brink__put_rect(s->text, b.x0, f->top, fmax(b.x1 - b.x0, 0.2), f->height, style);
    if (name_fits(s, &b))
      brink__put_text(s->text, (b.x0 + b.x1) / 2, f->top + f->height - 5.5,
                      BRINK__SIZE_SMALL, BRINK__MIDDLE, "", 0, label(s, b.mode));
  }
  brink__put_rect(s->text, f->left, f->top, f->width, f->height,
                  " fill=\"none\" stroke=\"#666666\" stroke-width=\"0.8\"");
  brink__put_text(s->text, f->left - 6, f->top + f->height - 5, BRINK__SIZE_TEXT,
                  BRINK__END, "", 0, "mode");
  int rows = brink__strip_rows(s) - 1;
  if (f->heads) /* above the names of events */
    rows += s->lanes + s->event_rows;
  list_modes(s, s->text, f->top - 5 - BRINK__LINE * rows);
}
