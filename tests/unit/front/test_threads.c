/* Two threads, one model, different parameters: a thousand runs each are the runs that
 * one thread makes one after the other, bit for bit.
 *
 * The lamps have so many combinations of modes that simulations compile what they meet;
 * those of the pair were all compiled with the model.  Some runs fail, and the sentence
 * about them is the same too: it reads the equations.
 */
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"

enum { RUNS = 1000, THREADS = 2, NUMBERS = 6 };

#define LAMP                                                                           \
  " model Dark parameter Real wait = 1; Real t(start = 0); equation der(t) = 1;\n"     \
  "  end Dark;\n"                                                                      \
  " model Bright Real t(start = 0), e(start = 0.1);\n"                                 \
  "  equation der(t) = 1; der(e) = 3*t*e; end Bright;\n"                               \
  " model Lamp parameter Real wait = 1; Dark dark; Bright bright;\n"                   \
  "  equation initialState(dark);\n"                                                   \
  "  transition(dark, bright, dark.t > wait);\n"                                       \
  "  transition(bright, dark, bright.t > 0.4*wait, reset = true); end Lamp;\n"

static const char pair[] =
    "model Pair\n" LAMP " parameter Real a = 0.3, b = a + 0.2, c = 5;\n"
    " Lamp p(wait = a), q(wait = b);\n"
    " Real x(start = 1, fixed = true), y;\n"
    "equation\n"
    " der(x) = -x/c; y = sqrt(c - time);\n"
    " when sample(0.05, 0.2*a) then reinit(x, 0.9*pre(x)); end when;\n"
    "end Pair;\n";

static const char lamps[] =
    "model Lamps\n" LAMP " parameter Real a = 0.3, b = 0.02, c = 5;\n"
    " Lamp lamp[7](wait = {a + b*i for i in 1:7});\n"
    " Real x(start = 1, fixed = true), y;\n"
    "equation\n"
    " der(x) = -x/c; y = sqrt(c - time);\n"
    "end Lamps;\n";

/* What a run leaves. */
typedef struct outcome {
  brink_status status;
  double v[NUMBERS];
  char text[BRINK_ERR_TEXT];
} outcome;

typedef struct job {
  const brink_model *model;
  int first, every; /* of the runs */
  outcome *out;     /* [RUNS] of all */
} job;

static uint64_t mix(uint64_t h, const void *p, size_t n)
{
  const unsigned char *b = p;

  for (size_t i = 0; i < n; i++)
    h = (h ^ b[i]) * 0x100000001b3u;
  return h;
}

/* Number k of the runs: other parameters for each. */
static void one_run(brink_sim *sim, int k, outcome *out)
{
  uint64_t seed = 77 + 1013 * (uint64_t)k, hash = 14695981039346656037u;

  memset(out, 0, sizeof *out);
  brink_sim_set(sim, "a", rand_in(&seed, 0.11, 0.29));
  brink_sim_set(sim, "b", rand_in(&seed, 0.013, 0.21));
  brink_sim_set(sim, "c", rand_in(&seed, 0.8, 4.3)); /* sqrt(c - time) may fail */
  brink_sim_set_start(sim, "x", rand_in(&seed, 0.5, 1.5));
  out->status = brink_sim_start(sim, 0, 0, NULL);
  if (out->status >= 0)
    out->status = brink_sim_run(sim, 0.93);
  const brink_trace *trace = brink_sim_trace(sim);
  size_t n = brink_trace_events(trace);
  for (size_t i = 0; i < n; i++) {
    brink_event e = brink_trace_event(trace, i);
    hash = mix(hash, &e.t, sizeof e.t);
    hash = mix(hash, &e.mode_after, sizeof e.mode_after);
    hash = mix(hash, e.name, strlen(e.name));
  }
  out->v[0] = (double)n;
  out->v[1] = (double)(hash >> 12);
  out->v[2] = brink_sim_time(sim);
  out->v[3] = brink_sim_state(sim)[0];
  out->v[4] = (double)brink_sim_statistics(sim).work.f_evals;
  if (brink_sim_get(sim, "y", &out->v[5]) < 0 || out->status < 0)
    memcpy(out->text, brink_sim_error(sim)->text, sizeof out->text);
}

static void *run_all(void *user)
{
  const job *j = user;
  brink_ctx *ctx = NULL;
  brink_sim *sim = NULL;

  if (brink_ctx_new(NULL, &ctx) >= 0 && brink_sim_new(ctx, j->model, NULL, &sim) >= 0)
    for (int k = j->first; k < RUNS * THREADS; k += j->every)
      one_run(sim, k, &j->out[k]);
  brink_sim_free(sim);
  brink_ctx_free(ctx);
  return NULL;
}

static void compare(const char *text, int fewest_events)
{
  outcome *want = calloc(RUNS * THREADS, sizeof *want);
  outcome *got = calloc(RUNS * THREADS, sizeof *got);
  pthread_t thread[THREADS];
  job jobs[THREADS];
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  long failed = 0;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "t.mo", text, strlen(text), NULL, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (job){model, i, THREADS, got};
    assert_int_equal(pthread_create(&thread[i], NULL, run_all, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  run_all(&(job){model, 0, 1, want});
  for (int k = 0; k < RUNS * THREADS; k++) {
    if (memcmp(&want[k], &got[k], sizeof *want) != 0)
      fail_msg("run %d: status %d and %d, y = %.17g and %.17g, '%s' and '%s'", k,
               want[k].status, got[k].status, want[k].v[5], got[k].v[5], want[k].text,
               got[k].text);
    failed += want[k].text[0] != 0;
    assert_true(want[k].v[0] >= fewest_events);
  }
  check_in((double)failed, 10, RUNS);
  brink_model_free(model);
  brink_ctx_free(ctx);
  free(want);
  free(got);
}

static void modes_compiled_with_the_model(void **state)
{
  (void)state;
  compare(pair, 10);
}

static void modes_compiled_by_simulations(void **state)
{
  (void)state;
  compare(lamps, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_compiled_with_the_model),
      cmocka_unit_test(modes_compiled_by_simulations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
