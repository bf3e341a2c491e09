/* classification.c -- is the solution that the run follows the only one?
 *
 * Contacts and reflecting bounds: the linear complementarity problem of contact.h has
 * one solution whatever the law is if its matrix A is a P-matrix, and reflected paths
 * exist if it is completely-S.  Where it is not, the solutions of the problem at hand
 * are looked at: several sets of reactions are worth a word if they move the state
 * differently (four legs of a table share its weight in many ways, and nobody sees it).
 *
 * Contacts that close on each other, as a ceiling that descends onto a body on the
 * floor: there is no solution at all, and the run ends with that sentence.
 *
 * Events without a reading: the model resets a state where a body meets a surface, but
 * the reset shows no direction in which the surface could carry it.
 *
 * What is found goes to the warnings of the run, the first of each kind; the run does
 * what it would have done.
 */
#include "hybrid/contact.h"

#include "linear/lcp.h"

#include <stdio.h>
#include <string.h>

/* All choices among so many faces cost less than the matrix itself.  More faces are
 * looked at where they are not those of the last time. */
enum { FEW_FACES = 6 };

/* ------------------------------------------------------------- contacts ---- */

/* Have these faces been looked at before?  They have from now on. */
static int looked_at(brink__contacts *c, const brink__proposal *faces)
{
  int same = c->n_looked_at == faces->n;

  c->n_looked_at = faces->n;
  for (int i = 0; i < faces->n; i++) {
    same = same && c->looked_at[i] == faces->hold[i].guard;
    c->looked_at[i] = faces->hold[i].guard;
  }
  return same;
}

/* 'a', 'b' and 3 more */
static void name_faces(const brink_sim *sim, const brink__proposal *faces, char *names,
                       size_t size)
{
  enum { NAMED = 2 };
  const brink__guard *info = sim->regime->guards.info;
  size_t used = 0;

  names[0] = 0;
  for (int i = 0; i < faces->n && i < NAMED; i++) {
    snprintf(names + used, size - used, "%s'%.60s'", i ? ", " : "",
             info[faces->hold[i].guard].name);
    used = strlen(names);
  }
  if (faces->n > NAMED)
    snprintf(names + used, size - used, " and %d more", faces->n - NAMED);
}

static int all_reflect(const brink__proposal *faces)
{
  for (int i = 0; i < faces->n; i++)
    if (faces->hold[i].degree != 1)
      return 0;
  return 1;
}

/* The problem has no solution, or none that the method has found. */
BRINK__COLD static void remark_none(brink_sim *sim, const char *names, double t,
                                    int sure)
{
  brink__remark(
      sim, BRINK__REMARK_EXISTS,
      "at t = %.15g no reactions of %s keep the solution inside%s: nothing is "
      "held, and it leaves; change the directions in which their events move "
      "the state",
      t, names, sure ? "" : ", or none were found");
}

/* At most BRINK__LCP_CHECKED faces. */
static void look(brink__extended *x, brink__contacts *c, const brink__proposal *faces,
                 int solved)
{
  brink_sim *sim = x->sim;
  size_t m = (size_t)faces->n;
  double t = brink__shown(sim, sim->t);
  char names[160];
  int singular;

  name_faces(sim, faces, names, sizeof names);
  if (!solved) {
    int n = brink__lcp_count(m, c->a, c->b, &singular, c->lcp);
    remark_none(sim, names, t, n == 0 && singular == 0);
    return;
  }
  if (brink__lcp_ambiguous(m, c->a, c->b, c->lambda, c->n, c->d, c->lcp))
    brink__remark(sim, BRINK__REMARK_UNIQUE,
                  "at t = %.15g the solution is not unique: several choices of who is "
                  "held among %s are possible and go on differently, since the matrix "
                  "of their reactions is no P-matrix; the run follows one of them",
                  t, names);
  if (all_reflect(faces) && !sim->remark[BRINK__REMARK_EXISTS][0]) {
    brink__lcp_class k = brink__lcp_classify(m, c->a, c->lcp);
    if (!k.p && !k.completely_s)
      brink__remark(sim, BRINK__REMARK_EXISTS,
                    "at t = %.15g the matrix of reflections at %s is not completely-S: "
                    "under other laws no path stays inside; change the directions",
                    t, names);
  }
}

void brink__contact_remark(brink__extended *x, brink__contacts *c,
                           const brink__proposal *faces, int solved)
{
  brink_sim *sim = x->sim;

  if (solved && faces->n < 2)
    return; /* the reaction of one face is determined by the law */
  int again = looked_at(c, faces);
  if (faces->n <= BRINK__LCP_CHECKED) {
    if (faces->n <= FEW_FACES || !again)
      look(x, c, faces, solved);
    return;
  }
  char names[160];
  name_faces(sim, faces, names, sizeof names);
  if (!solved)
    remark_none(sim, names, brink__shown(sim, sim->t), 0);
  brink__remark(sim, BRINK__REMARK_UNCHECKED,
                "at t = %.15g the solution meets %s at once: beyond %d it is not "
                "checked whether the reactions exist and are unique",
                brink__shown(sim, sim->t), names, BRINK__LCP_CHECKED);
}

