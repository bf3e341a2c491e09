/* integrator.c -- make an integrator, free it, ask it. */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "poly/poly.h"

/* Arrays of length n, carve_arrays(). */
enum { VECTORS = 9 };

/* --------------------------------------------------------- life cycle ---- */

void brink_integrator_opts_init(brink_integrator_opts *opt, size_t size)
{
  const brink_integrator_opts own = {
      .size = size, .method = "dopri5", .rtol = 1e-6, .atol = -1, .search = 1};

  brink__options_init(opt, size, &own, sizeof own);
}

static int within(double x, double least) { return isfinite(x) && x >= least; }

static brink_status check(size_t n, const brink_integrator_opts *opt, brink_err *err)
{
  if (n == 0)
    return brink__fail(err, BRINK_EARG,
                       "an integrator needs at least one state (n = 0)");
  if (!opt->method)
    return brink__fail(err, BRINK_EARG, "no method was named");
  if (!within(opt->rtol, 0) || opt->rtol > 1)
    return brink__fail(err, BRINK_EARG, "rtol = %g must lie in [0, 1]", opt->rtol);
  if (opt->rtol > 0 && opt->rtol < BRINK_LEAST_RTOL)
    return brink__fail(
        err, BRINK_EARG,
        "rtol = %g lies below the rounding of numbers; the smallest that "
        "can be met is %g (0: atol alone counts)",
        opt->rtol, BRINK_LEAST_RTOL);
  if (!isfinite(opt->atol))
    return brink__fail(err, BRINK_EARG, "atol = %g must be a number", opt->atol);
  if (opt->atol != -1 && opt->atol < 0)
    return brink__fail(err, BRINK_EARG,
                       "atol = %g must not be negative (-1 means rtol/1000)",
                       opt->atol);
  for (size_t i = 0; opt->atol_i && i < n; i++)
    if (!within(opt->atol_i[i], 0))
      return brink__fail(err, BRINK_EARG, "atol_i[%zu] = %g must not be negative", i,
                         opt->atol_i[i]);
  if (!opt->atol_i && opt->rtol == 0 && opt->atol <= 0)
    return brink__fail(err, BRINK_EARG, "rtol and atol must not both be zero");
  if (!within(opt->h0, 0) || !within(opt->h_min, 0) || !within(opt->h_max, 0))
    return brink__fail(err, BRINK_EARG,
                       "h0 = %g, h_min = %g, h_max = %g must not be negative", opt->h0,
                       opt->h_min, opt->h_max);
  if (opt->h_max > 0 && opt->h_min > opt->h_max)
    return brink__fail(err, BRINK_EARG, "h_min = %g exceeds h_max = %g", opt->h_min,
                       opt->h_max);
  if (opt->max_steps < 0)
    return brink__fail(err, BRINK_EARG, "max_steps = %ld must not be negative",
                       opt->max_steps);
  if (opt->order < 0)
    return brink__fail(err, BRINK_EARG,
                       "order = %d must not be negative (0: automatic)", opt->order);
  return BRINK_OK;
}

/* Does the method have this order?  0: it chooses. */
static brink_status check_order(const brink_method *method, int order, brink_err *err)
{
  char list[64] = "";
  size_t used = 0;

  if (!(method->flags & BRINK__ORDERS) || order == 0)
    return BRINK_OK;
  if (!method->orders)
    return order <= method->order
               ? BRINK_OK
               : brink__fail(err, BRINK_EARG,
                             "order = %d: method '%s' has orders up to %d", order,
                             method->name, method->order);
  for (const int *o = method->orders; *o && used < sizeof list; o++) {
    if (*o == order)
      return BRINK_OK;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%d",
                             used == 0 ? ""
                             : o[1]    ? ", "
                                       : " and ",
                             *o);
  }
  return brink__fail(err, BRINK_EARG, "order = %d: method '%s' has the orders %s",
                     order, method->name, list);
}

