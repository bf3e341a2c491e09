/* papers_donolo.c -- the figures 1 and 5 to 12 of [Donolo02], with the numbers in them.
 *
 * The thesis prints few numbers: Table 2, the local error bounds at which 40 s of a
 * pendulum cost the same, which is made here in our count of operations.  Times of
 * bounces have a closed form, events of the ramp references (papers/donolo.h).  Where
 * a run meets the time at which bounces accumulate, the run's own sentence says what
 * was done about it.
 */
#include "papers.h"

#include "papers/donolo_runs.h"

#include <math.h>
#include <string.h>

static const double RESTITUTION = 0.9;

static brink_sim_opts options(const char *method, const char *locator, double event_tol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.event_tol = event_tol;
  opt.keep = BRINK_KEEP_NOTHING;
  opt.zeno = BRINK_ZENO_STEP; /* as the paper: bounce after bounce */
  opt.zeno_gap = 1e-300;      /* down to rounding */
  return opt;
}

/* Error of bounce n, or NaN. */
static double error_of(const donolo_bounces *b, int n)
{
  return n <= b->n ? fabs(b->t[n - 1] - donolo_bounce_time(RESTITUTION, n)) : nan("");
}

static void error_cell(cli_paper_row *row, double error)
{
  if (isnan(error))
    cli_paper_cell(row, "lost");
  else
    cli_paper_cell(row, "%.1e", error);
}

/* ------------------------------------------------- figure 1, section 2.2 --- */

/* rk4 with steps of h. */
static brink_sim_opts fixed(const char *locator, double h)
{
  brink_sim_opts opt = options("rk4", locator, 0);

  opt.h0 = h;
  opt.restep = BRINK_RESTEP_OFF;
  return opt;
}

static int boundary_errors(const cli_paper_ask *ask)
{
  static const int widths[] = {-8, 12, 10, 12, 12};
  static const char *const names[] = {"h", "endpoint", "over h", "3rd bounce",
                                      "isolate"};
  static donolo_bounces late, located;
  brink_model *ball = donolo_ball_new(ask->ctx, RESTITUTION, 0);
  cli_paper_table t = cli_paper_table_begin(
      ask, "Section 2.2.5: error of the first bounce, rk4 with steps of h", 5, widths,
      names);
  int bad = 0;

  for (double h = 0.05; !bad && h > 0.002; h /= 2) {
    cli_paper_row row = {.n = 0};
    brink_sim_opts end = fixed("endpoint", h), in = fixed("isolate", h);
    bad = donolo_bounce(ask->ctx, ball, &end, 1, &late) != 0 ||
          donolo_bounce(ask->ctx, ball, &in, 1, &located) != 0;
    cli_paper_cell(&row, "%.5g", h);
    error_cell(&row, error_of(&late, 1));
    cli_paper_cell(&row, "%.3f", error_of(&late, 1) / h);
    error_cell(&row, error_of(&late, 3));
    error_cell(&row, error_of(&located, 1));
    if (!bad)
      cli_paper_table_row(&t, &row);
  }
  brink_model_free(ball);
  cli_paper_table_end(
      &t, "endpoint: H is applied where a step ends outside K, as in figure 1.  The "
          "paper: e_t = (1 - phi) h with phi in (0, 1), which is O(h) (2.41); later "
          "bounces inherit the speed that was too high.");
  return bad ? -1 : 0;
}

/* The way of the ball. */
enum { WAY = 8192 };
typedef struct way {
  double t[WAY], x[WAY], error[WAY]; /* error: of the speed */
  int n;
} way;

/* The error at the ends of a piece is that just inside, where the exact ball is before
 * or behind its bounce as well. */
static void way_add(way *w, double t, double inside, const double *y)
{
  double exact[2];

  if (w->n == WAY)
    return;
  donolo_ball_at(RESTITUTION, t + 0x1p-20 * (inside - t), exact);
  w->t[w->n] = t;
  w->x[w->n] = y[0];
  w->error[w->n++] = y[1] - exact[1];
}

