/* start.c -- a consistent start.
 *
 * States take their start values (or what the caller gives), pre() of discrete
 * variables theirs, relations the values of their guards.  The conditions of the start
 * are solved for its unknowns (newton.c), level by level: first those that an equation
 * claims, then the free states, then the discrete variables that are not fixed.  Then
 * the event system is evaluated with initial() true, and all is repeated until
 * relations and discrete variables agree.  A when takes part only if initial() is in
 * its condition (never, in Base Modelica).  In the end every condition is checked.
 *
 * Where that fails the search begins anew with other values of the Booleans and
 * enumerations that are not fixed, and from other points: a guess may be where an
 * equation has no value or no slope.
 */
#include "start/start.h"
#include "clause/clause.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  PASSES = 100,     /* of relations and discrete variables                          */
  CORRECTIONS = 8,  /* passes in which pre() of a whole variable is corrected, if its
                       first value does not lead to what a condition says           */
  ALL_AT_ONCE = 20, /* passes in which all relations change together              */
  SEARCH_AFTER = 8, /* passes, each time, after which relations that depend on what they
                       decide are searched (clause/branch_search.c)                 */
  SEARCHES = 10,    /* of them in one start                                         */
  RELATION_PASSES = 60, /* that begin with relations for which no solution was found  */
  CHOICES_MAX = 64,   /* combinations of Booleans and literals that are tried         */
  MANY_UNKNOWNS = 100 /* with more, only the first points are tried                   */
};

/* Where the search begins: nominal values from the start values.  No two unknowns are
 * moved by the same (see shift), since 0/0 may be (x - y)/(x - y). */
static const double points[] = {0, 1, -1, 0.1, -0.1, 10, -10, 0.01, 100, -100};
enum { FIRST_POINTS = 3 };

/* A curve that comes no further than this has not left the start values: the conditions
 * do not depend on the unknowns. */
static const double LED_NOWHERE = 1e-6;

/* Relations whose guards need loops to be solved get their first values from the start
 * values of all variables.  Else the loops would be solved first with relations that
 * are all false, perhaps in a branch that has no solution. */
static void guess_relations(dae_live *live)
{
  const dae_model *m = live->m;

  for (size_t k = 0; k < m->n_guards; k++) {
    const clause_guard *d = &m->guards[k];
    if (d->relation < 0 || d->program.n_steps == 1 ||
        brink__tape_values(d->last, live->v, NULL) < 0)
      continue;
    const clause_relation *r = &m->relations[d->relation];
    double g = clause_guard_value(live, d);
    live->v[r->slot] = clause_truth(r, g);
  }
}

int brink__start_discretes_moved(dae_live *live)
{
  const dae_model *m = live->m;
  int moved = 0;

  for (size_t i = 0; i < m->n_discretes; i++) {
    double now = live->v[m->discretes[i].value];
    moved |= now != live->old[i];
    live->old[i] = now;
  }
  return moved;
}

static void prepare(dae_live *live, double t, const double *given)
{
  const dae_model *m = live->m;

  for (size_t j = 0; j < m->initial->n_unknowns && !given; j++)
    if (m->initial->unknowns[j].place == START_STATE)
      live->v[m->initial->unknowns[j].symbol] =
          brink__start_guess(live, &m->initial->unknowns[j]);
  for (size_t i = 0; i < m->n; i++)
    live->y[i] = i >= m->n_states ? 0 : given ? given[i] : live->v[m->state_symbol[i]];
  for (size_t i = 0; i < m->n_states; i++) {
    live->v[m->state_symbol[i]] = live->y[i];
    live->reinit[i] = -1;
  }
  for (size_t i = 0; i < m->n_lefts; i++)
    live->v[m->lefts[i].pre] = live->v[m->lefts[i].value];
  if (m->flat->initial >= 0)
    live->v[m->flat->initial] = 1;
  for (size_t k = 0; k < m->n_conds; k++)
    live->v[m->conds[k].pre] = !m->conds[k].with_initial || m->flat->base;
  live->v[BRINK__TIME] = t;
  live->stop = 0;
  memset(live->fired, 0, m->n_branches);
  memset(live->branches.decided, 0, m->n_relations);
  brink__start_discretes_moved(live);
}

