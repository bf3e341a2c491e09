/* Values by name: parameters and start values that a simulation sets are those of a
 * model that was read with them, bit for bit; what is set in the middle of a run. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"

/* ------------------------------------------------------------------ rig --- */

typedef struct pair {
  const char *name;
  double value;
  int start; /* of a variable */
} pair;

typedef struct bench {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} bench;

static bench open_text(const char *text, const pair *set, int n)
{
  bench b = {0};
  brink_setting s[8];
  char value[8][40];
  brink_load_opts opt = brink_load_defaults();

  for (int i = 0; i < n; i++) {
    snprintf(value[i], sizeof value[i], "%.17g", set[i].value);
    s[i] = (brink_setting){set[i].name, value[i]};
  }
  opt.set = s;
  opt.n_set = n;
  check_status(brink_ctx_new(NULL, &b.ctx), BRINK_OK);
  if (brink_model_read(b.ctx, "t.mo", text, strlen(text), &opt, &b.model) < 0)
    fail_msg("%s", brink_ctx_error(b.ctx)->text);
  check_status(brink_sim_new(b.ctx, b.model, NULL, &b.sim), BRINK_OK);
  return b;
}

static void close_bench(bench *b)
{
  brink_sim_free(b->sim);
  brink_model_free(b->model);
  brink_ctx_free(b->ctx);
}

static void apply(bench *b, const pair *set, int n)
{
  for (int i = 0; i < n; i++)
    if ((set[i].start ? brink_sim_set_start : brink_sim_set)(b->sim, set[i].name,
                                                             set[i].value) < 0)
      fail_msg("%s", brink_sim_error(b->sim)->text);
}

static double get(bench *b, const char *name)
{
  double v = nan("");

  if (brink_sim_get(b->sim, name, &v) < 0)
    fail_msg("%s", brink_sim_error(b->sim)->text);
  return v;
}

/* What a run has done: times of its events and values at its end. */
typedef struct record {
  double v[600];
  int n;
} record;

static int note_event(const brink_event *e, void *user)
{
  record *r = user;

  if (r->n < 500)
    r->v[r->n++] = e->t;
  return 0;
}

static record run(bench *b, double t_end)
{
  record r = {.n = 0};
  brink_observer o = {.on_event = note_event, .user = &r};

  brink_sim_observe(b->sim, &o);
  if (brink_sim_start(b->sim, 0, 0, NULL) < 0)
    fail_msg("%s", brink_sim_error(b->sim)->text);
  if (brink_sim_run(b->sim, t_end) < 0)
    fail_msg("%s", brink_sim_error(b->sim)->text);
  check_status(brink_sim_values(b->sim, r.v + r.n), BRINK_OK);
  r.n += (int)brink_model_variables(b->model);
  brink_sim_stats s = brink_sim_statistics(b->sim);
  r.v[r.n++] = (double)s.work.steps;
  r.v[r.n++] = (double)s.work.f_evals;
  brink_sim_observe(b->sim, NULL);
  return r;
}

static void same(const record *a, const record *b)
{
  assert_int_equal(a->n, b->n);
  for (int i = 0; i < a->n; i++)
    if (memcmp(&a->v[i], &b->v[i], sizeof(double)) != 0)
      fail_msg("number %d of %d: %.17g and %.17g", i, a->n, a->v[i], b->v[i]);
}

/* A model read with settings, a simulation with the same ones, and the same after a run
 * with others. */
static void agree(const char *text, const pair *set, int n, const pair *other,
                  int n_other, double t_end)
{
  bench read = open_text(text, set, n), own = open_text(text, NULL, 0);
  record want = run(&read, t_end);

  apply(&own, set, n);
  record got = run(&own, t_end);
  same(&want, &got);
  apply(&own, other, n_other);
  run(&own, t_end);
  brink_sim_reset(own.sim);
  apply(&own, set, n);
  got = run(&own, t_end);
  same(&want, &got);
  close_bench(&read);
  close_bench(&own);
}

/* --------------------------------------------------------------- as read --- */

static const char ball[] = "model Ball\n"
                           "  parameter Real e = 0.9;\n"
                           "  parameter Real g = 9.8;\n"
                           "  parameter Real table = 0;\n"
                           "  Real h(start = 0.2, fixed = true);\n"
                           "  Real v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -g;\n"
                           "  when h <= table then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "  end when;\n"
                           "end Ball;\n";

