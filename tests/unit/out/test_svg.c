/* test_svg.c -- properties of pictures: well-formed, no text over text or beyond the
 * page, no line across a jump, small however long the run. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/out.h"
#include "drawing.h"
#include "models.h"
#include "out/plot.h"

/* ------------------------------------------------------------- documents ---- */

enum { ROOM = 4 << 20 };

typedef struct paper {
  char  *text; /* [ROOM] */
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

static int setup(void **state)
{
  paper *p = calloc(1, sizeof *p);

  if (!p || !(p->text = calloc(1, ROOM)))
    return -1;
  *state = p;
  return 0;
}

static int teardown(void **state)
{
  paper *p = *state;

  free(p->text);
  free(p);
  return 0;
}

/* Draws and frees; the document is in p->text. */
static void draw(brink__picture *pic, paper *p)
{
  static brink__text text; /* a test is one thread */
  brink_sink         sink = {to_paper, p, "paper"};
  brink_err          err;

  p->n = 0;
  brink__text_init(&text, &sink);
  brink__picture_write(pic, &text);
  check_status(brink__text_flush(&text, &err), BRINK_OK);
  brink__picture_free(pic);
}

static brink_ctx *context(void)
{
  brink_ctx *ctx;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  return ctx;
}

static brink__picture *picture(brink_ctx *ctx, brink__picture_opts opt)
{
  brink__picture *pic;

  if (brink__picture_new(ctx, &opt, &pic) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  return pic;
}

/* Well-formed, nothing outside the page, no text over text. */
static void check_page(const char *svg)
{
  char        why[1024];
  const char *fault = drawing_page_fault(svg, why, sizeof why);

  if (fault)
    fail_msg("%s", fault);
}

static int has_text(const char *svg, const char *want)
{
  drawing_text t;

  while (drawing_next_text(&svg, &t))
    if (strcmp(t.text, want) == 0)
      return 1;
  return 0;
}

/* ------------------------------------------------------- a bouncing ball ---- */

static const brink_variable ball_columns[] = {
  {.name = "x", .unit = "m", .text = "height"},
  {.name = "v", .unit = "m/s", .text = "velocity"},
};

/* Closed form; rows every 0.007, and two at each bounce. */
static void fall(brink__picture *pic, double restitution, int bounces)
{
  double g = 9.81, x = 0.2, v = 0, t = 0, next = 0;

  for (int b = 0; b < bounces; b++) {
    double end = t + (v + sqrt(v * v + 2 * g * x)) / g;
    for (; next < end; next += 0.007) {
      double s = next - t;
      brink__picture_row(pic, next, (double[]){x + v * s - g * s * s / 2, v - g * s}, 0);
    }
    double hit = v - g * (end - t);
    brink__picture_row(pic, end, (double[]){0, hit}, 0);
    brink__picture_event(pic, end, "bounce");
    x = 0;
    v = -restitution * hit;
    t = end;
    brink__picture_row(pic, end, (double[]){0, v}, 0);
  }
}

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
  paper          *p = *state;
  brink_ctx      *ctx = context();
  size_t          dots = 0;
  brink__picture *pic = picture(ctx, (brink__picture_opts){.title = "Ball",
                                                           .variables = ball_columns,
                                                           .n_variables = 2});
  fall(pic, 0.9, 12);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_count(p->text, "class=\"frame\""), 2);
  assert_int_equal(drawing_curve(p->text, 0, NULL, NULL), 1); /* x has kinks only */
  assert_int_equal(drawing_curve(p->text, 1, check_falling, &dots), 12 + 1);
  assert_in_range(dots, 300, 600);
  assert_true(has_text(p->text, "x [m]"));
  assert_true(has_text(p->text, "v [m/s]"));
  assert_true(has_text(p->text, "time [s]"));
  assert_true(has_text(p->text, "bounce \xc3\x97 12"));
  check_text(p->text, "<title>v: velocity</title>");
  brink_ctx_free(ctx);
}

static void a_phase_plot_shows_jumps_dashed_and_events_as_rings(void **state)
{
  paper          *p = *state;
  brink_ctx      *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.title = "Ball", .plot = "v:x",
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

static void two_hundred_bounces_have_one_entry_and_faint_lines(void **state)
{
  paper          *p = *state;
  brink_ctx      *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.title = "Ball",
                                                           .variables = ball_columns,
                                                           .n_variables = 2});
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

