/* Modes, jumps, event iteration, and what is refused. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int still(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  return 0;
}

static int decay(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = -y[0];
  f[1] = y[0] - 0.3 * y[1];
  f[2] = 1;
  return 0;
}

static brink_sim_opts tight(void)
{
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-10;
  return opt;
}

/* ------------------------------------------------------------- classes ---- */

static int change(brink_jump *j)
{
  switch (j->index) {
  case 0: j->w[0] = 5.5; break;
  case 1: j->p[0] = 0.7; break;
  case 2: j->u[0] = -1.25; break;
  case 3: j->y[0] += 0.125; break;
  case 4: j->mode = 1; break;
  default:
    j->mode = 2;
    j->y[1] = 1.5;
    j->y[2] = 0;
    break;
  }
  return 0;
}

static void every_class_of_event_is_recognised(void **state)
{
  const char *const want[] = {"SE-O", "SE-P", "SE-I", "SE-S", "SE-D", "SE-M"};
  const brink_timer_def timers[] = {{.name = "o", .at = 0.1, .jump = change},
                                    {.name = "p", .at = 0.2, .jump = change},
                                    {.name = "i", .at = 0.3, .jump = change},
                                    {.name = "s", .at = 0.4, .jump = change},
                                    {.name = "d", .at = 0.5, .jump = change},
                                    {.name = "m", .at = 0.6, .jump = change}};
  const brink_mode_def modes[] = {{.name = "a", .n = 1, .rhs = still},
                                  {.name = "b", .n = 1, .rhs = still},
                                  {.name = "c", .n = 3, .rhs = decay}};
  const double v[] = {1}, y0 = 0.2;
  const brink_model_def def = {.modes = modes,
                               .n_modes = 3,
                               .timers = timers,
                               .n_timers = 6,
                               .p = v,
                               .n_p = 1,
                               .u = v,
                               .n_u = 1,
                               .w = v,
                               .n_w = 1};

  (void)state;
  rig r = rig_new(&def, NULL, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 6);
  for (size_t k = 0; k < 6; k++)
    assert_string_equal(brink_class_text(rig_event(&r, k).classes), want[k]);
  assert_int_equal(rig_event(&r, 5).n_before, 1);
  assert_int_equal(rig_event(&r, 5).n_after, 3);
  check_near(brink_sim_p(r.sim)[0], 0.7, 0);
  check_near(brink_sim_u(r.sim)[0], -1.25, 0);
  /* y0 = 0.2 + 0.6 + 0.125 decays for 0.4 */
  check_near(brink_sim_state(r.sim)[0], 0.925 * exp(-0.4), 1e-6);

  /* a second start has the model's own values again */
  check_status(brink_sim_start(r.sim, 0, 0, &y0), BRINK_OK);
  check_near(brink_sim_p(r.sim)[0], 1, 0);
  check_status(brink_sim_set_p(r.sim, 0, 3.5), BRINK_OK);
  check_near(brink_sim_p(r.sim)[0], 3.5, 0);
  check_status(brink_sim_set_p(r.sim, 1, 3.5), BRINK_EARG);
  assert_int_equal(rig_events(&r), 0);
  rig_free(&r);
}

/* --------------------------------------------------------------- entry ---- */

static int to_one(brink_jump *j)
{
  j->mode = 1;
  return 0;
}

static int to_zero(brink_jump *j)
{
  j->mode = 0;
  return 0;
}

static rig chain(brink_beyond beyond, brink_jump_fn *back, const brink_sim_opts *opt)
{
  static const brink_guard_def low = {.name = "low", .state = 0, .level = 0.4};
  static const brink_guard_def high = {.name = "high", .state = 0, .level = 0.3};
  const double y0 = 0;
  const brink_event_def up = {
      .name = "up", .dir = BRINK_UP, .jump = to_one, .beyond = beyond};
  const brink_event_def on = {
      .name = "on", .dir = BRINK_UP, .jump = back, .beyond = beyond};
  const brink_mode_def modes[] = {{.name = "a",
                                   .n = 1,
                                   .rhs = still,
                                   .guards = &low,
                                   .n_guards = 1,
                                   .events = &up,
                                   .n_events = 1},
                                  {.name = "b",
                                   .n = 1,
                                   .rhs = still,
                                   .guards = &high,
                                   .n_guards = 1,
                                   .events = &on,
                                   .n_events = 1}};
  const brink_model_def def = {.name = "chain", .modes = modes, .n_modes = 2};
  return rig_new(&def, opt, 0, 0, &y0);
}

