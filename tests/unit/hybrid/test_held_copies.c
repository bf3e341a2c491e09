/* test_held_copies.c -- where something rests, slides or is reflected, clones and
 * snapshots go on as the run does, and a parameter that is set is seen at once. */
#include "hybrid.h"

#include "brink/load.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"dopri5", "dop853", "adams", "bs23"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static rig of_text(const char *text, const char *method)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = 1e-8;
  return rig_text(text, &opt, 0);
}

static double value(brink_sim *sim, const char *name)
{
  double v;

  check_status(brink_sim_get(sim, name, &v), BRINK_OK);
  return v;
}

/* ----------------------------------------------------------------- copies --- */

typedef struct held {
  const char *text;
  double during, end; /* held at `during`; at `end` no more                       */
} held;

/* A ball that comes to rest on a table which throws it later; a relay against a force
 * that becomes too strong; an oblique bound that a path leaves; a block that falls and
 * sticks. */
static const held cases[] = {
    {"model B\n  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true);\n"
     "equation\n  der(h) = v;\n  der(v) = 3*sin(time) - 2;\n  when h <= 0 then\n"
     "    reinit(v, -0.4*pre(v));\n  end when;\nend B;\n",
     6.5, 9.5},
    {"model R\n  Real x(start = 0.3, fixed = true), y(start = 0, fixed = true);\n"
     "equation\n  der(x) = 1.9*sin(0.8*time) - 1.3*sign(x);\n  der(y) = x - y + "
     "cos(time);\nend R;\n",
     0.9, 4},
    {"model S\n  parameter Real d[2] = {1, 0.3};\n"
     "  Real x(start = 0.2, min = 0, fixed = true) annotation(__brink(reflect = d));\n"
     "  Real y(start = 0, fixed = true);\nequation\n  der(x) = -cos(time) + 0.2*y;\n"
     "  der(y) = sin(3*time) - y;\nend S;\n",
     1.1, 5},
    {"model K\n  Real x(start = 0, fixed = true), u(start = 1, fixed = true);\n"
     "  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);\nequation\n"
     "  der(x) = u;\n  der(u) = 0.4*time - 3*sign(u);\n  der(h) = v;\n"
     "  der(v) = -9.81;\n  when h <= 0 then\n    reinit(v, -0.3*pre(v));\n  end when;\n"
     "end K;\n",
     2.3, 9},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void same(brink_sim *a, brink_sim *b)
{
  assert_int_equal(brink_sim_n(a), brink_sim_n(b));
  for (size_t i = 0; i < brink_sim_n(a); i++)
    check_near(brink_sim_state(a)[i], brink_sim_state(b)[i], 0);
  assert_int_equal(brink_sim_statistics(a).events, brink_sim_statistics(b).events);
}

static void copies_of_held_runs_go_on_as_they_do(void **state)
{
  (void)state;
  for (int i = 0; i < CASES * METHODS; i++) {
    const held *c = &cases[i / METHODS];
    rig r = of_text(c->text, methods[i % METHODS]);
    brink_snapshot *kept = NULL;
    brink_sim *copy = NULL;

    check_status(brink_sim_run(r.sim, c->during), BRINK_END);
    check_status(brink_sim_clone(r.ctx, r.sim, &copy), BRINK_OK);
    check_status(brink_sim_save(r.sim, &kept), BRINK_OK);
    check_status(brink_sim_run(r.sim, c->end), BRINK_END);
    check_status(brink_sim_run(copy, c->end), BRINK_END);
    same(r.sim, copy);
    check_status(brink_sim_restore(r.sim, kept), BRINK_OK);
    check_near(brink_sim_time(r.sim), c->during, 0);
    check_status(brink_sim_run(r.sim, c->end), BRINK_END);
    same(r.sim, copy);
    brink_snapshot_free(kept);
    brink_sim_free(copy);
    rig_free(&r);
  }
}

/* The run before has held something; this one has not yet. */
static void copies_of_later_runs_go_on_as_they_do(void **state)
{
  (void)state;
  for (int i = 0; i < CASES * METHODS; i++) {
    const held *c = &cases[i / METHODS];
    rig r = of_text(c->text, methods[i % METHODS]);
    brink_sim *copy = NULL;

    check_status(brink_sim_run(r.sim, c->during), BRINK_END);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 0.1), BRINK_END);
    check_status(brink_sim_clone(r.ctx, r.sim, &copy), BRINK_OK);
    check_status(brink_sim_run(r.sim, c->end), BRINK_END);
    check_status(brink_sim_run(copy, c->end), BRINK_END);
    same(r.sim, copy);
    brink_sim_free(copy);
    rig_free(&r);
  }
}

/* --------------------------------------------------------------- settings --- */

