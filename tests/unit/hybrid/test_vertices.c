/* test_vertices.c -- hybrid automata at their edges: invariants that do not hold, edges
 * that are enabled on entry, chains, ties, and resets in which time passes.  All
 * answers in closed form.
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

static int swings(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = cos(t);
  return 0;
}

static int moves(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = y[1];
  f[1] = 0;
  return 0;
}

static int tick(brink_jump *j)
{
  j->w[0] += 1;
  return 0;
}

/* ---- guards and resets ---- */

static double over_1(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return y[0] - 1;
}

static double over_2(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return y[0] - 2;
}

static double over_half(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return y[0] - 0.5;
}

static double under_1(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return 1 - y[0];
}

static double past_1(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return t - 1;
}

static double touches_at_1(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return -(t - 1) * (t - 1);
}

static double always(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return 1;
}

static double never(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return -1;
}

static int back_to_0(brink_jump *j)
{
  j->y[0] = 0;
  return 0;
}

static int back_to_half(brink_jump *j)
{
  j->y[0] = 0.5;
  return 0;
}

static int one_more(brink_jump *j)
{
  j->y[0] += 1;
  return 0;
}

static int to_3(brink_jump *j)
{
  j->y[0] = 3;
  return 0;
}

static int with_speed(brink_jump *j)
{
  j->y[1] = 3;
  return 0;
}

static int half_later(brink_jump *j)
{
  j->y[0] = 0;
  j->t_after = j->t + 0.5;
  return 0;
}

static int to_b(brink_jump *j)
{
  j->mode = 1;
  return 0;
}

static const brink_guard_def at_most_1 = {.name = "x <= 1", .fn = over_1};
static const brink_guard_def at_most_2 = {.name = "x <= 2", .fn = over_2};
static const brink_guard_def state_1 = {.name = "state 1", .state = 0, .level = 1};
static const brink_guard_def from_half = {.name = "x >= 0.5", .fn = over_half};
static const brink_guard_def at_least_1 = {.name = "x >= 1", .fn = under_1};
static const brink_guard_def till_1 = {.name = "t <= 1", .fn = past_1};
static const brink_guard_def touched = {.name = "touched", .fn = touches_at_1};
static const brink_guard_def is_true = {.name = "true", .fn = always};
static const brink_guard_def is_false = {.name = "false", .fn = never};

/* Up to four vertices a, b, c, d and their edges. */
static void automaton(const rig_want *w, const brink_vertex_def vertices[4],
                      int n_edges, const brink_edge_def edges[3],
                      const brink_timer_def *timer)
{
  const double w0 = 0;
  brink_automaton_def def = {.vertices = vertices,
                             .edges = edges,
                             .n_edges = n_edges,
                             .timers = timer,
                             .n_timers = timer != NULL,
                             .w = &w0,
                             .n_w = 1};
  brink_ctx *ctx;
  brink_model *model;

  while (def.n_vertices < 4 && vertices[def.n_vertices].rhs)
    def.n_vertices++;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_automaton_new(ctx, &def, &model), BRINK_OK);
  rig_compare(w, ctx, model);
}

static brink_vertex_def vertex(brink_rhs_fn *f, const brink_guard_def *invariant)
{
  return (brink_vertex_def){.name = "v",
                            .n = 1,
                            .rhs = f,
                            .invariants = invariant,
                            .n_invariants = invariant != NULL};
}

static void vertices_entered_where_they_cannot_stay(void **state)
{
  const brink_vertex_def up_down[4] = {vertex(rises, &at_most_1), vertex(falls, NULL)};
  const brink_vertex_def down_down[4] = {vertex(falls, &state_1), vertex(falls, NULL)};
  const brink_vertex_def three[4] = {vertex(rises, &state_1), vertex(rises, &state_1),
                                     vertex(rises, &state_1), vertex(falls, NULL)};
  const brink_vertex_def back[4] = {vertex(rises, NULL), vertex(falls, &at_most_1)};
  const brink_edge_def go[3] = {{.name = "go", .from = 0, .to = 1}};
  const brink_edge_def chain[3] = {
      {.name = "ab", .from = 0, .to = 1, .reset = one_more},
      {.name = "bc", .from = 1, .to = 2, .reset = one_more},
      {.name = "cd", .from = 2, .to = 3, .reset = one_more}};
  const brink_edge_def home[3] = {
      {.name = "ba", .from = 1, .to = 0, .reset = back_to_0}};
  const brink_timer_def timer = {.name = "to b", .at = 3, .jump = to_b};

  (void)state;
  automaton(&(rig_want){"a start beyond", {3}, 1, BRINK_END, 1, {0}, 1, {2}, 1, NULL},
            up_down, 1, go, NULL);
  automaton(&(rig_want){"a start on the surface, outward",
                        {1},
                        1,
                        BRINK_END,
                        1,
                        {0},
                        1,
                        {0},
                        1,
                        NULL},
            up_down, 1, go, NULL);
  automaton(
      &(rig_want){
          "a start on the surface, inward", {1}, 1, BRINK_END, 0, {0}, 1, {0}, 0, NULL},
      down_down, 1, go, NULL);
  automaton(
      &(rig_want){
          "a chain of resets", {0}, 2, BRINK_END, 3, {1, 1, 1}, 1, {3}, 3, NULL},
      three, 3, chain, NULL);
  automaton(&(rig_want){"by a timer", {0}, 4, BRINK_END, 2, {3, 3}, 1, {1}, 0, NULL},
            back, 1, home, &timer);
}

