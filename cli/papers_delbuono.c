/* papers_delbuono.c -- the tables and the figure of [DL15].
 *
 * Every number beside one of the paper.  Table 2 was printed with another formula for
 * the state than for the step, and Table 3 does not follow from the text: both are made
 * in the readings that can be told apart, see papers/delbuono.h.
 */
#include "papers.h"

#include "papers/delbuono.h"

#include <math.h>
#include <string.h>

/* -------------------------------------------------------------- table 1 --- */

enum { ETAS = 7, RS = 3 };

static int table_1(const cli_paper_ask *ask, delbuono_run *run)
{
  static const char *const printed[ETAS][RS] = {
      {"0.0106", "2.1064e-4", "0.0031"},       {"0.0037", "1.1996e-5", "7.8008e-4"},
      {"0.0013", "6.0163e-6", "1.9480e-4"},    {"4.3373e-4", "3.3620e-6", "4.8594e-5"},
      {"1.4983e-4", "1.2042e-6", "1.2129e-5"}, {"5.2042e-5", "3.6987e-7", "3.0293e-6"},
      {"1.8162e-5", "1.0521e-7", "7.5692e-7"},
  };
  static const int widths[] = {-8, 4, 10, 10, 10, 10, 10, 10, 10};
  static const char *const names[] = {"eta",   "K",     "r = 0", "paper", "r = 1",
                                      "paper", "r = 2", "paper", "h(x_K)"};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Table 1: error of x_1 at the event, direct, m = 2", 9, widths, names);

  for (int i = 0; i < ETAS; i++) {
    cli_paper_row line = {.n = 0};
    double eta = ldexp(0.1, -i);
    cli_paper_cell(&line, i ? "0.1/%d" : "0.1", 1 << i);
    for (int r = 0; r < RS; r++) {
      delbuono_problem p = {.r = r};
      brink_sim_opts opt = delbuono_options(&p, "direct", 2, eta, 0);
      if (delbuono_solve(ask->ctx, &p, &opt, run) != 0)
        return -1;
      if (r == 0) /* K counts the steps of the formula */
        cli_paper_cell(&line, "%d", run->n - 1);
      cli_paper_cell(&line, "%.4e", fabs(run->x[0] - delbuono_exact(r)));
      cli_paper_cell(&line, "%s", printed[i][r]);
    }
    cli_paper_cell(&line, "%.1e", run->h[run->n - 1]);
    cli_paper_table_row(&t, &line);
  }
  cli_paper_table_end(
      &t,
      "The start is one step of Ralston, tau_1 = eta; K counts the steps behind it. "
      "The last error for r = 0 differs from the paper's, which is rounding: in exact "
      "arithmetic it is 1.8161e-5.  The order 2 is kept for r = 2 and lost for r = 0 "
      "and 1, where f is not smooth at the event.");
  return 0;
}

/* -------------------------------------------------------------- table 2 --- */

enum { STEPS_2 = 10 };

