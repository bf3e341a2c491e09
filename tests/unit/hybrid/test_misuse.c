/* What a caller should not do: callbacks that run or copy what has called them, jumps
 * that leave no number, questions beyond the last; each is refused in words.  And a
 * time limit with a slow right-hand side. */
#include "check.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "brink/brink.h"

typedef struct misuse {
  brink_sim *sim;
  brink_integrator *it;
  int where; /* 0: nowhere, 1: in f, 2: in a jump, 3: in on_step */
  int what;
  brink_status answer;
  long asked;
  int spoil; /* which of p, u, w the jump spoils, 0: none */
} misuse;

static void misbehave(misuse *m)
{
  brink_snapshot *s = NULL;

  switch (m->what) {
  case 0: m->answer = brink_sim_run(m->sim, 7.3); break;
  case 1: m->answer = brink_sim_advance(m->sim, 7.3); break;
  case 2: m->answer = brink_sim_start(m->sim, 0, 0, (double[]){0.2}); break;
  case 3: m->answer = brink_sim_save(m->sim, &s); break;
  default: m->answer = brink_sim_finish(m->sim); break;
  }
  brink_snapshot_free(s);
  m->asked++;
}

static int rhs(double t, const double *y, double *f, const brink_env *e)
{
  misuse *m = e->user;

  (void)t, (void)y;
  if (m->where == 1)
    misbehave(m);
  f[0] = 1.37;
  return 0;
}

static int jump(brink_jump *j)
{
  misuse *m = j->user;

  if (m->where == 2)
    misbehave(m);
  if (m->spoil == 1)
    j->p[1] = nan("");
  else if (m->spoil == 2)
    j->u[0] = -HUGE_VAL;
  else if (m->spoil == 3)
    j->w[1] = nan("");
  j->y[0] = 0.21;
  return 0;
}

static int on_step(const brink_step *s, double from, double to, int mode, void *user)
{
  misuse *m = user;

  (void)s, (void)from, (void)to, (void)mode;
  if (m->where == 3)
    misbehave(m);
  return 0;
}

static brink_model *model_new(brink_ctx *ctx, misuse *m)
{
  static const brink_guard_def guard = {.name = "y - 0.5", .state = 0, .level = 0.5};
  static const brink_event_def event = {
      .name = "back", .jump = jump, .dir = BRINK_UP, .limit = 2};
  static const brink_mode_def mode = {.name = "m",
                                      .n = 1,
                                      .rhs = rhs,
                                      .guards = &guard,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};
  static const double v[2] = {0.3, 0.7};
  brink_model_def def = {.name = "misused",
                         .modes = &mode,
                         .n_modes = 1,
                         .p = v,
                         .n_p = 2,
                         .u = v,
                         .n_u = 1,
                         .w = v,
                         .n_w = 2,
                         .user = m};
  brink_model *model;

  check_status(brink_model_new(ctx, &def, &model), BRINK_OK);
  return model;
}

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
} rig;

static void rig_new(rig *r, misuse *m, const brink_sim_opts *opt)
{
  check_status(brink_ctx_new(NULL, &r->ctx), BRINK_OK);
  r->model = model_new(r->ctx, m);
  check_status(brink_sim_new(r->ctx, r->model, opt, &m->sim), BRINK_OK);
  brink_sim_observe(m->sim, &(brink_observer){.on_step = on_step, .user = m});
  check_status(brink_sim_start(m->sim, 0, 0, (double[]){0.13}), BRINK_OK);
}

