/* hybrid.c -- see hybrid.h */
#include "hybrid.h"

#include <math.h>
#include <string.h>

rig rig_new(const brink_model_def *def, const brink_sim_opts *opt, double t0, int mode,
            const double *y0)
{
  rig r = {0};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_new(r.ctx, def, &r.model) < 0 ||
      brink_sim_new(r.ctx, r.model, opt, &r.sim) < 0)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  assert_non_null(r.sim);
  check_status(brink_sim_start(r.sim, t0, mode, y0), BRINK_OK);
  return r;
}

rig rig_constrained(const brink_constrained_def *def, const brink_sim_opts *opt,
                    double t0, const double *x0)
{
  rig r = {0};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_constrained_new(r.ctx, def, &r.model) < 0)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  assert_non_null(r.model);
  check_status(brink_sim_new(r.ctx, r.model, opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, t0, 0, x0), BRINK_OK);
  return r;
}

rig rig_text(const char *text, const brink_sim_opts *opt, double t0)
{
  rig r = {0};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "test.mo", text, strlen(text), NULL, &r.model) < 0 ||
      brink_sim_new(r.ctx, r.model, opt, &r.sim) < 0)
    fail_msg("%s\n%s", brink_ctx_error(r.ctx)->text, text);
  if (brink_sim_start(r.sim, t0, 0, NULL) != BRINK_OK)
    fail_msg("%s\n%s", brink_sim_error(r.sim)->text, text);
  return r;
}

void rig_free(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  assert_int_equal(brink_ctx_alloc_stats(r->ctx).live_bytes, 0);
  brink_ctx_free(r->ctx);
}

void rig_run_to(rig *r, double t)
{
  brink_status rc = brink_sim_run(r->sim, t);

  if (rc != BRINK_END)
    fail_msg("status %d: %s", (int)rc, brink_sim_error(r->sim)->text);
}

double rig_value(const rig *r, const char *name)
{
  double v = nan("");

  check_status(brink_sim_get(r->sim, name, &v), BRINK_OK);
  return v;
}

size_t rig_events(const rig *r) { return brink_trace_events(brink_sim_trace(r->sim)); }

brink_event rig_event(const rig *r, size_t k)
{
  assert_true(k < rig_events(r));
  return brink_trace_event(brink_sim_trace(r->sim), k);
}

int rig_count(const rig *r, brink_kind kind, double *t)
{
  int n = 0;

  for (size_t k = 0; k < rig_events(r); k++)
    if (rig_event(r, k).kind == kind) {
      n++;
      if (t)
        *t = rig_event(r, k).t;
    }
  return n;
}

int rig_warns(const rig *r, const char *part)
{
  const char *text;

  for (int i = 0; (text = brink_sim_warning(r->sim, i)); i++)
    if (strstr(text, part))
      return 1;
  return 0;
}

int constant_slopes(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y;
  f[0] = e->p[0];
  return 0;
}

void rig_compare(const rig_want *w, brink_ctx *ctx, brink_model *model)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams"};
  static const char *const locators[] = {"isolate", "illinois"};

  for (int m = 0; m < 6; m++) {
    brink_sim_opts opt = brink_sim_defaults();
    brink_sim *sim;
    opt.method = methods[m / 2];
    opt.locator = locators[m % 2];
    opt.rtol = 1e-9;
    opt.max_events = 500;
    check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
    check_status(brink_sim_start(sim, 0, 0, w->y0), BRINK_OK);
    brink_status rc = brink_sim_run(sim, w->t_end);
    size_t n = brink_trace_events(brink_sim_trace(sim));
    if (rc != w->rc || (w->n >= 0 && (size_t)w->n != n))
      print_message("%s, %s, %s: %zu events, %s\n", w->name, opt.method, opt.locator, n,
                    brink_sim_error(sim)->text);
    check_status(rc, w->rc);
    if (w->n >= 0)
      assert_int_equal(n, w->n);
    for (int k = 0; k < w->n; k++)
      check_near(brink_trace_event(brink_sim_trace(sim), (size_t)k).t, w->t[k], 1e-8);
    for (int i = 0; i < w->n_y; i++)
      check_near(brink_sim_state(sim)[i], w->y[i], 1e-7);
    if (w->mode >= 0)
      assert_int_equal(brink_sim_mode(sim), w->mode);
    if (w->text)
      check_text(brink_sim_error(sim)->text, w->text);
    brink_sim_free(sim);
  }
  brink_model_free(model);
  brink_ctx_free(ctx);
}
