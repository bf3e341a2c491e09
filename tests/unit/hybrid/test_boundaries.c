/* test_boundaries.c -- IVP(f, H, K) at its edges: bounds that move and meet, corners,
 * starts on the boundary, time that passes, what is held and let go.  All answers in
 * closed form.
 */
#include "hybrid.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* ---- laws ---- */

static int falls(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = -1;
  return 0;
}

static int rises(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  return 0;
}

static int rests(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 0;
  return 0;
}

static int slows(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = -t;
  return 0;
}

static int arch(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1 - 2 * t;
  return 0;
}

static int both_rise(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  f[1] = 1;
  return 0;
}

static int parts(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  f[1] = -1;
  return 0;
}

static int swings(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = cos(t);
  return 0;
}

static int swings_and_rises(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = cos(t);
  f[1] = 1;
  return 0;
}

static int two_swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = cos(t);
  f[1] = sin(t);
  return 0;
}

static int moves(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = y[1];
  f[1] = 0;
  return 0;
}

static int falls_towards(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = -1;
  f[1] = 0.5;
  return 0;
}

/* what lies on the floor does not fall */

static int ball(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = y[1];
  f[1] = brink_constrained_held(e)[0] ? 0 : -9.81;
  return 0;
}

static int free_ball(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

/* ---- bounds and maps ---- */

static void floor_rises(double t, const double *x, size_t i, double *lower,
                        double *upper, const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *lower = 0.3 * t;
}

static void floor_climbs(double t, const double *x, size_t i, double *lower,
                         double *upper, const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *lower = t;
}

static void wedge(double t, const double *x, size_t i, double *lower, double *upper,
                  const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *lower = t - 1;
  *upper = 1 - t;
}

static void waist(double t, const double *x, size_t i, double *lower, double *upper,
                  const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *upper = (t - 1) * (t - 1);
  *lower = -*upper;
}

static void hill(double t, const double *x, size_t i, double *lower, double *upper,
                 const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *lower = 1 - (t - 1) * (t - 1);
}

static void high_hill(double t, const double *x, size_t i, double *lower, double *upper,
                      const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *lower = 1 + 1e-6 - (t - 1) * (t - 1);
}

static void second_state(double t, const double *x, size_t i, double *lower,
                         double *upper, const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  if (i == 0)
    *lower = x[1];
}

static void gap_closes(double t, const double *x, size_t i, double *lower,
                       double *upper, const brink_env *e)
{
  (void)t, (void)x, (void)i, (void)lower, (void)upper, (void)e;
  *lower = 0.5 * t;
  *upper = 2 - 0.5 * t;
}

static int half_up(brink_boundary *b)
{
  b->x[0] += 0.5;
  return 0;
}

static int one_up(brink_boundary *b)
{
  b->x[0] += 1;
  return 0;
}

static int leave_it(brink_boundary *b)
{
  (void)b;
  return 0;
}

static int to_zero(brink_boundary *b)
{
  b->x[0] = 0;
  return 0;
}

static int quarter_later(brink_boundary *b)
{
  b->x[0] = 0;
  b->t_after = b->t + 0.25;
  return 0;
}

static int each_its_own(brink_boundary *b)
{
  if (b->at[0])
    b->x[0] = 0;
  if (b->at[1])
    b->x[1] = 0.5;
  return 0;
}

static int stay(brink_boundary *b)
{
  for (int i = 0; i < 2; i++)
    b->stay[i] = b->at[i] != 0;
  return 0;
}

static int stay_there(brink_boundary *b)
{
  b->stay[0] = 1;
  return 0;
}

static int land(brink_boundary *b)
{
  b->x[1] = 0;
  b->stay[0] = 1;
  return 0;
}

static int stop_there(brink_boundary *b)
{
  b->x[1] = 0;
  return 0;
}

static int reflect(brink_boundary *b)
{
  b->x[1] = -b->x[1];
  return 0;
}

static int onto_the_other(brink_boundary *b)
{
  b->x[0] = 0;
  b->x[1] = 0;
  return 0;
}

static int near_the_other(brink_boundary *b)
{
  b->x[0] = b->at[0] < 0 ? b->upper[0] - 0.1 : b->lower[0] + 0.1;
  return 0;
}

static int ten_later(brink_boundary *b)
{
  b->x[0] = 0.5;
  b->t_after = b->t + 10;
  return 0;
}

static int two_later(brink_boundary *b)
{
  b->x[0] = 2;
  b->t_after = b->t + 2;
  return 0;
}

static int two_later_below(brink_boundary *b)
{
  b->x[0] = 0.5;
  b->t_after = b->t + 2;
  return 0;
}

static int first_stays(brink_boundary *b)
{
  b->stay[0] = b->at[0] != 0;
  if (b->at[1])
    b->x[1] = 0;
  return 0;
}

static int second_moves_first(brink_boundary *b)
{
  b->stay[0] = b->at[0] != 0;
  if (b->at[1]) {
    b->x[0] = 0;
    b->x[1] = -1.5;
  }
  return 0;
}

static int kick(brink_jump *j)
{
  j->y[1] = 2;
  return 0;
}

static int tick(brink_jump *j)
{
  j->w[0] += 1;
  return 0;
}

static int put_inside(brink_jump *j)
{
  j->y[0] = 0.2;
  return 0;
}

static int put_outside(brink_jump *j)
{
  j->y[0] = 3;
  return 0;
}

static int put_on(brink_jump *j)
{
  j->y[0] = 1;
  return 0;
}

static void constrained(const rig_want *w, const brink_constrained_def *def)
{
  brink_ctx *ctx;
  brink_model *model;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_constrained_new(ctx, def, &model), BRINK_OK);
  rig_compare(w, ctx, model);
}

