/* The parallel robot of [NR09], models/parallel_robot.mo: hybrid, index 3.
 *
 * Its events, the modes that it meets and their structure, the limits of its torques
 * along all steps, and a start from guesses that are not consistent. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <string.h>

/* The first events after 0+: the equations reduced by hand, extrapolated midpoint rule;
 * what is crossed, as part of its text. */
static const struct {
  double t;
  const char *text;
} first[] = {{0.045156408019715356, "der(q2)) < -alpha"},
             {0.09040489077207796, "der(q1)) > alpha"},
             {0.1391632335376464, "der(q2) >= 0"},
             {0.28642500297258, "der(q1) >= 0"},
             {0.7190155643133531, "der(q2) >= 0"},
             {0.8846401868436617, "der(q1) >= 0"}};

enum { EVENTS = 22, MODES = 6, FIRST = sizeof first / sizeof *first };

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  double *values;
  int at[2];   /* the torques among the variables */
  double most; /* largest torque so far           */
} rig;

static int find(const brink_model *model, const char *name)
{
  for (size_t i = 0; i < brink_model_variables(model); i++)
    if (strcmp(brink_model_variable(model, i).name, name) == 0)
      return (int)i;
  fail_msg("there is no variable %s", name);
  return -1;
}

static int on_step(const brink_step *step, double begin, double end, int mode,
                   void *user)
{
  enum { ROWS = 20 };
  rig *r = user;

  (void)mode;
  for (int k = 0; k <= ROWS; k++) {
    double theta = begin + (end - begin) * k / ROWS;
    check_status(brink_sim_values_at(r->sim, step, theta, r->values), BRINK_OK);
    for (int i = 0; i < 2; i++)
      r->most = fmax(r->most, fabs(r->values[r->at[i]]));
  }
  return 0;
}

