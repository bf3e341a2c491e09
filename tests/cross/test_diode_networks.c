/* Random networks of sources, resistors, capacitors, inductors and diodes in parametric
 * form, as one set of equations: after every step and every event each diode is on the
 * side on which its equations have it, and in the end energy is accounted for.  With
 * ideal diodes there may be no solution, or several: then the sentence names a diode.
 *
 * Every node has a resistor to ground, every capacitor and source one in series: the
 * equations have index 1 in every branch, and time constants from 0.01 to 10.
 * DIODE_NETWORKS=n in the environment: so many networks instead of 12, or m-n: those
 * from number m to before n; one in ten is run with ideal diodes as well. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 6, DIODES = 12, TEXT = 24000, NETWORKS = 12, VALUES = 200 };

/* A diode may be on its zero: its s is known to rounding of voltages of about 10 and
 * conductances down to 1e-4. */
static const double ON_ZERO = 1e-8;

typedef struct text {
  char v[TEXT];
  size_t used;
} text;

typedef struct network {
  int nodes, diodes, ideal, sources;
  double stop;
  text declared, equations, leaving[NODES + 1]; /* currents that leave each node */
  text supplied, lost, stored;
  char model[TEXT * 4];
  int elements;
} network;

static uint64_t seed;

static double uniform(double from, double to) { return rand_in(&seed, from, to); }

static double decades(double from, double to)
{
  return exp(uniform(log(from), log(to)));
}

static void add(text *t, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  int n = vsnprintf(t->v + t->used, TEXT - t->used, fmt, args);
  va_end(args);
  assert_true(n >= 0 && t->used + (size_t)n < TEXT);
  t->used += (size_t)n;
}

/* ------------------------------------------------------------- networks --- */

typedef struct place {
  int from, to;
  char voltage[40], current[16];
} place;

/* Two different nodes, 0 is ground; the current leaves the first. */
static place somewhere(network *w, char kind)
{
  place p;

  p.from = 1 + (int)(rand_u64(&seed) % (unsigned)w->nodes);
  do
    p.to = (int)(rand_u64(&seed) % (unsigned)(w->nodes + 1));
  while (p.to == p.from);
  if (rand_u64(&seed) % 2 && kind == 'd') { /* diodes also point away from ground */
    int swap = p.from;
    p.from = p.to;
    p.to = swap;
  }
  snprintf(p.current, sizeof p.current, "i%c%d", kind, w->elements++);
  char from[8] = "0", to[8] = "0";
  if (p.from)
    snprintf(from, sizeof from, "v%d", p.from);
  if (p.to)
    snprintf(to, sizeof to, "v%d", p.to);
  snprintf(p.voltage, sizeof p.voltage, "(%s - %s)", from, to);
  add(&w->declared, "  Real %s;\n", p.current);
  add(&w->leaving[p.from], " + %s", p.current);
  add(&w->leaving[p.to], " - %s", p.current);
  return p;
}

static void resistor(network *w)
{
  place p = somewhere(w, 'r');

  add(&w->equations, "  %s = %s/%.6g;\n", p.current, p.voltage, decades(0.5, 10));
  add(&w->lost, " + %s*%s", p.voltage, p.current);
}

static void capacitor(network *w)
{
  place p = somewhere(w, 'c');
  double c = decades(0.1, 1), r = decades(0.3, 3);

  add(&w->declared, "  Real u%s(start = %.6g, fixed = true);\n", p.current,
      uniform(-2, 2));
  add(&w->equations, "  %.6g*%s = %s - u%s;\n  %.6g*der(u%s) = %s;\n", r, p.current,
      p.voltage, p.current, c, p.current, p.current);
  add(&w->lost, " + %.6g*%s^2", r, p.current);
  add(&w->stored, " + %.6g*u%s^2/2", c, p.current);
}

static void inductor(network *w)
{
  place p = somewhere(w, 'l');
  double l = decades(0.1, 1);

  add(&w->declared, "  Real j%s(start = %.6g, fixed = true);\n", p.current,
      uniform(-1, 1));
  add(&w->equations, "  %s = j%s;\n  %.6g*der(j%s) = %s;\n", p.current, p.current, l,
      p.current, p.voltage);
  add(&w->stored, " + %.6g*j%s^2/2", l, p.current);
}