static brink_status no_start(dae_live *live, double t, brink_err *err)
{
  if (live->branches.failed)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "at the start, %s",
                          brink__clause_no_branch(live, t));
  if (live->homotopy)
    return brink__fail_at(err, BRINK_EDOMAIN, t,
                          "homotopy (line %d) finds no start of what is simplified: %s",
                          live->m->flat->homotopy.line, brink__dae_reason(live));
  return brink__fail_at(err, BRINK_EDOMAIN, t, "at the start, %s",
                        brink__dae_reason(live));
}

static brink_status unsolved(dae_live *live, double t, brink_err *err)
{
  size_t missed = live->initial.n_missed;

  brink__start_explain_unsolved(live, t);
  live->initial.n_missed = missed;
  brink__fail_at(err, BRINK_ESOLVE, t, "%s", live->reason);
  if (err)
    err->line = brink__start_line(live->m, live->initial.worst);
  return BRINK_ESOLVE;
}

/* ----------------------------------------------------------- conditions --- */

brink_status brink__start_assign(dae_live *live, int pass)
{
  const dae_model *m = live->m;
  const start_system *in = m->initial;
  const brink__tape *tape =
      live->homotopy ? live->homotopy->assign_tape : in->assign_tape;

  BRINK_TRY(brink__dae_run_tape(live, NULL, tape));
  for (size_t i = 0; i < in->n_assigns; i++) {
    const start_assign *a = &in->assigns[i];
    double want = live->v[brink__tape_slot(tape, i)], *v = &live->v[a->target];
    if (a->state && live->initial.given)
      continue;
    if (a->target == a->subject || pass == 0)
      *v = want;
    else if (live->v[a->subject] != want && pass <= CORRECTIONS)
      *v = a->type == BRINK_TYPE_BOOLEAN   ? *v == 0
           : a->type == BRINK_TYPE_INTEGER ? *v + want - live->v[a->subject]
                                           : want;
  }
  for (size_t i = 0; i < m->n_states && !live->initial.given; i++)
    live->y[i] = live->v[m->state_symbol[i]];
  return BRINK_OK;
}

/* Is a variable whose pre() a condition sets still different from what it says? */
static int to_be_corrected(dae_live *live)
{
  const start_system *in = live->m->initial;
  const brink__tape *tape =
      live->homotopy ? live->homotopy->assign_tape : in->assign_tape;

  if (brink__tape_values(tape, live->v, NULL) < 0)
    return 0;
  for (size_t i = 0; i < in->n_assigns; i++)
    if (in->assigns[i].target != in->assigns[i].subject &&
        live->v[in->assigns[i].subject] != live->v[brink__tape_slot(tape, i)])
      return 1;
  return 0;
}

/* Are there unknowns of this level? */
static int has_level(const dae_live *live, int level)
{
  const start_system *in = live->m->initial;

  for (size_t j = 0; j < in->n_searched; j++)
    if (in->unknowns[j].level == level)
      return 1;
  return 0;
}

/* Round the Integers that were found as if they were Reals. */
static int round_whole(dae_live *live)
{
  const start_system *in = live->m->initial;
  int any = 0;

  for (size_t j = 0; j < in->n_searched; j++) {
    double *x = brink__start_value(live, &in->unknowns[j]);
    if (!in->unknowns[j].whole)
      continue;
    *x = round(*x);
    any = 1;
  }
  return any;
}

/* Search with all unknowns, from the guesses again: Integers are rounded, and the
 * others found again. */
static start_end solve_with_discretes(dae_live *live, double t)
{
  const start_system *in = live->m->initial;

  for (size_t j = 0; j < in->n_searched; j++)
    *brink__start_value(live, &in->unknowns[j]) = live->initial.guess[j];
  start_end end = brink__start_newton(live, t, START_DISCRETES);

  if (end == START_SOLVED && round_whole(live)) {
    live->initial.whole_known = 1;
    end = brink__start_newton(live, t, START_DISCRETES);
  }
  if (end == START_SOLVED)
    end = brink__start_check(live, t, START_DISCRETES, 0);
  live->initial.whole_known = 0;
  return end;
}

/* Put the free states of a system of higher index on the constraints: those without a
 * start value first, the others where that does not do.  Where it fails, or other
 * conditions are left, the search begins from there. */
