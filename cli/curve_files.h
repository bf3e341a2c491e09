/* curve_files.h -- a curve that has been followed: its points, and how they are shown.
 */
#ifndef BRINK_CLI_CURVE_FILES_H
#define BRINK_CLI_CURVE_FILES_H

#include "cli.h"

#include "brink/continue.h"

enum { CLI_CURVE_WORD = 64 };

typedef struct cli_curve {
  const brink_model *model;
  const char *over; /* the parameter */
  size_t n_vars, n, cap;
  double *s, *p;                /* [n] */
  double *values;               /* [n][n_vars] */
  brink_curve_kind *kind;       /* [n] */
  char (*name)[CLI_CURVE_WORD]; /* [n] */
} cli_curve;

/* 0, or -1: no memory, and the user has been told. */
int cli_curve_add(cli_curve *c, const brink_curve_point *point);
void cli_curve_drop(cli_curve *c);

/* CSV: all points, or those that are special with their kinds; a picture of the
 * variables over the parameter. */
void cli_curve_csv(const cli_curve *c, const brink_sink *sink);
void cli_curve_events(const cli_curve *c, const brink_sink *sink);
int cli_curve_svg(const cli_curve *c, const brink_sink *sink, int width, int height);

/* For people: special points, the last point, the work. */
void cli_curve_table(const cli_curve *c, const brink_curve_stats *stats, FILE *out);

#endif
