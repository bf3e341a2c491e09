/* curve_files.c -- the points of a curve as tables, CSV and a picture. */
#include "curve_files.h"

#include "brink/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- points --- */

static int grow(void *array, size_t n, size_t size)
{
  void **at = array;
  void *more = realloc(*at, n * size);

  if (more)
    *at = more;
  return more ? 0 : -1;
}

int cli_curve_add(cli_curve *c, const brink_curve_point *point)
{
  if (c->n == c->cap) {
    size_t cap = c->cap ? 2 * c->cap : 256;
    if (grow(&c->s, cap, sizeof *c->s) || grow(&c->p, cap, sizeof *c->p) ||
        grow(&c->values, cap * (c->n_vars + 1), sizeof *c->values) ||
        grow(&c->kind, cap, sizeof *c->kind) || grow(&c->name, cap, sizeof *c->name)) {
      cli_say("out of memory");
      return -1;
    }
    c->cap = cap;
  }
  c->s[c->n] = point->s;
  c->p[c->n] = point->p;
  c->kind[c->n] = point->kind;
  if (c->n_vars)
    memcpy(c->values + c->n * c->n_vars, point->values, c->n_vars * sizeof *c->values);
  snprintf(c->name[c->n], sizeof c->name[0], "%s", point->name);
  c->n++;
  return 0;
}

void cli_curve_drop(cli_curve *c)
{
  free(c->s);
  free(c->p);
  free(c->values);
  free(c->kind);
  free(c->name);
}

static double value(const cli_curve *c, size_t k, size_t i)
{
  return c->values[k * c->n_vars + i];
}

/* ----------------------------------------------------------------- CSV --- */

static void put(const brink_sink *sink, const char *text)
{
  sink->write(sink->user, text, strlen(text));
}

/* The shortest decimal that reads back. */
static void put_number(const brink_sink *sink, double x)
{
  char text[40];

  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x)
      break;
  }
  put(sink, text);
}

/* A text with commas or quotes is quoted, RFC 4180. */
static void put_text(const brink_sink *sink, const char *text)
{
  if (!strpbrk(text, ",\"\n")) {
    put(sink, text);
    return;
  }
  put(sink, "\"");
  for (; *text; text++)
    put(sink, *text == '"' ? "\"\"" : (char[]){*text, 0});
  put(sink, "\"");
}

static void put_names(const cli_curve *c, const brink_sink *sink)
{
  put_text(sink, c->over);
  for (size_t i = 0; i < c->n_vars; i++) {
    put(sink, ",");
    put_text(sink, brink_model_variable(c->model, i).name);
  }
  put(sink, "\n");
}

static void put_point(const cli_curve *c, const brink_sink *sink, size_t k)
{
  put_number(sink, c->s[k]);
  put(sink, ",");
  put_number(sink, c->p[k]);
  for (size_t i = 0; i < c->n_vars; i++) {
    put(sink, ",");
    put_number(sink, value(c, k, i));
  }
  put(sink, "\n");
}

void cli_curve_csv(const cli_curve *c, const brink_sink *sink)
{
  put(sink, "s,");
  put_names(c, sink);
  for (size_t k = 0; k < c->n; k++)
    put_point(c, sink, k);
}

void cli_curve_events(const cli_curve *c, const brink_sink *sink)
{
  put(sink, "kind,event,s,");
  put_names(c, sink);
  for (size_t k = 0; k < c->n; k++) {
    if (c->kind[k] == BRINK_CURVE_POINT)
      continue;
    put(sink, brink_curve_kind_text(c->kind[k]));
    put(sink, ",");
    put_text(sink, c->name[k]);
    put(sink, ",");
    put_point(c, sink, k);
  }
}

/* ------------------------------------------------------------- picture --- */

enum { SERIES = 2 }; /* of a panel: the curve, and its special points */

typedef struct drawing {
  brink_panel panel[BRINK_PANELS_MOST];
  brink_series series[BRINK_PANELS_MOST][SERIES];
  double *y;    /* [panels][n] */
  double *mark; /* [panels][n] NaN where nothing is special */
} drawing;

