/* Certificates under fire: random guards with planted clusters of zeros.
 *
 * A guard is a product of factors, each zero where x or the time passes a number:
 * differences, powers, exponentials, hyperbolic sines; 2 to 6 of them, 1e-9 to 1e-2
 * apart, up to three guards at once.  Where they are zero along the steps that a run
 * has really taken is computed in high precision.  Each run must find all crossings, in
 * order, or not say `proved`; none may end before its time.
 *
 * The same with guards that read x and the time through algebraic loops, linear and
 * not, and narrow peaks in callbacks.  A peak between samples has nothing to do with
 * rounding: a run that has missed one must say `sampled`.
 *
 * BRINK_CASES sets the number of models per method (default: CASES). */
#include "hybrid.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"

enum {
  CASES = 30,
  GUARDS = 3,  /* at once                                                 */
  ZEROS = 6,   /* of one of them                                          */
  DEGREE = 12, /* of all its factors together: no product underflows      */
  LINE = 8,    /* of the first condition                                  */
  BITS = 300   /* of the truth                                            */
};

/* Events are placed as well as t and x can be told: so many times eps (1 + |t|). */
static const double PLACED = 2000 * 0x1p-52;

typedef struct factor {
  double zero;
  int power;   /* odd: a crossing */
  int in_time; /* else in x       */
  int form;    /* 0: difference, 1: exp(.) - 1, 2: sinh */
} factor;

typedef struct planted {
  int n;
  factor f[ZEROS];
  double bump; /* > 0: of this width, with two zeros */
} planted;

/* How guards know x and the time: names, and equations that make them so. */
typedef struct behind_loop {
  const char *x, *time;
  const char *declares, *equations;
} behind_loop;

/* One run: what was planted, what is true along its steps, what it has found. */
typedef struct run {
  int n_guards;
  planted guard[GUARDS];
  double t0, t_end;
  double loose; /* times are compared so much more loosely; 0: they are not */
  int acts;
  const behind_loop *behind; /* how guards know x and the time                  */
  char text[6000];
  int sign[GUARDS][ZEROS]; /* of each factor so far                        */
  int n_true[GUARDS], n_found[GUARDS];
  double true_t[GUARDS][ZEROS]; /* in order                                     */
  double found[GUARDS][2 * ZEROS];
  mpfr_t theta, value, a, b;
} run;

static int cases(void) { return (int)random_cases("BRINK_CASES", CASES); }

static int below(uint64_t *seed, int n) { return (int)(rand_01(seed) * n); }

/* --------------------------------------------------------------- models --- */

static int by_zero(const void *a, const void *b)
{
  double x = ((const factor *)a)->zero, y = ((const factor *)b)->zero;
  return (x > y) - (x < y);
}

/* exp(-((a - c)/w)^2) - 1/2 around c = at */
static void plant_bump(planted *p, uint64_t *seed, double at)
{
  double w = pow(10, rand_in(seed, -8, -1)), half = w * sqrt(log(2));
  int in_time = below(seed, 2);

  *p = (planted){2, {{at - half, 1, in_time, 0}, {at + half, 1, in_time, 0}}, w};
}

/* Zeros around `at`, where x is nearly the time. */
static void plant(planted *p, uint64_t *seed, double at)
{
  double apart = pow(10, rand_in(seed, -9, -2));
  int degree = 0, time = below(seed, 3);

  p->bump = 0;
  p->n = 2 + below(seed, ZEROS - 1);
  for (int i = 0; i < p->n; i++) {
    factor *f = &p->f[i];
    *f = (factor){at, below(seed, 3) ? 1 : 1 + below(seed, 5),
                  time == 0 || (time == 1 && below(seed, 2)), below(seed, 3)};
    if (degree + f->power + p->n > DEGREE)
      f->power = 1;
    degree += f->power;
    at += apart * rand_in(seed, 1, 3);
  }
  qsort(p->f, (size_t)p->n, sizeof *p->f, by_zero);
}

static void write_factor(const run *r, const factor *f, char *text, size_t size)
{
  static const char *const form[] = {"", "exp", "sinh"}, *const less[] = {"", " - 1",
                                                                          ""};
  size_t used = (size_t)snprintf(text, size, "(%s(%s - (%.17g))%s)", form[f->form],
                                 f->in_time ? r->behind->time : r->behind->x, f->zero,
                                 less[f->form]);

  if (f->power > 1)
    snprintf(text + used, size - used, "^%d", f->power);
}

