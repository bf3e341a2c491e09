/* families.c -- see families.h */
#include "papers/families.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* The error of steps that is far below that of any guess. */
static const double FINE = 1e-13;

/* ----------------------------------------------------------------- runs --- */

/* A model from its text, and a simulation of it. */
typedef struct setup {
  brink_model *model;
  brink_sim *sim;
} setup;

static int begin(brink_ctx *ctx, const char *text, const brink_sim_opts *opt,
                 setup *out, brink_err *err)
{
  *out = (setup){NULL, NULL};
  if (brink_model_read(ctx, "family.mo", text, strlen(text), NULL, &out->model) >= 0 &&
      brink_sim_new(ctx, out->model, opt, &out->sim) >= 0)
    return 0;
  *err = *brink_ctx_error(ctx);
  return -1;
}

static void end(setup *s)
{
  brink_sim_free(s->sim);
  brink_model_free(s->model);
}

static int reach(setup *s, double t0, double t1, brink_err *err)
{
  if (brink_sim_start(s->sim, t0, 0, NULL) >= 0 &&
      brink_sim_run(s->sim, t1) == BRINK_END)
    return 0;
  *err = *brink_sim_error(s->sim);
  return -1;
}

static int crossings(const setup *s, double *first)
{
  const brink_trace *trace = brink_sim_trace(s->sim);
  int n = 0;

  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.kind != BRINK_KIND_CROSSING)
      continue;
    if (n++ == 0)
      *first = e.t;
  }
  return n;
}

/* ------------------------------------------------------------ one guess --- */

/* x = t + 0.3 sin 1.7 t, and where it is 1.7391. */
static const char GUESS[] = "model Guess\n"
                            "  Real x(fixed = true);\n"
                            "  Integer n(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(x) = 1 + 0.51*cos(1.7*time);\n"
                            "  when x > 1.7391 then\n"
                            "    n = pre(n) + 1;\n"
                            "  end when;\n"
                            "end Guess;\n";
static const double GUESS_EVENT = 1.630857265209597234;

static double rises(double t) { return t + 0.3 * sin(1.7 * t); }

int families_guess(brink_ctx *ctx, const char *locator, double h, double *error,
                   brink_err *err)
{
  enum { STARTS = 16 };
  brink_sim_opts opt = brink_sim_defaults();
  setup s;

  opt.method = "taylor";
  opt.locator = locator;
  opt.rtol = FINE;
  opt.h0 = opt.h_max = h;
  int bad = begin(ctx, GUESS, &opt, &s, err);
  *error = 0;
  for (int i = 0; i < STARTS && !bad; i++) {
    double t0 = GUESS_EVENT - (5 + (i + 0.5) / STARTS) * h, t = nan("");
    brink_sim_set_start(s.sim, "x", rises(t0));
    bad = reach(&s, t0, GUESS_EVENT + 3 * h, err);
    crossings(&s, &t);
    *error += fabs(t - GUESS_EVENT) / STARTS;
  }
  end(&s);
  return bad;
}

/* ---------------------------------------------------------------- pairs --- */

static const char PAIRS[] =
    "model Pairs\n"
    "  parameter Real a = 1, gap = 1;\n"
    "  Real x(start = 0.213, fixed = true);\n"
    "  Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = 1 + 0.51*cos(1.7*time);\n"
    "  when {(x - a)*(x - a - gap) < 0, (x - a)*(x - a - gap) > 0} then\n"
    "    n = pre(n) + 1;\n"
    "  end when;\n"
    "end Pairs;\n";

