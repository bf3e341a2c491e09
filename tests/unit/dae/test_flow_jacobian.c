/* The Jacobian of a text model's flow, against differences of F and of f: loops,
 * functions, arrays, machines, branches, delays, high index, sums of many states. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"
#include "hybrid/sim.h"
#include "linear/linear.h"
#include "ode/jacobian.h"

enum { MOST = 160 };

typedef struct problem {
  const char *name, *text;
  double until; /* look at the state there */
  size_t n_z;
  int not_eliminated; /* 1: f is a singular function of y: only F is looked at */
} problem;

/* clang-format off */
static const problem problems[] = {
    {"van der Pol",
     "model M Real x(start=1.3), v(start=-0.4); parameter Real mu=7; equation\n"
     "der(x)=v; der(v)=mu*(1-x^2)*v-x; end M;", 0.3, 0, 0},
    {"every operation",
     "model M Real a(start=0.3), b(start=0.7), c(start=1.9); equation\n"
     "der(a)=sin(a*b)+cos(c)*tan(a)+asin(a/2)*acos(b/2)+atan(c*a)+atan2(a,b*c);\n"
     "der(b)=sinh(a)+cosh(b)*tanh(c)+exp(-a*b)/c+log(b+c)*log10(c+a);\n"
     "der(c)=sqrt(a+b)*c^2.5-c^3*abs(a-5)+(a+1)^(b*c)+max(a,b)*min(b,c)-a^(-2); end M;",
     0.01, 0, 0},
    {"variables between",
     "model M Real x(start=1), y(start=2), k, r, s; equation\n"
     "der(x)=-r+s; der(y)=r-2*s*k; r=k*x*y; k=exp(-1/(1+x^2)); s=r*r/(1+k); end M;",
     0.2, 0, 0},
    {"linear loop",
     "model M Real x(start=1), y(start=2), i1, i2, i3; equation\n"
     "der(x)=i1; der(y)=i2*x; i1+2*i2+i3=x; i1-i2*y=sin(y); i2+i3*(3+x)=x*y; end M;",
     0.2, 3, 0},
    {"loop of derivatives",
     "model M Real x(start=1), y(start=2); equation\n"
     "(2+x^2)*der(x)+x*der(y)=-x; x*der(x)+(3+y^2)*der(y)=-y; end M;", 0.2, 2, 0},
    {"nonlinear loop",
     "model M Real x(start=1), v(start=0.4), i; equation\n"
     "der(x)=i-v; der(v)=x*i; i^3+i=x-exp(-v)*i*0.2; end M;", 0.2, 1, 0},
    {"loops in a row",
     "model M Real x(start=1), a(start=0.4), b, c; equation\n"
     "der(x)=-b*c; a^5+a=x; b=a*x+sin(a); exp(c)+c=b+a; end M;", 0.2, 2, 0},
    {"torn loop",
     "model M Real x(start=1), y(start=0.3), a, b, c, d, e(start=0.2); equation\n"
     "der(x)=-a*y; der(y)=d-e; a=b+x; b=c+y*e; c=d+e; d=e-x*y; a*e+e^3=2*x+b; end M;",
     0.1, 1, 0},
    {"function",
     "model M\n"
     "function f input Real a; input Real b; output Real y; protected Real t;\n"
     "algorithm t:=a; for i in 1:4 loop t:=t*b+sin(t)/i; end for;\n"
     "if t>0.4 then y:=t^2; else y:=t; end if; end f;\n"
     "Real x(start=0.8), y(start=0.5); equation der(x)=f(x,y)-x; der(y)=f(y,x*y); end M;",
     0.2, 0, 0},
    {"branches",
     "model M Real x(start=1.8), y(start=0.5), s; equation\n"
     "s=if x>1.5 then y^2*x else sqrt(1.5-x); der(x)=-s; der(y)=if time<0.1 then x*y else\n"
     "if noEvent(y<3) then x^2 else log(3-y); end M;", 0.2, 0, 0},
    {"array",
     "model M parameter Integer n=12; Real x[n](start=linspace(0.1,1.2,n)); equation\n"
     "der(x[1])=x[2]-2*x[1]; for i in 2:n-1 loop der(x[i])=x[i+1]-2*x[i]+x[i-1]+x[i]^2;\n"
     "end for; der(x[n])=-x[n]*x[1]; end M;", 0.2, 0, 0},
    {"mean of many states",
     "model M parameter Integer n=70; Real x[n](start=linspace(0.1,1.2,n)), m; equation\n"
     "m=sum(x)/n; for i in 1:n loop der(x[i])=(m-x[i])*m; end for; end M;", 0.2, 1, 0},
    {"running sum",
     "model M parameter Integer n=70; Real x[n](start=linspace(0.1,0.2,n)), s[n]; equation\n"
     "s[1]=x[1]; for i in 2:n loop s[i]=s[i-1]+x[i]^2; end for;\n"
     "for i in 1:n loop der(x[i])=-s[i]*x[i]; end for; end M;", 0.2, 1, 0},
    {"norm and branches of many states",
     "model M parameter Integer n=20; Real x[n](start=linspace(0.1,0.2,n)), s; equation\n"
     "s=sqrt(sum(x[i]^2 for i in 1:n))+(if x[3]>0.01 then sum(x)*x[2] else log(x[1]-5))\n"
     "+max(x[4],x[5])*product(x); for i in 1:n loop der(x[i])=-s*x[i]; end for; end M;",
     0.2, 0, 0},
    {"machine",
     "model M\n"
     "model Fall Real x(start=1,fixed=true), v(start=0,fixed=true); equation\n"
     "der(x)=v; der(v)=-9.81; end Fall;\n"
     "model Soft Real x, v, w; equation der(x)=v*x; der(v)=-sin(x)*w-3; w^3+w=v; end Soft;\n"
     "Fall fall; Soft soft; equation initialState(fall);\n"
     "transition(fall, soft, fall.x < 0.5); when activeState(soft) then\n"
     "reinit(soft.x, fall.x); reinit(soft.v, fall.v); end when;\n"
     "annotation(__brink(modes = true)); end M;", 0.4, 1, 0},
    {"delay",
     "model M Real x(start=1); equation der(x)=-x*delay(x,0.1)+x^2*0.1; end M;", 0.35, 0,
     0},
    {"pendulum of index 3",
     "model M Real x(start=0.6,fixed=true), y(start=-0.8), vx(start=0.1), vy, l; equation\n"
     "der(x)=vx; der(y)=vy; der(vx)=-l*x; der(vy)=-l*y-9.81; x^2+y^2=1; end M;", 0.1,
     (size_t)-1, 0},
    {"no states", "model M Real x; equation x=sin(time); end M;", 0.2, 0, 0},
    {"constant slope", "model M Real x(start=1),y(start=2); equation der(x)=3; der(y)=x; end M;",
     0.2, 0, 0},
};
/* clang-format on */