static void write_guard(const run *r, const planted *p, uint64_t *seed, char *text,
                        size_t size)
{
  static const char *const last[] = {"", "*exp(0.3*x)", "*(1 + x^2)", "/(2 + sin(x))"};
  size_t used = (size_t)snprintf(
      text, size, "%.17g", (below(seed, 2) ? 1 : -1) * pow(10, rand_in(seed, -6, 6)));

  if (p->bump > 0) {
    snprintf(text + used, size - used, "*(exp(-((%s - (%.17g))/%.17g)^2) - 0.5)",
             p->f[0].in_time ? r->behind->time : r->behind->x,
             0.5 * (p->f[0].zero + p->f[1].zero), p->bump);
    return;
  }
  for (int i = 0; i < p->n; i++) {
    char one[120];
    write_factor(r, &p->f[i], one, sizeof one);
    used += (size_t)snprintf(text + used, size - used, "*%s", one);
  }
  snprintf(text + used, size - used, "%s", last[below(seed, 4)]);
}

static const behind_loop nothing = {"x", "time", "", ""};

/* x runs a little faster and slower than the time. */
static void make(run *r, uint64_t *seed)
{
  static const double starts[] = {0, 0.37, -3.1, 117.3};
  size_t used;

  r->t0 = starts[below(seed, 4)];
  r->t_end = r->t0 + 4.5;
  r->n_guards = 1 + below(seed, GUARDS);
  r->acts = below(seed, 2);
  used = (size_t)snprintf(
      r->text, sizeof r->text,
      "model R\n  Real x(start = %.17g, fixed = true);\n"
      "  Real z(start = 1, fixed = true); %s\n  Integer n[%d](each start "
      "= 0, each fixed = true);\nequation\n"
      "  der(x) = 1 + %.3g*sin(1.7*time);\n  der(z) = -z; %s\n",
      r->t0, r->behind->declares, r->n_guards, rand_in(seed, 0, 0.4),
      r->behind->equations);
  double at = r->t0 + rand_in(seed, 1, 3);
  for (int i = 0; i < r->n_guards; i++) {
    char g[1000];
    at = fmin(fmax(at, r->t0 + 0.3), r->t_end - 1.2);
    (below(seed, 5) ? plant : plant_bump)(&r->guard[i], seed, at);
    write_guard(r, &r->guard[i], seed, g, sizeof g);
    used +=
        (size_t)snprintf(r->text + used, sizeof r->text - used,
                         "  when {%s > 0, %s < 0} then n[%d] = pre(n[%d]) + 1; %s "
                         "end when;\n",
                         g, g, i + 1, i + 1, r->acts && i == 0 ? "reinit(z, 1);" : "");
    at += below(seed, 2) ? pow(10, rand_in(seed, -8, -1)) : rand_in(seed, -0.9, 0.9);
  }
  snprintf(r->text + used, sizeof r->text - used, "end R;\n");
}

/* ---------------------------------------------------------------- truth --- */

/* The sign of x - zero, or time - zero, at theta; exact but for BITS. */
static int sign_at(run *r, const brink_step *s, const factor *f, mpfr_srcptr theta)
{
  if (f->in_time) {
    mpfr_mul_d(r->value, theta, s->h, MPFR_RNDN);
    mpfr_add_d(r->value, r->value, s->t0, MPFR_RNDN);
  } else {
    mpfr_set_d(r->value, s->coeff[s->degree], MPFR_RNDN);
    for (int k = s->degree - 1; k >= 0; k--) {
      mpfr_mul(r->value, r->value, theta, MPFR_RNDN);
      mpfr_add_d(r->value, r->value, s->coeff[k], MPFR_RNDN);
    }
  }
  return mpfr_cmp_d(r->value, f->zero) > 0 ? 1 : -1;
}

static void note_true(run *r, int g, const brink_step *s, mpfr_srcptr theta)
{
  mpfr_mul_d(r->value, theta, s->h, MPFR_RNDN);
  mpfr_add_d(r->value, r->value, s->t0, MPFR_RNDN);
  r->true_t[g][r->n_true[g]++] = mpfr_get_d(r->value, MPFR_RNDN);
}