static int table_2(const cli_paper_ask *ask, delbuono_run *run)
{
  static const char *const printed[STEPS_2][2] = {
      {"0.1", "-0.8609"},     {"0.09275", "-0.7620"}, {"0.11785", "-0.6582"},
      {"0.16809", "-0.5497"}, {"0.25797", "-0.4350"}, {"0.30945", "-0.3306"},
      {"0.25777", "-0.2309"}, {"0.25706", "-0.1309"}, {"0.24370", "-0.0308"},
      {"0.07607", "-1.7e-18"}};
  static const int widths[] = {-3, 10, 11, 10, 11, 10, 11};
  static const char *const names[] = {"k",      "tau_k",     "h(x_k)", "tau const",
                                      "h(x_k)", "tau paper", "h(x_k)"};
  static delbuono_run constant;
  delbuono_problem p = {.r = DELBUONO_NETWORK};
  brink_sim_opts opt = delbuono_options(&p, "direct", 2, 0.1, 0);
  cli_paper_table t = cli_paper_table_begin(
      ask, "Table 2: steps of the neural network, m = 2, eta = 0.1", 7, widths, names);

  if (delbuono_solve(ask->ctx, &p, &opt, run) != 0)
    return -1;
  delbuono_plain(&p, DELBUONO_CONSTANT, 0.1, 1, 0, &constant);
  for (int k = 0; k < STEPS_2 && k < run->n && k < constant.n; k++) {
    cli_paper_row line = {.n = 0};
    cli_paper_cell(&line, "%d", k + 1);
    cli_paper_cell(&line, "%.5f", run->tau[k]);
    cli_paper_cell(&line, fabs(run->h[k]) < 1e-9 ? "%.1e" : "%.4f", run->h[k]);
    cli_paper_cell(&line, "%.5f", constant.tau[k]);
    cli_paper_cell(&line, fabs(constant.h[k]) < 1e-9 ? "%.1e" : "%.4f", constant.h[k]);
    cli_paper_cell(&line, "%s", printed[k][0]);
    cli_paper_cell(&line, "%s", printed[k][1]);
    cli_paper_table_row(&t, &line);
  }
  char remark[512];
  snprintf(
      remark, sizeof remark,
      "tau_k: direct, with the variable coefficients of (10); h grows by eta in each "
      "step.  const: tau by (11), but the state with the coefficients 3/2 and -1/2 of "
      "a constant step; that is what the paper printed (its tau are cut off, not "
      "rounded).  Event at t = %.6f and %.6f; exact: %.6f.",
      run->t, constant.t, delbuono_network_event[0]);
  cli_paper_table_end(&t, remark);
  return 0;
}

/* -------------------------------------------------------------- table 3 --- */

static int table_3(const cli_paper_ask *ask, delbuono_run *run)
{
  static const double eps[] = {1e-2, 1e-3, 1e-4, 1e-5};
  static const struct {
    delbuono_reading reading;
    double rho;
  } plain[] = {
      {DELBUONO_TRAPEZOID, 1. / 6}, {DELBUONO_MOULTON, 1}, {DELBUONO_MOULTON, 5. / 12}};
  static const char *const locators[] = {"direct-pc", "direct-pc2"};
  static const char *const printed[] = {"3, 60", "6, 641", "9, 5221", "-"};
  static const int widths[] = {-6, 12, 12, 12, 10, 10, 10};
  static const char *const names[] = {"eps",      "trapezoid", "Adams rho 1",
                                      "rho 5/12", "direct-pc", "direct-pc2",
                                      "paper"};
  delbuono_problem p = {.r = DELBUONO_NETWORK};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Table 3: halvings of eta = 0.1 and steps K of the predictor-corrector", 7,
      widths, names);

  for (int i = 0; i < 4; i++) {
    cli_paper_row line = {.n = 0};
    cli_paper_cell(&line, "%.0e", eps[i]);
    for (int j = 0; j < 3; j++) {
      delbuono_plain(&p, plain[j].reading, 0.1, plain[j].rho, eps[i], run);
      cli_paper_cell(&line, "%d, %d", run->halvings, run->n);
    }
    for (int j = 0; j < 2; j++) {
      brink_sim_opts opt = delbuono_options(&p, locators[j], 2, 0.1, eps[i]);
      if (delbuono_solve(ask->ctx, &p, &opt, run) != 0)
        return -1;
      cli_paper_cell(&line, "%d", run->n);
    }
    cli_paper_cell(&line, "%s", printed[i]);
    cli_paper_table_row(&t, &line);
  }
  cli_paper_table_end(
      &t,
      "How often eta was halved, and K with the start.  By the words of the paper, "
      "with "
      "the trapezoidal rule (rho = 1/6) and with Adams-Moulton of order 3 as "
      "corrector; "
      "then K of the locators, which shorten the start, too, where its error is too "
      "large; direct-pc2 gives the corrector its own step (19).  The printed table "
      "does not follow from the text.");
  return 0;
}

/* ---------------------------------------------------------------- orders --- */

