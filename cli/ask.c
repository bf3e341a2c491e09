/* ask.c -- how a run is asked for: what `run` and `compare` share. */
#include "ask.h"

#include <math.h>
#include <string.h>

/* a count that the command line does not name */
enum { NOT_ASKED = -1 };

void cli_ask_init(cli_ask *ask)
{
  *ask = (cli_ask){.sim = brink_sim_defaults(), .start = nan(""), .stop = nan("")};
  ask->sim.rtol = ask->sim.h_max = nan("");
  ask->sim.near_g = ask->sim.eta = ask->sim.lie_min = ask->sim.sliding_width =
      ask->sim.zeno_gap = nan("");
  ask->sim.locate_order = NOT_ASKED;
}

static int restep(cli_ask *ask, const char *how)
{
  static const char *const names[] = {"auto", "on", "off"};

  for (int i = 0; i < 3; i++)
    if (strcmp(how, names[i]) == 0) {
      ask->sim.restep = (brink_restep)i;
      return 0;
    }
  cli_say("--restep is auto, on or off, not '%s'", how);
  return -1;
}

/* The policy of this name, -1: there is none. */
static int zeno_policy(const char *name)
{
#define X(member, text)                                                                \
  if (strcmp(name, text) == 0)                                                         \
    return BRINK_ZENO_##member;
  BRINK_ZENO_MAP(X)
#undef X
  return -1;
}

static int zeno(cli_ask *ask, const char *how)
{
  if (zeno_policy(how) >= 0) {
    ask->zeno = how;
    return 0;
  }
  cli_say("--zeno is continue, stop, step, regularize or average, not '%s'", how);
  return -1;
}

static int sliding(cli_ask *ask, const char *how)
{
  static const char *const names[] = {"filippov", "regularize", "chatter", "stop"};

  for (int i = 0; i < 4; i++)
    if (strcmp(how, names[i]) == 0) {
      ask->sliding = names[i];
      return 0;
    }
  cli_say("--sliding is filippov, regularize, chatter or stop, not '%s'", how);
  return -1;
}

int cli_ask_option(cli_ask *ask, const cli_args *args)
{
  switch (args->id) {
  case CLI_OPT_START: return cli_real(args, &ask->start);
  case CLI_OPT_STOP: return cli_real(args, &ask->stop);
  case CLI_OPT_RESTEP: return restep(ask, args->value);
  case CLI_OPT_ZENO: return zeno(ask, args->value);
  case CLI_OPT_SLIDING: return sliding(ask, args->value);
#define X(name, value, least, most, text)                                              \
  case CLI_OPT_##name: return cli_real(args, &ask->sim.name);
    BRINK_SIM_REALS(X)
#undef X
#define X(name, value, least, text)                                                    \
  case CLI_OPT_##name: return cli_count(args, &ask->sim.name);
    BRINK_SIM_COUNTS(X)
#undef X
  default: return cli_load_option(&ask->load, args);
  }
}

static const char *choose(const char *asked, const char *annotated,
                          const char *otherwise)
{
  const char *name = asked ? asked : annotated && *annotated ? annotated : otherwise;
  return strcmp(name, "auto") == 0 ? otherwise : name;
}

/* What was asked, or the annotation says, or else 0. */
static void fill(double *asked, double annotated)
{
  if (isnan(*asked))
    *asked = isnan(annotated) ? 0 : annotated;
}

/* Settings of locators that take steps themselves. */
static void settle_locator(brink_sim_opts *sim, const brink_experiment *e)
{
  double order = e->locate_order;

  fill(&sim->near_g, e->near_g);
  fill(&sim->eta, e->eta);
  fill(&sim->lie_min, e->lie_min);
  fill(&order, 0);
  if (sim->locate_order == NOT_ASKED)
    sim->locate_order = (long)order;
}

int cli_ask_settle(cli_ask *ask, const brink_model *model)
{
  brink_experiment e = brink_model_experiment(model);

  if (isnan(ask->start))
    ask->start = isnan(e.start) ? 0 : e.start;
  if (isnan(ask->stop))
    ask->stop = isnan(e.stop) ? ask->start + 1 : e.stop;
  if (isnan(ask->sim.rtol))
    ask->sim.rtol = e.tolerance > 0 ? e.tolerance : brink_sim_defaults().rtol;
  if (ask->method || (e.method && *e.method))
    ask->sim.method = ask->method ? ask->method : e.method;
  ask->zeno = choose(ask->zeno, e.zeno, "continue");
  ask->sim.zeno = (brink_zeno_policy)zeno_policy(ask->zeno);
  ask->sim.sliding = choose(ask->sliding, e.sliding, ask->sim.sliding);
  fill(&ask->sim.sliding_width, e.width);
  fill(&ask->sim.zeno_gap, e.zeno_gap);
  ask->sim.locator = choose(ask->locator, e.locator, ask->sim.locator);
  ask->sim.wishes = ask->locator == NULL;
  settle_locator(&ask->sim, &e);
  return CLI_DONE;
}

static int has_fixed_step(const char *method)
{
  int i = 0;

  while (brink_method_name(i) && strcmp(brink_method_name(i), method) != 0)
    i++;
  return brink_method_fixed_step(i);
}

brink_sim_opts cli_ask_sim(const cli_ask *ask, const brink_model *model,
                           const char *method)
{
  enum { FIXED_STEPS = 500, LEAST_STEPS = 50 };
  brink_sim_opts opt = ask->sim;
  double interval = brink_model_experiment(model).interval,
         span = fabs(ask->stop - ask->start);
  int fixed = has_fixed_step(method);

  opt.method = method;
  if (fixed && !(opt.h0 > 0))
    opt.h0 = interval > 0 ? interval : span > 0 ? span / FIXED_STEPS : 1;
  if (isnan(opt.h_max))
    opt.h_max = fixed ? 0 : fmax(span / LEAST_STEPS, opt.h_min);
  return opt;
}
