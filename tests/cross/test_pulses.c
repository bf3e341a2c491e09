/* Pulses shorter than the steps: laws of text models that depend on time through pulses
 * of random shape, place and width (1e-4 to 1e-1 of the run), in several kinds of
 * equations, with every method that chooses its steps, with and without h_max.  All are
 * integrated to a small multiple of the tolerance, at the end and inside the run.
 * Prints the errors by width; the environment variable BRINK_PULSES is the number of
 * models (500 for the table in docs/equations.md).
 *
 * Then the same pulses in a state (y' = 1 in place of time) and in a C function, which
 * nobody can see from outside: how many are integrated, how many are told about, how
 * many are lost without a word, by width.  There is no bar for these.
 *
 * What is exact: the solution by Gauss quadrature in panels that follow the pulse. */
#include "check.h"
#include "plain_methods.h"

#include "brink/brink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 84, DECADES = 3, CHECKS = 6, PANEL_POINTS = 10 };

/* Multiples of the tolerance that a run may be wrong by, since the errors of its steps
 * add up; and so do those of the pulses of a train. */
static const double ENOUGH = 80, EACH = 1;

/* ---------------------------------------------------------------- shapes --- */

typedef struct pulse {
  double c, w, a; /* centre, width, height           */
  double p;       /* of trains: angular frequency      */
} pulse;

typedef struct shape {
  const char *text;
  double (*u)(const pulse *p, double t);
  double train;  /* > 0: p = train/w   */
  double widest; /* |t - c|/w that the text can bear; 0: any */
} shape;

static double at(const pulse *p, double t) { return (t - p->c) / p->w; }
static double square(double x) { return x * x; }

static double gauss(const pulse *p, double t) { return p->a * exp(-square(at(p, t))); }
static double lorentz(const pulse *p, double t)
{
  return p->a / (1 + square(at(p, t)));
}
static double sech(const pulse *p, double t) { return p->a / cosh(at(p, t)); }
static double sech2(const pulse *p, double t)
{
  return p->a * (1 - square(tanh(at(p, t))));
}
static double plateau(const pulse *p, double t)
{
  return p->a / 2 * (tanh((at(p, t) + 1) * 4) - tanh((at(p, t) - 1) * 4));
}
static double arcs(const pulse *p, double t)
{
  return p->a * (atan((at(p, t) + 1) * 9) - atan((at(p, t) - 1) * 9));
}
static double bump(const pulse *p, double t)
{
  double s = at(p, t);
  return fabs(s) < 1 ? p->a * exp(1 - 1 / (1 - s * s)) : 0;
}
static double hat(const pulse *p, double t)
{
  return fabs(at(p, t)) < 1 ? p->a * square(1 - square(at(p, t))) : 0;
}
static double odd(const pulse *p, double t) { return at(p, t) * gauss(p, t); }
static double packet(const pulse *p, double t)
{
  return gauss(p, t) * cos(5 * at(p, t));
}
static double modulated(const pulse *p, double t) { return gauss(p, t) * (2 + sin(t)); }
static double on_ramp(const pulse *p, double t) { return gauss(p, t) + 2 - 0.1 * t; }
static double power(const pulse *p, double t) { return p->a * pow(sin(p->p * t), 200); }
static double train(const pulse *p, double t)
{
  return p->a * exp((cos(p->p * t) - 1) * 500);
}

