/* Structural analysis of models as text: the natural equations, before anything is
 * differentiated, substituted or solved. */
#include "check.h"

#include "brink/brink.h"
#include "core/core.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------- reading --- */

typedef struct text {
  brink_ctx *ctx;
  brink_model *model; /* NULL: refused */
  brink_structures *all;
} text;

static text read_set(const char *source, int n_set, const brink_setting *set)
{
  text t = {NULL, NULL, NULL};
  brink_load_opts opt = brink_load_defaults();

  opt.set = set;
  opt.n_set = n_set;
  opt.structures = &t.all;
  check_status(brink_ctx_new(NULL, &t.ctx), BRINK_OK);
  brink_status rc =
      brink_model_read(t.ctx, "test.mo", source, strlen(source), &opt, &t.model);
  if (!t.all)
    print_message("%s\n", brink_ctx_error(t.ctx)->text);
  assert_non_null(t.all);
  assert_int_equal(rc == BRINK_OK, t.model != NULL);
  return t;
}

static text read_text(const char *source) { return read_set(source, 0, NULL); }

static void drop(text *t)
{
  brink_model_free(t->model);
  brink_structures_free(t->all);
  brink_ctx_free(t->ctx);
}

static const brink_structure *only(const text *t)
{
  assert_int_equal(t->all->n, 1);
  assert_string_equal(t->all->v[0].mode, "");
  return &t->all->v[0];
}

static size_t column(const brink_structure *s, const char *name)
{
  for (size_t j = 0; j < s->n_variables; j++)
    if (strcmp(s->names[j], name) == 0)
      return j;
  fail_msg("no variable %s", name);
  return 0;
}

/* sigma of the variable in the first equation of a line, -1: minus infinity */
static int sigma(const brink_structure *s, int line, const char *name)
{
  for (size_t i = 0; i < s->n_equations; i++)
    for (size_t e = s->start[i]; s->lines[i] == line && e < s->start[i + 1]; e++)
      if (strcmp(s->names[s->variable[e]], name) == 0)
        return s->order[e];
  return -1;
}

static void has_offsets(const brink_structure *s, const int *c, const int *d)
{
  assert_false(s->singular);
  for (size_t i = 0; i < s->n_equations; i++)
    assert_int_equal(s->c[i], c[i]);
  for (size_t j = 0; j < s->n_variables; j++)
    assert_int_equal(s->d[j], d[j]);
}

/* ------------------------------------------------------------ known models --- */

static const char pendulum[] = "model P\n"
                               "  parameter Real G = 9.8, L = 10;\n"
                               "  Real x, y, lambda;\n"
                               "equation\n"
                               "  der(der(x)) + lambda*x = 0;\n"
                               "  der(der(y)) + lambda*y - G = 0;\n"
                               "  x^2 + y^2 = L^2;\n"
                               "end P;\n";

static void a_pendulum_is_analysed_as_it_is_written(void **state)
{
  (void)state;
  text t = read_text(pendulum);
  const brink_structure *s = only(&t);
  static const int c[] = {0, 0, 2}, d[] = {2, 2, 0}, lines[] = {5, 6, 7};

  assert_int_equal(s->n_equations, 3);
  has_offsets(s, c, d);
  for (int i = 0; i < 3; i++)
    assert_int_equal(s->lines[i], lines[i]);
  assert_int_equal(s->index, 3);
  assert_int_equal(s->degrees, 2);
  assert_true(s->quasilinear);
  assert_int_equal(s->initial[column(s, "x")], 2);
  assert_int_equal(s->initial[column(s, "lambda")], 0);
  assert_int_equal(s->n_blocks, 1);
  drop(&t);
}

/* [NR09], equations (10) to (15) in their natural form; the branches are fixed by
 * parameters, those of (14) by an if-equation for arm 1, by an if-expression for arm 2.
 */
