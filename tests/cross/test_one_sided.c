/* One-sidedness under fire: random fields, random guards and combinations, every
 * listed method, the locators that look ahead, tolerances from 1e-3 to 1e-12.  f and
 * its Taylor series count their own calls beyond the event (a method that takes series
 * is given the text of the problem as well); the event is compared with a scan of a
 * reference solution that knows no guards.
 *
 * Most fields are smooth; a part of those with one linear or quadratic guard g has a
 * term in sqrt(c - g), so that f has no slope on the event and no value beyond it.
 *
 *   cross.one_sided [problems [seed]]      a longer campaign
 *
 * The depth D of a condition is its largest-minimum form: g for g > 0, min for and, max
 * for or, -D for not.  The condition is true where D > 0.  A run is right if, along the
 * reference, D stays below the error until the run ended, and if it ended at an event,
 * D is zero there within the error.
 */
#include "check.h"

#include "brink/brink.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_N = 6,
  MOST_G = 3,
  SCAN = 48,
  TERMS = 2,
  AUX = 3 + 3 * TERMS, /* series that the jet keeps for each state, and EDGE for all */
  EDGE = 2
};

#define T_END 2.0

typedef enum guard_kind { STATE, LINEAR, QUADRATIC, WAVE, HILL, KINDS } guard_kind;

typedef struct random_guard {
  guard_kind kind;
  double w[MOST_N], q[MOST_N], c, phase, rate;
} random_guard;

