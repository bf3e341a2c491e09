/* held.c -- regimes that hold guards at their zeros: made, entered, dissolved.
 *
 * brink__propose asks the policies once, where nothing more is due; the executor knows
 * neither them nor what a law does.  The record shows what has changed: the surfaces
 * that are held now and were not before the instants, and the other way round.
 */
#include "hybrid/contact.h"
#include "hybrid/filippov.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Dwell times of a mode of the user are no sequence that goes on if guards were held
 * for so many times the last of them. */
static const double LONGER = 2;

/* Policies are asked in turn so often at most. */
enum { TURNS = 4 };

/* ------------------------------------------------------------------ table --- */

/* Are the same guards held, by the same law? */
static int is(const brink__held *h, int base, const brink__proposal *p)
{
  if (h->base != base || h->law != p->law || h->n != p->n)
    return 0;
  for (int i = 0; i < h->n; i++)
    if (h->hold[i].guard != p->hold[i].guard ||
        h->hold[i].surface != p->hold[i].surface ||
        h->hold[i].order != p->hold[i].order || h->hold[i].degree != p->hold[i].degree)
      return 0;
  return 1;
}

static brink_status take(brink__extended *x, int base, const brink__proposal *p,
                         brink__held **out)
{
  brink_sim *sim = x->sim;
  const brink__mode *info = brink__mode_info(sim, base);
  size_t ng = (size_t)info->n_guards;
  brink__block block;

  BRINK_TRY(brink__grow(sim->ctx, (void **)&x->held, &x->cap_held, x->n_held + 1,
                        sizeof *x->held));
  size_t need = brink__need(0, 1, sizeof(brink__held));
  need = brink__need(need, ng, sizeof(brink__guard));
  need = brink__need(need, ng, sizeof(int));
  need = brink__need(need, 1, brink__exits_size(info->n, p->n));
  BRINK_TRY(brink__block_new(sim->ctx, need, &block));
  brink__held *h = brink__carve(&block, 1, sizeof *h);
  brink__guard *guards = brink__carve(&block, ng, sizeof *guards);
  h->held_by = brink__carve(&block, ng, sizeof(int));
  h->exits = brink__carve(&block, 1, brink__exits_size(info->n, p->n));
  h->block = block;
  for (size_t k = 0; k < ng; k++) {
    guards[k] = info->guards[k];
    h->held_by[k] = -1;
  }
  for (int i = 0; i < p->n; i++) {
    int k = p->hold[i].guard;
    h->held_by[k] = i;
    guards[k] = (brink__guard){.name = info->guards[k].name,
                               .form = BRINK__GUARD_SAMPLED,
                               .costly = p->hold[i].degree > 0};
  }
  if (p->n_faces || p->hold[0].order > 1) {
    brink_status rc = brink__contact_prepare(x, 0, base);
    if (rc < 0) {
      brink__block_drop(&block);
      return rc;
    }
  }
  h->info = *info;
  h->info.guards = guards;
  h->base = base;
  h->law = p->law;
  h->n = p->n;
  h->mode = BRINK__HELD_MODES - (int)x->n_held;
  x->held[x->n_held++] = *out = h;
  return BRINK_OK;
}

brink_status brink__held_find(brink__extended *x, int base, const brink__proposal *p,
                              brink__held **out)
{
  *out = NULL;
  for (size_t i = 0; i < x->n_held && !*out; i++)
    if (is(x->held[i], base, p))
      *out = x->held[i];
  if (!*out)
    BRINK_TRY(take(x, base, p, out));
  (*out)->n_surfaces = p->n_surfaces;
  (*out)->n_faces = p->n_faces;
  memcpy((*out)->hold, p->hold, sizeof p->hold);
  return BRINK_OK;
}

/* --------------------------------------------------------------- dissolve --- */

/* The guard that stands for a surface. */
static int leader(const brink__held *h, int surface)
{
  return brink__leader(h->hold, surface)->guard;
}

