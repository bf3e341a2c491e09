/* extended_model.c -- the user's model with modes that were made at run time.
 *
 * Questions about a mode of the user are passed on.  A held mode is answered for by its
 * base mode and by its law: the flow, the exit guards, and the values of variables.
 */
#include "hybrid/extended_model.h"
#include "hybrid/passed_on.h"

#include <math.h>
#include <string.h>

static brink__extended *of(const brink_model *model)
{
  return (brink__extended *)(uintptr_t)(const void *)model; /* lives in a simulation */
}

/* The model of the user, and its mode of which the question is about. */
#define INNER                                                                          \
  brink__extended *x = of(model);                                                      \
  const brink_model *in = x->inner
#define INNER_MODE                                                                     \
  INNER;                                                                               \
  const brink__held *h = brink__held_of(x, mode);                                      \
  mode = h ? h->base : mode

/* ------------------------------------------------------------------- flow --- */

/* Projections onto the constraints of the base mode and onto held guards, in turn. */
enum { PROJECTIONS = 4 };

static brink__extended *self(const brink_flow *flow) { return flow->self; }

/* The flow of the simulation's own live object in the base mode. */
static const brink_flow *own(const brink_flow *flow)
{
  return &self(flow)->side[0].flow;
}

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  brink__extended *x = self(flow);
  return x->active->law->rhs(x, t, y, f);
}

/* The law's own projection moves along the constraints of the base mode, to first
 * order: both in turn come to where all hold. */
static int project(const brink_flow *flow, double t, const double *unit, double *y)
{
  brink__extended *x = self(flow);
  const brink_flow *in = own(flow);
  int moved = 0;

  for (int i = 0; i < PROJECTIONS; i++) {
    int on = in->project ? in->project(in, t, unit, y) : 0;
    int held = on < 0 ? -1 : x->active->law->project(x, t, unit, y);
    if (held < 0)
      return -1;
    moved |= on | held;
    if (!held || !in->project)
      break;
  }
  return moved;
}

static int inside(const brink_flow *flow, double t, const double *y)
{
  self(flow)->refused = 0;
  return own(flow)->inside(own(flow), t, y);
}

/* That of the side whose law had no value. */
static const char *reason(const brink_flow *flow)
{
  const brink_flow *side = &self(flow)->side[self(flow)->refused].flow;
  return side->reason(side);
}

static const char *about(const brink_flow *flow, size_t i)
{
  return own(flow)->about(own(flow), i);
}

static void flow(const brink_model *model, brink__live *live, int mode, brink_flow *out)
{
  INNER_MODE;
  if (!h) {
    in->ops->flow(in, live, mode, out);
    return;
  }
  brink_flow *base = &x->side[0].flow;
  in->ops->flow(in, live, mode, base);
  *out = *base;
  out->rhs = rhs;
  out->n_z = 0;
  out->residual = NULL;
  out->loop_unknowns = NULL;
  out->pattern = NULL;
  out->jacobian = NULL; /* differences */
  out->by_user = 0;
  out->jet = NULL;
  out->no_jet = "a law that is made at run time, as that of sliding, has none";
  /* reactions that come from differences of f have errors of these, and the search for
   * jumps of f that no guard announces would take them for such */
  out->guards_complete |= h->n_faces > 0 && !base->jet;
  out->project = project;
  out->inside = inside;
  out->reason = reason;
  out->about = base->about ? about : NULL;
  out->self = x;
}

/* ----------------------------------------------------------------- guards --- */

/* Which surface does guard k of the mode stand for as an exit guard?  -1: it is not
 * held; -2: it is, and another one of its surface does. */
static int surface_of(const brink__held *h, int k)
{
  int i = h ? h->held_by[k] : -1;

  if (i < 0)
    return -1;
  for (int j = 0; j < i; j++)
    if (h->hold[j].surface == h->hold[i].surface)
      return -2;
  return h->hold[i].surface;
}

