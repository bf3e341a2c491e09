/* papers_esposito.c -- the tables and figures of [EK07].
 *
 * Table I, example 2, Table II and figures 7 and 8.  The paper prints no starts: here
 * they are chosen, with its geometry.  Its endpoint method found 32 %; which steps
 * happen to land inside the wall depends on their sizes, so the largest step is varied.
 */
#include "papers.h"

#include "papers/esposito_runs.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STARTS = 100, LINES = 100, FIELDS = 3 };

static const double RTOL = 1e-4; /* the paper's */

/* -------------------------------------------------------------- table I --- */

/* One method and one largest step (0: any): what each locator finds. */
static int detect(const cli_paper_ask *ask, const cli_paper_table *t,
                  const char *method, double h_max, const esposito_start *starts)
{
  static const char *const locators[] = {"endpoint", "isolate", "extrapolate",
                                         "extra-state"};
  cli_paper_row row = {.n = 0};

  cli_paper_cell(&row, "%s", method);
  cli_paper_cell(&row, h_max > 0 ? "%g" : "any", h_max);
  for (size_t l = 0; l < sizeof locators / sizeof *locators; l++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = method;
    opt.locator = locators[l];
    opt.rtol = RTOL;
    opt.h_max = h_max;
    esposito_detected d = esposito_detect(ask->ctx, &opt, starts, STARTS);
    if (d.failed)
      return -1;
    cli_paper_cell(&row, "%.0f", 100.0 * d.n / STARTS);
    cli_paper_cell(&row, "%.1e", d.worst);
  }
  cli_paper_table_row(t, &row);
  return 0;
}

static int table_1(const cli_paper_ask *ask)
{
  static const char *const methods[] = {"bs23", "rkf45", "dopri5", "adams"};
  static const double h_max[] = {0, 2, 1};
  static const int widths[] = {-9, 4, 8, 7, 13, 7, 13, 7, 7, 7};
  static const char *const names[] = {
      "method", "step",          "endpoint", "error",   "interpolation",
      "error",  "extrapolation", "error",    "eq. (3)", "error"};
  cli_paper_row paper = {.n = 0};
  esposito_start starts[STARTS];
  uint64_t seed = 0x7ab1e1;

  for (int i = 0; i < STARTS; i++)
    starts[i] = esposito_start_random(esposito_uniform, &seed);
  cli_paper_table t = cli_paper_table_begin(
      ask, "Table I: collisions detected, in % of 100 random starts that collide", 10,
      widths, names);
  const char *const printed[] = {"the paper", "", "32", "", "", "", "100"};
  for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
    cli_paper_cell(&paper, "%s", printed[i]);
  cli_paper_table_row(&t, &paper);
  for (int m = 0; m < 4; m++)
    for (int h = 0; h < 3; h++)
      if (detect(ask, &t, methods[m], h_max[h], starts) != 0)
        return -1;
  cli_paper_table_end(
      &t, "step: the largest.  error: the worst of the time.  eq. (3): extrapolation "
          "with the "
          "guards as extra states, z' = dg/dt (the locator extra-state).");
  return 0;
}

/* ------------------------------------------------------------ example 2 --- */

/* Who looks for the edge of the workspace, and whether f is kept from being asked
 * beyond it. */
typedef struct lookout {
  const char *locator, *name;
  int gate;
} lookout;

/* All lines: what became of them. */
static esposito_fate follow(const cli_paper_ask *ask, int law, const char *method,
                            const lookout *way)
{
  uint64_t seed = 0xe592;
  esposito_fate f = {0};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = way->locator;
  opt.gate = way->gate;
  opt.rtol = RTOL;
  for (int i = 0; i < LINES; i++) {
    esposito_line line = esposito_line_random(i % 2, esposito_uniform, &seed);
    esposito_follow(ask->ctx, (esposito_law)law, &line, &opt, NULL, NULL, &f);
  }
  return f;
}