static const shape shapes[] = {
    {"a*exp(-((time - c)/w)^2)", gauss, 0, 0},
    {"a/(1 + ((time - c)/w)^2)", lorentz, 0, 0},
    {"a/cosh((time - c)/w)", sech, 0, 700},
    {"a*(1 - tanh((time - c)/w)^2)", sech2, 0, 0},
    {"a/2*(tanh(4*(time - c + w)/w) - tanh(4*(time - c - w)/w))", plateau, 0, 0},
    {"a*(atan(9*(time - c + w)/w) - atan(9*(time - c - w)/w))", arcs, 0, 0},
    {"noEvent(if abs(time - c) < w then a*exp(1 - 1/(1 - ((time - c)/w)^2)) else 0)",
     bump, 0, 0},
    {"if abs(time - c) < w then a*(1 - ((time - c)/w)^2)^2 else 0", hat, 0, 0},
    {"a*(time - c)/w*exp(-((time - c)/w)^2)", odd, 0, 0},
    {"a*exp(-((time - c)/w)^2)*cos(5*(time - c)/w)", packet, 0, 0},
    {"a*exp(-((time - c)/w)^2)*(2 + sin(time))", modulated, 0, 0},
    {"2 - 0.1*time + a*exp(-((time - c)/w)^2)", on_ramp, 0, 0},
    {"a*sin(p*time)^200", power, 0.1, 0},
    {"a*exp(500*(cos(p*time) - 1))", train, 0.0632, 0},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ------------------------------------------------------------- equations --- */

/* With one state more than x where y is one: what a panel of length h adds. */
typedef struct law {
  const char *text;
  double x0, y0;
  void (*panel)(double z[2], double h, const double *t, const double *u,
                const double *weight);
} law;

static const double K = 0.7;

static void integral(double z[2], double h, const double *t, const double *u,
                     const double *weight)
{
  (void)t;
  for (int i = 0; i < PANEL_POINTS; i++)
    z[0] += h * weight[i] * u[i];
}

static void growth(double z[2], double h, const double *t, const double *u,
                   const double *weight)
{
  double sum[2] = {0, 0};

  integral(sum, h, t, u, weight);
  z[0] *= exp(sum[0]);
}

static void decay(double z[2], double h, const double *t, const double *u,
                  const double *weight)
{
  z[0] *= exp(-K * h);
  for (int i = 0; i < PANEL_POINTS; i++)
    z[0] += h * weight[i] * u[i] * exp(-K * (t[PANEL_POINTS] - t[i]));
}

static void oscillator(double z[2], double h, const double *t, const double *u,
                       const double *weight)
{
  double c = cos(K * h), s = sin(K * h), x = z[0], v = z[1];

  z[0] = c * x + s * v / K;
  z[1] = c * v - K * s * x;
  for (int i = 0; i < PANEL_POINTS; i++) {
    double left = K * (t[PANEL_POINTS] - t[i]);
    z[0] += h * weight[i] * u[i] * sin(left) / K;
    z[1] += h * weight[i] * u[i] * cos(left);
  }
}

static void gated(double z[2], double h, const double *t, const double *u,
                  const double *weight)
{
  for (int i = 0; i < PANEL_POINTS; i++)
    z[0] += h * weight[i] * u[i] * t[i];
  z[1] = t[PANEL_POINTS];
}

/* z of z^3 + z = u */
static void loop(double z[2], double h, const double *t, const double *u,
                 const double *weight)
{
  (void)t;
  for (int i = 0; i < PANEL_POINTS; i++) {
    double x = cbrt(u[i]);
    for (int k = 0; k < 30; k++)
      x -= (x * x * x + x - u[i]) / (3 * x * x + 1);
    z[0] += h * weight[i] * x;
  }
}

/* %s: the pulse */
static const law laws[] = {
    {"der(x) = (%s); y = x;", 0, 0, integral},
    {"der(x) = -0.7*x + (%s); y = x;", 0, 0, decay},
    {"der(x) = x*(%s); y = x;", 1, 1, growth},
    {"der(x) = h/3; y = x; h = 3*g; g = q; q - (%s) = 0;", 0, 0, integral},
    {"der(x) = y; der(y) = -0.49*x + (%s);", 0, 0, oscillator},
    {"der(x) = y*(%s); der(y) = 1;", 0, 0, gated},
    {"der(x) = g; g^3 + g = (%s); y = x;", 0, 0, loop},
};

enum { LAWS = sizeof laws / sizeof *laws };

/* ----------------------------------------------------------------- exact --- */

static const double point[PANEL_POINTS / 2] = {
    0.1488743389816312108848260, 0.4333953941292471907992659,
    0.6794095682990244062343274, 0.8650633666889845107320967,
    0.9739065285171717200779640};
static const double half_weight[PANEL_POINTS / 2] = {
    0.1477621123573764350869465, 0.1346333596549981775456135,
    0.1095431812579910219977675, 0.0747256745752902965728882,
    0.0333356721543440687967844};

static void one_panel(const law *l, const shape *s, const pulse *p, double a, double b,
                      double z[2])
{
  double t[PANEL_POINTS + 1], u[PANEL_POINTS], w[PANEL_POINTS], h = b - a;

  for (int i = 0; i < PANEL_POINTS; i++) {
    double x = i % 2 ? point[i / 2] : -point[i / 2];
    t[i] = a + h * (1 + x) / 2;
    w[i] = half_weight[i / 2];
    u[i] = s->u(p, t[i]);
  }
  t[PANEL_POINTS] = b;
  l->panel(z, h, t, u, w);
}

/* Carry the solution z from a to b; *size: the largest it has been, with its derivative
 * where that is a state. */
static void exact(const law *l, const shape *s, const pulse *p, double a, double b,
                  double z[2], double *size)
{
  while (a < b) {
    /* within the pulse and everywhere in a train: an eighth of its width */
    double far = s->train > 0 ? 0 : fabs(a - p->c) - 2 * p->w;
    double h = fmin(p->w / 8 + (far > 0 ? far / 8 : 0), 0.1);
    double t = fmin(a + h, b);
    /* never across the edges of a bump */
    for (int k = -1; k <= 1; k += 2)
      if (a < p->c + k * p->w && t > p->c + k * p->w)
        t = p->c + k * p->w;
    one_panel(l, s, p, a, t, z);
    *size = fmax(*size, fabs(z[0]));
    if (l->panel == oscillator)
      *size = fmax(*size, fabs(z[1]));
    a = t;
  }
}

/* ------------------------------------------------------------------ runs --- */

/* How a run is made: as a program does, or as `brink run -o FILE.csv` does. */
typedef struct setting {
  const char *method;
  double h_max;
  int rows; /* of output, 0: none */
} setting;

enum { ROWS = 501 };

typedef struct watch {
  double t[CHECKS], x[CHECKS];
  brink_sim *sim;
  double stop;
  int rows, next;
} watch;

/* Rows of output on the way. */
static void write_rows(watch *w, const brink_step *step, double end)
{
  double values[4];

  for (; w->next < w->rows; w->next++) {
    double theta = (w->stop * w->next / (w->rows - 1) - step->t0) / step->h;
    if (theta > end)
      return;
    check_status(brink_sim_values_at(w->sim, step, fmax(theta, 0), values), BRINK_OK);
  }
}

static int on_step(const brink_step *step, double begin, double end, int mode,
                   void *user)
{
  watch *w = user;
  double y[2];

  (void)mode;
  for (int i = 0; i < CHECKS; i++) {
    double theta = (w->t[i] - step->t0) / step->h;
    if (theta < begin || theta > end)
      continue;
    brink_step_at(step, theta, y);
    w->x[i] = y[0];
  }
  write_rows(w, step, end);
  return 0;
}

static brink_model *pulse_model(brink_ctx *ctx, const law *l, const shape *s,
                                const pulse *p)
{
  char equations[400], text[800];
  brink_model *model = NULL;

  snprintf(equations, sizeof equations, l->text, s->text);
  int n = snprintf(text, sizeof text,
                   "model Pulse\n  parameter Real c = %.17g, w = %.17g, a = %.17g, p = "
                   "%.17g;\n  Real x(start = %g, fixed = true), y(start = %g%s);\n"
                   "%sequation\n  %s\nend Pulse;\n",
                   p->c, p->w, p->a, p->p, l->x0, l->y0,
                   l->panel == oscillator || l->panel == gated ? ", fixed = true" : "",
                   l->panel == loop ? "  Real g;\n"
                   : l == &laws[3]  ? "  Real h, g, q;\n"
                                    : "",
                   equations);
  if (brink_model_read(ctx, "pulse.mo", text, (size_t)n, NULL, &model) < 0)
    print_error("%s\n%s\n", brink_ctx_error(ctx)->text, text);
  assert_non_null(model);
  return model;
}

/* The largest error in tolerances; *warned: the run has said that something may be
 * wrong. */
static double run(brink_ctx *ctx, const brink_model *model, const double *y0,
                  const setting *how, watch *w, const double *want, double size,
                  int *warned)
{
  brink_sim_opts opt = brink_sim_defaults();
  double worst = 0;

  opt.method = how->method;
  opt.h_max = how->h_max;
  opt.keep = BRINK_KEEP_NOTHING;
  w->rows = how->rows;
  w->next = 0;
  check_status(brink_sim_new(ctx, model, &opt, &w->sim), BRINK_OK);
  check_status(brink_sim_start(w->sim, 0, 0, y0), BRINK_OK);
  brink_sim_observe(w->sim, &(brink_observer){.on_step = on_step, .user = w});
  brink_status rc = brink_sim_run(w->sim, w->stop);
  if (rc != BRINK_END)
    print_error("%s\n", brink_sim_error(w->sim)->text);
  check_status(rc, BRINK_END);
  *warned = brink_sim_warning(w->sim, 0) != NULL;
  brink_sim_free(w->sim);
  for (int i = 0; i < CHECKS; i++)
    worst = fmax(worst, fabs(w->x[i] - want[i]) / (opt.rtol * size + opt.rtol / 1000));
  return worst;
}

/* ------------------------------------------------------------------ test --- */

typedef struct tally {
  long runs, bad;
  double worst;
} tally;

static pulse random_pulse(uint64_t *seed, const shape *s, const law *l, double stop,
                          int decade)
{
  pulse p = {.w = stop * pow(10, -1 - decade - rand_01(seed))};

  p.c = rand_in(seed, 0.1, 0.9) * stop;
  if (s->widest > 0)
    p.w = fmax(p.w, stop / s->widest);
  p.p = s->train / p.w;
  p.a = pow(10, rand_in(seed, -1, 0.3)) / (l->panel == loop ? 1 : p.w);
  if (s->train > 0) /* all of them together */
    p.a *= 10 * p.w / stop;
  return p;
}

/* One pulse in one law: where and what its solution is. */
typedef struct task {
  const shape *s;
  const law *l;
  pulse p;
  double stop, want[CHECKS], size;
  int decade;
  watch w;
} task;

static task random_task(uint64_t *seed, const shape *s, const law *l)
{
  static const double stops[] = {1, 10, 100};
  task k = {.s = s, .l = l, .stop = stops[rand_u64(seed) % 3]};
  double z[2] = {l->x0, l->y0}, now = 0;

  k.decade = (int)(rand_u64(seed) % DECADES);
  k.p = random_pulse(seed, s, l, k.stop, k.decade);
  double last = fmin(k.p.c + 4 * k.p.w, 0.95 * k.stop);
  double times[CHECKS] = {k.p.c - k.p.w, k.p.c, k.p.c + k.p.w, last, 0, k.stop};
  times[4] = (last + k.stop) / 2;
  k.w.stop = k.stop;
  for (int i = 0; i < CHECKS; i++) {
    k.w.t[i] = fmax(times[i], i ? k.w.t[i - 1] : 0);
    exact(l, s, &k.p, now, k.w.t[i], z, &k.size);
    now = k.w.t[i];
    k.want[i] = z[0];
  }
  return k;
}

static int is_right(const task *k, double e)
{
  return e <= ENOUGH + EACH * k->stop * k->p.p / 3;
}

static void one_model(uint64_t *seed, int number, tally *by_width)
{
  task k = random_task(seed, &shapes[number % SHAPES],
                       &laws[(number / SHAPES + number) % LAWS]);
  tally *t = &by_width[k.decade];
  brink_ctx *ctx = NULL;
  int warned;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink_model *model = pulse_model(ctx, k.l, k.s, &k.p);
  for (int m = 0; brink_method_name(m); m++)
    for (int limited = 0; limited < 2 && !brink_method_fixed_step(m); limited++) {
      if (owns_its_steps(m))
        continue;
      setting how = {brink_method_name(m), limited ? k.stop / 50 : 0, 0};
      double e = run(ctx, model, NULL, &how, &k.w, k.want, k.size, &warned);
      t->runs++;
      t->worst = fmax(t->worst, e);
      if (is_right(&k, e))
        continue;
      t->bad++;
      print_error("model %d: %s with %s, c = %.9g, w = %.3g, a = %.3g of %g, %s%s: "
                  "%.3g tolerances\n",
                  number, k.s->text, k.l->text, k.p.c, k.p.w, k.p.a, k.stop, how.method,
                  limited ? ", h_max" : "", e);
    }
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void pulses_shorter_than_a_step_are_integrated(void **state)
{
  tally by_width[DECADES] = {{0, 0, 0}};
  uint64_t seed = 20250;
  long bad = 0;

  (void)state;
  for (long i = 0, n = random_cases("BRINK_PULSES", MODELS); i < n; i++)
    one_model(&seed, (int)i, by_width);
  for (int k = 0; k < DECADES; k++) {
    print_message("width 1e-%d to 1e-%d of the run: %ld runs, largest error %.2g "
                  "tolerances, %ld lost\n",
                  k + 2, k + 1, by_width[k].runs, by_width[k].worst, by_width[k].bad);
    bad += by_width[k].bad;
  }
  assert_int_equal(bad, 0);
}

/* ------------------------------------------------------------------ cost --- */

/* Steps of a run, and where x ends. */
static long steps_of(const char *text, const char *method, long look, double *x)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  opt.method = method;
  opt.look = look;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model),
               BRINK_OK);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(sim, 20), BRINK_END);
  *x = brink_sim_state(sim)[0];
  long steps = brink_sim_statistics(sim).work.steps;
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return steps;
}

