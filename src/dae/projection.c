/* projection.c -- the states put on the constraints of a system of higher index.
 *
 * What differentiated equations say about the states (reduce.c) holds along the exact
 * solution; at the start it must be found, and along steps it drifts.  The orders are
 * corrected one after the other, as the stages of the structural analysis prescribe:
 * stage s = -max c .. -1 has the constraints f_i^(c_i + s) and corrects the states
 * x_j^(d_j + s), those of lower stages fixed, by Newton steps of least size.  Its
 * matrix is that part of the system Jacobian that belongs to its rows and columns, over
 * (c_i + s)!.  So positions come first, then velocities that fit them.  At the start,
 * initial equations between states take part in the stage of their latest state.
 *
 * A stage falls into parts that are solved one after the other, those of the blocks of
 * the system Jacobian (at the start: that share no state); each has a dense matrix of
 * its own.
 */
#include "dae/build.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STEPS = 40, /* of Newton's method in one stage                                      */
  EXPECTED = 2 /* of them after a step of a run; then the rounding of the constraints
                  is looked at, which costs more than an evaluation                  */
};

/* ---------------------------------------------------------- compilation --- */

typedef struct compiler {
  dae_build *b;
  const dae_stage_row *all;
  int32_t *part;  /* [states] union-find                                             */
  int32_t *place; /* [states] number of its part; its column in the part              */
  int32_t *row;   /* those of the stage, in `all`                                     */
  size_t n_row;
} compiler;

static int32_t find(int32_t *part, int32_t i)
{
  while (part[i] != i)
    i = part[i] = part[part[i]];
  return i;
}

/* The first state that a row is solved for stands for its part. */
static int32_t part_of(compiler *c, size_t k)
{
  const dae_stage_slope *slope = c->all[c->row[k]].slope;

  while (slope->outer)
    slope++;
  return find(c->part, slope->state);
}

/* States that occur together in a row of the stage belong together. */
static void join(compiler *c)
{
  for (size_t k = 0; k < c->b->m->n_states; k++)
    c->part[k] = (int32_t)k;
  for (size_t k = 0; k < c->n_row; k++) {
    const dae_stage_row *r = &c->all[c->row[k]];
    for (size_t e = 0; e < r->n_slopes; e++)
      if (!r->slope[e].outer)
        c->part[find(c->part, r->slope[e].state)] = part_of(c, k);
  }
}

/* The parts, with their rows and room for their elements. */
static brink_status parts(compiler *c, dae_stage *s)
{
  brink__pool *pool = &c->b->m->pool;
  int32_t *number = c->place;

  memset(number, -1, c->b->m->n_states * sizeof *number);
  for (size_t k = 0; k < c->n_row; k++)
    if (number[part_of(c, k)] < 0)
      number[part_of(c, k)] = (int32_t)s->n_parts++;
  BRINK_TRY(DAE_TAKE(pool, s->n_parts, &s->parts));
  for (size_t k = 0; k < c->n_row; k++) {
    dae_part *p = &s->parts[number[part_of(c, k)]];
    p->n_rows++;
    p->nnz += c->all[c->row[k]].n_slopes;
  }
  for (size_t i = 0; i < s->n_parts; i++) {
    dae_part *p = &s->parts[i];
    BRINK_TRY(DAE_TAKE(pool, p->n_rows, &p->row));
    BRINK_TRY(DAE_TAKE(pool, p->nnz, &p->state));
    BRINK_TRY(DAE_TAKE(pool, p->nnz, &p->element));
    BRINK_TRY(DAE_TAKE(pool, p->nnz, &p->outer));
    p->n_rows = p->nnz = 0;
  }
  for (size_t k = 0; k < c->n_row; k++) {
    dae_part *p = &s->parts[number[part_of(c, k)]];
    p->row[p->n_rows++] = (int32_t)k;
  }
  return BRINK_OK;
}

