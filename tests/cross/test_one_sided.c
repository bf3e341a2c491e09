/* One-sidedness under fire: random smooth fields, random guards and combinations, every
 * listed method, both locators that matter, tolerances from 1e-3 to 1e-12.  f counts
 * its own calls beyond the event; the event is compared with a scan of a reference
 * solution that knows no guards.
 *
 *   cross.one_sided [problems [seed]]      a longer campaign
 *
 * The depth D of a condition is its largest-minimum form: g for g > 0, min for and, max
 * for or, -D for not.  The condition is true where D > 0.  A run is right if, along the
 * reference, D stays below the error until the run ended, and if it ended at an event,
 * D is zero there within the error.
 */
#include "check.h"
#include "plain_methods.h"

#include "brink/brink.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 6, MOST_G = 3, SCAN = 48, TERMS = 2 };

#define T_END 2.0

typedef enum guard_kind { STATE, LINEAR, QUADRATIC, WAVE, HILL, KINDS } guard_kind;

typedef struct random_guard {
  guard_kind kind;
  double w[MOST_N], q[MOST_N], c, phase, rate;
} random_guard;

typedef struct problem {
  size_t n;
  /* f_i = a_i + sum over terms of b sin(w.y + nu t + phi) - d y_i^3 + e y_j y_k / (..)
   */
  double a[MOST_N], b[MOST_N][TERMS], w[MOST_N][TERMS][MOST_N], nu[MOST_N][TERMS];
  double phi[MOST_N][TERMS], d[MOST_N], e[MOST_N];
  double y0[MOST_N];
  double wild; /* 1, or 3: faster and less stable */

  int n_g;
  random_guard g[MOST_G];
  int shape;     /* of the condition: see shapes */
  int down;      /* single guards: fires when it falls */
  int two_sided; /* for comparison: f exists beyond, the event ends the run */

  long calls, outside;
} problem;

/* conditions over guards 0, 1, 2 */
static const int shapes[][6] = {
    {0, BRINK_COND_END},
    {0, 1, BRINK_AND, BRINK_COND_END},
    {0, 1, BRINK_OR, BRINK_COND_END},
    {0, 1, BRINK_NOT, BRINK_AND, BRINK_COND_END},
    {0, 1, BRINK_AND, 2, BRINK_OR, BRINK_COND_END},
    {0, 1, BRINK_OR, 2, BRINK_AND, BRINK_COND_END},
};
static const int shape_guards[] = {1, 2, 2, 2, 3, 3};
enum { SHAPES = 6 };

/* ---------------------------------------------------------------- field -- */

static double value(const random_guard *g, double t, const double *y, size_t n)
{
  double s = g->rate * t, q = 0;

  if (g->kind == STATE)
    return y[(size_t)g->phase] - g->c;
  for (size_t i = 0; i < n; i++) {
    s += g->w[i] * y[i];
    q += g->q[i] * y[i] * y[i];
  }
  switch (g->kind) {
  case LINEAR: return s - g->c;
  case QUADRATIC: return s + q - g->c;
  case WAVE: return sin(s + g->phase) - g->c;
  case HILL: return s * exp(-0.3 * (s - g->phase) * (s - g->phase)) + 0.2 * t - g->c;
  case STATE:
  case KINDS: break;
  }
  return s;
}

static double depth(const problem *p, double t, const double *y)
{
  double stack[6];
  int top = 0;

  for (const int *c = shapes[p->shape]; *c != BRINK_COND_END; c++)
    switch (*c) {
    case BRINK_NOT: stack[top - 1] = -stack[top - 1]; break;
    case BRINK_AND:
      top--;
      stack[top - 1] = fmin(stack[top - 1], stack[top]);
      break;
    case BRINK_OR:
      top--;
      stack[top - 1] = fmax(stack[top - 1], stack[top]);
      break;
    default: stack[top++] = value(&p->g[*c], t, y, p->n);
    }
  return stack[0];
}

