/* A pendulum that swings up to its unstable rest and should stay there for ever:
 * phi = 4 atan(exp t) - pi.  Every error grows like exp(t), so the time at which it
 * falls tells how good an integrator is [Donolo02, 4.2]. */
#include <math.h>
#include <stdio.h>

#include "brink/brink.h"

static int pendulum(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -sin(y[0]);
  return 0;
}

/* Its Taylor coefficients, for the method taylor: s = sin(phi), c = cos(phi) have s' =
 * c phi' and c' = -s phi'. */
static int series(int k, double t, double h, size_t stride, const double *y, double *f,
                  double *aux, const brink_env *e)
{
  double *s = aux, *c = aux + stride, ds = 0, dc = 0;

  (void)t, (void)h, (void)e;
  for (int j = 1; j <= k; j++) {
    ds += j * y[j] * c[k - j];
    dc -= j * y[j] * s[k - j];
  }
  s[k] = k ? ds / k : sin(y[0]);
  c[k] = k ? dc / k : cos(y[0]);
  f[k] = y[stride + (size_t)k];
  f[stride + (size_t)k] = -s[k];
  return 0;
}

int main(void)
{
  const double y0[] = {0, 2}, pi = acos(-1.0), tols[] = {1e-4, 1e-8, 1e-12};
  const brink_guard_def guards[] = {{.name = "over", .state = 0, .level = pi + 0.1},
                                    {.name = "speed", .state = 1, .level = -1e-3}};
  const brink_event_def events[] = {
      {.name = "falls over", .guard = 0, .dir = BRINK_UP, .terminal = 1},
      {.name = "falls back", .guard = 1, .dir = BRINK_DOWN, .terminal = 1}};
  const brink_mode_def mode = {.name = "swing",
                               .n = 2,
                               .rhs = pendulum,
                               .guards = guards,
                               .n_guards = 2,
                               .events = events,
                               .n_events = 2,
                               .smooth = 1,
                               .jet = series,
                               .n_aux = 2};
  const brink_model_def def = {.name = "separatrix", .modes = &mode, .n_modes = 1};
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  int good = 1;

  if (brink_ctx_new(NULL, &ctx) < 0 || brink_model_new(ctx, &def, &model) < 0)
    return 1;
  printf("method    rtol    stays up to t   f evaluations  and then\n");
  for (int m = 0; brink_method_name(m); m++)
    for (int k = 0; k < 3; k++) {
      brink_sim_opts opt = brink_sim_defaults();
      brink_sim *sim = NULL;
      opt.method = brink_method_name(m);
      opt.rtol = opt.atol = tols[k];
      opt.h0 = pow(tols[k], 0.25); /* a fixed step has to be told */
      if (brink_sim_new(ctx, model, &opt, &sim) < 0)
        return 1;
      brink_sim_start(sim, 0, 0, y0);
      brink_status s = brink_sim_run(sim, 60);
      good &= s == BRINK_TERMINATED || s == BRINK_END;
      printf("%-8s  %.0e  %14.6f  %14ld  %s\n", opt.method, opt.rtol,
             brink_sim_time(sim), brink_sim_statistics(sim).work.f_evals,
             s == BRINK_END ? "stays" : brink_sim_error(sim)->text);
      brink_sim_free(sim);
    }
  brink_model_free(model);
  brink_ctx_free(ctx);
  return good ? 0 : 1;
}
