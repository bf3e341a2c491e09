/* test_svg_curves.c -- curves of pictures: no line across a jump, steps and gaps, small
 * however long the run, and drawn while it goes on. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "models.h"
#include "paper.h"

/* ---------------------------------------------------------------- jumps ---- */

/* Along one path time goes on and v falls; across a jump it would rise. */
static void check_falling(void *user, const double (*p)[2], size_t n)
{
  size_t *dots = user;

  for (size_t i = 1; i < n; i++) {
    assert_true(p[i][0] >= p[i - 1][0]);
    assert_true(p[i][1] >= p[i - 1][1]); /* downwards on the page */
  }
  *dots += n;
}

static void a_stretch_is_a_path_and_no_path_crosses_a_jump(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();
  size_t dots = 0;
  brink__picture *pic = picture(ctx, (brink__picture_opts){.title = "Ball",
                                                           .time_unit = "s",
                                                           .variables = ball_columns,
                                                           .n_variables = 2});
  fall(pic, 0.9, 12);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_count(p->text, "class=\"frame\""), 2);
  assert_int_equal(drawing_curve(p->text, 0, NULL, NULL), 1); /* x has kinks only */
  assert_int_equal(drawing_curve(p->text, 1, check_falling, &dots), 12 + 1);
  assert_int_equal(dots, 2 * (12 + 1)); /* a straight line is two */
  assert_true(has_text(p->text, "x [m]"));
  assert_true(has_text(p->text, "v [m/s]"));
  assert_true(has_text(p->text, "time [s]"));
  assert_true(has_text(p->text, "bounce \xc3\x97 12"));
  check_text(p->text, "<title>v: velocity</title>");
  brink_ctx_free(ctx);
}

static void a_phase_plot_shows_jumps_dashed_and_events_as_rings(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.title = "Ball",
                                                           .plot = "v:x",
                                                           .variables = ball_columns,
                                                           .n_variables = 2});
  fall(pic, 0.9, 12);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, NULL, NULL), 13);
  assert_int_equal(drawing_count(p->text, "class=\"jump\""), 12);
  assert_int_equal(drawing_count(p->text, "<circle"), 12 + 1 + 2); /* start, legend */
  assert_true(has_text(p->text, "x [m]"));
  assert_true(has_text(p->text, "v [m/s]"));
  assert_false(has_text(p->text, "time [s]"));
  brink_ctx_free(ctx);
}

static void check_steps(void *user, const double (*p)[2], size_t n)
{
  (void)user;
  assert_int_equal(n, 1 + 2 + 2 + 1); /* up and down again, and to the end */
  for (size_t i = 1; i < n; i++)
    assert_true(p[i][0] == p[i - 1][0] || p[i][1] == p[i - 1][1]);
}

static void discrete_variables_are_steps(void **state)
{
  static const brink_variable v = {.name = "n", .unit = "1", .text = "", .discrete = 1};
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

  for (int k = 0; k <= 90; k++)
    brink__picture_row(pic, 0.3 * k, (double[]){k < 20 ? 3 : k < 55 ? 7 : 4}, 0);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, check_steps, NULL), 1);
  brink_ctx_free(ctx);
}

static void what_is_not_a_number_is_a_gap(void **state)
{
  static const brink_variable v = {.name = "y", .unit = "", .text = ""};
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

  for (int k = 0; k <= 90; k++) {
    double y = k == 30 ? nan("") : k == 60 ? HUGE_VAL : k == 61 ? 1e305 : sin(0.1 * k);
    brink__picture_row(pic, 0.3 * k, &y, 0);
  }
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, NULL, NULL), 3);
  brink_ctx_free(ctx);
}

/* The path of sin(3 t) for t from 0 to 2 pi, against the function itself. */
static void check_sine(void *user, const double (*p)[2], size_t n)
{
  double pi = acos(-1), lo = HUGE_VAL, hi = -HUGE_VAL, left = p[0][0],
         right = p[n - 1][0];
  double most = 0;

  for (size_t i = 0; i < n; i++) {
    lo = fmin(lo, p[i][1]);
    hi = fmax(hi, p[i][1]);
  }
  for (size_t i = 1; i < n; i++)
    for (int k = 0; k <= 8; k++) {
      double s = k / 8.0, x = p[i - 1][0] + s * (p[i][0] - p[i - 1][0]);
      double y = p[i - 1][1] + s * (p[i][1] - p[i - 1][1]);
      double want =
          (lo + hi) / 2 - (hi - lo) / 2 * sin(6 * pi * (x - left) / (right - left));
      most = fmax(most,
                  fabs(y - want) / hypot(1, 6 * pi * (hi - lo) / 2 / (right - left)));
    }
  check_in(most, 1e-3, 0.15); /* of a pixel */
  *(size_t *)user = n;
}

