/* test_record.c -- rows and events of a run, as files show them. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/text.h"

/* ------------------------------------------------------- a sink in memory --- */

typedef struct memory {
  char text[200000];
  size_t n, limit; /* refuses bytes beyond limit */
} memory;

static int to_memory(void *user, const char *bytes, size_t n)
{
  memory *m = user;
  if (m->n + n > m->limit)
    return -1;
  memcpy(m->text + m->n, bytes, n);
  m->n += n;
  m->text[m->n] = 0;
  return 0;
}

static memory *memory_new(size_t limit)
{
  memory *m = calloc(1, sizeof *m);
  assert_non_null(m);
  m->limit = limit < sizeof m->text ? limit : sizeof m->text - 1;
  return m;
}

static brink_sink sink_of(memory *m) { return (brink_sink){to_memory, m, "memory"}; }

/* ------------------------------------------------------------- models ------- */

/* x' = -2.25, back to 1.3125 when it falls through -0.1875; counted in w[0]:
 * events at 2/3, 4/3, 2, ... */
static int fall(double t, const double *y, double *f, const brink_env *env)
{
  (void)t, (void)y, (void)env;
  f[0] = -2.25;
  return 0;
}

static int lift(brink_jump *j)
{
  j->y[0] = 1.3125;
  j->w[0]++;
  return 0;
}

static int stop_third(brink_jump *j)
{
  lift(j);
  j->stop = j->w[0] == 3;
  return 0;
}

static const brink_guard_def low = {.name = "low", .state = 0, .level = -0.1875};
static const brink_event_def saw_event = {
    .name = "lift, at last", .dir = BRINK_DOWN, .jump = lift};
static const brink_event_def third_event = {
    .name = "third", .dir = BRINK_DOWN, .jump = stop_third};
static const double zero = 0;
static const char *const name[] = {"x[1,2]"};
static const brink_mode_def saw_mode = {.name = "fall",
                                        .n = 1,
                                        .states = name,
                                        .rhs = fall,
                                        .guards = &low,
                                        .n_guards = 1,
                                        .events = &saw_event,
                                        .n_events = 1};
static const brink_mode_def third_mode = {.name = "fall",
                                          .n = 1,
                                          .states = name,
                                          .rhs = fall,
                                          .guards = &low,
                                          .n_guards = 1,
                                          .events = &third_event,
                                          .n_events = 1};
static const brink_model_def saw = {
    .name = "saw \"1\"", .modes = &saw_mode, .n_modes = 1, .w = &zero, .n_w = 1};
static const brink_model_def third = {
    .name = "third", .modes = &third_mode, .n_modes = 1, .w = &zero, .n_w = 1};

/* Run it into one document. */
static brink_status record_by(const brink_sim_opts *how, const brink_model_def *def,
                              brink_recorder_opts opt, brink_format format, memory *out,
                              brink_err *err)
{
  double x0 = 1.3125;
  rig r = rig_new(def, how, opt.start, 0, &x0);
  brink_output doc = {format, sink_of(out)};
  brink_recorder *rec;

  opt.outputs = &doc;
  opt.n_outputs = 1;
  check_status(brink_recorder_new(r.ctx, r.model, &opt, &rec), BRINK_OK);
  brink_status status = BRINK_STOPPED;
  if (brink_recorder_begin(rec, r.sim) >= 0)
    status = brink_sim_run(r.sim, opt.stop);
  brink_recorder_end(rec, status);
  if (err)
    *err = *brink_recorder_error(rec);
  brink_recorder_free(rec);
  rig_free(&r);
  return status;
}

static brink_status record(const brink_model_def *def, brink_recorder_opts opt,
                           brink_format format, memory *out, brink_err *err)
{
  return record_by(NULL, def, opt, format, out, err);
}

/* Rows of a CSV text: time and the first value; the rest is skipped. */
typedef struct rows {
  int n;
  double t[2000], x[2000], w[2000];
} rows;

static rows *read_rows(const memory *m)
{
  rows *r = calloc(1, sizeof *r);
  const char *p = strchr(m->text, '\n') + 1;

  while (*p) {
    assert_int_equal(sscanf(p, "%lf,%lf,%lf", &r->t[r->n], &r->x[r->n], &r->w[r->n]),
                     3);
    r->n++;
    p = strchr(p, '\n') + 1;
  }
  return r;
}