static int on_step(const brink_step *s, double from, double to, int mode, void *user)
{
  enum { PARTS = 16 };

  (void)mode;
  for (int i = 0; i <= PARTS; i++) {
    double y[2], theta = from + (to - from) * i / PARTS;
    brink_step_at(s, theta, y);
    way_add(user, s->t0 + theta * s->h, s->t0 + 0.5 * (from + to) * s->h, y);
  }
  return 0;
}

/* From the start to t_end. */
static int fly(const cli_paper_ask *ask, const brink_model *ball,
               const brink_sim_opts *opt, double t_end, way *out)
{
  brink_sim *sim = NULL;

  out->n = 0;
  if (!ball || brink_sim_new(ask->ctx, ball, opt, &sim) < 0)
    return -1;
  brink_sim_observe(sim, &(brink_observer){.on_step = on_step, .user = out});
  brink_sim_start(sim, 0, 0, (const double[]){DONOLO_HEIGHT, 0});
  brink_sim_run(sim, t_end);
  brink_sim_free(sim);
  return 0;
}

static int figure_1(const cli_paper_ask *ask)
{
  enum { POINTS = 801 };
  static double t[POINTS], x[POINTS];
  static way late, located;
  const double h = 0.05, end = 1.6;
  brink_sim_opts at_end = fixed("endpoint", h), inside = fixed("isolate", h);
  brink_model *ball = donolo_ball_new(ask->ctx, RESTITUTION, 0);
  int bad = fly(ask, ball, &at_end, end, &late) != 0 ||
            fly(ask, ball, &inside, end, &located) != 0;

  brink_model_free(ball);
  if (bad)
    return cli_paper_fail(ask);
  for (int i = 0; i < POINTS; i++) {
    double y[2];
    t[i] = end * i / (POINTS - 1);
    donolo_ball_at(RESTITUTION, t[i], y);
    x[i] = y[0];
  }
  const brink_series heights[] = {
      {"exact", t, x, POINTS, BRINK_PEN_DASHES, BRINK_GREY},
      {"endpoint", late.t, late.x, (size_t)late.n, BRINK_PEN_LINE, 1},
      {"isolate", located.t, located.x, (size_t)located.n, BRINK_PEN_LINE, 0}};
  const brink_series speeds[] = {
      {"endpoint", late.t, late.error, (size_t)late.n, BRINK_PEN_LINE, 1},
      {"isolate", located.t, located.error, (size_t)located.n, BRINK_PEN_LINE, 0}};
  const brink_panel panels[] = {{.title = "a) height",
                                 .x_title = "t",
                                 .y_title = "x",
                                 .series = heights,
                                 .n_series = 3},
                                {.title = "b) error of the speed",
                                 .x_title = "t",
                                 .y_title = "v - exact",
                                 .series = speeds,
                                 .n_series = 2}};
  return cli_paper_figure(
      ask, "donolo_fig1.svg",
      (brink_figure){.title = "Figure 1: the ball, its bounces not located",
                     .caption = "rk4 with steps of 0.05, a = 0.9; endpoint takes the "
                                "bounce where a step ends below 0, isolate at 0",
                     .panels = panels,
                     .n_panels = 2,
                     .columns = 1});
}

/* --------------------------------------------------- table 2, figures 5-7 --- */

/* The columns of Table 2, and the rows that figures 5 and 6 show. */
enum { BUDGETS = 3, SOLVERS = 3 };
static const double budgets[BUDGETS] = {5e4, 8e4, 5e5};
static const char *const solvers[SOLVERS] = {"ODE45", "DOPRI54", "DOPRI54d"};
static const double bounds[BUDGETS][SOLVERS] = {
    {1e-4, 1e-6, 0.3e-4}, {1e-7, 1e-9, 0.3e-7}, {1e-11, 1e-13, 0.6e-11}};

