/* series.c -- Taylor series of what a program computes, along the solution.
 *
 * Order by order, in theta = (time - t)/h: coefficient k of every step of the program
 * from coefficients 0 .. k of what it reads; then x_{k+1} = h f_k / (k + 1) for each
 * state.  Order 0 is the program itself.
 *
 * A loop F(z, ...) = 0 gives its unknowns implicitly.  In coefficient k of F the
 * unknown z_k occurs linearly, with the Jacobian at the point as its matrix: with z_k =
 * 0 the residual is r_k, and z_k = -F_z^-1 r_k.  So all orders share one factorisation.
 *
 * The temporaries of one order are read by the next, so every tape has an array of its
 * own; symbols pass between them through one more.  A program that is a single tape
 * needs neither.
 *
 * Cost: order^2/2 products for each product of the program.
 */
#include "dae/model.h"

/* The memory of one expansion: [slots][stride] numbers for each tape, one behind the
 * other. */
typedef struct expansion {
  dae_live *live;
  const dae_program *program;
  size_t stride;
  double *home; /* [n_symbols][stride]                                            */
  double *next; /* where the arrays of the next step of the program begin         */
  double *last; /* the array of the last step that was taken                      */
} expansion;

static const brink__tape *tape_of(const dae_step *s)
{
  return s->loop ? s->loop->residual : s->tape;
}

static int alone(const dae_program *p) { return p->n_steps == 1 && p->steps[0].tape; }

size_t brink__dae_series_size(const dae_model *m, const dae_program *p, int order)
{
  size_t stride = (size_t)order + 1, n = alone(p) ? 0 : m->n_symbols * stride;

  for (size_t i = 0; i < p->n_steps; i++)
    n += brink__tape_slots(tape_of(&p->steps[i])) * stride;
  return n * sizeof(double);
}

static const int32_t *inputs_of(const dae_step *s, size_t *n)
{
  *n = s->loop ? s->loop->n_input : s->n_input;
  return s->loop ? s->loop->input : s->input;
}

/* The symbols that a step determines. */
static const int32_t *results_of(const dae_step *s, size_t *n)
{
  *n = s->loop ? s->loop->n : s->n_rows;
  return s->loop ? s->loop->symbol : s->target;
}

/* The array of a step; advances to the next. */
static double *array_of(expansion *x, const dae_step *s)
{
  double *c = x->next;

  x->next += brink__tape_slots(tape_of(s)) * x->stride;
  x->last = alone(x->program) ? x->home : c;
  return x->last;
}

static int fail(const expansion *x, const dae_step *s, brink__node culprit)
{
  x->live->fault = (dae_fault){s, culprit, DAE_FAULT_SERIES, -1};
  return 0;
}

/* --------------------------------------------------------------- loops --- */

/* Coefficient k of the unknowns; those below are there. */
static int solve(const expansion *x, const dae_step *s, int k, double *c)
{
  const dae_loop *loop = s->loop;
  double *r = x->live->r;
  brink__node culprit = BRINK__NONE;
  size_t order = (size_t)k;

  for (size_t i = 0; i < loop->n; i++)
    c[(size_t)loop->symbol[i] * x->stride + order] = 0;
  if (brink__tape_jet(loop->residual, k, x->stride, c, &culprit) < 0)
    return fail(x, s, culprit);
  for (size_t i = 0; i < loop->n; i++)
    r[i] = c[brink__tape_slot(loop->residual, i) * x->stride + order];
  if (!brink__dae_loop_solve(x->live, s, k > 1)) /* the matrix is that of order 0 */
    return 0;
  for (size_t i = 0; i < loop->n; i++) {
    size_t at = (size_t)loop->symbol[i] * x->stride + order;
    c[at] = x->home[at] = -r[i];
  }
  /* once more, so that the temporaries of the next orders are those of the solution */
  if (brink__tape_jet(loop->residual, k, x->stride, c, &culprit) < 0)
    return fail(x, s, culprit);
  return 1;
}

/* --------------------------------------------------------------- orders -- */

