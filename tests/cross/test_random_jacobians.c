/* Jacobians of random text models against dual numbers.
 *
 * A model is drawn as trees: states, variables between them (each may read states and
 * the variables before it), loops z = tree(..., z) with a contraction in z.  The same
 * trees are printed as text and evaluated here with exact first derivatives, one
 * direction at a time, by code that shares nothing with the library.
 *
 * BRINK_RANDOM_JACOBIANS=N draws N models. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"
#include "hybrid/sim.h"

enum { STATES = 6, BETWEEN = 5, LOOPS = 2, NODES = 1200, TEXT = 60000, DEPTH = 4 };

typedef struct dual {
  double v, d;
} dual;

enum op {
  VAR,
  NUM,
  ADD,
  SUB,
  MUL,
  DIV,
  SIN,
  COS,
  EXP,
  LOG,
  SQRT,
  TANH,
  ATAN,
  POW2,
  POW3,
  POWR,
  IF,
  ABS,
  MAXI,
  N_OPS
};

typedef struct node {
  enum op op;
  int a, b, c, d; /* operands; VAR: number of the variable */
  double value;
} node;

typedef struct drawing {
  node n[NODES];
  int size;
  int n_states, n_between, n_loops;
  int root[STATES + BETWEEN + LOOPS]; /* right-hand sides: states, between, loops */
  uint64_t seed;
} drawing;

/* Variables: 0 .. states - 1, then those between, then unknowns of loops. */
static void name_of(const drawing *w, int var, char *out)
{
  if (var < w->n_states)
    sprintf(out, "x%d", var);
  else if (var < w->n_states + w->n_between)
    sprintf(out, "b%d", var - w->n_states);
  else
    sprintf(out, "z%d", var - w->n_states - w->n_between);
}

static int make(drawing *w, node n)
{
  assert_true(w->size < NODES);
  w->n[w->size] = n;
  return w->size++;
}

static int pick(drawing *w, int n) { return (int)(rand_u64(&w->seed) % (uint64_t)n); }

/* A tree that reads states, the first n_between of the variables between, loops too if
 * loops is set. */
static int draw(drawing *w, int depth, int n_between, int loops)
{
  int leaf = depth == 0 || pick(w, 5) == 0;

  if (leaf && pick(w, 4) == 0)
    return make(w, (node){.op = NUM, .value = pick(w, 40) / 8.0 - 2});
  if (leaf) {
    int among = w->n_states + n_between + (loops ? w->n_loops : 0), v = pick(w, among);
    if (v >= w->n_states + n_between)
      v += w->n_between - n_between;
    return make(w, (node){.op = VAR, .a = v});
  }
  node n = {.op = (enum op)(ADD + pick(w, N_OPS - ADD))};
  n.a = draw(w, depth - 1, n_between, loops);
  n.b = draw(w, depth - 1, n_between, loops);
  if (n.op == IF) {
    n.c = draw(w, depth - 1, n_between, loops);
    n.d = draw(w, depth - 1, n_between, loops);
  }
  return make(w, n);
}

static int arity(enum op op)
{
  return op <= NUM ? 0 : op == IF ? 4 : op <= DIV || op == MAXI ? 2 : 1;
}

/* Operations are written so that they exist everywhere. */
static const char *const form[N_OPS] = {[ADD] = "(%s+%s)",
                                        [SUB] = "(%s-%s)",
                                        [MUL] = "(%s*%s)",
                                        [DIV] = "(%s/(2+(%s)^2))",
                                        [SIN] = "sin(%s)",
                                        [COS] = "cos(%s)",
                                        [EXP] = "exp(-(%s)^2)",
                                        [LOG] = "log(1.5+(%s)^2)",
                                        [SQRT] = "sqrt(1+(%s)^2)",
                                        [TANH] = "tanh(%s)",
                                        [ATAN] = "atan(%s)",
                                        [POW2] = "(%s)^2/4",
                                        [POW3] = "(%s)^3/20",
                                        [POWR] = "(1+noEvent(abs(%s)))^0.7",
                                        [IF] = "(if %s>%s then %s else %s)",
                                        [ABS] = "noEvent(abs(%s))",
                                        [MAXI] = "noEvent(max(%s,%s))"};

