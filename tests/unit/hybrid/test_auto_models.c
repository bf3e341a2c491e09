/* What models may have beside their laws, with `auto` while it changes its method:
 * delay, homotopy, runs backward, modes of other dimensions, constraints, guards of
 * side "before", many restarts, contacts, sliding, reflection; locators, copies,
 * memory.
 *
 * Each model has a part that is stiff, if not all the time.  Events and ends are those
 * of radau at a ten thousandth of the tolerance. */
#include "hybrid.h"

#include <math.h>
#include <string.h>

#include "brink/load.h"
#include "event/locator.h"
#include "check.h"

typedef struct example {
  const char *name, *text;
  double from, to;
} example;

#define FAST "Real f(start = 0.7, fixed = true);"

static const example examples[] = {
    {"delay",
     "model M " FAST " Real y(start = 1, fixed = true); equation\n"
     "  der(f) = -2e5*(f - cos(3*time));\n"
     "  der(y) = f - 2*delay(y, 0.31); end M;",
     0, 4},
    {"homotopy",
     "model M " FAST " Real z; parameter Real a(fixed = false); initial equation\n"
     "  homotopy(a^3 + a*exp(a) - 2.7, a - 1) = 0; equation\n"
     "  z + 0.2*sin(z) = a*time; der(f) = -3e4*(f - sin(z)); end M;",
     0, 4},
    {"backward",
     "model M " FAST " Real y(start = 1, fixed = true); equation\n"
     "  der(f) = 4e4*(f - cos(time)); der(y) = -f*y; end M;",
     3, 0},
    {"modes",
     "model M\n"
     "  model Two " FAST " Real y(start = 1, fixed = true); equation\n"
     "    der(f) = -5e4*(f - 2*y); der(y) = 1 - f; end Two;\n"
     "  model One Real y(start = 0.5, fixed = true); equation\n"
     "    der(y) = 0.9 - 0.3*y; end One;\n"
     "  Two a; One b; equation initialState(a);\n"
     "  transition(a, b, a.y < 0.6, reset = true);\n"
     "  transition(b, a, b.y > 1.7, reset = true); end M;",
     0, 9},
    {"index 3",
     "model M " FAST " Real x(start = 0.8, fixed = true), y(start = -0.6), vx, vy, F;\n"
     "initial equation vx = 0; equation der(x) = vx; der(y) = vy;\n"
     "  der(vx) = -F*x + f; der(vy) = -F*y - 9.81; x^2 + y^2 = 1;\n"
     "  der(f) = -1e5*(f + 0.5*vx); end M;",
     0, 3},
    {"before",
     "model M " FAST " Real y(start = 1, fixed = true); equation\n"
     "  der(f) = -1e5*(f - y); der(y) = -sqrt(f);\n"
     "  when y <= 0.04 then terminate(\"low\"); end when\n"
     "    annotation(__brink(side = \"before\")); end M;",
     0, 3},
    {"samples",
     "model M " FAST " discrete Real u(start = 0, fixed = true);\n"
     "  Real y(start = 0, fixed = true); equation\n"
     "  der(f) = -1e5*(f - u); der(y) = f - 0.3*y;\n"
     "  when sample(0, 0.011) then u = 1 - 1.5*y; end when; end M;",
     0, 3},
    {"contact",
     "model M " FAST " Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
     "equation der(f) = -1e5*(f - v); der(h) = v; der(v) = -9.81 - 0.1*f;\n"
     "  when h <= 0 then reinit(v, -0.5*pre(v)); end when; end M;",
     0, 4},
    {"sliding",
     "model M " FAST " Real x(start = 0.5, fixed = true); equation\n"
     "  der(f) = -1e5*(f - sin(2*time)); der(x) = 0.6*f - sign(x); end M;",
     0, 4},
    {"reflection",
     "model M " FAST " Real x(start = 0.3, fixed = true, min = 0)\n"
     "    annotation(__brink(reflect = {0, 1})); equation\n"
     "  der(f) = -1e5*(f - sin(2*time)); der(x) = f - 0.1; end M;",
     0, 6},
};

