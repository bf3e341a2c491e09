/* effects.c -- reinit, terminate and assert in a run: what whens do beside assigning,
 * and assertions.  A warning is noted when it is first given, with the numbers of that
 * time; its text is written when the user asks for it.
 */
#include "clause/clause.h"

#include <stdio.h>

/* ------------------------------------------------------------ warnings --- */

/* Text number i, counting the assertions and then the acts: its numbers are roots of
 * *tape from *first, and kept in live->warned_part from *kept. */
static const brink__flat_action *text_of(const dae_model *m, size_t i,
                                         const brink__tape **tape, size_t *first,
                                         size_t *kept)
{
  int in_when = i >= m->n_asserts;

  *tape = in_when ? m->act_tape : m->assert_tape;
  *first = in_when ? m->acts[i - m->n_asserts].parts : m->asserts[i].parts;
  *kept = *first + (in_when ? brink__tape_n_roots(m->assert_tape) : 0);
  return in_when ? m->acts[i - m->n_asserts].flat : m->asserts[i].flat;
}

size_t brink__clause_warning_numbers(const dae_model *m, size_t i)
{
  const brink__tape *tape;
  size_t first, kept;

  text_of(m, i, &tape, &first, &kept);
  return kept;
}

/* Note a warning: when it is first given, and with which numbers. */
static void note(dae_live *live, size_t i, double t)
{
  const brink__tape *tape;
  size_t first, kept;
  const brink__flat_action *a = text_of(live->m, i, &tape, &first, &kept);

  if (live->warned[i])
    return;
  live->warned[i] = 1;
  live->warned_t[i] = t;
  for (size_t k = 0; k < (size_t)a->n_parts; k++)
    live->warned_part[kept + k] = live->v[brink__tape_slot(tape, first + k)];
}

const char *brink__clause_warning_text(dae_live *live, size_t i)
{
  const brink__tape *tape;
  size_t first, kept;
  const brink__flat_action *a = text_of(live->m, i, &tape, &first, &kept);
  char text[sizeof live->reason - 64];

  brink__explain_message(a, live->warned_part + kept, text, sizeof text);
  snprintf(live->reason, sizeof live->reason, "line %d, t = %.9g: %s", a->at.line,
           live->warned_t[i], text);
  return live->reason;
}

/* ---------------------------------------------------------------- acts --- */

/* The sentence in live->reason as an error at a place of the model. */
static brink_status fail_with_reason(dae_live *live, brink_status rc, double t,
                                     brink__place at, brink_err *err)
{
  brink__fail_at(err, rc, t, "%s", live->reason);
  if (err)
    err->line = at.line, err->col = at.col;
  return rc;
}

/* The text of an action with its numbers, in live->reason. */
static void write_text(dae_live *live, const brink__flat_action *a,
                       const brink__tape *tape, size_t first)
{
  double parts[BRINK__TEXT_PARTS];

  for (int i = 0; i < a->n_parts && i < BRINK__TEXT_PARTS; i++)
    parts[i] = live->v[brink__tape_slot(tape, first + (size_t)i)];
  brink__explain_message(a, parts, live->reason, sizeof live->reason);
}

static brink_status do_act(dae_live *live, const clause_act *a, double t,
                           brink__instant *inst, brink_err *err)
{
  const dae_model *m = live->m;
  double value = live->v[brink__tape_slot(m->act_tape, a->value)];
  int number = (int)(a - m->acts);

  if (a->flat->kind == BRINK__REINIT) {
    int other = live->reinit[a->state];
    if (other >= 0 && other != number && live->reinit_value[a->state] != value) {
      brink__sentence s = {live->reason, sizeof live->reason, 0};
      brink__system sys = dae_system(live);
      brink__explain_conflict(&s, &sys, m->acts[other].flat, a->flat,
                              live->reinit_value[a->state], value, t);
      if (inst)
        inst->conflict = 1;
      return fail_with_reason(live, BRINK_EITERATION, t, a->flat->at, err);
    }
    live->reinit[a->state] = number;
    live->reinit_value[a->state] = value;
  } else if (a->flat->kind == BRINK__PUSH) {
    live->reinit[a->state] = number; /* to what: brink__clause_push */
  } else if (a->flat->kind == BRINK__ASSERT) {
    if (value == 0 && a->flat->warning) {
      note(live, m->n_asserts + (size_t)number, t);
    } else if (value == 0) {
      brink__dae_explain_assertion(live, a->flat, m->act_tape, a->parts, t);
      return fail_with_reason(live, BRINK_EDOMAIN, t, a->flat->at, err);
    }
  } else {
    write_text(live, a->flat, m->act_tape, a->parts);
    live->stop = 1;
    if (inst)
      inst->stop = 1, inst->message = live->reason;
  }
  return BRINK_OK;
}

brink_status brink__clause_act(dae_live *live, double t, brink__instant *inst,
                               brink_err *err)
{
  const dae_model *m = live->m;
  int any = 0;

  for (size_t b = 0; b < m->n_branches; b++)
    if (live->v[m->branches[b].fire] != 0)
      live->fired[b] = 1, any = 1;
  if (!any || m->n_acts == 0)
    return BRINK_OK;
  if (brink__dae_run_tape(live, NULL, m->act_tape) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "%s", brink__dae_reason(live));
  for (size_t i = 0; i < m->n_acts; i++)
    if (live->v[brink__tape_slot(m->act_tape, m->acts[i].cond)] != 0)
      BRINK_TRY(do_act(live, &m->acts[i], t, inst, err));
  return m->n_pushes ? brink__clause_push(live, t, inst, err) : BRINK_OK;
}

/* ---------------------------------------------------------- assertions --- */

/* Check the assertions at (t, y): all, or those that read initial(). */
static brink_status check(dae_live *live, double t, const double *y, int initial_only,
                          brink_err *err)
{
  const dae_model *m = live->m;

  if (brink__dae_run(live, &m->all, t, y) < 0 ||
      brink__dae_run_tape(live, NULL, m->assert_tape) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "%s", brink__dae_reason(live));
  for (size_t i = 0; i < m->n_asserts; i++) {
    const dae_assert *a = &m->asserts[i];
    if (live->v[brink__tape_slot(m->assert_tape, a->value)] != 0 ||
        (initial_only && !a->with_initial))
      continue;
    if (!a->flat->warning) {
      brink__dae_explain_assertion(live, a->flat, m->assert_tape, a->parts, t);
      return fail_with_reason(live, BRINK_EDOMAIN, t, a->flat->at, err);
    }
    note(live, i, t);
  }
  return BRINK_OK;
}

brink_status brink__clause_check(dae_live *live, double t, const double *y,
                                 brink_err *err)
{
  return live->m->n_asserts ? check(live, t, y, 0, err) : BRINK_OK;
}

brink_status brink__clause_check_initial(dae_live *live, double t, const double *y,
                                         brink_err *err)
{
  int any = 0;

  for (size_t i = 0; i < live->m->n_asserts; i++)
    any |= live->m->asserts[i].with_initial;
  return any ? check(live, t, y, 1, err) : BRINK_OK;
}

void brink__clause_note_warnings(dae_live *live, double t)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_asserts; i++) {
    const dae_assert *a = &m->asserts[i];
    if (a->flat->warning && live->v[brink__tape_slot(m->assert_tape, a->value)] == 0)
      note(live, i, t);
  }
}
