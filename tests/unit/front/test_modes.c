/* Text models with modes of different dimension. */
#include "hybrid.h"
#include "models.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"

enum { MOST_SET = 4 };

typedef struct settings {
  brink_setting v[MOST_SET];
  char text[MOST_SET][32];
  int n;
} settings;

static void set(settings *s, const char *name, double value)
{
  snprintf(s->text[s->n], sizeof s->text[s->n], "%.17g", value);
  s->v[s->n] = (brink_setting){name, s->text[s->n]};
  s->n++;
}

static rig text_rig(const char *text, const settings *s, const brink_sim_opts *opt)
{
  rig r = {NULL, NULL, NULL};
  brink_sim_opts tight = brink_sim_defaults();
  brink_load_opts load = {
      .size = sizeof load, .set = s ? s->v : NULL, .n_set = s ? s->n : 0};

  tight.rtol = 1e-11;
  tight.atol = 1e-14;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  brink_status rc =
      brink_model_read(r.ctx, "t.mo", text, strlen(text), &load, &r.model);
  if (rc < 0)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  check_status(rc, BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, opt ? opt : &tight, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  return r;
}

static double value(rig *r, const char *name)
{
  double v[200];

  assert_true(brink_model_variables(r->model) < 200);
  check_status(brink_sim_values(r->sim, v), BRINK_OK);
  for (size_t i = 0; i < brink_model_variables(r->model); i++)
    if (strcmp(brink_model_variable(r->model, i).name, name) == 0)
      return v[i];
  fail_msg("no variable %s", name);
  return 0;
}

static const char *mode(const rig *r, int k) { return brink_sim_mode_name(r->sim, k); }

/* --------------------------------------------------- rotating pendulum ---- */

static const char pendulum[] =
    "model P parameter Real g = 9.81, l = 1;\n"
    " model Swing parameter Real g, l; Real phi(start = 0), w(start = 6);\n"
    "  Real F = g*cos(phi) + l*w^2;\n"
    " equation der(phi) = w; der(w) = -g/l*sin(phi); end Swing;\n"
    " model Fly parameter Real g; Real x, y, vx, vy;\n"
    " equation der(x) = vx; der(y) = vy; der(vx) = 0; der(vy) = -g; end Fly;\n"
    " Swing swing(g = g, l = l); Fly fly(g = g);\n"
    "equation\n"
    " initialState(swing);\n"
    " transition(swing, fly, swing.F < 0);\n"
    " transition(fly, swing, fly.x^2 + fly.y^2 > l^2);\n"
    " when activeState(fly) then\n"
    "  reinit(fly.x, l*sin(swing.phi)); reinit(fly.y, -l*cos(swing.phi));\n"
    "  reinit(fly.vx, l*swing.w*cos(swing.phi));\n"
    "  reinit(fly.vy, l*swing.w*sin(swing.phi));\n"
    " elsewhen activeState(swing) then\n"
    "  reinit(swing.phi, atan2(fly.x, -fly.y));\n"
    "  reinit(swing.w, (fly.vy*fly.x - fly.vx*fly.y)/l^2);\n"
    " end when;\n"
    "end P;\n";

static void callbacks_and_text_agree_to_1e_12(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.rtol = 1e-11;
  opt.atol = 1e-14;
  rig a = text_rig(pendulum, NULL, &opt);
  rig b = rig_new(breitenecker_polar.def, &opt, 0, breitenecker_polar.mode,
                  breitenecker_polar.y0);
  check_status(brink_sim_run(a.sim, 10), BRINK_END);
  check_status(brink_sim_run(b.sim, 10), BRINK_END);
  assert_int_equal(rig_events(&a), 2);
  assert_int_equal(rig_events(&b), 2);
  for (size_t k = 0; k < 2; k++) {
    brink_event x = rig_event(&a, k), y = rig_event(&b, k);
    check_near(x.t, y.t, 1e-12);
    check_near(x.t, breitenecker_polar.events[k].t, 1e-11);
    assert_int_equal(x.n_before, y.n_before);
    assert_int_equal(x.n_after, y.n_after);
    for (size_t i = 0; i < x.n_after; i++)
      check_near(x.y_after[i], y.y_after[i], 1e-12);
    assert_int_equal(x.kind, BRINK_KIND_CROSSING);
    assert_string_equal(brink_class_text(x.classes), "SE-M");
    assert_string_equal(mode(&a, x.mode_before), k ? "fly" : "swing");
    assert_string_equal(mode(&a, x.mode_after), k ? "swing" : "fly");
  }
  for (size_t i = 0; i < 2; i++)
    check_near(brink_sim_state(a.sim)[i], brink_sim_state(b.sim)[i], 1e-12);
  rig_free(&a);
  rig_free(&b);
}

/* At release p v = 0 and v^2 = g p_y, so that r^2 - l^2 = t^3 (g^2 t/4 - g v_y): the
 * flight lasts 4 v_y/g, and its guard begins with a triple zero of pure rounding. */
static void a_triple_zero_fires_nothing_and_the_flight_lasts_4_v_y_over_g(void **state)
{
  uint64_t seed = 20261115;
  int flights = 0;

  (void)state;
  for (int k = 0; k < 60; k++) {
    settings s = {.n = 0};
    double g = rand_in(&seed, 3, 20), l = rand_in(&seed, 0.3, 3);
    set(&s, "g", g);
    set(&s, "l", l);
    set(&s, "swing.w", sqrt(g / l * rand_in(&seed, 2.1, 4.9)));
    rig r = text_rig(pendulum, &s, NULL);
    check_status(brink_sim_run(r.sim, 3 * sqrt(l / g) + 8 * sqrt(l / g)), BRINK_END);
    for (size_t i = 0; i + 1 < rig_events(&r); i++) {
      brink_event out = rig_event(&r, i), in = rig_event(&r, i + 1);
      if (out.n_after != 4)
        continue;
      check_rel(in.t - out.t, 4 * out.y_after[3] / g, 1e-8);
      flights++;
    }
    rig_free(&r);
  }
  check_in(flights, 40, 400);
}

/* ------------------------------------------------------------ machines ---- */

#define HOUSE                                                                          \
  " model Heat Real T(start = 17.9, fixed = true);\n"                                  \
  " equation der(T) = 3.1 - 0.23*(T - 9); end Heat;\n"                                 \
  " model Idle Real T; equation der(T) = -0.23*(T - 9); end Idle;\n"                   \
  " Heat heat; Idle idle;\n"
#define HOUSE_EQUATIONS                                                                \
  " initialState(heat);\n"                                                             \
  " transition(heat, idle, heat.T > 20.7); transition(idle, heat, idle.T < 18.2);\n"   \
  " when activeState(idle) then reinit(idle.T, heat.T);\n"                             \
  " elsewhen activeState(heat) then reinit(heat.T, idle.T); end when;\n"
#define TANK                                                                           \
  " model Fill Real h(start = 0.4, fixed = true), q(start = 0.9, fixed = true);\n"     \
  " equation der(h) = q - sqrt(0.2 + h); der(q) = -0.1*q; end Fill;\n"                 \
  " model Drain Real h; equation der(h) = -sqrt(0.2 + h); end Drain;\n"                \
  " Fill fill; Drain drain;\n"
#define TANK_EQUATIONS                                                                 \
  " initialState(fill);\n"                                                             \
  " transition(fill, drain, fill.h > 0.5 or fill.q < 0.75);\n"                         \
  " transition(drain, fill, drain.h < 0.11);\n"                                        \
  " when activeState(drain) then reinit(drain.h, fill.h); end when;\n"                 \
  " when activeState(fill) then reinit(fill.h, drain.h); reinit(fill.q, 1.4); end "    \
  "when;\n"

static void machines_side_by_side_do_what_each_does_alone(void **state)
{
  static const char *const both =
      "model Both\n" HOUSE TANK "equation\n" HOUSE_EQUATIONS TANK_EQUATIONS
      "end Both;\n";
  static const char *const alone[] = {
      "model House\n" HOUSE "equation\n" HOUSE_EQUATIONS "end House;\n",
      "model Tank\n" TANK "equation\n" TANK_EQUATIONS "end Tank;\n"};
  static const char *const finals[2][4] = {{"heat.T", "idle.T", NULL, NULL},
                                           {"fill.h", "fill.q", "drain.h", NULL}};
  rig r = text_rig(both, NULL, NULL);
  size_t n = 0;

  (void)state;
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  for (int m = 0; m < 2; m++) {
    rig one = text_rig(alone[m], NULL, NULL);
    check_status(brink_sim_run(one.sim, 20), BRINK_END);
    assert_true(rig_events(&one) >= 4);
    for (size_t k = 0; k < rig_events(&one); k++) {
      double nearest = HUGE_VAL;
      for (size_t i = 0; i < rig_events(&r); i++)
        nearest = fmin(nearest, fabs(rig_event(&r, i).t - rig_event(&one, k).t));
      check_near(nearest, 0, 1e-8);
    }
    for (int i = 0; finals[m][i]; i++)
      check_near(value(&r, finals[m][i]), value(&one, finals[m][i]), 1e-8);
    n += rig_events(&one);
    rig_free(&one);
  }
  assert_int_equal(rig_events(&r), n);
  assert_string_equal(mode(&r, 0), "heat+fill");
  rig_free(&r);
}

/* 3^19 combinations; every lamp goes on for a moment, one after the other. */
static const char lamps[] =
    "model L model Dark Real t(start = 0); equation der(t) = 1; end Dark;\n"
    " model Bright Real t(start = 0), e(start = 0);\n"
    "  equation der(t) = 1; der(e) = t; end Bright;\n"
    " model Burnt Real e(start = 0); equation e = 2*time; end Burnt;\n"
    " model Lamp parameter Real wait = 1; Dark dark; Bright bright; Burnt burnt;\n"
    "  equation initialState(dark);\n"
    "  transition(dark, bright, dark.t > wait);\n"
    "  transition(bright, burnt, bright.t > 0.03); end Lamp;\n"
    " Lamp lamp[19](wait = {0.07 + 0.05*i for i in 1:19});\n"
    "equation end L;\n";

static void only_the_combinations_that_are_met_are_built(void **state)
{
  rig r = text_rig(lamps, NULL, NULL);
  size_t before = brink_ctx_alloc_stats(r.ctx).live_bytes;

  int number = 0, powers[19] = {0}; /* the first lamp is the first digit, to base 3 */

  (void)state;
  for (int i = 18, p = 1; i >= 0; i--, p *= 3)
    powers[i] = p;
  assert_int_equal(brink_model_modes(r.model), 1162261467);
  assert_int_equal(brink_model_anatomy(r.model).n_machines, 19);
  assert_int_equal(brink_model_anatomy(r.model).n_modes, 3);
  check_status(brink_sim_run(r.sim, 1.11), BRINK_END);
  assert_int_equal(rig_events(&r), 38);
  for (size_t k = 0; k < 38; k++) {
    brink_event e = rig_event(&r, k);
    const char *bright = strstr(mode(&r, e.mode_after), ".bright");
    size_t dark = 18 - k / 2;
    check_near(e.t, 0.12 + 0.05 * (double)(k / 2) + (k % 2 ? 0.03 : 0), 1e-9);
    assert_true(k % 2 ? bright == NULL : bright != NULL);
    assert_int_equal(e.n_after, k % 2 == 0 ? dark + 2 : dark ? dark : 1);
    number += powers[k / 2];
    assert_int_equal(e.mode_after, number);
  }
  check_in((double)(brink_ctx_alloc_stats(r.ctx).live_bytes - before), 1, 20e6);
  check_near(value(&r, "lamp[7].bright.e"), 0.5 * 0.03 * 0.03, 1e-12);
  check_near(value(&r, "lamp[7].burnt.e"), 2.22, 1e-12);
  rig_free(&r);
}

/* A run may begin in any combination, which has its number whoever meets it first. */
static void a_run_begins_in_any_combination(void **state)
{
  rig r = text_rig(lamps, NULL, NULL);
  int last_bright = 1, last_burnt = 2, first_bright = 387420489;

  (void)state;
  check_status(brink_sim_start(r.sim, 0, first_bright + last_bright, NULL), BRINK_OK);
  assert_non_null(strstr(brink_sim_mode_name(r.sim, brink_sim_mode(r.sim)),
                         "lamp[1].bright+lamp[2].dark"));
  check_status(brink_sim_run(r.sim, 0.031), BRINK_END);
  assert_int_equal(brink_sim_mode(r.sim), 2 * first_bright + last_burnt);
  check_status(brink_sim_start(r.sim, 0, 1162261467, NULL), BRINK_EARG);
  rig_free(&r);
}

static void too_many_combinations_are_refused(void **state)
{
  static const char text[] =
      "model M model S Real t(start = 0); equation der(t) = 1; end S;\n"
      " model L S a, b; equation initialState(a); transition(a, b, a.t > 1); end L;\n"
      " L l[31];\n"
      "equation end M;\n";
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model),
               BRINK_EMODEL);
  check_text(brink_ctx_error(ctx)->text, "more than 2147483647 combinations of modes");
  assert_null(model);
  brink_ctx_free(ctx);
}