static void a_jump_into_a_violated_mode_is_an_error_that_names_it(void **state)
{
  (void)state;
  rig r = chain(BRINK_REFUSE, to_zero, NULL);
  check_status(brink_sim_run(r.sim, 1), BRINK_EMODE);
  check_text(brink_sim_error(r.sim)->text, "mode 'b' is entered at t = 0.4");
  check_text(brink_sim_error(r.sim)->text, "'on' already past");
  assert_int_equal(rig_events(&r), 1); /* what led there is kept */
  rig_free(&r);

  /* so is a start beyond */
  r = chain(BRINK_REFUSE, to_zero, NULL);
  const double y0 = 2;
  check_status(brink_sim_start(r.sim, 0, 0, &y0), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1), BRINK_EMODE);
  rig_free(&r);
}

static void or_it_is_ignored_or_fires_at_once(void **state)
{
  (void)state;
  rig r = chain(BRINK_IGNORE, to_zero, NULL);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  rig_free(&r);

  r = chain(BRINK_FIRE, NULL, NULL); /* logs nothing: it does not act */
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  rig_free(&r);
}

static int count_me(brink_jump *j)
{
  ((int *)j->user)[j->index]++;
  return 0;
}

/* Whatever the condition is like, and whoever else uses its guards. */
static void what_fires_at_once_is_what_was_past_and_said_so(void **state)
{
  static const int both[] = {0, 1, BRINK_AND, BRINK_COND_END};
  static const int equal[] = {0, 1,         BRINK_AND, 0,        BRINK_NOT,
                              1, BRINK_NOT, BRINK_AND, BRINK_OR, BRINK_COND_END};
  static const int always[] = {0, 0, BRINK_NOT, BRINK_OR, BRINK_COND_END};
  static const int *const conds[] = {NULL, both, equal, always};
  const brink_guard_def g[] = {{.name = "a", .state = 0, .level = -0.7},
                               {.name = "b", .state = 0, .level = -0.2}};
  const double y0 = 0.3;

  (void)state;
  for (size_t c = 0; c < 4; c++) {
    int calls[3] = {0};
    const brink_event_def e[] = {
        {.name = "waits", .dir = BRINK_UP, .jump = count_me, .beyond = BRINK_IGNORE},
        {.name = "fires",
         .cond = conds[c],
         .dir = BRINK_UP,
         .jump = count_me,
         .beyond = BRINK_FIRE},
        {.name = "falls", .dir = BRINK_DOWN, .jump = count_me, .beyond = BRINK_FIRE}};
    const brink_mode_def mode = {.name = "a",
                                 .n = 1,
                                 .rhs = still,
                                 .guards = g,
                                 .n_guards = 2,
                                 .events = e,
                                 .n_events = 3};
    const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = calls};
    rig r = rig_new(&def, NULL, 0, 0, &y0);
    check_status(brink_sim_run(r.sim, 1), BRINK_END);
    assert_int_equal(calls[0], 0);
    assert_int_equal(calls[1], 1);
    assert_int_equal(calls[2], 0);
    assert_int_equal(rig_events(&r), 1);
    assert_int_equal(rig_event(&r, 0).dir, BRINK_UP);
    assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_START);
    rig_free(&r);
  }
}

static int twice(brink_jump *j)
{
  int *calls = j->user;

  assert_int_equal(j->at_restart, *calls > 0 ? 2 : 0);
  if (++*calls == 2)
    j->y[0] = -0.6;
  return 0;
}