/* A sine, or a square wave: then many diodes switch at once. */
static void source(network *w)
{
  place p = somewhere(w, 'e');
  double r = decades(0.3, 3), size = uniform(2, 10), period = uniform(0.3, 2);

  add(&w->declared, "  Real e%s;\n", p.current);
  if (w->sources++ % 2)
    add(&w->equations, "  e%s = if mod(time, %.6g) < %.6g then %.6g else %.6g;\n",
        p.current, period, period * uniform(0.2, 0.8), size, -size * uniform(0, 1));
  else
    add(&w->equations, "  e%s = %.6g*sin(%.6g*time + %.6g);\n", p.current, size,
        6.28 / period, uniform(0, 6));
  add(&w->equations, "  %.6g*%s = %s - e%s;\n", r, p.current, p.voltage, p.current);
  add(&w->lost, " + %.6g*%s^2", r, p.current);
  add(&w->supplied, " - e%s*%s", p.current, p.current);
}

static void diode(network *w, int k)
{
  place p = somewhere(w, 'd');

  add(&w->declared, "  Real s%d(start = -1);\n  Boolean off%d(start = true);\n", k, k);
  add(&w->equations, "  off%d = s%d < 0;\n", k, k);
  if (w->ideal)
    add(&w->equations,
        "  %s = if off%d then s%d else 0;\n  %s = if off%d then 0 else s%d;\n",
        p.voltage, k, k, p.current, k, k);
  else
    add(&w->equations,
        "  %s = s%d*(if off%d then 1 else %.6g);\n  %s = s%d*(if off%d then %.6g else "
        "1);\n",
        p.voltage, k, k, decades(1e-3, 1e-1), p.current, k, k, decades(1e-4, 1e-2));
  add(&w->lost, " + %s*%s", p.voltage, p.current);
}

static void make(network *w, int number, int ideal)
{
  seed = 4242 + 1000003ULL * (unsigned)number;
  memset(w, 0, sizeof *w);
  w->ideal = ideal;
  w->nodes = 2 + (int)(rand_u64(&seed) % (NODES - 1));
  w->diodes = 1 + (int)(rand_u64(&seed) % DIODES);
  w->stop = uniform(2, 4);
  for (int k = 1; k <= w->nodes; k++) {
    double r = decades(1, 10);
    add(&w->declared, "  Real v%d;\n", k);
    add(&w->leaving[k], "v%d/%.6g", k, r);
    add(&w->lost, " + v%d^2/%.6g", k, r);
  }
  for (int k = (int)(rand_u64(&seed) % 4); k >= 0; k--)
    source(w);
  for (int k = (int)(rand_u64(&seed) % 3); k > 0; k--)
    resistor(w);
  for (int k = (int)(rand_u64(&seed) % 3); k >= 0; k--)
    capacitor(w);
  for (int k = (int)(rand_u64(&seed) % 3); k > 0; k--)
    inductor(w);
  for (int k = 0; k < w->diodes; k++)
    diode(w, k);
  for (int k = 1; k <= w->nodes; k++)
    add(&w->equations, "  0 = %s;\n", w->leaving[k].v);
  snprintf(
      w->model, sizeof w->model,
      "model M\n%s  Real win(start = 0, fixed = true), wout(start = 0, fixed = true);\n"
      "  Real store = 0%s;\nequation\n%s  der(win) = 0%s;\n  der(wout) = 0%s;\nend "
      "M;\n",
      w->declared.v, w->stored.v, w->equations.v, w->supplied.v, w->lost.v);
}

/* ----------------------------------------------------------------- runs --- */

typedef struct run {
  const network *w;
  brink_model *model;
  brink_sim *sim;
  double store0, worst, at;
  int wrong; /* 1 + diode that is on the wrong side at the time `at` */
} run;

static double value(run *r, const char *name, const double *v)
{
  return v[brink_model_find(r->model, name)];
}

