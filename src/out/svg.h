/* out/svg.h -- the sheet a picture is drawn on: what goes where, and small pens. */
#ifndef BRINK_OUT_SVG_H
#define BRINK_OUT_SVG_H

#include "out/plot.h"

enum {
  BRINK__FRAMES = 2 * BRINK__PLOT_CURVES,
  BRINK__LABELS = 8,                   /* event names written above their lines      */
  BRINK__CLIP = BRINK__PLOT_EVENT_TEXT /* bytes of a text that may be shortened */
};

typedef enum brink__frame_kind {
  BRINK__FRAME_CURVES,   /* values over time                       */
  BRINK__FRAME_LITERALS, /* enumerations, their names on the axis  */
  BRINK__FRAME_LANES,    /* Booleans, one above the other          */
  BRINK__FRAME_STRIP,    /* the modes                              */
  BRINK__FRAME_PHASE     /* one variable over another              */
} brink__frame_kind;

typedef struct brink__frame {
  brink__frame_kind kind;
  int first, n; /* curves: sheet->order[first ..]                   */
  int mixed;    /* units differ                                     */
  int heads;    /* first of a stack over time: events above         */
  int foots;    /* last of it: time axis below                      */
  brink__axis x, y;
  char title[BRINK__CLIP];         /* of the y axis                          */
  int direct;                      /* names at the ends of the lines         */
  int columns, rows;               /* of the legend above, if not direct     */
  double column;                   /* its width                              */
  double left, top, width, height; /* of the area of the curves        */
} brink__frame;

typedef struct brink__event_label {
  double x, centre, width; /* of its line, of its text */
  int name, lane;
} brink__event_label;

typedef struct brink__sheet {
  brink__picture *pic;
  brink__text *text;
  double width, height, left, right; /* right: of the curves' area        */
  brink__axis time;
  int order[BRINK__PLOT_CURVES];
  double label_y[BRINK__PLOT_CURVES]; /* by place in order                */
  brink__frame frame[BRINK__FRAMES];
  int n_frames;

  brink__event_label label[BRINK__LABELS];
  int n_labels, lanes;
  int event_rows; /* of the legend of events, if there are no labels      */
} brink__sheet;

/* --------------------------------------------------------------- layout ---- */

void brink__sheet_frames(brink__sheet *s); /* which curves share a frame      */
void brink__sheet_layout(brink__sheet *s); /* where everything is             */
void brink__sheet_events(brink__sheet *s); /* which events are named where    */
void brink__sheet_draw(brink__sheet *s);

static inline const brink__curve *brink__frame_curve(const brink__sheet *s,
                                                     const brink__frame *f, int i)
{
  return &s->pic->curves[s->order[f->first + i]];
}

/* The title of the y axis: the unit, and the name if there is but one; and whether
 * units differ. */
void brink__frame_entitle(const brink__sheet *s, brink__frame *f);

double brink__x_of(const brink__frame *f, double value);
double brink__y_of(const brink__frame *f, double value);
double brink__t_of(const brink__sheet *s, double t); /* time to x */

/* What a curve is called in a frame: its name, with the unit if units differ. */
void brink__curve_label(const brink__frame *f, const brink__curve *c,
                        char out[BRINK__CLIP]);

/* The same for curve i, in at most `width`.  Names that would be shortened to one text
 * lose what they have in common at the front. */
void brink__frame_label(const brink__sheet *s, const brink__frame *f, int i,
                        double width, char out[BRINK__CLIP]);

/* What all labels of an axis have in common, "x10^3 + 5": its width, 0: nothing; and
 * written so that it ends at x. */
double brink__note_width(const brink__axis *a);
void brink__put_note(brink__text *text, const brink__axis *a, double x, double y);

/* Flows entries of these widths into rows: moves *x and *row to where the next one
 * goes; add its width to *x afterwards. */
void brink__flow(double left, double right, double width, double *x, int *row);

/* Rows of the legend under a strip of modes. */
int brink__strip_rows(const brink__sheet *s);
void brink__strip_draw(brink__sheet *s, const brink__frame *f);

/* What is drawn in a frame: curves over time, Booleans in lanes, one over another; and
 * what the signs of the last mean, written at y. */
void brink__draw_curves(brink__sheet *s, const brink__frame *f);
void brink__draw_lanes(brink__sheet *s, const brink__frame *f);
void brink__draw_phase(brink__sheet *s, const brink__frame *f);
void brink__phase_signs(brink__sheet *s, const brink__frame *f, double y);

/* The lines of a stack of frames from top to bottom, with their names above. */
void brink__events_draw(brink__sheet *s, double top, double bottom);

/* ------------------------------------------------------------ svg_text.c ---- */

typedef enum brink__anchor { BRINK__START, BRINK__MIDDLE, BRINK__END } brink__anchor;

void brink__put_coord(brink__text *text, double v); /* two decimals, no more */
void brink__put_xml(brink__text *text, const char *s, size_t n);

/* Copies s, shortened with an ellipsis until it is no wider than `width`. */
void brink__clip(char out[BRINK__CLIP], const char *s, double size, double width);

/* A <text> element; `turned`: reads upwards. */
void brink__put_text(brink__text *text, double x, double y, double size,
                     brink__anchor anchor, const char *style, int turned,
                     const char *s);

/* attribute="value" with a coordinate */
void brink__put_attr(brink__text *text, const char *name, double v);
void brink__put_line(brink__text *text, double x0, double y0, double x1, double y1,
                     const char *style);
void brink__put_rect(brink__text *text, double x, double y, double w, double h,
                     const char *style);

/* ------------------------------------------------------------ the looks ---- */

/* Sizes of text, and the height of a line of it. */
#define BRINK__SIZE_TITLE   14.0
#define BRINK__SIZE_TEXT    11.0
#define BRINK__SIZE_SMALL   10.0
#define BRINK__SIZE_NOTE    9.0
#define BRINK__LINE         14.0
#define BRINK__STRIP_HEIGHT 18.0
#define BRINK__LANE_HEIGHT  24.0
#define BRINK__SAMPLE       30.0 /* a sample of a line in a legend, with its space */

const char *brink__colour(int i); /* of curve i in its frame            */
const char *brink__dash(int i);   /* its dash array, "" if solid        */
const char *brink__tint(int i);   /* light, for mode i                  */

#endif /* BRINK_OUT_SVG_H */