static int example_2(const cli_paper_ask *ask)
{
  static const lookout ways[] = {{"isolate", "interpolation", 0},
                                 {"isolate", "interpolation", 1},
                                 {"extrapolate", "extrapolation", 1},
                                 {"extra-state", "with eq. (3)", 1}};
  static const char *const methods[] = {"dopri5", "dop853", "adams"};
  static const int widths[] = {-13, -6, -14, -4, 9, 4, 7, 7, 8};
  static const char *const names[] = {"law",    "method",    "events by",
                                      "gate",   "completed", "died",
                                      "f/line", "outside",   "worst t"};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Example 2: 100 random lines that lead the arm out of its workspace", 9,
      widths, names);

  for (int law = ESPOSITO_RATE; law <= ESPOSITO_TRACK; law++)
    for (int m = 0; m < 3; m++)
      for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        cli_paper_row row = {.n = 0};
        esposito_fate f = follow(ask, law, methods[m], &ways[w]);
        if (f.failed)
          return -1;
        cli_paper_cell(&row, law == ESPOSITO_RATE ? "resolved rate" : "tracking");
        cli_paper_cell(&row, "%s", methods[m]);
        cli_paper_cell(&row, "%s", ways[w].name);
        cli_paper_cell(&row, ways[w].gate ? "shut" : "open");
        cli_paper_cell(&row, "%d", f.completed);
        cli_paper_cell(&row, "%d", f.died);
        cli_paper_cell(&row, "%.1f", (double)f.calls / LINES);
        cli_paper_cell(&row, "%ld", f.outside);
        cli_paper_cell(&row, f.completed ? "%.1e" : "-", f.worst);
        cli_paper_table_row(&t, &row);
      }
  cli_paper_table_end(
      &t, "The paper: interpolation died on all of 100 lines, extrapolation completed "
          "them.  Here the gate in front of f makes any locator complete them; outside "
          "counts calls of f beyond the workspace.");
  return 0;
}

/* ------------------------------------------------------------- table II --- */

/* a over b as "+7.2%"; "" if they are the same thing */
static void more(cli_paper_row *row, double a, double b)
{
  if (a != b)
    cli_paper_cell(row, a < 10 * b ? "%+.1f%%" : "%+.0f%%", 100 * (a / b - 1));
  else
    cli_paper_cell(row, "%s", "");
}

static double per_step(const esposito_racer *r) { return r->median / (double)r->steps; }

static int race(const cli_paper_ask *ask, const cli_paper_table *t, const char *method,
                int turning)
{
  enum { IN, EX, STATE, BARE, N };
  esposito_racer r[N] = {
      [IN] = {.name = "interpolation", .locator = "isolate", .gain = -1},
      [EX] = {.name = "extrapolation", .locator = "extrapolate", .gain = -1},
      [STATE] = {.name = "with eq. (3)", .locator = "extra-state", .gain = -1},
      [BARE] = {.name = "without gamma", .locator = "extrapolate", .gain = 0}};

  if (esposito_race(ask->ctx, method, turning, FIELDS, (int)ask->runs, r, N) != 0)
    return -1;
  for (int i = 0; i < N; i++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, turning ? "turning" : "straight");
    cli_paper_cell(&row, "%s", method);
    cli_paper_cell(&row, "%s", r[i].name);
    cli_paper_cell(&row, "%.4f", r[i].median / FIELDS);
    more(&row, r[i].median, r[IN].median);
    cli_paper_cell(&row, "%ld", r[i].steps);
    more(&row, (double)r[i].steps, (double)r[IN].steps);
    cli_paper_cell(&row, "%.2f", 1e6 * per_step(&r[i]));
    more(&row, per_step(&r[i]), per_step(&r[IN]));
    cli_paper_cell(&row, "%ld", r[i].events);
    cli_paper_cell(&row, "%.1f%%", 100 * (double)r[i].events / (double)r[i].steps);
    cli_paper_table_row(t, &row);
  }
  return 0;
}