typedef struct subject {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} subject;

static subject load(const char *text, double until)
{
  subject s = {0};
  brink_sim_opts opt = brink_sim_defaults();

  assert_int_equal(brink_ctx_new(NULL, &s.ctx), BRINK_OK);
  if (brink_model_read(s.ctx, "M", text, strlen(text), NULL, &s.model) < 0)
    fail_msg("%s\n%s", brink_ctx_error(s.ctx)->text, text);
  assert_int_equal(brink_sim_new(s.ctx, s.model, &opt, &s.sim), BRINK_OK);
  if (brink_sim_start(s.sim, 0, 0, NULL) < 0 || brink_sim_run(s.sim, until) < 0)
    fail_msg("%s", brink_sim_error(s.sim)->text);
  return s;
}

static void drop(subject *s)
{
  brink_sim_free(s->sim);
  brink_model_free(s->model);
  brink_ctx_free(s->ctx);
}

/* A derivative by central differences, extrapolated to order 4. */
typedef int law(const brink_flow *flow, double t, const double *u, double *F);

static void column(const brink_flow *flow, law *F, size_t n_in, size_t n_out, size_t j,
                   double t, const double *u, double *out)
{
  double at[MOST], a[MOST], b[MOST], d[2][MOST];
  double h = 1e-3 * fmax(fabs(u[j]), 0.1);

  memcpy(at, u, n_in * sizeof *u);
  for (int k = 0; k < 2; k++, h /= 2) {
    at[j] = u[j] + h;
    assert_int_equal(F(flow, t, at, a), 0);
    at[j] = u[j] - h;
    assert_int_equal(F(flow, t, at, b), 0);
    for (size_t i = 0; i < n_out; i++)
      d[k][i] = (a[i] - b[i]) / (2 * h);
  }
  for (size_t i = 0; i < n_out; i++)
    out[i] = (4 * d[1][i] - d[0][i]) / 3;
}