typedef struct problem {
  size_t n;
  /* f_i = a_i + sum over terms of b sin(w.y + nu t + phi) - d y_i^3 + e y_j y_k / (..)
   *       + r_i sqrt(distance to the event) */
  double a[MOST_N], b[MOST_N][TERMS], w[MOST_N][TERMS][MOST_N], nu[MOST_N][TERMS];
  double phi[MOST_N][TERMS], d[MOST_N], e[MOST_N];
  double r[MOST_N];
  int singular; /* some r_i is not zero */
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
  double root = p->singular ? sqrt(fmax(-depth(p, t, y), 0)) : 0;

  for (size_t i = 0; i < n; i++) {
    double y1 = y[(i + 1) % n], sum = p->a[i] - p->d[i] * y[i] * y[i] * y[i];
    sum += p->r[i] * root;
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

/* ---------------------------------------------------------------- series -- */

/* Coefficient k of a product. */
static double times(const double *a, const double *b, int k)
{
  double sum = 0;

  for (int j = 0; j <= k; j++)
    sum += a[j] * b[k - j];
  return sum;
}

/* Coefficient k of sin and cos of s. */
static void sin_cos(const double *s, int k, double *sine, double *cosine)
{
  sine[k] = k ? 0 : sin(s[0]);
  cosine[k] = k ? 0 : cos(s[0]);
  for (int j = 1; j <= k; j++) {
    sine[k] += j * s[j] * cosine[k - j] / k;
    cosine[k] -= j * s[j] * sine[k - j] / k;
  }
}

/* Coefficient k of the distance to the event, a linear or quadratic guard, and of its
 * root; 0: it has none. */
static int distance(const problem *p, double time_k, size_t stride, const double *y,
                    int k, double *d, double *root)
{
  const random_guard *g = &p->g[0];
  double s = g->kind == STATE ? 0 : g->rate * time_k;

  for (size_t i = 0; i < p->n; i++) {
    const double *yi = y + i * stride;
    s += g->kind == STATE ? (double)(i == (size_t)g->phase) * yi[k] : g->w[i] * yi[k];
    s += g->kind == QUADRATIC ? g->q[i] * times(yi, yi, k) : 0;
  }
  d[k] = (k ? 0 : g->c) - s;
  if (k == 0 && !(d[0] > 0))
    return 0;
  root[k] = k ? d[k] / 2 : sqrt(d[0]);
  for (int j = 1; j < k; j++)
    root[k] -= root[j] * root[k - j] / 2;
  if (k)
    root[k] /= root[0];
  return 1;
}

/* Coefficient k of the sines in f_i; s: TERMS times argument, sine, cosine. */
static double waves(const problem *p, size_t i, double time_k, size_t stride,
                    const double *y, int k, double *s)
{
  double sum = 0;

  for (int m = 0; m < TERMS; m++, s += 3 * stride) {
    s[k] = p->nu[i][m] * time_k + (k ? 0 : p->phi[i][m]);
    for (size_t j = 0; j < p->n; j++)
      s[k] += p->w[i][m][j] * y[j * stride + (size_t)k];
    sin_cos(s, k, s + stride, s + 2 * stride);
    sum += p->b[i][m] * (s + stride)[k];
  }
  return sum;
}

static int series(int k, double t, double h, size_t stride, const double *y, double *f,
                  double *aux, const brink_env *e)
{
  const problem *p = e->user;
  size_t n = p->n, block = AUX * stride;
  double time_k = k == 0 ? t : k == 1 ? h : 0, *edge = aux + n * block;
  double *root = edge + stride;

  if (p->singular && !distance(p, time_k, stride, y, k, edge, root))
    return 1;
  for (size_t i = 0; i < n; i++)
    (aux + i * block)[k] = times(y + i * stride, y + i * stride, k);
  for (size_t i = 0; i < n; i++) {
    size_t next = (i + 1) % n;
    double *q = aux + i * block, *below = q + stride, *ratio = below + stride;
    below[k] = (k == 0) + q[k] + (aux + next * block)[k];
    ratio[k] = times(y + i * stride, y + next * stride, k);
    for (int j = 1; j <= k; j++)
      ratio[k] -= below[j] * ratio[k - j];
    ratio[k] /= below[0];
    f[i * stride + (size_t)k] =
        (k ? 0 : p->a[i]) - p->d[i] * times(q, y + i * stride, k) + p->e[i] * ratio[k] +
        (p->singular ? p->r[i] * root[k] : 0) +
        waves(p, i, time_k, stride, y, k, ratio + stride);
  }
  return 0;
}

/* The point that is expanded comes with k = 0. */
static int one_sided_series(int k, double t, double h, size_t stride, const double *y,
                            double *f, double *aux, const brink_env *e)
{
  problem *p = e->user;
  double at[MOST_N];

  for (size_t i = 0; i < p->n; i++)
    at[i] = y[i * stride];
  if (k == 0) {
    p->calls++;
    p->outside += depth(p, t, at) > 0;
  }
  return series(k, t, h, stride, y, f, aux, e);
}

/* --------------------------------------------------------------- guards -- */

static double guard(double t, const double *y, int k, const brink_env *e)
{
  const problem *p = e->user;
  double g = value(&p->g[k], t, y, p->n);

  return p->down ? -g : g;
}

/* ----------------------------------------------------------------- text -- */

enum { LENGTH = 1 << 15 };

typedef struct text {
  char s[LENGTH];
  size_t n;
} text;

__attribute__((format(printf, 2, 3))) static void add(text *m, const char *form, ...)
{
  va_list args;

  va_start(args, form);
  int more = vsnprintf(m->s + m->n, LENGTH - m->n, form, args);
  va_end(args);
  assert_true(more >= 0 && m->n + (size_t)more < LENGTH);
  m->n += (size_t)more;
}

/* rate t + phase + w.y */
static void add_sum(text *m, size_t n, double rate, double phase, const double *w)
{
  add(m, "(%.17g)*time + (%.17g)", rate, phase);
  for (size_t i = 0; i < n; i++)
    add(m, " + (%.17g)*y%zu", w[i], i);
}

static void add_guard(text *m, const problem *p, int k)
{
  const random_guard *g = &p->g[k];

  if (g->kind == STATE) {
    add(m, "  g%d = y%d - (%.17g);\n", k, (int)g->phase, g->c);
    return;
  }
  add(m, "  s%d = ", k);
  add_sum(m, p->n, g->rate, 0, g->w);
  add(m, ";\n  g%d = ", k);
  switch (g->kind) {
  case STATE:
  case KINDS:
  case LINEAR: add(m, "s%d", k); break;
  case QUADRATIC:
    add(m, "s%d", k);
    for (size_t i = 0; i < p->n; i++)
      add(m, " + (%.17g)*y%zu^2", g->q[i], i);
    break;
  case WAVE: add(m, "sin(s%d + (%.17g))", k, g->phase); break;
  case HILL: add(m, "s%d*exp(-0.3*(s%d - (%.17g))^2) + 0.2*time", k, k, g->phase);
  }
  add(m, " - (%.17g);\n", g->c);
}

static void add_field(text *m, const problem *p, size_t i)
{
  size_t j = (i + 1) % p->n;

  add(m, "  der(y%zu) = (%.17g) - (%.17g)*y%zu^3", i, p->a[i], p->d[i], i);
  add(m, " + (%.17g)*y%zu*y%zu/(1 + y%zu^2 + y%zu^2)", p->e[i], i, j, i, j);
  if (p->singular)
    add(m, " + (%.17g)*sqrt(-g0)", p->r[i]);
  for (int k = 0; k < TERMS; k++) {
    add(m, " + (%.17g)*sin(", p->b[i][k]);
    add_sum(m, p->n, p->nu[i][k], p->phi[i][k], p->w[i][k]);
    add(m, ")");
  }
  add(m, ";\n");
}

/* The problem as a text model, whose series are those of its expressions. */
static void write_text(const problem *p, text *m)
{
  /* ORDER shapes */
  static const char *const condition[SHAPES] = {
      "g0 > 0",
      "g0 > 0 and g1 > 0",
      "g0 > 0 or g1 > 0",
      "g0 > 0 and not g1 > 0",
      "g0 > 0 and g1 > 0 or g2 > 0",
      "(g0 > 0 or g1 > 0) and g2 > 0",
  };

  m->n = 0;
  add(m, "model m\n");
  for (size_t i = 0; i < p->n; i++)
    add(m, "  Real y%zu(start = %.17g, fixed = true);\n", i, p->y0[i]);
  for (int k = 0; k < p->n_g; k++)
    add(m, p->g[k].kind == STATE ? "  Real g%d;\n" : "  Real g%d, s%d;\n", k, k);
  add(m, "equation\n");
  for (int k = 0; k < p->n_g; k++)
    add_guard(m, p, k);
  for (size_t i = 0; i < p->n; i++)
    add_field(m, p, i);
  add(m, "  when %s then terminate(\"edge\"); end when",
      p->down ? "-g0 < 0" : condition[p->shape]);
  add(m, "%s;\nend m;\n",
      p->two_sided ? "" : " annotation(__brink(side = \"before\"))");
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
  p.singular =
      p.shape == 0 && p.g[0].kind <= QUADRATIC && !p.two_sided && rand_u64(seed) % 2;
  for (size_t i = 0; p.singular && i < p.n; i++)
    p.r[i] = rand_in(seed, -1, 1);
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
  long own; /* events that the locator found itself, not the one it leaves them to   */
  double worst; /* error of t over what the run's own error explains */
} tally;

typedef struct attempt {
  brink_status status;
  double t, y[MOST_N], error; /* largest difference from the reference          */
  long counted;
  int near; /* ended at the event                                            */
  int own;  /* and the locator asked for found it                             */
} attempt;

typedef struct judge {
  const reference *r;
  const char *locator;
  double worst;
  int own;
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

static int note_locator(const brink_event *event, void *user)
{
  judge *j = user;

  j->own = strcmp(event->located_by, j->locator) == 0;
  return 0;
}

static brink_model *callbacks(problem *p, brink_ctx *ctx)
{
  brink_model *model;
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
                               .jet = p->two_sided ? series : one_sided_series,
                               .n_aux = AUX * p->n + EDGE,
                               .guards = guards,
                               .n_guards = p->n_g,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = p};
  check_status(brink_model_new(ctx, &def, &model), BRINK_OK);
  return model;
}

static brink_model *as_text(const problem *p, brink_ctx *ctx)
{
  static text m;
  brink_model *model;

  write_text(p, &m);
  if (brink_model_read(ctx, "m.mo", m.s, m.n, NULL, &model) < 0)
    print_error("%s\n%s", brink_ctx_error(ctx)->text, m.s);
  assert_non_null(model);
  return model;
}

static attempt run(problem *p, const reference *r, const char *method,
                   const char *locator, double rtol, int text_model)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx;
  brink_sim *sim;
  judge j = {.r = r, .locator = locator};

  opt.method = method;
  opt.locator = locator;
  opt.rtol = opt.atol = rtol;
  opt.max_steps = 4000000;
  opt.keep = BRINK_KEEP_NOTHING;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 4e-3;
  p->calls = p->outside = 0;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink_model *model = text_model ? as_text(p, ctx) : callbacks(p, ctx);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  brink_sim_observe(
      sim, &(brink_observer){.on_step = compare, .on_event = note_locator, .user = &j});
  check_status(brink_sim_start(sim, 0, 0, p->y0), BRINK_OK);
  attempt out = {.status = brink_sim_run(sim, T_END)};
  if (out.status < 0)
    print_error("%s\n", brink_sim_error(sim)->text);
  out.t = brink_sim_time(sim);
  memcpy(out.y, brink_sim_state(sim), p->n * sizeof(double));
  out.error = j.worst;
  out.counted = brink_sim_statistics(sim).work.outside_evals;
  out.near = out.status == BRINK_TERMINATED;
  out.own = out.near && j.own;
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
                           double rtol, int text_model, double *eps)
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
  /* a text model rounds its guards in its own way */
  if (a->near && !p->two_sided && depth(p, a->t, a->y) > (text_model ? 1e-14 : 0))
    return "the state lies beyond";
  return NULL;
}

