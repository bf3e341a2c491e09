/* compare_table.c -- a comparison as a table for people, as CSV and as JSON.
 *
 * The two kinds of files are made from one list of cells, so that they say the same.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- words --- */

static const char *ending(const cmp_row *row)
{
  if (row->status < 0)
    return "failed";
  switch ((int)row->status) {
  case BRINK_END: return "end";
  case BRINK_TERMINATED: return "model";
  case BRINK_LIMIT: return "limit";
  case BRINK_ZENO: return "zeno";
  case BRINK_FOLD: return "fold";
  default: return "stopped";
  }
}

/* At most 7 columns. */
static const char *small(char out[16], double x)
{
  if (isnan(x))
    return "-";
  snprintf(out, 16, x == 0 ? "%.0f" : "%.1e", x);
  return out;
}

/* At most 7. */
static const char *count(char out[32], long n)
{
  if (n < 10000000)
    snprintf(out, 32, "%ld", n);
  else
    snprintf(out, 32, "%.1e", (double)n);
  return out;
}

/* --------------------------------------------------------------- people --- */

/* Columns that say the same in every row are left out. */
typedef struct shape {
  int methods, locators, outside; /* is it a column?          */
  int implicit;                   /* factorisations            */
} shape;

static shape shape_of(const cmp_job *job)
{
  const cmp_row *row = job->rows;
  shape s = {0};

  for (int i = 0; i < job->n_done; i++) {
    s.methods |= strcmp(row[i].method, row[0].method) != 0;
    s.locators |= strcmp(row[i].locator, row[0].locator) != 0;
    s.outside |= row[i].stats.work.outside_evals != 0;
    s.implicit |= row[i].stats.work.jacobians != 0;
  }
  s.methods |= !s.locators;
  return s;
}

/* One line; the cells of columns that are left out are not looked at. */
static void print_line(const shape *s, const char *method, const char *locator,
                       const char *events, const char *off, const char *const *work,
                       const char *outside, const char *seconds, const char *ended,
                       FILE *out)
{
  if (s->methods)
    fprintf(out, "%-7s ", method);
  if (s->locators)
    fprintf(out, "%-11s ", locator);
  fprintf(out, "%6s %22s %7s %7s %7s ", events, off, work[0], work[1], work[2]);
  if (s->implicit)
    fprintf(out, "%4s ", work[3]);
  if (s->outside)
    fprintf(out, "%7s ", outside);
  fprintf(out, "%7s %s\n", seconds, ended);
}

static void print_row(const shape *s, const cmp_row *row, int is_reference, FILE *out)
{
  char differs[32] = "-", off[64], a[16], b[16], events[32], steps[32], f[32], g[32];
  char outside[32], seconds[32], lu[32];
  const brink_work *w = &row->stats.work;
  const char *work[] = {count(steps, w->steps + w->rejected), count(f, w->f_evals),
                        count(g, row->stats.g_evals), count(lu, w->factorisations)};

  if (row->differs)
    snprintf(differs, sizeof differs, "#%zu", row->differs);
  snprintf(off, sizeof off, "%6s %7s %7s", differs, small(a, row->t_off),
           small(b, row->x_off));
  snprintf(seconds, sizeof seconds, "%.2g", row->stats.wall_seconds);
  print_line(s, row->method, row->locator, count(events, (long)row->n_events),
             is_reference ? "reference" : off, work, count(outside, w->outside_evals),
             seconds, ending(row), out);
}

/* What all rows have in common, and what they are held against. */
static void print_head(const cmp_job *job, const shape *s, FILE *out)
{
  const cmp_row *ref = &job->reference, *first = job->rows;
  char rtol[CLI_SHORT], common[CLI_NAME] = "";

  if (job->n_done > 0 && !s->methods)
    snprintf(common, sizeof common, ", method %.60s", first->method);
  if (job->n_done > 0 && !s->locators)
    snprintf(common, sizeof common, ", locator %.60s", first->locator);
  cli_note(out, 0, "%s from %.9g to %.9g, rtol %s%s", brink_model_name(job->model),
           job->ask.start, job->ask.stop, cli_short(job->ask.sim.rtol, rtol), common);
  cli_note(out, 0, "reference: %s, %s, rtol %s; %zu event%s, ended at t = %.9g",
           ref->method, ref->locator, cli_short(ref->rtol, rtol), ref->n_events,
           ref->n_events == 1 ? "" : "s", ref->t_end);
  fputs("\n", out);
  print_line(s, "method", "locator", "events", "differ   t off   x off",
             (const char *const[]){"steps", "f evals", "g evals", "lu"}, "outside",
             "seconds", "ended", out);
}

static void print_event(FILE *out, const char *whose, const cmp_row *row, size_t k)
{
  if (k < row->n_events)
    cli_note(out, 4, "%s is '%s' (%s) at t = %.9g", whose, row->events[k].name,
             brink_kind_text(row->events[k].kind), row->events[k].t);
  else
    cli_note(out, 4, "%s: there is none", whose);
}

