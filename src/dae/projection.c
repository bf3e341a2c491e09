/* projection.c -- the states put back on the constraints of a system of higher index.
 *
 * What differentiated equations say about the states (reduce.c) is true at the start
 * and would stay true along the exact solution; along steps it drifts.  The orders are
 * corrected one after the other, as the stages of the structural analysis prescribe:
 * stage s = -max c .. -1 has the constraints f_i^(c_i + s) and corrects the states
 * x_j^(d_j + s), those of lower stages fixed, by Newton steps of least size.  Its
 * matrix is that part of the system Jacobian that belongs to its rows and columns, over
 * (c_i + s)!.  So positions come first, then velocities that fit them.
 *
 * A stage falls into parts that share no state; each has a dense matrix of its own.
 */
#include "dae/build.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STEPS = 20
}; /* of Newton's method in one stage; two do, after a step of a run */

/* Corrections below so many roundings of the states are rounding. */
static const double AT_ROUNDING = 4 * DBL_EPSILON;

/* Corrections that no longer become smaller are rounding, too, where they are so small
 * a part of the unit in which the caller measures. */
static const double SMALL = 0x1p-7;

/* ---------------------------------------------------------- compilation --- */

typedef struct compiler {
  dae_build *b;
  const brink__flat *f;
  int32_t *above; /* [vars] state variable that stands for its derivative, -1: none */
  int32_t *part;  /* [states] union-find                                              */
  int32_t *place; /* [states] number of its part; its column in the part */
  int32_t *root; /* [slopes] root of the tape of the stage, -1: none                  */
  int32_t *row;  /* [constraints] those of the stage                                  */
  size_t n_row;
} compiler;

/* The state that stands for the derivative of a variable that constraint i is solved
 * for by slope e. */
static int32_t state_of(const compiler *c, size_t i, size_t e)
{
  const brink__flat_slope *s = &c->f->slopes[e];
  int32_t var = s->var;

  for (int k = c->f->constraints[i].order + s->order; k > 0; k--)
    var = c->above[var];
  return c->b->state_of[c->f->vars[var].value];
}

/* The first state of a constraint stands for all of them. */
static int32_t find(int32_t *part, int32_t i)
{
  while (part[i] != i)
    i = part[i] = part[part[i]];
  return i;
}

#define EACH_SLOPE(e, i)                                                               \
  size_t e = c->f->constraints[i].first_slope;                                         \
  e < c->f->constraints[i].first_slope + c->f->constraints[i].n_slopes;                \
  e++

/* States that occur together in a constraint of the stage belong together. */
static void join(compiler *c)
{
  for (size_t k = 0; k < c->b->m->n_states; k++)
    c->part[k] = (int32_t)k;
  for (size_t k = 0; k < c->n_row; k++) {
    size_t i = (size_t)c->row[k];
    int32_t first = state_of(c, i, c->f->constraints[i].first_slope);
    for (EACH_SLOPE(e, i))
      c->part[find(c->part, state_of(c, i, e))] = find(c->part, first);
  }
}

/* The part of constraint i. */
static int32_t part_of(compiler *c, size_t i)
{
  return find(c->part, state_of(c, i, c->f->constraints[i].first_slope));
}

/* Count rows and elements of the parts, and give them memory. */
static brink_status count(compiler *c, dae_stage *s)
{
  brink__pool *pool = &c->b->m->pool;
  int32_t *number = c->place;

  memset(number, -1, c->b->m->n_states * sizeof *number);
  for (size_t k = 0; k < c->n_row; k++) {
    int32_t p = part_of(c, (size_t)c->row[k]);
    if (number[p] < 0)
      number[p] = (int32_t)s->n_parts++;
  }
  BRINK_TRY(DAE_TAKE(pool, s->n_parts, &s->parts));
  for (size_t k = 0; k < c->n_row; k++) {
    dae_part *p = &s->parts[number[part_of(c, (size_t)c->row[k])]];
    p->n_rows++;
    p->nnz += c->f->constraints[c->row[k]].n_slopes;
  }
  for (size_t i = 0; i < s->n_parts; i++) {
    dae_part *p = &s->parts[i];
    BRINK_TRY(DAE_TAKE(pool, p->n_rows, &p->row));
    BRINK_TRY(DAE_TAKE(pool, p->nnz, &p->state));
    BRINK_TRY(DAE_TAKE(pool, p->nnz, &p->element));
    p->n_rows = p->nnz = 0;
  }
  for (size_t k = 0; k < c->n_row; k++) { /* while numbers are there */
    dae_part *p = &s->parts[number[part_of(c, (size_t)c->row[k])]];
    p->row[p->n_rows++] = (int32_t)k;
  }
  return BRINK_OK;
}

static void fill(compiler *c, dae_stage *s)
{
  memset(c->place, -1, c->b->m->n_states * sizeof *c->place);
  for (size_t q = 0; q < s->n_parts; q++) {
    dae_part *p = &s->parts[q];
    for (size_t k = 0; k < p->n_rows; k++) {
      size_t i = (size_t)c->row[p->row[k]];
      double factorial = tgamma(c->f->constraints[i].order + 1.);
      for (EACH_SLOPE(e, i)) {
        int32_t state = state_of(c, i, e);
        if (c->place[state] < 0) {
          c->place[state] = (int32_t)p->n_cols;
          p->state[p->n_cols++] = state;
        }
        p->element[p->nnz++] =
            (dae_element){(int32_t)k, c->place[state], c->root[e], 1 / factorial};
      }
    }
    c->b->m->max_part = brink__zmax(c->b->m->max_part, p->n_rows + p->n_cols);
    c->b->m->max_part_matrix =
        brink__zmax(c->b->m->max_part_matrix, p->n_rows * p->n_cols);
  }
}