static int table_2(const cli_paper_ask *ask)
{
  static const char *const methods[] = {"dopri5", "adams"};
  static const int widths[] = {-8, -6, -14, 7, 7, 6, 6, 7, 6, 6, 5};
  static const char *const names[] = {"cars", "method", "events by", "s/start",
                                      "cost", "steps",  "more",      "us/step",
                                      "more", "events", "share"};
  char title[96];

  if (ask->runs == 0)
    return 0;
  snprintf(title, sizeof title,
           "Table II: bumper cars, 100 s, %d starts, medians of %ld run%s each", FIELDS,
           ask->runs, ask->runs == 1 ? "" : "s");
  cli_paper_table t = cli_paper_table_begin(ask, title, 11, widths, names);
  for (int m = 0; m < 2; m++)
    for (int turning = 0; turning < 2; turning++)
      if (race(ask, &t, methods[m], turning) != 0)
        return -1;
  cli_paper_table_end(
      &t, "cost: time over that of interpolation; it splits into more steps and more "
          "time per step, which is reading guards ahead.  share: of the steps that end "
          "on an event.  gamma is computed only for a step that is cut; without gamma "
          "the step is aimed at the zero itself, and saves less than the steps that "
          "fall short of it cost.  The paper: 0.3106 s and 0.3330 s, a cost of 7.2 %, "
          "of which 96 % for gamma and 4 % for steps, 0.02 % of which had an event.");
  return 0;
}

/* ---------------------------------------------------------------- paths --- */

enum { POINTS = 1024 };

typedef struct path {
  double x[POINTS], y[POINTS], u[POINTS], v[POINTS];
  size_t n;
} path;

static void add(path *p, double x, double y, double u, double v)
{
  if (p->n == POINTS)
    return;
  p->x[p->n] = x;
  p->y[p->n] = y;
  p->u[p->n] = u;
  p->v[p->n] = v;
  p->n++;
}

/* First states at the ends of the steps, and at the start. */
static int on_step(const brink_step *step, double from, double to, int mode, void *user)
{
  path *p = user;
  double y[4] = {0};

  (void)mode;
  if (p->n == 0) {
    brink_step_at(step, from, y);
    add(p, y[0], y[1], y[2], y[3]);
  }
  brink_step_at(step, to, y);
  add(p, y[0], y[1], y[2], y[3]);
  return 0;
}

static void arc(path *p, double radius, double from, double to)
{
  enum { PARTS = 180 };

  for (int i = 0; i <= PARTS; i++) {
    double at = from + (to - from) * i / PARTS;
    add(p, radius * cos(at), radius * sin(at), 0, 0);
  }
}

/* ------------------------------------------------------------- figure 7 --- */

static int drive(const cli_paper_ask *ask, const char *method, const char *locator,
                 double gain, double h_max, path *out)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_model *model = esposito_vehicle_new(ask->ctx);
  brink_sim *sim = NULL;

  opt.method = method;
  opt.locator = locator;
  opt.rtol = RTOL;
  opt.gain = gain;
  opt.h_max = h_max;
  opt.event_tol = 1e-4;
  int bad = !model || brink_sim_new(ask->ctx, model, &opt, &sim) < 0;
  if (!bad) {
    brink_sim_observe(sim, &(brink_observer){.on_step = on_step, .user = out});
    brink_sim_start(sim, 0, 0, (const double[]){0, 0, -0.2});
    brink_sim_run(sim, 3.2);
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return bad ? -1 : 0;
}

/* The way the vehicle would go if there were no walls. */
static void true_path(path *p)
{
  const double turn = 0.2, heading = -0.2, bend = 1.75;
  double t_bend = bend / cos(heading);

  for (double t = 0; t <= 3.6; t += 0.02) {
    double th = t < t_bend ? heading : heading + turn * (t - t_bend);
    if (t < t_bend)
      add(p, t * cos(heading), t * sin(heading), 0, 0);
    else
      add(p, bend + (sin(th) - sin(heading)) / turn,
          t_bend * sin(heading) + (cos(heading) - cos(th)) / turn, 0, 0);
  }
}

enum { SERIES_7 = 4 };

/* The corridor, or a part of it. */
static brink_panel corridor(const char *title, const brink_series *s, double x0,
                            double x1, double y0, double y1)
{
  return (brink_panel){.title = title,
                       .x_title = "x",
                       .y_title = "y",
                       .x_lo = x0,
                       .x_hi = x1,
                       .y_lo = y0,
                       .y_hi = y1,
                       .series = s,
                       .n_series = SERIES_7};
}

