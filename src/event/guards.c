/* guards.c -- the guards of a mode: their memory, their values, and brackets closed by
 * values.
 */
#include "event/guards.h"

#include <math.h>

/* Evaluations that close a bracket: a third of them halve it, to the last bit. */
enum { REFINE_TURNS = 200 };

/* ------------------------------------------------------------- memory ---- */

static size_t row_length(int max_degree)
{
  return (size_t)(max_degree > BRINK__MAX_NODES ? max_degree : BRINK__MAX_NODES) + 1;
}

size_t brink__guards_size(const brink__mode *mode, int max_degree)
{
  size_t ng = (size_t)mode->n_guards, n = mode->n;
  size_t need = brink__need(0, ng, sizeof(brink__watch));

  need = brink__need(need, ng, sizeof(brink__guard));
  need = brink__need(need, ng, sizeof(brink__kept));
  need = brink__need(need, n, 4 * sizeof(double));
  need = brink__need(need, row_length(max_degree), sizeof(double));
  need = brink__need(need, n, (BRINK__SHARED + 1) * sizeof(double));
  return brink__need(need, 2 * (BRINK__MAX_NODES + 1), sizeof(double));
}

void brink__guards_init(brink__guards *g, void *memory, const brink_model *model,
                        brink__live *live, int mode, int max_degree)
{
  const brink__mode *info = model->ops->mode_info(model, live, mode);
  size_t ng = (size_t)info->n_guards, n = info->n;
  unsigned char *base = memory;

  *g = (brink__guards){
      .model = model, .live = live, .mode = mode, .n = info->n_guards, .n_states = n};
  g->watch = (brink__watch *)(void *)base;
  base += brink__need(0, ng, sizeof(brink__watch));
  g->info = (brink__guard *)(void *)base;
  for (int k = 0; k < g->n; k++)
    g->info[k] = info->guards[k];
  brink__guards_levels(g);
  base += brink__need(0, ng, sizeof(brink__guard));
  g->kept = (brink__kept *)(void *)base;
  base += brink__need(0, ng, sizeof(brink__kept));
  g->y = (double *)(void *)base;
  g->noise = g->y + n;
  g->y0 = g->noise + n;
  g->y_in = g->y0 + n;
  base += brink__need(0, n, 4 * sizeof(double));
  g->row = (double *)(void *)base;
  base += brink__need(0, row_length(max_degree), sizeof(double));
  g->node_y = (double *)(void *)base;
  base += brink__need(0, n, (BRINK__SHARED + 1) * sizeof(double));
  g->samples = (double *)(void *)base;
  g->nodes = g->samples + BRINK__MAX_NODES + 1;
  brink__chebyshev_points(BRINK__MAX_NODES, g->nodes);
}

void brink__guards_levels(brink__guards *g)
{
  g->model->ops->levels(g->model, g->live, g->mode, g->info);
}

void brink__guards_copy(brink__guards *to, const brink__guards *from)
{
  for (int k = 0; k < to->n; k++) {
    to->watch[k] = from->watch[k];
    to->info[k] = from->info[k];
    to->kept[k] = from->kept[k];
  }
  to->evals = from->evals;
  to->any_refused = from->any_refused;
  to->any_displaced = from->any_displaced;
  to->any_returned = from->any_returned;
  to->kept_h = from->kept_h;
  brink__guards_step(to);
}

/* ------------------------------------------------------------- values ---- */

brink_status brink__guard_ask(brink__guards *g, int k, double t, const double *y,
                              double *value, brink_err *err)
{
  g->evals++;
  int rc = g->model->ops->guard(g->model, g->live, g->mode, k, t, y, value);
  if (rc == 0 && isfinite(*value))
    return BRINK_OK;
  t = g->model->backward ? -t : t; /* as it is shown */
  if (rc < 0)
    return brink__fail_at(err, BRINK_EUSER, t, "guard '%s' asked to stop at t = %.9g",
                          g->info[k].name, t);
  if (rc > 0)
    *value = nan("");
  return brink__fail_at(
      err, BRINK_ENAN, t,
      "guard '%s' is %g at t = %.9g; a guard must have a value wherever "
      "its mode is active",
      g->info[k].name, *value, t);
}

brink_status brink__guard_at(brink__guards *g, int k, const brink_step *step,
                             double theta, double *value, brink_err *err)
{
  if (g->info[k].form == BRINK__GUARD_STATE) {
    *value = brink_step_state(step, g->info[k].state, theta) - g->info[k].level;
    return BRINK_OK;
  }
  brink_step_at(step, theta, g->y);
  return brink__guard_value(g, k, step->t0 + theta * step->h, g->y, value, err);
}

/* ------------------------------------------------------------- refine ---- */

static double midpoint(double lo, double hi, double g_lo, double g_hi, int turn)
{
  double mid = 0.5 * (lo + hi);

  /* the secant, but every third step halves: REFINE_TURNS reach the last bit */
  if (turn % 3 == 2 || g_lo == g_hi)
    return mid;
  double x = lo - g_lo * ((hi - lo) / (g_hi - g_lo));
  double least = lo + 0x1p-53 * fmax(fabs(lo), hi - lo);
  return x > least && x < hi ? x : mid;
}

brink_status brink__guard_refine(brink__guards *g, int k, const brink_step *step,
                                 int after, double tol, double *lo, double *hi,
                                 brink_err *err)
{
  double g_lo, g_hi;

  BRINK_TRY(brink__guard_at(g, k, step, *lo, &g_lo, err));
  BRINK_TRY(brink__guard_at(g, k, step, *hi, &g_hi, err));
  if (g_lo * after > 0) { /* the new sign is already there */
    *hi = *lo;
    return BRINK_OK;
  }
  for (int turn = 0; turn < REFINE_TURNS; turn++) {
    double width = *hi - *lo;
    if (width <= tol || width <= 0x1p-53)
      return BRINK_OK;
    double x = midpoint(*lo, *hi, g_lo, g_hi, turn), value;
    if (!(x > *lo && x < *hi))
      return BRINK_OK;
    BRINK_TRY(brink__guard_at(g, k, step, x, &value, err));
    if (value * after > 0) {
      *hi = x;
      g_hi = value;
    } else {
      *lo = x;
      g_lo = value;
    }
  }
  return BRINK_OK;
}