static void parameters_and_start_values(void **state)
{
  (void)state;
  agree(ball, (pair[]){{"e", 0.71828, 0}, {"h", 1.3172, 1}, {"table", -0.271, 0}}, 3,
        (pair[]){{"e", 0.3, 0}, {"g", 1.25, 0}}, 2, 0.9137);
}

/* Levels, samples, known times, nominal values, limits, loops. */
static const char many[] =
    "model Many\n"
    "  parameter Real a = 0.3;\n"
    "  parameter Real period = a/4;\n"
    "  parameter Real level = sqrt(a + 1);\n"
    "  parameter Real late = 2*a;\n"
    "  parameter Integer n = 2;\n"
    "  Real x(start = a, fixed = true, nominal = 10*a);\n"
    "  Real z(start = 2*a, nominal = a);\n"
    "  discrete Real held(start = a, fixed = true);\n"
    "  Integer count(start = n, fixed = true);\n"
    "  Boolean up;\n"
    "equation\n"
    "  der(x) = 1 - (if time > late then 0.25*x else 0) + 0.01*z;\n"
    "  z^3 + z = x + a;\n"
    "  up = x > level;\n"
    "  when sample(a/2, period) then\n"
    "    held = x;\n"
    "    count = pre(count) + n;\n"
    "  end when;\n"
    "end Many;\n";

static void what_parameters_determine(void **state)
{
  (void)state;
  agree(many, (pair[]){{"a", 0.4137, 0}}, 1, (pair[]){{"a", 0.11, 0}}, 1, 1.731);
  agree(many, (pair[]){{"a", 0.4137, 0}, {"period", 0.2391, 0}, {"n", 7, 0}}, 3,
        (pair[]){{"level", 0.5, 0}}, 1, 1.731);
  agree(many, (pair[]){{"late", 0.517, 0}, {"z", 0.3, 1}, {"held", -3.5, 1}}, 3,
        (pair[]){{"period", 3.5, 0}}, 1, 1.731);
}

static const char delayed[] = "model Delayed\n"
                              "  parameter Real d = 0.5;\n"
                              "  parameter Real k = 1.25;\n"
                              "  Real x(start = 1, fixed = true);\n"
                              "equation\n"
                              "  der(x) = -k*delay(x, d);\n"
                              "end Delayed;\n";

static void a_delay(void **state)
{
  (void)state;
  agree(delayed, (pair[]){{"d", 0.3719, 0}, {"k", 0.913, 0}}, 2,
        (pair[]){{"d", 1.7, 0}}, 1, 2.531);
}

static const char machine[] = "model Machine\n"
                              "  parameter Real top = 0.8, pause = 0.25;\n"
                              "  model Up\n"
                              "    parameter Real rate = 1.5;\n"
                              "    Real x(start = 0.1, fixed = true);\n"
                              "  equation\n"
                              "    der(x) = rate;\n"
                              "  end Up;\n"
                              "  model Down\n"
                              "    Real x(start = 1), t(start = 0);\n"
                              "  equation\n"
                              "    der(x) = -x;\n"
                              "    der(t) = 1;\n"
                              "  end Down;\n"
                              "  Up up;\n"
                              "  Down down;\n"
                              "equation\n"
                              "  initialState(up);\n"
                              "  transition(up, down, up.x > top, reset = true);\n"
                              "  transition(down, up, down.t > pause, reset = true);\n"
                              "  when activeState(down) then\n"
                              "    reinit(down.x, up.x);\n"
                              "  end when;\n"
                              "end Machine;\n";

static void modes(void **state)
{
  (void)state;
  agree(machine, (pair[]){{"top", 0.613, 0}, {"pause", 0.1371, 0}, {"up.x", 0.21, 1}},
        3, (pair[]){{"up.rate", 4.5, 0}}, 1, 1.9);
}

/* Every start of one simulation is like the first of another. */
static void starts_do_not_depend_on_earlier_ones(void **state)
{
  static const char *const texts[] = {ball, many, delayed, machine};

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    bench b = open_text(texts[i], NULL, 0);
    record first = run(&b, 0.81), again = run(&b, 0.81);
    same(&first, &again);
    close_bench(&b);
  }
}

