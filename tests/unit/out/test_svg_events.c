/* test_svg_events.c -- events and modes in pictures: where they are named, what is put
 * together, and that thousands of them stay small. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "paper.h"

/* --------------------------------------------------------------- events ---- */

static void two_hundred_bounces_have_one_entry_and_faint_lines(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){
                       .title = "Ball", .variables = ball_columns, .n_variables = 2});
  fall(pic, 0.97, 200);
  draw(pic, p);
  check_page(p->text);
  assert_true(has_text(p->text, "bounce \xc3\x97 200"));
  const char *line = strstr(p->text, "<path class=\"event\"");
  assert_non_null(line);
  check_in(drawing_number(line, "stroke-opacity", 1), 0.1, 0.2);
  assert_int_equal(drawing_count(p->text, "class=\"event\""), 1); /* one path for all */
  brink_ctx_free(ctx);
}

/* A second of x and v, with events at these times of these names. */
static void play(brink_ctx *ctx, paper *p, int n, const double *times,
                 const char *const *names)
{
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){
                       .title = "Ball", .variables = ball_columns, .n_variables = 2});
  int next = 0;

  for (int k = 0; k <= 100; k++) {
    for (; next < n && times[next] <= 0.01 * k; next++)
      brink__picture_event(pic, times[next], names[next]);
    brink__picture_row(pic, 0.01 * k, (double[]){0.3 * k, 2.0}, 0);
  }
  draw(pic, p);
  check_page(p->text);
}

/* Also where they share an instant, or are so near that one name is wider. */
static void few_events_have_their_names_above_their_lines(void **state)
{
  static const char *const names[] = {"release (line 7)", "x > 1 (line 12)",
                                      "time >= resume (line 19)", "v < 0 (line 23)"};
  static const double apart[] = {0.1, 0.4, 0.6, 0.9}, together[] = {0.1, 0.5, 0.5, 0.9},
                      near[] = {0.1, 0.15, 0.5, 0.53}, first[] = {0, 0.08, 0.97, 1};
  static const double *const times[] = {apart, together, near, first};
  paper *p = *state;
  brink_ctx *ctx = context();

  for (int i = 0; i < 4; i++) {
    play(ctx, p, 4, times[i], names);
    for (int k = 0; k < 4; k++)
      assert_true(has_text(p->text, names[k]));
    assert_int_equal(drawing_count(p->text, "text-anchor=\"middle\">release"), 1);
  }
  brink_ctx_free(ctx);
}

/* Six within three pixels find no room, so the seventh is listed as well. */
static void names_are_above_their_lines_all_or_none(void **state)
{
  static const char *const names[] = {"alone",  "near a", "near b", "near c",
                                      "near d", "near e", "near f"};
  static const double times[] = {0.1, 0.7, 0.7006, 0.7012, 0.7018, 0.7024, 0.703};
  paper *p = *state;
  brink_ctx *ctx = context();

  play(ctx, p, 7, times, names);
  for (int k = 0; k < 7; k++) {
    char listed[40];
    snprintf(listed, sizeof listed, "font-size=\"10\">%s<", names[k]);
    assert_int_equal(drawing_count(p->text, listed), 1);
  }
  brink_ctx_free(ctx);
}

static void many_names_that_differ_in_subscripts_become_one(void **state)
{
  enum { N = 60 };
  static char text[N][80];
  static const char *names[N];
  static double times[N];
  paper *p = *state;
  brink_ctx *ctx = context();

  for (int k = 0; k < N; k++) {
    snprintf(text[k], sizeof text[k],
             k % 3 ? "p[%d,%d] <= R (line 34)" : "q[%d] > a[n[%d]] (line 37)", k + 1,
             k % 7);
    names[k] = text[k];
    times[k] = 0.013 * k;
  }
  play(ctx, p, N, times, names);
  assert_true(has_text(p->text, "p[*] <= R (line 34) \xc3\x97 40"));
  assert_true(has_text(p->text, "q[*] > a[n[*]] (line 37) \xc3\x97 20"));
  assert_int_equal(drawing_count(p->text, "class=\"event\""), 2);
  play(ctx, p, 8, times, names); /* few: each by its own name */
  assert_int_equal(drawing_count(p->text, "class=\"event\""), 8);
  brink_ctx_free(ctx);
}