/* Is every diode where its equations have it? */
static void look(run *r)
{
  double v[VALUES];
  char name[16];

  if (brink_sim_values(r->sim, v) < 0) {
    r->wrong = 1 + r->w->diodes;
    return;
  }
  for (int k = 0; k < r->w->diodes; k++) {
    snprintf(name, sizeof name, "s%d", k);
    double s = value(r, name, v);
    snprintf(name, sizeof name, "off%d", k);
    int off = value(r, name, v) != 0;
    if (off != (s < 0) && !(fabs(s) <= ON_ZERO) && fabs(s) > r->worst) {
      r->worst = fabs(s);
      r->wrong = 1 + k;
      r->at = brink_sim_time(r->sim);
    }
  }
}

/* How far energy is from being accounted for, over what was lost. */
static double imbalance(run *r)
{
  double v[VALUES];

  check_status(brink_sim_values(r->sim, v), BRINK_OK);
  double in = value(r, "win", v), out = value(r, "wout", v);
  return fabs(in - out - value(r, "store", v) + r->store0) / (1 + fabs(out));
}

static brink_status simulate(run *r, brink_ctx *ctx, const char *method, double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();
  double v[VALUES];
  brink_status rc;

  opt.method = method;
  opt.rtol = rtol;
  opt.max_steps = 100000;
  check_status(brink_sim_new(ctx, r->model, &opt, &r->sim), BRINK_OK);
  rc = brink_sim_start(r->sim, 0, 0, NULL);
  if (rc < 0)
    return rc;
  look(r);
  check_status(brink_sim_values(r->sim, v), BRINK_OK);
  r->store0 = value(r, "store", v);
  do {
    rc = brink_sim_advance(r->sim, r->w->stop);
    if (rc >= 0)
      look(r);
  } while (rc == BRINK_OK || rc == BRINK_EVENT);
  return rc;
}

/* Which networks: those before *end, from the number returned on. */
static int networks(int *end)
{
  const char *many = getenv("DIODE_NETWORKS"), *to = many ? strchr(many, '-') : NULL;

  *end = to ? atoi(to + 1) : (int)random_cases("DIODE_NETWORKS", NETWORKS);
  return to ? atoi(many) : 0;
}

static brink_model *compile(brink_ctx *ctx, const network *w)
{
  brink_model *model = NULL;

  if (brink_model_read(ctx, "m.mo", w->model, strlen(w->model), NULL, &model) < 0)
    fail_msg("%s\n%s", brink_ctx_error(ctx)->text, w->model);
  assert_true(brink_model_variables(model) <= VALUES);
  return model;
}

static void diodes_are_consistent_and_energy_is_kept(void **state)
{
  static const char *const methods[] = {"dopri5", "bs23",  "dop853", "adams",
                                        "taylor", "rkf45", "auto-rk"};
  static network w;
  long events = 0;
  int bad = 0, end, first = networks(&end);
  double most = 0;

  (void)state;
  for (int number = first; number < end; number++) {
    brink_ctx *ctx;
    const char *method = methods[number % 7];
    double rtol = number % 7 == 1 ? 1e-6 : 1e-8;
    run r = {.w = &w};
    make(&w, number, 0);
    check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
    r.model = compile(ctx, &w);
    brink_status rc = simulate(&r, ctx, method, rtol);
    double off = rc < 0 ? 0 : imbalance(&r);
    events += brink_sim_statistics(r.sim).events;
    most = fmax(most, off / rtol);
    if (rc != BRINK_END || r.wrong || !(off <= 1000 * rtol)) {
      bad++;
      print_message(
          "network %d (%d nodes, %d diodes), %s: %s at t = %.9g, energy off by "
          "%.3g, diode %d off by %.3g at %.9g: %s\n",
          number, w.nodes, w.diodes, method, brink_status_name(rc),
          brink_sim_time(r.sim), off, r.wrong - 1, r.worst, r.at,
          brink_sim_error(r.sim)->text);
    }
    brink_sim_free(r.sim);
    brink_model_free(r.model);
    brink_ctx_free(ctx);
  }
  print_message("%d networks, %ld events; energy to %.3g rtol\n", end - first, events,
                most);
  assert_int_equal(bad, 0);
}