static const double none = (double)INFINITY;

static void bounds_that_move(void **state)
{
  (void)state;
  constrained(&(rig_want){"a floor that rises",
                          {1},
                          2,
                          BRINK_END,
                          4,
                          {1 / 1.3, 1.5 / 1.3, 2 / 1.3, 2.5 / 1.3},
                          1,
                          {1},
                          0,
                          NULL},
              &(brink_constrained_def){
                  .n = 1, .rhs = falls, .bounds = floor_rises, .boundary = half_up});
  constrained(&(rig_want){"what rests is caught",
                          {0.5},
                          2,
                          BRINK_END,
                          2,
                          {0.5, 1.5},
                          1,
                          {2.5},
                          0,
                          NULL},
              &(brink_constrained_def){
                  .n = 1, .rhs = rests, .bounds = floor_climbs, .boundary = one_up});
  constrained(
      &(rig_want){"a bound that is a state",
                  {1, 0},
                  1.5,
                  BRINK_END,
                  3,
                  {2 / 3., 1, 4 / 3.},
                  2,
                  {1, 0.75},
                  0,
                  NULL},
      &(brink_constrained_def){
          .n = 2, .rhs = falls_towards, .bounds = second_state, .boundary = half_up});
}

static void bounds_that_meet(void **state)
{
  (void)state;
  constrained(
      &(rig_want){"a wedge", {0}, 2, BRINK_EDOMAIN, -1, {0}, 0, {0}, -1, "has no room"},
      &(brink_constrained_def){
          .n = 1, .rhs = rests, .bounds = wedge, .boundary = leave_it});
  constrained(
      &(rig_want){"a waist of no width", {0}, 2, BRINK_END, -1, {0}, 1, {0}, 0, NULL},
      &(brink_constrained_def){
          .n = 1, .rhs = rests, .bounds = waist, .boundary = leave_it});
  /* from the lower bound + 0.1 to the upper in a third of the time, until t = 1.9 */
  constrained(
      &(rig_want){"a gap that closes",
                  {1},
                  3,
                  BRINK_ZENO,
                  -1,
                  {0},
                  1,
                  {1.05},
                  0,
                  "accumulate at t = 1.9 "},
      &(brink_constrained_def){
          .n = 1, .rhs = rises, .bounds = gap_closes, .boundary = near_the_other});
  constrained(&(rig_want){"one point", {1}, 2, BRINK_END, 0, {0}, 1, {1}, 0, NULL},
              &(brink_constrained_def){.n = 1,
                                       .rhs = rests,
                                       .lower = &(double){1},
                                       .upper = &(double){1},
                                       .boundary = half_up});
  constrained(
      &(rig_want){"pushed in one point", {1}, 2, BRINK_END, 1, {0}, 1, {1}, 1, NULL},
      &(brink_constrained_def){.n = 1,
                               .rhs = rises,
                               .lower = &(double){1},
                               .upper = &(double){1},
                               .boundary = stay_there,
                               .stays = 1});
}

/* A touch does not meet the bound, a dip of 1e-6 does; samples may miss it. */
static void bounds_that_are_grazed(void **state)
{
  (void)state;
  constrained(
      &(rig_want){"a hill touched", {1}, 2, BRINK_END, -1, {0}, 1, {1}, 0, NULL},
      &(brink_constrained_def){
          .n = 1, .rhs = rests, .bounds = hill, .boundary = one_up});
  rig r = {0};
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_constrained_new(
                   r.ctx,
                   &(brink_constrained_def){
                       .n = 1, .rhs = rests, .bounds = high_hill, .boundary = one_up},
                   &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, &(double){1}), BRINK_OK);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 1 - 1e-3, 1e-11);
  check_near(brink_sim_state(r.sim)[0], 2, 1e-12);
  rig_free(&r);
}