/* -------------------------------------------------------------- numbers ----- */

static void numbers_read_back_exactly(void **state)
{
  uint64_t seed = 20240229;
  char out[BRINK__NUMBER];

  (void)state;
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = rand_u64(&seed);
    double x;
    if (i % 2) { /* decimal numbers of people */
      x = round(rand_in(&seed, -1e6, 1e6)) / 1e4;
    } else {
      memcpy(&x, &bits, sizeof x);
    }
    if (!isfinite(x))
      continue;
    brink__shortest(out, x);
    double back = strtod(out, NULL);
    assert_memory_equal(&back, &x, sizeof x);
  }
  brink__shortest(out, 0.1);
  assert_string_equal(out, "0.1");
  brink__shortest(out, -0.0);
  assert_string_equal(out, "-0");
  brink__shortest(out, nan(""));
  assert_string_equal(out, "nan");
}

static void strings_are_quoted_for_their_format(void **state)
{
  memory *m = memory_new(SIZE_MAX);
  brink_sink sink = sink_of(m);
  brink__text text;
  brink_err err;

  (void)state;
  brink__text_init(&text, &sink);
  brink__put_json(&text, "a\"b\\c\td \xc2\xb0"
                         "C \xb0"
                         "C \xe2\x82\xac");
  check_status(brink__text_flush(&text, &err), BRINK_OK);
  assert_string_equal(m->text, "\"a\\\"b\\\\c\\u0009d \xc2\xb0"
                               "C \\u00b0C \xe2\x82\xac\"");
  m->n = 0;
  brink__put_csv(&text, "plain [1]");
  brink__puts(&text, ";");
  brink__put_csv(&text, "a \"b\", c");
  brink__text_flush(&text, &err);
  assert_string_equal(m->text, "plain [1];\"a \"\"b\"\", c\"");
  free(m);
}

/* ----------------------------------------------------------------- rows ----- */

static void an_event_is_two_rows_and_the_grid_goes_on(void **state)
{
  memory *m = memory_new(SIZE_MAX);

  (void)state;
  check_status(record(&saw,
                      (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                            .start = 0,
                                            .stop = 1.9,
                                            .interval = 0.25},
                      BRINK_OUT_CSV, m, NULL),
               BRINK_END);
  check_text(m->text, "time,\"x[1,2]\",");
  rows *r = read_rows(m);
  /* 0, .25, .5, 2/3, 2/3, .75, 1, 1.25, 4/3, 4/3, 1.5, 1.75, 1.9 */
  static const double t[] = {0,    .25,    .5,     2. / 3, 2. / 3, .75, 1,
                             1.25, 4. / 3, 4. / 3, 1.5,    1.75,   1.9};
  assert_int_equal(r->n, sizeof t / sizeof t[0]);
  for (int i = 0; i < r->n; i++) {
    check_near(r->t[i], t[i], 1e-14);
    int events = i < 4 ? 0 : i < 9 ? 1 : 2;
    double since = t[i] - events * (2. / 3);
    check_near(r->x[i], 1.3125 - 2.25 * since, 1e-13);
    check_near(r->w[i], events, 0);
  }
  assert_true(r->t[3] == r->t[4]);
  free(r);
  free(m);
}

static void a_grid_time_that_is_an_event_is_not_written_twice(void **state)
{
  memory *m = memory_new(SIZE_MAX);

  (void)state;
  /* t = 2/3 k is on the grid of 2/3/2; the rows: 0 1/3 E E 1 E E 5/3 E E */
  check_status(record(&saw,
                      (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                            .start = 0,
                                            .stop = 2,
                                            .points = 7},
                      BRINK_OUT_CSV, m, NULL),
               BRINK_END);
  rows *r = read_rows(m);
  assert_in_range(r->n, 10, 13); /* a rounding apart is two times */
  for (int i = 1; i < r->n; i++)
    if (r->t[i] == r->t[i - 1])
      assert_true(r->x[i] != r->x[i - 1]);
  check_near(r->t[r->n - 1], 2, 0);
  free(r);
  free(m);
}

