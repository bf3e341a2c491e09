/* contact.c -- the law of faces that are held: y' = f + sum lambda_j d_j with lambda
 * from A lambda = -b (contact.h).  Where the solution slides as well, f is the law of
 * one side, and has the reactions that belong to it; the mixture of these laws
 * (sliding_law.c) keeps the faces as each of them does, since speeds are the same on
 * all sides.
 *
 * Lower derivatives of g are kept at 0 by projection, so that no error of lambda adds
 * up. Where a derivative of a state cancels to rounding it is 0: a body at rest stays
 * at rest, to the last bit.
 *
 * Cost of an evaluation for m faces and n states: m (n + 8) derivatives of guards, 3 m
 * events on a copy of the live object.
 */
#include "hybrid/contact.h"
#include "hybrid/filippov.h"

#include "linear/lcp.h"
#include "linear/linear.h"

#include <float.h>
#include <string.h>

/* Sums of so many roundings of their terms are 0. */
static const double CANCELS = 64 * DBL_EPSILON;

static const double ON_FACE = BRINK__ON_FACE * DBL_EPSILON;

/* Corrections of this size that do not shrink are errors of difference quotients. */
static const double NOISE = 0x1p-28;

enum { NEWTON = 8 }; /* a step of the method leaves the state close to the faces */

/* ------------------------------------------------------------- workspace ---- */

/* So many faces there can be. */
static size_t most_faces(size_t ng)
{
  return ng < BRINK__MOST_HELD ? ng : BRINK__MOST_HELD;
}

static size_t measure(const brink__extended *x, brink__live *live, int mode, size_t n,
                      size_t ng, size_t *lie)
{
  const size_t m = most_faces(ng);

  *lie = brink__lie_size(x->inner, live, mode);
  size_t need = brink__need(0, 1, sizeof(brink__contacts));
  need = brink__need(need, 1, *lie);
  need = brink__need(need, n, (2 * m + 12) * sizeof(double));
  need = brink__need(need, m, (3 * m + 5) * sizeof(double));
  need = brink__need(need, m, sizeof(int));
  need = brink__need(need, ng, 4 + n);
  need = brink__need(need, ng, (n + 5) * sizeof(double));
  return brink__need(need, 1, brink__lcp_scratch(m));
}

static void carve(brink__contacts *c, brink__block *b, size_t ng)
{
  const size_t m = most_faces(ng);
  size_t n = c->n;

  c->d = brink__carve(b, n, (2 * m + 12) * sizeof(double));
  c->rows = c->d + m * n;
  c->f = c->rows + m * n;
  c->gradient = c->f + n;
  c->probe = c->gradient + n;
  c->after = c->probe + n;
  c->other = c->after + n;
  c->base = c->other + n;
  c->stop = c->base + n;
  c->drift = c->stop + n;
  c->later = c->drift + n;
  c->moved = c->later + n;
  c->a = brink__carve(b, m, (3 * m + 5) * sizeof(double));
  c->a_bound = c->a + m * m;
  c->lu = c->a_bound + m * m;
  c->b = c->lu + m * m;
  c->b_bound = c->b + m;
  c->lambda = c->b_bound + m;
  c->away = c->lambda + m;
  c->scale = c->away + m;
  c->pivot = brink__carve(b, m, sizeof(int));
  c->signs = brink__carve(b, ng, 4 + n);
  c->known = (unsigned char *)c->signs + 3 * ng;
  c->touched = c->known + ng;
  c->way = brink__carve(b, ng, (n + 5) * sizeof(double));
  c->slope = c->way + ng * n;
  c->load = c->slope + ng;
  c->kept = c->load + ng;
  c->stuck_t = c->kept + ng;
  c->stuck_n = c->stuck_t + ng;
  for (size_t k = 0; k < ng; k++)
    c->stuck_t[k] = nan("");
  c->lcp = brink__carve(b, 1, brink__lcp_scratch(m));
}

/* Callback models have no nominal values, but absolute tolerances in the units of their
 * states.  That of a state of size 1 is mostly between a thousandth of the relative
 * one, the default, and that itself; the size nearest to 1 is taken. */
static void take_units(const brink__extended *x, brink__contacts *c)
{
  const brink_sim *sim = x->sim;
  const brink__regime *r = sim->regime;

  if (!r || !r->it || !(sim->opt.rtol > 0) || r->info->n != c->n ||
      x->inner->ops->nominals(x->inner, c->lie.guards.live, c->mode, c->lie.unit))
    return;
  for (size_t i = 0; i < c->n; i++) {
    double size = brink__integrator_tolerance(r->it, i, 0) / sim->opt.rtol;
    if (size > 0)
      c->lie.unit[i] = brink__max(size, brink__min(1, 1e3 * size));
  }
}