/* The zero of a factor on the stretch from r->a to r->b. */
static void look_for(run *r, const brink_step *s, int g, int i)
{
  const factor *f = &r->guard[g].f[i];

  if (sign_at(r, s, f, r->a) > 0)
    mpfr_set(r->b, r->a, MPFR_RNDN); /* between two steps */
  for (int k = 0; k < 120 && mpfr_less_p(r->a, r->b); k++) {
    mpfr_add(r->theta, r->a, r->b, MPFR_RNDN);
    mpfr_div_2ui(r->theta, r->theta, 1, MPFR_RNDN);
    mpfr_set(sign_at(r, s, f, r->theta) > 0 ? r->b : r->a, r->theta, MPFR_RNDN);
  }
  if (f->power % 2)
    note_true(r, g, s, r->b);
  r->sign[g][i] = 1;
}

/* x and t grow: each factor changes its sign once. */
static int on_step(const brink_step *s, double begin, double end, int mode, void *user)
{
  run *r = user;

  (void)mode;
  for (int g = 0; g < r->n_guards; g++)
    for (int i = 0; i < r->guard[g].n; i++) {
      mpfr_set_d(r->a, begin, MPFR_RNDN);
      mpfr_set_d(r->b, end, MPFR_RNDN);
      if (r->sign[g][i] < 0 && sign_at(r, s, &r->guard[g].f[i], r->b) > 0)
        look_for(r, s, g, i);
    }
  return 0;
}

static int on_event(const brink_event *e, void *user)
{
  run *r = user;
  const char *line = strstr(e->name, "(line ");
  int g = line ? atoi(line + 6) - LINE : -1;

  if (e->kind != BRINK_KIND_TOUCH && g >= 0 && g < r->n_guards &&
      r->n_found[g] < 2 * ZEROS)
    r->found[g][r->n_found[g]++] = e->t;
  return 0;
}

/* ---------------------------------------------------------------- judge --- */

static int by_time(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Was every crossing of guard g found, in order? */
static int found_of(run *r, int g)
{
  qsort(r->true_t[g], (size_t)r->n_true[g], sizeof(double), by_time);
  if (r->n_true[g] != r->n_found[g])
    return 0;
  for (int i = 0; i < r->n_true[g]; i++)
    if (fabs(r->found[g][i] - r->true_t[g][i]) >
        fmax(r->loose, 1) * PLACED * (1 + fabs(r->true_t[g][i])))
      return 0;
  return 1;
}

static int all_found(run *r)
{
  int yes = 1;

  for (int g = 0; g < r->n_guards; g++)
    yes &= found_of(r, g);
  return yes;
}

static void show(const run *r, const char *method, const char *why)
{
  print_error("%s from %g: %s\n%s", method, r->t0, why, r->text);
  for (int g = 0; g < r->n_guards; g++)
    for (int i = 0; i < r->n_true[g] || i < r->n_found[g]; i++)
      print_error("  guard %d: %.17g found %.17g\n", g,
                  i < r->n_true[g] ? r->true_t[g][i] : (double)NAN,
                  i < r->n_found[g] ? r->found[g][i] : (double)NAN);
}

/* Was a crossing missed of which this certificate says that it is not there?  Rounding
 * may hide whether a cluster is one zero or several, but not a peak. */
static int is_wrong(run *r, int said)
{
  int wrong = 0;

  for (int g = 0; g < r->n_guards; g++)
    wrong |= !found_of(r, g) &&
             said <= (r->guard[g].bump > 0 ? BRINK_CONVERGED : BRINK_PROVED);
  return wrong;
}

/* Run what was built; says what it said of itself, or -1 where that was wrong. */
static int judge_rig(run *r, rig *m, const char *method, const double *y0)
{
  memset(r->n_true, 0, sizeof r->n_true);
  memset(r->n_found, 0, sizeof r->n_found);
  for (int g = 0; g < GUARDS; g++)
    for (int i = 0; i < ZEROS; i++)
      r->sign[g][i] = -1;
  brink_sim_observe(m->sim, &(brink_observer){on_step, on_event, r});
  check_status(brink_sim_start(m->sim, r->t0, 0, y0), BRINK_OK);
  brink_status rc = brink_sim_run(m->sim, r->t_end);
  int said = (int)brink_sim_statistics(m->sim).certificate;
  if (rc != BRINK_END) {
    show(r, method, brink_sim_error(m->sim)->text);
    said = -1;
  } else if (is_wrong(r, said)) {
    show(r, method, "not all were found, and that was called");
    print_error("  %s\n", brink_certificate_text((brink_certificate)said));
    said = -1;
  }
  rig_free(m);
  return said;
}

static brink_sim_opts options(const char *method)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.h0 = 0.3;
  return opt;
}

