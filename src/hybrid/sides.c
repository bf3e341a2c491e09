/* sides.c -- the laws on the two sides of a guard, and on the four sides of two.
 *
 * The law of the other side of a guard is what the model's own event leads to.  It is
 * carried out on a copy of the live object: so it is the same for relations of a text
 * model, discrete variables that whens set, parameters and modes that jumps of C
 * callbacks choose, and relations that a loop of equations depends on.  The copy then
 * has a flow of its own, and the simulation's live object knows nothing of it.
 */
#include "hybrid/extended_model.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Instants that may follow from an event of a side at once.  The executor allows
 * max_iterations, but where so many are needed nothing slides. */
enum { MOST_INSTANTS = 8 };

/* ------------------------------------------------------------------ memory --- */

brink__effort brink__side_effort(const brink__extended *x, int i)
{
  const brink__side *s = &x->side[i];
  brink__effort e = x->inner->ops->effort(x->inner, s->live);

  return (brink__effort){.jets = e.jets - s->effort.jets,
                         .jac_evals = e.jac_evals - s->effort.jac_evals,
                         .lu = e.lu - s->effort.lu,
                         .projections = e.projections - s->effort.projections};
}

static brink_status take(brink__extended *x, brink__side *s)
{
  const brink_model *m = x->inner;
  size_t n = m->max_n, ng = (size_t)m->max_guards;
  brink__block block;

  size_t need = brink__need(0, 1, m->ops->live_size(m));
  need = brink__need(need, n, 2 * sizeof(double) + sizeof(int));
  need = brink__need(need, ng, sizeof(double) + 2);
  BRINK_TRY(brink__block_new(x->sim->ctx, need, &block));
  s->live = brink__carve(&block, 1, m->ops->live_size(m));
  s->f = brink__carve(&block, n, 2 * sizeof(double) + sizeof(int));
  s->y = s->f + n;
  s->place = (int *)(s->y + n);
  s->g = brink__carve(&block, ng, sizeof(double) + 2);
  s->sign = (signed char *)(s->g + ng);
  s->on_zero = s->sign + ng;
  s->block = block;
  m->ops->live_init(m, s->live, x->sim->ctx);
  return BRINK_OK;
}

/* Memory for side i, and all before it. */
static brink_status have(brink__extended *x, int i)
{
  for (; x->n_sides <= i; x->n_sides++)
    BRINK_TRY(take(x, &x->side[x->n_sides]));
  return BRINK_OK;
}

/* Make side i equal to another one, of this simulation or of a copy of it. */
brink_status brink__side_take(brink__extended *x, int i, const brink__side *from)
{
  const brink_model *m = x->inner;
  size_t ng = (size_t)m->max_guards;

  BRINK_TRY(have(x, i));
  brink__side *s = &x->side[i];
  brink__effort done = brink__side_effort(x, i);
  brink__effort_add(&x->spent, &done);
  brink_status rc = m->ops->live_copy(m, s->live, from->live, &x->sim->err);
  s->effort = m->ops->effort(m, s->live);
  BRINK_TRY(rc);
  s->mode = from->mode;
  s->version++;
  s->moved = from->moved;
  for (size_t k = 0; s->moved && k < m->max_n; k++)
    s->place[k] = from->place[k];
  brink__copy(s->y, from->y, m->max_n);
  brink__copy(s->g, from->g, ng);
  brink__copy_bytes(s->sign, from->sign, ng);
  brink__copy_bytes(s->on_zero, from->on_zero, ng);
  m->ops->flow(m, s->live, s->mode, &s->flow);
  return BRINK_OK;
}

brink_status brink__side_copy(brink__extended *x, int i, int from)
{
  return brink__side_take(x, i, &x->side[from]);
}

/* ------------------------------------------------------- order of the states --- */

static void to_own_order(const brink__side *s, const double *from, double *to)
{
  for (size_t m = 0; m < s->flow.n; m++)
    to[s->place[m]] = from[m];
}

const double *brink__side_state(brink__extended *x, int i, const double *y)
{
  const brink__side *s = &x->side[i];

  if (!s->moved)
    return y;
  to_own_order(s, y, x->ordered);
  return x->ordered;
}

/* What the name of a state ends with: up.x and down.x are both x. */
static const char *short_name(const char *name)
{
  const char *dot = name ? strrchr(name, '.') : NULL;

  return dot ? dot + 1 : name ? name : "";
}

/* An event has led from the mode `from` with the state s->y to y in the present one.
 * 1: it is the same state, in the same places or in those of the same short names,
 * which s->place then says. */