/* An event that has just fired may stay past, unless it says BRINK_AGAIN. */
static void an_event_may_insist(void **state)
{
  static const brink_guard_def low = {.name = "low", .state = 0, .level = 0.4};
  const double y0 = 0;

  (void)state;
  for (int k = 0; brink_locator_name(k); k++)
    for (int insists = 0; insists < 2; insists++) {
      int calls = 0;
      const brink_event_def up = {.name = "up",
                                  .dir = BRINK_UP,
                                  .jump = twice,
                                  .beyond = insists ? BRINK_AGAIN : BRINK_FIRE};
      const brink_mode_def mode = {.name = "a",
                                   .n = 1,
                                   .rhs = still,
                                   .guards = &low,
                                   .n_guards = 1,
                                   .events = &up,
                                   .n_events = 1};
      const brink_model_def def = {
          .name = "line", .modes = &mode, .n_modes = 1, .user = &calls};
      brink_sim_opts opt = brink_sim_defaults();
      opt.locator = brink_locator_name(k);
      rig r = rig_new(&def, &opt, 0, 0, &y0);
      check_status(brink_sim_run(r.sim, 1.1), BRINK_END);
      if (strcmp(opt.locator, "endpoint") != 0) {
        assert_int_equal(rig_events(&r), 1 + insists);
        check_near(brink_sim_state(r.sim)[0], insists ? 0.1 : 1.1, 0.08);
      }
      rig_free(&r);
    }
}

static int back(brink_jump *j)
{
  int *calls = j->user;

  calls[j->index]++;
  if (j->index == 0)
    j->y[0] = -0.6;
  return 0;
}

/* A jump that moves its guard back over the zero makes the event of the other direction
 * due, if that fires where it is past. */
static void a_jump_back_is_the_event_of_the_other_direction(void **state)
{
  static const brink_guard_def low = {.name = "low", .state = 0, .level = 0.43};
  const double y0 = 0;

  (void)state;
  for (int fires = 0; fires < 2; fires++) {
    int calls[2] = {0};
    const brink_event_def e[] = {
        {.name = "up", .dir = BRINK_UP, .jump = back, .beyond = BRINK_FIRE},
        {.name = "down",
         .dir = BRINK_DOWN,
         .jump = back,
         .beyond = fires ? BRINK_FIRE : BRINK_IGNORE}};
    const brink_mode_def mode = {.name = "a",
                                 .n = 1,
                                 .rhs = still,
                                 .guards = &low,
                                 .n_guards = 1,
                                 .events = e,
                                 .n_events = 2};
    const brink_model_def def = {
        .name = "line", .modes = &mode, .n_modes = 1, .user = calls};
    rig r = rig_new(&def, NULL, 0.8, 0, &y0);
    check_status(brink_sim_run(r.sim, 1.6), BRINK_END);
    assert_int_equal(calls[0], 1);
    assert_int_equal(calls[1], fires ? 2 : 0); /* at the start, and after the jump */
    check_near(brink_sim_state(r.sim)[0], 1.6 - 1.23 - 0.6, 1e-15);
    rig_free(&r);
  }
}

static int enough(brink_jump *j)
{
  brink_err *err = j->err;

  err->status = BRINK_ZENO;
  snprintf(err->text, sizeof err->text, "it has been enough at t = %g", j->t);
  return -1;
}

static void a_jump_may_end_the_run_as_zeno(void **state)
{
  static const brink_guard_def low = {.name = "low", .state = 0, .level = 0.4};
  const brink_event_def up = {.name = "up", .dir = BRINK_UP, .jump = enough};
  const brink_mode_def mode = {.name = "a",
                               .n = 1,
                               .rhs = still,
                               .guards = &low,
                               .n_guards = 1,
                               .events = &up,
                               .n_events = 1};
  const brink_model_def def = {.name = "line", .modes = &mode, .n_modes = 1};
  const double y0 = 0;

  (void)state;
  rig r = rig_new(&def, NULL, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 1), BRINK_ZENO);
  check_text(brink_sim_error(r.sim)->text, "enough at t = 0.4");
  assert_int_equal(rig_events(&r), 0);
  assert_int_equal(brink_sim_statistics(r.sim).zeno_points, 1);
  check_status(brink_sim_run(r.sim, 1), BRINK_ZENO);
  rig_free(&r);
}