static void put_on_constraints(dae_live *live, double t)
{
  const dae_model *m = live->m;
  const start_system *in = m->initial;
  dae_initial_work *w = &live->initial;
  int moved;

  for (size_t i = 0; i < m->n; i++)
    w->first_unit[i] = w->state_unit[i] = 0;
  for (size_t j = 0; j < in->n_unknowns; j++) {
    const start_unknown *u = &in->unknowns[j];
    if (u->place != START_STATE || u->level < 0)
      continue;
    double nominal = brink__start_nominal(live, u);
    w->first_unit[u->index] = brink__start_is_guess(live, u) ? 0 : nominal;
    w->state_unit[u->index] = nominal;
  }
  dae_fault before = live->fault; /* a failure here is no reason to be told */
  brink__dae_project(live, &in->stages, t, w->first_unit, w->state_unit, live->y,
                     &moved);
  live->fault = before;
}

start_end brink__start_solve(dae_live *live, double t)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  start_end end = START_SOLVED;

  w->level = w->given ? START_CLAIMED : START_STATES;
  if (in->n == 0 || (live->homotopy && in->n_searched == 0))
    return START_SOLVED;
  for (size_t j = 0; j < in->n_searched; j++)
    w->guess[j] = *brink__start_value(live, &in->unknowns[j]);
  if (in->stages.n && !w->given && !live->homotopy)
    put_on_constraints(live, t);
  if (has_level(live, START_CLAIMED))
    end = brink__start_newton(live, t, START_CLAIMED);
  if (end == START_SOLVED && !w->given)
    end = brink__start_newton(live, t, START_STATES);
  if (end == START_SOLVED)
    end = brink__start_check(live, t, w->level, 0);
  if (end == START_UNSOLVED && w->follow)
    end = brink__start_follow(live, t, w->level);
  if (end != START_SOLVED && !w->given && has_level(live, START_DISCRETES)) {
    w->level = START_DISCRETES;
    end = solve_with_discretes(live, t);
  }
  if (end == START_SOLVED && !w->given && !live->homotopy)
    brink__start_nearest(live, t, w->level);
  return end;
}

/* The iteration of the start does not end: one more pass shows what keeps changing. */
static brink_status unsettled(dae_live *live, double t, brink_err *err)
{
  const dae_model *m = live->m;
  int discrete = -1, relation = -1;

  if (live->branches.failed)
    return brink__fail_at(err, BRINK_EITERATION, t, "at the start, %s",
                          brink__clause_no_branch(live, t));
  clause_save_relations(live);
  brink__clause_evaluate_relations(live, t, NULL, NULL);
  relation = clause_changed_relation(live);
  if (brink__dae_run(live, &m->event, t, live->y) == BRINK_OK)
    for (size_t i = 0; i < m->n_discretes && discrete < 0; i++)
      if (live->v[m->discretes[i].value] != live->old[i])
        discrete = (int)i;
  brink__dae_explain_unsettled(live, "the start", PASSES, discrete, relation, t);
  return brink__fail_at(err, BRINK_EITERATION, t, "%s", live->reason);
}

/* Give the relations the values of their guards; 1 if one changes.  After many passes
 * only the first that differs takes its new value: relations that change together may
 * come back to where they were, and the rule of the least index does not [Murty74]. */
static int relations_changed(dae_live *live, double t, int pass)
{
  const dae_model *m = live->m;

  clause_save_relations(live);
  int changed = live->homotopy ? brink__start_evaluate_relations(live, t)
                               : brink__clause_evaluate_relations(live, t, NULL, NULL);
  int first = clause_changed_relation(live);
  if (first >= 0 && pass >= ALL_AT_ONCE) {
    double now = live->v[m->relations[first].slot];
    clause_restore_relations(live);
    live->v[m->relations[first].slot] = now;
  }
  return changed;
}

/* Solve the conditions, unless they still hold: another search would move the unknowns
 * by roundings, and the passes never end. */
static start_end solve_again(dae_live *live, double t, int pass)
{
  if (pass > 0 && live->m->initial->n &&
      brink__start_check(live, t, live->initial.level, 0) == START_SOLVED)
    return START_SOLVED;
  return brink__start_solve(live, t);
}

/* The equations have no solution with the present relations, or relations do not
 * settle: search values of those that depend on what they decide.  1: there are some,
 * and the start goes on from there. */
static int other_branch(dae_live *live, double t, int *searches)
{
  dae_fault fault = live->fault;

  if (live->homotopy || ++*searches > SEARCHES)
    return 0;
  live->searching = 1;
  int found = brink__clause_search(live, t);
  live->searching = 0;
  live->fault = fault;
  return found;
}