static void points_count_rows_with_both_ends(void **state)
{
  memory *m = memory_new(SIZE_MAX);

  (void)state;
  check_status(record(&saw,
                      (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                            .start = 0.1,
                                            .stop = 0.6,
                                            .points = 38},
                      BRINK_OUT_CSV, m, NULL),
               BRINK_END);
  rows *r = read_rows(m);
  assert_int_equal(r->n, 38);
  check_near(r->t[0], 0.1, 0);
  check_near(r->t[17], 0.1 + 0.5 * 17 / 37, 1e-15);
  check_near(r->t[37], 0.6, 0);
  free(r);
  m->n = 0;
  check_status(record(&saw,
                      (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                            .start = 0.1,
                                            .stop = 0.6},
                      BRINK_OUT_CSV, m, NULL),
               BRINK_END);
  r = read_rows(m);
  assert_int_equal(r->n, 501);
  free(r);
  free(m);
}

static void steps_that_end_on_the_grid_are_one_row_each(void **state)
{
  memory *m = memory_new(SIZE_MAX);
  brink_sim_opts how = brink_sim_defaults();

  (void)state;
  how.method = "rk4";
  how.h0 = 0.0625;
  check_status(record_by(&how, &saw,
                         (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                               .start = 0,
                                               .stop = 0.5,
                                               .interval = 0.125},
                         BRINK_OUT_CSV, m, NULL),
               BRINK_END);
  rows *r = read_rows(m);
  assert_int_equal(r->n, 5);
  for (int i = 0; i < r->n; i++) {
    check_near(r->t[i], 0.125 * i, 0);
    check_near(r->x[i], 1.3125 - 2.25 * 0.125 * i, 1e-15);
  }
  free(r);
  free(m);
}

static void the_last_row_is_where_the_run_ended(void **state)
{
  memory *m = memory_new(SIZE_MAX);

  (void)state;
  check_status(record(&third,
                      (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                            .start = 0,
                                            .stop = 9,
                                            .interval = 0.5},
                      BRINK_OUT_CSV, m, NULL),
               BRINK_TERMINATED);
  rows *r = read_rows(m);
  check_near(r->t[r->n - 1], 2, 1e-14);
  check_near(r->w[r->n - 1], 3, 0);
  check_near(r->w[r->n - 2], 2, 0);
  free(r);
  free(m);
}

/* ------------------------------------------------------------- documents ---- */

static void events_have_the_header_of_the_contract(void **state)
{
  memory *m = memory_new(SIZE_MAX);
  double t, g;

  (void)state;
  record(
      &saw,
      (brink_recorder_opts){.size = sizeof(brink_recorder_opts), .start = 0, .stop = 1},
      BRINK_OUT_EVENTS, m, NULL);
  const char *head = "time,instant,event,kind,class,side,mode_before,mode_after,"
                     "located_by,certificate,g,rate_before,rate_after\n";
  assert_memory_equal(m->text, head, strlen(head));
  const char *line = m->text + strlen(head);
  assert_int_equal(sscanf(line,
                          "%lf,0,\"lift, at last\",crossing,SE-S,after,,,isolate,"
                          "proved,%lf,,\n",
                          &t, &g),
                   2);
  check_near(t, 2. / 3, 1e-15);
  check_near(g, 0, 1e-15);
  assert_null(strchr(strchr(line, '\n') + 1, '\n'));
  free(m);
}

static void json_is_closed_however_the_run_ends(void **state)
{
  memory *m = memory_new(SIZE_MAX);

  (void)state;
  record(&third,
         (brink_recorder_opts){
             .size = sizeof(brink_recorder_opts), .start = 0, .stop = 9, .points = 4},
         BRINK_OUT_JSON, m, NULL);
  check_text(m->text, "\"model\": \"third\"");
  check_text(m->text, "\"names\": [\"time\", \"x[1,2]\"");
  check_text(m->text,
             "]\n],\n\"status\": \"a terminal event ended the run\",\n\"end\": 2");
  check_text(m->text + m->n - 3, "\n}\n");
  m->n = 0;
  record(&saw,
         (brink_recorder_opts){
             .size = sizeof(brink_recorder_opts), .start = 0, .stop = 0.5, .points = 2},
         BRINK_OUT_JSON, m, NULL);
  check_text(m->text, "\"model\": \"saw \\\"1\\\"\"");
  check_text(m->text, "\n[0, 1.3125, 0],\n[0.5, 0.18");
  free(m);
}