int families_pairs(brink_ctx *ctx, const char *locator, double scan_step, double gap,
                   families_pair *out, brink_err *err)
{
  enum { PLACES = 25 };
  const double golden = 0.6180339887498949; /* spreads the places evenly */
  brink_sim_opts opt = brink_sim_defaults();
  setup s;

  opt.method = "dopri5";
  opt.locator = locator;
  opt.scan_step = scan_step;
  int bad = begin(ctx, PAIRS, &opt, &s, err);
  *out = (families_pair){0, 0};
  for (int i = 0; i < PLACES && !bad; i++) {
    double first;
    brink_sim_set(s.sim, "a", 0.5 + fmod(i * golden, 1));
    brink_sim_set(s.sim, "gap", gap);
    bad = reach(&s, 0.37, 3.9, err);
    out->found += (crossings(&s, &first) == 2) / (double)PLACES;
    out->g += (double)brink_sim_statistics(s.sim).g_evals / PLACES;
  }
  end(&s);
  return bad;
}

/* ------------------------------------------------------------- approach --- */

static const char SWING[] = "model Swing\n"
                            "  parameter Real a = 0;\n"
                            "  Real y(start = 0.93, fixed = true);\n"
                            "  Real z(start = 0, fixed = true);\n"
                            "  Real s(start = 0, fixed = true);\n"
                            "  Integer n(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(y) = z;\n"
                            "  der(z) = -5.29*y;\n"
                            "  der(s) = n;\n"
                            "  when y < a then\n"
                            "    n = pre(n) + 1;\n"
                            "  end when;\n"
                            "end Swing;\n";

int families_approach(brink_ctx *ctx, const char *method, const char *locator,
                      double rtol, families_event *out, brink_err *err)
{
  enum { LEVELS = 12 };
  brink_sim_opts opt = brink_sim_defaults();
  setup s;

  opt.method = method;
  opt.locator = locator;
  opt.rtol = rtol;
  opt.restep = BRINK_RESTEP_OFF;
  int bad = begin(ctx, SWING, &opt, &s, err);
  *out = (families_event){0, 0};
  for (int i = 0; i < LEVELS && !bad; i++) {
    double level = 0.61 - 0.1 * i, t = nan("");
    brink_sim_set(s.sim, "a", level);
    bad = reach(&s, 0, 2, err);
    crossings(&s, &t);
    out->error = fmax(out->error, fabs(t - acos(level / 0.93) / 2.3));
    out->steps += (double)brink_sim_statistics(s.sim).work.steps / LEVELS;
  }
  end(&s);
  return bad;
}

/* --------------------------------------------------------------- Kepler --- */

static const char KEPLER[] = "model Kepler\n"
                             "  parameter Real w = 0;\n"
                             "  Real x(start = 0.4, fixed = true);\n"
                             "  Real y(start = 0, fixed = true);\n"
                             "  Real u(start = 0, fixed = true);\n"
                             "  Real v(start = 2, fixed = true);\n"
                             "  Real s(start = 0, fixed = true);\n"
                             "  Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(x) = u;\n"
                             "  der(y) = v;\n"
                             "  der(u) = -x/(x^2 + y^2)^1.5;\n"
                             "  der(v) = -y/(x^2 + y^2)^1.5;\n"
                             "  der(s) = n;\n"
                             "  when w*y < 0 then\n"
                             "    n = pre(n) + 1;\n"
                             "  end when;\n"
                             "end Kepler;\n";

int families_kepler(brink_ctx *ctx, const brink_sim_opts *opt, int turns, int events,
                    const brink_observer *observer, families_orbit *out, brink_err *err)
{
  static const char *const names[] = {"x", "y", "u", "v"};
  static const double exact[] = {0.4, 0, 0, 2};
  setup s;
  int bad = begin(ctx, KEPLER, opt, &s, err);

  *out = (families_orbit){.error = 0};
  if (!bad) {
    brink_sim_observe(s.sim, observer);
    brink_sim_set(s.sim, "w", events);
    bad = reach(&s, 0, 2 * PI * turns, err);
    out->work = brink_sim_statistics(s.sim).work;
  }
  for (int i = 0; i < 4 && !bad; i++) {
    double value = nan("");
    brink_sim_get(s.sim, names[i], &value);
    out->error = fmax(out->error, fabs(value - exact[i]));
  }
  end(&s);
  return bad;
}