static void a_model_serves_several_simulations(void **state)
{
  rig r = text_rig(lamps, NULL, NULL);
  brink_sim *other = NULL;

  (void)state;
  check_status(brink_sim_new(r.ctx, r.model, NULL, &other), BRINK_OK);
  check_status(brink_sim_start(other, 0, 0, NULL), BRINK_OK);
  for (int k = 1; k <= 11; k++) {
    check_status(brink_sim_run(r.sim, 0.1 * k), BRINK_END);
    check_status(brink_sim_run(other, 0.1 * k), BRINK_END);
    assert_int_equal(brink_sim_mode(r.sim), brink_sim_mode(other));
    for (size_t i = 0; i < brink_sim_n(other); i++)
      check_near(brink_sim_state(r.sim)[i], brink_sim_state(other)[i], 1e-9);
  }

  /* and starts again as it began */
  check_status(brink_sim_start(other, 0, 0, NULL), BRINK_OK);
  assert_string_equal(mode(&r, brink_sim_mode(other)), mode(&r, 0));
  check_status(brink_sim_run(other, 1.15), BRINK_END);
  assert_int_equal(brink_trace_events(brink_sim_trace(other)), 38);
  brink_sim_free(other);
  rig_free(&r);
}

enum { THREADS = 4 };

typedef struct job {
  const brink_model *model;
  size_t events, names; /* events, and how many of them name their mode */
  double end;
} job;