static void field(const problem *p, double t, const double *y, double *f)
{
  size_t n = p->n;

  for (size_t i = 0; i < n; i++) {
    double y1 = y[(i + 1) % n], sum = p->a[i] - p->d[i] * y[i] * y[i] * y[i];
    sum += p->e[i] * y[i] * y1 / (1 + y[i] * y[i] + y1 * y1);
    for (int k = 0; k < TERMS; k++) {
      double s = p->nu[i][k] * t + p->phi[i][k];
      for (size_t j = 0; j < n; j++)
        s += p->w[i][k][j] * y[j];
      sum += p->b[i][k] * sin(s);
    }
    f[i] = sum;
  }
}

static int free_rhs(double t, const double *y, double *f, const brink_env *e)
{
  field(e->user, t, y, f);
  return 0;
}

/* Beyond the event there is nothing but the count. */
static int one_sided_rhs(double t, const double *y, double *f, const brink_env *e)
{
  problem *p = e->user;

  p->calls++;
  if (depth(p, t, y) > 0) {
    p->outside++;
    for (size_t i = 0; i < p->n; i++)
      f[i] = nan("");
    return 0;
  }
  field(p, t, y, f);
  return 0;
}

static double guard(double t, const double *y, int k, const brink_env *e)
{
  const problem *p = e->user;
  double g = value(&p->g[k], t, y, p->n);

  return p->down ? -g : g;
}

/* --------------------------------------------------------------- random -- */

static random_guard random_guard_new(size_t n, uint64_t *seed)
{
  random_guard g = {.kind = (guard_kind)(rand_u64(seed) % KINDS)};

  for (size_t i = 0; i < n; i++) {
    g.w[i] = rand_in(seed, -1.2, 1.2);
    g.q[i] = rand_in(seed, -0.8, 0.8);
  }
  g.rate = rand_u64(seed) % 3 == 0 ? rand_in(seed, -0.7, 0.7) : 0;
  g.phase = g.kind == STATE ? (double)(rand_u64(seed) % n) : rand_in(seed, -2, 2);
  return g;
}

/* Levels such that the condition starts false, near enough to become true. */
static void set_levels(problem *p, uint64_t *seed)
{
  do
    for (int k = 0; k < p->n_g; k++) {
      p->g[k].c = 0;
      p->g[k].c = value(&p->g[k], 0, p->y0, p->n) + rand_in(seed, -0.9, 0.9);
    }
  while (depth(p, 0, p->y0) > -0.02);
}

static problem problem_new(uint64_t *seed)
{
  problem p = {.n = 1 + rand_u64(seed) % MOST_N};

  p.wild = rand_u64(seed) % 3 == 0 ? 3 : 1;
  for (size_t i = 0; i < p.n; i++) {
    p.a[i] = rand_in(seed, -0.5, 0.5);
    p.d[i] = rand_in(seed, 0, 0.2);
    p.e[i] = rand_in(seed, -1, 1);
    p.y0[i] = rand_in(seed, -1, 1);
    for (int k = 0; k < TERMS; k++) {
      p.b[i][k] = p.wild * rand_in(seed, -1, 1);
      p.nu[i][k] = p.wild * rand_in(seed, -3, 3);
      p.phi[i][k] = rand_in(seed, -3, 3);
      for (size_t j = 0; j < p.n; j++)
        p.w[i][k][j] = rand_in(seed, -1.5, 1.5) / sqrt((double)p.n);
    }
  }
  p.shape = (int)(rand_u64(seed) % SHAPES);
  p.n_g = shape_guards[p.shape];
  for (int k = 0; k < p.n_g; k++)
    p.g[k] = random_guard_new(p.n, seed);
  p.down = p.shape == 0 && p.g[0].kind != STATE && rand_u64(seed) % 2;
  p.two_sided = rand_u64(seed) % 4 == 0;
  set_levels(&p, seed);
  return p;
}

/* ------------------------------------------------------------ reference -- */

typedef struct reference {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  double t_event; /* first time with D > 0, HUGE_VAL: never */
} reference;

static double depth_at(const problem *p, const reference *r, double t)
{
  double y[MOST_N];
  size_t n;
  int mode;

  check_status(brink_trace_at(brink_sim_trace(r->sim), t, BRINK_LEFT, y, &n, &mode),
               BRINK_OK);
  return depth(p, t, y);
}

/* The first t in (a, b] with D > level on a grid of SCAN points per reference step,
 * bisected; HUGE_VAL if there is none. */