static void event_iteration_is_bounded_and_names_the_events(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.max_iterations = 7;
  rig r = chain(BRINK_FIRE, to_zero, &opt); /* a -> b -> a -> ... at t = 0.4 */
  check_status(brink_sim_run(r.sim, 1), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "7 instants at t = 0.4");
  assert_true(strstr(brink_sim_error(r.sim)->text, "'up'") ||
              strstr(brink_sim_error(r.sim)->text, "'on'"));
  assert_int_equal(rig_events(&r), 7);
  for (size_t k = 0; k < 7; k++)
    assert_int_equal(rig_event(&r, k).instant, (int)k);
  rig_free(&r);
}

/* ----------------------------------------------------------- bad input ---- */

static int gives_nan(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = t > 0.5 ? sqrt(-1 - y[0]) : 1;
  return 0;
}

static int not_here(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = 1;
  return t > 0.25;
}

static int stops(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = 1;
  return t > 0.25 ? -1 : 0;
}

static double nan_guard(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return sqrt(0.5 - y[0]);
}

static int nan_jump(brink_jump *j)
{
  j->y[0] = nan("");
  return 0;
}

static int lost_jump(brink_jump *j)
{
  j->mode = 7;
  return 0;
}

static int angry_jump(brink_jump *j)
{
  (void)j;
  return -1;
}

static void check_run(brink_rhs_fn *rhs, brink_guard_fn *guard, brink_jump_fn *jump,
                      brink_status want, const char *text, double t_least)
{
  const brink_guard_def g = {.name = "watch", .fn = guard, .state = 0, .level = 0.5};
  const brink_event_def e = {.name = "pass", .jump = jump};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = rhs,
                               .guards = &g,
                               .n_guards = guard || jump,
                               .events = &e,
                               .n_events = guard || jump};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  const double y0 = 0;
  rig r = rig_new(&def, NULL, 0, 0, &y0);

  check_status(brink_sim_run(r.sim, 1), want);
  check_text(brink_sim_error(r.sim)->text, text);
  assert_int_equal(brink_sim_error(r.sim)->status, want);
  check_in(brink_sim_time(r.sim), t_least, 0.5000001);
  check_near(brink_sim_state(r.sim)[0], brink_sim_time(r.sim),
             1e-12); /* nothing is lost */
  rig_free(&r);
}

static void what_callbacks_do_wrong_is_said_with_its_place(void **state)
{
  (void)state;
  check_run(gives_nan, NULL, NULL, BRINK_ENAN, "f[0] is", 0.49);
  check_run(not_here, NULL, NULL, BRINK_EDOMAIN, "does not exist near t = 0.25", 0.249);
  check_run(stops, NULL, NULL, BRINK_EUSER, "asked to stop at t =", 0);
  check_run(still, nan_guard, NULL, BRINK_ENAN, "guard 'watch' is", 0);
  check_run(still, NULL, nan_jump, BRINK_ENAN, "jump of 'pass' at t = 0.5 leaves",
            0.49);
  check_run(still, NULL, lost_jump, BRINK_EUSER, "goes to mode 7", 0.49);
  check_run(still, NULL, angry_jump, BRINK_EUSER, "'pass' asked to stop", 0.49);
}

static void check_model(const brink_model_def *def, const char *text)
{
  brink_ctx *ctx;
  brink_model *model = (brink_model *)1;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, def, &model), BRINK_EARG);
  assert_null(model);
  check_text(brink_ctx_error(ctx)->text, text);
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
  brink_ctx_free(ctx);
}

