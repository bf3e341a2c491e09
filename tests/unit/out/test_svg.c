/* test_svg.c -- the page of a picture: well-formed, no text over text or beyond the
 * page, what shares a frame, and how it is named. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "paper.h"

/* ---------------------------------------------------- everything at once ---- */

typedef struct scene {
  int width, height, curves, units, events, modes, kind;
  const char *plot;
} scene;

static const char *const literals[] = {"Idle", "Heating", "Cooling", "Fault"};

static void name_columns(const scene *sc, brink_variable *v, char (*names)[80])
{
  static const char *const units[] = {"m", "V", "", "kg.m2/s3", "K", "N.m"};

  for (int i = 0; i < sc->curves; i++) {
    snprintf(names[i], 80,
             i % 7 == 3   ? "house.room[%d,2].wall.temperature_at_the_north_side"
             : i % 5 == 4 ? "'\xce\xb8 < & \"%d\"'"
                          : "car[%d].x",
             i + 1);
    v[i] = (brink_variable){.name = names[i],
                            .unit = sc->units ? units[i % sc->units] : "",
                            .text = "what <it> is"};
    if (sc->kind == 3 && i % 3 == 1)
      v[i].discrete = 1;
    if (sc->kind == 3 && i % 6 == 4) {
      v[i].literals = literals;
      v[i].n_literals = 4;
    }
  }
}

static double value(const scene *sc, int i, double t)
{
  double s = sin(t * (1 + 0.13 * i) + i);

  switch (sc->kind) {
  case 1: return 5 + i + 1e-12 * s;
  case 2: return (i % 2 ? 3.2e17 : -4.1e-9) * s;
  case 3: return i % 6 == 4 ? 1 + floor(2 + 1.9 * s) : i % 3 == 1 ? s > 0 : s;
  case 4: return 7.25; /* constant, all of them */
  case 5: return t > 4 && t < 4.5 ? nan("") : s * exp(-t);
  default: return s * exp(-0.1 * t) * (1 + i % 5);
  }
}

static void play(const scene *sc, brink__picture *pic)
{
  static const char *const few[] = {"release (line 7)", "time >= 5",
                                    "x[1] < 0 & y > 1"};
  double r[64], t0 = sc->kind == 2 ? 1e7 : 0;

  for (int k = 0; k <= 400; k++) {
    double t = t0 + k * 0.025;
    int mode = sc->modes > 1 ? k / 37 % sc->modes : 0;
    for (int i = 0; i < sc->curves; i++)
      r[i] = value(sc, i, t - t0);
    brink__picture_row(pic, t, r, mode);
    const char *name = NULL;
    char text[80];
    if (sc->events == 3)
      name = k == 100 ? few[0] : k == 103 ? few[1] : k == 300 ? few[2] : NULL;
    else if (sc->events > 3 && k % 2) {
      snprintf(text, sizeof text, "guard number %d is crossed (line %d)", k % 90,
               k % 90);
      name = text;
    }
    if (name) {
      brink__picture_event(pic, t, name);
      r[0] += 0.4;
      brink__picture_row(pic, t, r, mode);
    }
  }
}

static void stage(const scene *sc, paper *p)
{
  static const char *const modes[] = {"off",   "on",      "a_mode_of_some_length",
                                      "x",     "heating", "cooling",
                                      "fault", "idle",    "m9",
                                      "m10",   "m11"};
  brink_variable v[64];
  char names[64][80];
  brink_ctx *ctx = context();

  name_columns(sc, v, names);
  brink__picture *pic = picture(
      ctx, (brink__picture_opts){
               .title = "A.Model of <some> length & \"more\" that may well be too long",
               .about = "what it is, at a length that fits on wide pages only",
               .time_unit = sc->units % 2 ? "s" : "",
               .caption = "dopri5, rtol 1e-6, located by isolate",
               .plot = sc->plot,
               .variables = v,
               .n_variables = (size_t)sc->curves,
               .modes = modes,
               .n_modes = sc->modes,
               .width = sc->width,
               .height = sc->height});
  play(sc, pic);
  draw(pic, p);
  brink_ctx_free(ctx);
}

static void no_text_lies_over_another_or_leaves_the_page(void **state)
{
  static const int widths[] = {320, 500, 900, 1600}, curves[] = {1, 5, 30, 60};
  static const int events[] = {0, 3, 200}, modes[] = {1, 3, 11};
  paper *p = *state;

  for (int w = 0; w < 4; w++)
    for (int c = 0; c < 4; c++)
      for (int e = 0; e < 3; e++)
        for (int kind = 0; kind < 6; kind++) {
          scene sc = {.width = widths[w],
                      .curves = curves[c],
                      .events = events[e],
                      .modes = modes[(w + c + kind) % 3],
                      .kind = kind,
                      .units = (kind + e) % 7};
          stage(&sc, p);
          check_page(p->text);
        }
}