static void corners_and_walls(void **state)
{
  const double ones[] = {1, 1}, lower[] = {0, -none}, upper[] = {1, none};
  const double above[] = {-none, 0};

  (void)state;
  constrained(&(rig_want){"a corner",
                          {0, 0},
                          2.25,
                          BRINK_END,
                          5,
                          {1, 1, 1.5, 2, 2},
                          2,
                          {0.25, 0.75},
                          0,
                          NULL},
              &(brink_constrained_def){
                  .n = 2, .rhs = both_rise, .upper = ones, .boundary = each_its_own});
  constrained(
      &(rig_want){"two walls",
                  {0.5, 1},
                  9,
                  BRINK_END,
                  9,
                  {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5},
                  2,
                  {0.5, -1},
                  0,
                  NULL},
      &(brink_constrained_def){
          .n = 2, .rhs = moves, .lower = lower, .upper = upper, .boundary = reflect});
  constrained(&(rig_want){"onto another bound and out",
                          {0, 2},
                          3,
                          BRINK_EDOMAIN,
                          -1,
                          {0},
                          0,
                          {0},
                          -1,
                          "out of K"},
              &(brink_constrained_def){.n = 2,
                                       .rhs = parts,
                                       .lower = above,
                                       .upper = upper,
                                       .boundary = onto_the_other});
}

static void starts_on_the_boundary(void **state)
{
  const double zero = 0, half = 0.5;

  (void)state;
  constrained(&(rig_want){"inward", {0}, 1, BRINK_END, 0, {0}, 1, {1}, 0, NULL},
              &(brink_constrained_def){
                  .n = 1, .rhs = rises, .lower = &zero, .boundary = half_up});
  constrained(
      &(rig_want){"outward", {0}, 1.2, BRINK_END, 3, {0, 0.5, 1}, 1, {0.3}, 0, NULL},
      &(brink_constrained_def){
          .n = 1, .rhs = falls, .lower = &zero, .boundary = half_up});
  constrained(&(rig_want){"at rest, then outward",
                          {0},
                          0.9,
                          BRINK_END,
                          1,
                          {0},
                          1,
                          {0.5 - 0.405},
                          0,
                          NULL},
              &(brink_constrained_def){
                  .n = 1, .rhs = slows, .lower = &zero, .boundary = half_up});
  constrained(
      &(rig_want){"out and back", {0}, 1.2, BRINK_END, 1, {1}, 1, {0.26}, 0, NULL},
      &(brink_constrained_def){
          .n = 1, .rhs = arch, .lower = &zero, .boundary = half_up});
  constrained(
      &(rig_want){"held at once",
                  {0.5},
                  2,
                  BRINK_END,
                  2,
                  {0, PI / 2},
                  1,
                  {sin(2) - 0.5},
                  0,
                  NULL},
      &(brink_constrained_def){
          .n = 1, .rhs = swings, .upper = &half, .boundary = stay_there, .stays = 1});
}

static void time_that_passes_in_H(void **state)
{
  const brink_timer_def timer = {.name = "tick", .at = 1.1, .jump = tick};
  const double one = 1, w = 0, t = 1 / 1.3 + 2;

  (void)state;
  constrained(
      &(rig_want){
          "a quarter", {0}, 4, BRINK_END, 4, {1, 1.25, 2.25, 3.5}, 1, {0.25}, 0, NULL},
      &(brink_constrained_def){.n = 1,
                               .rhs = rises,
                               .upper = &one,
                               .boundary = quarter_later,
                               .timers = &timer,
                               .n_timers = 1,
                               .w = &w,
                               .n_w = 1});
  constrained(
      &(rig_want){"beyond the end", {0}, 3, BRINK_END, 1, {1}, 1, {0.5}, 0, NULL},
      &(brink_constrained_def){
          .n = 1, .rhs = rises, .upper = &one, .boundary = ten_later});
  constrained(&(rig_want){"while the floor rises",
                          {1},
                          4,
                          BRINK_END,
                          2,
                          {1 / 1.3, t + (2 - 0.3 * t) / 1.3},
                          0,
                          {0},
                          0,
                          NULL},
              &(brink_constrained_def){
                  .n = 1, .rhs = falls, .bounds = floor_rises, .boundary = two_later});
  constrained(
      &(rig_want){
          "above where H goes", {1}, 4, BRINK_EDOMAIN, -1, {0}, 0, {0}, -1, "outside"},
      &(brink_constrained_def){
          .n = 1, .rhs = falls, .bounds = floor_rises, .boundary = two_later_below});
}

