/* Random differential-algebraic systems whose index changes at run time, with planted
 * solutions: every event is found where it is, and the solution goes on.
 *
 * Each variable is a smooth function of time that is chosen first, and each equation is
 * satisfied by it in both branches; so the solution does not depend on the modes, but
 * their index does, and so does what is a state.  Relations compare a variable with a
 * threshold: they change at times that are known from the function.
 *
 * The environment variable BRINK_HYBRID_DAES is the number of systems,
 * BRINK_HYBRID_FIRST the number of the first one; BRINK_HYBRID_SHOW prints each. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

enum { DEFAULT_COUNT = 120, UNITS = 4, RELATIONS = 8, TIMES = 200 };

static const double SPAN = 3;

typedef struct wave { /* a sin(w t + p) */
  double a, w, p;
} wave;

/* What a branch changes. */
typedef enum kind {
  HELD,       /* x' = z, and z given: index 1; or x given: index 2                   */
  HELD_TWICE, /* the same for x'': index 1 or 3                                     */
  RELEASED,   /* x' given: index 1; or x given, then it is no state                  */
  RELEASED_TWICE, /* x'' given, or x given: then x' is no state either              */
  GAIN, /* the law of z alone: the structure stays                            */
  KINDS
} kind;

typedef struct unit {
  kind kind;
  wave x, z;
  int relation;
  int named;            /* there is a variable v = x'                             */
  double pull, damping; /* towards the planted solution; two laws: +-          */
  int of;               /* another unit that it is coupled to                  */
  double by;
} unit;

typedef struct relation {
  int unit, on_z, above;
  double level;
} relation;

typedef struct system {
  uint64_t seed;
  double t0;
  int accurate; /* for methods whose errors are of the size of the tolerance */
  int n_units, n_relations, n_times;
  unit unit[UNITS];
  relation relation[RELATIONS];
  double time[TIMES]; /* at which relations change */
  char text[16384];
  size_t used;
} system_;

static double at(const wave *v, int k, double t)
{
  static const double quarter = 1.57079632679489661923;

  return v->a * pow(v->w, k) * sin(v->w * t + v->p + k * quarter);
}

/* --------------------------------------------------------------- making --- */

static void say(system_ *s, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  s->used +=
      (size_t)vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
  va_end(args);
  assert_true(s->used < sizeof s->text);
}

static int below(system_ *s, int n) { return (int)(rand_01(&s->seed) * n); }

static wave make_wave(system_ *s)
{
  wave v = {rand_in(&s->seed, 0.4, 1.2), rand_in(&s->seed, 0.6, 2.4),
            rand_in(&s->seed, -3, 3)};
  return v;
}

/* Times at which the relation changes; 0: they cannot be told apart from others. */
static int find_times(system_ *s, const relation *r)
{
  const wave *v = r->on_z ? &s->unit[r->unit].z : &s->unit[r->unit].x;
  enum { GRID = 3000 };

  for (int i = 0; i < GRID; i++) {
    double a = s->t0 + SPAN * i / GRID, b = s->t0 + SPAN * (i + 1) / GRID;
    double ga = at(v, 0, a) - r->level, gb = at(v, 0, b) - r->level;
    if (fabs(ga) < 2e-3 && fabs(at(v, 1, a)) < 0.15)
      return 0; /* it grazes */
    if ((ga < 0) == (gb < 0))
      continue;
    for (int k = 0; k < 60; k++) {
      double c = (a + b) / 2;
      if ((at(v, 0, c) - r->level < 0) == (ga < 0))
        a = c;
      else
        b = c;
    }
    if (a < s->t0 + 0.01 || a > s->t0 + SPAN - 0.01)
      return 0;
    for (int k = 0; k < s->n_times; k++)
      if (fabs(s->time[k] - a) < 1e-3)
        return 0;
    s->time[s->n_times++] = a;
  }
  return 1;
}