static const char robot[] =
    "model Robot\n"
    "  parameter Real xp = 0.1, L = 0.3, l = 0.7, m1 = 0.82, m2 = 0.14, m3 = 0.5;\n"
    "  parameter Real ml = 5, Jmot = 0.37e-4, Jred = 9.09e-4, I = 0.018895002;\n"
    "  parameter Real Fs = 3, Fv = 0.5, alpha = 50, eta = 5, g = 9.81;\n"
    "  parameter Real Kc = 600, Ti = 300, Td = 0.05, s1 = 1, s2 = 1, w = 6.283185;\n"
    "  parameter Integer sat1 = 0, sat2 = 0;\n"
    "  parameter Boolean free2 = sat2 == 0;\n"
    "  Real x, z, q1, q2, qd1, qd2, y1, y2, G1, G2, E1, E2;\n"
    "equation\n"
    "  0 = (x - xp - L*cos(q1))^2 + (z + L*sin(q1))^2 - l^2;\n"
    "  0 = (x + xp + L*cos(q2))^2 + (z + L*sin(q2))^2 - l^2;\n"
    "  0 = (-0.35*sin(w*time) - xp - L*cos(qd1))^2\n"
    "      + (-0.7 + 0.1*cos(w*time) + L*sin(qd1))^2 - l^2;\n"
    "  0 = (-0.35*sin(w*time) + xp + L*cos(qd2))^2\n"
    "      + (-0.7 + 0.1*cos(w*time) + L*sin(qd2))^2 - l^2;\n"
    "  0 = 2*(x - xp - L*cos(q1))*y1 + 2*(x + xp + L*cos(q2))*y2\n"
    "      + (m2 + m3 + ml)*der(der(x));\n"
    "  0 = 2*(z + L*sin(q1))*y1 + 2*(z + L*sin(q2))*y2\n"
    "      + (m2 + m3 + ml)*(der(der(z)) - g);\n"
    "  0 = -G1 + eta^2*(Jmot + Jred)*der(der(q1)) + s1*Fs + Fv*der(q1)\n"
    "      + I*der(der(q1)) - m1*g*cos(q1) + 0.5*m2*L*(L*der(der(q1)) - g*cos(q1))\n"
    "      + 2*L*((x - xp - L*cos(q1))*sin(q1) + (z + L*sin(q1))*cos(q1))*y1;\n"
    "  0 = -G2 + eta^2*(Jmot + Jred)*der(der(q2)) + s2*Fs + Fv*der(q2)\n"
    "      + I*der(der(q2)) - m1*g*cos(q2) + 0.5*m2*L*(L*der(der(q2)) - g*cos(q2))\n"
    "      + 2*L*(-(x + xp + L*cos(q2))*sin(q2) + (z + L*sin(q2))*cos(q2))*y2;\n"
    "  if sat1 == 0 then\n"
    "    0 = G1 - Kc*(qd1 - q1 + E1/Ti + Td*der(qd1 - q1));\n"
    "  else\n"
    "    0 = G1 - sat1*alpha;\n"
    "  end if;\n"
    "  G2 = if free2 then Kc*(qd2 - q2 + E2/Ti + Td*der(qd2 - q2)) else sat2*alpha;\n"
    "  0 = der(E1) - (qd1 - q1);\n"
    "  0 = der(E2) - (qd2 - q2);\n"
    "end Robot;\n";

/* Offsets of [NR09, figure 2] for the first and the last; those between were computed
 * from the same rows by an independent exhaustive search. */