static void rig_free(rig *r, misuse *m)
{
  brink_sim_free(m->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

/* The second return to 0.21 ends it. */
static const double over = (0.5 - 0.13) / 1.37 + (0.5 - 0.21) / 1.37;

static void a_callback_can_neither_run_nor_copy_its_own_simulation(void **state)
{
  (void)state;
  for (int where = 1; where <= 3; where++)
    for (int what = 0; what <= 4; what++) {
      misuse m = {.where = where, .what = what};
      rig r;
      rig_new(&r, &m, NULL);
      check_status(brink_sim_run(m.sim, 2), BRINK_TERMINATED);
      assert_true(m.asked > 0);
      check_status(m.answer, BRINK_EARG);
      check_near(brink_sim_time(m.sim), over, 1e-12);
      m.where = 0;
      check_status(brink_sim_start(m.sim, 0, 0, (double[]){0.2}), BRINK_OK);
      misbehave(&m); /* and may again, from outside */
      assert_true(m.answer >= 0);
      rig_free(&r, &m);
    }
}

static void a_jump_must_leave_numbers_in_all_that_it_can_change(void **state)
{
  static const char *const what[] = {"", "nan in parameter 1", "-inf in input 0",
                                     "nan in output 1"};

  (void)state;
  for (int spoil = 1; spoil <= 3; spoil++) {
    misuse m = {.spoil = spoil};
    rig r;
    rig_new(&r, &m, NULL);
    check_status(brink_sim_run(m.sim, 2), BRINK_ENAN);
    check_text(brink_sim_error(m.sim)->text, "the jump of 'back' at t = 0.27");
    check_text(brink_sim_error(m.sim)->text, what[spoil]);
    rig_free(&r, &m);
  }
}

static void an_end_that_is_no_number_is_refused_as_such(void **state)
{
  misuse m = {0};
  rig r;

  (void)state;
  rig_new(&r, &m, NULL);
  check_status(brink_sim_run(m.sim, nan("")), BRINK_EARG);
  check_text(brink_sim_error(m.sim)->text, "not a number");
  rig_free(&r, &m);
}

static void beyond_the_last_there_is_nothing(void **state)
{
  misuse m = {0};
  rig r;
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.keep = BRINK_KEEP_STEPS;
  rig_new(&r, &m, &opt);
  check_status(brink_sim_run(m.sim, 2), BRINK_TERMINATED);
  const brink_trace *trace = brink_sim_trace(m.sim);
  assert_int_equal(brink_trace_events(trace), 2);
  assert_string_equal(brink_trace_event(trace, 1).name, "back");
  for (size_t k = 2; k < 70000; k = 3 * k + 1) {
    brink_event e = brink_trace_event(trace, k);
    assert_string_equal(e.name, "");
    assert_int_equal(e.n_before + e.n_after, 0);
    brink_step s = brink_trace_step(trace, brink_trace_steps(trace) + k);
    assert_int_equal(s.n, 0);
    assert_int_equal(brink_trace_step_mode(trace, brink_trace_steps(trace) + k), -1);
  }
  rig_free(&r, &m);
}

/* -------------------------------------------------------- integrator ---- */

static int recurse(double t, const double *y, double *f, void *user)
{
  misuse *m = user;

  m->answer = m->what ? brink_integrator_start(m->it, t, y)
                      : brink_integrator_advance(m->it, 9, NULL);
  m->asked++;
  f[0] = 1.37 * y[0];
  return 0;
}

static void nor_can_a_right_hand_side_move_its_integrator(void **state)
{
  (void)state;
  for (int what = 0; what < 2; what++) {
    misuse m = {.what = what};
    brink_ivp ivp = {1, recurse, &m};
    brink_ctx *ctx;
    brink_status rc;
    check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
    check_status(brink_integrator_new(ctx, &ivp, NULL, &m.it), BRINK_OK);
    check_status(brink_integrator_start(m.it, 0.3, (double[]){0.7}), BRINK_OK);
    while ((rc = brink_integrator_advance(m.it, 1.1, NULL)) == BRINK_OK)
      continue;
    check_status(rc, BRINK_END);
    check_status(m.answer, BRINK_EARG);
    check_rel(brink_integrator_state(m.it)[0], 0.7 * exp(1.37 * 0.8), 1e-5);
    brink_integrator_free(m.it);
    brink_ctx_free(ctx);
  }
}

/* ------------------------------------------------- questions and settings ---- */

static void options_that_name_nothing_are_refused(void **state)
{
  misuse m = {0};
  brink_ctx *ctx;
  brink_sim *sim;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink_model *model = model_new(ctx, &m);
  brink_sim_opts opt = brink_sim_defaults();
  opt.atol = -0.2;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "atol = -0.2 must not be negative");
  opt = brink_sim_defaults();
  opt.locator = NULL;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "no method or no locator was named");
  check_status(brink_sim_new(ctx, NULL, NULL, &sim), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "a simulation needs a model");
  assert_null(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

/* Enumerators may be any number in C. */
static void choices_that_there_are_not_are_refused(void **state)
{
  misuse m = {0};
  brink_ctx *ctx;
  brink_sim *sim;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink_model *model = model_new(ctx, &m);
  for (int which = 0; which < 3; which++)
    for (int value = -1; value <= 77; value += 78) {
      static const char *const name[] = {"zeno = ", "keep = ", "restep = "};
      brink_sim_opts opt = brink_sim_defaults();
      opt.zeno = which == 0 ? (brink_zeno_policy)value : opt.zeno;
      opt.keep = which == 1 ? (brink_keep)value : opt.keep;
      opt.restep = which == 2 ? (brink_restep)value : opt.restep;
      check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_EARG);
      check_text(brink_ctx_error(ctx)->text, name[which]);
    }
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void a_place_that_is_not_there_is_refused_by_name(void **state)
{
  static const char text[] = "model D Real x(start = 1.3, fixed = true); equation "
                             "der(x) = -x; end D;";
  misuse m = {0};
  double values[4];
  brink_model *model;
  brink_recorder *recorder;
  brink_recorder_opts ro = {.size = sizeof ro};
  rig r;

  (void)state;
  check_status(brink_ctx_new(NULL, NULL), BRINK_EARG);
  assert_null(brink_method_missing(NULL));
  rig_new(&r, &m, NULL);
  check_status(brink_sim_new(r.ctx, r.model, NULL, NULL), BRINK_EARG);
  check_text(brink_ctx_error(r.ctx)->text, "brink_sim_new was given NULL for 'out'");
  check_status(brink_model_read(r.ctx, "t", text, sizeof text - 1, NULL, NULL),
               BRINK_EARG);
  check_status(brink_model_new(r.ctx, NULL, NULL), BRINK_EARG);
  check_status(brink_automaton_new(r.ctx, NULL, NULL), BRINK_EARG);
  check_status(brink_constrained_new(r.ctx, NULL, NULL), BRINK_EARG);
  check_status(brink_reflected_new(r.ctx, NULL, NULL), BRINK_EARG);
  check_status(brink_integrator_new(r.ctx, NULL, NULL, NULL), BRINK_EARG);
  check_status(brink_model_structure(r.ctx, NULL, 0, NULL, NULL), BRINK_EARG);
  check_status(brink_sim_clone(r.ctx, m.sim, NULL), BRINK_EARG);
  check_status(brink_sim_save(m.sim, NULL), BRINK_EARG);
  check_status(brink_curve_new(m.sim, 0, NULL, NULL), BRINK_EARG);
  check_status(brink_recorder_new(r.ctx, r.model, NULL, &recorder), BRINK_EARG);
  check_text(brink_ctx_error(r.ctx)->text, "NULL for 'opt'");
  ro.n_outputs = 1;
  check_status(brink_recorder_new(r.ctx, r.model, &ro, &recorder), BRINK_EARG);
  ro.outputs = &(brink_output){.format = (brink_format)9};
  check_status(brink_recorder_new(r.ctx, r.model, &ro, &recorder), BRINK_EARG);
  check_text(brink_ctx_error(r.ctx)->text, "output 0 has format 9 of 0 to 3");
  check_status(brink_plot_check(r.ctx, NULL, "x"), BRINK_EARG);
  check_status(brink_write_work(NULL, NULL, NULL), BRINK_EARG);

  check_status(brink_model_read(r.ctx, "t", text, sizeof text - 1, NULL, &model),
               BRINK_OK);
  misuse of_text = {0};
  check_status(brink_sim_new(r.ctx, model, NULL, &of_text.sim), BRINK_OK);
  check_status(brink_sim_values(of_text.sim, values), BRINK_EARG);
  check_text(brink_sim_error(of_text.sim)->text, "no values before a run starts");
  check_status(brink_sim_start(of_text.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_get(of_text.sim, "x", NULL), BRINK_EARG);
  check_text(brink_sim_error(of_text.sim)->text,
             "brink_sim_get was given NULL for 'value'");
  check_status(brink_sim_get_at(of_text.sim, 0, NULL), BRINK_EARG);
  check_status(brink_sim_values(of_text.sim, NULL), BRINK_EARG);
  check_status(brink_sim_values_at(of_text.sim, NULL, 0.3, values), BRINK_EARG);
  check_status(brink_sim_values_at(of_text.sim, &(brink_step){.n = 7}, 0.3, values),
               BRINK_EARG);
  check_status(brink_sim_at(of_text.sim, 0, 0, NULL), BRINK_EARG);
  check_status(brink_sim_run(of_text.sim, 1), BRINK_END);
  check_status(
      brink_trace_at(brink_sim_trace(of_text.sim), 0.3, BRINK_LEFT, NULL, NULL, NULL),
      BRINK_EARG);
  brink_sim_free(of_text.sim);
  brink_model_free(model);
  rig_free(&r, &m);
}

static int swallow(void *user, const char *bytes, size_t n)
{
  (void)user, (void)bytes, (void)n;
  return 0;
}

/* It has room for the variables of that model. */
static void a_recorder_is_of_one_model(void **state)
{
  brink_recorder_opts ro = {.size = sizeof ro,
                            .stop = 1,
                            .outputs = &(brink_output){.sink = {.write = swallow}},
                            .n_outputs = 1};
  misuse m = {0}, other = {0};
  brink_recorder *recorder;
  rig r, q;

  (void)state;
  rig_new(&r, &m, NULL);
  rig_new(&q, &other, NULL);
  check_status(brink_recorder_new(r.ctx, r.model, &ro, &recorder), BRINK_OK);
  assert_ptr_equal(brink_sim_model(m.sim), r.model);
  check_status(brink_recorder_begin(recorder, other.sim), BRINK_EARG);
  check_text(brink_recorder_error(recorder)->text, "of the model that it was made for");
  check_status(brink_recorder_begin(recorder, m.sim), BRINK_OK);
  brink_recorder_free(recorder);
  rig_free(&q, &other);
  rig_free(&r, &m);
}

static void settings_of_a_text_have_names_and_values(void **state)
{
  static const char text[] =
      "model D parameter Real k = 1.7; Real x(start = 1.3, fixed "
      "= true); equation der(x) = -k*x; end D;";
  static const brink_setting set[] = {{NULL, "2.385"}, {"k", NULL}};
  brink_ctx *ctx;
  brink_model *model;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int i = -1; i < 3; i++) {
    brink_load_opts opt = brink_load_defaults();
    opt.set = i < 0 || i > 1 ? NULL : &set[i];
    opt.n_set = i < 0 ? -1 : 1;
    check_status(brink_model_read(ctx, "t", text, sizeof text - 1, &opt, &model),
                 BRINK_EARG);
    check_text(brink_ctx_error(ctx)->text, "setting");
  }
  brink_ctx_free(ctx);
}

static void what_is_not_there_cannot_be_set(void **state)
{
  misuse m = {0};
  double value;
  rig r;

  (void)state;
  rig_new(&r, &m, NULL);
  check_status(brink_sim_set(m.sim, NULL, 2.385), BRINK_EARG);
  check_text(brink_sim_error(m.sim)->text, "a value needs a name");
  check_status(brink_sim_set_at(m.sim, -1, 2.385), BRINK_EARG);
  check_text(brink_sim_error(m.sim)->text, "no name number -1");
  check_status(brink_sim_get_at(m.sim, 1000, &value), BRINK_EARG);
  check_text(brink_sim_error(m.sim)->text, "no name number 1000");
  check_status(brink_sim_set_p(m.sim, 0, nan("")), BRINK_EARG);
  check_status(brink_sim_set_u(m.sim, 7, 1.3), BRINK_EARG);
  check_status(brink_sim_set_u(m.sim, 0, 1.3), BRINK_OK);
  rig_free(&r, &m);
}

static void a_run_is_finished_once_and_after_its_start(void **state)
{
  misuse m = {0};
  brink_sim *sim;
  rig r;

  (void)state;
  rig_new(&r, &m, NULL);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &sim), BRINK_OK);
  check_status(brink_sim_finish(sim), BRINK_EARG);
  check_text(brink_sim_error(sim)->text, "there is no run to finish");
  check_status(brink_sim_set_u(sim, 0, 1.3), BRINK_EARG);
  check_text(brink_sim_error(sim)->text, "start the run before setting its inputs");
  check_status(brink_sim_run(m.sim, 0.1), BRINK_END);
  check_status(brink_sim_finish(m.sim), BRINK_OK);
  check_status(brink_sim_finish(m.sim), BRINK_OK);
  check_status(brink_sim_run(m.sim, 0.2), BRINK_EARG);
  check_text(brink_sim_error(m.sim)->text, "the run was finished at t = 0.1");
  brink_sim_free(sim);
  rig_free(&r, &m);
}