/* Is there a method of this name, and has it what it needs? */
static brink_status find_method(const brink_flow *flow,
                                const brink_integrator_opts *opt, brink_err *err,
                                const brink_method **out)
{
  const brink_method *method = *out = brink__method_find(opt->method);

  if (!method)
    return brink__unknown(err, "method", opt->method, brink_method_name);
  if (method->needs)
    return brink__fail(err, BRINK_EARG,
                       "method '%s' needs %s, which brink was built without",
                       method->name, method->needs);
  if ((method->flags & BRINK__FIXED_STEP) && !(opt->h0 > 0))
    return brink__fail(err, BRINK_EARG, "method '%s' has a fixed step: give it with h0",
                       method->name);
  if ((method->flags & BRINK__NEEDS_JET) && !flow->jet)
    return brink__fail(err, BRINK_EARG,
                       "method '%s' needs Taylor series, which this right-hand side "
                       "does not have%s%s; take another, dop853 for instance",
                       method->name, flow->no_jet ? ": " : "",
                       flow->no_jet ? flow->no_jet : "");
  return check_order(method, opt->order, err);
}

/* Is f searched for discontinuities that no guard announces? */
static int is_searched(const brink_flow *flow, const brink_integrator_opts *opt,
                       const brink_method *method)
{
  return opt->search && !flow->guarded && !flow->guards_complete &&
         !(method->flags & (BRINK__FIXED_STEP | BRINK__OWN_STEP));
}

/* Arrays for n states and two polynomials of `poly` coefficients, from v on. */
static void carve_arrays(brink_integrator *it, double *v, size_t n, size_t poly)
{
  it->y = v;
  it->f0 = v + n;
  it->f1 = v + 2 * n;
  it->f2 = v + 3 * n;
  it->gate.y = v + 4 * n;
  it->atol_i = v + 5 * n;
  it->projected = v + 6 * n;
  it->f_projected = v + 7 * n;
  it->unit = v + 8 * n;
  it->coeff = v + VECTORS * n;
  it->tried = it->coeff + poly;
}

/* Tolerances; the weights of the user are absolute ones, written before each step. */
static void set_tolerances(brink_integrator *it, const brink_integrator_opts *opt,
                           size_t n)
{
  it->tol.rtol = opt->rtol;
  it->tol.atol = opt->atol < 0 ? opt->rtol / 1000 : opt->atol;
  if (opt->atol_i)
    it->tol.atol_i = memcpy(it->atol_i, opt->atol_i, n * sizeof(double));
  if (!opt->weight)
    return;
  it->weight = it->atol_i;
  it->tol = (brink__tol){.atol = opt->rtol > 0 ? opt->rtol : it->tol.atol,
                         .atol_i = it->weight};
}

brink_status brink__integrator_new(brink_ctx *ctx, const brink_flow *flow,
                                   const brink_integrator_opts *opt, int degree,
                                   brink_integrator **out)
{
  size_t n = flow->n;
  const brink_method *method;
  brink__block block;

  *out = NULL;
  BRINK_TRY(check(n, opt, &ctx->err));
  BRINK_TRY(find_method(flow, opt, &ctx->err, &method));
  int max_degree = method->max_degree > degree ? method->max_degree : degree;
  size_t poly = n * ((size_t)max_degree + 1),
         state_size = method->state_size(flow, opt),
         search_size =
             is_searched(flow, opt, method) ? brink__search_size(n, max_degree) : 0;
  size_t need = brink__need(0, 1, sizeof(brink_integrator));
  need = brink__need(need, 1, state_size);
  need = brink__need(need, VECTORS * n + 2 * poly, sizeof(double));
  need = brink__need(need, 1, search_size);
  BRINK_TRY(brink__block_new(ctx, need, &block));

  brink_integrator *it = brink__carve(&block, 1, sizeof *it);
  it->state = brink__carve(&block, 1, state_size);
  it->state_size = state_size;
  carve_arrays(it, brink__carve(&block, VECTORS * n + 2 * poly, sizeof(double)), n,
               poly);
  if (search_size) {
    it->search = brink__carve(&block, 1, search_size);
    brink__search_init(it->search, n, max_degree, &it->gate, &it->probe);
  }
  it->ctx = ctx;
  it->block = block;
  it->method = it->acting = method;
  it->max_degree = max_degree;
  it->reads = 1;
  it->opt = *opt;
  it->opt.method = method->name; /* strings and arrays are not kept */
  it->opt.atol_i = NULL;
  it->gate.flow = it->probe.flow = flow;
  set_tolerances(it, opt, n);
  brink__err_clear(&it->err);
  brink_status rc = method->open(it->state, ctx, flow, &it->opt);
  if (rc < 0)
    brink__block_drop(&block);
  else
    *out = it;
  return rc;
}

static int ivp_rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  const brink_ivp *ivp = flow->self;
  return ivp->rhs(t, y, f, ivp->user);
}