brink__contacts *brink__contacts_find(const brink__extended *x, int i, int mode)
{
  brink__contacts *c = x->contacts;

  while (c && (c->side != i || c->mode != mode))
    c = c->next;
  if (c && c->version != x->side[i].version) {
    brink__lie_refresh(&c->lie);
    take_units(x, c);
    c->version = x->side[i].version;
  }
  return c;
}

brink_status brink__contact_prepare(brink__extended *x, int i, int mode)
{
  brink__live *live = x->side[i].live;
  const brink__mode *info = x->inner->ops->mode_info(x->inner, live, mode);
  brink__block block;
  size_t lie;

  if (brink__contacts_find(x, i, mode))
    return BRINK_OK;
  size_t ng = (size_t)info->n_guards, need = measure(x, live, mode, info->n, ng, &lie);
  BRINK_TRY(brink__block_new(x->sim->ctx, need, &block));
  brink__contacts *c = brink__carve(&block, 1, sizeof *c);
  void *memory = brink__carve(&block, 1, lie);
  c->side = i;
  c->mode = mode;
  c->version = x->side[i].version;
  c->n = info->n;
  carve(c, &block, ng);
  c->block = block;
  brink__lie_init(&c->lie, memory, x->inner, live, mode);
  take_units(x, c);
  c->next = x->contacts;
  x->contacts = c;
  return BRINK_OK;
}

brink_status brink__contacts_of(brink__extended *x, int i, brink__contacts **out)
{
  BRINK_TRY(brink__contact_prepare(x, i, x->side[i].mode));
  *out = brink__contacts_find(x, i, x->side[i].mode);
  return BRINK_OK;
}

brink_status brink__contacts_copy(brink__extended *to, const brink__extended *from)
{
  for (const brink__contacts *c = from->contacts; c; c = c->next) {
    if (c->mode != from->side[c->side].mode)
      continue;
    BRINK_TRY(brink__contact_prepare(to, c->side, c->mode));
    brink__contacts *copy = brink__contacts_find(to, c->side, c->mode);
    size_t ng = (size_t)c->lie.guards.n;
    brink__copy_bytes(copy->known, c->known, ng * (1 + c->n)); /* and touched */
    brink__copy(copy->way, c->way, ng * (c->n + 3));           /* ... kept */
    brink__copy(copy->lie.unit, c->lie.unit, c->n);
  }
  return BRINK_OK;
}

void brink__contacts_free(brink__extended *x)
{
  while (x->contacts) {
    brink__block block = x->contacts->block;
    x->contacts = x->contacts->next;
    brink__block_drop(&block);
  }
}

/* ----------------------------------------------------------- the matrix ---- */

int brink__contact_derivative(brink__contacts *c, int k, int order, double t,
                              const double *y, double *value)
{
  brink__estimate d[BRINK__LIE_ORDER + 1];

  if (brink__lie_along(&c->lie, k, t, y, order, d) < order)
    return 0;
  *value = d[order].value;
  return 1;
}

int brink__contact_matrix(brink__extended *x, brink__contacts *c,
                          const brink__hold *hold, int n, double t, const double *y)
{
  brink__estimate e[BRINK__LIE_ORDER + 1], a;

  for (int i = 0; i < n; i++)
    if (!brink__read_reset(x, c, &hold[i], t, y, 0, c->d + (size_t)i * c->n))
      return 0;
  for (int i = 0; i < n; i++) {
    int k = hold[i].guard, r = hold[i].degree, sigma = hold[i].inside;
    if (brink__lie_along(&c->lie, k, t, y, r, e) < r)
      return 0;
    c->b[i] = sigma * e[r].value;
    c->b_bound[i] = e[r].bound;
    for (int j = 0; j < n; j++) {
      if (!brink__lie_across(&c->lie, k, t, y, r - 1, c->d + (size_t)j * c->n, &a))
        return 0;
      c->a[i * n + j] = sigma * a.value;
      c->a_bound[i * n + j] = a.bound;
    }
  }
  return 1;
}

/* -------------------------------------------------------------- the law ---- */

int brink__has_faces(const brink__extended *x, int i, const brink__hold *hold, int n)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i], *own = &x->side[0];

  if (s->mode == own->mode)
    return 1;
  const brink__mode *here = m->ops->mode_info(m, s->live, s->mode),
                    *there = m->ops->mode_info(m, own->live, own->mode);
  for (int j = 0; j < n; j++) {
    int k = hold[j].guard;
    if (k >= here->n_guards || strcmp(here->guards[k].name, there->guards[k].name) != 0)
      return 0;
  }
  return 1;
}