static void *run_one(void *user)
{
  job *j = user;
  brink_ctx *ctx = NULL;
  brink_sim *sim = NULL;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return NULL;
  if (brink_sim_new(ctx, j->model, NULL, &sim) >= 0 &&
      brink_sim_start(sim, 0, 0, NULL) >= 0 && brink_sim_run(sim, 1.15) == BRINK_END) {
    const brink_trace *t = brink_sim_trace(sim);
    j->events = brink_trace_events(t);
    for (size_t k = 0; k < j->events; k++) {
      brink_event e = brink_trace_event(t, k);
      const char *name = brink_sim_mode_name(sim, e.mode_after);
      j->names += name && (strstr(name, ".bright") != NULL) == (k % 2 == 0);
      j->end = e.t;
    }
  }
  brink_sim_free(sim);
  brink_ctx_free(ctx);
  return NULL;
}

static void threads_may_meet_a_combination_at_once(void **state)
{
  rig r = text_rig(lamps, NULL, NULL);
  pthread_t thread[THREADS];
  job jobs[THREADS];

  (void)state;
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (job){.model = r.model};
    assert_int_equal(pthread_create(&thread[i], NULL, run_one, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(jobs[i].events, 38);
    assert_int_equal(jobs[i].names, 38);
    check_near(jobs[i].end, 1.05, 1e-9);
  }
  rig_free(&r);
}

/* ------------------------------------------------------------- instants ---- */

#define STEP " model S Real t(start = 0); equation der(t) = 1; end S;\n"

static void a_chain_is_several_instants(void **state)
{
  rig r =
      text_rig("model C\n" STEP " S a, b, c, d; Integer n(start = 0);\n"
               "equation initialState(a);\n"
               " transition(a, b, a.t > 0.37); transition(b, c, n >= 1);\n"
               " transition(c, d, c.t < 5); transition(d, a, d.t > 1);\n"
               " when {activeState(b), activeState(c)} then n = pre(n) + 1; end when;\n"
               "end C;\n",
               NULL, NULL);
  static const char *const after[] = {"b", "c", "d"};

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 3);
  for (size_t k = 0; k < 3; k++) {
    brink_event e = rig_event(&r, k);
    check_near(e.t, 0.37, 1e-12);
    assert_int_equal(e.instant, k);
    assert_int_equal(e.kind, k ? BRINK_KIND_START : BRINK_KIND_CROSSING);
    assert_string_equal(mode(&r, e.mode_after), after[k]);
  }
  check_near(value(&r, "n"), 2, 0);
  check_near(value(&r, "d.t"), 0.63, 1e-12);
  rig_free(&r);
}