/* Which surfaces are left by their exit guards, and through which of them leads an
 * event to the other side? */
static uint64_t left(brink__extended *x, const brink__due *due, uint64_t *crossed)
{
  const brink__held *h = x->active;
  uint64_t bits = 0;

  *crossed = 0;
  for (int s = 0; s < h->n_surfaces; s++)
    if (due->hit[leader(h, s)]) {
      bits |= UINT64_C(1) << s;
      if (h->law->leave(x, s, x->sim->t, due->y))
        *crossed |= UINT64_C(1) << s;
    }
  return bits;
}

/* A guard was held, on one side of its zero by rounding (that of the states, at a
 * face): the states are known no better than that.  So its relation stays as it is
 * where a body rests, and another mode does not begin beyond its own guard where a
 * surface is crossed. */
static brink_status blur(brink_sim *sim, brink__due *due, const brink__hold *hold)
{
  brink__guards *g = &sim->regime->guards;
  double *noise = brink__work_row(sim, 0), off = 2 * fabs(due->g[hold->guard]);
  double own, delta;

  if (!(off > 0 && (hold->degree || off <= 8 * fabs(hold->level))))
    return BRINK_OK;
  brink__fill_bytes(noise, 0, g->n_states * sizeof *noise);
  BRINK_TRY(brink__guard_rounding(g, hold->guard, sim->t, due->y, noise, BRINK__FAR,
                                  &own, &sim->err));
  for (size_t i = 0; i < g->n_states; i++)
    noise[i] = DBL_EPSILON * brink__max(1, fabs(due->y[i]));
  BRINK_TRY(brink__guard_rounding(g, hold->guard, sim->t, due->y, noise, BRINK__FAR,
                                  &delta, &sim->err));
  if (hold->degree && off > 2 * BRINK__ON_FACE * delta)
    return BRINK_OK;
  for (size_t i = 0; i < g->n_states && delta > own; i++)
    due->noise[i] = brink__max(due->noise[i], off / (delta - own) * noise[i]);
  return BRINK_OK;
}

/* The guards of the base mode stand as they did, and those that were held on the side
 * of the live object; where a surface is crossed they are hit. */
static brink_status translate(brink_sim *sim, const brink__held *h,
                              const brink__guards *held, brink__due *due,
                              uint64_t crossed)
{
  brink__guards *g = &sim->regime->guards;

  BRINK_TRY(brink__due_guards(sim, due, sim->t));
  for (int k = 0; k < g->n; k++) {
    const brink__hold *hold = h->held_by[k] < 0 ? NULL : &h->hold[h->held_by[k]];
    g->watch[k] = held->watch[k];
    if (!hold)
      continue;
    int crosses = (crossed >> hold->surface) & 1;
    brink__watch_replace(&g->watch[k], sim->t);
    brink__watch_arm(&g->watch[k], due->g[k], hold->band > 0 ? 0 : fabs(due->g[k]));
    brink__watch_hold(&g->watch[k], hold->sign);
    if (crosses || hold->degree)
      BRINK_TRY(blur(sim, due, hold));
    due->before[k] = (signed char)hold->sign;
    due->hit[k] = (signed char)(crosses ? -hold->sign : 0);
    due->after[k] = (signed char)(crosses ? -hold->sign : hold->sign);
  }
  return BRINK_OK;
}

/* The state at an event is that of a polynomial, and is put back onto what is held.  By
 * so much it is uncertain, and by as much as it may be off a face and still count as on
 * it: a relation whose guard is on its zero there stays as it is.  Guards of callbacks
 * have no relation that could: near their zero they would be undecided. */