enum { EXAMPLES = sizeof examples / sizeof *examples, MOST = 400 };

typedef struct outcome {
  brink_status rc;
  size_t n_events, n;
  double t[MOST], y[8], end;
  long steps, switches;
} outcome;

static rig open_example(const example *e, const char *method, const char *locator,
                        double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();
  rig r = {0};

  opt.method = method;
  opt.locator = locator;
  opt.rtol = rtol;
  opt.max_steps = 200000;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "m.mo", e->text, strlen(e->text), NULL, &r.model) < 0)
    fail_msg("%s: %s", e->name, brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  brink_status rc = brink_sim_start(r.sim, e->from, 0, NULL);
  if (rc < 0)
    fail_msg("%s: %s", e->name, brink_sim_error(r.sim)->text);
  return r;
}

static outcome outcome_of(const example *e, rig *r, brink_status rc)
{
  outcome o = {.rc = rc, .end = brink_sim_time(r->sim)};
  brink_sim_stats s = brink_sim_statistics(r->sim);

  if (rc < 0)
    print_error("%s: %s\n", e->name, brink_sim_error(r->sim)->text);
  for (size_t k = 0; k < rig_events(r) && o.n_events < MOST; k++)
    if (rig_event(r, k).kind != BRINK_KIND_START) /* one more look at a guard on zero */
      o.t[o.n_events++] = rig_event(r, k).t;
  o.n = brink_sim_n(r->sim);
  assert_true(o.n <= 8);
  memcpy(o.y, brink_sim_state(r->sim), o.n * sizeof *o.y);
  o.steps = s.work.steps;
  o.switches = s.method_switches;
  return o;
}

static outcome run(const example *e, const char *method, const char *locator,
                   double rtol)
{
  rig r = open_example(e, method, locator, rtol);
  outcome o = outcome_of(e, &r, brink_sim_run(r.sim, e->to));

  rig_free(&r);
  return o;
}

static int is_near(double a, double b) { return fabs(a - b) <= 3e-5 * (1 + fabs(b)); }

/* Zeno points are found after more or fewer bounces. */
static int same(const example *e, const outcome *o, const outcome *exact)
{
  int bounces = strcmp(e->name, "contact") == 0;
  int ok = o->rc == exact->rc && is_near(o->end, exact->end) && o->n == exact->n &&
           (bounces || o->n_events == exact->n_events);

  for (size_t k = 0; ok && k < exact->n_events && !bounces; k++)
    ok = is_near(o->t[k], exact->t[k]);
  for (size_t i = 0; ok && i < o->n; i++)
    ok = is_near(o->y[i], exact->y[i]);
  return ok;
}

static void report(const example *e, const outcome *o, const outcome *exact)
{
  print_error("%s: status %d, %zu events of %zu, ends at %.9g, not %.9g\n", e->name,
              (int)o->rc, o->n_events, exact->n_events, o->end, exact->end);
  for (size_t i = 0; i < o->n; i++)
    print_error("  y[%zu] = %.9g, not %.9g\n", i, o->y[i], exact->y[i]);
}

static void events_and_ends_are_right(void **state)
{
  int failed = 0;

  (void)state;
  for (int k = 0; k < EXAMPLES; k++) {
    const example *e = &examples[k];
    outcome exact = run(e, "radau", "isolate", 1e-10);
    outcome o = run(e, "auto", "isolate", 1e-6);
    print_message("%-10s %3zu events, %5ld steps, %ld methods\n", e->name, o.n_events,
                  o.steps, o.switches);
    if (!same(e, &o, &exact)) {
      report(e, &o, &exact);
      failed++;
    }
    assert_true(o.switches >= 2); /* it was stiff */
    assert_true(o.steps < 3000);
  }
  assert_int_equal(failed, 0);
}

/* ------------------------------------------------------------- locators --- */