static void a_snapshot_is_of_one_model(void **state)
{
  misuse m = {0}, other = {0};
  brink_snapshot *s;
  rig r, q;

  (void)state;
  rig_new(&r, &m, NULL);
  rig_new(&q, &other, NULL);
  check_status(brink_sim_save(m.sim, &s), BRINK_OK);
  check_status(brink_sim_restore(other.sim, s), BRINK_EARG);
  check_text(brink_sim_error(other.sim)->text, "a snapshot of its own model");
  check_status(brink_sim_restore(other.sim, NULL), BRINK_EARG);
  brink_snapshot_free(s);
  rig_free(&q, &other);
  rig_free(&r, &m);
}

/* The copy measures errors as the original does. */
static void a_copy_has_the_tolerances_of_each_state(void **state)
{
  misuse m = {0};
  double atol_i[] = {3e-3};
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *copy;
  rig r;

  (void)state;
  opt.atol_i = atol_i;
  opt.rtol = 0;
  rig_new(&r, &m, &opt);
  atol_i[0] = 1e-12; /* it has been copied */
  check_status(brink_sim_clone(r.ctx, m.sim, &copy), BRINK_OK);
  check_status(brink_sim_run(m.sim, 2), BRINK_TERMINATED);
  check_status(brink_sim_run(copy, 2), BRINK_TERMINATED);
  assert_int_equal(brink_sim_statistics(copy).work.steps,
                   brink_sim_statistics(m.sim).work.steps);
  check_near(brink_sim_time(copy), brink_sim_time(m.sim), 0);
  brink_sim_free(copy);
  rig_free(&r, &m);
}

