/* Equations in any order and form: sorting, solving, loops, starts, refusals. */
#include "flat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ADD(x, y) fb_op(&b, BRINK_OP_ADD, x, y)
#define SUB(x, y) fb_op(&b, BRINK_OP_SUB, x, y)
#define MUL(x, y) fb_op(&b, BRINK_OP_MUL, x, y)
#define DIV(x, y) fb_op(&b, BRINK_OP_DIV, x, y)
#define NUM(x)    fb_num(&b, x)
#define VAL(x)    fb_val(&b, x)

static rig run(fb *b, double t_end)
{
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-11;
  opt.atol = 1e-13;
  rig r = fb_start(b, &opt, 0);
  brink_status rc = brink_sim_run(r.sim, t_end);
  if (rc < 0)
    print_error("%s\n", brink_sim_error(r.sim)->text);
  check_status(rc, BRINK_END);
  return r;
}

/* ------------------------------------------------------------- solving --- */

/* every form of a linear equation in one unknown, backwards */
static void equations_are_sorted_and_turned_around(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0.7, 1), p = fb_real(&b, "p", 0, -1);
  int q = fb_real(&b, "q", 0, -1), s = fb_real(&b, "s", 0, -1);
  int k = fb_param(&b, "k", NUM(1.3));
  fb_eq(&b, SUB(VAL(q), DIV(VAL(p), NUM(3))), MUL(VAL(s), NUM(2)), 5);       /* q */
  fb_eq(&b, fb_fn(&b, BRINK_OP_NEG, VAL(x)), MUL(VAL(k), fb_der(&b, x)), 6); /* x' */
  fb_eq(&b, NUM(7), ADD(MUL(NUM(2), VAL(p)), VAL(x)), 7);                    /* p */
  fb_eq(&b, DIV(NUM(5), VAL(s)), VAL(p), 8);                                 /* s */
  rig r = run(&b, 1.1);
  double ex = 0.7 * exp(-1.1 / 1.3), ep = (7 - ex) / 2, es = 5 / ep;
  check_rel(fb_value(&r, "x"), ex, 1e-10);
  check_rel(fb_value(&r, "p"), ep, 1e-10);
  check_rel(fb_value(&r, "s"), es, 1e-10);
  check_rel(fb_value(&r, "q"), ep / 3 + 2 * es, 1e-10);
  rig_free(&r);
}

/* p occurs on both sides, linearly */
static void an_unknown_on_both_sides_is_solved_for(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0.7, 1), p = fb_real(&b, "p", 0, -1);
  fb_eq(&b, fb_der(&b, x), VAL(p), 3);
  fb_eq(&b, MUL(VAL(p), NUM(3)), SUB(NUM(2), MUL(VAL(x), VAL(p))), 4);
  rig r = run(&b, 2);
  /* x' = 2/(3 + x): (3 + x)^2 = 3.7^2 + 4 t */
  check_rel(fb_value(&r, "x"), sqrt(3.7 * 3.7 + 8) - 3, 1e-10);
  rig_free(&r);
}

/* ---------------------------------------------------------------- loops -- */

/* two resistors and a source: u1 + u2 = sin t, u1 = R1 i, u2 = R2 i + i x */
static void a_linear_loop_is_solved(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0.5, 1), u1 = fb_real(&b, "u1", 0, -1);
  int u2 = fb_real(&b, "u2", 0, -1), i = fb_real(&b, "i", 0, -1);
  fb_eq(&b, fb_der(&b, x), VAL(i), 3);
  fb_eq(&b, ADD(VAL(u1), VAL(u2)), NUM(4.2), 4);
  fb_eq(&b, VAL(u1), MUL(NUM(2.5), VAL(i)), 5);
  fb_eq(&b, VAL(u2), MUL(ADD(NUM(1.5), VAL(x)), VAL(i)), 6);
  rig r = run(&b, 1.5);
  /* x' = 4.2/(4 + x) */
  double ex = sqrt(4.5 * 4.5 + 2 * 4.2 * 1.5) - 4, ei = 4.2 / (4 + ex);
  check_rel(fb_value(&r, "x"), ex, 1e-10);
  check_rel(fb_value(&r, "i"), ei, 1e-10);
  check_rel(fb_value(&r, "u2"), (1.5 + ex) * ei, 1e-10);
  rig_free(&r);
}