static int orders(const cli_paper_ask *ask, delbuono_run *run)
{
  static const int widths[] = {-4, 4, 12, 12, 8};
  static const char *const names[] = {"m", "r", "eta = 1/80", "eta = 1/160", "order"};
  cli_paper_table t = cli_paper_table_begin(
      ask, "Orders m > 2: error of x_1 at the event of example 1", 5, widths, names);

  for (int m = 2; m <= 4; m++)
    for (int r = 0; r <= 3; r++) {
      double error[2];
      cli_paper_row line = {.n = 0};
      delbuono_problem p = {.r = r};
      for (int i = 0; i < 2; i++) {
        brink_sim_opts opt = delbuono_options(&p, "direct", m, ldexp(1. / 80, -i), 0);
        if (delbuono_solve(ask->ctx, &p, &opt, run) != 0)
          return -1;
        error[i] = fabs(run->x[0] - delbuono_exact(r));
      }
      cli_paper_cell(&line, "%d", m);
      cli_paper_cell(&line, "%d", r);
      cli_paper_cell(&line, "%.3e", error[0]);
      cli_paper_cell(&line, "%.3e", error[1]);
      cli_paper_cell(&line, "%.2f", log2(error[0] / error[1]));
      cli_paper_table_row(&t, &line);
    }
  cli_paper_table_end(&t, "The paper stops at m = 2.  f has r + 1/2 derivatives at the "
                          "event, and the order is no more than r + 3/2.");
  return 0;
}

/* ------------------------------------------------------------- figure 1 --- */

enum { SHOWN = 200 };

static int figure_1(const cli_paper_ask *ask)
{
  static delbuono_run run;
  static double k[3][SHOWN], tau[3][SHOWN], at[SHOWN], of[SHOWN];
  static const char *const titles[] = {"trapezoidal corrector, rho = 1/6", "direct-pc",
                                       "direct-pc2"};
  delbuono_problem p = {.r = DELBUONO_NETWORK};
  brink_series s[4];
  size_t n_halved = 0;

  for (int j = 0; j < 3; j++) {
    brink_sim_opts opt =
        delbuono_options(&p, j == 1 ? "direct-pc" : "direct-pc2", 2, 0.1, 1e-2);
    if (j == 0)
      delbuono_plain(&p, DELBUONO_TRAPEZOID, 0.1, 1.0 / 6, 1e-2, &run);
    else if (delbuono_solve(ask->ctx, &p, &opt, &run) != 0)
      return cli_paper_fail(ask);
    size_t n = 0;
    for (; (int)n < run.n && n < SHOWN; n++) {
      k[j][n] = (double)n + 1;
      tau[j][n] = run.tau[n];
      if (run.halved[n]) {
        at[n_halved] = k[j][n];
        of[n_halved++] = tau[j][n];
      }
    }
    s[j] = (brink_series){titles[j], k[j], tau[j], n, BRINK_PEN_BOTH, j};
  }
  s[3] = (brink_series){"eta was halved", at, of, n_halved, BRINK_PEN_CROSSES, 6};
  brink_panel panel = {.x_title = "k", .y_title = "tau_k", .series = s, .n_series = 4};
  return cli_paper_figure(
      ask, "delbuono_fig1.svg",
      (brink_figure){.title = "Figure 1: time steps of the predictor-corrector method",
                     .caption =
                         "neural network, eta = 0.1, tolerance 0.01 of the local "
                         "error",
                     .panels = &panel,
                     .n_panels = 1});
}

/* ------------------------------------------------------------------ all --- */

static int run(const cli_paper_ask *ask)
{
  static delbuono_run scratch;

  if (table_1(ask, &scratch) != 0 || table_2(ask, &scratch) != 0 ||
      table_3(ask, &scratch) != 0 || orders(ask, &scratch) != 0)
    return cli_paper_fail(ask);
  printf("\n");
  return figure_1(ask) != 0 ? CLI_FAILED : CLI_DONE;
}

const cli_paper cli_paper_delbuono = {
    .name = "delbuono",
    .text = "Del Buono and Lopez 2015: tables 1 to 3, higher orders, figure 1",
    .title = "Del Buono, Lopez: Direct event location techniques based on Adams "
             "multistep methods for discontinuous ODEs (2015)",
    .runs = 0,
    .run = run,
};