static int guard(const brink_model *model, brink__live *live, int mode, int k, double t,
                 const double *y, double *g)
{
  INNER_MODE;
  int surface = surface_of(h, k);

  if (surface >= 0)
    return brink__exit_value(x, x->active, surface, t, y, g);
  if (surface < -1) {
    *g = -1;
    return 0;
  }
  return h && h->law->guard ? h->law->guard(x, k, t, y, g)
                            : in->ops->guard(in, live, mode, k, t, y, g);
}

/* Base mode signs: held guards have not changed theirs. */
static int triggers(const brink_model *model, brink__live *live, int mode,
                    const signed char *before, const signed char *after)
{
  INNER_MODE;
  if (!h)
    return in->ops->triggers(in, live, mode, before, after);
  size_t n = (size_t)h->info.n_guards;
  signed char *a = x->flipped, *b = a + n;

  brink__copy_bytes(a, before, n);
  brink__copy_bytes(b, after, n);
  for (int i = 0; i < h->n; i++) {
    int k = h->hold[i].guard;
    if (before[k] < 0 && after[k] > 0)
      return BRINK__ACTS;
    a[k] = b[k] = (signed char)h->hold[i].sign;
  }
  /* what changes outputs changes them on all sides: the regime is made anew */
  return in->ops->triggers(in, live, mode, a, b) == BRINK__SILENT ? BRINK__SILENT
                                                                  : BRINK__ACTS;
}

static int beyond(const brink_model *model, brink__live *live, int mode,
                  const signed char *sign)
{
  INNER_MODE;
  if (!h)
    return in->ops->beyond(in, live, mode, sign);
  brink__copy_bytes(x->flipped, sign, (size_t)h->info.n_guards);
  for (int i = 0; i < h->n; i++)
    x->flipped[h->hold[i].guard] = (signed char)h->hold[i].sign;
  return in->ops->beyond(in, live, mode, x->flipped);
}

/* A guard that reads what differs between the sides is a mixture of theirs: it can be
 * enclosed only where they agree. */
static int guard_range(const brink_model *model, brink__live *live, int mode, int k,
                       const brink_step *step, double a, double b, int order,
                       double *lo, double *hi)
{
  INNER_MODE;
  double other_lo, other_hi;

  if (h && h->held_by[k] >= 0)
    return 0;
  if (!in->ops->guard_range(in, live, mode, k, step, a, b, order, lo, hi))
    return 0;
  for (int i = 1; h && h->law->guard && i < 1 << (h->n_surfaces - h->n_faces); i++) {
    const brink__side *s = &x->side[i];
    if (s->mode != mode ||
        !in->ops->guard_range(in, s->live, mode, k, step, a, b, order, &other_lo,
                              &other_hi) ||
        other_lo != *lo || other_hi != *hi)
      return 0;
  }
  return 1;
}

static int guard_noise(const brink_model *model, brink__live *live, int mode, int k,
                       double t, const double *y, const double *noise, double *value,
                       double *delta)
{
  INNER_MODE;
  int face = surface_of(h, k) - (h ? h->n_surfaces - h->n_faces : 0);

  if (h && h->held_by[k] >= 0) { /* reactions may be quotients of differences */
    if (face < 0)
      return 0;
    *delta = brink__reaction_bound(x, face); /* of the point that was asked last */
    return 1;
  }
  return in->ops->guard_noise(in, live, mode, k, t, y, noise, value, delta);
}

static int guard_rate(const brink_model *model, brink__live *live, int mode, int k,
                      double t, const double *y, const double *f, double *rate)
{
  INNER_MODE;
  if (h && h->held_by[k] >= 0)
    return 0;
  return in->ops->guard_rate(in, live, mode, k, t, y, f, rate);
}

static brink_side guard_side(const brink_model *model, const brink__live *live,
                             int mode, int k)
{
  INNER_MODE;
  return h && h->held_by[k] >= 0 ? BRINK_AFTER : in->ops->guard_side(in, live, mode, k);
}

/* ----------------------------------------------------------------- events --- */