/* The elements of the parts; root: of the first slope of each row. */
static void fill(compiler *c, dae_stage *s, const size_t *root)
{
  dae_model *m = c->b->m;

  memset(c->place, -1, m->n_states * sizeof *c->place);
  for (size_t q = 0; q < s->n_parts; q++) {
    dae_part *p = &s->parts[q];
    for (size_t k = 0; k < p->n_rows; k++) {
      const dae_stage_row *r = &c->all[c->row[p->row[k]]];
      for (size_t e = 0; e < r->n_slopes; e++) {
        dae_element at = {(int32_t)k, r->slope[e].state, (int32_t)(root[p->row[k]] + e),
                          r->factor};
        if (r->slope[e].outer) {
          p->outer[p->n_outer++] = at;
          continue;
        }
        if (c->place[at.col] < 0) {
          c->place[at.col] = (int32_t)p->n_cols;
          p->state[p->n_cols++] = at.col;
        }
        at.col = c->place[at.col];
        p->element[p->nnz++] = at;
      }
    }
    m->max_part = brink__zmax(m->max_part, p->n_rows + p->n_cols);
    m->max_part_matrix = brink__zmax(m->max_part_matrix, p->n_rows * p->n_cols);
  }
}

/* The tape of the stage: what its rows are off by, then slopes. */
static brink_status one(compiler *c, dae_stage *s)
{
  dae_build *b = c->b;
  brink__node *roots;
  size_t n = c->n_row, *first;

  for (size_t k = 0; k < c->n_row; k++)
    n += c->all[c->row[k]].n_slopes;
  BRINK_TRY(DAE_TAKE(&b->tmp, n, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, c->n_row, &first));
  BRINK_TRY(DAE_TAKE(&b->m->pool, c->n_row, &s->origin));
  s->n_rows = n = c->n_row;
  for (size_t k = 0; k < c->n_row; k++) {
    const dae_stage_row *r = &c->all[c->row[k]];
    roots[k] = brink__sub(b->graph, r->lhs, r->rhs);
    s->origin[k] = r->origin;
    first[k] = n;
    for (size_t e = 0; e < r->n_slopes; e++)
      roots[n++] = r->slope[e].value;
  }
  b->m->max_stage = brink__zmax(b->m->max_stage, n);
  BRINK_TRY(brink__dae_tape(b, n, roots, NULL, &s->tape));
  join(c);
  BRINK_TRY(parts(c, s));
  fill(c, s, first);
  return BRINK_OK;
}

/* The rows in the order of their blocks. */
static brink_status by_blocks(dae_build *b, size_t n, const dae_stage_row *rows,
                              int32_t **out)
{
  size_t most = 0, *start;

  for (size_t i = 0; i < n; i++)
    most = brink__zmax(most, (size_t)rows[i].block);
  BRINK_TRY(DAE_TAKE(&b->tmp, most + 2, &start));
  BRINK_TRY(DAE_TAKE(&b->tmp, n, out));
  for (size_t i = 0; i < n; i++)
    start[rows[i].block + 1]++;
  for (size_t k = 0; k < most; k++)
    start[k + 1] += start[k];
  for (size_t i = 0; i < n; i++)
    (*out)[start[rows[i].block]++] = (int32_t)i;
  return BRINK_OK;
}

brink_status brink__dae_stages(dae_build *b, size_t n, const dae_stage_row *rows,
                               dae_stages *out)
{
  dae_model *m = b->m;
  compiler c = {.b = b, .all = rows};
  int32_t *order;
  int first = 0;

  for (size_t i = 0; i < n; i++)
    first = rows[i].stage < first ? rows[i].stage : first;
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_states, &c.part));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_states, &c.place));
  BRINK_TRY(DAE_TAKE(&b->tmp, n, &c.row));
  BRINK_TRY(by_blocks(b, n, rows, &order));
  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)-first, &out->v));
  for (int s = first; s < 0; s++) {
    c.n_row = 0;
    for (size_t i = 0; i < n; i++)
      if (rows[order[i]].stage == s)
        c.row[c.n_row++] = order[i];
    BRINK_TRY(one(&c, &out->v[out->n++]));
  }
  return BRINK_OK;
}