/* The same of the text of a model. */
static int judge(run *r, const char *method)
{
  brink_sim_opts opt = options(method);
  rig m;

  check_status(brink_ctx_new(NULL, &m.ctx), BRINK_OK);
  brink_status rc =
      brink_model_read(m.ctx, "r.mo", r->text, strlen(r->text), NULL, &m.model);
  if (rc < 0)
    print_error("%s\n%s\n", brink_ctx_error(m.ctx)->text, r->text);
  check_status(rc, BRINK_OK);
  check_status(brink_sim_new(m.ctx, m.model, &opt, &m.sim), BRINK_OK);
  return judge_rig(r, &m, method, NULL);
}

/* What the runs of one test have said. */
typedef struct tally {
  int counts[3], lost[3]; /* by certificate; of these not all was found */
  int wrong, total;
} tally;

static void note(tally *t, run *r, int said)
{
  t->total++;
  if (said < 0) {
    t->wrong++;
    return;
  }
  t->counts[said]++;
  t->lost[said] += !all_found(r);
}

static void say(const tally *t, const char *what)
{
  print_message("%d runs%s: %d proved, %d converged (%d of them not all found), %d "
                "sampled (%d), %d wrong\n",
                t->total, what, t->counts[0], t->counts[1], t->lost[1], t->counts[2],
                t->lost[2], t->wrong);
}