/* lambda of the faces, with what friction does for the loads of before.  As flow.rhs.
 */
static int solve_once(brink__extended *x, brink__contacts *c, double t, const double *y,
                      double *lambda)
{
  size_t n = (size_t)x->n_faces;
  double margin;

  c->stopping = 0;
  if (!brink__contact_matrix(x, c, x->face, x->n_faces, t, y))
    return 1;
  memcpy(c->lu, c->a, n * n * sizeof *c->a);
  for (size_t i = 0; i < n; i++)
    lambda[i] = -c->b[i];
  if (brink__lu_factor(n, c->lu, c->pivot, c->scale, &margin) < n)
    return 1;
  brink__lu_solve(n, c->lu, c->pivot, c->scale, lambda);
  return 0;
}

/* Loads of several contacts share what friction has to stop: they are asked again while
 * they change by more than this part, so often at most. */
static const double SAME_LOAD = 0x1p-40;
enum { LOADS = 8 };

static int solve(brink__extended *x, brink__contacts *c, double t, const double *y,
                 double *lambda)
{
  int rc, again = 1;

  for (int turn = 0; again && turn < LOADS; turn++) {
    if ((rc = solve_once(x, c, t, y, lambda)) != 0)
      return rc;
    again = 0;
    for (int i = 0; i < x->n_faces; i++) {
      double *load = &c->load[x->face[i].guard];
      again |= c->stopping && x->n_faces > 1 &&
               fabs(lambda[i] - *load) > SAME_LOAD * fabs(lambda[i]);
      *load = lambda[i];
    }
  }
  return 0;
}

int brink__contact_react(brink__extended *x, int side, double t, const double *y)
{
  brink__side *s = &x->side[side];
  brink__contacts *c = brink__contacts_find(x, side, s->mode);

  if (!c || !brink__has_faces(x, side, x->face, x->n_faces))
    return 1;
  int rc = solve(x, c, t, y, s->lambda);
  for (size_t i = 0; rc == 0 && i < c->n; i++) {
    double terms = fabs(s->f[i]), unsure = 0;
    for (int j = 0; j < x->n_faces; j++) {
      double d = c->d[(size_t)j * c->n + i];
      s->f[i] += s->lambda[j] * d;
      terms += fabs(s->lambda[j] * d);
      unsure += c->b_bound[j] * fabs(d);
    }
    if (fabs(s->f[i]) <= CANCELS * terms + unsure)
      s->f[i] = 0;
  }
  return rc;
}

/* |A^-1| (b_bound + a_bound |lambda|), column by column.  Rows are guards, whose units
 * may differ by any power of ten. */
double brink__reaction_bound(brink__extended *x, int i)
{
  const brink__side *own = &x->side[0];
  brink__contacts *c = brink__contacts_find(x, 0, own->mode);
  size_t n = (size_t)x->n_faces;
  double bound = 0;

  for (size_t j = 0; j < n; j++) {
    memset(c->lambda, 0, n * sizeof *c->lambda);
    c->lambda[j] = c->b_bound[j];
    for (size_t k = 0; k < n; k++)
      c->lambda[j] += c->a_bound[j * n + k] * fabs(own->lambda[k]);
    brink__lu_solve(n, c->lu, c->pivot, c->scale, c->lambda);
    bound += fabs(c->lambda[i]);
  }
  return bound;
}

/* ----------------------------------------------------------- projection ---- */

/* States are put back as reactions move them: speeds along d, positions along what
 * speeds along d do to f.  So a ball is put back onto its table, and not the table to
 * the ball. */

/* Differences of f step so far, in units of the states. */
static const double STEP = 0x1p-6;

/* The direction of positions into p: of the states that the event does not touch. */
static int position_direction(brink__contacts *c, const brink__hold *hold, double t,
                              const double *y, const double *d, double *p)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double most = 0, *there = c->probe, *f = c->after;

  for (size_t i = 0; i < c->n; i++)
    most = brink__max(most, fabs(d[i]) / brink__max(c->lie.unit[i], fabs(y[i])));
  double s = ldexp(STEP, -ilogb(most));
  for (int side = -1; side <= 1; side += 2) {
    for (size_t i = 0; i < c->n; i++)
      there[i] = y[i] + side * s * d[i];
    if (brink__lie_law(&c->lie, t, there, f) != 0)
      return 0;
    for (size_t i = 0; i < c->n; i++)
      p[i] = touched[i] ? 0 : side < 0 ? -f[i] : p[i] + f[i];
  }
  for (size_t i = 0; i < c->n; i++)
    p[i] /= 2 * s;
  return 1;
}