/* ---------------------------------------------------------------- modes ---- */

static void the_strip_names_modes_where_there_is_room(void **state)
{
  static const char *const modes[] = {"off", "heating", "brief"};
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = ball_columns,
                                                           .n_variables = 2,
                                                           .modes = modes,
                                                           .n_modes = 3});

  for (int k = 0; k <= 1000; k++)
    brink__picture_row(pic, 0.01 * k, (double[]){1.0, 2.0},
                       k < 300   ? 0
                       : k < 310 ? 2
                       : k < 700 ? 1
                                 : 0);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_count(p->text, ">off</text>"), 2);
  assert_int_equal(drawing_count(p->text, ">heating</text>"), 1);
  assert_int_equal(drawing_count(p->text, ">brief</text>"), 1); /* listed */
  assert_int_equal(drawing_count(p->text, "fill=\"#a3dcc9\""), 1 + 1);
  brink_ctx_free(ctx);
}

/* Two stays of 1e-4 s, then one that lasts: it keeps its colour and its name. */
static void stays_that_cannot_be_seen_do_not_swallow_the_next(void **state)
{
  static const char *const modes[] = {"off", "heating", "brief"};
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = ball_columns,
                                                           .n_variables = 2,
                                                           .modes = modes,
                                                           .n_modes = 3});

  for (int k = 0; k <= 1000; k++) {
    brink__picture_row(pic, 0.01 * k, (double[]){1.0, 2.0}, k < 300 ? 0 : 1);
    if (k == 299) {
      brink__picture_row(pic, 2.9998, (double[]){1.0, 2.0}, 2);
      brink__picture_row(pic, 2.9999, (double[]){1.0, 2.0}, 0);
    }
  }
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_count(p->text, ">heating</text>"), 1);
  assert_int_equal(drawing_count(p->text, ">off</text>"), 1);
  assert_int_equal(drawing_count(p->text, ">several</text>"), 1); /* listed */
  brink_ctx_free(ctx);
}

static void modes_and_events_that_never_rest_stay_small(void **state)
{
  static const char *const modes[] = {"a", "b"};
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = ball_columns,
                                                           .n_variables = 2,
                                                           .modes = modes,
                                                           .n_modes = 2});
  char name[40];

  for (int k = 0; k < 100000; k++) {
    brink__picture_row(pic, 1e-4 * k, (double[]){k % 2, 2.0}, k % 2);
    snprintf(name, sizeof name, "event %d", k % 100);
    brink__picture_event(pic, 1e-4 * k, name);
  }
  assert_int_equal(pic->n_names, BRINK__PLOT_EVENT_NAMES); /* 47, and all others */
  assert_string_equal(pic->names[47].text, "other events");
  assert_int_equal(pic->names[46].count, 1000);
  assert_int_equal(pic->names[47].count, 53000);
  draw(pic, p);
  check_page(p->text);
  assert_true(p->n < 700000);
  assert_true(has_text(p->text, "several"));
  assert_int_equal(drawing_count(p->text, " more</text>"), 1);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DRAWN(two_hundred_bounces_have_one_entry_and_faint_lines),
      DRAWN(few_events_have_their_names_above_their_lines),
      DRAWN(names_are_above_their_lines_all_or_none),
      DRAWN(many_names_that_differ_in_subscripts_become_one),
      DRAWN(the_strip_names_modes_where_there_is_room),
      DRAWN(stays_that_cannot_be_seen_do_not_swallow_the_next),
      DRAWN(modes_and_events_that_never_rest_stay_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