static void an_endless_run_needs_one_limit_of_three(void **state)
{
  (void)state;
  for (int which = 0; which < 4; which++) {
    misuse m = {0};
    brink_sim_opts opt = brink_sim_defaults();
    rig r;
    opt.max_steps = which == 1 ? 3 : 0;
    opt.max_events = which == 2 ? 1 : 0;
    opt.max_seconds = which == 3 ? 100 : 0;
    rig_new(&r, &m, &opt);
    brink_status rc = brink_sim_run(m.sim, HUGE_VAL);
    if (which == 0) {
      check_status(rc, BRINK_EARG);
      check_text(brink_sim_error(m.sim)->text, "an endless run needs a limit");
    } else {
      assert_true(rc == BRINK_LIMIT || rc == BRINK_TERMINATED);
    }
    rig_free(&r, &m);
  }
}

/* -------------------------------------------------------------- limit ---- */

static double seconds(void)
{
  struct timespec now;

  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int slow(double t, const double *y, double *f, const brink_env *e)
{
  double begin = seconds();

  (void)y;
  while (seconds() - begin < 1e-3)
    continue;
  ++*(long *)e->user;
  f[0] = cos(300 * t);
  return 0;
}

/* Each evaluation takes a millisecond, or longer on a busy machine; if the clock were
 * looked at in every 64th step only, there would be hundreds. */
static void a_limit_in_seconds_holds_for_slow_models(void **state)
{
  long evals = 0;
  brink_mode_def mode = {.name = "m", .n = 1, .rhs = slow};
  brink_model_def def = {.name = "slow", .modes = &mode, .n_modes = 1, .user = &evals};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;

  (void)state;
  opt.max_seconds = 0.02;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, &def, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, (double[]){0.2}), BRINK_OK);
  check_status(brink_sim_run(sim, 20), BRINK_LIMIT);
  check_text(brink_sim_error(sim)->text, "max_seconds = 0.02 reached");
  check_in((double)evals, 1, 60);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_callback_can_neither_run_nor_copy_its_own_simulation),
      cmocka_unit_test(a_jump_must_leave_numbers_in_all_that_it_can_change),
      cmocka_unit_test(an_end_that_is_no_number_is_refused_as_such),
      cmocka_unit_test(beyond_the_last_there_is_nothing),
      cmocka_unit_test(nor_can_a_right_hand_side_move_its_integrator),
      cmocka_unit_test(options_that_name_nothing_are_refused),
      cmocka_unit_test(choices_that_there_are_not_are_refused),
      cmocka_unit_test(a_place_that_is_not_there_is_refused_by_name),
      cmocka_unit_test(a_recorder_is_of_one_model),
      cmocka_unit_test(settings_of_a_text_have_names_and_values),
      cmocka_unit_test(what_is_not_there_cannot_be_set),
      cmocka_unit_test(a_run_is_finished_once_and_after_its_start),
      cmocka_unit_test(a_snapshot_is_of_one_model),
      cmocka_unit_test(a_copy_has_the_tolerances_of_each_state),
      cmocka_unit_test(an_endless_run_needs_one_limit_of_three),
      cmocka_unit_test(a_limit_in_seconds_holds_for_slow_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
