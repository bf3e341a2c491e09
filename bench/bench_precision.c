/* bench_precision.c -- smooth orbits: taylor beside dop853 and adams, from coarse to
 * fine tolerances.
 *
 *   bench_precision           print the table
 *   bench_precision --write   and put it into docs/methods.md
 *   bench_precision --check   is the table there what is computed, but for times?
 *
 * Models of the collection with the references of their tests.  The error is the
 * largest of the states at the end, relative where a state is above 1.  Times are those
 * of whole runs by the tape, the fastest of alternating repetitions in one race for
 * each row, over that of dop853.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brink/brink.h"

enum { METHODS = 3, MOST_STATES = 64, LINE = 256, TEXT = 1 << 15, MOST_ROWS = 32 };

static const char *const methods[METHODS] = {"taylor", "dop853", "adams"};

typedef struct orbit {
  const char *title, *model;
  double t1;
} orbit;

static const orbit orbits[] = {
    {"Arenstorf", "arenstorf", 17.0652165601579625588917206249},
    {"Pleiades", "pleiades", 3},
    {"outer solar system", "outer_solar_system", 20000},
};

static const double tolerances[] = {1e-6, 1e-8, 1e-10, 1e-12, 1e-14};

/* Seconds for the race of one row. */
static const double RACE = 1;

/* What may differ where a compiler or a library rounds otherwise: evaluations by a
 * twentieth, errors by a factor of three, and near rounding by NOISE. */
static const double EVALUATIONS = 0.05, ERRORS = 3, NOISE = 1e-10;

typedef struct entry {
  brink_sim *sim;
  double t1;
  double error, ratio;
  long f, series;
} entry;

typedef struct reference {
  char name[MOST_STATES][32];
  double x[MOST_STATES];
  int n;
} reference;

typedef struct row {
  const orbit *orbit;
  double tol;
  entry e[METHODS];
} row;

/* -------------------------------------------------------------- reference --- */

static void fail(const char *what)
{
  fprintf(stderr, "bench_precision: %s\n", what);
  exit(1);
}

/* The values of the first run in tests/models/NAME.ref that are states: speeds and
 * places, no integrals. */
static reference reference_of(const orbit *o)
{
  char path[LINE * 2], line[LINE];
  reference r = {.n = 0};
  int runs = 0;

  snprintf(path, sizeof path, "%s/tests/models/%s.ref", BENCH_SOURCE, o->model);
  FILE *in = fopen(path, "r");
  if (!in)
    fail(path);
  while (fgets(line, sizeof line, in) && runs < 2) {
    runs += strncmp(line, "run", 3) == 0;
    if (runs == 1 && r.n < MOST_STATES &&
        sscanf(line, "value %31s %lf", r.name[r.n], &r.x[r.n]) == 2 &&
        strchr("xyzv", r.name[r.n][0]))
      r.n++;
  }
  fclose(in);
  return r;
}

/* -------------------------------------------------------------------- run --- */

static void run(void *arg)
{
  entry *e = arg;

  if (brink_sim_start(e->sim, 0, 0, NULL) < 0 ||
      brink_sim_run(e->sim, e->t1) != BRINK_END)
    fail(brink_sim_error(e->sim)->text);
}

static void measure(entry *e, const reference *r)
{
  run(e);
  brink_work w = brink_sim_statistics(e->sim).work;
  e->f = w.f_evals;
  e->series = w.jets;
  e->error = 0;
  for (int i = 0; i < r->n; i++) {
    double x;
    if (brink_sim_get(e->sim, r->name[i], &x) < 0)
      fail(r->name[i]);
    e->error = fmax(e->error, fabs(x - r->x[i]) / fmax(fabs(r->x[i]), 1));
  }
}

/* Alternating repetitions, each by the time of the processor: the machine may be busy
 * with other things. */
static void race(row *now)
{
  double fastest[METHODS], until = (double)clock() + RACE * CLOCKS_PER_SEC;

  for (int m = 0; m < METHODS; m++)
    fastest[m] = HUGE_VAL;
  while ((double)clock() < until)
    for (int m = 0; m < METHODS; m++) {
      clock_t from = clock();
      run(&now->e[m]);
      fastest[m] = fmin(fastest[m], (double)(clock() - from));
    }
  for (int m = 0; m < METHODS; m++)
    now->e[m].ratio = fastest[m] / fastest[1];
}

static row row_of(brink_ctx *ctx, const brink_model *model, const orbit *o, double tol,
                  const reference *r, int timed)
{
  row now = {.orbit = o, .tol = tol};
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = tol;
  opt.keep = BRINK_KEEP_NOTHING;
  for (int m = 0; m < METHODS; m++) {
    opt.method = methods[m];
    now.e[m].t1 = o->t1;
    if (brink_sim_new(ctx, model, &opt, &now.e[m].sim) < 0)
      fail(brink_ctx_error(ctx)->text);
    measure(&now.e[m], r);
  }
  if (timed)
    race(&now);
  for (int m = 0; m < METHODS; m++)
    brink_sim_free(now.e[m].sim);
  return now;
}

