/* test_ramp.c -- ramp metering [Donolo02, 2.1, 4.4]: a queue that empties and fills.
 *
 * v_f = k = 1, rho_m = 2, L = 4, w1 = 2, w2 = 1, q_s = 0.1, q_in = 0.6, 0.3 from t = 5,
 * 0.6 from t = 10, x(0) = (-0.5, 1).  The events were computed by DOP853 and Radau at
 * 1e-13 and by closed-form Riccati pieces, which agree to the digits that are compared.
 */
#include "hybrid.h"
#include "plain_methods.h"

#include <math.h>
#include <string.h>

enum { EMPTY = 1, DENSE = 2 }; /* bits of the mode */

static double control(const double *x, const brink_env *e)
{
  double out = (x[0] + 1) * (1 - (x[0] + 1) / 2), flow = 0.5 * (out - e->u[0]);

  return fmax(0, e->mode & DENSE ? (-2 * x[0] - x[1] + flow - 0.1) / -0.5
                                 : (-2 * x[0] + x[1] + flow + 0.1) / 1.5);
}

static int road(double t, const double *x, double *f, const brink_env *e)
{
  double u = e->mode & EMPTY ? 0.1 : control(x, e);

  (void)t;
  f[0] = (e->u[0] - (x[0] + 1) * (1 - (x[0] + 1) / 2) + u) / 4;
  f[1] = 0.1 - u;
  return 0;
}

static double surplus(double t, const double *x, int k, const brink_env *e)
{
  (void)t, (void)k;
  return control(x, e) - 0.1;
}

static int to_empty(brink_jump *j)
{
  j->mode |= EMPTY;
  j->y[1] = 0;
  return 0;
}
static int to_queue(brink_jump *j)
{
  j->mode &= ~EMPTY;
  return 0;
}
static int to_side(brink_jump *j)
{
  j->mode ^= DENSE;
  return 0;
}
static int set_input(brink_jump *j)
{
  j->u[0] = j->t < 7 ? 0.3 : 0.6;
  return 0;
}

static const brink_guard_def guards[] = {{.name = "x1", .state = 0},
                                         {.name = "x2", .state = 1},
                                         {.name = "u - qs", .fn = surplus}};
#define SIDE(d)                                                                        \
  {                                                                                    \
    .name = "x1 = 0", .guard = 0, .dir = d, .jump = to_side                            \
  }
#define EMPTIES                                                                        \
  {                                                                                    \
    .name = "empty", .guard = 1, .dir = BRINK_DOWN, .jump = to_empty                   \
  }
#define FILLS                                                                          \
  {                                                                                    \
    .name = "fills", .guard = 2, .dir = BRINK_DOWN, .jump = to_queue,                  \
    .beyond = BRINK_FIRE                                                               \
  }
static const brink_event_def events[4][2] = {{SIDE(BRINK_UP), EMPTIES},
                                             {SIDE(BRINK_UP), FILLS},
                                             {SIDE(BRINK_DOWN), EMPTIES},
                                             {SIDE(BRINK_DOWN), FILLS}};
#define MODE(title, k)                                                                 \
  {                                                                                    \
    .name = title, .n = 2, .rhs = road, .guards = guards, .n_guards = 3,               \
    .events = events[k], .n_events = 2                                                 \
  }
static const brink_mode_def modes[] = {MODE("queue", 0), MODE("empty", 1),
                                       MODE("dense, queue", 2),
                                       MODE("dense, empty", 3)};
static const brink_timer_def timers[] = {
    {.name = "input", .at = 5, .jump = set_input},
    {.name = "input", .at = 10, .jump = set_input}};
static const double inflow[] = {0.6};
static const brink_model_def ramp = {.name = "ramp",
                                     .modes = modes,
                                     .n_modes = 4,
                                     .timers = timers,
                                     .n_timers = 2,
                                     .u = inflow,
                                     .n_u = 1};

static const struct {
  double t;
  const char *name;
  int after;
  double x[2];
} want[] = {
    {2.0756194834583757, "empty", EMPTY, {-0.12547867145005023, 0}},
    {3.5488076254710945, "fills", 0, {-0.05031646837370019, 0}},
    {4.7103437773642245, "x1 = 0", DENSE, {0, 0.03149861117709228}},
    {4.831793784803168, "empty", DENSE | EMPTY, {0.013948141411555244, 0}},
    {5, "input", DENSE | EMPTY, {0.022365507477941603, 0}},
    {5, "fills", DENSE, {0.022365507477941603, 0}},
    {5.665237184681686, "x1 = 0", 0, {0, 0.022998521315342604}},
    {6.172287878646895, "empty", EMPTY, {-0.006925650957232508, 0}},
    {10, "input", EMPTY, {-0.10085507263185635, 0}},
    {10.996045558312643, "fills", 0, {-0.05031646837370026, 0}},
    {12.157581710205774, "x1 = 0", DENSE, {0, 0.03149861117709223}},
    {12.279031717644717, "empty", DENSE | EMPTY, {0.013948141411555247, 0}},
};
enum { EVENTS = sizeof want / sizeof want[0] };

static void events_to_1e_8(brink_restep restep)
{
  static const double x0[] = {-0.5, 1};

  EACH_PLAIN_METHOD (i) {
    brink_sim_opts opt = brink_sim_defaults();
    double worst = 0;
    opt.method = brink_method_name(i);
    opt.restep = restep;
    opt.rtol = 1e-11;
    opt.atol = 1e-14;
    opt.h0 = brink_method_fixed_step(i) ? 1e-3 : 0;
    if (brink_method_order(i) < 4)
      opt.rtol = opt.atol = 1e-10;
    rig r = rig_new(&ramp, &opt, 0, 0, x0);
    check_status(brink_sim_run(r.sim, 20), BRINK_END);
    assert_int_equal(rig_events(&r), EVENTS);
    for (size_t k = 0; k < EVENTS; k++) {
      brink_event e = rig_event(&r, k);
      assert_string_equal(e.name, want[k].name);
      assert_int_equal(e.mode_after, want[k].after);
      worst = fmax(worst, fabs(e.t - want[k].t));
      check_near(e.t, want[k].t, 1e-8);
      check_near(e.y_after[0], want[k].x[0], 1e-8);
      check_near(e.y_after[1], want[k].x[1], 1e-8);
    }
    print_message("%-8s events off by %.1e at most, %ld f\n", opt.method, worst,
                  brink_sim_statistics(r.sim).work.f_evals);
    check_near(brink_sim_state(r.sim)[0], 0.46350675594018814, 1e-8);
    rig_free(&r);
  }
}

static void events_to_1e_8_with_every_method(void **state)
{
  (void)state;
  events_to_1e_8(BRINK_RESTEP_AUTO);
}

/* ... which end on the side that the mode they lead to wants */
static void events_to_1e_8_by_closing_steps(void **state)
{
  (void)state;
  events_to_1e_8(BRINK_RESTEP_ON);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_to_1e_8_with_every_method),
                                     cmocka_unit_test(events_to_1e_8_by_closing_steps)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
