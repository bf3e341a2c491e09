/* delbuono.c -- the problems of [DL15] and their runs. */
#include "papers/delbuono.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------ example 1 --- */

/* (20): x_1' = x_1 (1 - x_2)^((2 r + 1)/2), x_2' = 1; the event is h = x_2 - 1. */
static int power(double t, const double *x, double *f, const brink_env *e)
{
  (void)t;
  if (x[1] > 1)
    return 1;
  f[0] = x[0] * pow(1 - x[1], (2 * e->p[0] + 1) / 2);
  f[1] = 1;
  return 0;
}

double delbuono_exact(double r) { return 0.5 * exp(2 / (2 * r + 3)); }

/* ------------------------------------------------------------ example 2 --- */

static double activation(double x, int positive)
{
  return positive ? sqrt(x) + 1 : 0.5 * cos(x) - 0.25;
}

/* (21), where x_1, x_3 > 0 and x_2 < 0, as from the start to the event h = x_2. */
static int network(double t, const double *x, double *f, const brink_env *e)
{
  (void)e;
  if (x[0] < 0 || x[1] > 0 || x[2] < 0)
    return 1;
  double g1 = activation(x[0], 1), g2 = activation(x[1], 0), g3 = activation(x[2], 1);
  f[0] = -2 * x[0] - 0.25 * g1 - 0.1 * g2 + 0.15 * g3 + sin(t);
  f[1] = -2.4 * x[1] + 0.1 * g1 - 0.25 * g2 - cos(t);
  f[2] = -2.8 * x[2] + 0.2 * g2 - 0.25 * g3 + sin(t);
  return 0;
}

const double delbuono_network_event[4] = {1.877064450848974, 0.3706766529430889, 0,
                                          0.22901673021693542};

/* ------------------------------------------------------------- as models --- */

static int is_network(const delbuono_problem *p) { return p->r < 0; }

static const double *start(const delbuono_problem *p)
{
  static const double power_0[] = {0.5, 0}, network_0[] = {1, -1, 1};

  return is_network(p) ? network_0 : power_0;
}

brink_model *delbuono_model(brink_ctx *ctx, const delbuono_problem *problem)
{
  int net = is_network(problem);
  const brink_guard_def guard = {.name = "h", .state = 1, .level = net ? 0 : 1};
  const brink_event_def event = {.name = net ? "x2 = 0" : "x2 = 1",
                                 .dir = BRINK_UP,
                                 .side = BRINK_BEFORE,
                                 .terminal = 1};
  const brink_mode_def mode = {.name = "R1",
                               .n = net ? 3 : 2,
                               .rhs = net ? network : power,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {.name = net ? "neural network" : "example 1",
                               .modes = &mode,
                               .n_modes = 1,
                               .p = &problem->r,
                               .n_p = 1};
  brink_model *model = NULL;

  return brink_model_new(ctx, &def, &model) < 0 ? NULL : model;
}

/* ------------------------------------------------------------------ runs --- */

brink_sim_opts delbuono_options(const delbuono_problem *problem, const char *locator,
                                int m, double eta, double eps)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "dopri5";
  opt.locator = locator;
  opt.locate_order = m;
  opt.eta = opt.h0 = eta;
  opt.near_g = 2; /* from the start on */
  /* the norm of errors is a root mean square */
  opt.rtol = eps > 0 ? 0 : 1;
  opt.atol = eps > 0 ? eps / sqrt(is_network(problem) ? 3 : 2) : 1e300;
  return opt;
}

typedef struct taking {
  const delbuono_problem *problem;
  delbuono_run *out;
} taking;

static double h_of(const delbuono_problem *p, const double *x)
{
  return is_network(p) ? x[1] : x[1] - 1;
}

static int on_step(const brink_step *step, double from, double to, int mode, void *user)
{
  const taking *t = user;
  delbuono_run *out = t->out;
  double x[3] = {0};

  (void)from, (void)mode;
  if (out->n == DELBUONO_STEPS)
    return 1;
  brink_step_at(step, to, x);
  out->tau[out->n] = to * step->h;
  out->h[out->n++] = h_of(t->problem, x);
  return 0;
}

static int on_event(const brink_event *event, void *user)
{
  const taking *t = user;

  t->out->located_by = event->located_by;
  return 0;
}

