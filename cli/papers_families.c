/* papers_families.c -- figures for the pages about the families of locators and of
 * methods, with the numbers in them.
 */
#include "papers.h"

#include "papers/families.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 400, MOST_CURVES = 8 };

/* A line of a figure that grows, and a column of the table. */
typedef struct curve {
  const char *name;
  double x[MOST_POINTS], y[MOST_POINTS];
  size_t n;
} curve;

static void add(curve *c, double x, double y)
{
  if (c->n < MOST_POINTS) {
    c->x[c->n] = x;
    c->y[c->n++] = y;
  }
}

/* The panel of curves over the same x; their series go into `out`. */
static brink_panel panel(const char *title, const char *x, const char *y,
                         const curve *c, int n, brink_pen pen, brink_series *out)
{
  for (int i = 0; i < n; i++)
    out[i] = (brink_series){c[i].name, c[i].x, c[i].y, c[i].n, pen, i};
  return (brink_panel){
      .title = title, .x_title = x, .y_title = y, .series = out, .n_series = n};
}

static brink_panel logarithmic(brink_panel p, int y_log)
{
  p.x_log = 1;
  p.y_log = y_log;
  return p;
}

/* A row for each x, a column for each curve. */
static void table(const cli_paper_ask *ask, const char *title, const char *x,
                  const curve *c, int n, const char *remark)
{
  const char *names[1 + MOST_CURVES];
  int widths[1 + MOST_CURVES];

  for (int i = 0; i <= n; i++) {
    names[i] = i ? c[i - 1].name : x;
    widths[i] = strlen(names[i]) > 9 ? (int)strlen(names[i]) : 9;
  }
  cli_paper_table t = cli_paper_table_begin(ask, title, 1 + n, widths, names);
  for (size_t k = 0; k < c[0].n; k++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%.3g", c[0].x[k]);
    for (int i = 0; i < n; i++)
      cli_paper_cell(&row, "%.3g", c[i].y[k]);
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(&t, remark);
}

static int figure(const cli_paper_ask *ask, const char *name, const char *title,
                  const char *caption, const brink_panel *panels, int n)
{
  return cli_paper_figure(ask, name,
                          (brink_figure){.title = title,
                                         .caption = caption,
                                         .panels = panels,
                                         .n_panels = n,
                                         .columns = n});
}

/* ------------------------------------------------- locators that sample --- */

static int sampling(const cli_paper_ask *ask, brink_err *err)
{
  static const char *const names[] = {"endpoint",  "bisection-1", "linear",
                                      "tangent-1", "quadratic",   "illinois"};
  enum { N = sizeof names / sizeof *names };
  static curve c[N];
  brink_series s[N];

  for (int i = 0; i < N; i++) {
    c[i] = (curve){.name = names[i]};
    for (double h = 0.32; h > 0.004; h /= 2) {
      double error;
      if (families_guess(ask->ctx, names[i], h, &error, err) != 0)
        return -1;
      add(&c[i], h, error);
    }
  }
  table(ask, "Error of an event's time by the length of steps", "step", c, N,
        "The mean of 16 starts; a sample of the guard at each eighth of a step.");
  brink_panel p =
      logarithmic(panel(NULL, "length of steps", "error", c, N, BRINK_PEN_BOTH, s), 1);
  return figure(ask, "locators_sampling.svg", "One guess has an order, iteration none",
                "x = t + 0.3 sin 1.7 t passes 1.7391; the mean error of its time over "
                "16 starts",
                &p, 1);
}

/* -------------------------------------------------------------- isolate --- */

static int isolating(const cli_paper_ask *ask, brink_err *err)
{
  static const struct {
    const char *name, *locator;
    double scan_step;
  } ways[] = {{"isolate", "isolate", 0},
              {"illinois", "illinois", 0},
              {"scan 0.01", "illinois", 0.01},
              {"scan 0.0001", "illinois", 1e-4}};
  enum { N = sizeof ways / sizeof *ways };
  static curve found[N], cost[N];
  brink_series s[2][N];

  for (int i = 0; i < N; i++) {
    found[i] = cost[i] = (curve){.name = ways[i].name};
    for (int k = 0; k <= 14; k++) {
      families_pair r;
      if (families_pairs(ask->ctx, ways[i].locator, ways[i].scan_step, pow(10, -k), &r,
                         err) != 0)
        return -1;
      add(&found[i], pow(10, -k), r.found);
      add(&cost[i], pow(10, -k), r.g);
    }
  }
  table(ask, "Pairs of zeros: the part that is found", "gap", found, N, NULL);
  table(ask, "Evaluations of the guard in a run", "gap", cost, N,
        "Of 25 places of the pair; dopri5, steps of any length, rtol 1e-6.");
  brink_panel p[] = {
      logarithmic(panel("found", "gap between two zeros", "part of the pairs", found, N,
                        BRINK_PEN_BOTH, s[0]),
                  0),
      logarithmic(panel("at what cost", "gap between two zeros",
                        "evaluations of the guard", cost, N, BRINK_PEN_BOTH, s[1]),
                  1)};
  return figure(ask, "locators_isolate.svg", "Two zeros, ever closer to each other",
                "dopri5, rtol 1e-6; illinois samples each eighth of a step, or as "
                "finely as scan_step says",
                p, 2);
}

/* ---------------------------------------------------------- extrapolate --- */

static int extrapolating(const cli_paper_ask *ask, brink_err *err)
{
  static const struct {
    const char *name, *method, *locator;
  } ways[] = {{"isolate", "dopri5", "isolate"},
              {"extrapolate", "dopri5", "extrapolate"},
              {"rkf45 isol.", "rkf45", "isolate"},
              {"rkf45 extr.", "rkf45", "extrapolate"}};
  enum { N = sizeof ways / sizeof *ways };
  static curve error[N], steps[N];
  brink_series s[2][N];

  for (int i = 0; i < N; i++) {
    error[i] = steps[i] = (curve){.name = ways[i].name};
    for (int k = 4; k <= 12; k++) {
      families_event r;
      double tol = pow(10, -k);
      if (families_approach(ask->ctx, ways[i].method, ways[i].locator, tol, &r, err) !=
          0)
        return -1;
      add(&error[i], tol, r.error);
      add(&steps[i], tol, r.steps);
    }
  }
  table(ask, "Largest error of an event's time", "rtol", error, N, NULL);
  table(ask, "Steps", "rtol", steps, N,
        "y'' = -5.29 y passes one of 12 levels; without closing steps (restep).");
  brink_panel p[] = {logarithmic(panel("error of the event's time", "tolerance",
                                       "error", error, N, BRINK_PEN_BOTH, s[0]),
                                 1),
                     logarithmic(panel("steps of the run", "tolerance", "steps", steps,
                                       N, BRINK_PEN_BOTH, s[1]),
                                 1)};
  return figure(ask, "locators_extrapolate.svg",
                "An event at the end of a step, or inside it",
                "dopri5 if nothing is said: the interpolant is of order 4, the step "
                "of order 5",
                p, 2);
}

/* -------------------------------------------------------------- methods --- */

static brink_sim_opts with(const char *method, double tol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = opt.atol = tol;
  return opt;
}

static const int TURNS = 3;

enum { METHODS = 8, RUNGE_KUTTA = 5, FEW = 3 };

/* auto-rk is dop853 where there are no events, and would hide it in the figure. */
static const char *const methods[METHODS] = {"bs23",   "rk4",     "rkf45", "dopri5",
                                             "dop853", "auto-rk", "adams", "taylor"};

/* Errors over evaluations of f, errors and steps over the tolerance. */
typedef struct orbits {
  curve work[METHODS], error[METHODS], steps[METHODS];
} orbits;

/* rk4 knows no tolerance: 250 steps, 445, ... */
static double length_for(int digits)
{
  const double period = 6.283185307179586;

  return TURNS * period / (250 * pow(10, (digits - 3) / 4.0));
}

static int measure(const cli_paper_ask *ask, orbits *o, brink_err *err)
{
  for (int i = 0; i < METHODS; i++) {
    o->work[i] = o->error[i] = o->steps[i] = (curve){.name = methods[i]};
    for (int digits = 3; digits <= 13; digits++) {
      families_orbit r;
      double tol = pow(10, -digits);
      brink_sim_opts opt = with(methods[i], tol);
      if (strcmp(methods[i], "rk4") == 0)
        opt.h0 = length_for(digits);
      if (families_kepler(ask->ctx, &opt, TURNS, 0, NULL, &r, err) != 0)
        return -1;
      add(&o->work[i], (double)r.work.f_evals, r.error);
      add(&o->error[i], tol, r.error);
      add(&o->steps[i], tol, (double)r.work.steps);
    }
  }
  return 0;
}

static int taylor(const cli_paper_ask *ask, const orbits *o)
{
  static const int which[FEW] = {4, 6, 7}; /* dop853, adams, taylor */
  static curve error[FEW], steps[FEW];
  brink_series s[2][FEW];

  for (int i = 0; i < FEW; i++) {
    error[i] = o->error[which[i]];
    steps[i] = o->steps[which[i]];
  }
  brink_panel p[] = {
      logarithmic(
          panel("error", "tolerance", "error", error, FEW, BRINK_PEN_BOTH, s[0]), 1),
      logarithmic(
          panel("steps", "tolerance", "steps", steps, FEW, BRINK_PEN_BOTH, s[1]), 1)};
  return figure(ask, "methods_taylor.svg",
                "Taylor series: hardly more steps at fine tolerances",
                "Kepler's ellipse with eccentricity 0.6, three turns", p, 2);
}

static int runge_kutta(const cli_paper_ask *ask, brink_err *err)
{
  static orbits o;
  brink_series s[RUNGE_KUTTA];

  if (measure(ask, &o, err) != 0)
    return -1;
  table(ask, "Kepler's ellipse, three turns: error by tolerance", "tolerance", o.error,
        METHODS,
        "rk4 has steps of its own: 250 in the first row, 10^(1/4) times more in each "
        "that follows.");
  table(ask, "Steps by tolerance", "tolerance", o.steps, METHODS, NULL);
  brink_panel p = logarithmic(
      panel(NULL, "evaluations of f", "error", o.work, RUNGE_KUTTA, BRINK_PEN_BOTH, s),
      1);
  if (figure(
          ask, "methods_runge_kutta.svg", "Work and error of Runge-Kutta methods",
          "Kepler's ellipse with eccentricity 0.6, three turns; tolerances from 1e-3 "
          "to 1e-13",
          &p, 1) != 0)
    return -1;
  return taylor(ask, &o);
}

/* The steps of a run: their lengths and degrees over time. */
typedef struct walk {
  curve h, degree;
} walk;

static int on_step(const brink_step *step, double theta_begin, double theta_end,
                   int mode, void *user)
{
  walk *w = user;

  (void)mode;
  if (theta_begin > 0)
    return 0; /* the rest of a step that an event has cut */
  (void)theta_end;
  add(&w->h, step->t0, step->h);
  add(&w->degree, step->t0, step->degree);
  return 0;
}

static int adams(const cli_paper_ask *ask, brink_err *err)
{
  static walk w;
  families_orbit r;
  brink_sim_opts opt = with("adams", 1e-9);
  brink_series s[2];

  w = (walk){.h = {.name = NULL}};
  if (families_kepler(ask->ctx, &opt, 2, 1,
                      &(brink_observer){.on_step = on_step, .user = &w}, &r, err) != 0)
    return -1;
  char remark[128];
  snprintf(remark, sizeof remark,
           "adams, two turns, two events, 1e-9: %ld steps, %ld evaluations, error %.1e",
           r.work.steps, r.work.f_evals, r.error);
  cli_paper_remark(ask, remark);
  brink_panel p[] = {
      panel("length of steps", "time", "h", &w.h, 1, BRINK_PEN_BOTH, &s[0]),
      panel("degree of the step polynomial", "time", "degree", &w.degree, 1,
            BRINK_PEN_BOTH, &s[1])};
  p[0].y_log = 1;
  return figure(ask, "methods_adams.svg", "adams chooses order and step together",
                "Kepler's ellipse with eccentricity 0.6, tolerance 1e-9; events at pi "
                "and 3 pi change the flow, so that the method begins anew",
                p, 2);
}

/* ------------------------------------------------------------------ all --- */

typedef int part(const cli_paper_ask *ask, brink_err *err);

static int all(const cli_paper_ask *ask, part *const *parts, int n)
{
  for (int i = 0; i < n; i++) {
    brink_err err = {.status = BRINK_OK};
    if (parts[i](ask, &err) == 0)
      continue;
    if (err.status != BRINK_OK)
      cli_say_error(&err);
    return CLI_FAILED;
  }
  return CLI_DONE;
}

static int run_locators(const cli_paper_ask *ask)
{
  static part *const parts[] = {sampling, isolating, extrapolating};

  return all(ask, parts, 3);
}

static int run_methods(const cli_paper_ask *ask)
{
  static part *const parts[] = {runge_kutta, adams};

  return all(ask, parts, 2);
}

const cli_paper cli_paper_locators = {
    .name = "locators",
    .text = "no paper: figures of the families of locators, and their numbers",
    .title = "The families of locators",
    .run = run_locators,
};

const cli_paper cli_paper_methods = {
    .name = "methods",
    .text = "no paper: figures of the families of methods, and their numbers",
    .title = "The families of methods",
    .run = run_methods,
};
