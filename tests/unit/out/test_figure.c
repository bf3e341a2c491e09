/* test_figure.c -- figures: places of points, ticks of logarithmic axes, lifted pens,
 * text that keeps apart at any size. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/figure.h"
#include "drawing.h"
#include "out/figure.h"

enum { ROOM = 1 << 18 };

typedef struct paper {
  char text[ROOM];
  size_t n;
} paper;

static int to_paper(void *user, const char *bytes, size_t n)
{
  paper *p = user;

  if (p->n + n >= ROOM)
    return -1;
  memcpy(p->text + p->n, bytes, n);
  p->n += n;
  p->text[p->n] = '\0';
  return 0;
}

static const char *drawn(const brink_figure *fig)
{
  static paper p; /* a test is one thread */
  brink_sink sink = {to_paper, &p, "paper"};
  brink_err err;

  p.n = 0;
  check_status(brink_figure_write(&sink, fig, &err), BRINK_OK);
  return p.text;
}

static void check_page(const char *svg)
{
  char why[1024];
  const char *fault = drawing_page_fault(svg, why, sizeof why);

  if (fault)
    fail_msg("%s", fault);
}

typedef struct points {
  double at[64][2];
  size_t n, paths;
} points;

static void collect(void *user, const double (*p)[2], size_t n)
{
  points *all = user;

  all->paths++;
  for (size_t i = 0; i < n && all->n < 64; i++, all->n++)
    memcpy(all->at[all->n], p[i], sizeof p[i]);
}

/* y = 3 x^-2 on two logarithmic axes: a straight line, equal steps for equal ratios */
static void a_power_is_a_straight_line_on_logarithmic_axes(void **state)
{
  double x[5], y[5];
  points all = {0};

  (void)state;
  for (int i = 0; i < 5; i++) {
    x[i] = 7.3 * pow(3.1, i);
    y[i] = 3 / (x[i] * x[i]);
  }
  const brink_series s = {
      .name = "error", .x = x, .y = y, .n = 5, .pen = BRINK_PEN_BOTH};
  const brink_panel p = {.x_title = "evaluations",
                         .y_title = "error",
                         .x_log = 1,
                         .y_log = 1,
                         .series = &s,
                         .n_series = 1};
  const char *svg =
      drawn(&(brink_figure){.title = "work", .panels = &p, .n_panels = 1});
  check_page(svg);
  drawing_curve(svg, 0, collect, &all);
  assert_int_equal(all.n, 5);
  for (int i = 1; i < 5; i++) {
    check_near(all.at[i][0] - all.at[i - 1][0], all.at[1][0] - all.at[0][0], 0.021);
    check_near(all.at[i][1] - all.at[i - 1][1], all.at[1][1] - all.at[0][1], 0.021);
    assert_true(all.at[i][0] > all.at[i - 1][0] && all.at[i][1] > all.at[i - 1][1]);
  }
}

/* The labelled ticks of an axis, with their values. */
static int labels(const brink__scale *s, double *values, int max)
{
  brink__scale_tick t;
  int n = 0;

  for (int k = 0; brink__scale_ticks(s, k, &t); k++)
    if (t.label[0] && t.place >= -1e-9 && t.place <= 1 + 1e-9 && n < max)
      values[n++] = pow(10, s->axis.lo + t.place * (s->axis.hi - s->axis.lo));
  return n;
}

static void ticks_are_powers_of_ten(void **state)
{
  double v[40];
  brink__scale s = {.log = 1};

  (void)state;
  brink__scale_fit(&s, 2e-7, 5e3, 0, 400, 40);
  int n = labels(&s, v, 40);
  assert_in_range(n, 3, 10);
  for (int i = 0; i < n; i++)
    check_near(remainder(log10(v[i]), 1), 0, 1e-9);
  /* on a short one 2 and 5 have labels too */
  brink__scale_fit(&s, 3, 60, 0, 400, 40);
  n = labels(&s, v, 40);
  assert_int_equal(n, 4); /* 5 10 20 50 */
  check_near(v[0], 5, 1e-9);
  check_near(v[2], 20, 1e-9);
  /* 300 decades are not 300 labels */
  brink__scale_fit(&s, 1e-290, 1e10, 0, 400, 40);
  assert_in_range(labels(&s, v, 40), 3, 12);
}

