/* Random piecewise-affine systems with resets: each run comes to its end or is told why
 * not, and where it slides or comes to rest it agrees with brute force.
 *
 * One or two planes cut the space into regions with an affine law each; the laws are
 * often such that both sides lead to the plane between them.  Some systems have a floor
 * that the first state bounces on, the second being its velocity, so that bounces
 * accumulate; some a plane whose crossing moves the state.
 *
 * The reference steps through time with a small fixed step.  A plane is replaced by a
 * layer of a small width across which the laws are blended, bilinearly where two layers
 * meet; that is the limit which Filippov's solution and the bilinear one have in
 * common. A bounce reverses the velocity whenever the floor is passed, however slow it
 * is (Moreau's stepping).  Two widths give an estimate of its error; where they do not
 * agree the solution is not unique, or too sensitive to compare.
 *
 * The environment variable BRINK_AFFINE is the number of systems, BRINK_AFFINE_FIRST
 * the number of the first one; BRINK_AFFINE_SHOW prints each. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

enum { DEFAULT_COUNT = 60, STATES = 6, PLANES = 2, LAWS = 4 };

static const double SPAN = 3;

/* What a crossing that moves the state leaves of it: without this, moves in one
 * direction add up to states and rates that grow without bound. */
static const double KEPT = 0.6;

/* Of the reference: the wider layer, and steps across it at speed 1.  The speeds on the
 * two sides differ by up to ten: with fewer steps Heun's method is unstable in the
 * layer, and jumping to and fro gives the laws other weights where two layers meet. */
static const double WIDTH = 2e-4, STEPS_ACROSS = 12;

/* The two references agree to this: else nothing is compared.  brink may differ by so
 * many times their difference, and by that much anyway. */
static const double UNIQUE = 2e-2, FACTOR = 4, ANYWAY = 2e-3;

typedef struct plane {
  double c[STATES], level;
} plane;

typedef struct system {
  uint64_t seed;
  int n, n_planes;
  double t0, x0[STATES];
  double a[LAWS][STATES][STATES], b[LAWS][STATES];
  plane plane[PLANES];
  int floor; /* x1 bounces on 0 ...                                       */
  double e;  /* ... and keeps this part of its velocity x2                */
  int gate;  /* crossing this plane upward ...                            */
  plane moving;
  double kick[STATES]; /* ... moves the state */
  char text[32768];
  size_t used;
} system_;

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

static double above(const plane *p, int n, const double *x)
{
  double sum = -p->level;

  for (int i = 0; i < n; i++)
    sum += p->c[i] * x[i];
  return sum;
}

static plane make_plane(system_ *s, int first)
{
  plane p = {.level = rand_in(&s->seed, -0.4, 0.4)};

  for (int i = first; i < s->n; i++)
    p.c[i] = rand_in(&s->seed, -1, 1);
  return p;
}

/* The law of each region: a common one, a random change, and a pull of each plane that
 * leads mostly to it. */
static void make_laws(system_ *s)
{
  double pull[PLANES];

  for (int k = 0; k < s->n_planes; k++)
    pull[k] = below(s, 4) ? rand_in(&s->seed, 0.3, 2) : -rand_in(&s->seed, 0.1, 0.5);
  for (int i = 0; i < s->n; i++) {
    double b = rand_in(&s->seed, -0.8, 0.8);
    for (int j = 0; j < s->n; j++)
      s->a[0][i][j] = rand_in(&s->seed, -0.8, 0.8) - 0.5 * (i == j);
    for (int r = 0; r < LAWS; r++) {
      for (int j = 0; j < s->n; j++)
        s->a[r][i][j] = s->a[0][i][j] + (r ? rand_in(&s->seed, -0.3, 0.3) : 0);
      s->b[r][i] = b + rand_in(&s->seed, -0.2, 0.2);
      for (int k = 0; k < s->n_planes; k++)
        s->b[r][i] -= (r >> k & 1 ? 1 : -1) * pull[k] * s->plane[k].c[i];
    }
  }
}

/* The first two states are place and velocity over a floor. */
static void make_floor(system_ *s)
{
  for (int r = 0; r < LAWS; r++) {
    for (int j = 0; j < s->n; j++)
      s->a[r][0][j] = j == 1;
    s->b[r][0] = 0;
    s->a[r][1][0] = 0;
    s->b[r][1] = -rand_in(&s->seed, 1, 4);
  }
  s->x0[0] = rand_in(&s->seed, 0.1, 0.6);
  s->e = rand_in(&s->seed, 0, 0.7);
}

static void make(system_ *s, uint64_t number)
{
  *s = (system_){.seed = 0xd1342543de82ef95u * (number + 1)};
  s->seed = rand_u64(&s->seed);
  s->n = 2 + below(s, STATES - 1);
  s->t0 = rand_in(&s->seed, -2, 2);
  s->n_planes = 1 + below(s, PLANES);
  s->floor = s->n > 2 && below(s, 3) == 0;
  s->gate = below(s, 3) == 0;
  for (int k = 0; k < s->n_planes; k++)
    s->plane[k] = make_plane(s, s->floor ? 2 : 0);
  for (int i = 0; i < s->n; i++)
    s->x0[i] = rand_in(&s->seed, -1, 1);
  make_laws(s);
  if (s->floor)
    make_floor(s);
  s->moving = make_plane(s, s->floor ? 2 : 0);
  for (int i = s->floor ? 2 : 0; i < s->n; i++)
    s->kick[i] = rand_in(&s->seed, -0.6, 0.6);
}

