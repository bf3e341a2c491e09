/* table.c -- what a terminal shows: events, values, work, progress; 100 columns.
 *
 * Widths are columns of a terminal for text in UTF-8: bytes that continue a
 * character do not count, and no character is cut in two.
 */
#include "out/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  FULL = 97,  /* columns of the table of events, ...                    */
  EVENT = 36, /* of these for the text of an event, if there is room    */
  LEAST = 14, /* ... and if there is not                                */
  NAME = 32,  /* for the name of a variable                             */
  VALUE = 16, /* for its value                                          */
  ABOUT = 38, /* for its description                                    */
  UNIT = 8,   /* for its unit                                           */
  MODE = 60,  /* for the name of a mode                                 */
  SHOWN = 24, /* variables in a table; files have them all              */
  LINE = 512  /* bytes for a line, before it is fitted                  */
};

/* --------------------------------------------------------------- widths --- */

static int continues(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

static int columns_of(const char *s)
{
  int n = 0;

  for (; *s; s++)
    n += !continues(*s);
  return n;
}

/* `field` in exactly `width` columns: padded, or cut with dots. */
static void put_fitted(brink__text *text, const char *field, int width)
{
  int columns = 0, keep = 0, all = 0;

  for (const char *p = field; *p; p++, all++) {
    columns += !continues(*p);
    if (columns <= width - 3)
      keep = all + 1;
  }
  if (columns > width) {
    brink__put(text, field, (size_t)keep);
    brink__puts(text, "...");
    return;
  }
  brink__puts(text, field);
  for (; columns < width; columns++)
    brink__puts(text, " ");
}

/* The same for a name, which keeps its end too: there are its line and its field. */
static void put_name(brink__text *text, const char *name, int width)
{
  enum { END = 11 }; /* "(line 1234)" */
  int tail = width / 2 < END ? width / 2 : width / 3 > END ? width / 3 : END;
  int columns = columns_of(name), head = width - 3 - tail;
  size_t from = 0, to = 0;

  if (columns <= width) {
    put_fitted(text, name, width);
    return;
  }
  for (int k = 0; name[from]; from++)
    if (!continues(name[from]) && k++ == head)
      break;
  to = strlen(name);
  for (int k = 0; k < tail; k += !continues(name[to]))
    to--;
  brink__put(text, name, from);
  brink__puts(text, "...");
  brink__puts(text, name + to);
}

static void put_at_most(brink__text *text, const char *field, int width)
{
  if (columns_of(field) <= width)
    brink__puts(text, field);
  else
    put_fitted(text, field, width);
}

/* --------------------------------------------------------------- events --- */

void brink_digest_add(brink_digest *digest, const brink_event *event)
{
  brink_event e = *event;

  e.y_before = e.y_after = NULL; /* only the run has them */
  if (digest->n < BRINK_DIGEST_ENDS)
    digest->first[digest->n] = e;
  else
    digest->last[digest->n % BRINK_DIGEST_ENDS] = e;
  digest->n++;
}

/* Which modes change into which: of machines side by side, joined by +, those that
 * move. */
static void moves(const char *from, const char *to, char *buf, size_t size)
{
  size_t n = strcspn(from, "+"), m = strcspn(to, "+");

  while (from[n] && to[m] && n == m && strncmp(from, to, n) == 0) {
    from += n + 1;
    to += m + 1;
    n = strcspn(from, "+");
    m = strcspn(to, "+");
  }
  size_t a = strlen(from), b = strlen(to), same = 0; /* at the end */
  for (size_t i = 0; i < a && i < b && from[a - 1 - i] == to[b - 1 - i]; i++)
    if (from[a - 1 - i] == '+')
      same = i + 1;
  snprintf(buf, size, "%.*s -> %.*s", (int)(a - same), from, (int)(b - same), to);
}

/* An impulse belongs to the event before it: below the columns of that, what jumps, by
 * how much, and the constraint that has forced it. */
static void put_jump(brink__text *text, const brink_event *e, int width)
{
  enum { INDENT = 10 };
  char what[2 * LINE];

  snprintf(what, sizeof what, "%s %s%.9g: %s", e->variable,
           e->classes ? "jumps by " : "is ", e->g, e->name);
  brink__putf(text, "%*s", INDENT, "");
  if (columns_of(what) <= width - INDENT)
    brink__puts(text, what);
  else
    put_name(text, what, width - INDENT);
  brink__puts(text, "\n");
}

static void put_event(brink__text *text, const brink_model *model, size_t k,
                      const brink_event *e, int width)
{
  char what[2 * LINE], which[LINE];

  if (e->variable) {
    put_jump(text, e, width + (FULL - EVENT));
    return;
  }
  if (e->mode_before != e->mode_after) {
    const char *from = brink_model_mode_name(model, e->mode_before);
    const char *to = brink_model_mode_name(model, e->mode_after);
    moves(from ? from : "", to ? to : "", which, sizeof which);
    snprintf(what, sizeof what, "%s: %s", which, e->name);
  } else {
    snprintf(what, sizeof what, "%s", e->name);
  }
  brink__putf(text, "%6zu  %-20.15g  ", k + 1, e->t);
  put_name(text, what, width);
  if (e->kind == BRINK_KIND_TIME)
    brink__putf(text, "  %-9s  %s\n", brink_kind_text(e->kind),
                brink_class_text(e->classes));
  else
    brink__putf(text, "  %-9s  %-5s  %s\n", brink_kind_text(e->kind),
                brink_class_text(e->classes), brink_certificate_text(e->certificate));
}

brink_status brink_write_events(const brink_sink *sink, const brink_model *model,
                                const brink_digest *digest, brink_err *err)
{
  BRINK__NEED(err, sink);
  BRINK__NEED(err, model);
  BRINK__NEED(err, digest);
  enum { ENDS = BRINK_DIGEST_ENDS };
  brink__text text;
  size_t n = digest->n, tail = n <= 2 * ENDS ? ENDS : n - ENDS;
  int columns = digest->columns > 0 && digest->columns < FULL ? digest->columns : FULL;
  int width = columns - (FULL - EVENT) > LEAST ? columns - (FULL - EVENT) : LEAST;

  brink__text_init(&text, sink);
  if (n == 0)
    brink__puts(&text, "no events\n");
  else
    brink__putf(&text, "%6s  %-20s  %-*s  %-9s  %-5s  %s\n", "#", "time", width,
                "event", "kind", "class", "certificate");
  for (size_t k = 0; k < n && k < ENDS; k++)
    put_event(&text, model, k, &digest->first[k], width);
  if (tail > ENDS)
    brink__putf(&text, "%6s  (%zu more)\n", "...", tail - ENDS);
  for (size_t k = tail; k < n; k++)
    put_event(&text, model, k, &digest->last[k % ENDS], width);
  return brink__text_flush(&text, err);
}

/* --------------------------------------------------------------- values --- */

static void put_value(brink__text *text, const brink_variable *v, double x,
                      int name_width)
{
  char number[LINE];
  int k = x >= 1 && x <= v->n_literals ? (int)x : 0;

  snprintf(number, sizeof number, "%.9g", x + 0.0); /* -0 is shown as 0 */
  brink__puts(text, "  ");
  put_name(text, v->name, name_width);
  brink__puts(text, "  ");
  const char *shown = k ? v->literals[k - 1] : number;
  if (!*v->unit && !*v->text) {
    brink__puts(text, shown);
  } else {
    put_fitted(text, shown, VALUE);
    if (!*v->text)
      brink__puts(text, v->unit);
    else
      put_fitted(text, v->unit, UNIT);
    put_at_most(text, v->text, ABOUT);
  }
  brink__puts(text, "\n");
}

brink_status brink_write_values(const brink_sink *sink, const brink_model *model,
                                double t, int mode, const double *values,
                                brink_err *err)
{
  BRINK__NEED(err, sink);
  BRINK__NEED(err, model);
  BRINK__NEED(err, values);
  brink__text text;
  size_t n = brink_model_variables(model), shown = n <= SHOWN ? n : SHOWN;
  int width = 4;

  brink__text_init(&text, sink);
  for (size_t i = 0; i < shown; i++) {
    int w = columns_of(brink_model_variable(model, i).name);
    width = w > NAME ? NAME : w > width ? w : width;
  }
  brink__putf(&text, "at t = %.15g", t);
  if (brink_model_modes(model) > 1) {
    const char *name = brink_model_mode_name(model, mode);
    brink__puts(&text, " in mode ");
    if (name)
      put_at_most(&text, name, MODE);
    else
      brink__putf(&text, "%d", mode);
  }
  brink__puts(&text, "\n");
  for (size_t i = 0; i < shown; i++) {
    brink_variable v = brink_model_variable(model, i);
    put_value(&text, &v, values[i], width);
  }
  if (shown < n)
    brink__putf(&text, "  ... and %zu more\n", n - shown);
  return brink__text_flush(&text, err);
}

/* ---------------------------------------------------------------- start --- */

brink_status brink_write_moves(const brink_sink *sink, const brink_report *report,
                               brink_err *err)
{
  BRINK__NEED(err, sink);
  BRINK__NEED(err, report);
  size_t shown =
      report->n_moved < BRINK_MOVED_STARTS ? report->n_moved : BRINK_MOVED_STARTS;
  brink__text text;

  brink__text_init(&text, sink);
  if (shown)
    brink__puts(&text, "start values that were not kept\n");
  for (size_t i = 0; i < shown; i++) {
    const brink_moved_start *m = &report->moved[i];
    brink__putf(&text, "  %s: %.9g -> %.9g", m->name, m->from, m->to);
    brink__putf(&text, m->forced_by[0] ? ", forced by %s\n" : "\n", m->forced_by);
  }
  if (shown < report->n_moved)
    brink__putf(&text, "  ... and %zu more\n", report->n_moved - shown);
  return brink__text_flush(&text, err);
}

/* ----------------------------------------------------------------- work --- */

/* " (dop853, radau)": the methods with which `auto` has taken steps. */
static void put_chosen(brink__text *text, const brink_sim_stats *s)
{
  int some = 0;

  for (int i = 0; i < BRINK_METHODS_MOST; i++)
    if (s->method_steps[i] > 0)
      brink__putf(text, "%s%s", some++ ? ", " : " (", brink_method_name(i));
  brink__puts(text, some ? ")" : "");
}

brink_status brink_write_work(const brink_sink *sink, const brink_report *report,
                              brink_err *err)
{
  BRINK__NEED(err, sink);
  BRINK__NEED(err, report);
  const brink_sim_stats *s = &report->stats;
  brink__text text;

  brink__text_init(&text, sink);
  brink__putf(&text, "%ld event%s (%ld at known times) in %.3g s with %s", s->events,
              s->events == 1 ? "" : "s", s->time_events, s->wall_seconds,
              report->method);
  put_chosen(&text, s);
  brink__putf(&text, " and %s\n", report->locator);
  brink__putf(&text,
              "%ld step%s (%ld rejected), evaluations: %ld of f, %ld of guards\n",
              s->work.steps, s->work.steps == 1 ? "" : "s", s->work.rejected,
              s->work.f_evals, s->g_evals);
  return brink__text_flush(&text, err);
}

/* ------------------------------------------------------------- progress --- */

void brink_progress_line(char *line, size_t size, int width, double done, double t,
                         long events, double seconds)
{
  enum { BAR = 30 };
  char all[LINE], left[32] = "";
  int filled = (int)(fmin(fmax(done, 0), 1) * BAR);
  size_t most = width > 100 ? 100 : width > 0 ? (size_t)width : 0;

  if (done > 0.01 && done < 1)
    snprintf(left, sizeof left, "  %.0f s left", seconds * (1 - done) / done);
  int n =
      snprintf(all, sizeof all, "[%.*s%.*s] %3d %%  t = %.6g  %ld events%s", filled,
               "##############################", BAR - filled,
               "..............................", (int)(100 * done), t, events, left);
  size_t fits = n < 0 ? 0 : (size_t)n < most ? (size_t)n : most;
  snprintf(line, size, "%.*s", (int)fits, all);
}