static void the_robots_modes_have_the_offsets_of_the_paper(void **state)
{
  (void)state;
  static const struct {
    const char *sat1, *sat2;
    int c[12], d[12], quasilinear;
  } mode[] = {
      {"0", "0", {2, 2, 1, 1}, {2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 1, 1}, 1},
      {"1", "0", {2, 2, 0, 1}, {2, 2, 2, 2, 0, 1, 0, 0, 0, 0, 1, 1}, 0},
      {"0", "-1", {2, 2, 1, 0}, {2, 2, 2, 2, 1, 0, 0, 0, 0, 0, 1, 1}, 0},
      {"1", "-1", {2, 2, 0, 0}, {2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1}, 0},
  };

  for (size_t i = 0; i < BRINK__COUNT(mode); i++) {
    brink_setting set[] = {{"sat1", mode[i].sat1}, {"sat2", mode[i].sat2}};
    text t = read_set(robot, 2, set);
    const brink_structure *s = only(&t);
    assert_non_null(t.model);
    assert_int_equal(s->n_equations, 12);
    has_offsets(s, mode[i].c, mode[i].d);
    assert_int_equal(s->index, 3);
    assert_int_equal(s->degrees, 6);
    assert_int_equal(s->quasilinear, mode[i].quasilinear);
    for (size_t j = 0; j < 12; j++)
      assert_int_equal(s->initial[j], s->d[j] + !s->quasilinear);
    drop(&t);
  }
}

/* The form of the multiple pendula of DAETS and DAESA; index 2P + 1, and with
 * k = P - i: d = 2k + 2, 2k + 2, 2k and c = 2k, 2k, 2k + 2. */
static const char cascade[] =
    "model Cascade\n"
    "  parameter Integer P = 1;\n"
    "  parameter Real G = 9.8, a = 0.1, L = 10;\n"
    "  model Pendulum\n"
    "    parameter Real G = 9.8;\n"
    "    Real x, y, lam, length;\n"
    "  equation\n"
    "    der(der(x)) + lam*x = 0;\n"
    "    der(der(y)) + lam*y - G = 0;\n"
    "    x^2 + y^2 = length^2;\n"
    "  end Pendulum;\n"
    "  Pendulum p[P](each G = G);\n"
    "equation\n"
    "  p[1].length = L;\n"
    "  for i in 2:P loop p[i].length = L + a*p[i - 1].lam; end for;\n"
    "end Cascade;\n";

static int offset_of(const brink_structure *s, int pendulum_number, const char *name)
{
  char full[32];

  snprintf(full, sizeof full, "p[%d].%s", pendulum_number, name);
  return s->d[column(s, full)];
}

static void cascades_reach_index_forty_seven(void **state)
{
  (void)state;
  for (int P = 1; P <= 23; P++) {
    char number[8];
    snprintf(number, sizeof number, "%d", P);
    text t = read_set(cascade, 1, &(brink_setting){"P", number});
    const brink_structure *s = only(&t);
    assert_false(s->singular);
    assert_int_equal(s->index, 2 * P + 1);
    assert_int_equal(s->degrees, 2 * P);
    assert_true(s->quasilinear);
    for (int i = 1; i <= P; i++) {
      int k = P - i;
      assert_int_equal(offset_of(s, i, "x"), 2 * k + 2);
      assert_int_equal(offset_of(s, i, "y"), 2 * k + 2);
      assert_int_equal(offset_of(s, i, "lam"), 2 * k);
      assert_int_equal(offset_of(s, i, "length"), 2 * k + 2);
    }
    drop(&t);
  }
}

static void the_car_axis_has_index_three(void **state)
{
  (void)state;
  text t = read_text(
      "model CarAxis\n"
      "  parameter Real eps = 1e-2, M = 10, L = 1, L0 = 0.5, r = 0.1, w = 10, g = 1;\n"
      "  parameter Real K = M*eps^2/2;\n"
      "  Real xl, yl, xr, yr, lam1, lam2, yb = r*sin(w*time), xb = sqrt(L^2 - yb^2);\n"
      "  Real Ll = sqrt(xl^2 + yl^2), Lr = sqrt((xr - xb)^2 + (yr - yb)^2);\n"
      "equation\n"
      "  K*der(der(xl)) = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr);\n"
      "  K*der(der(yl)) = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - K*g;\n"
      "  K*der(der(xr)) = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr);\n"
      "  K*der(der(yr)) = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - K*g;\n"
      "  0 = xl*xb + yl*yb;\n"
      "  0 = (xl - xr)^2 + (yl - yr)^2 - L^2;\n"
      "end CarAxis;\n");
  const brink_structure *s = only(&t);

  assert_int_equal(s->n_equations, 10);
  assert_int_equal(s->index, 3);
  assert_int_equal(s->degrees, 4);
  assert_int_equal(s->d[column(s, "xl")], 2);
  assert_int_equal(s->d[column(s, "yr")], 2);
  assert_int_equal(s->d[column(s, "lam1")], 0);
  assert_int_equal(s->d[column(s, "xb")], 2); /* differentiated with the constraint */
  assert_int_equal(s->d[column(s, "Lr")], 0);
  drop(&t);
}

