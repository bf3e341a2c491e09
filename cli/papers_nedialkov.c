/* papers_nedialkov.c -- table 1 and the figures 2 to 6 of [NR09], the parallel robot.
 *
 * The run is that of the paper: from its guesses, to t = 5.  The data of table 1 are
 * those of the model.  The paper counts 18 modes; with the printed data there are six.
 */
#include "papers.h"
#include "structure.h"

#include "papers/nedialkov.h"

#include <math.h>
#include <string.h>

enum { EQUATIONS = 12, BRANCHES = 6 };

static const double TOLERANCE = 1e-13, DAETS_SECONDS = 0.65, ALPHA = 50;

/* -------------------------------------------------------------- table 1 --- */

static const struct {
  const char *name;
  double printed;
} data[] = {{"xp", 0.1},       {"L", 0.3},         {"l", 0.7},  {"m1", 0.82},
            {"m2", 0.14},      {"m3", 0.5},        {"ml", 5.0}, {"Jmot", 0.37e-4},
            {"Jred", 9.09e-4}, {"I", 0.018895002}, {"Fs", 3.0}, {"Fv", 0.5},
            {"alpha", 50},     {"eta", 5},         {"g", 9.81}};

static void table_1(const cli_paper_ask *ask, const brink_model *model)
{
  static const int widths[] = {-8, 14, 14, -12, -44};
  static const char *const names[] = {"", "model", "paper", "unit", "what"};
  brink_anatomy a = brink_model_anatomy(model);
  cli_paper_table t =
      cli_paper_table_begin(ask, "Table 1: robot parameters", 5, widths, names);

  for (size_t i = 0; i < sizeof data / sizeof *data; i++)
    for (size_t k = 0; k < a.n_parameters; k++) {
      const brink_parameter *p = &a.parameters[k];
      cli_paper_row row = {.n = 0};
      if (strcmp(p->name, data[i].name) != 0)
        continue;
      cli_paper_cell(&row, "%s", p->name);
      cli_paper_cell(&row, "%.9g", p->value);
      cli_paper_cell(&row, "%.9g", data[i].printed);
      cli_paper_cell(&row, "%s", p->unit);
      cli_paper_cell(&row, "%.44s", p->text);
      cli_paper_table_row(&t, &row);
    }
  cli_paper_table_end(&t, NULL);
}

/* ------------------------------------------------------------- figure 2 --- */

/* The offsets printed below and beside a matrix; limited: both torques are. */
static int as_printed(const brink_structure *s, int limited)
{
  int c[EQUATIONS] = {2, 2, !limited, !limited};
  int d[EQUATIONS] = {2, 2, 2, 2, !limited, !limited, 0, 0, 0, 0, 1, 1};

  if (s->n_equations != EQUATIONS || s->n_variables != EQUATIONS || s->singular)
    return 0;
  return memcmp(s->c, c, sizeof c) == 0 && memcmp(s->d, d, sizeof d) == 0 &&
         s->index == 3 && s->quasilinear == !limited;
}

static void one_matrix(const cli_paper_ask *ask, const char *title,
                       const brink_structure *s, const brink_structure *other,
                       int limited)
{
  printf(ask->markdown ? "\n### %s\n\n```\n" : "\n%s\n", title);
  cli_structure_beside(s, other);
  if (ask->markdown)
    puts("```");
  printf("offsets, index and quasilinearity are %s\n",
         as_printed(s, limited) ? "those of the paper" : "NOT those of the paper");
}

static int figure_2(const cli_paper_ask *ask, const brink_model *model,
                    const nedialkov_run *run)
{
  static const double guessed[BRANCHES] = {1, 1, 0, 0, 0, 0};
  brink_structures *guess = NULL, *found = NULL;
  int status = CLI_DONE;

  if (brink_model_structure(ask->ctx, model, 0, guessed, &guess) < 0 ||
      brink_model_structure(ask->ctx, model, 0, run->mode_branches[0], &found) < 0) {
    status = cli_paper_fail(ask);
  } else {
    one_matrix(ask, "Figure 2, top: the equations that the guesses at t0 choose",
               &guess->v[0], NULL, 0);
    one_matrix(ask, "Figure 2, bottom: those of the consistent start, at 0+",
               &found->v[0], &guess->v[0], 1);
  }
  brink_structures_free(guess);
  brink_structures_free(found);
  return status;
}

/* ------------------------------------------------------------------ run --- */

