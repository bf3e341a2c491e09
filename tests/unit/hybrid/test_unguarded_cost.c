/* test_unguarded_cost.c -- hidden switches cost at most twice what a run with guards
 * costs that is at least as accurate.
 *
 * At one tolerance the run with guards is the one or the other: more accurate, or with
 * fewer steps.  So a hidden run is held against the cheapest of the runs with guards,
 * at tolerances 1e-3, 3e-4, ... 1e-12, whose error at the end is not above its own.
 */
#include "hybrid.h"

#include <math.h>

#include "switches.h"

/* Tolerances 1e-3, 3e-4, 1e-4, ... 1e-12. */
enum { RUNS = 19 };

static double tolerance(int i) { return (i % 2 ? 3 : 10) * pow(10, -4 - i / 2); }

/* Evaluations with guards and the error that is left, for each tolerance. */
typedef struct course {
  long f[RUNS];
  double error[RUNS];
} course;

static course with_guards(const switched *p, const switched_run *want,
                          const char *method)
{
  course c;

  for (int i = 0; i < RUNS; i++) {
    switched_run r = switches_run(p, 1, method, tolerance(i));
    c.f[i] = r.f;
    c.error[i] = switches_off(p, &r, want);
  }
  return c;
}

/* The fewest evaluations that leave no more than this; 0: none does. */
static long cheapest(const course *c, double error)
{
  long least = 0;

  for (int i = 0; i < RUNS; i++)
    if (c->error[i] <= error && (least == 0 || c->f[i] < least))
      least = c->f[i];
  return least;
}

typedef struct allowance {
  double tol, most; /* of evaluations over those with guards ...   */
  int dearer;       /* ... and for how many it is more than twice  */
} allowance;

enum { TOLS = 8 };

/* Where no run with guards is as accurate there is nothing to hold it against. */
static void check_costs(const char *method, const allowance may[TOLS])
{
  double most[TOLS] = {0};
  int dearer[TOLS] = {0};
  const switched *p;

  for (int i = 0; (p = switches_at(i)); i++) {
    if (p->class != ORDINARY)
      continue;
    switched_run want = switches_true(p);
    course c = with_guards(p, &want, method);
    for (int k = 0; k < TOLS; k++) {
      switched_run r = switches_run(p, 0, method, may[k].tol);
      double error = switches_off(p, &r, &want);
      long least = cheapest(&c, error);
      double over = least ? (double)r.f / (double)least : 0;
      print_message("%-7s %.0e  %-16s hidden: error %.1e, %5ld f;  guards: %5ld f"
                    " (%.2f)\n",
                    method, may[k].tol, p->name, error, r.f, least, over);
      most[k] = fmax(most[k], over);
      dearer[k] += over > 2;
    }
  }
  for (int k = 0; k < TOLS; k++) {
    print_message("%-7s %.0e  f: %.2f, %d above 2\n", method, may[k].tol, most[k],
                  dearer[k]);
    check_in(most[k], 0, may[k].most);
    check_in(dearer[k], 0, may[k].dearer);
  }
}

static void dopri5_costs_at_most_twice_as_much(void **state)
{
  static const allowance may[TOLS] = {
      {1e-5, 2.00, 0}, {1e-6, 1.66, 0},  {1e-7, 1.65, 0},  {1e-8, 1.34, 0},
      {1e-9, 1.38, 0}, {1e-10, 1.64, 0}, {1e-11, 2.41, 1}, {1e-12, 1.30, 0},
  };

  (void)state;
  check_costs("dopri5", may);
}

static void dop853_costs_at_most_twice_as_much(void **state)
{
  static const allowance may[TOLS] = {
      {1e-5, 2.00, 0}, {1e-6, 2.07, 1},  {1e-7, 2.35, 1},  {1e-8, 1.51, 0},
      {1e-9, 1.75, 0}, {1e-10, 2.00, 0}, {1e-11, 1.80, 0}, {1e-12, 1.95, 0},
  };

  (void)state;
  check_costs("dop853", may);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dopri5_costs_at_most_twice_as_much),
      cmocka_unit_test(dop853_costs_at_most_twice_as_much),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