/* A source that the error control follows anyway sets no limit: the runs are the same
 * bits. */
static void smooth_sources_cost_no_steps(void **state)
{
  static const char source[] =
      "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation "
      "der(x) = v; der(v) = -x - 0.1*v + 0.3*sin(1.7*time) + exp(-0.5*time); end M;";
  double with, without;

  (void)state;
  for (int m = 0; brink_method_name(m); m++)
    if (!brink_method_fixed_step(m) && !owns_its_steps(m)) {
      const char *method = brink_method_name(m);
      assert_int_equal(steps_of(source, method, 1, &with),
                       steps_of(source, method, 0, &without));
      assert_true(with == without);
    }
}

/* A pulse of 1e-4 of the run costs steps where it is, and not before or behind. */
static void a_pulse_costs_steps_where_it_is(void **state)
{
  static const char text[] = "model M Real x(start = 0, fixed = true); equation "
                             "der(x) = 500*exp(-((time - 12.3)/0.002)^2); end M;";
  double x;

  (void)state;
  check_in((double)steps_of(text, "dopri5", 1, &x), 30, 80);
  check_near(x, sqrt(3.14159265358979324), 1e-6);
  check_in((double)steps_of(text, "dopri5", 0, &x), 1, 20);
  check_near(x, 0, 1e-6);
}