static void say_plane(system_ *s, const plane *p)
{
  say(s, "(%.17g)", -p->level);
  for (int i = 0; i < s->n; i++)
    if (p->c[i] != 0)
      say(s, " + (%.17g)*x[%d]", p->c[i], i + 1);
}

static void say_law(system_ *s, int r, int i)
{
  say(s, "(%.17g)", s->b[r][i]);
  for (int j = 0; j < s->n; j++)
    if (s->a[r][i][j] != 0)
      say(s, " + (%.17g)*x[%d]", s->a[r][i][j], j + 1);
}

static void make_text(system_ *s)
{
  s->used = 0;
  say(s, "model A\n  Real x[%d](start = {", s->n);
  for (int i = 0; i < s->n; i++)
    say(s, "%s%.17g", i ? ", " : "", s->x0[i]);
  say(s, "}, each fixed = true);\n  Real g[%d];\nequation\n", s->n_planes);
  for (int k = 0; k < s->n_planes; k++) {
    say(s, "  g[%d] = ", k + 1);
    say_plane(s, &s->plane[k]);
    say(s, ";\n");
  }
  for (int i = 0; i < s->n; i++) {
    say(s, "  der(x[%d]) = if g[1] > 0 then (", i + 1);
    for (int side = 1; side >= 0; side--) {
      if (s->n_planes == 2) {
        say(s, "if g[2] > 0 then ");
        say_law(s, 2 + side, i);
        say(s, " else ");
      }
      say_law(s, side, i);
      say(s, side ? ")\n    else (" : ");\n");
    }
  }
  if (s->floor)
    say(s, "  when x[1] <= 0 then\n    reinit(x[2], -%.17g*pre(x[2]));\n  end when;\n",
        s->e);
  if (s->gate) {
    say(s, "  when ");
    say_plane(s, &s->moving);
    say(s, " > 0 then\n");
    for (int i = 0; i < s->n; i++)
      if (s->kick[i] != 0)
        say(s, "    reinit(x[%d], %.17g*pre(x[%d]) + (%.17g));\n", i + 1, KEPT, i + 1,
            s->kick[i]);
    say(s, "  end when;\n");
  }
  say(s, "  annotation(experiment(StartTime = %.17g, StopTime = %.17g));\nend A;\n",
      s->t0, s->t0 + SPAN);
}

/* ------------------------------------------------------------ reference --- */

/* The law blended over layers of this width. */
static void blended(const system_ *s, double width, const double *x, double *f)
{
  double part[PLANES] = {0};

  for (int k = 0; k < s->n_planes; k++) {
    double to = 0.5 + above(&s->plane[k], s->n, x) / width;
    part[k] = fmin(fmax(to, 0), 1);
  }
  for (int i = 0; i < s->n; i++)
    f[i] = 0;
  for (int r = 0; r < 1 << s->n_planes; r++) {
    double weight = 1;
    for (int k = 0; k < s->n_planes; k++)
      weight *= r >> k & 1 ? part[k] : 1 - part[k];
    for (int i = 0; weight != 0 && i < s->n; i++) {
      double sum = s->b[r][i];
      for (int j = 0; j < s->n; j++)
        sum += s->a[r][i][j] * x[j];
      f[i] += weight * sum;
    }
  }
}

/* Heun's method: its error is far below that of the layer. */
static void reference(const system_ *s, double width, double *x)
{
  double f[STATES], g[STATES], y[STATES];
  long steps = (long)ceil(SPAN * STEPS_ACROSS / width);
  double h = SPAN / (double)steps;

  memcpy(x, s->x0, sizeof s->x0);
  for (long k = 0; k < steps; k++) {
    double before = above(&s->moving, s->n, x);
    blended(s, width, x, f);
    for (int i = 0; i < s->n; i++)
      y[i] = x[i] + h * f[i];
    blended(s, width, y, g);
    for (int i = 0; i < s->n; i++)
      x[i] += h * (f[i] + g[i]) / 2;
    if (s->floor && x[0] <= 0) {
      x[0] = 0;
      x[1] = fmax(x[1], -s->e * x[1]);
    }
    if (s->gate && before <= 0 && above(&s->moving, s->n, x) > 0)
      for (int i = 0; i < s->n; i++)
        x[i] = s->kick[i] != 0 ? KEPT * x[i] + s->kick[i] : x[i];
  }
}

