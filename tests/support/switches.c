/* switches.c -- runs of problems with switches, with guards and without. */
#include "switches.h"

#include <math.h>
#include <string.h>

#include "hybrid.h"

/* -------------------------------------------------------------- models ---- */

/* The mode has a bit for each switch. */
static int rhs(double t, const double *y, double *f, const brink_env *e)
{
  const switched *p = e->user;

  p->f(t, y, (int[]){e->mode & 1, e->mode & 2, e->mode & 4, e->mode & 8}, f);
  return 0;
}

static int rhs_ask(double t, const double *y, double *f, const brink_env *e)
{
  const switched *p = e->user;
  int s[SWITCHED_M] = {0};

  for (int k = 0; k < p->m; k++)
    s[k] = p->g(t, y, k) > 0;
  p->f(t, y, s, f);
  return 0;
}

static double guard(double t, const double *y, int k, const brink_env *e)
{
  return ((const switched *)e->user)->g(t, y, k);
}

static int flip(brink_jump *j)
{
  j->mode ^= 1 << j->index;
  return 0;
}

enum { MODES = 1 << SWITCHED_M };

typedef struct tables {
  brink_guard_def guards[SWITCHED_M];
  brink_event_def events[MODES][SWITCHED_M];
  brink_mode_def modes[MODES];
} tables;

/* With loose tolerances a step can cross a switch that f turns back from: the event
 * fires anyway. */
static void with_guards(const switched *p, tables *all)
{
  static const char *const digits[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                       "8", "9", "10", "11", "12", "13", "14", "15"};

  for (int k = 0; k < p->m; k++)
    all->guards[k] = (brink_guard_def){.name = digits[k], .fn = guard};
  for (int i = 0; i < 1 << p->m; i++) {
    for (int k = 0; k < p->m; k++)
      all->events[i][k] = (brink_event_def){.name = digits[k],
                                            .guard = k,
                                            .dir = i >> k & 1 ? BRINK_DOWN : BRINK_UP,
                                            .jump = flip,
                                            .beyond = BRINK_FIRE};
    all->modes[i] = (brink_mode_def){.name = digits[i],
                                     .n = (size_t)p->n,
                                     .rhs = rhs,
                                     .guards = all->guards,
                                     .n_guards = p->m,
                                     .events = all->events[i],
                                     .n_events = p->m};
  }
}

/* ---------------------------------------------------------------- runs ---- */

switched_run switches_run(const switched *p, int guarded, const char *method,
                          double tol)
{
  switched copy = *p;
  tables all = {.modes = {{.name = "all", .n = (size_t)p->n, .rhs = rhs_ask}}};
  brink_model_def def = {.modes = all.modes, .n_modes = 1, .user = &copy};
  brink_sim_opts opt = brink_sim_defaults();
  int mode = 0;

  if (guarded) {
    with_guards(p, &all);
    def.n_modes = 1 << p->m;
    for (int k = 0; k < p->m; k++)
      mode |= (p->g(p->t0, p->y0, k) > 0) << k;
  }
  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.max_steps = 100000;
  rig r = rig_new(&def, &opt, p->t0, mode, p->y0);
  check_status(brink_sim_run(r.sim, p->t1), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  switched_run out = {.f = s.work.f_evals,
                      .events = s.events,
                      .unguarded = s.work.unguarded,
                      .looks = s.work.look_evals};
  memcpy(out.y, brink_sim_state(r.sim), (size_t)p->n * sizeof(double));
  rig_free(&r);
  return out;
}

switched_run switches_true(const switched *p)
{
  return switches_run(p, 1, "dop853", 1e-13);
}

double switches_off(const switched *p, const switched_run *a, const switched_run *b)
{
  double most = 0;

  for (int i = 0; i < p->n; i++)
    most = fmax(most, fabs(a->y[i] - b->y[i]) / (1 + fabs(b->y[i])));
  return most;
}
