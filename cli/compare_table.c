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

/* At most 8. */
static const char *count(char out[32], long n)
{
  if (n < 100000000)
    snprintf(out, 32, "%ld", n);
  else
    snprintf(out, 32, "%.2e", (double)n);
  return out;
}

/* --------------------------------------------------------------- people --- */

static void print_row(const cmp_row *row, int is_reference, FILE *out)
{
  char differs[32] = "-", off[64], a[16], b[16], steps[32], f[32], g[32];
  const brink_work *w = &row->stats.work;

  if (row->differs)
    snprintf(differs, sizeof differs, "#%zu", row->differs);
  snprintf(off, sizeof off, "%6s %7s %7s", differs, small(a, row->t_off),
           small(b, row->x_off));
  fprintf(out, "%-8s %-11s %6zu %22s %7s %8s %8s %7ld %7.2g %s\n", row->method,
          row->locator, row->n_events, is_reference ? "reference" : off,
          count(steps, w->steps + w->rejected), count(f, w->f_evals),
          count(g, row->stats.g_evals), w->outside_evals, row->stats.wall_seconds,
          ending(row));
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

  cli_note(out, 0, "%s from %.9g to %.9g, rtol %g", brink_model_name(job->model),
           job->ask.start, job->ask.stop, job->ask.sim.rtol);
  cli_note(out, 0, "reference: %s, %s, rtol %g; %zu event%s, ended at t = %.9g",
           ref->method, ref->locator, ref->rtol, ref->n_events,
           ref->n_events == 1 ? "" : "s", ref->t_end);
  fprintf(out, "\n%-8s %-11s %6s %6s %7s %7s %7s %8s %8s %7s %7s %s\n", "method",
          "locator", "events", "differ", "t off", "x off", "steps", "f evals",
          "g evals", "outside", "seconds", "ended");
  print_row(ref, 1, out);
  for (int i = 0; i < job->n_done; i++)
    print_row(&job->rows[i], 0, out);
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

enum { CELLS = 18 };

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