static int holds(const system_ *s, const relation *r, double t)
{
  const wave *v = r->on_z ? &s->unit[r->unit].z : &s->unit[r->unit].x;

  return (at(v, 0, t) > r->level) == r->above;
}

static void make_relations(system_ *s)
{
  s->n_relations = 1 + below(s, RELATIONS);
  for (int i = 0; i < s->n_relations; i++) {
    relation *r = &s->relation[i];
    int kept = s->n_times, good = 0;
    for (int tries = 0; tries < 50 && !good; tries++) {
      *r = (relation){below(s, s->n_units), below(s, 2), below(s, 2),
                      rand_in(&s->seed, -0.4, 0.4)};
      s->n_times = kept;
      /* two laws of z differ by the error of x: where that is more than what a mode
       * allows for, the solution has to chatter */
      r->on_z &= s->accurate && s->unit[r->unit].kind != GAIN;
      good = find_times(s, r);
    }
    if (!good) {
      s->n_times = kept;
      s->n_relations = i;
    }
  }
}

static void say_wave(system_ *s, const wave *v, int k)
{
  static const char *const form[] = {"((%.17g)*sin(%.17g*time + (%.17g)))",
                                     "((%.17g)*cos(%.17g*time + (%.17g)))",
                                     "(-(%.17g)*sin(%.17g*time + (%.17g)))"};

  say(s, form[k], v->a * pow(v->w, k), v->w, v->p);
}

/* x - its planted value, of a unit. */
static void say_off(system_ *s, int i)
{
  say(s, "(x[%d] - (", i + 1);
  say_wave(s, &s->unit[i].x, 0);
  say(s, "))");
}

static void say_condition(system_ *s, const unit *u)
{
  const relation *r = &s->relation[u->relation];

  if (u->relation % 2) { /* through a variable, or as it is */
    say(s, "b[%d]", u->relation + 1);
    return;
  }
  say(s, "%s[%d] %s (%.17g)", r->on_z ? "z" : "x", r->unit + 1, r->above ? ">" : "<",
      r->level);
}

/* What acts on the unit: pull towards its planted value, and another unit. */
static void say_pull(system_ *s, int i, double sign)
{
  const unit *u = &s->unit[i];

  say(s, "(%.17g)*", -u->pull * sign);
  say_off(s, i);
  say(s, " + (%.17g)*", u->by);
  say_off(s, u->of);
}

static void say_rate(system_ *s, int i)
{
  const unit *u = &s->unit[i];
  int twice = u->kind == HELD_TWICE || u->kind == RELEASED_TWICE;

  say_wave(s, &u->x, 1 + twice);
  say(s, " + ");
  say_pull(s, i, 1);
  if (twice) {
    say(s, " - %.17g*(der(x[%d]) - (", u->damping, i + 1);
    say_wave(s, &u->x, 1);
    say(s, "))");
  }
}

static void say_unit(system_ *s, int i)
{
  const unit *u = &s->unit[i];
  int twice = u->kind == HELD_TWICE || u->kind == RELEASED_TWICE, k = i + 1;
  const char *rate = twice ? "der(der(x[%d]))" : "der(x[%d])";

  if (u->kind == RELEASED || u->kind == RELEASED_TWICE) {
    say(s, "  0 = if ");
    say_condition(s, u);
    say(s, " then ");
    say_off(s, i);
    say(s, " else ");
    say(s, rate, k);
    say(s, " - (");
    say_rate(s, i);
    say(s, ");\n  z[%d] = ", k);
    say_wave(s, &u->z, 0);
    say(s, " + (%.17g)*", u->by);
    say_off(s, u->of);
    say(s, ";\n");
    return;
  }
  say(s, "  ");
  say(s, rate, k);
  say(s, " = ");
  say_rate(s, i);
  say(s, " + %.17g*(z[%d] - (", u->damping, k);
  say_wave(s, &u->z, 0);
  say(s, "));\n  0 = if ");
  say_condition(s, u);
  say(s, " then ");
  if (u->kind == GAIN) {
    say(s, "z[%d] - (", k);
    say_wave(s, &u->z, 0);
    say(s, ") + ");
    say_pull(s, i, -1);
  } else
    say_off(s, i);
  say(s, " else z[%d] - (", k);
  say_wave(s, &u->z, 0);
  say(s, ") + ");
  say_pull(s, i, 0.5);
  say(s, ";\n");
}