static double next_time(const brink_model *model, brink__live *live, int mode, double t,
                        const double *y, int asked, unsigned char *due)
{
  INNER_MODE;
  (void)h;
  return x->t_next = in->ops->next_time(in, live, mode, t, y, asked, due);
}

/* Whatever is due while guards are held dissolves the regime, outputs too: the live
 * objects of all sides must agree about them. */
static double next_acting_time(const brink_model *model, brink__live *live, int mode)
{
  INNER_MODE;
  return h ? x->t_next : in->ops->next_acting_time(in, live, mode);
}

/* ----------------------------------------------------------------- values --- */

static brink_status values(const brink_model *model, brink__live *live, int mode,
                           double t, const double *y, double *out, brink_err *err)
{
  INNER_MODE;
  x->slope_known = h && h->law->values;
  return x->slope_known ? h->law->values(x, t, y, out, err)
                        : in->ops->values(in, live, mode, t, y, out, err);
}

static int slopes(const brink_model *model, const brink__live *live, int mode,
                  double *f)
{
  INNER_MODE;
  if (!h)
    return in->ops->slopes(in, live, mode, f);
  if (x->slope_known)
    brink__copy(f, x->slope, h->info.n);
  return x->slope_known;
}

/* A parameter is the same on all sides: the law that mixes them is asked for values
 * before the run goes on and makes them anew. */
static brink_status set(const brink_model *model, brink__live *live, int mode, double t,
                        double *y, size_t index, double value, brink_err *err)
{
  INNER_MODE;
  BRINK_TRY(in->ops->set(in, live, mode, t, y, index, value, err));
  if (x->active)
    brink__exits_forget(x->active);
  for (int i = 1; h && i < x->n_sides; i++)
    if (model->vars[index].role == BRINK_PARAMETER && x->side[i].live != live)
      BRINK_TRY(
          in->ops->set(in, x->side[i].live, x->side[i].mode, t, y, index, value, err));
  return BRINK_OK;
}

static brink_status accepted(const brink_model *model, brink__live *live, int mode,
                             double t, const double *y, brink_err *err)
{
  INNER_MODE;
  if (x->active)
    brink__exits_forget(x->active);
  if (!in->ops->accepted)
    return BRINK_OK;
  for (int i = 1; h && i < 1 << (h->n_surfaces - h->n_faces); i++)
    brink__side_accepted(x, i, t, y);
  return in->ops->accepted(in, live, mode, t, y, err);
}

/* One variable: where the law mixes the sides, it has to be computed with all; states
 * are known, also where the law has no value and the run has ended. */
static brink_status get(const brink_model *model, brink__live *live, int mode, double t,
                        const double *y, size_t index, double *value, brink_err *err)
{
  INNER_MODE;
  if (!h || !y || !h->law->values || index >= model->n_vars)
    return in->ops->get(in, live, mode, t, y, index, value, err);
  double *all = x->variables + 2 * model->n_vars;
  brink_status rc = h->law->values(x, t, y, all, err);
  if (rc < 0)
    return model->vars[index].role == BRINK_STATE
               ? in->ops->get(in, live, mode, t, y, index, value, err)
               : rc;
  *value = all[index];
  return BRINK_OK;
}

int brink__mix_delayed(brink__extended *x, int i, double part, double t,
                       const double *y, double *v)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];
  size_t n = (size_t)m->remembers;
  double *own = x->past, *here = x->past + n;

  int rc = m->ops->delayed(m, s->live, s->mode, t, brink__side_state(x, i, y),
                           i == 0 ? own : here);
  for (size_t k = 0; k < n && rc == 0; k++)
    if (i == 0)
      v[k] = own[k];
    else if (here[k] != own[k]) /* else exactly: what is an Integer stays one */
      v[k] += part * (here[k] - own[k]);
  return rc;
}

/* What is delayed is what the law makes of it, and all sides remember the same. */
static int delayed(void *self, double t, const double *y, double *v)
{
  brink__extended *x = self;
  return x->active->law->delayed(x, t, y, v);
}

