/* papers_breitenecker.c -- what [BEHK12] proposes, measured; and its figures 1 to 3.
 *
 * The paper has no table: it announces the evaluation.  Here is one, on its problems:
 * the algorithms of its section 3, which integrate anew to each proposal, the step in
 * the guard, and locators that read the polynomial of the step.  All take the same
 * steps of the classical Runge-Kutta method.
 */
#include "papers.h"

#include "papers/breitenecker_runs.h"

#include <math.h>
#include <string.h>

static const double STEP = 0.01, TOLERANCE = 1e-12; /* told in the remark */

/* ---------------------------------------------------------------- table --- */

/* A row of the table. */
static void row(const cli_paper_table *table, const char *group, const char *name,
                const breitenecker_found *r, const breitenecker_problem *p)
{
  cli_paper_row line = {.n = 0};

  cli_paper_cell(&line, "%s", group);
  cli_paper_cell(&line, "%s", name);
  if (r->n != p->n_events || !isfinite(r->worst_t)) {
    cli_paper_cell(&line, "%d of %d events", r->n, p->n_events);
  } else {
    cli_paper_cell(&line, "%.1e", r->worst_t);
    cli_paper_cell(&line, "%.1e", r->worst_g);
    cli_paper_cell(&line, "%.1f", r->f);
    cli_paper_cell(&line, "%.1f", r->g);
    cli_paper_cell(&line, "%.1f", r->f + r->g);
    cli_paper_cell(&line, "%ld", r->f_all);
    cli_paper_cell(&line, "%ld", r->g_all);
  }
  cli_paper_table_row(table, &line);
}

static brink_sim_opts options(const char *locator, long henon_steps)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "rk4";
  opt.h0 = STEP;
  opt.locator = locator;
  opt.henon_steps = henon_steps;
  opt.restep = BRINK_RESTEP_OFF;
  return opt;
}

static int table_of(const cli_paper_ask *ask, const breitenecker_problem *p)
{
  static const struct {
    const char *group, *locator;
    long steps;
    const char *name; /* NULL: what the record says */
  } rows[] = {{"variable g", "henon", 1, "1 step"},
              {"", "henon", 4, "4 steps"},
              {"", "henon", 0, NULL},
              {"polynomial", "isolate", 0, NULL},
              {"", "bisection", 0, NULL},
              {"", "illinois", 0, NULL}};

  static const int widths[] = {-10, -15, 7, 7, 7, 7, 6, 7, 7};
  static const char *const names[] = {"by",      "",     "error t", "|g|", "f/event",
                                      "g/event", "both", "f",       "g"};
  char title[96];

  snprintf(title, sizeof title, "%s: %d events, rk4, steps of %g", p->name, p->n_events,
           STEP);
  cli_paper_table t = cli_paper_table_begin(ask, title, 9, widths, names);
  for (int w = 0; w < BREITENECKER_WAYS; w++) {
    breitenecker_found r =
        breitenecker_classic(p, (breitenecker_way)w, STEP, TOLERANCE);
    row(&t, w ? "" : "time, anew", r.by, &r, p);
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    brink_sim_opts opt = options(rows[i].locator, rows[i].steps);
    breitenecker_found r = breitenecker_library(ask->ctx, p, &opt);
    if (r.failed) {
      cli_say_error(&r.why);
      return -1;
    }
    row(&t, rows[i].group, rows[i].name ? rows[i].name : r.by, &r, p);
  }
  return 0;
}

static int table(const cli_paper_ask *ask)
{
  for (int i = 0; i < BREITENECKER_PROBLEMS; i++)
    if (table_of(ask, breitenecker_problems[i]) != 0)
      return -1;
  cli_paper_remark(
      ask,
      "error t: the worst of all events, those of steps included.  |g|: the worst at "
      "the state that is handed over.  Per event: evaluations beyond those of a step "
      "without one; f, g: of the whole run.  time, anew: the algorithms of section 3 "
      "to 1e-12, each proposal integrated from the start of the step.  variable g: the "
      "locator henon; its numbers, as those of the polynomial, contain the search for "
      "other zeros in the step, which the sign test of section 3 does not make.");
  return 0;
}

/* ---------------------------------------------------------------- order --- */