/* index 2: the capacitors share one voltage; index 3: the inertias one angle */
static void loops_of_capacitors_and_inertias_on_one_shaft(void **state)
{
  (void)state;
  text loop = read_text("model Loop\n"
                        "  Real v1, v2, i1, i2;\n"
                        "equation\n"
                        "  0.5*der(v1) = i1;\n"
                        "  0.25*der(v2) = i2;\n"
                        "  v1 = v2;\n"
                        "  i1 + i2 = 1 - v1;\n"
                        "end Loop;\n");
  text shaft = read_text("model Shaft\n"
                         "  Real phi1, phi2, tau;\n"
                         "equation\n"
                         "  3*der(der(phi1)) = 1 - tau;\n"
                         "  2*der(der(phi2)) = tau;\n"
                         "  phi1 = phi2;\n"
                         "end Shaft;\n");

  assert_int_equal(only(&loop)->index, 2);
  assert_int_equal(only(&loop)->degrees, 1);
  assert_int_equal(only(&shaft)->index, 3);
  assert_int_equal(only(&shaft)->degrees, 2);
  drop(&loop);
  drop(&shaft);
}

/* --------------------------------------------------- what the equations are --- */

/* The reader replaces der(s) by der(q) - der(p) to run this; the analysis is of what is
 * written. */
static void dependent_variables_are_seen_as_written(void **state)
{
  (void)state;
  text t = read_text("model D\n"
                     "  Real p(start = 1, fixed = true), q(start = 2, fixed = true);\n"
                     "  Real s = q - p, v;\n"
                     "equation\n"
                     "  der(p) = -p;\n"
                     "  der(q) = -v;\n"
                     "  v = der(s) + q;\n"
                     "end D;\n");
  const brink_structure *s = only(&t);

  assert_non_null(t.model);
  assert_int_equal(sigma(s, 7, "s"), 1);
  assert_int_equal(sigma(s, 7, "q"), 0);
  assert_int_equal(sigma(s, 7, "p"), -1);
  assert_int_equal(s->degrees, 2);
  assert_int_equal(s->index, 2); /* line 3 is differentiated */
  drop(&t);
}

static void derivatives_of_any_order_are_one_variable(void **state)
{
  (void)state;
  text t = read_text("model O\n"
                     "  Real x(start = 1), y;\n"
                     "equation\n"
                     "  der(der(der(der(x)))) + der(der(x)) + x = sin(time);\n"
                     "  y = der(x*der(x));\n"
                     "end O;\n");
  const brink_structure *s = only(&t);

  assert_int_equal(s->n_equations, 2);
  assert_int_equal(s->n_variables, 2);
  assert_int_equal(sigma(s, 4, "x"), 4);
  assert_int_equal(sigma(s, 5, "x"), 2);
  assert_int_equal(s->d[column(s, "x")], 4);
  assert_int_equal(s->degrees, 4);
  assert_int_equal(s->index, 1);
  drop(&t);
}