/* p + q = x, p q = 2 with p near 1: p = (x - sqrt(x^2 - 8))/2 */
static void a_nonlinear_loop_follows_its_branch(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 3, 1), p = fb_real(&b, "p", 0.8, -1);
  int q = fb_real(&b, "q", 2.5, -1);
  fb_eq(&b, fb_der(&b, x), NUM(1), 3);
  fb_eq(&b, ADD(VAL(p), VAL(q)), VAL(x), 4);
  fb_eq(&b, MUL(VAL(p), VAL(q)), NUM(2), 5);
  rig r = run(&b, 2);
  check_rel(fb_value(&r, "p"), (5 - sqrt(17)) / 2, 1e-13);
  check_rel(fb_value(&r, "q"), (5 + sqrt(17)) / 2, 1e-13);
  rig_free(&r);
}

/* Kepler: E - 0.6 sin E = t, one equation that needs an iteration */
static void a_scalar_equation_that_cannot_be_turned_is_iterated(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), e = fb_real(&b, "E", 0, -1);
  fb_eq(&b, fb_der(&b, x), SUB(NUM(1), MUL(NUM(0.6), fb_fn(&b, BRINK_OP_COS, VAL(e)))),
        3);
  fb_eq(&b, SUB(VAL(e), MUL(NUM(0.6), fb_fn(&b, BRINK_OP_SIN, VAL(e)))), fb_time(&b),
        4);
  rig r = run(&b, 2.2);
  double E = fb_value(&r, "E");
  check_near(E - 0.6 * sin(E), 2.2, 1e-15 * 8);
  /* int (1 - e cos E) dt = int (1 - e cos E)^2 dE */
  double want = E - 1.2 * sin(E) + 0.36 * (E / 2 + sin(2 * E) / 4);
  check_rel(fb_value(&r, "x"), want, 1e-9);
  rig_free(&r);
}

static void a_fold_of_a_loop_names_line_time_and_value(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 3, 1), p = fb_real(&b, "p", 0.8, -1);
  int q = fb_real(&b, "q", 2.5, -1);
  fb_eq(&b, fb_der(&b, x), MUL(NUM(-0.5), MUL(VAL(p), VAL(q))), 3);
  fb_eq(&b, ADD(VAL(p), VAL(q)), VAL(x), 14);
  fb_eq(&b, MUL(VAL(p), VAL(q)), NUM(2), 15);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 2), BRINK_FOLD);
  check_near(brink_sim_time(r.sim), 3 - sqrt(8), 1e-12);
  check_text(brink_sim_error(r.sim)->text, "(line 1");
  check_text(brink_sim_error(r.sim)->text, "has a fold at t = 0.17157");
  check_text(brink_sim_error(r.sim)->text, " = 1.41421");
  rig_free(&r);
}

/* ------------------------------------------------------------ refusals --- */

static void refused(fb *b, const char *part)
{
  brink_model *model = fb_compile(b);
  assert_null(model);
  check_text(b->said, part);
  check_status(brink_ctx_error(b->ctx)->status, BRINK_EMODEL);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
}

static void a_missing_equation_is_told_with_the_unknown(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), z = fb_real(&b, "z", 0, -1);
  int w = fb_real(&b, "w", 0, -1);
  (void)w;
  fb_eq(&b, fb_der(&b, x), VAL(z), 5);
  fb_eq(&b, VAL(z), VAL(x), 6);
  refused(&b, "3: 2 equations for 3 unknowns; no equation determines 'w' (line 3)");
}

static void an_equation_too_many_is_told_with_its_rivals(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), z = fb_real(&b, "z", 0, -1);
  fb_eq(&b, fb_der(&b, x), NUM(1), 5);
  fb_eq(&b, VAL(z), VAL(x), 6);
  fb_eq(&b, VAL(z), MUL(NUM(2), VAL(x)), 9);
  refused(&b,
          "3 equations for 2 unknowns; the equations at lines 6, 9 are too many for "
          "'z'");
}

static void too_few_and_too_many_at_once_are_both_told(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), z = fb_real(&b, "z", 0, -1);
  int w = fb_real(&b, "w", 0, -1);
  (void)w;
  fb_eq(&b, fb_der(&b, x), NUM(1), 5);
  fb_eq(&b, VAL(z), fb_time(&b), 6);
  fb_eq(&b, VAL(z), MUL(NUM(2), fb_time(&b)), 9);
  brink_model *model = fb_compile(&b);
  assert_null(model);
  check_text(b.said, "lines 6, 9 are too many for 'z'");
  check_text(b.said, "no equation determines 'w'");
  assert_int_equal(b.faults, 2);
  brink_ctx_free(b.ctx);
}

