/* ask.h -- how a run is asked for: what `run` and `compare` share. */
#ifndef BRINK_CLI_ASK_H
#define BRINK_CLI_ASK_H

#include "load.h"

#include "brink/sim.h"

#define CLI_REAL_ID(name, value, least, most, text) CLI_OPT_##name,
#define CLI_COUNT_ID(name, value, least, text)      CLI_OPT_##name,
#define CLI_REAL_ROW(name, value, least, most, text)                                   \
  {#name, 0, "X", text, CLI_OPT_##name},
#define CLI_COUNT_ROW(name, value, least, text) {#name, 0, "N", text, CLI_OPT_##name},

enum {
  CLI_OPT_START = CLI_LOAD_OPTIONS,
  CLI_OPT_STOP,
  CLI_OPT_RESTEP,
  CLI_OPT_ZENO,
  CLI_OPT_SLIDING,
  BRINK_SIM_REALS(CLI_REAL_ID) BRINK_SIM_COUNTS(CLI_COUNT_ID) CLI_ASK_OPTIONS
};

/* Rows of the table of options: the model and its time; the simulation. */
/* clang-format off */
#define CLI_TIME_TABLE                                                                      \
  CLI_LOAD_TABLE                                                                            \
  {"start", 0, "T", "start time [the experiment's StartTime, or 0]", CLI_OPT_START},        \
  {"stop",  0, "T", "stop time, also before the start [the experiment's StopTime, or start + 1]", CLI_OPT_STOP},
#define CLI_SIM_TABLE                                                                       \
  {"restep", 0, "HOW", "a closing step to each event: auto, on or off", CLI_OPT_RESTEP},    \
  {"zeno",   0, "HOW", "where events accumulate: continue, stop, step, regularize or average", CLI_OPT_ZENO},    \
  {"sliding", 0, "HOW", "where laws lead back to a guard: filippov, regularize, chatter or stop", CLI_OPT_SLIDING}, \
  BRINK_SIM_REALS(CLI_REAL_ROW) BRINK_SIM_COUNTS(CLI_COUNT_ROW)
/* clang-format on */

typedef struct cli_ask {
  cli_load load;
  brink_sim_opts sim;
  double start, stop;           /* and sim.rtol, sim.h_max; NaN: not given */
  const char *method, *locator; /* NULL: not given              */
  const char *zeno;             /* the same; settled: what holds */
  const char *sliding;          /* the same; settled: in sim     */
} cli_ask;

void cli_ask_init(cli_ask *ask);

/* An option met on the way; 0, or -1 and the user has been told. */
int cli_ask_option(cli_ask *ask, const cli_args *args);

/* What the model says where the user said nothing: its time; its tolerance, method and
 * locator, into ask->sim.  CLI_DONE, or the exit status; the user has been told. */
int cli_ask_settle(cli_ask *ask, const brink_model *model);

/* The settings of a run with this method, after cli_ask_settle: ask->sim with the steps
 * that nobody has asked for.  h0 of a method of fixed step: the experiment's Interval,
 * or a 500th of the run.  h_max of the others: a 50th of the run, so that what lasts
 * longer is seen by several steps; known times and events do not enter. */
brink_sim_opts cli_ask_sim(const cli_ask *ask, const brink_model *model,
                           const char *method);

#endif /* BRINK_CLI_ASK_H */