static int same_state(const brink__extended *x, brink__side *s, int from,
                      const double *y)
{
  const brink_model *m = x->inner;
  const brink__mode *a = m->ops->mode_info(m, s->live, from),
                    *b = m->ops->mode_info(m, s->live, s->mode);
  size_t n = s->flow.n;

  if (!brink__differ(y, s->y, n))
    return 1;
  if (from == s->mode || !a->states || !b->states)
    return 0;
  for (size_t j = 0; j < n; j++) { /* where side 0 has state j, so far and then */
    size_t i = s->moved ? (size_t)s->place[j] : j, to = 0, named = 0;
    for (size_t k = 0; k < n; k++)
      if (strcmp(short_name(a->states[i]), short_name(b->states[k])) == 0) {
        to = k;
        named++;
      }
    if (named != 1 || y[to] != s->y[i])
      return 0;
    s->place[j] = (int)to;
  }
  s->moved = 1;
  return 1;
}

/* ------------------------------------------------------------------- guards --- */

/* The guards of a mode, asked of another live object. */
static int guards_of(brink__extended *x, int mode, brink__live *live,
                     brink__guards *out)
{
  const brink__regime *r = brink__regime_find(x->sim, mode);

  if (!r)
    return 0;
  *out = r->guards; /* scratch is shared */
  out->model = x->inner;
  out->live = live;
  brink__guards_step(out);
  return 1;
}

int brink__side_rate(brink__extended *x, int i, int k, double t, const double *y,
                     const double *f, double *rate)
{
  const brink__side *s = &x->side[i];
  brink__guards g;

  y = brink__side_state(x, i, y);
  if (s->moved) {
    double *ordered = x->ordered + x->inner->max_n;
    to_own_order(s, f, ordered);
    f = ordered;
  }
  return guards_of(x, s->mode, s->live, &g) &&
         brink__guard_rate(&g, k, t, y, f, brink__rate_span(x->sim), rate);
}

/* Would it be an event that acts if the guards of side i had the signs in x->flipped?
 */
static int flip_acts(brink__extended *x, int i)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];

  return m->ops->triggers(m, s->live, s->mode, s->sign, x->flipped) == BRINK__ACTS;
}

int brink__side_acts(brink__extended *x, int i, int k)
{
  const brink__side *s = &x->side[i];

  brink__copy_bytes(x->flipped, s->sign, (size_t)x->inner->max_guards);
  x->flipped[k] = (signed char)-x->flipped[k];
  return s->sign[k] != 0 && flip_acts(x, i);
}

int brink__side_hits_act(brink__extended *x, int i, const signed char *hit)
{
  size_t ng = (size_t)x->inner->max_guards;

  brink__copy_bytes(x->flipped, x->side[i].sign, ng);
  for (size_t k = 0; k < ng; k++)
    if (hit[k])
      x->flipped[k] = hit[k];
  return flip_acts(x, i);
}

/* A guard of callbacks that has just fired is undecided on its zero; the event has
 * taken it to where it crossed. */
void brink__side_own(brink__extended *x)
{
  const brink_sim *sim = x->sim;
  const brink__guards *g = &sim->regime->guards;
  brink__side *s = &x->side[0];

  s->mode = sim->mode;
  s->version++;
  x->inner->ops->flow(x->inner, s->live, s->mode, &s->flow);
  for (int k = 0; k < g->n; k++) {
    const brink__watch *w = &g->watch[k];
    s->g[k] = w->g;
    s->on_zero[k] = brink__on_zero(w) != 0;
    s->sign[k] = (signed char)(w->sign ? w->sign : (w->crossed > 0) - (w->crossed < 0));
  }
}

int brink__side_within(brink__extended *x, int k, double t, const double *y,
                       const signed char *sign)
{
  const brink_sim *sim = x->sim;
  brink__guards *g = &sim->regime->guards;
  brink__side *s = &x->side[0];
  brink_err ignored;
  double delta;

  s->mode = sim->mode;
  s->version++;
  x->inner->ops->flow(x->inner, s->live, s->mode, &s->flow);
  for (int j = 0; j < g->n; j++) {
    if (brink__guard_value(g, j, t, y, &s->g[j], &ignored) < 0 ||
        brink__guard_rounding(g, j, t, y, sim->due.noise, sim->due.far, &delta,
                              &ignored) < 0)
      return 0;
    s->sign[j] = sign[j];
    s->on_zero[j] = j == k || fabs(s->g[j]) <= delta;
  }
  return 1;
}

int brink__side_rhs(brink__extended *x, int i, double t, const double *y)
{
  const brink__side *s = &x->side[i];
  const brink_flow *flow = &s->flow;
  double *f = s->moved ? x->ordered + x->inner->max_n : s->f;
  const double *own = brink__side_state(x, i, y);

  if (x->inner->ops->mode_info(x->inner, s->live, s->mode)->unilateral > 0 &&
      !flow->inside(flow, t, own))
    return 1; /* beyond an event of side `before` */
  int rc = flow->rhs(flow, t, own, f);
  if (rc != 0)
    x->refused = i;

  for (size_t m = 0; s->moved && rc == 0 && m < flow->n; m++)
    s->f[m] = f[s->place[m]];
  if (rc != 0 || !x->n_faces)
    return rc;
  return s->moved ? 1 : brink__contact_react(x, i, t, y);
}