static void a_smooth_curve_has_few_dots_and_is_where_it_belongs(void **state)
{
  static const brink_variable v = {.name = "y", .unit = "", .text = ""};
  paper *p = *state;
  brink_ctx *ctx = context();
  double pi = acos(-1);
  size_t n = 0;
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

  for (int k = 0; k <= 4000; k++) {
    double t = 2 * pi * k / 4000, y = sin(3 * t);
    brink__picture_row(pic, t, &y, 0);
  }
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, check_sine, &n), 1);
  assert_in_range(n, 60, 300);
  brink_ctx_free(ctx);
}

/* ------------------------------------------------------------ long runs ---- */

typedef struct extent {
  double lo, hi, widest; /* of y; of a step in x */
  size_t n;
} extent;

static void measure(void *user, const double (*p)[2], size_t n)
{
  extent *e = user;

  for (size_t i = 0; i < n; i++) {
    e->lo = fmin(e->lo, p[i][1]);
    e->hi = fmax(e->hi, p[i][1]);
    if (i > 0)
      e->widest = fmax(e->widest, p[i][0] - p[i - 1][0]);
  }
  e->n += n;
}

static void a_million_rows_make_a_small_picture_that_misses_no_spike(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();
  extent e = {HUGE_VAL, -HUGE_VAL, 0, 0};
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = ball_columns, .n_variables = 2});
  size_t calls = brink_ctx_alloc_stats(ctx).calls;

  for (long k = 0; k < 1000000; k++) {
    double t = 1e-3 * (double)k;
    double spike = k == 345678 ? 3.0 : k == 700001 ? -2.0 : 0;
    brink__picture_row(pic, t, (double[]){sin(t) * cos(0.01 * t) + spike, 2 * t}, 0);
  }
  assert_int_equal(brink_ctx_alloc_stats(ctx).calls, calls);
  draw(pic, p);
  check_page(p->text);
  assert_true(p->n < 200000);
  drawing_curve(p->text, 0, measure, &e);
  assert_in_range(e.n, 1500, 9000);
  assert_true(e.widest < 3);
  /* 5 of 5.5 of the height of a frame of 230, which is all that the data span */
  check_near(e.hi - e.lo, 230 / 1.1, 2.5);
  brink_ctx_free(ctx);
}

static void check_circle(void *user, const double (*p)[2], size_t n)
{
  double *most = user;

  for (size_t i = 1; i < n; i++)
    *most = fmax(*most, hypot(p[i][0] - p[i - 1][0], p[i][1] - p[i - 1][1]));
}

static void a_cycle_run_ten_thousand_times_is_drawn_once_without_chords(void **state)
{
  static const brink_variable v[] = {{.name = "x", .unit = "m", .text = ""},
                                     {.name = "y", .unit = "m", .text = ""}};
  paper *p = *state;
  brink_ctx *ctx = context();
  double longest = 0;
  brink__picture *pic = picture(
      ctx, (brink__picture_opts){.plot = "y:x", .variables = v, .n_variables = 2});

  for (long k = 0; k < 1000000; k++) {
    double a = 0.0628 * (double)k; /* a hundred rows per turn, never the same ones */
    brink__picture_row(pic, a, (double[]){cos(a), sin(a)}, 0);
  }
  draw(pic, p);
  check_page(p->text);
  assert_true(p->n < 700000);
  drawing_curve(p->text, 0, check_circle, &longest);
  check_in(longest, 1, 20); /* a side of the hundred-gon, no chord across */
  const char *frame = strstr(p->text, "class=\"frame\"");
  while (*frame != '<')
    frame--;
  check_near(drawing_number(frame, "width", 0), drawing_number(frame, "height", 1), 1);
  brink_ctx_free(ctx);
}

/* A million rows along one line, a hundredth of a pixel apart: no gaps. */
static void a_slow_way_is_one_stroke(void **state)
{
  static const brink_variable v[] = {{.name = "x", .unit = "", .text = ""},
                                     {.name = "y", .unit = "", .text = ""}};
  paper *p = *state;
  brink_ctx *ctx = context();
  double longest = 0;
  brink__picture *pic = picture(
      ctx, (brink__picture_opts){.plot = "y:x", .variables = v, .n_variables = 2});

  for (long k = 0; k < 1000000; k++) {
    double t = 1e-6 * (double)k;
    brink__picture_row(pic, t, (double[]){t * t, t * t * t + 0.3 * t}, 0);
  }
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, check_circle, &longest), 1);
  check_in(longest, 0.3, 5);
  brink_ctx_free(ctx);
}

/* ----------------------------------------------------------------- runs ---- */

static void count_dots(void *user, const double (*p)[2], size_t n)
{
  (void)p;
  *(size_t *)user += n;
}