/* Runs with other parameters take no more memory than the first. */
static void a_sweep_takes_no_memory(void **state)
{
  static const char *const texts[] = {ball, many, delayed, machine};
  static const char *const names[] = {"e", "a", "d", "top"};
  uint64_t seed = 4711;

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    bench b = open_text(texts[i], NULL, 0);
    run(&b, 0.81);
    size_t calls = brink_ctx_alloc_stats(b.ctx).calls;
    for (int k = 0; k < 100; k++) {
      apply(&b, (pair[]){{names[i], rand_in(&seed, 0.5, 0.9), 0}}, 1);
      run(&b, 0.4);
    }
    assert_int_equal(brink_ctx_alloc_stats(b.ctx).calls, calls);
    close_bench(&b);
  }
}

/* ---------------------------------------------------------------- names --- */

static void derived_parameters_follow(void **state)
{
  bench b = open_text(many, NULL, 0);

  (void)state;
  assert_true(get(&b, "period") == 0.3 / 4);
  apply(&b, (pair[]){{"a", 0.52, 0}}, 1);
  assert_true(get(&b, "a") == 0.52);
  assert_true(get(&b, "period") == 0.52 / 4);
  assert_true(get(&b, "level") == sqrt(0.52 + 1));
  apply(&b, (pair[]){{"period", 0.17, 0}, {"a", 0.25, 0}}, 2);
  assert_true(get(&b, "period") == 0.17);
  assert_true(get(&b, "late") == 0.5);
  brink_sim_reset(b.sim);
  assert_true(get(&b, "period") == 0.3 / 4);
  close_bench(&b);
}

static void a_list_of_names(void **state)
{
  bench b = open_text(many, NULL, 0);
  static const struct {
    const char *name;
    brink_role role;
  } want[] = {{"x", BRINK_STATE},          {"z", BRINK_ALGEBRAIC},
              {"held", BRINK_DISCRETE},    {"count", BRINK_DISCRETE},
              {"up", BRINK_DISCRETE},      {"a", BRINK_PARAMETER},
              {"period", BRINK_PARAMETER}, {"n", BRINK_PARAMETER}};

  (void)state;
  assert_int_equal(brink_model_variables(b.model), 5);
  assert_int_equal(brink_model_names(b.model), 10);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    int k = brink_model_find(b.model, want[i].name);
    assert_true(k >= 0);
    assert_string_equal(brink_model_variable(b.model, (size_t)k).name, want[i].name);
    assert_int_equal(brink_model_variable(b.model, (size_t)k).role, want[i].role);
    assert_int_equal(brink_model_variable(b.model, (size_t)k).structural, 0);
  }
  assert_int_equal(brink_model_find(b.model, "b"), -1);
  close_bench(&b);
}

static void refuse(bench *b, const char *name, double value, brink_status want,
                   const char *part)
{
  check_status(brink_sim_set(b->sim, name, value), want);
  check_text(brink_sim_error(b->sim)->text, part);
}

static void what_cannot_be_set(void **state)
{
  static const char text[] = "model M\n"
                             "  parameter Integer n = 2;\n"
                             "  parameter Integer m = n + 1;\n"
                             "  parameter Boolean fast = true;\n"
                             "  final parameter Real c = 3;\n"
                             "  parameter Integer whole = 4;\n"
                             "  parameter Real k = 1.5;\n"
                             "  Real x[m](each start = 1, each fixed = true);\n"
                             "  Real y;\n"
                             "equation\n"
                             "  for i in 1:m loop\n"
                             "    der(x[i]) = -c*x[i]*(if k > 1 then k else 1)/whole;\n"
                             "  end for;\n"
                             "  if fast then\n"
                             "    y = 2*x[1];\n"
                             "  else\n"
                             "    y = x[1];\n"
                             "  end if;\n"
                             "end M;\n";
  bench b = open_text(text, NULL, 0);

  (void)state;
  refuse(&b, "n", 3, BRINK_EARG, "'n' decides the structure of the model");
  refuse(&b, "m", 3, BRINK_EARG, "'m' decides the structure of the model (line 8)");
  refuse(&b, "fast", 0, BRINK_EARG, "(line 14)");
  refuse(&b, "c", 1, BRINK_EARG, "'c' is final");
  refuse(&b, "whole", 2.5, BRINK_EARG, "an Integer is expected");
  refuse(&b, "whale", 2, BRINK_ENAME, "did you mean 'whole'");
  refuse(&b, "k", nan(""), BRINK_EARG, "'k' cannot be set");
  refuse(&b, "y", 1, BRINK_EARG, "before a run starts");
  apply(&b, (pair[]){{"k", 2.5, 0}, {"whole", 3, 0}}, 2);
  run(&b, 0.7);
  check_rel(get(&b, "x[2]"), exp(-3 * 2.5 / 3 * 0.7), 1e-5);
  refuse(&b, "y", 1, BRINK_EARG, "an equation determines it");
  close_bench(&b);
}