static void what_has_no_place_lifts_the_pen(void **state)
{
  const double x[] = {0.37, 1.2, 2, 3, 4.1, 5}, y[] = {1.3, 2, nan(""), 3, -1, 4};
  brink_series s = {.name = "y", .x = x, .y = y, .n = 6};
  brink_panel p = {.series = &s, .n_series = 1};
  brink_figure f = {.panels = &p, .n_panels = 1};
  points all = {0};

  (void)state;
  drawing_curve(drawn(&f), 0, collect, &all);
  assert_int_equal(all.n, 5);
  p.y_log = 1; /* -1 has no place there */
  all.n = 0;
  const char *svg = drawn(&f);
  check_page(svg);
  drawing_curve(svg, 0, collect, &all);
  assert_int_equal(all.n, 4);
  s.pen = BRINK_PEN_DOTS;
  assert_int_equal(drawing_count(drawn(&f), "<circle"), 4 + 1); /* and the legend's */
}

/* A circle on square axes is as wide as high. */
static void a_circle_is_round_on_square_axes(void **state)
{
  double x[33], y[33];
  points all = {0};

  (void)state;
  for (int i = 0; i < 33; i++) {
    x[i] = 1.7 + 0.31 * cos(i * acos(-1) / 16);
    y[i] = -4 + 0.31 * sin(i * acos(-1) / 16);
  }
  const brink_series s = {.x = x, .y = y, .n = 33};
  const brink_panel p = {.square = 1,
                         .x_lo = 1,
                         .x_hi = 4,
                         .y_lo = -4.7,
                         .y_hi = -3.2,
                         .series = &s,
                         .n_series = 1};
  const brink_panel two[] = {p, p};
  drawing_curve(drawn(&(brink_figure){.panels = two, .n_panels = 2, .height = 500}), 0,
                collect, &all);
  assert_int_equal(all.n, 33);
  check_near(all.at[0][0] - all.at[16][0], all.at[24][1] - all.at[8][1], 0.021);
  check_in(all.at[0][0] - all.at[16][0], 50, 200);
}

/* Panels of all kinds, at all sizes. */
static void text_keeps_apart_at_any_size(void **state)
{
  static const double huge[] = {-3e217, 4e217, 1e216}, tiny[] = {2e-13, 5e-13, 1e-13},
                      same[] = {5.5, 5.5, 5.5}, near[] = {1e6 + 1, 1e6 + 1.2, 1e6 + 3};
  static const int widths[] = {320, 480, 900, 1900};
  static const double *const all[] = {huge, tiny, same, near};
  brink_series s[4];
  brink_panel p[4];

  (void)state;
  for (int i = 0; i < 4; i++) {
    s[i] = (brink_series){
        "a name that is rather long for a legend", tiny, all[i], 3, (brink_pen)i, i};
    p[i] = (brink_panel){"a title that does not fit above a narrow panel of a figure",
                         "the horizontal axis with its unit in brackets [kg m/s^2]",
                         "the vertical axis with its unit in brackets [kg m/s^2]",
                         .series = s, .n_series = i + 1};
  }
  p[2].x_log = 1;
  for (int w = 0; w < 4; w++)
    for (int columns = 1; columns <= (widths[w] < 480 ? 1 : 3); columns++)
      for (int h = 0; h < 2; h++)
        check_page(drawn(&(brink_figure){
            .title =
                "a figure with a title that is much too long for the smallest of its "
                "sizes and has to be shortened there, but not everywhere",
            .caption =
                "and a caption of the same kind, which says what has been drawn, "
                "with which method and at which tolerance, and more",
            .panels = p,
            .n_panels = 4,
            .columns = columns,
            .width = widths[w],
            .height = h ? 900 : 0}));
}

static void figures_without_panels_are_refused(void **state)
{
  static paper p;
  brink_sink sink = {to_paper, &p, "paper"};
  brink_err err;

  (void)state;
  check_status(brink_figure_write(&sink, &(brink_figure){0}, &err), BRINK_EARG);
  check_text(err.text, "a figure of 0 panels; 1 to 16 are drawn");
  assert_int_equal(p.n, 0);
  const brink_panel empty = {.title = "nothing"};
  check_page(drawn(&(brink_figure){.panels = &empty, .n_panels = 1}));
}

static int refuse(void *user, const char *bytes, size_t n)
{
  (void)user, (void)bytes, (void)n;
  return -1;
}

static void a_sink_that_refuses_is_told(void **state)
{
  brink_err err;
  const brink_panel empty = {.title = "nothing"};

  (void)state;
  check_status(brink_figure_write(&(brink_sink){refuse, NULL, "wall"},
                                  &(brink_figure){.panels = &empty, .n_panels = 1},
                                  &err),
               BRINK_EIO);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_power_is_a_straight_line_on_logarithmic_axes),
      cmocka_unit_test(ticks_are_powers_of_ten),
      cmocka_unit_test(what_has_no_place_lifts_the_pen),
      cmocka_unit_test(a_circle_is_round_on_square_axes),
      cmocka_unit_test(text_keeps_apart_at_any_size),
      cmocka_unit_test(figures_without_panels_are_refused),
      cmocka_unit_test(a_sink_that_refuses_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