static int figure_7(const cli_paper_ask *ask)
{
  static const double lower_x[] = {-0.2, 2.8, 2.8, -0.2},
                      lower_y[] = {-0.4, -0.4, -1, -1},
                      upper_x[] = {-0.2, 3.5, 3.5, 4, 4, -0.2},
                      upper_y[] = {0.5, 0.5, -1, -1, 1, 1};
  static path exact, way[2];
  brink_series s[2][SERIES_7], near[2][SERIES_7];
  brink_panel panels[4];

  exact.n = way[0].n = way[1].n = 0;
  true_path(&exact);
  if (drive(ask, "rkf45", "endpoint", -1, 0, &way[0]) != 0 ||
      drive(ask, "adams", "extrapolate", 0.5, 0.12, &way[1]) != 0)
    return -1;
  for (int i = 0; i < 2; i++) {
    s[i][0] = (brink_series){"walls", lower_x, lower_y, 4, BRINK_PEN_AREA, BRINK_GREY};
    s[i][1] = (brink_series){NULL, upper_x, upper_y, 6, BRINK_PEN_AREA, BRINK_GREY};
    s[i][2] = (brink_series){"the exact path", exact.x,          exact.y,
                             exact.n,          BRINK_PEN_DASHES, BRINK_GREY};
    s[i][3] = (brink_series){"ends of steps", way[i].x,       way[i].y,
                             way[i].n,        BRINK_PEN_BOTH, i};
    memcpy(near[i], s[i], sizeof near[i]);
    for (int k = 0; k < SERIES_7; k++)
      near[i][k].name = NULL;
    panels[i] = corridor(i ? "extrapolation, adams, gain 0.5, steps up to 0.12"
                           : "endpoint, rkf45",
                         s[i], -0.1, 3.8, -0.8, 0.7);
    panels[2 + i] = corridor("the same at the wall", near[i], 1.6, 2.95, -0.5, -0.3);
  }
  return cli_paper_figure(
      ask, "esposito_fig7.svg",
      (brink_figure){.title = "Figure 7: the vehicle in the corridor",
                     .caption = "rtol 1e-4; the steering changes at x = 1.75, which is "
                                "an event too and is approached in the same way",
                     .panels = panels,
                     .n_panels = 4,
                     .columns = 2});
}

/* ------------------------------------------------------------- figure 8 --- */

static int reach(const cli_paper_ask *ask, const char *locator, long gate, path *out,
                 path *outside, int *completed)
{
  enum { ROOM = 64 };
  static const esposito_line line = {
      .p0 = {0.6, 0.5}, .v = {0.4, 0.2}, .t_star = 1.6301651610693425};
  double at[ROOM][2];
  esposito_calls calls = {.at = at, .room = ROOM};
  esposito_fate fate = {0};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "adams";
  opt.locator = locator;
  opt.gate = gate;
  opt.rtol = RTOL;
  opt.eps_g = 1e-4;
  opt.gain = gate ? 0.5 : -1;
  esposito_follow(ask->ctx, ESPOSITO_TRACK, &line, &opt,
                  &(brink_observer){.on_step = on_step, .user = out}, &calls, &fate);
  for (long i = 0; i < calls.outside && i < ROOM; i++)
    add(outside, at[i][0], at[i][1], 0, 0);
  *completed = fate.completed;
  return fate.failed ? -1 : 0;
}

/* The links at the point of the path that is this part of the way, behind a break. */
static void links(path *out, const path *p, double part)
{
  double at = p->x[0] + part * (p->x[p->n - 1] - p->x[0]);
  size_t k = 0;

  while (k + 1 < p->n && p->x[k] < at)
    k++;
  double a = p->u[k], b = a + p->v[k];
  double x = ESPOSITO_L1 * cos(a), y = ESPOSITO_L1 * sin(a);
  add(out, nan(""), nan(""), 0, 0);
  add(out, 0, 0, 0, 0);
  add(out, x, y, 0, 0);
  add(out, x + ESPOSITO_L2 * cos(b), y + ESPOSITO_L2 * sin(b), 0, 0);
}