static void nonlinear_highest_derivatives_are_not_quasilinear(void **state)
{
  (void)state;
  text t = read_text("model N\n"
                     "  Real x(start = 1), y(start = 1);\n"
                     "equation\n"
                     "  der(x)^3 + der(x) = x*y;\n"
                     "  der(y) = x^2*y/(1 + y^2);\n"
                     "end N;\n");
  const brink_structure *s = only(&t);

  assert_false(s->quasilinear);
  assert_false(s->linear[0]);
  assert_true(s->linear[1]);
  assert_int_equal(s->initial[0], 2);
  drop(&t);
  t = read_text("model Q\n"
                "  Real x(start = 1), y(start = 1), z;\n"
                "equation\n"
                "  x*der(x) + y*der(y) = sin(x);\n"
                "  x^3*der(y)/(1 + x^2) - der(x) = if x > 2 then z else 2*z;\n"
                "  z*(1 + y^2) = x;\n"
                "end Q;\n");
  assert_true(only(&t)->quasilinear);
  drop(&t);
  t = read_text("model P\n" /* a product of two highest derivatives */
                "  Real x(start = 1), z;\n"
                "equation\n"
                "  z*der(x) = sin(x);\n"
                "  z + der(x) = 3;\n"
                "end P;\n");
  assert_false(only(&t)->quasilinear);
  drop(&t);
}

/* Between events everything discrete is known; the rows that determine it are none. */
static void discrete_parts_are_known(void **state)
{
  (void)state;
  text t = read_text("model D\n"
                     "  Real x(start = 1, fixed = true), y;\n"
                     "  discrete Real d(start = 3, fixed = true);\n"
                     "  Integer n;\n"
                     "  Boolean b = x > 0.5;\n"
                     "equation\n"
                     "  n = if b then 1 else 2;\n"
                     "  der(x) = -n*x + d;\n"
                     "  y = floor(x) + pre(d);\n"
                     "  when x < 0.3 then d = pre(d) + 1; end when;\n"
                     "end D;\n");
  const brink_structure *s = only(&t);

  assert_non_null(t.model);
  assert_int_equal(s->n_equations, 2);
  assert_int_equal(s->n_variables, 2);
  assert_int_equal(s->index, 1);
  assert_int_equal(sigma(s, 9, "x"), -1); /* floor(x) is held */
  drop(&t);
}

/* Undecided branches count both, decided ones alone; conditions do not count. */
static void branches_count_as_they_are_decided(void **state)
{
  (void)state;
  static const char source[] =
      "model B\n"
      "  parameter Integer n = 2;\n"
      "  parameter Boolean on = m > 3;\n"
      "  parameter Integer m = 2*n;\n"
      "  Real x(start = 1), y, z, w;\n"
      "equation\n"
      "  der(x) = 1;\n"
      "  y = if x > 1 then der(x) else z;\n"
      "  z = if on and time < 9 then 1 else x;\n"
      "  w = if noEvent(x > 2) then 1 else homotopy(z, 3*der(x));\n"
      "end B;\n";
  text t = read_text(source);
  const brink_structure *s = only(&t);

  assert_int_equal(sigma(s, 8, "x"), 1);
  assert_int_equal(sigma(s, 8, "z"), 0);
  assert_int_equal(sigma(s, 9, "x"), 0);
  assert_int_equal(sigma(s, 10, "x"), -1);
  assert_int_equal(sigma(s, 10, "z"), 0);
  drop(&t);
  t = read_set(source, 1, &(brink_setting){"n", "1"});
  assert_int_equal(sigma(only(&t), 9, "x"), 0);
  drop(&t);
}

static void a_parameter_that_is_on_decides(void **state)
{
  (void)state;
  static const char source[] = "model B\n"
                               "  parameter Integer n = 2;\n"
                               "  parameter Boolean on = m > 3;\n"
                               "  parameter Integer m = 2*n;\n"
                               "  Real x(start = 1), z;\n"
                               "equation\n"
                               "  der(x) = 1;\n"
                               "  z = if on then 1 else x;\n"
                               "end B;\n";
  text t = read_text(source);

  assert_int_equal(sigma(only(&t), 8, "x"), -1);
  drop(&t);
  t = read_set(source, 1, &(brink_setting){"n", "1"});
  assert_int_equal(sigma(only(&t), 8, "x"), 0);
  drop(&t);
}