static int table_2(const cli_paper_ask *ask)
{
  static const char *const ours[] = {"dopri5", "dop853"};
  static const int widths[] = {-10, 9, 9, 9, 9, 9, 9, 9};
  static const char *const names[] = {"operations", "ODE45",    "DOPRI54", "DOPRI54d",
                                      "dopri5",     "falls at", "dop853",  "falls at"};
  static donolo_swing s;
  cli_paper_table t = cli_paper_table_begin(
      ask,
      "Table 2: local error bounds at which 40 s cost as much, the paper's and "
      "ours",
      8, widths, names);

  for (int b = 0; b < BUDGETS; b++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%.0e", budgets[b]);
    for (int i = 0; i < SOLVERS; i++)
      cli_paper_cell(&row, "%.0e", bounds[b][i]);
    for (int m = 0; m < 2; m++) {
      int found =
          donolo_swing_tune(ask->ctx, donolo_method_find(ours[m]), budgets[b], &s);
      cli_paper_cell(&row, found ? "%.1e%s" : "-%.0f%s", found ? s.tol : 0,
                     s.cheap ? "*" : "");
      cli_paper_cell(&row, "%.2f", s.fell);
    }
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(
      &t, "Operations there are what Matlab counted, its own overhead included; here "
          "additions and multiplications of the method and of f.  So ours stay up "
          "longer for the same number; none does for 40 s, since errors grow like e^t. "
          " *: the tightest bound that doubles can keep, and it costs less.");
  return 0;
}

static int swings(const cli_paper_ask *ask)
{
  static const int widths[] = {-10, -10, 9, 12, 9, 12};
  static const char *const names[] = {"bound", "paper's",    "method",
                                      "f",     "operations", "falls at"};
  static donolo_swing s;
  static const struct {
    double tol;
    const char *method, *solver;
  } also[] = {{1e-5, "dop853", "DOPRI853"}, {1e-12, "dop853", "DOPRI853"}};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Figures 5 to 7: the pendulum on its separatrix, with the paper's bounds", 6,
      widths, names);

  for (int i = 0; i < BUDGETS * SOLVERS + 2; i++) {
    cli_paper_row row = {.n = 0};
    int b = i / SOLVERS, k = i % SOLVERS, last = i - BUDGETS * SOLVERS;
    double tol = last < 0 ? bounds[b][k] : also[last].tol;
    const char *method = last < 0 ? "dopri5" : also[last].method;
    if (!donolo_swing_run(ask->ctx, donolo_method_find(method), tol, &s))
      return -1;
    cli_paper_cell(&row, "%.0e", tol);
    cli_paper_cell(&row, "%s", last < 0 ? solvers[k] : also[last].solver);
    cli_paper_cell(&row, "%s", method);
    cli_paper_cell(&row, "%ld", s.f_evals);
    cli_paper_cell(&row, "%.1e", s.operations);
    cli_paper_cell(&row, "%.2f", s.fell);
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(&t, "falls at: when the angle is 0.1 from the top again.");
  return 0;
}

enum { CURVES = 5, ANGLE = 0, SPEED = 1 };

/* The runs of one panel: the exact solution, and those with these bounds. */
typedef struct curves {
  donolo_swing s[CURVES];
  char name[CURVES][32];
  brink_series series[2][CURVES]; /* ANGLE, SPEED */
  int n;
} curves;

static void curves_begin(curves *c)
{
  donolo_swing *s = &c->s[0];

  for (int i = 0; i < DONOLO_SWING_POINTS; i++) {
    double y[2];
    s->t[i] = DONOLO_SWING_END * i / (DONOLO_SWING_POINTS - 1);
    donolo_pendulum_at(s->t[i], y);
    s->phi[i] = y[0];
    s->speed[i] = y[1];
  }
  snprintf(c->name[0], sizeof c->name[0], "exact");
  c->n = 1;
}

static int curves_add(const cli_paper_ask *ask, curves *c, const char *method,
                      double tol)
{
  donolo_swing *s = &c->s[c->n];

  if (!donolo_swing_run(ask->ctx, donolo_method_find(method), tol, s))
    return -1;
  snprintf(c->name[c->n], sizeof c->name[0], "%s, %.0e", method, tol);
  c->n++;
  return 0;
}

static brink_panel curves_panel(curves *c, int what, const char *title)
{
  for (int i = 0; i < c->n; i++)
    c->series[what][i] = (brink_series){c->name[i],
                                        c->s[i].t,
                                        what == ANGLE ? c->s[i].phi : c->s[i].speed,
                                        DONOLO_SWING_POINTS,
                                        i ? BRINK_PEN_LINE : BRINK_PEN_DASHES,
                                        i ? i - 1 : BRINK_GREY};
  return (brink_panel){.title = title,
                       .x_title = "t",
                       .y_title = what == ANGLE ? "angle" : "angular velocity",
                       .series = c->series[what],
                       .n_series = c->n};
}

static int figures_5_and_6(const cli_paper_ask *ask)
{
  static curves few, many;
  curves *both[] = {&few, &many};

  for (int k = 0; k < 2; k++) {
    const double *tol = bounds[k ? BUDGETS - 1 : 0];
    curves_begin(both[k]);
    for (int i = 0; i < SOLVERS; i++)
      if (curves_add(ask, both[k], "dopri5", tol[i]) != 0)
        return cli_paper_fail(ask);
  }
  for (int what = ANGLE; what <= SPEED; what++) {
    const brink_panel panels[] = {
        curves_panel(&few, what, "the paper's bounds for 5e4 operations"),
        curves_panel(&many, what, "the paper's bounds for 5e5 operations")};
    if (cli_paper_figure(
            ask, what == ANGLE ? "donolo_fig5.svg" : "donolo_fig6.svg",
            (brink_figure){.title = what == ANGLE
                                        ? "Figure 5: angle of the pendulum"
                                        : "Figure 6: angular velocity of the pendulum",
                           .caption = "it should stay at the top; it falls when the "
                                      "error has grown, and comes round again",
                           .panels = panels,
                           .n_panels = 2,
                           .columns = 1}) != 0)
      return CLI_FAILED;
  }
  return CLI_DONE;
}

static int figure_7(const cli_paper_ask *ask)
{
  static curves c;

  curves_begin(&c);
  if (curves_add(ask, &c, "dop853", 1e-5) != 0 ||
      curves_add(ask, &c, "dop853", 1e-12) != 0)
    return cli_paper_fail(ask);
  const brink_panel panels[] = {curves_panel(&c, ANGLE, NULL),
                                curves_panel(&c, SPEED, NULL)};
  return cli_paper_figure(ask, "donolo_fig7.svg",
                          (brink_figure){.title = "Figure 7: the pendulum with dop853",
                                         .caption = "local error bounds 1e-5 and 1e-12",
                                         .panels = panels,
                                         .n_panels = 2,
                                         .columns = 1});
}

/* --------------------------------------------------------- figures 8-10 --- */

/* The runs of figures 8 to 10: 200 bounces each. */
typedef struct contestant {
  const char *name, *method, *locator;
  double event_tol;
  donolo_bounces b;
} contestant;

enum { PAPERS_BEST = 2, DOP853 = 6, CONTESTANTS = 7 };
static contestant contestants[CONTESTANTS] = {
    {.name = "illinois, 1e-12", "dopri5", "illinois", 1e-12},
    {.name = "illinois, 1e-13", "dopri5", "illinois", 1e-13},
    {.name = "illinois, 1e-14", "dopri5", "illinois", 1e-14},
    {.name = "illinois, last bit", "dopri5", "illinois", 0},
    {.name = "isolate", "dopri5", "isolate", 0},
    {.name = "extrapolate", "dopri5", "extrapolate", 0},
    {.name = "dop853, illinois, 1e-14", "dop853", "illinois", 1e-14}};

static int race(const cli_paper_ask *ask)
{
  brink_model *ball = donolo_ball_new(ask->ctx, RESTITUTION, DONOLO_BOUNCES);
  int bad = 0;

  for (int i = 0; !bad && i < CONTESTANTS; i++) {
    contestant *c = &contestants[i];
    brink_sim_opts opt = options(c->method, c->locator, c->event_tol);
    bad = donolo_bounce_timed(ask->ctx, ball, &opt, ask->runs > 0 ? (int)ask->runs : 1,
                              &c->b) != 0;
  }
  brink_model_free(ball);
  return bad ? -1 : 0;
}

static void bounce_errors(const cli_paper_ask *ask)
{
  static const int columns[] = {1, 2, 5, 10, 20, 50, 100, 200};
  static const int widths[] = {-24, 7, 7, 7, 7, 7, 7, 7, 7};
  static const char *const names[] = {"bounce", "1",  "2",   "5",  "10",
                                      "20",     "50", "100", "200"};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Figures 9 and 10: error of the time of bounce n, a = 0.9", 9, widths,
      names);

  for (int i = 0; i < CONTESTANTS; i++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%s", contestants[i].name);
    for (int k = 0; k < 8; k++)
      error_cell(&row, error_of(&contestants[i].b, columns[k]));
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(
      &t,
      "Each bounce comes a little late and the ball a little fast, by about the "
      "tolerance of the location, so that errors add up; at the last bit they do "
      "not.  The paper: 1e-14 two orders of magnitude better than ODE45, and dop853 "
      "like dopri5.");
}

static void bounce_costs(const cli_paper_ask *ask)
{
  static const int widths[] = {-24, 8, 8, 12};
  static const char *const names[] = {"a bounce takes", "f", "g", "us"};
  cli_paper_table t =
      cli_paper_table_begin(ask, "Figures 8 and 10: what 200 bounces cost, each",
                            ask->runs > 0 ? 4 : 3, widths, names);
  char remark[160];

  for (int i = 0; i < CONTESTANTS; i++) {
    const donolo_bounces *b = &contestants[i].b;
    cli_paper_row row = {.n = 0};
    int last = b->n - 1;
    cli_paper_cell(&row, "%s", contestants[i].name);
    if (last >= 0) {
      cli_paper_cell(&row, "%.2f", b->f[last] / b->n);
      cli_paper_cell(&row, "%.2f", b->g[last] / b->n);
      cli_paper_cell(&row, "%.2f", 1e6 * b->seconds[last] / b->n);
    }
    cli_paper_table_row(&t, &row);
  }
  snprintf(remark, sizeof remark, "Time: median of %ld run%s.", ask->runs,
           ask->runs == 1 ? "" : "s");
  cli_paper_table_end(&t, ask->runs > 0 ? remark : NULL);
}

/* One curve over the times of the bounces for each contestant from `from` on. */
typedef enum measure { SECONDS, EVALUATIONS, ERROR } measure;

static brink_series over_bounces(const contestant *c, measure what, int colour,
                                 double room[DONOLO_BOUNCES])
{
  for (int i = 0; i < c->b.n; i++)
    room[i] = what == SECONDS       ? 1e6 * c->b.seconds[i]
              : what == EVALUATIONS ? c->b.f[i] + c->b.g[i]
                                    : error_of(&c->b, i + 1);
  return (brink_series){c->name, c->b.t, room, (size_t)c->b.n, BRINK_PEN_LINE, colour};
}

static int figure_8(const cli_paper_ask *ask)
{
  static double room[2][4][DONOLO_BOUNCES];
  brink_series s[2][4];
  int timed = ask->runs > 0;

  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      s[k][i] = over_bounces(&contestants[PAPERS_BEST + i], k ? SECONDS : EVALUATIONS,
                             i, room[k][i]);
  const brink_panel panels[] = {{.x_title = "time of the bounce",
                                 .y_title = "evaluations of f and g so far",
                                 .series = s[0],
                                 .n_series = 4},
                                {.x_title = "time of the bounce",
                                 .y_title = "time the run has taken, us",
                                 .series = s[1],
                                 .n_series = 4}};
  return cli_paper_figure(
      ask, "donolo_fig8.svg",
      (brink_figure){.title = "Figure 8: what the bounces cost",
                     .caption = "200 bounces, a = 0.9, dopri5; the guard is a callback",
                     .panels = panels,
                     .n_panels = timed ? 2 : 1,
                     .columns = 1});
}

static int figure_9(const cli_paper_ask *ask)
{
  enum { SHOWN = 5 };
  static double room[SHOWN][DONOLO_BOUNCES], n[DONOLO_BOUNCES];
  brink_series s[SHOWN];

  for (int i = 0; i < DONOLO_BOUNCES; i++)
    n[i] = i + 1;
  for (int i = 0; i < SHOWN; i++) {
    s[i] = over_bounces(&contestants[i], ERROR, i, room[i]);
    s[i].x = n;
  }
  const brink_panel panel = {.x_title = "bounce",
                             .y_title = "error of its time",
                             .y_log = 1,
                             .series = s,
                             .n_series = SHOWN};
  return cli_paper_figure(
      ask, "donolo_fig9.svg",
      (brink_figure){.title = "Figure 9: errors of the first 200 bounce times",
                     .caption = "dopri5, a = 0.9; location tolerances in t",
                     .panels = &panel,
                     .n_panels = 1});
}

/* What the run that goes on to t = 5 did about the bounces that accumulate. */
static void tell_end(const donolo_bounces *b, char *out, size_t size)
{
  if (b->end == BRINK_END)
    snprintf(out, size, "the run went on to t = %g after %ld bounces", b->t_end,
             b->all);
  else
    snprintf(out, size, "%s after %ld bounces: %s", brink_status_name(b->end), b->all,
             b->why.text);
}

static const double BEYOND = 5; /* the time to which runs beyond the Zeno time go */

static int beyond_zeno(const cli_paper_ask *ask)
{
  static const double a[] = {0.5, 0.9};
  static const int widths[] = {-5, 18, 18, 10, 9, -6};
  static const char *const names[] = {"a",          "Zeno time", "ended at",
                                      "difference", "bounces",   "status"};
  static donolo_bounces b;
  char end[CLI_TEXT + 64] = "";
  cli_paper_table t = cli_paper_table_begin(
      ask, "Section 2.2.3: the ball as IVP(f, H, K), asked to go on to t = 5", 6,
      widths, names);

  for (int i = 0; i < 2; i++) {
    cli_paper_row row = {.n = 0};
    brink_sim_opts opt = options("dopri5", "isolate", 0);
    opt.zeno = BRINK_ZENO_CONTINUE;
    brink_model *ball = donolo_ball_constrained_new(ask->ctx, a[i]);
    int bad = donolo_bounce(ask->ctx, ball, &opt, BEYOND, &b) != 0;
    brink_model_free(ball);
    if (bad)
      return -1;
    cli_paper_cell(&row, "%g", a[i]);
    cli_paper_cell(&row, "%.15f", donolo_zeno_time(a[i]));
    cli_paper_cell(&row, "%.15f", b.t_end);
    cli_paper_cell(&row, "%.1e", fabs(b.t_end - donolo_zeno_time(a[i])));
    cli_paper_cell(&row, "%ld", b.all);
    cli_paper_cell(&row, "%s", brink_status_name(b.end));
    cli_paper_table_row(&t, &row);
    tell_end(&b, end, sizeof end);
  }
  cli_paper_table_end(&t, end);
  return 0;
}

/* Bounces down to a gap, and on from there. */
static int bounded_steps(const cli_paper_ask *ask)
{
  static const double gaps[] = {1e-3, 1e-6, 1e-9};
  static const int widths[] = {-10, 9, 18, 14, 12};
  static const char *const names[] = {"zeno_gap", "events", "last at", "to Zeno time",
                                      "goes on to"};
  static donolo_bounces b;
  cli_paper_table t = cli_paper_table_begin(
      ask, "Section 3.3: bounces no closer than a gap, a = 0.9", 5, widths, names);

  for (int i = 0; i < 3; i++) {
    cli_paper_row row = {.n = 0};
    brink_sim_opts opt = options("dopri5", "isolate", 0);
    opt.zeno_gap = gaps[i];
    brink_model *ball = donolo_ball_new(ask->ctx, RESTITUTION, 0);
    int bad = donolo_bounce(ask->ctx, ball, &opt, BEYOND, &b) != 0 || b.n == 0;
    brink_model_free(ball);
    if (bad)
      return -1;
    double last = b.t[b.n - 1];
    cli_paper_cell(&row, "%g", gaps[i]);
    cli_paper_cell(&row, "%ld", b.all);
    cli_paper_cell(&row, "%.15f", last);
    cli_paper_cell(&row, "%.1e", donolo_zeno_time(RESTITUTION) - last);
    cli_paper_cell(&row, "%g", b.t_end);
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(
      &t, "The paper bounds first steps by the last gap, and ends where its events can "
          "no longer be told. Here a gap of zeno_gap is the last: the point is taken "
          "for the accumulation point, and the ball rests. events: the last "
          "three of them say so.");
  return 0;
}

static int figure_10(const cli_paper_ask *ask)
{
  static double room[DONOLO_BOUNCES], n[DONOLO_BOUNCES];
  static donolo_bounces b;
  static way w;
  char caption[CLI_TEXT + 64];
  brink_sim_opts opt = options("dop853", "illinois", 1e-14);
  brink_model *ball = donolo_ball_constrained_new(ask->ctx, RESTITUTION);
  int bad = fly(ask, ball, &opt, BEYOND, &w) != 0 ||
            donolo_bounce(ask->ctx, ball, &opt, BEYOND, &b) != 0;

  brink_model_free(ball);
  if (bad)
    return cli_paper_fail(ask);
  for (int i = 0; i < DONOLO_BOUNCES; i++)
    n[i] = i + 1;
  brink_series heights = {NULL, w.t, w.x, (size_t)w.n, BRINK_PEN_LINE, 0};
  brink_series errors = over_bounces(&contestants[DOP853], ERROR, 0, room);
  errors.name = NULL;
  errors.x = n;
  tell_end(&b, caption, sizeof caption);
  const brink_panel panels[] = {{.x_title = "t",
                                 .y_title = "x",
                                 .x_lo = 0,
                                 .x_hi = BEYOND,
                                 .series = &heights,
                                 .n_series = 1},
                                {.x_title = "bounce",
                                 .y_title = "error of its time",
                                 .y_log = 1,
                                 .series = &errors,
                                 .n_series = 1}};
  return cli_paper_figure(
      ask, "donolo_fig10.svg",
      (brink_figure){.title = "Figure 10: the ball with dop853, location to 1e-14",
                     .caption = caption,
                     .panels = panels,
                     .n_panels = 2,
                     .columns = 1});
}

/* -------------------------------------------------------- ramp metering --- */

static int ramp_table(const cli_paper_ask *ask, donolo_ramp_run *run)
{
  static const int widths[] = {-8, 16, 9, 11, 10, 9, 9};
  static const char *const names[] = {"event", "t",        "error",  "x1",
                                      "x2",    "u before", "u after"};
  brink_sim_opts opt = options("dopri5", "isolate", 0);
  cli_paper_table t = cli_paper_table_begin(
      ask, "Figures 11 and 12: events of the ramp metering", 7, widths, names);

  opt.rtol = 1e-10;
  opt.atol = 1e-13;
  opt.keep = BRINK_KEEP_EVENTS;
  if (donolo_ramp_solve(ask->ctx, &opt, run) != 0)
    return -1;
  for (int i = 0; i < run->n_events && i < DONOLO_RAMP_EVENTS; i++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%s", run->events[i].name);
    cli_paper_cell(&row, "%.12f", run->events[i].t);
    cli_paper_cell(&row, "%.1e", fabs(run->events[i].t - donolo_ramp_events[i].t));
    cli_paper_cell(&row, "%.7f", run->events[i].x[0]);
    cli_paper_cell(&row, "%.7f", run->events[i].x[1]);
    cli_paper_cell(&row, "%.5f", run->events[i].u_before);
    cli_paper_cell(&row, "%.5f", run->events[i].u_after);
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(
      &t,
      "The paper prints neither the inputs nor numbers: here L = 4, w1 = 2, w2 = 1, "
      "0.1 arrives at the ramp, 0.6 on the freeway and 0.3 from t = 5 to 10.  u "
      "jumps where x1 passes 0 and where the input jumps, as there, and where the "
      "queue becomes empty.  error: beside references to 1e-13; dopri5, rtol 1e-10.");
  return 0;
}

static brink_series over_time(const donolo_ramp_run *r, const char *name,
                              const double *y, brink_pen pen, int colour)
{
  return (brink_series){name, r->t, y, (size_t)r->n, pen, colour};
}

static brink_panel ramp_panel(const char *y_title, const brink_series *s, int n)
{
  return (brink_panel){.x_title = "t", .y_title = y_title, .series = s, .n_series = n};
}

static int figure_11(const cli_paper_ask *ask, const donolo_ramp_run *r)
{
  static const double ends[] = {0, DONOLO_RAMP_END},
                      arrive[] = {DONOLO_ARRIVE, DONOLO_ARRIVE};
  const brink_series density[] = {
      over_time(r, "x1", r->x1, BRINK_PEN_LINE, 0),
      over_time(r, "q_in", r->in, BRINK_PEN_DASHES, BRINK_GREY)};
  const brink_series queue[] = {
      over_time(r, "x2", r->x2, BRINK_PEN_LINE, 1),
      {"qs_in", ends, arrive, 2, BRINK_PEN_DASHES, BRINK_GREY}};
  const brink_panel panels[] = {ramp_panel("density, from its best", density, 2),
                                ramp_panel("queue", queue, 2)};

  return cli_paper_figure(
      ask, "donolo_fig11.svg",
      (brink_figure){.title = "Figure 11: ramp metering, states and inputs",
                     .caption = "the inputs are chosen here",
                     .panels = panels,
                     .n_panels = 2,
                     .columns = 1});
}

static int figure_12(const cli_paper_ask *ask, const donolo_ramp_run *r)
{
  const brink_series u = over_time(r, "u", r->u, BRINK_PEN_LINE, 0),
                     out = over_time(r, "q_out", r->out, BRINK_PEN_LINE, 1);
  const brink_panel panels[] = {ramp_panel("flow from the ramp", &u, 1),
                                ramp_panel("flow downstream", &out, 1)};

  return cli_paper_figure(
      ask, "donolo_fig12.svg",
      (brink_figure){.title = "Figure 12: ramp metering, control and traffic",
                     .panels = panels,
                     .n_panels = 2,
                     .columns = 1});
}

/* ------------------------------------------------------------------ all --- */

static int tables(const cli_paper_ask *ask, donolo_ramp_run *ramp)
{
  if (boundary_errors(ask) != 0 || table_2(ask) != 0 || swings(ask) != 0 ||
      race(ask) != 0)
    return -1;
  bounce_errors(ask);
  bounce_costs(ask);
  return bounded_steps(ask) != 0 || beyond_zeno(ask) != 0 || ramp_table(ask, ramp) != 0
             ? -1
             : 0;
}

static int run(const cli_paper_ask *ask)
{
  static donolo_ramp_run ramp;

  if (tables(ask, &ramp) != 0)
    return cli_paper_fail(ask);
  printf("\n");
  return figure_1(ask) != CLI_DONE || figures_5_and_6(ask) != CLI_DONE ||
                 figure_7(ask) != CLI_DONE || figure_8(ask) != 0 ||
                 figure_9(ask) != 0 || figure_10(ask) != CLI_DONE ||
                 figure_11(ask, &ramp) != 0 || figure_12(ask, &ramp) != 0
             ? CLI_FAILED
             : CLI_DONE;
}

const cli_paper cli_paper_donolo = {
    .name = "donolo",
    .text = "Donolo 2002: table 2, bounces, ramp metering, figures 1 and 5 to 12",
    .title = "Donolo: An ODE solver for constrained state spaces: with applications to "
             "hybrid-system simulations (2002)",
    .runs = 9,
    .run = run,
};