static void wrong_models_are_refused_with_a_sentence(void **state)
{
  const int short_cond[] = {0, BRINK_AND, BRINK_COND_END};
  const int long_cond[] = {0, 0, BRINK_COND_END};
  const int far_cond[] = {3, BRINK_COND_END};
  const brink_guard_def g = {.state = 0}, bad = {.state = 3};
  const brink_event_def e = {.name = "e", .guard = 2},
                        c1 = {.name = "e", .cond = short_cond},
                        c2 = {.name = "e", .cond = long_cond},
                        c3 = {.name = "e", .cond = far_cond}, nameless = {.guard = 0};
  const brink_event_def odd_side = {.name = "e", .side = (brink_side)3},
                        odd_dir = {.name = "e", .dir = (brink_direction)2},
                        odd_beyond = {.name = "e", .beyond = (brink_beyond)4};
  brink_mode_def m = {.name = "m", .n = 1, .rhs = still, .guards = &g, .n_guards = 1};
  brink_model_def def = {.modes = &m, .n_modes = 1};
  const double not_a_number[] = {nan("")};

  (void)state;
  check_model(&(brink_model_def){0}, "at least one mode");
  m.n = 0;
  check_model(&def, "mode 'm' has no states (n = 0)");
  m.n = 1;
  m.rhs = NULL;
  check_model(&def, "has no right-hand side");
  m.rhs = still;
  m.guards = &bad;
  check_model(&def, "a state from 0 to 0");
  m.guards = &g;
  m.n_events = 1;
  m.events = &e;
  check_model(&def, "names guard 2; there are 1");
  m.events = &c1;
  check_model(&def, "not postfix");
  m.events = &c2;
  check_model(&def, "leaves 2 values");
  m.events = &c3;
  check_model(&def, "names guard 3; there are 1");
  m.events = &nameless;
  check_model(&def, "event 0 of mode 'm' has no name");
  m.events = &odd_side;
  check_model(&def, "event 'e' of mode 'm' has side = 3");
  m.events = &odd_dir;
  check_model(&def, "event 'e' of mode 'm' has dir = 2");
  m.events = &odd_beyond;
  check_model(&def, "event 'e' of mode 'm' has beyond = 4");
  m.n_events = 0;
  def.p = not_a_number;
  def.n_p = 1;
  check_model(&def, "parameter 0 is");
}

static void check_opts(const brink_model *model, brink_ctx *ctx,
                       const brink_sim_opts *opt, brink_status want, const char *text)
{
  brink_sim *sim = (brink_sim *)1;

  check_status(brink_sim_new(ctx, model, opt, &sim), want);
  assert_null(sim);
  check_text(brink_ctx_error(ctx)->text, text);
}

static void wrong_settings_are_refused_with_a_sentence(void **state)
{
  const brink_mode_def m = {.name = "m", .n = 1, .rhs = still};
  const brink_model_def def = {.modes = &m, .n_modes = 1};
  const double y0 = 1, bad[] = {nan("")}, negative[] = {-1e-3};

  (void)state;
  rig r = rig_new(&def, NULL, 2, 0, &y0);
  brink_sim_opts opt = tight();
  opt.rtol = -1e-3;
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "rtol = -0.001 must lie in [0, 1]");
  opt = tight(), opt.atol = -2;
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "atol = -2");
  opt = tight(), opt.rtol = nan("");
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "rtol = nan");
  opt = tight(), opt.atol_i = negative;
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "atol_i[0] = -0.001");
  opt = tight(), opt.rtol = opt.atol = 0;
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "must not both be zero");
  opt = tight(), opt.method = "dopri6";
  check_opts(r.model, r.ctx, &opt, BRINK_ENAME,
             "no method 'dopri6'; did you mean 'dopri5'");
  opt = tight(), opt.locator = "isolat";
  check_opts(r.model, r.ctx, &opt, BRINK_ENAME, "did you mean 'isolate'");
  opt = tight(), opt.max_iterations = 0;
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "max_iterations = 0 must be at least 1");
  opt = tight(), opt.h_min = 1, opt.h_max = 0.5;
  check_opts(r.model, r.ctx, &opt, BRINK_EARG, "h_min = 1 exceeds h_max = 0.5");

  check_status(brink_sim_start(r.sim, 0, 0, bad), BRINK_ENAN);
  check_text(brink_sim_error(r.sim)->text, "start value 'y1' is nan");
  check_status(brink_sim_run(r.sim, 1), BRINK_EARG); /* not started */
  check_status(brink_sim_start(r.sim, nan(""), 0, &y0), BRINK_EARG);
  check_status(brink_sim_start(r.sim, 0, 3, &y0), BRINK_EARG);
  check_status(brink_sim_start(r.sim, 2, 0, &y0), BRINK_OK);
  check_status(brink_sim_run(r.sim, nan("")), BRINK_EARG);
  check_status(brink_sim_run(r.sim, HUGE_VAL), BRINK_EARG);
  check_status(brink_sim_run(r.sim, 3), BRINK_END); /* and it still runs */
  check_status(brink_sim_run(r.sim, 1), BRINK_EARG);
  check_text(brink_sim_error(r.sim)->text, "lies before the present time 3");
  check_status(brink_sim_run(r.sim, 4), BRINK_END);
  rig_free(&r);
}