static const char taut_or_slack[] =
    "model M\n"
    "  model Taut\n"
    "    Real x, y, F;\n"
    "  equation\n"
    "    der(der(x)) = -F*x;\n"
    "    der(der(y)) = -F*y - 9.81;\n"
    "    x^2 + y^2 = 1;\n"
    "  end Taut;\n"
    "  model Slack\n"
    "    Real x, y;\n"
    "  equation\n"
    "    der(der(x)) = 0;\n"
    "    der(der(y)) = -9.81;\n"
    "  end Slack;\n"
    "  Taut taut;\n"
    "  Slack slack;\n"
    "  Real h = if activeState(taut) then taut.y else slack.y;\n"
    "equation\n"
    "  initialState(taut);\n"
    "  transition(taut, slack, taut.F < 0);\n"
    "  transition(slack, taut, slack.x^2 + slack.y^2 > 1);\n"
    "end M;\n";

static void each_mode_has_its_own_structure(void **state)
{
  (void)state;
  text t = read_text(taut_or_slack);

  assert_non_null(t.model);
  assert_int_equal(t.all->n, 2);
  const brink_structure *taut = &t.all->v[0], *slack = &t.all->v[1];
  assert_string_equal(taut->mode, "taut");
  assert_string_equal(slack->mode, "slack");
  assert_int_equal(taut->index, 3);
  assert_int_equal(taut->degrees, 2);
  assert_int_equal(slack->index, 1); /* h is algebraic */
  assert_int_equal(slack->degrees, 4);
  assert_int_equal(sigma(slack, 17, "slack.y"), 0);
  assert_int_equal(slack->n_variables, 3);
  drop(&t);
}

/* -------------------------------------------------------------- singular --- */

static void over_and_underdetermined_parts_are_named(void **state)
{
  (void)state;
  text t = read_text("model S\n"
                     "  Real x, y, z, w;\n"
                     "equation\n"
                     "  der(x) = y;\n"
                     "  x + y = 1;\n"
                     "  x - 2*y = 3;\n"
                     "  der(z) = w + x;\n"
                     "end S;\n");
  const brink_structure *s = only(&t);
  static const unsigned char over[] = {1, 1, 1, 0}, under[] = {0, 0, 1, 1};

  assert_null(t.model);
  assert_true(s->singular);
  assert_memory_equal(s->over, over, 4);
  assert_memory_equal(s->under, under, 4);
  assert_memory_equal(s->bound, "\1\1\0\0", 4);
  assert_memory_equal(s->loose, "\0\0\0\1", 4);
  drop(&t);
}

static void a_missing_equation_is_singular(void **state)
{
  (void)state;
  text t = read_text("model S\n"
                     "  Real x, y, z;\n"
                     "equation\n"
                     "  der(x) = y;\n"
                     "  x + y = 1;\n"
                     "end S;\n");
  const brink_structure *s = only(&t);

  assert_true(s->singular);
  assert_int_equal(s->n_equations, 2);
  assert_int_equal(s->n_variables, 3);
  assert_memory_equal(s->under, "\0\0\1", 3);
  drop(&t);
}

/* ----------------------------------------------------------- conversions --- */

static const char capacitors[] = "model Caps\n"
                                 "  parameter Real C = 1e-6, R = 1000;\n"
                                 "  Real u, v(start = 1);\n"
                                 "equation\n"
                                 "  C*(der(u) - der(v)) = (sin(time) - u)/R;\n"
                                 "  C*(der(v) - der(u)) = -v/R;\n"
                                 "end Caps;\n";

/* [TNP17, 4], with other functions of time */
static const char exponential[] =
    "model Exponential\n"
    "  Real x(start = 1), y(start = 1);\n"
    "equation\n"
    "  x + exp(-der(x) - y*der(der(y))) = 1 + 0.1*sin(time);\n"
    "  x + y*der(y) + y^2 = 2 + cos(time);\n"
    "end Exponential;\n";