static void a_circle_without_time_is_an_error_that_names_it(void **state)
{
  rig r = text_rig("model C\n" STEP " S a, b;\n"
                   "equation initialState(a);\n"
                   " transition(a, b, a.t > 0.25); transition(b, a, true);\n"
                   "end C;\n",
                   NULL, NULL);

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "instants at t = 0.25");
  check_text(brink_sim_error(r.sim)->text, "still events are due ('");
  check_text(brink_sim_error(r.sim)->text, " (line 5)'");
  rig_free(&r);
}

/* `cut` undoes the condition that has set it: no values of both fit.  V depends on time
 * alone, so that its relation is known in advance. */
static void a_condition_that_its_own_event_undoes_is_named(void **state)
{
  rig r = text_rig("model C Real V; Boolean cut(start = false, fixed = true);\n"
                   "equation V = 4.2 - 0.3*time - (if cut then 0 else 0.4);\n"
                   " when V < 3.1 then cut = true; end when;\n"
                   "end C;\n",
                   NULL, NULL);

  (void)state;
  check_status(brink_sim_run(r.sim, 5), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "still events are due ('V < 3.1 (line 3)')");
  check_text(brink_sim_error(r.sim)->text, "use pre() of that");
  rig_free(&r);
}

static void what_holds_at_the_start_leads_on_at_the_start(void **state)
{
  rig r = text_rig("model C\n" STEP " S a, b(t(start = 0.6));\n"
                   "equation initialState(a);\n"
                   " transition(a, b, a.t < 1);\n"
                   "end C;\n",
                   NULL, NULL);

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0, 0);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_START);
  check_near(value(&r, "b.t"), 1.6, 1e-12);
  rig_free(&r);
}