/* Order 0: the values that the program has just left in live->v. */
static int begin(expansion *x, double *arrays)
{
  const dae_program *p = x->program;
  brink__node culprit = BRINK__NONE;

  x->next = arrays;
  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_step *s = &p->steps[i];
    double *c = array_of(x, s);
    size_t n;
    const int32_t *in = inputs_of(s, &n);
    for (size_t k = 0; k < n; k++)
      c[(size_t)in[k] * x->stride] = x->live->v[in[k]];
    if (brink__tape_jet(tape_of(s), 0, x->stride, c, &culprit) < 0)
      return fail(x, s, culprit);
    const int32_t *result = results_of(s, &n);
    for (size_t k = 0; k < n; k++)
      x->home[(size_t)result[k] * x->stride] = x->live->v[result[k]];
  }
  return 1;
}

/* Order k >= 1 of every step; that of time and states is in home. */
static int advance(expansion *x, double *arrays, int k)
{
  const dae_program *p = x->program;
  brink__node culprit = BRINK__NONE;
  size_t order = (size_t)k;

  x->next = arrays;
  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_step *s = &p->steps[i];
    double *c = array_of(x, s);
    size_t n;
    const int32_t *in = inputs_of(s, &n);
    for (size_t j = 0; c != x->home && j < n; j++) {
      size_t at = (size_t)in[j] * x->stride + order;
      c[at] = x->home[at];
    }
    if (s->loop) {
      if (!solve(x, s, k, c))
        return 0;
      continue;
    }
    if (brink__tape_jet(s->tape, k, x->stride, c, &culprit) < 0)
      return fail(x, s, culprit);
    for (size_t j = 0; c != x->home && j < s->n_rows; j++) {
      size_t at = (size_t)s->target[j] * x->stride + order;
      x->home[at] = c[at];
    }
  }
  return 1;
}

/* Coefficient k of time and of the states, from coefficient k - 1 of the derivatives.
 */
static void integrate(expansion *x, int k, double h, double *out)
{
  const dae_model *m = x->live->m;
  size_t order = (size_t)k;

  x->home[(size_t)BRINK__TIME * x->stride + order] = k == 1 ? h : 0;
  for (size_t i = 0; i < m->n_states; i++) {
    size_t at = (size_t)m->state_symbol[i] * x->stride + order;
    double f = x->home[(size_t)m->der_symbol[i] * x->stride + order - 1];
    out[i * x->stride + order] = x->home[at] = h * f / k;
  }
}

/* The same from series of the states that are given. */
static void follow(expansion *x, int k, double h, const double *states)
{
  const dae_model *m = x->live->m;
  size_t order = (size_t)k;

  x->home[(size_t)BRINK__TIME * x->stride + order] = k == 1 ? h : 0;
  for (size_t i = 0; i < m->n_states; i++)
    x->home[(size_t)m->state_symbol[i] * x->stride + order] =
        states[i * x->stride + order];
}

static double *arrays_of(const expansion *x)
{
  return x->home + (alone(x->program) ? 0 : x->live->m->n_symbols * x->stride);
}

brink_status brink__dae_series(dae_live *live, const dae_program *p, double h,
                               const double *y, int order, void *work, double *out)
{
  const dae_model *m = live->m;
  expansion x = {.live = live, .program = p, .stride = (size_t)order + 1, .home = work};
  double *arrays = arrays_of(&x);

  for (size_t i = 0; i < m->n; i++) {
    out[i * x.stride] = y[i];
    for (size_t k = 1; m->n_states == 0 && k < x.stride; k++)
      out[i * x.stride + k] = 0;
  }
  if (!begin(&x, arrays))
    return BRINK_EDOMAIN;
  for (int k = 1; k <= order; k++) {
    integrate(&x, k, h, out);
    if (k < order && !advance(&x, arrays, k))
      return BRINK_EDOMAIN;
  }
  return BRINK_OK;
}

brink_status brink__dae_series_along(dae_live *live, const dae_program *p, double h,
                                     const double *states, int order, void *work,
                                     double *out)
{
  expansion x = {.live = live, .program = p, .stride = (size_t)order + 1, .home = work};
  double *arrays = arrays_of(&x);
  const brink__tape *tape = p->steps[p->n_steps - 1].tape;
  size_t root = brink__tape_slot(tape, brink__tape_n_roots(tape) - 1) * x.stride;

  if (!begin(&x, arrays))
    return BRINK_EDOMAIN;
  out[0] = x.last[root];
  for (int k = 1; k <= order; k++) {
    follow(&x, k, h, states);
    if (!advance(&x, arrays, k))
      return BRINK_EDOMAIN;
    out[k] = x.last[root + (size_t)k];
  }
  return BRINK_OK;
}