static rig load(const char *name, const char *method, double tol)
{
  rig r = {.ctx = NULL};
  brink_load_opts load = brink_load_defaults();
  brink_sim_opts opt = brink_sim_defaults();

  load.model = name;
  opt.method = method;
  opt.rtol = opt.atol = tol;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(
      brink_model_load(r.ctx, MODELS_DIR "/parallel_robot.mo", &load, &r.model),
      BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  r.values = test_malloc(brink_model_variables(r.model) * sizeof *r.values);
  r.at[0] = find(r.model, "G1");
  r.at[1] = find(r.model, "G2");
  return r;
}

static void run(rig *r)
{
  brink_observer watch = {.on_step = on_step, .user = r};

  brink_sim_observe(r->sim, &watch);
  check_status(brink_sim_start(r->sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r->sim, 5), BRINK_END);
}

static void end(rig *r)
{
  test_free(r->values);
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static void check_events(const brink_sim *sim, double tol)
{
  const brink_trace *trace = brink_sim_trace(sim);

  assert_int_equal(brink_trace_events(trace), EVENTS + 1);
  brink_event flip = brink_trace_event(trace, 0);
  assert_int_equal(flip.kind, BRINK_KIND_START);
  check_near(flip.t, 0, 0);
  assert_non_null(strstr(flip.name, "der(q2) >= 0"));
  for (int i = 0; i < FIRST; i++) {
    brink_event e = brink_trace_event(trace, (size_t)i + 1);
    check_near(e.t, first[i].t, tol);
    assert_non_null(strstr(e.name, first[i].text));
  }
}

static void every_method_finds_the_events_and_keeps_the_torques(void **state)
{
  static const struct {
    const char *method;
    double rtol, tol;
  } runs[] = {
      {"taylor", 1e-13, 1e-11}, {"dop853", 1e-13, 1e-11}, {"dopri5", 1e-13, 1e-11},
      {"adams", 1e-13, 1e-11},  {"dop853", 1e-9, 1e-8},   {"dop853", 1e-10, 1e-9},
      {"dopri5", 1e-9, 1e-7},   {"dopri5", 1e-11, 1e-9},  {"adams", 1e-9, 1e-7},
      {"adams", 1e-12, 1e-10},  {"taylor", 1e-9, 1e-8}};

  (void)state;
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    rig r = load("ParallelRobot", runs[i].method, runs[i].rtol);
    run(&r);
    check_events(r.sim, runs[i].tol);
    assert_true(r.most <= 50 + fmax(1e-9, 10 * runs[i].rtol));
    assert_true(r.most > 49);

    end(&r);
  }
}

/* sat: what limits the torques of both arms, in [NR09, (14)] */
static void check_offsets(const rig *r, const double *branches, int sat1, int sat2)
{
  int c[12] = {2, 2, !sat1, !sat2},
      d[12] = {2, 2, 2, 2, !sat1, !sat2, 0, 0, 0, 0, 1, 1};
  brink_structures *one = NULL;

  check_status(brink_model_structure(r->ctx, r->model, 0, branches, &one), BRINK_OK);
  assert_int_equal(one->n, 1);
  const brink_structure *s = &one->v[0];
  assert_int_equal(s->n_equations, 12);
  for (int i = 0; i < 12; i++) {
    assert_int_equal(s->c[i], c[i]);
    assert_int_equal(s->d[i], d[i]);
  }
  assert_int_equal(s->index, 3);
  assert_int_equal(s->degrees, 6);
  assert_int_equal(s->quasilinear, !sat1 && !sat2); /* qd of a limited arm is not */
  brink_structures_free(one);
}

static void six_modes_are_met_and_their_offsets_are_those_of_the_paper(void **state)
{
  rig r = load("RobotEquations", "taylor", 1e-13);
  brink_anatomy a = brink_model_anatomy(r.model);
  long entries = 0;

  (void)state;
  run(&r);
  assert_int_equal(a.n_branches, 6);
  assert_string_equal(a.branches[0].name, "der(q1) >= 0");
  assert_int_equal(brink_sim_statistics(r.sim).modes_met, MODES);
  assert_int_equal(brink_sim_statistics(r.sim).modes_analysed, 0);
  for (size_t i = 0; i < MODES; i++) {
    brink_mode_met met = brink_sim_mode_met(r.sim, i);
    const double *b = met.branches;
    entries += met.entries;
    check_near(met.t, i ? first[i - 1].t : 0, 1e-11);
    check_offsets(&r, b, b[2] + b[3] > 0, b[4] + b[5] > 0);
  }
  assert_int_equal(entries, EVENTS + 1);
  assert_int_equal(brink_sim_mode_met(r.sim, MODES).mode, -1);
  check_offsets(&r, NULL, 0, 0); /* both branches */
  end(&r);
}

/* q = 0 is not consistent with x = (0, -0.6): the start is near both. */
static void a_start_from_the_guesses_of_the_paper_is_consistent(void **state)
{
  static const char *const zero[] = {"q1", "q2", "qd1", "qd2"};
  rig r = load("ParallelRobot", "taylor", 1e-13);
  double x, z, q1, q2;

  (void)state;
  for (int i = 0; i < 4; i++)
    check_status(brink_sim_set_start(r.sim, zero[i], 0), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  brink_sim_get(r.sim, "x", &x);
  brink_sim_get(r.sim, "z", &z);
  brink_sim_get(r.sim, "q1", &q1);
  brink_sim_get(r.sim, "q2", &q2);
  check_near(pow(x - 0.1 - 0.3 * cos(q1), 2) + pow(z + 0.3 * sin(q1), 2), 0.49, 1e-15);
  check_near(pow(x + 0.1 + 0.3 * cos(q2), 2) + pow(z + 0.3 * sin(q2), 2), 0.49, 1e-15);

  /* the nearest point, by least squares */
  check_near(x, 0, 1e-12);
  check_near(z, -0.5755602680425298, 1e-10);
  check_near(q1, 0.003675316727458753, 1e-10);
  check_near(q2, 0.003675316727458753, 1e-10);
  run(&r);
  assert_int_equal(brink_trace_events(brink_sim_trace(r.sim)), EVENTS + 1);
  assert_int_equal(brink_sim_statistics(r.sim).modes_met, MODES);
  assert_true(r.most <= 50 + 1e-9);
  end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_finds_the_events_and_keeps_the_torques),
      cmocka_unit_test(six_modes_are_met_and_their_offsets_are_those_of_the_paper),
      cmocka_unit_test(a_start_from_the_guesses_of_the_paper_is_consistent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