/* A guard that is handed over on the near side of its zero does not lead back. */
static void modes_that_share_a_surface_do_not_chatter(void **state)
{
  static const char *const sides[] = {"after", "nearest", "before"};
  char text[1200];

  (void)state;
  for (int strict = 0; strict < 2; strict++)
    for (int s = 0; s < 3; s++) {
      snprintf(
          text, sizeof text,
          "model B model M parameter Real k; Real h(start = 0.83), v(start = 0);\n"
          "  equation der(h) = v; der(v) = -9.81 - k*h; end M;\n"
          " M fly(k = 0), floor(k = 2000);\n"
          "equation initialState(fly);\n"
          " transition(fly, floor, fly.h %s 0) annotation(__brink(side = \"%s\"));\n"
          " transition(floor, fly, floor.h %s 0) annotation(__brink(side = \"%s\"));\n"
          " when activeState(floor) then\n"
          "  reinit(floor.h, fly.h); reinit(floor.v, fly.v); end when;\n"
          " when activeState(fly) then\n"
          "  reinit(fly.h, floor.h); reinit(fly.v, floor.v); end when;\n"
          "end B;\n",
          strict ? "<" : "<=", sides[s], strict ? ">" : ">=", sides[s % 2]);
      rig r = text_rig(text, NULL, NULL);
      double w = sqrt(2000), v = sqrt(2 * 9.81 * 0.83), fall = v / 9.81;
      double stay = 2 * (acos(-1) - atan(v * w / 9.81)) / w;
      check_status(brink_sim_run(r.sim, 9 * fall), BRINK_END);
      assert_int_equal(rig_events(&r), 8);
      for (size_t k = 0; k < 8; k++)
        check_near(rig_event(&r, k).t,
                   fall + (double)((k + 1) / 2) * stay + (double)(k / 2) * 2 * fall,
                   2e-9);
      assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
      rig_free(&r);
    }
}

