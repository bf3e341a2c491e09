/* esposito_runs.c -- the experiments of [EK07, 3], see esposito_runs.h
 *
 * A run of the cars over 100 s is chaotic: two locators, two trajectories, two numbers
 * of events.  So several starts make one run.  Times are processor times.
 */
#include "papers/esposito_runs.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double esposito_uniform(void *user)
{
  uint64_t *s = user, z = (*s += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* ------------------------------------------------------------- table I --- */

esposito_detected esposito_detect(brink_ctx *ctx, const brink_sim_opts *opt,
                                  const esposito_start *starts, int n_starts)
{
  const double late = 1e-3; /* the tolerance may move the exit */
  brink_model *model = esposito_vehicle_new(ctx);
  brink_sim *sim = NULL;
  esposito_detected out = {0};

  if (!model || brink_sim_new(ctx, model, opt, &sim) < 0)
    out.failed = 1;
  for (int i = 0; sim && i < n_starts; i++) {
    const esposito_start *s = &starts[i];
    brink_sim_start(sim, 0, 0, (const double[]){s->x0, s->y0, -0.2});
    double end =
        brink_sim_run(sim, 3.2) == BRINK_TERMINATED ? brink_sim_time(sim) : HUGE_VAL;
    if (end > s->t_exit + late)
      continue;
    out.n++;
    out.worst = fmax(out.worst, fabs(end - s->t));
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return out;
}

/* ----------------------------------------------------------- example 2 --- */

void esposito_follow(brink_ctx *ctx, esposito_law law, const esposito_line *line,
                     const brink_sim_opts *opt, const brink_observer *observer,
                     esposito_calls *calls, esposito_fate *fate)
{
  esposito_calls own = {0};
  double y0[4] = {line->p0[0], line->p0[1]};
  brink_sim *sim = NULL;

  calls = calls ? calls : &own;
  brink_model *model = esposito_arm_new(ctx, law, calls);
  esposito_ik(line->p0, y0 + 2);
  if (law == ESPOSITO_TRACK) {
    y0[2] += 0.2;
    y0[3] -= 0.3;
  }
  if (!model || brink_sim_new(ctx, model, opt, &sim) < 0) {
    fate->failed = 1;
  } else {
    brink_sim_observe(sim, observer);
    brink_sim_start(sim, 0, 0, y0);
    brink_sim_set_p(sim, 0, line->v[0]);
    brink_sim_set_p(sim, 1, line->v[1]);
    if (brink_sim_run(sim, 10) == BRINK_TERMINATED) {
      fate->completed++;
      fate->worst = fmax(fate->worst, fabs(brink_sim_time(sim) - line->t_star));
    } else {
      fate->died++;
    }
    fate->calls += calls->all;
    fate->outside += calls->outside;
  }
  brink_sim_free(sim);
  brink_model_free(model);
}

/* ------------------------------------------------------------ table II --- */

typedef struct field {
  brink_model *model;
  brink_sim *sim;
  double y0[3 * ESPOSITO_CARS];
} field;

typedef struct rig {
  field field[ESPOSITO_FIELDS_MOST];
  int n;
} rig;

static void rig_free(rig *r)
{
  for (int i = 0; i < r->n; i++) {
    brink_sim_free(r->field[i].sim);
    brink_model_free(r->field[i].model);
  }
}

static int rig_new(brink_ctx *ctx, const char *method, int turning, int n_fields,
                   const esposito_racer *racer, rig *r)
{
  uint64_t seed = 0xca25;
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = racer->locator;
  opt.gain = racer->gain;
  opt.rtol = 1e-4;
  opt.keep = BRINK_KEEP_NOTHING;
  r->n = n_fields < ESPOSITO_FIELDS_MOST ? n_fields : ESPOSITO_FIELDS_MOST;
  for (int i = 0; i < r->n; i++) {
    esposito_car cars[ESPOSITO_CARS];
    field *f = &r->field[i];
    memcpy(cars, turning ? esposito_turning : esposito_straight, sizeof cars);
    if (i > 0)
      esposito_cars_random(cars, turning ? 0.3 : 0, esposito_uniform, &seed);
    esposito_cars_start(cars, f->y0);
    f->model = esposito_cars_new(ctx, cars);
    if (!f->model || brink_sim_new(ctx, f->model, &opt, &f->sim) < 0)
      return -1;
  }
  return 0;
}

static void lap(rig *r, esposito_racer *racer, int k)
{
  const double end = 100;
  clock_t start = clock();

  racer->steps = racer->events = racer->g_evals = racer->f_evals = 0;
  for (int i = 0; i < r->n; i++) {
    brink_sim_start(r->field[i].sim, 0, 0, r->field[i].y0);
    brink_sim_run(r->field[i].sim, end);
    brink_sim_stats s = brink_sim_statistics(r->field[i].sim);
    racer->steps += s.work.steps + s.work.rejected;
    racer->events += s.events;
    racer->g_evals += s.g_evals;
    racer->f_evals += s.work.f_evals;
  }
  racer->seconds[k] = (double)(clock() - start) / CLOCKS_PER_SEC;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int esposito_race(brink_ctx *ctx, const char *method, int turning, int n_fields,
                  int runs, esposito_racer *racers, int n_racers)
{
  rig *rigs = calloc((size_t)n_racers, sizeof *rigs);
  int n = runs < ESPOSITO_RUNS_MOST ? runs : ESPOSITO_RUNS_MOST, bad = !rigs;

  for (int i = 0; !bad && i < n_racers; i++)
    bad = rig_new(ctx, method, turning, n_fields, &racers[i], &rigs[i]) != 0;
  for (int i = 0; !bad && i < n_racers; i++)
    lap(&rigs[i], &racers[i], 0); /* warm */
  for (int k = 0; !bad && k < n; k++)
    for (int i = 0; i < n_racers; i++) {
      int who = k % 2 ? n_racers - 1 - i : i;
      lap(&rigs[who], &racers[who], k);
    }
  for (int i = 0; !bad && i < n_racers; i++) {
    double *s = racers[i].seconds;
    qsort(s, (size_t)n, sizeof *s, ascending);
    racers[i].median = 0.5 * (s[(n - 1) / 2] + s[n / 2]);
  }
  for (int i = 0; rigs && i < n_racers; i++)
    rig_free(&rigs[i]);
  free(rigs);
  return bad ? -1 : 0;
}