static void try_one(problem *p, const reference *r, const char *method,
                    const char *locator, double rtol, int text_model, int number,
                    tally *sum)
{
  attempt a = run(p, r, method, locator, rtol, text_model);
  double eps;
  const char *what = verdict(p, r, &a, rtol, text_model, &eps);

  sum->runs++;
  sum->events += a.near;
  sum->own += a.own;
  if (!what)
    return;
  sum->bad++;
  print_error(
      "problem %d (%s %s, %d sides, n %zu, shape %d, kinds %d %d %d), %s, %s, rtol "
      "%.1e: %s; t = %.12g, "
      "reference %.12g, D = %.2e, eps %.1e, error %.1e, %ld outside\n",
      number, p->singular ? "singular" : "smooth", text_model ? "text" : "callback",
      1 + p->two_sided, p->n, p->shape, (int)p->g[0].kind, (int)p->g[1].kind,
      (int)p->g[2].kind, method, locator, rtol, what, a.t, r->t_event,
      depth_at(p, r, a.t), eps, a.error, p->outside);
}

/* Low orders at fine tolerances cost 1e5 steps: only in campaigns.  Steps of fixed size
 * lose two orders where f has no slope. */
static double finest(const problem *p, const char *method, int campaign)
{
  if (strcmp(method, "rk4") == 0 && p->singular)
    return 1e-7;
  return strcmp(method, "bs23") == 0 ? (campaign ? 1e-10 : 1e-7) : 1e-12;
}