/* -------------------------------------------------------------- limits ---- */

static int uneven(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -y[0];
  f[1] = 31 * cos(43 * t);
  return 0;
}

/* The second state hardly counts, in whichever mode the run is. */
static void tolerances_of_the_states_hold_in_every_mode(void **state)
{
  const brink_mode_def modes[] = {{.name = "a", .n = 2, .rhs = uneven},
                                  {.name = "b", .n = 2, .rhs = uneven}};
  const brink_model_def def = {.modes = modes, .n_modes = 2};
  const double y0[] = {1.3, 0.2};
  double atol_i[] = {1e-8, 1e3};
  brink_sim_opts opt = brink_sim_defaults();
  long steps[2];

  (void)state;
  opt.rtol = 0;
  opt.atol_i = atol_i;
  for (int mode = 0; mode < 2; mode++) {
    rig r = rig_new(&def, &opt, 0.41, mode, y0);
    check_status(brink_sim_run(r.sim, 3.7), BRINK_END);
    steps[mode] = brink_sim_statistics(r.sim).work.steps;
    check_near(brink_sim_state(r.sim)[0], 1.3 * exp(0.41 - 3.7), 1e-7);
    rig_free(&r);
  }
  assert_int_equal(steps[0], steps[1]);
}

static void limits_end_the_run_with_what_there_is(void **state)
{
  const brink_timer_def timer = {.name = "tick", .every = 0.125};
  const brink_mode_def m = {.name = "m", .n = 1, .rhs = still};
  const brink_model_def def = {
      .modes = &m, .n_modes = 1, .timers = &timer, .n_timers = 1};
  const double y0 = 0;
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.max_events = 5;
  rig r = rig_new(&def, &opt, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 10), BRINK_LIMIT);
  check_text(brink_sim_error(r.sim)->text, "max_events = 5 reached");
  check_near(brink_sim_time(r.sim), 0.5, 0); /* 0, 1/8, ... 4/8 */
  rig_free(&r);

  opt = brink_sim_defaults();
  opt.max_steps = 12;
  opt.h_max = 0.1;
  r = rig_new(&def, &opt, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 10), BRINK_LIMIT);
  check_text(brink_sim_error(r.sim)->text, "max_steps = 12 reached");
  assert_int_equal(brink_sim_statistics(r.sim).work.steps, 12);
  rig_free(&r);

  opt = brink_sim_defaults();
  opt.max_seconds = 1e-3;
  r = rig_new(&def, &opt, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 1e9), BRINK_LIMIT);
  check_text(brink_sim_error(r.sim)->text, "max_seconds = 0.001 reached");
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_of_event_is_recognised),
      cmocka_unit_test(a_jump_into_a_violated_mode_is_an_error_that_names_it),
      cmocka_unit_test(or_it_is_ignored_or_fires_at_once),
      cmocka_unit_test(what_fires_at_once_is_what_was_past_and_said_so),
      cmocka_unit_test(an_event_may_insist),
      cmocka_unit_test(a_jump_back_is_the_event_of_the_other_direction),
      cmocka_unit_test(a_jump_may_end_the_run_as_zeno),
      cmocka_unit_test(event_iteration_is_bounded_and_names_the_events),
      cmocka_unit_test(what_callbacks_do_wrong_is_said_with_its_place),
      cmocka_unit_test(wrong_models_are_refused_with_a_sentence),
      cmocka_unit_test(wrong_settings_are_refused_with_a_sentence),
      cmocka_unit_test(tolerances_of_the_states_hold_in_every_mode),
      cmocka_unit_test(limits_end_the_run_with_what_there_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