/* The matrix of the flow, with all its zeros, by columns; checks its pattern. */
static double *full(const brink_flow *flow, double t, const double *u)
{
  size_t n = flow->n + flow->n_z, nnz = flow->pattern->nnz;
  double *entry = calloc(nnz, sizeof *entry), *a = calloc(n * n, sizeof *a);
  size_t last = 0, diagonals = 0;

  assert_int_equal(flow->pattern->n, n);
  assert_int_equal(flow->jacobian(flow, t, u, entry), 0);
  for (size_t k = 0; k < nnz; k++) {
    size_t i = (size_t)flow->pattern->row[k], j = (size_t)flow->pattern->col[k];
    assert_true(k == 0 || j * n + i > last);
    last = j * n + i;
    diagonals += i == j && i < flow->n;
    a[last] = entry[k];
  }
  assert_int_equal(diagonals, flow->n);
  free(entry);
  return a;
}

static void compare(const char *name, double got, double want, double scale, size_t i,
                    size_t j)
{
  if (!(fabs(got - want) <= 2e-8 * (scale + fabs(want))))
    fail_msg("%s: dF[%zu]/du[%zu] is %.15g, differences say %.15g", name, i, j, got,
             want);
}

/* (M - c J) (x, .) = (b, 0) is (I - c df/dy) x = b. */
static void check_eliminated(const char *name, const brink_flow *flow, double t,
                             const double *u, const double *a)
{
  size_t n = flow->n + flow->n_z;
  double c = 0.01, df[MOST], margin, x[MOST], scale[MOST];
  int pivot[MOST];
  double *m = calloc(n * n, sizeof *m);

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      m[i * n + j] = (i == j && i < flow->n) - c * a[j * n + i];
  assert_int_equal(brink__lu_factor(n, m, pivot, scale, &margin), n);
  for (size_t j = 0; j < flow->n; j++) { /* b: a column of I - c df/dy */
    column(flow, flow->rhs, flow->n, flow->n, j, t, u, df);
    for (size_t i = 0; i < n; i++)
      x[i] = i < flow->n ? (i == j) - c * df[i] : 0;
    brink__lu_solve(n, m, pivot, scale, x);
    for (size_t i = 0; i < flow->n; i++)
      compare(name, x[i], i == j, 1, i, j);
  }
  free(m);
}

static void check_flow(const problem *p, const brink_flow *flow, double t,
                       const double *y)
{
  size_t n = flow->n + flow->n_z;
  double u[MOST] = {0}, F[MOST], d[MOST];

  assert_true(n <= MOST);
  memcpy(u, y, flow->n * sizeof *u);
  assert_int_equal(flow->rhs(flow, t, y, F), 0);
  if (flow->n_z) {
    flow->loop_unknowns(flow, u + flow->n);
    assert_int_equal(flow->residual(flow, t, u, d), 0);
    for (size_t i = 0; i < n; i++) /* both forms of the law agree */
      check_near(d[i], i < flow->n ? F[i] : 0, 1e-11 * (1 + fabs(d[i])));
  }
  double *a = full(flow, t, u);
  for (size_t j = 0; j < n; j++) {
    column(flow, flow->n_z ? flow->residual : flow->rhs, n, n, j, t, u, d);
    for (size_t i = 0; i < n; i++)
      compare(p->name, a[j * n + i], d[i], 1, i, j);
  }
  if (!p->not_eliminated)
    check_eliminated(p->name, flow, t, u, a);
  free(a);
}

