/* Two queues in a row, as fluids: what the first one serves arrives at the second, and
 * nobody serves an empty queue.  The lengths are a reflected path [Donolo02, 2.2.2]: on
 * x1 = 0 the push is along (1, -1), since work that was not done does not arrive. */
#include <math.h>
#include <stdio.h>

#include "brink/reflected.h"
#include "brink/brink.h"

static int flow(double t, const double *x, double *f, const brink_env *e)
{
  const double *rate = e->p; /* of service, at both queues */
  double arrivals = 0.9 + 0.8 * sin(0.5 * t);

  (void)x;
  f[0] = arrivals - rate[0];
  f[1] = rate[0] - rate[1];
  return 0;
}

int main(void)
{
  const double lower[] = {0, 0}, rate[] = {1.1, 1},
               along[] = {1, -1,        /* at x1 = 0 */
                          0, 1};        /* at x2 = 0 */
  const double x0[] = {0.3, 0.2, 0, 0}; /* lengths, and no pushes yet */
  const brink_reflected_def def = {.name = "queues",
                                   .n = 2,
                                   .rhs = flow,
                                   .lower = lower,
                                   .along = along,
                                   .p = rate,
                                   .n_p = 2};
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_reflected_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, NULL, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_status s = brink_sim_start(sim, 0, 0, x0);
  printf("%5s  %9s  %9s  %12s  %12s\n", "t", "queue 1", "queue 2", "idle work 1",
         "idle work 2");
  for (int k = 1; k <= 8 && s >= 0; k++) {
    s = brink_sim_run(sim, 3 * k);
    const double *x = brink_sim_state(sim);
    printf("%5.1f  %9.6f  %9.6f  %12.6f  %12.6f\n", brink_sim_time(sim), x[0], x[1],
           x[2], x[3]);
  }
  printf("%s\n", brink_status_text(s));
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