/* Directions of all faces: speeds (or, of degree 1, states) in c->d, positions in
 * c->rows. */
static int directions(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      int n, double t, const double *y)
{
  for (int i = 0; i < n; i++) {
    double *d = c->d + (size_t)i * c->n, *p = c->rows + (size_t)i * c->n;
    if (!(hold[i].order ? brink__switch_direction(x, c, &hold[i], t, y, d)
                        : brink__read_reset(x, c, &hold[i], t, y, 0, d)))
      return 0;
    if (hold[i].degree == 1)
      brink__copy(p, d, c->n);
    else if (!position_direction(c, &hold[i], t, y, d, p))
      return 0;
  }
  return 1;
}

/* Newton's change of y that brings L_f^order g of the faces to 0, along the directions
 * `along`; faces whose degree is not above the order are left out. */
static int correct(brink__contacts *c, const brink__hold *hold, int n, int order,
                   double t, const double *along, double *y)
{
  const double *way[BRINK__MOST_HELD];
  size_t m = 0;
  double margin;
  brink__estimate a;

  for (int i = 0; i < n; i++) {
    if (hold[i].degree <= order)
      continue;
    if (!brink__contact_derivative(c, hold[i].guard, order, t, y, &c->lambda[m]))
      return 0;
    way[m++] = along + (size_t)i * c->n;
  }
  for (int i = 0, row = 0; i < n; i++) {
    for (size_t j = 0; hold[i].degree > order && j < m; j++) {
      if (!brink__lie_across(&c->lie, hold[i].guard, t, y, order, way[j], &a))
        return 0;
      c->lu[(size_t)row * m + j] = a.value;
    }
    row += hold[i].degree > order;
  }
  if (m && brink__lu_factor(m, c->lu, c->pivot, c->scale, &margin) < m)
    return 0;
  brink__lu_solve(m, c->lu, c->pivot, c->scale, c->lambda);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < c->n; i++)
      y[i] -= c->lambda[j] * way[j][i];
  return 1;
}

/* The corrected state into c->other; the largest change. */
static int change(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                  int n, double t, const double *y, double *largest)
{
  brink__copy(c->other, y, c->n);
  if (!directions(x, c, hold, n, t, y))
    return 0;
  brink__copy(c->f, y, c->n); /* reading uses c->other */
  if (!correct(c, hold, n, 0, t, c->rows, c->f) ||
      !correct(c, hold, n, 1, t, c->d, c->f))
    return 0;
  *largest = 0;
  for (size_t i = 0; i < c->n; i++) {
    double size = brink__max(c->lie.unit[i], fabs(y[i]));
    *largest = brink__max(*largest, fabs(c->f[i] - y[i]) / size);
  }
  return 1;
}

/* A state that is 0 up to rounding is 0. */
static void clear_rounding(const brink__contacts *c, const double *before, double *y)
{
  for (size_t i = 0; i < c->n; i++)
    if (y[i] != before[i] && fabs(y[i]) <= ON_FACE * c->lie.unit[i])
      y[i] = 0;
}

/* Put y onto the faces.  1: it was moved. */
static int onto_faces(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      int n, double t, int exactly, double *y)
{
  double largest, before = HUGE_VAL;
  int moved = 0;

  for (int i = 0; i < NEWTON; i++) {
    if (!change(x, c, hold, n, t, y, &largest))
      return -1;
    if (largest <= ON_FACE && (!exactly || largest == 0 || largest >= before))
      return moved;
    if (largest <= NOISE && largest > before / 2)
      return moved; /* derivatives are differences, and known no better */
    if (exactly)
      clear_rounding(c, y, c->f);
    brink__copy(y, c->f, c->n);
    before = largest;
    moved = 1;
  }
  return largest <= ON_FACE ? moved : -1;
}

int brink__contact_project(brink__extended *x, brink__contacts *c,
                           const brink__hold *hold, int n, double t, int exactly,
                           double *y)
{
  int moved = onto_faces(x, c, hold, n, t, exactly, y), stopped = 0;

  for (int i = 0; moved >= 0 && i < n; i++)
    stopped |= brink__reading_stop(x, c, &hold[i], t, y);
  return stopped ? 1 : moved;
}

int brink__faces_project(brink__extended *x, double t, double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);

  return c ? brink__contact_project(x, c, x->face, x->n_faces, t, 0, y) : -1;
}
