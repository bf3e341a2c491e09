/* The start of a model with homotopy(): which one is found, and what is left of it. */
#include "flat.h"

#include "dae/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ADD(x, y) fb_op(b, BRINK_OP_ADD, x, y)
#define SUB(x, y) fb_op(b, BRINK_OP_SUB, x, y)
#define MUL(x, y) fb_op(b, BRINK_OP_MUL, x, y)
#define NUM(x)    fb_num(b, x)
#define VAL(x)    fb_val(b, x)

static brink__node cube(fb *b, brink__node p) { return MUL(MUL(p, p), p); }

static brink_err fails(fb *b)
{
  brink_model *model = fb_compile(b);
  brink_sim *sim = NULL;
  brink_err err;

  assert_non_null(model);
  check_status(brink_sim_new(b->ctx, model, NULL, &sim), BRINK_OK);
  assert_true(brink_sim_start(sim, 0, 0, NULL) < 0);
  err = *brink_sim_error(sim);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(b->ctx);
  return err;
}

/* p^3 - 4.3 p = 0.37 x has three solutions; p + shift = 0.37 x leads to one of them */
static void chooser(fb *b, double shift)
{
  int x = fb_real(b, "x", 1.25, 1), p = fb_real(b, "p", 2, -1);

  fb_eq(b, fb_der(b, x), fb_fn(b, BRINK_OP_NEG, VAL(x)), 3);
  fb_eq(b,
        fb_homotopy(b, SUB(cube(b, VAL(p)), MUL(NUM(4.3), VAL(p))),
                    ADD(VAL(p), NUM(shift)), 4),
        MUL(NUM(0.37), VAL(x)), 4);
}

static void what_is_simplified_chooses_the_solution(void **state)
{
  (void)state;
  static const double shift[] = {2.7, -2.7};
  static const double want[] = {-2.0176146593817114, 2.1254645352315783}; /* mpmath */

  for (int i = 0; i < 2; i++) {
    fb b = fb_new(NULL, 16);
    chooser(&b, shift[i]);
    rig r = fb_start(&b, NULL, 0);
    check_near(fb_value(&r, "p"), want[i], 1e-14);
    assert_true(brink_sim_statistics(r.sim).homotopy_steps >= 2);
    check_status(brink_sim_start(r.sim, 0, 0, (double[]){1.25}), BRINK_OK);
    check_near(fb_value(&r, "p"), want[i], 1e-14); /* also where the states are given */
    rig_free(&r);
  }
}

/* A path that is followed by lambda ends at lambda = 0.675, where the curve
 * p^3 - 3 p + 5 = 10 lambda turns back. */
static void a_path_may_turn_back_on_its_way(void **state)
{
  (void)state;
  fb bb = fb_new(NULL, 16), *b = &bb;
  int x = fb_real(b, "x", 5, 1), p = fb_real(b, "p", -2, -1);
  brink__node s = SUB(cube(b, VAL(p)), MUL(NUM(3), VAL(p)));

  fb_eq(b, fb_der(b, x), NUM(0), 3);
  fb_eq(b, fb_homotopy(b, SUB(s, VAL(x)), ADD(s, NUM(5)), 4), NUM(0), 4);
  rig r = fb_start(b, NULL, 0);
  check_near(fb_value(&r, "p"), 2.2790187861665937, 1e-14); /* mpmath */
  rig_free(&r);
}

/* z_i^3 + z_i - z_{i-1} = i/7, in a ring of 30, from the linear one */
static void a_large_loop_is_followed_as_a_whole(void **state)
{
  (void)state;
  enum { N = 30 };
  fb bb = fb_new(NULL, 80), *b = &bb;
  int x = fb_real(b, "x", 1, 1), z[N];
  static char name[N][8];
  double v[N];

  fb_eq(b, fb_der(b, x), NUM(0), 1);
  for (int i = 0; i < N; i++) {
    snprintf(name[i], sizeof name[i], "z%d", i);
    z[i] = fb_real(b, name[i], 1e3, -1);
  }
  for (int i = 0; i < N; i++) {
    brink__node zi = VAL(z[i]), before = VAL(z[(i + N - 1) % N]);
    fb_eq(b, fb_homotopy(b, ADD(cube(b, zi), SUB(zi, before)), MUL(NUM(2), zi), 3 + i),
          MUL(NUM((i + 1) / 7.0), VAL(x)), 3 + i);
  }
  rig r = fb_start(b, NULL, 0);
  for (int i = 0; i < N; i++)
    v[i] = fb_value(&r, name[i]);
  for (int i = 0; i < N; i++)
    check_near(v[i] * v[i] * v[i] + v[i] - v[(i + N - 1) % N], (i + 1) / 7.0, 1e-14);
  rig_free(&r);
}