static void a_sink_that_refuses_ends_the_run_with_a_sentence(void **state)
{
  memory *m = memory_new(9000);
  brink_err err;

  (void)state;
  check_status(record(&saw,
                      (brink_recorder_opts){.size = sizeof(brink_recorder_opts),
                                            .start = 0,
                                            .stop = 1e3,
                                            .points = 1000000},
                      BRINK_OUT_CSV, m, &err),
               BRINK_STOPPED);
  check_status(err.status, BRINK_EIO);
  check_text(err.text, "'memory' could not be written");
  free(m);
}

static void nonsense_is_refused(void **state)
{
  rig r = rig_new(&saw, NULL, 0, 0, &(double){1});
  brink_recorder *rec;

  (void)state;
  const brink_recorder_opts bad[] = {{.start = 0, .stop = 1, .points = 1},
                                     {.start = 0, .stop = 1, .points = -5},
                                     {.start = 0, .stop = 1, .interval = -0.5},
                                     {.start = 0, .stop = 1e9, .interval = 1e-12},
                                     {.start = 1, .stop = HUGE_VAL}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    brink_recorder_opts opt = bad[i];
    check_status(brink_recorder_new(r.ctx, r.model, &opt, &rec), BRINK_EARG);
    assert_non_null(strstr(brink_ctx_error(r.ctx)->text, "has no size"));
    opt.size = sizeof opt;
    check_status(brink_recorder_new(r.ctx, r.model, &opt, &rec), BRINK_EARG);
    assert_null(strstr(brink_ctx_error(r.ctx)->text, "has no size"));
    assert_null(rec);
  }
  rig_free(&r);
}

static void memory_that_is_refused_is_told(void **state)
{
  flaky f = {.fail_at = 0};
  brink_alloc alloc = flaky_alloc(&f);
  brink_ctx *ctx;
  brink_model *model;
  brink_recorder *rec;

  (void)state;
  check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, &saw, &model), BRINK_OK);
  f.fail_at = f.calls + 1;
  brink_recorder_opts opt = {.size = sizeof opt, .start = 0, .stop = 1};
  check_status(brink_recorder_new(ctx, model, &opt, &rec), BRINK_ENOMEM);
  assert_null(rec);
  check_status(brink_recorder_new(ctx, model, &opt, &rec), BRINK_OK);
  brink_recorder_free(rec);
  brink_recorder_free(NULL);
  brink_model_free(model);
  brink_ctx_free(ctx);
  assert_int_equal(f.live, 0);
}

/* --------------------------------------------------------------- tables ----- */

static void widest(const char *text, size_t most)
{
  for (const char *p = text; *p; p = strchr(p, '\n') + 1)
    assert_true((size_t)(strchr(p, '\n') - p) <= most);
}

static void tables_fit_100_columns(void **state)
{
  memory *m = memory_new(SIZE_MAX);
  brink_sink sink = sink_of(m);
  brink_digest digest = {0};
  brink_event e = {
      .name = "a condition that is much longer than anybody would like to read "
              "in a table of a terminal",
      .t = -1.2345678901234567e-300,
      .kind = BRINK_KIND_SLIDE_OUT,
      .classes = BRINK_SE_M,
      .certificate = BRINK_CONVERGED};
  rig r = rig_new(&saw, NULL, 0, 0, &(double){1});
  brink_report report = {.method = "auto-rk", .locator = "bisection-1"};
  brink_err err;
  char line[256];

  (void)state;
  for (int i = 0; i < 12345; i++)
    brink_digest_add(&digest, &e);
  check_status(brink_write_events(&sink, r.model, &digest, &err), BRINK_OK);
  check_text(m->text, "(12325 more)");
  check_text(m->text, " 12345  -1.23456789012346e-300");
  check_text(m->text, "  a condition that is m...f a terminal  "); /* the end is kept */
  report.stats.work = (brink_work){
      .steps = 1234567890, .rejected = 1234567, .f_evals = 12345678901, .restarts = 1};
  report.stats.events = report.stats.time_events = 1234567;
  report.stats.wall_seconds = 12345.678;
  check_status(brink_write_work(&sink, &report, &err), BRINK_OK);
  check_status(brink_write_values(&sink, r.model, 1, 0, (double[]){-1.5e-300, 2}, &err),
               BRINK_OK);
  widest(m->text, 100);
  brink_progress_line(line, sizeof line, 80, 0.437, 1.23e-300, 12345, 17.5);
  assert_true(strlen(line) <= 80);
  check_text(line, " 43 %");
  brink_progress_line(line, sizeof line, 20, 0.437, 1.23, 12345, 17.5);
  assert_true(strlen(line) == 20);
  rig_free(&r);
  free(m);
}