static double distance(const system_ *s, const double *x, const double *y)
{
  double most = 0;

  for (int i = 0; i < s->n; i++)
    most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

/* -------------------------------------------------------------- running --- */

typedef struct outcome {
  brink_status rc;
  double x[STATES];
  long events, slides, rests, zenos;
  int branches; /* brink says that the solution is not the only one */
  char why[BRINK_ERR_TEXT];
} outcome;

static void look(const system_ *s, brink_sim *sim, outcome *out)
{
  const brink_trace *trace = brink_sim_trace(sim);
  char name[32];

  for (size_t i = 0; i < brink_trace_events(trace); i++) {
    brink_kind kind = brink_trace_event(trace, i).kind;
    out->slides += kind == BRINK_KIND_SLIDE_IN;
    out->rests += strcmp(brink_kind_text(kind), "rest") == 0;
    out->zenos += kind == BRINK_KIND_ZENO;
  }
  out->events = brink_sim_statistics(sim).events;
  for (int i = 0; brink_sim_warning(sim, i); i++)
    out->branches |= strstr(brink_sim_warning(sim, i), "is not unique") != NULL;
  for (int i = 0; i < s->n; i++) {
    snprintf(name, sizeof name, "x[%d]", i + 1);
    check_status(brink_sim_get(sim, name, &out->x[i]), BRINK_OK);
  }
}

static void run(const system_ *s, const char *method, outcome *out)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  *out = (outcome){0};
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  opt.method = method;
  opt.rtol = opt.atol = 1e-8;
  opt.h_max = SPAN / 50;
  opt.max_events = 20000; /* none of these has so many */
  opt.max_steps = 1000000;
  out->rc = brink_model_read(ctx, "a.mo", s->text, s->used, NULL, &model);
  if (out->rc == BRINK_OK)
    out->rc = brink_sim_new(ctx, model, &opt, &sim);
  if (out->rc < 0)
    snprintf(out->why, sizeof out->why, "%s", brink_ctx_error(ctx)->text);
  else if ((out->rc = brink_sim_start(sim, s->t0, 0, NULL)) >= 0) {
    out->rc = brink_sim_run(sim, s->t0 + SPAN);
    look(s, sim, out);
  }
  if (sim && out->rc != BRINK_END)
    snprintf(out->why, sizeof out->why, "%s", brink_sim_error(sim)->text);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static long number(const char *name, long otherwise)
{
  const char *text = getenv(name);
  return text ? strtol(text, NULL, 10) : otherwise;
}

typedef struct tally {
  long ended, told, limits, compared, apart, slid, rested, not_unique, branches;
} tally;

/* Is the run of system i as it should be? */
static void judge(const system_ *s, long i, const char *method, const outcome *out,
                  tally *all)
{
  double wide[STATES], narrow[STATES];
  int show = getenv("BRINK_AFFINE_SHOW") != NULL;

  all->slid += out->slides > 0;
  all->rested += out->rests > 0;
  all->limits += out->rc == BRINK_LIMIT || out->rc == BRINK_EBUG;
  if (out->rc != BRINK_END) {
    all->told += out->rc != BRINK_LIMIT;
    if (show)
      print_message("system %ld, %s: %d, %s\n", i, method, (int)out->rc, out->why);
    return;
  }
  all->ended++;
  if (out->slides + out->rests + out->zenos == 0 && i % 8)
    return; /* nothing but crossings: other tests look at those */
  reference(s, WIDTH, wide);
  reference(s, WIDTH / 2, narrow);
  double differ = distance(s, wide, narrow), off = distance(s, out->x, narrow);
  if (differ > UNIQUE) {
    all->not_unique++;
    return;
  }
  int apart = off > FACTOR * differ + ANYWAY;
  if (apart && out->branches) {
    all->branches++; /* the reference has followed another solution */
    return;
  }
  all->compared++;
  all->apart += apart;
  if (apart || show)
    print_message("system %ld, %s: %.3g from the reference, whose two widths differ "
                  "by %.3g; %ld events, %ld slides, %ld rests%s\n",
                  i, method, off, differ, out->events, out->slides, out->rests,
                  s->n_planes == 2 ? ", two planes" : "");
}

static void each_run_ends_or_is_explained(void **state)
{
  static system_ s;
  static const char *const methods[] = {"dopri5", "dop853", "adams", "taylor"};
  long count = number("BRINK_AFFINE", DEFAULT_COUNT),
       first = number("BRINK_AFFINE_FIRST", 0);
  tally all = {0};

  (void)state;
  for (long i = first; i < first + count; i++) {
    outcome out;
    make(&s, (uint64_t)i);
    make_text(&s);
    if (getenv("BRINK_AFFINE_SHOW"))
      printf("%s\n", s.text); /* longer than print_message prints */
    run(&s, methods[i % 4], &out);
    judge(&s, i, methods[i % 4], &out, &all);
  }
  print_message("%ld systems: %ld ended, %ld were told why not, %ld ran into a limit; "
                "%ld slid, %ld came to rest; %ld compared, %ld not unique or too "
                "sensitive, %ld told to branch and on another branch, %ld apart\n",
                count, all.ended, all.told, all.limits, all.slid, all.rested,
                all.compared, all.not_unique, all.branches, all.apart);
  assert_int_equal(all.limits, 0);
  assert_int_equal(all.apart, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_run_ends_or_is_explained)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