static void record(const brink_model *model, brink__live *live, int mode,
                   const brink_step *step, double begin, double end, double t_end,
                   const brink__delayed *law)
{
  INNER_MODE;
  brink__delayed mixed = {delayed, x};

  in->ops->record(in, live, mode, step, begin, end, t_end,
                  h && h->law->delayed ? &mixed : law);
  for (int i = 1; h && i < x->n_sides; i++)
    in->ops->record_same(in, x->side[i].live, live);
}

static const brink__mode *mode_info(const brink_model *model, const brink__live *live,
                                    int mode)
{
  INNER_MODE;
  return h ? &h->info : in->ops->mode_info(in, live, mode);
}

static brink__effort effort(const brink_model *model, const brink__live *live)
{
  INNER;
  brink__effort sum = in->ops->effort(in, live);

  brink__effort_add(&sum, &x->spent);
  for (int i = 1; i < x->n_sides; i++) {
    brink__effort e = brink__side_effort(x, i);
    brink__effort_add(&sum, &e);
  }
  return sum;
}

/* -------------------------------------------------------------- life cycle --- */

/* The mode of the user that a mode stands for. */
static int mode_asked(const brink_model *model, int mode)
{
  const brink__held *h = brink__held_of(of(model), mode);
  return h ? h->base : mode;
}

/* Questions about modes of the user, and those to which regimes add nothing, are passed
 * on; the others are answered here. */
static void fill_ops(brink__extended *x, const brink__model_ops *inner)
{
  x->base.mode_asked = mode_asked;
  x->ops.flow = flow;
  x->ops.guard = guard;
  x->ops.triggers = triggers;
  x->ops.beyond = beyond;
  x->ops.guard_range = guard_range;
  x->ops.guard_noise = guard_noise;
  x->ops.guard_rate = inner->guard_rate ? guard_rate : NULL;
  x->ops.guard_side = guard_side;
  x->ops.next_time = next_time;
  x->ops.next_acting_time = next_acting_time;
  x->ops.values = values;
  x->ops.slopes = slopes;
  x->ops.set = set;
  x->ops.accepted = accepted;
  x->ops.get = get;
  x->ops.record = inner->record ? record : NULL;
  x->ops.mode_info = mode_info;
  x->ops.effort = effort;
}

static brink_status make(brink_sim *sim)
{
  const brink_model *m = sim->user_model;
  size_t n = m->max_n, ng = (size_t)m->max_guards;
  brink__block block;

  size_t need = brink__need(0, 1, sizeof(brink__extended));
  need = brink__need(need, n, 12 * sizeof(double));
  need = brink__need(need, n, sizeof(int));
  need = brink__need(need, m->n_vars, 3 * sizeof(double));
  need = brink__need(need, (size_t)m->remembers, 2 * sizeof(double));
  need = brink__need(need, ng, sizeof(double) + 8);
  BRINK_TRY(brink__block_new(sim->ctx, need, &block));
  brink__extended *x = brink__carve(&block, 1, sizeof *x);
  x->slope = brink__carve(&block, n, 12 * sizeof(double));
  x->f = x->slope + n;
  x->side[0].f = x->f + n;
  x->side[0].y = x->side[0].f + n;
  x->noise = x->side[0].y + n;
  x->ordered = x->noise + n;
  x->across = x->ordered + 2 * n;
  x->beside = x->across + 2 * n;
  x->shift = x->beside + n;
  x->side[0].place = brink__carve(&block, n, sizeof(int));
  x->variables = brink__carve(&block, m->n_vars, 3 * sizeof(double));
  x->past = brink__carve(&block, (size_t)m->remembers, 2 * sizeof(double));
  x->side[0].g = brink__carve(&block, ng, sizeof(double) + 8);
  x->side[0].sign = (signed char *)(x->side[0].g + ng);
  x->side[0].on_zero = x->side[0].sign + ng;
  x->signs = x->side[0].on_zero + ng;
  x->hit = x->signs + 3 * ng;
  x->flipped = x->hit + ng;
  x->block = block;
  x->inner = m;
  x->sim = sim;
  x->row.t = nan("");
  x->n_sides = 1;
  x->side[0].live = sim->live;
  brink__pass_on(&x->base, &x->ops, m);
  fill_ops(x, m->ops);
  sim->extended = x;
  return BRINK_OK;
}