void brink__side_accepted(brink__extended *x, int i, double t, const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];
  const double *own = brink__side_state(x, i, y);
  brink_err ignored;

  if (m->ops->mode_info(m, s->live, s->mode)->unilateral == 0 ||
      s->flow.inside(&s->flow, t, own))
    m->ops->accepted(m, s->live, s->mode, t, own, &ignored);
}

/* -------------------------------------------------------------------- event --- */

/* Values and signs of the guards of side s at (t, y) after an instant; a sign of 0: in
 * the band, or not farther from its zero than where the locator has placed its event.
 */
static int arm(brink__extended *x, brink__side *s, double t)
{
  const brink__side *own = &x->side[0];
  brink_err ignored;
  brink__guards g;
  double delta;

  if (!guards_of(x, s->mode, s->live, &g))
    return 0;
  brink__guards_levels(&g);
  for (int k = 0; k < g.n; k++) {
    if (brink__guard_value(&g, k, t, s->y, &s->g[k], &ignored) < 0 ||
        brink__guard_rounding(&g, k, t, s->y, x->noise, x->sim->due.far, &delta,
                              &ignored) < 0)
      return 0;
    s->on_zero[k] =
        fabs(s->g[k]) <= delta || (own->on_zero[k] && fabs(s->g[k]) <= fabs(own->g[k]));
    s->sign[k] = (signed char)(s->on_zero[k] ? 0 : s->g[k] > 0 ? 1 : -1);
  }
  return 1;
}

/* One instant on side s: 1, or 0: the solution does not go on from the same state. */
static int one(brink__extended *x, brink__side *s, double t, const signed char *before,
               const signed char *after, const signed char *hit, int number)
{
  const brink_model *m = x->inner;
  brink_sim *sim = x->sim;
  size_t n = m->ops->mode_info(m, s->live, s->mode)->n;
  brink_err ignored;
  brink__instant inst = {.t = t,
                         .number = number,
                         .mode = s->mode,
                         .y_before = s->y,
                         .sign_before = before,
                         .sign = after,
                         .hit = hit,
                         .due = sim->no_timers,
                         .at_restart = number > 0,
                         .trial = 1,
                         .rtol = sim->opt.rtol,
                         .y = x->f,
                         .mode_after = s->mode,
                         .t_after = t,
                         .fired = sim->fired,
                         .jumps = sim->jumps,
                         .max_jumps = m->max_jumps,
                         .noise = x->noise};

  brink__copy(x->f, s->y, n);
  if (m->ops->instant(m, s->live, &inst, &ignored) < 0)
    return 0;
  if (inst.stop || inst.zeno || inst.t_after > t || (inst.classes & BRINK_SE_S))
    return 0;
  int from = s->mode;
  s->mode = inst.mode_after;
  s->version++;
  m->ops->flow(m, s->live, s->mode, &s->flow);
  if (s->flow.n != n || !same_state(x, s, from, x->f))
    return 0;
  brink__copy(s->y, x->f, n);
  return 1;
}

int brink__side_event(brink__extended *x, int i, double t, const double *y,
                      const signed char *hits)
{
  const brink_model *m = x->inner;
  brink__side *s = &x->side[i];
  size_t ng = (size_t)m->max_guards;
  signed char *before = x->signs, *after = before + ng, *hit = after + ng;
  brink_err ignored;

  brink__copy(x->noise, x->sim->due.noise, m->max_n);
  brink__copy_bytes(before, s->sign, ng);
  brink__copy_bytes(hit, hits, ng);
  brink__copy(s->y, brink__side_state(x, i, y), s->flow.n);
  for (int k = 0; k < (int)ng; k++)
    after[k] = hit[k] ? hit[k] : before[k];
  for (int number = 0; number < MOST_INSTANTS; number++) {
    int mode = s->mode;
    if (!one(x, s, t, before, after, hit, number) || !arm(x, s, t))
      return 0;
    if (mode != s->mode)
      brink__fill_bytes(hit, 0, ng);
    int n = m->ops->restarted(m, s->live, s->mode, t, s->g,
                              mode == s->mode ? after : NULL, s->sign, hit, &ignored);
    for (int k = 0; k < (int)ng && mode == s->mode; k++)
      if (!s->sign[k])
        s->sign[k] = after[k];
    if (n == 0 && x->n_faces)
      BRINK_TRY(brink__contact_prepare(x, i, s->mode));
    if (n <= 0)
      return n == 0;
    for (int k = 0; k < (int)ng; k++) {
      after[k] = s->sign[k];
      before[k] = (signed char)(hit[k] ? -hit[k] : after[k]);
    }
  }
  return 0;
}