/* A fast ripple that is far below the tolerance of the source it is added to. */
static void a_ripple_on_a_source_costs_no_steps(void **state)
{
  static const char text[] =
      "model M Real x(start = 1, fixed = true); equation "
      "der(x) = -x + sin(time) + 1e-11*sin(1e6*time) - 0.2*x; end M;";
  double x;

  (void)state;
  check_in((double)steps_of(text, "dopri5", 1, &x), 1, 200);
}

/* ---------------------------------------------------------------- hidden --- */

/* What became of the runs of one kind. */
typedef struct shares {
  double found, warned, lost;
} shares;

static void count(const task *k, double e, int warned, shares *out)
{
  if (is_right(k, e))
    out->found++;
  else if (warned)
    out->warned++;
  else
    out->lost++;
}

/* The pulse as a function of a state that is time. */
static brink_model *state_model(brink_ctx *ctx, const task *k)
{
  static const law in_state = {"der(y) = 1; der(x) = (%s);", 0, 0, gated};
  char text[200];
  shape s = *k->s;
  size_t n = 0;

  for (const char *from = s.text; *from;) {
    int is_time = strncmp(from, "time", 4) == 0;
    text[n++] = is_time ? 'y' : *from;
    from += is_time ? 4 : 1;
  }
  text[n] = 0;
  s.text = text;
  return pulse_model(ctx, &in_state, &s, &k->p);
}