/* The constraints of the flat model; their states are those that the slopes of their
 * equations stand for, so many orders higher. */
brink_status brink__dae_constraint_rows(dae_build *b, int by_blocks, dae_stage_row *out)
{
  const brink__flat *f = b->flat;
  int32_t *above; /* [vars] variable that stands for its derivative, -1: none */

  BRINK_TRY(brink__dae_take_ids(&b->tmp, f->n_vars, &above));
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].derivative_of)
      above[f->vars[i].derivative_of - 1] = (int32_t)i;
  for (size_t i = 0; i < f->n_constraints; i++) {
    const brink__flat_constraint *c = &f->constraints[i];
    dae_stage_slope *slope;
    BRINK_TRY(DAE_TAKE(&b->tmp, c->n_slopes, &slope));
    for (size_t e = 0; e < c->n_slopes; e++) {
      const brink__flat_slope *s = &f->slopes[c->first_slope + e];
      int32_t var = s->var;
      for (int k = c->order + s->order; k > 0; k--)
        var = above[var];
      slope[e] = (dae_stage_slope){b->state_of[f->vars[var].value],
                                   by_blocks && s->block != c->block, s->value};
    }
    out[i] = (dae_stage_row){.lhs = c->lhs,
                             .rhs = c->rhs,
                             .stage = c->stage,
                             .origin = (int32_t)i,
                             .block = by_blocks ? c->block : 0,
                             .factor = 1 / tgamma(c->order + 1.),
                             .slope = slope,
                             .n_slopes = c->n_slopes};
  }
  return BRINK_OK;
}

/* Of each state, its order of derivative and the state whose derivative it is. */
static brink_status orders(dae_build *b)
{
  dae_model *m = b->m;

  BRINK_TRY(DAE_TAKE(&m->pool, m->n_states, &m->state_order));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_states, &m->state_follows));
  BRINK_TRY(brink__dae_take_ids(&m->pool, m->n_states, &m->state_below));
  for (size_t i = 0; i < m->n_states; i++) {
    int of = b->flat->vars[m->state_var[i]].derivative_of;
    if (of)
      m->state_below[i] = b->state_of[b->flat->vars[of - 1].value];
    for (; of; of = b->flat->vars[of - 1].derivative_of)
      m->state_order[i]++;
  }
  return BRINK_OK;
}

/* How far a state moves in a projection, in comparison with others: stateSelect.  A
 * derivative is like its variable, unless it says otherwise. */
static brink_status mobilities(dae_build *b)
{
  static const double of_preference[] = {100, 10, 1, 0.1, 0.01}; /* never ... always */
  dae_model *m = b->m;

  BRINK_TRY(DAE_TAKE(&m->pool, m->n_states, &m->state_mobility));
  for (size_t i = 0; i < m->n_states; i++) {
    const brink__flat_var *v = &b->flat->vars[m->state_var[i]];
    while (v->prefer == 0 && v->derivative_of)
      v = &b->flat->vars[v->derivative_of - 1];
    m->state_mobility[i] = of_preference[v->prefer + 2];
    m->prefers_states |= v->prefer != 0;
  }
  return BRINK_OK;
}

/* A part with as many constraints as states determines them, given the states of parts
 * before it. */
static void mark_followers(dae_model *m)
{
  for (size_t s = 0; s < m->projection.n; s++)
    for (size_t q = 0; q < m->projection.v[s].n_parts; q++) {
      const dae_part *p = &m->projection.v[s].parts[q];
      for (size_t j = 0; j < p->n_cols && p->n_cols == p->n_rows; j++)
        m->state_follows[p->state[j]] = 1;
    }
}

brink_status brink__dae_projection(dae_build *b)
{
  dae_stage_row *rows;

  BRINK_TRY(orders(b));
  BRINK_TRY(mobilities(b));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->flat->n_constraints, &rows));
  BRINK_TRY(brink__dae_constraint_rows(b, 1, rows));
  BRINK_TRY(brink__dae_stages(b, b->flat->n_constraints, rows, &b->m->projection));
  mark_followers(b->m);
  return BRINK_OK;
}