/* ---------------------------------------------------- everything at once ---- */

typedef struct scene {
  int         width, height, curves, units, events, modes, kind;
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
    v[i] = (brink_variable){.name = names[i], .unit = sc->units ? units[i % sc->units] : "",
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
  static const char *const few[] = {"release (line 7)", "time >= 5", "x[1] < 0 & y > 1"};
  double                   r[64], t0 = sc->kind == 2 ? 1e7 : 0;

  for (int k = 0; k <= 400; k++) {
    double t = t0 + k * 0.025;
    int    mode = sc->modes > 1 ? k / 37 % sc->modes : 0;
    for (int i = 0; i < sc->curves; i++)
      r[i] = value(sc, i, t - t0);
    brink__picture_row(pic, t, r, mode);
    const char *name = NULL;
    char        text[80];
    if (sc->events == 3)
      name = k == 100 ? few[0] : k == 103 ? few[1] : k == 300 ? few[2] : NULL;
    else if (sc->events > 3 && k % 2) {
      snprintf(text, sizeof text, "guard number %d is crossed (line %d)", k % 90, k % 90);
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
  static const char *const modes[] = {"off", "on", "a_mode_of_some_length", "x", "heating",
                                      "cooling", "fault", "idle", "m9", "m10", "m11"};
  brink_variable           v[64];
  char                     names[64][80];
  brink_ctx               *ctx = context();

  name_columns(sc, v, names);
  brink__picture *pic =
    picture(ctx, (brink__picture_opts){
                   .title = "A.Model of <some> length & \"more\" that may well be too long",
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
  paper           *p = *state;

  for (int w = 0; w < 4; w++)
    for (int c = 0; c < 4; c++)
      for (int e = 0; e < 3; e++)
        for (int kind = 0; kind < 6; kind++) {
          scene sc = {.width = widths[w], .curves = curves[c], .events = events[e],
                      .modes = modes[(w + c + kind) % 3], .kind = kind,
                      .units = (kind + e) % 7};
          stage(&sc, p);
          check_page(p->text);
        }
}

static void chosen_panels_keep_their_text_apart(void **state)
{
  static const char *const plots[] = {"*", "car[1].x,car[2].x;mode", "*:car[1].x",
                                      "car[1].x:car[2].x;*;car[3].x:car[1].x", "mode",
                                      "mode;mode;car[1].x,mode"};
  paper                   *p = *state;

  for (int i = 0; i < 6; i++)
    for (int kind = 0; kind < 6; kind++) {
      scene sc = {.width = i % 2 ? 480 : 0, .height = kind == 1 ? 900 : 0, .curves = 25,
                  .events = kind % 2 ? 3 : 200, .modes = 3, .kind = kind, .units = 3,
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
  paper           *p = *state;
  brink_ctx       *ctx = context();

  for (int h = 0; h < 4; h++) {
    brink__picture *pic = picture(
      ctx, (brink__picture_opts){.variables = v, .n_variables = 3, .height = heights[h]});
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
  scene  sc = {.width = 800, .height = 700, .curves = 5, .units = 2, .modes = 1};

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
    {.name = "state", .unit = "", .text = "", .discrete = 1, .literals = literals,
     .n_literals = 4},
    {.name = "tiny", .unit = "", .text = ""},
    {.name = "large", .unit = "", .text = ""},
  };
  paper          *p = *state;
  brink_ctx      *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = v, .n_variables = 8});

  for (int k = 0; k <= 100; k++) {
    double t = 0.1 * k;
    brink__picture_row(
      pic, t, (double[]){t, 2 * t, -t, k > 40, k > 70, 1 + k / 30, 0.01 * t, 90 * t}, 0);
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
  paper                      *p = *state;
  brink_ctx                  *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

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
  paper                      *p = *state;
  brink_ctx                  *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

  for (int k = 0; k <= 90; k++) {
    double y = k == 30 ? nan("") : k == 60 ? HUGE_VAL : k == 61 ? 1e305 : sin(0.1 * k);
    brink__picture_row(pic, 0.3 * k, &y, 0);
  }
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_curve(p->text, 0, NULL, NULL), 3);
  brink_ctx_free(ctx);
}

static void nothing_to_show_is_said(void **state)
{
  paper     *p = *state;
  brink_ctx *ctx = context();

  draw(picture(ctx, (brink__picture_opts){.title = "Empty"}), p);
  check_page(p->text);
  assert_true(has_text(p->text, "no variables"));
  draw(picture(ctx, (brink__picture_opts){.title = "E", .variables = ball_columns,
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
  static double         r[N];
  paper                *p = *state;
  brink_ctx            *ctx = context();

  for (int i = 0; i < N; i++)
    v[i] = (brink_variable){.name = "q", .unit = "K", .text = ""};
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = v, .n_variables = N});
  brink__picture_row(pic, 0, r, 0);
  brink__picture_row(pic, 1, r, 0);
  draw(pic, p);
  check_page(p->text);
  assert_int_equal(drawing_count(p->text, "class=\"curve\""), 48);
  assert_int_equal(drawing_count(p->text, "class=\"frame\""), 6);
  assert_true(has_text(p->text, "48 of 1000 variables are shown"));
  brink_ctx_free(ctx);
}

/* ---------------------------------------------------------------- modes ---- */

static void the_strip_names_modes_where_there_is_room(void **state)
{
  static const char *const modes[] = {"off", "heating", "brief"};
  paper                   *p = *state;
  brink_ctx               *ctx = context();
  brink__picture          *pic =
    picture(ctx, (brink__picture_opts){.variables = ball_columns, .n_variables = 2,
                                       .modes = modes, .n_modes = 3});

  for (int k = 0; k <= 1000; k++)
    brink__picture_row(pic, 0.01 * k, (double[]){1.0, 2.0},
                       k < 300 ? 0 : k < 310 ? 2 : k < 700 ? 1 : 0);
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
  paper                   *p = *state;
  brink_ctx               *ctx = context();
  brink__picture          *pic =
    picture(ctx, (brink__picture_opts){.variables = ball_columns, .n_variables = 2,
                                       .modes = modes, .n_modes = 3});

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
  paper                   *p = *state;
  brink_ctx               *ctx = context();
  brink__picture          *pic =
    picture(ctx, (brink__picture_opts){.variables = ball_columns, .n_variables = 2,
                                       .modes = modes, .n_modes = 2});
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
  paper          *p = *state;
  brink_ctx      *ctx = context();
  extent          e = {HUGE_VAL, -HUGE_VAL, 0, 0};
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = ball_columns,
                                                           .n_variables = 2});
  size_t          calls = brink_ctx_alloc_stats(ctx).calls;

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
  assert_true(e.widest < 1.2); /* a row per pixel at least */
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
  paper                      *p = *state;
  brink_ctx                  *ctx = context();
  double                      longest = 0;
  brink__picture *pic = picture(ctx, (brink__picture_opts){.plot = "y:x", .variables = v,
                                                           .n_variables = 2});

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
  paper                      *p = *state;
  brink_ctx                  *ctx = context();
  double                      longest = 0;
  brink__picture *pic = picture(ctx, (brink__picture_opts){.plot = "y:x", .variables = v,
                                                           .n_variables = 2});

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

/* -------------------------------------------------------------- the rest ---- */

static void each_allocation_fails_once(void **state)
{
  paper               *p = *state;
  brink_output         out = {BRINK_OUT_SVG, {to_paper, p, "paper"}};
  brink_recorder_opts  opt = {.stop = 1, .outputs = &out, .n_outputs = 1};
  int                  made = 0;

  for (long fail_at = 1; !made; fail_at++) {
    flaky           f = {0};
    brink_alloc     hook = flaky_alloc(&f);
    brink_ctx      *ctx;
    brink_model    *model;
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

/* Names that differ in the middle only, in less room than they need. */
static void long_names_stay_different(void **state)
{
  static const brink_variable v[] = {
    {.name = "plant.circuit.exchanger.second.temperatureOfTheWater", .unit = "K", .text = ""},
    {.name = "plant.circuit.exchanger.third.temperatureOfTheWater", .unit = "K", .text = ""}};
  static const int widths[] = {400, 600, 900};
  paper           *p = *state;
  brink_ctx       *ctx = context();

  for (int w = 0; w < 3; w++) {
    brink__picture *pic = picture(ctx, (brink__picture_opts){
                                         .variables = v, .n_variables = 2, .width = widths[w]});
    for (int k = 0; k <= 100; k++)
      brink__picture_row(pic, 0.01 * k, (double[]){1.0 + k, 300.0 - k}, 0);
    draw(pic, p);
    check_page(p->text);
    assert_true(drawing_count(p->text, ">\xe2\x80\xa6second") +
                  drawing_count(p->text, ">\xe2\x80\xa6s") >= 1);
    assert_true(drawing_count(p->text, ">\xe2\x80\xa6t") >= 1);
  }
  brink_ctx_free(ctx);
}

static void count_dots(void *user, const double (*p)[2], size_t n)
{
  (void)p;
  *(size_t *)user += n;
}

/* The grid has 3 rows; the picture follows the steps. */
static void a_picture_does_not_depend_on_the_grid(void **state)
{
  paper              *p = *state;
  brink_ctx          *ctx = context();
  brink_model        *model;
  brink_sim          *sim;
  brink_recorder     *rec;
  brink_output        out = {BRINK_OUT_SVG, {to_paper, p, "paper"}};
  brink_recorder_opts opt = {.stop = known_ball.t_end, .points = 3, .outputs = &out,
                             .n_outputs = 1};
  size_t              dots = 0;

  p->n = 0;
  check_status(brink_model_new(ctx, known_ball.def, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  check_status(brink_recorder_new(ctx, model, &opt, &rec), BRINK_OK);
  check_status(brink_sim_start(sim, 0, known_ball.mode, known_ball.y0), BRINK_OK);
  check_status(brink_recorder_begin(rec, sim), BRINK_OK);
  check_status(brink_recorder_end(rec, brink_sim_run(sim, known_ball.t_end)), BRINK_OK);
  check_page(p->text);
  drawing_curve(p->text, 0, count_dots, &dots);
  check_in((double)dots, 10.0 * (double)known_ball.n_events, 1e4);
  brink_recorder_free(rec);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void a_run_is_drawn_by_its_recorder(void **state)
{
  paper              *p = *state;
  brink_ctx          *ctx = context();
  brink_model        *model;
  brink_sim          *sim;
  brink_recorder     *rec;
  brink_output        out = {BRINK_OUT_SVG, {to_paper, p, "paper"}};
  brink_recorder_opts opt = {.stop = known_ball.t_end, .outputs = &out, .n_outputs = 1,
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
                                   .unit = "\"\xe2\x82\xac\"", .text = "]]>"};
  paper                      *p = *state;
  brink_ctx                  *ctx = context();
  brink__picture *pic = picture(ctx, (brink__picture_opts){.variables = &v, .n_variables = 1});

  brink__picture_row(pic, 0, (double[]){1.5}, 0);
  brink__picture_row(pic, 1, (double[]){2.5}, 0);
  brink__picture_event(pic, 1, "<&>\x02");
  draw(pic, p);
  check_page(p->text);
  check_text(p->text, "&lt;b&gt;&amp;");
  check_text(p->text, "\xe2\x82\xac");
  brink_ctx_free(ctx);
}

#define DRAWN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_checker_of_documents_sees_faults),
    DRAWN(a_stretch_is_a_path_and_no_path_crosses_a_jump),
    DRAWN(a_phase_plot_shows_jumps_dashed_and_events_as_rings),
    DRAWN(two_hundred_bounces_have_one_entry_and_faint_lines),
    DRAWN(no_text_lies_over_another_or_leaves_the_page),
    DRAWN(chosen_panels_keep_their_text_apart),
    DRAWN(a_name_is_shown_at_any_height),
    DRAWN(a_height_that_is_wanted_is_met),
    DRAWN(units_have_frames_switches_lanes_enumerations_names),
    DRAWN(discrete_variables_are_steps),
    DRAWN(what_is_not_a_number_is_a_gap),
    DRAWN(nothing_to_show_is_said),
    DRAWN(of_a_thousand_variables_some_are_shown_and_that_is_said),
    DRAWN(the_strip_names_modes_where_there_is_room),
    DRAWN(stays_that_cannot_be_seen_do_not_swallow_the_next),
    DRAWN(modes_and_events_that_never_rest_stay_small),
    DRAWN(a_million_rows_make_a_small_picture_that_misses_no_spike),
    DRAWN(a_cycle_run_ten_thousand_times_is_drawn_once_without_chords),
    DRAWN(a_slow_way_is_one_stroke),
    DRAWN(long_names_stay_different),
    DRAWN(a_picture_does_not_depend_on_the_grid),
    DRAWN(each_allocation_fails_once),
    DRAWN(a_run_is_drawn_by_its_recorder),
    DRAWN(names_that_are_not_text_are_made_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