/* x = homotopy(2.6, 0.5) at the start moves z along z + atan(40 (z - 2)) = 2 x */
static void an_initial_equation_leads_the_way(void **state)
{
  (void)state;
  fb bb = fb_new(NULL, 16), *b = &bb;
  int x = fb_real(b, "x", 1, 0), z = fb_real(b, "z", 0, -1);

  fb_eq(b, fb_der(b, x), fb_fn(b, BRINK_OP_NEG, VAL(z)), 3);
  fb_eq(b, ADD(VAL(z), fb_fn(b, BRINK_OP_ATAN, MUL(NUM(40), SUB(VAL(z), NUM(2))))),
        MUL(NUM(2), VAL(x)), 4);
  fb_initial_eq(b, VAL(x), fb_homotopy(b, NUM(2.6), NUM(0.5), 5), 5);
  rig r = fb_start(b, NULL, 0);
  check_near(fb_value(&r, "x"), 2.6, 0);
  check_near(fb_value(&r, "z"), 3.6444055642117746, 1e-14); /* mpmath */
  assert_true(brink_sim_statistics(r.sim).homotopy_steps > 0);
  rig_free(&r);
}

static const dae_program *flow_of(const rig *r) { return &dae_of(r->model)->flow; }

/* The same equations with and without: the same tapes, the same run to the last bit. */
static void nothing_of_it_is_left_in_the_run(void **state)
{
  (void)state;
  rig r[2];

  for (int i = 0; i < 2; i++) {
    fb bb = fb_new(NULL, 16), *b = &bb;
    int x = fb_real(b, "x", 1.25, 1), p = fb_real(b, "p", 2.1, -1);
    int q = fb_real(b, "q", 0, -1);
    brink__node actual = SUB(cube(b, VAL(p)), MUL(NUM(4.3), VAL(p)));
    brink__node sine = fb_fn(b, BRINK_OP_SIN, VAL(p));
    fb_eq(b, fb_der(b, x), VAL(q), 3);
    fb_eq(b, i ? fb_homotopy(b, actual, SUB(VAL(p), NUM(3)), 4) : actual,
          MUL(NUM(0.37), VAL(x)), 4);
    fb_eq(b, VAL(q), i ? fb_homotopy(b, sine, VAL(x), 5) : sine, 5);
    r[i] = fb_start(b, NULL, 0);
    check_status(brink_sim_run(r[i].sim, 1.7), BRINK_END);
  }
  const dae_program *plain = flow_of(&r[0]), *with = flow_of(&r[1]);
  assert_int_equal(plain->n_steps, with->n_steps);
  for (size_t k = 0; k < plain->n_steps; k++) {
    const dae_loop *a = plain->steps[k].loop, *b = with->steps[k].loop;
    assert_int_equal(a == NULL, b == NULL);
    assert_int_equal(brink__tape_length(a ? a->residual : plain->steps[k].tape),
                     brink__tape_length(b ? b->residual : with->steps[k].tape));
  }
  brink_sim_stats a = brink_sim_statistics(r[0].sim),
                  c = brink_sim_statistics(r[1].sim);
  assert_int_equal(a.work.f_evals, c.work.f_evals);
  assert_int_equal(a.homotopy_steps, 0);
  assert_true(c.homotopy_steps > 0);
  check_near(fb_value(&r[1], "x"), fb_value(&r[0], "x"), 0);
  check_near(fb_value(&r[1], "p"), fb_value(&r[0], "p"), 0);
  rig_free(&r[0]);
  rig_free(&r[1]);
}

/* Where nothing has to be searched for, nothing is followed. */
static void an_explicit_equation_needs_no_path(void **state)
{
  (void)state;
  fb bb = fb_new(NULL, 16), *b = &bb;
  int x = fb_real(b, "x", 0.7, 1), p = fb_real(b, "p", 0, -1);

  fb_eq(b, fb_der(b, x), VAL(p), 3);
  fb_eq(b, VAL(p), fb_homotopy(b, fb_fn(b, BRINK_OP_SIN, VAL(x)), NUM(5), 4), 4);
  rig r = fb_start(b, NULL, 0);
  check_near(fb_value(&r, "p"), sin(0.7), 0);
  assert_int_equal(brink_sim_statistics(r.sim).homotopy_steps, 0);
  rig_free(&r);
}

static void a_path_that_ends_tells_where_and_in_which_equation(void **state)
{
  (void)state;
  fb bb = fb_new(NULL, 16), *b = &bb;
  int x = fb_real(b, "x", 1, 1), p = fb_real(b, "p", 1, -1);

  fb_eq(b, fb_der(b, x), NUM(0), 3);
  fb_eq(b, fb_homotopy(b, ADD(MUL(VAL(p), VAL(p)), VAL(x)), VAL(p), 4), NUM(0.25), 4);
  brink_err err = fails(b);
  check_status(err.status, BRINK_ESOLVE);
  assert_int_equal(err.line, 4);
  assert_non_null(strstr(err.text, "homotopy (line 4) turns back for good at lambda = "
                                   "0.430"));
  assert_non_null(strstr(err.text, "no solution of p*p + x = 0.25 (line 4) near p = "));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_simplified_chooses_the_solution),
      cmocka_unit_test(a_path_may_turn_back_on_its_way),
      cmocka_unit_test(a_large_loop_is_followed_as_a_whole),
      cmocka_unit_test(an_initial_equation_leads_the_way),
      cmocka_unit_test(nothing_of_it_is_left_in_the_run),
      cmocka_unit_test(an_explicit_equation_needs_no_path),
      cmocka_unit_test(a_path_that_ends_tells_where_and_in_which_equation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