static void all_problems(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
    const problem *p = &problems[k];
    subject s = load(p->text, p->until);
    const brink_flow *flow = &s.sim->regime->flow;
    double y[MOST];

    if (p->n_z != (size_t)-1 && flow->n_z != p->n_z)
      fail_msg("%s: n_z is %zu", p->name, flow->n_z);
    memcpy(y, brink_sim_state(s.sim), flow->n * sizeof *y);
    check_flow(p, flow, p->until, y);
    drop(&s);
  }
}

/* The clock of a run that goes back is -time, its law -f. */
static void backward(void **state)
{
  (void)state;
  const problem *p = &problems[6];
  subject s = load(p->text, -0.1);
  const brink_flow *flow = &s.sim->regime->flow;
  double y[MOST];

  assert_int_equal(flow->backward, 1);
  memcpy(y, brink_sim_state(s.sim), flow->n * sizeof *y);
  check_flow(p, flow, 0.1, y);
  drop(&s);
}

/* Differences of F, with the unknowns of loops among the columns. */
static void differences(void **state)
{
  (void)state;
  const brink__tol tol = {.rtol = 1e-6, .atol = 1e-9};

  for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
    if (problems[k].n_z == 0)
      continue;
    subject s = load(problems[k].text, problems[k].until);
    brink_flow flow = s.sim->regime->flow;
    size_t nnz = flow.pattern->nnz;
    brink__jacobian *j = calloc(1, brink__jacobian_size(&flow));
    double u[MOST], F[MOST], *exact = calloc(2 * nnz, sizeof *exact),
                             *got = exact + nnz;
    brink__gate gate = {.flow = &flow};

    memcpy(u, brink_sim_state(s.sim), flow.n * sizeof *u);
    assert_int_equal(brink__f(&gate, problems[k].until, u, F), BRINK_OK);
    flow.loop_unknowns(&flow, u + flow.n);
    assert_int_equal(flow.jacobian(&flow, problems[k].until, u, exact), 0);
    flow.jacobian = NULL;
    brink__jacobian_open(j, &flow);
    assert_int_equal(brink__residual(&gate, problems[k].until, u, F), BRINK_OK);
    assert_int_equal(brink__jacobian_at(j, &gate, &tol, problems[k].until, u, F, got),
                     BRINK_OK);
    for (size_t e = 0; e < nnz; e++)
      check_near(got[e], exact[e], 1e-4 * (1 + fabs(exact[e])));
    free(exact);
    free(j);
    drop(&s);
  }
}

/* Where there is no derivative the flow says so, and nothing that is not finite. */
static void no_derivative(void **state)
{
  (void)state;
  subject s = load("model M Real x(start=1); equation der(x)=-sqrt(x); end M;", 0.1);
  const brink_flow *flow = &s.sim->regime->flow;
  double y = 0, entry;

  assert_true(flow->jacobian(flow, 0, &y, &entry) > 0);
  y = 0.25;
  assert_int_equal(flow->jacobian(flow, 0, &y, &entry), 0);
  check_near(entry, -1, 1e-15);
  drop(&s);
}

/* Each allocation of reading a model fails once; 1: `at` was reached. */
static int fails_at(const char *text, long at)
{
  flaky f = {.fail_at = at};
  brink_alloc alloc = flaky_alloc(&f);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_status rc = brink_ctx_new(&alloc, &ctx);

  if (rc >= 0) {
    rc = brink_model_read(ctx, "M", text, strlen(text), NULL, &model);
    assert_int_equal(rc < 0, model == NULL);
    brink_model_free(model);
    brink_ctx_free(ctx);
  }
  assert_int_equal(f.live, 0);
  if (rc != BRINK_OK) /* an expression may stay as it is where there is no memory to
                         simplify it */
    check_status(rc, f.calls >= at ? BRINK_ENOMEM : BRINK_OK);
  return f.calls >= at;
}

static void out_of_memory(void **state)
{
  static const char *const names[] = {"mean of many states", "torn loop", "branches",
                                      "norm and branches of many states"};
  (void)state;
  for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++)
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
      for (long at = 1;
           strcmp(problems[k].name, names[i]) == 0 && fails_at(problems[k].text, at);
           at++)
        continue;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_problems),  cmocka_unit_test(backward),
      cmocka_unit_test(differences),   cmocka_unit_test(no_derivative),
      cmocka_unit_test(out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
