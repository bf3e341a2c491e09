/* brink/figure.h -- numbers as a picture: lines, dots and areas in panels, as SVG.
 *
 * For pictures of results that are not one run: errors over steps, paths in a plane.
 * (A run draws itself, see brink_recorder.)  Bytes go to a sink; nothing is allocated.
 *
 *   brink_series  s = {.name = "dopri5", .x = work, .y = error, .n = 9,
 *                      .pen = BRINK_PEN_BOTH};
 *   brink_panel   p = {.x_title = "evaluations of f", .y_title = "error", .x_log = 1,
 *                      .y_log = 1, .series = &s, .n_series = 1};
 *   brink_figure  f = {.title = "work and precision", .panels = &p, .n_panels = 1};
 *   brink_figure_write(&sink, &f, &err);
 */
#ifndef BRINK_FIGURE_H
#define BRINK_FIGURE_H

#include "brink/out.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum brink_pen {
  BRINK_PEN_LINE,
  BRINK_PEN_DASHES,
  BRINK_PEN_DOTS,
  BRINK_PEN_BOTH, /* a line, and dots on it                    */
  BRINK_PEN_CROSSES,
  BRINK_PEN_AREA /* the inside of a closed outline            */
} brink_pen;

enum { BRINK_GREY = -1 }; /* a colour for what is not the subject */

/* A point that is not finite, or not positive on a logarithmic axis, lifts the pen. */
typedef struct brink_series {
  const char *name;    /* in the legend; NULL: not there                  */
  const double *x, *y; /* [n] */
  size_t n;
  brink_pen pen;
  int colour; /* 0, 1, ... of the palette, or BRINK_GREY         */
} brink_series;

typedef struct brink_panel {
  const char *title, *x_title, *y_title; /* NULL: none                     */
  int x_log, y_log;
  int square;                    /* a unit is equally long on both axes               */
  double x_lo, x_hi, y_lo, y_hi; /* lo = hi: what the series need     */
  const brink_series *series;    /* drawn in this order                               */
  int n_series;
} brink_panel;

enum { BRINK_PANELS_MOST = 16 };

typedef struct brink_figure {
  const char *title, *caption; /* NULL: none                                */
  const brink_panel *panels;   /* from left to right, then down             */
  int n_panels;                /* 1 .. BRINK_PANELS_MOST                    */
  int columns;                 /* 0: up to two                              */
  int width, height;           /* in pixels; 0: 900, and what is needed     */
} brink_figure;

/* A whole SVG document.  BRINK_OK, BRINK_EARG, or BRINK_EIO if the sink refused. */
BRINK_API brink_status brink_figure_write(const brink_sink *sink,
                                          const brink_figure *fig, brink_err *err);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_FIGURE_H */
