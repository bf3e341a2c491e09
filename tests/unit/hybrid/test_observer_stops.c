/* An observer may end a run at any of its calls: the run stands where that call has
 * told, nothing more is told, and the sentence says who ended it. */
#include "hybrid.h"

#include <math.h>
#include <string.h>

typedef struct watcher {
  long calls, stop_at; /* 0: never */
  double t;            /* of the last call */
  brink_sim *sim;
} watcher;

static int told(watcher *w, double t)
{
  assert_true(w->stop_at == 0 || w->calls < w->stop_at);
  w->t = t;
  return ++w->calls == w->stop_at;
}

static int on_step(const brink_step *step, double begin, double end, int mode,
                   void *user)
{
  (void)begin;
  (void)mode;
  return told(user, end == 1 ? step->t1 : step->t0 + end * step->h);
}

static int on_event(const brink_event *event, void *user)
{
  return told(user, event->t);
}

/* One run; the number of calls.  all: crossings without effect are told as well. */
static long run(const char *text, double t_end, int all, brink_zeno_policy zeno,
                long stop_at)
{
  brink_sim_opts opt = brink_sim_defaults();
  watcher w = {.stop_at = stop_at};
  double v[32];

  opt.all_relations = all;
  opt.zeno = zeno;
  rig r = rig_text(text, &opt, 0.37);
  w.sim = r.sim;
  brink_sim_observe(r.sim, &(brink_observer){on_step, on_event, &w});
  brink_status rc = brink_sim_run(r.sim, t_end);
  if (stop_at > 0 && w.calls == stop_at) {
    check_status(rc, BRINK_STOPPED);
    check_near(brink_sim_time(r.sim), w.t, 4e-16 * fabs(w.t));
    check_text(brink_sim_error(r.sim)->text, "observer");
    check_status(brink_sim_run(r.sim, t_end), BRINK_STOPPED);
    check_status(brink_sim_values(r.sim, v), BRINK_OK);
  } else {
    assert_true(rc == BRINK_END || rc == BRINK_ZENO);
  }
  rig_free(&r);
  return w.calls;
}

/* At each of the first calls, and then at fewer and fewer. */
static void at_every_call(const char *text, double t_end, int all,
                          brink_zeno_policy zeno)
{
  long n = run(text, t_end, all, zeno, 0);

  assert_true(n > 3);
  for (long k = 1; k <= n; k += 1 + k / 40)
    run(text, t_end, all, zeno, k);
  for (long k = n; k > 0 && k > n - 12; k--)
    run(text, t_end, all, zeno, k);
}

static const char ball[] = "model ball\n"
                           "  Real x(start = 1.13), v;\n"
                           "equation\n"
                           "  der(x) = v; der(v) = -9.81;\n"
                           "  when x <= 0 then reinit(v, -0.6*pre(v)); end when;\n"
                           "end ball;\n";

static void of_a_ball_that_comes_to_rest(void **state)
{
  (void)state;
  at_every_call(ball, 4.1, 0, BRINK_ZENO_CONTINUE);
  at_every_call(ball, 4.1, 0, BRINK_ZENO_STOP);
}

static void of_a_relay_with_a_clock_and_touches(void **state)
{
  (void)state;
  at_every_call("model relay\n"
                "  Real x(start = 0.7), s; discrete Real n(start = 0, fixed = true);\n"
                "  Boolean high = s >= 1;\n"
                "equation\n"
                "  der(x) = -sign(x) + 1.3*sin(2.1*time); s = sin(3.7*time);\n"
                "  when sample(0.41, 0.13) then n = pre(n) + 1; end when;\n"
                "end relay;\n",
                2.9, 1, BRINK_ZENO_CONTINUE);
}

/* No law keeps both levels: the run ends with a verdict on both guards. */
static void of_two_tanks_with_one_hose(void **state)
{
  static const char tanks[] = "model tanks\n"
                              "  Real x(start = 1.3), y(start = 1.1); Boolean "
                              "left(start = true, fixed = true);\n"
                              "equation\n"
                              "  der(x) = (if left then 1.5 else 0) - 1;\n"
                              "  der(y) = (if left then 0 else 1.5) - 1;\n"
                              "  when {x <= 0, y <= 0} then left = x <= 0; end when;\n"
                              "end tanks;\n";

  (void)state;
  at_every_call(tanks, 9.3, 0, BRINK_ZENO_CONTINUE);
  at_every_call(tanks, 9.3, 0, BRINK_ZENO_AVERAGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_a_ball_that_comes_to_rest),
      cmocka_unit_test(of_a_relay_with_a_clock_and_touches),
      cmocka_unit_test(of_two_tanks_with_one_hose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