static void put_back(brink__extended *x, const brink__held *h, brink__due *due)
{
  double *before = brink__work_row(x->sim, BRINK__PROPOSE_ROW);

  const brink__contacts *c = h->n_faces ? brink__contacts_find(x, 0, h->base) : NULL;

  brink__copy(before, due->y, h->info.n);
  h->law->project(x, x->sim->t, NULL, due->y);
  if (!brink__mode_info(x->sim, h->base)->guards[h->hold[0].guard].held)
    return;
  for (size_t i = 0; i < h->info.n; i++) {
    due->noise[i] += fabs(due->y[i] - before[i]);
    if (c)
      due->noise[i] +=
          BRINK__ON_FACE * DBL_EPSILON * brink__max(c->lie.unit[i], fabs(due->y[i]));
  }
}

brink_status brink__dissolve(brink_sim *sim, brink__due *due)
{
  brink__extended *x = sim->extended;
  uint64_t crossed;

  if (!x || !x->active)
    return BRINK_OK;
  const brink__held *h = x->active;
  const brink__guards *held = &sim->regime->guards;
  x->left = left(x, due, &crossed);
  put_back(x, h, due);
  if (h->hold[0].rooted) /* on the zero itself relations may have another value */
    brink__leave_root(x, &h->hold[0], (int)(crossed & 1), sim->t, due->y);
  x->before = x->active;
  BRINK_TRY(brink__activate(sim, h->base));
  if (sim->t - sim->t_event > LONGER * sim->regime->dwell.last[0])
    sim->regime->dwell = (brink__dwell){0};
  x->active = NULL;
  x->n_faces = 0;
  sim->t_acting = sim->model->ops->next_acting_time(sim->model, sim->live, sim->mode);
  return translate(sim, h, held, due, crossed);
}

/* ------------------------------------------------------------------- enter --- */

/* Watch the guards of the regime: those that are not held go on as they were. */
static brink_status arm(brink_sim *sim, const brink__held *h, const brink__guards *base,
                        const brink__due *due)
{
  brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++) {
    g->watch[k] = base->watch[k];
    if (h->held_by[k] < 0)
      continue;
    brink__watch_replace(&g->watch[k], sim->t);
    BRINK_TRY(brink__guard_arm(g, k, sim->t, sim->y, due->noise, due->far, &sim->err));
    brink__watch_hold(&g->watch[k], -1);
  }
  g->any_refused = base->any_refused;
  g->any_displaced = base->any_displaced;
  g->any_returned = base->any_returned;
  return BRINK_OK;
}

static brink_status enter(brink__extended *x, const brink__proposal *p,
                          const brink__due *due)
{
  brink_sim *sim = x->sim;
  const brink__guards *base = &sim->regime->guards;
  brink__held *h;

  BRINK_TRY(brink__held_find(x, sim->mode, p, &h));
  x->active = h;
  brink__exits_forget(h);
  brink_status rc = brink__activate(sim, h->mode);
  if (rc < 0) {
    x->active = NULL;
    return rc;
  }
  /* whatever is due at a known time dissolves the regime */
  sim->t_acting = sim->t_next;
  return arm(sim, h, base, due);
}

/* ------------------------------------------------------------------ record --- */

/* How guard k of this name is held by h, which may be NULL, and of another mode; NULL:
 * it is not. */
static const brink__law *holds(const brink__held *h, int k, const char *name)
{
  if (!h || k >= h->info.n_guards || h->held_by[k] < 0 ||
      strcmp(h->info.guards[k].name, name) != 0)
    return NULL;
  return h->hold[h->held_by[k]].degree ? &brink__contact_law : h->law;
}

/* Rates of the guard of a surface that is slid along, by the laws of both sides, to
 * sim->rates. */
static brink_status note_rates(brink__extended *x, const brink__hold *hold, int entered)
{
  brink_sim *sim = x->sim;
  double t = sim->t, own, other;
  int across = 1 << hold->surface;

  if (!(hold->band > 0))
    return brink__switch_rates(x, hold->guard, !entered);
  if (brink__side_rhs(x, 0, t, sim->y) == 0 &&
      brink__side_rhs(x, across, t, sim->y) == 0 &&
      brink__side_rate(x, 0, hold->guard, t, sim->y, x->side[0].f, &own) &&
      brink__side_rate(x, 0, hold->guard, t, sim->y, x->side[across].f, &other)) {
    sim->rates[0] = hold->sign < 0 ? own : other;
    sim->rates[1] = hold->sign < 0 ? other : own;
  }
  return BRINK_OK;
}