static const char *const reading[] = {"isolate", "extrapolate", "henon", NULL};
static const char *const as_states[] = {"extra-state", NULL};
static const char *const stepping[] = {"direct", "direct-const", "direct-pc",
                                       "direct-pc2", NULL};

static tally fire(const char *const *locators, int problems, uint64_t seed,
                  int campaign)
{
  tally sum = {0};

  for (int i = 0; i < problems; i++) {
    problem p = problem_new(&seed);
    reference r = reference_new(&p);
    for (int m = 0; brink_method_name(m); m++)
      for (int l = 0; locators[l]; l++) {
        const char *method = brink_method_name(m);
        double rtol = exp(rand_in(&seed, log(1e-12), log(1e-3)));
        rtol = fmax(rtol, finest(&p, method, campaign));
        try_one(&p, &r, method, locators[l], rtol, 0, i, &sum);
        if (brink_method_needs_jet(m))
          try_one(&p, &r, method, locators[l], rtol, 1, i, &sum);
      }
    reference_free(&r);
  }
  print_message("%ld runs, %ld ended at an event, %ld found by the locator itself, "
                "%ld wrong\n",
                sum.runs, sum.events, sum.own, sum.bad);
  return sum;
}

static void no_method_calls_f_beyond_and_none_misses_the_event(void **state)
{
  tally sum = fire(reading, 300, 0x0e51ded, 0);

  (void)state;
  assert_int_equal(sum.bad, 0);
  assert_true(sum.events > sum.runs / 4);
}

static void guards_as_extra_states_do_not_lead_beyond(void **state)
{
  tally sum = fire(as_states, 150, 0x5747e, 0);

  (void)state;
  assert_int_equal(sum.bad, 0);
  assert_true(sum.events > sum.runs / 4);
}

/* Locators with steps of their own: most events are found by these. */
static void steps_of_locators_do_not_call_f_beyond_either(void **state)
{
  tally sum = fire(stepping, 60, 0xd1ec7, 0);

  (void)state;
  assert_int_equal(sum.bad, 0);
  assert_true(sum.events > sum.runs / 4);
  assert_true(sum.own > sum.events / 2);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_method_calls_f_beyond_and_none_misses_the_event),
      cmocka_unit_test(guards_as_extra_states_do_not_lead_beyond),
      cmocka_unit_test(steps_of_locators_do_not_call_f_beyond_either),
  };

  if (argc > 1) {
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    long bad = fire(reading, atoi(argv[1]), seed, 1).bad;
    bad += fire(as_states, atoi(argv[1]), seed, 1).bad;
    return bad + fire(stepping, atoi(argv[1]), seed, 1).bad > 0;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