/* ------------------------------------------------------------------ run --- */

double brink__dae_projected_within(double y, double unit)
{
  return DBL_EPSILON * (4 * fabs(y) + 64 * unit);
}

double brink__dae_expected(const dae_model *m, double nominal, const double *y,
                           int32_t x)
{
  double most = nominal;
  int32_t below = m->state_below[x];

  for (int i = 0; i < 2 && below >= 0; i++, below = m->state_below[below]) {
    int k = m->state_order[x], l = m->state_order[below];
    double size = fabs(y[below]) / nominal;
    if (l > 0 && size > 0)
      most = fmax(most,
                  nominal * tgamma(k + 1.) * pow(size / tgamma(l + 1.), (double)k / l));
  }
  return most;
}

/* The unit of a state.  At the start, derivatives without a start value may be of any
 * size (1e21 at order 30 is nothing special): theirs is what is expected. */
static double unit_of(const dae_live *live, const double *unit, const double *y,
                      int32_t x)
{
  const double *first = live->projecting.first;
  return first && first[x] > 0 ? brink__dae_expected(live->m, unit[x], y, x) : unit[x];
}

static double value(const dae_live *live, const dae_stage *s, const dae_element *e)
{
  return live->v[brink__tape_slot(s->tape, (size_t)e->root)] * e->factor;
}

/* One Newton step of a part, from the tape just evaluated; 1: it moves a state beyond
 * rounding, 0: it would not.  *dependent: some constraints are combinations of others,
 * as far as the states that may move can tell. */
static int correct(dae_live *live, const dae_stage *s, const dae_part *p,
                   const double *unit, double *y, int *dependent)
{
  dae_projecting *w = &live->projecting;
  size_t n = p->n_cols;
  int beyond = 0;

  memset(w->matrix, 0, p->n_rows * n * sizeof *w->matrix);
  for (size_t k = 0; k < p->nnz; k++) {
    const dae_element *e = &p->element[k];
    w->matrix[(size_t)e->row * n + (size_t)e->col] =
        value(live, s, e) * unit_of(live, unit, y, p->state[e->col]);
  }
  for (size_t i = 0; i < p->n_rows; i++)
    w->b[i] = live->v[brink__tape_slot(s->tape, (size_t)p->row[i])];
  for (size_t k = 0; k < p->n_outer; k++)
    w->b[p->outer[k].row] -= value(live, s, &p->outer[k]) * w->step[p->outer[k].col];
  *dependent = brink__least_norm(p->n_rows, n, w->matrix, w->b, w->dx, w->row,
                                 w->work) < p->n_rows;
  for (size_t j = 0; j < n; j++) {
    int32_t x = p->state[j];
    w->dx[j] *= unit_of(live, unit, y, x);
    beyond |= !(fabs(w->dx[j]) <=
                brink__dae_projected_within(y[x], unit_of(live, unit, y, x)));
  }
  for (size_t j = 0; j < n && beyond; j++) {
    y[p->state[j]] -= w->dx[j];
    w->step[p->state[j]] = w->dx[j];
  }
  return beyond;
}

brink_status brink__dae_stage_values(dae_live *live, const dae_stage *s, double t,
                                     const double *y)
{
  const dae_model *m = live->m;

  live->v[BRINK__TIME] = live->t = t;
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = y[i];
  return brink__dae_run_tape(live, NULL, s->tape);
}

/* Is what a row of a part is off by the rounding of its terms, and of its states? */
static int part_met(dae_live *live, const dae_stage *s, const dae_part *p,
                    const double *y)
{
  const dae_projecting *w = &live->projecting;

  for (size_t i = 0; i < p->n_rows; i++)
    w->b[i] = w->bound[p->row[i]];
  for (size_t k = 0; k < p->nnz; k++) {
    const dae_element *e = &p->element[k];
    int32_t x = p->state[e->col];
    w->b[e->row] += fabs(value(live, s, e)) *
                    brink__dae_projected_within(y[x], unit_of(live, w->unit, y, x));
  }
  for (size_t k = 0; k < p->n_outer; k++) {
    const dae_element *e = &p->outer[k];
    w->b[e->row] +=
        fabs(value(live, s, e)) *
        brink__dae_projected_within(y[e->col], unit_of(live, w->unit, y, e->col));
  }
  for (size_t i = 0; i < p->n_rows; i++)
    if (!(fabs(live->v[brink__tape_slot(s->tape, (size_t)p->row[i])]) <= w->b[i]))
      return 0;
  return 1;
}