static void what_is_proved_is_true(void **state)
{
  static run r; /* large */
  tally all = {{0}, {0}, 0, 0};
  uint64_t seed = 2026;

  (void)state;
  r.behind = &nothing;
  mpfr_inits2(BITS, r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  for (int i = 0; i < cases(); i++) {
    make(&r, &seed);
    for (int k = 0; brink_method_name(k); k++)
      note(&all, &r, judge(&r, brink_method_name(k)));
  }
  say(&all, "");
  mpfr_clears(r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  assert_int_equal(all.wrong, 0);
  assert_true(all.counts[BRINK_PROVED] > all.total / 2);
}

/* ---------------------------------------------------------- behind loops --- */

/* Loops that have the solution u = x, w = time, whatever x and the time are. */
static const behind_loop loops[] = {
    {"u", "w", "Real u, w;", "2*u + w = 2*x + time; u - 3*w = x - 3*time;"},
    {"u", "w", "Real u, w, q;",
     "(2 + sin(x))*u + w + q = (2 + sin(x))*x + time + 0.3*x;"
     " u - 3*w + 0.5*q = x - 3*time + 0.15*x; q + 0.2*u + 0.1*w = 0.5*x + 0.1*time;"},
    {"u", "time", "Real u(start = 1);", "u + 0.4*sin(u) = x + 0.4*sin(x);"},
    {"u", "w", "Real u(start = 1), w(start = 1);",
     "u + 0.3*sin(w) = x + 0.3*sin(time); w + 0.2*u*u/(1 + u*u) = time + "
     "0.2*x*x/(1 + x*x);"},
    {"u", "w", "Real u(start = 1), w(start = 1), q(start = 1);",
     "exp(u/10) + q = exp(x/10) + 2; w + atan(u) + q = time + atan(x) + 2;"
     " q + 0.1*q^3 - 0.05*w = 2.8 - 0.05*time;"},
};

enum { LOOPS = sizeof loops / sizeof loops[0] };

static void zeros_behind_loops_are_found_or_not_certified(void **state)
{
  static run r; /* large */
  tally all = {{0}, {0}, 0, 0};
  uint64_t seed = 1969;

  (void)state;
  mpfr_inits2(BITS, r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  for (int i = 0; i < cases(); i++) {
    r.behind = &loops[i % LOOPS];
    make(&r, &seed);
    for (int k = 0; brink_method_name(k); k++)
      note(&all, &r, judge(&r, brink_method_name(k)));
  }
  say(&all, " behind loops");
  mpfr_clears(r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  assert_int_equal(all.wrong, 0);
  assert_true(all.counts[BRINK_PROVED] > all.total / 2);
}

/* ------------------------------------------------------------ callbacks --- */

/* x' = 1 + z/10, z' = -z, of which nothing forbids long steps */
static int slow(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = 1 + 0.1 * y[1];
  f[1] = -y[1];
  return 0;
}

static int slow_jet(int k, double t, double h, size_t stride, const double *y,
                    double *f, double *aux, const brink_env *e)
{
  (void)t, (void)h, (void)aux, (void)e;
  f[k] = (k == 0) + 0.1 * y[stride + (size_t)k];
  f[stride + (size_t)k] = -y[stride + (size_t)k];
  return 0;
}

static double peak(double t, const double *y, int k, const brink_env *e)
{
  const planted *p = &((const run *)e->user)->guard[k];
  double at = 0.5 * (p->f[0].zero + p->f[1].zero);

  return exp(-pow(((p->f[0].in_time ? t : y[0]) - at) / p->bump, 2)) - 0.5;
}

static int judge_callback(run *r, const char *method)
{
  const brink_guard_def g = {.name = "peak", .fn = peak};
  const brink_event_def e = {.name = "peak (line 8)"};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = slow,
                               .jet = slow_jet,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.name = "c", .modes = &mode, .n_modes = 1, .user = r};
  const brink_sim_opts opt = options(method);
  const double y0[] = {r->t0, 1};
  rig m = rig_new(&def, &opt, r->t0, 0, y0);

  return judge_rig(r, &m, method, y0);
}

/* A black box can only be sampled, and says so, whether its samples have converged or
 * not. */
static void peaks_in_callbacks_are_found_or_not_certified(void **state)
{
  static run r; /* large */
  tally all = {{0}, {0}, 0, 0};
  uint64_t seed = 1912;

  (void)state;
  r.n_guards = 1;
  mpfr_inits2(BITS, r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  for (int i = 0; i < cases(); i++) {
    r.t0 = rand_in(&seed, -3, 3);
    r.t_end = r.t0 + 4.5;
    plant_bump(r.guard, &seed, r.t0 + rand_in(&seed, 1, 3));
    for (int k = 0; brink_method_name(k); k++)
      note(&all, &r, judge_callback(&r, brink_method_name(k)));
  }
  say(&all, " with callbacks");
  mpfr_clears(r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  assert_int_equal(all.wrong, 0);
  assert_true(all.lost[BRINK_SAMPLED] < all.counts[BRINK_SAMPLED]);
}

/* ------------------------------------------------------------- expanded --- */

enum { TERMS = 6 }; /* of an expanded polynomial, at most */

/* p(x) = sum c_k x^k in high precision: its sign. */
static int poly_sign(run *r, int n, mpfr_t *c, mpfr_srcptr x)
{
  mpfr_set(r->value, c[n], MPFR_RNDN);
  for (int k = n - 1; k >= 0; k--) {
    mpfr_mul(r->value, r->value, x, MPFR_RNDN);
    mpfr_add(r->value, r->value, c[k], MPFR_RNDN);
  }
  return mpfr_sgn(r->value);
}

/* Zeros of p between lo and hi at which its sign changes, from those of its derivative;
 * returns their number. */
static int poly_zeros(run *r, int n, mpfr_t *c, double lo, double hi, mpfr_t *zeros)
{
  mpfr_t d[TERMS], turns[TERMS];
  int count = 0, m = 0;

  if (n < 1)
    return 0;
  for (int k = 0; k < TERMS; k++)
    mpfr_inits2(BITS, d[k], turns[k], (mpfr_ptr)0);
  for (int k = 0; k < n; k++)
    mpfr_mul_ui(d[k], c[k + 1], (unsigned long)(k + 1), MPFR_RNDN);
  m = poly_zeros(r, n - 1, d, lo, hi, turns);
  for (int i = 0; i <= m; i++) {
    if (i == 0)
      mpfr_set_d(r->a, lo, MPFR_RNDN);
    else
      mpfr_set(r->a, turns[i - 1], MPFR_RNDN);
    if (i == m)
      mpfr_set_d(r->b, hi, MPFR_RNDN);
    else
      mpfr_set(r->b, turns[i], MPFR_RNDN);
    int first = poly_sign(r, n, c, r->a);
    if (first * poly_sign(r, n, c, r->b) >= 0)
      continue;
    for (int k = 0; k < BITS - 20; k++) {
      mpfr_add(r->theta, r->a, r->b, MPFR_RNDN);
      mpfr_div_2ui(r->theta, r->theta, 1, MPFR_RNDN);
      mpfr_set(poly_sign(r, n, c, r->theta) == first ? r->a : r->b, r->theta,
               MPFR_RNDN);
    }
    mpfr_set(zeros[count++], r->b, MPFR_RNDN);
  }
  for (int k = 0; k < TERMS; k++)
    mpfr_clears(d[k], turns[k], (mpfr_ptr)0);
  return count;
}

/* A cluster multiplied out: its coefficients are rounded, and so the zeros are others,
 * or fewer.  The zeros of what is written become factors of the truth. */
static void make_expanded(run *r, uint64_t *seed)
{
  double c[TERMS] = {1}, at = rand_in(seed, 1, 3),
         apart = pow(10, rand_in(seed, -6, -1));
  int n = 2 + below(seed, TERMS - 2);
  char text[600] = "0";
  mpfr_t exact[TERMS], zeros[TERMS];

  for (int i = 0; i < n; i++, at += apart * rand_in(seed, 1, 3))
    for (int k = i + 1; k >= 0; k--)
      c[k] = (k > 0 ? c[k - 1] : 0) - (k <= i ? at * c[k] : 0);
  for (int k = 0; k < TERMS; k++) {
    mpfr_inits2(BITS, exact[k], zeros[k], (mpfr_ptr)0);
    mpfr_set_d(exact[k], k <= n ? c[k] : 0, MPFR_RNDN);
    if (k <= n)
      snprintf(text + strlen(text), sizeof text - strlen(text), " + (%.17g)*x^%d", c[k],
               k);
  }
  *r->guard = (planted){.n = poly_zeros(r, n, exact, 0.1, 4.4, zeros)};
  for (int i = 0; i < r->guard->n; i++)
    r->guard->f[i] = (factor){mpfr_get_d(zeros[i], MPFR_RNDN), 1, 0, 0};
  for (int k = 0; k < TERMS; k++)
    mpfr_clears(exact[k], zeros[k], (mpfr_ptr)0);
  r->t0 = 0;
  r->t_end = 4;
  r->n_guards = 1;
  snprintf(r->text, sizeof r->text,
           "model E\n  Real x(start = 0.1, fixed = true);\n"
           "  Real z(start = 1, fixed = true);\n  Integer n(start = 0, fixed = true);\n"
           "equation\n  der(x) = 1 + %.3g*sin(1.7*time);\n  der(z) = -z;\n"
           "  when {%s > 0, %s < 0} then n = pre(n) + 1; end when;\nend E;\n",
           rand_in(seed, 0, 0.1), text, text);
}

/* Where rounding hides zeros that the guard has as it is written, or shows some that it
 * has not, nothing is called proved. */
static void clusters_that_rounding_hides_are_not_called_proved(void **state)
{
  static run r; /* large */
  tally all = {{0}, {0}, 0, 0};
  uint64_t seed = 1948;
  int methods = 0;

  (void)state;
  while (brink_method_name(methods))
    methods++;
  r.loose = 1e7;
  mpfr_inits2(BITS, r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  for (int i = 0; i < 4 * cases(); i++) {
    make_expanded(&r, &seed);
    note(&all, &r, judge(&r, brink_method_name(i % methods)));
  }
  say(&all, " with expanded clusters");
  mpfr_clears(r.theta, r.value, r.a, r.b, (mpfr_ptr)0);
  assert_int_equal(all.wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_proved_is_true),
      cmocka_unit_test(zeros_behind_loops_are_found_or_not_certified),
      cmocka_unit_test(peaks_in_callbacks_are_found_or_not_certified),
      cmocka_unit_test(clusters_that_rounding_hides_are_not_called_proved),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