static void a_parameter_is_seen_at_rest(void **state)
{
  (void)state;
  for (int i = 0; i < METHODS; i++) {
    rig r = of_text("model B\n  parameter Real lift = 0;\n"
                    "  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true);\n"
                    "equation\n  der(h) = v;\n  der(v) = lift - 9.81;\n"
                    "  when h <= 0 then\n    reinit(v, -0.4*pre(v));\n  end when;\n"
                    "end B;\n",
                    methods[i]);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    check_near(value(r.sim, "h"), 0, 0);
    check_status(brink_sim_set(r.sim, "lift", 5), BRINK_OK); /* not enough */
    check_status(brink_sim_run(r.sim, 4), BRINK_END);
    check_near(value(r.sim, "h"), 0, 0);
    check_status(brink_sim_set(r.sim, "lift", 10.81), BRINK_OK);
    check_status(brink_sim_run(r.sim, 5), BRINK_END);
    check_near(value(r.sim, "h"), 0.5, 1e-9);
    check_near(value(r.sim, "v"), 1, 1e-9);
    rig_free(&r);
  }
}

static void a_parameter_is_seen_while_sliding(void **state)
{
  (void)state;
  for (int i = 0; i < METHODS; i++) {
    rig r = of_text("model R\n  parameter Real d = 0.5, k = 1.3;\n"
                    "  Real x(start = 0.7, fixed = true), u = -k*sign(x);\nequation\n"
                    "  der(x) = u + d;\nend R;\n",
                    methods[i]);
    check_status(brink_sim_run(r.sim, 2), BRINK_END);
    check_near(value(r.sim, "u"), -0.5, 1e-14);
    check_status(brink_sim_set(r.sim, "d", -1.1), BRINK_OK);
    check_near(value(r.sim, "u"), 1.1, 1e-14);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    check_near(value(r.sim, "x"), 0, 1e-15);
    check_near(value(r.sim, "u"), 1.1, 1e-14);
    check_status(brink_sim_set(r.sim, "k", 0.6), BRINK_OK); /* too weak */
    check_status(brink_sim_run(r.sim, 5), BRINK_END);
    check_near(value(r.sim, "x"), -1, 1e-9);
    rig_free(&r);
  }
}

/* x' = u - p sgn(x) in two modes of callbacks. */
static int relay(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y;
  f[0] = e->u[0] - (e->mode ? -e->p[0] : e->p[0]);
  return 0;
}

static int other_mode(brink_jump *j)
{
  j->mode = !j->mode_before;
  return 0;
}

static void what_callbacks_are_given_is_seen_while_sliding(void **state)
{
  const double p = 1.3, u = 0.5, start = 0.7;
  const brink_guard_def guard = {.name = "x", .state = 0};
  const brink_event_def down = {.name = "down", .dir = BRINK_DOWN, .jump = other_mode},
                        up = {.name = "up", .dir = BRINK_UP, .jump = other_mode};
  const brink_mode_def modes[] = {{.name = "above",
                                   .n = 1,
                                   .rhs = relay,
                                   .guards = &guard,
                                   .n_guards = 1,
                                   .events = &down,
                                   .n_events = 1},
                                  {.name = "below",
                                   .n = 1,
                                   .rhs = relay,
                                   .guards = &guard,
                                   .n_guards = 1,
                                   .events = &up,
                                   .n_events = 1}};
  const brink_model_def def = {.name = "relay",
                               .modes = modes,
                               .n_modes = 2,
                               .p = &p,
                               .n_p = 1,
                               .u = &u,
                               .n_u = 1};

  (void)state;
  for (int i = 0; i < METHODS; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[i];
    rig r = rig_new(&def, &opt, 0, 0, &start);
    rig_run_to(&r, 2);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, NULL), 1);
    check_status(brink_sim_set_u(r.sim, 0, -1.1), BRINK_OK); /* not enough */
    rig_run_to(&r, 3);
    check_near(brink_sim_state(r.sim)[0], 0, 1e-15);
    check_status(brink_sim_set_u(r.sim, 0, 2.3), BRINK_OK);
    rig_run_to(&r, 3.7);
    check_near(brink_sim_state(r.sim)[0], 0.7, 1e-9);
    check_status(brink_sim_set_u(r.sim, 0, -0.4), BRINK_OK);
    rig_run_to(&r, 5);
    check_near(brink_sim_state(r.sim)[0], 0, 1e-15);
    check_status(brink_sim_set_p(r.sim, 0, 0.15), BRINK_OK); /* too weak */
    rig_run_to(&r, 6);
    check_near(brink_sim_state(r.sim)[0], -0.25, 1e-9);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_held_runs_go_on_as_they_do),
      cmocka_unit_test(copies_of_later_runs_go_on_as_they_do),
      cmocka_unit_test(a_parameter_is_seen_at_rest),
      cmocka_unit_test(a_parameter_is_seen_while_sliding),
      cmocka_unit_test(what_callbacks_are_given_is_seen_while_sliding),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