/* ---------------------------------------------------------------- faults --- */

static void fails(const char *text, const pair *set, int n, int line, const char *part)
{
  bench b = open_text(text, NULL, 0);

  apply(&b, set, n);
  check_status(brink_sim_start(b.sim, 0, 0, NULL), BRINK_EMODEL);
  const brink_err *err = brink_sim_error(b.sim);
  check_text(err->text, part);
  assert_int_equal(err->line, line);
  assert_string_equal(err->file, "t.mo");
  brink_sim_reset(b.sim);
  run(&b, 0.1);
  close_bench(&b);
}

static void faults_of_settings(void **state)
{
  static const char text[] =
      "model M\n"
      "  parameter Real a = 1, top = 5, k = sqrt(a + 1);\n"
      "  Real x(start = log(a + 0.5), fixed = true, min = 0, max = top);\n"
      "  discrete Real n(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = -k*x;\n"
      "  when sample(0, a) then\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n"
      "end M;\n";

  (void)state;
  fails(text, (pair[]){{"a", -3, 0}}, 1, 2, "'k' has no value: its 'sqrt'");
  fails(text, (pair[]){{"a", -0.75, 0}}, 1, 3, "the start value of 'x' does not exist");
  fails(text, (pair[]){{"a", -0.125, 0}}, 1, 7, "the interval of sample()");
  fails(text, (pair[]){{"top", -2, 0}}, 1, 3, "its min 0 is above its max -2");
}

static void warnings_of_settings(void **state)
{
  static const char text[] = "model M\n"
                             "  parameter Real a(max = 2) = 1;\n"
                             "  Real x(start = 1, fixed = true);\n"
                             "equation\n"
                             "  der(x) = -a*x;\n"
                             "end M;\n";
  bench b = open_text(text, NULL, 0);

  (void)state;
  run(&b, 0.1);
  assert_null(brink_sim_warning(b.sim, 0));
  apply(&b, (pair[]){{"a", 3.5, 0}}, 1);
  run(&b, 0.1);
  check_text(brink_sim_warning(b.sim, 0),
             "line 2: the parameter 'a' is 3.5, above its max 2");
  assert_null(brink_sim_warning(b.sim, 1));
  close_bench(&b);
}

/* ---------------------------------------------------- in the middle of a run --- */