/* ---------------------------------------------------------- one-sidedness ---- */

static void a_transition_with_side_before_is_never_passed(void **state)
{
  rig r = text_rig("model T model Drain Real h(start = 0.77);\n"
                   "  equation der(h) = -0.3 - sqrt(h); end Drain;\n"
                   " model Empty Real t(start = 0); equation der(t) = 1; end Empty;\n"
                   " Drain drain; Empty empty;\n"
                   "equation initialState(drain);\n"
                   " transition(drain, empty, drain.h <= 0)\n"
                   "  annotation(__brink(side = \"before\"));\n"
                   "end T;\n",
                   NULL, NULL);
  double s = sqrt(0.77); /* dt = -2 s ds/(0.3 + s) */

  (void)state;
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 2 * (s - 0.3 * log1p(s / 0.3)), 1e-8);
  assert_int_equal(rig_event(&r, 0).side, BRINK_BEFORE);
  check_in(rig_event(&r, 0).y_before[0], 0, 1e-8);
  assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
  rig_free(&r);
}

/* The first that names a locator chooses for its mode, if wishes are heard. */
static void a_transition_chooses_the_locator_of_its_mode(void **state)
{
  static const char text[] =
      "model C\n" STEP " S a, b;\n"
      "equation initialState(a);\n"
      " transition(a, b, a.t^2 > 0.25) annotation(__brink(locate = \"bisection\"));\n"
      " transition(b, a, b.t > 0.2, reset = true);\n"
      "end C;\n";

  (void)state;
  for (int wishes = 0; wishes < 2; wishes++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.wishes = wishes;
    opt.locator = "illinois";
    rig r = text_rig(text, NULL, &opt);
    check_status(brink_sim_run(r.sim, 1.1), BRINK_END);
    assert_int_equal(rig_events(&r), 2);
    assert_string_equal(rig_event(&r, 0).located_by, wishes ? "bisection" : "illinois");
    assert_string_equal(rig_event(&r, 1).located_by, "illinois");
    check_near(rig_event(&r, 0).t, 0.5, 1e-9);
    check_near(rig_event(&r, 1).t, 0.7, 1e-9);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------- sleeping ---- */

/* The equations of a mode do not exist while it sleeps, nor on the values of its last
 * stay: z = 1/x would have none. */
static void sleeping_equations_are_not_evaluated(void **state)
{
  settings s = {.n = 0};
  rig r;

  (void)state;
  set(&s, "b.x", 0);
  set(&s, "a.x", 0.4);
  r = text_rig(
      "model Z\n"
      " model A Real x(start = 1); equation der(x) = 1; end A;\n"
      " model B Real x(start = 3), z = 1/x; Integer k(start = 4);\n"
      " equation der(x) = z; when sample(0.1, 0.1) then k = pre(k) + 1; end when;\n"
      " end B;\n"
      " A a; B b; Real y = if activeState(b) then b.z else -b.k;\n"
      "equation initialState(a); transition(a, b, a.x > 0.9);\n"
      " transition(b, a, b.x > 2.5, reset = true);\n"
      " when activeState(b) then reinit(b.x, 2*a.x); end when;\n"
      "end Z;\n",
      &s, NULL);
  check_near(value(&r, "y"), -4, 0);
  check_status(brink_sim_run(r.sim, 0.45), BRINK_END);
  check_near(value(&r, "b.x"), 0, 0);
  check_status(brink_sim_run(r.sim, 0.7), BRINK_END); /* from 0.5 on x^2 = 3.24 + 2 t */
  check_near(value(&r, "b.x"), sqrt(3.24 + 0.4), 1e-10);
  check_near(value(&r, "y"), 1 / sqrt(3.24 + 0.4), 1e-10);
  check_near(value(&r, "b.k"), 7, 0);                 /* at 0.5, 0.6, 0.7 */
  check_status(brink_sim_run(r.sim, 2.5), BRINK_END); /* x = 2.5 at 0.5 + 1.505 */
  check_near(value(&r, "b.x"), 2.5, 1e-9);
  check_near(value(&r, "b.k"), 20, 0);
  check_near(value(&r, "a.x"), 0.4 + 0.495, 1e-9);
  rig_free(&r);
}

/* --------------------------------------------------------------- faults ---- */

static void faults_of_structure_are_told_with_their_place(void **state)
{
#define PARTS                                                                          \
  "model F model A input Real u; Real x(start = 0);\n"                                 \
  "  equation der(x) = u; end A;\n"
#define MACHINE                                                                        \
  "equation initialState(a); transition(a, b, a.x > 1);\n"                             \
  " transition(b, c, b.x > 1);\n"
  static const struct {
    const char *text, *said;
    int line;
  } bad[] = {
      {PARTS " A a, b(u = 1), c(u = 2); Real y = time;\n" MACHINE " a.u = y;\nend F;\n",
       "'a.u' belongs to mode 'a'; the equation that determines it must stand in that "
       "mode",
       6},
      {PARTS " A a(u = 3), b, c(u = 2); Real y = time;\n" MACHINE " b.u = y;\nend F;\n",
       "'b.u' belongs to mode 'b'; the equation that determines it must stand in that "
       "mode",
       6},
      {PARTS " A a(u = 3), b(u = 1), c(u = 2);\n" MACHINE " c.x = time;\nend F;\n",
       "'c.x' belongs to mode 'c'; the equation that determines it must stand in that "
       "mode",
       6},
      {PARTS " A a(u = 3), b(u = 1), c; Real y = time;\n" MACHINE "end F;\n",
       "no equation determines 'c.u'", 1},
      {PARTS " A a(u = y), b(u = 1), c(u = y); Real y;\n" MACHINE "end F;\n",
       "no equation determines 'y'", 3},
  };

  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    brink_ctx *ctx = NULL;
    brink_model *model = NULL;
    check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
    check_status(
        brink_model_read(ctx, "f.mo", bad[i].text, strlen(bad[i].text), NULL, &model),
        BRINK_EMODEL);
    assert_null(model);
    check_text(brink_ctx_error(ctx)->text, bad[i].said);
    assert_int_equal(brink_ctx_error(ctx)->line, bad[i].line);
    brink_ctx_free(ctx);
  }
}

/* --------------------------------------------------------------- memory ---- */

/* Two machines, so that a combination is built during the run; one in a mode; a delay.
 */
static brink_status attempt(brink_ctx *ctx)
{
  static const char text[] =
      "model C\n" STEP
      " model N S p, q; equation initialState(p); transition(p, q, p.t > 0.1); end N;\n"
      " N b; S a, c, d; Real late = delay(b.p.t, 0.2);\n"
      "equation initialState(a); initialState(c);\n"
      " transition(a, b, a.t > 0.37); transition(c, d, c.t > 0.2 and a.t > 0.21);\n"
      "end C;\n";
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  brink_status rc = brink_model_read(ctx, "c.mo", text, strlen(text), NULL, &model);

  if (rc >= 0)
    rc = brink_sim_new(ctx, model, NULL, &sim);
  if (rc >= 0)
    rc = brink_sim_start(sim, 0, 0, NULL);
  if (rc >= 0)
    rc = brink_sim_run(sim, 1);
  if (rc >= 0)
    assert_int_equal(brink_trace_events(brink_sim_trace(sim)), 3);
  brink_sim_free(sim);
  brink_model_free(model);
  return rc;
}

/* One machine: all its modes were built with the model. */
static void modes_that_were_entered_once_take_no_more_memory(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.keep = BRINK_KEEP_NOTHING;
  rig r = text_rig("model House\n" HOUSE "equation\n" HOUSE_EQUATIONS "end House;\n",
                   NULL, &opt);
  check_status(brink_sim_run(r.sim, 10), BRINK_END);
  size_t calls = brink_ctx_alloc_stats(r.ctx).calls;
  check_in((double)brink_sim_statistics(r.sim).events, 3, 20);
  check_status(brink_sim_run(r.sim, 300), BRINK_END);
  check_in((double)brink_sim_statistics(r.sim).events, 100, 1000);
  assert_int_equal(brink_ctx_alloc_stats(r.ctx).calls, calls);
  rig_free(&r);
}

static void every_allocation_may_fail(void **state)
{
  int more = 1;

  (void)state;
  for (long at = 1; more; at++) {
    flaky f = {.fail_at = at};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink_status rc = brink_ctx_new(&alloc, &ctx);
    if (rc >= 0) {
      rc = attempt(ctx);
      brink_ctx_free(ctx);
    }
    more = f.calls >= at;
    check_status(rc, more ? BRINK_ENOMEM : BRINK_END);
    assert_int_equal(f.live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callbacks_and_text_agree_to_1e_12),
      cmocka_unit_test(a_triple_zero_fires_nothing_and_the_flight_lasts_4_v_y_over_g),
      cmocka_unit_test(machines_side_by_side_do_what_each_does_alone),
      cmocka_unit_test(only_the_combinations_that_are_met_are_built),
      cmocka_unit_test(a_run_begins_in_any_combination),
      cmocka_unit_test(too_many_combinations_are_refused),
      cmocka_unit_test(a_model_serves_several_simulations),
      cmocka_unit_test(threads_may_meet_a_combination_at_once),
      cmocka_unit_test(a_chain_is_several_instants),
      cmocka_unit_test(a_circle_without_time_is_an_error_that_names_it),
      cmocka_unit_test(a_condition_that_its_own_event_undoes_is_named),
      cmocka_unit_test(what_holds_at_the_start_leads_on_at_the_start),
      cmocka_unit_test(modes_that_share_a_surface_do_not_chatter),
      cmocka_unit_test(a_transition_with_side_before_is_never_passed),
      cmocka_unit_test(a_transition_chooses_the_locator_of_its_mode),
      cmocka_unit_test(sleeping_equations_are_not_evaluated),
      cmocka_unit_test(faults_of_structure_are_told_with_their_place),
      cmocka_unit_test(modes_that_were_entered_once_take_no_more_memory),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