/* The grid has 3 rows; the picture follows the steps. */
static void a_picture_does_not_depend_on_the_grid(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();
  brink_model *model;
  brink_sim *sim;
  brink_recorder *rec;
  brink_output out = {BRINK_OUT_SVG, {to_paper, p, "paper"}};
  brink_recorder_opts opt = {.size = sizeof opt,
                             .stop = known_ball.t_end,
                             .points = 3,
                             .outputs = &out,
                             .n_outputs = 1};
  size_t dots = 0;

  p->n = 0;
  check_status(brink_model_new(ctx, known_ball.def, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  check_status(brink_recorder_new(ctx, model, &opt, &rec), BRINK_OK);
  check_status(brink_sim_start(sim, 0, known_ball.mode, known_ball.y0), BRINK_OK);
  check_status(brink_recorder_begin(rec, sim), BRINK_OK);
  check_status(brink_recorder_end(rec, brink_sim_run(sim, known_ball.t_end)), BRINK_OK);
  check_page(p->text);
  drawing_curve(p->text, 0, count_dots, &dots);
  check_in((double)dots, 8.0 * (double)known_ball.n_events, 1e4);
  brink_recorder_free(rec);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void each_allocation_fails_once(void **state)
{
  paper *p = *state;
  brink_output out = {BRINK_OUT_SVG, {to_paper, p, "paper"}};
  brink_recorder_opts opt = {
      .size = sizeof opt, .stop = 1, .outputs = &out, .n_outputs = 1};
  int made = 0;

  for (long fail_at = 1; !made; fail_at++) {
    flaky f = {0};
    brink_alloc hook = flaky_alloc(&f);
    brink_ctx *ctx;
    brink_model *model;
    brink_recorder *rec = (brink_recorder *)&f;
    check_status(brink_ctx_new(&hook, &ctx), BRINK_OK);
    check_status(brink_model_new(ctx, known_ball.def, &model), BRINK_OK);
    char plot[80];
    snprintf(plot, sizeof plot, "%s:%s", brink_model_variable(model, 1).name,
             brink_model_variable(model, 0).name);
    opt.plot = plot;
    size_t before = f.live;
    f.fail_at = f.calls + fail_at;
    brink_status rc = brink_recorder_new(ctx, model, &opt, &rec);
    if (rc == BRINK_OK) {
      made = 1;
      assert_int_equal(fail_at, 1 + 3); /* recorder, list of names, picture */
      brink_recorder_free(rec);
    } else {
      check_status(rc, BRINK_ENOMEM);
      assert_null(rec);
      check_text(brink_ctx_error(ctx)->text, "out of memory");
    }
    assert_int_equal(f.live, before);
    brink_model_free(model);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
}

static void a_run_is_drawn_by_its_recorder(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();
  brink_model *model;
  brink_sim *sim;
  brink_recorder *rec;
  brink_output out = {BRINK_OUT_SVG, {to_paper, p, "paper"}};
  brink_recorder_opts opt = {.size = sizeof opt,
                             .stop = known_ball.t_end,
                             .outputs = &out,
                             .n_outputs = 1,
                             .caption = "dopri5 & friends"};

  p->n = 0;
  check_status(brink_model_new(ctx, known_ball.def, &model), BRINK_OK);
  check_status(brink_plot_check(ctx, model, "no_such_thing"), BRINK_ENAME);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  check_status(brink_recorder_new(ctx, model, &opt, &rec), BRINK_OK);
  check_status(brink_sim_start(sim, 0, known_ball.mode, known_ball.y0), BRINK_OK);
  check_status(brink_recorder_begin(rec, sim), BRINK_OK);
  brink_status rc = brink_sim_run(sim, known_ball.t_end);
  check_status(brink_recorder_end(rec, rc), BRINK_OK);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, NULL, NULL), 1);
  assert_int_equal(drawing_curve(p->text, 1, NULL, NULL), known_ball.n_events + 1);
  assert_true(has_text(p->text, "dopri5 & friends"));
  brink_recorder_free(rec);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DRAWN(a_stretch_is_a_path_and_no_path_crosses_a_jump),
      DRAWN(a_phase_plot_shows_jumps_dashed_and_events_as_rings),
      DRAWN(discrete_variables_are_steps),
      DRAWN(what_is_not_a_number_is_a_gap),
      DRAWN(a_smooth_curve_has_few_dots_and_is_where_it_belongs),
      DRAWN(a_million_rows_make_a_small_picture_that_misses_no_spike),
      DRAWN(a_cycle_run_ten_thousand_times_is_drawn_once_without_chords),
      DRAWN(a_slow_way_is_one_stroke),
      DRAWN(a_picture_does_not_depend_on_the_grid),
      DRAWN(each_allocation_fails_once),
      DRAWN(a_run_is_drawn_by_its_recorder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