static void restitution_zero(void **state)
{
  const brink_timer_def timer = {.name = "kick", .at = 2, .jump = kick};
  const double floor_only[] = {0, -none};

  (void)state;
  constrained(&(rig_want){"lies, and is kicked",
                          {1, 0},
                          3,
                          BRINK_END,
                          4,
                          {sqrt(2 / 9.81), 2, 2, 2 + 4 / 9.81},
                          2,
                          {0, 0},
                          1,
                          NULL},
              &(brink_constrained_def){.n = 2,
                                       .rhs = ball,
                                       .lower = floor_only,
                                       .boundary = land,
                                       .stays = 1,
                                       .timers = &timer,
                                       .n_timers = 1});
  constrained(
      &(rig_want){"may not lie",
                  {1, 0},
                  3,
                  BRINK_EDOMAIN,
                  -1,
                  {0},
                  0,
                  {0},
                  -1,
                  "leads out of K"},
      &(brink_constrained_def){
          .n = 2, .rhs = free_ball, .lower = floor_only, .boundary = stop_there});
}

static void what_is_held_and_let_go(void **state)
{
  const double half = 0.5, low = -1.2, halves[] = {0.5, 0.5}, two[] = {0.5, 0.8};
  const brink_timer_def inside = {.name = "put", .at = 1, .jump = put_inside};

  (void)state;
  constrained(&(rig_want){"at either bound",
                          {0},
                          6,
                          BRINK_END,
                          4,
                          {PI / 6, PI / 2, PI + asin(0.7), 1.5 * PI},
                          1,
                          {sin(6) - 0.2},
                          0,
                          NULL},
              &(brink_constrained_def){.n = 1,
                                       .rhs = swings,
                                       .lower = &low,
                                       .upper = &half,
                                       .boundary = stay_there,
                                       .stays = 1});
  constrained(
      &(rig_want){"each by itself",
                  {0, 0},
                  4,
                  BRINK_END,
                  4,
                  {PI / 6, PI / 3, PI / 2, PI},
                  2,
                  {sin(4) - 0.5, -0.5 - cos(4)},
                  0,
                  NULL},
      &(brink_constrained_def){
          .n = 2, .rhs = two_swing, .upper = halves, .boundary = stay, .stays = 1});
  constrained(&(rig_want){"while another is met",
                          {0, 0},
                          1.5,
                          BRINK_END,
                          2,
                          {PI / 6, 0.8},
                          2,
                          {0.5, 0.7},
                          1,
                          NULL},
              &(brink_constrained_def){.n = 2,
                                       .rhs = swings_and_rises,
                                       .upper = two,
                                       .boundary = first_stays,
                                       .stays = 1});
  constrained(&(rig_want){"moved by H",
                          {0, 0},
                          2.5,
                          BRINK_END,
                          3,
                          {PI / 6, 0.8, 0.8},
                          2,
                          {sin(2.5) - sin(0.8), 0.2},
                          0,
                          NULL},
              &(brink_constrained_def){.n = 2,
                                       .rhs = swings_and_rises,
                                       .upper = two,
                                       .boundary = second_moves_first,
                                       .stays = 1});
  constrained(&(rig_want){"moved by a timer",
                          {0},
                          1.2,
                          BRINK_END,
                          3,
                          {PI / 6, 1, 1},
                          1,
                          {0.2 + sin(1.2) - sin(1)},
                          0,
                          NULL},
              &(brink_constrained_def){.n = 1,
                                       .rhs = swings,
                                       .upper = &half,
                                       .boundary = stay_there,
                                       .stays = 1,
                                       .timers = &inside,
                                       .n_timers = 1});
}

static void timers_that_move_the_state(void **state)
{
  const brink_timer_def out = {.name = "out", .at = 0.5, .jump = put_outside},
                        on = {.name = "on", .at = 0.5, .jump = put_on};
  const double one = 1;

  (void)state;
  constrained(
      &(rig_want){"outside", {0}, 2, BRINK_EDOMAIN, -1, {0}, 0, {0}, -1, "outside"},
      &(brink_constrained_def){.n = 1,
                               .rhs = rises,
                               .upper = &one,
                               .boundary = to_zero,
                               .timers = &out,
                               .n_timers = 1});
  constrained(
      &(rig_want){
          "onto the bound", {0}, 1, BRINK_END, 2, {0.5, 0.5}, 1, {0.5}, 0, NULL},
      &(brink_constrained_def){.n = 1,
                               .rhs = rises,
                               .upper = &one,
                               .boundary = to_zero,
                               .timers = &on,
                               .n_timers = 1});
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_that_move),
      cmocka_unit_test(bounds_that_meet),
      cmocka_unit_test(bounds_that_are_grazed),
      cmocka_unit_test(corners_and_walls),
      cmocka_unit_test(starts_on_the_boundary),
      cmocka_unit_test(time_that_passes_in_H),
      cmocka_unit_test(restitution_zero),
      cmocka_unit_test(what_is_held_and_let_go),
      cmocka_unit_test(timers_that_move_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