brink_status brink__extend(brink_sim *sim, brink__extended **out)
{
  if (!sim->extended)
    BRINK_TRY(make(sim));
  sim->model = &sim->extended->base;
  *out = sim->extended;
  return BRINK_OK;
}

static void drop_all_held(brink__extended *x)
{
  for (size_t i = 0; i < x->n_held; i++) {
    brink__block block = x->held[i]->block;
    brink__block_drop(&block);
  }
  x->n_held = 0;
}

void brink__extended_free(brink_sim *sim)
{
  brink__extended *x = sim->extended;

  if (!x)
    return;
  for (int i = 1; i < x->n_sides; i++) {
    if (x->inner->ops->live_fini)
      x->inner->ops->live_fini(x->inner, x->side[i].live);
    brink__block_drop(&x->side[i].block);
  }
  drop_all_held(x);
  brink__contacts_free(x);
  brink__block_drop(&x->lie_block);
  brink__free(sim->ctx, x->held, x->cap_held * sizeof *x->held);
  brink__block block = x->block;
  brink__block_drop(&block);
  sim->extended = NULL;
}

void brink__extended_forget(brink_sim *sim)
{
  brink__extended *x = sim->extended;

  if (!x)
    return;
  x->active = x->before = x->lifted = NULL;
  x->left = 0;
  x->n_faces = 0;
  x->row = (brink__impact_row){.t = nan("")};
}

/* --------------------------------------------------------------------- copy --- */

/* The regime that `from` is, in another extended model. */
static brink_status copy_held(brink__extended *to, const brink__held *from)
{
  brink__proposal p = {.law = from->law,
                       .n = from->n,
                       .n_surfaces = from->n_surfaces,
                       .n_faces = from->n_faces};
  brink__held *h;

  memcpy(p.hold, from->hold, sizeof p.hold);
  return brink__held_find(to, from->base, &p, &h);
}

static brink_status take_side(brink__extended *to, int i, const brink__side *from)
{
  BRINK_TRY(brink__side_take(to, i, from));
  return to->n_faces ? brink__contact_prepare(to, i, from->mode) : BRINK_OK;
}

brink_status brink__extended_copy(brink_sim *sim, const brink_sim *other)
{
  const brink__extended *from = other->extended;
  brink__extended *to;

  brink__extended_forget(sim);
  if (sim->extended) /* its own regimes must not be found any more */
    drop_all_held(sim->extended);
  if (!from || other->model != &from->base)
    return BRINK_OK;
  BRINK_TRY(brink__extend(sim, &to));
  brink__contacts_free(to);
  for (size_t i = 0; i < from->n_held; i++)
    BRINK_TRY(copy_held(to, from->held[i]));
  brink__faces_set(to, from->face, from->n_faces);
  for (int i = 1; i < from->n_sides; i++)
    BRINK_TRY(take_side(to, i, &from->side[i]));
  to->side[0].version++;
  to->side[0].mode = from->side[0].mode;
  brink__copy_bytes(to->side[0].sign, from->side[0].sign,
                    (size_t)from->inner->max_guards);
  brink__copy(to->across, from->across, 2 * from->inner->max_n);
  to->spent = from->spent;
  to->active = from->active ? brink__held_of(to, from->active->mode) : NULL;
  to->lifted = from->lifted ? brink__held_of(to, from->lifted->mode) : NULL;
  to->lifted_left = from->lifted_left;
  to->t_lifted = from->t_lifted;
  to->row = from->row;
  return brink__contacts_copy(to, from);
}