static void draw(const cli_curve *c, drawing *d, size_t i)
{
  double *y = d->y + i * c->n, *mark = d->mark + i * c->n;

  for (size_t k = 0; k < c->n; k++) {
    y[k] = value(c, k, i);
    mark[k] = c->kind[k] == BRINK_CURVE_POINT ? nan("") : y[k];
  }
  d->series[i][0] = (brink_series){.x = c->p, .y = y, .n = c->n};
  d->series[i][1] = (brink_series){
      .x = c->p, .y = mark, .n = c->n, .pen = BRINK_PEN_DOTS, .colour = 1};
  d->panel[i] = (brink_panel){.x_title = c->over,
                              .y_title = brink_model_variable(c->model, i).name,
                              .series = d->series[i],
                              .n_series = SERIES};
}

int cli_curve_svg(const cli_curve *c, const brink_sink *sink, int width, int height)
{
  size_t panels = c->n_vars < BRINK_PANELS_MOST ? c->n_vars : BRINK_PANELS_MOST;
  drawing *d = calloc(1, sizeof *d);
  brink_err err = {0};
  int bad = 1;

  if (d) {
    d->y = calloc(panels * c->n + 1, sizeof *d->y);
    d->mark = calloc(panels * c->n + 1, sizeof *d->mark);
  }
  if (d && d->y && d->mark) {
    for (size_t i = 0; i < panels; i++)
      draw(c, d, i);
    brink_figure f = {.title = brink_model_name(c->model),
                      .panels = d->panel,
                      .n_panels = (int)panels,
                      .width = width,
                      .height = height};
    bad = brink_figure_write(sink, &f, &err) < 0 && err.status != BRINK_EIO;
    if (bad)
      cli_say_error(&err);
  } else {
    cli_say("out of memory");
  }
  if (d) {
    free(d->y);
    free(d->mark);
  }
  free(d);
  return bad ? -1 : 0;
}

/* --------------------------------------------------------------- table --- */

enum { SHOWN = 20, IN_LINE = 4 }; /* special points, or values; values of one of them */

static void special(const cli_curve *c, size_t k, size_t number, FILE *out)
{
  size_t n = c->n_vars < IN_LINE ? c->n_vars : IN_LINE;

  fprintf(out, "%6zu  %-12s  %-20.15g", number, brink_curve_kind_text(c->kind[k]),
          c->p[k]);
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%s%s = %.12g", i ? ", " : "  ",
            brink_model_variable(c->model, i).name, value(c, k, i));
  fprintf(out, "%s%s%s\n", n < c->n_vars ? ", ..." : "", c->name[k][0] ? "; " : "",
          c->name[k]);
}

static void specials(const cli_curve *c, FILE *out)
{
  size_t number = 0;

  for (size_t k = 0; k < c->n; k++) {
    if (c->kind[k] == BRINK_CURVE_POINT)
      continue;
    if (number == 0)
      fprintf(out, "     #  %-12s  %s\n", "kind", c->over);
    if (++number <= SHOWN)
      special(c, k, number, out);
  }
  if (number == 0)
    fputs("no folds, branch points or switches\n", out);
  if (number > SHOWN)
    fprintf(out, "   ...  (%zu more)\n", number - SHOWN);
}

void cli_curve_table(const cli_curve *c, const brink_curve_stats *stats, FILE *out)
{
  size_t n = c->n_vars < SHOWN ? c->n_vars : SHOWN;
  int width = 4;

  specials(c, out);
  for (size_t i = 0; i < n; i++) {
    int w = cli_columns(brink_model_variable(c->model, i).name);
    width = w > width ? w : width;
  }
  if (c->n > 0) {
    fprintf(out, "at %s = %.15g\n", c->over, c->p[c->n - 1]);
    for (size_t i = 0; i < n; i++) {
      const char *name = brink_model_variable(c->model, i).name;
      fprintf(out, "  %s%*s  %.9g\n", name, width - cli_columns(name), "",
              value(c, c->n - 1, i));
    }
    if (n < c->n_vars)
      fprintf(out, "  ... and %zu more\n", c->n_vars - n);
  }
  fprintf(out,
          "%ld point%s, %ld fold%s, %ld branch point%s, %ld switch%s in %.3g s\n"
          "%ld evaluations, %ld factorisations\n",
          stats->points, stats->points == 1 ? "" : "s", stats->folds,
          stats->folds == 1 ? "" : "s", stats->branches,
          stats->branches == 1 ? "" : "s", stats->switches,
          stats->switches == 1 ? "" : "es", stats->wall_seconds, stats->f_evals,
          stats->lu);
}