static int hidden_rhs(double t, const double *y, double *f, const brink_env *env)
{
  const task *k = env->user;

  (void)y;
  f[0] = k->s->u(&k->p, t);
  return 0;
}

static brink_model *c_model(brink_ctx *ctx, task *k)
{
  brink_mode_def mode = {.name = "pulse", .n = 1, .rhs = hidden_rhs};
  brink_model_def def = {.name = "pulse", .modes = &mode, .n_modes = 1, .user = k};
  brink_model *model = NULL;

  check_status(brink_model_new(ctx, &def, &model), BRINK_OK);
  return model;
}

enum { KINDS = 4 };

static void one_hidden(uint64_t *seed, int number, shares by_width[DECADES][KINDS])
{
  task k = random_task(seed, &shapes[number % SHAPES], &laws[0]);
  static const double start[1] = {0};
  brink_ctx *ctx = NULL;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink_model *models[2] = {state_model(ctx, &k), c_model(ctx, &k)};
  EACH_PLAIN_METHOD (m)
    for (int kind = 0; kind < KINDS && !brink_method_fixed_step(m); kind++) {
      int in_c = kind / 2, limited = kind % 2, warned;
      setting how = {brink_method_name(m), limited ? k.stop / 50 : 0,
                     limited ? ROWS : 0};
      double e = run(ctx, models[in_c], in_c ? start : NULL, &how, &k.w, k.want, k.size,
                     &warned);
      count(&k, e, warned, &by_width[k.decade][kind]);
    }
  brink_model_free(models[0]);
  brink_model_free(models[1]);
  brink_ctx_free(ctx);
}