static double first_above(const problem *p, const reference *r, double until,
                          double level)
{
  const brink_trace *trace = brink_sim_trace(r->sim);
  double last = 0, y[MOST_N];

  for (size_t s = 0; s < brink_trace_steps(trace); s++) {
    brink_step step = brink_trace_step(trace, s);
    for (int i = 1; i <= SCAN; i++) {
      double theta = (double)i / SCAN, t = step.t0 + theta * step.h;
      if (t > until)
        return HUGE_VAL;
      brink_step_at(&step, theta, y);
      if (depth(p, t, y) > level) {
        double lo = last, hi = t;
        while (hi - lo > 1e-15 * hi) {
          double mid = 0.5 * (lo + hi);
          if (!(mid > lo && mid < hi))
            break;
          *(depth_at(p, r, mid) > level ? &hi : &lo) = mid;
        }
        return hi;
      }
      last = t;
    }
  }
  return HUGE_VAL;
}

static reference reference_new(problem *p)
{
  reference r = {0};
  const brink_mode_def mode = {.name = "free", .n = p->n, .rhs = free_rhs};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = p};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "dop853";
  opt.rtol = opt.atol = 1e-13;
  opt.h_max = 0.05; /* and its interpolant as good */
  opt.keep = BRINK_KEEP_STEPS;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, p->y0), BRINK_OK);
  check_status(brink_sim_run(r.sim, T_END), BRINK_END);
  r.t_event = first_above(p, &r, T_END, 0);
  return r;
}