static int orders(const cli_paper_ask *ask)
{
  static const char *const methods[] = {"bs23", "rk4", "dopri5"};

  static const int widths[] = {-8, 9, 12, 8};
  static const char *const names[] = {"method", "step", "error t", "order"};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Error of the first event of the pendulum, one step in g", 4, widths, names);

  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    double before = 0;
    for (double h = 0.04; h > 0.004; h /= 2) {
      cli_paper_row line = {.n = 0};
      brink_sim_opts opt = options("henon", 1);
      opt.method = methods[m];
      opt.h0 = opt.h_max = opt.h_min = h;
      opt.rtol = opt.atol = 1;
      opt.max_events = 1;
      breitenecker_found r =
          breitenecker_library(ask->ctx, &breitenecker_pendulum, &opt);
      if (r.n != 1) {
        cli_say_error(&r.why);
        return -1;
      }
      cli_paper_cell(&line, "%s", methods[m]);
      cli_paper_cell(&line, "%.4f", h);
      cli_paper_cell(&line, "%.2e", r.first_t);
      if (before > 0)
        cli_paper_cell(&line, "%.2f", log2(before / r.first_t));
      cli_paper_table_row(&t, &line);
      before = r.first_t;
    }
  }
  cli_paper_table_end(&t, NULL);
  return 0;
}

/* -------------------------------------------------------------- figures --- */

/* A step that is long enough to see what happens. */
static const double T0 = 0.36, T1 = 0.96;

/* colours as in the paper: bisection blue, secant green, tangent red, quadratic
 * magenta; here as near as the palette comes */
enum { BLACK = 6, BLUE = 0, GREEN = 2, RED = 1, MAGENTA = 3 };

/* Lines through points, with breaks. */
typedef struct pen {
  double x[64], y[64];
  size_t n;
} pen;

static void to(pen *p, double x, double y)
{
  if (p->n < sizeof p->x / sizeof *p->x) {
    p->x[p->n] = x;
    p->y[p->n++] = y;
  }
}

static void lift(pen *p) { to(p, nan(""), nan("")); }

static brink_series drawn(const char *name, const pen *p, brink_pen how, int colour)
{
  return (brink_series){name, p->x, p->y, p->n, how, colour};
}

static brink_series guard_along(const breitenecker_step *s)
{
  return (brink_series){"guard along the step", s->t,           s->g,
                        BREITENECKER_POINTS,    BRINK_PEN_LINE, BLACK};
}

static const pen *axis(void)
{
  static const pen zero = {.x = {0.36, 0.96}, .y = {0, 0}, .n = 2};

  return &zero;
}

/* The proposals of bisection, each with the value that decides where to go on. */
static void draw_bisection(const breitenecker_step *s, pen *p)
{
  for (int i = 0; i < 3; i++) {
    to(p, s->proposal[BREITENECKER_BISECTION][i], 0);
    to(p, s->proposal[BREITENECKER_BISECTION][i],
       s->proposal_g[BREITENECKER_BISECTION][i]);
    lift(p);
  }
}

/* The chords: from one end of the bracket to the other. */
static void draw_secant(const breitenecker_step *s, int n, pen *p)
{
  double a = s->t[0], ga = s->g[0], b = s->t[BREITENECKER_POINTS - 1],
         gb = s->g[BREITENECKER_POINTS - 1];

  for (int i = 0; i < n; i++) {
    double t = s->proposal[BREITENECKER_SECANT][i],
           g = s->proposal_g[BREITENECKER_SECANT][i];
    to(p, a, ga);
    to(p, b, gb);
    lift(p);
    if (g * ga > 0)
      a = t, ga = g;
    else
      b = t, gb = g;
  }
}

/* Tangents down to the axis, and up to the guard there. */
static void draw_tangent(const breitenecker_step *s, int n, pen *p)
{
  double t = s->t[0], g = s->g[0];

  for (int i = 0; i < n; i++) {
    to(p, t, g);
    t = s->proposal[BREITENECKER_TANGENT][i];
    to(p, t, 0);
    g = s->proposal_g[BREITENECKER_TANGENT][i];
    to(p, t, g);
  }
}

static brink_panel panel(const char *title, const char *x, const char *y,
                         const brink_series *series, int n)
{
  return (brink_panel){
      .title = title, .x_title = x, .y_title = y, .series = series, .n_series = n};
}

static int figure_1(const cli_paper_ask *ask, const breitenecker_step *s)
{
  pen bisection = {.n = 0}, secant = {.n = 0}, tangent = {.n = 0};

  draw_bisection(s, &bisection);
  draw_secant(s, 2, &secant);
  draw_tangent(s, 2, &tangent);
  const brink_series series[] = {drawn(NULL, axis(), BRINK_PEN_DASHES, BRINK_GREY),
                                 guard_along(s),
                                 drawn("bisection", &bisection, BRINK_PEN_BOTH, BLUE),
                                 drawn("secant", &secant, BRINK_PEN_BOTH, GREEN),
                                 drawn("tangent", &tangent, BRINK_PEN_BOTH, RED)};
  brink_panel p = panel(NULL, "t", "guard", series, 5);

  return cli_paper_figure(
      ask, "breitenecker_fig1.svg",
      (brink_figure){.title = "Figure 1: iterative location of a state event",
                     .caption = "the pendulum on its way to the pin, one step from "
                                "0.36 to 0.96; the first proposals of each algorithm",
                     .panels = &p,
                     .n_panels = 1});
}

