/* Events of equation models against closed forms. */
#include "flat.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;

/* h' = v, v' = -g, bounce with restitution e */
static void ball(fb *b, double h0, double e)
{
  int h = fb_real(b, "h", h0, 1), v = fb_real(b, "v", 0, 1);
  int g = fb_param(b, "g", fb_num(b, G));

  fb_eq(b, fb_val(b, v), fb_der(b, h), 5);
  fb_eq(b, fb_op(b, BRINK_OP_ADD, fb_der(b, v), fb_val(b, g)), fb_num(b, 0), 6);
  fb_when(b, fb_rel(b, BRINK_OP_LE, fb_val(b, h), fb_num(b, 0), "h <= 0", 7), "h <= 0",
          7);
  fb_reinit(b, v, fb_op(b, BRINK_OP_MUL, fb_num(b, -e), fb_val(b, v)), 8);
}

static void a_ball_bounces_when_it_should(void **state)
{
  (void)state;
  double h0 = 1.37, e = 0.87;
  fb b = fb_new(NULL, 64);
  ball(&b, h0, e);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 4), BRINK_END);

  double t = sqrt(2 * h0 / G), v = G * t;
  size_t n = 0;
  for (; t < 4; n++) {
    brink_event ev = rig_event(&r, n);
    check_rel(ev.t, t, 1e-13);
    assert_string_equal(ev.name, "h <= 0 (line 7)");
    assert_int_equal(ev.classes, BRINK_SE_S);
    assert_int_equal(ev.kind, BRINK_KIND_CROSSING);
    check_rel(ev.y_after[1], e * v, 1e-12);
    v *= e;
    t += 2 * v / G;
  }
  assert_int_equal(rig_events(&r), n);
  assert_true(n > 4);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_bounces_when_it_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