static void print(const drawing *w, int k, char *out)
{
  const node *n = &w->n[k];

  if (n->op == VAR) {
    name_of(w, n->a, out);
    return;
  }
  if (n->op == NUM) {
    sprintf(out, "(%.17g)", n->value);
    return;
  }
  char *part[4] = {0};
  const int arg[4] = {n->a, n->b, n->c, n->d};
  for (int i = 0; i < arity(n->op); i++) {
    part[i] = malloc(TEXT);
    print(w, arg[i], part[i]);
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(out, TEXT, form[n->op], part[0], part[1], part[2], part[3]);
#pragma GCC diagnostic pop
  for (int i = 0; i < 4; i++)
    free(part[i]);
}

static dual chain(dual a, double f, double slope) { return (dual){f, slope * a.d}; }

static dual value(const drawing *w, int k, const dual *var)
{
  const node *n = &w->n[k];
  dual a = {0, 0}, b = {0, 0};

  if (n->op == VAR)
    return var[n->a];
  if (n->op == NUM)
    return (dual){n->value, 0};
  a = value(w, n->a, var);
  if (arity(n->op) > 1)
    b = value(w, n->b, var);
  double q = 2 + b.v * b.v, s = 1 + a.v * a.v;
  switch (n->op) {
  case ADD: return (dual){a.v + b.v, a.d + b.d};
  case SUB: return (dual){a.v - b.v, a.d - b.d};
  case MUL: return (dual){a.v * b.v, a.d * b.v + a.v * b.d};
  case DIV: return (dual){a.v / q, a.d / q - a.v * 2 * b.v * b.d / (q * q)};
  case SIN: return chain(a, sin(a.v), cos(a.v));
  case COS: return chain(a, cos(a.v), -sin(a.v));
  case EXP: return chain(a, exp(-a.v * a.v), -2 * a.v * exp(-a.v * a.v));
  case LOG: return chain(a, log(1.5 + a.v * a.v), 2 * a.v / (1.5 + a.v * a.v));
  case SQRT: return chain(a, sqrt(s), a.v / sqrt(s));
  case TANH: return chain(a, tanh(a.v), 1 - tanh(a.v) * tanh(a.v));
  case ATAN: return chain(a, atan(a.v), 1 / s);
  case POW2: return chain(a, a.v * a.v / 4, a.v / 2);
  case POW3: return chain(a, a.v * a.v * a.v / 20, 3 * a.v * a.v / 20);
  case POWR:
    return chain(a, pow(1 + fabs(a.v), 0.7),
                 0.7 * pow(1 + fabs(a.v), -0.3) *
                     (a.v > 0   ? 1
                      : a.v < 0 ? -1
                                : 0));
  case IF: return value(w, a.v > b.v ? n->c : n->d, var);
  case ABS: return chain(a, fabs(a.v), a.v > 0 ? 1 : a.v < 0 ? -1 : 0);
  case MAXI: return a.v > b.v ? a : b;
  case VAR:
  case NUM:
  case N_OPS: break;
  }
  return a;
}

static double start_of(int i) { return 0.4 - 0.17 * i; }

static char *text_of(const drawing *w)
{
  char *out = malloc(20 * TEXT), *tree = malloc(TEXT), *at = out, name[16];
  int n = w->n_states + w->n_between + w->n_loops;

  at += sprintf(at, "model M\n");
  for (int v = 0; v < n; v++) {
    name_of(w, v, name);
    if (v < w->n_states)
      at += sprintf(at, "  Real %s(start=%.17g,fixed=true);\n", name, start_of(v));
    else
      at += sprintf(at, "  Real %s(start=0.1);\n", name);
  }
  at += sprintf(at, "equation\n");
  for (int v = 0; v < n; v++) {
    name_of(w, v, name);
    print(w, w->root[v], tree);
    if (v < w->n_states)
      at += sprintf(at, "  der(%s) = %s;\n", name, tree);
    else if (v < w->n_states + w->n_between)
      at += sprintf(at, "  %s = %s;\n", name, tree);
    else /* 0.3 sin(tree) + sin(z) / 2: one solution */
      at += sprintf(at, "  %s - 0.5*sin(%s) = 0.3*sin(%s);\n", name, name, tree);
  }
  sprintf(at, "end M;\n");
  free(tree);
  return out;
}

/* dF/du_j, where var has the values. */
static void column(const drawing *w, const double *x, const double *z, int j, double *F,
                   double *out)
{
  dual var[STATES + BETWEEN + LOOPS];
  int n_loop = w->n_states + w->n_between;

  for (int i = 0; i < w->n_states; i++)
    var[i] = (dual){x[i], i == j};
  for (int i = 0; i < w->n_loops; i++)
    var[n_loop + i] = (dual){z[i], w->n_states + i == j};
  for (int i = 0; i < w->n_between; i++)
    var[w->n_states + i] = value(w, w->root[w->n_states + i], var);
  for (int i = 0; i < w->n_states; i++) {
    dual f = value(w, w->root[i], var);
    F[i] = f.v;
    out[i] = f.d;
  }
  for (int i = 0; i < w->n_loops; i++) {
    dual f = value(w, w->root[n_loop + i], var), u = var[n_loop + i];
    F[w->n_states + i] = u.v - 0.5 * sin(u.v) - 0.3 * sin(f.v);
    out[w->n_states + i] = u.d - 0.5 * cos(u.v) * u.d - 0.3 * cos(f.v) * f.d;
  }
}

static void draw_model(drawing *w, uint64_t seed)
{
  *w = (drawing){.seed = seed};
  w->n_states = 1 + pick(w, STATES);
  w->n_between = pick(w, BETWEEN + 1);
  w->n_loops = pick(w, LOOPS + 1);
  int loop = w->n_states + w->n_between;
  for (int i = 0; i < w->n_between; i++)
    w->root[w->n_states + i] = draw(w, DEPTH, i, 0);
  for (int i = 0; i < w->n_states; i++)
    w->root[i] = draw(w, DEPTH, w->n_between, 1);
  for (int i = 0; i < w->n_loops; i++) { /* reads no other loop; x0' reads it */
    w->root[loop + i] = draw(w, DEPTH, w->n_between, 0);
    int z = make(w, (node){.op = VAR, .a = loop + i});
    w->root[0] = make(w, (node){.op = ADD, .a = w->root[0], .b = z});
  }
}

/* The solutions of the loops, by their contraction; and which unknown of the flow each
 * is.  0: two of them are equal. */
static int match(const drawing *w, const double *x, size_t n_z, const double *found,
                 int *place)
{
  dual var[STATES + BETWEEN + LOOPS];

  for (int i = 0; i < w->n_states; i++)
    var[i] = (dual){x[i], 0};
  for (int i = 0; i < w->n_between; i++)
    var[w->n_states + i] = value(w, w->root[w->n_states + i], var);
  for (int k = 0; k < w->n_loops; k++) {
    double rhs = 0.3 * sin(value(w, w->root[w->n_states + w->n_between + k], var).v);
    double z = 0;
    int matches = 0;
    for (int it = 0; it < 100; it++)
      z = 0.5 * sin(z) + rhs;
    for (size_t p = 0; p < n_z; p++)
      if (fabs(found[p] - z) < 1e-12) {
        place[k] = (int)p;
        matches++;
      }
    if (matches > 1)
      return 0;
    if (matches == 0)
      fail_msg("no loop has the solution %.17g", z);
  }
  return 1;
}

/* of[k]: what row k of the flow is here, in order of states and loops, found at the
 * start, where the unknowns are z.  0: that cannot be said. */
static int order(const drawing *w, const brink_flow *flow, int *of, double *z)
{
  double y[STATES], f[STATES];
  int place[LOOPS] = {0};

  for (int i = 0; i < w->n_states; i++) {
    y[i] = start_of(i);
    of[i] = i;
  }
  assert_int_equal(flow->rhs(flow, 0, y, f), 0);
  if (flow->n_z)
    flow->loop_unknowns(flow, z);
  if (flow->n_z != (size_t)w->n_loops || !match(w, y, flow->n_z, z, place))
    return 0;
  for (int k = 0; k < w->n_loops; k++)
    of[w->n_states + place[k]] = w->n_states + k;
  return 1;
}

/* At a random point; where relations are frozen, at the start. */
static void look(const drawing *w, const brink_flow *flow, const int *of,
                 const double *z0, uint64_t *seed, const char *text)
{
  size_t n = flow->n + flow->n_z;
  double u[STATES + LOOPS], F[STATES + LOOPS], got[STATES + LOOPS],
      want[STATES + LOOPS], x[STATES], z[LOOPS] = {0};
  double *entry = calloc(flow->pattern->nnz, sizeof *entry);

  for (size_t i = 0; i < n; i++) {
    int k = of[i] - w->n_states;
    u[i] = rand_in(seed, -1.5, 1.5);
    if (strstr(text, "if "))
      u[i] = k < 0 ? start_of(of[i]) : z0[i - flow->n];
    *(k < 0 ? &x[of[i]] : &z[k]) = u[i];
  }
  int rc = flow->n_z ? flow->residual(flow, 0, u, got) : flow->rhs(flow, 0, u, got);
  assert_int_equal(rc, 0);
  column(w, x, z, 0, F, want);
  for (size_t i = 0; i < n; i++)
    check_near(got[i], F[of[i]], 1e-12 * (1 + fabs(got[i])));
  assert_int_equal(flow->jacobian(flow, 0, u, entry), 0);
  for (size_t j = 0; j < n; j++) {
    column(w, x, z, of[j], F, want);
    for (size_t k = 0; k < flow->pattern->nnz; k++) {
      size_t i = (size_t)of[flow->pattern->row[k]];
      if ((size_t)flow->pattern->col[k] != j)
        continue;
      if (!(fabs(entry[k] - want[i]) <= 1e-12 * (1 + fabs(want[i]))))
        fail_msg("dF[%zu]/du[%zu] = %.17g, not %.17g\n%s", i, j, entry[k], want[i],
                 text);
      want[i] = 0;
    }
    for (size_t i = 0; i < n; i++)
      if (want[i] != 0)
        fail_msg("dF[%zu]/du[%zu] = %.17g is not in the pattern\n%s", i, j, want[i],
                 text);
  }
  free(entry);
}

static void random_models(void **state)
{
  long n = random_cases("BRINK_RANDOM_JACOBIANS", 1000);
  long loops = 0, branches = 0, looked = 0;
  uint64_t seed = 2020;

  (void)state;
  for (long k = 0; k < n; k++) {
    drawing w;
    brink_ctx *ctx;
    brink_model *model;
    brink_sim *sim;

    draw_model(&w, seed + (uint64_t)k);
    char *text = text_of(&w);
    assert_int_equal(brink_ctx_new(NULL, &ctx), BRINK_OK);
    if (brink_model_read(ctx, "M", text, strlen(text), NULL, &model) < 0)
      fail_msg("%s\n%s", brink_ctx_error(ctx)->text, text);
    assert_int_equal(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
    if (brink_sim_start(sim, 0, 0, NULL) < 0)
      fail_msg("%s\n%s", brink_sim_error(sim)->text, text);
    const brink_flow *flow = &sim->regime->flow;
    loops += flow->n_z > 0;
    branches += strstr(text, "if ") != NULL;
    int of[STATES + LOOPS];
    double z0[LOOPS] = {0};
    int ordered = order(&w, flow, of, z0);
    looked += ordered;
    for (int p = 0; ordered && p < 3; p++)
      look(&w, flow, of, z0, &seed, text);
    free(text);
    brink_sim_free(sim);
    brink_model_free(model);
    brink_ctx_free(ctx);
  }
  assert_true(2 * loops > n);
  assert_true(2 * branches > n);
  assert_true(10 * looked > 9 * n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
