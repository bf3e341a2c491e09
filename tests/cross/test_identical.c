/* The trajectory does not depend on who looks at it, nor on what the simulation has
 * done before: every model of the collection and of the tests of the language is run
 * without output, and with values asked for inside every step and all relations listed;
 * and, of the collection, after another run, and in a clone.  Times and states at the
 * end and at events are the same bits. */
#include "check.h"

#include "brink/brink.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 20000, STEPS = 3000 };

/* What a run leaves: numbers, to be compared bit by bit. */
typedef struct outcome {
  size_t n;
  double v[VALUES];
} outcome;

/* Who looks: at so many points of each step. */
typedef struct looker {
  brink_sim *sim;
  double *values;
  int points;
} looker;

static void put(outcome *o, double x)
{
  if (o->n < VALUES)
    o->v[o->n++] = x;
}

static int on_step(const brink_step *step, double begin, double end, int mode,
                   void *user)
{
  looker *l = user;

  (void)mode;
  for (int i = 0; i <= l->points; i++)
    brink_sim_values_at(l->sim, step, begin + (end - begin) * i / l->points, l->values);
  return 0;
}

static int on_event(const brink_event *e, void *user)
{
  looker *l = user;

  (void)e;
  brink_sim_values(l->sim, l->values);
  return 0;
}

static void keep_outcome(brink_sim *sim, brink_status rc, outcome *o)
{
  const brink_trace *trace = brink_sim_trace(sim);

  put(o, rc);
  put(o, brink_sim_time(sim));
  for (size_t i = 0; i < brink_sim_n(sim); i++)
    put(o, brink_sim_state(sim)[i]);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.silent)
      continue;
    put(o, e.t);
    for (size_t i = 0; i < e.n_after; i++)
      put(o, e.y_after[i]);
  }
}

static double start_of(const brink_experiment *ex)
{
  return isnan(ex->start) ? 0 : ex->start;
}

static double stop_of(const brink_experiment *ex)
{
  return isnan(ex->stop) ? start_of(ex) + 1 : ex->stop;
}

static brink_sim *make(brink_ctx *ctx, const brink_model *model, const char *method,
                       int verbose)
{
  brink_experiment ex = brink_model_experiment(model);
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *sim;

  opt.method = method;
  opt.max_steps = STEPS;
  opt.all_relations = verbose;
  opt.keep = BRINK_KEEP_EVENTS;
  if (ex.tolerance > 0)
    opt.rtol = ex.tolerance;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  return sim;
}

/* points 0: nobody looks.  0: the model does not start. */
static int run(brink_ctx *ctx, const brink_model *model, const char *method, int points,
               int verbose, outcome *o)
{
  brink_experiment ex = brink_model_experiment(model);
  brink_sim *sim = make(ctx, model, method, verbose);

  o->n = 0;
  brink_status rc = brink_sim_start(sim, start_of(&ex), 0, NULL);
  if (rc < 0) {
    brink_sim_free(sim);
    return 0;
  }
  looker l = {sim, malloc((brink_model_variables(model) + 1) * sizeof(double)), points};
  if (points)
    brink_sim_observe(
        sim, &(brink_observer){.on_step = on_step, .on_event = on_event, .user = &l});
  rc = brink_sim_run(sim, stop_of(&ex));
  keep_outcome(sim, rc, o);
  free(l.values);
  brink_sim_free(sim);
  return 1;
}

/* The same, after another run over the first two thirds; and from 0.37 of it on in a
 * clone, and in the original when it is taken back there. */
static void run_again(brink_ctx *ctx, const brink_model *model, const char *method,
                      outcome *again, outcome *from_here, outcome *clone)
{
  brink_experiment ex = brink_model_experiment(model);
  double start = start_of(&ex), length = stop_of(&ex) - start;
  brink_sim *sim = make(ctx, model, method, 0), *copy = NULL;
  brink_snapshot *there = NULL;

  again->n = from_here->n = clone->n = 0;
  check_status(brink_sim_start(sim, start, 0, NULL), BRINK_OK);
  brink_sim_run(sim, start + 0.67 * length);
  check_status(brink_sim_start(sim, start, 0, NULL), BRINK_OK);
  brink_status rc = brink_sim_run(sim, start + length);
  keep_outcome(sim, rc, again);
  check_status(brink_sim_start(sim, start, 0, NULL), BRINK_OK);
  if (brink_sim_run(sim, start + 0.37 * length) == BRINK_END) {
    check_status(brink_sim_clone(ctx, sim, &copy), BRINK_OK);
    check_status(brink_sim_save(sim, &there), BRINK_OK);
    keep_outcome(copy, brink_sim_run(copy, start + length), clone);
    check_status(brink_sim_restore(sim, there), BRINK_OK);
    keep_outcome(sim, brink_sim_run(sim, start + length), from_here);
  }
  brink_snapshot_free(there);
  brink_sim_free(copy);
  brink_sim_free(sim);
}