static void reference_free(reference *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

/* ------------------------------------------------------------------ run -- */

typedef struct tally {
  long runs, events, bad;
  double worst; /* error of t over what the run's own error explains */
} tally;

typedef struct attempt {
  brink_status status;
  double t, y[MOST_N], error; /* largest difference from the reference          */
  long counted;
  int near; /* ended at the event                                            */
} attempt;

typedef struct judge {
  const reference *r;
  double worst;
} judge;

static int compare(const brink_step *step, double from, double to, int mode, void *user)
{
  judge *j = user;
  double mine[MOST_N], ref[MOST_N];
  size_t n;
  int m;

  (void)from, (void)mode;
  double t = fmin(step->t0 + to * step->h, T_END);
  brink_step_at(step, to, mine);
  if (brink_trace_at(brink_sim_trace(j->r->sim), t, BRINK_LEFT, ref, &n, &m) < 0)
    return 1;
  for (size_t i = 0; i < n; i++)
    j->worst = fmax(j->worst, fabs(mine[i] - ref[i]));
  return 0;
}

static attempt run(problem *p, const reference *r, const char *method,
                   const char *locator, double rtol)
{
  brink_guard_def guards[MOST_G];
  for (int k = 0; k < p->n_g; k++) {
    static const int degree[KINDS] = {1, 1, 2, 0, 0};
    guards[k] = p->g[k].kind == STATE
                    ? (brink_guard_def){.name = "state",
                                        .state = (int)p->g[k].phase,
                                        .level = p->g[k].c}
                    : (brink_guard_def){
                          .name = "g", .fn = guard, .degree = degree[p->g[k].kind]};
  }
  const brink_event_def event = {.name = "edge",
                                 .cond = p->shape ? shapes[p->shape] : NULL,
                                 .dir = p->down ? BRINK_DOWN : BRINK_UP,
                                 .side = p->two_sided ? BRINK_AFTER : BRINK_BEFORE,
                                 .terminal = 1};
  const brink_mode_def mode = {.name = "m",
                               .n = p->n,
                               .rhs = p->two_sided ? free_rhs : one_sided_rhs,
                               .guards = guards,
                               .n_guards = p->n_g,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = p};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  judge j = {.r = r};

  opt.method = method;
  opt.locator = locator;
  opt.rtol = opt.atol = rtol;
  opt.max_steps = 4000000;
  opt.keep = BRINK_KEEP_NOTHING;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 4e-3;
  p->calls = p->outside = 0;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, &def, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  brink_sim_observe(sim, &(brink_observer){.on_step = compare, .user = &j});
  check_status(brink_sim_start(sim, 0, 0, p->y0), BRINK_OK);
  attempt out = {.status = brink_sim_run(sim, T_END)};
  if (out.status < 0)
    print_error("%s\n", brink_sim_error(sim)->text);
  out.t = brink_sim_time(sim);
  memcpy(out.y, brink_sim_state(sim), p->n * sizeof(double));
  out.error = j.worst;
  out.counted = brink_sim_statistics(sim).work.outside_evals;
  out.near = out.status == BRINK_TERMINATED;
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return out;
}

/* How far D moves when every state moves by d. */
static double spread(const problem *p, double t, const double *y, double d)
{
  double moved[MOST_N], sum = 0, at = depth(p, t, y);

  memcpy(moved, y, sizeof moved);
  for (size_t i = 0; i < p->n; i++) {
    moved[i] = y[i] + d;
    double up = fabs(depth(p, t, moved) - at);
    moved[i] = y[i] - d;
    sum += fmax(up, fabs(depth(p, t, moved) - at));
    moved[i] = y[i];
  }
  return sum;
}

/* The state is where the reference is to 1000 tolerances; D is below the error until
 * the end, and zero within it there. */
static const char *verdict(const problem *p, const reference *r, const attempt *a,
                           double rtol, double *eps)
{
  double error = a->error + 1e-11;

  *eps = 3 * spread(p, a->t, a->y, error) + 1e-11;
  if (p->outside || a->counted)
    return "f was called beyond the event";
  if (a->status < 0)
    return "the run failed";
  if (a->error > 2000 * pow(p->wild, 5) * rtol + 1e-10)
    return "the solution is wrong";
  if (first_above(p, r, a->t, 4 * *eps) < a->t - 1e-9)
    return "an event was missed";
  double here = depth_at(p, r, a->t);
  if (a->near && fabs(here) > *eps + 4 * rtol)
    return "an event was invented";
  if (a->near && !p->two_sided && depth(p, a->t, a->y) > 0)
    return "the state lies beyond";
  return NULL;
}

static void try_one(problem *p, const reference *r, const char *method,
                    const char *locator, double rtol, int number, tally *sum)
{
  attempt a = run(p, r, method, locator, rtol);
  double eps;
  const char *what = verdict(p, r, &a, rtol, &eps);

  sum->runs++;
  sum->events += a.near;
  if (!what)
    return;
  sum->bad++;
  print_error("problem %d (%d sides, n %zu, shape %d, kinds %d %d %d), %s, %s, rtol "
              "%.1e: %s; t = %.12g, "
              "reference %.12g, D = %.2e, eps %.1e, error %.1e, %ld outside\n",
              number, 1 + p->two_sided, p->n, p->shape, (int)p->g[0].kind,
              (int)p->g[1].kind, (int)p->g[2].kind, method, locator, rtol, what, a.t,
              r->t_event, depth_at(p, r, a.t), eps, a.error, p->outside);
}

/* low orders at fine tolerances cost 1e5 steps: only in campaigns */
static double finest(const char *method, int campaign)
{
  return strcmp(method, "bs23") == 0 ? (campaign ? 1e-10 : 1e-7) : 1e-12;
}

static tally fire(int problems, uint64_t seed, int campaign)
{
  static const char *const locators[] = {"isolate", "extrapolate"};
  tally sum = {0};

  for (int i = 0; i < problems; i++) {
    problem p = problem_new(&seed);
    reference r = reference_new(&p);
    EACH_PLAIN_METHOD (m)
      for (int l = 0; l < 2; l++) {
        const char *method = brink_method_name(m);
        double rtol = exp(rand_in(&seed, log(1e-12), log(1e-3)));
        try_one(&p, &r, method, locators[l], fmax(rtol, finest(method, campaign)), i,
                &sum);
      }
    reference_free(&r);
  }
  print_message("%ld runs, %ld ended at an event, %ld wrong\n", sum.runs, sum.events,
                sum.bad);
  return sum;
}

static void no_method_calls_f_beyond_and_none_misses_the_event(void **state)
{
  tally sum = fire(300, 0x0e51ded, 0);

  (void)state;
  assert_int_equal(sum.bad, 0);
  assert_true(sum.events > sum.runs / 4);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_method_calls_f_beyond_and_none_misses_the_event),
  };

  if (argc > 1) {
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    return fire(atoi(argv[1]), seed, 1).bad > 0;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