brink_status brink_integrator_new(brink_ctx *ctx, const brink_ivp *ivp,
                                  const brink_integrator_opts *opt,
                                  brink_integrator **out)
{
  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  if (!ivp || !ivp->rhs)
    return brink__fail(&ctx->err, BRINK_EARG, "an integrator needs a right-hand side");
  brink_integrator_opts own = brink_integrator_defaults();
  if (opt)
    BRINK_TRY(
        brink__options_read(opt, "brink_integrator_opts", &own, sizeof own, &ctx->err));
  brink_flow flow = {.n = ivp->n, .rhs = ivp_rhs, .reason = brink__no_reason};
  BRINK_TRY(brink__integrator_new(ctx, &flow, &own, 0, out));
  brink_integrator *it = *out;
  it->ivp = *ivp;
  it->own_flow = flow;
  it->own_flow.self = &it->ivp;
  it->gate.flow = it->probe.flow = &it->own_flow;
  return BRINK_OK;
}

void brink_integrator_free(brink_integrator *it)
{
  if (it) {
    brink__block block = it->block;
    it->method->close(it->state);
    brink__block_drop(&block);
  }
}

brink_status brink__integrator_forget(brink_integrator *it)
{
  const brink_flow *flow = it->gate.flow;

  it->started = 0;
  it->hint = 0;
  it->corners = 0;
  if (it->search)
    brink__search_init(it->search, flow->n, it->max_degree, &it->gate, &it->probe);
  if (it->method->forget && it->opened >= 0) {
    it->method->forget(it->state, flow, &it->opt);
    return BRINK_OK;
  }
  it->method->close(it->state);
  memset(it->state, 0, it->state_size);
  it->opened = it->method->open(it->state, it->ctx, flow, &it->opt);
  if (it->opened < 0)
    it->err = it->ctx->err;
  return it->opened;
}

/* Where p of `from` is in `to`: their memory is laid out alike. */
static double *same_place(const brink_integrator *to, const brink_integrator *from,
                          const double *p)
{
  size_t offset = (size_t)((const unsigned char *)p - from->block.base);

  return (double *)(void *)(to->block.base + offset);
}

const double *brink__integrator_same_place(const brink_integrator *to,
                                           const brink_integrator *from,
                                           const double *p)
{
  uintptr_t at = (uintptr_t)p, base = (uintptr_t)from->block.base;

  return p && at >= base && at < base + from->block.used ? same_place(to, from, p)
                                                         : NULL;
}

brink_status brink__integrator_copy(brink_integrator *to, const brink_integrator *from)
{
  brink_integrator own = *to;

  if (to->method != from->method || to->gate.flow->n != from->gate.flow->n ||
      to->block.used != from->block.used)
    return brink__fail(&to->err, BRINK_EARG,
                       "an integrator is copied to one with the same method, options "
                       "and number of states only");

  /* what lies before and behind the state of the method, which copies itself */
  size_t before = (size_t)((const unsigned char *)from->state - from->block.base);
  size_t behind = before + from->state_size;
  memcpy(own.block.base, from->block.base, before);
  memcpy(own.block.base + behind, from->block.base + behind, from->block.used - behind);
  brink_status rc =
      to->method->copy(own.state, from->state, own.gate.flow, from->state_size);
  /* what belongs to it, and pointers into its memory */
  to->ctx = own.ctx;
  to->block = own.block;
  to->state = own.state;
  to->own_flow = own.own_flow;
  to->ivp = own.ivp;
  to->gate.flow = own.gate.flow;
  to->gate.y = own.gate.y;
  to->probe.flow = own.probe.flow;
  to->atol_i = own.atol_i;
  to->tol.atol_i = from->tol.atol_i ? to->atol_i : NULL;
  to->opt = own.opt;
  to->weight = own.weight;
  to->y = own.y;
  to->f0 = own.f0;
  to->f1 = own.f1;
  to->f2 = own.f2;
  to->projected = own.projected;
  to->f_projected = own.f_projected;
  to->unit = own.unit;
  to->search = own.search;
  to->coeff = same_place(to, from, from->coeff); /* these two change places */
  to->tried = same_place(to, from, from->tried);
  to->last.coeff = to->coeff;
  if (rc < 0)
    to->err = to->ctx->err;
  return rc;
}

/* ------------------------------------------------------------ getters ---- */

void brink__integrator_reads(brink_integrator *it, int reads) { it->reads = reads; }