static void chosen_panels_keep_their_text_apart(void **state)
{
  static const char *const plots[] = {
      "*",          "car[1].x,car[2].x;mode",
      "*:car[1].x", "car[1].x:car[2].x;*;car[3].x:car[1].x",
      "mode",       "mode;mode;car[1].x,mode"};
  paper *p = *state;

  for (int i = 0; i < 6; i++)
    for (int kind = 0; kind < 6; kind++) {
      scene sc = {.width = i % 2 ? 480 : 0,
                  .height = kind == 1 ? 900 : 0,
                  .curves = 25,
                  .events = kind % 2 ? 3 : 200,
                  .modes = 3,
                  .kind = kind,
                  .units = 3,
                  .plot = plots[i]};
      stage(&sc, p);
      check_page(p->text);
    }
}

/* Where a panel is too low for its title, the name stands at the end of the line. */
static void a_name_is_shown_at_any_height(void **state)
{
  static const brink_variable v[] = {
      {.name = "angleOfTheFirstJoint", .unit = "rad", .text = ""},
      {.name = "forceOfTheFirstJoint", .unit = "N", .text = ""},
      {.name = "speedOfTheFirstJoint", .unit = "rad/s", .text = ""}};
  static const int heights[] = {0, 300, 420, 700};
  paper *p = *state;
  brink_ctx *ctx = context();

  for (int h = 0; h < 4; h++) {
    brink__picture *pic = picture(
        ctx,
        (brink__picture_opts){.variables = v, .n_variables = 3, .height = heights[h]});
    for (int k = 0; k <= 100; k++)
      brink__picture_row(pic, 0.01 * k, (double[]){1.0 + k, 300.0 - k, 2.0 * k}, 0);
    draw(pic, p);
    check_page(p->text);
    for (int i = 0; i < 3; i++) {
      char at_end[80], as_title[80];
      snprintf(at_end, sizeof at_end, ">%s</text>", v[i].name);
      snprintf(as_title, sizeof as_title, ">%s [%s]</text>", v[i].name, v[i].unit);
      assert_int_equal(
          drawing_count(p->text, at_end) + drawing_count(p->text, as_title), 1);
    }
  }
  brink_ctx_free(ctx);
}

static void a_height_that_is_wanted_is_met(void **state)
{
  paper *p = *state;
  scene sc = {.width = 800, .height = 700, .curves = 5, .units = 2, .modes = 1};

  stage(&sc, p);
  check_page(p->text);
  check_near(drawing_number(strstr(p->text, "<svg"), "height", 0), 700, 2);
}

/* ------------------------------------------------------------- grouping ---- */

static void units_have_frames_switches_lanes_enumerations_names(void **state)
{
  static const brink_variable v[] = {
      {.name = "x", .unit = "m", .text = ""},
      {.name = "u", .unit = "V", .text = ""},
      {.name = "y", .unit = "m", .text = ""},
      {.name = "on", .unit = "", .text = "", .discrete = 1},
      {.name = "alarm", .unit = "", .text = "", .discrete = 1},
      {.name = "state",
       .unit = "",
       .text = "",
       .discrete = 1,
       .literals = literals,
       .n_literals = 4},
      {.name = "tiny", .unit = "", .text = ""},
      {.name = "large", .unit = "", .text = ""},
  };
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = v, .n_variables = 8});

  for (int k = 0; k <= 100; k++) {
    double t = 0.1 * k;
    brink__picture_row(
        pic, t, (double[]){t, 2 * t, -t, k > 40, k > 70, 1 + k / 30, 0.01 * t, 90 * t},
        0);
  }
  draw(pic, p);
  check_page(p->text);
  /* x y | u | state | tiny | large | lanes */
  assert_int_equal(drawing_count(p->text, "class=\"frame\""), 6);
  assert_true(has_text(p->text, "[m]"));
  assert_true(has_text(p->text, "u [V]"));
  for (int i = 0; i < 4; i++)
    assert_true(has_text(p->text, literals[i]));
  assert_true(has_text(p->text, "on"));
  assert_true(has_text(p->text, "alarm"));
  brink_ctx_free(ctx);
}

static void nothing_to_show_is_said(void **state)
{
  paper *p = *state;
  brink_ctx *ctx = context();

  draw(picture(ctx, (brink__picture_opts){.title = "Empty"}), p);
  check_page(p->text);
  assert_true(has_text(p->text, "no variables"));
  draw(picture(ctx, (brink__picture_opts){.title = "E",
                                          .variables = ball_columns,
                                          .n_variables = 2}),
       p);
  check_page(p->text);
  assert_true(has_text(p->text, "no rows"));
  brink_ctx_free(ctx);
}

static void of_a_thousand_variables_some_are_shown_and_that_is_said(void **state)
{
  enum { N = 1000 };
  static brink_variable v[N];
  static double r[N];
  paper *p = *state;
  brink_ctx *ctx = context();

  for (int i = 0; i < N; i++)
    v[i] = (brink_variable){.name = "q", .unit = "K", .text = ""};
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = v, .n_variables = N});
  brink__picture_row(pic, 0, r, 0);
  brink__picture_row(pic, 1, r, 0);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_count(p->text, "class=\"curve\""), 48);
  assert_int_equal(drawing_count(p->text, "class=\"frame\""), 6);
  assert_true(has_text(p->text, "48 of 1000 variables are shown"));
  brink_ctx_free(ctx);
}