static void events(const cli_paper_ask *ask, const nedialkov_run *run)
{
  static const int widths[] = {4, 22, -22, 10};
  static const char *const names[] = {"", "t", "zero of", "new mode"};
  static const char *const functions[] = {"q1'",
                                          "q2'",
                                          "Gamma_0,1 - alpha",
                                          "Gamma_0,1 + alpha",
                                          "Gamma_0,2 - alpha",
                                          "Gamma_0,2 + alpha"};
  cli_paper_table t =
      cli_paper_table_begin(ask, "Events, taylor at tolerance 1e-13", 4, widths, names);

  for (int i = 0; i < run->n_events; i++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%d", i + 1);
    cli_paper_cell(&row, "%.16g", run->event_t[i]);
    cli_paper_cell(&row, "%s", functions[run->event_guard[i]]);
    for (int k = 0; k < run->n_modes; k++)
      if (run->mode_t[k] == run->event_t[i])
        cli_paper_cell(&row, "%d", k + 1);
    cli_paper_table_row(&t, &row);
  }
  char remark[400];
  snprintf(remark, sizeof remark,
           "%d events in (0, 5], and %d at 0+ (the friction of the second arm); %d "
           "different modes (the paper: 18, which the printed data do not show).  "
           "Largest torque %.12g (the paper: within [-50, 50]).",
           run->n_events, run->flips, run->n_modes, run->most);
  cli_paper_table_end(&t, remark);
}

static int timings(const cli_paper_ask *ask, const brink_model *model,
                   nedialkov_run *run)
{
  static const int widths[] = {-10, 10, 10, 12, 12};
  static const char *const names[] = {"method", "steps", "events", "seconds",
                                      "DAETS 2009"};
  static const char *const methods[] = {"taylor", "dop853", "dopri5", "adams"};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Integration time, tolerance 1e-13, with 12 rows for each step", 5, widths,
      names);

  for (int m = 0; m < 4; m++) {
    cli_paper_row row = {.n = 0};
    double best = HUGE_VAL;
    for (long i = 0; i < ask->runs; i++) {
      if (nedialkov_solve(ask->ctx, model, methods[m], TOLERANCE, run) != 0) {
        cli_say_error(&run->err);
        return CLI_FAILED;
      }
      best = fmin(best, run->stats.wall_seconds);
    }
    cli_paper_cell(&row, "%s", methods[m]);
    cli_paper_cell(&row, "%ld", run->stats.work.steps);
    cli_paper_cell(&row, "%d", run->n_events);
    cli_paper_cell(&row, "%.4f", best);
    cli_paper_cell(&row, "%.2f", DAETS_SECONDS);
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(&t, "The paper's 0.65 s are of a 2.8 GHz processor of 2009, at a "
                          "tolerance that it does not name.");
  return CLI_DONE;
}

/* -------------------------------------------------------------- figures --- */

static brink_series line(const nedialkov_run *run, const char *name, nedialkov_column c,
                         int colour)
{
  return (brink_series){name, run->t, run->row[c], run->n, BRINK_PEN_LINE, colour};
}

static brink_series dashes(const nedialkov_run *run, const char *name,
                           nedialkov_column c)
{
  return (brink_series){name,   run->t,           run->row[c],
                        run->n, BRINK_PEN_DASHES, BRINK_GREY};
}

static int figure_3(const cli_paper_ask *ask, const nedialkov_run *run)
{
  brink_series plane[] = {{"prescribed", run->row[NEDIALKOV_xd], run->row[NEDIALKOV_zd],
                           run->n, BRINK_PEN_DASHES, BRINK_GREY},
                          {"computed", run->row[NEDIALKOV_x], run->row[NEDIALKOV_z],
                           run->n, BRINK_PEN_LINE, 0}};
  brink_series torques[] = {line(run, "Gamma_1", NEDIALKOV_G1, 0),
                            line(run, "Gamma_2", NEDIALKOV_G2, 1)};
  brink_panel panels[] = {
      {.x_title = "x", .y_title = "z", .series = plane, .n_series = 2},
      {.x_title = "t", .y_title = "torque", .series = torques, .n_series = 2}};

  return cli_paper_figure(
      ask, "nedialkov_fig3.svg",
      (brink_figure){.title = "Figure 3: trajectories and torques",
                     .caption = "parallel robot from the guesses of the paper",
                     .panels = panels,
                     .n_panels = 2});
}

static int four(const cli_paper_ask *ask, const char *file, const char *title,
                brink_series s[4][3], int each, const char *const *names)
{
  brink_panel panels[4];

  for (int i = 0; i < 4; i++)
    panels[i] = (brink_panel){
        .x_title = "t", .y_title = names[i], .series = s[i], .n_series = each};
  return cli_paper_figure(
      ask, file,
      (brink_figure){.title = title,
                     .caption = "parallel robot from the guesses of the paper",
                     .panels = panels,
                     .n_panels = 4});
}

static int figure_4(const cli_paper_ask *ask, const nedialkov_run *run)
{
  static const char *const names[] = {"x", "z", "q1", "q2"};
  brink_series s[4][3] = {
      {dashes(run, "prescribed", NEDIALKOV_xd), line(run, "computed", NEDIALKOV_x, 0)},
      {dashes(run, "prescribed", NEDIALKOV_zd), line(run, "computed", NEDIALKOV_z, 0)},
      {dashes(run, "prescribed", NEDIALKOV_qd1),
       line(run, "computed", NEDIALKOV_q1, 0)},
      {dashes(run, "prescribed", NEDIALKOV_qd2),
       line(run, "computed", NEDIALKOV_q2, 0)}};

  return four(ask, "nedialkov_fig4.svg",
              "Figure 4: prescribed and computed trajectories", s, 2, names);
}