int delbuono_solve(brink_ctx *ctx, const delbuono_problem *problem,
                   const brink_sim_opts *opt, delbuono_run *out)
{
  brink_model *model = delbuono_model(ctx, problem);
  brink_sim *sim = NULL;
  taking t = {problem, out};

  memset(out, 0, sizeof *out);
  out->located_by = "";
  int bad = !model || brink_sim_new(ctx, model, opt, &sim) < 0;
  if (!bad) {
    brink_sim_observe(
        sim, &(brink_observer){.on_step = on_step, .on_event = on_event, .user = &t});
    bad = brink_sim_start(sim, 0, 0, start(problem)) < 0 || brink_sim_run(sim, 4) < 0;
    brink_work w = brink_sim_statistics(sim).work;
    out->t = brink_sim_time(sim);
    memcpy(out->x, brink_sim_state(sim), brink_sim_n(sim) * sizeof(double));
    out->h[out->n > 0 ? out->n - 1 : 0] = h_of(problem, out->x);
    out->f_evals = w.f_evals;
    out->outside_evals = w.outside_evals;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return bad ? -1 : 0;
}

/* ------------------------------------------------------- word by word --- */

enum { N = 3 };

/* The loop of the paper: x_k, f_k, f_{k-1}, tau_k. */
typedef struct loop {
  const delbuono_problem *p;
  int n;
  double t, x[N], f[N], before[N], tau;
} loop;

static void field(const loop *l, double t, const double *x, double *f)
{
  double r = l->p->r;
  brink_env e = {.p = &r};

  (void)(is_network(l->p) ? network(t, x, f, &e) : power(t, x, f, &e));
}

/* One step of Ralston: tau_1. */
static void ralston(loop *l, double tau)
{
  double x[N], k[N];

  for (int i = 0; i < l->n; i++)
    x[i] = l->x[i] + 2 * tau / 3 * l->f[i];
  field(l, l->t + 2 * tau / 3, x, k);
  for (int i = 0; i < l->n; i++)
    l->x[i] += tau * (l->f[i] / 4 + 3 * k[i] / 4);
}

/* (11); h = x_2 or x_2 - 1, so that d is the second unit vector */
static double tau_of(const loop *l, double eta)
{
  double a_2 = (l->f[1] - l->before[1]) / (2 * l->tau), a_1 = l->f[1];

  return 2 * eta / (a_1 + sqrt(a_1 * a_1 + 4 * a_2 * eta));
}

static void bashforth(const loop *l, double tau, double omega, double *x)
{
  for (int i = 0; i < l->n; i++)
    x[i] = l->x[i] + tau * ((1 + omega / 2) * l->f[i] - omega / 2 * l->before[i]);
}

/* The corrector; Err = |x^P - x|. */
static double correct(const loop *l, delbuono_reading reading, double tau,
                      const double *x_P, double *x)
{
  double f_P[N], w = tau / l->tau, sum = 0;
  double b_0 = 0.5, b_1 = 0.5, b_2 = 0;

  if (reading == DELBUONO_MOULTON) {
    b_0 = (3 + 2 * w) / (6 * (1 + w));
    b_1 = (3 + w) / 6;
    b_2 = -w * w / (6 * (1 + w));
  }
  field(l, l->t + tau, x_P, f_P);
  for (int i = 0; i < l->n; i++) {
    x[i] = l->x[i] + tau * (b_0 * f_P[i] + b_1 * l->f[i] + b_2 * l->before[i]);
    sum += (x_P[i] - x[i]) * (x_P[i] - x[i]);
  }
  return sqrt(sum);
}

/* One step; *eta is halved where Milne's device or the corrector ask for it.  Returns
 * tau; *last: it ends on the event. */
static double step(const loop *l, delbuono_reading reading, double *eta, double rho,
                   double eps, double *x, int *halved, int *last)
{
  for (;; *eta /= 2, ++*halved) {
    double left = -h_of(l->p, l->x), x_P[N] = {0};
    *last = left <= *eta * (1 + 1e-9);
    double tau = tau_of(l, *last ? left : *eta);
    bashforth(l, tau, reading == DELBUONO_CONSTANT && !*last ? 1 : tau / l->tau, x_P);
    memcpy(x, x_P, sizeof x_P);
    if (*last || reading <= DELBUONO_CONSTANT)
      return tau;
    double err = rho * correct(l, reading, tau, x_P, x);
    if (err <= eps && h_of(l->p, x) <= 0)
      return tau;
  }
}

static void note(loop *l, delbuono_run *out, double tau, int halved)
{
  l->t += tau;
  l->tau = tau;
  memcpy(l->before, l->f, sizeof l->f);
  out->tau[out->n] = tau;
  out->halved[out->n] = halved;
  out->halvings += halved;
  out->h[out->n++] = h_of(l->p, l->x);
}

void delbuono_plain(const delbuono_problem *problem, delbuono_reading reading,
                    double eta, double rho, double eps, delbuono_run *out)
{
  loop l = {.p = problem, .n = is_network(problem) ? 3 : 2};
  int last = 0;

  memset(out, 0, sizeof *out);
  out->located_by = "";
  memcpy(l.x, start(problem), (size_t)l.n * sizeof(double));
  field(&l, 0, l.x, l.f);
  ralston(&l, eta);
  note(&l, out, eta, 0);
  while (!last && out->n < DELBUONO_STEPS) {
    double x[N] = {0};
    int halved = 0;
    field(&l, l.t, l.x, l.f);
    double tau = step(&l, reading, &eta, rho, eps, x, &halved, &last);
    memcpy(l.x, x, sizeof x);
    note(&l, out, tau, halved);
  }
  out->eta = eta;
  out->t = l.t;
  memcpy(out->x, l.x, sizeof l.x);
}