static int figure_2(const cli_paper_ask *ask, const breitenecker_step *s)
{
  enum { PARTS = 40 };
  pen secant = {.n = 0}, tangent = {.n = 0}, parabola = {.n = 0}, zeros = {.n = 0};

  draw_secant(s, 1, &secant);
  draw_tangent(s, 1, &tangent);
  for (int i = 0; i <= PARTS; i++) {
    double d = (T1 - T0) * i / PARTS, g = s->g[0] + d * (s->rate + d * s->bend / 2);
    if (g < 1.2 * s->g[BREITENECKER_POINTS - 1])
      break;
    to(&parabola, T0 + d, g);
  }
  to(&zeros, s->proposal[BREITENECKER_SECANT_1][0], 0);
  to(&zeros, s->proposal[BREITENECKER_TANGENT_1][0], 0);
  to(&zeros, s->proposal[BREITENECKER_QUADRATIC][0], 0);
  const brink_series series[] = {
      drawn(NULL, axis(), BRINK_PEN_DASHES, BRINK_GREY),
      guard_along(s),
      drawn("secant", &secant, BRINK_PEN_LINE, GREEN),
      drawn("tangent", &tangent, BRINK_PEN_LINE, RED),
      drawn("quadratic", &parabola, BRINK_PEN_LINE, MAGENTA),
      drawn("what they propose", &zeros, BRINK_PEN_CROSSES, BLUE)};
  brink_panel p = panel(NULL, "t", "guard", series, 6);

  return cli_paper_figure(
      ask, "breitenecker_fig2.svg",
      (brink_figure){.title = "Figure 2: one proposal",
                     .caption = "secant, tangent and Taylor series of second order, on "
                                "the same step",
                     .panels = &p,
                     .n_panels = 1});
}

static int figure_3(const cli_paper_ask *ask, const breitenecker_step *s)
{
  double t1 = s->proposal[BREITENECKER_TANGENT_1][0], g0 = s->g[0], down = -g0 / 8;
  pen tangent = {.n = 0}, euler = {.n = 0}, left = {.n = 0}, right = {.n = 0},
      upright = {.n = 0};

  to(&tangent, T0, g0);
  to(&tangent, t1 + (t1 - T0) / 8, down);
  to(&left, t1, 0);
  to(&euler, g0, T0);
  to(&euler, 0, t1);
  to(&right, 0, t1);
  to(&upright, 0, T0);
  to(&upright, 0, T1);
  const brink_series in_time[] = {
      drawn(NULL, axis(), BRINK_PEN_DASHES, BRINK_GREY), guard_along(s),
      drawn("tangent", &tangent, BRINK_PEN_LINE, RED),
      drawn("its zero has to be computed", &left, BRINK_PEN_DOTS, RED)};
  const brink_series in_g[] = {
      drawn(NULL, &upright, BRINK_PEN_DASHES, BRINK_GREY),
      (brink_series){"time over the guard", s->g, s->t, BREITENECKER_POINTS,
                     BRINK_PEN_LINE, BLACK},
      drawn("a step of Euler's method, length -g", &euler, BRINK_PEN_LINE, RED),
      drawn("0 has to be inserted", &right, BRINK_PEN_DOTS, RED)};
  brink_panel panels[] = {panel("time is the variable", "t", "guard", in_time, 4),
                          panel("the guard is the variable", "guard", "t", in_g, 4)};

  return cli_paper_figure(
      ask, "breitenecker_fig3.svg",
      (brink_figure){.title =
                         "Figure 3: the tangent in time, and Euler's method in the "
                         "guard",
                     .caption = "the same line: what a method of higher order does on "
                                "the right is the locator henon",
                     .panels = panels,
                     .n_panels = 2,
                     .columns = 2});
}

/* ------------------------------------------------------------------ all --- */

static int run(const cli_paper_ask *ask)
{
  static breitenecker_step s;

  if (table(ask) != 0 || orders(ask) != 0)
    return CLI_FAILED;
  printf("\n");
  breitenecker_step_show(T0, T1, &s);
  return figure_1(ask, &s) != 0 || figure_2(ask, &s) != 0 || figure_3(ask, &s) != 0
             ? CLI_FAILED
             : CLI_DONE;
}

const cli_paper cli_paper_breitenecker = {
    .name = "breitenecker",
    .text = "Breitenecker et al. 2012: the guard as variable, measured; figures 1 to 3",
    .title = "Breitenecker, Ecker, Heinzl, Koerner, Roessler, Popper: Change of "
             "Independent Variable for State Event Detection (2012)",
    .runs = 0,
    .run = run,
};