/* Surfaces of `of` that `other` does not hold in the same way: entered, or left. */
static brink_status log_change(brink_sim *sim, const brink__held *of,
                               const brink__held *other, int entered,
                               const brink__due *due)
{
  for (int s = 0; of && s < of->n_surfaces; s++) {
    int k = leader(of, s);
    const char *name = of->info.guards[k].name;
    const brink__law *law = holds(of, k, name);
    brink_kind kind = entered ? law->enters : law->leaves;
    if (kind == BRINK_KIND_ZENO || holds(other, k, name) == law)
      continue;
    if (kind == BRINK_KIND_SLIDE_IN) {
      sim->stats.sliding_entries++;
      brink__standstill_slide(sim, of->base, k);
    }
    if (law->enters == BRINK_KIND_SLIDE_IN && of->hold[of->held_by[k]].order == 1 &&
        of->base == sim->extended->side[0].mode)
      BRINK_TRY(note_rates(sim->extended, &of->hold[of->held_by[k]], entered));
    brink_status rc = brink__log(sim, sim->t, sim->y, name, kind, 0, due->g[k],
                                 due->width, due->certificate);
    sim->rates[0] = sim->rates[1] = nan("");
    BRINK_TRY(rc);
  }
  return BRINK_OK;
}

/* ----------------------------------------------------------------- propose --- */

/* Is there a reason to ask the policies? */
static int possible(brink_sim *sim, const brink__due *due, unsigned classes, int begins)
{
  if (sim->backward || sim->ended)
    return 0;
  return (sim->extended && sim->extended->before) || sim->past_zeno.policy ||
         brink__sliding_possible(sim, classes, begins) ||
         brink__contact_possible(sim, due, classes, begins);
}

/* Is there a reason to ask about contacts?  What slides may have pressed on a face. */
static int may_touch(brink_sim *sim, const brink__due *due, unsigned classes,
                     int begins)
{
  return sim->extended->before || brink__contact_possible(sim, due, classes, begins);
}

/* The run was asked to end where it would slide. */
BRINK__COLD static brink_status stop(brink_sim *sim)
{
  const brink__held *h = sim->extended->active;

  sim->ended =
      brink__fail_at(&sim->err, BRINK_TERMINATED, sim->t,
                     "from t = %.15g on the solution would slide along '%.100s': "
                     "the run ends there, as asked (sliding = stop)",
                     sim->t, h->info.guards[leader(h, 0)].name);
  return BRINK_OK;
}

/* Add the faces to what is slid along. */
static void join(brink__proposal *p, const brink__proposal *faces)
{
  if (p->n == 0)
    p->law = faces->law;
  for (int i = 0; i < faces->n && p->n < BRINK__MOST_HELD; i++) {
    p->hold[p->n] = faces->hold[i];
    p->hold[p->n++].surface = p->n_surfaces++;
    p->n_faces++;
  }
}

/* Are these the faces whose reactions the laws of the sides have? */
static int same_faces(const brink__extended *x, const brink__proposal *faces)
{
  int same = x->n_faces == faces->n;

  for (int i = 0; same && i < faces->n; i++)
    same = x->face[i].guard == faces->hold[i].guard &&
           x->face[i].degree == faces->hold[i].degree;
  return same;
}

/* Is a guard on its zero that is not slid along?  The mixture may lead beyond it,
 * though the law that has been asked about contacts does not. */
static int others_touch(const brink__extended *x, const brink__proposal *slides)
{
  int touching = 0;

  for (int k = 0; !touching && slides->n && k < x->sim->regime->guards.n; k++) {
    touching = brink__contact_touches(x->sim, k);
    for (int i = 0; touching && i < slides->n; i++)
      touching = slides->hold[i].guard != k;
  }
  return touching;
}