/* Campbell and Griepentrog's arm of two links with prescribed end: index 5 */
static const char arm[] =
    "model Arm\n"
    "  Real x1(start = 4.6), x2(start = 0.4), x3(start = 1), u1, u2;\n"
    "  Real a = 2/(2 - cos(x3)^2), b = cos(x3)/(2 - cos(x3)^2);\n"
    "  Real c = sin(x3)/(2 - cos(x3)^2), d = cos(x3)*sin(x3)/(2 - cos(x3)^2);\n"
    "equation\n"
    "  der(der(x1)) = 2*c*(der(x1) + der(x3))^2 + der(x1)^2*d + (2*x3 - x2)*(a + 2*b)\n"
    "    + a*(u1 - u2);\n"
    "  der(der(x2)) = -2*c*(der(x1) + der(x3))^2 - der(x1)^2*d\n"
    "    + (2*x3 - x2)*(1 - 3*a - 2*b) - a*u1 + (a + 1)*u2;\n"
    "  der(der(x3)) = -2*c*(der(x1) + der(x3))^2 - der(x1)^2*d + (2*x3 - x2)*(a - "
    "9*b)\n"
    "    - 2*der(x1)^2*c - d*(der(x1) + der(x3))^2 - (a + b)*(u1 - u2);\n"
    "  cos(x1) + cos(x1 + x3) = cos(exp(time) - 1) + cos(time - 1);\n"
    "  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);\n"
    "end Arm;\n";

static void singular_jacobians_are_converted(void **state)
{
  (void)state;
  text t = read_text(capacitors);
  const brink_structure *s = only(&t);
  assert_int_equal(s->n_conversions, 1);
  assert_string_equal(s->conversions[0], "line 5 is replaced by line 5 + line 6");
  assert_null(s->unconverted);
  assert_int_equal(s->degrees, 1);
  drop(&t);

  t = read_text(exponential);
  s = only(&t);
  assert_int_equal(s->n_conversions, 1);
  assert_int_equal(s->n_variables, 3);
  assert_string_equal(s->names[2], "x + y*der(y)");
  assert_int_equal(s->degrees, 1);
  drop(&t);

  t = read_text(arm);
  s = only(&t);
  assert_int_equal(s->n_conversions, 1);
  assert_int_equal(s->index, 5);
  assert_int_equal(s->degrees, 0);
  drop(&t);
}

static void regular_jacobians_are_left_alone(void **state)
{
  (void)state;
  /* singular where b is false, regular where it is true */
  text t = read_text("model M\n"
                     "  Real x, y; Boolean b = time > 1;\n"
                     "equation\n"
                     "  der(x) + der(y) = -x;\n"
                     "  der(x) + (if b then 2 else 1)*der(y) = -y;\n"
                     "end M;\n");
  const brink_structure *s = only(&t);
  assert_int_equal(s->n_conversions, 0);
  assert_null(s->unconverted);
  drop(&t);
  /* nothing is left of a combination for p = 1, so that another value must be meant */
  t = read_text("model M\n"
                "  parameter Real p = 1; Real x, y;\n"
                "equation\n"
                "  x + y = sin(time);\n"
                "  x + p*y = cos(time);\n"
                "end M;\n");
  s = only(&t);
  assert_int_equal(s->n_conversions, 0);
  assert_null(s->unconverted);
  drop(&t);
}

/* The values of parameters make the Jacobian singular: they decide the structure. */
static void parameters_may_decide(void **state)
{
  static const char source[] = "model M\n"
                               "  parameter Real C = 0, k = 2*C;\n"
                               "  Real u(start = 1), v, i;\n"
                               "equation\n"
                               "  der(u) = -i;\n"
                               "  k*der(v) = i - v;\n"
                               "  u - v = i/10;\n"
                               "end M;\n";
  brink_setting larger = {"C", "0.1"};
  brink_sim *sim = NULL;

  (void)state;
  text t = read_text(source);
  assert_int_equal(only(&t)->n_conversions, 1);
  assert_int_equal(only(&t)->degrees, 1);
  check_status(brink_sim_new(t.ctx, t.model, NULL, &sim), BRINK_OK);
  check_status(brink_sim_set(sim, "C", 0.1), BRINK_EARG);
  brink_sim_free(sim);
  drop(&t);

  t = read_set(source, 1, &larger);
  assert_int_equal(only(&t)->n_conversions, 0);
  assert_int_equal(only(&t)->degrees, 2);
  drop(&t);
}