static int differs(const char *name, const char *method, const char *how,
                   const outcome *a, const outcome *b)
{
  if (a->n == b->n && memcmp(a->v, b->v, a->n * sizeof *a->v) == 0)
    return 0;
  size_t k = 0;
  while (k < a->n && k < b->n && a->v[k] == b->v[k])
    k++;
  print_error("%s, %s: another trajectory %s: of %zu and %zu numbers, number %zu is "
              "%.17g and %.17g\n",
              name, method, how, a->n, b->n, k, a->v[k], b->v[k]);
  return 1;
}

typedef int look_fn(brink_ctx *ctx, const brink_model *model, const char *name,
                    int *n_runs);

static int look_with_output(brink_ctx *ctx, const brink_model *model, const char *name,
                            int *n_runs)
{
  static outcome none, all;
  static const char *const methods[] = {"dopri5", "adams", "dop853"};
  int bad = 0;

  for (int i = 0; i < 3; i++) {
    if (!run(ctx, model, methods[i], 0, 0, &none))
      continue;
    run(ctx, model, methods[i], 7, 1, &all);
    bad += differs(name, methods[i], "with output and all relations", &none, &all);
    *n_runs += 1;
  }
  return bad;
}

static int look_again(brink_ctx *ctx, const brink_model *model, const char *name,
                      int *n_runs)
{
  static outcome first, again, from_here, clone;
  static const char *const methods[] = {"auto", "adams"};
  int bad = 0;

  for (int i = 0; i < 2; i++) {
    if (!run(ctx, model, methods[i], 0, 0, &first))
      continue;
    run_again(ctx, model, methods[i], &again, &from_here, &clone);
    bad += differs(name, methods[i], "after another run", &first, &again);
    bad += differs(name, methods[i], "in a clone", &from_here, &clone);
    *n_runs += 1;
  }
  return bad;
}

static int look_at(const char *dir, const char *name, look_fn *look, int *n_runs)
{
  char path[600];
  brink_ctx *ctx;
  brink_model *model = NULL;
  int bad = 0;

  snprintf(path, sizeof path, "%s/%s", dir, name);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_load(ctx, path, NULL, &model) >= 0)
    bad = look(ctx, model, name, n_runs);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return bad;
}

static void the_models_of(const char *where, look_fn *look)
{
  DIR *dir = opendir(where);
  struct dirent *entry;
  int bad = 0, runs = 0;

  assert_non_null(dir);
  while ((entry = readdir(dir))) {
    size_t n = strlen(entry->d_name);
    if (n > 3 && strcmp(entry->d_name + n - 3, ".mo") == 0)
      bad += look_at(where, entry->d_name, look, &runs);
  }
  closedir(dir);
  print_message("%d runs, each of them twice\n", runs);
  assert_true(runs > 20);
  assert_int_equal(bad, 0);
}

static void the_collection_is_not_moved_by_output(void **state)
{
  (void)state;
  the_models_of(MODELS_DIR, look_with_output);
}

static void the_models_of_the_tests_are_not_moved_by_output(void **state)
{
  (void)state;
  the_models_of(LANG_DIR "/model", look_with_output);
}

static void runs_know_nothing_of_earlier_ones_and_clones_everything(void **state)
{
  (void)state;
  the_models_of(MODELS_DIR, look_again);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_collection_is_not_moved_by_output),
      cmocka_unit_test(the_models_of_the_tests_are_not_moved_by_output),
      cmocka_unit_test(runs_know_nothing_of_earlier_ones_and_clones_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