/* What is slid along, and what is rested on.  Reactions change where a solution slides,
 * and sliding what presses on a face: both are asked in turn until the answers are
 * those that were assumed.  Each puts the state onto what it proposes; what is dropped
 * again must not have moved it, or other guards are no longer on their zeros. */
static int of_policies(brink__extended *x, const brink__due *due, int contacts,
                       brink__proposal *out)
{
  size_t n = x->sim->regime->info->n;
  double *y = x->sim->y, *before = brink__work_row(x->sim, BRINK__PROPOSE_ROW);
  int same = 0;

  brink__contact_keep(x);
  brink__copy(before, y, n);
  for (int i = 0; i < TURNS && !same; i++) {
    brink__proposal slides = {0}, faces = {0};
    brink__copy(y, before, n);
    int found = brink__sliding_propose(x, &slides);
    if (found == 0) {
      slides = (brink__proposal){0};
      x->n_shares = 1;
      x->share[0] = 1;
    }
    if (found > 0 && slides.crosses) {
      *out = slides;
      return 1;
    }
    if (found >= 0 && (contacts || others_touch(x, &slides)))
      found = brink__contact_propose(x, due, &slides, &faces);
    if (found < 0)
      return found;
    same = same_faces(x, &faces);
    brink__faces_set(x, faces.hold, faces.n);
    join(&slides, &faces);
    *out = slides;
  }
  return out->n > 0;
}

/* The event of these guards is due; their number. */
static int cross(const brink_sim *sim, const brink__proposal *p, brink__due *due)
{
  brink__fill_bytes(due->hit, 0, (size_t)sim->regime->guards.n);
  brink__signs(sim, due->after);
  for (int i = 0; i < p->n; i++) {
    const brink__hold *hold = &p->hold[i];
    due->hit[hold->guard] = due->after[hold->guard] = (signed char)-hold->sign;
  }
  return p->n;
}

/* Remember which faces are left, for instants that follow at this time. */
static void note_lifted(brink__extended *x)
{
  if (!x->before || !x->left)
    return;
  x->lifted = x->before;
  x->lifted_left = x->left;
  x->t_lifted = x->sim->t;
}

int brink__propose(brink_sim *sim, brink__due *due, unsigned classes, int begins,
                   int *changed)
{
  brink__proposal p = {0};
  brink__extended *x;

  BRINK_TRY(brink__switches_classify(sim, classes, begins));
  if (!possible(sim, due, classes, begins))
    return BRINK_OK;
  BRINK_TRY(brink__extend(sim, &x));
  if (begins || (classes & ~(unsigned)BRINK_SE_O))
    x->t_lifted = nan("");
  int contacts = may_touch(sim, due, classes, begins);
  int events = sim->accumulation.passing ? brink__leave_zero(x, due) : 0;
  if (events)
    return events;
  int found = sim->past_zeno.policy ? brink__past_zeno_propose(x, &p) : 0;
  if (found == 0 && contacts) {
    int impacts = brink__contact_impacts(x, due, begins);
    if (impacts)
      return impacts;
  }
  if (found == 0)
    found = of_policies(x, due, contacts, &p);
  if (found < 0)
    return (brink_status)found;
  if (p.crosses)
    return cross(sim, &p, due);
  brink__held *before = x->before;
  note_lifted(x);
  if (found)
    BRINK_TRY(enter(x, &p, due));
  x->before = NULL;
  x->left = 0;
  *changed |= before != x->active;
  if (before)
    BRINK_TRY(log_change(sim, before, x->active, 0, due));
  if (!x->active)
    return BRINK_OK;
  BRINK_TRY(log_change(sim, x->active, before, 1, due));
  int slides = x->active->law->enters == BRINK_KIND_SLIDE_IN;
  return slides && sim->sliding == BRINK__SLIDING_STOP ? stop(sim) : BRINK_OK;
}