static void a_narrow_terminal_has_a_narrow_table(void **state)
{
  static const int widths[] = {60, 80, 90, 97, 130}, fits[] = {75, 80, 90, 97, 97};
  brink_event e = {.name = "gr\xc3\xb6\xc3\x9f"
                           "e[17] > the.limit[3] of all (line 421)",
                   .t = 1.2345678901234567,
                   .kind = BRINK_KIND_CROSSING,
                   .classes = BRINK_SE_S,
                   .certificate = BRINK_CONVERGED};
  rig r = rig_new(&saw, NULL, 0, 0, &(double){1});

  (void)state;
  for (int i = 0; i < 5; i++) {
    memory *m = memory_new(SIZE_MAX);
    brink_sink sink = sink_of(m);
    brink_digest digest = {.columns = widths[i]};
    brink_err err;
    brink_digest_add(&digest, &e);
    check_status(brink_write_events(&sink, r.model, &digest, &err), BRINK_OK);
    assert_int_equal(strcspn(m->text, "\n"), fits[i]);
    check_text(m->text, i < 1   ? "e 421)  crossing"
                        : i < 2 ? "line 421)  crossing"
                                : "(line 421)  crossing");
    free(m);
  }
  rig_free(&r);
}

static void the_digest_keeps_the_first_and_the_last(void **state)
{
  memory *m = memory_new(SIZE_MAX);
  brink_sink sink = sink_of(m);
  brink_digest digest = {0};
  rig r = rig_new(&saw, NULL, 0, 0, &(double){1});
  brink_err err;

  (void)state;
  for (int i = 1; i <= 25; i++)
    brink_digest_add(&digest, &(brink_event){.name = "e", .t = 0.5 * i});
  brink_write_events(&sink, r.model, &digest, &err);
  check_text(m->text, "    10  5 ");
  check_text(m->text, "   ...  (5 more)\n    16  8 ");
  check_text(m->text, "    25  12.5 ");
  rig_free(&r);
  free(m);
}

static void stats_have_every_key(void **state)
{
  static const char *const keys[] = {
      "steps",       "rejected",        "f_evals",          "outside_evals",
      "jets",        "g_evals",         "jac_evals",        "lu",
      "events",      "time_events",     "event_iterations", "misplaced",
      "zeno_points", "sliding_entries", "restarts",         "projections",
      "impulses",    "wall_seconds",    "method",           "locator",
      "certificate"};
  memory *m = memory_new(SIZE_MAX);
  brink_sink sink = sink_of(m);
  brink_report report = {.method = "dopri5", .locator = "isolate"};
  brink_err err;
  char key[40];

  (void)state;
  report.stats.work.f_evals = 38;
  check_status(brink_write_stats(&sink, &report, &err), BRINK_OK);
  const char *at = m->text;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    snprintf(key, sizeof key, "\n  \"%s\": ", keys[i]);
    at = strstr(at, key); /* in order */
    if (!at)
      fail_msg("no key %s", keys[i]);
  }
  check_text(m->text, "\"f_evals\": 38,");
  free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_read_back_exactly),
      cmocka_unit_test(strings_are_quoted_for_their_format),
      cmocka_unit_test(an_event_is_two_rows_and_the_grid_goes_on),
      cmocka_unit_test(a_grid_time_that_is_an_event_is_not_written_twice),
      cmocka_unit_test(points_count_rows_with_both_ends),
      cmocka_unit_test(steps_that_end_on_the_grid_are_one_row_each),
      cmocka_unit_test(the_last_row_is_where_the_run_ended),
      cmocka_unit_test(events_have_the_header_of_the_contract),
      cmocka_unit_test(json_is_closed_however_the_run_ends),
      cmocka_unit_test(a_sink_that_refuses_ends_the_run_with_a_sentence),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(memory_that_is_refused_is_told),
      cmocka_unit_test(tables_fit_100_columns),
      cmocka_unit_test(a_narrow_terminal_has_a_narrow_table),
      cmocka_unit_test(the_digest_keeps_the_first_and_the_last),
      cmocka_unit_test(stats_have_every_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