/* ---------------------------------------------------------- size, memory --- */

static void a_thousand_variables_take_far_less_than_a_second(void **state)
{
  (void)state;
  static const char many[] = "model Many\n"
                             "  parameter Integer N = 334;\n"
                             "  Real x[N], y[N], lam[N];\n"
                             "equation\n"
                             "  for i in 1:N loop\n"
                             "    der(der(x[i])) + lam[i]*x[i] = 0;\n"
                             "    der(der(y[i])) + lam[i]*y[i] = 9.8;\n"
                             "    x[i]^2 + y[i]^2 = 100;\n"
                             "  end for;\n"
                             "end Many;\n";
  static const char chain[] =
      "model Chain\n"
      "  parameter Integer N = 5000;\n"
      "  Real y[N];\n"
      "equation\n"
      "  y[1] = sin(time);\n"
      "  for i in 2:N loop y[i] + 0.1*y[i]^3 = y[i - 1]; end for;\n"
      "end Chain;\n";
  double start = brink__clock();
  text t = read_text(many);
  double took = brink__clock() - start;

  assert_int_equal(only(&t)->n_blocks, 334);
  assert_int_equal(only(&t)->index, 3);
  drop(&t);
  start = brink__clock();
  t = read_text(chain);
  double chain_took = brink__clock() - start;
  assert_int_equal(only(&t)->n_blocks, 5000);
  drop(&t);
  print_message("334 pendula read and analysed in %.2g s, a chain of 5000 in %.2g s\n",
                took, chain_took);
  check_in(took, 0, 2); /* 0.02 s where it was written */
  check_in(chain_took, 0, 10);
}

static void survives_without_memory(const char *source)
{
  brink_status rc = BRINK_ENOMEM;

  for (long at = 2; rc == BRINK_ENOMEM; at++) { /* the first is the context */
    flaky f = {0, at, 0};
    brink_alloc hook = flaky_alloc(&f);
    brink_ctx *ctx;
    brink_model *model;
    brink_structures *all;
    brink_load_opts opt = brink_load_defaults();
    opt.structures = &all;
    check_status(brink_ctx_new(&hook, &ctx), BRINK_OK);
    rc = brink_model_read(ctx, "p.mo", source, strlen(source), &opt, &model);
    brink_model_free(model);
    brink_structures_free(all);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
  check_status(rc, BRINK_OK);
}

static void each_failed_allocation_leaves_nothing_behind(void **state)
{
  (void)state;
  survives_without_memory(pendulum);
  survives_without_memory(taut_or_slack);
  survives_without_memory(capacitors);
  survives_without_memory(exponential);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_is_analysed_as_it_is_written),
      cmocka_unit_test(the_robots_modes_have_the_offsets_of_the_paper),
      cmocka_unit_test(cascades_reach_index_forty_seven),
      cmocka_unit_test(the_car_axis_has_index_three),
      cmocka_unit_test(loops_of_capacitors_and_inertias_on_one_shaft),
      cmocka_unit_test(dependent_variables_are_seen_as_written),
      cmocka_unit_test(derivatives_of_any_order_are_one_variable),
      cmocka_unit_test(nonlinear_highest_derivatives_are_not_quasilinear),
      cmocka_unit_test(discrete_parts_are_known),
      cmocka_unit_test(branches_count_as_they_are_decided),
      cmocka_unit_test(a_parameter_that_is_on_decides),
      cmocka_unit_test(each_mode_has_its_own_structure),
      cmocka_unit_test(over_and_underdetermined_parts_are_named),
      cmocka_unit_test(a_missing_equation_is_singular),
      cmocka_unit_test(singular_jacobians_are_converted),
      cmocka_unit_test(regular_jacobians_are_left_alone),
      cmocka_unit_test(parameters_may_decide),
      cmocka_unit_test(a_thousand_variables_take_far_less_than_a_second),
      cmocka_unit_test(each_failed_allocation_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