enum { SERIES_8 = 4 };

/* What one way of looking for the edge did. */
typedef struct reached {
  path way, outside, arm;
  brink_series series[SERIES_8], near[SERIES_8]; /* near: the same, without names */
  char title[64];
  int completed;
} reached;

static void show(reached *r, const path *edge, int i)
{
  r->series[0] = (brink_series){"edge of the workspace", edge->x,   edge->y, edge->n,
                                BRINK_PEN_DASHES,        BRINK_GREY};
  r->series[1] =
      (brink_series){"links", r->arm.x, r->arm.y, r->arm.n, BRINK_PEN_LINE, 5};
  r->series[2] = (brink_series){"reference at the ends of steps",
                                r->way.x,
                                r->way.y,
                                r->way.n,
                                BRINK_PEN_BOTH,
                                i};
  r->series[3] = (brink_series){i ? NULL : "f asked beyond",
                                r->outside.x,
                                r->outside.y,
                                r->outside.n,
                                BRINK_PEN_CROSSES,
                                6};
  memcpy(r->near, r->series, sizeof r->near);
  for (int k = 0; k < SERIES_8; k++)
    r->near[k].name = NULL;
}

static brink_panel plane(const char *title, const brink_series *s, double x, double y,
                         double width)
{
  return (brink_panel){.title = title,
                       .x_title = "x",
                       .y_title = "y",
                       .square = 1,
                       .x_lo = x,
                       .x_hi = x + width,
                       .y_lo = y,
                       .y_hi = y + 0.7 * width,
                       .series = s,
                       .n_series = SERIES_8};
}

static int figure_8(const cli_paper_ask *ask)
{
  static path edge;
  static reached r[2];
  brink_panel panels[4];

  memset(r, 0, sizeof r);
  edge.n = 0;
  arc(&edge, ESPOSITO_L1 + ESPOSITO_L2, -0.8, 1.8);
  add(&edge, nan(""), nan(""), 0, 0);
  arc(&edge, ESPOSITO_L1 - ESPOSITO_L2, -0.8, 1.8);
  for (int i = 0; i < 2; i++) {
    if (reach(ask, i ? "extrapolate" : "isolate", i, &r[i].way, &r[i].outside,
              &r[i].completed) != 0)
      return -1;
    for (int k = 0; k < 3; k++)
      links(&r[i].arm, &r[i].way, k / 2.0);
    show(&r[i], &edge, i);
    snprintf(r[i].title, sizeof r[i].title, "%s: %s",
             i ? "extrapolation, gain 0.5" : "interpolation, no gate",
             r[i].completed ? "completed" : "died");
    panels[i] = plane(r[i].title, r[i].series, -0.2, -0.2, 1.9);
    panels[2 + i] = plane("the same at the edge", r[i].near, 1.05, 0.72, 0.3);
  }
  return cli_paper_figure(
      ask, "esposito_fig8.svg",
      (brink_figure){.title = "Figure 8: the two-link arm follows a line out of its "
                              "workspace",
                     .caption = "adams, rtol 1e-4, tracking law, from (0.6, 0.5) with "
                                "(0.4, 0.2) per second",
                     .panels = panels,
                     .n_panels = 4,
                     .columns = 2});
}

/* ------------------------------------------------------------------ all --- */

static int run(const cli_paper_ask *ask)
{
  if (table_1(ask) != 0 || example_2(ask) != 0 || table_2(ask) != 0)
    return cli_paper_fail(ask);
  printf("\n");
  return figure_7(ask) != 0 || figure_8(ask) != 0 ? CLI_FAILED : CLI_DONE;
}

const cli_paper cli_paper_esposito = {
    .name = "esposito",
    .text = "Esposito and Kumar 2007: tables I and II, example 2, figures 7 and 8",
    .title = "Esposito, Kumar: A State Event Detection Algorithm for Numerically "
             "Simulating Hybrid Systems with Model Singularities (2007)",
    .runs = 9,
    .run = run,
};
