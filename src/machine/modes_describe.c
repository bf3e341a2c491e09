/* modes_describe.c -- what a model with machines is, for people: its machines with all
 * transitions, the whens of all modes, and what the combinations that there are tell.
 */
#include "machine/stages.h"
#include "machine/compile.h"
#include "machine/modes.h"

#include <stdio.h>

static const char *arrow(modes_model *m, const brink__flat_transition *t)
{
  const brink__flat *f = m->flat;
  char buf[320];
  int n = snprintf(buf, sizeof buf, "%.60s -> %.60s: %.120s (line %d)",
                   f->states[t->from].name, f->states[t->to].name, t->text, t->at.line);

  if (t->priority != 1 && n > 0)
    n += snprintf(buf + n, sizeof buf - (size_t)n, ", priority %lld",
                  (long long)t->priority);
  if (n > 0)
    snprintf(buf + n, sizeof buf - (size_t)n, "%s%s%s",
             t->side == BRINK_BEFORE ? ", side before" : "",
             t->waits ? ", when the machines in it have ended" : "",
             t->reset > 0   ? ", reset"
             : t->reset < 0 ? ", no reset"
                            : "");
  return brink__pool_str(&m->pool, buf, strlen(buf));
}

static brink_status machine(modes_model *m, int k, brink_machine *out)
{
  const brink__flat *f = m->flat;
  const char **states, **transitions;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_states, &states));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_transitions, &transitions));
  *out = (brink_machine){.states = states, .transitions = transitions, .within = ""};
  if (f->machines[k].within)
    out->within = f->states[f->machines[k].within - 1].name;
  for (size_t i = 0; i < f->n_states; i++)
    if (f->states[i].machine == k) {
      if ((int)i == f->machines[k].initial)
        out->initial = (int)out->n_states;
      states[out->n_states++] = f->states[i].name;
    }
  for (size_t i = 0; i < f->n_transitions; i++)
    if (f->states[f->transitions[i].from].machine == k) {
      const char *text = arrow(m, &f->transitions[i]);
      if (!text)
        return brink__fail(&m->base.ctx->err, BRINK_ENOMEM,
                           "out of memory while naming a transition");
      transitions[out->n_transitions++] = text;
    }
  return BRINK_OK;
}

/* The whens of all modes. */
static brink_status clauses(modes_model *m, brink_anatomy *a)
{
  const brink__flat *f = m->flat;
  const char **out;
  size_t n = 0;

  for (size_t i = 0; i < f->n_whens; i++)
    n += (size_t)f->whens[i].n_branches;
  BRINK_TRY(DAE_TAKE(&m->pool, n, &out));
  n = 0;
  for (size_t i = 0; i < f->n_whens; i++)
    for (int k = 0; k < f->whens[i].n_branches; k++) {
      const brink__flat_branch *b = &f->whens[i].branches[k];
      char buf[200];
      snprintf(buf, sizeof buf, "%.160s (line %d)", b->text ? b->text : "", b->at.line);
      out[n] = brink__pool_str(&m->pool, buf, strlen(buf));
      if (!out[n++])
        return brink__fail(&m->base.ctx->err, BRINK_ENOMEM,
                           "out of memory while naming a when");
    }
  a->clauses = out;
  a->n_clauses = n;
  return BRINK_OK;
}

static int is_among(const char *text, const char *const *v, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(v[i], text) == 0)
      return 1;
  return 0;
}

/* What the author of each combination should know, once. */
static brink_status notes(modes_model *m, brink_anatomy *a)
{
  const char **out;
  size_t n = 0;

  for (int i = 0; i < m->n_parts; i++)
    n += m->parts[i]->m->base.anatomy.n_notes;
  BRINK_TRY(DAE_TAKE(&m->pool, n, &out));
  n = 0;
  for (int i = 0; i < m->n_parts; i++) {
    const brink_anatomy *b = &m->parts[i]->m->base.anatomy;
    for (size_t k = 0; k < b->n_notes; k++)
      if (!is_among(b->notes[k], out, n))
        out[n++] = b->notes[k];
  }
  a->notes = out;
  a->n_notes = n;
  return BRINK_OK;
}

/* Samples, and relations and stairs that have known times in one of the combinations.
 */
static brink_status known_times(modes_model *m, brink_anatomy *a)
{
  unsigned char *seen;

  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)m->flat->n_symbols, &seen));
  a->timed = m->flat->n_samples;
  for (int i = 0; i < m->n_parts; i++) {
    const dae_model *part = m->parts[i]->m;
    for (size_t k = 0; k < part->n_timers; k++) {
      const clause_timer *d = &part->timers[k];
      if (!d->line || seen[d->slot])
        continue;
      seen[d->slot] = 1;
      a->timed++;
    }
  }
  return BRINK_OK;
}

/* The combinations that there are. */
static brink_status built(modes_model *m, brink_anatomy *a)
{
  int *modes;

  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)m->n_parts, &modes));
  for (int i = 0; i < m->n_parts; i++)
    modes[i] = m->parts[i]->number;
  a->modes = modes;
  a->n_modes = (size_t)m->n_parts;
  return BRINK_OK;
}

/* What chooses branches, over all modes. */
static brink_status branches(modes_model *m, brink_anatomy *a)
{
  BRINK_TRY(
      brink__machine_branches(m->base.ctx, m->flat, &m->pool, a, &m->branch_symbol));
  BRINK_TRY(brink__dae_take_ids(&m->pool, (size_t)m->flat->n_symbols, &m->branch_of));
  for (size_t i = 0; i < a->n_branches; i++)
    m->branch_of[m->branch_symbol[i]] = (int32_t)i;
  return BRINK_OK;
}

brink_status brink__modes_describe(modes_model *m)
{
  const brink__flat *f = m->flat;
  const brink_model *first = &m->parts[0]->m->base;
  brink_anatomy *a = &m->base.anatomy;
  brink_machine *machines;

  m->base.name = f->name && *f->name ? f->name : "model";
  m->base.file = f->file;
  m->base.text = f->text;
  m->base.vars = first->vars;
  m->base.n_vars = first->n_vars;
  m->base.n_names = first->n_names;
  m->base.experiment = first->experiment;
  *a = first->anatomy;
  BRINK_TRY(clauses(m, a));
  BRINK_TRY(notes(m, a));
  BRINK_TRY(known_times(m, a));
  BRINK_TRY(built(m, a));
  BRINK_TRY(branches(m, a));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_machines, &machines));
  for (size_t k = 0; k < f->n_machines; k++)
    BRINK_TRY(machine(m, (int)k, &machines[k]));
  a->machines = machines;
  a->n_machines = f->n_machines;
  a->equations = f->n_eqns;
  a->initial_equations = f->n_initial_eqns;
  for (int i = 1; i < m->n_parts; i++) {
    const brink_anatomy *b = &m->parts[i]->m->base.anatomy;
    a->loops = brink__zmax(a->loops, b->loops);
    a->largest_loop = brink__zmax(a->largest_loop, b->largest_loop);
  }
  return BRINK_OK;
}