/* ---------------------------------------------------------------- names ---- */

/* Names that differ in the middle only, in less room than they need. */
static void long_names_stay_different(void **state)
{
  static const brink_variable v[] = {
      {.name = "plant.circuit.exchanger.second.temperatureOfTheWater",
       .unit = "K",
       .text = ""},
      {.name = "plant.circuit.exchanger.third.temperatureOfTheWater",
       .unit = "K",
       .text = ""}};
  static const int widths[] = {400, 600, 900};
  paper *p = *state;
  brink_ctx *ctx = context();

  for (int w = 0; w < 3; w++) {
    brink__picture *pic = picture(
        ctx,
        (brink__picture_opts){.variables = v, .n_variables = 2, .width = widths[w]});
    for (int k = 0; k <= 100; k++)
      brink__picture_row(pic, 0.01 * k, (double[]){1.0 + k, 300.0 - k}, 0);
    draw(pic, p);
    check_page(p->text);
    assert_true(drawing_count(p->text, ">\xe2\x80\xa6second") +
                    drawing_count(p->text, ">\xe2\x80\xa6s") >=
                1);
    assert_true(drawing_count(p->text, ">\xe2\x80\xa6t") >= 1);
  }
  brink_ctx_free(ctx);
}

/* The unit of time is what the model says, and may be nothing. */
static void the_heading_says_what_is_shown_and_the_axis_its_unit(void **state)
{
  static const char *const units[] = {NULL, "", "h"}, *const titles[] = {"time", "time",
                                                                         "time [h]"};
  paper *p = *state;
  brink_ctx *ctx = context();

  for (int i = 0; i < 3; i++) {
    brink__picture *pic =
        picture(ctx, (brink__picture_opts){.title = "Ball",
                                           .about = i ? "it <bounces>" : NULL,
                                           .time_unit = units[i],
                                           .variables = ball_columns,
                                           .n_variables = 2});
    fall(pic, 0.9, 3);
    draw(pic, p);
    check_page(p->text);
    assert_true(has_text(p->text, titles[i]));
    assert_int_equal(has_text(p->text, "it <bounces>"), i > 0);
  }
  brink_ctx_free(ctx);
}

static void the_checker_of_documents_sees_faults(void **state)
{
#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  (void)state;
  assert_null(drawing_fault(HEAD "<svg a=\"1\"><b/>x &lt; y</svg>\n"));
  assert_non_null(drawing_fault("<svg/>"));
  assert_non_null(drawing_fault(HEAD "<svg><b></svg></b>"));
  assert_non_null(drawing_fault(HEAD "<svg>"));
  assert_non_null(drawing_fault(HEAD "<svg/><svg/>"));
  assert_non_null(drawing_fault(HEAD "<svg>a & b</svg>"));
  assert_non_null(drawing_fault(HEAD "<svg a=\"1\" a=\"2\"/>"));
  assert_non_null(drawing_fault(HEAD "<svg a=1/>"));
  assert_non_null(drawing_fault(HEAD "<svg a=\"<\"/>"));
  assert_non_null(drawing_fault(HEAD "<svg>\x01</svg>"));
  assert_non_null(drawing_fault(HEAD "<svg>\xc3(</svg>"));
#undef HEAD
}

static void names_that_are_not_text_are_made_text(void **state)
{
  static const brink_variable v = {.name = "a\x01<b>&\xff\xc3(\xed\xa0\x80",
                                   .unit = "\"\xe2\x82\xac\"",
                                   .text = "]]>"};
  paper *p = *state;
  brink_ctx *ctx = context();
  brink__picture *pic =
      picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

  brink__picture_row(pic, 0, (double[]){1.5}, 0);
  brink__picture_row(pic, 1, (double[]){2.5}, 0);
  brink__picture_event(pic, 1, "<&>\x02");
  draw(pic, p);
  check_page(p->text);
  check_text(p->text, "&lt;b&gt;&amp;");
  check_text(p->text, "\xe2\x82\xac");
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_checker_of_documents_sees_faults),
      DRAWN(no_text_lies_over_another_or_leaves_the_page),
      DRAWN(chosen_panels_keep_their_text_apart),
      DRAWN(a_name_is_shown_at_any_height),
      DRAWN(a_height_that_is_wanted_is_met),
      DRAWN(units_have_frames_switches_lanes_enumerations_names),
      DRAWN(nothing_to_show_is_said),
      DRAWN(of_a_thousand_variables_some_are_shown_and_that_is_said),
      DRAWN(long_names_stay_different),
      DRAWN(the_heading_says_what_is_shown_and_the_axis_its_unit),
      DRAWN(names_that_are_not_text_are_made_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