static int rows_of(const orbit *o, int timed, row *rows)
{
  char path[LINE * 2];
  brink_ctx *ctx;
  brink_model *model;
  reference r = reference_of(o);
  int n = 0;

  snprintf(path, sizeof path, "%s/models/%s.mo", BENCH_SOURCE, o->model);
  if (brink_ctx_new(NULL, &ctx) < 0 || brink_model_load(ctx, path, NULL, &model) < 0)
    fail(path);
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
    rows[n++] = row_of(ctx, model, o, tolerances[i], &r, timed);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return n;
}

/* ------------------------------------------------------------------ table --- */

static const char begin[] = "<!-- bench precision -->\n", end[] = "<!-- end -->\n";

static void print(FILE *out, const row *rows, int n)
{
  fprintf(out,
          "| orbit | tolerance | taylor: error | series | f | time | dop853: error | f "
          "| adams: error | f | time |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (int i = 0; i < n; i++) {
    const entry *e = rows[i].e;
    fprintf(
        out,
        "| %s | %.0e | %.1e | %ld | %ld | %.2f | %.1e | %ld | %.1e | %ld | %.2f |\n",
        rows[i].orbit->title, rows[i].tol, e[0].error, e[0].series, e[0].f, e[0].ratio,
        e[1].error, e[1].f, e[2].error, e[2].f, e[2].ratio);
  }
}

/* The page, with the place where the table begins and where it ends. */
static char *page(const char *path, char **from, char **to)
{
  char *text = calloc(2, TEXT);
  FILE *in = fopen(path, "r");

  if (!text || !in)
    fail(path);
  size_t n = fread(text, 1, 2 * TEXT - 1, in);
  fclose(in);
  text[n] = 0;
  *from = strstr(text, begin);
  *to = *from ? strstr(*from, end) : NULL;
  if (!*to)
    fail("docs/methods.md has no place for the table");
  *from += strlen(begin);
  return text;
}

static void write_page(const char *path, const row *rows, int n)
{
  char *from, *to, *text = page(path, &from, &to);
  FILE *out = fopen(path, "w");

  if (!out)
    fail(path);
  fwrite(text, 1, (size_t)(from - text), out);
  print(out, rows, n);
  fputs(to, out);
  fclose(out);
  free(text);
}

static int count_differs(long a, long b)
{
  return fabs((double)(a - b)) > EVALUATIONS * (double)b + 2;
}

static int error_differs(double a, double b)
{
  return (a > ERRORS * b || b > ERRORS * a) && fmax(a, b) > NOISE;
}

/* Is this line of the page what was computed? */
static int same(const char *line, const row *r)
{
  const entry *e = r->e;
  double tol, error[METHODS], time[2];
  long f[METHODS], series;

  if (sscanf(
          line,
          "| %*[a-zA-Z ] | %lf | %lf | %ld | %ld | %lf | %lf | %ld | %lf | %ld | %lf |",
          &tol, &error[0], &series, &f[0], &time[0], &error[1], &f[1], &error[2], &f[2],
          &time[1]) != 10 ||
      strncmp(line + 2, r->orbit->title, strlen(r->orbit->title)) != 0)
    return 0;
  int differs = fabs(tol / r->tol - 1) > 1e-6 || count_differs(series, e[0].series);
  for (int m = 0; m < METHODS; m++)
    differs |= count_differs(f[m], e[m].f) || error_differs(error[m], e[m].error);
  return !differs;
}

static int check_page(const char *path, const row *rows, int n)
{
  char *from, *to, *text = page(path, &from, &to);
  int bad = 0;

  for (int i = -2; i < n && from < to; i++, from = strchr(from, '\n') + 1)
    if (i >= 0 && !same(from, &rows[i])) {
      printf("the page says\n%.*s\nand not\n", (int)strcspn(from, "\n"), from);
      print(stdout, &rows[i], 1);
      bad = 1;
    }
  if (from != to)
    printf("the table of the page has another number of rows\n");
  bad |= from != to;
  free(text);
  return bad;
}

int main(int argc, char **argv)
{
  static row rows[MOST_ROWS];
  char path[LINE * 2];
  const char *verb = argc > 1 ? argv[1] : "";
  int n = 0, check = strcmp(verb, "--check") == 0;

  snprintf(path, sizeof path, "%s/docs/methods.md", BENCH_SOURCE);
  for (size_t i = 0; i < sizeof orbits / sizeof *orbits; i++)
    n += rows_of(&orbits[i], !check, rows + n);
  if (check)
    return check_page(path, rows, n);
  if (strcmp(verb, "--write") == 0)
    write_page(path, rows, n);
  print(stdout, rows, n);
  return 0;
}