static void ideal_diodes_have_a_solution_or_a_sentence(void **state)
{
  static network w;
  int solved = 0, named = 0, bad = 0, end, first = networks(&end);

  (void)state;
  for (int number = first; number < end; number += 10) {
    brink_ctx *ctx;
    run r = {.w = &w};
    make(&w, number, 1);
    check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
    r.model = compile(ctx, &w);
    brink_status rc = simulate(&r, ctx, "dopri5", 1e-8);
    const char *said = brink_sim_error(r.sim)->text;
    int right = rc == BRINK_END && !r.wrong && imbalance(&r) <= 1e-5;
    int sentence = rc < 0 && !r.wrong && strstr(said, "< 0 (line");
    solved += right;
    named += sentence;
    if (!right && !sentence) {
      bad++;
      print_message(
          "ideal network %d (%d nodes, %d diodes): %s at t = %.9g, diode %d off "
          "by %.3g at %.9g: %s\n",
          number, w.nodes, w.diodes, brink_status_name(rc), brink_sim_time(r.sim),
          r.wrong - 1, r.worst, r.at, said);
    }
    brink_sim_free(r.sim);
    brink_model_free(r.model);
    brink_ctx_free(ctx);
  }
  print_message("ideal diodes: %d solved, %d named\n", solved, named);
  assert_int_equal(bad, 0);
}

/* Diodes of a bridge switch in pairs.  While all block, their voltages are known to a
 * rounding over Goff, and the current of a conducting pair much better. */
static const char bridge[] =
    "model Bridge\n"
    "  parameter Real Ron = 1e-3, Goff = 1e-5, phase = 0;\n"
    "  Real vc(start = 0, fixed = true), a, b, i, s[4], v[4], id[4];\n"
    "  Boolean off[4];\n"
    "  Real vs = 10*sin(314.159265358979*time + phase);\n"
    "equation\n"
    "  for k in 1:4 loop\n"
    "    off[k] = s[k] < 0;\n"
    "    v[k] = s[k]*(if off[k] then 1 else Ron);\n"
    "    id[k] = s[k]*(if off[k] then Goff else 1);\n"
    "  end for;\n"
    "  a - b = vs - 0.5*i;\n"
    "  v[1] = a - vc; v[2] = 0 - a; v[3] = b - vc; v[4] = 0 - b;\n"
    "  i = id[1] - id[2];\n"
    "  i = id[4] - id[3];\n"
    "  1e-3*der(vc) = id[1] + id[3] - vc/100;\n"
    "end Bridge;\n";

/* Run the bridge to t = 0.06; its voltage there. */
static double run_bridge(brink_ctx *ctx, const brink_model *model, const char *method,
                         double goff, double phase)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *sim;
  double vc;

  opt.method = method;
  opt.rtol = 1e-8;
  opt.h_max = 1e-4; /* of the method with fixed steps, too */
  opt.h0 = 1e-4;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_set(sim, "Goff", goff), BRINK_OK);
  check_status(brink_sim_set(sim, "phase", phase), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  brink_status rc = brink_sim_run(sim, 0.06);
  if (rc != BRINK_END)
    fail_msg("%s, Goff = %g, phase %g: %s", method, goff, phase,
             brink_sim_error(sim)->text);
  check_status(brink_sim_get(sim, "vc", &vc), BRINK_OK);
  brink_sim_free(sim);
  return vc;
}

static void a_bridge_runs_with_every_method(void **state)
{
  static const double goff[] = {1e-5, 1e-7, 1e-3}, phase[] = {0, 0.7, 4};
  brink_ctx *ctx;
  brink_model *model;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(
      brink_model_read(ctx, "bridge.mo", bridge, sizeof bridge - 1, NULL, &model),
      BRINK_OK);
  for (int k = 0; k < 9; k++) {
    double want = run_bridge(ctx, model, "taylor", goff[k % 3], phase[k / 3]);
    for (int i = 0; brink_method_name(i); i++)
      check_near(
          run_bridge(ctx, model, brink_method_name(i), goff[k % 3], phase[k / 3]), want,
          1e-5);
    if (k == 0) /* in closed form, see tests/models/rectifier_bridge.ref */
      check_near(want, 9.4183496409, 1e-6);
  }
  brink_model_free(model);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bridge_runs_with_every_method),
      cmocka_unit_test(diodes_are_consistent_and_energy_is_kept),
      cmocka_unit_test(ideal_diodes_have_a_solution_or_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