/* The zeros of one event function, as a series of crosses. */
typedef struct zeros {
  double t[NEDIALKOV_EVENTS], y[NEDIALKOV_EVENTS];
  size_t n;
} zeros;

static brink_series zeros_of(const nedialkov_run *run, nedialkov_guard guard, zeros *z)
{
  z->n = 0;
  for (int i = 0; i < run->n_events; i++)
    if (run->event_guard[i] == guard) {
      z->t[z->n] = run->event_t[i];
      z->y[z->n++] = 0;
    }
  return (brink_series){"events", z->t, z->y, z->n, BRINK_PEN_DOTS, 3};
}

/* The derivatives of the prescribed path, which the model does not show. */
static void path(const nedialkov_run *run, double *vx, double *vz)
{
  const double w = 2 * 3.14159265358979323846;

  for (size_t i = 0; i < run->n; i++) {
    vx[i] = -0.35 * w * cos(w * run->t[i]);
    vz[i] = -0.1 * w * sin(w * run->t[i]);
  }
}

static int figure_5(const cli_paper_ask *ask, const nedialkov_run *run)
{
  static const char *const names[] = {"x'", "z'", "q1'", "q2'"};
  static double v[2][NEDIALKOV_ROWS];
  zeros z[2];

  path(run, v[0], v[1]);
  brink_series s[4][3] = {
      {{"prescribed", run->t, v[0], run->n, BRINK_PEN_DASHES, BRINK_GREY},
       line(run, "computed", NEDIALKOV_vx, 0)},
      {{"prescribed", run->t, v[1], run->n, BRINK_PEN_DASHES, BRINK_GREY},
       line(run, "computed", NEDIALKOV_vz, 0)},
      {dashes(run, "prescribed", NEDIALKOV_wd1), line(run, "computed", NEDIALKOV_w1, 0),
       zeros_of(run, NEDIALKOV_Q1, &z[0])},
      {dashes(run, "prescribed", NEDIALKOV_wd2), line(run, "computed", NEDIALKOV_w2, 0),
       zeros_of(run, NEDIALKOV_Q2, &z[1])}};
  s[0][2] = (brink_series){.name = NULL, .x = run->t, .y = v[0]}; /* no events there */
  s[1][2] = s[0][2];
  return four(ask, "nedialkov_fig5.svg",
              "Figure 5: derivatives, and the located events in q'", s, 3, names);
}

static int figure_6(const cli_paper_ask *ask, const nedialkov_run *run)
{
  static const char *const names[] = {"Gamma_0,1 - alpha", "Gamma_0,1 + alpha",
                                      "Gamma_0,2 - alpha", "Gamma_0,2 + alpha"};
  static double y[4][NEDIALKOV_ROWS];
  zeros z[4];
  brink_series s[4][3];

  for (int i = 0; i < 4; i++) {
    const double *gamma = run->row[i < 2 ? NEDIALKOV_G01 : NEDIALKOV_G02];
    for (size_t k = 0; k < run->n; k++)
      y[i][k] = gamma[k] + (i % 2 ? ALPHA : -ALPHA);
    s[i][0] = (brink_series){names[i], run->t, y[i], run->n, BRINK_PEN_LINE, 0};
    s[i][1] = zeros_of(run, (nedialkov_guard)(NEDIALKOV_UP1 + i), &z[i]);
  }
  return four(ask, "nedialkov_fig6.svg",
              "Figure 6: the torques that the control asks for, and located events", s,
              2, names);
}

/* ------------------------------------------------------------------ all --- */

static int figures(const cli_paper_ask *ask, const nedialkov_run *run)
{
  printf("\n");
  return figure_3(ask, run) == 0 && figure_4(ask, run) == 0 &&
                 figure_5(ask, run) == 0 && figure_6(ask, run) == 0
             ? CLI_DONE
             : CLI_FAILED;
}

static int run(const cli_paper_ask *ask)
{
  static nedialkov_run robot, again;
  char file[CLI_PATH];
  int status = CLI_FAILED;

  if (cli_find_model("parallel_robot", file) != 0)
    return CLI_FAILED;
  brink_model *model = nedialkov_model(ask->ctx, file, 0);
  brink_model *equations = nedialkov_model(ask->ctx, file, 1);
  if (!model || !equations) {
    cli_paper_fail(ask);
  } else if (nedialkov_solve(ask->ctx, model, "taylor", TOLERANCE, &robot) != 0) {
    cli_say_error(&robot.err);
  } else {
    table_1(ask, equations);
    status = figure_2(ask, equations, &robot);
    events(ask, &robot);
    if (status == CLI_DONE && ask->runs > 0)
      status = timings(ask, model, &again);
    if (status == CLI_DONE)
      status = figures(ask, &robot);
  }
  brink_model_free(model);
  brink_model_free(equations);
  return status;
}

const cli_paper cli_paper_nedialkov = {
    .name = "nedialkov",
    .text = "Nedialkov and Ramdani 2009: the parallel robot, table 1, figures 2 to 6",
    .title =
        "Nedialkov, Ramdani: Towards integrating hybrid DAEs with a high-index DAE "
        "solver (2009)",
    .runs = 1,
    .run = run,
};