static void parameters_in_a_circle_are_named(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), p = fb_param(&b, "p", 0), q = fb_param(&b, "q", 0);
  b.f->vars[p].binding = ADD(VAL(q), NUM(1));
  b.f->vars[q].binding = MUL(VAL(p), NUM(2));
  fb_eq(&b, fb_der(&b, x), VAL(p), 5);
  refused(&b, "parameters are defined in a circle: ");
}

static void a_parameter_outside_its_domain_is_named(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), p = fb_param(&b, "p", NUM(-2));
  int q = fb_param(&b, "q", fb_fn(&b, BRINK_OP_SQRT, VAL(p)));
  fb_eq(&b, fb_der(&b, x), VAL(q), 5);
  refused(&b, "3: 'q' has no value: its 'sqrt' is outside its domain");
}

static void a_loop_of_booleans_without_pre_is_refused(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), p = fb_bool(&b, "p", 0), q = fb_bool(&b, "q", 0);
  fb_eq(&b, fb_der(&b, x), NUM(1), 4);
  fb_eq(&b, VAL(p), fb_fn(&b, BRINK_OP_NOT, VAL(q)), 5);
  fb_eq(&b, VAL(q), VAL(p), 6);
  refused(&b, "a loop of Booleans or Integers");
}

static void a_variable_of_two_whens_is_refused(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), NUM(1), 4);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, VAL(x), NUM(1), "x > 1", 5), "x > 1", 5);
  fb_assign(&b, n, fb_whole(&b, 1), 5);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, VAL(x), NUM(2), "x > 2", 6), "x > 2", 6);
  fb_assign(&b, n, fb_whole(&b, 2), 6);
  refused(&b, "6: 'n' is assigned here and in the when at line 5");
}

static void reinit_of_what_is_no_state_is_refused(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), z = fb_real(&b, "z", 0, -1);
  fb_eq(&b, fb_der(&b, x), NUM(1), 4);
  fb_eq(&b, VAL(z), VAL(x), 5);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, VAL(x), NUM(1), "x > 1", 6), "x > 1", 6);
  fb_reinit(&b, z, NUM(0), 7);
  refused(&b, "7: reinit needs a state: der(z) does not occur");
}

/* -------------------------------------------------------------- starts --- */

/* der(x) = 0 at the start of x' = 4 - x^2 - z, z = x/3 */
static void a_steady_start_is_found(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 0), z = fb_real(&b, "z", 0, -1);
  fb_eq(&b, fb_der(&b, x), SUB(SUB(NUM(4), MUL(VAL(x), VAL(x))), VAL(z)), 3);
  fb_eq(&b, VAL(z), DIV(VAL(x), NUM(3)), 4);
  fb_initial_eq(&b, fb_der(&b, x), NUM(0), 6);
  rig r = run(&b, 1);
  check_rel(fb_value(&r, "x"), (sqrt(1.0 / 9 + 16) - 1.0 / 3) / 2, 1e-12);
  rig_free(&r);
}

/* one condition for two free states: the nearest point of the circle */
static void an_underdetermined_start_is_the_nearest_one(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 3, 0), y = fb_real(&b, "y", 4, 0);
  fb_eq(&b, fb_der(&b, x), NUM(0), 3);
  fb_eq(&b, fb_der(&b, y), NUM(0), 4);
  fb_initial_eq(&b, ADD(MUL(VAL(x), VAL(x)), MUL(VAL(y), VAL(y))), NUM(1), 6);
  rig r = fb_start(&b, NULL, 0);
  double ex = fb_value(&r, "x"), ey = fb_value(&r, "y");
  check_near(ex * ex + ey * ey, 1, 1e-15);
  check_near(ex, 0.6, 1e-8);
  check_near(ey, 0.8, 1e-8);
  rig_free(&r);
}

static void initial_assignments_are_exact(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 3, -1),
      n = fb_var(&b, "n", BRINK_TYPE_INTEGER, BRINK__DISCRETE, 1, -1),
      p = fb_param(&b, "p", NUM(0.3));
  fb_eq(&b, fb_der(&b, x), NUM(1), 3);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, VAL(x), NUM(1), "x > 1", 4), "x > 1", 4);
  fb_assign(&b, n, ADD(fb_pre(&b, n), fb_whole(&b, 1)), 4);
  fb_initial_eq(&b, MUL(VAL(p), NUM(2)), VAL(x), 5);
  fb_initial_eq(&b, fb_pre(&b, n), fb_whole(&b, 40), 6);
  rig r = fb_start(&b, NULL, 0);
  check_near(fb_value(&r, "x"), 0.6, 0);
  check_near(fb_value(&r, "n"), 40, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(fb_value(&r, "n"), 41, 0);
  rig_free(&r);
}

