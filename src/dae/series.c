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

/* The memory of one expansion: a row of numbers for each order, [order + 1][slots], for
 * each tape, one behind the other. */
typedef struct expansion {
  dae_live *live;
  const dae_program *program;
  size_t n_rows; /* order + 1                                                     */
  double *home;  /* [n_rows][width] symbols                                       */
  size_t width;  /* n_symbols, or of a program that is a single tape its slots    */
  double *next;  /* where the rows of the next step of the program begin          */
  double *last;  /* the rows of the last step that was taken                      */
} expansion;

static const brink__tape *tape_of(const dae_step *s)
{
  return s->loop ? s->loop->residual : s->tape;
}

static int alone(const dae_program *p) { return p->n_steps == 1 && p->steps[0].tape; }

size_t brink__dae_series_size(const dae_model *m, const dae_program *p, int order)
{
  size_t n = alone(p) ? 0 : m->n_symbols;

  for (size_t i = 0; i < p->n_steps; i++)
    n += brink__tape_slots(tape_of(&p->steps[i]));
  return n * ((size_t)order + 1) * sizeof(double);
}

static expansion expansion_of(dae_live *live, const dae_program *p, int order,
                              void *work)
{
  return (expansion){.live = live,
                     .program = p,
                     .n_rows = (size_t)order + 1,
                     .home = work,
                     .width = alone(p) ? brink__tape_slots(p->steps[0].tape)
                                       : live->m->n_symbols};
}

/* Row k of the symbols. */
static double *row_of(const expansion *x, int k)
{
  return x->home + (size_t)k * x->width;
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

/* The rows of a step; advances to the next. */
static double *array_of(expansion *x, const dae_step *s)
{
  double *c = x->next;

  x->next += brink__tape_slots(tape_of(s)) * x->n_rows;
  x->last = alone(x->program) ? x->home : c;
  return x->last;
}

/* Coefficient k of what a step computes; 0: there is none, and why is remembered. */
static int expand(const expansion *x, const dae_step *s, int k, double *c)
{
  const brink__tape *tape = tape_of(s);
  brink__node culprit = BRINK__NONE;

  if (brink__tape_jet_rows(tape, k, brink__tape_slots(tape), c, &culprit) == BRINK_OK)
    return 1;
  x->live->fault = (dae_fault){s, culprit, DAE_FAULT_SERIES, -1};
  return 0;
}

/* --------------------------------------------------------------- loops --- */

/* Coefficient k of the unknowns; those below are there. */
static int solve(const expansion *x, const dae_step *s, int k, double *c)
{
  const dae_loop *loop = s->loop;
  double *r = x->live->r, *row = c + (size_t)k * brink__tape_slots(loop->residual);

  for (size_t i = 0; i < loop->n; i++)
    row[loop->symbol[i]] = 0;
  if (!expand(x, s, k, c))
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    r[i] = row[brink__tape_slot(loop->residual, i)];
  if (!brink__dae_loop_solve(x->live, s, k > 1)) /* the matrix is that of order 0 */
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    row[loop->symbol[i]] = row_of(x, k)[loop->symbol[i]] = -r[i];
  /* once more, so that the temporaries of the next orders are those of the solution */
  return expand(x, s, k, c);
}

/* --------------------------------------------------------------- orders -- */

/* Order 0: the values that the program has just left in live->v. */
static int begin(expansion *x, double *arrays)
{
  const dae_program *p = x->program;

  x->next = arrays;
  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_step *s = &p->steps[i];
    double *c = array_of(x, s);
    size_t n;
    const int32_t *in = inputs_of(s, &n);
    for (size_t k = 0; k < n; k++)
      c[in[k]] = x->live->v[in[k]];
    if (!expand(x, s, 0, c))
      return 0;
    const int32_t *result = results_of(s, &n);
    for (size_t k = 0; k < n; k++)
      x->home[result[k]] = x->live->v[result[k]];
  }
  return 1;
}

/* Order k >= 1 of every step; that of time and states is in home. */
static int advance(expansion *x, double *arrays, int k)
{
  const dae_program *p = x->program;
  double *home = row_of(x, k);

  x->next = arrays;
  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_step *s = &p->steps[i];
    double *c = array_of(x, s), *row = c + (size_t)k * brink__tape_slots(tape_of(s));
    size_t n;
    const int32_t *in = inputs_of(s, &n);
    for (size_t j = 0; row != home && j < n; j++)
      row[in[j]] = home[in[j]];
    if (s->loop) {
      if (!solve(x, s, k, c))
        return 0;
      continue;
    }
    if (!expand(x, s, k, c))
      return 0;
    for (size_t j = 0; row != home && j < s->n_rows; j++)
      home[s->target[j]] = row[s->target[j]];
  }
  return 1;
}

/* Coefficient k of time and of the states, from coefficient k - 1 of the derivatives.
 */
static void integrate(expansion *x, int k, double h, double *out)
{
  const dae_model *m = x->live->m;
  double *row = row_of(x, k), *before = row_of(x, k - 1);

  row[BRINK__TIME] = k == 1 ? h : 0;
  for (size_t i = 0; i < m->n_states; i++) {
    double c = h * before[m->der_symbol[i]] / k;
    out[i * x->n_rows + (size_t)k] = row[m->state_symbol[i]] = c;
  }
}

/* The same from series of the states that are given. */
static void follow(expansion *x, int k, double h, const double *states)
{
  const dae_model *m = x->live->m;
  double *row = row_of(x, k);

  row[BRINK__TIME] = k == 1 ? h : 0;
  for (size_t i = 0; i < m->n_states; i++)
    row[m->state_symbol[i]] = states[i * x->n_rows + (size_t)k];
}

static double *arrays_of(const expansion *x)
{
  return x->home + (alone(x->program) ? 0 : x->width * x->n_rows);
}

brink_status brink__dae_series(dae_live *live, const dae_program *p, double h,
                               const double *y, int order, void *work, double *out)
{
  const dae_model *m = live->m;
  expansion x = expansion_of(live, p, order, work);
  double *arrays = arrays_of(&x);

  for (size_t i = 0; i < m->n; i++) {
    out[i * x.n_rows] = y[i];
    for (size_t k = 1; m->n_states == 0 && k < x.n_rows; k++)
      out[i * x.n_rows + k] = 0;
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
  expansion x = expansion_of(live, p, order, work);
  double *arrays = arrays_of(&x);
  const brink__tape *tape = p->steps[p->n_steps - 1].tape;
  size_t root = brink__tape_slot(tape, brink__tape_n_roots(tape) - 1);
  size_t width = brink__tape_slots(tape);

  if (!begin(&x, arrays))
    return BRINK_EDOMAIN;
  out[0] = x.last[root];
  for (int k = 1; k <= order; k++) {
    follow(&x, k, h, states);
    if (!advance(&x, arrays, k))
      return BRINK_EDOMAIN;
    out[k] = x.last[root + (size_t)k * width];
  }
  return BRINK_OK;
}