static int met(dae_live *live, const dae_stage *s, const double *y)
{
  if (brink__tape_noise(s->tape, live->v, NULL, live->work, live->projecting.bound,
                        NULL) < 0)
    return 0;
  for (size_t i = 0; i < s->n_parts; i++)
    if (!part_met(live, s, &s->parts[i], y))
      return 0;
  return 1;
}

static brink_status cannot(dae_live *live, const dae_stage *s, int32_t row)
{
  live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_CONSTRAINT, s->origin[row]};
  return BRINK_EDOMAIN;
}

/* Corrections of all parts; 1: one moves a state.  *dependent: -1, or the first row of
 * a part with rows that depend on others. */
static int sweep(dae_live *live, const dae_stage *s, const double *unit, double *y,
                 int32_t *dependent)
{
  int more = 0;

  memset(live->projecting.step, 0, live->m->n * sizeof(double));
  *dependent = -1;
  for (size_t i = 0; i < s->n_parts; i++) {
    int some;
    more |= correct(live, s, &s->parts[i], unit, y, &some);
    if (some && *dependent < 0)
      *dependent = s->parts[i].row[0];
  }
  return more;
}

/* Move the states that have a unit in `first`, and no others, as far as the constraints
 * can be met so.  Where Newton's method does not settle they stay as they were. */
static void first_alone(dae_live *live, const dae_stage *s, double t, double *y)
{
  const dae_projecting *w = &live->projecting;
  size_t size = live->m->n_states * sizeof *y;
  int32_t dependent;

  memcpy(w->before, y, size);
  for (int k = 0; k < STEPS && brink__dae_stage_values(live, s, t, y) == BRINK_OK; k++)
    if ((k >= EXPECTED && met(live, s, y)) || !sweep(live, s, w->first, y, &dependent))
      return;
  memcpy(y, w->before, size);
}

static brink_status one_stage(dae_live *live, const dae_stage *s, double t, double *y,
                              int *moved)
{
  const dae_projecting *w = &live->projecting;
  int32_t dependent;

  if (w->first)
    first_alone(live, s, t, y);
  for (int k = 0; k < STEPS; k++) {
    BRINK_TRY(brink__dae_stage_values(live, s, t, y));
    if (k >= EXPECTED && met(live, s, y))
      return BRINK_OK;
    if (!sweep(live, s, w->unit, y, &dependent))
      return dependent < 0 || met(live, s, y) ? BRINK_OK : cannot(live, s, dependent);
    *moved = 1;
  }
  return cannot(live, s, 0);
}

brink_status brink__dae_project(dae_live *live, const dae_stages *stages, double t,
                                const double *first, const double *unit, double *y,
                                int *moved)
{
  *moved = 0;
  live->projecting.first = first;
  live->projecting.unit = unit;
  for (size_t i = 0; i < stages->n; i++)
    BRINK_TRY(one_stage(live, &stages->v[i], t, y, moved));
  return BRINK_OK;
}

brink_status brink__dae_project_left(dae_live *live, double t, double *y)
{
  const dae_model *m = live->m;
  dae_initial_work *w = &live->initial;
  int moved;

  if (m->projection.n == 0)
    return BRINK_OK;
  for (size_t i = 0; i < m->n_states; i++) {
    const brink__flat_var *v = &m->flat->vars[m->state_var[i]];
    w->state_unit[i] = live->constants.nominal[m->state_var[i]];
    w->first_unit[i] = v->hidden ? w->state_unit[i] : 0;
  }
  return brink__dae_project(live, &m->projection, t, w->first_unit, w->state_unit, y,
                            &moved);
}