static void make_text(system_ *s)
{
  s->used = 0;
  say(s, "model H\n");
  for (int i = 0; i < s->n_units; i++) {
    const unit *u = &s->unit[i];
    say(s, "  // unit %d: x = ", i + 1);
    say_wave(s, &u->x, 0);
    say(s, ", kind %d\n", (int)u->kind);
  }
  say(s, "  Real x[%d](start = {", s->n_units);
  for (int i = 0; i < s->n_units; i++)
    say(s, "%s%.17g", i ? ", " : "", at(&s->unit[i].x, 0, s->t0));
  say(s, "}), v[%d](start = {", s->n_units);
  for (int i = 0; i < s->n_units; i++)
    say(s, "%s%.17g", i ? ", " : "", at(&s->unit[i].x, 1, s->t0));
  say(s, "}), z[%d](start = {", s->n_units);
  for (int i = 0; i < s->n_units; i++)
    say(s, "%s%.17g", i ? ", " : "", at(&s->unit[i].z, 0, s->t0));
  say(s, "});\n  Boolean b[%d];\nequation\n", s->n_relations);
  for (int i = 0; i < s->n_relations; i++) {
    const relation *r = &s->relation[i];
    say(s, "  b[%d] = %s[%d] %s (%.17g);\n", i + 1, r->on_z ? "z" : "x", r->unit + 1,
        r->above ? ">" : "<", r->level);
  }
  for (int i = 0; i < s->n_units; i++) {
    if (s->unit[i].named)
      say(s, "  v[%d] = der(x[%d]);\n", i + 1, i + 1);
    else
      say(s, "  v[%d] = 0;\n", i + 1);
    say_unit(s, i);
  }
  say(s, "  annotation(experiment(StartTime = %.17g, StopTime = %.17g));\nend H;\n",
      s->t0, s->t0 + SPAN);
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void make(system_ *s, uint64_t seed, int accurate)
{
  *s = (system_){.seed = 0x9e3779b97f4a7c15u * (seed + 1), .accurate = accurate};
  for (int i = 0; i < 5; i++)
    rand_01(&s->seed);
  s->t0 = rand_in(&s->seed, -2, 2);
  s->n_units = 1 + below(s, UNITS);
  for (int i = 0; i < s->n_units; i++)
    s->unit[i] = (unit){(kind)below(s, KINDS),
                        make_wave(s),
                        make_wave(s),
                        0,
                        1,
                        rand_in(&s->seed, 0.5, 2),
                        rand_in(&s->seed, 0.5, 2),
                        below(s, s->n_units),
                        rand_in(&s->seed, -0.3, 0.3)};
  do
    make_relations(s);
  while (s->n_relations == 0);
  for (int i = 0; i < s->n_units; i++) {
    unit *u = &s->unit[i];
    u->relation = below(s, s->n_relations);
    /* a derivative without a name has no start value: it must be determined then */
    u->named = u->kind != RELEASED_TWICE ||
               !holds(s, &s->relation[u->relation], s->t0) || below(s, 2);
  }
  qsort(s->time, (size_t)s->n_times, sizeof *s->time, by_size);
  make_text(s);
}

/* -------------------------------------------------------------- running --- */

typedef struct outcome {
  double error, late;
  int events, wrong;
  char why[BRINK_ERR_TEXT];
} outcome;

static void compare(const system_ *s, brink_sim *sim, outcome *out)
{
  const brink_trace *trace = brink_sim_trace(sim);
  char name[32];
  double got;

  for (size_t i = 0; i < brink_trace_events(trace); i++) {
    brink_event e = brink_trace_event(trace, i);
    if (e.kind == BRINK_KIND_TOUCH)
      continue;
    if (out->events < s->n_times)
      out->late = fmax(out->late, fabs(e.t - s->time[out->events]));
    out->events++;
  }
  for (int i = 0; i < s->n_units; i++) {
    const unit *u = &s->unit[i];
    snprintf(name, sizeof name, "x[%d]", i + 1);
    check_status(brink_sim_get(sim, name, &got), BRINK_OK);
    out->error = fmax(out->error, fabs(got - at(&u->x, 0, s->t0 + SPAN)));
    snprintf(name, sizeof name, "z[%d]", i + 1);
    check_status(brink_sim_get(sim, name, &got), BRINK_OK);
    out->error = fmax(out->error, fabs(got - at(&u->z, 0, s->t0 + SPAN)));
  }
}

static void run(const system_ *s, const char *method, const char *locate, double rtol,
                outcome *out)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  *out = (outcome){0};
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  opt.method = method;
  opt.locator = locate;
  opt.rtol = opt.atol = rtol;
  opt.h_max = SPAN / 20;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = SPAN / 500;
  brink_status rc = brink_model_read(ctx, "h.mo", s->text, s->used, NULL, &model);
  if (rc == BRINK_OK)
    rc = brink_sim_new(ctx, model, &opt, &sim);
  if (rc < 0) {
    snprintf(out->why, sizeof out->why, "%s", brink_ctx_error(ctx)->text);
    out->wrong = 1;
  } else if ((rc = brink_sim_start(sim, s->t0, 0, NULL)) < 0 ||
             (rc = brink_sim_run(sim, s->t0 + SPAN)) != BRINK_END) {
    snprintf(out->why, sizeof out->why, "status %d, %.400s", (int)rc,
             brink_sim_error(sim)->text);
    out->wrong = 1;
  } else
    compare(s, sim, out);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void every_event_is_found_and_the_solution_goes_on(void **state)
{
  static system_ s;
  static const char *const methods[] = {"dopri5", "dop853", "adams", "taylor",
                                        "rkf45",  "bs23",   "rk4"};
  /* those that go on until the zero is found */
  static const char *const locators[] = {
      "isolate",  "bisection",    "secant",      "tangent",     "falsi",
      "illinois", "itp",          "extrapolate", "extra-state", "henon",
      "direct",   "direct-const", "direct-pc",   "direct-pc2"};
  long count = random_cases("BRINK_HYBRID_DAES", DEFAULT_COUNT), failed = 0, events = 0;
  long first = asked_number("BRINK_HYBRID_FIRST", 0);
  double worst = 0, late = 0;

  (void)state;
  for (long i = first; i < first + count; i++) {
    const char *method = methods[i % 7];
    double rtol = strcmp(method, "bs23") == 0 ? 1e-7 : 1e-9;
    double limit = strcmp(method, "rk4") == 0 ? 1e-7 : 1000 * rtol;
    outcome out;
    make(&s, (uint64_t)i, i % 7 < 4);
    if (getenv("BRINK_HYBRID_SHOW"))
      printf("%s", s.text);
    run(&s, method, locators[i / 7 % 14], rtol, &out);
    int bad = out.wrong || out.events != s.n_times || !(out.error <= limit) ||
              !(out.late <= limit);
    if (bad)
      printf(
          "system %ld, %s: %d events of %d, off by %.3g in time, %.3g in value: %s\n",
          i, method, out.events, s.n_times, out.late, out.error, out.why);
    failed += bad;
    events += s.n_times;
    worst = fmax(worst, out.error / limit);
    late = fmax(late, out.late / limit);
  }
  printf(
      "%ld systems, %ld events, %ld failed; values off by %.3g, times by %.3g of what "
      "is allowed\n",
      count, events, failed, worst, late);
  assert_int_equal(failed, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_event_is_found_and_the_solution_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