static void invariants_and_their_edges(void **state)
{
  const brink_guard_def both[] = {at_most_1, till_1};
  const brink_vertex_def one[4] = {vertex(rises, &at_most_1)};
  const brink_vertex_def two_ways[4] = {vertex(rises, &at_most_1), vertex(falls, NULL)};
  const brink_vertex_def touch[4] = {vertex(rises, &touched), vertex(falls, NULL)};
  const brink_vertex_def three[4] = {vertex(rises, &at_most_2), vertex(falls, NULL),
                                     vertex(rests, NULL)};
  const brink_vertex_def two[4] = {
      {.name = "a", .n = 1, .rhs = rises, .invariants = both, .n_invariants = 2},
      vertex(falls, NULL)};
  const brink_vertex_def chatter[4] = {vertex(rises, &at_most_1),
                                       vertex(falls, &at_least_1)};
  const brink_edge_def self[3] = {
      {.name = "back", .from = 0, .to = 0, .reset = back_to_0}};
  const brink_edge_def pass[3] = {
      {.name = "pass", .from = 0, .to = 0, .reset = half_later}};
  const brink_edge_def go[3] = {{.name = "go", .from = 0, .to = 1},
                                {.name = "back", .from = 1, .to = 0}};
  const brink_edge_def second[3] = {
      {.name = "never", .from = 0, .to = 2, .guard = &is_false},
      {.name = "late", .from = 0, .to = 1, .guard = &at_most_1}};
  const brink_edge_def first[3] = {
      {.name = "half", .from = 0, .to = 0, .guard = &at_most_1, .reset = back_to_half},
      {.name = "go", .from = 0, .to = 1}};
  const brink_timer_def timer = {.name = "tick", .at = 1.2, .every = 0.1, .jump = tick};

  (void)state;
  automaton(
      &(rig_want){
          "back to itself", {0}, 3.5, BRINK_END, 3, {1, 2, 3}, 1, {0.5}, 0, NULL},
      one, 1, self, NULL);
  automaton(&(rig_want){"time passes, timers wait",
                        {0},
                        1.75,
                        BRINK_END,
                        4,
                        {1, 1.5, 1.6, 1.7},
                        1,
                        {0.25},
                        0,
                        NULL},
            one, 1, pass, &timer);
  automaton(
      &(rig_want){"a touch is no end", {0}, 2, BRINK_END, -1, {0}, 1, {2}, 0, NULL},
      touch, 1, go, NULL);
  automaton(&(rig_want){"the second edge", {0}, 3, BRINK_END, 1, {2}, 1, {1}, 1, NULL},
            three, 2, second, NULL);
  automaton(&(rig_want){"two end at once", {0}, 2, BRINK_END, 1, {1}, 1, {0}, 1, NULL},
            two, 1, go, NULL);
  automaton(
      &(rig_want){
          "the first of two", {0}, 2.25, BRINK_END, 3, {1, 1.5, 2}, 1, {0.75}, 0, NULL},
      two_ways, 2, first, NULL);
  automaton(&(rig_want){"to and fro",
                        {0},
                        2,
                        BRINK_END,
                        2, /* the edge to the other, and slide-in */
                        {1, 1},
                        1,
                        {1},
                        -1,
                        NULL},
            chatter, 2, go, NULL);
}