static void print_notes(const cmp_row *row, const cmp_row *ref, FILE *out)
{
  int as_the_reference = row != ref && row->status > 0 && row->status == ref->status;

  if (row->text[0] && !as_the_reference)
    cli_note(out, 2, "%s, %s: %s", row->method, row->locator, row->text);
  char line[CLI_LINE];
  if (*cli_switches(&row->stats, line))
    cli_note(out, 2, "with %s %s", row->locator, line);
  if (!row->differs)
    return;
  cli_note(out, 2, "%s, %s: event %zu is the first that differs", row->method,
           row->locator, row->differs);
  print_event(out, "here it", row, row->differs - 1);
  print_event(out, "in the reference it", ref, row->differs - 1);
}

void cmp_print(const cmp_job *job, FILE *out)
{
  const cmp_row *ref = &job->reference;
  shape s = shape_of(job);

  print_head(job, &s, out);
  print_row(&s, ref, 1, out);
  for (int i = 0; i < job->n_done; i++)
    print_row(&s, &job->rows[i], 0, out);
  fputs("\n", out);
  print_notes(ref, ref, out);
  for (int i = 0; i < job->n_done; i++)
    print_notes(&job->rows[i], ref, out);
  cli_note(
      out, 0,
      "differ: number of the first event that is another one than in the reference; t "
      "off: largest difference of an event time before that; x off: largest difference "
      "of a final value, relative to the largest of its variable.");
}

/* ---------------------------------------------------------------- cells --- */

typedef struct cell {
  const char *name, *text; /* text NULL: a number, NaN for none */
  double number;
} cell;

enum { CELLS = 21 };

static void cells_of(const cmp_job *job, const cmp_row *row, cell out[CELLS])
{
  const brink_work *w = &row->stats.work;
  int worst = row->x_off >= 0;
  const cell all[CELLS] = {
      {"method", row->method, 0},
      {"locator", row->locator, 0},
      {"rtol", NULL, row->rtol},
      {"reference", NULL, row == &job->reference},
      {"events", NULL, (double)row->n_events},
      {"first_difference", NULL, row->differs ? (double)row->differs : nan("")},
      {"event_times_off", NULL, row->t_off},
      {"final_values_off", NULL, row->x_off},
      {"worst_variable",
       worst ? brink_model_variable(job->model, row->x_worst).name : "", 0},
      {"steps", NULL, (double)w->steps},
      {"rejected", NULL, (double)w->rejected},
      {"f_evals", NULL, (double)w->f_evals},
      {"g_evals", NULL, (double)row->stats.g_evals},
      {"jacobians", NULL, (double)w->jacobians},
      {"factorisations", NULL, (double)w->factorisations},
      {"newton_iterations", NULL, (double)w->iterations},
      {"outside_evals", NULL, (double)w->outside_evals},
      {"wall_seconds", NULL, row->stats.wall_seconds},
      {"ended", ending(row), 0},
      {"end", NULL, row->t_end},
      {"reason", row->text, 0},
  };

  memcpy(out, all, sizeof all);
}

static void csv_text(const char *s, FILE *out)
{
  if (!strpbrk(s, ",\"\r\n")) {
    fputs(s, out);
    return;
  }
  fputc('"', out);
  for (; *s; s++) {
    if (*s == '"')
      fputc('"', out);
    fputc(*s, out);
  }
  fputc('"', out);
}

static void json_text(const char *s, FILE *out)
{
  fputc('"', out);
  for (; *s; s++) {
    if (*s == '"' || *s == '\\')
      fputc('\\', out);
    if ((unsigned char)*s < 0x20)
      fprintf(out, "\\u%04x", (unsigned)*s);
    else
      fputc(*s, out);
  }
  fputc('"', out);
}

static void csv_row(const cmp_job *job, const cmp_row *row, FILE *out)
{
  cell c[CELLS];

  cells_of(job, row, c);
  for (int i = 0; i < CELLS; i++) {
    if (i > 0)
      fputc(',', out);
    if (c[i].text)
      csv_text(c[i].text, out);
    else if (!isnan(c[i].number))
      fprintf(out, "%.17g", c[i].number);
  }
  fputc('\n', out);
}

void cmp_csv(const cmp_job *job, FILE *out)
{
  cell c[CELLS];

  cells_of(job, &job->reference, c);
  for (int i = 0; i < CELLS; i++)
    fprintf(out, "%s%s", i ? "," : "", c[i].name);
  fputc('\n', out);
  csv_row(job, &job->reference, out);
  for (int i = 0; i < job->n_done; i++)
    csv_row(job, &job->rows[i], out);
}

static void json_row(const cmp_job *job, const cmp_row *row, FILE *out)
{
  cell c[CELLS];

  cells_of(job, row, c);
  for (int i = 0; i < CELLS; i++) {
    fprintf(out, "%s\"%s\": ", i ? ", " : "{", c[i].name);
    if (c[i].text)
      json_text(c[i].text, out);
    else if (isfinite(c[i].number))
      fprintf(out, "%.17g", c[i].number);
    else
      fputs("null", out);
  }
  fputs("}", out);
}

void cmp_json(const cmp_job *job, FILE *out)
{
  fprintf(out, "{\n\"brink\": \"%s\",\n\"model\": ", brink_version());
  json_text(brink_model_name(job->model), out);
  fprintf(out, ",\n\"start\": %.17g,\n\"stop\": %.17g,\n\"rows\": [\n", job->ask.start,
          job->ask.stop);
  json_row(job, &job->reference, out);
  for (int i = 0; i < job->n_done; i++) {
    fputs(",\n", out);
    json_row(job, &job->rows[i], out);
  }
  fputs("\n]\n}\n", out);
}