/* The tape of the stage: what the constraints are off by, then slopes. */
static brink_status tape(compiler *c, dae_stage *s)
{
  dae_build *b = c->b;
  brink__node *roots;
  size_t n = 0;

  BRINK_TRY(DAE_TAKE(&b->tmp, c->n_row + c->f->n_slopes, &roots));
  memset(c->root, -1, c->f->n_slopes * sizeof *c->root);
  for (size_t k = 0; k < c->n_row; k++) {
    const brink__flat_constraint *con = &c->f->constraints[c->row[k]];
    roots[n++] = brink__sub(b->graph, con->lhs, con->rhs);
  }
  for (size_t k = 0; k < c->n_row; k++)
    for (EACH_SLOPE(e, (size_t)c->row[k])) {
      if (c->root[e] < 0) {
        c->root[e] = (int32_t)n;
        roots[n++] = c->f->slopes[e].value;
      }
    }
  BRINK_TRY(DAE_TAKE(&b->m->pool, c->n_row, &s->constraint));
  memcpy(s->constraint, c->row, c->n_row * sizeof *s->constraint);
  return brink__dae_tape(b, n, roots, NULL, &s->tape);
}

brink_status brink__dae_projection(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  compiler c = {.b = b, .f = f};
  int first = 0;

  if (!f->n_constraints)
    return BRINK_OK;
  BRINK_TRY(brink__dae_take_ids(&b->tmp, f->n_vars, &c.above));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_states, &c.part));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_states, &c.place));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_slopes, &c.root));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_constraints, &c.row));
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].derivative_of)
      c.above[f->vars[i].derivative_of - 1] = (int32_t)i;
  for (size_t i = 0; i < f->n_constraints; i++)
    first = f->constraints[i].stage < first ? f->constraints[i].stage : first;
  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)-first, &m->stages));
  for (int s = first; s < 0; s++) {
    dae_stage *stage = &m->stages[m->n_stages++];
    c.n_row = 0;
    for (size_t i = 0; i < f->n_constraints; i++)
      if (f->constraints[i].stage == s)
        c.row[c.n_row++] = (int32_t)i;
    BRINK_TRY(tape(&c, stage));
    join(&c);
    BRINK_TRY(count(&c, stage));
    fill(&c, stage);
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------------ run --- */

/* One Newton step of a part, from the tape just evaluated; the largest correction in
 * the caller's units, 0: none beyond rounding, infinite: the constraints depend on each
 * other. */
static double correct(dae_live *live, const dae_stage *s, const dae_part *p,
                      const double *unit, double *y)
{
  dae_projecting *w = &live->projecting;
  size_t n = p->n_cols;
  double most = 0, size = 0;

  memset(w->matrix, 0, p->n_rows * n * sizeof *w->matrix);
  for (size_t k = 0; k < p->nnz; k++) {
    const dae_element *e = &p->element[k];
    w->matrix[(size_t)e->row * n + (size_t)e->col] =
        live->v[brink__tape_slot(s->tape, (size_t)e->root)] * e->factor *
        unit[p->state[e->col]];
  }
  for (size_t i = 0; i < p->n_rows; i++)
    w->b[i] = live->v[brink__tape_slot(s->tape, (size_t)p->row[i])];
  size_t rank =
      brink__least_norm(p->n_rows, n, w->matrix, w->b, w->dx, w->row, w->work);
  if (rank < p->n_rows)
    return HUGE_VAL;
  for (size_t j = 0; j < n; j++) {
    most = fmax(most, fabs(w->dx[j]));
    size = fmax(size, fabs(y[p->state[j]]) / unit[p->state[j]]);
  }
  if (most <= AT_ROUNDING * size)
    return 0;
  for (size_t j = 0; j < n; j++)
    y[p->state[j]] -= w->dx[j] * unit[p->state[j]];
  return most;
}

static brink_status evaluate(dae_live *live, const dae_stage *s, double t,
                             const double *y)
{
  const dae_model *m = live->m;

  live->v[BRINK__TIME] = live->t = t;
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = y[i];
  return brink__dae_run_tape(live, NULL, s->tape);
}

static brink_status one_stage(dae_live *live, const dae_stage *s, double t,
                              const double *unit, double *y, int *moved)
{
  double before = HUGE_VAL;

  for (int k = 0; k < STEPS; k++) {
    double worst = 0;
    BRINK_TRY(evaluate(live, s, t, y));
    for (size_t i = 0; i < s->n_parts; i++) {
      double most = correct(live, s, &s->parts[i], unit, y);
      if (!(most < HUGE_VAL)) {
        live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_CONSTRAINT,
                                  s->constraint[s->parts[i].row[0]]};
        return BRINK_EDOMAIN;
      }
      *moved |= most > 0;
      worst = fmax(worst, most);
    }
    if (worst == 0 || (worst <= SMALL && worst > before / 2))
      return BRINK_OK;
    before = worst;
  }
  live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_CONSTRAINT, s->constraint[0]};
  return BRINK_EDOMAIN;
}

brink_status brink__dae_project(dae_live *live, double t, const double *unit, double *y,
                                int *moved)
{
  const dae_model *m = live->m;

  *moved = 0;
  live->effort.projections++;
  for (size_t i = 0; i < m->n_stages; i++)
    BRINK_TRY(one_stage(live, &m->stages[i], t, unit, y, moved));
  return BRINK_OK;
}