static void a_parameter_in_the_middle(void **state)
{
  static const char text[] = "model M\n"
                             "  parameter Real k = 1.5, half = k/2;\n"
                             "  Real x(start = 1, fixed = true), y;\n"
                             "  Integer n;\n"
                             "equation\n"
                             "  der(x) = -half*x;\n"
                             "  y = k*x;\n"
                             "  n = integer(10*k);\n"
                             "end M;\n";
  bench b = open_text(text, NULL, 0);

  (void)state;
  check_status(brink_sim_start(b.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(b.sim, 0.6), BRINK_END);
  apply(&b, (pair[]){{"k", 3.25, 0}}, 1);
  check_status(brink_sim_run(b.sim, 1.7), BRINK_END);
  check_rel(get(&b, "x"), exp(-0.75 * 0.6 - 1.625 * 1.1), 1e-5);
  check_rel(get(&b, "y"), 3.25 * get(&b, "x"), 1e-12);
  assert_true(get(&b, "n") == 32);
  check_status(brink_sim_start(b.sim, 0, 0, NULL), BRINK_OK); /* and in later runs */
  check_status(brink_sim_run(b.sim, 0.5), BRINK_END);
  check_rel(get(&b, "x"), exp(-1.625 * 0.5), 1e-5);
  close_bench(&b);
}

/* A ball is lifted and stopped, another table is put below it, the next bounce is where
 * it must be. */
static void a_state_and_a_level_in_the_middle(void **state)
{
  bench b = open_text(ball, NULL, 0);
  record r = {.n = 0};
  brink_observer o = {.on_event = note_event, .user = &r};

  (void)state;
  brink_sim_observe(b.sim, &o);
  check_status(brink_sim_start(b.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(b.sim, 0.31), BRINK_END);
  assert_int_equal(r.n, 1);
  apply(&b, (pair[]){{"h", 0.7, 0}, {"v", 0.25, 0}, {"table", 0.125, 0}}, 3);
  check_status(brink_sim_run(b.sim, 1), BRINK_END);
  assert_true(r.n >= 2);
  double v = sqrt(0.25 * 0.25 + 2 * 9.8 * (0.7 - 0.125));
  check_near(r.v[1], 0.31 + (0.25 + v) / 9.8, 1e-9);

  /* beyond the table: it bounces at once */
  apply(&b, (pair[]){{"h", 0.3, 0}, {"v", -1, 0}}, 2);
  check_status(brink_sim_run(b.sim, 1.0001), BRINK_END);
  r.n = 0;
  apply(&b, (pair[]){{"table", 0.4, 0}}, 1);
  check_status(brink_sim_advance(b.sim, 2), BRINK_EVENT);
  assert_int_equal(r.n, 1);
  check_near(r.v[0], 1.0001, 1e-12);
  check_near(get(&b, "v"), 0.9 * (1 + 9.8 * 0.0001), 1e-6);
  close_bench(&b);
}

static void discrete_values_and_inputs_in_the_middle(void **state)
{
  static const char text[] = "model M\n"
                             "  input Real u(start = 0.5);\n"
                             "  Real x(start = 0, fixed = true);\n"
                             "  discrete Real gain(start = 2, fixed = true);\n"
                             "  Boolean high;\n"
                             "equation\n"
                             "  der(x) = gain*u;\n"
                             "  high = u > 1;\n"
                             "  when sample(1, 1) then\n"
                             "    gain = pre(gain)/2;\n"
                             "  end when;\n"
                             "end M;\n";
  bench b = open_text(text, NULL, 0);

  (void)state;
  check_status(brink_sim_start(b.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(b.sim, 0.5), BRINK_END);
  apply(&b, (pair[]){{"u", 1.75, 0}}, 1);
  check_status(brink_sim_run(b.sim, 0.75), BRINK_END);
  assert_true(get(&b, "high") == 1);
  check_near(get(&b, "x"), 0.5 + 0.875, 1e-9);
  apply(&b, (pair[]){{"gain", 6.5, 0}}, 1);
  check_status(brink_sim_run(b.sim, 1.25), BRINK_END);
  assert_true(get(&b, "gain") == 3.25);
  check_near(get(&b, "x"), 1.375 + 0.25 * 1.75 * (6.5 + 3.25), 1e-9);
  refuse(&b, "high", 0, BRINK_EARG, "an equation determines it");
  close_bench(&b);
}

/* Known times follow their parameters: a period, and a time that comes earlier. */
static void known_times_in_the_middle(void **state)
{
  static const char text[] = "model M\n"
                             "  parameter Real period = 0.25, when_on = 5;\n"
                             "  Real x(start = 0, fixed = true);\n"
                             "  discrete Real on_at(start = -1, fixed = true);\n"
                             "equation\n"
                             "  der(x) = if time > when_on then 2 else 1;\n"
                             "  when time > when_on then\n"
                             "    on_at = time;\n"
                             "  end when;\n"
                             "  when sample(0.1, period) then\n"
                             "    reinit(x, pre(x));\n"
                             "  end when;\n"
                             "end M;\n";
  bench b = open_text(text, NULL, 0);
  record r = {.n = 0};
  brink_observer o = {.on_event = note_event, .user = &r};

  (void)state;
  brink_sim_observe(b.sim, &o);
  check_status(brink_sim_start(b.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(b.sim, 0.7), BRINK_END);
  r.n = 0;
  apply(&b, (pair[]){{"period", 0.4, 0}, {"when_on", 1.1, 0}}, 2);
  check_status(brink_sim_run(b.sim, 1.5), BRINK_END);
  assert_int_equal(r.n, 3);
  check_near(r.v[0], 0.9, 1e-12);
  check_near(r.v[1], 1.1, 1e-12);
  check_near(r.v[2], 1.3, 1e-12);
  check_near(get(&b, "on_at"), 1.1, 1e-12);
  check_near(get(&b, "x"), 1.1 + 2 * 0.4, 1e-9);
  close_bench(&b);
}

/* ------------------------------------------------------------ callbacks --- */

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -e->p[0] + e->u[0];
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] = -j->p[1] * j->y[1];
  j->w[0] += 1;
  return 0;
}

static void callbacks_have_names_too(void **state)
{
  static const brink_guard_def height = {.name = "h", .state = 0};
  static const brink_event_def floor_event = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
  static const char *const names[] = {"h", "v"}, *const p_names[] = {"g", "e"};
  static const brink_mode_def fly = {.name = "fly",
                                     .n = 2,
                                     .states = names,
                                     .rhs = fall,
                                     .guards = &height,
                                     .n_guards = 1,
                                     .events = &floor_event,
                                     .n_events = 1};
  static const double p[] = {9.8, 0.9}, zero = 0, y0[] = {0.2, 0};
  brink_model_def def = {.name = "ball",
                         .modes = &fly,
                         .n_modes = 1,
                         .p = p,
                         .n_p = 2,
                         .u = &zero,
                         .n_u = 1,
                         .w = &zero,
                         .n_w = 1,
                         .p_names = p_names};
  bench b = {0};

  (void)state;
  check_status(brink_ctx_new(NULL, &b.ctx), BRINK_OK);
  check_status(brink_model_new(b.ctx, &def, &b.model), BRINK_OK);
  check_status(brink_sim_new(b.ctx, b.model, NULL, &b.sim), BRINK_OK);
  assert_int_equal(brink_model_names(b.model), 6);
  apply(&b, (pair[]){{"e", 0.5, 0}}, 1);
  refuse(&b, "h", 1, BRINK_EARG, "'h' is a state");
  check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
  check_status(brink_sim_run(b.sim, 0.3), BRINK_END);
  double hit = sqrt(2 * 0.2 / 9.8), up = 0.5 * 9.8 * hit;
  check_near(get(&b, "h"), up * (0.3 - hit) - 9.8 / 2 * (0.3 - hit) * (0.3 - hit),
             1e-9);
  assert_true(get(&b, "w1") == 1 && get(&b, "e") == 0.5 && get(&b, "g") == 9.8);
  apply(&b, (pair[]){{"u[0]", 9.8, 0}, {"v", 0.25, 0}, {"h", 2, 0}}, 3);
  check_status(brink_sim_run(b.sim, 0.9), BRINK_END);
  check_near(get(&b, "h"), 2 + 0.25 * 0.6, 1e-9);
  brink_sim_reset(b.sim);
  check_status(brink_sim_start(b.sim, 0, 0, y0), BRINK_OK);
  assert_true(get(&b, "e") == 0.9 && get(&b, "u[0]") == 0 && get(&b, "w1") == 0);
  refuse(&b, "x", 1, BRINK_ENAME, "no parameter or variable 'x'");
  close_bench(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_and_start_values),
      cmocka_unit_test(what_parameters_determine),
      cmocka_unit_test(a_delay),
      cmocka_unit_test(modes),
      cmocka_unit_test(starts_do_not_depend_on_earlier_ones),
      cmocka_unit_test(a_sweep_takes_no_memory),
      cmocka_unit_test(derived_parameters_follow),
      cmocka_unit_test(a_list_of_names),
      cmocka_unit_test(what_cannot_be_set),
      cmocka_unit_test(faults_of_settings),
      cmocka_unit_test(warnings_of_settings),
      cmocka_unit_test(a_parameter_in_the_middle),
      cmocka_unit_test(a_state_and_a_level_in_the_middle),
      cmocka_unit_test(discrete_values_and_inputs_in_the_middle),
      cmocka_unit_test(known_times_in_the_middle),
      cmocka_unit_test(callbacks_have_names_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