static void urgent_edges(void **state)
{
  const brink_vertex_def abc[4] = {vertex(rises, NULL), vertex(rises, NULL),
                                   vertex(falls, NULL)};
  const brink_vertex_def ab[4] = {vertex(rises, NULL), vertex(falls, NULL)};
  const brink_vertex_def down[4] = {vertex(falls, NULL), vertex(rises, NULL)};
  const brink_vertex_def tie[4] = {vertex(rises, &state_1), vertex(falls, NULL),
                                   vertex(rests, NULL)};
  const brink_vertex_def wave[4] = {vertex(swings, NULL)};
  const brink_vertex_def fewer[4] = {
      {.name = "a", .n = 2, .rhs = moves}, vertex(rises, NULL), vertex(falls, NULL)};
  const brink_vertex_def more[4] = {vertex(rises, &at_most_1),
                                    {.name = "b", .n = 2, .rhs = moves}};
  const brink_edge_def chain[3] = {
      {.name = "ab", .from = 0, .to = 1, .guard = &at_most_1, .urgent = 1},
      {.name = "bc", .from = 1, .to = 2, .guard = &is_true, .urgent = 1}};
  const brink_edge_def shared[3] = {
      {.name = "inv", .from = 0, .to = 1},
      {.name = "urgent", .from = 0, .to = 2, .guard = &at_most_1, .urgent = 1}};
  const brink_edge_def same[3] = {
      {.name = "u", .from = 0, .to = 1, .guard = &at_most_1, .urgent = 1},
      {.name = "v", .from = 0, .to = 2, .guard = &state_1, .urgent = 1}};
  const brink_edge_def count[3] = {{.name = "count",
                                    .from = 0,
                                    .to = 0,
                                    .guard = &from_half,
                                    .urgent = 1,
                                    .reset = tick}};
  const brink_edge_def made_true[3] = {
      {.name = "A",
       .from = 0,
       .to = 0,
       .guard = &at_most_1,
       .urgent = 1,
       .reset = to_3},
      {.name = "B", .from = 0, .to = 1, .guard = &at_most_2, .urgent = 1}};
  const brink_edge_def two[3] = {
      {.name = "ab", .from = 0, .to = 1, .guard = &at_most_1, .urgent = 1},
      {.name = "bc", .from = 1, .to = 2, .guard = &from_half, .urgent = 1}};
  const brink_edge_def grow[3] = {
      {.name = "grow", .from = 0, .to = 1, .reset = with_speed}};

  (void)state;
  automaton(
      &(rig_want){"enabled on entry", {0}, 2, BRINK_END, 2, {1, 1}, 1, {0}, 2, NULL},
      abc, 2, chain, NULL);
  automaton(
      &(rig_want){"enabled at the start", {3}, 2, BRINK_END, 1, {0}, 1, {1}, 1, NULL},
      ab, 1, chain, NULL);
  automaton(
      &(rig_want){
          "zero at the start, falling", {1}, 2, BRINK_END, 0, {0}, 1, {-1}, 0, NULL},
      down, 1, chain, NULL);
  automaton(
      &(rig_want){"with an invariant", {0}, 2, BRINK_END, 1, {1}, 1, {0}, 1, NULL}, tie,
      2, shared, NULL);
  automaton(
      &(rig_want){"two on one surface", {0}, 1.5, BRINK_END, 1, {1}, 1, {1.5}, 1, NULL},
      abc, 2, same, NULL);
  automaton(&(rig_want){"each time it rises",
                        {0},
                        14,
                        BRINK_END,
                        3,
                        {PI / 6, PI / 6 + 2 * PI, PI / 6 + 4 * PI},
                        1,
                        {sin(14)},
                        0,
                        NULL},
            wave, 1, count, NULL);
  automaton(
      &(rig_want){
          "made true by a reset", {0}, 2, BRINK_END, 2, {1, 1}, 1, {2}, 1, NULL},
      ab, 2, made_true, NULL);
  automaton(
      &(rig_want){
          "fewer states", {0, 2}, 1, BRINK_END, 2, {0.5, 0.5}, 1, {0.5}, 2, NULL},
      fewer, 2, two, NULL);
  automaton(&(rig_want){"more states", {0}, 2, BRINK_END, 1, {1}, 2, {4, 3}, 1, NULL},
            more, 1, grow, NULL);
}

/* An edge that is taken again and again changes nothing: that is no sliding. */
static void an_edge_that_does_not_help_repeats_itself(void **state)
{
  const brink_vertex_def ab[4] = {vertex(rises, &at_most_2), vertex(falls, NULL)};
  const brink_edge_def edges[3] = {
      {.name = "A",
       .from = 0,
       .to = 0,
       .guard = &at_most_1,
       .urgent = 1,
       .reset = to_3},
      {.name = "B", .from = 0, .to = 1, .guard = &at_most_2}};

  (void)state;
  automaton(&(rig_want){"repeats",
                        {0},
                        2,
                        BRINK_EITERATION,
                        -1,
                        {0},
                        0,
                        {0},
                        -1,
                        "still events are due ('x <= 2')"},
            ab, 2, edges, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices_entered_where_they_cannot_stay),
      cmocka_unit_test(invariants_and_their_edges),
      cmocka_unit_test(urgent_edges),
      cmocka_unit_test(an_edge_that_does_not_help_repeats_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