double brink__integrator_start_move(const brink_integrator *it)
{
  return it->start_move;
}

void brink__integrator_hint(brink_integrator *it, double h) { it->hint = h; }

void brink__integrator_longest(brink_integrator *it, double h) { it->opt.h_max = h; }

double brink__integrator_h_max(const brink_integrator *it) { return it->opt.h_max; }

double *brink__integrator_nominals(brink_integrator *it) { return it->atol_i; }

void brink__integrator_scale(brink_integrator *it)
{
  int others = 0;

  for (size_t i = 0; i < it->gate.flow->n; i++) {
    others |= it->atol_i[i] != 1;
    it->atol_i[i] *= it->tol.atol;
  }
  it->tol.atol_i = others ? it->atol_i : NULL;
}

void brink__integrator_cap(brink_integrator *it, double h) { it->cap = h; }

void brink__integrator_strict(brink_integrator *it, double part)
{
  it->tol.part = part;
}

double brink__integrator_tolerance(const brink_integrator *it, size_t i, double y)
{
  return (it->tol.atol_i ? it->tol.atol_i[i] : it->tol.atol) + it->tol.rtol * fabs(y);
}

double brink__integrator_proposed(const brink_integrator *it) { return it->h; }

double brink__integrator_least(const brink_integrator *it)
{
  return brink__least_step(it);
}

int brink__integrator_exists(brink_integrator *it, double t, const double *y)
{
  return brink__f(&it->gate, t, y, it->f1) == BRINK_OK;
}

brink__gate *brink__integrator_gate(brink_integrator *it) { return &it->gate; }

const brink__tol *brink__integrator_tol(const brink_integrator *it) { return &it->tol; }

double brink__integrator_h_lambda(const brink_integrator *it) { return it->h_lambda; }

const brink_step *brink__integrator_last(const brink_integrator *it)
{
  return it->continues ? &it->last : NULL;
}

int brink__integrator_predict(brink_integrator *it, double h, double *coeff)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;
  if (brink__begin_step(it) < 0)
    return 0;
  int degree = it->method->predict(it->state, n, it->t, h, it->y, coeff);

  if (degree > 0 || !it->continues)
    return degree;
  for (size_t i = 0; i < n; i++) {
    double *c = coeff + i * w, scale = 1;
    memcpy(c, it->coeff + i * w, w * sizeof *c);
    brink__taylor_shift(it->last.degree, c, 1);
    for (size_t k = 0; k < w; k++, scale *= h / it->last.h)
      c[k] *= scale;
    c[0] = it->y[i];
  }
  return it->last.degree;
}

double brink__integrator_stride(const brink_integrator *it)
{
  return it->acting->stride > 0 ? it->acting->stride : 1;
}

int brink__integrator_crossed(const brink_integrator *it, double *width)
{
  *width = it->crossed.width;
  return it->crossed.is == BRINK__CROSSED;
}

const brink_method *brink__integrator_method(const brink_integrator *it)
{
  return it->method;
}

const brink_method *brink__integrator_acting(const brink_integrator *it)
{
  return it->acting;
}

const brink_method *brink__integrator_chosen(const brink_integrator *it)
{
  return it->method->flags & BRINK__CHOOSES ? brink__auto_chosen(it->state)
                                            : it->method;
}

double brink_integrator_time(const brink_integrator *it) { return it->t; }

const double *brink_integrator_state(const brink_integrator *it) { return it->y; }

brink_status brink_integrator_at(brink_integrator *it, double t, int k, double *out)
{
  BRINK__NEED(&it->err, out);
  if (it->last.h != 0 && !it->dense)
    return brink__fail(&it->err, BRINK_EARG,
                       "the polynomial of the last step was not wanted: pass a step to "
                       "brink_integrator_advance");
  return brink__step_read(&it->last, it->last.t1, t, k, out, &it->err);
}

brink_work brink_integrator_work(const brink_integrator *it)
{
  brink_work w = it->work;

  w.look_evals = it->probe.f_evals;
  w.f_evals = it->gate.f_evals + it->probe.f_evals;
  w.outside_evals = it->gate.outside_evals;
  w.jets = it->gate.jets;
  w.jacobians = it->gate.jacobians;
  w.factorisations = it->gate.factorisations;
  w.iterations = it->gate.iterations;
  return w;
}

const brink_err *brink_integrator_error(const brink_integrator *it) { return &it->err; }
