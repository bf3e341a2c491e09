/* out/plot.h -- a picture of a run: collected while it goes on, drawn at its end.
 *
 *   brink__picture_new(ctx, &opts, &pic);
 *   brink__picture_row(pic, t, values, mode);      every row, in order of time
 *   brink__picture_event(pic, t, "bounce");        between the row before and after
 *   brink__picture_write(pic, &text);
 *   brink__picture_free(pic);
 *
 * All memory is taken by brink__picture_new; it depends on the number of curves, not
 * on the number of rows.
 */
#ifndef BRINK_OUT_PLOT_H
#define BRINK_OUT_PLOT_H

#include "brink/event.h"
#include "out/text.h"

enum {
  BRINK__PLOT_CURVES = 128,     /* the most that may be asked for               */
  BRINK__PLOT_SHOWN = 48,       /* the most that are shown unasked              */
  BRINK__PLOT_DOTS = 8192,      /* kept per curve over time                     */
  BRINK__PLOT_PHASE = 32768,    /* kept per phase curve                         */
  BRINK__PLOT_MARKS = 8192,     /* events kept                                  */
  BRINK__PLOT_SPANS = 4096,     /* stays in a mode kept                         */
  BRINK__PLOT_EVENT_NAMES = 48, /* events told apart                            */
  BRINK__PLOT_BINS = 1024,      /* columns of time, to thin everything else     */
  BRINK__PLOT_CELLS = 1024,     /* in each direction, to thin phase curves      */
  BRINK__PLOT_EVENT_TEXT = 256  /* bytes kept of an event's name                */
};

typedef struct brink__picture brink__picture; /* opaque outside src/out/plot*, svg* */

typedef struct brink__picture_opts {
  const char *title;               /* borrowed, as everything here                */
  const char *about;               /* what the title means, or NULL               */
  const char *time_unit;           /* "" or NULL: none                            */
  const char *caption;             /* one line under the picture, or NULL         */
  const char *plot;                /* "x,v;mode", "z:x"; NULL: all, by unit       */
  const brink_variable *variables; /* [n_variables] columns of the rows; the array
                                      is needed by _new only, its strings longer  */
  size_t n_variables;
  const char *const *modes; /* [n_modes] names, needed by _new only        */
  int n_modes;              /* fewer than 2: no strip                      */
  const brink_model *model; /* names the modes beyond those; NULL: there are none */
  int width;                /* of the picture, 0: 900                      */
  int height;               /* 0: what the panels need                     */
} brink__picture_opts;

/* BRINK_ENAME or BRINK_EARG with a sentence if `plot` cannot be read. */
brink_status brink__picture_new(brink_ctx *ctx, const brink__picture_opts *opt,
                                brink__picture **out);
void brink__picture_free(brink__picture *pic);
void brink__picture_clear(brink__picture *pic); /* no rows, no events */

/* Two rows with one time are the two sides of a jump. */
void brink__picture_row(brink__picture *pic, double t, const double *values, int mode);
void brink__picture_event(brink__picture *pic, double t, const char *name);

/* A whole SVG document.  Flushes nothing. */
void brink__picture_write(brink__picture *pic, brink__text *text);

/* Advance of a text in a sans-serif font of the given size, never too small for the
 * fonts the documents name. */
double brink__text_width(const char *text, double size);

/* ------------------------------------------------------------ inside ---- */

/* Which curves go where, as the user wrote it. */
typedef struct brink__plot_panel {
  int first, n; /* curves                                      */
  int strip;    /* the modes are shown under it; n may be 0    */
} brink__plot_panel;

typedef struct brink__plot_pick {
  size_t column;
  size_t over; /* column on the horizontal axis, or ...        */
  int phase;   /* ... 0: time                                 */
} brink__plot_pick;

typedef struct brink__plot_spec {
  brink__plot_pick pick[BRINK__PLOT_CURVES];
  int n_picks;
  brink__plot_panel panel[BRINK__PLOT_CURVES];
  int n_panels;
} brink__plot_spec;

brink_status brink__plot_parse(const brink__picture_opts *opt, brink__plot_spec *out,
                               brink_err *err);

enum {
  BRINK__DOT_BREAK = 1, /* the pen is up on the way to this dot     */
  BRINK__DOT_JUMP = 2,  /* ... because the model jumped             */
  BRINK__DOT_MARK = 4   /* an event happened here (phase curves)    */
};

typedef struct brink__dot {
  double x, y;
  unsigned flags;
} brink__dot;

typedef struct brink__curve {
  brink_variable var, over_var; /* strings borrowed                             */
  size_t column, over;
  int phase;
  const char *mode, *over_mode; /* that they are part of; NULL: none, always there */
  int asleep; /* that mode is not active                             */
  int pen_up; /* the last value was not finite, or not there         */
  int binary; /* discrete, and 0 and 1 are all there was             */
  double lo, hi, x_lo, x_hi;
  size_t n;
  int cells; /* per direction, at the last thinning; 0: none yet     */
  size_t cap;
  brink__dot *dots; /* [cap]                                                 */
} brink__curve;

typedef struct brink__mark {
  double t;
  int name;
} brink__mark;

/* A stay in a mode, up to the next one; -1: too many to be told apart. */
typedef struct brink__span {
  double t;
  int mode;
} brink__span;

typedef struct brink__event_name {
  char text[BRINK__PLOT_EVENT_TEXT];
  long count;
} brink__event_name;

struct brink__picture {
  brink_ctx *ctx;
  brink__block block;
  const char *title, *about, *time_unit, *caption, *plot;
  size_t n_variables;
  const char **modes;
  const brink_model *model;
  int n_modes, width, height;
  int mode; /* of the last row; -1: none                           */

  brink__plot_spec spec;
  brink__curve *curves; /* [spec.n_picks]                                    */

  double t0, t1; /* of the rows                                      */
  long rows;
  brink__mark *marks;
  size_t n_marks;
  brink__event_name *names; /* the last one stands for all that did not fit      */
  int n_names;
  int families; /* names are without their subscripts                  */
  brink__span *spans;
  size_t n_spans;
  unsigned char *cells;       /* scratch for thinning phase curves, or NULL        */
  struct brink__sheet *sheet; /* scratch for drawing                             */
};

/* Fewer dots, the same looks on `bins` columns (at most 6 dots of each stay), or, for
 * a phase curve, on as many cells in each direction, at most BRINK__PLOT_CELLS. */
void brink__curve_thin(brink__picture *pic, brink__curve *curve, int bins);

/* The mode of the model that the variable is part of, the innermost; NULL: none. */
const char *brink__mode_of(const brink_model *model, const char *variable);

/* A combination of modes is entered: is the curve there? */
void brink__curve_wake(brink__curve *curve, const char *combination);

/* With many names of events, those that differ in subscripts only become one. */
void brink__picture_families(brink__picture *pic);

/* An axis: where it begins and ends, its ticks (first .. last) * mantissa * 10^power
 * beyond offset, written in units of 10^exponent. */
typedef struct brink__axis {
  double lo, hi, offset;
  long first, last;
  int mantissa, power, exponent;
} brink__axis;

void brink__axis_fit(brink__axis *axis, double lo, double hi, double pad, int ticks);
double brink__axis_tick(const brink__axis *axis, long k);
void brink__axis_label(const brink__axis *axis, long k, char out[BRINK__NUMBER]);

#endif /* BRINK_OUT_PLOT_H */