/* Solve the start with the present relations, and evaluate the relations there, until
 * they and the discrete variables no longer change. */
static brink_status settle(dae_live *live, double t, brink_err *err)
{
  const dae_program *event =
      live->homotopy ? &live->homotopy->program : &live->m->event;
  int searches = 0;

  brink__clause_begin_search(live);
  for (int pass = 0; pass < PASSES; pass++) {
    int changed = relations_changed(live, t, pass);
    if (brink__start_assign(live, pass) < 0) /* it may read what has changed */
      return no_start(live, t, err);
    start_end end = solve_again(live, t, pass);
    if (end != START_SOLVED) {
      if ((pass < RELATION_PASSES && relations_changed(live, t, pass)) ||
          (pass < CORRECTIONS && to_be_corrected(live)) ||
          (end == START_NO_VALUE && other_branch(live, t, &searches)))
        continue;
      return end == START_NO_VALUE ? no_start(live, t, err) : unsolved(live, t, err);
    }
    live->searching = 1;
    brink_status rc = brink__dae_run(live, event, t, live->y);
    live->searching = 0;
    if (rc < 0 && other_branch(live, t, &searches))
      continue;
    if (rc < 0)
      return no_start(live, t, err);
    if (changed && pass % SEARCH_AFTER == SEARCH_AFTER - 1)
      other_branch(live, t, &searches);
    changed |= brink__start_discretes_moved(live);
    if (!changed && pass > 0)
      return BRINK_OK;
  }
  return unsettled(live, t, err);
}

/* --------------------------------------------------------------- search --- */

/* The start of the simplified model, and from there along homotopy() to the start of
 * the model, or close to it. */
static brink_status from_simplified(dae_live *live, double t, brink_err *err)
{
  const dae_model *m = live->m;
  double *lambda = &live->v[m->flat->lambda];

  live->homotopy = m->homotopy;
  *lambda = 0;
  brink_status rc = brink__start_assign(live, 0);
  if (rc < 0)
    no_start(live, t, err);
  guess_relations(live);
  if (rc == BRINK_OK)
    rc = settle(live, t, err);
  if (rc == BRINK_OK)
    rc = brink__start_homotopy_path(live, t, err);
  live->homotopy = NULL;
  *lambda = 1;
  return rc;
}

/* Combination number `choice` of the Booleans and enumerations that are not fixed, the
 * start values first; 0: there are fewer. */
static int choose(dae_live *live, int choice)
{
  const start_system *in = live->m->initial;

  for (size_t k = 0; k < in->n_choices; k++) {
    const start_unknown *u = &in->unknowns[in->n_searched + k];
    const brink__flat_var *v = &live->m->flat->vars[u->var];
    int most = v->type == BRINK_TYPE_BOOLEAN ? 2 : v->n_literals;
    int first = v->type == BRINK_TYPE_BOOLEAN ? 0 : 1;
    double *x = brink__start_value(live, u);
    if (most > 0)
      *x = first + ((int)*x - first + choice % most) % most;
    choice /= most > 0 ? most : 1;
  }
  return choice == 0;
}

/* Put the unknowns beside their start values. */
static void shift(dae_live *live, double by)
{
  const start_system *in = live->m->initial;
  const double golden = 0.6180339887498949; /* multiples of it are spread evenly */

  for (size_t j = 0; j < in->n_searched; j++) {
    const start_unknown *u = &in->unknowns[j];
    double part = (double)(j + 1) * golden;
    if (u->whole || !brink__start_searched(live, u, START_DISCRETES))
      continue;
    double *x = brink__start_value(live, u);
    *x += by * (1 + part - floor(part)) * brink__start_nominal(live, u);
    if (u->place == START_STATE)
      live->v[u->symbol] = *x;
  }
}

/* One search; 1 in *more if there is such a combination of choices. */
static brink_status attempt(dae_live *live, double t, const double *given, int choice,
                            double point, int *more, brink_err *err)
{
  const dae_model *m = live->m;

  memcpy(live->v, live->constants.v0, m->n_symbols * sizeof *live->v);
  for (size_t i = 0; i < m->n_delays && !live->initial.past_known; i++)
    live->memory->before[i] = 0;
  prepare(live, t, given);
  *more = choose(live, choice);
  if (!*more)
    return BRINK_ESOLVE;
  shift(live, point);
  live->initial.shifted = point != 0;
  if (m->homotopy->used)
    BRINK_TRY(from_simplified(live, t, err));
  if (brink__start_assign(live, 0) < 0)
    return no_start(live, t, err);
  if (!m->homotopy->used)
    guess_relations(live);
  BRINK_TRY(settle(live, t, err));
  if (m->initial->n == 0)
    return BRINK_OK;
  start_end end = brink__start_check(live, t, live->initial.level, 1);
  return end == START_SOLVED     ? BRINK_OK
         : end == START_NO_VALUE ? no_start(live, t, err)
                                 : unsolved(live, t, err);
}