static void print_shares(const shares *s)
{
  double all = (s->found + s->warned + s->lost) / 100;

  print_message(" %.0f / %.0f / %.0f |", s->found / all, s->warned / all,
                s->lost / all);
}

static void shares_of_hidden_pulses(void **state)
{
  shares by_width[DECADES][KINDS] = {{{0, 0, 0}}};
  uint64_t seed = 31415;

  (void)state;
  for (long i = 0, n = random_cases("BRINK_PULSES", MODELS); i < n; i++)
    one_hidden(&seed, (int)i, by_width);
  print_message(
      "| width, of the run | in a state, library | in a state, `brink run` | C, "
      "library | C, h_max of `brink run` |\n|---|---|---|---|---|\n");
  for (int d = 0; d < DECADES; d++) {
    print_message("| 1e-%d to 1e-%d |", d + 2, d + 1);
    for (int kind = 0; kind < KINDS; kind++)
      print_shares(&by_width[d][kind]);
    print_message("\n");
    /* rows see what is longer than the distance between them */
    assert_true(d > 1 || by_width[d][1].lost * 20 <= by_width[d][0].lost + 20);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulses_shorter_than_a_step_are_integrated),
      cmocka_unit_test(smooth_sources_cost_no_steps),
      cmocka_unit_test(a_pulse_costs_steps_where_it_is),
      cmocka_unit_test(a_ripple_on_a_source_costs_no_steps),
      cmocka_unit_test(shares_of_hidden_pulses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
