/* nedialkov.c -- the run of the robot of [NR09]. */
#include "papers/nedialkov.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STOP = 5;

typedef struct taking {
  const brink_model *model;
  brink_sim *sim;
  nedialkov_run *out;
  size_t column[NEDIALKOV_N];
  double *values; /* [variables] */
} taking;

brink_model *nedialkov_model(brink_ctx *ctx, const char *path, int equations)
{
  brink_load_opts load = brink_load_defaults();
  brink_model *model = NULL;

  load.model = equations ? "RobotEquations" : NULL;
  return brink_model_load(ctx, path, &load, &model) < 0 ? NULL : model;
}

static void find_columns(taking *t)
{
  static const char *const names[] = {
#define X(name) #name,
      NEDIALKOV_COLUMNS(X)
#undef X
  };

  for (size_t i = 0; i < brink_model_variables(t->model); i++)
    for (int k = 0; k < NEDIALKOV_N; k++)
      if (strcmp(brink_model_variable(t->model, i).name, names[k]) == 0)
        t->column[k] = i;
}

static int on_step(const brink_step *step, double from, double to, int mode, void *user)
{
  enum { EACH = 12 }; /* rows of a step */
  taking *t = user;
  nedialkov_run *out = t->out;

  (void)mode;
  for (int i = 0; i <= EACH && out->n < NEDIALKOV_ROWS; i++) {
    double theta = from + (to - from) * i / EACH;
    if (brink_sim_values_at(t->sim, step, theta, t->values) < 0)
      return 1;
    out->t[out->n] = step->t0 + theta * step->h;
    for (int k = 0; k < NEDIALKOV_N; k++)
      out->row[k][out->n] = t->values[t->column[k]];
    for (int k = NEDIALKOV_G1; k <= NEDIALKOV_G2; k++)
      out->most = fmax(out->most, fabs(out->row[k][out->n]));
    out->n++;
  }
  return 0;
}

static nedialkov_guard guard_of(const char *name)
{
  int second = strstr(name, "q2") != NULL;

  if (strstr(name, "> alpha"))
    return second ? NEDIALKOV_UP2 : NEDIALKOV_UP1;
  if (strstr(name, "< -alpha"))
    return second ? NEDIALKOV_DOWN2 : NEDIALKOV_DOWN1;
  return second ? NEDIALKOV_Q2 : NEDIALKOV_Q1;
}

static int on_event(const brink_event *event, void *user)
{
  nedialkov_run *out = ((taking *)user)->out;

  if (event->kind == BRINK_KIND_START) {
    out->flips++;
    return 0;
  }
  if (out->n_events == NEDIALKOV_EVENTS)
    return 1;
  out->event_t[out->n_events] = event->t;
  out->event_guard[out->n_events++] = guard_of(event->name);
  return 0;
}

static void take_modes(const taking *t)
{
  nedialkov_run *out = t->out;

  out->n_modes = (int)fmin((double)out->stats.modes_met, NEDIALKOV_MODES);
  for (int i = 0; i < out->n_modes; i++) {
    brink_mode_met met = brink_sim_mode_met(t->sim, (size_t)i);
    out->mode_t[i] = met.t;
    out->mode_entries[i] = met.entries;
    memcpy(out->mode_branches[i], met.branches, sizeof out->mode_branches[i]);
  }
}

/* The guesses of [NR09, 5]; x, z, E and the velocities are the model's own. */
static brink_status guess(brink_sim *sim)
{
  static const char *const zero[] = {"q1", "q2", "qd1", "qd2"};
  brink_status rc = BRINK_OK;

  for (int i = 0; i < 4 && rc >= 0; i++)
    rc = brink_sim_set_start(sim, zero[i], 0);
  return rc;
}

int nedialkov_solve(brink_ctx *ctx, const brink_model *model, const char *method,
                    double tol, nedialkov_run *out)
{
  brink_sim_opts opt = brink_sim_defaults();
  taking t = {.model = model, .out = out};
  brink_observer watch = {on_step, on_event, &t};

  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.keep = BRINK_KEEP_NOTHING;
  memset(out, 0, sizeof *out);
  t.values = malloc((brink_model_variables(model) + 1) * sizeof *t.values);
  if (!t.values || brink_sim_new(ctx, model, &opt, &t.sim) < 0) {
    out->err = *brink_ctx_error(ctx);
    free(t.values);
    return -1;
  }
  find_columns(&t);
  brink_sim_observe(t.sim, &watch);
  int good = guess(t.sim) >= 0 && brink_sim_start(t.sim, 0, 0, NULL) >= 0 &&
             brink_sim_run(t.sim, STOP) == BRINK_END;
  out->stats = brink_sim_statistics(t.sim);
  if (good)
    take_modes(&t);
  else
    out->err = *brink_sim_error(t.sim);
  brink_sim_free(t.sim);
  free(t.values);
  return good ? 0 : -1;
}
