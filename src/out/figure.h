/* out/figure.h -- a panel of a figure that has its place: scales and pens. */
#ifndef BRINK_OUT_FIGURE_H
#define BRINK_OUT_FIGURE_H

#include "brink/figure.h"
#include "out/svg.h"

/* An axis; a logarithmic one lives in log10 of the values, with its ticks at whole
 * numbers or, on a short one, at 1, 2 and 5 times powers of ten. */
typedef struct brink__scale {
  int log;
  int fine; /* logarithmic: 2 and 5 have labels */
  brink__axis axis;
} brink__scale;

/* The range of the data (given: lo < hi), as an axis of so many pixels. */
void brink__scale_fit(brink__scale *s, double lo, double hi, int given, double pixels,
                      double per_tick);

/* 0 .. 1 inside; NaN where there is no place. */
double brink__scale_place(const brink__scale *s, double value);

/* Tick number k from 0: its place and label; 0 past the last. */
typedef struct brink__scale_tick {
  double place;
  char label[BRINK__NUMBER]; /* "" on minor ticks                    */
  int power;                 /* logarithmic: label is the mantissa, this the exponent */
} brink__scale_tick;

int brink__scale_ticks(const brink__scale *s, int k, brink__scale_tick *out);

typedef struct brink__plot {
  const brink_panel *panel;
  brink__scale x, y;
  double left, top, width, height; /* of the area of the curves             */
  double column;                   /* left edge of all that belongs to it   */
  int legend;                      /* rows of the legend                    */
} brink__plot;

/* Series, grid, axes, legend and titles of a panel; `id` tells its clip path apart. */
void brink__plot_draw(brink__text *text, const brink__plot *p, int id);

/* Rows the legend needs between left and right; drawn if text is not NULL. */
int brink__plot_legend(brink__text *text, const brink_panel *panel, double left,
                       double right, double y);

#endif /* BRINK_OUT_FIGURE_H */