static brink_err start_error(fb *b)
{
  brink_model *model = fb_compile(b);
  brink_sim *sim = NULL;
  assert_non_null(model);
  check_status(brink_sim_new(b->ctx, model, NULL, &sim), BRINK_OK);
  assert_true(brink_sim_start(sim, 0, 0, NULL) < 0);
  brink_err e = *brink_sim_error(sim);
  brink_sim_free(sim);
  brink_model_free(model);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
  return e;
}

static void an_overdetermined_start_names_what_is_missed(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 3, 1), y = fb_real(&b, "y", 4, 0);
  fb_eq(&b, fb_der(&b, x), NUM(0), 3);
  fb_eq(&b, fb_der(&b, y), NUM(0), 4);
  fb_initial_eq(&b, ADD(VAL(x), VAL(y)), NUM(1), 6);
  fb_initial_eq(&b, SUB(VAL(x), VAL(y)), NUM(11), 7);
  brink_err e = start_error(&b);
  check_status(e.status, BRINK_ESOLVE);
  check_text(e.text, "over-determined");
  check_text(e.text, "2 conditions (lines 6, 7) for 1 free value (y = -2)");
}

static void a_start_outside_the_domain_names_the_line(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", -3, 1);
  fb_eq(&b, fb_der(&b, x), fb_fn(&b, BRINK_OP_LOG, VAL(x)), 23);
  brink_err e = start_error(&b);
  check_status(e.status, BRINK_EDOMAIN);
  check_text(e.text, "log");
  check_text(e.text, "line 23");
}

/* ---------------------------------------------------------------- size --- */

/* z_0 = x, z_i = 0.5 z_(i-1) + 1 written backwards: 20,000 equations, one tape */
static void a_long_chain_is_sorted_quickly(void **state)
{
  (void)state;
  enum { N = 20000 };
  fb b = fb_new(NULL, N + 10);
  int x = fb_real(&b, "x", 1, 1), first = -1, last = -1;
  char name[32];
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "z%d", i);
    last = fb_real(&b, name, 0, -1);
    if (i == 0)
      first = last;
    b.f->vars[last].hidden = i > 0 && i < N - 1;
  }
  for (int i = N - 1; i > 0; i--)
    fb_eq(&b, MUL(NUM(0.5), VAL(first + i - 1)), SUB(VAL(first + i), NUM(1)), i);
  fb_eq(&b, VAL(first), VAL(x), N);
  fb_eq(&b, fb_der(&b, x), fb_fn(&b, BRINK_OP_NEG, VAL(last)), N + 1);
  double begin = brink__clock();
  rig r = fb_start(&b, NULL, 0);
  check_in(brink__clock() - begin, 0, 5);
  check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
  check_near(brink_sim_state(r.sim)[0], 1 - 2 * 0.5, 1e-9); /* z_n -> 2 */
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_are_sorted_and_turned_around),
      cmocka_unit_test(an_unknown_on_both_sides_is_solved_for),
      cmocka_unit_test(a_linear_loop_is_solved),
      cmocka_unit_test(a_nonlinear_loop_follows_its_branch),
      cmocka_unit_test(a_scalar_equation_that_cannot_be_turned_is_iterated),
      cmocka_unit_test(a_fold_of_a_loop_names_line_time_and_value),
      cmocka_unit_test(a_missing_equation_is_told_with_the_unknown),
      cmocka_unit_test(an_equation_too_many_is_told_with_its_rivals),
      cmocka_unit_test(too_few_and_too_many_at_once_are_both_told),
      cmocka_unit_test(parameters_in_a_circle_are_named),
      cmocka_unit_test(a_parameter_outside_its_domain_is_named),
      cmocka_unit_test(a_loop_of_booleans_without_pre_is_refused),
      cmocka_unit_test(a_variable_of_two_whens_is_refused),
      cmocka_unit_test(reinit_of_what_is_no_state_is_refused),
      cmocka_unit_test(a_steady_start_is_found),
      cmocka_unit_test(an_underdetermined_start_is_the_nearest_one),
      cmocka_unit_test(initial_assignments_are_exact),
      cmocka_unit_test(an_overdetermined_start_names_what_is_missed),
      cmocka_unit_test(a_start_outside_the_domain_names_the_line),
      cmocka_unit_test(a_long_chain_is_sorted_quickly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