/* Keep the error of an attempt if it misses fewer conditions than those before (with a
 * wrong choice more is missed than what cannot hold), or as many and says why. */
static void keep_error(const dae_live *live, brink_status rc, const brink_err *now,
                       size_t *least, brink_err *err)
{
  size_t missed = rc == BRINK_ESOLVE ? live->initial.n_missed : live->m->initial->n + 1;
  size_t rank = 2 * missed + (rc != BRINK_ESOLVE || !live->initial.proved);

  if (rank >= *least)
    return;
  *least = rank;
  if (err)
    *err = *now;
}

/* All combinations of choices from one point; *least: rank of the error that is kept.
 */
static brink_status try_choices(dae_live *live, double t, const double *given,
                                double point, size_t *least, brink_err *err)
{
  brink_status rc = BRINK_ESOLVE;
  brink_err now;

  for (int choice = 0; choice < CHOICES_MAX; choice++) {
    int more;
    brink__err_clear(&now);
    brink_status tried = attempt(live, t, given, choice, point, &more, &now);
    if (!more)
      break;
    rc = tried;
    if (rc == BRINK_OK)
      break;
    keep_error(live, rc, &now, least, err);
  }
  return rc;
}

/* Say what has been tried where nothing shows that there is no start. */
static void add_tried(const dae_live *live, size_t n, brink_err *err)
{
  size_t used = strlen(err->text);

  if (strncmp(err->text, "no start was found", strlen("no start was found")) == 0 &&
      live->initial.lambda > LED_NOWHERE)
    snprintf(
        err->text + used, sizeof err->text - used,
        "; tried were Gauss-Newton steps from %zu point%s, and continuation, which "
        "leads to lambda = %.3g",
        n, n == 1 ? "" : "s", live->initial.lambda);
}

static brink_status search(dae_live *live, double t, const double *given,
                           brink_err *err)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  size_t n = in->n_searched == 0 || live->m->homotopy->used ? 1
             : in->n_searched > MANY_UNKNOWNS               ? FIRST_POINTS
                                                            : BRINK__COUNT(points);
  size_t least = SIZE_MAX;
  brink_status rc = BRINK_ESOLVE;

  w->follow = 0;
  w->lambda = 0;
  for (size_t k = 0; k < n && rc != BRINK_OK; k++)
    rc = try_choices(live, t, given, points[k], &least, err);
  if (rc != BRINK_OK && in->n_searched && !live->m->homotopy->used && !given) {
    w->follow = 1;
    rc = try_choices(live, t, given, 0, &least, err);
    w->follow = 0;
  }
  if (err && rc == BRINK_OK)
    brink__err_clear(err);
  if (err && rc != BRINK_OK)
    add_tried(live, n, err);
  return err && rc != BRINK_OK ? err->status : rc;
}

brink_status brink__start_find(const brink_model *model, dae_live *live, double t,
                               int *mode, const double *given, double *y,
                               brink_err *err)
{
  const dae_model *m = dae_of(model);

  *mode = 0;
  live->initial.given = given != NULL;
  BRINK_TRY(search(live, t, given, err));
  if (!given)
    brink__start_note_moves(live, t);
  BRINK_TRY(brink__clause_check_initial(live, t, live->y, err));

  /* whens at initial() act, then the model goes on as after any event */
  BRINK_TRY(brink__clause_initial_actions(live, t, err));
  if (m->flat->initial >= 0)
    live->v[m->flat->initial] = 0;
  BRINK_TRY(brink__clause_iterate(live, t, NULL, err));
  for (size_t i = 0; i < m->n_states; i++)
    if (live->reinit[i] >= 0)
      live->y[i] = live->reinit_value[i];
  memcpy(y, live->y, m->n * sizeof *y);
  return brink__clause_check(live, t, y, err);
}