BRINK__COLD void brink__closing_verdict(brink_sim *sim, brink_err *why)
{
  brink__extended *x = sim->extended;
  brink__proposal contacts;
  char names[140];

  if (sim->backward || (x && x->active) || brink__extend(sim, &x) < 0 ||
      !brink__contact_closes(x, &contacts))
    return;
  name_faces(sim, &contacts, names, sizeof names);
  brink__fail_at(
      why, why->status, brink__shown(sim, sim->t),
      "no motion is possible from t = %.15g on: %s close on each other, and no "
      "impulses in the directions of their events end that; stop what moves "
      "them, or let it yield",
      brink__shown(sim, sim->t), names);
}

/* ------------------------------------------------- resets without a reading ---- */

static const char *const REFUSED[] = {
    [BRINK__READING_NOTHING] = "it changes no state after a slow approach",
    [BRINK__READING_SILENT] = "it does not happen again while its condition stays "
                              "true; write a when of its own for each surface",
    [BRINK__READING_LEAVES] = "it changes the mode or the time, or ends the run; give "
                              "the model a mode for rest",
    [BRINK__READING_GOES_ON] = "a slow approach goes on after it; let its reset end "
                               "the approach, as reinit(v, -e*pre(v)) does",
    [BRINK__READING_UNEVEN] = "what it does to the state is not proportional to the "
                              "speed of approach; make it so, as reinit(v, -e*pre(v)) "
                              "is, or give the model a mode for rest"};

/* Has the event of the face a reading, of whatever degree?  0: *why not. */
static int has_reading(brink__extended *x, brink__contacts *c, brink__hold hold,
                       brink__refusal *why)
{
  const brink_sim *sim = x->sim;

  *why = BRINK__READING_NOTHING;
  for (hold.degree = 2; hold.degree >= 1; hold.degree--) {
    if (brink__read_reset(x, c, &hold, sim->t, sim->y, 1, c->d))
      return 1;
    if (*why == BRINK__READING_NOTHING)
      *why = c->refused;
  }
  return 0;
}

/* Does an event of guard k, which is on its zero, reset states without a reading?  1:
 * it does, *why; 0: it does not; -1: it has a reading.  A guard that another mode has
 * brought to its zero may be left to either side. */
static int is_unread(brink__extended *x, brink__contacts *c, int k, brink__refusal *why)
{
  const brink__watch *w = &x->sim->regime->guards.watch[k];

  for (int sigma = -1; sigma <= 1; sigma += 2) {
    brink__hold hold = {.guard = k, .inside = sigma};
    if (w->crossed * sigma > 0)
      continue;
    if (has_reading(x, c, hold, why))
      return -1;
    if (*why != BRINK__READING_NOTHING && (w->crossed || *why != BRINK__READING_SILENT))
      return 1;
  }
  return 0;
}

/* The first guard with such an event; -1: none, or one of them has a reading. */
static int first_unread(brink__extended *x, brink__contacts *c, brink__refusal *why)
{
  const brink__guards *g = &x->sim->regime->guards;
  int found = -1;

  for (int k = 0; k < g->n; k++) {
    brink__refusal refused;
    if (!g->watch[k].fresh || !(g->watch[k].crossed || brink__on_zero(&g->watch[k])))
      continue;
    int unread = is_unread(x, c, k, &refused);
    if (unread < 0)
      return -1;
    if (found < 0 && unread) {
      found = k;
      *why = refused;
    }
  }
  return found;
}

static void look_at_readings(brink__extended *x)
{
  brink_sim *sim = x->sim;
  brink__contacts *c;
  brink__refusal why;

  brink__side_own(x);
  if (brink__contacts_of(x, 0, &c) < 0)
    return;
  int k = first_unread(x, c, &why);
  if (k >= 0)
    brink__remark(sim, BRINK__REMARK_READING,
                  "at t = %.15g nothing is held at '%.100s', beyond which the law "
                  "leads: its event cannot be read as a contact, since %s",
                  brink__shown(sim, sim->t), sim->regime->guards.info[k].name,
                  REFUSED[why]);
}

BRINK__COLD void brink__unread_remark(brink__extended *x, const brink__due *due)
{
  const brink_sim *sim = x->sim;
  size_t bytes = sim->regime->info->n * sizeof *sim->y;

  if (!sim->remark[BRINK__REMARK_READING][0] && memcmp(sim->y, due->y, bytes) != 0)
    look_at_readings(x);
}

BRINK__COLD void brink__zeno_remark(brink_sim *sim)
{
  brink__extended *x = sim->extended;

  if (!sim->backward && !(x && x->active) && brink__extend(sim, &x) >= 0)
    look_at_readings(x);
}