static void every_locator_finds_the_events(void **state)
{
  static const example relay = {
      "relay",
      "model M " FAST " Real y(start = 0, fixed = true);\n"
      "  Boolean on(start = true, fixed = true); equation\n"
      "  der(f) = -1e6*(f - y - (if on then 0.5 else -0.5));\n"
      "  der(y) = (if on then 0.7 else -0.7) - 0.1*y;\n"
      "  when f > 1 then on = false; elsewhen f < -1 then on = true; end when;\n"
      "end M;",
      0, 7};
  outcome exact = run(&relay, "radau", "isolate", 1e-10);

  (void)state;
  assert_int_equal(exact.n_events, 5);
  for (int i = 0; brink_locator_name(i); i++) {
    const char *locator = brink_locator_name(i);
    if (brink__locator_find(locator)->rough)
      continue; /* one guess, which may be wrong by a step */
    outcome o = run(&relay, "auto", locator, 1e-6);
    print_message("%s\n", locator);
    if (!same(&relay, &o, &exact))
      report(&relay, &o, &exact);
    assert_true(same(&relay, &o, &exact));
    assert_true(o.switches >= 2);
  }
}

/* --------------------------------------------------------------- copies --- */

/* Stiff from t = 2 to t = 6. */
static const example to_and_fro = {
    "to and fro",
    "model M Real x(start = 0.9, fixed = true);\n"
    "  discrete Real k(start = 0.1, fixed = true); equation\n"
    "  der(x) = k*(cos(40*time) - x);\n"
    "  when {time > 2, time > 6} then k = if time < 4 then 1e5 else 0.1; end when;\n"
    "end M;",
    0, 12};

static void copies_on_either_side_of_a_change_agree(void **state)
{
  static const double at[] = {1, 2.0005, 4, 6.01, 10};
  outcome whole = run(&to_and_fro, "auto", "isolate", 1e-6);

  (void)state;
  assert_int_equal(whole.switches, 3);
  for (int k = 0; k < 5; k++) {
    rig r = open_example(&to_and_fro, "auto", "isolate", 1e-6);
    brink_sim *clone;
    brink_snapshot *saved;
    check_status(brink_sim_run(r.sim, at[k]), BRINK_END);
    check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
    check_status(brink_sim_save(r.sim, &saved), BRINK_OK);
    check_status(brink_sim_run(clone, 12), BRINK_END);
    check_status(brink_sim_run(r.sim, 12), BRINK_END);
    double x = brink_sim_state(r.sim)[0];
    check_near(x, whole.y[0], 1e-6);
    check_near(brink_sim_state(clone)[0], x, 0);
    check_status(brink_sim_restore(r.sim, saved), BRINK_OK);
    check_near(brink_sim_time(r.sim), at[k], 0);
    check_status(brink_sim_run(r.sim, 12), BRINK_END);
    check_near(brink_sim_state(r.sim)[0], x, 0);
    brink_snapshot_free(saved);
    brink_sim_free(clone);
    rig_free(&r);
  }
}

/* --------------------------------------------------------------- memory --- */

/* The stiff method takes memory where it is first wanted, and none in a second run. */
static void a_second_run_takes_no_memory(void **state)
{
  flaky f = {0};
  brink_alloc alloc = flaky_alloc(&f);
  brink_sim_opts opt = brink_sim_defaults();
  rig r = {0};
  long calls[2];

  (void)state;
  opt.keep = BRINK_KEEP_NOTHING;
  check_status(brink_ctx_new(&alloc, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "m.mo", to_and_fro.text, strlen(to_and_fro.text),
                                NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  for (int k = 0; k < 2; k++) {
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    long before = f.calls;
    check_status(brink_sim_run(r.sim, 12), BRINK_END);
    calls[k] = f.calls - before;
    assert_int_equal(brink_sim_statistics(r.sim).method_switches, 3);
  }
  print_message("%ld calls, then %ld\n", calls[0], calls[1]);
  assert_int_equal(calls[1], 0);
  rig_free(&r);
  assert_int_equal(f.live, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_and_ends_are_right),
      cmocka_unit_test(every_locator_finds_the_events),
      cmocka_unit_test(copies_on_either_side_of_a_change_agree),
      cmocka_unit_test(a_second_run_takes_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
